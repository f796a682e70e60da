"""A clash: values of a preset that cannot be true together, and what the rules about them share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tablectl.core.collision import Drawing
from tablectl.core.tiles import KIND_OF, kinds_in

Values = dict[str, Any]
"""Values of a preset by path, `section.name`."""

MARKED: Final = {
    "tiles.red": "r",
    "tiles.gold": "g",
    "tiles.galaxy": "x",
    "tiles.white_diamond": "d",
}


@dataclass(frozen=True, slots=True)
class Clash:
    """Values that cannot be together: where to look, why, what to do, and where it is places that
    collide, a `drawing` of them. Two clashes are the same where they say the same."""

    path: str
    why: str
    remedy: str
    drawing: Drawing = field(default=(), compare=False)


Rule = Callable[[Mapping[str, Any]], Iterator[Clash]]
"""Yields what clashes in values by path; a value that could not be read ends it."""


def counted(values: Mapping[str, Any]) -> dict[int, int]:
    """How many tiles of each kind there are, marked ones among them."""
    return {kind: n for text, n in values["tiles.counts"].items() for kind in kinds_in(text)}


def each(values: Mapping[str, Any]) -> int:
    """Tiles of one hand before the first draw."""
    rounds: list[int] = values["dealing.rounds"]
    return sum(rounds) + int(values["dealing.last"] != "none")


def turning(values: Mapping[str, Any]) -> bool:
    """Whether kongs turn indicators."""
    times = (values["indicators.open_kong"], values["indicators.concealed_kong"])
    return times != ("never", "never")


def called(values: Mapping[str, Any]) -> int:
    """How many tiles can be set aside."""
    counts = counted(values)
    return sum(counts.get(KIND_OF[kind], 0) for kind in values["calls.aside"])
