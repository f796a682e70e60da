"""Where an edge belongs that comes late: before taps that are certainly younger.

Order is the journal's, never a clock's. Only where the board's time, with all its uncertainty, lies
before a person's tap is the edge put before it; edges of a board stay in their own order.
"""

from __future__ import annotations

from collections.abc import Sequence

from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.facts import AnyFact
from tablectl.core.state import State


def place_of(entries: Sequence[Entry], mono: int, took: int, since: int = 0) -> int | None:
    """The seq behind which an edge of the time `mono` ± `took` belongs (0: before all), None for
    the end. Times are ms of the daemon's clock, which began behind the seq `since`: what was said
    before is of another clock, and nothing is put before it."""
    place: int | None = None
    for entry in reversed(entries):
        if entry.seq <= since:
            break
        if entry.origin == "person" and entry.after is None:
            if entry.mono - entry.took <= mono + took:
                break
            place = entry.seq - 1
        elif entry.origin == "sensor" and entry.key.startswith("b:") and entry.after is None:
            break
    return place


def place_of_answer(fact: AnyFact, state: State) -> int | None:
    """The seq behind which an answer belongs, None for the end: who deals is said of the hand that
    the question is about, also when the next one has begun meanwhile."""
    hand = state.hand
    if not isinstance(fact, facts.Agreed) or hand is None or not hand.in_play:
        return None
    asked = (question.seq for question in state.questions if question.id == fact.question)
    return next(asked, None) if fact.question.startswith("dealer:") else None
