"""A census of tiles: what is missing or too many, by tile where faces are known, else by side.

It says nothing of places: two tiles of a wall that change theirs change no word of it
(`tables.md`, section 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tablectl.core.exchange import number_said, tile_said
from tablectl.core.preset import Preset
from tablectl.core.tiles import Multiset, Tile, parse_tile

NEAR: Final = 4
"""So many tiles more or fewer are forgotten or foreign ones; beyond it the walls are those of
another number."""


@dataclass(frozen=True, slots=True)
class Census:
    """Tiles of a rule that are `missing`, and those that are `too_many`."""

    missing: Multiset
    too_many: Multiset

    @property
    def right(self) -> bool:
        """Whether exactly the rule's tiles are there."""
        return not self.missing and not self.too_many


@dataclass(frozen=True, slots=True)
class SideCount:
    """A side whose count is not as expected: tiles `expected` and `found`."""

    side: int
    expected: int
    found: int


def census(rules: Preset, faces: Iterable[str]) -> Census:
    """The rule's tiles held against faces that were read, in any order. An unknown face (`?`) is
    nobody's. Raises TablectlError `tiles.code`."""
    found = Multiset([tile for face in faces if (tile := parse_tile(face)) is not None])
    return difference(rules.tiles, found)


def difference(wanted: Multiset, found: Multiset) -> Census:
    """What `found` lacks of `wanted`, and what it has beside it."""
    missing = {tile: n - found[tile] for tile, n in wanted.items()}
    too_many = {tile: n - wanted[tile] for tile, n in found.items()}
    return Census(Multiset(missing), Multiset(too_many))


def census_said(found: Census) -> str:
    """`gold 5p is missing, one 9s too many`."""
    parts = []
    if found.missing:
        verb = "is" if found.missing.total == 1 else "are"
        parts.append(f"{_listed(found.missing, plain_one=True)} {verb} missing")
    if found.too_many:
        parts.append(f"{_listed(found.too_many)} too many")
    return ", ".join(parts) or "all tiles are there"


def on_sides(expected: Sequence[int], found: Sequence[int | None]) -> tuple[SideCount, ...]:
    """The sides on which too few or too many tiles are; one that nobody counted says nothing."""
    return tuple(
        SideCount(side, wanted, there)
        for side, (wanted, there) in enumerate(zip(expected, found, strict=True))
        if there is not None and there != wanted
    )


def sides_of(rules: Preset, found: Sequence[int]) -> tuple[int, ...] | None:
    """Tiles that the rule wants on sides 0-3, laid out as these walls are meant: of its layouts,
    turned any way, the one that they are nearest to. None where they are farther than `NEAR` tiles
    from it in all: those walls are another rule's."""
    layouts = [rules.walls.default, rules.walls.four, *filter(None, (rules.walls.three,))]
    turned = [
        tuple(2 * n for n in (*one[turn:], *one[:turn])) for one in layouts for turn in range(4)
    ]
    best = min(turned, key=lambda sides: _off(sides, found))
    return best if _off(best, found) <= NEAR else None


def side_said(side: int, expected: int, found: int) -> str:
    """`side 2: 27 of 28, one is missing`."""
    return f"side {side}: {found} of {expected}, {off_said(found - expected)}"


def off_said(off: int) -> str:
    """`one is missing`, `two too many`: so many tiles more than expected, or fewer."""
    if off < 0:
        return f"{number_said(-off)} {'is' if off == -1 else 'are'} missing"
    return f"{number_said(off)} too many"


def sides_said(counts: Iterable[SideCount]) -> str:
    """All of them in one sentence."""
    return "; ".join(side_said(one.side, one.expected, one.found) for one in counts)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _off(wanted: Sequence[int], found: Sequence[int]) -> int:
    return sum(abs(a - b) for a, b in zip(wanted, found, strict=True))


def _listed(tiles: Mapping[Tile, int], *, plain_one: bool = False) -> str:
    """`one 9s, two 北`; with `plain_one` a single tile without its number."""
    said = []
    for tile, n in tiles.items():
        alone = n == 1 and plain_one
        said.append(tile_said(tile) if alone else f"{number_said(n)} {tile_said(tile)}")
    return ", ".join(said)
