"""Drawings of what collides in a rule: a few lines of text, for an error to carry.

    column from the end   3  2  1
    4 replacements          ▮▮ ▮▮
    indicator and ura    ▮▮
    reserve of 4            ▮▮ ▮▮
                         ^^         drawn over

Column 1 is the last of the wall; a mark is a tile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tablectl.core.wall import Side

Drawing = tuple[str, ...]

WIDTH: Final = 76
_RULER: Final = "column from the end"
_CELL: Final = 3
_TILE, _WRONG = "▮", "^"


class Claim(NamedTuple):
    """What one thing wants of the wall's end: so many `tiles` of each column, 1 the last."""

    name: str
    tiles: Mapping[int, int]


def filled(name: str, tiles: int, skipped: int = 0) -> Claim:
    """A claim of so many tiles one after another from the end, behind `skipped` others."""
    claimed: dict[int, int] = {}
    for tile in range(skipped, skipped + tiles):
        claimed[tile // 2 + 1] = claimed.get(tile // 2 + 1, 0) + 1
    return Claim(name, claimed)


def whole(name: str, column: int, many: int) -> Claim:
    """A claim of so many whole columns from `column` on, towards the head."""
    return Claim(name, dict.fromkeys(range(column, column + many), 2))


def end_of_wall(claims: Iterable[Claim], wrong: Collection[int], said: str) -> Drawing:
    """The wall's end, a line for each claim, its last column at the right; under the columns that
    are `wrong` stands what is `said` of them. Where not all columns find room, the last ones do."""
    claims = tuple(claims)
    label = max(len(name) for name in (_RULER, *(claim.name for claim in claims))) + 2
    most = max((*wrong, *(column for claim in claims for column in claim.tiles)), default=1)
    cell = _CELL if label + _CELL * most <= WIDTH else 1
    shown = range(min(most, (WIDTH - label) // cell), 0, -1)
    ruler = "".join(
        f"{column:>2} "
        if cell > 1
        else ("|" if column % 10 == 0 else "'" if column % 5 == 0 else ".")
        for column in shown
    )
    counts = "" if cell > 1 else f"  | every tenth, from {shown[0]}"
    lines = [f"{_RULER:<{label}}{ruler}{counts}"]
    for claim in claims:
        marks = (_TILE * claim.tiles.get(column, 0) for column in shown)
        lines.append(f"{claim.name:<{label}}" + "".join(_in_cell(mark, cell) for mark in marks))
    under = "".join(_in_cell(_WRONG * 2 * (column in wrong), cell) for column in shown)
    lines.append(f"{'':<{label}}{under}  {said}")
    return tuple(line.rstrip() for line in lines)


def walls_and_tiles(sides: Sequence[Side], total: int) -> Drawing:
    """The lengths of the walls against the tiles that they must hold."""
    found = sum(side.tiles for side in sides)
    lines = [
        f"side {number}  {side.text:>5} columns {side.tiles:>4} tiles  {_TILE * side.columns}"
        for number, side in enumerate(sides)
    ]
    more = total - found
    said = f"{more} find no place" if more > 0 else f"{-more} places stay empty"
    return (
        *(line.rstrip() for line in lines),
        f"walls                 {found:>4} tiles",
        f"set                   {total:>4} tiles  {said}",
    )


def added(rows: Iterable[tuple[str, int]], whole_name: str, whole: int, said: str) -> Drawing:
    """What is added up, a line each, against the whole that it should make."""
    rows = list(rows)
    total = sum(number for _, number in rows)
    label = max(len(name) for name, _ in (*rows, (whole_name, 0)))
    lines = [f"{name:<{label}}  {number:>4}" for name, number in rows]
    return (
        *lines,
        f"{'together':<{label}}  {total:>4}",
        f"{whole_name:<{label}}  {whole:>4}  {said}",
    )


def _in_cell(mark: str, cell: int) -> str:
    return mark.ljust(cell) if cell > 1 else (mark[:1] or " ")
