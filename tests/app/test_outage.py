"""A line that is out while a hand is played: what was kept comes in order, a loss is told."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import asynccontextmanager
from typing import Any

import pytest
from support.clockwork import run
from support.hall import Hall
from support.parlour import config_of, parlour, ready

from protocols.codes import Button
from tablectl.app.late import place_of
from tablectl.app.service import Wish
from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.fold import effective
from tablectl.core.preset_file import find_preset
from tablectl.core.wall import Place
from tablectl.link.simulated import Sims

MODELS = ("presence", "stock+counts")
RING = {"presence": 256, "stock+counts": 64, "reader": 512}
EDGES = {
    "none": lambda n: 0,
    "N-1": lambda n: n - 1,
    "N": lambda n: n,
    "N+1": lambda n: n + 1,
    "10N": lambda n: 10 * n,
}
OWN = {"presence": 17, "reader": 17, "stock+counts": 8}
"""Edges of the deeds: tiles that leave are edges where places are seen."""
PIPS = (3, 4)


@asynccontextmanager
async def hall_of(folder, model) -> Any:
    """Walls of 華8 are up, and the other set is still being mixed."""
    sims = Sims(seed=3)
    async with parlour(folder, config_of(f"sim:{model}:east"), sims) as daemon:
        [table] = await ready(daemon)
        await table.command(Wish("select", preset="ramen-jiro"))
        hall = Hall(table, sims.served[f"{model}:east"], find_preset("ramen-jiro"))
        await hall.raise_walls()
        yield hall


async def in_play(hall: Hall) -> None:
    """The hands are dealt."""
    await hall.throw(*PIPS)
    hall.open_wall(*PIPS)
    await hall.deal(pace=50)
    await hall.ready()


async def deeds(hall: Hall) -> None:
    """Seven tiles are taken, a trouble comes and goes, the other set finishes, dice are thrown, and
    people tap what no sensor sees."""
    for _ in range(3):
        await hall.draw()
    await hall.jam()
    for _ in range(2):
        await hall.draw()
    await hall.mend()
    await hall.tap(facts.SetAside(seat=1, tile="4z"))
    await hall.replace()
    await hall.draw()
    await hall.tap(facts.Kong(seat=2, kind="concealed"))
    await hall.replace()
    await hall.draw()
    await hall.other_set_finishes()
    await hall.throw(2, 2)


async def fill(hall: Hall, edges: int) -> None:
    """So many edges that mean nothing."""
    if edges > 0:
        values = [int(Button.CALL), 1, 0]
        await hall.served.obey({"do": "edge", "type": "A4", "values": values, "times": edges})


def taps_and_edges(hall: Hall) -> list[str]:
    """What people and edges said, as the fold has it in order."""
    entries = effective(hall.table.known.history.entries)
    return [repr(one.fact) for one in entries if one.key[:2] in ("p:", "b:")]


def question_of(hall: Hall, kind: str) -> Any:
    """The open question of that kind, as the screen shows it; None if there is none."""
    shown = hall.table.view()["state"]["questions"]
    found = [one for one in shown if one["id"].startswith(f"{kind}:")]
    assert len(found) <= 1
    return found[0] if found else None


async def is_right_as_shown(hall: Hall, kind: str) -> None:
    """People answer the question, and it is answered."""
    question = question_of(hall, kind)
    answer = facts.Agreed(question=question["id"], choice=question["choices"][0])
    assert (await hall.tap(answer)).kind == "fits"
    assert question_of(hall, kind) is None


async def goes_on(hall: Hall) -> None:
    """The next draws are seen as they happen."""
    for _ in range(3):
        await hall.draw()
    await hall.room.wait(2000)
    assert hall.shown() == hall.truth()


@pytest.mark.parametrize("model", RING)
def test_a_hand_played_while_the_line_is_out_is_the_same_hand(tmp_path, model):
    async def work(out: bool) -> Any:
        async with hall_of(tmp_path / str(out), model) as hall:
            await in_play(hall)
            if out:
                hall.unplug()
            await hall.room.wait(1000)
            assert hall.state.machine.link is not out
            await deeds(hall)
            if out:
                assert hall.shown()["standing"] != hall.truth()["standing"]
                await hall.plug()
            await hall.ready()
            hall.break_dice = PIPS
            assert hall.shown() == hall.truth()
            assert hall.lost() == []
            assert hall.of_kind(facts.Dice)[-1].pips == hall.served.table.machine.pips == (2, 2)
            await goes_on(hall)
            return hall.remembered(), taps_and_edges(hall)

    out, without = run(work(True)), run(work(False))
    assert out == without


@pytest.mark.parametrize("model", MODELS)
def test_walls_opened_and_dealt_while_the_line_is_out(tmp_path, model):
    async def work(out: bool) -> Any:
        async with hall_of(tmp_path / str(out), model) as hall:
            if out:
                hall.unplug()
            await hall.throw(*PIPS)
            hall.open_wall(*PIPS)
            await hall.deal(pace=50)
            await deeds(hall)
            if out:
                assert hall.hand.life != "playing" or hall.hand.head == 0
                await hall.plug()
            await hall.ready()
            hall.break_dice = PIPS
            assert hall.shown() == hall.truth()
            assert hall.lost() == []
            await goes_on(hall)
            return hall.remembered()

    assert run(work(True)) == run(work(False))


@pytest.mark.parametrize(("model", "many"), [*itertools.product(MODELS, EDGES), ("reader", "N+1")])
def test_as_many_edges_as_the_board_keeps_and_more(tmp_path, model, many):
    wanted = EDGES[many](RING[model])

    async def work() -> None:
        async with hall_of(tmp_path, model) as hall:
            hall.break_dice = PIPS
            await in_play(hall)
            before = hall.edges
            assert hall.served.table.board.about.ring == RING[model]
            hall.unplug()
            lost = wanted - RING[model]
            if wanted:
                # The deeds' own edges are kept in any case; another test is of such as are not.
                await fill(hall, max(0, lost))
                await deeds(hall)
                await fill(hall, wanted - max(0, lost) - OWN[model])
            assert hall.edges - before == wanted
            await hall.plug()
            assert hall.shown() == hall.truth()
            assert hall.hand.life == ("playing" if wanted else "dealt")
            if lost <= 0:
                assert hall.lost() == []
                assert question_of(hall, "lost") is None
            else:
                assert hall.lost() == [facts.Lost(first=before + 1, count=lost)]
                assert f"{lost} events" in question_of(hall, "lost")["text"]
                assert f"number {before + 1} on" in question_of(hall, "lost")["text"]
                await is_right_as_shown(hall, "lost")
            await goes_on(hall)

    run(work())


@pytest.mark.parametrize("model", MODELS)
def test_what_was_lost_itself_is_read_back(tmp_path, model):
    """The deeds fall out of the ring: places, counts, phases and troubles are as they are."""

    async def work() -> None:
        async with hall_of(tmp_path, model) as hall:
            hall.break_dice = PIPS
            await in_play(hall)
            before = hall.edges
            hall.unplug()
            await deeds(hall)
            await fill(hall, 10 * RING[model] - (hall.edges - before))
            await hall.plug()
            assert hall.lost() == [facts.Lost(first=before + 1, count=9 * RING[model])]
            assert hall.shown() == hall.truth()
            assert hall.hand.life == "playing"
            await is_right_as_shown(hall, "lost")
            await goes_on(hall)

    run(work())


@pytest.mark.parametrize("model", MODELS)
def test_a_break_that_was_lost_is_set_right_by_dice_and_a_touch(tmp_path, model):
    async def work() -> None:
        async with hall_of(tmp_path, model) as hall:
            before = hall.edges
            hall.unplug()
            await hall.throw(*PIPS)
            hall.open_wall(*PIPS)
            await hall.deal(pace=50)
            for _ in range(7):
                await hall.draw()
            await fill(hall, 10 * RING[model])
            edges = hall.edges - before
            await hall.plug()
            assert hall.lost() == [facts.Lost(first=before + 1, count=edges - RING[model])]
            assert hall.hand.life == "raised"
            assert question_of(hall, "lost") is not None
            hall.break_dice = PIPS
            await hall.tap(facts.Dice(pips=PIPS))
            await hall.tap(facts.HeadAt(place=hall.next_place()))
            assert hall.shown() == hall.truth()
            await is_right_as_shown(hall, "lost")
            await goes_on(hall)

    run(work())


@pytest.mark.parametrize("model", MODELS)
def test_of_a_board_that_was_reset_nobody_knows_how_many_are_lost(tmp_path, model):
    async def work() -> None:
        async with hall_of(tmp_path, model) as hall:
            hall.break_dice = PIPS
            await in_play(hall)
            before = hall.edges
            hall.unplug()
            await hall.draw()
            await hall.served.obey({"do": "reset"})
            for _ in range(6):
                await hall.draw()
            await hall.jam()
            await hall.mend()
            await hall.plug()
            assert hall.lost() == [facts.Lost(first=before + 1, count=None)]
            assert [one.boot for one in hall.of_kind(facts.Board)][-1] == 2
            assert hall.shown() == hall.truth()
            assert hall.hand.life == "playing"
            await is_right_as_shown(hall, "lost")
            await goes_on(hall)

    run(work())


def test_one_outage_after_the_other_loses_and_doubles_nothing(tmp_path):
    async def work() -> None:
        async with hall_of(tmp_path, "presence") as hall:
            hall.break_dice = PIPS
            await in_play(hall)
            for n in range(20):
                hall.unplug()
                if n % 3:
                    await hall.draw()
                await hall.served.port.plug()
                # Sometimes the line goes again before everything is in.
                await asyncio.sleep(0.02 * (n % 5))
            await hall.ready()
            assert hall.shown() == hall.truth()
            assert hall.lost() == []
            taken = [fact.place for fact in hall.of_kind(facts.Taken)]
            assert len(taken) == len(set(taken)) == 40 + sum(bool(n % 3) for n in range(20))

    run(work())


def entry(seq: int, key: str, mono: int, took: int = 0, after: int | None = None) -> Entry:
    origin = "person" if key.startswith("p:") else "sensor"
    fact = facts.Taken(place=Place(0, 1, "upper"))
    return Entry(
        table="t", seq=seq, key=key, fact=fact, origin=origin, mono=mono, took=took, after=after
    )


@pytest.mark.parametrize(
    ("mono", "took", "place"),
    [
        (2500, 0, None),  # younger than both taps
        (1500, 0, 2),  # between them
        (500, 0, 1),  # older than both, but not than the board's own edge before
        (1500, 499, 2),
        (1500, 500, None),  # it may be as young as the second tap
        (900, 200, 2),  # certainly older than the second tap, not than the first
        (900, 5000, None),
    ],
)
def test_a_late_edge_is_put_before_taps_that_are_certainly_younger(mono, took, place):
    entries = [entry(1, "b:1:7", 400), entry(2, "p:a", 1000), entry(3, "p:b", 2000)]
    assert place_of(entries, mono, took) == place
    # A tap that was itself told late, and levels, stand in nobody's way.
    more = [*entries, entry(4, "v:1:9:1", 2100), entry(5, "p:c", 2200, after=1)]
    assert place_of(more, mono, took) == place
