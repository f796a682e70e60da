"""The processes that `tools/bench latency|tables|line` sets one beside the other, so that each has
a core's time of its own: boards, the daemon, subscribers.

Each is told what to do in one JSON argument and then in words, one a line; it answers in lines of
JSON. Times are `time.monotonic_ns`, which is one clock for all processes of a machine.
"""

from __future__ import annotations

import asyncio
import cProfile
import json
import pstats
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tablectl.core.preset import Preset

ROOT: Final = Path(__file__).resolve().parent.parent
for folder in ("hardware", ""):
    sys.path.insert(0, str(ROOT / folder))

from protocols import v1  # noqa: E402
from protocols.codes import place_code  # noqa: E402
from tablesim.firmware import Board  # noqa: E402
from tablesim.port import Port, PtyPort, TcpPort  # noqa: E402
from tablesim.table import about, find_model  # noqa: E402

WALLS: Final = (17, 17, 17, 17)
FULL: Final = (1 << 34) - 1
"""Bits of PRESENCE of a side of 34 tiles."""
RESTING: Final = 3.5
"""Seconds without a tile being taken, after which the deal is over."""
DEALT: Final = 53
BOOT: Final = time.time_ns() // 10**8 % 2**32
"""A number that no boot before had."""
COSTLIEST: Final = 25


def say(**values: Any) -> None:
    """A line for whoever began this process."""
    print(json.dumps(values), flush=True)


