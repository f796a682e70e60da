"""The pages of a damaged SQLite file and of its write-ahead log, read as they lie there.

A reader for files that SQLite gives up: each page by itself, and what a page no longer lists found
byte by byte. Nothing read here is true because it could be read; who takes it over has to prove it.
Source: the file format as sqlite.org/fileformat2 describes it.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

Value = int | float | str | bytes | None
Row = tuple[Value, ...]
"""A record's values, in the order of its columns."""

INNER, LEAF, TABLE = 0x02, 0x0A, 0x0D
"""Pages with records: inside and at the end of an index, and at the end of a table."""

_USUAL: Final = 4096
_LOG_HEAD, _FRAME_HEAD = 32, 24
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_UNREADABLE: Final = (ValueError, IndexError, struct.error)
"""What is raised by bytes that are no record."""


class Spoilt(Exception):
    """A page is not as it has to be; its number."""


class Pages:
    """A file and the log beside it, opened for reading alone. Use it as a context."""

    def __init__(self, path: Path) -> None:
        """Raises OSError where the file cannot be opened."""
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self._log: int | None = os.open(f"{path}-wal", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._log = None
        head = _pread(self._file, 24, 0)
        said = int.from_bytes(head[16:18], "big")
        size = 65536 if said == 1 else said
        right = 512 <= size <= 65536 and size & (size - 1) == 0
        self.size = size if right else _USUAL
        reserved = head[20] if right and len(head) > 20 else 0
        self._usable = self.size - reserved if reserved <= 32 else self.size
        self._frames = self._committed()
        self._newest = dict(self._frames)

    def __enter__(self) -> Pages:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)
        if self._log is not None:
            os.close(self._log)

    @property
    def count(self) -> int:
        """Pages of the file, a broken last one too."""
        return -(-os.fstat(self._file).st_size // self.size)

    def page(self, number: int) -> bytes:
        """The newest state of a page, from 1; empty where there is none or the disk fails."""
        if number in self._newest and self._log is not None:
            return _pread(self._log, self.size, self._newest[number])
        return self._old(number)

    def every(self) -> Iterator[tuple[int, bytes]]:
        """Every state of every page with its number, the log's first and of those the newest."""
        if self._log is not None:
            for number, at in reversed(self._frames):
                yield number, _pread(self._log, self.size, at)
        for number in range(1, self.count + 1):
            yield number, self._old(number)

    def rows(self, number: int, page: bytes) -> Iterator[Row]:
        """Every record on a page that can be read, also of one whose list of them is spoilt."""
        cells = self._cells(number, page)
        if cells is not None:
            for at in cells:
                if (row := self._row(page, at, page[_head(number)])) is not None:
                    yield row
        elif any(page):
            page = page.ljust(self.size, b"\0")
            for at in range(self._usable - 4):
                for kind in (LEAF, INNER):
                    if (row := self._row(page, at, kind, strict=True)) is not None:
                        yield row

    def walk(self, root: int) -> Iterator[Row]:
        """All records of an index, in its order. Raises Spoilt once a page of it is not as it has
        to be."""
        left: list[tuple[int, Row]] = [(root, ())]
        seen: set[int] = set()
        while left:
            number, row = left.pop()
            if not number:
                yield row
                continue
            page = self.page(number)
            cells = self._cells(number, page)
            kind = page[_head(number)] if cells is not None else 0
            if cells is None or kind not in (LEAF, INNER) or number in seen:
                raise Spoilt(number)
            seen.add(number)
            rows = [one for at in cells if (one := self._row(page, at, kind)) is not None]
            if len(rows) < len(cells):
                raise Spoilt(number)
            if kind == LEAF:
                yield from rows
                continue
            # A record stands behind the pages below it.
            left.append((int.from_bytes(page[8:12], "big"), ()))
            for at, row in zip(reversed(cells), reversed(rows), strict=True):
                left += [(0, row), (int.from_bytes(page[at : at + 4], "big"), ())]

    # ── how ─────────────────────────────────────────────────────────────────────────────────────

    def _old(self, number: int) -> bytes:
        return _pread(self._file, self.size, (number - 1) * self.size) if number > 0 else b""

    def _committed(self) -> list[tuple[int, int]]:
        """(page, place) of each frame of the log, up to the last that ends a transaction. Frames of
        an earlier round of the log have other salts than its first."""
        found: list[tuple[int, int]] = []
        if self._log is None:
            return found
        ends = 0
        salts = _pread(self._log, 8, _LOG_HEAD + 8)
        length = self.size + _FRAME_HEAD
        for at in range(_LOG_HEAD, os.fstat(self._log).st_size - length + 1, length):
            head = _pread(self._log, 16, at)
            if len(head) < 16 or head[8:] != salts:
                break
            found.append((int.from_bytes(head[:4], "big"), at + _FRAME_HEAD))
            if any(head[4:8]):
                ends = len(found)
        return found[:ends]

    def _cells(self, number: int, page: bytes) -> list[int] | None:
        """Where a page's records begin, None if it is no page of records or if its list of them,
        its free places and its length do not come to the same."""
        first = _head(number)
        if len(page) != self.size or page[first] not in (INNER, LEAF, TABLE):
            return None
        kind = page[first]
        free, count, content = struct.unpack_from(">HHH", page, first + 1)
        begin = first + (12 if kind == INNER else 8)
        if begin + 2 * count > self._usable:
            return None
        cells = list(struct.unpack_from(f">{count}H", page, begin))
        taken = [(0, begin + 2 * count)]
        try:
            taken += [(at, self._length(page, at, kind)) for at in cells]
            while free:
                free, length = (*struct.unpack_from(">HH", page, at := free),)
                taken.append((at, length))
                if length < 4 or len(taken) > self.size:
                    return None
        except _UNREADABLE:
            return None
        taken.sort()
        if any(a + length > b for (a, length), (b, _) in pairwise(taken)):
            return None
        content = content or 65536
        if min((at for at, _ in taken[1:]), default=self._usable) < content:
            return None
        whole = content + page[first + 7] + sum(length for at, length in taken[1:])
        return cells if whole == self._usable else None

    def _length(self, page: bytes, at: int, kind: int) -> int:
        """How many bytes a record takes on its page."""
        whole, begin = _varint(page, at + (4 if kind == INNER else 0))
        if kind == TABLE:
            _, begin = _varint(page, begin)
        here = self._here(whole, kind)
        length = begin - at + here + (4 if here < whole else 0)
        if at + length > self._usable:
            raise ValueError("it goes beyond the page")
        return max(4, length)

    def _here(self, whole: int, kind: int) -> int:
        """How much of a record lies on its page."""
        usable = self._usable
        most = usable - 35 if kind == TABLE else (usable - 12) * 64 // 255 - 23
        if whole <= most:
            return whole
        least = (usable - 12) * 32 // 255 - 23
        here = least + (whole - least) % (usable - 4)
        return here if here <= most else least

    def _row(self, page: bytes, at: int, kind: int, *, strict: bool = False) -> Row | None:
        """The record there, None if there is none. `strict`: where one is only guessed."""
        try:
            if strict:
                # Most guesses end here: a record of five columns has a head of six bytes or more.
                guess, begin = _varint(page, at + (4 if kind == INNER else 0))
                if guess < 12 or not 6 <= page[begin] <= 16:
                    return None
            self._length(page, at, kind)
            whole, begin = _varint(page, at + (4 if kind == INNER else 0))
            number: int | None = None
            if kind == TABLE:
                number, begin = _varint(page, begin)
            here = self._here(whole, kind)
            data = page[begin : begin + here]
            if here < whole:
                rest = int.from_bytes(page[begin + here : begin + here + 4], "big")
                data += self._rest(rest, whole - here)
            row = record(data)
        except _UNREADABLE:
            return None
        return (number, *row[1:]) if number is not None and row[0] is None else row

    def _rest(self, number: int, length: int) -> bytes:
        """What of a record lies on pages of its own. Raises ValueError where one is missing."""
        if length > (self.count + len(self._newest)) * self.size:
            raise ValueError("it is longer than the file")
        parts: list[bytes] = []
        while length > 0:
            page = self.page(number)
            if len(page) != self.size:
                raise ValueError("a page is missing")
            parts.append(page[4 : 4 + min(length, self._usable - 4)])
            length -= len(parts[-1])
            number = int.from_bytes(page[:4], "big")
        return b"".join(parts)


def record(data: bytes) -> Row:
    """The values of a record. Raises ValueError, IndexError or struct.error if it is none."""
    head, at = _varint(data, 0)
    kinds: list[int] = []
    while at < head:
        kind, at = _varint(data, at)
        kinds.append(kind)
    if at != head or not kinds:
        raise ValueError("its head is not right")
    values = []
    for kind in kinds:
        value, at = _value(data, at, kind)
        values.append(value)
    if at != len(data):
        raise ValueError("its length is not right")
    return tuple(values)


def _value(data: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(data[at:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack_from(">d", data, at)[0], at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind < 12:
        raise ValueError("no such type")
    end = at + (kind - 12) // 2
    if end > len(data):
        raise ValueError("it is cut off")
    return (data[at:end].decode() if kind % 2 else data[at:end]), end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for byte in range(8):
        value = value << 7 | data[at + byte] & 0x7F
        if data[at + byte] < 0x80:
            return value, at + byte + 1
    return value << 8 | data[at + 8], at + 9


def _head(number: int) -> int:
    """Where a page's own head begins: the first holds the file's before it."""
    return 100 if number == 1 else 0


def _pread(file: int, size: int, at: int) -> bytes:
    """Bytes of a file, none where the disk fails."""
    try:
        return os.pread(file, size, at)
    except OSError:
        return b""
