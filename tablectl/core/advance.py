"""Moving on: the steps that several folds share.

Head and tail advance here; the life is brought to where a fact shows that it must be; what was
owed or due by then is assumed to be done.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from tablectl.core import deadwall
from tablectl.core.geometry import Plan, sides_of
from tablectl.core.hand import LIVES
from tablectl.core.state import Due, Hand, Question, inputs_of, plan_of, quads_in
from tablectl.core.step import OddFact, Step
from tablectl.core.tiles import UNKNOWN, kind_code
from tablectl.core.turn import Turn
from tablectl.core.wall import Position
from tablectl.errors import TablectlError

PLAYED: Final = ("playing", "last_draws", "flowering")
KONGS: Final = ("open", "added", "concealed")
REPLACEMENT: Final = "replacement"
TAKEN: Final = "it was taken"
FORGOTTEN: Final = "it was forgotten"
"""The question whether a replacement was forgotten, and its answers."""


def deal(step: Step, by: str) -> None:
    """The deal is done: the head stands behind it, the dealer draws or acts."""
    hand, rules, base = step.hand, step.rules, step.ground
    step.live("dealt", *(("dice_known",) if step.break_known else ()))
    step.drop_questions("stop")  # the next hand is played
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
    elif life in ("won", "revealing") and step.hand.under_fever:
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
    _made_good(step, seat)
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
    waits = hand.turn.word in ("owed", "aside_window", "kong_window")
    for _ in range(n):
        _made_good(step, hand.turn.seat if waits else None)
    step.change_hand(tail=hand.tail + n)
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
    """What goes on shows that every replacement owed was taken, but for those that were forgotten:
    these are taken when somebody says so."""
    for seat in step.hand.owed:
        if seat not in step.hand.forgotten:
            take_tail(step, seat)
            step.assume(f"seat {seat} took its replacement")


def forgot(step: Step, seat: int) -> None:
    """`seat` has discarded and is owed a replacement still: it was forgotten and people are asked,
    but where discards are told and draws are not it was taken."""
    hand = step.hand
    if hand.discards and not followed(step):
        assume_replacements(step)
    elif seat not in hand.forgotten:
        step.change_hand(forgotten=(*hand.forgotten, seat))
        question = Question(
            f"{REPLACEMENT}:{step.entry.seq}:{seat}",
            f"seat {seat} discarded before taking its replacement. Was it forgotten?",
            step.entry.seq,
            (TAKEN, FORGOTTEN),
        )
        step.change(questions=(*step.state.questions, question))


def replacement_said(step: Step, question: Question, choice: str) -> None:
    """People answer whether a replacement was forgotten: then it can be taken at any time."""
    seat = int(question.id.rpartition(":")[2])
    if choice == TAKEN:
        for _ in range(step.hand.owed.count(seat)):
            take_tail(step, seat)


def turn_of(step: Step, seat: int) -> None:
    """`seat` does something of its own: another seat's kong is over, its indicator turned."""
    hand = step.hand
    konger = next((meld.seat for meld in reversed(hand.melds) if meld.kind in KONGS), None)
    if hand.due and konger != seat:
        assume_indicators(step)


def followed(step: Step) -> bool:
    """Whether every draw of this hand is known: people tell them, or a sensor sees tiles leave."""
    hand = step.hand
    if hand.told or hand.sensed.set_aside:
        return hand.told
    if hand.sensed.gone:
        return True
    sides = sides_of(step.rules, inputs_of(hand))
    counts = zip(sides, hand.sensed.counts, strict=True)
    return any(left is not None and left < side.tiles for side, left in counts)


def owe(step: Step, seat: int, *, for_kong: bool) -> None:
    """`seat` is owed a replacement, unless a sensor has seen it taken already."""
    hand = step.hand
    if hand.sensed.unowed:
        step.change_sensed(unowed=hand.sensed.unowed - 1)
    else:
        step.change_hand(owed=(*hand.owed, seat), for_kong=for_kong)


def still_owed(step: Step, seat: int, least: int) -> bool:
    """Whether so many replacements, none of them forgotten, are owed to `seat`."""
    return seat not in step.hand.forgotten and step.hand.owed.count(seat) >= least


def gave_aside(step: Step, seat: int) -> bool:
    """Whether a seat that is owed a tile is so for one that it has set aside, not for a kong."""
    return bool(step.hand.aside[seat]) and not step.hand.for_kong


def not_owed(step: Step, seat: int) -> None:
    """The tile that `seat` would have replaced was claimed."""
    if seat in step.hand.owed:
        _made_good(step, seat)


