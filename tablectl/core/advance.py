"""Moving on: the steps that several folds share.

Head and tail advance here; the life is brought to where a fact shows that it must be; what was
owed or due by then is assumed to be done.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.hand import LIVES
from tablectl.core.state import quads_in
from tablectl.core.step import OddFact, Step
from tablectl.core.turn import Turn

PLAYED: Final = ("playing", "last_draws", "flowering")
KONGS: Final = ("open", "added", "concealed")


def deal(step: Step, by: str) -> None:
    """The deal is done: the head stands behind it, the dealer draws or acts."""
    hand, rules, base = step.hand, step.rules, step.ground
    step.live("dealt", *(("dice_known",) if step.break_known else ()))
    first = rules.dealing.first_draw == "dealt" and by not in ("record", "machine")
    head = 0 if hand.machine_dealt else base.deal.tiles + first
    step.change_hand(by=by, head=head, turn=Turn())
    step.turn("dealt", seat=hand.dealer, first_tile=head > base.deal.tiles)


def open_as_thrown(step: Step, *, loud: bool) -> None:
    """Open the wall where the dice say, if nobody has said how it was opened."""
    if step.hand.life != "raised":
        return
    if not step.break_known:
        raise OddFact("neither the dice nor the break of this hand are known")
    if loud and step.hand.broke is None:
        step.assume("the wall was opened where the dice say")


def ensure_playing(step: Step) -> None:
    """Bring the hand's life to play where the fact at hand shows that it must be there."""
    life = step.hand.life
    if life in ("raised", "opened"):
        open_as_thrown(step, loud=True)
        step.assume("the hands were dealt")
        deal(step, "people")
    life = step.hand.life
    if life == "dealt":
        step.live("play" if step.rules.gold.turned == "none" else "flowers_begin")
    elif life in ("won", "revealing") and fever(step):
        trigger = "no_reveal" if life == "won" else "reveal_over"
        step.live(trigger, "fever")
        # The next to draw comes after the seat that gave the tile, the winner for a self-draw.
        step.turn("fever_on", seat=(step.hand.wins[-1].frm + 1) % step.rules.players)
        _final(step)
    life = step.hand.life
    if life not in PLAYED:
        raise OddFact(f"play was told, but {LIVES[life]}")


def ensure_turns(step: Step) -> None:
    """The same for a fact that comes only after the opening: the gold must have been turned."""
    ensure_playing(step)
    if step.hand.life == "flowering":
        assume_replacements(step)
        step.live("gold")
        take_gold(step)
        step.assume("the gold was turned")
        begin_turns(step)


def begin_turns(step: Step) -> None:
    """After the opening with flowers the dealer, who has the first tile, is the first to act."""
    step.change_hand(turn=Turn())
    step.turn("dealt", seat=step.hand.dealer, first_tile=True)


def fever(step: Step) -> bool:
    """Whether a winner plays on under fever."""
    hand = step.hand
    return any(hand.riichi[win.seat] == "fever" for win in hand.wins)


def take_head(step: Step) -> None:
    """One tile leaves the head."""
    hand = step.hand
    if step.plan.drawable <= 0:
        raise OddFact("a tile was drawn, but nothing is left to draw")
    step.change_hand(head=hand.head + 1)
    absorb(step)


def take_tail(step: Step, seat: int | None = None) -> None:
    """One replacement is taken, by `seat` where known."""
    hand = step.hand
    owed = list(hand.owed)
    if owed:
        owed.remove(seat if seat in owed else owed[0])
        step.change_hand(owed=tuple(owed))
    if step.plan.replacement is None:
        raise OddFact("a replacement was taken, but none is left")
    if step.rules.replacements.source == "head":
        step.change_hand(head=hand.head + 1)
    else:
        step.change_hand(tail=hand.tail + 1)
    absorb(step)


def take_gold(step: Step) -> None:
    """The next replacement is turned as gold, unless a sensor has seen it leave already."""
    sensed = step.hand.sensed
    if sensed.unowed:
        step.change_sensed(unowed=sensed.unowed - 1, tail=max(0, sensed.tail - 1))
    else:
        take_tail(step)


def sensed_tail(step: Step, n: int) -> None:
    """A sensor saw n replacements taken: those owed first, others wait for the word what for."""
    hand = step.hand
    unowed = hand.sensed.unowed + max(0, n - len(hand.owed))
    step.change_hand(tail=hand.tail + n, owed=hand.owed[n:])
    step.change_sensed(tail=hand.sensed.tail + n, unowed=unowed)


