"""`tablectl journal`: check, repair, export, each also where it goes wrong."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tablectl.core import facts
from tablectl.core.entry import decode_entry
from tablectl.core.preset_file import find_preset
from tablectl.core.record import read_record
from tablectl.core.replay import entries_of
from tablectl.journal.store import Draft, Journal

SETTLED = facts.Settled(points=(0, 0, 0, 0), chips=(0, 0, 0, 0))
RECORDS = Path(__file__).parents[1] / "data" / "riichi-4p.jsonl"


def histories(count: int = 3) -> list[list]:
    rules = find_preset("riichi-4p")
    lines = RECORDS.read_text("utf-8").splitlines()[:count]
    return [entries_of(rules, read_record(rules, line)) for line in lines]


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal with three recorded hands at table east and one entry at west."""
    monkeypatch.setenv("TABLECTL_STATE", str(tmp_path))
    path = tmp_path / "journal.sqlite"
    with Journal(path) as made:
        for n, history in enumerate(histories()):
            made.commit([Draft("east", f"r:{n}:{e.seq}", e.fact, "record") for e in history])
            made.commit([Draft("east", f"p:{n}", SETTLED)])
        made.commit([Draft("west", "p:1", histories(1)[0][0].fact)])
    return path


def test_export_prints_every_entry_as_it_is_kept(tablectl, journal):
    lines = tablectl("journal", "export").out.splitlines()
    entries = [decode_entry(line) for line in lines]
    told = [fact for history in histories() for fact in (*(e.fact for e in history), SETTLED)]
    assert [entry.fact for entry in entries if entry.table == "east"] == told
    assert [entry.seq for entry in entries if entry.table == "east"] == list(
        range(1, len(told) + 1)
    )
    only = tablectl("journal", "export", "--table", "west").out.splitlines()
    assert [decode_entry(line).table for line in only] == ["west"]


@pytest.mark.parametrize("hand", range(3))
def test_one_hand_alone_can_be_replayed(tablectl, journal, tmp_path, hand):
    done = tablectl("journal", "export", "--table", "east", "--hand", str(hand))
    (tmp_path / "hand").write_text(done.out)
    report = tablectl("replay", "riichi-4p", str(tmp_path / "hand")).json
    expected = json.loads(tablectl("replay", "riichi-4p", str(RECORDS)).out.splitlines()[hand])
    for name in ("ok", "head", "tail", "drawable", "end"):
        assert report[name] == expected[name], name
    # A journal does not have what nobody saw: the first indicator, of which a record says nothing.
    for name in ("indicators", "ura"):
        pairs = zip(report[name], expected[name], strict=True)
        assert all(found in ("?", true) for found, true in pairs)


def test_hands_of_several_games_are_replayed_one_by_one(tablectl, journal, tmp_path):
    done = tablectl("journal", "export", "--table", "east")
    (tmp_path / "evening").write_text(done.out)
    reports = tablectl("replay", "riichi-4p", str(tmp_path / "evening")).out.splitlines()
    assert [json.loads(report)["hand"] for report in reports] == [0, 1, 2]
    assert all(json.loads(report)["ok"] for report in reports)


@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        (["--table", "north"], "journal.table", 1),
        (["--hand", "0"], "journal.which_table", 2),
        (["--table", "east", "--hand", "3"], "journal.hand", 1),
        (["--table", "east", "--hand", "-1"], "journal.hand", 1),
        (["--journal", "/no/such/journal"], "journal.missing", 1),
    ],
)
def test_what_is_not_there_says_what_is(tablectl, journal, arguments, code, status):
    done = tablectl("journal", "export", *arguments, "--json")
    assert (done.status, done.error["code"], done.out) == (status, code, "")
    assert done.error["hint"]


def test_a_sound_journal_is_said_to_be(tablectl, journal):
    done = tablectl("journal", "check")
    assert done.status == 0
    assert "west: 1 entries" in done.out
    assert done.out.rstrip().endswith("sound")
    assert tablectl("journal", "check", "--json").json["ok"] is True
    before = journal.read_bytes()
    assert "nothing was done" in tablectl("journal", "repair").out
    assert journal.read_bytes() == before


def test_a_damaged_journal_is_reported_and_repaired(tablectl, journal):
    with sqlite3.connect(journal) as db:
        db.execute("UPDATE entry SET crc = crc + 1 WHERE table_id = 1 AND seq = 9")
    db.close()
    done = tablectl("journal", "check")
    assert done.status == 1
    assert "table east, entry 9: it is not as it was written" in done.out
    told = tablectl("journal", "repair", "--json").json
    assert (told["repaired"], told["lost"]) == (True, 1)
    assert Path(told["aside"]).exists()
    assert tablectl("journal", "check").status == 0


def test_a_journal_in_use_is_not_repaired(tablectl, journal):
    with Journal(journal):
        done = tablectl("journal", "repair", "--json")
        assert (done.status, done.error["code"]) == (1, "journal.locked")
        assert tablectl("journal", "check").status == 0, "looking is allowed"


@pytest.mark.parametrize("command", ["check", "repair", "export"])
def test_every_help_has_an_example(tablectl, command):
    found = tablectl("journal", command, "--help")
    assert f"Example: tablectl journal {command}" in found.out


def test_the_journal_is_found_where_a_daemon_keeps_it(monkeypatch, tmp_path):
    from tablectl.journal.place import journal_path

    assert journal_path({"TABLECTL_STATE": "/a"}) == Path("/a/journal.sqlite")
    assert journal_path({"XDG_STATE_HOME": "/b"}) == Path("/b/tablectl/journal.sqlite")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert journal_path({}) == tmp_path / ".local" / "state" / "tablectl" / "journal.sqlite"
