"""The marks of a drawing of the walls: what is written at each place, and what it means."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from tablectl.core import deadwall
from tablectl.core.dealing import HeadOrder, deal_from
from tablectl.core.geometry import Plan
from tablectl.core.preset import Preset
from tablectl.core.wall import Break, Place, Position, Side, Wall, parse_side, wall_from

TAKEN, STANDS, STAYS = "·", "▯", "▮"

_STYLES: Final = {
    TAKEN: "dim",
    STANDS: "",
    STAYS: "blue",
    "D": "bold green",
    "L": "bold red",
    "I": "bold yellow",
    "U": "yellow",
    "K": "bold magenta",
    "R": "bold cyan",
    "r": "cyan",
    "G": "bold yellow",
}
_FLIPPED: Final = "magenta"
BREAK: Final = "bold red"

_MEANS: Final = {
    "D": "next draw",
    "L": "last draw",
    "I": "indicator",
    "U": "ura",
    "K": "next indicator",
    "R": "next replacement",
    "r": "further replacements",
    "G": "gold lies here",
    STANDS: "to be drawn",
    STAYS: "stays",
    TAKEN: "taken",
}
"""What each mark says, in the order of the legend; the first that fits comes first in its place."""


class Marks(NamedTuple):
    """`sides`: the walls as they stand; `at`: what is written at each place, the most telling mark
    first; `opened`: the break."""

    sides: Sequence[Side]
    at: Mapping[Place, str]
    opened: Break


def marks_of(rules: Preset, plan: Plan, taken: Collection[int] | None = None) -> Marks:
    """What a plan says of each place. `taken`: the p of the tiles that are gone, where they are
    known better than by counting from head and tail."""
    sides = tuple(parse_side(str(side)) for side in plan.sides)
    opened = Break(plan.break_.side, plan.break_.after)
    wall = wall_from(sides, opened)
    gone = _gone(rules, plan, wall) if taken is None else taken
    found: list[str] = [""] * wall.tiles
    order = _order(rules, plan, wall)

    def put(mark: str, *positions: Position | None) -> None:
        for position in positions:
            if position is not None:
                found[position.p] += mark

    put("D", plan.next_draw)
    put("L", plan.last_draw)
    put("I", *plan.indicators)
    put("U", *plan.ura)
    put("K", plan.next_indicator)
    put("R", plan.replacement)
    if plan.gold_marker is not None:
        column = Place(plan.gold_marker.side, plan.gold_marker.column, "upper")
        p = wall.number.get(column, wall.number.get(_below(column), -1))
        if p >= 0:
            found[p] += "G"
    for number, position in enumerate((plan.reveal or ())[:9], 1):
        put(str(number), position)
    if rules.replacements.source == "tail" and rules.replacements.count:
        there = deadwall.replacements_there(wall, rules)
        for position in wall.tail(rules.replacements.first)[plan.tail + 1 : there]:
            found[position.p] = found[position.p] or "r"
    end = plan.head + plan.drawable
    for position in wall.order:
        p = position.p
        if p in gone:
            found[p] = TAKEN
        elif found[p] in ("", "G"):
            found[p] = (STANDS if order.p(p) < end else STAYS) + found[p]
    at = {position.place: found[position.p] for position in wall.order}
    return Marks(sides, at, opened)


def tile(marks: str, cell: int) -> Text:
    """The marks of one place, as many as fit, in `cell` characters."""
    text = Text()
    for mark in marks[:cell].ljust(cell):
        text.append(mark, _STYLES.get(mark, _FLIPPED if mark.isdigit() else ""))
    return text


def numbered(column: int, last: int) -> bool:
    """Whether the number of a column is written at it."""
    return column in (1, last) or (column % 5 == 0 and last - column > 1)


def legend(marks: Marks, width: int, reading: str) -> list[Text]:
    """The marks that occur, as many in a line as fit, and under them how the drawing is read."""
    used = {mark for text in marks.at.values() for mark in text}
    entries = [
        Text.assemble((mark, _STYLES[mark]), f" {means}")
        for mark, means in _MEANS.items()
        if mark in used
    ]
    numbers = sorted(used & set("123456789"))
    if numbers:
        until = f"1–{numbers[-1]}" if len(numbers) > 1 else "1"
        entries.append(Text.assemble((until, _FLIPPED), " first flipped"))
    entries.append(Text.assemble(("┃", BREAK), " break"))
    lines = [Text()]
    for entry in entries:
        gap = "   " if lines[-1].plain else ""
        if lines[-1].plain and cell_len(lines[-1].plain + gap + entry.plain) > width:
            lines.append(Text())
            gap = ""
        lines[-1].append(gap).append_text(entry)
    lines += [Text(line, "dim") for line in wrap(reading, width)]
    return lines


def _below(place: Place) -> Place:
    return Place(place.side, place.column, "lower")


def _gone(rules: Preset, plan: Plan, wall: Wall) -> frozenset[int]:
    """The p that are gone when `head` and `tail` tiles have been taken."""
    order = _order(rules, plan, wall)
    head = {position.p for position in wall.order if order.taken(position.p, plan.head)}
    tail = {position.p for position in wall.tail(rules.replacements.first)[: plan.tail]}
    return frozenset(head | tail)


def _order(rules: Preset, plan: Plan, wall: Wall) -> HeadOrder:
    # Fewer tiles than the rule has: the table has dealt, and the head is taken as it stands.
    if plan.tiles < rules.tile_count:
        return HeadOrder()
    return deal_from(wall, rules.dealing, rules.players).order
