"""The state that facts fold into. Every value is frozen; only the fold makes new ones.

A `Hand` holds inputs, never positions: what geometry says of them is `plan_of(rules, hand)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from tablectl.core.facts import Board, GameWanted, Trouble
from tablectl.core.geometry import Ground, Inputs, Plan, ground, plan, sides_of
from tablectl.core.mechanism import SetState
from tablectl.core.preset import Preset
from tablectl.core.turn import Turn
from tablectl.core.wall import Break, Place, Side

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
    """The machine as far as it has spoken. `commands`: each command asked, with its last answer."""

    sets: tuple[SetState, SetState] = (SetState(), SetState())
    link: bool | None = None
    board: Board | None = None
    troubles: tuple[Trouble, ...] = ()
    ignored: frozenset[tuple[str, int | None]] = frozenset()
    commands: tuple[tuple[str, str], ...] = ()

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


@dataclass(frozen=True, slots=True)
class Game:
    """A game of one rule. `seats`: side of each seat; `points`, `chips` by seat."""

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


class Meld(NamedTuple):
    """A call or kong: `tile` the one taken, where known; `own` the caller's."""

    seat: int
    kind: str
    frm: int | None = None
    tile: str | None = None
    own: tuple[str, ...] | None = None


class Win(NamedTuple):
    seat: int
    frm: int
    indicators: int
    """Indicators that lay open at this win."""


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
    replacement is not taken yet. `public`: faces that lie open on the walls. `aside`: tiles set
    aside by seat, `?` where the face was not said. `quads`: four like flowers so far, as far as
    they count. `dead`: seats that may not win or claim any more. `told`: draws of this hand are
    told one by one. `tenpai`: seats that were ready when
    the wall was used up, None where nobody said.
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
    sensed: Sensed = Sensed()
    account: Account = field(default_factory=Account)

    @property
    def kongs(self) -> int:
        return self.open_kongs + self.concealed_kongs

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


FLOWER_SETS: Final = (("1f", "2f", "3f", "4f"), ("5f", "6f", "7f", "8f"))
"""The four seasons and the four plants count as four like flowers."""


@lru_cache(maxsize=4096)
def quads_in(aside: tuple[tuple[str, ...], ...]) -> int:
    """Sets of four like tiles that single seats have set aside."""
    quads = 0
    for tiles in aside:
        kinds = [tile[:2] for tile in tiles]
        quads += sum(kinds.count(kind) == 4 for kind in set(kinds))
        quads += sum(all(kind in kinds for kind in four) for four in FLOWER_SETS)
    return quads


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
    )


def plan_of(rules: Preset, hand: Hand) -> Plan:
    """Where everything is in this hand. Raises TablectlError `plan.*` while no break is known."""
    return plan(rules, inputs_of(hand))


def ground_of(rules: Preset, hand: Hand) -> Ground:
    """The wall from its break, and the deal. Raises TablectlError `plan.*` likewise."""
    sides = sides_of(rules, inputs_of(hand))
    dice = hand.dice or None
    return ground(rules, sides, hand.seats, hand.dealer, dice, hand.broke, hand.machine_dealt)
