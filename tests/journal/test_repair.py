"""A damaged journal keeps all that can be read, and what is said to be lost was there."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from tablectl.core import facts
from tablectl.core.entry import Entry, Who, encode_entry
from tablectl.errors import TablectlError
from tablectl.journal.file import lock, unlock
from tablectl.journal.pages import Pages, record
from tablectl.journal.repair import Repaired, repair
from tablectl.journal.store import Draft, Journal

PAGE = 4096
DICE = facts.Dice(pips=(3, 4))
Damage = Callable[[bytearray], None]


def evening(path: Path, n: int = 400, long: int = 7) -> list[Entry]:
    """Two tables' entries, some of them longer than a page, as they come: one after another."""
    kept = []
    with Journal(path) as journal:
        for i in range(1, n + 1):
            who = Who(role="staff", name="東" * 900) if i % 50 == long else None
            kept += journal.commit([Draft("east", f"b:7:{i}", DICE, "sensor", who=who)])
            if i % 3 == 0:
                kept += journal.commit([Draft("west", f"p:{i}", DICE)])
    return [one.entry for one in kept]


def entries(path: Path) -> list[Entry]:
    with Journal(path, writer=False) as journal:
        assert journal.faults() == []
        return [entry for table in journal.tables() for entry in journal.entries(table)]


def intact(whole: bytes, damaged: bytes, said: list[Entry]) -> set[tuple[str, int]]:
    """The short entries of which no byte was touched, by looking for their text."""
    found = set()
    for entry in said:
        body = encode_entry(entry).encode()
        at = whole.find(body)
        if entry.who is None and at > 0:
            around = slice(at - len(entry.key) - 20, at + len(body) + 4)
            if whole[around] == damaged[around]:
                found.add((entry.table, entry.seq))
    return found


def damaged(path: Path, damage: Damage) -> tuple[bytes, bytes]:
    whole = path.read_bytes()
    data = bytearray(whole)
    damage(data)
    path.write_bytes(data)
    return whole, bytes(data)


def checked(path: Path, said: list[Entry], damage: Damage) -> Repaired:
    """Repair it, and hold what is said against what there was."""
    whole, spoilt = damaged(path, damage)
    done = repair(path)
    assert done is not None
    found = entries(path)
    by_number = {(entry.table, entry.seq): entry for entry in said}
    assert all(by_number[one.table, one.seq] == one for one in found)
    kept = {(entry.table, entry.seq) for entry in found}
    assert kept >= intact(whole, spoilt, said)
    assert done.kept == len(found)
    assert done.kept + done.lost <= len(said)
    if not done.unknown:
        assert done.kept + done.lost == len(said)
    assert done.aside.read_bytes() == spoilt
    assert not list(path.parent.glob("*.repaired*"))
    return done


def zero(*numbers: int) -> Damage:
    def damage(data: bytearray) -> None:
        for number in numbers:
            data[(number - 1) * PAGE : number * PAGE] = bytes(PAGE)

    return damage


def flip(number: int, first: int = 2000, last: int = 2200) -> Damage:
    def damage(data: bytearray) -> None:
        for at in range((number - 1) * PAGE + first, (number - 1) * PAGE + last):
            data[at] ^= 0x55

    return damage


def cut(length: int) -> Damage:
    return lambda data: data.__delitem__(slice(length, None))


def test_damage_inside_a_page_costs_what_is_there_and_says_so(tmp_path):
    path = tmp_path / "j"
    said = evening(path, 155)
    leaf = place(path, said[-1])
    done = checked(path, said, flip(leaf, PAGE - 200, PAGE))
    assert (done.unknown, done.lost > 0) == (False, True)


