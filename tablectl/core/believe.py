"""Reading sensors: what a fall of counts means, who is believed, what to ask.

Counts and presence are absolute. A reading is compared with what head H and tail T predict for
each side; the only pairs (H, T) considered are those that predict it on every side that has
spoken, so which end a tile left from follows from where it is missing. Only where both ends stand
on one side does that leave a choice: it is taken from what was set aside or konged since.

A person's word beats sensors: one that contradicts it is set aside until walls rise again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from tablectl.core import advance, facts
from tablectl.core.dealing import HeadOrder
from tablectl.core.geometry import Ground, sides_of
from tablectl.core.state import Hand, inputs_of
from tablectl.core.step import OddFact, Step
from tablectl.core.turn import Turn
from tablectl.core.wall import SIDES, Break, Place, Side, Wall

_READ_IN = ("raised", "opened", "dealt", "flowering", "playing", "last_draws", "won", "revealing")
_BEFORE_DEAL = ("raised", "opened")


# ── facts of sensors ────────────────────────────────────────────────────────────────────────────


def count(step: Step, fact: facts.CountLeft) -> None:
    """Tiles left on one side."""
    if _not_read(step, "counts_live", fact.side):
        return
    _new_counts(step, {fact.side: fact.left})


def observed(step: Step, fact: facts.Observed) -> None:
    """A snapshot's counts, or which places of a side have a tile."""
    counts, side, places = fact.counts, fact.side, fact.places
    if fact.of == "snapshot" and counts is not None:
        if len(counts) != SIDES:
            raise OddFact(f"a snapshot counts {SIDES} sides, not {len(counts)}")
        if not _not_read(step, "counts_live", None):
            _new_counts(step, {s: left for s, left in enumerate(counts) if left is not None})
    if fact.of == "presence" and side is not None and places is not None:
        if _not_read(step, "presence_live", side):
            return
        _presence(step, side, frozenset(places))


def taken(step: Step, fact: facts.Taken) -> None:
    """A tile left its place."""
    if fact.place.row == "on" or _not_read(step, "presence_live", fact.place.side):
        return
    _leave(step, _number(step, fact.place))


def put_back(step: Step, fact: facts.PutBack) -> None:
    """The tile taken last from an end came back."""
    if fact.place.row == "on" or _not_read(step, "presence_live", fact.place.side):
        return
    p = _number(step, fact.place)
    known = step.hand.sensed.gone | step.hand.sensed.early
    _come_back(step, {p})
    if p not in known and step.hand.life in _BEFORE_DEAL:
        raise OddFact("a tile was put back where none was taken")


def elapsed(step: Step, fact: facts.Elapsed) -> None:
    """The walls have rested since the dealing began: the hands are dealt."""
    hand = step.state.hand
    if fact.what != "rest" or hand is None or hand.life not in _BEFORE_DEAL:
        return
    if step.break_known and (hand.sensed.gone or _gone_by_count(step)):
        _begin(step)
        step.assume("the hands were dealt")
        _dealt_by_places(step)
        _reconcile(step)


# ── shared with the folds ───────────────────────────────────────────────────────────────────────


def sides(step: Step) -> tuple[Side, ...]:
    """The sides of the open hand's walls."""
    return sides_of(step.rules, inputs_of(step.hand))


def contradicts(step: Step, *, head: int | None = None, tail: int | None = None) -> bool:
    """Whether sensors have seen more tiles gone than a person's word allows."""
    hand = step.hand
    if hand.sensed.set_aside:
        return False
    base = step.ground
    head = hand.head if head is None else head
    tail = hand.tail if tail is None else tail
    places = base.wall.tail(step.rules.replacements.first)
    back = {position.p for position in places[:tail]}
    unexplained = any(not base.order.taken(p, head) and p not in back for p in hand.sensed.gone)
    predicted = left_by_side(base, step.rules.replacements.first, head, tail)
    seen = hand.sensed.counts
    return unexplained or any(n is not None and n < predicted[side] for side, n in enumerate(seen))


