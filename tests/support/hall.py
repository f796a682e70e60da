"""One table in the middle of a hand, its people doing what a test says, and the truth beside it.

Where tiles lie is found by walking round the table (`tablesim.lay`), never by the program.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import asdict
from typing import Any

from tablectl.app.table import Table
from tablectl.cli.players import Room, Screen
from tablectl.core import facts
from tablectl.core.facts import AnyFact
from tablectl.core.preset import Preset
from tablectl.core.state import Hand, State, ground_of
from tablectl.core.wall import Place
from tablectl.people.around import Tapped
from tablectl.people.raising import Floor, number_for
from tablesim import lay
from tablesim.lay import Spot
from tablesim.serve import Served
from tablesim.tileset import TileSet

PACE = 2000
"""Table ms between two deeds: more than the clocks of board and host differ by."""


class Hall:
    """Hands and fingers at one table. Times are ms of the table."""

    def __init__(self, table: Table, served: Served, rules: Preset, pace: int = PACE) -> None:
        self.table, self.served, self.rules, self.pace = table, served, rules, pace
        self.room = Room(served, table)
        self.screen = Screen(table, random.Random(7))
        self.tiles: TileSet | None = None
        self._opening: lay.Opening | None = None
        self._lying: list[Spot] = []
        self.dealt: list[Spot] = []

    # ── what happens at the table ──

    async def raise_walls(self) -> None:
        """Walls of the rule stand, seen by the daemon; the other set is being mixed."""
        number = number_for(self.served.table.model, self.rules, dealt=False)
        self.tiles = await Floor(self.room, self.rules, 600).raise_walls(number)
        await self.until(lambda: self.hand is not None and self.hand.life == "raised")

    async def throw(self, *pips: int) -> None:
        """The dice are thrown and lie still."""
        if pips:
            await self.served.obey({"do": "pips", "pips": list(pips)})
        await self.press("dice")
        await self.room.wait(self.served.table.model.spin + 100)

    def open_wall(self, *pips: int) -> None:
        """Find where these dice open the wall and what is dealt from there."""
        assert self.tiles is not None
        columns = [str(n // 2) for n in self.tiles.counts()]
        rule, seats = self.rules.breaking, list(range(self.rules.players))
        self._opening = lay.Table(columns).open(seats[0], sum(pips), rule.count, seats)
        dealing = self.rules.dealing
        hands, self._lying, first = lay.deal(
            self._opening.walk(), len(seats), 0, dealing.rounds, dealing.last
        )
        self.dealt = [spot for hand in hands for spot in hand] + [first]

    async def deal(self, pace: int = 100) -> None:
        """The hands are dealt, the dealer's first draw among them."""
        for spot in self.dealt:
            await self._take(spot, pace)

    async def draw(self, pace: int | None = None) -> None:
        """The next tile leaves the head."""
        await self._take(self._lying.pop(0), pace)

    async def replace(self) -> None:
        """The next replacement leaves the tail."""
        assert self._opening is not None
        lying = set(self._lying)
        spot = next(spot for spot in self._opening.backwards() if spot in lying)
        self._lying.remove(spot)
        await self._take(spot)

    def next_place(self) -> Place:
        """Where the next draw lies."""
        spot = self._lying[0]
        return Place(spot.side, spot.column, "upper" if spot.row == "upper" else "lower")

    async def press(self, button: str) -> None:
        await self.served.obey({"do": "press", "button": button})

    async def jam(self) -> None:
        """A trouble comes …"""
        await self.served.obey({"do": "fault", "name": "jam"})
        await self.room.wait(self.pace)

    async def mend(self) -> None:
        """… and goes."""
        await self.served.obey({"do": "mend"})
        await self.press("start")
        await self.room.wait(self.pace)

    async def other_set_finishes(self) -> None:
        """The set below is stacked and waits."""
        assert self.tiles is not None
        other = self.served.table.machine.other(self.tiles)
        while other.phase.name != "READY":
            await self.room.wait(1000)

    async def tap(self, fact: AnyFact) -> Tapped:
        tapped = await self.screen.tap(fact)
        await self.room.wait(self.pace)
        return tapped

    async def _take(self, spot: Spot, pace: int | None = None) -> None:
        self.served.table.hands.take(spot)
        self.room.did()
        await self.room.wait(self.pace if pace is None else pace)

    # ── the line ──

    @property
    def edges(self) -> int:
        """Edges of the board so far."""
        return self.served.table.board.next_edge - 1

    def unplug(self) -> None:
        self.served.port.unplug()

    async def plug(self) -> None:
        """The line is back, and everything that was kept is in."""
        await self.served.port.plug()
        await self.ready()

    async def ready(self) -> None:
        """The line is up, and nothing that the board has told is on its way."""
        ring = self.served.table.board._ring
        await self.until(
            lambda: (
                self.state.machine.link is True
                and ring.first_kept == ring.next
                and not self.table.waiting
            ),
            "the line is ready and the board's ring is empty",
        )
        await self.room.wait(1500)

    async def until(self, done: Any, what: str = "", seconds: float = 20.0) -> None:
        """Wait for it, not for ever. Seconds are the loop's."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not done():
            assert loop.time() < end, what or self.state
            await asyncio.sleep(0.05)

    # ── what is known, and the truth ──

    @property
    def state(self) -> State:
        return self.table.known.state

    @property
    def hand(self) -> Hand | None:
        return self.state.hand

    def shown(self) -> dict[str, Any]:
        """What the State says of the table."""
        hand, machine = self.hand, self.state.machine
        assert hand is not None
        ground = ground_of(self.rules, hand)
        tail = ground.wall.tail(self.rules.replacements.first)[: hand.tail]
        gone = {ground.order.p(k) for k in range(hand.head)} | {at.p for at in tail}
        standing = [at.place for at in ground.wall.order if at.p not in gone]
        return {
            "standing": sorted((place.side, place.column, place.row) for place in standing),
            "phase": [one.word for one in machine.sets],
            "active": [one.active for one in machine.sets],
            "pending": [one.pending for one in machine.sets],
            "troubles": [one.code for one in machine.troubles],
            "dice": list(hand.dice),
        }

    def truth(self) -> dict[str, Any]:
        """The same of the simulated table. `dice`: those of the break."""
        machine = self.served.table.machine
        up = machine.up
        assert up is not None
        return {
            "standing": sorted((*spot,) for spot in up.walls),
            "phase": [one.phase.name.lower() for one in machine.sets],
            "active": [one.active for one in machine.sets],
            "pending": [one.pending for one in machine.sets],
            "troubles": [code.name.lower() for code in machine.troubles],
            "dice": list(self.break_dice),
        }

    break_dice: tuple[int, ...] = ()

    def remembered(self) -> dict[str, Any]:
        """The State without what only tells how finely sensors have told it."""
        state = self.state
        assert state.hand is not None
        kept = asdict(state.hand)
        kept["sensed"] = {name: kept["sensed"][name] for name in ("gone", "early", "counts")}
        return {
            "hand": kept,
            "sets": [asdict(one) for one in state.machine.sets],
            "troubles": state.machine.troubles,
            "questions": [one.id.partition(":")[0] for one in state.questions],
        }

    def of_kind(self, *kinds: type[AnyFact]) -> list[Any]:
        """All facts of these kinds, in the journal's order."""
        entries = self.table.known.history.entries
        return [entry.fact for entry in entries if isinstance(entry.fact, kinds)]

    def lost(self) -> list[facts.Lost]:
        return self.of_kind(facts.Lost)
