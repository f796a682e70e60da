"""The course of a hand: what is decided replays as a record; riichi, fever and flips happen."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from support.paper import shuffled

from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.record import read_record
from tablectl.core.replay import replay_hand
from tablectl.people.course import Habits, play
from tablectl.people.log import Played, follow

SEEDS = range(60)


def decided(name: str, seed: int, **habits: float) -> Played:
    rules, rng = find_preset(name), random.Random(seed)
    wall = shuffled(rules, rng, 0.3)
    return play(rules, wall, seed % rules.players, rng, Habits(**habits))


def line_of(hand: Played, players: int, dice: tuple[int, ...]) -> str:
    events = [list(step.event) for step in hand.steps]
    head = {"players": players, "dealer": hand.dealer, "dice": dice, "wall": hand.wall}
    return json.dumps(head | {"events": events})


@pytest.mark.parametrize("name", builtin_presets())
@pytest.mark.parametrize("seed", range(10))
def test_a_decided_hand_is_a_record_that_replays(name, seed):
    rules = find_preset(name)
    hand = decided(name, seed)
    record = read_record(rules, line_of(hand, rules.players, (3, 4)))
    report = replay_hand(rules, record)
    assert report["ok"], report["mismatch"]
    truth = hand.steps[-1].truth
    assert (report["head"], report["tail"]) == (truth.head, truth.tail)
    followed = follow(rules, record)
    assert [step[1:3] for step in followed.steps] == [step[1:3] for step in hand.steps]
    assert followed.dealt == hand.dealt
    assert followed.start == hand.start


def test_pending_is_followed_too():
    rules = find_preset("riichi-4p")
    for seed in SEEDS:
        hand = decided("riichi-4p", seed, aborts=0.0)
        record = read_record(rules, line_of(hand, 4, (3, 4)))
        assert [s.pending for s in follow(rules, record).steps] == [s.pending for s in hand.steps]


def test_everything_happens_now_and_then():
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        hand = decided("ramen-jiro", seed)
        words = [step.event[0] for step in hand.steps]
        seen.update(set(words))
        seen["again"] += words.count("win") > 1
        seen["ura"] += any(step.event[0] == "win" and step.event[4] for step in hand.steps)
        seen["flips"] += hand.flips is not None
    for what in ("win", "exhausted", "kong", "nuki", "riichi", "fever", "ura", "flips", "again"):
        assert seen[what] >= 2, (what, seen)


def test_flips_end_with_the_last_life_or_the_last_tile():
    ends: Counter[bool] = Counter()
    for seed in range(150):
        hand = decided("ramen-jiro", seed, wins=0.03, riichi=0.5)
        if hand.flips is None:
            continue
        misses = [worth for _, worth in hand.flips.tiles].count(0)
        ends[misses == hand.flips.stock] += 1
        assert misses <= hand.flips.stock
        places = [p for p, _ in hand.flips.tiles]
        assert places == sorted(places, reverse=True)
        assert not any(p % 2 for p in places)
        truth = hand.steps[hand.flips.after].truth
        assert len(places) <= (truth.drawable + 1) // 2
        if misses < hand.flips.stock:
            assert len(places) == truth.drawable // 2
    assert ends[True]


@pytest.mark.parametrize("seed", range(5))
def test_hands_that_come_up_dealt(seed):
    rules, rng = find_preset("riichi-4p"), random.Random(seed)
    tiles = shuffled(rules, rng)
    hands = [tiles[13 * seat : 13 * seat + 13] for seat in range(4)]
    hand = play(rules, tiles[52:], 2, rng, None, hands)
    assert hand.start.head == 0
    assert hand.start.drawable == 84 - 14
    assert hand.steps[0].event[:2] == ("draw", 2)
    assert hand.steps[0].p == 0
    drawn = Counter(step.event[1] for step in hand.steps if step.event[0] == "draw")
    assert drawn.total() == hand.steps[-1].truth.head + hand.steps[-1].truth.tail
