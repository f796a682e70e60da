"""The state that facts fold into. Every value is frozen; only the fold makes new ones.

A `Hand` holds inputs, never positions: what geometry says of them is `plan_of(rules, hand)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from tablectl.core.facts import Board, GameWanted, Trouble, Way
from tablectl.core.geometry import Ground, Inputs, Plan, ground, plan, sides_of
from tablectl.core.mechanism import SetState
from tablectl.core.preset import Preset
from tablectl.core.tiles import UNKNOWN
from tablectl.core.turn import Turn
from tablectl.core.wall import Break, Place, Position, Side

Due = Literal["at_once", "after_discard"]
SETS: Final = ("a", "b")


class Verdict(NamedTuple):
    """What became of a fact: it `fits`, something was `assumed` (which), or it is `odd` (why)."""

    kind: Literal["fits", "assumed", "odd"] = "fits"
    text: str = ""


class Question(NamedTuple):
    """Something only people can decide; `id` is what `agreed` names, `seq` the fact it is about."""

    id: str
    text: str
    seq: int
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine as far as it has spoken. `commands`: each command asked, with its last answer.
    `filled`: for each set the digest of the rule whose tiles lie in it, as far as its walls or the
    number that it was stacked with say so. `meant`: numbers, each with the digest of the rule that
    it was last selected for."""

    sets: tuple[SetState, SetState] = (SetState(), SetState())
    link: bool | None = None
    board: Board | None = None
    troubles: tuple[Trouble, ...] = ()
    ignored: frozenset[tuple[str, int | None]] = frozenset()
    commands: tuple[tuple[str, str], ...] = ()
    filled: tuple[str | None, str | None] = (None, None)
    meant: tuple[tuple[int, str], ...] = ()

    def set_named(self, name: str) -> SetState:
        return self.sets[SETS.index(name)]


@dataclass(frozen=True, slots=True)
class Deal:
    """One set's walls, up once. `sides` None: nobody said; the preset's walls are assumed.
    `seq` is the fact that raised them; `used`: a hand was opened on them; `refused`: they will
    not be played on."""

    set: str
    seq: int
    number: int | None = None
    sides: tuple[Side, ...] | None = None
    tiles: tuple[int, ...] | None = None
    used: bool = False
    refused: bool = False


class Ended(NamedTuple):
    """How a hand ended, as far as the game goes on by it: the fact `seq` settled it, `dealer`,
    `round` and `repeats` were those of the hand. `winners`: each seat once; `ready`: whether the
    dealer was when the wall was used up, None where nobody said; `riichi`: whether he had declared
    it; `fault`: the seat at fault for a void hand, -1 for nobody, None where nobody said; `stood`:
    the points as it was declared void; `play_on`: what a dealer who may stop has answered."""

    seq: int
    dealer: int
    round: int = 0
    repeats: int = 0
    end: str | None = None
    winners: tuple[int, ...] = ()
    ready: bool | None = None
    riichi: bool = False
    fault: int | None = None
    stood: tuple[int, ...] = ()
    play_on: bool | None = None


class Waiting(NamedTuple):
    """What the player has who sits out."""

    points: int
    chips: int


@dataclass(frozen=True, slots=True)
class Game:
    """A game of one rule. `seats`: side of each seat; `points`, `chips` by seat; `start`: the
    points that each began with.

    `dealer`: of the hand that is open, of the next one where none is; `round`: 0 for the first
    wind; `repeats`: how often it has been repeated. `over`: no further hand begins, and `why`.
    `out`: the side of the one who sits out, `waiting`: what this player has. `ended`: the last
    hand settled, None before the first and once people have ended the game.
    """

    preset: str
    digest: str
    seats: tuple[int, ...]
    points: tuple[int, ...]
    chips: tuple[int, ...]
    dealer: int
    hands: int = 0
    over: bool = False
    variant: str | None = None
    out: int | None = None
    start: int = 0
    first_dealer: int = 0
    round: int = 0
    repeats: int = 0
    why: str = ""
    waiting: Waiting | None = None
    ended: Ended | None = None

    @property
    def name(self) -> str:
        """The rule's name with its toppings."""
        return full_name(self.preset, self.variant)


