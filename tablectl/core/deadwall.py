"""The wall's end: reserve, indicators, replacements and the gold's marker.

Four policies, one shape. Counted in places of one `Wall`; H tiles are gone from the head, T from
the tail, k indicators were turned after those at the start.

    kept        … live │ reserve of 14, always full: every replacement shortens the live end by one
    shrinking   … live │ reserve of 18, filled up after a kong alone: a tile set aside and replaced
                         leaves the live end where it is, each kong shortens it by one
    neighbour   … live │ indicators │ replacements: the live end is beside the last open indicator
    growing     … usable │ 18 and more: what is usable is what is left without the reserve

                     live end                 column 3   column 2   column 1 from the end
       upper  …  ▯ ▯ ▯ ▯ │ ▯ ▯ ▯ ▯ ▯ ▯ ▯ ▯     [ind]      3rd        1st replacement
       lower  …  ▯ ▯ ▯ ▯ │ ▯ ▯ ▯ ▯ ▯ ▯ ▯ ▯     (ura)      4th        2nd

Sources: `rules.md`, sections 0, 3, 4, 5.3, 5.4, 7.
"""

from __future__ import annotations

from tablectl.core.dealing import HeadOrder
from tablectl.core.preset import Preset
from tablectl.core.wall import Position, Wall
from tablectl.errors import NO, TablectlError, declare

declare(
    "plan.head_past_end",
    "{head} tiles taken from the head, but only {most} can be drawn there",
    "Count the tiles drawn again, or name the place of the next draw (--head-at).",
    status=NO,
)
declare(
    "plan.tail_past_reserve",
    "{tail} replacements taken, but there are {most}",
    "Count the kongs and the tiles set aside again (--tail).",
    status=NO,
)
declare(
    "plan.indicator_drawn",
    "indicator {number} cannot have been turned: its tile at p = {p} is drawn ({head} are gone)",
    "Count the turned indicators again (--turned), or the tiles drawn (--head).",
    status=NO,
)
declare(
    "plan.indicators_most",
    "{turned} indicators turned after the start, but {most} is the most",
    "Count the turned indicators again (--turned).",
    status=NO,
)


def indicator_column(wall: Wall, rules: Preset, number: int) -> int | None:
    """The column, from the break, of indicator `number` (from 0), None where no such column is.
    Columns are counted from the end as people count them: a half column is one."""
    c = wall.columns - rules.indicators.column - number
    return c if c >= 0 else None


def most_indicators(wall: Wall, rules: Preset) -> int:
    """How many indicators there can be in one hand: those at the start, one for each kong."""
    turning = rules.calls.kongs if rules.indicators.kongs_turn else 0
    return min(rules.indicators.start + turning, wall.columns - rules.indicators.column + 1)


def check_indicators(
    wall: Wall, rules: Preset, order: HeadOrder, head: int, turned: int
) -> tuple[Position, ...]:
    """The open indicators. Raises `plan.indicators_most`, `plan.indicator_drawn`."""
    start = rules.indicators.start
    most = most_indicators(wall, rules)
    if turned and start + turned > most:
        raise TablectlError("plan.indicators_most", turned=turned, most=max(most - start, 0))
    shown = []
    for number in range(start + turned):
        c = indicator_column(wall, rules, number)
        if c is None:
            break
        position = wall.order[wall.starts[c]]
        if number >= start and order.taken(position.p, head):
            raise TablectlError("plan.indicator_drawn", number=number + 1, p=position.p, head=head)
        shown.append(position)
    return tuple(shown)


def next_indicator(
    wall: Wall, rules: Preset, order: HeadOrder, head: int, turned: int
) -> Position | None:
    """The indicator that the next kong turns; None after the last one or when it is drawn."""
    number = rules.indicators.start + turned
    if number >= most_indicators(wall, rules):
        return None
    c = indicator_column(wall, rules, number)
    assert c is not None
    position = wall.order[wall.starts[c]]
    return None if order.taken(position.p, head) else position


def under(wall: Wall, indicator: Position) -> Position | None:
    """The ura tile below an indicator, None in a half column."""
    column = wall.in_column(wall.column_of[indicator.p])
    return column[1] if len(column) == 2 else None


def replacements_there(wall: Wall, rules: Preset) -> int:
    """Replacements that can be taken at all: what the rule has, never one of the indicators'
    columns (half columns at the end can make it fewer)."""
    if rules.replacements.count == 0:
        return wall.tiles
    if rules.indicators.start == 0:
        return min(rules.replacements.count, wall.tiles)
    c = indicator_column(wall, rules, 0)
    behind = wall.tiles - wall.starts[c + 1] if c is not None else wall.tiles
    return min(rules.replacements.count, behind)


def reserved(
    rules: Preset,
    tail: int,
    open_kongs: int,
    concealed_kongs: int,
    flower_quads: int,
    *,
    gold: bool,
) -> int:
    """Tiles of the reserve that stay in the wall, `tail` replacements taken.

    A growing one has more for kongs and four like flowers, and one fewer where the `gold` lies on
    it and counts. A shrinking one has lost every replacement but those of the kongs; it is filled
    up as a kong is declared. 0 where the rule keeps nothing but the indicators' end.
    """
    reserve = rules.reserve
    if reserve.policy == "shrinking":
        return reserve.tiles + open_kongs + concealed_kongs - tail
    return (
        reserve.tiles
        + reserve.open_kong * open_kongs
        + reserve.concealed_kong * concealed_kongs
        + reserve.flower_quad * flower_quads
        - (reserve.gold_counts and gold)
    )


def live_end(wall: Wall, rules: Preset, tail: int, turned: int, reserve: int) -> int:
    """Tiles that the head can give in all, H among them, with these replacements taken and
    `reserve` tiles that stay."""
    if rules.reserve.policy == "neighbour":
        for number in range(rules.indicators.start + turned - 1, -1, -1):
            c = indicator_column(wall, rules, number)
            if c is not None:
                return wall.starts[c]
        return 0
    return wall.tiles - reserve - tail


def wholly_reserved(wall: Wall, tail: int, reserve: int) -> int | None:
    """Fuzhou: the outermost column, from the break, that is wholly reserved, a half last column
    counted; None where no column is (`rules.md`, 5.3).

        D usable │ 9 8 7 6 5 4 3 2 1     the gold lies on 9 while 18 tiles are reserved
    """
    found = None
    for c in reversed(range(wall.columns)):
        here = wall.starts[c + 1] - wall.starts[c]
        taken = min(tail, here)
        tail -= taken
        if here - taken > reserve:
            break
        reserve -= here - taken
        found = c if here > taken else found
        if reserve == 0:
            break
    return found


def at_boundary(wall: Wall, order: HeadOrder, end: int) -> int:
    """The column, from the break, of the first reserved tile, the one after the last that can be
    drawn (`rules.md`, 5.4 F2)."""
    return wall.column_of[order.p(min(end, wall.tiles - 1))]
