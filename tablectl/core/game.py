"""From one hand to the next: who deals, which round it is, how often it was repeated, and when the
game is over. Seats are in turn order; everything follows from the `[game]` values of the rule.

    a hand is settled ──▶ course(rules, game, ended) ──▶ next dealer, round, repeats
                                                     └──▶ over, and why
                                                     └──▶ the dealer may stop: people are asked
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tablectl.core.preset import Preset
from tablectl.core.standing import is_top
from tablectl.core.state import Ended, Game, Hand
from tablectl.errors import TablectlError, declare

STAYS: Final = "the dealer stays"
PASSES: Final = "the next seat deals"
"""Answers to who deals next, where the facts do not say it."""
PLAY_ON: Final = "play on"
STOP_HERE: Final = "stop here"
"""Answers of a dealer who may stop in the last hand."""
ANOTHER: Final = "another game"
ENOUGH: Final = "enough"
"""Answers once the game is over."""
NOBODY: Final = -1
"""In the place of the seat at fault: people said that nobody is."""
WINDS: Final = ("East", "South", "West", "North")

AGREED: Final = declare(
    "game.first_agreed",
    "in {preset} the first dealer is agreed on, not thrown for",
    "Say which seat deals first.",
)
DICE: Final = declare(
    "game.first_dice",
    "{pips} of seat {temporary} do not say who deals first in {preset}",
    "Give the pips, 1 to 6 each, of {dice} dice, and the seat that threw them as temporary dealer,"
    " 0 to {last}.",
)


class Next(NamedTuple):
    """Who deals the next hand, and `why`, a sentence for people. `sure` False: nobody said whether
    the dealer was ready at the end; until people answer he stays. `assumed`: what was concluded
    instead of told, nothing if all was told."""

    seat: int
    why: str
    sure: bool = True
    assumed: str = ""


class Course(NamedTuple):
    """How the game goes on after a hand: as in `Next`, and `over`, why the game has ended, or
    `stop`, why the dealer may end it; both are empty while it simply goes on."""

    dealer: int
    round: int
    repeats: int
    why: str
    over: str = ""
    stop: str = ""
    sure: bool = True
    assumed: str = ""


def first_dealer(rules: Preset, temporary: int, dice: Sequence[int]) -> int:
    """The seat that deals first by the dice of a temporary dealer, who counts as 1; the players
    are counted counter-clockwise. Raises TablectlError `game.first_agreed`, `game.first_dice`."""
    if rules.game.first_dealer != "dice":
        raise TablectlError(AGREED, preset=rules.name)
    thrown = len(dice) == rules.breaking.dice and all(1 <= pips <= 6 for pips in dice)
    if not thrown or not 0 <= temporary < rules.players:
        raise TablectlError(
            DICE,
            pips=", ".join(map(str, dice)) or "no dice",
            temporary=temporary,
            preset=rules.name,
            dice=rules.breaking.dice,
            last=rules.players - 1,
        )
    return (temporary + sum(dice) - 1) % rules.players


def ended_of(game: Game, hand: Hand, seq: int) -> Ended:
    """What the game's course needs of a hand that was settled by the fact `seq`."""
    dead = hand.dealer in hand.dead
    riichi = bool(hand.riichi) and hand.riichi[hand.dealer] is not None
    return Ended(
        seq=seq,
        dealer=hand.dealer,
        round=game.round,
        repeats=game.repeats,
        end=hand.end,
        winners=tuple(sorted({win.seat for win in hand.wins})),
        ready=hand.dealer in hand.tenpai if hand.tenpai is not None else False if dead else None,
        riichi=riichi,
        fault=hand.fault,
        stood=hand.stood,
    )


def course(rules: Preset, game: Game, ended: Ended) -> Course:
    """How the game goes on after this hand, with the points as they are now. Of a game that is
    over the dealer, round and repeats are those of its last hand."""
    following = next_dealer(rules, game.first_dealer, ended)
    passes = following.seat != ended.dealer
    turned = ended.round + (passes and following.seat == game.first_dealer)
    stop = _may_stop(rules, game, ended, following)
    over = _bust(rules, game, ended) or _played_out(rules, game, turned)
    if not over and stop and ended.play_on is False:
        over = f"{stop} and stopped"
    if over:
        return Course(
            ended.dealer, ended.round, ended.repeats, following.why, over, "", *following[2:]
        )
    repeats = _repeats(rules, ended, following)
    stop = "" if ended.play_on else stop
    return Course(following.seat, turned, repeats, following.why, "", stop, *following[2:])


def next_dealer(rules: Preset, first: int, ended: Ended) -> Next:
    """Who deals after this hand; `first` is the game's first dealer.

    A hand won counts by its winners, also where several won on one tile or after each other under
    fever: one win of the dealer is enough. A hand without an end is one that does not count.
    """
    stays = rules.game.dealer_stays
    if ended.end in ("win", "exhausted") and ended.winners:
        if ended.dealer not in ended.winners:
            return _passes(rules, ended, "others won")
        return _by_rule(rules, ended, "win" in stays, "the dealer won")
    if ended.end == "exhausted":
        if "exhausted" in stays or "tenpai" not in stays:
            return _by_rule(rules, ended, "exhausted" in stays, "the wall was used up")
        return _by_tenpai(rules, ended)
    if ended.end == "abort":
        return _by_rule(rules, ended, "abort" in stays, "the hand was aborted")
    return _after_void(rules, first, ended)


def after(rules: Preset, dealer: int) -> int:
    """The seat that deals when this dealer does not stay."""
    return (dealer + 1) % rules.players


