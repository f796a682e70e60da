"""What waits in a table's queue, and what its configuration says of it."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Final, Literal

from tablectl.app.service import Tapped
from tablectl.core.boxes import Box
from tablectl.core.entry import Who
from tablectl.core.facts import AnyFact, Elapsed, GameStarted, GameWanted, SeatsChanged
from tablectl.core.profile import Note
from tablectl.link.clock import BoardClock
from tablectl.link.said import Said
from tablectl.link.supervisor import Keeper

MOST_WAITING: Final = 256
"""Items that wait; more that people say are refused."""
ENOUGH: Final = 192
"""From so many on lines are not read."""
AT_ONCE: Final = 64
"""Items that are kept in one go."""
_SEATING: Final = (GameStarted, GameWanted, SeatsChanged)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a line has said, at ms of the daemon's clock. `clock`: the board's, as it was then;
    another conversation has another."""

    keeper: Keeper
    now: int
    said: tuple[Said, ...]
    clock: BoardClock


@dataclass(frozen=True, slots=True, eq=False)
class Say:
    """A fact that somebody here says. `seen`: a tap's, which is checked against what has changed
    since. `answer`: who waits for what becomes of it."""

    fact: AnyFact
    key: str
    origin: Literal["person", "daemon"]
    who: Who | None = None
    cause: int | None = None
    after: int | None = None
    seen: int | None = None
    answer: asyncio.Future[Tapped] | None = field(default=None, repr=False)

    def refuse(self, error: Exception) -> None:
        """Whoever still waits for the answer gets this one."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(error)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the configuration says of a table."""

    name: str
    preset: str | None = None
    seats: tuple[int, ...] | None = None
    motions: bool = False
    profile: str | None = None
    manual: bool = False
    notes: tuple[Note, ...] = ()
    boxes: tuple[Box | None, Box | None] = (None, None)


def checked(item: Heard | Say) -> bool:
    """Whether an item is a tap, or a timer that ran out: those are checked against everything
    before them."""
    return isinstance(item, Say) and (item.seen is not None or isinstance(item.fact, Elapsed))


def seats_anew(item: Heard | Say) -> bool:
    """Whether sides may be other seats once it is folded."""
    return isinstance(item, Say) and isinstance(item.fact, _SEATING)


def group_of(items: deque[Heard | Say]) -> list[Heard | Say]:
    """Take from the queue what is kept in one go: a tap alone, and what may seat people anew
    last."""
    group = [items.popleft()]
    while (
        items
        and len(group) < AT_ONCE
        and not (checked(group[-1]) or seats_anew(group[-1]) or checked(items[0]))
    ):
        group.append(items.popleft())
    return group
