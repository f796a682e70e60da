"""Who deals first: said with the rule or thrown for, and said again before the first hand."""

from __future__ import annotations

from typing import Any

import pytest
from support.clockwork import run
from support.evenings import begun
from support.parlour import config_of, parlour

from tablectl.app.service import Tap, Wish
from tablectl.core import facts
from tablectl.errors import TablectlError

RULE = "vivace-4p"
THROWN = "fuzhou-144"


def select(preset: str, **about: Any) -> Wish:
    return Wish("select", preset=preset, number=1, **about)


def at_a_table(tmp_path: Any, work: Any) -> None:
    """A table that people work, of which the owner knows that number 1 is any rule."""

    async def go() -> None:
        config = config_of("manual:parlour", profile="stock")
        async with parlour(tmp_path, config) as daemon:
            table = daemon.table("parlour")
            await begun(table)
            for name in (RULE, THROWN):
                await table.command(Wish("note", preset=name, number=1))
            await work(table)

    run(go())


def first(table: Any) -> tuple[int, int]:
    game = table.known.state.game
    return game.first_dealer, game.dealer


def test_a_seat_is_said(tmp_path):
    async def work(table):
        found = await table.command(select(RULE, first_dealer=2))
        assert "Seat 2 deals first." in found["say"]
        assert first(table) == (2, 2)
        # Said again before the first hand.
        await table.command(select(RULE, first_dealer=3))
        assert first(table) == (3, 3)
        await table.command(select(RULE))
        assert first(table) == (3, 3)
        found = await table.command(Wish("game", preset=RULE, first_dealer=1))
        assert first(table) == (1, 1)

    at_a_table(tmp_path, work)


def test_it_is_thrown_for(tmp_path):
    async def work(table):
        found = await table.command(select(THROWN))
        assert any("Nobody has thrown for the first dealer" in line for line in found["say"])
        assert first(table) == (0, 0)
        found = await table.command(select(THROWN, first_dice=(3, 4), temporary=1))
        assert "Seat 3 deals first." in found["say"]
        assert first(table) == (3, 3)
        await table.command(Wish("game", preset=THROWN, first_dice=(1, 1)))
        assert first(table) == (1, 1)

    at_a_table(tmp_path, work)


def test_once_a_hand_was_opened_it_stands(tmp_path):
    async def work(table):
        await table.command(select(RULE, first_dealer=2))
        said: list[facts.AnyFact] = [
            facts.Raised(set="a"),
            facts.Dice(pips=(2, 3)),
            facts.Void(why="x"),
            facts.Settled(),
        ]
        for n, fact in enumerate(said):
            tapped = await table.tap(Tap(f"{n:032x}", fact, table.seq))
            assert tapped.verdict.kind != "odd", tapped.verdict.text
        found = await table.command(select(RULE, first_dealer=1))
        assert any("its first dealer was seat 2" in line for line in found["say"])
        assert first(table)[0] == 2

    at_a_table(tmp_path, work)


@pytest.mark.parametrize(
    ("preset", "about", "code"),
    [
        (RULE, {"first_dice": (3, 4)}, "game.first_agreed"),
        (RULE, {"temporary": 1}, "game.first_agreed"),
        (THROWN, {"first_dice": (3,)}, "game.first_dice"),
        (THROWN, {"temporary": 2}, "game.first_dice"),
        (THROWN, {"first_dice": (3, 4), "first_dealer": 1}, "app.first_twice"),
        ("ramen-jiro", {"first_dealer": 3}, "app.first_dealer"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_sent(tmp_path, preset, about, code):
    async def work(table):
        before = table.seq
        for what in ("select", "game"):
            with pytest.raises(TablectlError) as caught:
                await table.command(Wish(what, preset=preset, **about))
            assert caught.value.code == code
        assert table.seq == before

    at_a_table(tmp_path, work)
