"""What a tile set has in its box besides plain tiles, and what a rule finds missing there.

The owner says it for each set of a table: marked tiles and flowers of that back colour. What he
says nothing of, nobody warns about; nothing is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tablectl.core.exchange import tile_said
from tablectl.core.preset import Preset
from tablectl.core.tiles import Multiset, Tile

CLASSES: Final = {
    "red": "r",
    "gold": "g",
    "galaxy": "x",
    "white_diamond": "d",
    "flowers": "",
}
"""Classes of tiles that a box may have, with their marks; flowers have none."""


@dataclass(frozen=True, slots=True)
class Box:
    """`tiles` of the classes that were `said`; of the others nobody knows."""

    tiles: Multiset
    said: frozenset[str]


def class_of(tile: Tile) -> str | None:
    """The class of a tile, None for a plain one."""
    if tile.suit == "f" and not tile.mark:
        return "flowers"
    return next((name for name, mark in CLASSES.items() if mark and mark == tile.mark), None)


def lacking(box: Box, rules: Preset) -> Multiset:
    """Tiles of the rule that the box has not, or not enough of."""
    return Multiset(
        {tile: n - box.tiles[tile] for tile, n in rules.tiles.items() if class_of(tile) in box.said}
    )


def lacking_said(name: str, box: Box, rules: Preset) -> list[str]:
    """What set `name` lacks for the rule and what may stand in, one sentence; none where it lacks
    nothing. A tile stands in only where the rule leaves it in the box, and for one other tile."""
    lacks = lacking(box, rules)
    if not lacks:
        return []
    free, others = _free(box, rules), Counter[Tile]()
    instead: Counter[tuple[Tile, Tile]] = Counter()
    for tile in lacks.elements():
        spare = next((other for other in _alike(tile, free) if free[other] > 0), None)
        if spare is None:
            others[tile] += 1
        else:
            free[spare] -= 1
            instead[tile, spare] += 1
    parts = [
        f"{_said(spare, n)} stand{'' if n > 1 else 's'} in for {_said(tile, n)}"
        for (tile, spare), n in instead.items()
    ]
    say = [f"agree that {', '.join(parts)}"] if parts else []
    if others:
        say.append(f"put in {_listed(others)} of another box with the same back, or play without")
    return [f"Set {name} lacks {_listed(lacks)} for {rules.name}: {'; '.join(say)}."]


# ── how ─────────────────────────────────────────────────────────────────────────────────────────

_PLAIN: Final = 4
"""Plain tiles of a kind in a box; nobody says that they are fewer."""


def _free(box: Box, rules: Preset) -> Counter[Tile]:
    """Tiles that the rule leaves in the box."""
    free = Counter({tile: n - rules.tiles[tile] for tile, n in box.tiles.items()})
    for kind in rules.tiles.by_kind:
        plain = Tile(kind)
        if class_of(plain) is None:
            free[plain] = _PLAIN - rules.tiles[plain]
    return free


def _alike(tile: Tile, free: Counter[Tile]) -> list[Tile]:
    """What could stand in for a tile, best first: a marked one of its kind, the plain one, for a
    flower another flower."""
    if tile.suit == "f":
        return [other for other in free if other.suit == "f" and other != tile]
    marked = [other for other in free if other.kind == tile.kind and other.mark]
    return [other for other in (*marked, Tile(tile.kind)) if other != tile]


def _listed(tiles: Mapping[Tile, int]) -> str:
    return ", ".join(_said(tile, n) for tile, n in tiles.items())


def _said(tile: Tile, n: int) -> str:
    plain = "" if tile.mark or tile.suit == "f" else "plain "
    return f"{plain}{tile_said(tile)}" + (f" ×{n}" if n > 1 else "")
