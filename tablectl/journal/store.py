"""The journal's file: entries committed in groups, numbered for each table, each key once.

    table   id, name                     a table's stable identity
    entry   table, seq, key, body, crc   seq dense from 1; body is the entry as one line of JSON
    board   table, boot, edge            up to where a board's edges are durable
    gap     table, first, last           numbers that a repair did not find again
    mark, game                           where to read from (`marks`)

Write-ahead log, synchronous FULL: what `commit` has given back survives a power cut. One writer
holds a lock beside the file; readers need none. Every call blocks: a daemon calls from a thread.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from tablectl.core import facts
from tablectl.core.entry import Entry, Who, decode_entry, encode_entry
from tablectl.core.facts import AnyFact
from tablectl.errors import TablectlError
from tablectl.journal import marks, problems
from tablectl.journal.file import (
    FORMAT,
    check_format,
    connect,
    lock,
    migrate,
    there,
    unlock,
    unmake,
)

MOST: Final = 2**63 - 1
"""No number is larger."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that has no number yet. `edge`: (boot, edge) up to which a board's edges are durable
    with it. `opens`: what the daemon noted of the open game (`marks.opens_behind`)."""

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
    opens: int | None = None


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
        self._lock = lock(path) if writer else None
        new = False
        try:
            new = writer and not there(path)
            found = self._open(writer)
        except sqlite3.Error as error:
            told = problems.told(error, path, writer=writer)
            self._unlock(new)
            raise told from None
        except OSError as error:
            self._unlock(new)
            raise problems.not_written(error, path) from None
        except BaseException:
            self._unlock(new)
            raise
        self._ids: dict[str, int] = {}
        # A reader leaves an old journal as it is.
        self._indexed = writer or found >= marks.FORMAT
        self._marks = "mark" if self._indexed else f"({marks.DERIVED})"

    def _open(self, writer: bool) -> int:
        """Gives the format that it was found in."""
        self._db = connect(self.path, writer)
        try:
            found = check_format(self._db, self.path)
            if writer:
                migrate(self._db)
                if marks.point_to_nothing(self._db):
                    marks.derive(self._db)
            elif not found:  # a daemon was killed before it had made it
                raise TablectlError(problems.MISSING, where=str(self.path))
        except BaseException:
            self._db.close()
            raise
        return found

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
        kept once. No draft at all: only try whether anything can be written. Raises TablectlError
        `journal.full`, `.unwritable`, `.damaged`, and, where the disk is well and one of the drafts
        is nothing that can be kept, `.draft`."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                if not drafts:
                    self._db.execute(f"PRAGMA user_version = {FORMAT}")  # the same once more
                kept = [self._keep(draft) for draft in drafts]
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self._ids.clear()
                raise
        except problems.NO_DRAFT as error:
            raise TablectlError(problems.DRAFT, where=str(self.path), why=error) from error
        except sqlite3.Error as error:
            raise problems.told(error, self.path) from None
        return kept

    def _keep(self, draft: Draft) -> Kept:
        table = self._table(draft.table)
        if draft.edge is not None:
            self._mark(table, *draft.edge)
        if draft.opens is not None:
            marks.note(self._db, table, draft.opens)
        found = self._db.execute(
            "SELECT body FROM entry WHERE table_id = ? AND key = ?", (table, draft.key)
        ).fetchone()
        if found is not None:
            return Kept(decode_entry(found[0]), repeated=True)
        # A number that was lost at the end is not given to another entry.
        (last,) = self._db.execute(
            "SELECT max((SELECT coalesce(max(seq), 0) FROM entry WHERE table_id = :table),"
            " (SELECT coalesce(max(last), 0) FROM gap WHERE table_id = :table))",
            {"table": table},
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

    def restore(self, entries: Iterable[Entry]) -> None:
        """Take over the entries of another journal with their numbers, in any order; the first of a
        number counts, and of a key."""
        with self._transaction():
            for entry in entries:
                self._insert(self._table(entry.table), entry, "OR IGNORE")

    def close_gaps(
        self, tops: Mapping[str, int], known: Mapping[str, Iterable[tuple[int, int]]]
    ) -> int:
        """Write down what is missing between the entries of each table and up to the number that it
        is said to have had last (`tops`); gives how many numbers that are that were not missing
        before (`known`). Notes what is durable of each board, as its entries say."""
        lost = 0
        with self._transaction():
            for name in dict.fromkeys((*self.tables(), *tops)):
                table = self._table(name)
                expected = 1
                for seq in (*self.numbers(name), tops.get(name, 0) + 1):
                    if seq > expected:
                        gap = (table, expected, seq - 1)
                        self._db.execute("INSERT INTO gap VALUES (?, ?, ?)", gap)
                        lost += _outside(expected, seq - 1, known.get(name, ()))
                    expected = max(expected, seq + 1)
                for entry in self.entries(name):
                    if (edge := edge_of(entry)) is not None:
                        self._mark(table, *edge)
        return lost

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self._ids.clear()
                raise
        except sqlite3.Error as error:
            raise problems.told(error, self.path) from None

    def _insert(self, table: int, entry: Entry, otherwise: str = "") -> None:
        body = encode_entry(entry)
        done = self._db.execute(
            f"INSERT {otherwise} INTO entry VALUES (?, ?, ?, ?, ?)",
            (table, entry.seq, entry.key, body, zlib.crc32(body.encode())),
        )
        if done.rowcount:
            marks.insert(self._db, table, entry)

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

    def entries(self, table: str, since: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """A table's entries behind `since`, in order, at most `limit`. Raises TablectlError
        `journal.damaged`."""
        return self._entries(
            "WHERE name = ? AND seq > ? ORDER BY seq LIMIT ?",
            (table, since, -1 if limit is None else max(0, limit)),
        )

    def entry(self, table: str, seq: int) -> Entry | None:
        """One entry, None if there is none. Raises TablectlError `journal.damaged`."""
        return next(self._entries("WHERE name = ? AND seq = ?", (table, seq)), None)

    def last(self, table: str, word: str, before: int | None = None) -> Entry | None:
        """The last entry of a type that is marked (`marks.MARKED`), the last before the seq
        `before`; None if there is none. Raises TablectlError `journal.damaged`."""
        found = self._read(
            f"SELECT max(seq) FROM {self._marks} JOIN tables ON id = table_id"
            " WHERE name = ? AND type = ? AND seq < ?",
            (table, word, MOST if before is None else before),
        )
        return None if found == [(None,)] else self.entry(table, found[0][0])

    def marked(self, table: str, word: str, since: int = 0) -> list[Entry]:
        """All entries of a marked type behind `since`. Raises TablectlError `journal.damaged`."""
        return list(
            self._entries(
                f"JOIN {self._marks} AS mark USING (table_id, seq)"
                " WHERE name = ? AND type = ? AND seq > ? ORDER BY seq",
                (table, word, since),
            )
        )

    def numbers(self, table: str) -> list[int]:
        """The numbers of its entries."""
        query = "SELECT seq FROM entry JOIN tables ON id = table_id WHERE name = ? ORDER BY seq"
        return [seq for (seq,) in self._read(query, (table,))]

    def opens_at(self, table: str) -> int:
        """The seq behind which everything lies that the open game needs, and the game before it,
        by which the machine's state and the last hand are known; 0 if nobody noted one."""
        if not self._indexed:
            return 0
        query = "SELECT before FROM game JOIN tables ON id = table_id WHERE name = ?"
        found: list[tuple[int]] = self._read(query, (table,))
        return found[0][0] if found else 0

    def opening(self, table: str) -> list[Entry]:
        """What a daemon folds when it starts: everything behind `opens_at`; before that only the
        board, and the sensors set aside with what corrects them. Raises `journal.damaged`."""
        since = self.opens_at(table)
        board = self.last(table, "board", since + 1)
        found = [e for e in self.marked(table, "sensor_ignored") if e.seq <= since]
        if found:
            said = [*self.marked(table, "retract"), *self.marked(table, "replace")]
            before = (e for e in said if e.seq <= since)
            found += marks.corrections(before, [e.seq for e in found])
        if board is not None:
            found.append(board)
        return [*sorted(found, key=lambda e: e.seq), *self.entries(table, since)]

    def durable(self, table: str) -> tuple[int, int] | None:
        """The board's last boot and its last durable edge, None for a board never met."""
        return self.boards().get(table)

    def recall(self, uid: str) -> tuple[int, int] | None:
        """The same by a board's uid, which is the name of its table."""
        return self.durable(uid)

    def boards(self) -> dict[str, tuple[int, int]]:
        """What is durable of every board that was met, by table."""
        query = "SELECT name, boot, edge FROM board JOIN tables ON id = table_id ORDER BY id"
        return {name: (boot, edge) for name, boot, edge in self._read(query)}

    def faults(self) -> list[str]:
        """Everything that is wrong with the file, as sentences; empty if nothing is."""
        said = [line for (line,) in self._read("PRAGMA integrity_check") if line != "ok"]
        found = [problems.plain(line) for line in said]
        for table in self.tables():
            expected = 0
            types: dict[int, str | None] = {}
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
                types[seq] = None
                expected = gaps.get(expected, expected - 1) + 1
                if seq != expected:
                    found.append(f"{where}: numbers {expected} to {seq - 1} are missing")
                    expected = seq
                if not _as_written(body, crc):
                    found.append(f"{where}: it is not as it was written")
                    continue
                try:
                    entry = decode_entry(body)
                except TablectlError as error:
                    found.append(f"{where}: {error.message}")
                    continue
                types[seq] = facts.tag_of(entry.fact)
                if (entry.table, entry.seq, entry.key) != (table, seq, key):
                    found.append(f"{where}: its columns are another entry's")
            marked = self._read(
                f"SELECT seq, type FROM {self._marks} JOIN tables ON id = table_id WHERE name = ?",
                (table,),
            )
            found += marks.faults(table, marked, types)
        return found

    def _entries(self, where: str, values: tuple[object, ...]) -> Iterator[Entry]:
        rows = self._read(
            f"SELECT name, seq, body, crc FROM entry JOIN tables ON id = table_id {where}", values
        )
        for table, seq, body, crc in rows:
            if not _as_written(body, crc):
                why = f"entry {seq} of table {table} is not as it was written"
                raise TablectlError(problems.DAMAGED, where=str(self.path), why=why)
            yield decode_entry(body)

    def _read(self, query: str, values: Iterable[object] = ()) -> list[Any]:
        try:
            return self._db.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise problems.told(error, self.path, writer=self._lock is not None) from None

    def _unlock(self, new: bool = False) -> None:
        if self._lock is None:
            return
        if new:
            unmake(self.path, self._lock)
        else:
            unlock(self._lock)
        self._lock = None


def _outside(first: int, last: int, gaps: Iterable[tuple[int, int]]) -> int:
    """How many of these numbers are in none of the gaps."""
    inside = sum(max(0, min(last, b) - max(first, a) + 1) for a, b in gaps)
    return max(0, last - first + 1 - inside)


def advanced(known: tuple[int, int] | None, edge: tuple[int, int]) -> tuple[int, int]:
    """What is durable of a board once one more (boot, edge) is: the newest boot counts; within it
    edges only advance."""
    if known is not None and known[0] == edge[0]:
        return edge[0], max(known[1], edge[1])
    return edge


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


def _as_written(body: object, crc: object) -> bool:
    return isinstance(body, str) and zlib.crc32(body.encode()) == crc
