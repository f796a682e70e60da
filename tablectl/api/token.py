"""The token that writing needs: made at the first start, readable by its owner only."""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path
from typing import Final

from tablectl.errors import NO, TablectlError, declare

FILE: Final = "token"
"""Its name in the daemon's state directory."""

MISSING: Final = declare(
    "token.missing",
    "there is no token: no daemon was ever started here",
    "Start one with `tablectl run`.",
    status=NO,
)
UNREADABLE: Final = declare(
    "token.unreadable",
    "the token cannot be read: {why}",
    "Run this as the user that runs the daemon.",
)
LOOSE: Final = declare(
    "token.loose",
    "others may read or write the token (its mode is {mode})",
    "Start the daemon again: it makes a new token, so that who read this one can do nothing.",
    status=NO,
)
FOREIGN: Final = declare(
    "token.foreign",
    "the token is not a file of its own that belongs to this user",
    "Remove it and start the daemon again as the user that it runs as.",
    status=NO,
)
UNWRITABLE: Final = declare(
    "token.unwritable",
    "the token cannot be written: {why}",
    "Give the daemon a state directory that it may write.",
)

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")


def read_token(path: Path) -> str:
    """The token in this file. Raises `token.missing`, `token.unreadable`, `token.loose`,
    `token.foreign`."""
    try:
        found = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise TablectlError(MISSING, where=str(path)) from None
    except OSError as error:
        if path.is_symlink():
            raise TablectlError(FOREIGN, where=str(path)) from None
        raise TablectlError(UNREADABLE, where=str(path), why=error.strerror) from None
    try:
        about = os.fstat(found)
        if not stat.S_ISREG(about.st_mode) or about.st_uid != os.geteuid():
            raise TablectlError(FOREIGN, where=str(path))
        if about.st_mode & 0o077:
            raise TablectlError(LOOSE, where=str(path), mode=f"{stat.S_IMODE(about.st_mode):04o}")
        text = os.read(found, 200).decode("ascii", "replace").strip()
    finally:
        os.close(found)
    if not _TOKEN.fullmatch(text):
        why = "the file holds something else"
        raise TablectlError(UNREADABLE, where=str(path), why=why)
    return text


def ensure_token(path: Path) -> tuple[str, str | None]:
    """The token, made if there is none, and a sentence if it had to be replaced because others
    could read it or the file was spoilt. May block for a disk. Raises `token.foreign`,
    `token.unwritable`, and `token.unreadable` where the file may not be opened."""
    try:
        return read_token(path), None
    except TablectlError as error:
        if error.code == MISSING:
            return _make(path), None
        if error.code == LOOSE or (error.code == UNREADABLE and os.access(path, os.R_OK)):
            token = _make(path)
            return token, f"{path}: {error.message}; there is a new one now"
        raise


def write_private(path: Path, text: str) -> None:
    """A file that only its owner reads, whole or not at all. Raises `token.unwritable`."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(made, text.encode())
            os.fsync(made)
        finally:
            os.close(made)
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise TablectlError(UNWRITABLE, where=str(path), why=error.strerror) from None


def _make(path: Path) -> str:
    token = secrets.token_urlsafe(32)
    write_private(path, token + "\n")
    return token
