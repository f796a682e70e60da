"""The life of a hand, always known: from the walls that rise for it to the payment that closes it.

A hand begins as `none`; the next hand is another one and begins anew.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from tablectl.core.chart import SAME, Arrow, Chart, Odd

LIVES: Final = {
    "none": "there is no hand",
    "raised": "the wall is not opened",
    "opened": "the wall is opened and the tiles are not dealt",
    "dealt": "the tiles are dealt and nobody has played",
    "flowering": "the flowers of the deal are being replaced",
    "playing": "the hand is being played",
    "last_draws": "only the last draws are left",
    "won": "a win was declared",
    "revealing": "tiles are being flipped after a win",
    "settling": "the hand is over and is to be paid",
    "closed": "the hand is closed",
}
"""Each life with what it means, in the order of a hand."""

_OPENED = ("opened", "dealt", "flowering", "playing", "last_draws")
_BEFORE_SETTLING = ("raised", *_OPENED, "won", "revealing")

HAND: Final = Chart(
    name="hand",
    states=LIVES,
    triggers={
        "bind": "walls came up for a hand",
        "dice": "dice were thrown",
        "opened": "the wall was opened",
        "dealt": "the tiles were dealt",
        "flowers_begin": "the first flower of the deal was replaced",
        "gold": "the gold was turned",
        "play": "somebody played",
        "final": "the last draws began",
        "won": "somebody won",
        "reveal": "flipping began",
        "flip": "a tile was flipped",
        "reveal_over": "flipping ended",
        "no_reveal": "nothing is flipped",
        "exhausted": "the wall was used up",
        "aborted": "the hand was aborted",
        "void": "the hand was declared void",
        "settled": "the hand was paid",
        "deal_down": "the walls are gone",
    },
    guards={
        "fits": "the walls fit the rule and a game is running",
        "dice_known": "the dice are known",
        "flower": "the gold is a flower",
        "final_rule": "the rule has last draws, a turn has ended and few enough tiles are left",
        "more_wins": "the rule lets one player more win on this tile",
        "reveals": "the rule flips tiles after such a win",
        "fever": "the hand goes on under fever",
    },
    arrows=(
        Arrow("bind", ("none",), "raised", "fits", "a deal is up and fits, a game is running"),
        Arrow("dice", ("raised",), SAME, remark="proposes the break; two throws need two"),
        Arrow("opened", ("raised",), "opened"),
        Arrow("dealt", ("opened",), "dealt"),
        Arrow("dealt", ("raised",), "dealt", "dice_known", "the break of the dice is assumed"),
        Arrow("flowers_begin", ("dealt",), "flowering", remark="in rounds from the dealer"),
        Arrow("gold", ("flowering",), SAME, "flower", "it goes to the dealer"),
        Arrow("gold", ("flowering",), "playing"),
        Arrow("play", ("dealt",), "playing", remark="by the first evidence"),
        Arrow("final", ("playing",), "last_draws", "final_rule", "only draws, no kong"),
        Arrow("won", _OPENED, "won", remark="steps skipped are assumed and asked"),
        Arrow("won", ("won",), SAME, "more_wins"),
        Arrow("reveal", ("won",), "revealing", "reveals", "the tiles stay on the wall"),
        Arrow("flip", ("revealing",), SAME),
        Arrow("reveal_over", ("revealing",), "playing", "fever", "the first win's chips are kept"),
        Arrow("reveal_over", ("revealing",), "settling"),
        Arrow("no_reveal", ("won",), "playing", "fever"),
        Arrow("no_reveal", ("won",), "settling"),
        Arrow("exhausted", ("playing", "last_draws"), "settling"),
        Arrow("aborted", _BEFORE_SETTLING, "settling", remark="fines only"),
        Arrow("void", _BEFORE_SETTLING, "settling", remark="fines only"),
        Arrow("settled", ("settling",), "closed", remark="the game goes on to the next hand"),
        Arrow(
            "deal_down",
            tuple(life for life in LIVES if life != "none"),
            SAME,
            remark="asks: void, or forgot to settle?",
        ),
    ),
    initial="none",
)


def life_step(life: str, trigger: str, guards: Collection[str] = ()) -> str | Odd:
    """The life after `trigger`, `guards` naming the conditions of `HAND.guards` that hold."""
    return HAND.next(life, trigger, guards)
