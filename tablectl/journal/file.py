"""The journal's file as such: its one writer's lock, its formats, and how it comes to the newest.

A migration is one transaction: a daemon killed in it, or a full disk, leaves the format before.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from tablectl.errors import TablectlError
from tablectl.journal import marks, problems

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
    marks.MIGRATION,
)
"""Each brings a journal one format further; its place is the format that it ends with."""

FORMAT: Final = len(MIGRATIONS)


def there(path: Path) -> bool:
    """Whether there is such a file. Raises TablectlError `journal.unreadable` where nobody can say:
    a folder is another user's, or the name is none."""
    try:
        return path.exists()
    except OSError as error:
        raise problems.not_read(error, path) from None


def lock(path: Path) -> int:
    """Only one writer: a lock on a file beside the journal, gone with its process. Raises
    TablectlError `journal.locked`, `.unwritable`, `.full`."""
    beside = _lock_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            held = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            _take(held, path)
            if _is(held, beside):
                break
            os.close(held)  # its holder took the file away with him
    except OSError as error:
        raise problems.not_written(error, beside) from None
    with suppress(OSError):  # the lock holds even where its holder cannot be told
        os.ftruncate(held, 0)
        os.pwrite(held, str(os.getpid()).encode(), 0)
    return held


def unlock(held: int) -> None:
    """Let the next writer in."""
    os.close(held)


def unmake(path: Path, held: int) -> None:
    """Take a journal away that could not be made, and let the next writer in."""
    for file in (
        *(path.with_name(path.name + end) for end in ("", "-wal", "-shm")),
        _lock_of(path),
    ):
        with suppress(OSError):
            file.unlink()
    unlock(held)


def connect(path: Path, writer: bool) -> sqlite3.Connection:
    """Open it; a writer makes it where there is none. Raises TablectlError `journal.missing`,
    `.unreadable`, and OSError or sqlite3.Error where it cannot be opened."""
    if not there(path):
        if not writer:
            raise TablectlError(problems.MISSING, where=str(path))
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


def check_format(db: sqlite3.Connection, path: Path) -> int:
    """The format of the file, 0 for a new one. Raises TablectlError `journal.not_ours`, `.newer`,
    `.damaged`."""
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
        raise TablectlError(problems.DAMAGED, where=str(path), why=problems.plain(sound))
    return int(found)


def migrate(db: sqlite3.Connection) -> None:
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


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _take(held: int, path: Path) -> None:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        pid = os.pread(held, 32, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(held)
        raise TablectlError(problems.LOCKED, where=str(path), pid=pid) from None


def _is(held: int, path: Path) -> bool:
    """Whether an open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(held), path.stat())
    except FileNotFoundError:
        return False
