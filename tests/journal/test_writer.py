"""The journal's writer: fair groups, nothing told before it is durable, nothing leapt over."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core import facts
from tablectl.core.wall import Place
from tablectl.errors import TablectlError
from tablectl.journal import problems
from tablectl.journal.groups import Groups
from tablectl.journal.place import file_name
from tablectl.journal.store import Draft, Journal, Kept
from tablectl.journal.writer import Batch, InlineWriter, Writer, Writing

DICE = facts.Dice(pips=(3, 4))
HERE, THERE = Place(0, 1, "upper"), Place(3, 17, "lower")
LONG = 30.0


class Watched(Journal):
    """A journal whose groups are counted, and whose commits wait or fail where a test says so."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.groups: list[list[str]] = []
        self.going = threading.Event()
        self.begun = threading.Event()
        self.going.set()
        self.fails: str | None = None

    def commit(self, drafts: Sequence[Draft]) -> list[Kept]:
        self.begun.set()
        assert self.going.wait(LONG)
        if self.fails is not None:
            raise TablectlError(self.fails)
        self.groups.append([draft.table for draft in drafts])
        return super().commit(drafts)


@pytest.fixture(params=["thread", "loop"])
def run(request, tmp_path):
    """Runs `case(writer, journal)`, a coroutine, with each kind of writer, and closes it."""

    def run(case) -> None:
        async def whole() -> None:
            loop = asyncio.get_running_loop()
            journal = Watched(tmp_path / "j")
            kind = Writer if request.param == "thread" else InlineWriter
            writer: Writing = kind(journal, tmp_path / "faces", loop, clock=lambda: 77)
            try:
                await case(writer, journal)
            finally:
                journal.going.set()
                await writer.close(LONG)

        asyncio.run(whole())
        assert not any(thread.name == "journal" for thread in threading.enumerate())

    return run


def edges(first: int, last: int, table: str = "east", boot: int = 7) -> Batch:
    return Batch(
        table,
        tuple(
            Draft(table, f"b:{boot}:{n}", DICE, "sensor", edge=(boot, n))
            for n in range(first, last + 1)
        ),
    )


def seqs(kept: list[Kept]) -> list[int]:
    return [one.entry.seq for one in kept]


async def failed(future: asyncio.Future) -> str:
    with pytest.raises(TablectlError) as refused:
        await asyncio.wait_for(future, LONG)
    return refused.value.code


# ── the choice ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Lot:
    table: str
    size: int
    number: int
    ends_turn: bool = False


LOTS = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(1, 12)), max_size=60)


@given(LOTS, st.integers(1, 10), st.integers(1, 30), st.randoms(use_true_random=False))
def test_any_lots_come_out_whole_in_order_and_in_bounds(lots, per_table, per_group, rng):
    groups: Groups[Lot] = Groups(per_table, per_group)
    coming = [Lot(table, size, n) for n, (table, size) in enumerate(lots)]
    inside: list[Lot] = []
    out: list[Lot] = []
    while coming or groups:
        for _ in range(rng.randrange(1, 8)):
            if coming:
                inside.append(coming[0])
                groups.add(coming.pop(0))
        group = groups.take()
        assert group, "something waits, so something comes"
        assert sum(lot.size for lot in group) <= per_group or len(group) == 1
        for table in {lot.table for lot in group}:
            own = [lot for lot in group if lot.table == table]
            assert sum(lot.size for lot in own) <= per_table or len(own) == 1
        out += group
        inside = [lot for lot in inside if lot not in group]
        assert groups.waiting == sum(lot.size for lot in inside)
    for table in "abcdef":
        numbers = [lot.number for lot in out if lot.table == table]
        assert numbers == [n for n, lot in enumerate(lots) if lot[0] == table]


