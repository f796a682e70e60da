"""People who play on at a simulated table while the daemon beside it is killed again and again."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

from support.killed import Ground, ground
from tablectl.core import facts
from tablectl.core.facts import AnyFact
from tablectl.core.state import State
from tablectl.people.around import Tapped
from tablectl.people.play import Players
from tablesim.model import MODELS
from tablesim.serve import Served
from tablesim.table import Table

WORKS, STARTS, AWAY = 1.0, 0.3, 0.4
"""Seconds that it works at most, that its start takes about, that it is gone at most."""


class Screen:
    """A screen at the table's edge that a daemon comes and goes behind."""

    def __init__(self, ground: Ground, rng: random.Random) -> None:
        self._ground, self._rng = ground, rng

    async def tap(self, fact: AnyFact, *, after: int | None = None) -> Tapped:
        key = str(uuid.UUID(int=self._rng.getrandbits(128), version=4))
        return await self._ground.tap(fact, key, after)

    def state(self) -> State:
        return self._ground.state()

    def seq(self) -> int:
        return self._ground.seq()


class Pausing:
    """The room with the table in it, where nobody moves while it is looked whether all is as it
    was. Its ms pass `served.speed` times as fast."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self.may = asyncio.Event()
        self.may.set()

    @property
    def table(self) -> Table:
        return self._served.table

    async def wait(self, ms: int) -> None:
        await asyncio.sleep(ms / 1000 / self._served.speed)
        self._served.look()
        await self.may.wait()

    def did(self) -> None:
        self._served.did()


async def evening(
    folder: Path, seed: int, rounds: int, *, model: str = "presence", each: Any = None
) -> Counter[str]:
    """People play and want things while the daemon is killed so many times, each at a random
    instant of its life, and is gone for a while. After each return everything is held against the
    truth; `each` hears of it. Gives what was counted."""
    rng = random.Random(seed)
    async with ground(folder, model=model, seed=seed) as place:
        await place.up()
        room = Pausing(place.served)
        game = place.state().game
        assert game is not None
        rules = place.rulebook[game.digest]
        people = Players(
            rules,
            room,
            Screen(place, random.Random(f"{seed} taps")),
            random.Random(f"{seed} people"),
            abilities=frozenset(MODELS[model].abilities),
            thorough=True,
        )
        counted = Counter[str]()
        tasks = [
            asyncio.ensure_future(work)
            for work in (_playing(people, counted), _wishing(place, room, rng))
        ]
        try:
            for n in range(1, rounds + 1):
                await _round(place, rng, tasks)
                room.may.clear()
                await place.agrees()
                room.may.set()
                entries = place.entries()
                counted |= Counter(
                    kills=n,
                    facts=len(entries),
                    taps=len(place.told),
                    acted=len(place.acted),
                    unknown=sum(entry.key.endswith(":unknown") for entry in entries),
                    lost=sum(isinstance(entry.fact, facts.Lost) for entry in entries),
                )
                if each is not None:
                    each(counted)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return counted


async def _round(place: Ground, rng: random.Random, tasks: list[asyncio.Future[None]]) -> None:
    """Kill it after a random time of work, or soon after its start; start it again."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        ready = place.back.is_set()
        after = rng.uniform(0, WORKS) if ready else rng.uniform(0, STARTS)
        done, _ = await asyncio.wait(tasks, timeout=after, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        await place.killed()
        await asyncio.sleep(rng.choice((0, rng.uniform(0, AWAY))))
        await place.start()
    assert place.child is not None
    await place.child.ready()
    place.back.set()


async def _playing(people: Players, counted: Counter[str]) -> None:
    while True:
        await people.play_hand()
        counted["hands"] += 1


async def _wishing(place: Ground, room: Pausing, rng: random.Random) -> None:
    """Somebody chooses the number again and again, now and then a motion that does nothing."""
    wishes = (
        {"what": "select", "preset": place.preset},
        {"what": "motion", "motion": "resume"},
    )
    while True:
        await room.wait(rng.randrange(200, 8000))
        await place.back.wait()
        assert place.child is not None
        if not place.child.dead:
            await place.wish(**rng.choice(wishes))