@pytest.mark.parametrize("listed", [0, 1, -1])
def test_a_page_that_lists_fewer_entries_than_it_has_loses_none(tmp_path, listed):
    path = tmp_path / "j"
    said = evening(path, 155)
    at = (place(path, said[-1]) - 1) * PAGE + 3

    def damage(data: bytearray) -> None:
        count = int.from_bytes(data[at : at + 2], "big")
        data[at : at + 2] = (listed if listed >= 0 else count - 1).to_bytes(2, "big")

    assert checked(path, said, damage).kept == len(said)


def place(path: Path, entry: Entry) -> int:
    """The page on which an entry lies."""
    return path.read_bytes().find(encode_entry(entry).encode()) // PAGE + 1


def test_what_is_lost_at_a_tables_end_is_counted_and_its_number_not_used_again(tmp_path):
    path = tmp_path / "j"
    said = evening(path, 155)
    last = max((entry for entry in said if entry.table == "east"), key=lambda entry: entry.seq)
    at = path.read_bytes().find(encode_entry(last).encode())
    done = checked(path, said, lambda data: data.__setitem__(slice(at, at + 9), b"x" * 9))
    assert (done.kept, done.lost, done.unknown) == (len(said) - 1, 1, False)
    assert done.last["east"] == last.seq
    with Journal(path) as journal:
        assert journal.commit([Draft("east", "p:new", DICE)])[0].entry.seq == last.seq + 1
    assert len(entries(path)) == len(said)


@pytest.mark.parametrize("first", [1, 2, 3, 5, 9])
def test_pages_that_are_gone_cost_no_others(tmp_path, first):
    path = tmp_path / "j"
    said = evening(path)
    done = checked(path, said, zero(*range(max(2, first), first + 4)))
    assert done.kept > len(said) // 2


@pytest.mark.parametrize("pages", [10, 20])
def test_a_file_that_is_cut_off_keeps_its_beginning_and_claims_no_end(tmp_path, pages):
    path = tmp_path / "j"
    said = evening(path)
    done = checked(path, said, cut(pages * PAGE - 960))
    assert done.kept > pages
    assert done.unknown


def test_the_first_page_may_be_gone_but_for_its_mark(tmp_path):
    path = tmp_path / "j"
    said = evening(path, 100)
    done = checked(path, said, flip(1, 100, PAGE))
    assert done.kept == len(said)
    assert done.unknown, "nothing says any more which index is whole"


@pytest.mark.parametrize("seed", range(25))
def test_any_damage_keeps_what_it_did_not_touch(tmp_path, seed):
    rng = random.Random(seed)
    path = tmp_path / "j"
    said = evening(path, rng.randrange(20, 300))
    pages = path.stat().st_size // PAGE

    def damage(data: bytearray) -> None:
        for _ in range(rng.randrange(1, 4)):
            number = rng.randrange(2, pages + 1)
            kind = rng.choice((zero(number), flip(number, *sorted(rng.sample(range(PAGE), 2)))))
            kind(data)
        if rng.random() < 0.2:
            cut(rng.randrange(3 * PAGE, len(data)))(data)

    whole = path.read_bytes()
    trial = bytearray(whole)
    state = rng.getstate()
    damage(trial)
    path.with_name("trial").write_bytes(trial)
    if repair(path.with_name("trial")) is None:
        return  # only free places were hit
    rng.setstate(state)
    checked(path, said, damage)


@pytest.mark.parametrize("bad", [0.2, 0.5, 0.9])
def test_what_lies_in_the_log_of_a_killed_daemon_is_kept(tmp_path, bad):
    """The file is spoilt, and only the log has what came last."""
    said = evening(tmp_path / "live", 60)
    path = tmp_path / "j"
    with Journal(tmp_path / "live") as journal:
        for i in range(100):
            said += [k.entry for k in journal.commit([Draft("east", f"p:late:{i}", DICE)])]
        for end in ("", "-wal"):
            shutil.copy(tmp_path / f"live{end}", tmp_path / f"j{end}")
    pages = path.stat().st_size // PAGE
    damaged(path, zero(*range(2, pages + 1)))
    log = Path(f"{path}-wal")
    data = log.read_bytes()
    flipped = bytearray(data)
    flipped[int(len(data) * bad)] ^= 0x55
    log.write_bytes(flipped)
    done = repair(path)
    assert done is not None
    found = {(one.table, one.seq): one for one in entries(path)}
    assert all(one in found.values() for one in said if one.key.startswith("p:late"))
    assert {one.seq for one in found.values()} <= {one.seq for one in said}
    assert Path(f"{done.aside}-wal").read_bytes() == bytes(flipped)


