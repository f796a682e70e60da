"""Whose turn it is, where somebody follows: `untracked` at first, after a gap or an odd fact.

The turn never stops a hand and feeds no geometry. It says who is next and what is owed, and
checks records. Which state follows is the chart's; which seat may do it is in the guards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, Literal

from tablectl.core.chart import SAME, Arrow, Chart, Odd

_STANDS = {
    "untracked": "nobody knows whose turn it is",
    "draw_due": "{who} is due to draw",
    "act": "{who} has the turn",
    "window": "{who} has discarded",
    "aside_window": "{who} has set a tile aside",
    "kong_window": "{who} has declared a kong",
    "owed": "{who} is owed a replacement",
    "over": "the hand is won",
}
_DEEDS = {
    "dealt": "the tiles were dealt",
    "drawn": "{who} drew",
    "discarded": "{who} discarded",
    "set_aside": "{who} set a tile aside",
    "called_chi": "{who} called chi",
    "called_pon": "{who} called pon",
    "kong": "{who} declared a kong",
    "riichi": "{who} declared riichi",
    "won": "{who} won",
    "pass": "nobody claimed",
    "fever_on": "the hand went on under fever",
}
_LAYS = ("act", "aside_window", "kong_window", "owed")
"""Where a seat may set a tile aside: in its turn, also while it is owed a replacement."""

TURN: Final = Chart(
    name="turn",
    states={word: text.format(who="a player") for word, text in _STANDS.items()},
    triggers={trigger: text.format(who="a player") for trigger, text in _DEEDS.items()},
    guards={
        "first_tile": "the dealing includes the dealer's first tile",
        "due": "it is the player who is due to draw",
        "next": "it is the next player",
        "replacement": "it is the replacement of the player to whom it is owed",
        "more_owed": "it is, and the player is owed another one",
        "own_turn": "it is the player whose turn it is",
        "own_discard": "it is the player whose turn it is, before the last draws",
        "own_kong": "it is a kong of the player whose turn it is, before the last draws",
        "claims": "the rule lets others claim a tile set aside",
        "last_draws": "only the last draws are left",
        "unreplaced": "nothing replaces the tile",
        "chi": "the next player calls the discard",
        "pon": "another player calls the discard",
        "open_kong": "another player calls the discard for an open kong",
        "aside_pon": "another player calls the tile and the rule allows it",
        "self_draw": "it is a self-draw of the player whose turn it is",
        "ron": "another player wins from the one who gave the tile",
        "aside_ron": "another player wins on the tile and the rule allows it",
        "same_tile": "a further player wins on the same tile",
    },
    arrows=(
        Arrow("dealt", ("untracked",), "act", "first_tile"),
        Arrow("dealt", ("untracked",), "draw_due"),
        Arrow("drawn", ("untracked",), "act"),
        Arrow("discarded", ("untracked",), "window"),
        Arrow("drawn", ("draw_due",), "act", "due"),
        Arrow("discarded", ("act",), "window", "own_discard"),
        Arrow("drawn", ("window",), "act", "next"),
        Arrow("called_chi", ("window",), "act", "chi"),
        Arrow("called_pon", ("window",), "act", "pon"),
        Arrow("kong", ("window",), "owed", "open_kong"),
        Arrow("set_aside", ("act",), "draw_due", "unreplaced", "shown; the turn is over with it"),
        Arrow("set_aside", _LAYS, "aside_window", "claims", "one after the other: the last one"),
        Arrow("set_aside", _LAYS, "owed", "own_turn"),
        Arrow("called_pon", ("aside_window",), "act", "aside_pon", "no replacement"),
        Arrow("pass", ("aside_window", "kong_window"), "owed"),
        Arrow("kong", ("act",), "kong_window", "own_kong"),
        Arrow("drawn", ("owed",), SAME, "more_owed"),
        Arrow("drawn", ("owed",), "act", "replacement"),
        Arrow("riichi", ("act",), SAME, "own_turn"),
        Arrow("pass", ("act",), "draw_due", "last_draws"),
        Arrow("won", ("act",), "over", "self_draw"),
        Arrow("won", ("window", "kong_window"), "over", "ron"),
        Arrow("won", ("aside_window",), "over", "aside_ron"),
        Arrow("won", ("over",), SAME, "same_tile"),
        Arrow("won", ("untracked",), "over"),
        Arrow("fever_on", ("over",), "draw_due"),
    ),
    initial="untracked",
)


@dataclass(frozen=True, slots=True)
class Turn:
    """`seat`: whose draw, turn, window or replacement it is; in `over` the one from whom the tile
    came, the winner's own after a self-draw. `winners`: who has won on that tile, in order."""

    word: str = "untracked"
    seat: int | None = None
    winners: tuple[int, ...] = ()


