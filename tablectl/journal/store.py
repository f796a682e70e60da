"""The journal's file: entries committed in groups, numbered for each table, each key once.

    table   id, name                     a table's stable identity
    entry   table, seq, key, body, crc   seq dense from 1; body is the entry as one line of JSON
    board   table, boot, edge            up to where a board's edges are durable
    gap     table, first, last           numbers that a repair did not find again

Write-ahead log, synchronous FULL: what `commit` has given back survives a power cut. One writer
holds a lock beside the file; readers need none. Every call blocks: a daemon calls from a thread.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from tablectl.core import facts
from tablectl.core.entry import Entry, Who, decode_entry, encode_entry
from tablectl.core.facts import AnyFact
from tablectl.errors import TablectlError
from tablectl.journal import problems

APPLICATION: Final = 0x7AB1EC71
"""Marks the file as ours (SQLite's application_id)."""

MIGRATIONS: Final = (
    """
    CREATE TABLE tables(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE entry(
        table_id INTEGER NOT NULL REFERENCES tables(id),
        seq INTEGER NOT NULL,
        key TEXT NOT NULL,
        body TEXT NOT NULL,
        crc INTEGER NOT NULL,
        PRIMARY KEY(table_id, seq),
        UNIQUE(table_id, key)
    ) WITHOUT ROWID;
    CREATE TABLE board(
        table_id INTEGER PRIMARY KEY REFERENCES tables(id),
        boot INTEGER NOT NULL,
        edge INTEGER NOT NULL
    );
    CREATE TABLE gap(
        table_id INTEGER NOT NULL REFERENCES tables(id),
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY(table_id, first)
    ) WITHOUT ROWID;
    """,
)
"""Each brings a journal one format further; its place is the format that it ends with."""

FORMAT: Final = len(MIGRATIONS)


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that has no number yet. `edge`: (boot, edge) up to which a board's edges are durable
    with it."""

    table: str
    key: str
    fact: AnyFact
    origin: Literal["sensor", "person", "daemon", "record"] = "person"
    at: int = 0
    mono: int = 0
    took: int = 0
    who: Who | None = None
    cause: int | None = None
    after: int | None = None
    edge: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a draft: its entry, or the one that had its key already."""

    entry: Entry
    repeated: bool


class Journal:
    """An open journal. `writer` False only reads. Use it as a context, or call `close`."""

    def __init__(self, path: Path, *, writer: bool = True) -> None:
        """Open it, make it, or bring it up to this program's format. Raises TablectlError
        `journal.missing` (readers), `.locked`, `.newer`, `.not_ours`, `.damaged`, `.unwritable`,
        `.full`; then the file is as it was."""
        self.path = path
        self._lock = _lock(path) if writer else None
        try:
            self._db = _connect(path, writer)
            try:
                _check_format(self._db, path)
                if writer:
                    _migrate(self._db)
            except BaseException:
                self._db.close()
                raise
        except sqlite3.Error as error:
            self._unlock()
            raise problems.told(error, path) from None
        except BaseException:
            self._unlock()
            raise
        self._ids: dict[str, int] = {}

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let the next writer in."""
        self._db.close()
        self._unlock()

    # ── writing ─────────────────────────────────────────────────────────────────────────────────

    def commit(self, drafts: Sequence[Draft]) -> list[Kept]:
        """Make a group of drafts durable, all of them or none. A key that a table has already is
        kept once. Raises TablectlError `journal.full`, `.unwritable`, `.damaged`."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                kept = [self._keep(draft) for draft in drafts]
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self._ids.clear()
                raise
        except sqlite3.Error as error:
            raise problems.told(error, self.path) from None
        return kept

    def _keep(self, draft: Draft) -> Kept:
        table = self._table(draft.table)
        if draft.edge is not None:
            self._mark(table, *draft.edge)
        found = self._db.execute(
            "SELECT body FROM entry WHERE table_id = ? AND key = ?", (table, draft.key)
        ).fetchone()
        if found is not None:
            return Kept(decode_entry(found[0]), repeated=True)
        (last,) = self._db.execute(
            "SELECT coalesce(max(seq), 0) FROM entry WHERE table_id = ?", (table,)
        ).fetchone()
        entry = Entry(
            table=draft.table,
            seq=last + 1,
            key=draft.key,
            fact=draft.fact,
            origin=draft.origin,
            at=draft.at,
            mono=draft.mono,
            took=draft.took,
            who=draft.who,
            cause=draft.cause,
            after=draft.after,
        )
        self._insert(table, entry)
        return Kept(entry, repeated=False)

    def restore(self, entries: Iterable[Entry]) -> int:
        """Take over the entries of another journal with their numbers, into this empty one. What is
        missing between them becomes a gap; gives how many numbers that are."""
        last: dict[int, int] = {}
        lost = 0
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for entry in entries:
                table = self._table(entry.table)
                before = last.get(table, 0)
                if entry.seq > before + 1:
                    gap = (table, before + 1, entry.seq - 1)
                    self._db.execute("INSERT INTO gap VALUES (?, ?, ?)", gap)
                    lost += entry.seq - 1 - before
                last[table] = entry.seq
                self._insert(table, entry)
                if (edge := edge_of(entry)) is not None:
                    self._mark(table, *edge)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise problems.told(error, self.path) from None
        return lost

    def _insert(self, table: int, entry: Entry) -> None:
        body = encode_entry(entry)
        self._db.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?)",
            (table, entry.seq, entry.key, body, zlib.crc32(body.encode())),
        )

    def _mark(self, table: int, boot: int, edge: int) -> None:
        """The newest boot counts; within it edges only advance."""
        self._db.execute(
            "INSERT INTO board VALUES (?, ?, ?) ON CONFLICT(table_id) DO UPDATE SET"
            " edge = CASE WHEN boot = excluded.boot THEN max(edge, excluded.edge)"
            " ELSE excluded.edge END, boot = excluded.boot",
            (table, boot, edge),
        )

    def _table(self, name: str) -> int:
        if name not in self._ids:
            self._db.execute("INSERT OR IGNORE INTO tables(name) VALUES (?)", (name,))
            (self._ids[name],) = self._db.execute(
                "SELECT id FROM tables WHERE name = ?", (name,)
            ).fetchone()
        return self._ids[name]

    # ── reading ─────────────────────────────────────────────────────────────────────────────────

    def tables(self) -> list[str]:
        """The tables that it knows, in the order in which they came."""
        return [name for (name,) in self._read("SELECT name FROM tables ORDER BY id")]

    def entries(self, table: str, since: int = 0) -> Iterator[Entry]:
        """A table's entries behind `since`, in order. Raises TablectlError `journal.damaged`."""
        rows = self._read(
            "SELECT seq, body, crc FROM entry JOIN tables ON id = table_id"
            " WHERE name = ? AND seq > ? ORDER BY seq",
            (table, since),
        )
        for seq, body, crc in rows:
            if zlib.crc32(body.encode()) != crc:
                why = f"entry {seq} of table {table} is not as it was written"
                raise TablectlError(problems.DAMAGED, where=str(self.path), why=why)
            yield decode_entry(body)

    def durable(self, table: str) -> tuple[int, int] | None:
        """The board's last boot and its last durable edge, None for a board never met."""
        query = "SELECT boot, edge FROM board JOIN tables ON id = table_id WHERE name = ?"
        return next(iter(self._read(query, (table,))), None)

    def faults(self) -> list[str]:
        """Everything that is wrong with the file, as sentences; empty if nothing is."""
        found = [line for (line,) in self._read("PRAGMA integrity_check") if line != "ok"]
        for table in self.tables():
            expected = 0
            gaps = dict(
                self._read(
                    "SELECT first, last FROM gap JOIN tables ON id = table_id WHERE name = ?",
                    (table,),
                )
            )
            rows = self._read(
                "SELECT seq, key, body, crc FROM entry JOIN tables ON id = table_id"
                " WHERE name = ? ORDER BY seq",
                (table,),
            )
            for seq, key, body, crc in rows:
                expected += 1
                where = f"table {table}, entry {seq}"
                expected = gaps.get(expected, expected - 1) + 1
                if seq != expected:
                    found.append(f"{where}: numbers {expected} to {seq - 1} are missing")
                    expected = seq
                if zlib.crc32(body.encode()) != crc:
                    found.append(f"{where}: it is not as it was written")
                    continue
                try:
                    entry = decode_entry(body)
                except TablectlError as error:
                    found.append(f"{where}: {error.message}")
                    continue
                if (entry.table, entry.seq, entry.key) != (table, seq, key):
                    found.append(f"{where}: its columns are another entry's")
        return found

    def _read(self, query: str, values: Iterable[object] = ()) -> list[Any]:
        try:
            return self._db.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise problems.told(error, self.path) from None

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def edge_of(entry: Entry) -> tuple[int, int] | None:
    """The boot and the edge that an entry makes durable, by its key; None if it is of no edge."""
    kind, *rest = entry.key.split(":")
    if isinstance(entry.fact, facts.Board):
        return entry.fact.boot, 0
    if kind != "b" or len(rest) != 2 or entry.origin != "sensor":
        return None
    boot, edge = int(rest[0]), int(rest[1].partition(".")[0])
    if isinstance(entry.fact, facts.Lost):
        # Of what nobody knows how much it was, nothing more is to be had.
        return (boot, edge + entry.fact.count - 1) if entry.fact.count is not None else None
    return boot, edge


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _lock(path: Path) -> int:
    """Only one writer: a lock on a file beside the journal, gone with its process."""
    beside = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise TablectlError(problems.UNWRITABLE, where=str(beside), why=error.strerror) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        pid = os.pread(lock, 32, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise TablectlError(problems.LOCKED, where=str(path), pid=pid) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)
    return lock


