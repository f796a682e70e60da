"""Where one of the machine's two tile sets is: dropped in, mixed, stacked, raised, on the table.

Each set goes round by itself; at most one of them is raising, up or dropping.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from tablectl.core.chart import ANY, SAME, Arrow, Chart, Odd

STATES: Final = {
    "unknown": "nobody has said where the set is",
    "dropping": "the tiles are being dropped in",
    "mixing": "the tiles are being mixed",
    "stacking": "the tiles are being stacked",
    "ready": "the walls wait below",
    "raising": "the walls are rising",
    "up": "the walls are up",
    "paused": "the machine is paused",
    "blocked": "a trouble blocks the set",
}
ON_TOP: Final = ("raising", "up", "dropping")
"""Words that only one of the two sets can have at a time."""
_KEPT = tuple(word for word in STATES if word not in ("unknown", "blocked"))

MECHANISM: Final = Chart(
    name="mechanism",
    states=STATES,
    triggers={
        "seen": "the set was seen",
        "hatch_opened": "the hatch opened",
        "hatch_closed": "the hatch closed",
        "stack_begun": "stacking began",
        "stack_done": "stacking was done",
        "rise": "the walls began to rise",
        "raised": "the walls came up",
        "lowered": "the walls were lowered",
        "paused": "the machine was paused",
        "resumed": "the machine was resumed",
        "trouble": "a trouble was reported",
        "cleared": "a trouble was cleared",
        "overdue": "stacking took twice its time",
    },
    guards={word: f"it is {word} now" for word in STATES}
    | {f"was_{word}": f"it was {word} before" for word in _KEPT}
    | {"rebooted": "the board has started anew"},
    arrows=(
        *(Arrow("seen", (ANY,), word, word, "a snapshot, level or tap") for word in STATES),
        Arrow("hatch_opened", ("up",), "dropping"),
        Arrow("hatch_closed", ("dropping",), "mixing", remark="the other set, if ready, rises"),
        Arrow("stack_begun", ("mixing",), "stacking", remark="the pending number becomes active"),
        Arrow("stack_done", ("stacking",), "ready"),
        Arrow("rise", ("ready",), "raising"),
        Arrow("raised", ("raising", "ready", "unknown"), "up", remark="makes a deal"),
        Arrow("lowered", ("up",), "ready", "ready", "the deal is refused"),
        Arrow("lowered", ("up",), "unknown", "unknown", "the deal is refused"),
        Arrow("paused", ("mixing", "stacking"), "paused"),
        Arrow("resumed", ("paused",), "mixing", "was_mixing"),
        Arrow("resumed", ("paused",), "stacking", "was_stacking"),
        Arrow("resumed", ("paused",), "unknown", remark="nobody saw what it was"),
        Arrow("trouble", (ANY,), "blocked"),
        Arrow("cleared", ("blocked",), "unknown", "rebooted"),
        *(Arrow("cleared", ("blocked",), word, f"was_{word}") for word in _KEPT),
        Arrow("cleared", ("blocked",), "unknown", remark="nobody saw what it was"),
        Arrow("overdue", ("mixing", "stacking"), SAME, remark="nothing says it is done"),
    ),
    initial="unknown",
)


@dataclass(frozen=True, slots=True)
class SetState:
    """One tile set. `before`: what it was before it was paused or blocked, None if nobody saw it;
    `beneath`: what a set was before it was paused, while a trouble blocks it besides. `active`:
    the number that it is or was stacked with; `pending`: the one selected for the next stacking.
    """

    word: str = "unknown"
    before: str | None = None
    active: int | None = None
    pending: int | None = None
    beneath: str | None = None

    @property
    def on_top(self) -> bool:
        """Whether its walls are on the table or on their way, a blocked set's too."""
        return (self.before if self.word == "blocked" else self.word) in ON_TOP


def advance(
    state: SetState,
    other: SetState | None,
    trigger: str,
    to: str | None = None,
    guards: Collection[str] = (),
) -> tuple[SetState, SetState | None] | Odd:
    """Both sets after `trigger` at the first of them; `other` is None where there is one set only.

    `to` is what `seen` saw, and where `lowered` leads (`ready`, or `unknown` if not said). The only
    guard to give is `rebooted`, with `cleared`. Of several troubles only the last one's end is
    `cleared`. A snapshot of both sets is told first of the one that has left the table. `overdue`
    changes nothing here: the trouble it means is the caller's to note.
    """
    if trigger == "lowered" and to is None:
        to = "unknown"
    if trigger == "seen" and to not in STATES:
        return Odd(f'the set was seen as "{to}", which is none of {", ".join(STATES)}')
    holding = {*guards, to or "", f"was_{state.before}"}
    word = MECHANISM.next(state.word, trigger, holding)
    if isinstance(word, Odd):
        return word
    moved = _moved(state, trigger, word)
    if other is None:
        return moved, None
    if moved.on_top and other.on_top and not state.on_top:
        told = f"the set was seen as {to}" if trigger == "seen" else MECHANISM.triggers[trigger]
        theirs = STATES[other.word]
        return Odd(f"{told}, but of the other set {theirs}: only one set can be on the table")
    if trigger == "hatch_closed" and other.word == "ready":
        other = replace(other, word="raising")
    return moved, other


def _moved(state: SetState, trigger: str, word: str) -> SetState:
    if trigger == "stack_begun":
        active = state.active if state.pending is None else state.pending
        return replace(state, word=word, active=active, pending=None)
    if word == state.word:
        return state
    if word == "blocked":
        return replace(state, word=word, before=state.word, beneath=state.before)
    if word == "paused":
        if trigger == "cleared":
            return replace(state, word=word, before=state.beneath, beneath=None)
        known = state.word if state.word in ("mixing", "stacking") else None
        return replace(state, word=word, before=known, beneath=None)
    return replace(state, word=word, before=None, beneath=None)
