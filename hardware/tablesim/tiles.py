"""What a set of so many tiles consists of, unless people put in others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from protocols.codes import MARKS, TILES


def _kinds(text: str) -> list[str]:
    """`1-9p` as nine codes."""
    found = []
    for part in text.split():
        first, _, last = part[:-1].partition("-")
        found += [f"{rank}{part[-1]}" for rank in range(int(first), int(last or first) + 1)]
    return found


def _four(text: str) -> list[str]:
    return [kind for kind in _kinds(text) for _ in range(4)]


_FULL: Final = _four("1-9m 1-9p 1-9s 1-7z")
_THREE: Final = _four("1m 9m 1-9p 1-9s 1-7z")
_SEASONS: Final = _kinds("1-4f")

KNOWN: Final = {
    108: _THREE,
    112: [*_THREE, *_SEASONS],
    116: [*_THREE, *_SEASONS, *_SEASONS],
    128: [*_four("1-9m 1-9p 1-9s 1-4z 7z")],
    136: _FULL,
    144: [*_FULL, *_kinds("1-8f")],
}
"""Sets that people play with. 116 is 華8, two of each season (`tables.md`, section 1)."""


def standard(count: int) -> tuple[str, ...]:
    """A set of `count` tiles. Where no such set is known: whole kinds of the full one in turn, or
    more flowers, so that a simulated machine has something to stack."""
    tiles = KNOWN.get(count)
    if tiles is None:
        order = _four("1-7z 1-9p 1-9s 1-9m") + _kinds("1-8f") * 10
        tiles = order[:count]
    return tuple(tiles)


MOST_TILES: Final = 200
"""More than any set that a machine has a drum for."""


def is_tile(code: str) -> bool:
    """Whether this is a tile's code, with a mark or without: `5pr`, `4z`."""
    return code[:2] in TILES and (len(code) == 2 or code[2:] in MARKS)


def normal(codes: Iterable[str]) -> list[str]:
    """Codes as records write them, red fives as `5pr`; sorted, to be compared as multisets."""
    return sorted(f"5{code[1]}r" if code[0] == "0" else code for code in codes)
