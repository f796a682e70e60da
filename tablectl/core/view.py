"""What people and programs are shown of a table: the State as plain values, with its positions.

Everything here may be printed, sent and kept: no face of a tile that lies face down is in a State.
The JSON Schema of `View` is made from these classes. Sides, columns and rows are the machine's,
seats the game's, points single points.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from tablectl.core import facts
from tablectl.core.bounds import limits_of
from tablectl.core.game import hand_words, last_hand
from tablectl.core.geometry import Plan
from tablectl.core.hand import LIVES
from tablectl.core.mechanism import STATES, SetState
from tablectl.core.preset import Preset
from tablectl.core.reveal import progress
from tablectl.core.standing import places
from tablectl.core.state import (
    Account,
    Deal,
    Game,
    Hand,
    Limit,
    Machine,
    Source,
    State,
    left_to_flip,
    plan_of,
    worths,
)
from tablectl.core.wall import Place
from tablectl.errors import TablectlError


class SetView(Struct, frozen=True):
    """One tile set: what the machine does with it, the number it is stacked with, the next one."""

    phase: str
    active: int | None
    pending: int | None


class CommandView(Struct, frozen=True):
    """A command asked of the table and its last answer (`asked` while there is none)."""

    command: str
    result: str


class MachineView(Struct, frozen=True):
    """The machine as far as it has spoken; `link` None: no board has ever been connected."""

    link: bool | None
    board: facts.Board | None
    sets: dict[str, SetView]
    troubles: tuple[facts.Trouble, ...]
    ignored: tuple[tuple[str, int | None], ...]
    commands: tuple[CommandView, ...]


class DealView(Struct, frozen=True):
    """The walls that are up: `sides` as people write them, `tiles` on each side as counted."""

    set: str
    seq: int
    number: int | None
    sides: tuple[int | str, ...] | None
    tiles: tuple[int, ...] | None
    used: bool
    refused: bool


class WaitingView(Struct, frozen=True):
    """What the player has who sits out."""

    points: int
    chips: int


class GameView(Struct, frozen=True):
    """The running game; lists are by seat. `round`, `words` (`East 2`) and `repeats` are those of
    the hand that is open, of the next one where none is, of the last one once the game is `over`,
    which `why` explains; `last`: the game can be over with that hand. `places`: 1 for who is
    ahead, equal ones by the rule. `out`: the side of the one who sits out."""

    preset: str
    digest: str
    seats: tuple[int, ...]
    points: tuple[int, ...]
    chips: tuple[int, ...]
    dealer: int
    hands: int
    over: bool
    variant: str | None
    out: int | None
    first_dealer: int
    round: int
    words: str
    repeats: int
    last: bool
    why: str
    places: tuple[int, ...]
    waiting: WaitingView | None


class TurnView(Struct, frozen=True):
    """Whose turn it is, where somebody follows (`untracked` otherwise)."""

    word: str
    seat: int | None


class Face(Struct, frozen=True):
    """A face that lies open on the walls."""

    place: Place
    tile: str


class MeldView(Struct, frozen=True):
    """A call or kong."""

    seat: int
    kind: str
    frm: int | None = msgspec.field(name="from")
    tile: str | None


class WinView(Struct, frozen=True):
    """A win and how many indicators lay open at it. `way`: what is special about it; `on`: the tile
    it was won on (`draw`, `discard`, `aside`, `kong`, `concealed_kong`), null if nobody knows."""

    seat: int
    frm: int = msgspec.field(name="from")
    indicators: int
    way: facts.Way | None
    on: Source | None


class DrawnOpenView(Struct, frozen=True):
    """A tile that lay open on the walls and was drawn, by whom where known."""

    seat: int | None
    tile: str


class FlipView(Struct, frozen=True):
    """A tile flipped after a win: its face, or what it was said to be worth."""

    place: Place
    tile: str | None
    hits: int | None


class RevealView(Struct, frozen=True):
    """How far the flipping after a win has come: `lives` left, null where nobody knows; `hits`:
    what the tiles flipped are worth, null where it was not said of all; `over`: nothing more is
    flipped; `completed`: every tile was flipped with a life left, null where nobody knows."""

    lives: int | None
    hits: int | None
    over: bool
    completed: bool | None


class HandView(Struct, frozen=True):
    """The hand: its life, its turn, what is gone, and `plan`, where everything is (null until the
    break is known). `words`: what its life means. `dead`: seats that may not win or claim any more.
    `limits`: by seat, what it may win by from now on (`self_draw`, after a new `riichi`), null for
    all. `forgotten`: seats that discarded before taking a replacement that is still owed.
    `reveal`: the flipping, null before it begins; `plan.reveal` holds what is still to flip."""

    number: int
    life: str
    words: str
    turn: TurnView
    seats: tuple[int, ...]
    dealer: int
    dice: tuple[int, ...]
    by: str | None
    head: int
    tail: int
    turned: int
    due: int
    owed: tuple[int, ...]
    forgotten: tuple[int, ...]
    public: tuple[Face, ...]
    aside: tuple[tuple[str, ...], ...]
    melds: tuple[MeldView, ...]
    riichi: tuple[str | None, ...]
    dead: tuple[int, ...]
    limits: tuple[Limit | None, ...]
    drawn_open: tuple[DrawnOpenView, ...]
    wins: tuple[WinView, ...]
    flips: tuple[FlipView, ...]
    reveal: RevealView | None
    gold: str | None
    end: str | None
    why: str
    stock: int | None
    points: tuple[int, ...]
    chips: tuple[int, ...]
    plan: Plan | None
    taps: tuple[str, ...]
    """Types of facts that people can tell of the hand as it stands."""


class QuestionView(Struct, frozen=True):
    """Something only people can decide; `agreed` with `id` and one of `choices` answers it."""

    id: str
    text: str
    seq: int
    choices: tuple[str, ...]


class WantedView(Struct, frozen=True):
    """The game that begins as soon as the hand that is open has been closed."""

    preset: str
    digest: str
    seats: tuple[int, ...]
    variant: str | None


class View(Struct, frozen=True):
    """A table's State, for everybody."""

    machine: MachineView
    deal: DealView | None
    game: GameView | None
    wanted: WantedView | None
    hand: HandView | None
    questions: tuple[QuestionView, ...]


