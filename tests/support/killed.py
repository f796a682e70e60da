"""A simulated table that lives on while the daemon beside it is killed and started again.

    people ─▶ table ──tcp──▶ daemon (a child) ──▶ journal
       └────────taps────────▶    ✝ SIGKILL           └──▶ held against the machine's own log

The table, its people and all truths are in the test's process; nothing of the daemon survives but
its folder.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from protocols import v1
from support.unharmed import BOOT, Acted, differences, same_as_never_killed
from tablectl.app.rulebook import Rulebook
from tablectl.core.entry import Entry
from tablectl.core.facts import AnyFact
from tablectl.core.fold import History, fold_all
from tablectl.core.state import State
from tablectl.core.view import plain, view_of
from tablectl.journal.store import Journal
from tablectl.people.around import Tapped
from tablesim.port import TcpPort
from tablesim.serve import Served
from tablesim.table import Table, find_model

CHILD = Path(__file__).with_name("killed_child.py")
PATIENCE = 20.0
"""Seconds of real time after which nothing more is expected."""
LOOKS = 0.01
SPEED = 40
LINE = 1 << 24


class Dead(Exception):
    """The daemon has died before it answered."""


class Child:
    """One run of the daemon."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ready = asyncio.Event()
        self._reading = asyncio.get_running_loop().create_task(self._read())
        self.failed: str | None = None

    @classmethod
    async def made(cls) -> Child:
        """A process that waits to begin."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            CHILD,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        return cls(process)

    def begin(self, **asked: Any) -> None:
        """Be a daemon, with these words (`killed_child`)."""
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(asked) + b"\n")

    @property
    def dead(self) -> bool:
        return self._reading.done()

    async def ready(self) -> None:
        """The line is up. Raises Dead."""
        async with asyncio.timeout(PATIENCE):
            await self._ready.wait()
        if self.dead:
            raise Dead

    async def ask(self, **order: Any) -> dict[str, Any]:
        """Its answer to an order. Raises Dead."""
        if self.dead:
            raise Dead
        n = next(self._numbers)
        future = self._waiting[n] = asyncio.get_running_loop().create_future()
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode({"n": n, **order}) + b"\n")
        async with asyncio.timeout(PATIENCE):
            return await future

    def kill(self) -> None:
        """SIGKILL, now."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)

    async def died(self) -> None:
        """Wait until it is dead, killed and not ended by a mistake."""
        async with asyncio.timeout(PATIENCE):
            await self._reading
            status = await self._process.wait()
        assert status == -signal.SIGKILL, (status, self.failed)
        assert self.failed is None

    async def stop(self) -> None:
        """An orderly end, if it lives."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._reading
                await self._process.wait()
        finally:
            self.kill()
            await self._process.wait()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while (line := await self._process.stdout.readline()).endswith(b"\n"):
            said = msgspec.json.decode(line)
            if "n" in said:
                future = self._waiting.pop(said["n"])
                if not future.done():
                    future.set_result(said)
            elif said.get("event") == "ready":
                self._ready.set()
            elif "failed" in said:
                self.failed = said["failed"]
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(Dead())
                future.exception()
        self._waiting.clear()
        self._ready.set()


class Ground:
    """The table that lives on, its folder, and the daemon that runs on it now."""

    def __init__(self, folder: Path, served: Served, preset: str, acted: list[Acted]) -> None:
        self.folder, self.served, self.preset, self.acted = folder, served, preset, acted
        self.child: Child | None = None
        self.spare: Child | None = None
        self.back = asyncio.Event()
        """Set while a daemon is there that people can tap at."""
        self.told: dict[str, int] = {}
        """The seq of each tap that was answered, by its key."""
        self.wished: list[dict[str, Any]] = []
        """What wishes were answered with."""
        self.rulebook = Rulebook(folder / "rules")
        self._history = History(self.rulebook)
        self._journal: Journal | None = None

    # ── the daemon ──

    async def start(self, die: dict[str, str] | None = None, utc: int | None = None) -> Child:
        """Start a daemon where none is, to die at a door or not, when the clock shows `utc`."""
        assert self.child is None or self.child.dead
        self.child = self.spare or await Child.made()
        # The next one has all its modules in hand before it is wanted.
        self.spare = await Child.made()
        self.child.begin(
            state=str(self.folder),
            url=self.served.port.address,
            preset=self.preset,
            die=die,
            utc=utc,
        )
        return self.child

    async def up(self, utc: int | None = None) -> Child:
        """The same, and it is ready and its game has begun."""
        child = await self.start(None, utc)
        await child.ready()
        await self.until(lambda: self.state().game is not None)
        self.back.set()
        return child

    async def arm(self, at: str, fact: str = "") -> None:
        """From now on it dies at that door (`killed_child.arm`)."""
        assert self.child is not None
        await self.child.ask(do="arm", at=at, fact=fact)

    async def killed(self) -> None:
        """Kill it, wherever it is."""
        assert self.child is not None
        self.back.clear()
        self.child.kill()
        await self.child.died()

    async def tap(self, fact: AnyFact, key: str, after: int | None = None) -> Tapped:
        """Tap it, again with the same key as long as it dies before it answers."""
        while True:
            await self.back.wait()
            assert self.child is not None
            try:
                answer = await self.child.ask(
                    do="tap", key=key, fact=fact, after=after, seen=self.seq()
                )
            except Dead:
                self.back.clear()
                continue
            if "error" not in answer:
                known = self.told.setdefault(key, answer["seq"])
                assert known == answer["seq"], "a tap repeated is another fact"
                return Tapped(answer["seq"], answer["kind"], answer["text"])
            assert answer["error"] in ("app.stale", "app.table"), answer
            await asyncio.sleep(LOOKS)

    async def wish(self, **wish: Any) -> dict[str, Any] | None:
        """Want something of the table; None where the daemon dies of it."""
        assert self.child is not None
        try:
            answer = await self.child.ask(do="wish", wish=wish)
        except Dead:
            return None
        self.wished.append(answer)
        return answer

    async def until(self, true: Any, seconds: float = PATIENCE) -> None:
        """Wait until it is so."""
        async with asyncio.timeout(seconds):
            while not true():
                await asyncio.sleep(LOOKS)

    # ── its journal, read from outside ──

    def entries(self) -> list[Entry]:
        """Everything that is durable of the table."""
        self._look()
        return list(self._history.entries)

    def state(self) -> State:
        """What it folds into."""
        self._look()
        return self._history.state

    def seq(self) -> int:
        self._look()
        return len(self._history.entries)

    def _look(self) -> None:
        if self._journal is None:
            self._journal = Journal(self.folder / "journal.sqlite", writer=False)
        for name in self._journal.tables():
            for entry in self._journal.entries(name, len(self._history.entries)):
                self._history, _ = self._history.append(entry)

    def close(self) -> None:
        """Look away; the next look opens the file again."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    # ── held against the truth ──

    async def agrees(self) -> State:
        """Once all is told: the journal has everything once, its state is the machine's, and the
        daemon shows the same. Raises AssertionError with what differs."""
        table, child = self.served.table, self.child
        assert child is not None
        said: list[str] = []
        end = asyncio.get_running_loop().time() + PATIENCE
        while True:
            # What the daemon shows is of one moment, and the journal may be further by then.
            look = await child.ask(do="look")
            entries = [entry for entry in self.entries() if entry.seq <= look["seq"]]
            said = differences(entries, self.state(), table, self.told, self.acted)
            if not said and len(entries) == self.seq():
                break
            if asyncio.get_running_loop().time() > end:
                raise AssertionError("\n".join(said))
            await asyncio.sleep(LOOKS)
        assert table.board.acted == len(self.acted)
        state = fold_all(self.rulebook, entries)
        rules = self.rulebook.get(state.game.digest) if state.game is not None else None
        shown = msgspec.json.decode(msgspec.json.encode(plain(view_of(rules, state))))
        assert look["state"] == shown, "a daemon that was started again shows something else"
        same_as_never_killed(self.rulebook, entries, "presence_live" in table.model.abilities)
        with Journal(self.folder / "journal.sqlite", writer=False) as journal:
            assert journal.faults() == []
        return state


@asynccontextmanager
async def ground(
    folder: Path,
    *,
    model: str = "presence",
    preset: str = "ramen-jiro",
    seed: int = 0,
    speed: float = SPEED,
) -> AsyncIterator[Ground]:
    """A simulated table on a TCP port, and at the end nothing that runs."""
    table = Table(find_model(model), "table", seed, BOOT)
    acted: list[Acted] = []
    act = table.board._commands._act

    def noted(message: v1.Command) -> None:
        acted.append(Acted(message.conversation, message.command, type(message).__name__.lower()))
        act(message)

    table.board._commands._act = noted
    served = Served(table, lambda heard: TcpPort(0, heard), speed, seed=seed)
    await served.start()
    made = Ground(folder, served, preset, acted)
    try:
        yield made
    finally:
        for child in (made.spare, made.child):
            if child is not None:
                await child.stop()
        made.close()
        served.stop()
        await asyncio.sleep(0)
