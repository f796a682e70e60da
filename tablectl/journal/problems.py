"""Entries of the catalogue for what can be wrong with a journal, and SQLite's errors among them."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import Final

from tablectl.errors import NO, TablectlError, declare

LOCKED: Final = declare(
    "journal.locked",
    "another daemon writes this journal (process {pid})",
    "Stop that daemon, or give this one a state directory of its own.",
    status=NO,
)
NEWER: Final = declare(
    "journal.newer",
    "the journal has format {found}; this program knows up to {known}",
    "It was written by a newer version of this program: bring the program up to date. Nothing was"
    " changed.",
    status=NO,
)
NOT_OURS: Final = declare(
    "journal.not_ours",
    "the file is no journal",
    "Name the journal of a daemon, or another path for a new one. Nothing was changed.",
    status=NO,
)
MISSING: Final = declare(
    "journal.missing",
    "there is no journal",
    "A daemon makes it at its first start; `--journal` names another place.",
    status=NO,
)
DAMAGED: Final = declare(
    "journal.damaged",
    "the journal is damaged: {why}",
    "`tablectl journal repair` sets the file aside and keeps what can be read.",
    status=NO,
)
FULL: Final = declare(
    "journal.full",
    "the disk is full; nothing of the last group was kept, and nothing was acknowledged",
    "Make room; what the table still has comes again by itself, what people said is said again.",
    status=NO,
)
UNWRITABLE: Final = declare(
    "journal.unwritable",
    "the journal cannot be written: {why}",
    "Look at the disk and at the permissions of its folder.",
    status=NO,
)
UNREADABLE: Final = declare(
    "journal.unreadable",
    "the journal cannot be read: {why}",
    "Look at the disk and at the permissions of the file and its folders.",
    status=NO,
)

DRAFT: Final = declare(
    "journal.draft",
    "this cannot be kept in a journal: {why}",
    "It is a fault of the program that made it; nothing of it was kept.",
    status=NO,
)
CLOSED: Final = declare(
    "journal.closed",
    "the journal is closed; nobody can say that this was kept",
    "Say it again to the next daemon, with the same key: what was kept is kept once.",
    status=NO,
)

NO_DRAFT: Final = (
    TypeError,
    ValueError,
    OverflowError,
    AttributeError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)
"""What is raised for values that no entry can have, whatever the disk is like."""

OF_THE_DISK: Final = (FULL, UNWRITABLE, DAMAGED)
"""Codes of what concerns the file and not what was to be kept in it."""

_FULL: Final = ("SQLITE_FULL",)
_FAILED: Final = ("SQLITE_IOERR",)
_LEAST: Final = 64 * 1024
"""Bytes that SQLite needs beside the journal to open it at all."""
_DAMAGED: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


def told(error: sqlite3.Error, path: Path, *, writer: bool = True) -> TablectlError:
    """An error of SQLite as one of ours; `writer` False: for one who only reads."""
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(_FULL) or (name.startswith(_FAILED) and _no_room(path)):
        return TablectlError(FULL, where=str(path))
    spoilt = isinstance(error, sqlite3.DataError) or str(error).startswith("Could not decode")
    if name.startswith(_DAMAGED) or spoilt:
        return TablectlError(DAMAGED, where=str(path), why=plain(str(error)))
    code = UNWRITABLE if writer else UNREADABLE
    return TablectlError(code, where=str(path), why=f"{error} ({name})" if name else error)


def not_written(error: OSError, path: Path) -> TablectlError:
    """What the system says where a file beside SQLite's cannot be made or written."""
    if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
        return TablectlError(FULL, where=str(path))
    return TablectlError(UNWRITABLE, where=str(path), why=error.strerror or error)


def not_read(error: OSError, path: Path) -> TablectlError:
    """What the system says where a file cannot be looked at."""
    return TablectlError(UNREADABLE, where=str(path), why=error.strerror or error)


def plain(text: str) -> str:
    """What SQLite found wrong, without the heading of its own and on one line."""
    lines = (line.strip() for line in text.splitlines())
    return "; ".join(line for line in lines if line and not line.startswith("*** in database"))


def _no_room(path: Path) -> bool:
    """SQLite calls a full disk an input or output error where it cannot make its index."""
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _LEAST