def move(
    turn: Turn,
    trigger: str,
    *,
    seat: int | None,
    players: int,
    frm: int | None = None,
    end: Literal["live", "tail"] | None = None,
    kong: Literal["open", "added", "concealed"] | None = None,
    chi_allowed: bool = True,
    aside_claims: Collection[str] = (),
    last_draws: bool = False,
    replaced: bool = True,
    more_owed: bool = False,
    first_tile: bool = False,
) -> Turn | Odd:
    """The turn after `trigger` by `seat`, or why it cannot follow. Pure and total.

    `seat` is the dealer for `dealt`, with `first_tile` where the dealing includes the dealer's
    first tile; who draws next for `fever_on`; not looked at for `pass`. `frm` is required for calls
    and, where the turn is tracked, for wins (the seat itself for a self-draw); an open kong may
    leave it out. `end`: `tail` is a replacement, wherever the rule takes it from; None is not
    known. `aside_claims` holds `pon` and `ron` where the rule allows them. `last_draws`: the hand's
    life is that. `replaced`: whether a tile set aside is; `more_owed`: whether the seat is owed
    another replacement beside the one that it draws. A `pass` that the fact implies is made by
    itself.
    """
    if trigger != "pass" and (seat is None or not 0 <= seat < players):
        named = "no seat is named" if seat is None else f"there is no seat {seat}"
        return Odd(f"{_deed(trigger, seat)}, but {named} among {players} players")
    if frm is not None and not 0 <= frm < players:
        return Odd(f"{_deed(trigger, seat)} from seat {frm}, which is none of {players} players")
    told = _Told(
        trigger=trigger,
        seat=-1 if seat is None else seat,
        players=players,
        frm=frm,
        end=end,
        kong=kong,
        chi_allowed=chi_allowed,
        aside_claims=aside_claims,
        last_draws=last_draws,
        replaced=replaced,
        more_owed=more_owed,
        first_tile=first_tile,
    )
    if _lapses(turn, told):
        lapsed = TURN.next(turn.word, "pass", ("last_draws",))
        turn = turn if isinstance(lapsed, Odd) else Turn(lapsed, told.seat)
    holding = set()
    wrong = ""
    for guard, _ in TURN.ways(turn.word, trigger):
        if guard is not None:
            answer = _GUARDS[guard](turn, told)
            if not answer:
                holding.add(guard)
            wrong = answer or wrong
    word = TURN.next(turn.word, trigger, holding)
    if isinstance(word, Odd):
        return Odd(wrong or _unlisted(turn, told))
    return _seated(turn, told, word)


@dataclass(frozen=True, slots=True)
class _Told:
    trigger: str
    seat: int
    players: int
    frm: int | None
    end: str | None
    kong: str | None
    chi_allowed: bool
    aside_claims: Collection[str]
    last_draws: bool
    replaced: bool
    more_owed: bool
    first_tile: bool

    @property
    def deed(self) -> str:
        return _deed(self.trigger, self.seat)

    def after(self, seat: int | None) -> int:
        return ((-1 if seat is None else seat) + 1) % self.players


