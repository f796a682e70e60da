"""A simulated table, its driver in memory and a history on one clock: no daemon, no waiting."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterable
from dataclasses import replace

import msgspec

from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.facts import AnyFact
from tablectl.core.fold import History
from tablectl.core.preset import Preset
from tablectl.core.state import State, Verdict
from tablectl.link.said import Said, Told
from tablectl.link.tablectl_v1 import TablectlV1
from tablectl.people.around import Tapped
from tablectl.people.play import HandPlayed, Players
from tablesim.model import GameNumber, Model
from tablesim.table import Table, find_model

STEP = 1000


def some_seed() -> int:
    """At a desk another one each time, where a machine decides always the same; printed."""
    seed = 0 if os.environ.get("CI") else random.randrange(10**6)
    print(f"seed {seed}")
    return seed


class World:
    """The table's room and the screen in one: what the board tells and what people tap goes into
    one history, at once and durable."""

    def __init__(self, model: str | Model, *rules: Preset, seed: int = 0) -> None:
        found = find_model(model) if isinstance(model, str) else model
        self.table = Table(found, f"people {found.name}", seed)
        self.history = History({one.digest: one for one in rules})
        self.driver = TablectlV1(1, lambda uid: None)
        self.odd: list[tuple[Entry, str]] = []
        self.pump()
        self.pass_(5000)
        assert self.driver.stage == "ready", "the board has not been identified"

    # ── the table's room ──

    async def wait(self, ms: int) -> None:
        self.pass_(ms)

    def did(self) -> None:
        self.table.settle()
        self.pump()

    def pass_(self, ms: int) -> None:
        end = self.table.now + ms
        while self.table.now < end:
            due = min(self.table.due() or end, self.driver.due(), self.table.now + STEP)
            self.table.advance(min(end, max(due, self.table.now + 1)))
            self.pump()

    def pump(self) -> None:
        """Bytes both ways until nobody has any."""
        now = self.table.now
        self.hear(self.driver.tick(now))
        while True:
            there, back = self.driver.take(), self.table.take()
            if not there and not back:
                return
            self.table.feed(there)
            self.hear(self.driver.feed(back, now))

    def hear(self, said: Iterable[Said]) -> None:
        for one in said:
            if not isinstance(one, Told):
                continue
            fact = one.fact
            if one.by_side and fact.seat is not None:
                game = self.state().game
                if game is None or fact.seat not in game.seats:
                    continue
                fact = msgspec.structs.replace(fact, seat=game.seats.index(fact.seat))
            verdict = self.put(fact, one.key, origin="sensor")
            if verdict.kind == "odd":
                self.odd.append((self.history.entries[-1], verdict.text))
            if one.edge is not None:
                self.hear(self.driver.committed(one.boot, one.edge))

    # ── the screen ──

    async def tap(self, fact: AnyFact, *, after: int | None = None) -> Tapped:
        verdict = self.put(fact, f"p:{self.seq() + 1}", after=after)
        return Tapped(self.seq(), *verdict)

    def state(self) -> State:
        return self.history.state

    def seq(self) -> int:
        return len(self.history.entries)

    def put(self, fact: AnyFact, key: str, **about: object) -> Verdict:
        values = {"table": "t", "seq": self.seq() + 1, "key": key, "fact": fact, "origin": "person"}
        self.history, verdict = self.history.append(Entry(**(values | about)))
        return verdict

    # ── a game ──

    def start(self, rules: Preset, seats: tuple[int, ...] = (), dealer: int = 0) -> None:
        """A game of a rule begins; one that ran before ends."""
        game = self.state().game
        if game is not None and not game.over:
            assert self.put(facts.GameEnded(), f"p:{self.seq() + 1}").kind == "fits"
        fact = facts.GameStarted(
            preset=rules.name,
            digest=rules.digest,
            seats=seats or tuple(range(rules.players)),
            points=rules.play.points,
            first_dealer=dealer,
        )
        assert self.put(fact, f"p:{self.seq() + 1}").kind == "fits"

    def players(self, rules: Preset, seed: int, **habits: object) -> Players:
        abilities = frozenset(self.table.model.abilities)
        rng = random.Random(seed)
        return Players(rules, self, self, rng, abilities=abilities, **habits)


def stacks(name: str, rules: Preset) -> Model:
    """A model that can stack this rule's walls, whatever they are."""
    sides = tuple(2 * n for n in rules.walls.default)
    number = GameNumber(1, rules.tile_count, sides, 0, rules.name)
    return replace(find_model(name), numbers=(number,))


def run(players: Players, hands: int = 1, records: Iterable[object] = ()) -> list[HandPlayed]:
    """Play so many hands, or those of the records, to their ends."""

    async def go() -> list[HandPlayed]:
        if records:
            return [await players.play_hand(record) for record in records]
        return [await players.play_hand() for _ in range(hands)]

    return asyncio.run(go())