def ask_contradiction(step: Step, what: str) -> None:
    """Ask about sensors that contradict what a person said of `what`."""
    step.ask(
        "sensor",
        f"the sensors have seen more tiles gone than {what} allows; the person is believed and"
        " the sensors are not read until walls rise again. Is the touch right?",
        "the touch is right",
        "undo the touch",
    )


def left_by_side(base: Ground, first: str, head: int, tail: int) -> tuple[int, ...]:
    """Tiles left on each side after `head` tiles from the head and `tail` from the tail."""
    heads, tails, whole = _prefixes(base.wall, base.order, first)
    return tuple(whole[s] - heads[head][s] - tails[tail][s] for s in range(SIDES))


# ── counts ──────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=256)
def _prefixes(
    wall: Wall, order: HeadOrder, first: str
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]], tuple[int, ...]]:
    """Tiles gone by side after each number of draws from the head and from the tail."""
    along = [wall.order[order.p(k)].side for k in range(wall.tiles)]
    back = [position.side for position in wall.tail(first)]
    heads, tails = _running(along), _running(back)
    return heads, tails, heads[-1]


def _running(order: Sequence[int]) -> list[tuple[int, ...]]:
    gone = [0] * SIDES
    table = [tuple(gone)]
    for side in order:
        gone[side] += 1
        table.append(tuple(gone))
    return table


def _new_counts(step: Step, seen: dict[int, int]) -> None:
    whole = [side.tiles for side in sides(step)]
    for side, left in seen.items():
        if left > whole[side]:
            raise OddFact(f"side {side} counts {left} tiles, but {whole[side]} came up there")
    counts = tuple(seen.get(side, old) for side, old in enumerate(step.hand.sensed.counts))
    step.change_sensed(counts=counts)
    if step.hand.life in _BEFORE_DEAL:
        _dealing(step)
    elif step.hand.life in ("dealt", "flowering", "playing", "last_draws") or step.hand.under_fever:
        _reconcile(step)


def _gone_by_count(step: Step) -> int:
    whole = [side.tiles for side in sides(step)]
    seen = step.hand.sensed.counts
    return sum(whole[side] - n for side, n in enumerate(seen) if n is not None)


def _dealing(step: Step) -> None:
    """A fall before the deal is done is dealing in progress."""
    gone = _gone_by_count(step)
    if not step.break_known or gone == 0 or step.hand.machine_dealt:
        if step.hand.machine_dealt and gone and step.break_known:
            advance.ensure_playing(step)
            _reconcile(step)
        return
    _begin(step)
    deal, rules = step.ground.deal, step.rules
    if gone < deal.tiles + (rules.dealing.first_draw == "dealt"):
        return
    _opened_elsewhere(step, gone)
    advance.deal(step, "people")
    _reconcile(step)


def _begin(step: Step) -> None:
    if step.hand.life == "raised":
        step.live("opened")


def _opened_elsewhere(step: Step, gone: int) -> None:
    """If the counts show another break than the dice, the break was made there."""
    hand, rules = step.hand, step.rules
    if hand.broke is not None or None in hand.sensed.counts:
        return
    first = rules.replacements.first
    if left_by_side(step.ground, first, gone, 0) == hand.sensed.counts:
        return
    found = []
    for side, wall in enumerate(sides(step)):
        for after in range(wall.columns):
            step.change_hand(broke=Break(side, after))
            if left_by_side(step.ground, first, gone, 0) == hand.sensed.counts:
                found.append(Break(side, after))
    step.change_hand(broke=None)
    if len(found) == 1:
        step.change_hand(broke=found[0])
        step.assume(
            f"the wall was opened on side {found[0].side} after {found[0].after} columns,"
            " as the counts show, not where the dice say"
        )
    else:
        _ask_counts(step)


