"""Sentences of the core as people at a table say them: its seats by wind and side, tiles by face.

`seat 2 discarded 4z` is `West (side 2) discarded 北`. JSON and the API keep numbers and codes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from tablectl.cli.words import WINDS, tile_for_people

_WORDS: Final = re.compile(
    r"(?<![\w+-])([Ss]eat (?P<seat>\d)(?P<whose>'s)?|(?P<tile>\d[mpszf][rgxd]?))(?![\w-])"
)
"""A seat, or a tile by its code; a name as `best-4p`, `1m-9m` and `30s` are neither."""


def for_people(text: str, hand: Mapping[str, Any] | None) -> str:
    """A sentence with the seats of this hand (as a view has it) and tiles as people say them; a
    seat that is none of the hand's stays as it is, and without a hand every one."""

    def said(found: re.Match[str]) -> str:
        if found["tile"]:
            return tile_for_people(found["tile"])
        seat = int(found["seat"])
        if hand is None or seat >= len(hand["seats"]):
            return found[0]
        return seat_for_people(hand, seat, found["whose"] or "")

    return _WORDS.sub(said, text)


def seat_for_people(hand: Mapping[str, Any], seat: int, whose: str = "") -> str:
    """`South (side 1)`; with `whose` behind the wind."""
    return f"{wind(hand, seat)}{whose} (side {hand['seats'][seat]})"


def wind(hand: Mapping[str, Any], seat: int) -> str:
    """The wind of a seat in this hand."""
    return WINDS[(seat - hand["dealer"]) % len(hand["seats"])]