def tail_back(step: Step, n: int) -> None:
    """A sensor saw n replacements come back: those that nobody has said what for, then such as are
    owed again. Who took them is known as far as the turn is; one of them is owed it in any case."""
    hand, sensed = step.hand, step.hand.sensed
    again = max(0, n - sensed.unowed)
    seat = hand.dealer if hand.turn.seat is None else hand.turn.seat
    step.change_hand(tail=hand.tail - n, owed=(*hand.owed, *(seat,) * again), turn=Turn())
    step.change_sensed(tail=max(0, sensed.tail - n), unowed=max(0, sensed.unowed - n))


def assume_replacements(step: Step) -> None:
    """What goes on shows that every replacement owed was taken."""
    for seat in step.hand.owed:
        take_tail(step, seat)
        step.assume(f"seat {seat} took its replacement")


def turn_of(step: Step, seat: int) -> None:
    """`seat` does something of its own: another seat's kong is over, its indicator turned."""
    hand = step.hand
    konger = next((meld.seat for meld in reversed(hand.melds) if meld.kind in KONGS), None)
    if hand.due and konger != seat:
        assume_indicators(step)


def owe(step: Step, seat: int) -> None:
    """`seat` is owed a replacement, unless a sensor has seen it taken already."""
    hand = step.hand
    if hand.sensed.unowed:
        step.change_sensed(unowed=hand.sensed.unowed - 1)
    else:
        step.change_hand(owed=(*hand.owed, seat))


def not_owed(step: Step, seat: int) -> None:
    """The tile that `seat` would have replaced was claimed."""
    owed = list(step.hand.owed)
    if seat in owed:
        owed.remove(seat)
        step.change_hand(owed=tuple(owed))


def assume_taken(step: Step, seat: int) -> None:
    """`seat` does something that comes after every replacement owed, where draws are not told one
    by one; during the opening a seat first sets all its flowers aside."""
    hand = step.hand
    if not hand.told and not (hand.life == "flowering" and set(hand.owed) == {seat}):
        assume_replacements(step)


def turn_boundary(step: Step) -> None:
    """The next turn begins: what the last one owed is turned, the last draws may begin."""
    assume_indicators(step)
    _final(step)


def _final(step: Step) -> None:
    """The last draws begin where few enough tiles are left."""
    final = step.rules.reserve.final
    if final and step.hand.life == "playing" and step.plan.drawable <= final:
        step.live("final", "final_rule")


def assume_indicators(step: Step) -> None:
    """What goes on shows that every indicator due was turned."""
    due = step.hand.due
    if due:
        step.change_hand(turned=step.hand.turned + len(due), due=())
        step.assume(
            "the kong's indicator was turned"
            if len(due) == 1
            else "the kongs' indicators were turned"
        )


def check_seat(step: Step, seat: int) -> None:
    """Raises OddFact for a seat that does not play."""
    if seat >= step.rules.players:
        raise OddFact(f"there is no seat {seat}: {step.rules.players} play")


def absorb(step: Step) -> None:
    """Tiles that sensors saw leaving too early are counted once the end has come up to them."""
    while step.hand.sensed.early:
        hand, base = step.hand, step.ground
        tail = base.wall.tail(step.rules.replacements.first)
        after_head = base.order.p(hand.head)
        after_tail = tail[hand.tail].p if hand.tail < len(tail) else -1
        if after_head in hand.sensed.early and step.plan.drawable > 0:
            step.change_sensed(early=hand.sensed.early - {after_head}, head=hand.sensed.head + 1)
            step.change_hand(head=hand.head + 1)
        elif after_tail in hand.sensed.early and step.plan.replacement is not None:
            step.change_sensed(early=hand.sensed.early - {after_tail})
            sensed_tail(step, 1)
        else:
            return


def lay_aside(step: Step, seat: int, tile: str, *, counts: bool) -> None:
    """One more tile set aside; four like ones count unless nothing replaces the last of them."""
    hand = step.hand
    aside = list(hand.aside)
    aside[seat] = (*aside[seat], tile)
    more = quads_in(tuple(aside)) - quads_in(hand.aside)
    step.change_hand(aside=tuple(aside), quads=hand.quads + more * counts)
