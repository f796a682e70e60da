"""What `demo` shows: a simulated table, people who play at it, and the daemon that follows them.

All in one process and in a state directory of its own, which is gone at the end. The table is
followed as `watch` follows any other; other commands reach the daemon too, as it says at first.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, Final

from tablectl.app.config import Config, DaemonConfig, TableConfig
from tablectl.app.service import Wish
from tablectl.app.table import Table
from tablectl.cli.ending import hold_back, let_through
from tablectl.cli.parlour import Parlour, parlour, until_signalled
from tablectl.cli.players import Room, Screen, new_game
from tablectl.cli.replay import lines
from tablectl.cli.shown import Told
from tablectl.cli.watch import Screen as Shown
from tablectl.cli.watch import screen_of, take
from tablectl.core.preset import Preset
from tablectl.core.record import Record, read_record
from tablectl.errors import NO, TablectlError, declare
from tablectl.link.simulated import Sims
from tablectl.people.play import Players

NAME: Final = "demo"
PATIENCE: Final = 30.0
"""Seconds until the simulated table has to be ready."""
LOOK: Final = 0.02
NOT_READY: Final = declare(
    "cli.not_ready",
    "the simulated table has not become ready within {seconds} seconds",
    "This machine is very busy; try it again, or with a smaller --speed.",
    status=NO,
)


def played(
    rules: Preset,
    records: Sequence[Record],
    *,
    preset: str,
    model: str,
    seed: int | None,
    speed: float,
    hands: int,
    clumsy: float,
    port: int,
    as_json: bool,
) -> None:
    """Play the records, else `hands` hands (0: until somebody ends it), and follow them. Raises
    TablectlError for what cannot be played, BrokenPipeError when nobody reads it any more.

    `preset`: how the rule was named; `speed`: the table's seconds for each second."""
    url = f"sim:{model}:{NAME}"
    config = Config(DaemonConfig(port=port), (TableConfig(url=url, name=NAME, preset=preset),))
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    sims = Sims(seed, speed, boot=int(time.time()) % 2**31)
    hold_back()  # until the loop hears signals: no folder is left behind
    try:
        with tempfile.TemporaryDirectory(prefix="tablectl-demo-") as folder:
            demo = _Demo(config, Path(folder), sims, seed, as_json=as_json)
            asyncio.run(demo.run(rules, hands, records, clumsy))
    finally:
        let_through()


def record_of(rules: Preset, file: str, hand: int) -> Record:
    """One hand of a file, or of `-`. Raises TablectlError `cli.no_hand`, `cli.file` and what is
    wrong with the line."""
    found = [line for line in lines(file) if line.strip()]
    if not 0 <= hand < len(found):
        raise TablectlError("cli.no_hand", hand=hand, file=file, found=len(found))
    return read_record(rules, found[hand], hand + 1)


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
        screen: Shown | None = None
        try:
            with until_signalled() as stop:
                async with parlour(self._config, self._state, _silent, self._sims) as here:
                    table = await self._table(here)
                    said = await self._select(table, rules)
                    await asyncio.to_thread(self._announce, here, said)
                    about = self._about(here, said)
                    screen = screen_of(self._state, as_json=self._as_json, about=about)
                    following = asyncio.ensure_future(follow(table, screen))
                    playing = self._play(table, rules, hands, records, clumsy)
                    with screen.resizing():
                        over = await _first(stop.wait(), playing, following, here.daemon.failed)
                    # At once: a second signal ends everything, whatever the terminal shows then.
                    screen.leave()
                await following
                for task in over:
                    task.result()
        finally:
            if screen is not None:
                screen.end()

    async def _table(self, here: Parlour) -> Table:
        """The simulated table, once its board has said what it is. Raises what its line complains
        of, `cli.not_ready`."""
        [line] = here.daemon.lines()
        for _ in range(int(PATIENCE / LOOK)):
            [line] = here.daemon.lines()
            if line.state.stage == "ready":
                return here.daemon.table(NAME)
            if line.state.stage in ("absent", "refused") and line.complaint is not None:
                raise line.complaint
            await asyncio.sleep(LOOK)
        raise line.complaint or TablectlError(NOT_READY, seconds=int(PATIENCE))

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

    def _about(self, here: Parlour, said: Sequence[str]) -> list[Told]:
        """The same, for a terminal in which the table takes the place of these lines."""
        return [
            Told("API", f"{here.url}/api/v1/tables · seed {self._seed}"),
            *(Told("chosen", line) for line in said),
            Told("watch", f"tablectl watch {NAME} --state {here.state}"),
        ]

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


async def _first(
    stop: Coroutine[Any, Any, Any],
    playing: Coroutine[Any, Any, None],
    following: asyncio.Future[None],
    failed: asyncio.Future[Any],
) -> set[asyncio.Future[Any]]:
    """What is over first. What was begun here is ended; what is followed ends with the daemon."""
    ours: set[asyncio.Future[Any]] = {asyncio.ensure_future(stop), asyncio.ensure_future(playing)}
    over, _ = await asyncio.wait({*ours, following, failed}, return_when=asyncio.FIRST_COMPLETED)
    for task in ours - over:
        task.cancel()
    await asyncio.gather(*(ours - over), return_exceptions=True)
    return over


def _silent(event: str, **values: Any) -> None:
    """What the daemon would log is on the screen."""