def _reconcile(step: Step) -> None:
    """Find head and tail that predict every count, and go there."""
    hand, rules, base = step.hand, step.rules, step.ground
    first, seen = rules.replacements.first, hand.sensed.counts
    now = left_by_side(base, first, hand.head, hand.tail)
    if all(n is None or n == now[side] for side, n in enumerate(seen)):
        step.drop_questions("counts")
        return
    left = sum(now[side] if n is None else n for side, n in enumerate(seen))
    gone = base.wall.tiles - left
    fits = [
        tail
        for tail in range(max(0, hand.tail - 4), min(gone, hand.tail + gone) + 1)
        if _possible(step, gone - tail, tail)
        and all(
            n is None or n == predicted
            for n, predicted in zip(seen, left_by_side(base, first, gone - tail, tail), strict=True)
        )
    ]
    # Replacements owed are taken before the next tile is drawn from the head.
    more = gone - hand.head - hand.tail
    awaited = [seat for seat in hand.owed if seat not in hand.forgotten]
    wanted = hand.tail + max(0, min(more, len(awaited)))
    opening = rules.gold.turned != "none" and hand.life in ("dealt", "flowering")
    if opening and hand.head > base.deal.tiles:
        wanted = gone - hand.head
    if len(fits) == 1 or wanted in fits:
        tail = wanted if wanted in fits else fits[0]
        step.drop_questions("counts")
        _advance(step, gone - tail, tail)
    else:
        _ask_counts(step)


def _possible(step: Step, head: int, tail: int) -> bool:
    hand, base, rules = step.hand, step.ground, step.rules
    least = 0 if hand.machine_dealt else base.deal.tiles
    most = rules.replacements.count or base.wall.tiles
    return least <= head <= base.wall.tiles - tail and tail <= most


def _advance(step: Step, head: int, tail: int) -> None:
    """Head and tail as a sensor counts them; draws it saw before people told them are noted."""
    hand = step.hand
    more_head, more_tail = head - hand.head, tail - hand.tail
    if more_head > 0:
        advance.ensure_playing(step)
        advance.turn_boundary(step)
    sensed = step.hand.sensed
    step.change_hand(head=head)
    step.change_sensed(head=max(0, sensed.head + more_head))
    if more_tail > 0:
        advance.sensed_tail(step, more_tail)
    elif more_tail < 0:
        advance.tail_back(step, -more_tail)
    _conclude_turn(step, more_head, more_tail)


def _ask_counts(step: Step) -> None:
    seen = ", ".join(
        f"side {side}: {n}" for side, n in enumerate(step.hand.sensed.counts) if n is not None
    )
    step.assume("the counts of the sides do not agree with one way of drawing yet")
    step.drop_questions("counts")
    step.ask(
        "counts",
        f"the sensors count {seen}, which no way of drawing explains. Touch the column of the next"
        " draw.",
        "set the sensors aside",
    )


# ── single places ───────────────────────────────────────────────────────────────────────────────


def _presence(step: Step, side: int, there: frozenset[Place]) -> None:
    if not step.break_known:
        return  # before the wall is opened a look at it says nothing of draws
    wall = step.ground.wall
    here = [position for position in wall.order if position.side == side]
    gone = {position.p for position in here if position.place not in there}
    back = {p for p in step.hand.sensed.gone if wall.order[p].side == side} - gone
    _come_back(step, back)
    for p in sorted(gone - step.hand.sensed.gone):
        _leave(step, p)


def _leave(step: Step, p: int) -> None:
    """The tile at p is gone: the next draw, the next replacement, or one that was told."""
    hand, base, rules = step.hand, step.ground, step.rules
    if p in hand.sensed.gone:
        raise OddFact("that tile had left its place already")
    step.change_sensed(gone=hand.sensed.gone | {p})
    if hand.life in _BEFORE_DEAL and not hand.machine_dealt:
        _deal_by_places(step)
        return
    tail = base.wall.tail(rules.replacements.first)
    told = base.order.taken(p, hand.head) or any(q.p == p for q in tail[: hand.tail])
    if told:
        return
    if hand.life in ("won", "revealing", "settling", "closed") and not step.hand.under_fever:
        return
    advance.ensure_playing(step)
    hand = step.hand
    if base.order.p(hand.head) == p and _drawable_after_due(step):
        advance.turn_boundary(step)
        step.change_hand(head=step.hand.head + 1)
        step.change_sensed(head=step.hand.sensed.head + 1)
        _conclude_turn(step, 1, 0)
    elif hand.tail < len(tail) and tail[hand.tail].p == p and step.plan.replacement is not None:
        advance.sensed_tail(step, 1)
        _conclude_turn(step, 0, 1)
    else:
        step.change_sensed(early=step.hand.sensed.early | {p})
        step.assume("a tile left its place before its turn")
        return
    advance.absorb(step)