def _connect(path: Path, writer: bool) -> sqlite3.Connection:
    if not writer and not path.exists():
        raise TablectlError(problems.MISSING, where=str(path))
    if writer and not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o600))
    mode = "rw" if writer else "ro"
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    db.execute("PRAGMA busy_timeout = 5000")
    return db


def _check_format(db: sqlite3.Connection, path: Path) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (found,) = db.execute("PRAGMA user_version").fetchone()
    with closing(db.execute("SELECT count(*) FROM sqlite_master")) as rows:
        empty = rows.fetchone() == (0,)
    if application != APPLICATION and not (empty and application == 0 and found == 0):
        raise TablectlError(problems.NOT_OURS, where=str(path))
    if found > FORMAT:
        raise TablectlError(problems.NEWER, where=str(path), found=found, known=FORMAT)
    (sound,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if sound != "ok":
        raise TablectlError(problems.DAMAGED, where=str(path), why=sound)


def _migrate(db: sqlite3.Connection) -> None:
    """Bring the file to this program's format, a step in one transaction each."""
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    (found,) = db.execute("PRAGMA user_version").fetchone()
    for number in range(found, FORMAT):
        db.execute("BEGIN IMMEDIATE")
        try:
            for statement in MIGRATIONS[number].split(";"):
                if statement.strip():
                    db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {number + 1}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
