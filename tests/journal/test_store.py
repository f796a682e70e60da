"""The journal's file: what was given back is durable, each key once, nothing half done."""

from __future__ import annotations

import errno
import os
import random
import signal
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core import facts
from tablectl.core.entry import Who
from tablectl.errors import TablectlError
from tablectl.journal import file
from tablectl.journal.repair import repair
from tablectl.journal.store import Draft, Journal

DICE = facts.Dice(pips=(3, 4))


def draft(key: str, table: str = "east", **about: object) -> Draft:
    return Draft(table, key, DICE, **about)  # type: ignore[arg-type]


def filled(path: Path, n: int = 50) -> Path:
    with Journal(path) as journal:
        journal.commit([draft(f"b:7:{i}", origin="sensor", edge=(7, i)) for i in range(1, n + 1)])
        journal.commit([draft(f"p:{i}", "west") for i in range(n)])
    return path


def seqs(path: Path, table: str = "east") -> list[int]:
    with Journal(path, writer=False) as journal:
        return [entry.seq for entry in journal.entries(table)]


# ── committed is kept ───────────────────────────────────────────────────────────────────────────


def test_numbers_are_dense_for_each_table_and_everything_comes_back(tmp_path):
    path = tmp_path / "state" / "journal.sqlite"
    full = draft("p:1", at=5, mono=6, took=7, who=Who(role="staff", name="東"), cause=None, after=0)
    with Journal(path) as journal:
        kept = journal.commit([draft("a"), draft("b", "west"), full])
        assert [(k.entry.table, k.entry.seq, k.repeated) for k in kept] == [
            ("east", 1, False),
            ("west", 1, False),
            ("east", 2, False),
        ]
    with Journal(path) as journal:
        assert journal.tables() == ["east", "west"]
        first, second = journal.entries("east")
        assert (first.key, second.key, second.who) == ("a", "p:1", Who(role="staff", name="東"))
        assert (second.at, second.mono, second.took, second.after) == (5, 6, 7, 0)
        assert list(journal.entries("east", since=1)) == [second]
        assert list(journal.entries("nobody")) == []
        assert journal.commit([draft("c")])[0].entry.seq == 3
        assert journal.faults() == []


def test_a_repeated_key_is_kept_once_and_answered_with_the_first(tmp_path):
    with Journal(tmp_path / "j") as journal:
        first = journal.commit([draft("p:1", at=1)])[0]
        again = journal.commit([draft("p:1", at=2), draft("p:2"), draft("p:2", at=9)])
        assert [(k.entry.seq, k.repeated, k.entry.at) for k in again] == [
            (1, True, 1),
            (2, False, 0),
            (2, True, 0),
        ]
        assert again[0].entry == first.entry
        # The same key of another table is another.
        assert not journal.commit([draft("p:1", "west")])[0].repeated


def test_where_a_board_s_edges_are_durable(tmp_path):
    with Journal(tmp_path / "j") as journal:
        assert journal.durable("east") is None
        journal.commit([draft("v:1", edge=(7, 0))])
        assert journal.durable("east") == (7, 0)
        journal.commit([draft("b:7:1", edge=(7, 1)), draft("b:7:2", edge=(7, 2))])
        journal.commit([draft("b:7:1", edge=(7, 1))])
        assert journal.durable("east") == (7, 2), "a repeat takes nothing back"
        journal.commit([draft("v:2", edge=(8, 0))])
        assert journal.durable("east") == (8, 0)
        assert journal.durable("west") is None


GROUPS = st.lists(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9)), max_size=6), max_size=6
)


@given(GROUPS)
def test_any_groups_of_any_keys(tmp_path_factory, groups):
    path = tmp_path_factory.mktemp("journal") / "j"
    model: dict[str, list[str]] = {"a": [], "b": []}
    with Journal(path) as journal:
        for group in groups:
            for (table, key), kept in zip(
                group, journal.commit([draft(str(k), t) for t, k in group]), strict=True
            ):
                known = str(key) in model[table]
                if not known:
                    model[table].append(str(key))
                assert (kept.repeated, kept.entry.seq) == (known, model[table].index(str(key)) + 1)
        for table, keys in model.items():
            assert [entry.key for entry in journal.entries(table)] == keys
        assert journal.faults() == []


