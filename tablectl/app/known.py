"""What is known of one table: its history, the state now, and the last states for who was away."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from tablectl.core import facts
from tablectl.core.entries import Entries
from tablectl.core.entry import Entry
from tablectl.core.fold import History, Rulebook, fold_each
from tablectl.core.preset import Preset
from tablectl.core.react import Effect, react
from tablectl.core.state import State, Verdict
from tablectl.core.view import plain, view_of
from tablectl.journal import marks

REMEMBERED: Final = 256
"""States kept by their seq: a client that was away for so many facts gets what changed."""


class Known:
    """One table's history and states."""

    def __init__(self, rulebook: Rulebook, entries: Iterable[Entry] = ()) -> None:
        """Fold what the journal has of the open game."""
        entries = tuple(entries)
        self._rulebook = rulebook
        state = State()
        self._verdicts: dict[int, Verdict] = {}
        self.base = 0
        """Nothing can be put or corrected before this seq any more: it is forgotten."""
        self._forgotten: State | None = None
        self._game: tuple[int, State] | None = None
        """Behind what the open game begins and the state there, as far as both still hold."""
        self.opens = 0
        """Behind what the open game begins, as the run before has noted it; 0 if there is none."""
        for entry, then, verdict in fold_each(rulebook, entries, state):
            state = then
            self._verdicts[entry.seq] = verdict
            if entry.after is None:
                opens = marks.opens_behind(entry, verdict.kind != "odd", state, self.opens)
                self.opens = self.opens if opens is None else opens
        self.history = History(rulebook, Entries(entries), state)
        self.seq = entries[-1].seq if entries else 0
        self._states: OrderedDict[int, State] = OrderedDict({self.seq: state})
        self._shown: tuple[State, dict[str, Any]] | None = None

    @property
    def state(self) -> State:
        """The state now."""
        return self.history.state

    @property
    def rules(self) -> Preset | None:
        """The rule of the running game, None if there is none or it is not at hand."""
        game = self.state.game
        return None if game is None else self._rulebook.get(game.digest)

    def append(self, entry: Entry, stacking: int | None) -> tuple[Verdict, list[Effect]]:
        """Fold one entry more: its verdict, and what it asks for. `stacking`: ms that the machine
        takes for a set, None where nobody knows."""
        before = self.state
        self._append(entry)
        verdict = self._verdicts[entry.seq]
        self.seq = entry.seq
        self._states[entry.seq] = self.state
        while len(self._states) > REMEMBERED:
            self._states.popitem(last=False)
        return verdict, react(before, self.state, entry, stacking)

    def _append(self, entry: Entry) -> None:
        history = self.history
        again = entry.after is not None or isinstance(entry.fact, facts.CORRECTIONS)
        if again and self._forgotten is not None:
            # What may be folded again from its beginning begins where the rest was forgotten.
            base = self.base, self._forgotten
            history = replace(history, checkpoints=(base, *history.checkpoints))
        history, self._verdicts[entry.seq] = history.append(entry)
        if again and history.checkpoints and history.checkpoints[0][0] == self.base:
            history = replace(history, checkpoints=history.checkpoints[1:])
        self.history = history

    def opened(self, behind: int) -> None:
        """The daemon has noted where the open game begins (`marks.opens_behind`): what lies before
        the game before it is forgotten, as the next run will not read it either. 0: all of it may
        have changed, and nothing is forgotten before the next game."""
        if behind and self._game is not None:
            self.base, self._forgotten = self._game
            entries = self.history.entries
            last = [e for e in entries if e.seq <= self.base and isinstance(e.fact, facts.Board)]
            kept = [*last[-1:], *(entry for entry in entries if entry.seq > self.base)]
            checkpoints = tuple(one for one in self.history.checkpoints if one[0] > self.base)
            self.history = History(self._rulebook, Entries(kept), self.state, checkpoints)
            self._verdicts = {n: one for n, one in self._verdicts.items() if n > self.base}
        state = self.state_at(behind) if behind else None
        self._game = None if state is None else (behind, state)

    def entry(self, seq: int) -> Entry | None:
        """The entry of that number, if it is of the open game."""
        return next((one for one in reversed(self.history.entries) if one.seq == seq), None)

    def verdict(self, seq: int) -> Verdict:
        """The verdict of an entry when it came."""
        return self._verdicts.get(seq, Verdict())

    def state_at(self, seq: int) -> State | None:
        """The state after that fact, None if it is too long ago."""
        return self._states.get(seq)

    def states_since(self, seq: int) -> list[tuple[int, State]] | None:
        """The state after `seq` and all that followed, None if it is too long ago."""
        if seq not in self._states:
            return None
        return [(n, state) for n, state in self._states.items() if n >= seq]

    def shown(self, state: State) -> dict[str, Any]:
        """A state as it is shown; the last one asked for is remembered."""
        if self._shown is None or self._shown[0] is not state:
            game = state.game
            rules = None if game is None else self._rulebook.get(game.digest)
            self._shown = (state, plain(view_of(rules, state)))
        return self._shown[1]
