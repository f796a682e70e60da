"""Tiles: kinds, marks, codes, and multisets of them.

A tile is one of 42 kinds, numbered as on the wire (0-33 `1m` … `7z`, 34-41 `1f` … `8f`), with at
most one mark: `r` red, `g` gold, `x` galaxy, `d` white diamond. Its code is rank, suit and mark:
`5pr`. An unknown face is `?`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from tablectl.errors import TablectlError, declare

SUITS: Final = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 8}
"""Ranks of each suit: characters, dots, bamboo; honours E S W N white green red; flowers."""

MARKS: Final = {"": "plain", "r": "red", "g": "gold", "x": "galaxy", "d": "white diamond"}
UNKNOWN: Final = "?"

KINDS: Final = tuple(f"{rank}{suit}" for suit, top in SUITS.items() for rank in range(1, top + 1))
"""Codes of the 42 kinds, by number."""

KIND_OF: Final = {code: number for number, code in enumerate(KINDS)}

_MJAI: Final = {"E": "1z", "S": "2z", "W": "3z", "N": "4z", "P": "5z", "F": "6z", "C": "7z"}
_RED_FIVES: Final = {"0m": "5mr", "0p": "5pr", "0s": "5sr"}

declare(
    "tiles.code",
    "'{text}' is not a tile",
    "A tile is rank and suit (1m-9m, 1p-9p, 1s-9s, 1z-7z, 1f-8f) and perhaps a mark (r, g, x, d);"
    " 0m 0p 0s are red fives, ? is an unknown face.",
)
declare(
    "tiles.range",
    "'{text}' names no kinds of tiles",
    "Write one kind ('4z') or a range within a suit ('1m-9m').",
)


class Tile(NamedTuple):
    """A face: `kind` 0-41 and `mark`, one of MARKS."""

    kind: int
    mark: str = ""

    @property
    def code(self) -> str:
        return KINDS[self.kind] + self.mark

    @property
    def suit(self) -> str:
        return KINDS[self.kind][1]

    @property
    def rank(self) -> int:
        return int(KINDS[self.kind][0])

    def __str__(self) -> str:
        return self.code


_TILES: Final[dict[str, Tile]] = {
    kind + mark: Tile(number, mark) for kind, number in KIND_OF.items() for mark in MARKS
}
_TILES.update({alias: _TILES[code] for alias, code in (_MJAI | _RED_FIVES).items()})


def parse_tile(text: str) -> Tile | None:
    """The tile that `text` names, None for the unknown face `?`.

    Reads the codes of this module, `0m 0p 0s` for a red five and mjai's letters. Raises
    TablectlError `tiles.code`.
    """
    if text == UNKNOWN:
        return None
    try:
        return _TILES[text]
    except (KeyError, TypeError):
        raise TablectlError("tiles.code", text=text) from None


def is_code(text: str) -> bool:
    """Whether `text` is a tile as written by this program (no alias, not unknown)."""
    return text in _TILES and _TILES[text].code == text


def normal(text: str) -> str:
    """`text` as this program writes it: `0p` becomes `5pr`, `E` becomes `1z`, `?` stays."""
    tile = parse_tile(text)
    return UNKNOWN if tile is None else tile.code


def kinds_in(text: str) -> range:
    """The kind numbers of `4z` or of a range within one suit, `1m-9m`. Raises `tiles.range`."""
    match = re.fullmatch(r"(\d[mpszf])(?:-(\d[mpszf]))?", text)
    first = KIND_OF.get(match[1]) if match else None
    last = KIND_OF.get(match[2] or match[1]) if match else None
    if first is None or last is None or last < first or KINDS[first][1] != KINDS[last][1]:
        raise TablectlError("tiles.range", text=text)
    return range(first, last + 1)


def kind_code(code: str) -> str:
    """The kind of a tile code without its mark: `5pr` gives `5p`."""
    return code[:2]


class Multiset(Mapping[Tile, int]):
    """Tiles with their counts; immutable, equal by content, tiles in order of kind and mark."""

    __slots__ = ("_counts", "_total")

    def __init__(self, tiles: Mapping[Tile, int] | Iterable[Tile] = ()) -> None:
        counts = Counter(tiles)
        self._counts = {tile: counts[tile] for tile in sorted(counts) if counts[tile] > 0}
        self._total = sum(self._counts.values())

    def __getitem__(self, tile: Tile) -> int:
        return self._counts.get(tile, 0)

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __contains__(self, tile: object) -> bool:
        return tile in self._counts

    def __hash__(self) -> int:
        return hash(tuple(self._counts.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Multiset) and self._counts == other._counts

    def __repr__(self) -> str:
        return f"Multiset({' '.join(f'{tile}×{n}' for tile, n in self._counts.items())})"

    @property
    def total(self) -> int:
        """How many tiles there are."""
        return self._total

    @property
    def by_kind(self) -> dict[int, int]:
        """Counts of each kind, whatever the marks."""
        kinds: Counter[int] = Counter()
        for tile, n in self._counts.items():
            kinds[tile.kind] += n
        return dict(kinds)

    def elements(self) -> list[Tile]:
        """Every tile as often as it is there."""
        return [tile for tile, n in self._counts.items() for _ in range(n)]
