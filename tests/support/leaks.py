"""What a test leaves behind: descriptors (with them ports), threads, processes, event loops, tasks,
files. `standing` looks before it, `left` afterwards.

Looking costs some system calls, so that it can be done round every test; only where something is
left does it wait a moment for what is on its way out, and find out more about it.
"""

from __future__ import annotations

import asyncio
import os
import stat
import tempfile
import threading
import time
from asyncio import base_events, runners
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PATIENCE = 2.0
"""Seconds in which what is ending may end."""
NOT_OURS: Final = frozenset({"build", "__pycache__"})
"""Names in the folder of the run that tests may make: boards once built are kept."""
NOBODYS: Final = "dangling"
"""What a test calls a link that leads nowhere on purpose."""

_DESCRIPTORS: Final = "/proc/self/fd"


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is: descriptors with what they are, threads, ids of processes, names of files by
    folder."""

    descriptors: dict[int, str]
    threads: frozenset[threading.Thread]
    processes: frozenset[int]
    files: dict[str, frozenset[str]]


class Loops:
    """Event loops that are made, and tasks that a runner had to cancel because nobody had ended
    them."""

    def __init__(self) -> None:
        self.made: list[base_events.BaseEventLoop] = []
        self.cancelled: list[str] = []

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Note every loop that is made, and whatever `asyncio.run` cancels at its end."""
        make, cancel = base_events.BaseEventLoop.__init__, runners._cancel_all_tasks

        def noted(loop: Any, *values: Any, **named: Any) -> None:
            make(loop, *values, **named)
            self.made.append(loop)

        def looked_at(loop: Any) -> None:
            self.cancelled += [_task(task) for task in asyncio.all_tasks(loop) if _begun(task)]
            cancel(loop)

        base_events.BaseEventLoop.__init__ = noted
        runners._cancel_all_tasks = looked_at
        try:
            yield
        finally:
            base_events.BaseEventLoop.__init__ = make
            runners._cancel_all_tasks = cancel

    def begin(self) -> None:
        """What was before is forgotten."""
        self.made.clear()
        self.cancelled.clear()

    def left(self) -> list[str]:
        """Loops that nobody closed, tasks that nobody ended."""
        found = [f"task {task}" for task in self.cancelled]
        for loop in self.made:
            found += [f"task {_task(task)}" for task in asyncio.all_tasks(loop)]
            if not loop.is_closed():
                found.append(f"event loop {loop!r}")
        return found


def standing() -> Standing:
    """What there is now."""
    return Standing(
        _descriptors(),
        frozenset(threading.enumerate()),
        _processes(),
        {folder: _names(folder) for folder in (os.getcwd(), tempfile.gettempdir())},
    )


def left(before: Standing, patience: float | None = None) -> list[str]:
    """What is there and was not before, one sentence each; nothing of what ends in time (seconds,
    None: PATIENCE)."""
    end = time.monotonic() + (PATIENCE if patience is None else patience)
    while found := _new(before):
        if time.monotonic() >= end:
            return [tell() for tell in found]
        time.sleep(0.005)
    return []


def lines_left(folder: Path) -> list[str]:
    """Names of pseudo-terminals that lie in a folder though nobody serves them any more."""
    found = []
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_symlink():
                continue
            target = os.readlink(entry.path)
            if target.startswith("/dev/pts/") and entry.name != NOBODYS:
                found.append(f"link {entry.name} to {target}")
    return found


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _new(before: Standing) -> list[Callable[[], str]]:
    now = standing()
    found: list[Callable[[], str]] = []
    for number, what in now.descriptors.items():
        if before.descriptors.get(number) != what:
            found.append(lambda number=number, what=what: _descriptor(number, what))
    for thread in now.threads - before.threads:
        found.append(lambda thread=thread: f"thread {thread.name!r}")
    for process in now.processes - before.processes:
        found.append(lambda process=process: f"process {process}: {_command(process)}")
    for folder, names in before.files.items():
        for name in now.files.get(folder, _names(folder)) - names:
            found.append(lambda path=Path(folder, name): f"file {path}")
    return found


def _descriptors() -> dict[int, str]:
    """Where the system does not tell, none are known. The first three are the run's own."""
    found = {}
    with suppress(FileNotFoundError):
        for name in sorted(set(os.listdir(_DESCRIPTORS)) - {"0", "1", "2"}, key=int):
            # The one that is listing them is gone by now.
            with suppress(FileNotFoundError):
                found[int(name)] = os.readlink(f"{_DESCRIPTORS}/{name}")
    return found


def _descriptor(number: int, what: str) -> str:
    with suppress(OSError):
        if stat.S_ISSOCK(os.fstat(number).st_mode):
            what = f"{what}, {_socket(number)}"
    return f"descriptor {number}: {what}"


def _socket(number: int) -> str:
    import socket

    with socket.socket(fileno=os.dup(number)) as found:
        listens = found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        return f"{'a port that listens' if listens else 'a connection'} at {found.getsockname()!r}"


def _processes() -> frozenset[int]:
    """Children of this process, those too that ended and that nobody waited for."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    except ChildProcessError:
        return frozenset()
    ours, found = os.getpid(), set()
    for name in os.listdir("/proc"):
        if name.isdecimal() and _parent(name) == ours:
            found.add(int(name))
    return frozenset(found)


def _parent(process: str) -> int | None:
    try:
        about = Path("/proc", process, "stat").read_text(errors="replace")
    except OSError:
        return None
    # Its name stands in parentheses and may hold any others.
    return int(about.rpartition(")")[2].split()[1])


def _command(process: int) -> str:
    try:
        words = Path("/proc", str(process), "cmdline").read_bytes().split(b"\0")
    except OSError:
        words = []
    return b" ".join(words).decode(errors="replace").strip() or "it ended, and nobody waited for it"


def _names(folder: str) -> frozenset[str]:
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return frozenset()
    return frozenset(name for name in names if name[0] != "." and name not in NOT_OURS)


def _begun(task: asyncio.Task[Any]) -> bool:
    """Somebody began it; the loop itself ends generators that were not read to their end."""
    return type(task.get_coro()).__name__ != "async_generator_athrow"


def _task(task: asyncio.Task[Any]) -> str:
    return f"{task.get_name()!r} of {getattr(task.get_coro(), '__qualname__', task.get_coro())}"
