"""What a driver says of its table, in the order in which it became known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tablectl.core.facts import Fact

Stage = Literal["calling", "identifying", "draining", "ready", "refused"]
"""Calling: nobody has answered. Identifying: the board tells what it is. Draining: what it kept
comes in. Ready. Refused: it is there, but cannot be spoken with."""


@dataclass(frozen=True, slots=True)
class Told:
    """A fact for the journal. `key` makes a repeat harmless; `ability` is the sensor that it comes
    from. `edge`: once the fact is durable, every edge of `boot` up to this one may be acknowledged
    (None: it is no edge). `at`: ms of the board's uptime, None where it was not said. `by_side`: a
    seat in the fact is the side of the machine where somebody sits. `face`: of a `sealed` fact,
    what was read there: a secret, kept apart from the fact."""

    fact: Fact
    key: str
    ability: str
    boot: int
    edge: int | None = None
    at: int | None = None
    by_side: bool = False
    face: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Became:
    """The link is at another stage; `why` says what happened, where something did."""

    stage: Stage
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of a command, as code words of the wire: `accepted` may come first, then exactly
    one of `done`, `refused` and `unknown`. `why` names the entry `link.not_done.<why>`."""

    conversation: int
    command: int
    result: Literal["accepted", "done", "refused", "unknown"]
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far stacking is, tiles by side, and which lamps burn: for the eye only."""

    stacked: tuple[int | None, ...]
    lamps: int


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something about the peer that its owner should know: a code of the catalogue, its values."""

    code: str
    values: tuple[tuple[str, object], ...] = ()


Said = Told | Became | Ended | Progress | Complaint
