"""From checked values to a `Preset`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tablectl.core.preset import (
    Breaking,
    Calls,
    Dealing,
    GameRule,
    Gold,
    Indicators,
    Play,
    Preset,
    Replacements,
    Reserve,
    Reveal,
    Sourced,
    Walls,
    Winning,
)
from tablectl.core.preset_clash import MARKED, counted
from tablectl.core.preset_fields import BY_PATH
from tablectl.core.tiles import Multiset, Tile, parse_tile


def build(
    top: Mapping[str, str], values: Mapping[str, Any], sources: tuple[Sourced, ...]
) -> Preset:
    """The preset of values that do not clash."""
    v = values
    # A value at its default is left out: a later field with a default changes no older digest.
    said = {path: value for path, value in values.items() if value != BY_PATH[path].default}
    canonical = json.dumps({"name": top["name"], **said}, sort_keys=True, ensure_ascii=False)
    return Preset(
        name=top["name"],
        title=top["title"],
        about=top.get("about", ""),
        players=v["players.count"],
        tiles=_multiset(values),
        walls=Walls(
            tuple(v["walls.four"]),
            None if v["walls.three"] is None else tuple(v["walls.three"]),
            v["walls.stand"],
        ),
        breaking=Breaking(v["break.dice"], v["break.throws"], v["break.second"], v["break.count"]),
        dealing=Dealing(
            tuple(v["dealing.rounds"]),
            v["dealing.last"],
            v["dealing.first_draw"],
            v["dealing.machine"],
        ),
        reserve=Reserve(
            v["reserve.policy"],
            v["reserve.tiles"],
            v["reserve.open_kong"],
            v["reserve.concealed_kong"],
            v["reserve.flower_quad"],
            v["reserve.final"],
        ),
        replacements=Replacements(
            v["replacements.count"], v["replacements.source"], v["replacements.first"]
        ),
        indicators=Indicators(
            v["indicators.start"],
            v["indicators.column"],
            v["indicators.ura"],
            v["indicators.open_kong"],
            v["indicators.concealed_kong"],
        ),
        calls=Calls(
            v["calls.chi"],
            v["calls.kongs"],
            v["calls.kong_unturned"],
            tuple(v["calls.aside"]),
            tuple(v["calls.aside_claims"]),
            v["calls.open_riichi"],
            v["calls.fever"],
        ),
        gold=Gold(v["gold.turned"]),
        reveal=Reveal(v["reveal.kind"], v["reveal.rows"]),
        winning=Winning(v["winning.together"]),
        game=GameRule(tuple(v["game.dealer_stays"])),
        play=Play(v["play.points"], v["play.table_number"]),
        digest=hashlib.sha256(canonical.encode()).hexdigest()[:16],
        sources=sources,
    )


def _multiset(values: Mapping[str, Any]) -> Multiset:
    tiles = {Tile(kind): n for kind, n in counted(values).items()}
    for path in MARKED:
        for code, n in values[path].items():
            tile = parse_tile(code)
            assert tile is not None
            tiles[tile] = tiles.get(tile, 0) + n
            tiles[Tile(tile.kind)] -= n
    return Multiset(tiles)
