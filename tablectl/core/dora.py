"""What a turned tile makes dora: the next one of its suit, itself, or an effect for everybody.

    characters, dots, bamboo    1 2 … 9, and 9 makes 1 dora
    winds                       east south west north, and north makes east
    dragons                     white green red, and red makes white
    seasons, plants             in their order, the last one makes the first

Kinds that the set has not are passed over: where 2 to 8 of characters are left out, 1 makes 9 and
9 makes 1. A rule can name kinds that make themselves dora, and kinds that make none and act for
everybody (`Indicators.itself`, `.effect`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tablectl.core.preset import Preset
from tablectl.core.tiles import KIND_OF, KINDS, kind_code, kinds_in

RINGS: Final = tuple(
    tuple(kinds_in(text))
    for text in ("1m-9m", "1p-9p", "1s-9s", "1z-4z", "5z-7z", "1f-4f", "5f-8f")
)
"""Kinds that follow one another, the first after the last."""
_RING_OF: Final = {kind: ring for ring in RINGS for kind in ring}


class Dora(NamedTuple):
    """`kinds`: codes of the kinds that are dora; `effect`: the tile acts for everybody instead."""

    kinds: tuple[str, ...]
    effect: bool = False


def dora_of(rules: Preset, tile: str, *, ura: bool = False) -> Dora:
    """What an indicator of this face makes dora; `tile` is a code, its mark does not matter. As
    `ura` a kind that acts for everybody has no effect (`rules.md`, section 7)."""
    code = kind_code(tile)
    if code in rules.indicators.effect:
        return Dora((), effect=not ura)
    if code in rules.indicators.itself:
        return Dora((code,))
    kind = KIND_OF[code]
    ring = _RING_OF[kind]
    at = ring.index(kind)
    following = (*ring[at + 1 :], *ring[: at + 1])
    there = rules.tiles.by_kind
    return Dora((KINDS[next(one for one in following if there.get(one) or one == kind)],))
