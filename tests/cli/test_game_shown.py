"""How far a game is, in words, and who deals first, as options of `select`."""

from __future__ import annotations

from typing import Any

import pytest
from support.views import READY
from typer.testing import CliRunner

from tablectl.cli import ask
from tablectl.cli.app import app
from tablectl.cli.shown import facts
from tablectl.core.preset_file import find_preset
from tablectl.core.state import Game, State, Waiting
from tablectl.core.view import plain, view_of
from tablectl.errors import TablectlError


def shown(name: str, **about: Any) -> dict[str, str]:
    rules = find_preset(name)
    seats = tuple(range(rules.players))
    values = {"points": (rules.play.points,) * rules.players, "dealer": 0} | about
    game = Game(rules.base, rules.digest, seats, chips=(0,) * rules.players, **values)
    state = plain(view_of(rules, State(game=game)))
    view = {"table": "t", "name": "east", "seq": 1, "state": state, "live": READY}
    return {one.label: one.text for one in facts(view, rules)}


def test_the_round_the_repeats_and_the_last_hand() -> None:
    assert shown("vivace-4p")["round"] == "East 1"
    assert shown("vivace-4p", dealer=1, repeats=2)["round"] == "East 2, repeat 2"
    assert shown("vivace-4p", dealer=3, round=1)["round"] == "South 4, the last hand"
    told = shown("vivace-sanma", round=2, dealer=1)["round"]
    assert told == "East 2 (played on), the last hand"


def test_places_once_the_points_differ() -> None:
    points = (25_000, 35_000, 20_000, 20_000)
    assert shown("vivace-4p", points=points)["round"].endswith("places of seats 0 to 3: 2, 1, 3, 4")
    told = shown("vivace-a-league", points=points)["round"]
    assert told.endswith("places of seats 0 to 3: 2, 1, 3, 3")


def test_a_game_that_is_over_and_who_sits_out() -> None:
    told = shown("vivace-4p", over=True, why="all rounds are played", round=1, dealer=3)
    assert ", over: all rounds are played; points" in told["game"]
    assert told["round"] == "South 4, the last hand played"
    told = shown("vivace-sanma", out=3, waiting=Waiting(41_000, 2))
    assert told["round"] == "East 1; side 3 sits out with 41000 points and 2 chips"


class Asked:
    """A daemon that notes what it is asked."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []

    def command(self, table: str, body: dict[str, Any]) -> dict[str, Any]:
        self.bodies.append(body)
        return {"say": ["done"]}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked()
    monkeypatch.setattr(ask, "client", lambda config, state: found)
    return found


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ([], {}),
        (["--first-dealer", "2"], {"first_dealer": 2}),
        (["--first-dealer", "0"], {"first_dealer": 0}),
        (
            ["--first-dice", "3,4", "--temporary", "1"],
            {"first_dice": [3, 4], "temporary": 1},
        ),
    ],
)
def test_who_deals_first_is_an_option(
    asked: Asked, options: list[str], body: dict[str, Any]
) -> None:
    found = CliRunner().invoke(app, ["select", "east", "fuzhou-144", *options])
    assert (found.exit_code, found.output) == (0, "done\n")
    assert asked.bodies == [{"what": "select", "preset": "fuzhou-144"} | body]


@pytest.mark.parametrize("text", ["", "7,1", "3;4", "3,4,5,6,1", "three"])
def test_pips_that_are_none(asked: Asked, text: str) -> None:
    with pytest.raises(TablectlError) as caught:
        ask.select("east", "fuzhou-144", None, None, None, as_json=False, first_dice=text)
    assert caught.value.code == "cli.first_dice"
    assert not asked.bodies
