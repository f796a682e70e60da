"""Whole games of every rule at high speed, well and clumsily, on machines of every kind: what is
shown is what lies on the table, every hand is closed, every arrow of the charts is gone."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from support import soaked
from support.soaked import (
    BUSY,
    CLUMSY,
    EAGER,
    PATIENT,
    Kept,
    Lost,
    all_arrows,
    arrows,
    evening,
    names_of,
)
from support.world import some_seed

from tablectl.core import facts
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.people.mishap import Mishap, aborts
from tablesim.model import MODELS

CAREFUL_OR_NOT = pytest.mark.parametrize("clumsy", [0.0, CLUMSY], ids=["well", "clumsily"])
WHEN = ("raised", "opened", "dealt", "flowering", "playing", "last", "won", "revealing")
SCENES = (
    ("fuzhou-128", PATIENT),
    ("riichi-3p", replace(EAGER, aborts=0.05)),
    ("ramen-jiro", replace(EAGER, riichi=1.0, ready=30.0)),
)
LATE = replace(PATIENT, opening=0.0, robs=0.0, wins=0.012)
HANDS = 2


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
    """Over fixed seeds: eager people, patient ones, and hands that come to nothing at every
    moment."""
    with arrows() as gone:
        for base in builtin_presets():
            rules = find_preset(base)
            evening(rules, 1, 3, model="deaf", thorough=True, habits=EAGER)
            evening(rules, 2, 2, model="stock+counts", thorough=True, habits=EAGER)
        evening(find_preset("fuzhou-128"), 5, 10, model="deaf", thorough=True, habits=LATE)
        evening(find_preset("riichi-4p"), 6, 6, model="presence", thorough=True, clumsy=0.15)
        for base, habits in SCENES:
            rules = find_preset(base)
            evening(rules, 3, 4, model="deaf", thorough=True, habits=habits)
            ways = ("void", "cleared", "abort") if aborts(rules) else ("void", "cleared")
            cases = [Mishap(when, how) for when, how in product(WHEN, ways) if _comes(when, how)]
            cases.append(Mishap("settling", "cleared"))
            evening(
                rules, 4, len(cases), model="presence", thorough=False, habits=habits, mishaps=cases
            )
    missing = sorted(all_arrows() - set(gone))
    assert not missing, missing


def _comes(when: str, how: str) -> bool:
    return how != "abort" or when in ("dealt", "playing", "won", "revealing")


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
