"""An index of the entries by which a daemon finds the open game without reading years.

    mark    table, type, seq             every entry of a type that is marked
    game    table, seq, before           behind what the open game lies, and the one before it

`mark` says nothing that the entries do not say: a check derives it from them and compares, and a
journal that comes from an older format, or whose marks point to nothing, derives it anew. `game` is
the word of a daemon that folded the entries, since no entry says whether a game was begun by it:
that is the fold's verdict. Without that word everything is read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Final

from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.facts import tag_of
from tablectl.core.state import State

FORMAT: Final = 2
"""The format from which on a journal has marks."""

MARKED: Final = tuple(
    str(kind.__struct_config__.tag)
    for kind in (
        facts.GameStarted,
        facts.Raised,
        facts.Board,
        facts.SensorIgnored,
        # Who looks for a sensor that is set aside has to know whether that still stands.
        facts.Retract,
        facts.Replace,
    )
)
"""The types that are marked."""

_TYPE: Final = "json_extract(body, '$.fact.type')"
_WORDS: Final = ", ".join(f"'{word}'" for word in MARKED)
DERIVED: Final = (
    f"SELECT table_id, {_TYPE} AS type, seq FROM entry WHERE"
    f" CASE WHEN typeof(body) = 'text' AND json_valid(body) THEN {_TYPE} END IN ({_WORDS})"
)
"""The marks as the entries say them; a body that cannot be read has none."""

MIGRATION: Final = f"""
    CREATE TABLE mark(
        table_id INTEGER NOT NULL,
        type TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY(table_id, type, seq)
    ) WITHOUT ROWID;
    INSERT INTO mark {DERIVED};
    CREATE TABLE game(
        table_id INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        before INTEGER NOT NULL
    );
    """


def point_to_nothing(db: sqlite3.Connection) -> bool:
    """Whether a mark has no entry of its type. Looks at marked entries only, which are few."""
    found = db.execute(
        "SELECT 1 FROM mark LEFT JOIN entry USING (table_id, seq) WHERE CASE"
        f" WHEN typeof(body) = 'text' AND json_valid(body) THEN {_TYPE} IS NOT type"
        " ELSE body IS NULL END LIMIT 1"
    ).fetchone()
    return found is not None


def derive(db: sqlite3.Connection) -> None:
    """Make all marks anew from the entries, in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute("DELETE FROM mark")
        db.execute(f"INSERT INTO mark {DERIVED}")
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def insert(db: sqlite3.Connection, table: int, entry: Entry) -> None:
    """Mark a new entry, inside the transaction that keeps it."""
    if (word := tag_of(entry.fact)) in MARKED:
        db.execute("INSERT INTO mark VALUES (?, ?, ?)", (table, word, entry.seq))


def faults(
    table: str, marked: Iterable[tuple[int, str]], said: Mapping[int, str | None]
) -> list[str]:
    """Where the marks of a table differ from what its entries say. `said`: the type of each entry
    that is there, None for one that cannot be read."""
    found = set(marked)
    wanted = {(seq, word) for seq, word in said.items() if word in MARKED}
    unreadable = {seq for seq, word in said.items() if word is None}
    return [
        f"table {table}, entry {seq}: the index {'lacks it' if missing else 'calls it'} as {word}"
        for seq, word in sorted(found ^ wanted)
        if seq not in unreadable
        for missing in ((seq, word) in wanted,)
    ]


def opens_behind(
    entry: Entry, fits: bool, state: State, since: int, target: Entry | None = None
) -> int | None:
    """What there is to note (`Draft.opens`) once `entry` was folded to `state` at the live end,
    None for nothing. `fits`: its verdict is not odd; `since`: what was noted last, else 0;
    `target`: what it corrects.

    A game that begins needs what follows it, and the walls that came up for it before. Where its
    beginning, walls, or something of a game before it are corrected or said late, everything is to
    be read again: 0.
    """
    if not fits:
        return None
    if target is not None:
        begins = isinstance(target.fact, facts.GameStarted | facts.Raised | facts.Replace)
        return 0 if begins or target.seq <= since else None
    if entry.after is not None:
        begins = isinstance(entry.fact, facts.GameStarted | facts.Raised)
        return 0 if begins or entry.after <= since else None
    if not isinstance(entry.fact, facts.GameStarted):
        return None
    deal, hand = state.deal, state.hand
    waits = deal is not None and (not deal.used or (hand is not None and hand.life == "raised"))
    return (min(deal.seq, entry.seq) if deal is not None and waits else entry.seq) - 1


def corrections(entries: Iterable[Entry], targets: Iterable[int]) -> list[Entry]:
    """Those of `entries` that correct one of the targets, or such a correction."""
    known = set(targets)
    found = []
    for entry in sorted(entries, key=lambda e: e.seq):
        if isinstance(entry.fact, facts.Retract | facts.Replace) and entry.fact.target in known:
            known.add(entry.seq)
            found.append(entry)
    return found


def note(db: sqlite3.Connection, table: int, opens: int) -> None:
    """Keep where a game begins, and where the one before it did."""
    db.execute(
        "INSERT INTO game VALUES (?, ?, 0) ON CONFLICT(table_id) DO UPDATE SET"
        " before = CASE WHEN excluded.seq = 0 THEN 0 WHEN excluded.seq > seq THEN seq"
        " ELSE min(before, excluded.seq) END, seq = excluded.seq",
        (table, opens),
    )
