"""Entries of the catalogue for what can be wrong with a journal, and SQLite's errors among them."""

from __future__ import annotations

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
    "Make room; writing goes on by itself, and the table sends again what it still has.",
    status=NO,
)
UNWRITABLE: Final = declare(
    "journal.unwritable",
    "the journal cannot be written: {why}",
    "Look at the disk and at the permissions of its folder.",
    status=NO,
)

_FULL: Final = ("SQLITE_FULL",)
_DAMAGED: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


def told(error: sqlite3.Error, path: Path) -> TablectlError:
    """An error of SQLite as one of ours."""
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(_FULL):
        return TablectlError(FULL, where=str(path))
    if name.startswith(_DAMAGED) or isinstance(error, sqlite3.DataError):
        return TablectlError(DAMAGED, where=str(path), why=str(error))
    return TablectlError(UNWRITABLE, where=str(path), why=f"{error} ({name})" if name else error)
