"""The walls in few lines, for low terminals: one strip a side, as its owner sees it.

                   15             10             5           1
    side 3          ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  K1
    empty chair     ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  L

Column 1 is at the right end of every strip, and the tiles are drawn from right to left, then on in
the strip below; below the last one the first goes on.
"""

from __future__ import annotations

from typing import Final

from rich.text import Text

from tablectl.cli.marks import BREAK, Marks, numbered, tile
from tablectl.cli.words import EMPTY, seat_name
from tablectl.core.geometry import Plan
from tablectl.core.wall import ROWS, Place

READING: Final = "read from right to left, then on in the strip below; upper tiles above lower ones"
"""How the strips are read."""

_NAME: Final = 15
"""Who sits there, before the strip."""


def strips(plan: Plan, marks: Marks, width: int) -> list[Text] | None:
    """Nine lines: the numbers of the columns with the draws that are left, then two a side; None
    where the walls are too long for `width`."""
    longest = max(side.columns for side in marks.sides)
    # A tile of two marks or of one, and the gap after it, where the break may be.
    cell = next((n for n in (3, 2) if _NAME + 1 + n * longest <= width), None)
    if cell is None:
        return None
    lines = [_ruler(plan, longest, cell)]
    for number in (3, 2, 1, 0):
        lines += _strip(plan, number, marks, longest, cell)
    for line in lines:
        line.rstrip()
    return lines


def _ruler(plan: Plan, longest: int, cell: int) -> Text:
    left = f"{plan.drawable} draw{'' if plan.drawable == 1 else 's'} left"
    numbers = ""
    for column in range(longest, 0, -1):
        if numbered(column, longest):
            numbers = numbers.ljust((longest - column) * cell) + str(column)
    style = "bold green" if plan.phase == "open" else "bold red"
    return Text.assemble((left.ljust(_NAME + 1), style), (numbers, "dim"))


def _strip(plan: Plan, number: int, marks: Marks, longest: int, cell: int) -> list[Text]:
    columns, opened = marks.sides[number].columns, marks.opened
    wind = seat_name(plan, number)
    who = EMPTY if wind is None else wind
    if wind is not None and plan.seats.index(number) == plan.dealer:
        who += " (dealer)"
    if not columns:
        return [
            Text.assemble((f"side {number}".ljust(_NAME + 1), "bold"), ("no wall", "dim")),
            Text(who, "bold"),
        ]
    lines = []
    for row, name in zip(ROWS, (f"side {number}", who), strict=True):
        line = Text(name.ljust(_NAME), "bold")
        line.append(" " * (longest - columns) * cell)
        for column in range(columns, -1, -1):
            here = opened.side == number and opened.after == column
            line.append("┃" if here else " ", BREAK)
            if column:
                line.append_text(tile(marks.at.get(Place(number, column, row), " "), cell - 1))
        lines.append(line)
    return lines
