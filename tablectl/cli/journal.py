"""`tablectl journal`: what was said, looked at from outside; no daemon is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tablectl.cli.console import PeopleConsole
from tablectl.core import facts
from tablectl.core.entry import Entry, encode_entry
from tablectl.core.fold import fold_each
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.replay import is_another
from tablectl.core.state import Hand, State
from tablectl.errors import DONE, NO, TablectlError, declare
from tablectl.journal import repair as repairing
from tablectl.journal.place import journal_path
from tablectl.journal.store import Journal

declare(
    "journal.table",
    "the journal has no table '{table}'",
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


def check(path: Path | None, as_json: bool) -> int:
    """Report what is wrong with the journal; 1 if anything is."""
    path = path or journal_path()
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


def repair(path: Path | None, as_json: bool) -> int:
    """Set a damaged journal aside and keep what can be read; a sound one is left alone."""
    path = path or journal_path()
    try:
        with Journal(path) as journal:
            sound = not journal.faults()
    except TablectlError as error:
        if error.code != "journal.damaged":
            raise
        sound = False
    if sound:
        told = {"journal": str(path), "repaired": False}
        print(json.dumps(told) if as_json else f"{path}: sound, nothing was done")
        return DONE
    done = repairing.repair(path)
    if as_json:
        about = {"kept": done.kept, "lost": done.lost, "aside": str(done.aside)}
        print(json.dumps({"journal": str(path), "repaired": True, **about}))
    else:
        print(f"{path}: {done.kept} entries kept, {done.lost} lost; the old file is {done.aside}")
    return DONE


def export(path: Path | None, table: str | None, hand: int | None) -> int:
    """Print one entry a line: of all tables, of one, or of one hand of one."""
    with Journal(path or journal_path(), writer=False) as journal:
        known = journal.tables()
        if table is not None and table not in known:
            raise TablectlError("journal.table", table=table, tables=", ".join(known) or "none")
        tables = known if table is None else [table]
        if hand is not None and len(tables) != 1:
            raise TablectlError("journal.which_table", tables=", ".join(known) or "none")
        for name in tables:
            entries = journal.entries(name)
            for entry in entries if hand is None else of_hand(name, list(entries), hand):
                print(encode_entry(entry))
    return DONE


def of_hand(table: str, entries: list[Entry], hand: int) -> list[Entry]:
    """The entries of one hand, from its walls to before the next one's, behind the beginning of its
    game. Raises TablectlError `journal.hand`."""
    hands = _hands(entries)
    if not 0 <= hand < len(hands):
        raise TablectlError("journal.hand", table=table, hand=hand, count=len(hands))
    game, first = hands[hand]
    end = hands[hand + 1][1] if hand + 1 < len(hands) else entries[-1].seq + 1
    return [entry for entry in entries if entry.seq == game or first <= entry.seq < end]


def _hands(entries: list[Entry]) -> list[tuple[int, int]]:
    """For each hand: the seq of its game's beginning, and of the walls that it is played on."""
    book = {rules.digest: rules for rules in map(find_preset, builtin_presets())}
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


def _entries(journal: Journal, table: str) -> Iterator[Entry]:
    """A table's entries as far as they can be read."""
    try:
        yield from journal.entries(table)
    except TablectlError:
        return
