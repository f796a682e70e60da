"""Folding what happens to the walls: the break, the deal, draws, replacements, touches.

What people and records say. What sensors see of the same tiles is reconciled in `believe`.
"""

from __future__ import annotations

from dataclasses import replace

from tablectl.core import advance, believe, facts
from tablectl.core.facts import End
from tablectl.core.geometry import head_before
from tablectl.core.hand import LIVES
from tablectl.core.step import OddFact, Step
from tablectl.core.turn import Turn
from tablectl.core.wall import Break, settled


def dice(step: Step, fact: facts.Dice) -> None:
    """Before the break: its dice. After a win: kept for what is paid by dice."""
    hand, rule = step.hand, step.rules.breaking
    if hand.life in ("won", "revealing", "settling"):
        account = replace(hand.account, dice=(*hand.account.dice, fact.pips))
        step.change_hand(account=account)
        return
    if hand.life != "raised":
        raise OddFact(f"dice were thrown, but {LIVES[hand.life]}")
    if len(fact.pips) != rule.dice:
        raise OddFact(f"{len(fact.pips)} dice were read, but this rule throws {rule.dice} at once")
    step.live("dice")
    whole = rule.dice * rule.throws
    thrown = hand.dice
    if len(thrown) == whole:
        step.assume("the dice were thrown again; the later throw counts")
        thrown = ()
    step.change_hand(dice=(*thrown, *fact.pips))


def opened(step: Step, fact: facts.Opened) -> None:
    """The break as it was made."""
    sides = believe.sides(step)
    settled(sides, fact.side, fact.after)
    step.live("opened")
    step.change_hand(broke=Break(fact.side, fact.after))


def dealt(step: Step, fact: facts.Dealt) -> None:
    """The hands are dealt; who does it says whether the first draw is among them."""
    advance.open_as_thrown(step, loud=fact.by == "people")
    advance.deal(step, fact.by)


def drawn(step: Step, fact: facts.Drawn) -> None:
    """A seat drew from the head or took a replacement."""
    untouched = step.hand.life in ("raised", "opened", "dealt")
    advance.ensure_playing(step)
    advance.check_seat(step, fact.seat)
    hand = step.hand
    if untouched and hand.turn == Turn("act", fact.seat) and fact.end != "tail":
        # The deal has brought the dealer's first tile already; this says which it is.
        step.change_hand(told=True)
        return
    end = fact.end or _end_of(step, fact.seat)
    if hand.sensed.tail if end == "tail" else hand.sensed.head:
        # A sensor has seen this draw already; a person says whose it was.
        sensed = hand.sensed
        left = {"tail": sensed.tail - 1} if end == "tail" else {"head": sensed.head - 1}
        step.change_sensed(**left)
        waits = end == "tail" and advance.still_owed(step, fact.seat, 1)
        step.change_hand(told=True, turn=Turn("owed" if waits else "act", fact.seat))
        return
    if end == "tail" and _makes_good(step, fact.seat):
        advance.take_tail(step, fact.seat)
        step.change_hand(told=True)
        return
    if end == "tail" and _not_replaced(step, fact.seat):
        raise OddFact(
            f"seat {fact.seat} drew a replacement, but in the last draws nothing is replaced"
        )
    _check_open_face(step, fact, end)
    first = hand.turn.word == "draw_due" and hand.head == _least_head(step)
    if end == "live" and not first:
        advance.ensure_turns(step)
        advance.turn_boundary(step)
    if first or step.hand.life != "flowering":
        more = advance.still_owed(step, fact.seat, 2)
        step.turn("drawn", seat=fact.seat, end=end, more_owed=more)
    if end == "tail":
        advance.take_tail(step, fact.seat)
    else:
        advance.take_head(step)
    step.change_hand(told=True)


def head_at(step: Step, fact: facts.HeadAt) -> None:
    """A touch says where the next draw lies: everything before it is gone, and what was owed or
    due by then is taken and turned."""
    advance.ensure_turns(step)
    advance.assume_replacements(step)
    advance.assume_indicators(step)
    hand = step.hand
    head = head_before(step.ground, fact.place, hand.sides)
    if head < _least_head(step):
        raise OddFact("the next draw was touched among the tiles of the deal")
    contradicted = believe.contradicts(step, head=head)
    if head != hand.head:
        step.change_hand(head=head, turn=Turn())
    step.change_sensed(head=0, tail=0, set_aside=hand.sensed.set_aside or contradicted)
    advance.turn_boundary(step)
    if contradicted:
        believe.ask_contradiction(step, "the place of the next draw")


def tail_count(step: Step, fact: facts.TailCount) -> None:
    """A person counts the replacements taken."""
    advance.ensure_playing(step)
    hand = step.hand
    contradicted = believe.contradicts(step, tail=fact.n)
    step.change_hand(tail=fact.n, owed=(), forgotten=())
    step.drop_questions(advance.REPLACEMENT)
    step.change_sensed(tail=0, set_aside=hand.sensed.set_aside or contradicted)
    if contradicted:
        believe.ask_contradiction(step, "the number of replacements")


def _least_head(step: Step) -> int:
    hand, base = step.hand, step.ground
    return 0 if hand.machine_dealt else base.deal.tiles


def _end_of(step: Step, seat: int) -> End:
    """From which end a seat drew if nobody said so: what it is owed comes first, unless that was
    forgotten and its turn has come round."""
    hand, players = step.hand, step.rules.players
    turns = (Turn("draw_due", seat), Turn("window", (seat - 1) % players))
    if seat not in hand.owed or (seat in hand.forgotten and hand.turn in turns):
        return "live"
    return "tail"


def _not_replaced(step: Step, seat: int) -> bool:
    """Whether nothing is replaced any more; what was owed before the last draws is taken still."""
    kept = step.rules.reserve.final_flower == "kept"
    return step.hand.life == "last_draws" and kept and seat not in step.hand.owed


def _makes_good(step: Step, seat: int) -> bool:
    """Whether a replacement is one that the seat had forgotten: it changes nobody's turn."""
    hand = step.hand
    waits = hand.turn.seat == seat and hand.turn.word in ("owed", "aside_window", "kong_window")
    return seat in hand.forgotten and not waits


def _check_open_face(step: Step, fact: facts.Drawn, end: End) -> None:
    """A tile that lay open on the wall is the one that was drawn."""
    hand, plan, tile = step.hand, step.plan, facts.known(fact.tile)
    if end != "live" or tile is None or not hand.public or plan.next_draw is None:
        return
    there = hand.face(plan.next_draw.place)
    if there is not None and "?" != there != tile:
        step.assume(f"{tile} was drawn where {there} lay open")
