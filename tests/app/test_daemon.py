"""A whole daemon with simulated tables under a clock of the test's own."""

from __future__ import annotations

import asyncio
import uuid

import pytest
from support.clockwork import run
from support.evenings import begun
from support.parlour import MORNING, Events, config_of, parlour, ready

from tablectl.app import service
from tablectl.app.opening import open_daemon
from tablectl.app.service import Tap, Wish
from tablectl.app.streams import merge_patch
from tablectl.core import facts
from tablectl.errors import TablectlError
from tablectl.link.simulated import Sims


def tap(fact, seen, key=None, after=None) -> Tap:
    return Tap(key or str(uuid.uuid4()), fact, seen, after)


async def walls_up(table, served, seconds=120):
    """Press start until walls are up and a hand is open."""
    for _ in range(seconds):
        hand = table.known.state.hand
        if hand is not None and hand.life == "raised":
            return
        machine = served.table.machine
        if machine.up is None and machine.on_top is not None and not machine.due():
            await served.obey({"do": "press", "button": "start"})
        await asyncio.sleep(1)
    raise AssertionError(served.table.machine.sets)


def test_a_board_is_met_its_game_begins_and_its_number_is_chosen(tmp_path):
    async def work():
        log = Events()
        async with parlour(tmp_path, config_of("sim:presence:east"), log=log) as daemon:
            [table] = await ready(daemon)
            assert table.known.state.game.preset == "ramen-jiro"
            found = await table.command(Wish("select", preset="ramen-jiro"))
            assert (found["number"], found["result"]) == (5, "done")
            sets = table.view()["state"]["machine"]["sets"]
            assert [one["pending"] for one in sets.values()] == [5, 5]
            assert daemon.table("east") is daemon.table(table.id[:4]) is table
            with pytest.raises(TablectlError) as refused:
                daemon.table("west")
            assert refused.value.code == "app.table"
        assert [event for event, _ in log] == ["ready"]

    run(work())


def test_what_the_table_offers_is_told_where_no_number_fits(tmp_path):
    async def work():
        async with parlour(tmp_path, config_of("sim:autodeal:east")) as daemon:
            [table] = await ready(daemon)
            with pytest.raises(TablectlError) as refused:
                await table.command(Wish("select", preset="ramen-jiro"))
            assert refused.value.code == "number.none"
            await table.command(Wish("note", preset="ramen-jiro", number=2))
            assert (await table.command(Wish("select", preset="ramen-jiro")))["number"] == 2
        sims = Sims(boot=2)
        async with parlour(tmp_path, config_of("sim:autodeal:east"), sims) as daemon:
            [table] = await ready(daemon)
            assert [note["number"] for note in table.view()["notes"]] == [2]

    run(work())


def test_a_table_that_people_work_says_what_to_press(tmp_path):
    async def work():
        config = config_of("manual:parlour", profile="stock")
        async with parlour(tmp_path, config) as daemon:
            table = daemon.table("parlour")
            await begun(table)
            found = await table.command(Wish("select", preset="ramen-jiro"))
            assert (found["number"], found["result"]) == (5, "done")
            assert any("until the panel shows 5" in line for line in found["say"])
            sets = table.view()["state"]["machine"]["sets"]
            assert [one["pending"] for one in sets.values()] == [5, 5]
            assert table.view()["state"]["machine"]["commands"] == (
                {"command": "select", "result": "done"},
            )

    run(work())


def test_the_same_tap_twice_is_one_fact_for_ever(tmp_path):
    async def work():
        config = config_of("manual:parlour", preset="riichi-4p")
        one = tap(facts.Raised(set="a"), 1)
        async with parlour(tmp_path, config) as daemon:
            table = daemon.table("parlour")
            await begun(table)
            first = await table.tap(one)
            assert await table.tap(one) == first
            both = await asyncio.gather(
                *(table.tap(tap(facts.Dice(pips=(3, 4)), table.seq, "x")) for _ in range(2))
            )
            assert both[0] == both[1]
            assert [e.key for e in await table.facts(0, 99)].count("p:x") == 1
        async with parlour(tmp_path, config) as daemon:
            table = daemon.table("parlour")
            again = await table.tap(one)
            assert (again.seq, again.verdict) == (first.seq, first.verdict)

    run(work())


def test_a_tap_against_a_stale_view_says_what_has_changed(tmp_path):
    async def work():
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            table = daemon.table("p")
            await begun(table)
            await table.tap(tap(facts.Raised(set="a"), table.seq))
            await table.tap(tap(facts.Dice(pips=(3, 4)), table.seq))
            await table.tap(tap(facts.Dealt(), table.seq))
            await table.tap(tap(facts.Drawn(seat=0), table.seq))
            seen = table.seq
            await table.tap(tap(facts.Discarded(seat=0, tile="1m"), seen))
            before = table.known.state
            with pytest.raises(TablectlError) as refused:
                await table.tap(tap(facts.Discarded(seat=0, tile="1m"), seen))
            assert refused.value.code == service.STALE
            assert refused.value.values["what"] == "whose turn it is"
            assert refused.value.values["facts"] == [{"seq": seen + 1, "type": "discarded"}]
            assert table.known.state is before
            # What it is not about may change as it likes; a correction is about the past.
            await table.tap(tap(facts.Retract(target=seen + 1), seen))
            with pytest.raises(TablectlError) as refused:
                await table.tap(tap(facts.Dealt(), table.seq + 1))
            assert refused.value.code == service.SEEN_AHEAD

    run(work())


