"""People play by every preset at every kind of table: what the program shows is what they did."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from support.paper import shuffled
from support.preset_texts import growing_text
from support.presets import random_preset_text
from support.soaked import Kept, models_for, quick
from support.world import World, run, some_seed, stacks

from tablectl.core import facts
from tablectl.core.preset import Preset
from tablectl.core.preset_file import builtin_presets, find_preset, read_preset
from tablectl.core.record import read_record
from tablectl.core.replay import replay_hand
from tablectl.core.state import Hand, plan_of
from tablectl.errors import TablectlError
from tablectl.people.habits import WHOLE, Habits
from tablectl.people.play import HandPlayed
from tablectl.people.row import Truth
from tablesim import lay
from tablesim.lay import Spot

TABLES = [(model, name) for name in builtin_presets() for model in models_for(find_preset(name))]
SEATS = {3: ((0, 1, 2), (1, 2, 3), (0, 2, 3)), 4: ((0, 1, 2, 3), (2, 3, 0, 1))}
LIVELY = replace(WHOLE, wins=0.01, kongs=1.0, calls=0.6, riichi=0.4, robs=0.0)
KINDS = {
    facts.SetAside: ("nuki",), facts.Riichi: ("riichi", "open", "fever", "take_back"),
    facts.Won: ("win",), facts.Exhausted: ("exhausted",), facts.Aborted: ("abort",),
    facts.DeadHand: ("dead",), facts.Kong: ("kong",),
}  # fmt: skip
QUIET = replace(WHOLE, robs=0.0)
BY_TRAY = ("open", "fever")
"""Of riichi only the kinds are told where a tray sees the sticks."""


def shown(rules: Preset, hand: Hand) -> Truth:
    return Truth(hand.head, hand.tail, hand.turned, plan_of(rules, hand).drawable)


def check(rules: Preset, world: Kept, played: HandPlayed) -> None:
    """The hand was closed as it was played, nothing was odd, nothing is asked."""
    assert world.closed is not None
    hand = world.closed.hand
    assert hand is not None
    assert not played.odd
    assert not world.odd
    assert not world.state().questions
    assert shown(rules, hand) == played.truth
    assert hand.end == played.end
    assert played.corrections == 0


def tapped(world: World, since: int = 0) -> Counter[type]:
    return Counter(
        type(entry.fact) for entry in world.history.entries[since:] if entry.key[0] == "p"
    )


@pytest.mark.parametrize(("model", "name"), TABLES)
@pytest.mark.parametrize("thorough", [False, True], ids=["", "thorough"])
def test_hands_to_their_end(model, name, thorough):
    rules, seed = find_preset(name), some_seed()
    world = Kept(quick(model), rules, seed=seed)
    seats = SEATS[rules.players][seed % 2]
    world.start(rules, seats, dealer=seed % rules.players)
    players = world.players(
        rules, seed, thorough=thorough, faces=thorough, habits=LIVELY if seed % 2 else QUIET
    )
    for _ in range(2):
        since = world.seq()
        [played] = run(players)
        check(rules, world, played)
        count, kinds = tapped(world, since), Counter(event[0] for event in played.events)
        for kind, words in KINDS.items():
            by_tray = kind is facts.Riichi and "riichi_tray" in players.abilities
            told = BY_TRAY if by_tray else words
            assert count[kind] == sum(kinds[word] for word in told), kind
        assert count.total() == played.taps


@pytest.mark.parametrize("model", ["presence", "stock", "stock+counts", "reader", "deaf"])
@pytest.mark.parametrize("case", range(4))
def test_rules_that_nobody_plays(model, case):
    seed = some_seed() + case
    text = growing_text() if case == 0 else random_preset_text(random.Random(seed))
    rules = read_preset(text, "made-up.toml")
    world = Kept(stacks(model, rules), rules, seed=seed)
    world.start(rules, dealer=seed % rules.players)
    [played] = run(world.players(rules, seed, habits=LIVELY))
    check(rules, world, played)


def test_a_table_that_sees_all_is_told_only_what_nothing_sees():
    rules, seed = find_preset("ramen-jiro"), some_seed()
    world = Kept("reader", rules, seed=seed)
    world.start(rules)
    since = world.seq()
    [played] = run(world.players(rules, seed, habits=LIVELY))
    seen = {facts.Raised, facts.Dice, facts.Opened, facts.Dealt, facts.HeadAt, facts.TailCount,
            facts.Drawn, facts.Discarded, facts.Shown, facts.FlippedValue}  # fmt: skip
    assert not seen & set(tapped(world, since))
    calls = [n for n, event in enumerate(played.events) if event[0] == "pon"]
    aside = sum(played.events[n - 1][0] == "nuki" for n in calls)
    assert tapped(world, since)[facts.Called] == aside


def test_a_deaf_table_is_told_the_dice_the_deal_and_one_touch():
    rules = find_preset("riichi-4p")
    world = Kept("deaf", rules)
    world.start(rules)
    since = world.seq()
    [played] = run(world.players(rules, 3, touches=0.0, habits=Habits(kongs=0.0, riichi=0.0)))
    count = tapped(world, since)
    assert count.pop(facts.Won, 0) + count.pop(facts.Exhausted, 0) + count.pop(facts.Aborted, 0)
    assert count == dict.fromkeys(
        (facts.Raised, facts.Dice, facts.Dealt, facts.HeadAt, facts.Settled), 1
    )
    assert played.taps == 6


def test_a_machine_that_deals_is_told_the_break_alone():
    rules = find_preset("riichi-4p")
    world = Kept("autodeal", rules)
    world.start(rules)
    since = world.seq()
    [played] = run(world.players(rules, 3))
    count = tapped(world, since)
    assert count[facts.Opened] == 1
    assert not {facts.Dice, facts.Dealt, facts.Raised, facts.Riichi} & set(count)
    assert (played.opening.side, played.opening.after) == (0, 0)
    hand = world.state().hand
    assert hand.machine_dealt
    assert played.indicators


def test_what_lies_where_is_found_by_walking():
    """The tiles taken are those of a walk round the table, from the head and from the end."""
    rules, seed = find_preset("ramen-jiro"), some_seed()
    world = Kept("presence", rules, seed=seed)
    world.start(rules, dealer=1)
    [played] = run(world.players(rules, seed, habits=LIVELY))
    opening, dealing = played.opening, rules.dealing
    hands, left, first = lay.deal(opening.walk(), 3, 1, dealing.rounds, dealing.last)
    dealt = {spot for hand in hands for spot in hand} | {first}
    assert set(played.taken[: len(dealt)]) == dealt
    rest = list(played.taken[len(dealt) :])
    tail = [spot for spot in opening.backwards()[: played.truth.tail] if spot in rest]
    live = [spot for spot in rest if spot not in tail]
    assert len(tail) == played.truth.tail
    assert live == left[: len(live)]
    assert len(live) + len(dealt) == played.truth.head
    places = lay.indicators(opening, rules.indicators.column, 1 + played.truth.turned)
    hand = world.state().hand
    assert [Spot(p.side, p.column, p.row) for p in plan_of(rules, hand).indicators] == places


@pytest.mark.parametrize(
    ("name", "file", "most"),
    [("riichi-4p", "riichi-4p.jsonl", 5), ("riichi-3p", "sanma-3p.jsonl", 4)],
)
def test_recorded_hands(shared, name, file, most):
    rules = find_preset(name)
    lines = (shared / "data" / "hands" / file).read_text("utf-8").splitlines()[:most]
    assert len(lines) == most
    world = Kept("reader", rules)
    for line in lines:
        record = read_record(rules, line)
        report = replay_hand(rules, record)
        world.start(rules, dealer=record.dealer)
        [played] = run(world.players(rules, 1), records=[record])
        check(rules, world, played)
        assert played.events == record.events
        hand = world.state().hand
        plan = plan_of(rules, hand)
        assert [hand.face(place.place) for place in plan.indicators] == report["indicators"]
        assert list(played.indicators) == report["indicators"]
        looked = [hand.face(place.place) for place in plan.ura]
        assert looked[: len(played.ura)] == list(played.ura) == report["ura"][: len(played.ura)]
        looks = any(event[0] == "win" and event[4] for event in record.events)
        assert bool(played.ura) == looks
        found = (hand.head, hand.tail, plan.drawable, played.end)
        assert found == tuple(report[key] for key in ("head", "tail", "drawable", "end"))


def test_a_recorded_hand_waits_for_its_dealer_and_a_game(shared):
    rules = find_preset("riichi-4p")
    file = shared / "data" / "hands" / "riichi-4p.jsonl"
    record = read_record(rules, file.read_text("utf-8").splitlines()[0])
    world = Kept("stock", rules)
    with pytest.raises(TablectlError) as caught:
        run(world.players(rules, 1))
    assert caught.value.code == "people.no_game"
    world.start(rules, dealer=(record.dealer + 1) % 4)
    with pytest.raises(TablectlError) as caught:
        run(world.players(rules, 1), records=[record])
    assert caught.value.code == "people.dealer"


def test_a_machine_without_the_number_says_so():
    rules = find_preset("riichi-3p")
    world = Kept("autodeal", rules)
    world.start(rules)
    with pytest.raises(TablectlError) as caught:
        run(world.players(rules, 1))
    assert caught.value.code == "people.number"


def test_a_jammed_machine_is_freed():
    rules = find_preset("riichi-4p")
    world = Kept("stock", rules)
    world.start(rules)
    world.table.machine.jam()
    [played] = run(world.players(rules, 1))
    assert world.state().hand.life == "closed"
    assert shown(rules, world.state().hand) == played.truth


KONG = [("discard", 0, "1m"), ("kong", 2, "open"), ("draw", 2, "1m", "tail")]
PENDING = {
    "on the discard of an open kong": ("riichi-4p", [*KONG, ("discard", 2, "1m"), (3, 2)]),
    "on an open kong's replacement": ("riichi-4p", [*KONG, (2, 2)]),
    "on a tile set aside": ("ramen-jiro", [("nuki", 0, "4z"), (2, 0)]),
    "on a second tile set aside": (
        "ramen-jiro",
        [("nuki", 0, "4z"), ("draw", 0, "1m", "tail"), ("nuki", 0, "7z"), (1, 0)],
    ),
}


@pytest.mark.parametrize("case", PENDING)
def test_a_win_while_something_is_pending(case):
    """Told by taps alone: the touch before the win belongs before what is pending."""
    name, end = PENDING[case]
    rules = find_preset(name)
    players = rules.players
    rounds = [
        event
        for n in range(2 * players)
        for event in (("draw", n % players, "1m", "live"), ("discard", n % players, "1m"))
    ]
    *steps, (seat, frm) = end
    win = ("win", seat, frm, 1, [], [0, 0, 0, 0])
    events = [*rounds, ("draw", 0, "1m", "live"), *steps, win]
    wall = shuffled(rules, random.Random(1))
    head = {"players": players, "dealer": 0, "dice": [3, 4], "wall": wall}
    world = Kept("deaf", rules)
    world.start(rules)
    record = read_record(rules, json.dumps(head | {"events": events}))
    [played] = run(world.players(rules, 1, touches=0.0), records=[record])
    check(rules, world, played)
