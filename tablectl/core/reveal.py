"""What is flipped on the wall after a win, in order.

Tulip and Alice both begin with the tile beside the last open indicator on the live side, the one
that would have been the next kong's indicator, and go column by column towards the head. The
upper row only, or both rows where the rule says so; a column whose upper tile is drawn offers
nothing in the upper row (`rules.md`, sections 1.2, 1.3 T9, 2).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tablectl.core.dealing import HeadOrder
from tablectl.core.wall import Position, Wall

Rows = Callable[[Wall, HeadOrder, int, int], tuple[Position, ...]]


def upper_row(wall: Wall, order: HeadOrder, head: int, beside: int) -> tuple[Position, ...]:
    """Upper tiles still standing before the p `beside`, nearest to it first."""
    uppers, places = wall.uppers, wall.order
    # Where the deal has left one place out of line, `head` is not a clean boundary.
    ragged = 0 <= order.swapped == head - 1
    low, high = bisect_left(uppers, head - ragged), bisect_left(uppers, beside)
    return tuple(
        places[p] for p in reversed(uppers[low:high]) if not (ragged and order.taken(p, head))
    )


def both_rows(wall: Wall, order: HeadOrder, head: int, beside: int) -> tuple[Position, ...]:
    """Every tile still standing before the p `beside`, column by column, upper before lower."""
    last = wall.column_of[beside] if beside < wall.tiles else wall.columns
    return tuple(
        position
        for c in reversed(range(last))
        for position in wall.in_column(c)
        if not order.taken(position.p, head)
    )


class Progress(NamedTuple):
    """How far flipping has come. `lives` left, None where nobody knows: of a tulip they are the
    stock declared, Alice has one, and each miss takes one. `hits`: what the tiles are worth so far,
    None where that of one was not said. `over`: no life or no tile is left; `completed`: every tile
    was flipped with a life left, None where that is not known."""

    lives: int | None
    hits: int | None
    over: bool
    completed: bool | None


def progress(kind: str, stock: int | None, worths: Sequence[int | None], left: int) -> Progress:
    """After tiles flipped that are worth so much (0: a miss, None: not said), with so many `left`
    to flip. A life lost on the last tile does not complete (`rules.md`, section 7)."""
    lives, known = _lives(kind, stock), None not in worths
    misses = sum(worth == 0 for worth in worths)
    # Under Alice the next tile is flipped only after a hit.
    sure = known or (kind == "alice" and bool(worths) and worths[-1] is not None)
    gone = lives is not None and misses >= lives
    remain = 0 if gone else lives - misses if lives is not None and sure else None
    completed = None if remain is None and not left else remain != 0 and not left
    return Progress(
        lives=remain,
        hits=sum(worth for worth in worths if worth is not None) if known else None,
        over=gone or not left,
        completed=completed,
    )


def why_over(kind: str, stock: int | None, worths: Sequence[int | None]) -> str:
    """Why nothing is flipped any more, `""` while there is a life as far as is known."""
    lives, misses = _lives(kind, stock), sum(worth == 0 for worth in worths)
    if lives is None or misses < lives:
        return ""
    if kind == "alice":
        return "the one before was a miss, which ends it"
    return f"no life is left: a stock of {lives} was declared, and {misses} missed"


def _lives(kind: str, stock: int | None) -> int | None:
    return 1 if kind == "alice" else stock


ROWS: Final[dict[str, Rows]] = {"upper": upper_row, "both": both_rows}
