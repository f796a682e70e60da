"""Tables as the daemon serves them, in every moment of whole hands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from support.histories import Telling, telling
from support.preset_texts import growing_text
from tablectl.core import facts as said
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset, read_preset
from tablectl.core.state import State, plan_of
from tablectl.core.view import plain, view_of

RAMEN = find_preset("ramen-jiro")
RULES = {
    "ramen-jiro": RAMEN,
    "riichi-4p": find_preset("riichi-4p"),
    "growing": read_preset(growing_text()),
}
READY = {"line": {"stage": "ready", "why": None, "since": 0}, "manual": False, "complaint": None}
SEEDS = range(4)


def view_in(told: Telling, **live: Any) -> dict[str, Any]:
    """The table's view as the daemon gives it."""
    return {
        "table": "00112233445566aa",
        "name": "east",
        "seq": told.seq,
        "state": plain(view_of(told.rules, told.state)),
        "live": READY | live,
    }


def moments(rules: Preset, seed: int) -> Iterator[Telling]:
    """A whole hand, from before its game to its payment, after each fact."""
    told = telling(seed, rules, dealt=False)
    raised, told.state, told.seq = told.state, State(), 0
    yield told
    told.state, told.seq = raised, 3
    yield told
    opened = plan_of(rules, told.hand).break_
    steps = [said.Opened(side=opened.side, after=opened.after), said.Dealt()]
    for fact in steps:
        told.say(fact)
        yield told
    for n, *_ in told.steps():
        for fact in told.event_facts(n):
            told.say(fact)
            yield told
        if told.hand.wins and told.plan.reveal:
            for place in told.plan.reveal[:2]:
                told.say(said.Shown(place=place.place, tile="7p", why="reveal"))
                yield told
            break
    if told.hand.end is None:
        told.say(said.Void(why="forgotten"))
        yield told
    told.say(said.Settled(points=(1_000, -1_000) + (0,) * (rules.players - 2)))
    yield told


@cache
def lives(name: str) -> dict[str, dict[str, Any]]:
    """The last view of each life that hands of a rule come through."""
    found = {}
    for seed in SEEDS:
        for told in moments(RULES[name], seed):
            life = "none" if told.state.hand is None else told.hand.life
            found[life] = view_in(told)
    return found
