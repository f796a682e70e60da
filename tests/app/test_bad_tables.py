"""Three bad neighbours under one daemon: the fourth table loses nothing by them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.clockwork import run
from support.parlour import Events, config_of, parlour

from tablectl.app.opening import open_daemon
from tablectl.core import facts
from tablectl.link.simulated import MemoryPort, Sims
from tablesim.faults import Fault
from tablesim.port import Port, TcpPort
from tablesim.serve import Served
from tablesim.table import Table, find_model

AMOUNT = 32
"""Kilobytes each 100 ms of the flooding table and of the one that sends rubbish."""
PRESSES = 40
PATIENCE = 30.0
BAD = {
    "silent": (Fault("silent", at=3000),),
    "flood": (Fault("flood", amount=AMOUNT),),
    "rubbish": (Fault("rubbish", amount=AMOUNT),),
    "mute": (Fault("silent"),),
}


def served(name: str, port: Callable[[Any], Port]) -> Served:
    """A table of that name, with the fault of that name; the fourth has none."""
    table = Table(find_model("presence"), name, seed=5)
    return Served(table, port, planned=BAD.get(name, ()), seed=5)


async def presses(fourth: Served, each: float) -> None:
    """People press at the fourth table, one side after the other, and throw dice."""
    for n in range(PRESSES):
        await fourth.obey({"do": "press", "button": "call", "side": n % 3})
        if n % 10 == 0:
            await fourth.obey({"do": "press", "button": "dice"})
        await asyncio.sleep(each)


def pressed(table: Any) -> list[int | None]:
    entries = table.known.history.entries
    buttons = [entry.fact for entry in entries if isinstance(entry.fact, facts.Button)]
    return [button.seat for button in buttons if button.button == "call"]


async def all_there(daemon: Any, fourth: Served, shown: list[Any]) -> None:
    """Every edge of the fourth is durable, in the journal in order, and shown."""
    table = daemon.tables[fourth.table.board.about.uid.hex()]
    board = fourth.table.board
    async with asyncio.timeout(PATIENCE):
        while daemon._writer.recall(table.id) != (board.boot, board.next_edge - 1):
            await asyncio.sleep(0.02)
    kept, since = [], 0
    while found := await table.facts(since, 100):
        kept += found
        since = found[-1].seq
    edges = [int(one.key.split(":")[2].partition(".")[0]) for one in kept if one.key[:2] == "b:"]
    assert sorted(set(edges)) == list(range(1, board.next_edge))
    assert edges == sorted(edges)
    assert not any(isinstance(one.fact, facts.Lost) for one in kept)
    assert pressed(table) == [n % 3 for n in range(PRESSES)]
    async with asyncio.timeout(PATIENCE):
        while not shown or shown[-1] != table.seq:
            await asyncio.sleep(0.02)
    assert shown == list(range(shown[0], table.seq + 1))
    assert table.line_state.stage == "ready"


async def watch(table: Any, shown: list[Any]) -> None:
    """A subscriber of the fourth table."""
    async for message in table.subscribe(None):
        if "seq" in message:
            shown.append(message["seq"])


async def met(daemon: Any, fourth: Served) -> Any:
    """The fourth table, as soon as it is ready."""
    id = fourth.table.board.about.uid.hex()
    async with asyncio.timeout(PATIENCE):
        while not any(line.table == id and line.state.stage == "ready" for line in daemon.lines()):
            await asyncio.sleep(0.02)
    return daemon.tables[id]


async def at_the_fourth(daemon: Any, tables: dict[str, Served], each: float) -> None:
    fourth = tables["fourth"]
    table = await met(daemon, fourth)
    shown: list[Any] = []
    task = asyncio.create_task(watch(table, shown))
    await presses(fourth, each)
    await all_there(daemon, fourth, shown)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("bad", [(), ("silent",), ("flood",), ("rubbish",), tuple(BAD)])
def test_of_a_fourth_table_nothing_is_lost(tmp_path, bad):
    """On lines of memory, under a clock of the test's own."""

    async def work() -> None:
        sims = Sims()
        names = [*bad, "fourth"]
        urls = [f"sim:presence:{name}" for name in names]
        for name, url in zip(names, urls, strict=True):
            address = url.removeprefix("sim:")
            made = served(name, lambda heard, address=address: MemoryPort(address, heard))
            sims.served[address] = made
            await made.start()
        async with parlour(tmp_path, config_of(*urls), sims) as daemon:
            tables = {name: sims.served[f"presence:{name}"] for name in names}
            await at_the_fourth(daemon, tables, each=0.25)
            stages = {line.name: line.state.stage for line in daemon.lines()}
            assert stages["fourth"] == "ready"
            if "silent" in bad:
                assert stages["silent"] == "calling"

    run(work())


@asynccontextmanager
async def on_tcp(folder: Path) -> Any:
    """All of them on TCP, with the daemon as it is run."""
    tables = {name: served(name, lambda heard: TcpPort(0, heard)) for name in (*BAD, "fourth")}
    for one in tables.values():
        await one.start()
    config = config_of(*(one.port.address for one in tables.values()))
    daemon = await open_daemon(config, folder, lambda: time.time_ns() // 1_000_000, Events())
    try:
        yield daemon, tables
    finally:
        await daemon.stop()
        for one in tables.values():
            one.stop()
        await asyncio.sleep(0.05)


def test_on_real_sockets_nothing_of_a_fourth_table_is_lost_either(tmp_path):
    async def work() -> None:
        async with on_tcp(tmp_path) as (daemon, tables):
            await at_the_fourth(daemon, tables, each=0.05)
            # The flood was read all the while.
            flood = tables["flood"].table.board.about.uid.hex()
            assert flood in daemon.tables

    asyncio.run(work())
