"""People at a simulated table of this process, tapping at the daemon of this process."""

from __future__ import annotations

import asyncio
import random
import uuid

from tablectl.app.service import STALE, Tap
from tablectl.app.table import Table
from tablectl.core import facts
from tablectl.core.entry import Who
from tablectl.core.facts import AnyFact
from tablectl.core.preset import Preset
from tablectl.core.state import State
from tablectl.errors import TablectlError
from tablectl.people.around import Tapped
from tablesim.serve import Served
from tablesim.table import Table as SimulatedTable

LOOK = 0.2
"""Seconds that people wait for the screen at most."""
PATIENCE = 60
"""Tries of a tap that the daemon is too busy for, or whose journal cannot be written now."""


class Room:
    """The room with the simulated table in it, and `table` as the daemon knows it. The simulated
    table's ms pass `served.speed` times as fast."""

    def __init__(self, served: Served, table: Table) -> None:
        self._served = served
        self._table = table

    @property
    def table(self) -> SimulatedTable:
        return self._served.table

    async def wait(self, ms: int) -> None:
        await asyncio.sleep(ms / 1000 / self._served.speed)
        self._served.look()
        # People look at the screen before they go on.
        await self._table.settled(LOOK)

    def did(self) -> None:
        self._served.did()


class Screen:
    """A screen at the table's edge. `rng` makes the keys of taps, so that they can be repeated."""

    def __init__(self, table: Table, rng: random.Random, name: str | None = None) -> None:
        self._table = table
        self._rng = rng
        self._who = Who(role="player", name=name)

    async def tap(self, fact: AnyFact, *, after: int | None = None) -> Tapped:
        """Tap it; against what has changed meanwhile people look again and tap it once more."""
        key = str(uuid.UUID(int=self._rng.getrandbits(128), version=4))
        for _ in range(PATIENCE):
            try:
                said = Tap(key, fact, self._table.seq, after, self._who)
                tapped = await self._table.tap(said)
            except TablectlError as error:
                if error.code not in (STALE, "app.busy", "journal.full"):
                    raise
                await asyncio.sleep(0.5)
            else:
                return Tapped(tapped.seq, tapped.verdict.kind, tapped.verdict.text)
        raise TablectlError("app.busy")

    def state(self) -> State:
        return self._table.known.state

    def seq(self) -> int:
        return self._table.seq


async def new_game(screen: Screen, rules: Preset, dealer: int) -> None:
    """People begin a game of a rule with this first dealer; one that runs ends."""
    game = screen.state().game
    if game is not None and not game.over:
        await screen.tap(facts.GameEnded())
    await screen.tap(
        facts.GameStarted(
            preset=rules.name,
            digest=rules.digest,
            seats=tuple(range(rules.players)),
            points=rules.play.points,
            first_dealer=dealer,
        )
    )