async def words() -> asyncio.StreamReader:
    """What this process is told, a line each."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


def core_seconds() -> float:
    """What this process has used of a core so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def memory() -> int:
    """Bytes of this process in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


class Idle:
    """How long this process's loop has waited for something to do. Where system calls are slow a
    loop can be busy all the time and use little of a core."""

    def __init__(self) -> None:
        self.seconds = 0.0
        selector = asyncio.get_running_loop()._selector  # type: ignore[attr-defined]
        select = selector.select

        def waited(timeout: float | None = None) -> Any:
            began = time.monotonic()
            found = select(timeout)
            self.seconds += time.monotonic() - began
            return found

        selector.select = waited


# ── boards ──────────────────────────────────────────────────────────────────────────────────────


class Scripted:
    """A board whose hand is always the same: walls rise, the dice are thrown, tiles are dealt and
    drawn with a button pressed between them, and then walls rise again."""

    def __init__(self, name: str, every: float, places: list[tuple[int, int, str]]) -> None:
        self.board = Board(about(find_model("presence"), name), lambda command: None, BOOT)
        self.every = every
        self.write: Callable[[bytes], None] = lambda data: None
        self.happened: list[tuple[int, int]] = []
        """Edges with when they were written."""
        self._places = places
        self._resting = round(RESTING / every)
        self._next = 0
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    def now(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def begin(self, wait: float) -> None:
        """Let edges happen from then on."""
        self._due = self._loop.time() + wait
        self._timer = self._loop.call_at(self._due, self._happen)

    def stop(self) -> None:
        """No more edges."""
        if self._timer is not None:
            self._timer.cancel()

    def hear(self, data: bytes) -> None:
        """Bytes from the host."""
        self.board.feed(data, self.now())
        self._flush()

    def _flush(self) -> None:
        if data := self.board.take():
            self.write(data)

    def _happen(self) -> None:
        self._due += self.every
        self._timer = self._loop.call_at(self._due, self._happen)
        self.board.tick(self.now())
        at = time.monotonic_ns()
        self.happened.append((self._edge(), at))
        self._flush()

    def _edge(self) -> int:
        at, self._next = self._next, self._next + 1
        readings, board = self.board.readings, self.board
        if at == 0:
            readings.presence = [FULL] * 4
            return board.edge(v1.RaisedEdge, 1, 1, (34, 34, 34, 34))
        if at == 1:
            return board.edge(v1.DiceEdge, 2, (3, 4, None, None))
        at -= 2
        if at < DEALT:
            return self._taken(at)
        at -= DEALT + self._resting
        if at < 0 or at % 2:
            return board.edge(v1.ButtonEdge, 9, 0, 0)
        taken = DEALT + at // 2
        if taken >= len(self._places) - 1:
            self._next = 0
        return self._taken(taken)

    def _taken(self, p: int) -> int:
        side, column, row = self._places[p]
        self.board.readings.presence[side] &= ~(1 << 2 * (column - 1) + (row == "lower"))
        return self.board.edge(v1.TakenEdge, place_code(side, column, row), 0)


def rule() -> Preset:
    """One that is played with the walls of these boards."""
    from tablectl.core.preset_file import builtin_presets, find_preset

    return next(one for one in map(find_preset, builtin_presets()) if one.walls.default == WALLS)


def drawn() -> list[tuple[int, int, str]]:
    """The places that are drawn from, in their order."""
    from tablectl.core.geometry import Inputs, plan

    rules, found = rule(), []
    for head in range(200):
        place = plan(rules, Inputs(dice=(3, 4), head=head)).next_draw
        if place is None:
            break
        found.append((place.side, place.column, place.row))
    return found


class Accepting:
    """One TCP port at which each host that comes meets another board."""

    def __init__(self, boards: list[Scripted]) -> None:
        self._free = list(boards)

    async def start(self) -> str:
        server = await asyncio.get_running_loop().create_server(
            lambda: _Meeting(self._free), "127.0.0.1", 0, backlog=1024
        )
        return f"tcp:127.0.0.1:{server.sockets[0].getsockname()[1]}"


class _Meeting(asyncio.Protocol):
    def __init__(self, free: list[Scripted]) -> None:
        self._free = free
        self._board: Scripted | None = None

    def connection_made(self, transport: Any) -> None:
        self._board = self._free.pop()
        self._board.write = transport.write

    def data_received(self, data: bytes) -> None:
        if self._board is not None:
            self._board.hear(data)

    def connection_lost(self, error: Exception | None) -> None:
        if self._board is not None:
            self._free.append(self._board)


async def boards(wanted: dict[str, Any]) -> None:
    """`tables` boards with an edge every `every` seconds, on `kind` tcp, pty or shared (one port
    for all). Words: go, stop, unplug, plug, end."""
    places = drawn()
    made = [Scripted(f"table-{n}", wanted["every"], places) for n in range(wanted["tables"])]
    ports: list[Port] = []
    with TemporaryDirectory() as folder:
        if wanted["kind"] == "shared":
            urls = [await Accepting(made).start()] * len(made)
        else:
            for n, one in enumerate(made):
                name = Path(folder, f"table-{n}")
                port = PtyPort(name, one.hear) if wanted["kind"] == "pty" else TcpPort(0, one.hear)
                await port.plug()
                one.write = port.write
                ports.append(port)
            urls = [port.address for port in ports]
        say(urls=urls, uids=[one.board.about.uid.hex() for one in made])
        told = await words()
        used = core_seconds()
        began = time.monotonic()
        while (word := (await told.readline()).strip()) != b"end":
            if word == b"go":
                used, began = core_seconds(), time.monotonic()
                for n, one in enumerate(made):
                    one.begin(one.every * (1 + n / len(made)))
            elif word == b"stop":
                for one in made:
                    one.stop()
                share = (core_seconds() - used) / (time.monotonic() - began)
                happened = {one.board.about.uid.hex(): one.happened for one in made}
                say(share=share, boot=BOOT, happened=happened)
            elif word in (b"plug", b"unplug"):
                at = time.monotonic_ns()
                for port in ports:
                    if word == b"plug":
                        await port.plug()
                    else:
                        port.unplug()
                say(at=at)
        for port in ports:
            port.unplug()


# ── the daemon ──────────────────────────────────────────────────────────────────────────────────


async def daemon(wanted: dict[str, Any]) -> None:
    """A daemon on `urls`, the first `good` of which (all without it) are waited for, with its
    journal in `state`; with `api` also its server, with `stages` telling how its lines stand
    whenever that is shown. Words: go, stop, share, end."""
    from tablectl.api.server import Server
    from tablectl.app.config import Config, DaemonConfig, TableConfig
    from tablectl.app.opening import open_daemon
    from tablectl.journal.store import Journal

    committed: list[tuple[str, str, int, int]] = []
    commit = Journal.commit

    def noted(journal: Journal, drafts: Any) -> Any:
        kept = commit(journal, drafts)
        at = time.monotonic_ns()
        committed.extend((one.entry.table, one.entry.key, one.entry.seq, at) for one in kept)
        return kept

    Journal.commit = noted  # type: ignore[method-assign]
    preset = rule().name
    tables = tuple(TableConfig(url, f"t{n}", preset) for n, url in enumerate(wanted["urls"]))
    before = memory()
    made = await open_daemon(
        Config(DaemonConfig(), tables),
        Path(wanted["state"]),
        lambda: time.time_ns() // 1_000_000,
        lambda event, **values: None,
    )
    server = Server(made, "t" * 43, port=0)
    if wanted.get("api"):
        await server.start()
    good = wanted.get("good", len(tables))
    while not all(line.state.stage == "ready" for line in made.lines()[:good]):
        await asyncio.sleep(0.05)
    while not all(table.known.state.game for table in made.tables.values()):
        await asyncio.sleep(0.05)
    followed = [
        asyncio.create_task(_stages(table)) for table in made.tables.values() if wanted["stages"]
    ]
    say(port=server.port, tables=list(made.tables), empty=before)
    told = await words()
    profile = cProfile.Profile() if wanted.get("profile") else None
    idle = Idle()
    used, began = core_seconds(), time.monotonic()
    while (word := (await told.readline()).strip()) != b"end":
        if word == b"go":
            committed.clear()
            idle.seconds = 0.0
            used, began = core_seconds(), time.monotonic()
            if profile is not None:
                profile.enable()
        elif word in (b"stop", b"share"):
            if profile is not None:
                profile.disable()
            took = time.monotonic() - began
            share = (core_seconds() - used) / took
            say(share=share, busy=1 - idle.seconds / took, took=took, memory=memory())
            if word == b"stop":
                await asyncio.sleep(0.5)
                say(committed=committed, lost=_lost(made))
    if profile is not None:
        pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(COSTLIEST)
    for task in followed:
        task.cancel()
    if wanted.get("api"):
        await server.stop()
    await made.stop()


async def _stages(table: Any) -> None:
    """Tell each stage of a table's line at the moment at which a subscriber is shown it."""
    before = None
    async for message in table.subscribe(None):
        line = (message.get("live") or {}).get("line")
        if line is not None and line["stage"] != before:
            before = line["stage"]
            say(stage=before, at=time.monotonic_ns())