def test_a_daemon_that_begins_again_has_the_same_state(tmp_path):
    async def work():
        sims = Sims(seed=3)
        async with parlour(tmp_path, config_of("sim:presence:east"), sims) as daemon:
            [table] = await ready(daemon)
            served = sims.served["presence:east"]
            # The number is the walls' from the next stacking on, so the game is of the old one.
            await table.command(Wish("game", preset="riichi-4p"))
            await walls_up(table, served)
            await served.obey({"do": "press", "button": "dice"})
            await asyncio.sleep(5)
            before = table.known.state
            assert before.hand.dice
            seq = table.seq
        async with parlour(tmp_path, config_of("sim:presence:east"), Sims(boot=2)) as daemon:
            table = daemon.tables[table.id]
            assert table.seq >= seq
            assert table.known.state.hand == before.hand
            assert table.known.state.game == before.game

    run(work())


@pytest.mark.parametrize("swap", [True, False])
def test_two_tables_that_swap_ports_stay_themselves(tmp_path, swap):
    async def work():
        sims = Sims(seed=3)
        config = config_of("sim:presence:a", "sim:stock:b")
        async with parlour(tmp_path, config, sims) as daemon:
            first = await ready(daemon)
            models = [table.known.state.machine.board.model for table in first]
            assert models == ["sim presence", "sim stock"]
            served = sims.served
            for one in served.values():
                one.port.unplug()
            await asyncio.sleep(1)
            assert [table.known.state.machine.link for table in first] == [False, False]
            if swap:
                a, b = "presence:a", "stock:b"
                served[a], served[b] = served[b], served[a]
            for one in served.values():
                await one.port.plug()
            await asyncio.sleep(0.5)
            after = await ready(daemon, seconds=2)
            assert after == (first[::-1] if swap else first)
            assert [one.known.state.machine.link for one in first] == [True, True]
            assert [one.settings.name for one in first] == ["a", "b"]
            for table, model in zip(first, models, strict=True):
                boards = [
                    e.fact for e in await table.facts(0, 99) if isinstance(e.fact, facts.Board)
                ]
                assert {board.model for board in boards} == {model}

    run(work())


def test_a_board_that_answers_on_two_lines_has_one(tmp_path):
    async def work():
        sims = Sims()
        config = config_of("sim:presence:a", "sim:presence:a:again")
        async with parlour(tmp_path, config, sims) as daemon:
            await asyncio.sleep(20)
            stages = [line.state.stage for line in daemon.lines()]
            assert stages == ["ready", "ready"]  # two names are two tables
            twin = sims.served["presence:a"].table.board.about
            sims.served["presence:a:again"].table.board.about = twin
            sims.served["presence:a:again"].port.unplug()
            await sims.served["presence:a:again"].port.plug()
            await asyncio.sleep(20)
            stages = [line.state.stage for line in daemon.lines()]
            assert stages == ["ready", "refused"]
            assert daemon.lines()[1].complaint.code == "link.twice"

    run(work())


def test_while_the_disk_is_full_nothing_is_lost_and_nothing_acknowledged(tmp_path, monkeypatch):
    async def work():
        sims = Sims(seed=2)
        async with parlour(tmp_path, config_of("sim:presence:east"), sims) as daemon:
            [table] = await ready(daemon)
            await table.command(Wish("game", preset="riichi-4p"))
            served = sims.served["presence:east"]
            await walls_up(table, served)
            full = [True]
            journal = daemon._writer._journal
            commit = type(journal).commit

            def refuse(self, drafts):
                if full[0]:
                    raise TablectlError("journal.full", where="the disk")
                return commit(self, drafts)

            monkeypatch.setattr(type(journal), "commit", refuse)
            before = table.seq
            await served.obey({"do": "press", "button": "dice"})
            await asyncio.sleep(10)
            assert table.seq == before
            assert daemon.health()["journal"]["failing"] == "journal.full"
            assert not daemon.health()["ok"]
            with pytest.raises(TablectlError) as refused:
                await table.tap(tap(facts.Dealt(), table.seq))
            assert refused.value.code == "journal.full"
            assert table.live()["complaint"]["code"] == "journal.full"
            full[0] = False
            await asyncio.sleep(5)
            assert table.known.state.hand.dice
            assert daemon.health()["ok"]
            assert table.live()["complaint"] is None

    run(work())


