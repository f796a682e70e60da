"""Hands that come to nothing: the walls are knocked over, a start is pressed too early, people
agree that it does not count."""

from __future__ import annotations

import random
from typing import Final, Literal, NamedTuple

from tablectl.core.preset import Preset

When = Literal[
    "raised", "opened", "dealt", "flowering", "playing", "last", "won", "revealing", "settling"
]
How = Literal["void", "abort", "cleared"]

TIMES: Final[tuple[When, ...]] = (
    "raised", "opened", "dealt", "flowering", "playing", "last", "won", "revealing", "settling",
)  # fmt: skip
ABORTS: Final = ("dealt", "playing", "won", "revealing")
"""When a hand is aborted where the rule knows that: nine kinds, four winds, three winners."""


class Mishap(NamedTuple):
    """When it comes, and what becomes of the hand: `void`, an `abort`, or the walls are `cleared`
    away before anybody has settled (in `settling`: only that)."""

    when: When
    how: How


class Spoilt(Exception):
    """The hand ends here."""


def aborts(rules: Preset) -> bool:
    """Whether the rule knows hands that are aborted."""
    return rules.game.aborts


def mishap(rules: Preset, rng: random.Random, share: float) -> Mishap | None:
    """What goes wrong with the next hand, mostly nothing."""
    if share <= 0 or rng.random() >= share:
        return None
    when = rng.choice(TIMES)
    ways: list[How] = ["cleared"] if when == "settling" else ["void", "cleared"]
    if aborts(rules) and when in ABORTS:
        ways.append("abort")
    return Mishap(when, rng.choice(ways))


def step_of(when: When, words: list[str], rng: random.Random) -> int | None:
    """The event before which it comes, of a hand whose events are these words; None where it is
    not between events."""
    gold = words.index("gold") if "gold" in words else 0
    spans = {"flowering": range(1, gold), "playing": range(gold + 1, len(words)),
             "last": range(len(words) - 1, len(words))}  # fmt: skip
    span = spans.get(when, range(0))
    return rng.choice(span) if span else None
