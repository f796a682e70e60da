"""`tablectl journal`: check, repair, export, each also where it goes wrong."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tablectl.app import daemon_file
from tablectl.cli.client import Client
from tablectl.core import facts
from tablectl.core.entry import decode_entry
from tablectl.core.preset_file import find_preset, read_preset
from tablectl.core.record import read_record
from tablectl.core.replay import entries_of
from tablectl.journal.store import Draft, Journal

SETTLED = facts.Settled(points=(0, 0, 0, 0), chips=(0, 0, 0, 0))
ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "tests" / "data" / "riichi-4p.jsonl"


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
    from tablectl.journal.place import journal_in, state_directory

    assert journal_in(state_directory({"TABLECTL_STATE": "/a"})) == Path("/a/journal.sqlite")
    assert state_directory({"XDG_STATE_HOME": "/b"}) == Path("/b/tablectl")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_directory({}) == tmp_path / ".local" / "state" / "tablectl"


# ── where it is, and what its tables are called ─────────────────────────────────────────────────


UID = "00112233445566aa"


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration that names a state directory with a journal of three tables: of two boards
    and one that people work."""
    for name in ("TABLECTL_STATE", "TABLECTL_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    path = tmp_path / "parlour.toml"
    path.write_text(
        f"""
        [daemon]
        state = "kept"
        [[table]]
        url = "tcp:10.0.0.1:4000"
        name = "east"
        preset = "riichi-4p"
        uid = "{UID}"
        [[table]]
        url = "manual:back"
        name = "the back room"
        preset = "riichi-4p"
        """
    )
    (tmp_path / "kept").mkdir()
    with Journal(tmp_path / "kept" / "journal.sqlite") as made:
        for table in (UID, "00ff000000000000", "manual-back"):
            made.commit([Draft(table, "p:1", SETTLED)])
    return path


@pytest.mark.parametrize("command", ["check", "repair", "export"])
def test_the_journal_of_a_configuration_or_a_state_directory_is_meant(
    tablectl, configured, tmp_path, monkeypatch, command
):
    for arguments in (
        ("--config", str(configured)),
        ("--state", str(tmp_path / "kept")),
        ("--config", str(configured), "--journal", str(tmp_path / "kept" / "journal.sqlite")),
    ):
        assert tablectl("journal", command, *arguments).status == 0
    other = tablectl("journal", command, "--config", str(configured), "--state", str(tmp_path))
    assert "journal.missing" in other.err
    named = tablectl("journal", command, "--config", str(configured), "--journal", "/no/such")
    assert "/no/such: there is no journal" in named.err
    assert "journal.missing" in tablectl("journal", command).err
    monkeypatch.setenv("TABLECTL_CONFIG", str(configured))
    assert tablectl("journal", command).status == 0


@pytest.mark.parametrize(
    ("called", "id"),
    [
        ("east", UID),
        (UID, UID),
        ("0011", UID),
        ("the back room", "manual-back"),
        ("m", "manual-back"),
    ],
)
def test_a_table_is_exported_by_its_name(tablectl, configured, called, id):
    done = tablectl("journal", "export", "--config", str(configured), "--table", called)
    assert [decode_entry(line).table for line in done.out.splitlines()] == [id]


@pytest.mark.parametrize("called", ["00", "west", ""])
def test_a_name_that_is_none_or_several_lists_the_tables(tablectl, configured, called):
    arguments = ("--config", str(configured), "--table", called, "--json")
    done = tablectl("journal", "export", *arguments)
    assert (done.status, done.error["code"]) == (1, "journal.table")
    assert f"{UID} (east)" in done.error["hint"]
    assert "manual-back (the back room)" in done.error["hint"]
    assert "00ff000000000000" in done.error["hint"]


def test_a_table_is_exported_by_the_name_that_the_daemon_says(
    tablectl, configured, tmp_path, monkeypatch
):
    daemon_file.write(tmp_path / "kept", "http://127.0.0.1:1")
    monkeypatch.setattr(
        Client, "get", lambda *_: {"tables": [{"table": "00ff000000000000", "name": "west"}]}
    )
    arguments = ("journal", "export", "--config", str(configured), "--table")
    [line] = tablectl(*arguments, "west").out.splitlines()
    assert decode_entry(line).table == "00ff000000000000"
    assert tablectl(*arguments, "east").status == 0, "the daemon does not know it yet"

    def silent(self: Client, _: str) -> None:
        raise self.silent(TimeoutError())

    monkeypatch.setattr(Client, "get", silent)
    assert tablectl(*arguments, "east").status == 0
    assert "journal.table" in tablectl(*arguments, "west").err


def test_the_only_board_is_the_only_table_that_may_have_any(tablectl, tmp_path, monkeypatch):
    monkeypatch.setenv("TABLECTL_STATE", str(tmp_path))
    (tmp_path / "c.toml").write_text(
        '[[table]]\nurl="tcp:10.0.0.1:4000"\nname="east"\npreset="riichi-4p"\n'
    )
    arguments = ("journal", "export", "--config", str(tmp_path / "c.toml"), "--table", "east")
    for uid, status in (("0a", 0), ("0b", 1)):
        with Journal(tmp_path / "journal.sqlite") as made:
            made.commit([Draft(uid, "p:1", SETTLED)])
        assert tablectl(*arguments).status == status


# ── what goes wrong ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("command", ["check", "repair", "export"])
def test_where_there_is_no_journal_nothing_is_made(tablectl, tmp_path, command):
    for path in (tmp_path / "j", tmp_path / "no" / "folder" / "j"):
        done = tablectl("journal", command, "--journal", str(path), "--json")
        assert (done.status, done.error["code"]) == (1, "journal.missing")
    (tmp_path / "begun").touch()
    done = tablectl("journal", "check", "--journal", str(tmp_path / "begun"), "--json")
    assert done.error["code"] == "journal.missing", "a daemon was killed before it made it"
    assert [path.name for path in tmp_path.iterdir()] == ["begun"]


@pytest.mark.parametrize("command", ["check", "repair", "export"])
def test_a_file_that_nobody_lets_one_see_is_told_in_a_sentence(tablectl, tmp_path, command):
    path = tmp_path / ("j" * 300)
    done = tablectl("journal", command, "--journal", str(path), "--json")
    assert (done.status, done.error["code"]) == (1, "journal.unreadable")
    assert "too long" in done.error["message"]


def test_a_page_that_is_spoilt_is_told_without_sqlites_heading(tablectl, journal):
    data = bytearray(journal.read_bytes())
    data[-200:] = bytes(200)
    data[-4096:-4094] = b"\x0a\xff"
    journal.write_bytes(data)
    done = tablectl("journal", "check", "--json")
    assert (done.status, done.error["code"]) == (1, "journal.damaged")
    assert "***" not in done.err
    assert "\n" not in done.error["message"]


def test_a_repair_says_what_cannot_be_known(tablectl, journal):
    with journal.open("r+b") as file:
        file.truncate(5 * 4096 - 7)
    told = tablectl("journal", "repair", "--json")
    assert told.status == 0
    assert (told.json["repaired"], told.json["unknown"]) == (True, True)
    assert told.json["kept"] > 0
    with journal.open("r+b") as file:
        file.truncate(5 * 4096 - 7)
    assert "Numbers behind the last ones cannot be known (east: " in (
        tablectl("journal", "repair").out
    )


# ── replay ──────────────────────────────────────────────────────────────────────────────────────


def test_hands_of_several_tables_are_replayed_table_by_table(tablectl, journal, tmp_path):
    with Journal(journal) as made:
        made.commit([Draft("west", f"r:{e.seq}", e.fact, "record") for e in histories(1)[0]])
        made.commit([Draft("north", "p:1", SETTLED)])
    every = tablectl("journal", "export").out.splitlines()
    every.sort(key=lambda line: decode_entry(line).seq)
    (tmp_path / "all").write_text("\n".join(every))
    done = tablectl("replay", "riichi-4p", str(tmp_path / "all"))
    reports = [json.loads(line) for line in done.out.splitlines()]
    assert [(one["table"], one["hand"]) for one in reports] == [
        ("east", 0), ("east", 1), ("east", 2), ("west", 0),
    ]  # fmt: skip
    alone = tablectl("journal", "export", "--table", "east")
    (tmp_path / "east").write_text(alone.out)
    east = tablectl("replay", "riichi-4p", str(tmp_path / "east")).out.splitlines()
    assert [json.loads(line) for line in east] == reports[:3]


def test_an_export_without_any_hand_of_the_rule_is_never_silent(tablectl, journal, tmp_path):
    (tmp_path / "all").write_text(tablectl("journal", "export").out)
    done = tablectl("replay", "ramen-jiro", str(tmp_path / "all"), "--json")
    assert (done.status, done.out, done.error["code"]) == (1, "", "replay.no_hand")
    assert "east, west" in done.error["message"]
    with Journal(journal) as made:
        game = facts.GameStarted(preset="x", digest="y", seats=(0, 1, 2))
        made.commit([Draft("north", "p:1", game)])
    (tmp_path / "all").write_text(tablectl("journal", "export").out)
    done = tablectl("replay", "riichi-4p", str(tmp_path / "all"), "--json")
    assert (done.status, len(done.out.splitlines())) == (1, 3)
    assert done.error["message"].endswith("at north")


def test_a_hand_of_a_house_rule_is_found_by_the_rule_that_its_game_began_with(tablectl, journal):
    text = (ROOT / "tablectl" / "presets" / "riichi-4p.toml").read_text("utf-8")
    text = text.replace("value = 25000", "value = 30000")
    house = read_preset(text, "riichi-4p.toml")
    assert house.digest != find_preset("riichi-4p").digest
    kept = journal.parent / "rules" / f"riichi-4p@{house.digest}.toml"
    kept.parent.mkdir()
    kept.write_text(text, "utf-8")
    record = read_record(house, RECORDS.read_text("utf-8").splitlines()[0])
    with Journal(journal) as made:
        told = entries_of(house, record)
        made.commit([Draft("house", f"r:{e.seq}", e.fact, "record") for e in told])
    done = tablectl("journal", "export", "--table", "house", "--hand", "0")
    assert len(done.out.splitlines()) == len(told)