def test_a_subscriber_that_was_away_has_the_same_state_as_one_that_was_not(tmp_path):
    async def work():
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            table = daemon.table("p")
            await begun(table)
            stream = table.subscribe(None)
            messages = []

            async def follow():
                messages.extend([message async for message in stream])

            task = asyncio.create_task(follow())
            await asyncio.sleep(0)
            seen = table.seq
            kept = table.view()["state"]
            for fact in (
                facts.Raised(set="a"),
                facts.Dice(pips=(3, 4)),
                facts.Dealt(),
                facts.Drawn(seat=0, tile="1m"),
                facts.Discarded(seat=0, tile="1m"),
                facts.Called(seat=1, kind="chi", frm=0),
            ):
                await table.tap(tap(fact, table.seq))
            away = table.subscribe(seen)
            first = aiter(away)
            for n in range(6):
                message = await anext(first)
                assert message["seq"] == seen + n + 1
                kept = patched(kept, message["changes"])
            assert without_null(kept) == without_null(table.view()["state"])
            stream.close()
            await task
            state = messages[0]["state"]
            for message in messages:
                state = patched(state, message.get("changes", {}))
            assert without_null(state) == without_null(table.view()["state"])
            assert [m["seq"] for m in messages if "changes" in m] == list(range(seen + 1, seen + 7))

    run(work())


def test_a_subscriber_that_does_not_read_is_sent_away_and_delays_nobody(tmp_path):
    async def work():
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            table = daemon.table("p")
            await begun(table)
            lazy, eager = table.subscribe(None), table.subscribe(None)
            got = []

            async def follow():
                async for message in eager:
                    got.append(message)

            task = asyncio.create_task(follow())
            for n in range(300):
                await table.tap(tap(facts.Button(button=f"n{n}"), table.seq))
            messages = [message async for message in lazy]
            assert messages == [{"table": "manual-p", "again": "too slow"}]
            assert sum("changes" in message for message in got) >= 300
            eager.close()
            await task

    run(work())


def patched(value, patch):
    """RFC 7396, from its own text."""
    if not isinstance(patch, dict):
        return patch
    result = dict(value) if isinstance(value, dict) else {}
    for name, new in patch.items():
        if new is None:
            result.pop(name, None)
        else:
            result[name] = patched(result.get(name), new)
    return result


def without_null(value):
    if isinstance(value, dict):
        return {name: without_null(one) for name, one in value.items() if one is not None}
    return value


def test_a_merge_patch_makes_one_of_the_other():
    before = {"a": 1, "b": {"c": [1, 2], "d": None, "e": 3}, "f": "x"}
    after = {"a": 1, "b": {"c": [1], "d": {"g": 1}, "e": None}, "h": []}
    patch = merge_patch(before, after)
    assert patch == {"b": {"c": [1], "d": {"g": 1}, "e": None}, "f": None, "h": []}
    assert without_null(patched(before, patch)) == without_null(after)
    assert merge_patch(after, after) == {}


def test_nothing_is_left_when_the_daemon_has_stopped(tmp_path):
    async def work():
        async with parlour(tmp_path, config_of("sim:presence:east", "manual:p")) as daemon:
            [table] = await ready(daemon)
            waiting = table.subscribe(None)

            async def follow():
                return [message async for message in waiting]

            task = asyncio.create_task(follow())
            await asyncio.sleep(0)
            began = asyncio.get_running_loop().time()
        assert asyncio.get_running_loop().time() - began < 3
        assert (await task)[-1] == {"table": table.id, "again": "stopping"}
        assert asyncio.all_tasks() == {asyncio.current_task()}
        with pytest.raises(TablectlError) as refused:
            await table.tap(tap(facts.Dealt(), 0))
        assert refused.value.code == service.STOPPING

    run(work())


def test_a_simulated_table_is_ready_at_every_start(tmp_path):
    """A board's boot is never used twice: it counts up by what the state directory knows of it."""

    async def work():
        loop = asyncio.get_running_loop()
        config, boots, numbers = config_of("sim:presence:east", "sim:stock:west"), [], []
        for _ in range(4):
            daemon = await open_daemon(config, tmp_path, lambda: MORNING, Events())
            try:
                end = loop.time() + 30
                tables = []
                while len(tables) < 2:
                    assert loop.time() < end, [line.state for line in daemon.lines()]
                    await asyncio.sleep(0.01)
                    tables = [t for t in daemon.tables.values() if t.stage == "ready"]
                for table in tables:
                    await begun(table)
                    await table.command(Wish("select", preset="ramen-jiro"))
                boots.append([t.known.state.machine.board.boot for t in tables])
                numbers.append([t.known.state.machine.sets[0].pending for t in tables])
            finally:
                await daemon.stop()
        assert boots == [[1, 1], [2, 2], [3, 3], [4, 4]]
        assert numbers == [[5, 5]] * 4

    asyncio.run(work())
