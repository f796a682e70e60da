"""The table in a terminal: its walls seen from above, and the same facts in words.

    side 3              side 2 · West           side 1
    empty      1       5           10        15 South
    chair      I r r r r r R ┃ · · · · · · · ·
               U r r r r r r ┃ · · · · · · · ·
      14 K1 L                                    ·  ·  1
         2  ▯                                    ·  ·

Side 0 is at the bottom, 1 on the right, 2 on top, 3 on the left. In each column the upper tile is
written above the lower one; in the walls on the left and right it is written left of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from tablectl.cli.words import EMPTY, described, seat_name
from tablectl.core import deadwall
from tablectl.core.dealing import HeadOrder, deal_from
from tablectl.core.geometry import Plan
from tablectl.core.preset import Preset
from tablectl.core.wall import Break, Place, Position, Side, Wall, parse_side, wall_from

WIDTH: Final = 80
NARROWEST: Final = 40
"""The words are not set for anything narrower."""
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
_BREAK: Final = "bold red"

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

_UPRIGHT: Final = 3
"""Characters for a tile in the walls on the left and right."""

_MARGIN: Final = 11
"""Left and right of the square: a column's number and its two tiles, above them who sits there."""

_LEAST_INSIDE: Final = 34
"""The facts in the middle need so much, however short the walls are."""


def draw(
    rules: Preset,
    plan: Plan,
    *,
    faces: Mapping[int, object] | None = None,
    taken: Collection[int] | None = None,
    width: int = WIDTH,
) -> Text:
    """The picture, and under it the same facts in words; no line is wider than `width`."""
    told = "\n".join(words(rules, plan, faces=faces, width=width))
    return Text("\n").join(
        [picture(rules, plan, faces=faces, taken=taken, width=width), Text(told)]
    )


def picture(
    rules: Preset,
    plan: Plan,
    *,
    faces: Mapping[int, object] | None = None,
    taken: Collection[int] | None = None,
    width: int = WIDTH,
) -> Text:
    """The walls as a square with a legend of the marks that occur, an empty line at its end.

    `faces`: what lies open, by p, for the words of the middle. `taken`: the p of the tiles that are
    gone, where they are known better than by counting from head and tail. Walls that are too long
    for `width` are not drawn; a line says so.
    """
    wall, sides = _wall(plan), _sides(plan)
    marks = _marks(rules, plan, wall, _gone(rules, plan, wall) if taken is None else taken)
    longest = max(sides[0].columns, sides[2].columns)
    room = width - 2 * _MARGIN
    # The break takes a cell of its own.
    cell = 2 if 2 * (longest + 1) <= room else 1
    if max((longest + 1) * cell, _LEAST_INSIDE) > room:
        return Text(f"The walls are too long to be drawn in {width} columns.\n")
    inside = max((longest + 1) * cell, _LEAST_INSIDE)
    lines = _square(rules, plan, sides, marks, cell, inside, faces or {})
    lines += [Text(), *_legend(marks, width), Text()]
    return Text("\n").join(lines)


def words(
    rules: Preset,
    plan: Plan,
    *,
    faces: Mapping[int, object] | None = None,
    width: int = WIDTH,
) -> list[str]:
    """The facts in words, a line each; long ones go on in a further line under their words."""
    return described(rules, plan, faces or {}, width)


class _Marks(NamedTuple):
    """`at`: what is written at each place, the most telling mark first. `opened` is the break."""

    at: Mapping[Place, str]
    opened: Break


def _marks(rules: Preset, plan: Plan, wall: Wall, gone: Collection[int]) -> _Marks:
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
    return _Marks(at, Break(plan.break_.side, plan.break_.after))


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


def _wall(plan: Plan) -> Wall:
    return wall_from(_sides(plan), Break(plan.break_.side, plan.break_.after))


def _sides(plan: Plan) -> tuple[Side, ...]:
    return tuple(parse_side(text) for text in plan.sides)


