"""A hand played on paper: any rule, random but possible, with the truth after every event.

The players' course of a hand (`tablectl.people.course`) on a shuffled wall; nothing of the
program's geometry is used. It makes recorded hands (`record`) and knows what is gone and turned
after each event.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

from tablectl.core.preset import Preset
from tablectl.people import course
from tablectl.people.course import Habits
from tablectl.people.row import Truth

__all__ = ["Played", "Truth", "play", "shuffled"]


@dataclass
class Played:
    """A record's line as a dict, and the truth after the deal and after each event."""

    record: dict[str, Any]
    truth: list[Truth]
    start: Truth
    dealt: list[int]
    """p of the tiles dealt, in the order in which they were taken."""
    taken: list[tuple[int, int]]
    """(event, p) of each draw and of each gold turned."""

    @property
    def line(self) -> str:
        return json.dumps(self.record, ensure_ascii=False)


def play(rules: Preset, rng: random.Random, *, grouped: float = 0.0, **habits: float) -> Played:
    """One random hand of a rule, dealt from a random throw by a random dealer."""
    dealer = rng.randrange(rules.players)
    wall = shuffled(rules, rng, grouped)
    usual = {"wins": 0.03, "calls": 0.3, "ready": 1.0, "aborts": 0.0}
    hand = course.play(rules, wall, dealer, rng, Habits(**(usual | habits)))
    dice = [rng.randint(1, 6) for _ in range(rules.breaking.dice * rules.breaking.throws)]
    record = {
        "players": rules.players,
        "dealer": dealer,
        "dice": dice,
        "wall": wall,
        # No record says of which way a win is.
        "events": [list(step.event[:6]) for step in hand.steps],
    }
    moves = ("draw", "gold")
    return Played(
        record,
        [step.truth for step in hand.steps],
        hand.start,
        list(hand.dealt),
        [(n, step.p) for n, step in enumerate(hand.steps) if step.event[0] in moves],
    )


def shuffled(rules: Preset, rng: random.Random, grouped: float = 0.0) -> list[str]:
    """The rule's tiles in any order. `grouped`: the share of kinds whose tiles lie side by side,
    which makes kongs frequent."""
    wall = [tile.code for tile in rules.tiles.elements()]
    rng.shuffle(wall)
    kinds = sorted({tile[:2] for tile in wall})
    chosen = [kind for kind in kinds if rng.random() < grouped]
    parts = [[tile for tile in wall if tile[:2] == kind] for kind in chosen]
    rest = [tile for tile in wall if tile[:2] not in chosen]
    parts += [rest[n : n + 4] for n in range(0, len(rest), 4)]
    rng.shuffle(parts)
    return [tile for part in parts for tile in part]
