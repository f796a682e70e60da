"""One fact being folded: the state as it becomes, and what had to be assumed on the way.

Handlers change the state only through a `Step`. A fact that cannot be true raises `OddFact`; the
fold then throws the step away, so that an odd fact changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tablectl.core.chart import Odd
from tablectl.core.entry import Entry
from tablectl.core.geometry import Ground, Plan
from tablectl.core.hand import life_step
from tablectl.core.preset import Preset
from tablectl.core.state import Hand, Question, Sensed, State, ground_of, plan_of
from tablectl.core.turn import Turn, move


class Known(NamedTuple):
    """What the turn has to know of the rule and of the hand's life."""

    players: int
    chi_allowed: bool
    aside_claims: tuple[str, ...]
    last_draws: bool


def taken_as_told(sentence: str) -> str:
    """What the turn cannot follow, with what was done about it; a question asks that itself."""
    return sentence if sentence.endswith("?") else f"{sentence}; taken as told"


class OddFact(Exception):
    """This fact does not follow from what went before; the text says why, in a sentence."""


class NotAsked(OddFact):
    """An answer to a question that is open no more: odd, but nothing to ask people about."""


@dataclass(slots=True)
class Step:
    """The fold of one entry. Reading what is not there (a rule, a hand) raises OddFact."""

    rulebook: Mapping[str, Preset]
    state: State
    entry: Entry
    assumed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    # ── reading ──

    @property
    def rules(self) -> Preset:
        game = self.state.game
        if game is None or game.digest not in self.rulebook:
            raise OddFact("no game is running whose rule is known; start one first")
        return self.rulebook[game.digest]

    @property
    def hand(self) -> Hand:
        hand = self.state.hand
        if hand is None:
            raise OddFact("no hand is open: the walls have not come up for one")
        return hand

    @property
    def plan(self) -> Plan:
        return plan_of(self.rules, self.hand)

    @property
    def ground(self) -> Ground:
        return ground_of(self.rules, self.hand)

    @property
    def break_known(self) -> bool:
        """Whether dice or a break say where the wall is opened."""
        hand, rule = self.hand, self.rules.breaking
        return hand.broke is not None or len(hand.dice) == rule.dice * rule.throws

    def check(self) -> None:
        """Raises TablectlError `plan.*` if the hand's inputs cannot be."""
        plan_of(self.rules, self.hand)

    # ── changing ──

    def change(self, **parts: Any) -> None:
        """Change parts of the state."""
        self.state = replace(self.state, **parts)

    def change_hand(self, **parts: Any) -> None:
        """Change parts of the open hand."""
        self.state = replace(self.state, hand=replace(self.hand, **parts))

    def change_sensed(self, **parts: Any) -> None:
        """Change what sensors have seen in this hand."""
        sensed: Sensed = replace(self.hand.sensed, **parts)
        self.change_hand(sensed=sensed)

    def assume(self, text: str) -> None:
        """Note what had to be assumed for this fact to fit."""
        self.assumed.append(text)

    def note(self, text: str) -> None:
        """Say what follows from this fact for people, where nothing had to be assumed."""
        self.notes.append(text)

    def ask(self, kind: str, text: str, *choices: str) -> None:
        """Put a question to people; asking the same of the same fact again changes nothing."""
        question = Question(f"{kind}:{self.entry.seq}", text, self.entry.seq, choices)
        if all(other.id != question.id for other in self.state.questions):
            self.change(questions=(*self.state.questions, question))

    def drop_questions(self, kind: str) -> None:
        """Take back the questions of a kind that have answered themselves."""
        kept = tuple(q for q in self.state.questions if not q.id.startswith(f"{kind}:"))
        if len(kept) != len(self.state.questions):
            self.change(questions=kept)

    def live(self, trigger: str, *guards: str) -> None:
        """Fire a trigger of the hand's life. Raises OddFact if it is not listed."""
        found = life_step(self.hand.life, trigger, guards)
        if isinstance(found, Odd):
            raise OddFact(found.sentence)
        if found != self.hand.life:
            self.change_hand(life=found)

    def turn(self, trigger: str, *, seat: int, **about: Any) -> None:
        """Fire a trigger of the turn. The turn never blocks: what it cannot follow is taken as it
        was told and said, and it starts again from the fact itself or stays untracked."""
        hand, rules = self.hand, self.rules
        known = Known(
            players=rules.players,
            chi_allowed=rules.calls.chi,
            aside_claims=rules.calls.aside_claims,
            last_draws=hand.life == "last_draws",
        )
        found = move(hand.turn, trigger, seat=seat, **known._asdict(), **about)
        if isinstance(found, Odd):
            if hand.turn.word != "untracked":
                self.assume(taken_as_told(found.sentence))
            again = move(Turn(), trigger, seat=seat, **known._asdict(), **about)
            found = Turn() if isinstance(again, Odd) else again
        if found != hand.turn:
            self.change_hand(turn=found)
