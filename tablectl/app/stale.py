"""Whether what a person says is about something that has changed since it was on the screen.

The state that the screen showed is held against the one now, only in those parts that the fact is
about. What a sensor has meanwhile seen of the same thing is no contradiction: the fold reconciles
it. A late fact is about the past and asks only for the same hand; a correction asks for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.core import facts
from tablectl.core.state import State

Part = Callable[[State], Any]


def _of_hand(*names: str) -> Part:
    def part(state: State) -> Any:
        return None if state.hand is None else tuple(getattr(state.hand, one) for one in names)

    return part


PARTS: Final[Mapping[str, tuple[str, Part]]] = {
    "numbers": ("the numbers", lambda s: [(one.active, one.pending) for one in s.machine.sets]),
    "walls": ("the walls", lambda s: s.deal and (s.deal.seq, s.deal.refused)),
    "game": ("the game", lambda s: s.game and (s.game.digest, s.game.seats, s.game.over)),
    "hand": ("the hand", lambda s: s.game and (s.game.hands, s.hand and s.hand.life == "closed")),
    "end": ("how the hand ended", _of_hand("wins", "end")),
    "break": ("the break", _of_hand("dice", "broke")),
    "head": ("the next draw", _of_hand("head")),
    "tail": ("the replacements", _of_hand("tail")),
    "turn": ("whose turn it is", _of_hand("turn")),
    "riichi": ("who is in riichi", _of_hand("riichi")),
    "dead": ("whose hands are dead", _of_hand("dead")),
    "flips": ("the flipped tiles", _of_hand("flips")),
    "account": ("what is paid", _of_hand("account")),
    "questions": ("the questions", lambda s: [question.id for question in s.questions]),
}
"""Parts of a State: their words and what they are."""

_PLAY: Final = ("hand", "end", "turn")
ABOUT: Final[Mapping[type[facts.Fact], tuple[str, ...]]] = {
    facts.Number: ("numbers",),
    facts.Raised: ("walls",),
    facts.GameStarted: ("game", "hand"),
    facts.SeatsChanged: ("game", "hand"),
    facts.GameEnded: ("game", "hand"),
    facts.Dice: ("hand", "break"),
    facts.Opened: ("hand", "break"),
    facts.Dealt: ("hand",),
    facts.HeadAt: ("hand", "head"),
    facts.TailCount: ("hand", "tail"),
    facts.Drawn: ("hand", "end"),
    facts.Discarded: _PLAY,
    facts.Called: _PLAY,
    facts.Kong: _PLAY,
    facts.SetAside: _PLAY,
    facts.Riichi: ("hand", "end", "riichi"),
    facts.Won: ("hand", "end"),
    facts.DeadHand: ("hand", "end", "dead"),
    facts.Shown: ("hand",),
    facts.FlippedValue: ("hand", "flips"),
    facts.Stock: ("hand", "account"),
    facts.Exhausted: ("hand", "end"),
    facts.Aborted: ("hand", "end"),
    facts.Void: ("hand", "end"),
    facts.Settled: ("hand", "end", "account"),
    facts.Paid: ("game",),
}
"""What a fact is about; nothing for what is true however things stand."""


def changed(fact: facts.AnyFact, after: int | None, seen: State | None, now: State) -> list[str]:
    """The words of what the fact is about and has changed since `seen` (None: that is too long ago
    to know, so everything has)."""
    about = ABOUT.get(type(fact), ())
    if after is not None:
        about = ("hand",) if "hand" in about else ()
    if isinstance(fact, facts.Agreed):
        gone = all(question.id != fact.question for question in now.questions)
        was = seen is None or any(question.id == fact.question for question in seen.questions)
        return [PARTS["questions"][0]] if gone and was else []
    return [
        PARTS[name][0]
        for name in about
        if seen is None or PARTS[name][1](seen) != PARTS[name][1](now)
    ]
