"""A damaged journal: set aside, and everything that can be read of it kept in a new one.

Entries keep their numbers, since others speak of them (`target`, `after`, `cause`). Each proves by
its checksum that it is as it was written; pages are read one by one, so that a bad one costs no
other. Numbers of which something else in the file speaks were there and are written down as gaps.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tablectl.core.entry import Entry, decode_entry
from tablectl.errors import TablectlError
from tablectl.journal import problems
from tablectl.journal.file import lock, there, unlock
from tablectl.journal.pages import Pages, Row, Spoilt
from tablectl.journal.store import Journal


@dataclass(frozen=True, slots=True)
class Repaired:
    """Where the damaged file is now, entries kept, and numbers that were there and are gone.
    `last`: the last number of each table of which anything is known; `unknown`: whether there were
    more cannot be known."""

    aside: Path
    kept: int
    lost: int
    unknown: bool
    last: Mapping[str, int]


def repair(path: Path) -> Repaired | None:
    """Keep what can be read in a new file and set the damaged one aside under the first free name;
    None for a sound journal, which stays as it is. Nothing of the damaged file is changed, and
    where this fails it is still in its place. Raises TablectlError `journal.missing`, `.locked`,
    `.not_ours`, `.newer`, `.unreadable`, `.unwritable`, `.full`."""
    if not there(path):
        raise TablectlError(problems.MISSING, where=str(path))
    held = lock(path)
    try:
        return None if _sound(path) else _repair(path)
    finally:
        unlock(held)


def _sound(path: Path) -> bool:
    """Whether nothing is wrong with it, looked at as a reader does: a writer changes the file."""
    try:
        with Journal(path, writer=False) as journal:
            return not journal.faults()
    except TablectlError as error:
        if error.code != problems.DAMAGED:
            raise
        return False


def _repair(path: Path) -> Repaired:
    beside = path.with_name(f"{path.name}.repaired")
    try:
        _remove(beside)
        with Pages(path) as pages, Journal(beside) as journal:
            found = _Salvage(pages)
            journal.restore(found.entries())
            kept = {table: journal.numbers(table) for table in journal.tables()}
            tops = found.tops(kept)
            lost = journal.close_gaps(tops, found.gaps())
            whole = found.ends_known(kept)
        aside = _swap(path, beside)
    except OSError as error:
        raise problems.not_written(error, path) from None
    finally:
        with suppress(OSError):
            _remove(beside)
    return Repaired(aside, sum(map(len, kept.values())), lost, not whole, tops)


def _swap(path: Path, new: Path) -> Path:
    """Put the new file in the place of the damaged one; gives where that is then."""
    names = (path.with_name(f"{path.name}.damaged-{n}") for n in range(1, 10_000))
    aside = next(name for name in names if not name.exists())
    # The log first: a new file beside an old log would be taken for damaged, or worse, for whole.
    for beside in ("-wal", "-shm"):
        old = path.with_name(path.name + beside)
        if old.exists():
            old.rename(aside.with_name(aside.name + beside))
    path.rename(aside)
    new.rename(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return aside


def _remove(path: Path) -> None:
    for behind in ("", "-wal", "-shm", ".lock"):
        path.with_name(path.name + behind).unlink(missing_ok=True)


@dataclass
class _Salvage:
    """What is found in the pages of a damaged journal."""

    pages: Pages
    names: dict[int, str] = field(default_factory=dict)
    """Names of tables by their number in the file, as the entries say them."""
    told: dict[int, set[int]] = field(default_factory=dict)
    """By table: numbers of which an index, or an entry that is not as it was written, speaks."""

    def entries(self) -> Iterator[Entry]:
        """Every entry that proves itself, in any order and some of them repeatedly. All else that
        the pages say is noted on the way."""
        listed: dict[int, str] = {}
        for number, page in self.pages.every():
            for row in self.pages.rows(number, page):
                match row:
                    case (int(table), int(seq), str(), str(body), crc):
                        entry = _proved(body, crc)
                        if entry is None:
                            self._note(table, seq)
                        else:
                            self.names.setdefault(table, entry.table)
                            yield entry
                    case (int(table), str(), int(seq)):
                        self._note(table, seq)
                    case (int(table), str(name)):
                        listed.setdefault(table, name)
        for table, name in sorted(listed.items()):
            if name not in self.names.values():
                self.names.setdefault(table, name)

    def _note(self, table: int, seq: int) -> None:
        if table > 0 and seq > 0:
            self.told.setdefault(table, set()).add(seq)

    def tops(self, kept: Mapping[str, list[int]]) -> dict[str, int]:
        """The last number of each table that must have been there, by all that is known. Nothing
        proves such a number but its neighbours: at least half of those behind the last entry have
        to be told."""
        found = {}
        for table, name in sorted(self.names.items()):
            found[name] = last = max(kept.get(name, ()), default=0)
            behind = sorted(seq for seq in self.told.get(table, ()) if seq > last)
            for count, seq in enumerate(behind, start=1):
                if 2 * count >= seq - last:
                    found[name] = seq
        return found

    def gaps(self) -> dict[str, list[tuple[int, int]]]:
        """Numbers that an earlier repair did not find, as far as that can be read."""
        found: dict[str, list[tuple[int, int]]] = {}
        with suppress(Spoilt, LookupError):
            for row in self._walk("gap"):
                match row:
                    case (int(table), int(first), int(last)) if table in self.names:
                        found.setdefault(self.names[table], []).append((first, last))
        return found

    def ends_known(self, kept: Mapping[str, list[int]]) -> bool:
        """Whether an index that is whole lists every entry that there was: the entries' own, or
        that of their keys."""
        return any(self._lists_all(of, kept) for of in ("entry", "key"))

    def _lists_all(self, of: str, kept: Mapping[str, list[int]]) -> bool:
        """Where an index lists a number twice, lacks one in between, or one that was found, it is
        not whole, whatever its pages look like."""
        listed: dict[str, list[int]] = {}
        try:
            for row in self._walk(of):
                match row:
                    case (int(table), int(seq), *_) | (int(table), str(), int(seq)):
                        listed.setdefault(self.names[table], []).append(seq)
                    case _:
                        return False
        except (Spoilt, LookupError):
            return False
        gaps = self.gaps()
        for name in {*kept, *listed}:
            numbers = sorted(listed.get(name, ()))
            seen = set(numbers)
            if len(seen) < len(numbers) or not seen.issuperset(kept.get(name, ())):
                return False
            if _missing(numbers, gaps.get(name, ())):
                return False
        return True

    def _walk(self, of: str) -> Iterator[Row]:
        """The records of an index. Raises Spoilt, LookupError where it is not to be found."""
        roots = {}
        for row in self.pages.rows(1, self.pages.page(1)):
            match row:
                case ("index", _, "entry", int(root), _):
                    roots["key"] = root
                case ("table", str(name), _, int(root), _):
                    roots[name] = root
        return self.pages.walk(roots[of])


def _missing(numbers: Iterable[int], gaps: Iterable[tuple[int, int]]) -> bool:
    """Whether any number from 1 to the last is neither there nor in a gap."""
    known = dict(gaps)
    expected = 1
    for seq in numbers:
        expected = known.get(expected, expected - 1) + 1
        if seq != expected:
            return True
        expected += 1
    return False


def _proved(body: str, crc: object) -> Entry | None:
    """The entry that a row holds, None if it is not as it was written."""
    if zlib.crc32(body.encode()) != crc:
        return None
    try:
        return decode_entry(body)
    except TablectlError:
        return None
