"""A daemon with its threads on real pseudo-terminals, on the real clock: outages, swapped names."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.hall import Hall
from support.parlour import Events

from protocols.codes import Button
from tablectl.app.config import Config, TableConfig
from tablectl.app.opening import open_daemon
from tablectl.app.service import Wish
from tablectl.core import facts
from tablectl.core.preset_file import find_preset
from tablesim.port import PtyPort
from tablesim.serve import Served
from tablesim.table import Table, find_model

SPEED = 40
"""Ms of the table for each ms."""
PATIENCE = 20.0
PIPS = (3, 4)


def served_at(link: Path, model: str) -> Served:
    """A simulated table of its own on a pseudo-terminal of that name."""
    table = Table(find_model(model), f"real {model}", seed=3)
    return Served(table, lambda heard: PtyPort(link, heard), SPEED)


@asynccontextmanager
async def daemon_at(folder: Path, log: Events, *served: Served) -> Any:
    for one in served:
        await one.start()
    tables = tuple(
        TableConfig(one.port.address, Path(one.port.address).name, "ramen-jiro") for one in served
    )
    config = Config(tables=tables)
    daemon = await open_daemon(config, folder, lambda: time.time_ns() // 1_000_000, log)
    try:
        async with asyncio.timeout(PATIENCE):
            while not all(line.state.stage == "ready" for line in daemon.lines()):
                await asyncio.sleep(0.02)
        yield daemon
    finally:
        await daemon.stop()
        for one in served:
            one.stop()


@pytest.mark.parametrize(
    ("model", "more"), [("presence", None), ("presence", 1), ("stock+counts", 0)]
)
def test_a_line_that_is_out_while_a_hand_is_played(tmp_path, model, more):
    """`more`: edges above those that the board keeps; None: only those of the deeds."""

    async def work() -> None:
        served = served_at(tmp_path / "line", model)
        async with daemon_at(tmp_path / "state", Events(), served) as daemon:
            [table] = daemon.tables.values()
            await table.command(Wish("select", preset="ramen-jiro"))
            hall = Hall(table, served, find_preset("ramen-jiro"))
            hall.break_dice = PIPS
            await hall.raise_walls()
            # Until it is mended: the test's own steps take longer than the table's clock is fast.
            await served.obey({"do": "fault", "name": "slow", "amount": 20})
            await hall.throw(*PIPS)
            hall.open_wall(*PIPS)
            await hall.deal(pace=200)
            await hall.ready()
            before, ring = hall.edges, served.table.board.about.ring
            hall.unplug()
            for _ in range(7):
                await hall.draw(pace=200)
            await hall.jam()
            await hall.mend()
            await hall.other_set_finishes()
            await hall.throw(2, 2)
            if more is not None:
                edges = ring + more - (hall.edges - before)
                values = [int(Button.CALL), 1, 0]
                await served.obey({"do": "edge", "type": "A4", "values": values, "times": edges})
            began = asyncio.get_running_loop().time()
            await hall.plug()
            await hall.until(lambda: hall.shown() == hall.truth())
            assert asyncio.get_running_loop().time() - began < PATIENCE
            wanted = [facts.Lost(first=before + 1, count=1)] if more == 1 else []
            assert hall.lost() == wanted
            asked = [one.id.partition(":")[0] for one in hall.state.questions]
            assert asked.count("lost") == len(wanted)
            assert hall.hand.life == "playing"
            await hall.draw()
            await hall.until(lambda: hall.shown() == hall.truth())

    asyncio.run(work())


def test_two_tables_whose_ports_swap_their_names_stay_themselves(tmp_path):
    async def work() -> None:
        log = Events()
        one, two = served_at(tmp_path / "a", "presence"), served_at(tmp_path / "b", "stock")
        async with daemon_at(tmp_path / "state", log, one, two) as daemon:
            ids = [one.table.board.about.uid.hex(), two.table.board.about.uid.hex()]
            tables = [daemon.tables[id] for id in ids]
            assert [table.settings.name for table in tables] == ["a", "b"]
            assert [table.keeper.url for table in tables] == [one.port.address, two.port.address]
            one.port.unplug()
            two.port.unplug()
            async with asyncio.timeout(PATIENCE):
                while any(table.known.state.machine.link for table in tables):
                    await asyncio.sleep(0.02)
            one.port.link, two.port.link = two.port.link, one.port.link
            await one.port.plug()
            await two.port.plug()
            async with asyncio.timeout(PATIENCE):
                while not all(table.known.state.machine.link for table in tables):
                    await asyncio.sleep(0.02)
            assert set(daemon.tables) == set(ids)
            assert [table.keeper.url for table in tables] == [one.port.address, two.port.address]
            assert [Path(table.keeper.url).name for table in tables] == ["b", "a"]
            assert [table.settings.name for table in tables] == ["a", "b"]
            # What happens at one is told of that one.
            for served, side in ((one, 1), (two, 2)):
                await served.obey({"do": "press", "button": "call", "side": side})
            async with asyncio.timeout(PATIENCE):
                while not all(pressed(table) for table in tables):
                    await asyncio.sleep(0.02)
            assert [pressed(table) for table in tables] == [[1], [2]]
            for table, model in zip(tables, ("sim presence", "sim stock"), strict=True):
                boards = [e.fact for e in table.known.history.entries if e.key.startswith("v:")]
                told = {fact.model for fact in boards if isinstance(fact, facts.Board)}
                assert told == {model}
            assert [event for event, _ in log].count("ready") == 4

    asyncio.run(work())


def pressed(table: Any) -> list[int | None]:
    """Seats that have called somebody."""
    entries = table.known.history.entries
    return [e.fact.seat for e in entries if isinstance(e.fact, facts.Button)]
