"""What a daemon asks of its journal, without waiting for a disk in its event loop.

    submit ──▶ queue of its table ──▶ group ──▶ sealed faces, fsync ──▶ one commit ──▶ futures

A group is one transaction, made of every table's share (`groups`). Faces are durable before the
entries that say that they were read. Who commits, a thread or the loop, is said in `writer`.
"""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tablectl.core.entry import Entry
from tablectl.core.wall import Place
from tablectl.errors import TablectlError
from tablectl.journal import problems
from tablectl.journal.faces import SEALED, Faces, wipe
from tablectl.journal.groups import Groups
from tablectl.journal.place import file_name
from tablectl.journal.store import Draft, Journal, Kept, advanced

AT_ONCE: Final = 1000
"""Entries that are read between two groups, at most."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Drafts of one table that are kept together or not at all, and faces sealed with them."""

    table: str
    drafts: tuple[Draft, ...]
    faces: tuple[tuple[Place, str], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if any(draft.table != self.table for draft in self.drafts):
            raise ValueError(f"a draft of another table in a batch of {self.table}")


@dataclass(frozen=True, slots=True)
class Health:
    """`waiting`: drafts not taken into a group yet. `commit_ms`: how long the last commit took,
    None before the first. `failing`: the code of the last failure, None where the last group was
    kept; `since`: UTC ms of the first failure in a row."""

    waiting: int = 0
    commit_ms: float | None = None
    failing: str | None = None
    since: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Something that waits: a batch, or (None) that a table's faces are to be forgotten."""

    table: str
    batch: Batch | None
    future: asyncio.Future[Any]

    @property
    def size(self) -> int:
        return max(1, len(self.batch.drafts)) if self.batch is not None else 1

    @property
    def ends_turn(self) -> bool:
        # A group seals before it forgets: what is sealed later is of another hand.
        return self.batch is None


@dataclass
class Done:
    """What became of a group. `stopped`: tables whose later batches must not be kept before what
    failed has been said again."""

    kept: list[tuple[Work, list[Kept] | None]] = field(default_factory=list)
    failed: list[tuple[Work, TablectlError]] = field(default_factory=list)
    stopped: dict[str, TablectlError] = field(default_factory=dict)


class Writing(ABC):
    """An open journal and its files of sealed faces, owned until `close`.

    Where the disk fails, a batch fails with everything of its table that was submitted until its
    failure is told, so that what is durable of a board never leaps over what is not: the caller
    submits all of it again, in order, when it likes. A batch that cannot be an entry fails alone.
    """

    def __init__(
        self,
        journal: Journal,
        faces_folder: Path,
        loop: asyncio.AbstractEventLoop | None,
        clock: Callable[[], int],
        timer: Callable[[], float],
    ) -> None:
        """`faces_folder` holds `TABLE.jsonl`; `clock` is UTC ms, `timer` seconds. Blocks: opens the
        faces that are there. Raises TablectlError `journal.damaged`, `.unwritable`."""
        self._journal = journal
        self._folder = faces_folder
        self._loop = loop
        self._clock = clock
        self._timer = timer
        self._lock = threading.Condition()
        self._groups: Groups[Work] = Groups()
        self._closing = False
        self._health = Health()
        self._durable = journal.boards()
        self._faces: dict[str, Faces] = {}
        for path in sorted(faces_folder.glob("*.jsonl")):
            self._open_faces(path)

    # ── from the loop's thread ──────────────────────────────────────────────────────────────────

    def submit(self, batch: Batch) -> asyncio.Future[list[Kept]]:
        """Let a batch wait for its group; resolves when it is durable, with what became of each
        draft. Fails with TablectlError `journal.full`, `.unwritable`, `.damaged`, `.faces`,
        `.draft`, `.closed`. Giving up the future does not take the batch back."""
        return self._submit(batch.table, batch)

    def forget(self, table: str) -> asyncio.Future[None]:
        """The hand is closed: what was sealed before this call is unknown from then on, on the disk
        too. Fails with `journal.unwritable`, `.closed`."""
        return self._submit(table, None)

    def face(self, table: str, place: Place) -> str | None:
        """What lies there, None if nobody has read it. For the moment when it is turned up."""
        faces = self._faces.get(file_name(table))
        return faces.face(place) if faces is not None else None

    def sealed(self, table: str) -> tuple[str, ...]:
        """The faces of all tiles that were read, without their places and in an order that says
        nothing of them: for a census."""
        faces = self._faces.get(file_name(table))
        return faces.counted() if faces is not None else ()

    def recall(self, uid: str) -> tuple[int, int] | None:
        """The last boot of a board and its last durable edge, None for one never met."""
        return self._durable.get(uid)

    @property
    def health(self) -> Health:
        """How it goes, now."""
        health = self._health
        return Health(self._groups.waiting, health.commit_ms, health.failing, health.since)

    @abstractmethod
    async def entries(self, table: str, since: int, limit: int) -> list[Entry]:
        """A table's entries behind `since`, at most `limit` and never more than AT_ONCE. Raises
        TablectlError `journal.damaged`, `.closed`."""

    @abstractmethod
    async def close(self, within: float) -> None:
        """Take nothing more, commit what waits and close the files, in `within` seconds. What is
        not known to be durable then fails with `journal.closed`."""

    @abstractmethod
    def _wake(self) -> None:
        """Something waits. Called with the lock held."""

    def _submit(self, table: str, batch: Batch | None) -> asyncio.Future[Any]:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        future = self._loop.create_future()
        with self._lock:
            if self._closing:
                future.set_exception(self._closed())
            else:
                self._groups.add(Work(table, batch, future))
                self._wake()
        return future

    def _deliver(self, done: Done) -> None:
        """Tell what became of a group, in the loop. Everything of a stopped table that came in
        meanwhile fails too."""
        with self._lock:
            behind = [
                (work, error)
                for table, error in done.stopped.items()
                for work in self._groups.drop(table)
            ]
            if behind or done.stopped:
                self._wake()
        for work, kept in done.kept:
            if not work.future.done():
                work.future.set_result(kept)
        for work, error in (*done.failed, *behind):
            if not work.future.done():
                work.future.set_exception(error)

    def _closed(self) -> TablectlError:
        return TablectlError(problems.CLOSED, where=str(self._journal.path))

    # ── where it may block ──────────────────────────────────────────────────────────────────────

    def _commit(self, group: Sequence[Work]) -> Done:
        """Faces, then entries, then what is to be forgotten."""
        done = Done()
        began = self._timer()
        self._seal(group, done)
        batches = [
            work for work in group if work.batch is not None and work.table not in done.stopped
        ]
        self._keep(batches, done)
        told = {id(work) for work, _ in (*done.kept, *done.failed)}
        for work in group:
            if work.batch is None:
                self._forget(work, done)
            elif id(work) not in told:
                done.failed.append((work, done.stopped[work.table]))
        with self._lock:
            self._groups.hold(done.stopped)
        if batches or done.stopped or any(work.batch is None for work, _ in done.failed):
            self._note(done, (self._timer() - began) * 1000)
        return done

    def _note(self, done: Done, took: float) -> None:
        # What is no entry fails alone; that faces could not be forgotten is the disk's.
        forgets = (error for work, error in done.failed if work.batch is None)
        failing = next((error.code for error in (*done.stopped.values(), *forgets)), None)
        since = None
        if failing is not None:
            since = self._health.since if self._health.since is not None else self._clock()
        self._health = Health(0, took, failing, since)

    def _seal(self, group: Sequence[Work], done: Done) -> None:
        """Make the faces of a group durable, one table after another."""
        faces: dict[str, dict[Place, str]] = {}
        for work in group:
            if work.batch is not None and work.batch.faces:
                faces.setdefault(work.table, {}).update(work.batch.faces)
        for table, sealed in faces.items():
            path = self._folder / f"{file_name(table)}.jsonl"
            try:
                if path.stem not in self._faces:
                    self._faces[path.stem] = Faces(path)
                self._faces[path.stem].keep(sealed.items())
            except TablectlError as error:
                done.stopped[table] = error

    def _keep(self, batches: Sequence[Work], done: Done) -> None:
        """One commit of all; where that fails for what is in one of them, each by itself."""
        error = self._try(batches, done)
        if error is None:
            return
        if error.code in problems.OF_THE_DISK:
            done.stopped.update({work.table: error for work in batches})
            return
        for work in batches:
            if work.table in done.stopped:
                continue
            error = self._try([work], done)
            if error is None:
                continue
            if error.code in problems.OF_THE_DISK:
                done.stopped[work.table] = error
            else:
                done.failed.append((work, error))

    def _try(self, batches: Sequence[Work], done: Done) -> TablectlError | None:
        drafts = [draft for work in batches if work.batch for draft in work.batch.drafts]
        try:
            kept = iter(self._journal.commit(drafts))
        except TablectlError as error:
            return error
        for work in batches:
            if work.batch is not None:
                done.kept.append((work, [next(kept) for _ in work.batch.drafts]))
        for draft in drafts:
            if draft.edge is not None:
                known = self._durable.get(draft.table)
                self._durable[draft.table] = advanced(known, draft.edge)
        return None

    def _forget(self, work: Work, done: Done) -> None:
        path = self._folder / f"{file_name(work.table)}.jsonl"
        faces = self._faces.get(path.stem)
        try:
            if faces is None:
                wipe(path)
            else:
                faces.empty()
                del self._faces[path.stem]
                faces.close()
        except TablectlError as error:
            done.failed.append((work, error))
        else:
            done.kept.append((work, None))

    def _open_faces(self, path: Path) -> None:
        """Faces that a killed daemon kept. A damaged file is its own table's trouble, and is told
        when that table seals a face."""
        try:
            if path.stat().st_size:
                self._faces[path.stem] = Faces(path)
        except OSError:
            return
        except TablectlError as error:
            if error.code not in (*problems.OF_THE_DISK, SEALED):
                raise

    def _close_files(self) -> None:
        for faces in self._faces.values():
            faces.close()
        self._faces = {}
        self._journal.close()
