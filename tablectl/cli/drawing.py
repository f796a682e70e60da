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
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from tablectl.cli.marks import BREAK, Marks, legend, marks_of, numbered, tile
from tablectl.cli.words import EMPTY, described, seat_name, tile_for_people
from tablectl.core.geometry import Plan
from tablectl.core.preset import Preset
from tablectl.core.wall import Break, Place

WIDTH: Final = 80
NARROWEST: Final = 40
"""The words are not set for anything narrower."""
READING: Final = "upper tiles above lower ones; in the walls at the sides left of them"
"""How the square is read."""

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
    marks = marks_of(rules, plan, taken)
    drawn = square(rules, plan, marks, faces=faces, width=width)
    if drawn is None:
        return Text(f"The walls are too long to be drawn in {width} columns.\n")
    return Text("\n").join([*drawn, Text(), *legend(marks, width, READING), Text()])


def square(
    rules: Preset,
    plan: Plan,
    marks: Marks,
    *,
    faces: Mapping[int, object] | None = None,
    width: int = WIDTH,
) -> list[Text] | None:
    """The walls as a square alone, as `picture`; None where they are too long for `width`."""
    sides = marks.sides
    longest = max(sides[0].columns, sides[2].columns)
    room = width - 2 * _MARGIN
    # The break takes a cell of its own.
    cell = 2 if 2 * (longest + 1) <= room else 1
    inside = max((longest + 1) * cell, _LEAST_INSIDE)
    return _square(rules, plan, marks, cell, inside, faces or {}) if inside <= room else None


def words(
    rules: Preset,
    plan: Plan,
    *,
    faces: Mapping[int, object] | None = None,
    width: int = WIDTH,
) -> list[str]:
    """The facts in words, a line each; long ones go on in a further line under their words."""
    return described(rules, plan, faces or {}, width)


def _square(
    rules: Preset,
    plan: Plan,
    marks: Marks,
    cell: int,
    inside: int,
    faces: Mapping[int, object],
) -> list[Text]:
    """The four walls; every line is `inside` and two margins wide at most."""
    left, right = _upright(3, marks), _upright(1, marks)
    height = max(len(left), len(right), 9)
    middle = _middle(rules, plan, inside - 2, faces)
    above = [_name(plan, 2), *_level(2, marks, cell)]
    below = [*_level(0, marks, cell), _name(plan, 0)]
    # The names of the upright walls stand over them, beside the upper wall.
    names = [_stacked(plan, 3, marks), _stacked(plan, 1, marks)]
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


def _level(number: int, marks: Marks, cell: int) -> list[Text]:
    """A wall along the upper or lower edge: its numbers outside, then both rows."""
    side = marks.sides[number]
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
            upper.append("┃" + " " * (cell - 1), BREAK)
            lower.append("┃" + " " * (cell - 1), BREAK)
            ruler = ruler.ljust((n + 1) * cell)
        if numbered(column, side.columns) and len(ruler) <= len(upper):
            ruler = ruler.ljust(len(upper)) + str(column)
        upper.append_text(tile(marks.at.get(Place(number, column, "upper"), " "), cell))
        lower.append_text(tile(marks.at.get(Place(number, column, "lower"), " "), cell))
    if bar == len(columns):
        upper.append("┃", BREAK)
        lower.append("┃", BREAK)
    numbers = Text(ruler.ljust(len(upper)), style="dim")
    lower.pad_right(len(upper) - len(lower))
    return [upper, lower, numbers] if number == 0 else [numbers, upper, lower]


def _upright(number: int, marks: Marks) -> list[Text]:
    """A wall along the left or right edge, a line for each column, its number outside."""
    side = marks.sides[number]
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
            tiles.append_text(tile(marks.at.get(Place(number, column, row), " "), _UPRIGHT))
        shown = str(column) if numbered(column, side.columns) else ""
        if number == 3:
            lines.append(Text.assemble(f"{shown:>4} ", tiles))
        else:
            lines.append(Text.assemble(" ", tiles, f"{shown:>2}"))
    if bar == len(columns):
        lines.append(_fit_bar(number))
    return lines


def _fit_bar(number: int) -> Text:
    return Text.assemble(" " * (5 if number == 3 else 1), ("━" * (_UPRIGHT + 1), BREAK))


def _bar_before(number: int, columns: Sequence[int], opened: Break) -> int:
    """Before which of the columns, as they are written, the wall is opened; −1 for none."""
    if opened.side != number:
        return -1
    rising = columns[0] == 1
    return opened.after if rising else len(columns) - opened.after


def _name(plan: Plan, number: int) -> Text:
    return Text(" · ".join(_said(plan, number)), style="bold")


def _stacked(plan: Plan, number: int, marks: Marks) -> list[str]:
    side, *rest = _said(plan, number)
    said = [side, *(part.strip("()") for text in rest for part in text.split())]
    return said if marks.sides[number].columns else [*said, "no wall"]


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
    open_faces = [tile_for_people(str(faces[i.p])) for i in plan.indicators if i.p in faces]
    if open_faces:
        told.append(Text("indicator " + " ".join(open_faces), style="yellow"))
    told.append(Text("drawing goes clockwise ↻", style="dim"))
    shown = [line for n, line in enumerate(told) if line.plain or n in (2, 6)]
    for line in shown:
        line.truncate(width, overflow="ellipsis")
    return shown


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