class Meld(NamedTuple):
    """A call or kong: `tile` the one taken, where known; `own` the caller's."""

    seat: int
    kind: str
    frm: int | None = None
    tile: str | None = None
    own: tuple[str, ...] | None = None


Source = Literal["draw", "discard", "aside", "kong", "concealed_kong"]


class Win(NamedTuple):
    """`indicators` lay open at this win. `way`: what is special about it; `on`: the tile it was won
    on, None where nobody follows the turn."""

    seat: int
    frm: int
    indicators: int
    way: Way | None = None
    on: Source | None = None


Limit = Literal["self_draw", "riichi"]


class Declared(NamedTuple):
    """A riichi that stands, and how old it is as far as that is told: its own discard is yet to be
    made (`declared`), was made (`discarded`), was `called`, or the next one was made (`late`).
    `head`: tiles gone from there as it was declared; `sensed`: a sensor saw it, which cannot tell
    its kind."""

    seat: int
    age: Literal["declared", "discarded", "called", "late"]
    head: int
    sensed: bool = False


class Flip(NamedTuple):
    """A tile flipped after a win: its face or what it was declared to be worth."""

    place: Place
    tile: str | None = None
    hits: int | None = None


class Payment(NamedTuple):
    frm: int | None
    to: int | None
    points: int
    chips: int
    why: str


@dataclass(frozen=True, slots=True)
class Account:
    """What was declared and paid in one hand. `dice`: thrown after the win."""

    stock: int | None = None
    stock_items: tuple[tuple[str, int], ...] = ()
    payments: tuple[Payment, ...] = ()
    dice: tuple[tuple[int, ...], ...] = ()
    points: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sensed:
    """What sensors have seen of the walls of this hand, apart from what people said.

    `gone`: p of tiles seen leaving. `early`: those that left before their turn. `head`, `tail`:
    draws that a sensor counted and nobody has told yet. `unowed`: replacements it counted before
    anybody said what for. `counts`: last tiles left by side.
    `set_aside`: a person's word contradicted the sensors; they are not read until walls rise.
    """

    gone: frozenset[int] = frozenset()
    early: frozenset[int] = frozenset()
    head: int = 0
    tail: int = 0
    unowed: int = 0
    counts: tuple[int | None, ...] = (None, None, None, None)
    set_aside: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand: its life, its turn, and the inputs of geometry.

    `head`, `tail`: tiles gone from there. `turned`: indicators turned after those at the start;
    `due`: kongs whose indicator is not turned yet, with the time the rule sets. `owed`: seats whose
    replacement is not taken yet; `for_kong`: the last of them is owed it for a kong. `public`:
    faces that lie open on the walls. `aside`: tiles set aside by seat, `?` where the face was not
    said. `quads`: four like flowers so far, as far as they count. `dead`: seats that may not win or
    claim any more; `limits`: seats that may win by `self_draw` only, or after a new `riichi` only.
    `seen`: faces of the discards, as far as they were told, and of tiles set aside or laid to a
    kong that others took. `forgotten`: seats among `owed` that discarded without their
    replacement, as far as is known. `declared`: the riichi that stand. `given`: the
    face of the last discard, None where it was not told; `discards`: discards told. `before`: wins
    on tiles before the last one, under fever. `drawn_open`: tiles that lay open on the wall and
    were drawn, by whom where known. `told`: draws of this hand are told one by one. `tenpai`: seats
    that were ready when the wall was used up, None where nobody said. `fault`: the seat at fault
    for a void hand, -1 for nobody, None where nobody said; `stood`: everybody's points as it was
    declared void.
    """

    number: int
    seats: tuple[int, ...]
    dealer: int
    sides: tuple[Side, ...] | None
    life: str = "raised"
    turn: Turn = Turn()
    dice: tuple[int, ...] = ()
    broke: Break | None = None
    by: str | None = None
    machine_dealt: bool = False
    head: int = 0
    tail: int = 0
    turned: int = 0
    due: tuple[Due, ...] = ()
    open_kongs: int = 0
    concealed_kongs: int = 0
    quads: int = 0
    told: bool = False
    owed: tuple[int, ...] = ()
    for_kong: bool = False
    public: tuple[tuple[Place, str], ...] = ()
    aside: tuple[tuple[str, ...], ...] = ()
    melds: tuple[Meld, ...] = ()
    riichi: tuple[str | None, ...] = ()
    wins: tuple[Win, ...] = ()
    flips: tuple[Flip, ...] = ()
    gold: str | None = None
    end: Literal["win", "exhausted", "abort", "void"] | None = None
    why: str = ""
    tenpai: tuple[int, ...] | None = None
    dead: tuple[int, ...] = ()
    limits: tuple[tuple[int, Limit], ...] = ()
    forgotten: tuple[int, ...] = ()
    declared: tuple[Declared, ...] = ()
    given: str | None = None
    seen: tuple[str, ...] = ()
    discards: int = 0
    before: int = 0
    drawn_open: tuple[tuple[int | None, str], ...] = ()
    fault: int | None = None
    stood: tuple[int, ...] = ()
    sensed: Sensed = Sensed()
    account: Account = field(default_factory=Account)

    @property
    def kongs(self) -> int:
        return self.open_kongs + self.concealed_kongs

    @property
    def wins_here(self) -> tuple[Win, ...]:
        """The wins on the tile won on last."""
        return self.wins[self.before :]

    @property
    def in_play(self) -> bool:
        """Whether more of it has happened than that its walls rose, and it is not closed yet."""
        return self.life not in ("raised", "closed")

    @property
    def under_fever(self) -> bool:
        """Whether a winner plays on under fever."""
        return any(self.riichi[win.seat] == "fever" for win in self.wins)

    def face(self, place: Place) -> str | None:
        """The face lying open at a place of the wall."""
        return next((tile for there, tile in self.public if there == place), None)


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the facts so far say. `wanted`: the game that begins when the open hand is
    closed. `verdicts` are those of the open hand, by seq."""

    machine: Machine = Machine()
    deal: Deal | None = None
    game: Game | None = None
    wanted: GameWanted | None = None
    hand: Hand | None = None
    questions: tuple[Question, ...] = ()
    verdicts: tuple[tuple[int, Verdict], ...] = ()


