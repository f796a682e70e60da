"""Faces of tiles that lie face down: a file of its own, which nobody but its owner reads.

The journal says only that a face was read; which one it was is here, durable before the board may
forget it, and gone when the hand is over. Nothing of it is printed, exported or sent.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable
from pathlib import Path

from tablectl.core.wall import Place
from tablectl.errors import TablectlError, declare
from tablectl.journal import problems

SEALED = declare(
    "journal.faces",
    "the file of sealed faces cannot be read: line {line}",
    "Remove the file; faces that lie down are then unknown until they are turned.",
)


class Faces:
    """The sealed faces of one table. Every call blocks until the disk has it."""

    def __init__(self, path: Path) -> None:
        """Open or make it. Raises TablectlError `journal.unwritable`, `journal.faces`."""
        self.path = path
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = not path.exists()
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            os.fchmod(self._file, 0o600)
            if new:
                _keep_name(path)
        except OSError as error:
            raise problems.not_written(error, path) from None
        self._known: dict[Place, str] = {}
        try:
            self._load()
        except TablectlError:
            os.close(self._file)
            raise
        except OSError as error:
            os.close(self._file)
            raise problems.not_written(error, path) from None

    def __repr__(self) -> str:
        return f"Faces({str(self.path)!r}, {len(self._known)} sealed)"

    def close(self) -> None:
        """Close the file; what is in it stays."""
        os.close(self._file)

    def keep(self, faces: Iterable[tuple[Place, str]]) -> None:
        """Make some faces durable; the last of a place counts. Raises `journal.unwritable`,
        `journal.full`; then none of them is kept."""
        new = dict(faces)
        lines = "".join(
            json.dumps([place.side, place.column, place.row, face]) + "\n"
            for place, face in new.items()
        )
        try:
            size = os.fstat(self._file).st_size
            try:
                data = lines.encode()
                while data:
                    data = data[os.write(self._file, data) :]
                os.fsync(self._file)
            except OSError:
                os.ftruncate(self._file, size)
                raise
        except OSError as error:
            raise problems.not_written(error, self.path) from None
        self._known.update(new)

    def face(self, place: Place) -> str | None:
        """What lies there, None if nobody has read it. For the moment when it is turned up."""
        return self._known.get(place)

    def counted(self) -> tuple[str, ...]:
        """All faces, sorted: the same for any places that they lie at."""
        return tuple(sorted(self._known.values()))

    def empty(self) -> None:
        """The hand is over: nothing is known any more, in the file either. Raises
        `journal.unwritable`."""
        self._known.clear()
        try:
            os.ftruncate(self._file, 0)
            os.fsync(self._file)
        except OSError as error:
            raise problems.not_written(error, self.path) from None

    def _load(self) -> None:
        """What a killed daemon kept. A last line that was not finished was acknowledged to nobody
        and is dropped."""
        data = os.pread(self._file, os.fstat(self._file).st_size, 0)
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.ftruncate(self._file, len(whole))
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                side, column, row, face = json.loads(line)
                self._known[Place(side, column, row)] = str(face)
            except (ValueError, TypeError):
                raise TablectlError(SEALED, where=str(self.path), line=number) from None


def wipe(path: Path) -> None:
    """Empty a file of sealed faces that nobody has open, whatever is in it. Raises
    `journal.unwritable`."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
        try:
            os.fsync(file)
        finally:
            os.close(file)
    except FileNotFoundError:
        return
    except OSError as error:
        raise problems.not_written(error, path) from None


def write_whole(path: Path, text: str) -> None:
    """Write a small file of the owner's so that it is there whole or not at all, and durable.
    Raises `journal.unwritable`, `journal.full`; then the file is as it was."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        _keep_name(path)
    except OSError as error:
        raise problems.not_written(error, path) from None


def _keep_name(path: Path) -> None:
    """A file that is new is durable once its folder is."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
