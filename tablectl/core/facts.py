"""What can be said of a table: the facts.

A fact is physical and contains nothing computed: no p, no head, no whose turn, no points due.
Places are the machine's, seats the game's, points single points, times milliseconds. The tag
`type` names the fact in JSON. Source: the house's page of facts, sections 1 and 2.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from tablectl.core.tiles import UNKNOWN, is_code
from tablectl.core.wall import Place

Side = Annotated[int, Meta(ge=0, le=3)]
Seat = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=0)]
Pips = Annotated[int, Meta(ge=1, le=6)]
Tile = Annotated[str, Meta(pattern=r"^([1-9][mps]|[1-7]z|[1-8]f)[rgxd]?$|^\?$")]
TileSet = Literal["a", "b"]
End = Literal["live", "tail"]
KongKind = Literal["open", "added", "concealed"]
By = Literal["people", "machine", "record"]
Way = Literal[
    "heavenly", "robbing_gold", "three_gold", "earthly", "gold_pair", "kokushi", "robbing"
]


class Fact(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """Base of all facts. Fields with defaults may be left out in JSON."""


# ── machine ─────────────────────────────────────────────────────────────────────────────────────


class Link(Fact, frozen=True, tag="link"):
    """The line to the board is up or down. Unavailable is not the last value."""

    up: bool
    why: str | None = None


class Board(Fact, frozen=True, tag="board"):
    """What the board said of itself; a new `boot` means that its ring is gone."""

    uid: str
    boot: Count
    model: str = ""
    firmware: str = ""
    abilities: tuple[str, ...] = ()
    numbers: str = ""


class Lost(Fact, frozen=True, tag="lost"):
    """Edges from `first` on are missing; None: nobody knows how many."""

    first: Count
    count: Count | None = None


class Number(Fact, frozen=True, tag="number"):
    """The table's own game number of a set, pending until its next stacking or active."""

    set: TileSet
    number: Count
    state: Literal["pending", "active"] = "active"


class Phase(Fact, frozen=True, tag="phase"):
    """What the machine does with a set."""

    set: TileSet
    phase: Literal[
        "unknown", "dropping", "mixing", "stacking", "ready", "raising", "up", "paused", "blocked"
    ]


class Raised(Fact, frozen=True, tag="raised"):
    """Walls have come up: tiles on each side 0-3 where a sensor or a record says so."""

    set: TileSet = "a"
    number: Count | None = None
    sides: tuple[Count, Count, Count, Count] | None = None
    columns: tuple[str, str, str, str] | None = None
    """The sides as people write them (`15`, `10.5<`); says more than `sides` does."""


class Observed(Fact, frozen=True, tag="observed"):
    """An absolute observation. `snapshot`: `counts` [4] and more levels; `presence`: `side` and
    `places`, those that have a tile; `points`: `seat`, `points`."""

    of: Literal["snapshot", "presence", "points"]
    counts: tuple[Count | None, ...] | None = None
    side: Side | None = None
    places: tuple[Place, ...] | None = None
    seat: Seat | None = None
    points: int | None = None
    values: dict[str, Any] = {}


class Sealed(Fact, frozen=True, tag="sealed"):
    """A face-down tile was read there; its face is not here."""

    place: Place


class Census(Fact, frozen=True, tag="census"):
    """All tiles of the walls that are up were read: those of the rule that are missing, and those
    that are too many, by code. It says of no place what lies there."""

    set: TileSet
    missing: dict[str, Count] = {}
    too_many: dict[str, Count] = {}


class Elapsed(Fact, frozen=True, tag="elapsed"):
    """A timer that was asked for ran out."""

    what: Literal["overdue", "rest"]
    set: TileSet | None = None


class CountLeft(Fact, frozen=True, tag="count"):
    """Tiles left on a side, absolute."""

    side: Side
    left: Count


class Taken(Fact, frozen=True, tag="taken"):
    """A tile left its place; which end that is and for whom is concluded."""

    place: Place
    tile: Tile | None = None


class PutBack(Fact, frozen=True, tag="put_back"):
    """A tile came back to its place."""

    place: Place
    tile: Tile | None = None


class Shown(Fact, frozen=True, tag="shown"):
    """A face turned up."""

    place: Place
    tile: Tile
    why: Literal["indicator", "gold", "ura", "reveal"] | None = None