KILLED = """
import sys
from pathlib import Path
from tablectl.core import facts
from tablectl.journal.store import Draft, Journal
journal = Journal(Path(sys.argv[1]))
n = 0
while True:
    dice = facts.Dice(pips=(1, 2))
    group = [Draft("t", f"b:1:{i}", dice, edge=(1, i)) for i in range(n + 1, n + 8)]
    kept = journal.commit(group)
    n += 7
    print(kept[-1].entry.seq, flush=True)
"""


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_any_moment_nothing_that_was_given_back_is_missing(tmp_path, seed):
    rng = random.Random(seed)
    path = tmp_path / "j"
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, path], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        told = 0
        for _ in range(rng.randrange(1, 40)):
            told = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        told = int(rest.splitlines()[-1]) if rest.splitlines()[:-1] else told
        with Journal(path) as journal:
            entries = list(journal.entries("t"))
            assert len(entries) >= told
            assert len(entries) % 7 == 0, "whole groups only"
            assert journal.durable("t") == (1, len(entries))
            assert journal.faults() == []


# ── one writer ──────────────────────────────────────────────────────────────────────────────────


def test_a_second_writer_is_refused_and_told_who_writes(tmp_path):
    with Journal(tmp_path / "j") as journal:
        with pytest.raises(TablectlError) as refused:
            Journal(tmp_path / "j")
        assert refused.value.code == "journal.locked"
        assert str(os.getpid()) in refused.value.message
        journal.commit([draft("p:1")])
        assert seqs(tmp_path / "j") == [1], "readers are not kept out"
    with Journal(tmp_path / "j") as journal:
        assert len(list(journal.entries("east"))) == 1


def test_a_reader_changes_nothing_and_needs_a_journal(tmp_path):
    with pytest.raises(TablectlError) as refused:
        Journal(tmp_path / "none", writer=False)
    assert refused.value.code == "journal.missing"
    assert list(tmp_path.iterdir()) == []
    path = filled(tmp_path / "j", 3)
    with Journal(path, writer=False) as journal, pytest.raises(TablectlError) as refused:
        journal.commit([draft("x")])
    assert refused.value.code == "journal.unwritable"
    assert seqs(path) == [1, 2, 3]


def test_it_is_readable_by_its_owner_only(tmp_path):
    path = filled(tmp_path / "j", 1)
    assert path.stat().st_mode & 0o077 == 0


# ── what is wrong with a file ───────────────────────────────────────────────────────────────────


def test_a_newer_journal_is_left_alone(tmp_path):
    path = filled(tmp_path / "j", 3)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    before = path.read_bytes()
    for writer in (True, False):
        with pytest.raises(TablectlError) as refused:
            Journal(path, writer=writer)
        assert refused.value.code == "journal.newer"
        assert "99" in refused.value.message
    assert path.read_bytes() == before


@pytest.mark.parametrize("what", ["another database", "no database"])
def test_another_s_file_is_left_alone(tmp_path, what):
    path = tmp_path / "j"
    if what == "no database":
        path.write_text(
            "a diary, written by hand, and long enough to be none of SQLite's files\n" * 9
        )
    else:
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE mine(x)")
        db.close()
    before = path.read_bytes()
    with pytest.raises(TablectlError) as refused:
        Journal(path)
    assert refused.value.code in ("journal.not_ours", "journal.damaged")
    assert refused.value.hint
    assert path.read_bytes() == before


def test_a_file_of_no_bytes_is_a_new_journal(tmp_path):
    (tmp_path / "j").touch()
    with Journal(tmp_path / "j") as journal:
        assert journal.tables() == []


def test_an_interrupted_migration_leaves_the_old_format(tmp_path, monkeypatch):
    path = filled(tmp_path / "j", 3)
    broken = (*file.MIGRATIONS, "CREATE TABLE news(x); INSERT INTO nowhere VALUES (1)")
    monkeypatch.setattr(file, "MIGRATIONS", broken)
    monkeypatch.setattr(file, "FORMAT", len(broken))
    with pytest.raises(TablectlError):
        Journal(path)
    good = (*broken[:-1], "CREATE TABLE news(x)")
    monkeypatch.setattr(file, "MIGRATIONS", good)
    with Journal(path) as journal:
        assert [entry.seq for entry in journal.entries("east")] == [1, 2, 3]
    monkeypatch.undo()
    with pytest.raises(TablectlError) as refused:
        Journal(path)
    assert refused.value.code == "journal.newer"


