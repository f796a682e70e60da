"""Lines for people who look for a fault, appended to files without waiting for a disk.

One file for each name, `NAME.jsonl`; at 10 MB it becomes `NAME.jsonl.1` and older ones move up,
three of them are kept. What nobody could write in time is dropped, counted, and said in the file:
`{"at": ms, "lost": n}` stands where n lines are missing.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tablectl.journal.place import file_name

MOST_WAITING: Final = 2000
"""Lines of one name that wait for the disk."""
LARGEST: Final = 10_000_000
"""Bytes of one file."""
OLDER: Final = 3
"""Full files that are kept of one name."""


def _utc_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass
class _Waiting:
    """Lines of one name, and how many after them found no room."""

    lines: list[str] = field(default_factory=list)
    lost: int = 0


class Scribe:
    """A thread that appends lines; nobody waits for it."""

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], int] = _utc_ms,
        *,
        most_waiting: int = MOST_WAITING,
        largest: int = LARGEST,
    ) -> None:
        """`clock` gives the ms that lines have too. Starts the thread; files are made when there is
        something to write."""
        self._folder = folder
        self._clock = clock
        self._most = most_waiting
        self._largest = largest
        self._lock = threading.Condition()
        self._waiting: dict[str, _Waiting] = {}
        self._missing: dict[str, int] = {}
        self._closing = False
        self.failing: str | None = None
        """Why the last lines could not be written, None if they were."""
        self._thread = threading.Thread(target=self._run, name="scribe", daemon=True)
        self._thread.start()

    def write(self, name: str, line: str) -> None:
        """Append a line, without its end, to the file of `name`, or count it as lost. After
        `close` it does nothing."""
        with self._lock:
            if self._closing:
                return
            waiting = self._waiting.setdefault(name, _Waiting())
            if len(waiting.lines) >= self._most:
                waiting.lost += 1
            else:
                waiting.lines.append(line)
                self._lock.notify()

    def close(self, within: float = 2.0) -> None:
        """Write what waits and end the thread, in `within` seconds. Blocks: not for an event loop
        (`asyncio.to_thread`)."""
        with self._lock:
            self._closing = True
            self._lock.notify()
        self._thread.join(within)

    # ── in the thread ───────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        while True:
            with self._lock:
                while not self._waiting and not self._closing:
                    self._lock.wait()
                taken, self._waiting = self._waiting, {}
                if not taken:
                    return
            for name, waiting in taken.items():
                self._append(name, waiting)

    def _append(self, name: str, waiting: _Waiting) -> None:
        missing = self._missing.pop(name, 0)
        lines = [self._gap(missing)] if missing else []
        lines += waiting.lines
        if waiting.lost:
            lines.append(self._gap(waiting.lost))
        try:
            self._write(self._folder / f"{file_name(name)}.jsonl", "\n".join([*lines, ""]).encode())
        except OSError as error:
            self.failing = error.strerror or str(error)
            self._missing[name] = missing + len(waiting.lines) + waiting.lost
        else:
            self.failing = None

    def _gap(self, lost: int) -> str:
        return json.dumps({"at": self._clock(), "lost": lost})

    def _write(self, path: Path, data: bytes) -> None:
        """All of it or nothing. Raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        size = path.stat().st_size if path.exists() else 0
        if size and size + len(data) > self._largest:
            self._move_up(path)
            size = 0
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            while data:
                data = data[os.write(file, data) :]
        except OSError:
            os.ftruncate(file, size)
            raise
        finally:
            os.close(file)

    def _move_up(self, path: Path) -> None:
        for n in range(OLDER, 0, -1):
            newer = path.with_name(f"{path.name}.{n - 1}") if n > 1 else path
            if newer.exists():
                newer.replace(path.with_name(f"{path.name}.{n}"))