class Trouble(Fact, frozen=True, tag="trouble"):
    """The machine says what is wrong (`on`) or that it is over."""

    code: Literal["jam", "short", "missing", "too_many", "hatch", "dice_unread", "other"]
    on: bool = True
    set: TileSet | None = None
    side: Side | None = None
    expected: int | None = None
    found: int | None = None


class Button(Fact, frozen=True, tag="button"):
    """A button; what it means is the fold's."""

    button: str
    press: Literal["press", "long"] = "press"
    seat: Seat | None = None


class SensorIgnored(Fact, frozen=True, tag="sensor_ignored"):
    """People set a sensor aside, or take it back into use (`on` false)."""

    ability: str
    side: Side | None = None
    on: bool = True


class Asked(Fact, frozen=True, tag="asked"):
    """A command went out, meant in these phases."""

    command: str
    arguments: dict[str, Any] = {}
    phases: tuple[str, ...] = ()


class Answered(Fact, frozen=True, tag="answered"):
    """What became of a command."""

    command: str
    result: Literal["accepted", "done", "refused", "unknown"]
    why: str | None = None


# ── game ────────────────────────────────────────────────────────────────────────────────────────


class GameOf(Fact, frozen=True):
    """A game of one rule. `seats`: the side of each seat; a changed preset file has another digest
    and changes nothing here."""

    preset: str
    digest: str
    seats: tuple[Side, ...]
    points: int = 0
    first_dealer: Seat = 0
    variant: str | None = None


class GameStarted(GameOf, frozen=True, tag="game_started"):
    """A game of one rule begins."""


class GameWanted(GameOf, frozen=True, tag="game_wanted"):
    """A game of this rule is to begin as soon as the hand that is open has been closed. The later
    word counts; the running game's own digest takes it back."""


class SeatsChanged(Fact, frozen=True, tag="seats_changed"):
    """Players moved, or another one sits out: `out` is the side where this player sits, who came in
    has the seat that is free. None: who sits out stays."""

    seats: tuple[Side, ...]
    out: Side | None = None


class GameEnded(Fact, frozen=True, tag="game_ended"):
    """The game is over."""

    why: str | None = None


# ── hand ────────────────────────────────────────────────────────────────────────────────────────


class Dice(Fact, frozen=True, tag="dice"):
    """What lies face up; what it is for follows from the life of the hand."""

    pips: Annotated[tuple[Pips, ...], Meta(min_length=1, max_length=4)]


class Opened(Fact, frozen=True, tag="opened"):
    """The break as it was made; beats the dice."""

    side: Side
    after: Count


class Dealt(Fact, frozen=True, tag="dealt"):
    """The hands are dealt. A record tells the dealer's first draw as an event of its own."""

    by: By = "people"


class HeadAt(Fact, frozen=True, tag="head_at"):
    """A touch: the next tile drawn from the head lies here."""

    place: Place


class TailCount(Fact, frozen=True, tag="tail_count"):
    """A person counts n replacements taken."""

    n: Count


class Drawn(Fact, frozen=True, tag="drawn"):
    """A seat drew; None: from which end was not said."""

    seat: Seat
    end: End | None = None
    tile: Tile | None = None


class Discarded(Fact, frozen=True, tag="discarded"):
    """A seat discarded to the river, or to the river of tiles set aside."""

    seat: Seat
    tile: Tile | None = None
    to: Literal["river", "aside"] = "river"


class Called(Fact, frozen=True, tag="called"):
    """Chi or pon of the tile that `frm` gave up; `own`: the caller's tiles of the meld."""

    seat: Seat
    kind: Literal["chi", "pon"]
    frm: Seat = msgspec.field(name="from")
    tile: Tile | None = None
    own: tuple[Tile, ...] | None = None


class Kong(Fact, frozen=True, tag="kong"):
    """Four of a kind laid down."""

    seat: Seat
    kind: KongKind
    tile: Tile | None = None
    frm: Seat | None = msgspec.field(name="from", default=None)


class SetAside(Fact, frozen=True, tag="set_aside"):
    """A north, red or flower laid aside for a replacement."""

    seat: Seat
    tile: Tile | None = None