def _seated(turn: Turn, told: _Told, word: str) -> Turn:
    if word == "over":
        return Turn(
            word, turn.seat if turn.word == "over" else told.frm, (*turn.winners, told.seat)
        )
    if told.trigger == "pass":
        return Turn(word, told.after(turn.seat) if word == "draw_due" else turn.seat)
    if told.trigger == "set_aside" and word == "draw_due":
        return Turn(word, told.after(told.seat))
    return Turn(word, told.seat)


def _lapses(turn: Turn, told: _Told) -> bool:
    """Whether the fact says by itself that nobody claimed what could be claimed before it."""
    if turn.word in ("aside_window", "kong_window"):
        # A discard too: what is wrong with it is the replacement that was not drawn.
        return told.trigger in ("drawn", "discarded") and told.seat == turn.seat
    next_draws = told.trigger == "drawn" and told.seat == told.after(turn.seat)
    return turn.word == "act" and told.last_draws and next_draws


# --- sentences ------------------------------------------------------------------------------


def _deed(trigger: str, seat: int | None) -> str:
    who = "somebody" if seat is None or seat < 0 else f"seat {seat}"
    text = _DEEDS.get(trigger)
    return f'"{trigger}" was told of {who}' if text is None else text.format(who=who)


def _stands(turn: Turn, seat: int) -> str:
    """How things stand, without naming the seat again that the sentence is about."""
    text = _STANDS.get(turn.word, "the turn is none of those known")
    if turn.seat == seat and text.startswith("{who} "):
        return text.removeprefix("{who} ")
    return text.format(who=f"seat {turn.seat}")


def _unlisted(turn: Turn, told: _Told) -> str:
    if told.seat == turn.seat:
        if turn.word == "owed" and told.trigger == "discarded":
            return f"{told.deed}, but is owed a replacement: was it forgotten?"
        if turn.word == "window" and told.trigger == "discarded":
            return f"{told.deed}, but has discarded already: that cannot follow"
        if turn.word == "act" and told.trigger == "drawn":
            return f"{told.deed}, but has yet to discard the tile before"
    if told.trigger == "called_chi" and turn.word == "aside_window":
        return f"{told.deed}, but a tile set aside cannot be called for a chi"
    if told.trigger == "kong" and turn.word == "aside_window":
        return f"{told.deed}, but a tile set aside cannot be called for a kong"
    return f"{told.deed}, but {_stands(turn, told.seat)}: that cannot follow"


# --- guards: each says what is wrong, or nothing where the arrow may be gone -----------------


def _first_tile(turn: Turn, told: _Told) -> str:
    return "" if told.first_tile else "the dealer's first tile is yet to be drawn"


def _due(turn: Turn, told: _Told) -> str:
    return _draws(told, turn.seat)


def _next(turn: Turn, told: _Told) -> str:
    return _draws(told, told.after(turn.seat))


def _draws(told: _Told, seat: int | None) -> str:
    if told.seat != seat:
        return f"{told.deed}, but seat {seat} is due to draw"
    if told.end == "tail":
        return f"{told.deed} a replacement, but is owed none"
    return ""


def _replacement(turn: Turn, told: _Told) -> str:
    if told.seat != turn.seat:
        return f"{told.deed}, but {_stands(turn, told.seat)}"
    if told.end == "live":
        return f"{told.deed} from the live wall, but is owed a replacement: was it forgotten?"
    return ""


def _more_owed(turn: Turn, told: _Told) -> str:
    return _replacement(turn, told) if told.more_owed else f"{told.deed}, and is owed no more"


def _own_turn(turn: Turn, told: _Told) -> str:
    return "" if told.seat == turn.seat else f"{told.deed}, but {_stands(turn, told.seat)}"


def _own_discard(turn: Turn, told: _Told) -> str:
    if told.last_draws:
        return f"{told.deed}, but in the last draws nobody discards"
    return _own_turn(turn, told)


def _own_kong(turn: Turn, told: _Told) -> str:
    if told.kong == "open":
        return f"{told.deed} on a discard, but {_stands(turn, told.seat)} and nothing is discarded"
    if told.last_draws:
        return f"{told.deed}, but in the last draws there is no kong"
    return _own_turn(turn, told)


