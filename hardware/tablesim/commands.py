"""Commands at the board: each is acted on at most once, and its outcome is kept.

The order of the checks and what each refusal means: PROTOCOL.md, section 5, "Commands".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from protocols import v1
from protocols.codes import ANY_PHASE, Ability, LampMode, Motion, Phase, Result, Why
from tablesim.about import About
from tablesim.readings import Readings

NO_SIGN_AFTER: Final = 10_000
"""Milliseconds from acceptance until a command without sign counts as unknown."""


@dataclass
class _Running:
    """The command under way; when its press ends and when no sign counts as unknown."""

    message: v1.Select | v1.Move
    press_ends: int
    gives_up: int


class Commands:
    """The commands of one conversation. `act` presses what the command says."""

    def __init__(self, about: About, readings: Readings, act: Callable[[v1.Command], None]) -> None:
        self._about = about
        self._readings = readings
        self._act = act
        self._greatest = 0
        self._kept: v1.Outcome | None = None
        self._running: _Running | None = None
        self.acted = 0
        self.pressed_at: int | None = None
        """When somebody last pressed a button by hand."""

    def begin(self) -> None:
        """A new conversation: numbers count anew; the kept outcome stays."""
        self._greatest = 0

    @property
    def due(self) -> int | None:
        """When the command under way has to be looked at again."""
        if self._running is None:
            return None
        if self._shows(self._running.message):
            return self._running.gives_up
        return self._running.press_ends

    def take(self, message: v1.Command, now: int, edge: int) -> v1.Outcome:
        """What the board answers at once; a command that it begins is under way afterwards."""
        kept = self._kept
        if kept is not None and _same(kept, message):
            return kept
        if message.command <= self._greatest:
            return _outcome(message, Result.UNKNOWN, Why.FORGOTTEN, edge)
        self._greatest = message.command
        if self._running is not None:
            return _outcome(message, Result.REFUSED, Why.BUSY, edge)
        why = self._refusal(message, now)
        if why is not Why.NONE:
            self._kept = _outcome(message, Result.REFUSED, why, edge)
            return self._kept
        self.acted += 1
        if isinstance(message, v1.Lamp):
            bit = 1 << message.lamp
            lamps = self._readings.lamps
            self._readings.lamps = lamps | bit if message.mode else lamps & ~bit
            self._kept = _outcome(message, Result.DONE, Why.NONE, edge)
        else:
            self._kept = _outcome(message, Result.ACCEPTED, Why.NONE, edge)
            press_ends = now + self._about.press_ms
            self._running = _Running(message, press_ends, now + NO_SIGN_AFTER)
        return self._kept

    def begun(self, message: v1.Command, edge: Callable[[], int]) -> v1.Outcome | None:
        """Press what was just accepted. It may bring about edges, even the one that shows it; or
        what is asked for is so already, which is told. `edge` gives the last edge's number."""
        self._act(message)
        running = self._running
        if running is None or not isinstance(message, v1.Select) or not self._shows(message):
            return None
        return self._end(Result.DONE, Why.NONE, edge()) if self._reads(message) else None

    def asked(self, message: v1.AskOutcome, current: bool, edge: int) -> v1.Outcome:
        """What became of a command, `current` if it is of the present conversation."""
        if self._kept is not None and _same(self._kept, message):
            return self._kept
        unseen = current and message.command > self._greatest
        why = Why.NONE if unseen else Why.FORGOTTEN
        return _outcome(message, Result.UNKNOWN, why, edge)

    def shown(self, edge: v1.Edge) -> v1.Outcome | None:
        """The outcome that this edge brings about."""
        running = self._running
        if running is None or not self._shows(running.message):
            return None
        if not self._is_sign(running.message, edge):
            return None
        return self._end(Result.DONE, Why.NONE, edge.number)

    def late(self, now: int, edge: int) -> v1.Outcome | None:
        """The outcome that the clock brings about."""
        running = self._running
        if running is None:
            return None
        if not self._shows(running.message):
            return self._end(Result.DONE, Why.NONE, edge) if now >= running.press_ends else None
        if now >= running.gives_up:
            return self._end(Result.UNKNOWN, Why.NO_SIGN, edge)
        return None

    def _end(self, result: Result, why: Why, edge: int) -> v1.Outcome:
        assert self._running is not None
        self._kept = _outcome(self._running.message, result, why, edge)
        self._running = None
        return self._kept

    def _refusal(self, message: v1.Command, now: int) -> Why:
        checks = {v1.Select: self._select, v1.Move: self._move, v1.Lamp: self._lamp}
        why: Why = checks[type(message)](message)  # type: ignore[operator]
        if why is not Why.NONE or isinstance(message, v1.Lamp):
            return why
        if not all(map(_meant, message.phases, self._readings.phase)):
            return Why.PHASE
        if isinstance(message, v1.Select):
            return Why.NONE
        if self._readings.troubles or Phase.BLOCKED in self._readings.phase:
            return Why.TROUBLE
        guard = self._about.guard * 1000
        if self.pressed_at is not None and now < self.pressed_at + guard:
            return Why.GUARD
        return Why.NONE

    def _select(self, message: v1.Select) -> Why:
        if message.set > self._about.sets:
            return Why.VALUE
        if not self._about.can(Ability.SELECT_NUMBER):
            return Why.UNABLE
        known = any(number.number == message.number for number in self._about.numbers)
        return Why.NONE if known else Why.NUMBER

    def _move(self, message: v1.Move) -> Why:
        if message.what > max(Motion):
            return Why.VALUE
        able = self._about.can(Ability.PRESS_BUTTONS) and message.what in self._about.motions
        return Why.NONE if able else Why.UNABLE

    def _lamp(self, message: v1.Lamp) -> Why:
        if message.lamp > 15 or message.mode > max(LampMode):
            return Why.VALUE
        return Why.NONE if message.lamp in self._about.lamps else Why.UNABLE

    def _shows(self, message: v1.Select | v1.Move) -> bool:
        """Whether the board can see that this command was carried out."""
        if isinstance(message, v1.Select):
            return self._about.can(Ability.READ_NUMBER)
        return self._about.can(Ability.DICE if message.what == Motion.THROW else Ability.PHASES)

    def _is_sign(self, message: v1.Select | v1.Move, edge: v1.Edge) -> bool:
        if isinstance(message, v1.Select):
            return isinstance(edge, v1.NumberEdge) and self._reads(message)
        if message.what == Motion.THROW:
            return isinstance(edge, v1.DiceEdge)
        if not isinstance(edge, v1.PhaseEdge):
            return False
        if message.what == Motion.LOWER:
            return edge.was == Phase.UP and edge.now not in (Phase.UP, Phase.DROPPING)
        if message.what == Motion.START and edge.was == Phase.PAUSED:
            return True
        if message.what == Motion.RESUME:
            return Phase.PAUSED not in self._readings.phase
        return edge.now in _SIGNS[Motion(message.what)]

    def _reads(self, message: v1.Select) -> bool:
        """Whether the sets meant will be stacked with the number next."""
        sets = {0: (0, 1), 1: (0,), 2: (1,)}[message.set]
        active, pending = self._readings.active, self._readings.pending
        following = [active[n] if pending[n] is None else pending[n] for n in sets]
        return all(number == message.number for number in following[: self._about.sets])


_SIGNS: Final = {
    Motion.START: (Phase.DROPPING, Phase.MIXING, Phase.RAISING),
    Motion.RAISE: (Phase.RAISING, Phase.UP),
    Motion.PAUSE: (Phase.PAUSED,),
}


def _same(kept: v1.Outcome, message: v1.Command | v1.AskOutcome) -> bool:
    return (kept.conversation, kept.command) == (message.conversation, message.command)


def _outcome(
    message: v1.Command | v1.AskOutcome, result: Result, why: Why, edge: int
) -> v1.Outcome:
    return v1.Outcome(message.conversation, message.command, result, why, edge)


def _meant(mask: int, phase: int | None) -> bool:
    return mask == ANY_PHASE or (phase is not None and bool(mask >> phase & 1))
