"""A damaged journal: set aside, and what can be read of it kept in a new one.

Entries keep their numbers, since others speak of them (`target`, `after`, `cause`); what is missing
between them is written down as a gap.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.core.entry import Entry, decode_entry
from tablectl.errors import TablectlError
from tablectl.journal import problems
from tablectl.journal.store import Journal

GIVE_UP: Final = 1000
"""Numbers in a row that cannot be read, after which nothing more is looked for."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """Where the damaged file is now, entries kept, and numbers of entries that are missing."""

    aside: Path
    kept: int
    lost: int


def repair(path: Path) -> Repaired:
    """Set the file aside under the first free name and keep what can be read. The damaged file is
    never changed. Raises TablectlError `journal.missing`, `.unwritable`, `.full`."""
    if not path.exists():
        raise TablectlError(problems.MISSING, where=str(path))
    names = (path.with_name(f"{path.name}.damaged-{n}") for n in range(1, 10_000))
    aside = next(name for name in names if not name.exists())
    try:
        path.rename(aside)
        for beside in ("-wal", "-shm"):
            old = path.with_name(path.name + beside)
            if old.exists():
                old.rename(aside.with_name(aside.name + beside))
    except OSError as error:
        raise TablectlError(problems.UNWRITABLE, where=str(path), why=error.strerror) from None
    found = list(_salvage(aside))
    with Journal(path) as journal:
        lost = journal.restore(found)
    return Repaired(aside, len(found), lost)


def _salvage(path: Path) -> Iterator[Entry]:
    """Every entry that can be read, one by one: a bad page must not cost the rest."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        for table in _tables(db):
            seq = missed = 0
            while missed < GIVE_UP:
                seq += 1
                entry = _read(db, table, seq)
                missed = missed + 1 if entry is None else 0
                if entry is not None:
                    yield entry
    finally:
        db.close()


def _tables(db: sqlite3.Connection) -> list[int]:
    for query in ("SELECT id FROM tables ORDER BY id", "SELECT DISTINCT table_id FROM entry"):
        try:
            return [number for (number,) in db.execute(query)]
        except sqlite3.Error:
            continue
    return []


def _read(db: sqlite3.Connection, table: int, seq: int) -> Entry | None:
    try:
        row = db.execute(
            "SELECT body, crc FROM entry WHERE table_id = ? AND seq = ?", (table, seq)
        ).fetchone()
        if row is None or zlib.crc32(row[0].encode()) != row[1]:
            return None
        entry = decode_entry(row[0])
    except (sqlite3.Error, TablectlError, AttributeError):
        return None  # unreadable, no entry, or no text
    return entry if entry.seq == seq else None
