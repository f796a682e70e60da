"""How a browser gets leave to write: six digits once, then a cookie that no script can read."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tablectl.api import problems
from tablectl.api.token import write_private
from tablectl.errors import TablectlError

CODE_SECONDS: Final = 120
TRIES: Final = 5
COOKIE: Final = "tablectl_session"
COOKIE_SECONDS: Final = 400 * 24 * 3600
MOST_SESSIONS: Final = 64


def six_digits() -> str:
    """A code that nobody can foresee."""
    return f"{secrets.randbelow(1_000_000):06d}"


class Pairing:
    """At most one code at a time: good for two minutes, five tries and one browser.

    `clock` gives seconds that never go back; `digits` a new code.
    """

    def __init__(self, clock: Callable[[], float], digits: Callable[[], str] = six_digits) -> None:
        self._clock = clock
        self._digits = digits
        self._code: str | None = None
        self._until = 0.0
        self._tries = 0

    def begin(self) -> str:
        """A new code; the one before it is void."""
        self._code = self._digits()
        self._until = self._clock() + CODE_SECONDS
        self._tries = TRIES
        return self._code

    def redeem(self, code: str) -> None:
        """Use the code up. Raises `api.pair` if it is wrong, used up or too old."""
        if self._code is None or self._clock() >= self._until:
            self._code = None
            raise _refused("no code is open")
        self._tries -= 1
        right = secrets.compare_digest(code.encode(), self._code.encode())
        if right or not self._tries:
            self._code = None
        if not right:
            left = f"{self._tries} tries are left" if self._tries else "it is void now"
            raise _refused(f"this is not the code; {left}")


class Sessions:
    """Browsers that were paired. Only digests are kept, in `file` if there is one, so that a
    screen at the table's edge is still paired after a restart. Remove the file to unpair all."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._digests: list[str] = []

    def load(self) -> None:
        """Read the file, if there is one. May block for a disk."""
        if self._file is not None and self._file.is_file():
            lines = self._file.read_text("ascii", errors="replace").split()
            self._digests = lines[-MOST_SESSIONS:]

    def new(self) -> str:
        """A new browser's secret; the oldest goes where there are too many. May block for a disk.
        Raises `token.unwritable`; then it is not paired."""
        secret = secrets.token_urlsafe(32)
        digests = [*self._digests, _digest(secret)][-MOST_SESSIONS:]
        if self._file is not None:
            write_private(self._file, "\n".join(digests) + "\n")
        self._digests = digests
        return secret

    def knows(self, secret: str) -> bool:
        """Whether a browser with this secret was paired."""
        digest = _digest(secret)
        found = [secrets.compare_digest(digest, one) for one in self._digests if one.isascii()]
        return any(found)


def _refused(why: str) -> TablectlError:
    return TablectlError(problems.PAIR, why=why, seconds=CODE_SECONDS)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
