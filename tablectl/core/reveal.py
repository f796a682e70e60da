"""What is flipped on the wall after a win, in order.

Tulip and Alice both begin with the tile beside the last open indicator on the live side, the one
that would have been the next kong's indicator, and go column by column towards the head. The
upper row only, or both rows where the rule says so; a column whose upper tile is drawn offers
nothing in the upper row (`rules.md`, sections 1.2, 1.3 T9, 2).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final

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


ROWS: Final[dict[str, Rows]] = {"upper": upper_row, "both": both_rows}
