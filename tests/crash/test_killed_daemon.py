"""A daemon killed at any instant, by name or by chance, goes on as if nothing had been.

The one that is started again on the same folder is the next to die. `tools/soak kills` does what is
done by chance 200 times.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing

from support.killed import Ground, ground
from support.killed_evening import evening

from tablectl.core import facts
from tablesim import lay

KEY = "5f0c7a52-6f0e-4f0c-9d5a-00000000000"
TAP = facts.SensorIgnored(ability="dice")
THROW = {"what": "motion", "motion": "throw"}
SELECT = {"what": "select", "preset": "ramen-jiro"}


async def press(place: Ground, button: str) -> None:
    await place.served.obey({"do": "press", "button": button})


async def meanwhile(place: Ground, *buttons: str) -> None:
    """The daemon has died; the table is worked on."""
    await place.child.died()
    place.back.clear()
    for button in buttons:
        await press(place, button)


def said(place: Ground, kind: type) -> list:
    return [entry for entry in place.entries() if isinstance(entry.fact, kind)]


SENSORS = (
    # the door, and whether the edge is in the journal when it has died there
    ("before", 0),
    ("within", 0),
    ("after", 1),
    ("acknowledged", 1),
)


def test_what_a_sensor_says(tmp_path):
    async def work():
        async with ground(tmp_path) as place:
            for n, (at, kept) in enumerate(SENSORS):
                await place.up()
                await place.agrees()
                assert len(said(place, facts.Dice)) == n
                await place.arm(at, "dice")
                await press(place, "dice")
                await meanwhile(place, "start", "dealer")
                assert len(said(place, facts.Dice)) == n + kept, at
                board = place.served.table.board
                told = said(place, facts.Dice)[-1].key if kept else ""
                gone = told == f"b:{board.boot}:{board._ring.first_kept - 1}"
                assert gone == (at == "acknowledged"), "the board keeps what is not acknowledged"
            await place.up()
            await place.agrees()

    asyncio.run(work())


PEOPLE = (("before", 0), ("within", 0), ("after", 1), ("answered", 1))


def test_what_people_say(tmp_path):
    """A tap that was answered is there; said again with its key it is the same fact."""

    async def work():
        async with ground(tmp_path) as place:
            taps = []
            for n, (at, kept) in enumerate(PEOPLE):
                await place.up()
                for key, tap in taps:
                    assert await place.tap(TAP, key) == await tap
                await place.agrees()
                if at != "answered":
                    await place.arm(at, "sensor_ignored")
                key = f"{KEY}{n}"
                taps.append((key, asyncio.ensure_future(place.tap(TAP, key))))
                if at == "answered":
                    await taps[-1][1]
                    place.child.kill()
                await meanwhile(place, "start", "dealer")
                assert len(said(place, facts.SensorIgnored)) == n + kept, at
            await place.up()
            for key, tap in taps:
                assert await place.tap(TAP, key) == await tap
            await place.agrees()
            seqs = [entry.seq for entry in said(place, facts.SensorIgnored)]
            assert seqs == sorted(place.told.values())
            assert len(seqs) == len(PEOPLE)

    asyncio.run(work())


COMMANDS = (
    # what is wanted, the door, the fact there: how often the board acts, and how it ends
    (THROW, "before", "asked", 0, None),
    (THROW, "after", "asked", 0, "unknown"),
    (THROW, "given", "", 0, "unknown"),
    (THROW, "sent", "", 1, "done"),
    (THROW, "before", "answered:accepted", 1, "done"),
    (THROW, "after", "answered:accepted", 1, "done"),
    (THROW, "before", "answered:done", 1, "done"),
    (THROW, "within", "answered:done", 1, "done"),
    (THROW, "after", "answered:done", 1, "done"),
    (SELECT, "sent", "", 1, "done"),
    (SELECT, "before", "answered:done", 1, "done"),
)


def test_what_is_wanted_of_the_table(tmp_path):
    async def work():
        async with ground(tmp_path) as place:
            acted, ends = 0, []
            await place.up()
            for wish, at, word, does, end in COMMANDS:
                await place.arm(at, word)
                assert await place.wish(**wish) is None, "nobody was told of an end"
                await meanwhile(place, "dealer")
                await place.up()
                state = await place.agrees()
                acted += does
                ends += [end] * (end is not None)
                assert len(place.acted) == acted, (wish, at, word)
                answers = [entry.fact.result for entry in said(place, facts.Answered)]
                assert [one for one in answers if one != "accepted"] == ends, (wish, at, word)
                asked = any(question.id.startswith("command") for question in state.questions)
                assert asked == ("unknown" in ends), "people are asked what nobody knows"
            for wish in (THROW, SELECT):
                # What is wanted now is another command than any before.
                assert (await place.wish(**wish))["result"] == "done"
            await place.agrees()
            assert len(place.acted) == acted + 2

    asyncio.run(work())


def test_one_that_starts_within_the_same_second_or_whose_clock_goes_back(tmp_path):
    """Its commands are its own: neither journal nor board takes them for those of before."""

    async def work():
        async with ground(tmp_path) as place:
            morning = 1_790_000_000_000
            for n, utc in enumerate((morning, morning + 300, morning - 5000, morning - 5000), 1):
                await place.up(utc + n)
                assert (await place.wish(**THROW))["result"] == "done"
                await place.agrees()
                assert len(place.acted) == n
                await place.killed()

    asyncio.run(work())


def test_a_table_that_does_not_come_back_is_not_said_to_be_there(tmp_path):
    async def work():
        async with ground(tmp_path) as place:
            await place.up()
            assert (await place.agrees()).machine.link is True
            await place.killed()
            place.served.port.unplug()
            await place.start()
            await place.until(lambda: place.state().machine.link is False)
            await place.served.port.plug()
            await place.until(lambda: place.state().machine.link is True)
            await place.agrees()

    asyncio.run(work())


def test_faces_of_a_hand_that_closed_are_forgotten_by_whoever_comes_next(tmp_path):
    """It dies between the commit that closes the hand and what that asks for."""

    async def work():
        async with ground(tmp_path, model="reader", preset="riichi-4p") as place:
            await place.up()
            await press(place, "start")
            await place.until(lambda: len(said(place, facts.Sealed)) == 136)
            [sealed] = (tmp_path / "faces").iterdir()
            await place.killed()
            await place.up()
            assert len(sealed.read_text().splitlines()) >= 136, "the hand is open"
            await place.tap(facts.Void(why="nobody plays"), KEY + "1")
            await place.arm("after", "settled")
            tap = asyncio.ensure_future(place.tap(facts.Settled(), KEY + "2"))
            await meanwhile(place)
            assert sealed.exists()
            assert sealed.stat().st_size
            await place.up()
            await tap
            await place.until(lambda: not sealed.exists() or not sealed.stat().st_size)
            await place.agrees()

    asyncio.run(work())


def test_hands_that_were_dealt_before_it_died_are_dealt(tmp_path):
    """The walls had rested for a moment only; nothing more is heard of them."""

    async def work():
        async with ground(tmp_path, model="stock+counts", preset="riichi-4p") as place:
            await place.up()
            await press(place, "start")
            await place.until(lambda: place.state().hand is not None)
            await place.served.obey({"do": "pips", "pips": [3, 4]})
            await press(place, "dice")
            await place.until(lambda: place.state().hand.dice == (3, 4))
            up = place.served.table.machine.up
            for spot in lay.Table(("17",) * 4).open(0, 7, "walls", (0, 1, 2, 3)).walk()[:50]:
                place.served.table.hands.take(spot)
            place.served.did()
            await place.until(lambda: sum(place.state().hand.sensed.counts) == 136 - len(up.out))
            assert place.state().hand.life in ("raised", "opened"), "dealing is not over"
            await place.killed()
            await place.up()
            await place.until(lambda: place.state().hand.life not in ("raised", "opened"))

    asyncio.run(work())


OLD = ("DROP TABLE mark", "DROP TABLE game", "PRAGMA user_version = 1")
"""What makes a journal one of a program before this."""
MIGRATIONS = (
    # the statement at whose beginning it dies, and the format that is then found
    ("CREATE TABLE mark", 1),
    ("INSERT INTO mark", 1),
    ("PRAGMA user_version = 2", 1),
    ("COMMIT", 1),
    ("SELECT name, boot, edge", 2),
)


def test_while_an_old_journal_is_brought_up_to_date(tmp_path):
    async def work():
        async with ground(tmp_path) as place:
            await place.up()
            await place.tap(TAP, KEY + "0")
            assert (await place.wish(**THROW))["result"] == "done"
            await place.agrees()
            await place.killed()
            before = place.entries()
            place.close()
            file = tmp_path / "journal.sqlite"
            with closing(sqlite3.connect(file, isolation_level=None)) as db:
                for statement in OLD:
                    db.execute(statement)
            for statement, found in MIGRATIONS:
                await place.start({"at": "opened", "fact": statement})
                await meanwhile(place, "dealer")
                with closing(sqlite3.connect(file)) as db:
                    assert db.execute("PRAGMA user_version").fetchone() == (found,), statement
                assert place.entries() == before
                place.close()
            await place.up()
            await place.tap(TAP, KEY + "0")
            await place.agrees()

    asyncio.run(work())


def test_at_random_instants_while_people_play(tmp_path):
    seed = random.randrange(2**31)
    print("seed", seed)
    counted = asyncio.run(evening(tmp_path, seed, 6))
    print(counted)
    assert counted["kills"] == 6
    assert counted["facts"] > 100
