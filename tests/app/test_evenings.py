"""Evenings at every kind of table: what the daemon shows is what lies on the table."""

from __future__ import annotations

import json
import random

import pytest
from support.clockwork import run
from support.evenings import (
    by_hand,
    check,
    closed_rightly,
    evening,
    known_to_all,
    recorded,
    same_as_recorded,
)

SEED = random.randrange(1_000_000)
PTY = 0.0005
"""Seconds that the system may take to carry bytes over a pseudo-terminal."""
MODELS = ("stock", "stock+counts", "presence", "reader", "gears", "deaf")


@pytest.mark.parametrize("seed", [3, 17])
def test_every_fact_every_position_and_every_number_is_true(tmp_path, seed):
    """With seeds 1 to 20: `tools/soak evenings`."""
    found = run(evening(tmp_path, "presence", "ramen-jiro", seed, hands=2, thorough=True))
    assert found.selected["number"] == 5
    checked = check(found)
    assert (checked.facts > 100, checked.plans > 20, checked.numbers >= 6) == (True,) * 3
    for hand, state in zip(found.hands, found.states, strict=True):
        known = state.hand
        truth = hand.truth
        assert (known.head, known.tail, known.turned) == (truth.head, truth.tail, truth.turned)
        assert known.life == "closed"
        assert not state.questions


def test_a_hand_of_a_random_seed(tmp_path):
    print(f"seed {SEED}")
    model = random.Random(SEED).choice(["presence", "reader", "stock+counts"])
    found = run(evening(tmp_path, model, "ramen-jiro", SEED))
    assert found.states[0].hand.life == "closed"
    if model != "stock+counts":
        check(found)


@pytest.mark.parametrize("file", ["riichi-4p", "riichi-4p-chips", "sanma-3p"])
def test_recorded_hands_through_a_pseudo_terminal_and_the_daemon(tmp_path, shared, file):
    """All of them: `tools/soak records`. The daemon is never given the record."""
    rules, records = recorded(shared, file)
    some = records[:1] + random.Random(SEED).sample(records, 1)
    print(f"seed {SEED}")
    work = evening(
        tmp_path, "reader", rules.name, 1, records=some, line=tmp_path / "line", faces=True
    )
    same_as_recorded(run(work, PTY), some)


def test_one_hand_on_every_profile_and_how_many_taps_each_needs(tmp_path, shared):
    rules, records = recorded(shared, "riichi-4p")
    hand = next(one for one in records if any(e[0] == "kong" for e in one.events))
    taps, known = {}, {}
    for model in MODELS:
        work = evening(tmp_path / model, model, rules.name, 5, records=[hand], touches=0.0)
        found = run(work)
        taps[model] = found.hands[0].taps
        known[model] = known_to_all(rules, found.states[0])
    found = run(by_hand(tmp_path / "manual", rules.name, 5, records=[hand], touches=0.0))
    taps["manual:"] = found.hands[0].taps
    known["manual:"] = known_to_all(rules, found.states[0])
    print(json.dumps(taps))
    assert all(one == known["reader"] for one in known.values()), known
    assert taps["reader"] <= taps["presence"] <= taps["stock+counts"] <= taps["stock"]
    assert taps["stock"] <= taps["deaf"] <= taps["manual:"]


@pytest.mark.parametrize("seed", range(3))
def test_hands_that_the_table_deals_itself(tmp_path, seed):
    found = run(evening(tmp_path, "autodeal", "riichi-4p", seed))
    hand = found.states[0].hand
    truth = found.hands[0].truth
    assert (hand.head, hand.tail, hand.turned) == (truth.head, truth.tail, truth.turned)
    assert hand.machine_dealt
    gone = sum(deed[1] == "take" for deed in found.done)
    assert hand.head + hand.tail == gone
    print(json.dumps({"autodeal": found.hands[0].taps}))


@pytest.mark.parametrize("model", ["presence", "stock"])
def test_clumsy_people_close_every_hand(tmp_path, model):
    """1,000 hands of them: `tools/soak clumsy`."""
    print(f"seed {SEED}")
    found = run(evening(tmp_path, model, "ramen-jiro", SEED, hands=3, clumsy=0.05))
    closed_rightly(found)
