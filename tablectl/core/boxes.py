"""What a tile set has in its box besides plain tiles, and what a rule finds missing there.

The owner says it for each set of a table: marked tiles and flowers of that back colour. What he
says nothing of, nobody warns about; nothing is refused.
"""

from __future__ import annotations

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
_TIMES: Final = ("no", "one", "two", "three", "four")


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
    """What set `name` lacks for the rule, a sentence each, with what may stand in."""
    return [
        f"Set {name} has {_few(box, tile)} {tile_said(tile)} where {rules.name} wants"
        f" {rules.tiles[tile]}: {_instead(box, rules, tile)}."
        for tile in lacking(box, rules)
    ]


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _few(box: Box, tile: Tile) -> str:
    n = box.tiles[tile]
    return f"only {_TIMES[n] if n < len(_TIMES) else n}" if n else "no"


def _instead(box: Box, rules: Preset, tile: Tile) -> str:
    """Another tile of the kind that the box has and the rule does not want, else a plain one."""
    spare = next(
        (
            other
            for other in box.tiles
            if other.kind == tile.kind and box.tiles[other] > rules.tiles[other]
        ),
        None,
    )
    if spare is not None:
        return f"agree that a {tile_said(spare)} stands in for it"
    if tile.suit != "f":
        return f"agree that a plain {tile_said(Tile(tile.kind))} stands in for it"
    flowers = [one for one in box.tiles if one.suit == "f" and box.tiles[one] > rules.tiles[one]]
    if flowers:
        return f"agree that {tile_said(flowers[0])} stands in for it"
    return "put in one of another box with the same back, or play without it"