def _drawable_after_due(step: Step) -> bool:
    """Whether a tile is left to draw once the indicators due are turned."""
    drawable = step.plan.drawable
    if step.rules.reserve.policy == "neighbour":
        drawable -= 2 * len(step.hand.due)
    return drawable > 0


def _deal_by_places(step: Step) -> None:
    """Tiles leave one by one while the hands are dealt."""
    if not step.break_known:
        return
    hand, deal, rules = step.hand, step.ground.deal, step.rules
    _begin(step)
    wanted = set().union(*deal.hands)
    if rules.dealing.first_draw == "dealt":
        wanted.add(deal.first)
    if wanted <= hand.sensed.gone:
        _dealt_by_places(step)


def _dealt_by_places(step: Step) -> None:
    """The deal is done; what else was seen leaving by then are draws."""
    advance.deal(step, "people")
    hand, base = step.hand, step.ground
    more = {p for p in hand.sensed.gone if not base.order.taken(p, hand.head)}
    step.change_sensed(gone=hand.sensed.gone - more)
    for p in sorted(more):
        _leave(step, p)


def _come_back(step: Step, back: Collection[int]) -> None:
    """Tiles lie again where they had left: those taken last from an end undo their draw. Raises
    OddFact if one was neither taken last, nor too early, nor in the dealing."""
    left = set(back)
    sensed = step.hand.sensed
    free = left & sensed.early if step.hand.life not in _BEFORE_DEAL else set(left)
    step.change_sensed(gone=sensed.gone - left, early=sensed.early - left)
    left -= free
    tail = step.ground.wall.tail(step.rules.replacements.first)
    while left:
        hand, order = step.hand, step.ground.order
        if hand.head > 0 and order.p(hand.head - 1) in left:
            left.remove(order.p(hand.head - 1))
            step.change_sensed(head=max(0, hand.sensed.head - 1))
            step.change_hand(head=hand.head - 1, turn=Turn())
        elif hand.tail > 0 and tail[hand.tail - 1].p in left:
            left.remove(tail[hand.tail - 1].p)
            advance.tail_back(step, 1)
        else:
            raise OddFact("a tile was put back where none was taken last")


def _conclude_turn(step: Step, from_head: int, from_tail: int) -> None:
    """A sensor saw a draw: it was the seat whose draw could come, if that is known."""
    hand = step.hand
    turn, players = hand.turn, step.rules.players
    seat = None
    if turn.seat is not None:
        if (from_head, from_tail) == (1, 0) and turn.word in ("draw_due", "window"):
            seat = turn.seat if turn.word == "draw_due" else (turn.seat + 1) % players
        elif (from_head, from_tail) == (0, 1) and turn.word in (
            "owed",
            "aside_window",
            "kong_window",
        ):
            seat = turn.seat
    if seat is None:
        if turn != Turn():
            step.change_hand(turn=Turn())
        return
    more = advance.still_owed(step, seat, 1)
    step.turn("drawn", seat=seat, end="live" if from_head else "tail", more_owed=more)


def _number(step: Step, place: Place) -> int:
    p = step.ground.wall.number.get(place)
    if p is None:
        raise OddFact(
            f"no tile of these walls stood at side {place.side}, column {place.column}, {place.row}"
        )
    return p


def _not_read(step: Step, ability: str, side: int | None) -> bool:
    """Whether this reading has nothing to say: no hand to read it for, walls that are going down
    under it, or set aside by people."""
    hand: Hand | None = step.state.hand
    if hand is None or hand.life not in _READ_IN or hand.sensed.set_aside:
        return True
    if step.state.deal is None:
        return True
    ignored = step.state.machine.ignored
    return (ability, None) in ignored or (ability, side) in ignored
