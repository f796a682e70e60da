"""`tablectl demo`: a simulated table, people who play at it, and the daemon that follows them.

All in one process and in a state directory of its own, which is gone at the end. The table is
followed as `watch` follows any other; other commands reach the daemon too, as it says at first.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tablectl.app.config import Config, DaemonConfig, TableConfig
from tablectl.app.service import Wish
from tablectl.app.table import Table
from tablectl.cli.parlour import Parlour, parlour, until_signalled
from tablectl.cli.players import Room, Screen, new_game
from tablectl.cli.replay import lines
from tablectl.cli.watch import Screen as Shown
from tablectl.cli.watch import screen_of, take
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset
from tablectl.core.record import Record, read_record
from tablectl.errors import TablectlError, declare
from tablectl.link.simulated import Sims
from tablectl.people.play import Players

declare(
    "cli.no_hand",
    "there is no hand {hand} in {file}: it has {found}",
    "Number the hands from 0 (--hand).",
)
SPEED: Final = declare(
    "cli.speed",
    "speed {speed} is none",
    "Give the table's seconds for each second, from 0.1 to 1000, as in --speed 4.",
)
NAME: Final = "demo"
PATIENCE: Final = 30.0
"""Seconds until the simulated table has to be ready."""


def run(
    preset: str,
    *,
    model: str,
    seed: int | None,
    speed: float,
    hands: int,
    clumsy: float,
    file: str | None,
    hand: int,
    port: int,
    as_json: bool,
) -> int:
    """Play and follow until the hands are over or Ctrl-C. Raises TablectlError for what cannot be
    read or played."""
    if not 0.1 <= speed <= 1000:
        raise TablectlError(SPEED, speed=speed)
    rules = find_preset(preset)
    records = [] if file is None else [_record(rules, file, hand)]
    url = f"sim:{model}:{NAME}"
    daemon = DaemonConfig(port=port)
    config = Config(daemon, (TableConfig(url=url, name=NAME, preset=preset),))
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    sims = Sims(seed, speed, boot=int(time.time()) % 2**31)
    with tempfile.TemporaryDirectory(prefix="tablectl-demo-") as folder:
        state = Path(folder)
        work = _Demo(config, state, sims, seed, as_json=as_json)
        asyncio.run(work.run(rules, hands, records, clumsy))
    return 0


class _Demo:
    """One demonstration."""

    def __init__(
        self, config: Config, state: Path, sims: Sims, seed: int, *, as_json: bool
    ) -> None:
        self._config = config
        self._state = state
        self._sims = sims
        self._seed = seed
        self._as_json = as_json

    async def run(
        self, rules: Preset, hands: int, records: Sequence[Record], clumsy: float
    ) -> None:
        """From the first line to the last."""
        with until_signalled() as stop:
            async with parlour(self._config, self._state, _silent, self._sims) as here:
                table = await self._table(here)
                said = await self._select(table, rules)
                await asyncio.to_thread(self._announce, here, said)
                screen = await asyncio.to_thread(screen_of, self._state, as_json=self._as_json)
                ends: list[asyncio.Future[Any]] = [
                    asyncio.ensure_future(stop.wait()),
                    asyncio.ensure_future(self._play(table, rules, hands, records, clumsy)),
                    here.daemon.failed,
                ]
                following = asyncio.ensure_future(follow(table, screen))
                over, others = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                for task in others - {here.daemon.failed}:
                    task.cancel()
                await asyncio.gather(*(others - {here.daemon.failed}), return_exceptions=True)
            await following
            for task in over:
                task.result()

    async def _table(self, here: Parlour) -> Table:
        """The simulated table, once its board has said what it is."""
        async with asyncio.timeout(PATIENCE):
            while not any(line.state.stage == "ready" for line in here.daemon.lines()):
                for line in here.daemon.lines():
                    if line.complaint is not None:
                        raise line.complaint
                await asyncio.sleep(0.02)
        return here.daemon.table(NAME)

    async def _select(self, table: Table, rules: Preset) -> list[str]:
        """The rule's number is chosen, as `select` does it."""
        said: list[str] = (await table.command(Wish("select", preset=rules.name)))["say"]
        while table.known.state.game is None:
            await asyncio.sleep(0.01)
        return said

    async def _play(
        self, table: Table, rules: Preset, hands: int, records: Sequence[Record], clumsy: float
    ) -> None:
        """People come, play and tap; `hands` 0: until somebody stops them."""
        url = self._config.tables[0].url
        served = self._sims.served[url.partition(":")[2]]
        screen = Screen(table, random.Random(f"{self._seed} taps"))
        people = Players(
            rules,
            Room(served, table),
            screen,
            random.Random(f"{self._seed} people"),
            abilities=frozenset(served.table.model.abilities),
            thorough=True,
            faces=True,
            clumsy=clumsy,
        )
        played = 0
        for record in records:
            await new_game(screen, rules, record.dealer)
            await people.play_hand(record)
        while not records and (not hands or played < hands):
            await people.play_hand()
            played += 1

    def _announce(self, here: Parlour, said: Sequence[str]) -> None:
        """Where everything is, and what was selected."""
        about = {"url": here.url, "state": str(here.state), "seed": self._seed, "say": list(said)}
        if self._as_json:
            print(json.dumps(about, ensure_ascii=False), flush=True)
            return
        print(f"API    {here.url}/api/v1/tables (GET; Ctrl-C ends everything)")
        print(f"watch  tablectl watch {NAME} --state {here.state}")
        print(f"seed   {self._seed}")
        for line in said:
            print(line)
        print(flush=True)


async def follow(table: Table, screen: Shown) -> None:
    """Show a table of this process until it is stopped."""
    view = table.view()
    while True:
        stream = table.subscribe(None)
        async for message in stream:
            if message.get("again") == "stopping":
                return
            if "again" in message:
                break
            take(view, message)
            # Where the table is drawn anew each time, only the newest is worth drawing.
            if screen.each or not stream.waiting:
                await asyncio.to_thread(screen.message, message, view)


def _record(rules: Preset, file: str, hand: int) -> Record:
    found = [line for line in lines(file) if line.strip()]
    if not 0 <= hand < len(found):
        raise TablectlError("cli.no_hand", hand=hand, file=file, found=len(found))
    return read_record(rules, found[hand], hand + 1)


def _silent(event: str, **values: Any) -> None:
    """What the daemon would log is on the screen."""