def test_a_full_disk_keeps_nothing_of_the_group_and_goes_on_when_there_is_room(tmp_path):
    with Journal(tmp_path / "j") as journal:
        journal.commit([draft("p:0")])
        (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
        journal._db.execute(f"PRAGMA max_page_count = {pages}")
        group = [draft(f"p:{n}") for n in range(1, 500)]
        with pytest.raises(TablectlError) as refused:
            journal.commit(group)
        assert refused.value.code == "journal.full"
        assert [entry.key for entry in journal.entries("east")] == ["p:0"]
        journal._db.execute("PRAGMA max_page_count = 100000")
        assert len(journal.commit(group)) == 499


def test_a_folder_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(TablectlError) as refused:
        Journal(tmp_path / "file" / "j")
    assert refused.value.code == "journal.unwritable"


@pytest.mark.parametrize("call", ["pwrite", "ftruncate"])
def test_a_disk_without_room_for_the_writers_number_still_locks(tmp_path, monkeypatch, call):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        journal = Journal(tmp_path / "j")
    with journal:
        with pytest.raises(TablectlError) as refused:
            Journal(tmp_path / "j")
        assert refused.value.code == "journal.locked"


def test_a_journal_that_cannot_be_made_says_why_and_locks_nothing(tmp_path, monkeypatch):
    make = os.open

    def full(path, *about, **more):
        if str(path).endswith("j"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return make(path, *about, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", full)
        with pytest.raises(TablectlError) as refused:
            Journal(tmp_path / "j")
        assert refused.value.code == "journal.full"
    Journal(tmp_path / "j").close()


# ── damage ──────────────────────────────────────────────────────────────────────────────────────


def alter(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as db:
        db.execute(statement, values)
    db.close()


def test_a_changed_letter_is_noticed(tmp_path):
    path = filled(tmp_path / "j", 5)
    alter(
        path,
        "UPDATE entry SET body = replace(body, '[3,4]', '[3,5]') WHERE seq = 3 AND table_id = 1",
    )
    with Journal(path, writer=False) as journal:
        [fault] = journal.faults()
        assert "table east, entry 3: it is not as it was written" in fault
        with pytest.raises(TablectlError) as damaged:
            list(journal.entries("east"))
        assert damaged.value.code == "journal.damaged"
        assert len(list(journal.entries("west"))) == 5


def test_a_missing_entry_and_one_in_another_s_place_are_noticed(tmp_path):
    path = filled(tmp_path / "j", 5)
    alter(path, "DELETE FROM entry WHERE seq = 2 AND table_id = 1")
    body = '{"table":"east","seq":9,"key":"k","fact":{"type":"dice","pips":[1,2]}}'
    alter(
        path,
        "UPDATE entry SET body = ?, crc = ? WHERE seq = 4 AND table_id = 1",
        body,
        zlib.crc32(body.encode()),
    )
    with Journal(path, writer=False) as journal:
        faults = journal.faults()
    assert any("numbers 2 to 2 are missing" in fault for fault in faults)
    assert any("entry 4: its columns are another entry's" in fault for fault in faults)


def test_a_repair_keeps_what_can_be_read_under_its_number(tmp_path):
    path = filled(tmp_path / "j", 6)
    alter(path, "UPDATE entry SET body = 'x' WHERE seq = 3 AND table_id = 1")
    before = path.read_bytes()
    done = repair(path)
    assert (done.kept, done.lost) == (11, 1)
    assert done.aside.read_bytes() == before
    assert seqs(path) == [1, 2, 4, 5, 6]
    with Journal(path) as journal:
        assert journal.faults() == [], "the gap is known"
        assert journal.durable("east") == (7, 6)
        assert journal.commit([draft("p:new")])[0].entry.seq == 7
    assert repair(path) is None, "it is sound"
    alter(path, "UPDATE entry SET body = 'x' WHERE seq = 7 AND table_id = 1")
    done = repair(path)
    assert (done.aside.name, done.kept, done.lost) == ("j.damaged-2", 11, 1)
    with Journal(path) as journal:
        assert journal.commit([draft("p:newer")])[0].entry.seq == 8, "7 was another's"


@pytest.mark.parametrize("seed", range(6))
def test_whatever_page_is_spoilt_a_repair_ends_well(tmp_path, seed):
    rng = random.Random(seed)
    path = filled(tmp_path / "j", 400)
    data = bytearray(path.read_bytes())
    for _ in range(3):
        at = rng.randrange(4096, len(data) - 100)
        data[at : at + 100] = rng.randbytes(100)
    path.write_bytes(data)
    done = repair(path)
    with Journal(path) as journal:
        assert journal.faults() == []
        kept = [entry for name in journal.tables() for entry in journal.entries(name)]
    assert len(kept) == done.kept
    assert done.aside.read_bytes() == bytes(data)
