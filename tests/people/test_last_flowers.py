"""Flowers that come with the last tiles: people and fold agree which of them are replaced."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from support.paper import shuffled

from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.record import Record
from tablectl.core.replay import Follow
from tablectl.core.state import plan_of
from tablectl.people.course import play
from tablectl.people.habits import Habits

GROWING = [n for n in builtin_presets() if find_preset(n).reserve.policy == "growing"]
HANDS = 40


def late_flowers(rules, rng):
    """A wall whose flowers lie behind the middle, in two heaps."""
    wall = shuffled(rules, rng)
    aside = rules.calls.aside
    flowers = [tile for tile in wall if tile[:2] in aside]
    rest = [tile for tile in wall if tile[:2] not in aside]
    first = rng.randrange(9)
    for heap in (flowers[first:], flowers[:first]):
        at = rng.randrange(len(rest) // 2, len(rest))
        rest[at:at] = heap
    return rest


@pytest.mark.parametrize("name", GROWING)
def test_the_last_flowers(name):
    """Where nothing replaces a flower the turn is over with it, and four like ones do not count."""
    rules, unreplaced = find_preset(name), 0
    for seed in range(HANDS):
        rng = random.Random(seed)
        wall, dealer = late_flowers(rules, rng), rng.randrange(rules.players)
        hand = play(rules, wall, dealer, rng, Habits(wins=0.0, calls=0.1, aborts=0.0))
        events = [step.event for step in hand.steps]
        pairs = pairwise(events)
        unreplaced += any(
            one[0] == "nuki" and (then[0] == "exhausted" or then[:2] != ("draw", one[1]))
            for one, then in pairs
        )
        dice = (1, 2) * rules.breaking.throws
        record = Record(rules.players, dealer, dice, tuple(wall), tuple(events))
        followed = Follow(rules, record)
        followed.begin()
        for n, step in enumerate(hand.steps):
            followed.event(n, step.event)
            assert followed.mismatch is None, (seed, followed.mismatch)
            plan = plan_of(rules, followed.hand)
            assert (plan.head, plan.tail, plan.drawable) == (
                step.truth.head,
                step.truth.tail,
                step.truth.drawable,
            ), (seed, n)
    assert unreplaced
