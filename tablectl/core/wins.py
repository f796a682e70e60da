"""Who wins where several say so: before play goes round, and on one tile. Pure.

Before play goes round the rule's own order decides, whatever the order in which people speak; on
one discard it is the nearest to who discarded, counted in turn, but for two golds as the pair.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from tablectl.core.chart import Odd
from tablectl.core.facts import Way
from tablectl.core.preset import OpeningWin, Preset
from tablectl.core.state import Hand, Win

Stage = Literal["dealt", "discarded"]
WAYS: Final[dict[Way, str]] = {
    "heavenly": "a heavenly win",
    "robbing_gold": "robbing the gold",
    "three_gold": "a win by three golds",
    "earthly": "an earthly win",
    "gold_pair": "a win with two golds as its pair",
    "kokushi": "thirteen orphans",
    "robbing": "a win on a tile laid down",
}
"""Each way of a win as people are told of it."""
OPENING: Final[dict[OpeningWin, str]] = {
    "heavenly": "a heavenly win",
    "three_gold": "a win by three golds",
    "child_robbing": "the gold robbed by a child",
    "dealer_robbing": "the gold robbed by the dealer",
    "earthly": "a child's win on the dealer's first discard",
}
"""Each win before play goes round as people are told of it."""


class Claim(NamedTuple):
    """Somebody says that `seat` has won from `frm`, the seat itself for a self-draw."""

    seat: int
    frm: int
    way: Way | None = None

    @property
    def own(self) -> bool:
        return self.seat == self.frm


class Standing(NamedTuple):
    """The wins on this tile with the new one, and which gave way to it, in a sentence."""

    wins: tuple[Win, ...]
    gave_way: str = ""


def opening_stage(rules: Preset, hand: Hand, dealt: int) -> Stage | None:
    """How far the hand is before play goes round: nobody has discarded (`dealt`), or the dealer has
    for the first time (`discarded`), as far as is known. None once it has gone on, and where the
    rule knows no such wins. `dealt`: tiles gone from the head with the dealer's first one."""
    if not rules.opening.wins or hand.head > dealt or hand.melds or hand.discards > 1:
        return None
    return "discarded" if hand.discards else "dealt"


def kind_of(claim: Claim, dealer: int, stage: Stage | None) -> OpeningWin | None:
    """What a win counts as before play goes round; None for one that is none of those."""
    if stage is None:
        return None
    if claim.way == "robbing_gold":
        return "dealer_robbing" if claim.seat == dealer else "child_robbing"
    if claim.way == "three_gold":
        return "three_gold"
    if claim.own:
        return "heavenly" if claim.seat == dealer and stage == "dealt" else None
    return "earthly" if claim.frm == dealer else None


def why_not(rules: Preset, dealer: int, stage: Stage | None, claim: Claim) -> str:
    """Why there can be no such win here and now, `""` if it can be."""
    way = claim.way
    if way in (None, "kokushi", "robbing"):
        return ""
    said = f"{WAYS[way]} was told of seat {claim.seat}"
    if way == "gold_pair":
        return "" if rules.gold.turned != "none" else f"{said}, but this rule has no gold"
    kind = _named(claim, dealer)
    if kind not in rules.opening.wins:
        return f"{said}, but this rule does not have it"
    if wrong := _wrong_seat(claim, dealer):
        return f"{said}, but {wrong}"
    if way == "three_gold":
        return ""
    if stage is None:
        return f"{said}, but play has gone on since the dealer's first discard"
    if way == "heavenly" and stage == "discarded":
        return f"{said}, but the dealer has discarded: it is won with the hand as it was dealt"
    return ""


def standing(rules: Preset, hand: Hand, stage: Stage | None, new: Win) -> Standing | Odd:
    """The wins on this tile as they are once `new` was told too; Odd, with whose win it is and
    why, if it does not stand beside or before them."""
    here = hand.wins_here
    kinds = {kind_of(Claim(win.seat, win.frm, win.way), hand.dealer, stage) for win in (*here, new)}
    if None not in kinds and kinds != {"earthly"}:
        return _before_play(rules, hand, stage, new)
    return _on_one_tile(rules, here, new)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _named(claim: Claim, dealer: int) -> OpeningWin | None:
    """What the way that was told means as one of the opening wins."""
    if claim.way == "robbing_gold":
        return "dealer_robbing" if claim.seat == dealer else "child_robbing"
    if claim.way in ("heavenly", "three_gold", "earthly"):
        return claim.way
    return None


def _wrong_seat(claim: Claim, dealer: int) -> str:
    """What is wrong with who won from whom, if the way asks for others."""
    if claim.way == "earthly":
        if claim.seat == dealer:
            return "it is a child's, on the dealer's first discard"
        return "" if claim.frm == dealer else f"it is won from the dealer, who is seat {dealer}"
    if not claim.own:
        return "it is a self-draw: nobody gives the tile"
    if claim.way == "heavenly" and claim.seat != dealer:
        return f"it is the dealer's, who is seat {dealer}"
    return ""


def _before_play(rules: Preset, hand: Hand, stage: Stage | None, new: Win) -> Standing | Odd:
    order, players = rules.opening.wins, rules.players

    def rank(win: Win) -> tuple[int, int]:
        kind = kind_of(Claim(win.seat, win.frm, win.way), hand.dealer, stage)
        place = order.index(kind) if kind in order else len(order)
        return place, (win.seat - hand.dealer) % players

    def words(win: Win) -> str:
        kind = kind_of(Claim(win.seat, win.frm, win.way), hand.dealer, stage)
        assert kind is not None
        return OPENING[kind]

    best = min(hand.wins_here, key=rank)
    if rank(new) == rank(best):
        return Odd(f"seat {new.seat} has won already")
    first, second = sorted((best, new), key=rank)
    if rank(first)[0] == rank(second)[0]:
        why = f"seat {first.seat} is nearer to the dealer than seat {second.seat}"
    else:
        why = f"{words(first)} comes before {words(second)}"
    if first is new:
        return Standing((new,), f"the win is seat {new.seat}'s and not seat {best.seat}'s: {why}")
    return Odd(f"seat {new.seat} says that it has won, but the win is seat {best.seat}'s: {why}")


def _on_one_tile(rules: Preset, here: tuple[Win, ...], new: Win) -> Standing | Odd:
    frm = here[0].frm
    if any(win.seat == new.seat for win in here):
        return Odd(f"seat {new.seat} has won on this tile already")
    if new.frm != frm or new.seat == frm or any(win.seat == win.frm for win in here):
        return Odd(f"seat {new.seat} won, but not on the tile on which the hand was won")
    if len(here) < rules.winning.together:
        return Standing((*here, new))
    pairs_first = rules.winning.gold_pair_first and here[0].on in (None, "discard")

    def rank(win: Win) -> tuple[bool, int]:
        pair = pairs_first and win.way == "gold_pair"
        return not pair, (win.seat - frm) % rules.players

    last = max(here, key=rank)
    first, second = sorted((last, new), key=rank)
    if rank(first)[0] == rank(second)[0]:
        why = f"seat {first.seat} is nearer to seat {frm}, from whom the tile is"
    else:
        why = "two golds as the pair come before a nearer win"
    most = rules.winning.together
    if most > 1:
        why += f", and of one tile at most {most} can win"
    if first is new:
        kept = (*(win for win in here if win is not last), new)
        return Standing(kept, f"seat {new.seat} wins and not seat {last.seat}: {why}")
    return Odd(f"seat {new.seat} won too, but the win is not its own: {why}")
