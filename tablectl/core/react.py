"""What a new fact asks for, besides being kept: `react(before, after, entry) -> effects`.

Only for a fact at the live end, never while history is folded again. Effects are values; who runs
the table carries them out. Times in ms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.game import NOBODY
from tablectl.core.state import SETS, Hand, State, full_name

REST: Final = 3000
"""Walls at rest for so long after the dealing began: the hands are dealt."""

_DEALING: Final = ("raised", "opened")
_SENSED: Final = (facts.CountLeft, facts.Taken, facts.PutBack, facts.Observed)
_WORKING: Final = ("mixing", "stacking")


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Say `elapsed` with this `what` and `set` after so many ms; a running one starts anew."""

    what: Literal["overdue", "rest"]
    set: facts.TileSet | None
    ms: int


@dataclass(frozen=True, slots=True)
class StopTimer:
    """That timer is not needed any more."""

    what: Literal["overdue", "rest"]
    set: facts.TileSet | None = None


@dataclass(frozen=True, slots=True)
class GameDue:
    """A game of another rule is wanted, and no hand is open any more: it is to begin now. `seated`:
    somebody has said who sits where; else the table's configuration may."""

    wanted: facts.GameWanted
    seated: bool = True


@dataclass(frozen=True, slots=True)
class HandOver:
    """The hand is closed or its walls are gone: faces that were sealed are to be forgotten."""


Effect = StartTimer | StopTimer | HandOver | GameDue


def react(before: State, after: State, entry: Entry, stacking: int | None = None) -> list[Effect]:
    """What this entry, which led from `before` to `after`, asks for. `stacking`: how long mixing
    and stacking take at this table, None if nobody knows."""
    return [
        *_rest(before, after, entry),
        *_overdue(before, after, stacking),
        *_over(before, after),
        *_game(before, after, entry),
    ]


def resumed(state: State) -> list[Effect]:
    """What has to begin again where a history ends and nobody knows how far its effects came: the
    rest after the dealing, forgetting the faces of walls that are played or gone, and a game that
    is wanted."""
    hand, deal = state.hand, state.deal
    found: list[Effect] = []
    if _dealing(hand):
        found.append(StartTimer("rest", None, REST))
    played = deal is not None and deal.used and (hand is None or hand.life == "closed")
    if deal is None or played:
        found.append(HandOver())
    if state.wanted is not None and not hand_open(state):
        found.append(GameDue(state.wanted))
    return found


def switch(state: State, wanted: facts.GameWanted) -> list[facts.AnyFact]:
    """What is said as the wanted game begins: a void hand is closed, the running game is over, and
    why; this one begins."""
    said: list[facts.AnyFact] = [facts.Settled()] if void_unpaid(state) else []
    game = state.game
    # One that is over by its rule is ended too: then it is not corrected any more.
    if game is not None and (not game.over or game.ended is not None):
        name = full_name(wanted.preset, wanted.variant)
        said.append(facts.GameEnded(why=f"{name} is played from here on"))
    about = {field: getattr(wanted, field) for field in facts.GameStarted.__struct_fields__}
    return [*said, facts.GameStarted(**about)]


def hand_open(state: State) -> bool:
    """Whether a hand is being played or to be paid: another game has to wait for its end. One that
    is void by nobody's fault is not waited for: nothing is paid for it."""
    hand = state.hand
    return hand is not None and hand.in_play and not void_unpaid(state)


def void_unpaid(state: State) -> bool:
    """Whether the hand was declared void, nobody is at fault as far as the rule asks for it, and
    it is not closed yet."""
    hand = state.hand
    if hand is None or (hand.life, hand.end) != ("settling", "void"):
        return False
    asked = any(question.id.startswith("fault:") for question in state.questions)
    return hand.fault in (None, NOBODY) and not asked


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _rest(before: State, after: State, entry: Entry) -> list[Effect]:
    """While the hands are dealt each tile that leaves starts the timer of rest anew."""
    was, now = _dealing(before.hand), _dealing(after.hand)
    if now and isinstance(entry.fact, _SENSED) and after.hand != before.hand:
        return [StartTimer("rest", None, REST)]
    return [StopTimer("rest")] if was and not now else []


def _dealing(hand: Hand | None) -> bool:
    return hand is not None and hand.life in _DEALING


def _overdue(before: State, after: State, stacking: int | None) -> list[Effect]:
    """Mixing and stacking have twice the time that they usually take."""
    found: list[Effect] = []
    for name, was, now in zip(SETS, before.machine.sets, after.machine.sets, strict=True):
        works, worked = now.word in _WORKING, was.word in _WORKING
        if works and not worked and stacking is not None:
            found.append(StartTimer("overdue", name, 2 * stacking))  # type: ignore[arg-type]
        elif worked and not works:
            found.append(StopTimer("overdue", name))  # type: ignore[arg-type]
    return found


def _over(before: State, after: State) -> list[Effect]:
    was, now = before.hand, after.hand
    closed = now is not None and now.life == "closed" and (was is None or was.life != "closed")
    gone = before.deal is not None and after.deal is None
    return [HandOver()] if closed or gone else []


def _game(before: State, after: State, entry: Entry) -> list[Effect]:
    """Said once: when it is wanted, or when what kept it waiting is over. A wish that an undo
    brings back has been granted before."""
    if after.wanted is None or hand_open(after):
        return []
    new = before.wanted != after.wanted
    waited = hand_open(before) if not new else not isinstance(entry.fact, facts.CORRECTIONS)
    # Walls that people play on as they are bring their game with them.
    seated = not isinstance(entry.fact, facts.Agreed) or not new
    return [GameDue(after.wanted, seated)] if waited else []