def view_of(rules: Preset | None, state: State) -> View:
    """The State as it is shown. `rules`: the running game's, None if there is none."""
    return View(
        machine=_machine(state.machine),
        deal=None if state.deal is None else _deal(state.deal),
        game=None if state.game is None else _game(rules, state.game),
        wanted=None if state.wanted is None else _wanted(state.wanted),
        hand=None if state.hand is None else _hand(rules, state.hand),
        questions=tuple(QuestionView(*question) for question in state.questions),
    )


_PLAY: Final = (
    "drawn", "discarded", "called", "kong", "set_aside", "riichi", "head_at", "tail_count",
    "shown", "won", "dead_hand", "exhausted", "aborted", "void", "paid",
)  # fmt: skip
_ENDED: Final = ("won", "shown", "flipped_value", "stock", "dice", "paid", "settled", "void")
TAPS: Final[dict[str, tuple[str, ...]]] = {
    "raised": ("dice", "opened", "dealt", *_PLAY),
    "opened": ("opened", "dealt", *_PLAY),
    "dealt": _PLAY,
    "flowering": _PLAY,
    "playing": _PLAY,
    "last_draws": _PLAY,
    "won": (*_ENDED, *_PLAY),
    "revealing": (*_ENDED, *_PLAY),
    "settling": ("shown", "stock", "dice", "paid", "settled"),
    "closed": ("paid",),
}
"""By the life of a hand: what people can tell; steps skipped are assumed. After a win play is told
only where it goes on under fever."""


def taps_of(rules: Preset | None, hand: Hand) -> tuple[str, ...]:
    """Types of facts that people can tell of a hand as it stands, each once."""
    found = dict.fromkeys(TAPS[hand.life])
    if hand.life in ("won", "revealing") and not hand.under_fever:
        found = dict.fromkeys(_ENDED)
    if rules is not None:
        if not rules.game.aborts:
            found.pop("aborted", None)
        if not rules.riichi.played:
            found.pop("riichi", None)
        if not rules.calls.aside:
            found.pop("set_aside", None)
        if rules.reveal.kind == "none":
            found.pop("flipped_value", None)
            found.pop("stock", None)
    return tuple(found)


def plain(view: View) -> dict[str, Any]:
    """A view as plain values, arrays as tuples."""
    value: dict[str, Any] = msgspec.to_builtins(view)
    return value


