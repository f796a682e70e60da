"""A daemon in bad moments: what comes twice, too late, in between, or while something fails."""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from types import SimpleNamespace

import pytest
from support.clockwork import run
from support.evenings import begun
from support.parlour import config_of, parlour, ready

from tablectl.app import service
from tablectl.app.drafts import Drafting
from tablectl.app.items import Heard, Say, group_of
from tablectl.app.rulebook import Rulebook
from tablectl.app.service import Tap, Wish
from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.react import StartTimer, StopTimer
from tablectl.core.wall import Place
from tablectl.errors import TablectlError
from tablectl.journal.store import Journal
from tablectl.journal.writing import Writing
from tablectl.link.clock import BoardClock
from tablectl.link.said import Ended, Told
from tablectl.link.simulated import Sims

HERE = Place(0, 1, "upper")


def tap(fact, seen, after=None) -> Tap:
    return Tap(str(uuid.uuid4()), fact, seen, after)


class Gate:
    """A journal's door that can be shut: what is submitted waits until it is open."""

    def __init__(self, daemon, monkeypatch) -> None:
        self.shut = asyncio.Event()
        self.open = asyncio.Event()
        writer, submit = daemon._writer, Writing.submit

        def wait(self_, batch):
            async def later():
                self.shut.set()
                await self.open.wait()
                return await submit(writer, batch)

            return asyncio.ensure_future(later())

        monkeypatch.setattr(Writing, "submit", wait)


def taken(edge: int, at: int) -> Told:
    return Told(facts.Taken(place=HERE), f"b:1:{edge}", "presence_live", 1, edge, at)


def clock_of(took: int, heard: int, uptime: int) -> BoardClock:
    clock = BoardClock()
    clock.note(heard - 2 * took, heard, uptime)
    return clock


def await_later(work):
    return asyncio.ensure_future(work)


# ── commands ────────────────────────────────────────────────────────────────────────────────────


def test_a_command_that_is_forgotten_while_its_end_is_written_down(tmp_path, monkeypatch):
    async def work():
        async with parlour(tmp_path, config_of("sim:presence:east")) as daemon:
            [table] = await ready(daemon)
            await begun(table)
            table.asked[9, 1] = ("select", 1)
            gate = Gate(daemon, monkeypatch)
            table.said(table.keeper, [Ended(9, 1, "done"), Ended(9, 1, "unknown", "no_answer")])
            await gate.shut.wait()
            table.asked.clear()
            gate.open.set()
            await table.settled()
            await asyncio.sleep(1)
            assert not daemon.failed.done()
            said = [e.fact for e in await table.facts(0, 99)]
            assert [one.result for one in said if isinstance(one, facts.Answered)] == ["done"]

    run(work())


@pytest.mark.parametrize("number", [65_535, 70_000, -1])
def test_a_number_that_no_table_has_is_refused_before_anything_is_kept(tmp_path, number):
    async def work():
        async with parlour(tmp_path, config_of("sim:presence:east")) as daemon:
            [table] = await ready(daemon)
            await begun(table)
            with pytest.raises(TablectlError) as refused:
                await table.command(Wish("note", preset="riichi-4p", number=number))
            assert refused.value.code == "app.number_range"
            assert table.view()["notes"] == []

    run(work())


def test_a_select_with_wrong_seats_sends_nothing(tmp_path):
    async def work():
        async with parlour(tmp_path, config_of("sim:presence:east")) as daemon:
            [table] = await ready(daemon)
            await begun(table)
            with pytest.raises(TablectlError) as refused:
                await table.command(Wish("select", preset="riichi-4p", seats=(0, 0, 1, 2)))
            assert refused.value.code == "app.seats"
            said = [e.fact for e in await table.facts(0, 99)]
            assert not any(isinstance(one, facts.Asked) for one in said)

    run(work())


def test_a_game_that_could_not_begin_yet_is_not_said_to_begin(tmp_path, monkeypatch):
    """Walls come up and are opened while the rule's file is being kept."""

    async def work():
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            table = daemon.table("p")
            await begun(table)
            await table.tap(tap(facts.Raised(set="a"), table.seq))
            loop, keep = asyncio.get_running_loop(), Rulebook.keep

            def slow(self, rules):
                for fact in (facts.Dice(pips=(3, 4)), facts.Dealt()):
                    said = table.say(fact, f"p:{type(fact).__name__}", "person")
                    asyncio.run_coroutine_threadsafe(said, loop).result(5)
                keep(self, rules)

            monkeypatch.setattr(Rulebook, "keep", slow)
            found = await table.command(Wish("game", preset="ramen-jiro"))
            assert "played to its end" in found["say"][-1]
            assert table.known.state.game.preset == "riichi-4p"
            assert table.known.state.wanted.preset == "ramen-jiro"

    run(work())


