"""Clumsy people: what they forget, say twice or say wrong is put right, and every hand closes."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest
from support.soaked import Kept, quick
from support.world import World, run, some_seed

from tablectl.core import facts
from tablectl.core.fold import effective, fold, fold_all
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.state import State, plan_of
from tablectl.core.wall import Place
from tablectl.people.around import Tapped
from tablectl.people.clumsy import SLIPS, Fingers
from tablectl.people.habits import WHOLE
from tablectl.people.row import Truth

MODELS = ("presence", "stock", "stock+counts", "reader", "deaf")
LIVELY = replace(WHOLE, wins=0.01, kongs=1.0, calls=0.6, riichi=0.4)


def play(model: str, name: str, seed: int, clumsy: float, hands: int) -> tuple[World, list]:
    rules = find_preset(name)
    world = Kept(quick(model), rules, seed=seed)
    world.start(rules)
    players = world.players(rules, seed, clumsy=clumsy, thorough=seed % 3 == 0, habits=LIVELY)
    found = []
    for _ in range(hands):
        [played] = run(players)
        assert world.closed is not None
        hand = world.closed.hand
        seen = Truth(hand.head, hand.tail, hand.turned, plan_of(rules, hand).drawable)
        found.append((played, hand.life, seen, hand.end))
        assert not world.state().questions
    return world, found


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", builtin_presets())
def test_every_hand_closes_with_the_truth(model, name):
    seed = some_seed()
    world, found = play(model, name, seed, 0.05, hands=2)
    for played, life, seen, end in found:
        assert life == "closed"
        assert (seen, end) == (played.truth, played.end)
    _same_as_without(world, find_preset(name))


@pytest.mark.parametrize("model", ["presence", "deaf"])
def test_very_clumsy_people(model):
    seed = some_seed()
    world, found = play(model, "ramen-jiro", seed, 0.3, hands=3)
    assert {life for _, life, _, _ in found} == {"closed"}
    assert sum(played.corrections for played, *_ in found) > 10
    _same_as_without(world, find_preset("ramen-jiro"))


def _same_as_without(world: World, rules) -> None:
    """The state is that of a history in which nothing was ever said wrong."""
    book = {rules.digest: rules}
    entries = world.history.entries
    state = State()
    for entry in effective(entries):
        state, _ = fold(book, state, entry)
    assert world.state() == state == fold_all(book, entries)


class Paper:
    """A screen that only notes what is tapped."""

    def __init__(self) -> None:
        self.tapped: list[tuple[facts.AnyFact, int | None]] = []

    async def tap(self, fact, *, after=None):
        self.tapped.append((fact, after))
        return Tapped(len(self.tapped), "fits")

    def state(self) -> State:
        return State()

    def seq(self) -> int:
        return len(self.tapped)


def say(clumsy: float, seed: int, *said: facts.AnyFact) -> Paper:
    paper = Paper()
    fingers = Fingers(paper, random.Random(seed), 4, clumsy)

    async def go() -> None:
        for fact in said:
            await fingers.say(fact)
        await fingers.correct()

    asyncio.run(go())
    return paper


def test_careful_people_tap_once():
    kong = facts.Kong(seat=1, kind="open")
    assert say(0.0, 1, kong).tapped == [(kong, None)]


def test_each_mistake_and_how_it_is_put_right():
    kong = facts.Kong(seat=1, kind="open")
    wrong = facts.Kong(seat=1, kind="concealed")
    kinds = {str(tuple(say(1 / 3, seed, kong).tapped)) for seed in range(60)}
    told = {"type": "kong", "seat": 1, "kind": "open"}
    assert kinds == {
        str(one)
        for one in (
            ((kong, 0),),
            ((kong, None), (kong, None), (facts.Retract(target=2), None)),
            ((wrong, None), (facts.Replace(target=1, fact=told), None)),
            ((wrong, None), (facts.Retract(target=1), None), (kong, 0)),
        )
    }


def test_what_is_told_late_never_anchors_what_comes_after():
    kong, red = facts.Kong(seat=1, kind="open"), facts.SetAside(seat=2, tile="7z")
    for seed in range(200):
        tapped = say(1 / 3, seed, kong, red, kong, red).tapped
        late = [n for n, (_, after) in enumerate(tapped, start=1) if after is not None]
        assert not {after for _, after in tapped} & set(late), seed


def test_slips_are_other_facts_of_the_same_type():
    said = [
        facts.Dice(pips=(6, 3)), facts.Opened(side=1, after=4), facts.Stock(n=2),
        facts.HeadAt(place=Place(1, 9, "upper")), facts.HeadAt(place=Place(1, 1, "upper")),
        facts.Discarded(seat=3, tile="1m"), facts.Drawn(seat=0, end="live"),
        facts.SetAside(seat=2), facts.Riichi(seat=0), facts.Kong(seat=1, kind="added"),
        facts.DeadHand(seat=2), facts.Won(seat=1, frm=1), facts.Won(seat=1, frm=2),
        facts.Exhausted(tenpai=(1,)),
        facts.FlippedValue(place=Place(1, 9, "upper"), hits=2),
        facts.Settled(points=(1, 2, -3), chips=()),
    ]  # fmt: skip
    assert {type(fact) for fact in said} == set(SLIPS)
    for fact in said:
        slipped = SLIPS[type(fact)](fact, 4)
        assert type(slipped) is type(fact)
        assert slipped != fact


def test_a_hand_that_cannot_be_saved_is_declared_void(monkeypatch):
    rules = find_preset("riichi-4p")
    world = World("deaf", rules)
    world.start(rules)
    tap = world.tap

    async def deaf_to_wins(fact, *, after=None):
        if isinstance(fact, facts.Won | facts.Exhausted | facts.Aborted):
            fact = facts.Button(button="call")
        return await tap(fact, after=after)

    monkeypatch.setattr(world, "tap", deaf_to_wins)
    [played] = run(world.players(rules, 1))
    assert played.end == "void"
    assert (world.state().hand.life, world.state().hand.end) == ("closed", "void")
