"""A simulated machine whose buttons are pressed at random, followed on the chart of the core."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import Any

from protocols import v1
from protocols.codes import Button, Motion, Phase
from tablectl.core.chart import Odd
from tablectl.core.mechanism import SetState, advance
from tablesim.hands import Hands
from tablesim.mechanism import Machine
from tablesim.model import MODELS
from tablesim.tileset import SimError

TRIGGERS = {
    ("up", "dropping"): "hatch_opened",
    ("dropping", "mixing"): "hatch_closed",
    ("mixing", "stacking"): "stack_begun",
    ("stacking", "ready"): "stack_done",
    ("ready", "raising"): "rise",
    ("raising", "up"): "raised",
    ("up", "ready"): "lowered",
    ("mixing", "paused"): "paused",
    ("stacking", "paused"): "paused",
    ("paused", "mixing"): "resumed",
    ("paused", "stacking"): "resumed",
}


class Follower:
    """Both sets as the chart has them, moved by what the machine tells."""

    def __init__(self, machine: Machine) -> None:
        self.sets = [
            SetState(word=one.phase.name.lower(), active=one.active) for one in machine.sets
        ]
        self.taken: Counter[str] = Counter()
        self.raised: list[tuple[int, int]] = []

    def tell(self, kind: type[Any], *values: Any) -> None:
        if kind is v1.PhaseEdge:
            self._phase(*values)
        elif kind is v1.NumberEdge:
            which, state, number = values
            here = self.sets[which - 1]
            if state:
                # Told just before the stacking begins: what was pending becomes active.
                assert number == here.pending
            else:
                self.sets[which - 1] = replace(here, pending=number)
        elif kind is v1.RaisedEdge:
            which, number, _ = values
            assert number == self.sets[which - 1].active
            self.raised.append((which, number))

    def _phase(self, which: int, frm: Phase, to: Phase) -> None:
        here, other = self.sets[which - 1], self.sets[2 - which]
        before, after = frm.name.lower(), to.name.lower()
        if here.word == after == "raising":
            return  # the chart has raised it when the other's hatch closed
        assert here.word == before
        if after == "blocked":
            trigger = "trouble"
        elif before == "blocked":
            trigger = "cleared"
        else:
            trigger = TRIGGERS[before, after]
        self.taken[trigger] += 1
        found = advance(here, other, trigger, "ready" if trigger == "lowered" else None)
        assert not isinstance(found, Odd), found.sentence
        moved, theirs = found
        assert theirs is not None
        assert moved.word == after, (trigger, before, moved.word, after)
        self.sets[which - 1], self.sets[2 - which] = moved, theirs


def wander(seed: int, presses: int) -> Counter[str]:
    """Press, pause, jam and play at random; after each deed both sets are where the chart says,
    and no tile is lost. Gives how often each arrow's trigger was taken."""
    rng = random.Random(seed)
    model = MODELS[rng.choice(sorted(MODELS))]
    told: list[tuple[Any, ...]] = []
    machine = Machine(model, rng, lambda kind, *values: told.append((kind, *values)))
    hands = Hands(machine)
    follower = Follower(machine)
    whole = [Counter(one.tiles) for one in machine.sets]

    def check(*_: Any) -> None:
        while told:
            follower.tell(*told.pop(0))
        for n, tiles in enumerate(machine.sets):
            assert Counter(tiles.everything()) == whole[n], (seed, tiles.name)
            state = follower.sets[n]
            assert (tiles.phase.name.lower(), tiles.active, tiles.pending) == (
                state.word,
                state.active,
                state.pending,
            ), seed
        assert sum(state.on_top for state in follower.sets) <= 1

    for _ in range(presses):
        deed = rng.choices(DEEDS, [weight for _, weight in WEIGHTS])[0]
        with suppress(SimError):
            _do(deed, rng, machine, hands)
        check()
        machine.advance(machine.now + rng.choice((50, 500, 4000, 30_000)))
        check()
    return follower.taken


WEIGHTS = (
    ("start", 30), ("pause", 4), ("raise", 4), ("lower", 2), ("throw", 4), ("select", 6),
    ("push_in", 20), ("take", 20), ("put_back", 3), ("show", 3), ("jam", 1), ("lose", 1),
    ("hatch", 1), ("mend", 4), ("move", 6), ("forget", 3),
)  # fmt: skip
DEEDS = [deed for deed, _ in WEIGHTS]


def _do(deed: str, rng: random.Random, machine: Machine, hands: Hands) -> None:
    up = machine.up
    match deed:
        case "start":
            machine.press(Button.START)
        case "pause":
            machine.press(Button.START, long=True)
        case "raise":
            machine.press(Button.RAISE)
        case "lower":
            machine.press(Button.RAISE, long=True)
        case "throw":
            machine.press(Button.DICE)
        case "select":
            machine.select(rng.choice(machine.model.numbers).number, rng.randrange(3))
        case "push_in":
            hands.push_in()
        case "forget":
            hands.push_in(rng.randrange(4))
        case "take" if up is not None and up.walls:
            hands.take(rng.choice(sorted(up.walls)))
        case "show" if up is not None and up.walls:
            hands.show(rng.choice(sorted(up.walls)))
        case "put_back" if up is not None and up.out and up.walls:
            spot = rng.choice(sorted(up.walls))
            hands.put_back(spot, hands.take(spot))
        case "jam":
            machine.jam()
        case "hatch":
            machine.hatch_stuck = True
        case "lose":
            rng.choice(machine.sets).lose(rng.randrange(3), rng)
        case "mend":
            machine.mend()
        case "move":
            machine.move(rng.choice(list(Motion)))
        case _:
            pass