# ── who waits ───────────────────────────────────────────────────────────────────────────────────


def test_who_waits_for_a_disk_that_hangs_is_answered_when_the_daemon_stops(tmp_path, monkeypatch):
    async def work():
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            table = daemon.table("p")
            await begun(table)
            gate = Gate(daemon, monkeypatch)
            waits = [
                await_later(table.tap(tap(facts.Button(button=name), table.seq)))
                for name in ("under way", "in the queue")
            ]
            await gate.shut.wait()
            began = asyncio.get_running_loop().time()
        assert asyncio.get_running_loop().time() - began < 3
        async with asyncio.timeout(1):
            answers = await asyncio.gather(*waits, return_exceptions=True)
        assert [one.code for one in answers] == ["journal.closed", "app.stopping"]

    run(work())


def test_a_scribe_has_no_more_time_than_there_is(tmp_path):
    async def work():
        given = []
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            daemon._scribe = SimpleNamespace(close=given.append)
        assert [within < 1.5 for within in given] == [True]

    run(work())


# ── times ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("effect", [StopTimer("overdue", "a"), StartTimer("overdue", "a", 9000)])
def test_a_timer_that_is_stopped_or_begun_anew_after_it_ran_out_says_nothing(
    tmp_path, monkeypatch, effect
):
    async def work():
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            table = daemon.table("p")
            await begun(table)
            gate = Gate(daemon, monkeypatch)
            table._carry_out(StartTimer("overdue", "a", 1000))
            waits = await_later(table.tap(tap(facts.Button(button="x"), table.seq)))
            await asyncio.sleep(2)
            table._carry_out(effect)  # as the fact before it in the queue asks for
            gate.open.set()
            await waits
            await table.settled()
            said = [e.fact for e in await table.facts(0, 99)]
            assert not any(isinstance(one, facts.Elapsed) for one in said)
            table._carry_out(StartTimer("overdue", "a", 1000))
            await asyncio.sleep(2)
            assert isinstance((await table.facts(0, 99))[-1].fact, facts.Elapsed)

    run(work())


def test_an_edge_has_the_time_of_the_clock_that_it_came_with(tmp_path, monkeypatch):
    """It waits for the disk, and meanwhile the line is found again: another boot, another clock."""

    async def work():
        async with parlour(tmp_path, config_of("sim:presence:east")) as daemon:
            [table] = await ready(daemon)
            await begun(table)
            gate = Gate(daemon, monkeypatch)
            keeper = table.keeper
            keeper.driver.clock = clock_of(0, daemon.now(), 5000)
            at = daemon.now() - 1000
            table.note(facts.Button(button="first"))
            await gate.shut.wait()
            table.said(keeper, [Told(facts.Button(button="x"), "b:1:900", "x", 1, 900, 4000)])
            keeper.driver.clock = clock_of(0, daemon.now(), 4500)
            gate.open.set()
            await table.settled()
            assert (await table.facts(0, 99))[-1].mono == at

    run(work())


def person(seq: int, mono: int) -> Entry:
    return Entry(table="t", seq=seq, key=f"p:{seq}", fact=facts.Dealt(), mono=mono)


def test_edges_stay_in_their_order_however_sharply_the_clock_is_read():
    entries = [person(1, 1000), person(2, 2000), person(3, 3000)]
    drafting = Drafting(lambda: 9000, lambda: 9000, 1)

    def place(edge: int, mono: int, took: int) -> int | None:
        told = taken(edge, mono)
        draft = drafting.told("t", told, told.fact, 9000, (mono, took), entries)
        if draft.after is not None:
            entry = Entry(
                table="t", seq=entries[-1].seq + 1, key=draft.key, fact=told.fact,
                origin="sensor", mono=mono, took=took, after=draft.after,
            )  # fmt: skip
            entries.append(entry)
        return draft.after

    assert place(1, 800, 1500) == 2  # perhaps younger than the second tap
    assert place(2, 850, 0) == 2  # certainly older than all, but younger than the edge before
    assert place(3, 2500, 0) == 2
    assert place(4, 2600, 2000) is None
    assert place(5, 2650, 0) is None  # the one before it is not written down yet