@pytest.mark.parametrize("tables", [2, 8, 40])
def test_nobody_waits_for_another_s_queue(tables):
    groups: Groups[Lot] = Groups()
    numbers = count()
    for n in range(tables):
        for _ in range(500):
            groups.add(Lot(f"flood{n}", 7, next(numbers)))
    groups.take()
    groups.add(Lot("quiet", 1, next(numbers)))
    turns = next(n for n in count(1) if any(lot.table == "quiet" for lot in groups.take()))
    # 63 of a flooding table in a group, so eight of them fill one.
    assert turns <= -(-tables // 8) + (tables > 8)


def test_what_is_held_has_no_turn_and_comes_out_when_dropped():
    groups: Groups[Lot] = Groups()
    for n, table in enumerate("aab"):
        groups.add(Lot(table, 1, n))
    groups.hold(["a"])
    assert [lot.number for lot in groups.take()] == [2]
    assert groups.take() == []
    assert groups
    assert [lot.number for lot in groups.drop("a")] == [0, 1]
    groups.add(Lot("a", 1, 3))
    assert [lot.number for lot in groups.take()] == [3]
    assert not groups


def test_nothing_follows_in_a_group_what_ends_a_turn():
    groups: Groups[Lot] = Groups()
    for n, ends in enumerate([False, True, False]):
        groups.add(Lot("a", 1, n, ends))
    assert [lot.number for lot in groups.take()] == [0, 1]
    assert [lot.number for lot in groups.take()] == [2]


# ── kept ────────────────────────────────────────────────────────────────────────────────────────


def test_what_resolves_is_durable_in_order_and_once(run, tmp_path):
    async def case(writer: Writing, journal: Watched) -> None:
        first, second = writer.submit(edges(1, 3)), writer.submit(edges(3, 5))
        other = writer.submit(edges(1, 1, "west"))
        assert seqs(await first) == [1, 2, 3]
        with Journal(tmp_path / "j", writer=False) as reader:
            assert [entry.seq for entry in reader.entries("east")][:3] == [1, 2, 3]
        kept = await second
        assert [(one.entry.seq, one.repeated) for one in kept] == [
            (3, True),
            (4, False),
            (5, False),
        ]
        assert seqs(await other) == [1]
        assert writer.recall("east") == journal.durable("east") == (7, 5)
        assert writer.recall("nobody") is None
        assert writer.health.waiting == 0
        assert writer.health.failing is None
        assert writer.health.commit_ms is not None

    run(case)


def test_a_flooding_table_delays_nobody_by_more_than_a_group(run):
    async def case(writer: Writing, journal: Watched) -> None:
        if isinstance(writer, Writer):
            journal.going.clear()
        flood = [writer.submit(edges(n, n + 9, "flood")) for n in range(1, 5000, 10)]
        if isinstance(writer, Writer):
            assert await asyncio.to_thread(journal.begun.wait, LONG)
        quiet = writer.submit(edges(1, 1, "quiet"))
        assert writer.health.waiting > 4000
        journal.going.set()
        await quiet
        assert next(n for n, group in enumerate(journal.groups) if "quiet" in group) <= 1
        assert not flood[-1].done()
        await asyncio.gather(*flood)
        assert seqs(flood[-1].result())[-1] == 5000
        assert max(map(len, journal.groups)) <= 64

    run(case)


def test_a_batch_is_never_divided(run):
    async def case(writer: Writing, journal: Watched) -> None:
        large = writer.submit(edges(1, 1500, "large"))
        small = writer.submit(edges(1, 2, "small"))
        await asyncio.gather(large, small)
        assert [group.count("large") for group in journal.groups if "large" in group] == [1500]

    run(case)


def test_entries_are_read_beside_the_writing(run):
    async def case(writer: Writing, journal: Watched) -> None:
        await writer.submit(edges(1, 9))
        assert [entry.seq for entry in await writer.entries("east", 3, 4)] == [4, 5, 6, 7]
        assert await writer.entries("east", 9, 4) == []
        assert await writer.entries("east", 0, -1) == []
        await writer.submit(edges(10, 1200))
        assert len(await writer.entries("east", 0, 5000)) == 1000

    run(case)


# ── faces ───────────────────────────────────────────────────────────────────────────────────────


def test_faces_are_durable_before_the_entries(run, tmp_path, monkeypatch):
    path = tmp_path / "faces" / "east.jsonl"
    seen: list[str] = []
    commit = Watched.commit

    def watched(self: Watched, drafts: Sequence[Draft]) -> list[Kept]:
        seen.append(path.read_text())
        return commit(self, drafts)

    monkeypatch.setattr(Watched, "commit", watched)

    async def case(writer: Writing, journal: Watched) -> None:
        batch = Batch("east", edges(1, 1).drafts, ((HERE, "5pr"),))
        await writer.submit(batch)
        assert seen == ['[0, 1, "upper", "5pr"]\n']
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert writer.face("east", HERE) == "5pr"
        assert writer.face("east", THERE) is writer.face("west", HERE) is None

    run(case)


def test_a_hand_that_is_over_is_forgotten_and_only_it(run, tmp_path):
    async def case(writer: Writing, journal: Watched) -> None:
        writer.submit(Batch("east", edges(1, 1).drafts, ((HERE, "5pr"),)))
        writer.submit(Batch("west", (), ((HERE, "1m"),)))
        forgotten = writer.forget("east")
        next_hand = writer.submit(Batch("east", edges(2, 2).drafts, ((THERE, "7z"),)))
        await asyncio.gather(forgotten, next_hand, writer.forget("nobody"))
        assert (writer.face("east", HERE), writer.face("east", THERE)) == (None, "7z")
        assert writer.face("west", HERE) == "1m"
        assert "5pr" not in (tmp_path / "faces" / "east.jsonl").read_text()

    run(case)


def test_a_killed_daemon_s_faces_are_known_from_the_start(run, tmp_path):
    (tmp_path / "faces").mkdir()
    (tmp_path / "faces" / "east.jsonl").write_text('[0, 1, "upper", "5pr"]\n')

    async def case(writer: Writing, journal: Watched) -> None:
        assert writer.face("east", HERE) == "5pr"
        await writer.forget("east")
        assert writer.face("east", HERE) is None
        assert (tmp_path / "faces" / "east.jsonl").read_bytes() == b""

    run(case)


def test_a_damaged_file_of_faces_is_its_table_s_trouble_alone(run, tmp_path):
    (tmp_path / "faces").mkdir()
    (tmp_path / "faces" / "east.jsonl").write_text("5pr\n")

    async def case(writer: Writing, journal: Watched) -> None:
        sealed = writer.submit(Batch("east", edges(1, 1).drafts, ((HERE, "1m"),)))
        behind = writer.submit(edges(2, 2))
        other = writer.submit(Batch("west", edges(1, 1, "west").drafts, ((HERE, "1m"),)))
        assert seqs(await other) == [1]
        assert await failed(sealed) == await failed(behind) == "journal.faces"
        assert writer.recall("east") is None
        await writer.forget("east")
        assert (tmp_path / "faces" / "east.jsonl").read_bytes() == b""
        assert seqs(await writer.submit(Batch("east", edges(1, 2).drafts, ((HERE, "1m"),))))

    run(case)


def test_faces_that_cannot_be_forgotten_are_told_by_the_health(run, tmp_path, monkeypatch):
    async def case(writer: Writing, journal: Watched) -> None:
        await writer.submit(Batch("east", edges(1, 1).drafts, ((HERE, "1m"),)))

        def broken(*_: object) -> None:
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr("tablectl.journal.faces.os.ftruncate", broken)
            assert await failed(writer.forget("east")) == "journal.unwritable"
            assert writer.health.failing == "journal.unwritable"
        await writer.forget("east")
        await writer.submit(edges(2, 2))
        assert writer.health.failing is None

    run(case)


def test_no_face_is_ever_printed():
    assert "5pr" not in repr(Batch("east", (), ((HERE, "5pr"),)))


@pytest.mark.parametrize(
    "name", ["..", ".", "../../etc", "a/b", "", "a\0b", "東" * 99, "x" * 999, "%2E", "\ud800"]
)
def test_no_name_leads_out_of_the_folder(tmp_path, name):
    made = file_name(name)
    path = tmp_path / f"{made}.jsonl"
    path.touch()
    assert path.resolve().parent == tmp_path.resolve()
    assert not made.startswith(".")
    assert len({file_name(other) for other in (name, name + "x", "manual-parlour")}) == 3
    assert file_name("manual-parlour") == "manual-parlour"


# ── failures ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("code", problems.OF_THE_DISK)
def test_a_failing_disk_fails_all_that_was_said_and_nothing_leaps_over_it(run, code, monkeypatch):
    monkeypatch.setattr(
        Watched, "commit", _failing_first(Watched.commit, TablectlError(code, why="x"))
    )

    async def case(writer: Writing, journal: Watched) -> None:
        first = writer.submit(edges(1, 60))
        behind = [writer.submit(edges(n, n)) for n in range(61, 70)]
        for future in (first, *behind):
            assert await failed(future) == code
        assert list(journal.entries("east")) == []
        assert writer.recall("east") is None
        assert (writer.health.failing, writer.health.since) == (code, 77)
        assert writer.health.waiting == 0
        again = [writer.submit(edges(1, 60)), *(writer.submit(edges(n, n)) for n in range(61, 70))]
        await asyncio.gather(*again)
        assert [entry.key for entry in journal.entries("east")] == [
            f"b:7:{n}" for n in range(1, 70)
        ]
        assert (writer.health.failing, writer.health.since) == (None, None)

    run(case)


def _failing_first(commit, error: TablectlError):
    failures = iter([error])

    def failing(self: Watched, drafts: Sequence[Draft]) -> list[Kept]:
        if (failure := next(failures, None)) is not None:
            raise failure
        return commit(self, drafts)

    return failing


def test_what_comes_in_while_a_failure_is_on_its_way_fails_too(tmp_path):
    async def case() -> None:
        journal = Watched(tmp_path / "j")
        writer = Writer(journal, tmp_path / "faces")
        journal.going.clear()
        first = writer.submit(edges(1, 1))
        await asyncio.to_thread(journal.begun.wait, LONG)
        journal.fails = "journal.full"
        second = writer.submit(edges(2, 2))
        other = writer.submit(edges(1, 1, "west"))
        journal.going.set()
        # The loop is busy, the thread has failed and goes on: only what may be kept is.
        while writer.health.failing is None:
            pass
        journal.fails = None
        third = writer.submit(edges(3, 3))
        assert [await failed(one) for one in (first, second, third)] == ["journal.full"] * 3
        await asyncio.wait((other,))
        assert journal.durable("east") is None
        assert other.exception() is not None or seqs(other.result()) == [1]
        await asyncio.gather(*(writer.submit(edges(n, n)) for n in (1, 2, 3)))
        assert journal.durable("east") == (7, 3)
        await writer.close(LONG)

    asyncio.run(case())


def test_what_is_no_entry_fails_alone(run):
    async def case(writer: Writing, journal: Watched) -> None:
        wrong = Batch("west", (Draft("west", "p:2", DICE, at=object()),))  # type: ignore[arg-type]
        too_large = Batch("north", (Draft("north", "p:3", DICE, edge=(2**70, 1)),))
        futures = [writer.submit(one) for one in (edges(1, 2), wrong, too_large, edges(3, 3))]
        assert await failed(futures[1]) == await failed(futures[2]) == "journal.draft"
        assert seqs(await futures[0]) + seqs(await futures[3]) == [1, 2, 3]
        assert list(journal.entries("west")) == []
        assert writer.health.failing is None
        assert writer.recall("north") is None

    run(case)


def test_a_batch_speaks_of_one_table():
    with pytest.raises(ValueError, match="west"):
        Batch("west", edges(1, 1, "east").drafts)


def test_a_future_that_is_given_up_takes_nothing_back(run):
    async def case(writer: Writing, journal: Watched) -> None:
        writer.submit(edges(1, 1)).cancel()
        assert seqs(await writer.submit(edges(2, 2))) == [2]

    run(case)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 1 MiB."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this user may not mount a file system")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_disk_that_is_full_and_then_is_not(small_disk):
    async def case() -> None:
        filler = small_disk / "filler"
        writer = Writer(Journal(small_disk / "j"), small_disk / "faces")
        await writer.submit(edges(1, 5))
        with pytest.raises(OSError), filler.open("wb", buffering=0) as file:  # noqa: PT011
            while True:
                file.write(bytes(4096))
        batches = [
            Batch("east", edges(n, n + 99).drafts, ((HERE, "5pr"),)) for n in range(6, 3000, 100)
        ]
        codes = {await failed(future) for future in [writer.submit(one) for one in batches]}
        assert codes == {"journal.full"}
        assert writer.health.failing == "journal.full"
        assert len(await writer.entries("east", 0, 100)) == 5, "reading goes on"
        filler.unlink()
        await asyncio.gather(*(writer.submit(one) for one in batches[:3]))
        await writer.close(LONG)

    asyncio.run(case())
    with Journal(small_disk / "j") as journal:
        assert [entry.seq for entry in journal.entries("east")] == list(range(1, 306))
        assert journal.faults() == []


