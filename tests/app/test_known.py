"""What is known of a table: what is long over is forgotten, and nothing else is changed by it."""

from __future__ import annotations

import asyncio
import random
import uuid

import pytest
from support.clockwork import run
from support.evenings import begun
from support.histories import told
from support.parlour import config_of, parlour

from tablectl.app import service
from tablectl.app.known import Known
from tablectl.app.service import Tap, Wish
from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.fold import History
from tablectl.errors import TablectlError
from tablectl.journal.marks import opens_behind


def games(seed: int, many: int) -> tuple[dict, list]:
    """Games of one hand each, with facts of the machine; now and then something is taken back or
    said late."""
    rng = random.Random(seed)
    book, said = {}, []
    for n in range(many):
        rules, history = told(seed * 20 + n)
        book[rules.digest] = rules
        begins = len(said)
        said.append((facts.Board(uid="east", boot=n), None))
        said += [] if n else [(facts.Link(up=True), None)]  # said once, and true ever after
        said += [(entry.fact, None) for entry in history]
        if n and rng.random() < 0.4:
            said.append((facts.Button(button="late"), begins - rng.randrange(1, 30)))
        said += [(fact, None) for fact in (facts.Settled(), facts.Void(), facts.GameEnded())]
        here = len(said)
        if rng.random() < 0.5:
            said.append((facts.Retract(target=here - rng.randrange(4)), None))
        if rng.random() < 0.3:
            said.append((facts.Drawn(seat=0), here - rng.randrange(4)))
        if rng.random() < 0.3:
            said.append((facts.SensorIgnored(ability="dice", on=rng.random() < 0.5), None))
    return book, said


@pytest.mark.parametrize("seed", range(4))
def test_what_is_forgotten_changes_nothing(seed):
    print("seed", seed)
    book, said = games(seed, 12)
    whole, known, since, longest = History(book), Known(book), 0, 0
    for seq, (fact, place) in enumerate(said, 1):
        after = place if place is None or place > known.base else None  # as `Actor.tap` refuses
        entry = Entry(table="t", seq=seq, key=f"p:{seq}", fact=fact, after=after)
        whole, expected = whole.append(entry)
        verdict, _ = known.append(entry, None)
        target = getattr(fact, "target", None)
        target = None if target is None else known.entry(target)
        fits = verdict.kind != "odd"
        opens = opens_behind(entry, fits, known.state, since, target)
        if opens is not None:
            since = opens
            known.opened(opens)
        assert verdict == expected, seq
        assert known.state == whole.state, seq
        longest = max(longest, len(known.history.entries))
    assert known.base > 0
    assert longest < len(said) * 2 / 3
    boards = [e.fact for e in known.history.entries if isinstance(e.fact, facts.Board)]
    assert boards[-1].boot == 11
    assert min(known._verdicts) > known.base


def test_a_table_that_is_used_for_months_holds_two_games(tmp_path):
    async def work():
        async with parlour(tmp_path, config_of("manual:p", preset="riichi-4p")) as daemon:
            table = daemon.table("p")
            await begun(table)
            sizes = []
            for n in range(12):
                for _ in range(20):
                    await table.tap(Tap(str(uuid.uuid4()), facts.Button(button="x"), table.seq))
                preset = ("ramen-jiro", "riichi-4p")[n % 2]
                await table.command(Wish("game", preset=preset))
                sizes.append(len(table.known.history.entries))
            assert max(sizes[3:]) < 50 < table.seq
            with pytest.raises(TablectlError) as refused:
                late = Tap(str(uuid.uuid4()), facts.Button(button="late"), table.seq, after=3)
                await table.tap(late)
            assert refused.value.code == service.STALE
            assert len(await asyncio.wait_for(table.facts(0, 999), 1)) == table.seq

    run(work())