def phase_words(phase: str) -> str:
    """What a set's phase means, for people."""
    return STATES.get(phase, phase)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _machine(machine: Machine) -> MachineView:
    return MachineView(
        link=machine.link,
        board=machine.board,
        sets={name: _set(one) for name, one in zip("ab", machine.sets, strict=True)},
        troubles=machine.troubles,
        ignored=tuple(sorted(machine.ignored, key=lambda one: (one[0], one[1] or -1))),
        commands=tuple(CommandView(*pair) for pair in machine.commands),
    )


def _set(one: SetState) -> SetView:
    return SetView(one.word, one.active, one.pending)


def _deal(deal: Deal) -> DealView:
    return DealView(
        set=deal.set,
        seq=deal.seq,
        number=deal.number,
        sides=None if deal.sides is None else tuple(side.shown for side in deal.sides),
        tiles=deal.tiles,
        used=deal.used,
        refused=deal.refused,
    )


def _game(rules: Preset | None, game: Game) -> GameView:
    ties = "first_dealer" if rules is None else rules.game.ties
    last = rules is not None and last_hand(rules, game.round, game.dealer, game.first_dealer)
    return GameView(
        preset=game.preset,
        digest=game.digest,
        seats=game.seats,
        points=game.points,
        chips=game.chips,
        dealer=game.dealer,
        hands=game.hands,
        over=game.over,
        variant=game.variant,
        out=game.out,
        first_dealer=game.first_dealer,
        round=game.round,
        words=hand_words(rules, game),
        repeats=game.repeats,
        last=last,
        why=game.why,
        places=places(game.points, ties, game.first_dealer),
        waiting=None if game.waiting is None else WaitingView(*game.waiting),
    )


def _wanted(wanted: facts.GameWanted) -> WantedView:
    return WantedView(wanted.preset, wanted.digest, wanted.seats, wanted.variant)


def _hand(rules: Preset | None, hand: Hand) -> HandView:
    account: Account = hand.account
    plan = _plan(rules, hand)
    flipping = None if rules is None else _reveal(rules, hand, plan)
    if plan is not None and plan.reveal is not None and flipping is not None:
        rest = () if flipping.over else left_to_flip(plan, hand)
        plan = msgspec.structs.replace(plan, reveal=rest)
    return HandView(
        number=hand.number,
        life=hand.life,
        words=LIVES[hand.life],
        turn=TurnView(hand.turn.word, hand.turn.seat),
        seats=hand.seats,
        dealer=hand.dealer,
        dice=hand.dice,
        by=hand.by,
        head=hand.head,
        tail=hand.tail,
        turned=hand.turned,
        due=len(hand.due),
        owed=hand.owed,
        forgotten=hand.forgotten,
        public=tuple(Face(place, tile) for place, tile in hand.public if place.row != "on"),
        aside=hand.aside,
        melds=tuple(MeldView(m.seat, m.kind, m.frm, m.tile) for m in hand.melds),
        riichi=hand.riichi,
        dead=tuple(sorted(hand.dead)),
        limits=tuple(_limit(hand, seat) for seat in range(len(hand.riichi))),
        drawn_open=tuple(DrawnOpenView(*one) for one in hand.drawn_open),
        wins=tuple(WinView(*win) for win in hand.wins),
        flips=tuple(FlipView(*flip) for flip in hand.flips),
        reveal=flipping,
        gold=hand.gold,
        end=hand.end,
        why=hand.why,
        stock=account.stock,
        points=account.points,
        chips=account.chips,
        plan=plan,
        taps=taps_of(rules, hand),
    )


def _reveal(rules: Preset, hand: Hand, plan: Plan | None) -> RevealView | None:
    """The flipping of a hand, once it has begun or its lives were declared."""
    begun = hand.life == "revealing" or hand.flips or hand.account.stock is not None
    if rules.reveal.kind == "none" or not begun or plan is None:
        return None
    left = len(left_to_flip(plan, hand))
    found = progress(rules.reveal.kind, hand.account.stock, worths(hand), left)
    over = found.over or hand.life not in ("won", "revealing")
    return RevealView(found.lives, found.hits, over, found.completed)


def _limit(hand: Hand, seat: int) -> Limit | None:
    """What binds a seat most: without a new riichi it may not even win by itself."""
    found = limits_of(hand, seat)
    return "riichi" if "riichi" in found else found[0] if found else None


def _plan(rules: Preset | None, hand: Hand) -> Plan | None:
    if rules is None:
        return None
    try:
        return plan_of(rules, hand)
    except TablectlError:
        return None  # neither dice nor a break are known yet
