"""A daemon that can be reached: its tables, its interface and the file by which it is found.

`run` keeps one until it is told to stop; `demo` has one with simulated tables of its own.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.api import token
from tablectl.api.pairing import Sessions
from tablectl.api.server import Server
from tablectl.app import daemon_file
from tablectl.app.config import Config
from tablectl.app.daemon import Daemon
from tablectl.app.opening import open_daemon
from tablectl.app.table import Log
from tablectl.cli.ending import let_through
from tablectl.errors import NO, TablectlError, declare
from tablectl.link.simulated import Sims

RUNS: Final = declare(
    "cli.runs",
    "a daemon runs with its state in {state} already: process {pid}, at {url}",
    "Stop it, or give this one a state directory of its own (--state).",
    status=NO,
)
STATE: Final = declare(
    "cli.state",
    "the state directory cannot be made: {why}",
    "Name one that this user may write (--state).",
    status=NO,
)
BROWSERS: Final = "browsers"
"""The file of paired browsers in the state directory."""
_DAEMON_FIRST: Final = 2.0
"""Seconds that the daemon may take to keep what was said, before those who ask are sent away."""


@dataclass(frozen=True, slots=True)
class Parlour:
    """What is open. `state`: the directory of everything that is kept."""

    daemon: Daemon
    server: Server
    state: Path

    @property
    def url(self) -> str:
        """Where it is reached."""
        return self.server.url


@asynccontextmanager
async def parlour(
    config: Config, state: Path, log: Log, sims: Sims | None = None
) -> AsyncIterator[Parlour]:
    """Open everything in the running loop, and close it in order within three seconds.

    Raises TablectlError `cli.runs` where another daemon has the state directory, `cli.state` where
    there is none, and what `open_daemon`, `ensure_token`, `Server.start` and `daemon_file.write`
    raise; then nothing is left open.
    """
    await asyncio.to_thread(_make, state)
    other = await asyncio.to_thread(daemon_file.running, state)
    if other is not None:
        raise TablectlError(RUNS, state=str(state), pid=other.pid, url=other.url)
    daemon = await open_daemon(config, state, _utc, log, sims)
    server: Server | None = None
    try:
        secret, replaced = await asyncio.to_thread(token.ensure_token, state / token.FILE)
        if replaced is not None:
            log("token", why=replaced)
        sessions = Sessions(state / BROWSERS)
        await asyncio.to_thread(sessions.load)
        about = config.daemon
        server = Server(
            daemon,
            secret,
            host=about.address,
            port=about.port,
            names=about.names,
            sessions=sessions,
        )
        await server.start()
        if about.port not in (0, server.port):
            log("port", why=f"port {about.port} is taken", port=server.port)
        await asyncio.to_thread(daemon_file.write, state, server.url)
        yield Parlour(daemon, server, state)
    finally:
        await asyncio.to_thread(daemon_file.remove, state)
        await _stop(daemon, server)


@contextmanager
def until_signalled() -> Iterator[asyncio.Event]:
    """An event that SIGINT or SIGTERM sets; the second one ends the process at once, whatever it
    does then. To be used in the running loop."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]

    def signalled() -> None:
        stop.set()
        for number in numbers:
            loop.remove_signal_handler(number)
            # What is durable stays so: a second one may cut everything short.
            signal.signal(number, signal.SIG_DFL)

    for number in numbers:
        loop.add_signal_handler(number, signalled)
    let_through()
    try:
        yield stop
    finally:
        if not stop.is_set():
            for number, handler in zip(numbers, before, strict=True):
                loop.remove_signal_handler(number)
                signal.signal(number, handler)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _make(state: Path) -> None:
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise TablectlError(STATE, where=str(state), why=error.strerror or error) from None


async def _stop(daemon: Daemon, server: Server | None) -> None:
    """The daemon first, so that who waits for an answer has it; then those who still ask."""
    stopping = asyncio.create_task(daemon.stop())
    await asyncio.wait({stopping}, timeout=_DAEMON_FIRST)
    if server is not None:
        await server.stop()
    await stopping


def _utc() -> int:
    return time.time_ns() // 1_000_000
