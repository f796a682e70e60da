"""Who commits: a thread of its own, or, under a test's own clock, the loop itself."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tablectl.core.entry import Entry
from tablectl.errors import TablectlError
from tablectl.journal.store import Journal
from tablectl.journal.writing import AT_ONCE, Batch, Done, Health, Work, Writing

__all__ = ["Batch", "Health", "InlineWriter", "Writer", "Writing"]


def _utc_ms() -> int:
    return time.time_ns() // 1_000_000


class Writer(Writing):
    """A thread writes, one group after another, with all that came in meanwhile in the next."""

    def __init__(
        self,
        journal: Journal,
        faces_folder: Path,
        loop: asyncio.AbstractEventLoop | None = None,
        clock: Callable[[], int] = _utc_ms,
    ) -> None:
        """Start the thread. `loop`: where futures are resolved, None for the one that runs at the
        first `submit`. Blocks for a moment. Raises TablectlError `journal.damaged`,
        `.unwritable`."""
        super().__init__(journal, faces_folder, loop, clock, time.monotonic)
        self._current: list[Work] = []
        self._asked: deque[tuple[Callable[[], list[Entry]], asyncio.Future[list[Entry]]]] = deque()
        self._ended: asyncio.Future[None] | None = None
        self._over = False
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    async def entries(self, table: str, since: int, limit: int) -> list[Entry]:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        future: asyncio.Future[list[Entry]] = self._loop.create_future()

        def read() -> list[Entry]:
            return list(self._journal.entries(table, since, _bounded(limit)))

        with self._lock:
            if self._closing:
                raise self._closed()
            self._asked.append((read, future))
            self._wake()
        return await future

    async def close(self, within: float) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            self._closing = True
            if self._loop is None:
                self._loop = loop
            if self._ended is None:
                self._ended = loop.create_future()
                if self._over:
                    self._ended.set_result(None)
            self._wake()
        await asyncio.wait((self._ended,), timeout=within)
        if not self._ended.done():
            self._give_up()
            return
        while self._thread.is_alive():
            await asyncio.sleep(0)  # it said so in its last line

    def _wake(self) -> None:
        self._lock.notify_all()

    def _give_up(self) -> None:
        """The disk does not come back in time: what waits is not kept, and of what is being
        written nobody knows. The thread ends when the disk lets it."""
        with self._lock:
            left = [*self._current, *self._groups.drop_all()]
            asked = [future for _, future in self._asked]
            self._asked.clear()
        self._deliver(Done(failed=[(work, self._closed()) for work in left]))
        for future in asked:
            if not future.done():
                future.set_exception(self._closed())

    # ── in the thread ───────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        try:
            while self._turn():
                pass
        finally:
            self._close_files()
            with self._lock:
                self._closing = self._over = True
            self._post(self._end)

    def _turn(self) -> bool:
        """One group and one answer, or a wait; False once there is nothing more to do."""
        with self._lock:
            group = self._current = self._groups.take()
            asked = self._asked.popleft() if self._asked else None
            if not group and asked is None:
                if self._closing and not self._groups:
                    return False
                self._lock.wait()
                return True
        if group:
            done = self._commit(group)
            if not self._post(partial(self._deliver, done)):
                with self._lock:
                    for table in done.stopped:
                        self._groups.drop(table)
        if asked is not None:
            self._answer(*asked)
        return True

    def _answer(self, read: Callable[[], list[Entry]], future: asyncio.Future[list[Entry]]) -> None:
        try:
            entries = read()
        except TablectlError as error:
            self._post(partial(_settle, future, error))
        else:
            self._post(partial(_settle, future, entries))

    def _post(self, call: Callable[[], None]) -> bool:
        """Do it in the loop; False where there is none any more, and nobody who waits."""
        if self._loop is None:
            return False
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            return False
        return True

    def _end(self) -> None:
        self._give_up()
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)


class InlineWriter(Writing):
    """The loop itself commits, group by group, each when its turn comes: for a test under its own
    clock, where no thread may come between."""

    def __init__(
        self,
        journal: Journal,
        faces_folder: Path,
        loop: asyncio.AbstractEventLoop,
        clock: Callable[[], int] = _utc_ms,
    ) -> None:
        super().__init__(journal, faces_folder, loop, clock, loop.time)
        self._running = loop
        self._next: asyncio.Handle | None = None

    async def entries(self, table: str, since: int, limit: int) -> list[Entry]:
        if self._closing:
            raise self._closed()
        return list(self._journal.entries(table, since, _bounded(limit)))

    async def close(self, within: float) -> None:
        if self._closing:
            return
        self._closing = True
        while self._groups:
            self._turn()
        self._close_files()

    def _wake(self) -> None:
        if self._next is None:
            self._next = self._running.call_soon(self._turn)

    def _turn(self) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None
        if group := self._groups.take():
            self._deliver(self._commit(group))
        if self._groups and not self._closing:
            self._wake()


def _bounded(limit: int) -> int:
    return max(0, min(limit, AT_ONCE))


def _settle(future: asyncio.Future[list[Entry]], answer: list[Entry] | TablectlError) -> None:
    if future.done():
        return
    if isinstance(answer, TablectlError):
        future.set_exception(answer)
    else:
        future.set_result(answer)
