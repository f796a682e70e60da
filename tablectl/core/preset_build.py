"""From checked values to a `Preset`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, NamedTuple

from tablectl.core import preset
from tablectl.core.preset import Preset, Sourced, Statement, Topping
from tablectl.core.preset_clash import MARKED, counted
from tablectl.core.preset_fields import BY_PATH
from tablectl.core.tiles import Multiset, Tile, parse_tile

PARTS: Final = {
    "walls": preset.Walls,
    "breaking": preset.Breaking,
    "dealing": preset.Dealing,
    "reserve": preset.Reserve,
    "replacements": preset.Replacements,
    "indicators": preset.Indicators,
    "calls": preset.Calls,
    "riichi": preset.RiichiRule,
    "gold": preset.Gold,
    "opening": preset.Opening,
    "reveal": preset.Reveal,
    "winning": preset.Winning,
    "wareme": preset.Wareme,
    "score": preset.Score,
    "game": preset.GameRule,
    "play": preset.Play,
}
"""Parts of a preset, each made of the section of that name; the names of its values are its own."""
_SECTION: Final = {"breaking": "break"}


class Text(NamedTuple):
    """What a preset file says beside its values."""

    name: str
    title: str
    about: str
    sources: tuple[Sourced, ...] = ()
    statements: tuple[Statement, ...] = ()
    toppings: tuple[Topping, ...] = ()
    variant: tuple[str, ...] = ()


def build(text: Text, values: Mapping[str, Any]) -> Preset:
    """The preset of values that do not clash."""
    name = "+".join((text.name, *text.variant))
    # A value at its default is left out: a later field with a default changes no older digest.
    said = {path: value for path, value in values.items() if value != BY_PATH[path].default}
    canonical = json.dumps({"name": name, **said}, sort_keys=True, ensure_ascii=False)
    on = [topping.title for topping in text.toppings if topping.name in text.variant]
    return Preset(
        name=name,
        base=text.name,
        variant="+".join(text.variant),
        title=" + ".join((text.title, *on)),
        about=text.about,
        players=values["players.count"],
        tiles=_multiset(values),
        needs=tuple(values["table.needs"]),
        digest=hashlib.sha256(canonical.encode()).hexdigest()[:16],
        sources=text.sources,
        statements=text.statements,
        toppings=text.toppings,
        **{part: _part(part, kind, values) for part, kind in PARTS.items()},
    )


def _part(name: str, kind: Any, values: Mapping[str, Any]) -> Any:
    section = _SECTION.get(name, name)
    return kind(**{one.name: _frozen(values[f"{section}.{one.name}"]) for one in fields(kind)})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _multiset(values: Mapping[str, Any]) -> Multiset:
    tiles = {Tile(kind): n for kind, n in counted(values).items()}
    for path in MARKED:
        for code, n in values[path].items():
            tile = parse_tile(code)
            assert tile is not None
            tiles[tile] = tiles.get(tile, 0) + n
            tiles[Tile(tile.kind)] -= n
    return Multiset(tiles)