def test_a_clock_that_has_run_over_is_still_a_clock():
    clock = BoardClock()
    clock.note(0, 10, 2**32 - 5000)
    for day in range(1, 120):
        now = day * 86_400_000
        clock.note(now, now + 10, (2**32 - 5000 + now) % 2**32)
        assert clock.host_time((2**32 - 5000 + now - 700) % 2**32)[0] == now + 5 - 700, day
    clock.note(now + 5000, now + 5010, 1)
    assert clock.host_time(1) is None


# ── places ──────────────────────────────────────────────────────────────────────────────────────


def test_nothing_is_put_behind_a_fact_that_is_not_there_yet(tmp_path):
    async def work():
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            table = daemon.table("p")
            await begun(table)
            with pytest.raises(TablectlError) as refused:
                await table.tap(tap(facts.Dealt(), table.seq, after=table.seq + 1))
            assert refused.value.code == service.SEEN_AHEAD
            assert str(table.seq + 1) in refused.value.message

    run(work())


def test_what_comes_behind_a_game_s_beginning_is_seated_by_it():
    started = facts.GameStarted(preset="riichi-4p", digest="d", seats=(3, 2, 1, 0))
    begins = Say(started, "d:1:1", "daemon")
    heard = Heard(None, 0, (), BoardClock())
    items = deque([heard, begins, heard, heard])
    assert group_of(items) == [heard, begins]
    assert group_of(items) == [heard, heard]


def test_the_next_run_too_knows_where_the_open_game_began(tmp_path):
    config = config_of("manual:p", preset="riichi-4p")

    async def games():
        async with parlour(tmp_path, config) as daemon:
            table = daemon.table("p")
            await begun(table)
            for preset in ("ramen-jiro", "riichi-4p", "ramen-jiro"):
                await table.command(Wish("game", preset=preset))
            await table.tap(tap(facts.Button(button="x"), table.seq))

    async def late():
        async with parlour(tmp_path, config) as daemon:
            table = daemon.table("p")
            # Something of the game before is said late: everything has to be read again.
            await table.tap(tap(facts.Button(button="late"), table.seq, after=2))
            await table.tap(tap(facts.Button(button="y"), table.seq))

    def opens_at() -> int:
        with Journal(tmp_path / "journal.sqlite") as journal:
            return journal.opens_at("manual-p")

    run(games())
    assert opens_at() > 1
    run(late())
    assert opens_at() == 0


# ── tables and their disk ───────────────────────────────────────────────────────────────────────


def test_a_damaged_file_of_faces_stops_its_table_alone_and_until_it_is_removed(tmp_path):
    async def work():
        config = config_of("sim:presence:east", "manual:p", preset="riichi-4p")
        async with parlour(tmp_path, config) as daemon:
            [table] = await ready(daemon)
            await begun(table)
            file = tmp_path / "faces" / f"{table.id}.jsonl"
            file.parent.mkdir(exist_ok=True)
            file.write_text("nonsense\n")
            sealed = Told(facts.Sealed(place=HERE), "b:9:1", "faces_when_stacked", 9, 1, face="5pr")
            table.said(table.keeper, [sealed])
            await asyncio.sleep(3)
            assert not daemon.failed.done()
            assert table.live()["complaint"]["code"] == "journal.faces"
            other = daemon.table("p")
            await begun(other)
            await other.tap(tap(facts.Raised(set="a"), other.seq))
            file.unlink()
            await asyncio.sleep(2)
            assert table.live()["complaint"] is None
            assert (await table.facts(0, 99))[-1].fact == sealed.fact

    run(work())


def test_a_game_begins_as_soon_as_the_disk_has_room(tmp_path, monkeypatch):
    async def work():
        full, keep = [True], Rulebook.keep

        def refuse(self, rules):
            if full[0]:
                raise TablectlError("journal.full", where="the disk")
            keep(self, rules)

        monkeypatch.setattr(Rulebook, "keep", refuse)
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            await asyncio.sleep(10)
            table = daemon.table("p")
            assert table.known.state.game is None
            full[0] = False
            await asyncio.sleep(2)
            assert table.known.state.game.preset == "riichi-4p"

    run(work())


def test_a_line_that_is_another_board_s_lends_neither_its_name_nor_what_it_allows(tmp_path):
    async def work():
        config = config_of("sim:presence:east", uid="0123456789abcdef", motions=True)
        async with parlour(tmp_path, config, Sims()) as daemon:
            [table] = await ready(daemon)
            assert table.settings.name == table.id
            assert not table.settings.motions
            assert table.settings.preset is None

    run(work())
