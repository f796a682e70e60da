"""The index of the journal: it says what the entries say, and where the open game begins."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import told

from tablectl.core import facts
from tablectl.core.fold import History, fold_each
from tablectl.core.state import State
from tablectl.errors import TablectlError
from tablectl.journal.marks import MARKED, opens_behind
from tablectl.journal.repair import repair
from tablectl.journal.store import Draft, Journal

GAME = facts.GameStarted(preset="riichi-4p", digest="d", seats=(0, 1, 2, 3))
FACTS = {
    "game": GAME,
    "walls": facts.Raised(),
    "board": facts.Board(uid="east", boot=7),
    "ignored": facts.SensorIgnored(ability="counts"),
    "dice": facts.Dice(pips=(3, 4)),
    "other": facts.GameEnded(),
}


def written(path: Path, *words: str, table: str = "east") -> Path:
    """A journal with facts by their word."""
    with Journal(path) as journal:
        journal.commit([Draft(table, f"p:{n}", FACTS[word]) for n, word in enumerate(words)])
    return path


def sql(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    with db:
        for statement in statements:
            db.execute(statement)
    db.close()


def rows(path: Path, query: str) -> list[tuple]:
    db = sqlite3.connect(path)
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


def made_old(path: Path) -> Path:
    """The same journal as a program that knew no marks has written it."""
    sql(path, "DROP TABLE mark", "DROP TABLE game", "PRAGMA user_version = 1")
    return path


MARKS = "SELECT table_id, type, seq FROM mark ORDER BY 1, 2, 3"
ENTRIES = "SELECT table_id, seq, key, body, crc FROM entry ORDER BY 1, 2"


# ── what is asked of it ─────────────────────────────────────────────────────────────────────────


def evening(seed: int) -> tuple[dict, list]:
    """Games of some hands, begun before and after their walls came up, ended or not, some while a
    hand is open; a hand is closed or it is not, and a fact is taken back now and then."""
    rng = random.Random(seed)
    book, said = {}, []
    for n in range(rng.randrange(4, 8)):
        rules, history = told(seed * 10 + n)
        book[rules.digest] = rules
        hand = [entry.fact for entry in history]
        if rng.random() < 0.6:
            hand.sort(key=lambda fact: not isinstance(fact, facts.Raised))
        if n and rng.random() < 0.3:
            hand = [fact for fact in hand if not isinstance(fact, facts.GameStarted)]
        if rng.random() < 0.2:
            hand = hand[: rng.randrange(2, len(hand))]
        if rng.random() < (0.6 if n > 2 else 1):
            hand += [facts.Settled(), facts.Void()]  # one of them closes it, the other is odd
        if rng.random() < 0.7:
            hand.append(facts.GameEnded())
        if rng.random() < 0.3:
            hand.append(rng.choice((FACTS["ignored"], FACTS["board"])))
        said += hand
        if rng.random() < 0.15:
            said.append(facts.Retract(target=len(said) - rng.randrange(min(60, len(said)))))
    return book, said


def read_from_there(path: Path, book: dict, said: list) -> set[int]:
    """Tell a daemon's journal all of it; now and then another daemon starts and has to know the
    same. Gives the numbers behind which those have read."""
    history = History(book)
    since, cuts = 0, set()
    opens: int | None = None
    with Journal(path) as journal:
        for n, fact in enumerate(said, 1):
            [kept] = journal.commit([Draft("east", f"p:{n}", fact, opens=opens)])
            history, verdict = history.append(kept.entry)
            target = getattr(fact, "target", None)
            corrected = None if target is None else journal.entry("east", target)
            fits = verdict.kind != "odd"
            opens = opens_behind(kept.entry, fits, history.state, since, corrected)
            since = since if opens is None else opens
            if n % 150 == 0 or n == len(said):
                cuts.add(journal.opens_at("east"))
                *_, (_, part, _) = fold_each(book, journal.opening("east"), State())
                whole = history.state
                assert (part.game, part.hand) == (whole.game, whole.hand)
                assert part.machine.ignored == whole.machine.ignored
    return cuts


@pytest.mark.parametrize("seed", range(3))
def test_a_daemon_that_reads_from_there_knows_the_same(tmp_path, seed):
    book, said = evening(seed)
    cuts = read_from_there(tmp_path / "j", book, said)
    print("seed", seed, "read behind", sorted(cuts))


def test_a_game_that_could_not_begin_is_none(tmp_path):
    """People say again and again that they play, while the hand is open."""
    rules, history = told(1)
    hand = [entry.fact for entry in history]
    game = next(fact for fact in hand if isinstance(fact, facts.GameStarted))
    closed = [*hand, facts.Settled(), facts.Void(), facts.GameEnded()]
    middle = len(hand) // 2
    open_hand = [*hand[:middle], game, game, game, *hand[middle : middle + 9]]
    said = [*closed, *closed, *open_hand]
    cuts = read_from_there(tmp_path / "j", {rules.digest: rules}, said)
    assert max(cuts) == len(closed)


@pytest.mark.parametrize(
    ("notes", "opens_at"),
    [([], 0), ([5], 0), ([5, 9], 5), ([5, 9, 9], 5), ([5, 9, 20], 9), ([5, 9, 0], 0), ([9, 5], 0)],
)
def test_the_game_before_the_open_one_is_read_too(tmp_path, notes, opens_at):
    with Journal(tmp_path / "j") as journal:
        for n, opens in enumerate(notes):
            journal.commit([Draft("east", f"p:{n}", FACTS["dice"], opens=opens)])
        assert journal.opens_at("east") == opens_at
        assert journal.opens_at("west") == 0


def test_what_is_read_of_the_time_before(tmp_path):
    said = [
        FACTS["board"],
        FACTS["ignored"],
        facts.Replace(target=2, fact={"ability": "presence"}),
        facts.Retract(target=3),
        FACTS["dice"],
        facts.Retract(target=5),
        FACTS["board"],
        FACTS["walls"],
    ]
    with Journal(tmp_path / "j") as journal:
        journal.commit([Draft("east", f"p:{n}", fact) for n, fact in enumerate(said)])
        assert [entry.seq for entry in journal.opening("east")] == list(range(1, 9))
        for opens in (7, 9):
            journal.commit([Draft("east", f"q:{opens}", FACTS["dice"], opens=opens)])
        assert [entry.seq for entry in journal.opening("east")] == [2, 3, 4, 7, 8, 9, 10]


def test_the_last_of_a_type(tmp_path):
    path = written(tmp_path / "j", "board", "ignored", "dice", "board", "ignored", "dice")
    written(path, "board", table="west")
    with Journal(path) as journal:
        assert journal.last("east", "board").seq == 4
        assert journal.last("east", "board", before=4).seq == 1
        assert journal.last("east", "board", before=1) is None
        assert journal.last("east", "raised") is journal.last("nobody", "board") is None
        assert [entry.seq for entry in journal.marked("east", "sensor_ignored")] == [2, 5]
        assert [entry.seq for entry in journal.marked("east", "sensor_ignored", 2)] == [5]
        assert journal.entry("east", 3).fact == FACTS["dice"]
        assert journal.entry("east", 7) is None
        assert [e.seq for e in journal.entries("east", 1, 2)] == [2, 3]


def test_a_board_is_recalled_by_its_uid(tmp_path):
    with Journal(tmp_path / "j") as journal:
        journal.commit([Draft("0a0b", "b:7:3", FACTS["dice"], "sensor", edge=(7, 3))])
        journal.commit([Draft("0c0d", "v:1", FACTS["dice"], "sensor", edge=(9, 0))])
        assert (journal.recall("0a0b"), journal.recall("none")) == ((7, 3), None)
        assert journal.boards() == {"0a0b": (7, 3), "0c0d": (9, 0)}


# ── an old journal ──────────────────────────────────────────────────────────────────────────────


@given(words=st.lists(st.sampled_from(sorted(FACTS)), max_size=20))
def test_marks_of_an_old_journal_are_those_of_a_new_one(tmp_path_factory, words):
    path = written(tmp_path_factory.mktemp("journal") / "j", *words)
    marks, entries = rows(path, MARKS), rows(path, ENTRIES)
    assert len(marks) == sum(word in ("game", "walls", "board", "ignored") for word in words)
    made_old(path)
    before = path.read_bytes()
    with Journal(path, writer=False) as reader:
        found = (reader.opening("east"), reader.last("east", "board"), reader.faults())
    assert path.read_bytes() == before, "a reader leaves it as it is"
    with Journal(path) as journal:
        assert (journal.opening("east"), journal.last("east", "board"), []) == found
        assert journal.faults() == []
    assert (rows(path, MARKS), rows(path, ENTRIES)) == (marks, entries)
    assert rows(path, "PRAGMA user_version") == [(2,)]


def test_an_old_journal_with_spoilt_entries_is_migrated_and_repaired_as_before(tmp_path):
    path = made_old(written(tmp_path / "j", "walls", "board", "game", "dice"))
    sql(
        path,
        "UPDATE entry SET body = 'x' WHERE seq = 1",
        "UPDATE entry SET body = x'00ff' WHERE seq = 2",
    )
    with Journal(path) as journal:
        assert len(journal.faults()) == 2
        with pytest.raises(TablectlError) as damaged:
            list(journal.entries("east"))
        assert damaged.value.code == "journal.damaged"
    done = repair(path)
    assert (done.kept, done.lost) == (2, 2)
    with Journal(path) as journal:
        assert journal.faults() == []
        assert journal.last("east", "game_started").seq == 3


OPENED = """
import sys
from pathlib import Path
from tablectl.journal.store import Journal
print("begins", flush=True)
Journal(Path(sys.argv[1]))
print("done", flush=True)
sys.stdin.read()
"""


def big(path: Path, n: int = 6000) -> Path:
    words = list(FACTS)
    with Journal(path) as journal:
        journal.commit([Draft("east", f"p:{i}", FACTS[words[i % 6]]) for i in range(n)])
    return made_old(path)


def test_killed_while_it_is_migrated_it_is_as_before_or_done(tmp_path):
    seed = random.randrange(10_000)
    print("seed", seed)
    rng = random.Random(seed)
    path = big(tmp_path / "j")
    before = path.read_bytes()
    entries = rows(path, ENTRIES)
    formats = []
    took = 0.05
    for n in range(8):
        for beside in tmp_path.iterdir():
            beside.unlink()
        path.write_bytes(before)
        process = subprocess.Popen(
            [sys.executable, "-c", OPENED, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        process.stdout.readline()
        began = time.monotonic()
        if n == 0:
            process.stdout.readline()
            took = time.monotonic() - began
        else:
            time.sleep(rng.uniform(0, took))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        with Journal(path, writer=False) as reader:
            assert reader.faults() == []
        formats.append(rows(path, "PRAGMA user_version")[0][0])
        assert formats[-1] in (1, 2)
        assert rows(path, ENTRIES) == entries
        with Journal(path) as journal:
            assert journal.faults() == []
            assert journal.last("east", "board").seq == 5997
        assert rows(path, "PRAGMA user_version") == [(2,)]
    assert formats[0] == 2


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 4 MiB."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this user may not mount a file system")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.parametrize("room", [0, 8, 40, 64, 96])
def test_a_disk_that_is_full_leaves_an_old_journal_as_it_was(tmp_path, small_disk, room):
    path = small_disk / "j"
    made = big(tmp_path / "made")
    path.write_bytes(made.read_bytes())
    before, entries = path.read_bytes(), rows(path, ENTRIES)
    for beside in ("j-wal", "j-shm"):
        (small_disk / beside).unlink(missing_ok=True)
    (small_disk / "j.lock").write_bytes(b"0")
    filler = small_disk / "filler"
    with pytest.raises(OSError), filler.open("wb", buffering=0) as file:  # noqa: PT011
        while True:
            file.write(bytes(4096))
    with filler.open("r+b") as file:
        file.truncate(filler.stat().st_size - room * 1024)
    with pytest.raises(TablectlError) as refused:
        Journal(path)
    assert refused.value.code == "journal.full"
    assert refused.value.hint
    filler.unlink()
    assert rows(path, "PRAGMA user_version") == [(1,)]
    assert rows(path, ENTRIES) == entries
    assert path.read_bytes() == before
    with Journal(path) as journal:
        assert journal.faults() == []
        assert journal.last("east", "board").seq == 5997


# ── an index that differs ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM mark WHERE type = 'raised'", "entry 2: the index lacks it as raised"),
        ("UPDATE mark SET type = 'board' WHERE seq = 2", "entry 2: the index calls it as board"),
        ("INSERT INTO mark VALUES (1, 'raised', 9)", "entry 9: the index calls it as raised"),
    ],
)
def test_a_check_says_where_the_index_differs(tmp_path, statement, said):
    path = written(tmp_path / "j", "board", "walls", "game", "dice")
    marks = rows(path, MARKS)
    sql(path, statement)
    with Journal(path, writer=False) as reader:
        assert f"table east, {said}" in reader.faults()
    repair(path)
    with Journal(path) as journal:
        assert journal.faults() == []
        assert len(list(journal.entries("east"))) == 4
    assert rows(path, MARKS) == marks


def test_an_index_that_points_to_nothing_is_made_anew_at_opening(tmp_path):
    path = written(tmp_path / "j", "board", "walls", "game", "dice")
    marks = rows(path, MARKS)
    sql(path, "UPDATE mark SET seq = 4 WHERE type = 'raised'")
    with Journal(path) as journal:
        assert journal.faults() == []
        assert journal.last("east", "raised").seq == 2
    assert rows(path, MARKS) == marks


def test_what_was_not_committed_has_no_mark(tmp_path):
    with Journal(tmp_path / "j") as journal:
        wrong = Draft("east", "p:2", FACTS["dice"], at=object())  # type: ignore[arg-type]
        with pytest.raises(TablectlError) as refused:
            journal.commit([Draft("east", "p:1", FACTS["walls"]), wrong])
        assert refused.value.code == "journal.draft"
        assert journal.last("east", "raised") is None
        assert journal.faults() == []


def test_marks_are_of_facts():
    assert set(MARKED) <= set(facts.FACTS)
