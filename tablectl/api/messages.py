"""What is read from people and programs over HTTP and WebSocket, and what is given to them.

The JSON Schemas and the OpenAPI are made from these classes.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, get_args
from uuid import UUID

from msgspec import Meta, Struct

from tablectl.app.service import Wish
from tablectl.app.shown import ConfiguredLine, LiveShown, NoteShown, NumberShown
from tablectl.core import facts
from tablectl.core.entry import Entry, Who
from tablectl.core.facts import Pips, Seat, Side
from tablectl.core.preset_shown import PresetShown
from tablectl.core.view import QuestionView, View

MOST_NUMBER: Final = 2**53 - 1
"""Beyond it browsers lose digits."""
MOST_LETTERS: Final = 500
MOST_FACTS: Final = 1000

Seq = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
Number = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
PresetName = Annotated[
    str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,63}(\+[a-z0-9][a-z0-9-]{0,63}){0,7}$")
]
"""A rule's name, with its toppings behind a + each."""
FirstDice = Annotated[tuple[Pips, ...], Meta(min_length=1, max_length=4)]
"""The dice of a temporary dealer, who is counted as 1: they say who deals first."""
DisplayName = Annotated[str, Meta(max_length=40, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Code = Annotated[str, Meta(pattern="^[0-9]{6}$")]
"""A code that pairs a browser."""

HOW_WRITTEN: Final[dict[str, str]] = {
    str(get_args(kind)[1].pattern): words
    for kind, words in {
        facts.Tile: "a tile is written as 5m, 3z or 1f, with a mark behind it as in 5pr; an unknown"
        " one is ?",
        PresetName: "rules by name only, as /api/v1/presets has them, toppings behind a + each",
        DisplayName: "a name to show has no control characters",
        Code: "the code has six digits",
    }.items()
}
"""Every pattern of what is read here, in words for people."""

PeopleFact = (
    facts.Number | facts.Phase | facts.Raised | facts.CountLeft | facts.Taken | facts.PutBack
    | facts.Shown | facts.Trouble | facts.SensorIgnored
    | facts.GameStarted | facts.SeatsChanged | facts.GameEnded
    | facts.Dice | facts.Opened | facts.Dealt | facts.HeadAt | facts.TailCount | facts.Drawn
    | facts.Discarded | facts.Called | facts.Kong | facts.SetAside | facts.Riichi | facts.Won
    | facts.DeadHand | facts.FlippedValue | facts.Stock | facts.Exhausted | facts.Aborted
    | facts.Void | facts.Settled | facts.Paid | facts.Retract | facts.Replace | facts.Agreed
)  # fmt: skip
"""What people can see or decide. Not what a line or a board does, nor what the daemon notes."""

SAYABLE: Final[dict[str, type[facts.Fact]]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(PeopleFact)
}


# ── read ────────────────────────────────────────────────────────────────────────────────────────


class Speaker(Struct, frozen=True, forbid_unknown_fields=True):
    """Who says it: a role and a name to show, or nothing."""

    role: Literal["player", "staff", "owner", "display"] | None = None
    name: DisplayName | None = None

    def who(self) -> Who:
        return Who(role=self.role, name=self.name)


class TapBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A tap. `key`: the same key is the same tap and has the same answer; `seen`: the last fact
    that the screen showed; `after`: the fact behind which a late one belongs."""

    key: UUID
    seen: Seq
    fact: PeopleFact
    after: Seq | None = None
    who: Speaker | None = None


class SelectBody(Struct, frozen=True, tag="select", tag_field="what", forbid_unknown_fields=True):
    """The table is to build this rule; `number` where several of its numbers fit. Of the game that
    begins with it: the seat of the `first_dealer`, or `first_dice` with the `temporary` dealer."""

    preset: PresetName
    number: Number | None = None
    first_dealer: Seat | None = None
    first_dice: FirstDice | None = None
    temporary: Seat | None = None

    def wish(self) -> Wish:
        return Wish(
            "select",
            preset=self.preset,
            number=self.number,
            first_dealer=self.first_dealer,
            first_dice=self.first_dice,
            temporary=self.temporary,
        )


class NoteBody(Struct, frozen=True, tag="note", tag_field="what", forbid_unknown_fields=True):
    """The owner's word: this rule has this number at this table. `number` null: what was noted of
    the rule is taken back."""

    preset: PresetName
    number: Number | None = None
    verified: bool = False

    def wish(self) -> Wish:
        return Wish("note", preset=self.preset, number=self.number, verified=self.verified)


class MotionBody(Struct, frozen=True, tag="motion", tag_field="what", forbid_unknown_fields=True):
    """The table is to move, where its configuration allows it."""

    motion: Literal["start", "raise", "lower", "throw", "pause", "resume"]

    def wish(self) -> Wish:
        return Wish("motion", motion=self.motion)


class GameBody(Struct, frozen=True, tag="game", tag_field="what", forbid_unknown_fields=True):
    """A game of this rule begins. `seats`: the side of each seat; the rest as in `SelectBody`."""

    preset: PresetName
    seats: Annotated[tuple[Side, ...], Meta(min_length=1, max_length=4)] | None = None
    first_dealer: Seat | None = None
    first_dice: FirstDice | None = None
    temporary: Seat | None = None

    def wish(self) -> Wish:
        return Wish(
            "game",
            preset=self.preset,
            seats=self.seats,
            first_dealer=self.first_dealer,
            first_dice=self.first_dice,
            temporary=self.temporary,
        )


CommandBody = SelectBody | NoteBody | MotionBody | GameBody


class PairBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the daemon shows to those who may write."""

    code: Code


class NothingBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing."""


class FactsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`since`: only facts behind this one; `limit`: at most so many."""

    since: Seq = 0
    limit: Annotated[int, Meta(ge=1, le=MOST_FACTS)] = 200


class Subscribe(Struct, frozen=True, forbid_unknown_fields=True):
    """Follow a table. `since`: the last fact that is known, null for none."""

    table: Annotated[str, Meta(min_length=1, max_length=64)]
    since: Seq | None = None


# ── given ───────────────────────────────────────────────────────────────────────────────────────


class TableShown(Struct, frozen=True):
    """A table: `state` is folded from its facts up to `seq`; `live` is what is not durable;
    `numbers` that the table has, with the owner's `notes`."""

    table: str
    name: str
    seq: int
    state: View
    live: LiveShown
    numbers: tuple[NumberShown, ...]
    notes: tuple[NoteShown, ...]


class TablesShown(Struct, frozen=True):
    """All tables, in the configuration's order, others behind them by name; and how every line of
    the configuration stands, whether a table has answered on it or not."""

    tables: tuple[TableShown, ...]
    lines: tuple[ConfiguredLine, ...]


class FactsShown(Struct, frozen=True):
    """Facts as they are in the journal. `more`: there are others behind `next`."""

    table: str
    facts: tuple[Entry, ...]
    next: int
    more: bool


class PresetsShown(Struct, frozen=True):
    """The rules that can be named."""

    presets: tuple[PresetShown, ...]


class VerdictShown(Struct, frozen=True):
    """What became of a fact: it fits, something was assumed (what), or it is odd (why)."""

    kind: Literal["fits", "assumed", "odd"]
    text: str


class TappedShown(Struct, frozen=True):
    """The tap is durable: its number, its verdict, and the questions that are open then."""

    seq: int
    verdict: VerdictShown
    questions: tuple[QuestionView, ...]


class CodeShown(Struct, frozen=True):
    """A code for one browser, and for how many seconds it is good."""

    code: str
    seconds: int


class Paired(Struct, frozen=True):
    """The browser may write; it got a cookie that its scripts cannot read."""

    paired: bool


class Snapshot(Struct, frozen=True):
    """The whole State at fact `seq`."""

    table: str
    seq: int
    state: View


class Changes(Struct, frozen=True):
    """What is different from the State of the message before, as a JSON Merge Patch."""

    table: str
    seq: int
    changes: dict[str, Any]


class Live(Struct, frozen=True):
    """What is not durable: the link, progress, taps on their way."""

    table: str
    live: LiveShown


class Again(Struct, frozen=True):
    """The last message: why it ends here. Connect again and take a new snapshot."""

    table: str
    again: str
