"""People at one table who go from one rule to another."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any

from support.parlour import config_of, parlour, ready
from tablectl.app.service import Tap, Wish
from tablectl.app.table import Table
from tablectl.core import facts
from tablectl.core.facts import AnyFact
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset
from tablectl.core.state import State
from tablectl.link.simulated import Sims
from tablesim.serve import Served

RULES = {
    name: find_preset(name) for name in ("ramen-jiro", "vivace-4p", "fuzhou-144", "goto-sanma")
}


class Evening:
    """People at one simulated table. Seconds are the loop's."""

    def __init__(self, table: Table, served: Served | None = None) -> None:
        self.table, self.served = table, served

    @property
    def state(self) -> State:
        return self.table.known.state

    async def say(self, fact: AnyFact) -> None:
        tapped = await self.table.tap(Tap(str(uuid.uuid4()), fact, self.table.seq))
        assert tapped.verdict.kind != "odd", tapped.verdict

    async def select(self, preset: str, **about: Any) -> dict[str, Any]:
        found: dict[str, Any] = await self.table.command(Wish("select", preset=preset, **about))
        return found

    async def until(self, done: Any) -> None:
        for _ in range(2000):
            if done():
                return
            await asyncio.sleep(0.1)
        raise AssertionError(self.state)

    # ── the machine ──

    async def press(self) -> None:
        assert self.served is not None
        await self.served.obey({"do": "press", "button": "start"})

    async def next_walls(self, tiles: Preset | None = None) -> None:
        """Open the hatch, push in what lies on the table, or the tiles of a rule in its place, and
        close it: the other set's walls come up."""
        assert self.served is not None
        machine = self.served.table.machine
        if machine.up is not None:
            below = machine.other(machine.up)
            await self.until(lambda: below.phase.name == "READY")
            await self.press()
        top = machine.on_top
        assert top is not None
        await self.until(lambda: top.phase.name == "DROPPING")
        if tiles is not None:
            codes = tuple(tile.code for tile in tiles.tiles.elements())
            self.served.table.hands.exchange(top.id, codes)
        else:
            self.served.table.hands.push_in()
        before = self.state.deal
        await self.press()
        await self.until(lambda: self.state.deal is not None and self.state.deal is not before)
        await self.table.settled()

    # ── a hand ──

    async def begin_hand(self) -> None:
        assert self.state.hand is not None
        assert self.state.hand.life == "raised"
        await self.say(facts.Dice(pips=(3, 4)))
        await self.say(facts.Dealt())

    async def end_hand(self) -> None:
        """It is void; where another game waits, that alone lets it begin."""
        wanted = self.state.wanted is not None
        await self.say(facts.Void(why="enough"))
        await self.table.settled()
        if not wanted:
            await self.say(facts.Settled())
        await self.table.settled()

    def question(self, kind: str) -> str:
        """The one open question of a kind; empty if there is none."""
        found = [one.text for one in self.state.questions if one.id.startswith(f"{kind}:")]
        assert len(found) < 2
        return found[0] if found else ""

    def of_kind(self, *kinds: type) -> list[Any]:
        return [one.fact for one in self.table.known.history.entries if isinstance(one.fact, kinds)]


def said(answer: dict[str, Any], part: str) -> str:
    """The one sentence of an answer that has this in it."""
    [found] = [line for line in answer["say"] if part in line]
    return str(found)


async def one_table(folder: Path, preset: str, sims: Sims, work: Any, model: str = "stock") -> Any:
    async with parlour(folder, config_of(f"sim:{model}:east", preset=preset), sims) as daemon:
        [table] = await ready(daemon)
        evening = Evening(table, sims.served[f"{model}:east"])
        await evening.until(lambda: evening.state.game is not None)
        return await work(evening)


def by_hand(**about: Any) -> Any:
    return config_of("manual:p", profile="stock", **about)