def _square(
    rules: Preset,
    plan: Plan,
    sides: Sequence[Side],
    marks: _Marks,
    cell: int,
    inside: int,
    faces: Mapping[int, object],
) -> list[Text]:
    """The four walls; every line is `inside` and two margins wide at most."""
    left, right = _upright(3, sides, marks), _upright(1, sides, marks)
    height = max(len(left), len(right), 9)
    middle = _middle(rules, plan, inside - 2, faces)
    above = [_name(plan, 2), *_level(2, sides, marks, cell)]
    below = [*_level(0, sides, marks, cell), _name(plan, 0)]
    # The names of the upright walls stand over them, beside the upper wall.
    names = [_stacked(plan, 3, sides), _stacked(plan, 1, sides)]
    lines = []
    for n, line in enumerate(above):
        west, east = ((name[n] if n < len(name) else "") for name in names)
        lines.append(_row(_fit(west, _MARGIN), _centred(line, inside), _fit(f" {east}", _MARGIN)))
    left, right = _padded(left, height), _padded(right, height)
    shift = (height - len(middle)) // 2
    for n in range(height):
        told = middle[n - shift] if 0 <= n - shift < len(middle) else Text()
        lines.append(_row(left[n], _centred(told, inside), right[n]))
    lines += [_row(Text(" " * _MARGIN), _centred(line, inside), Text()) for line in below]
    for line in lines:
        line.rstrip()
    return lines


def _level(number: int, sides: Sequence[Side], marks: _Marks, cell: int) -> list[Text]:
    """A wall along the upper or lower edge: its numbers outside, then both rows."""
    side = sides[number]
    if side.columns == 0:
        return [Text("no wall", style="dim"), Text(), Text()]
    # Column 1 is at its owner's right: on top that is the left end.
    columns = [*range(1, side.columns + 1)]
    if number == 0:
        columns.reverse()
    upper, lower, ruler = Text(), Text(), ""
    bar = _bar_before(number, columns, marks.opened)
    for n, column in enumerate(columns):
        if n == bar:
            upper.append("┃" + " " * (cell - 1), _BREAK)
            lower.append("┃" + " " * (cell - 1), _BREAK)
            ruler = ruler.ljust((n + 1) * cell)
        if _numbered(column, side.columns) and len(ruler) <= len(upper):
            ruler = ruler.ljust(len(upper)) + str(column)
        upper.append_text(_tile(marks.at.get(Place(number, column, "upper"), " "), cell))
        lower.append_text(_tile(marks.at.get(Place(number, column, "lower"), " "), cell))
    if bar == len(columns):
        upper.append("┃", _BREAK)
        lower.append("┃", _BREAK)
    numbers = Text(ruler.ljust(len(upper)), style="dim")
    lower.pad_right(len(upper) - len(lower))
    return [upper, lower, numbers] if number == 0 else [numbers, upper, lower]


def _upright(number: int, sides: Sequence[Side], marks: _Marks) -> list[Text]:
    """A wall along the left or right edge, a line for each column, its number outside."""
    side = sides[number]
    columns = [*range(1, side.columns + 1)]
    if number == 3:
        columns.reverse()
    bar = _bar_before(number, columns, marks.opened)
    lines = []
    for n, column in enumerate(columns):
        if n == bar:
            lines.append(_fit_bar(number))
        tiles = Text()
        for row in ("upper", "lower"):
            tiles.append_text(_tile(marks.at.get(Place(number, column, row), " "), _UPRIGHT))
        shown = str(column) if _numbered(column, side.columns) else ""
        if number == 3:
            lines.append(Text.assemble(f"{shown:>4} ", tiles))
        else:
            lines.append(Text.assemble(" ", tiles, f"{shown:>2}"))
    if bar == len(columns):
        lines.append(_fit_bar(number))
    return lines


def _fit_bar(number: int) -> Text:
    return Text.assemble(" " * (5 if number == 3 else 1), ("━" * (_UPRIGHT + 1), _BREAK))