def test_a_sound_journal_stays_as_it_is(tmp_path):
    path = tmp_path / "j"
    evening(path, 20)
    before = path.read_bytes()
    assert repair(path) is None
    assert path.read_bytes() == before


@pytest.mark.parametrize("where", ["j", "no/such/folder/j"])
def test_where_there_is_no_journal_nothing_is_made(tmp_path, where):
    with pytest.raises(TablectlError) as refused:
        repair(tmp_path / where)
    assert refused.value.code == "journal.missing"
    assert list(tmp_path.iterdir()) == []


def test_a_repair_that_fails_leaves_everything_in_its_place(tmp_path, monkeypatch):
    path = tmp_path / "j"
    evening(path, 100)
    _, spoilt = damaged(path, zero(5))

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_insert", full)
        with pytest.raises(TablectlError):
            repair(path)
    assert path.read_bytes() == spoilt
    assert not list(tmp_path.glob("*.repaired*"))
    assert not list(tmp_path.glob("*.damaged*"))
    assert repair(path) is not None


def test_a_lock_whose_file_was_taken_away_is_taken_anew(tmp_path):
    """Who waits at the door of a journal that was not made must not lock a file of no name."""
    path = tmp_path / "j"
    held = lock(path)
    os.unlink(f"{path}.lock")
    again = lock(path)
    assert os.path.samestat(os.fstat(again), os.stat(f"{path}.lock"))
    unlock(held)
    unlock(again)


# ── pages ───────────────────────────────────────────────────────────────────────────────────────


def test_pages_are_read_as_sqlite_reads_them(tmp_path):
    """Every index of a journal, walked page by page, has the rows that SQLite gives."""
    path = tmp_path / "j"
    evening(path)
    with sqlite3.connect(path) as db, Pages(path) as pages:
        roots = db.execute("SELECT name, rootpage FROM sqlite_master").fetchall()
        walked = {name: list(pages.walk(root)) for name, root in roots if name in ("entry", "mark")}
        index = next(root for name, root in roots if "autoindex_entry" in name)
        keys = list(pages.walk(index))
        for name, rows in walked.items():
            assert rows == db.execute(f"SELECT * FROM {name}").fetchall()
        asked = "SELECT table_id, key, seq FROM entry ORDER BY table_id, key"
        assert keys == db.execute(asked).fetchall()
    db.close()


@pytest.mark.parametrize("value", [None, 0, 1, -1, 300, -(2**40), 2**62, 0.5, "", "東", b"\0\1"])
def test_every_kind_of_value_is_read(tmp_path, value):
    with sqlite3.connect(tmp_path / "db") as db:
        db.execute("CREATE TABLE t(a PRIMARY KEY, b) WITHOUT ROWID")
        db.execute("INSERT INTO t VALUES (1, ?)", (value,))
    db.close()
    with Pages(tmp_path / "db") as pages:
        assert list(pages.walk(2)) == [(1, value)]


@pytest.mark.parametrize("seed", range(20))
def test_bytes_of_any_kind_are_no_records_and_no_harm(seed, tmp_path):
    rng = random.Random(seed)
    for _ in range(200):
        try:
            record(rng.randbytes(rng.randrange(40)))
        except (ValueError, IndexError, struct.error):
            continue
    data = rng.randbytes(3 * PAGE)
    (tmp_path / "j").write_bytes(data)
    with Pages(tmp_path / "j") as pages:
        for number, page in pages.every():
            list(pages.rows(number, page))
