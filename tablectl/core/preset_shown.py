"""A rule as programs are shown it: in a list, and with the source of every value."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from tablectl.core.preset import Preset, Sourced
from tablectl.core.preset_fields import BY_PATH


class ValueShown(Struct, frozen=True, omit_defaults=True):
    """One value of a rule, and where it is from; `options` where it was chosen."""

    path: str
    value: Any
    meaning: str
    source: Literal["seed", "convention", "chosen"]
    text: str
    options: tuple[Any, ...] = ()


class ToppingShown(Struct, frozen=True):
    """A named variant; `changes` are the values it puts in the place of the rule's own."""

    name: str
    title: str
    about: str
    changes: tuple[ValueShown, ...]


class StatementShown(Struct, frozen=True):
    """A rule that people keep; `phrase` is how the rule text puts it (a line for each phrase), or
    what its other source says."""

    topic: str
    text: str
    source: Literal["seed", "convention", "chosen"]
    phrase: str


class PresetShown(Struct, frozen=True, kw_only=True):
    """A rule in a list. `base`: its name without toppings, `variant` those that are on (with a +
    between), `toppings` those there are. `sides`: columns of each side of its walls."""

    name: str
    base: str
    variant: str
    title: str
    about: str
    players: int
    tiles: int
    sides: tuple[int, ...]
    digest: str
    toppings: tuple[ToppingShown, ...]


class PresetWhole(PresetShown, frozen=True, kw_only=True):
    """A rule with all its values and statements."""

    values: tuple[ValueShown, ...]
    statements: tuple[StatementShown, ...]


def in_a_list(rules: Preset) -> PresetShown:
    """What a list says of a rule."""
    return PresetShown(**_about(rules))


def whole(rules: Preset) -> PresetWhole:
    """A rule with the source of every value, and its statements."""
    return PresetWhole(
        **_about(rules),
        values=tuple(map(_value, rules.sources)),
        statements=tuple(
            StatementShown(one.topic, one.text, one.kind, one.source) for one in rules.statements
        ),
    )


def _value(one: Sourced) -> ValueShown:
    return ValueShown(
        path=one.path,
        value=one.value,
        meaning=BY_PATH[one.path].meaning,
        source=one.kind,
        text=one.text,
        options=tuple(one.options),
    )


def _about(rules: Preset) -> dict[str, Any]:
    return {
        "name": rules.name,
        "base": rules.base,
        "variant": rules.variant,
        "title": rules.title,
        "about": rules.about,
        "players": rules.players,
        "tiles": rules.tile_count,
        "sides": tuple(rules.walls.default),
        "digest": rules.digest,
        "toppings": tuple(
            ToppingShown(one.name, one.title, one.about, tuple(map(_value, one.changes)))
            for one in rules.toppings
        ),
    }
