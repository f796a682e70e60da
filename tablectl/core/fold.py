"""Facts to state: `fold(rules, state, entry)`, pure, deterministic and total.

Every fact gets a verdict: it fits, something was assumed, or it is odd; an odd fact changes
nothing and becomes a question. A correction is a fact about a fact: `effective` puts corrections
in their place, and what follows is folded again. `History` keeps entries and state together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tablectl.core import (
    advance,
    believe,
    facts,
    fold_end,
    fold_hand,
    fold_machine,
    fold_riichi,
    fold_tiles,
    fold_wall,
    fold_win,
)
from tablectl.core.entries import Entries, Keys
from tablectl.core.entry import Entry
from tablectl.core.facts import CORRECTIONS, NOT_CORRECTABLE
from tablectl.core.game import ANOTHER
from tablectl.core.preset import Preset
from tablectl.core.state import Question, State, Verdict
from tablectl.core.step import NotAsked, OddFact, Step
from tablectl.errors import TablectlError

Rulebook = Mapping[str, Preset]
"""The presets that games in the history were started with, by digest."""

LEAVE: Final = "leave it"
MOST_VERDICTS: Final = 1024
MOST_ODD: Final = 3
"""Verdicts and questions about odd facts that a State holds at most: the newest. Nothing can be
done about an odd fact but to say it again, and many would hide what people are to decide."""
_Handler = Callable[[Step, Any], None]

HANDLERS: Final[dict[type[facts.Fact], _Handler]] = {
    facts.Link: fold_machine.link,
    facts.Board: fold_machine.board,
    facts.Lost: fold_machine.lost,
    facts.Number: fold_machine.number,
    facts.Phase: fold_machine.phase,
    facts.Raised: fold_machine.raised,
    facts.Observed: believe.observed,
    facts.Sealed: fold_machine.nothing,
    facts.Census: fold_machine.census,
    facts.Elapsed: fold_machine.elapsed,
    facts.CountLeft: believe.count,
    facts.Taken: believe.taken,
    facts.PutBack: believe.put_back,
    facts.Shown: fold_end.shown,
    facts.Trouble: fold_machine.trouble,
    facts.Button: fold_machine.nothing,
    facts.SensorIgnored: fold_machine.sensor_ignored,
    facts.Asked: fold_machine.asked,
    facts.Answered: fold_machine.answered,
    facts.GameStarted: fold_machine.game_started,
    facts.GameWanted: fold_machine.game_wanted,
    facts.SeatsChanged: fold_machine.seats_changed,
    facts.GameEnded: fold_machine.game_ended,
    facts.Dice: fold_wall.dice,
    facts.Opened: fold_wall.opened,
    facts.Dealt: fold_wall.dealt,
    facts.HeadAt: fold_wall.head_at,
    facts.TailCount: fold_wall.tail_count,
    facts.Drawn: fold_wall.drawn,
    facts.Discarded: fold_hand.discarded,
    facts.Called: fold_hand.called,
    facts.Kong: fold_hand.kong,
    facts.SetAside: fold_hand.set_aside,
    facts.Riichi: fold_riichi.riichi,
    facts.Won: fold_win.won,
    facts.DeadHand: fold_hand.dead_hand,
    facts.FlippedValue: fold_end.flipped_value,
    facts.Stock: fold_end.stock,
    facts.Exhausted: fold_end.exhausted,
    facts.Aborted: fold_end.aborted,
    facts.Void: fold_end.void,
    facts.Settled: fold_end.settled,
    facts.Paid: fold_end.paid,
    facts.Agreed: fold_machine.agreed,
}


def fold(rulebook: Rulebook, state: State, entry: Entry) -> tuple[State, Verdict]:
    """The state after one entry, and its verdict. Never raises for a well-formed entry.

    Corrections change what came before them and are put in place by `effective` or `History`;
    here they fit and change nothing.
    """
    if isinstance(entry.fact, CORRECTIONS):
        return state, Verdict()
    step = Step(rulebook, state, entry)
    try:
        fold_tiles.check(step, entry.fact)
        HANDLERS[type(entry.fact)](step, entry.fact)
        advance.lift_drawn(step, state.hand)
        _check(step, state)
    except NotAsked as odd:
        verdict = Verdict("odd", str(odd))
        return replace(state, verdicts=_with_verdict(state, entry, verdict)), verdict
    except OddFact as odd:
        return _odd(state, entry, str(odd))
    except TablectlError as error:
        return _odd(state, entry, error.message)
    said = "; ".join(dict.fromkeys((*step.assumed, *step.notes)))
    verdict = Verdict("assumed" if step.assumed else "fits", said)
    return replace(step.state, verdicts=_with_verdict(step.state, entry, verdict)), verdict


def fold_all(rulebook: Rulebook, entries: Iterable[Entry], start: State | None = None) -> State:
    """The state after all entries, corrections put in their place."""
    state = State() if start is None else start
    for _, after, _ in fold_each(rulebook, entries, state):
        state = after
    return state


def fold_each(
    rulebook: Rulebook, entries: Iterable[Entry], state: State, *, after: int = 0
) -> Iterator[tuple[Entry, State, Verdict]]:
    """Each entry of the history as it is now believed, with the state after it and its verdict;
    only those whose place begins behind the seq `after`."""
    known = _known(entries)
    for entry in _effective(known, after):
        if after and _place(entry, known)[0] <= after:
            continue
        state, verdict = _fold_known(rulebook, state, entry, known)
        yield entry, state, verdict


def effective(entries: Iterable[Entry]) -> list[Entry]:
    """The history as it is now believed: repeated keys once, without what was retracted, what was
    replaced in its new words, late facts at the place they belong to. Corrections that cannot be
    taken stay in it, to be odd."""
    return _effective(_known(entries), 0)


def _effective(known: dict[int, Entry], after: int) -> list[Entry]:
    """The same of those that were written down behind the seq `after`."""
    retracted, replaced = _corrections(known)
    kept = []
    for seq, entry in known.items():
        if seq <= after:
            continue
        corrects = isinstance(entry.fact, CORRECTIONS)
        if seq in retracted or (corrects and correction_odd(known, entry) is None):
            continue
        fact = replaced.get(seq)
        kept.append(entry if fact is None else _with_fact(entry, fact))
    return sorted(kept, key=lambda entry: _place(entry, known))


def correction_odd(entries: Mapping[int, Entry], entry: Entry) -> str | None:
    """Why a retract or replace cannot be taken, None if it can."""
    fact = entry.fact
    if not isinstance(fact, CORRECTIONS):
        return None
    target = entries.get(fact.target)
    if target is None or fact.target >= entry.seq:
        return f"there is no fact {fact.target} to correct"
    if isinstance(target.fact, NOT_CORRECTABLE):
        return f"fact {fact.target} ({facts.tag_of(target.fact)}) cannot be corrected"
    if isinstance(fact, facts.Replace):
        if isinstance(target.fact, CORRECTIONS):
            return f"fact {fact.target} is itself a correction; retract it instead"
        if facts.same_type(target.fact, fact.fact) is None:
            return f"what replaces fact {fact.target} is no {facts.tag_of(target.fact)}"
    if _ended_between(entries, fact.target, entry.seq) and not isinstance(
        target.fact, facts.GameEnded
    ):
        return f"the game of fact {fact.target} has ended; book the difference instead"
    return None


@dataclass(frozen=True)
class History:
    """Entries and the state they fold to. `append` gives a new history with the entry's verdict.

    For a correction or a late fact only what follows its place is folded again, from the nearest
    state kept of the open deal; all of it where the place lies before that.
    """

    rulebook: Rulebook
    entries: Entries = field(default_factory=Entries)
    state: State = State()
    checkpoints: tuple[tuple[int, State], ...] = ()
    """States of the open deal on the way, each with the seq before which all is folded into it;
    the first is that before its walls rose."""

    @property
    def keys(self) -> Keys:
        """The keys of all entries."""
        return self.entries.keys

    def append(self, entry: Entry) -> tuple[History, Verdict]:
        """The history with one entry more, and its verdict. A repeated key changes nothing."""
        if self.entries.has(entry.key):
            return self, Verdict()
        entries = self.entries.plus(entry)
        if entry.after is None and not isinstance(entry.fact, CORRECTIONS):
            checkpoints = _with_checkpoint(self.checkpoints, entry, self.state)
            state, verdict = fold(self.rulebook, self.state, entry)
            return History(self.rulebook, entries, state, checkpoints), verdict
        known = _known(entries)
        if entry.after is None and correction_odd(known, entry) is not None:
            state, verdict = _fold_known(self.rulebook, self.state, entry, known)
            return replace(self, entries=entries, state=state), verdict
        return self._folded_again(entries, entry)

    def _folded_again(self, entries: Entries, entry: Entry) -> tuple[History, Verdict]:
        place = _reaches(entries, entry)
        checkpoints = tuple(one for one in self.checkpoints if one[0] < place)
        at, state = checkpoints[-1] if checkpoints else (0, State())
        found = Verdict()
        for other, then, verdict in fold_each(self.rulebook, entries, state, after=at):
            if other.after is None:
                checkpoints = _with_checkpoint(checkpoints, other, state)
            state = then
            if other.seq == entry.seq:
                found = verdict
        return History(self.rulebook, entries, state, checkpoints), found


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


CHECKPOINT_EVERY: Final = 16
MOST_CHECKPOINTS: Final = 64


def _with_checkpoint(
    checkpoints: tuple[tuple[int, State], ...], entry: Entry, before: State
) -> tuple[tuple[int, State], ...]:
    """The checkpoints with the state before an entry that stands where it was written down: walls
    that rise begin them anew, then one is kept every so many entries."""
    here = (entry.seq - 1, before)
    if isinstance(entry.fact, facts.Raised):
        return (here,)
    if checkpoints and entry.seq - checkpoints[-1][0] > CHECKPOINT_EVERY:
        first, *later = checkpoints
        return (first, *later[2 - MOST_CHECKPOINTS :], here)
    return checkpoints


def _check(step: Step, before: State) -> None:
    """Whatever a fact says, the open hand must be one that geometry can draw."""
    hand = step.state.hand
    if hand is not None and hand != before.hand and step.break_known:
        step.check()


def _known(entries: Iterable[Entry]) -> dict[int, Entry]:
    """Entries by seq, in order, repeated keys once."""
    known: dict[int, Entry] = {}
    keys: set[str] = set()
    for entry in sorted(entries, key=lambda e: e.seq):
        if entry.key not in keys and entry.seq not in known:
            keys.add(entry.key)
            known[entry.seq] = entry
    return known


def _fold_known(
    rulebook: Rulebook, state: State, entry: Entry, known: Mapping[int, Entry]
) -> tuple[State, Verdict]:
    """`fold`, with a correction that cannot be taken as the odd fact that it is."""
    why = correction_odd(known, entry)
    if why is None:
        return fold(rulebook, state, entry)
    return _odd(state, entry, why)


def _odd(state: State, entry: Entry, why: str) -> tuple[State, Verdict]:
    verdict = Verdict("odd", why)
    question = Question(f"odd:{entry.seq}", why, entry.seq, (LEAVE,))
    verdicts = _with_verdict(state, entry, verdict)
    older = [other for other in state.questions if other.id.startswith("odd:")]
    too_old = set(older[: len(older) + 1 - MOST_ODD]) if len(older) >= MOST_ODD else set()
    kept = tuple(other for other in state.questions if other not in too_old)
    return replace(state, questions=(*kept, question), verdicts=verdicts), verdict


def _with_verdict(state: State, entry: Entry, verdict: Verdict) -> tuple[tuple[int, Verdict], ...]:
    """The verdicts with one more; a night without a hand must not make them many."""
    return (*state.verdicts[1 - MOST_VERDICTS :], (entry.seq, verdict))


def _corrections(known: dict[int, Entry]) -> tuple[set[int], dict[int, facts.AnyFact]]:
    """Targets that are retracted, and new facts of targets that are replaced (the last counts)."""
    retracted: set[int] = set()
    for entry in known.values():
        if isinstance(entry.fact, facts.Retract) and correction_odd(known, entry) is None:
            retracted.add(entry.fact.target)
    replaced: dict[int, facts.AnyFact] = {}
    for seq, entry in known.items():
        fact = entry.fact
        if (
            isinstance(fact, facts.Replace)
            and seq not in retracted
            and correction_odd(known, entry) is None
        ):
            new = facts.same_type(known[fact.target].fact, fact.fact)
            assert new is not None
            replaced[fact.target] = new
    return retracted, replaced


def _with_fact(entry: Entry, fact: facts.AnyFact) -> Entry:
    parts = {name: getattr(entry, name) for name in Entry.__struct_fields__}
    return Entry(**(parts | {"fact": fact}))


def _place(entry: Entry, known: Mapping[int, Entry]) -> tuple[int, ...]:
    """(seq,), or the place of the fact it follows and then its own seq, compared item by item."""
    place: tuple[int, ...] = ()
    seen: set[int] = set()
    while True:
        place = (entry.seq, *place)
        seen.add(entry.seq)
        if entry.after is None:
            return place
        if entry.after == 0 or entry.after not in known or entry.after in seen:
            return (entry.after, *place)
        entry = known[entry.after]


def _reaches(entries: Sequence[Entry], entry: Entry) -> int:
    """The seq from which on a correction or late fact can change the state."""
    known = {e.seq: e for e in entries}
    if not isinstance(entry.fact, CORRECTIONS):
        return _place(entry, known)[0]
    target = known[entry.fact.target]
    while isinstance(target.fact, CORRECTIONS):
        target = known[target.fact.target]
    return _place(target, known)[0]


def _ended_between(entries: Mapping[int, Entry], first: int, last: int) -> bool:
    """Whether a game ended between two facts: it was said, or people agreed to play another."""
    begun: dict[str, int] = {}
    taken_back: set[int] = set()
    for seq, entry in entries.items():
        fact = entry.fact
        if isinstance(fact, facts.GameEnded) and first < seq < last:
            return True
        if isinstance(fact, facts.Retract):
            taken_back.add(fact.target)
        elif isinstance(fact, facts.Agreed) and fact.choice == ANOTHER:
            begun.setdefault(fact.question, seq)  # said once more it begins nothing
    return any(first < seq < last and seq not in taken_back for seq in begun.values())
