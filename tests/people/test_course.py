"""The course of a hand: what is decided replays as a record; riichi, fever and flips happen."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from support.paper import shuffled

from tablectl.core.preset_file import builtin_presets, find_preset, preset_text, read_preset
from tablectl.core.record import read_record
from tablectl.core.replay import replay_hand
from tablectl.people.course import play
from tablectl.people.habits import WHOLE, Habits
from tablectl.people.log import Played, follow
from tablectl.people.mishap import Mishap, aborts, mishap, step_of

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


# ── only what the rule allows ───────────────────────────────────────────────────────────────────

EAGER = replace(
    WHOLE, wins=0.004, ready=1.0, riichi=0.4, opening=0.1, robs=0.3, opens=0.4, dead=0.02
)


def eagerly(name: str, seeds: int = 40, **habits: float) -> Iterator[tuple[Any, list[Any], Played]]:
    """Hands of people who do whatever they may: the rule, the events, the hand."""
    rules = find_preset(name)
    for seed in range(seeds):
        rng = random.Random(f"{name} {seed}")
        wall, dealer = shuffled(rules, rng, 0.5), seed % rules.players
        hand = play(rules, wall, dealer, rng, replace(EAGER, **habits))
        yield rules, [step.event for step in hand.steps], hand


def deeds(name: str, word: str, **habits: float) -> list[Any]:
    return [e for _, events, _ in eagerly(name, **habits) for e in events if e[0] == word]


@pytest.mark.parametrize("name", builtin_presets())
def test_only_what_the_rule_has_is_done(name):
    rules = find_preset(name)
    seen: Counter[str] = Counter()
    for _, events, hand in eagerly(name):
        seen.update(event[0] for event in events)
        kongs = sum(event[0] == "kong" for event in events)
        assert kongs <= rules.calls.kongs + 1, "one more may be declared, and robbed"
        turned = hand.steps[-1].truth.turned
        assert turned <= rules.calls.kongs if rules.indicators.kongs_turn else turned == 0
        for event in events:
            if event[0] == "nuki":
                assert event[2][:2] in rules.calls.aside
            if event[0] == "discard" and not rules.calls.aside_river:
                assert event[2][:2] not in rules.calls.aside
    gold = rules.gold.turned != "none"
    assert bool(seen["gold"]) == gold
    assert bool(seen["riichi"] + seen["open"] + seen["fever"]) != gold
    assert bool(seen["chi"]) == rules.calls.chi
    assert bool(seen["nuki"]) == bool(rules.calls.aside)
    assert bool(seen["fever"]) == rules.calls.fever
    assert bool(seen["open"]) == rules.calls.open_riichi
    assert not seen["abort"] or aborts(rules)
    assert not seen["take_back"] or rules.riichi.take_back != "never"


@pytest.mark.parametrize("name", builtin_presets())
def test_one_tile_is_won_on_by_as_many_as_the_rule_lets(name):
    most: Counter[int] = Counter()
    for rules, events, _ in eagerly(name, wins=0.1):
        run = 0
        for before, event in zip([("",), *events], events, strict=False):
            same = before[0] == event[0] == "win" and before[2] == event[2]
            run = run + 1 if same else int(event[0] == "win")
            most[run] += run > 0
            assert run <= rules.winning.together
            if same and event[2] in (before[1], event[1]):
                raise AssertionError("two self-draws of one tile")
    assert most[find_preset(name).winning.together]


@pytest.mark.parametrize("name", builtin_presets())
def test_a_dead_hand_neither_wins_nor_claims(name):
    found = 0
    for _, events, hand in eagerly(name, dead=0.1, wins=0.02):
        dead: set[int] = set()
        for event in events:
            if event[0] == "dead":
                dead.add(event[1])
                found += 1
            assert event[0] not in ("win", "chi", "pon", "kong", "riichi") or event[1] not in dead
        assert not dead & set(hand.tenpai)
    assert found


@pytest.mark.parametrize("name", ["fuzhou-128", "fuzhou-144"])
def test_wins_before_play_goes_round_are_told_with_their_way(name):
    ways: Counter[str | None] = Counter()
    for rules, events, hand in eagerly(name, seeds=150, calls=0.0, wins=0.05):
        gold = next(e[1] for e in reversed(events) if e[0] == "gold")
        assert gold[:2] not in rules.calls.aside
        discards = 0
        for event in events:
            discards += event[0] == "discard"
            if event[0] == "win":
                way = event[6] if len(event) > 6 else None
                ways[way] += 1
                assert (way == "heavenly") <= (event[1] == event[2] == hand.dealer and not discards)
                assert (way == "robbing_gold") <= (event[1] == event[2] and discards <= 1)
                assert (way == "earthly") <= (event[2] == hand.dealer and discards == 1)
    assert ways.keys() >= {"heavenly", "robbing_gold", "earthly", "three_gold", "gold_pair", None}


def test_gold_discarded_is_nobodys_and_binds_who_did_it():
    thrown = 0
    for _, events, _ in eagerly("fuzhou-128", seeds=80, wins=0.1, opening=0.0):
        gold = next(e[1][:2] for e in reversed(events) if e[0] == "gold")
        bound: set[int] = set()
        for event, then in zip(events, [*events[1:], ("",)], strict=True):
            if event[0] == "discard" and event[2][:2] == gold:
                thrown += 1
                bound.add(event[1])
                assert then[0] in ("draw", "exhausted")
            if event[0] == "win" and event[1] in bound:
                assert event[1] == event[2]
    assert thrown


def test_the_last_draws_of_fuzhou_are_only_draws():
    reached = 0
    for rules, events, hand in eagerly("fuzhou-144", seeds=60, wins=0.001, opening=0.0):
        truths = [hand.start, *(step.truth for step in hand.steps)]
        final = False
        for event, before in zip(events, truths, strict=False):
            if event[0] == "draw" and event[3] == "live":
                final = before.drawable <= rules.reserve.final
            if final:
                reached += 1
                assert event[0] in ("draw", "nuki", "win", "exhausted", "dead")
                assert event[0] != "draw" or event[3] == "live"
    assert reached


def test_the_third_riichi_is_open_where_the_rule_says_so():
    third = 0
    for rules, events, _ in eagerly("goto-sanma", wins=0.0, riichi=1.0, calls=0.0, takes_back=0.0):
        words = [event[0] for event in events if event[0] in ("riichi", "open")]
        assert rules.riichi.third_open
        third += len(words) > 2
        assert words[2:] in ([], ["open"])
    assert third


def test_who_took_riichi_back_is_bound_by_it():
    """S2 basic: a win by self-draw only. S3: another riichi first."""
    for name, limit in (("vivace-sanma", "self_draw"), ("goto-sanma", "riichi")):
        bound_ones = 0
        for rules, events, _ in eagerly(name, takes_back=0.8, wins=0.1, riichi=0.6):
            assert rules.riichi.after_take_back == limit
            bound: set[int] = set()
            for event in events:
                if event[0] == "take_back":
                    bound.add(event[1])
                    bound_ones += 1
                elif event[0] in ("riichi", "open") and limit == "riichi":
                    bound.discard(event[1])
                elif event[0] == "win" and event[1] in bound:
                    assert limit == "self_draw"
                    assert event[1] == event[2]
                elif event[0] in ("pon", "kong"):
                    assert event[1] not in bound or limit != "riichi"
        assert bound_ones


def test_riichi_asks_for_points_and_draws():
    rules, found = find_preset("vivace-4p"), 0
    for seed in range(40):
        rng = random.Random(seed)
        habits = replace(EAGER, wins=0.0, riichi=1.0, calls=0.0)
        hand = play(rules, shuffled(rules, rng), 0, rng, habits, None, (900, 1000, 25000, 25000))
        declared = [step for step in hand.steps if step.event[0] == "riichi"]
        found += len(declared)
        assert all(step.event[1] != 0 for step in declared)
        assert all(step.truth.drawable >= rules.riichi.least_draws for step in declared)
    assert found


def test_a_north_set_aside_is_air_or_claimed():
    """S3: 空気扱い; S0: pon and win before the replacement."""
    for name, claimed in (("goto-sanma", False), ("vivace-sanma", False), ("ramen-jiro", True)):
        after: Counter[str] = Counter()
        for _, events, _ in eagerly(name, seeds=250, wins=0.02, riichi=0.0, calls=1.0):
            pairs = pairwise(events)
            after.update(then[0] for event, then in pairs if event[0] == "nuki")
        assert bool(after["pon"]) == bool(after["win"]) == claimed, (name, after)


def test_a_robbed_kong_turns_nothing_and_is_not_replaced():
    robbed = 0
    for name in ("vivace-a-league", "goto-sanma", "ramen-jiro"):
        for rules, events, hand in eagerly(name, robs=0.9, wins=0.0):
            for n, event in enumerate(events[1:], start=1):
                before = events[n - 1]
                if before[0] == "kong" and event[0] == "win" and event[1] != event[2]:
                    robbed += 1
                    assert before[2] != "concealed" or rules.calls.rob_concealed != "none"
                    assert hand.steps[n].truth.turned == hand.steps[n - 1].truth.turned
                    assert hand.steps[n].truth.tail == hand.steps[n - 1].truth.tail
    assert robbed


def test_forgotten_replacements_are_taken_later():
    late = 0
    for _, events, hand in eagerly("goto-sanma", forgets=0.5, wins=0.0, dead=0.0):
        aside = sum(event[0] == "nuki" for event in events)
        kongs = hand.steps[-1].truth.turned
        assert hand.steps[-1].truth.tail <= aside + kongs
        pairs = pairwise(events)
        late += any(e[0] == "nuki" and then[0] == "discard" for e, then in pairs)
    assert late


def test_nothing_new_is_done_unless_it_is_asked_for():
    """Recorded hands have no words for it."""
    for name in builtin_presets():
        for seed in range(10):
            hand = decided(name, seed, riichi=0.5)
            words = {step.event[0] for step in hand.steps}
            assert not words & {"open", "dead", "take_back", "void"}, name
            assert all(len(s.event) == 6 for s in hand.steps if s.event[0] == "win")


def test_mishaps_come_as_often_as_they_are_asked_for():
    rules, rng = find_preset("ramen-jiro"), random.Random(1)
    assert {mishap(rules, rng, 0.0) for _ in range(20)} == {None}
    found = Counter(mishap(rules, rng, 0.5) for _ in range(2000))
    assert 800 < found.pop(None) < 1200
    assert {one.how for one in found if one} == {"void", "abort", "cleared"}
    assert {one.how for one in found if one and one.when == "settling"} == {"cleared"}
    rules = find_preset("goto-sanma")
    goto = {mishap(rules, rng, 1.0) for _ in range(500)}
    assert not any(one and one.how == "abort" for one in goto)
    assert Mishap("raised", "void") in goto


def test_where_a_mishap_comes():
    words = ["nuki", "draw", "gold", "draw", "discard", "win"]
    rng = random.Random(2)
    assert {step_of("flowering", words, rng) for _ in range(50)} == {1}
    assert {step_of("playing", words, rng) for _ in range(200)} == {3, 4, 5}
    assert step_of("last", words, rng) == 5
    assert step_of("raised", words, rng) is None
    assert step_of("flowering", ["draw", "win"], rng) is None


def test_what_is_flipped_comes_after_the_first_tile_won_on() -> None:
    """Under fever more tiles are won on; where nothing was flipped for the first, nothing is."""
    text, _ = preset_text("ramen-jiro")
    rules = read_preset(text.replace('value = "tulip"', 'value = "alice"', 1))
    again = 0
    for seed in SEEDS:
        rng = random.Random(seed)
        habits = Habits(wins=0.05, riichi=1.0, alice=0.5)
        hand = play(rules, shuffled(rules, rng, 0.3), 0, rng, habits)
        words = [step.event[0] for step in hand.steps]
        first = words.index("win") if "win" in words else len(words)
        run = next((n for n in range(first, len(words)) if words[n] != "win"), len(words))
        again += "win" in words[run:]
        assert hand.flips is None or first <= hand.flips.after < run, seed
    assert again > 5