def full_name(preset: str, variant: str | None) -> str:
    """A rule's name with its toppings, as people type it."""
    return f"{preset}+{variant}" if variant else preset


@lru_cache(maxsize=4096)
def quads_in(aside: tuple[tuple[str, ...], ...], fours: tuple[tuple[str, ...], ...]) -> int:
    """Sets of four like tiles that single seats have set aside; `fours`: four different kinds that
    count as such."""
    quads = 0
    for tiles in aside:
        kinds = [tile[:2] for tile in tiles if tile != UNKNOWN]
        quads += sum(kinds.count(kind) == 4 for kind in set(kinds))
        quads += sum(all(kind in kinds for kind in four) for four in fours)
    return quads


_BEFORE_GOLD: Final = ("raised", "opened", "dealt", "flowering")


def inputs_of(hand: Hand) -> Inputs:
    """The inputs of geometry that this hand stands for."""
    return Inputs(
        sides=hand.sides,
        seats=hand.seats,
        dealer=hand.dealer,
        dice=hand.dice or None,
        broke=hand.broke,
        head=hand.head,
        tail=hand.tail,
        turned=hand.turned,
        open_kongs=hand.open_kongs,
        concealed_kongs=hand.concealed_kongs,
        flower_quads=hand.quads,
        dealt=hand.machine_dealt,
        gold=hand.life not in _BEFORE_GOLD,
    )


def plan_of(rules: Preset, hand: Hand) -> Plan:
    """Where everything is in this hand. Raises TablectlError `plan.*` while no break is known."""
    return plan(rules, inputs_of(hand))


def worths(hand: Hand) -> tuple[int | None, ...]:
    """What the tiles flipped so far are worth (0: a miss), None where it was not said."""
    return tuple(flip.hits for flip in hand.flips)


def left_to_flip(plan: Plan, hand: Hand) -> tuple[Position, ...]:
    """The tiles that are still to be flipped, the next one first."""
    flipped = {flip.place for flip in hand.flips}
    return tuple(position for position in plan.reveal or () if position.place not in flipped)


def ground_of(rules: Preset, hand: Hand) -> Ground:
    """The wall from its break, and the deal. Raises TablectlError `plan.*` likewise."""
    sides = sides_of(rules, inputs_of(hand))
    dice = hand.dice or None
    return ground(rules, sides, hand.seats, hand.dealer, dice, hand.broke, hand.machine_dealt)