def _claims(turn: Turn, told: _Told) -> str:
    if not told.aside_claims:
        return f"{told.deed}, and nobody may claim it"
    return _own_turn(turn, told)


def _last_draws(turn: Turn, told: _Told) -> str:
    if not told.last_draws:
        return f"{told.deed}, but {_stands(turn, told.seat)} and is to discard"
    return ""


def _unreplaced(turn: Turn, told: _Told) -> str:
    if told.replaced:
        return f"{told.deed}, and it is replaced"
    return _own_turn(turn, told)


def _given(turn: Turn, told: _Told) -> str:
    """Nothing if the tile is said to be from the seat that gave one, to another seat."""
    if told.frm is None and told.trigger != "kong":
        return f"{told.deed}, but it is not said from whom"
    if told.frm == told.seat and told.trigger == "won":
        return f"{told.deed} by a self-draw, but {_stands(turn, told.seat)}"
    if told.seat == turn.seat:
        return f"{told.deed}, but the tile is its own"
    if told.frm not in (None, turn.seat):
        return f"{told.deed} from seat {told.frm}, but {_stands(turn, told.seat)}"
    return ""


def _pon(turn: Turn, told: _Told) -> str:
    if told.last_draws:
        return f"{told.deed}, but before the last draws a discard can only be won on"
    return _given(turn, told)


def _chi(turn: Turn, told: _Told) -> str:
    if not told.chi_allowed:
        return f"{told.deed}, but this rule has no chi"
    wrong = _pon(turn, told)
    if wrong or told.seat == told.after(turn.seat):
        return wrong
    return f"{told.deed} from seat {turn.seat}, but only seat {told.after(turn.seat)} can"


def _open_kong(turn: Turn, told: _Told) -> str:
    if told.kong not in (None, "open"):
        return f"{told.deed} of its own tiles, but {_stands(turn, told.seat)}"
    return _pon(turn, told)


def _aside_pon(turn: Turn, told: _Told) -> str:
    if "pon" not in told.aside_claims:
        return f"{told.deed}, but this rule has no pon of a tile set aside"
    return _pon(turn, told)


def _self_draw(turn: Turn, told: _Told) -> str:
    if told.frm is None:
        return f"{told.deed}, but it is not said from whom"
    if told.frm != told.seat:
        return f"{told.deed} from seat {told.frm}, but {_stands(turn, told.seat)}"
    if told.seat != turn.seat:
        return f"{told.deed} by a self-draw, but {_stands(turn, told.seat)}"
    return ""


def _aside_ron(turn: Turn, told: _Told) -> str:
    if "ron" not in told.aside_claims:
        return f"{told.deed}, but this rule has no win on a tile set aside"
    return _given(turn, told)


def _same_tile(turn: Turn, told: _Told) -> str:
    if told.seat in turn.winners:
        return f"{told.deed}, but has won on this tile already"
    if turn.seat in turn.winners:
        return f"{told.deed}, but seat {turn.seat} has won by a self-draw"
    if told.frm is None or turn.seat is None:
        return ""
    if told.frm != turn.seat or told.seat == turn.seat:
        return f"{told.deed} from seat {told.frm}, but the winning tile is from seat {turn.seat}"
    return ""


_GUARDS: Final[dict[str, Callable[[Turn, _Told], str]]] = {
    "first_tile": _first_tile,
    "due": _due,
    "next": _next,
    "replacement": _replacement,
    "more_owed": _more_owed,
    "own_turn": _own_turn,
    "own_discard": _own_discard,
    "own_kong": _own_kong,
    "claims": _claims,
    "last_draws": _last_draws,
    "unreplaced": _unreplaced,
    "chi": _chi,
    "pon": _pon,
    "open_kong": _open_kong,
    "aside_pon": _aside_pon,
    "self_draw": _self_draw,
    "ron": _given,
    "aside_ron": _aside_ron,
    "same_tile": _same_tile,
}