def aside_claimed(step: Step, giver: int, tile: str | None) -> str | None:
    """The tile that a seat set aside last is called or won on: it is another's now, is not
    replaced, and makes no four like ones any more. Gives its face as it was told."""
    not_owed(step, giver)
    hand = step.hand
    given = list(hand.aside[giver])
    kinds = [kind_code(one) if one != UNKNOWN else one for one in given]
    known = None if tile in (None, UNKNOWN) else kind_code(tile)
    at = next((n for n in reversed(range(len(given))) if known in (None, kinds[n])), None)
    if at is None:
        return tile
    face = given.pop(at)
    seen = hand.seen if face == UNKNOWN else (*hand.seen, face)
    aside = tuple(tuple(given) if seat == giver else one for seat, one in enumerate(hand.aside))
    fours = step.rules.calls.like_fours
    fewer = quads_in(hand.aside, fours) - quads_in(aside, fours)
    step.change_hand(aside=aside, quads=hand.quads - fewer, seen=seen)
    return face


def _made_good(step: Step, seat: int | None) -> None:
    """One replacement is owed no more: that of `seat`, or the first that was not forgotten."""
    owed, forgotten = list(step.hand.owed), step.hand.forgotten
    if not owed:
        return
    if seat not in owed:
        seat = next((one for one in owed if one not in forgotten), owed[0])
    owed.remove(seat)
    step.change_hand(owed=tuple(owed))
    if seat in forgotten and seat not in owed:
        step.change_hand(forgotten=tuple(one for one in forgotten if one != seat))
        step.change(
            questions=tuple(
                question
                for question in step.state.questions
                if not (
                    question.id.startswith(f"{REPLACEMENT}:") and question.id.endswith(f":{seat}")
                )
            )
        )


def assume_taken(step: Step, seat: int) -> None:
    """`seat` does something that comes after every replacement owed, where nobody follows draws;
    during the opening a seat first sets all its flowers aside. Where draws are told or seen, what
    was not taken is owed still: norths are laid one after the other."""
    hand = step.hand
    if not followed(step) and not (hand.life == "flowering" and set(hand.owed) == {seat}):
        assume_replacements(step)


def plan_once_taken(step: Step, seat: int) -> Plan | None:
    """Where everything is once `seat` has taken what it is owed, None if there is not so much."""
    hand = step.hand
    more = 0 if seat in hand.forgotten else hand.owed.count(seat)
    end = "head" if step.rules.replacements.source == "head" else "tail"
    try:
        return plan_of(step.rules, replace(hand, **{end: getattr(hand, end) + more}))
    except TablectlError:
        return None


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


def timing(step: Step, kind: str) -> Due | Literal["never"]:
    """When a kong of this kind turns its indicator."""
    rule = step.rules.indicators
    return rule.concealed_kong if kind == "concealed" else rule.open_kong


def assume_turned_at_once(step: Step) -> None:
    """Indicators that the rule turns at once lie open by now; later ones are not turned yet."""
    due = step.hand.due
    later = tuple(when for when in due if when != "at_once")
    if len(later) < len(due):
        step.change_hand(turned=step.hand.turned + len(due) - len(later), due=later)
        step.assume("the kong's indicator was turned at once")


def next_indicator(step: Step) -> Position | None:
    """The indicator that a kong declared now would turn, after those that are due."""
    hand, base = step.hand, step.ground
    turned = hand.turned + len(hand.due)
    return deadwall.next_indicator(base.wall, step.rules, base.order, hand.head, turned)


def check_seat(step: Step, seat: int) -> None:
    """Raises OddFact for a seat that does not play."""
    if seat >= step.rules.players:
        raise OddFact(f"there is no seat {seat}: {step.rules.players} play")


def lift_drawn(step: Step, before: Hand | None) -> None:
    """Tiles that lay open on the wall and have been drawn lie there no more; by whom one was drawn
    is known where a single seat drew."""
    hand = step.state.hand
    if hand is None or before is None or not hand.public or hand.head <= before.head:
        return
    base = step.ground
    number, order = base.wall.number, base.order
    drawn = [
        one for one in hand.public if one[0] in number and order.taken(number[one[0]], hand.head)
    ]
    if drawn:
        alone = hand.head == before.head + 1 and hand.turn.word == "act"
        seat = hand.turn.seat if alone else None
        step.change_hand(
            public=tuple(one for one in hand.public if one not in drawn),
            drawn_open=(*hand.drawn_open, *((seat, tile) for _, tile in drawn)),
        )


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
    quads = hand.quads + more_fours(step, seat, tile) * counts
    step.change_hand(aside=_with_aside(hand, seat, tile), quads=quads)


def more_fours(step: Step, seat: int, tile: str) -> int:
    """How many sets of four like tiles this one completes among those the seat has set aside."""
    hand, fours = step.hand, step.rules.calls.like_fours
    return quads_in(_with_aside(hand, seat, tile), fours) - quads_in(hand.aside, fours)


def _with_aside(hand: Hand, seat: int, tile: str) -> tuple[tuple[str, ...], ...]:
    aside = list(hand.aside)
    aside[seat] = (*aside[seat], tile)
    return tuple(aside)