def _bar_before(number: int, columns: Sequence[int], opened: Break) -> int:
    """Before which of the columns, as they are written, the wall is opened; −1 for none."""
    if opened.side != number:
        return -1
    rising = columns[0] == 1
    return opened.after if rising else len(columns) - opened.after


def _tile(marks: str, cell: int) -> Text:
    text = Text()
    for mark in marks[:cell].ljust(cell):
        text.append(mark, _STYLES.get(mark, _FLIPPED if mark.isdigit() else ""))
    return text


def _numbered(column: int, last: int) -> bool:
    return column in (1, last) or (column % 5 == 0 and last - column > 1)


def _name(plan: Plan, number: int) -> Text:
    return Text(" · ".join(_said(plan, number)), style="bold")


def _stacked(plan: Plan, number: int, sides: Sequence[Side]) -> list[str]:
    side, *rest = _said(plan, number)
    said = [side, *(part.strip("()") for text in rest for part in text.split())]
    return said if sides[number].columns else [*said, "no wall"]


def _said(plan: Plan, number: int) -> list[str]:
    name = seat_name(plan, number)
    if name is None:
        return [f"side {number}", EMPTY]
    dealer = " (dealer)" if plan.seats.index(number) == plan.dealer else ""
    return [f"side {number}", name + dealer]


def _middle(rules: Preset, plan: Plan, width: int, faces: Mapping[int, object]) -> list[Text]:
    dice = ""
    if plan.dice is not None:
        dice = "dice " + " + ".join(map(str, plan.dice)) + f" = {sum(plan.dice)}"
    left = "nothing left to draw"
    if plan.drawable:
        left = f"{plan.drawable} draw{'s' if plan.drawable > 1 else ''} left"
    told = [
        Text(rules.title, style="bold"),
        Text(dice),
        Text(),
        Text(left, style="bold green" if plan.phase == "open" else "bold red"),
        Text("only draws from now on" if plan.phase == "final" else ""),
        Text(f"taken: head {plan.head}, tail {plan.tail}", style="dim"),
        Text(),
    ]
    open_faces = [str(faces[i.p]) for i in plan.indicators if i.p in faces]
    if open_faces:
        told.append(Text("indicator " + " ".join(open_faces), style="yellow"))
    told.append(Text("drawing goes clockwise ↻", style="dim"))
    shown = [line for n, line in enumerate(told) if line.plain or n in (2, 6)]
    for line in shown:
        line.truncate(width, overflow="ellipsis")
    return shown


def _legend(marks: _Marks, width: int) -> list[Text]:
    """The marks that occur, as many in a line as fit."""
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
    entries.append(Text.assemble(("┃", _BREAK), " break"))
    lines = [Text()]
    for entry in entries:
        gap = "   " if lines[-1].plain else ""
        if lines[-1].plain and cell_len(lines[-1].plain + gap + entry.plain) > width:
            lines.append(Text())
            gap = ""
        lines[-1].append(gap).append_text(entry)
    reading = "upper tiles above lower ones; in the walls at the sides left of them"
    lines += [Text(line, "dim") for line in wrap(reading, width)]
    return lines


def _row(left: Text, middle: Text, right: Text) -> Text:
    return Text.assemble(left, middle, right)


def _fit(text: str, width: int) -> Text:
    return Text(text[:width].ljust(width), style="bold")


def _centred(line: Text, width: int) -> Text:
    spare = max(width - cell_len(line.plain), 0)
    return Text.assemble(" " * (spare // 2), line, " " * (spare - spare // 2))


def _padded(lines: list[Text], height: int) -> list[Text]:
    """As many lines as `height`, each a margin wide."""
    padded = []
    for n in range(height):
        line = lines[n].copy() if n < len(lines) else Text()
        line.pad_right(_MARGIN - len(line.plain))
        padded.append(line)
    return padded
