"""Who is ahead: the places of a game's seats, and who is first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Ties = Literal["first_dealer", "split"]


def places(points: Sequence[int], ties: Ties, first_dealer: int) -> tuple[int, ...]:
    """The place of each seat, 1 for the first.

    Of equal points the seat nearest to the first dealer in turn order ranks higher; where ties
    `split` their places they all have the higher one, and the places behind it stay empty: two
    first ones are followed by the third.
    """
    players = len(points)

    def rank(seat: int) -> tuple[int, int]:
        nearness = (seat - first_dealer) % players if ties == "first_dealer" else 0
        return -points[seat], nearness

    ranks = [rank(seat) for seat in range(players)]
    return tuple(1 + sum(other < own for other in ranks) for own in ranks)


def is_top(points: Sequence[int], ties: Ties, first_dealer: int, seat: int) -> bool:
    """Whether nobody is ahead of this seat; who splits the first place is first too."""
    return places(points, ties, first_dealer)[seat] == 1