# ── the end ─────────────────────────────────────────────────────────────────────────────────────


def test_closing_keeps_what_waits_and_takes_nothing_more(run, tmp_path):
    async def case(writer: Writing, journal: Watched) -> None:
        futures = [writer.submit(edges(n, n)) for n in range(1, 301)]
        await writer.close(LONG)
        assert all(seqs(future.result()) for future in futures)
        assert await failed(writer.submit(edges(301, 301))) == "journal.closed"
        assert await failed(writer.forget("east")) == "journal.closed"
        with pytest.raises(TablectlError):
            await writer.entries("east", 0, 1)

    run(case)
    with Journal(tmp_path / "j") as journal:
        assert len(list(journal.entries("east"))) == 300


def test_closing_a_failing_journal_ends_and_says_so(run):
    async def case(writer: Writing, journal: Watched) -> None:
        journal.fails = "journal.full"
        futures = [writer.submit(edges(n, n)) for n in range(1, 200)]
        await writer.close(LONG)
        assert {await failed(future) for future in futures} == {"journal.full"}

    run(case)


def test_a_disk_that_hangs_does_not_keep_the_daemon(tmp_path):
    async def case() -> None:
        journal = Watched(tmp_path / "j")
        writer = Writer(journal, tmp_path / "faces")
        journal.going.clear()
        first = writer.submit(edges(1, 1))
        await asyncio.to_thread(journal.begun.wait, LONG)
        second, read = writer.submit(edges(2, 2)), asyncio.ensure_future(writer.entries("e", 0, 1))
        await asyncio.sleep(0)
        await writer.close(0.01)
        assert [await failed(one) for one in (first, second, read)] == ["journal.closed"] * 3
        journal.going.set()
        await writer.close(LONG)

    asyncio.run(case())
    with Journal(tmp_path / "j") as journal:
        assert [entry.key for entry in journal.entries("east")] == ["b:7:1"]