def last_hand(rules: Preset, round: int, dealer: int, first: int) -> bool:
    """Whether the game is over, or can be, when this dealer does not deal again. In a round that
    is played on until somebody has the points every hand can be the last."""
    return round >= rules.game.rounds > 0 or _closes(rules, round, dealer, first)


def fault_matters(rules: Preset) -> bool:
    """Whether who is at fault for a void hand changes how the game goes on."""
    return rules.game.void_passes != "never" or rules.game.bust_void > 0


def hand_words(rules: Preset | None, game: Game) -> str:
    """`East 2`: the round's wind and the how-manieth dealer of it deals; after the last round the
    first wind comes again."""
    rounds = rules.game.rounds if rules is not None else 0
    number = (game.dealer - game.first_dealer) % len(game.seats) + 1
    again = " (played on)" if 0 < rounds <= game.round else ""
    return f"{WINDS[game.round % (rounds or len(WINDS))]} {number}{again}"


# ── who deals ───────────────────────────────────────────────────────────────────────────────────


def _by_tenpai(rules: Preset, ended: Ended) -> Next:
    dealer = ended.dealer
    if ended.ready is not None:
        why = f"the dealer was {'' if ended.ready else 'not '}ready"
        return _by_rule(rules, ended, ended.ready, why)
    if ended.riichi:
        found = _by_rule(rules, ended, True, "the dealer had declared riichi")
        return found._replace(assumed="the dealer, in riichi, was ready at the end")
    why = f"nobody said who was ready as the wall was used up; seat {dealer} deals on until then"
    return Next(dealer, why, sure=False)


def _after_void(rules: Preset, first: int, ended: Ended) -> Next:
    """A hand that does not count; one by the dealer's fault can pass the deal."""
    rule, why = rules.game, "the hand does not count"
    stays = "void" in rule.dealer_stays
    if rule.void_passes == "dealer" and ended.fault == ended.dealer:
        stays, why = False, "the hand does not count by the dealer's fault"
    if not stays and rule.void_last == "again" and _closes(rules, ended.round, ended.dealer, first):
        stays, why = True, f"{why}, and the last hand is played again"
    return _by_rule(rules, ended, stays, why)


def _by_rule(rules: Preset, ended: Ended, stays: bool, why: str) -> Next:
    if not stays:
        return _passes(rules, ended, why)
    return Next(ended.dealer, f"{why}: seat {ended.dealer} deals again")


def _passes(rules: Preset, ended: Ended, why: str) -> Next:
    seat = after(rules, ended.dealer)
    return Next(seat, f"{why}: seat {seat} deals next")


# ── rounds, repeats, the end ────────────────────────────────────────────────────────────────────


def _closes(rules: Preset, round: int, dealer: int, first: int) -> bool:
    """Whether all rounds are played when this dealer passes the deal on."""
    return round == rules.game.rounds - 1 and after(rules, dealer) == first


def _repeats(rules: Preset, ended: Ended, following: Next) -> int:
    grows = rules.game.repeats
    if ended.end in ("win", "exhausted") and ended.winners:
        more = "win" in grows and ended.dealer in ended.winners
    elif ended.end == "exhausted":
        stays = following.seat == ended.dealer
        more = "exhausted" in grows or ("tenpai" in grows and stays)
    elif ended.end == "abort":
        more = "abort" in grows
    else:
        return ended.repeats
    return ended.repeats + 1 if more else 0


def _bust(rules: Preset, game: Game, ended: Ended) -> str:
    rule = rules.game
    least = {"never": None, "below_zero": 0, "zero": 1}[rule.bust]
    for seat, points in enumerate(game.points):
        if least is not None and points < least:
            return f"seat {seat} has {points} points"
    fault = ended.fault
    if ended.end == "void" and fault is not None and fault != NOBODY and rule.bust_void:
        stood = ended.stood[fault]
        if stood <= rule.bust_void:
            return (
                f"seat {fault} was at fault for a void hand with {stood} points, and with"
                f" {rule.bust_void} or fewer that is the end"
            )
    return ""


def _played_out(rules: Preset, game: Game, round: int) -> str:
    if not 0 < rules.game.rounds <= round:
        return ""
    if rules.game.extend == "none":
        return "all rounds are played"
    return _has_enough(rules, game)


def _has_enough(rules: Preset, game: Game) -> str:
    """Who has the points of the end; who sits out has points too."""
    wanted = rules.game.return_points
    most = max(game.points)
    if most >= wanted:
        return f"seat {game.points.index(most)} has {most} points, and {wanted} are enough"
    if game.waiting is not None and game.waiting.points >= wanted:
        return f"who sits out has {game.waiting.points} points, and {wanted} are enough"
    return ""


def _may_stop(rules: Preset, game: Game, ended: Ended, following: Next) -> str:
    """Why the dealer, who deals again in the last hand, may end the game, as the beginning of a
    sentence. Where it would be played on for want of points there is nothing to stop."""
    dealer, first, rule = ended.dealer, game.first_dealer, rules.game
    if following.seat != dealer or not following.sure:
        return ""
    if not _closes(rules, ended.round, dealer, first):
        return ""
    if ended.end in ("win", "exhausted") and dealer in ended.winners:
        how, when = "won", rule.stop_win
    elif ended.end == "exhausted" and (ended.ready or (ended.ready is None and ended.riichi)):
        how, when = "was ready in", rule.stop_tenpai
    else:
        return ""
    if when == "none" or (rule.extend != "none" and not _has_enough(rules, game)):
        return ""
    if when == "top" and not is_top(game.points, rule.ties, first, dealer):
        return ""
    return f"seat {dealer}, the dealer, {how} the last hand"
