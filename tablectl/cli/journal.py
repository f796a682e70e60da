"""`tablectl journal`: what was said, looked at from outside; no daemon is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tablectl.app import daemon_file
from tablectl.app.config import TableConfig
from tablectl.app.config_file import config_path, config_text, state_of, survey
from tablectl.app.rulebook import Rulebook
from tablectl.cli.client import Client
from tablectl.cli.console import PeopleConsole
from tablectl.core import facts
from tablectl.core.entry import Entry, encode_entry
from tablectl.core.fold import fold_each
from tablectl.core.replay import is_another
from tablectl.core.state import Hand, State
from tablectl.errors import DONE, NO, TablectlError, declare
from tablectl.journal import repair as repairing
from tablectl.journal.place import journal_in
from tablectl.journal.store import Journal

declare(
    "journal.table",
    "the journal has no one table '{table}'",
    "It has: {tables}.",
    status=NO,
)
declare(
    "journal.which_table",
    "the journal has several tables",
    "Name one with --table: {tables}.",
)
declare(
    "journal.hand",
    "table {table} has no hand {hand}",
    "Hands are counted from 0 in the order in which they were opened; it has {count}.",
    status=NO,
)


@dataclass(frozen=True, slots=True)
class Where:
    """What the options say: a journal, a configuration, a state directory; None where they say
    nothing."""

    journal: Path | None = None
    config: Path | None = None
    state: Path | None = None

    @property
    def path(self) -> Path:
        """The journal that is meant. Raises TablectlError `config.file` for a configuration that
        was named."""
        return self.journal or journal_in(self.folder)

    @property
    def rules(self) -> Rulebook:
        """The rules of the program, and those of games as they were when they began."""
        beside = self.journal.parent if self.journal is not None else self.folder
        return Rulebook(beside / "rules")

    @property
    def folder(self) -> Path:
        """The state directory, as `run` finds it."""
        return self.state or state_of(survey(*self._configuration()).config)

    def names(self, known: Sequence[str]) -> dict[str, str]:
        """What people call the tables, by id: as the daemon that runs says, else the configuration.
        The one table there whose board may be any is the one of those `known` that is no other."""
        tables = survey(*self._configuration()).config.tables
        names = {id: table.name for table in tables if (id := _id_of(table)) is not None}
        called = [table.name for table in tables if _id_of(table) is None]
        others = [id for id in known if id not in names]
        if len(called) == len(others) == 1:
            names[others[0]] = called[0]
        with suppress(TablectlError):  # the journal can be read without it
            found = daemon_file.running(self.folder)
            if found is not None:
                asked = Client(found.pid, found.url, self.folder).get("/api/v1/tables")
                names |= {one["table"]: one["name"] for one in asked["tables"]}
        return names

    def _configuration(self) -> tuple[str, str]:
        path = self.config or config_path()
        wanted = self.config is not None or path.exists()
        return config_text(path) if wanted else "", str(path)


def check(where: Where, as_json: bool) -> int:
    """Report what is wrong with the journal; 1 if anything is."""
    path = where.path
    with Journal(path, writer=False) as journal:
        counts = {table: sum(1 for _ in _entries(journal, table)) for table in journal.tables()}
        faults = journal.faults()
    if as_json:
        told = {"journal": str(path), "ok": not faults, "entries": counts, "faults": faults}
        print(json.dumps(told, ensure_ascii=False))
    else:
        console = PeopleConsole(wrapped=False)
        for table, count in counts.items():
            console.print(f"{table}: {count} entries", markup=False)
        for fault in faults:
            console.print(fault, markup=False)
        console.print(f"{path}: {'damaged' if faults else 'sound'}", markup=False)
    return NO if faults else DONE


def repair(where: Where, as_json: bool) -> int:
    """Set a damaged journal aside and keep what can be read; a sound one is left alone."""
    path = where.path
    done = repairing.repair(path)
    if done is None:
        told = {"journal": str(path), "repaired": False}
        print(json.dumps(told) if as_json else f"{path}: sound, nothing was done")
    elif as_json:
        about = {"kept": done.kept, "lost": done.lost, "unknown": done.unknown}
        told = {"journal": str(path), "repaired": True, **about, "aside": str(done.aside)}
        print(json.dumps(told))
    else:
        print(f"{path}: {done.kept} entries kept, {done.lost} lost; the old file is {done.aside}")
        if done.unknown:
            last = ", ".join(f"{table}: {seq}" for table, seq in done.last.items())
            print(f"Numbers behind the last ones cannot be known ({last or 'no table'}).")
    return DONE


def export(where: Where, table: str | None, hand: int | None) -> int:
    """Print one entry a line: of all tables, of one, or of one hand of one. Raises TablectlError
    `journal.table`, `journal.which_table`, `journal.hand`."""
    with Journal(where.path, writer=False) as journal:
        tables = known = journal.tables()
        if table is not None:
            tables = [table] if table in known else [_named(table, known, where.names(known))]
        if hand is not None and len(tables) != 1:
            raise TablectlError("journal.which_table", tables=_listed(known, where.names(known)))
        for name in tables:
            entries = journal.entries(name)
            if hand is not None:
                entries = iter(of_hand(name, list(entries), hand, where.rules))
            for entry in entries:
                print(encode_entry(entry))
    return DONE


def of_hand(table: str, entries: list[Entry], hand: int, book: Rulebook) -> list[Entry]:
    """The entries of one hand, from its walls to before the next one's, behind the beginning of its
    game. Raises TablectlError `journal.hand`."""
    hands = _hands(entries, book)
    if not 0 <= hand < len(hands):
        raise TablectlError("journal.hand", table=table, hand=hand, count=len(hands))
    game, first = hands[hand]
    end = hands[hand + 1][1] if hand + 1 < len(hands) else entries[-1].seq + 1
    return [entry for entry in entries if entry.seq == game or first <= entry.seq < end]


def _hands(entries: list[Entry], book: Rulebook) -> list[tuple[int, int]]:
    """For each hand: the seq of its game's beginning, and of the walls that it is played on."""
    found: list[tuple[int, int]] = []
    game = walls = 0
    before: Hand | None = None
    for entry, state, _ in fold_each(book, entries, State()):
        if isinstance(entry.fact, facts.GameStarted):
            game = entry.seq
        if isinstance(entry.fact, facts.Raised):
            walls = entry.seq
        if state.hand is not None and is_another(before, state.hand):
            found.append((game, walls))
        before = state.hand
    return found


def _named(table: str, known: Sequence[str], names: Mapping[str, str]) -> str:
    """The id of the one table that is called so, or whose id begins so. Raises `journal.table`."""
    called = [id for id in known if names.get(id) == table]
    found = called or [id for id in known if table and id.startswith(table)]
    if len(found) != 1:
        raise TablectlError("journal.table", table=table, tables=_listed(known, names))
    return found[0]


def _listed(known: Sequence[str], names: Mapping[str, str]) -> str:
    said = (f"{id} ({names[id]})" if names.get(id, id) != id else id for id in known)
    return ", ".join(said) or "none"


def _id_of(table: TableConfig) -> str | None:
    """Where the configuration says which table a name is: a board's uid, or people's own table."""
    if table.uid is None and table.address.kind == "manual":
        return f"manual-{table.address.rest}"
    return table.uid


def _entries(journal: Journal, table: str) -> Iterator[Entry]:
    """A table's entries as far as they can be read."""
    try:
        yield from journal.entries(table)
    except TablectlError:
        return