class Riichi(Fact, frozen=True, tag="riichi"):
    """Declared, or taken back."""

    seat: Seat
    kind: Literal["plain", "open", "fever"] = "plain"
    taken_back: bool = False


class Won(Fact, frozen=True, tag="won"):
    """A win from `frm`, the winner itself for a self-draw; `values` as people declare them. `way`:
    what is special about it, where the rule asks: the dealer's dealt hand (`heavenly`), the gold
    robbed, three golds in the hand, a child's win on the dealer's first discard (`earthly`), two
    golds as the pair, thirteen orphans (which may rob a concealed kong), `robbing`: on a tile that
    another has set aside or laid to a kong, which matters where nobody follows the draws."""

    seat: Seat
    frm: Seat = msgspec.field(name="from")
    way: Way | None = None
    values: dict[str, Any] = {}


class DeadHand(Fact, frozen=True, tag="dead_hand"):
    """A seat may not win or claim any more in this hand; `on` false takes it back."""

    seat: Seat
    why: str = ""
    on: bool = True


class FlippedValue(Fact, frozen=True, tag="flipped_value"):
    """What one flipped tile is worth to the winner where its face is not known."""

    place: Place
    hits: Count


class Stock(Fact, frozen=True, tag="stock"):
    """Lives declared for the tulip, and what they are made of."""

    n: Count
    items: dict[str, int] = {}


class Exhausted(Fact, frozen=True, tag="exhausted"):
    """Nothing is left to draw; people say who was ready."""

    tenpai: tuple[Seat, ...] | None = None


class Aborted(Fact, frozen=True, tag="aborted"):
    """The hand ends without winner by a rule."""

    why: str = ""


class Void(Fact, frozen=True, tag="void"):
    """The hand does not count."""

    why: str = ""
    by: Seat | None = None


class Settled(Fact, frozen=True, tag="settled"):
    """People confirm what is paid: points and chips by seat."""

    points: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()
    because: str | None = None


class Paid(Fact, frozen=True, tag="paid"):
    """Paid at once, outside of a settlement; None is the table."""

    frm: Seat | None = msgspec.field(name="from", default=None)
    to: Seat | None = None
    points: int = 0
    chips: int = 0
    why: str = ""


# ── about facts ─────────────────────────────────────────────────────────────────────────────────


class Retract(Fact, frozen=True, tag="retract"):
    """The fact `target` was not so; a retracted `replace` brings the first version back."""

    target: Annotated[int, Meta(ge=1)]


class Replace(Fact, frozen=True, tag="replace"):
    """The fact `target` was this one, of the same type; it keeps its place in the history."""

    target: Annotated[int, Meta(ge=1)]
    fact: dict[str, Any]


class Agreed(Fact, frozen=True, tag="agreed"):
    """An answer to a question."""

    question: str
    choice: str


AnyFact = (
    Link | Board | Lost | Number | Phase | Raised | Observed | Sealed | Census | Elapsed | CountLeft
    | Taken | PutBack | Shown | Trouble | Button | SensorIgnored | Asked | Answered
    | GameStarted | GameWanted | SeatsChanged | GameEnded
    | Dice | Opened | Dealt | HeadAt | TailCount | Drawn | Discarded | Called | Kong | SetAside
    | Riichi | Won | DeadHand | FlippedValue | Stock | Exhausted | Aborted | Void | Settled | Paid
    | Retract | Replace | Agreed
)  # fmt: skip

FACTS: Final[dict[str, type[Fact]]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(AnyFact)
}
"""Every fact by its type word."""

CORRECTIONS: Final = (Retract, Replace)
NOT_CORRECTABLE: Final = (Asked, Answered, Retract, Link, Board, Lost)
"""What went over the line, and what only a retract can undo."""


def same_type(fact: AnyFact, replacement: dict[str, Any]) -> AnyFact | None:
    """`replacement` as a fact, if it is one of the same type as `fact`."""
    try:
        return msgspec.convert({"type": tag_of(fact), **replacement}, type(fact))
    except msgspec.ValidationError:
        return None


def tag_of(fact: AnyFact) -> str:
    """The type word of a fact."""
    return str(fact.__struct_config__.tag)


def known(tile: str | None) -> str | None:
    """The tile if its face is known."""
    return tile if tile is not None and tile != UNKNOWN and is_code(tile) else None
