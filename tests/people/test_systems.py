"""Whole games of every rule at high speed, well and clumsily, on machines of every kind: what is
shown is what lies on the table, every hand is closed, every arrow of the charts is gone."""

from __future__ import annotations

import pytest
from support import soaked
from support.soaked import (
    BUSY,
    CLUMSY,
    NEVER,
    Kept,
    Lost,
    all_arrows,
    arrows,
    evening,
    names_of,
    scenes,
)
from support.world import some_seed

from tablectl.core import facts
from tablectl.core.hand import HAND
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.turn import TURN
from tablesim.model import MODELS

CAREFUL_OR_NOT = pytest.mark.parametrize("clumsy", [0.0, CLUMSY], ids=["well", "clumsily"])
HANDS = 2
SERIES = 6


@CAREFUL_OR_NOT
@pytest.mark.parametrize("base", builtin_presets())
def test_some_hands_of_every_rule(base: str, clumsy: float) -> None:
    seed = some_seed()
    names = names_of(base)
    total = evening(find_preset(names[seed % len(names)]), seed, 2 * HANDS, clumsy=clumsy)
    assert total.hands == 2 * HANDS


@pytest.mark.parametrize("name", names_of("ramen-jiro"))
def test_every_topping_is_played(name: str) -> None:
    total = evening(find_preset(name), 3, 1, model="presence")
    assert total.facts > 50


def test_every_machine_stacks_every_rule_but_the_one_that_deals() -> None:
    for name in builtin_presets():
        rules = find_preset(name)
        able = set(MODELS) if rules.tile_count == 136 else set(MODELS) - {"autodeal"}
        assert set(soaked.models_for(rules)) == able


def test_every_arrow_of_the_charts_is_gone() -> None:
    """Over fixed seeds, in as many series of evenings as it takes, mostly one or two."""
    with arrows() as gone:
        for of in range(SERIES):
            scenes(of)
            missing = sorted(all_arrows() - set(gone))
            if not missing:
                return
    assert not missing, missing


def test_what_is_never_gone_is_an_arrow() -> None:
    charts = {"hand": HAND, "turn": TURN}
    for (chart, state, trigger), why in NEVER.items():
        assert charts[chart].ways(state, trigger)
        assert why


def test_what_does_not_lie_there_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """People who say nothing of one tile set aside are found out, and the message says where."""
    tap, kept = Kept.tap, []

    async def silent(room: Kept, fact: facts.AnyFact, *, after: int | None = None) -> object:
        if isinstance(fact, facts.TailCount | facts.HeadAt) or (
            isinstance(fact, facts.SetAside) and not kept
        ):
            kept.append(fact)
            fact = facts.Button(button="call")
        return await tap(room, fact, after=after)

    monkeypatch.setattr(Kept, "tap", silent)
    with pytest.raises(Lost, match=r"goto-sanma on deaf, seed 5, hand \d, well: "):
        evening(find_preset("goto-sanma"), 5, 3, model="deaf", habits=BUSY)
    assert kept