def _lost(made: Any) -> int:
    """Facts of edges that fell out of a board's ring."""
    from tablectl.core import facts

    return sum(
        isinstance(entry.fact, facts.Lost)
        for table in made.tables.values()
        for entry in table.known.history.entries
    )


# ── subscribers ─────────────────────────────────────────────────────────────────────────────────


async def subscribers(wanted: dict[str, Any]) -> None:
    """`number` of them, each following `table` at the server of `port`. Words: go, stop, end."""
    from websockets.asyncio.client import connect

    heard: list[tuple[int, int]] = []
    url = f"ws://127.0.0.1:{wanted['port']}/api/v1/stream"

    async def follow(ready: asyncio.Event) -> None:
        async with connect(url, proxy=None, compression=None) as line:
            await line.send(json.dumps({"table": wanted["table"], "since": None}))
            await line.recv()
            ready.set()
            async for text in line:
                at = time.monotonic_ns()
                message = json.loads(text)
                if "changes" in message:
                    heard.append((message["seq"], at))

    tasks = []
    for _ in range(wanted["number"]):
        ready = asyncio.Event()
        tasks.append(asyncio.create_task(follow(ready)))
        await ready.wait()
    say(ready=len(tasks))
    told = await words()
    used, began = core_seconds(), time.monotonic()
    while (word := (await told.readline()).strip()) != b"end":
        if word == b"go":
            heard.clear()
            used, began = core_seconds(), time.monotonic()
        elif word == b"stop":
            share = (core_seconds() - used) / (time.monotonic() - began)
            say(share=share, heard=heard)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


PARTS: Final = {"boards": boards, "daemon": daemon, "subscribers": subscribers}

if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(PARTS[sys.argv[1]](json.loads(sys.argv[2])))
