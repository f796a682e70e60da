"""From one hand to the next: who deals. Seats are in turn order; a game is `state.Game`."""

from __future__ import annotations

from typing import Final, NamedTuple

from tablectl.core.preset import Preset
from tablectl.core.state import Hand

STAYS: Final = "the dealer stays"
PASSES: Final = "the next seat deals"
"""Answers to who deals next, where the facts do not say it."""


class Next(NamedTuple):
    """Who deals the next hand, and `why`, a sentence for people. `sure` False: nobody said whether
    the dealer was ready at the end; until people answer he stays. `assumed`: what was concluded
    instead of told, nothing if all was told."""

    seat: int
    why: str
    sure: bool = True
    assumed: str = ""


def next_dealer(rules: Preset, hand: Hand) -> Next:
    """Who deals after this hand, which has ended.

    A hand won counts by its winners, also where several won on one tile or after each other under
    fever: one win of the dealer is enough. A hand without an end is one that does not count.
    """
    stays, dealer = rules.game.dealer_stays, hand.dealer
    winners = {win.seat for win in hand.wins}
    if hand.end in ("win", "exhausted") and winners:
        if dealer not in winners:
            return _passes(rules, hand, "others won")
        return _by_rule(rules, hand, "win" in stays, "the dealer won")
    if hand.end == "exhausted":
        if "exhausted" in stays or "tenpai" not in stays:
            return _by_rule(rules, hand, "exhausted" in stays, "the wall was used up")
        return _by_tenpai(rules, hand)
    if hand.end == "abort":
        return _by_rule(rules, hand, "abort" in stays, "the hand was aborted")
    return _by_rule(rules, hand, "void" in stays, "the hand does not count")


def after(rules: Preset, dealer: int) -> int:
    """The seat that deals when this dealer does not stay."""
    return (dealer + 1) % rules.players


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _by_tenpai(rules: Preset, hand: Hand) -> Next:
    dealer = hand.dealer
    if hand.tenpai is not None:
        ready = dealer in hand.tenpai
        return _by_rule(rules, hand, ready, f"the dealer was {'' if ready else 'not '}ready")
    if hand.riichi and hand.riichi[dealer] is not None:
        found = _by_rule(rules, hand, True, "the dealer had declared riichi")
        return found._replace(assumed="the dealer, in riichi, was ready at the end")
    why = f"nobody said who was ready as the wall was used up; seat {dealer} deals on until then"
    return Next(dealer, why, sure=False)


def _by_rule(rules: Preset, hand: Hand, stays: bool, why: str) -> Next:
    if not stays:
        return _passes(rules, hand, why)
    return Next(hand.dealer, f"{why}: seat {hand.dealer} deals again")


def _passes(rules: Preset, hand: Hand, why: str) -> Next:
    seat = after(rules, hand.dealer)
    return Next(seat, f"{why}: seat {seat} deals next")
