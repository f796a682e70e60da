"""Dealing orders: which place goes to whom, and the order in which the head is taken.

The head is taken in drawing order except for one pair of places where the single tiles of the
last round are taken out of line (`rules.md`, section 6, three players, single tiles from p = 36):

    sequence    dealer 36, 39 · next 37 · next 38        then 40, 41, …
    adjacent    dealer 36, 38 · next 37 · next 39        then 40, 41, …
    skip        dealer 36, 40 · next 37 · next 38        then 39, 41, …

For four players the dealer's usual jump (48 and 52) is the sequence itself, whatever the name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tablectl.core.preset import Dealing
from tablectl.core.wall import Wall


class HeadOrder(NamedTuple):
    """The k-th tile taken from the head lies at p = k, but for `swapped` k and k+1 (-1: none)."""

    swapped: int = -1

    def p(self, k: int) -> int:
        """Where the k-th tile (from 0) is taken; also the k at which p is taken."""
        if k == self.swapped:
            return k + 1
        if k == self.swapped + 1 and self.swapped >= 0:
            return k - 1
        return k

    def taken(self, p: int, head: int) -> bool:
        """Whether place p is gone after `head` tiles."""
        return self.p(p) < head


class Deal(NamedTuple):
    """`hands`: the p of each seat's tiles as an offset from the dealer, without the dealer's first
    draw, which lies at `first`. `order` is the head's order with this deal."""

    hands: tuple[tuple[int, ...], ...]
    first: int
    order: HeadOrder

    @property
    def tiles(self) -> int:
        """Tiles gone from the head when every hand is dealt, before the first draw."""
        return sum(len(hand) for hand in self.hands)


@lru_cache(maxsize=1024)
def deal_from(wall: Wall, dealing: Dealing, players: int) -> Deal:
    """The deal from this wall. The jumps of the last round are made where the tiles to be taken
    out of line are upper ones; half columns can shift them, then people take in sequence."""
    hands: list[list[int]] = [[] for _ in range(players)]
    at = 0
    for each in dealing.rounds:
        for hand in hands:
            hand.extend(range(at, at + each))
            at += each
    if dealing.last != "none":
        for hand in hands:
            hand.append(at)
            at += 1
    order = HeadOrder(_swap(wall, dealing, players, at))
    last = hands[-1]
    if order.swapped == at - 1:
        last[-1] = at
    return Deal(tuple(map(tuple, hands)), order.p(at), order)


def _swap(wall: Wall, dealing: Dealing, players: int, at: int) -> int:
    """Which k is exchanged with k+1, -1 for none; `at` is the number of tiles dealt."""
    if players != 3 or dealing.last not in ("adjacent", "skip"):
        return -1
    base = at - players
    jump = base + (2 if dealing.last == "adjacent" else 4)
    if jump >= wall.tiles or wall.order[base].row != "upper" or wall.order[jump].row != "upper":
        return -1
    return at - 1 if dealing.last == "adjacent" else at
