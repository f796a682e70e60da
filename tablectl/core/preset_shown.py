"""A rule as programs are shown it: in a list, and with the source of every value."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from tablectl.core.preset import Preset
from tablectl.core.preset_fields import BY_PATH


class PresetShown(Struct, frozen=True, kw_only=True):
    """A rule in a list. `sides`: columns of each side of its walls."""

    name: str
    title: str
    about: str
    players: int
    tiles: int
    sides: tuple[int, ...]
    digest: str


class ValueShown(Struct, frozen=True, omit_defaults=True):
    """One value of a rule, and where it is from; `options` where it was chosen."""

    path: str
    value: Any
    meaning: str
    source: Literal["seed", "convention", "chosen"]
    text: str
    options: tuple[Any, ...] = ()


class PresetWhole(PresetShown, frozen=True, kw_only=True):
    """A rule with all its values."""

    values: tuple[ValueShown, ...]


def in_a_list(rules: Preset) -> PresetShown:
    """What a list says of a rule."""
    return PresetShown(**_about(rules))


def whole(rules: Preset) -> PresetWhole:
    """A rule with the source of every value."""
    values = tuple(
        ValueShown(
            path=one.path,
            value=one.value,
            meaning=BY_PATH[one.path].meaning,
            source=one.kind,
            text=one.text,
            options=tuple(one.options),
        )
        for one in rules.sources
    )
    return PresetWhole(**_about(rules), values=values)


def _about(rules: Preset) -> dict[str, Any]:
    return {
        "name": rules.name,
        "title": rules.title,
        "about": rules.about,
        "players": rules.players,
        "tiles": rules.tile_count,
        "sides": tuple(rules.walls.default),
        "digest": rules.digest,
    }