def test_a_loop_that_is_gone_is_no_trouble_for_the_thread(tmp_path):
    journal = Watched(tmp_path / "j")
    journal.going.clear()
    loop = asyncio.new_event_loop()
    writer = Writer(journal, tmp_path / "faces", loop)

    async def case() -> None:
        writer.submit(edges(1, 1))
        writer.submit(edges(2, 2))

    loop.run_until_complete(case())
    loop.close()
    journal.fails = "journal.full"
    journal.going.set()

    async def end() -> None:
        with writer._lock:
            writer._closing = True
            writer._wake()
        await asyncio.to_thread(writer._thread.join, LONG)

    asyncio.run(end())
    assert not writer._thread.is_alive()


KILLED = """
import asyncio, sys
from pathlib import Path
from tablectl.core import facts
from tablectl.core.wall import Place
from tablectl.journal.store import Draft, Journal
from tablectl.journal.writer import Batch, Writer

async def table(writer, name, first):
    n = first
    while True:
        dice = facts.Dice(pips=(1, 2))
        drafts = tuple(Draft(name, f"b:1:{i}", dice, edge=(1, i)) for i in range(n, n + 3))
        await writer.submit(Batch(name, drafts, ((Place(0, n, "upper"), "1m"),)))
        n += 3
        print(name, n - 1, flush=True)

async def main():
    folder = Path(sys.argv[1])
    writer = Writer(Journal(folder / "j"), folder / "faces")
    names = ("a", "b", "c")
    firsts = [(writer.recall(name) or (1, 0))[1] + 1 for name in names]
    await asyncio.gather(*(table(writer, *one) for one in zip(names, firsts)))

asyncio.run(main())
"""


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_moment_nothing_that_was_told_is_missing(tmp_path, seed):
    print("seed", seed)
    rng = random.Random(seed)
    told = {"a": 0, "b": 0, "c": 0}
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, tmp_path],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(rng.randrange(1, 60))]
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        for line in [*lines, *rest.splitlines(keepends=True)]:
            if line.endswith("\n"):
                name, edge = line.split()
                told[name] = int(edge)
        with Journal(tmp_path / "j") as journal:
            assert journal.faults() == []
            for name, edge in told.items():
                keys = [entry.key for entry in journal.entries(name)]
                assert keys == [f"b:1:{n}" for n in range(1, len(keys) + 1)]
                assert len(keys) >= edge
                assert len(keys) % 3 == 0, "whole batches only"
                assert (journal.durable(name) or (1, 0)) == (1, len(keys))
                faces = (tmp_path / "faces" / f"{name}.jsonl").read_text().splitlines()
                assert len(faces) >= len(keys) // 3, "no entry without its face"
