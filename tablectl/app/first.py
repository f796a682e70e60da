"""Who deals first in a game that is wished for: a seat that is said, or dice that say it."""

from __future__ import annotations

from typing import Final

from tablectl.app.service import Wish
from tablectl.core.game import first_dealer
from tablectl.core.preset import Preset
from tablectl.core.state import State
from tablectl.errors import TablectlError, declare

TWICE: Final = declare(
    "app.first_twice",
    "both a first dealer, seat {seat}, and the dice for one were given",
    "Give one of the two.",
)
NO_SEAT: Final = declare(
    "app.first_dealer",
    "seat {seat} cannot deal first: {players} play",
    "Give a seat from 0 to {last}.",
)


def first_of(rules: Preset, wish: Wish) -> int | None:
    """The seat that deals first, None where nothing is said of it. Raises TablectlError
    `app.first_twice`, `app.first_dealer`, `game.first_agreed`, `game.first_dice`."""
    seat, dice = wish.first_dealer, wish.first_dice
    thrown = dice is not None or wish.temporary is not None
    if seat is not None and thrown:
        raise TablectlError(TWICE, seat=seat)
    if thrown:
        return first_dealer(rules, wish.temporary or 0, dice or ())
    if seat is not None and seat >= rules.players:
        raise TablectlError(NO_SEAT, seat=seat, players=rules.players, last=rules.players - 1)
    return seat


def begun(state: State) -> bool:
    """Whether a hand of the running game has been opened, so that its first dealer stands."""
    game, hand = state.game, state.hand
    waits = hand is not None and hand.life == "raised"
    return game is not None and game.hands > (1 if waits else 0)


def said(rules: Preset, first: int | None, table: str) -> list[str]:
    """Who deals first, in a sentence, where people have a say in it. `table`: what it is called."""
    if first is not None:
        return [f"Seat {first} deals first."]
    if rules.game.first_dealer == "dice":
        return [
            "Nobody has thrown for the first dealer: seat 0 deals first. Let a temporary dealer"
            " throw, and choose the rule again before the first hand is opened, with what the dice"
            f" show, as in `tablectl select {table} {rules.name} --first-dice 3,4`."
        ]
    return []
