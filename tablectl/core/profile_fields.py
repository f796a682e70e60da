"""The tables of all values of a profile file, with what is allowed in each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tablectl.core.preset_fields import whole
from tablectl.core.profile import ABILITIES

SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Field:
    """One value: `allowed` in words, `fits` checks it, `words` are the right ones to guess from;
    `default` where it may be left out, None for one that must be given."""

    name: str
    allowed: str
    fits: Callable[[Any], bool]
    default: Any = None
    words: tuple[str, ...] = ()
    needed: bool = False


def _text(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _list_of(one: Callable[[Any], bool], least: int, most: int) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        return (
            isinstance(value, list)
            and least <= len(value) <= most
            and all(map(one, value))
            and all(value.count(item) == 1 for item in value)
        )

    return fits


def _sides(value: Any) -> bool:
    _, one = whole(0, 120)
    return isinstance(value, list) and len(value) == 4 and all(map(one, value)) and any(value)


SOME: Final = r"(?s:.*\S.*)"

TOP: Final = (
    Field("schema", f"{SCHEMA}, the only one that this program reads",
           lambda value: type(value) is int and value == SCHEMA, needed=True),
    Field("name", "small letters, digits and - in quotes", _text(r"[a-z0-9][a-z0-9-]*"),
           needed=True),
    Field("title", "some text in quotes", _text(SOME), needed=True),
    Field("models", 'a list of names as boards tell them, each once, as ["sim stock"]',
           _list_of(_text(SOME), 1, 50), needed=True),
    Field("source", "some text in quotes: where the values are from", _text(SOME), needed=True),
    Field("verified", "true or false", _is_bool, False),
)  # fmt: skip
MACHINE: Final = (
    Field("stacking", whole(1000, 600_000)[0] + " (milliseconds)", whole(1000, 600_000)[1]),
    Field("abilities", f"a list of {', '.join(ABILITIES)}, each once",
           _list_of(lambda word: word in ABILITIES, 0, len(ABILITIES)), (), ABILITIES),
    Field("press", "a sentence in quotes with {number} in it",
           lambda value: isinstance(value, str) and "{number}" in value, ""),
)  # fmt: skip
NUMBER: Final = (
    Field("number", *whole(0, 65_535), needed=True),
    Field("name", "text in quotes", _text(r"(?s:.*)"), ""),
    Field("tiles", *whole(1, 255)),
    Field("sides", "a list of four counts of tiles, 0 for no wall", _sides),
    Field("players", "a list of numbers from 1 to 7, each once",
           _list_of(whole(1, 7)[1], 0, 7), ()),
    Field("dealt", *whole(0, 20), 0),
    Field("turns_indicator", "true or false", _is_bool, False),
    Field("source", "some text in quotes", _text(SOME)),
    Field("verified", "true or false", _is_bool),
)  # fmt: skip
SAID: Final = (
    Field("value", "the value itself", lambda value: True, needed=True),
    Field("source", "some text in quotes", _text(SOME)),
    Field("verified", "true or false", _is_bool),
)
