"""Entries in the making: keys, times and origin of what is said at one table.

`at` is UTC ms for people, `mono` ms since the daemon's start for durations, `took` ± ms between the
board's clock and ours. Source of the keys: the house's page of facts, section 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from tablectl.app.items import Say
from tablectl.app.late import place_of
from tablectl.core import facts
from tablectl.core.entry import Entry, Who
from tablectl.core.facts import AnyFact
from tablectl.core.state import Game
from tablectl.journal.store import Draft
from tablectl.link.said import Ended, Told


class Drafting:
    """Makes the drafts of one table. `now`: ms since the daemon's start, `utc`: ms; `start`: names
    this run of the daemon in its own keys and is never used twice; `since`: the last seq of the
    run before."""

    def __init__(
        self, now: Callable[[], int], utc: Callable[[], int], start: int, since: int = 0
    ) -> None:
        self.now = now
        self._utc = utc
        self._start = start
        self._since = since
        self._notes = 0
        self._floor = 0
        """Behind what the last edge was put: no later one goes before it."""

    def own_key(self) -> str:
        """The key of something that the daemon itself notes."""
        self._notes += 1
        return f"d:{self._start}:{self._notes}"

    def said(self, table: str, say: Say) -> Draft:
        """What people or the daemon say, now."""
        return Draft(
            table=table,
            key=say.key,
            fact=say.fact,
            origin=say.origin,
            at=self._utc(),
            mono=self.now(),
            who=say.who,
            cause=say.cause,
            after=say.after,
        )

    def ended(self, table: str, ended: Ended, word: str, asked: int) -> Draft:
        """What became of a command."""
        return Draft(
            table=table,
            key=f"c:{ended.conversation}:{ended.command}:{ended.result}",
            fact=facts.Answered(command=word, result=ended.result, why=ended.why),
            origin="daemon",
            at=self._utc(),
            mono=self.now(),
            cause=asked,
        )

    def told(
        self,
        table: str,
        told: Told,
        fact: AnyFact,
        heard: int,
        time: tuple[int, int] | None,
        entries: Sequence[Entry],
    ) -> Draft:
        """What a sensor told, `heard` then and happened at `time` (mono, took) where that is
        known. An edge that comes late is put before taps that are certainly younger."""
        mono, took = time if time is not None else (heard, 0)
        mono = min(mono, heard)
        after = None
        if told.key.startswith("b:"):
            if time is not None:
                after = place_of(entries, mono, took, self._since)
            after = self._in_order(after, entries)
        boot = isinstance(fact, facts.Board)
        edge = (told.boot, 0) if boot else None if told.edge is None else (told.boot, told.edge)
        return Draft(
            table=table,
            key=told.key,
            fact=fact,
            origin="sensor",
            at=self._utc() - (self.now() - mono),
            mono=mono,
            took=took,
            who=Who(ability=told.ability),
            after=after,
            edge=edge,
        )

    def _in_order(self, after: int | None, entries: Sequence[Entry]) -> int | None:
        """The place of an edge, not before that of the edge told last: a clock that is read more
        sharply meanwhile would put a later one there."""
        last = entries[-1].seq if entries else 0
        if after is None:
            self._floor = last + 1  # it will be the next entry at the least
        elif after < self._floor:
            after = self._floor if self._floor <= last else None
        else:
            self._floor = after
        return after


def seat_told(told: Told, game: Game | None) -> AnyFact:
    """The fact with the seat of the player where the board named the side of the machine. A side
    where nobody sits says no seat where that may be left out, and stays what it is where not."""
    fact: Any = told.fact
    side = getattr(fact, "seat", None)
    if not told.by_side or side is None or game is None:
        known: AnyFact = fact
        return known
    seat = game.seats.index(side) if side in game.seats else None
    if seat is None and not isinstance(fact, facts.Button | facts.Observed):
        seat = side
    changed: AnyFact = msgspec.structs.replace(fact, seat=seat)
    return changed
