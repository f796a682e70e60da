"""A whole daemon with all that is real (files, threads, a pseudo-terminal, its server) blocks its
event loop nowhere: from its start over a hand that people play to its stop."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from support.blocking import no_blocking
from support.parlour import Events
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tablectl.api.token import FILE, read_token
from tablectl.app.config import Config, DaemonConfig, TableConfig
from tablectl.app.service import Wish
from tablectl.cli.parlour import parlour
from tablectl.cli.players import Room, Screen
from tablectl.core.preset_file import find_preset
from tablectl.people.play import Players
from tablesim.port import PtyPort
from tablesim.serve import Served
from tablesim.table import Table, find_model

SPEED = 40
"""Ms of the table for each ms."""
PATIENCE = 90.0
IGNORED = {"type": "sensor_ignored", "ability": "points"}
"""About nothing that changes while the machine works on."""
KEY = "00000000-0000-4000-8000-000000000001"


def test_nothing_blocks_the_loop(tmp_path: Path) -> None:
    rules = find_preset("riichi-4p")
    messages: list[dict[str, Any]] = []

    async def follow(url: str) -> None:
        """To the daemon's stop; whoever is too slow for a busy machine comes again."""
        while not messages or messages[-1].get("again") != "stopping":
            async with connect(url.replace("http", "ws") + "/api/v1/stream", proxy=None) as line:
                await line.send(json.dumps({"table": "east", "since": None}))
                with suppress(ConnectionClosed):
                    while True:
                        messages.append(json.loads(await line.recv()))

    async def ask(url: str, table: Any) -> None:
        token = await asyncio.to_thread(read_token, tmp_path / "state" / FILE)
        leave = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=20) as client:
            for path in ("tables", "tables/east", "tables/east/facts?since=0", "presets"):
                assert (await client.get(f"/api/v1/{path}")).status_code == 200
            assert (await client.get("/healthz")).status_code == 200
            tap = {"key": KEY, "seen": table.seq, "fact": IGNORED}
            for _ in range(2):
                answer = await client.post("/api/v1/tables/east/facts", headers=leave, json=tap)
                assert answer.status_code == 200, answer.text

    async def work() -> None:
        sim = Table(find_model("presence"), "east", seed=3)
        served = Served(sim, lambda heard: PtyPort(tmp_path / "line", heard), SPEED)
        await served.start()
        config = Config(
            DaemonConfig(port=0, capture=True),
            (TableConfig(served.port.address, "east", rules.name),),
        )
        try:
            async with parlour(config, tmp_path / "state", Events()) as here:
                async with asyncio.timeout(PATIENCE):
                    while not all(line.state.stage == "ready" for line in here.daemon.lines()):
                        await asyncio.sleep(0.02)
                    table = here.daemon.table("east")
                    following = asyncio.create_task(follow(here.url))
                    await table.command(Wish("note", preset=rules.name, number=1))
                    await table.command(Wish("select", preset=rules.name))
                    rng = random.Random(3)
                    people = Players(
                        rules,
                        Room(served, table),
                        Screen(table, rng),
                        rng,
                        abilities=frozenset(sim.model.abilities),
                    )
                    await people.play_hand()
                    await ask(here.url, table)
                    served.port.unplug()
                    while table.known.state.machine.link:
                        await asyncio.sleep(0.02)
                    await served.port.plug()
                    while not table.known.state.machine.link:
                        await asyncio.sleep(0.02)
            await following
        finally:
            served.stop()

    with no_blocking(strict=True):
        asyncio.run(work())
    assert messages[-1]["again"] == "stopping"
    assert sum("changes" in message for message in messages) > 100
