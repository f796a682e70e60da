"""Folding riichi: declared, of which kind, taken back in time or too late.

A tray sees a stick alone: which riichi it is, people say.
"""

from __future__ import annotations

from typing import Final

from tablectl.core import advance, bounds, facts
from tablectl.core.chart import Odd
from tablectl.core.state import Declared
from tablectl.core.step import OddFact, Step
from tablectl.core.turn import move


def riichi(step: Step, fact: facts.Riichi) -> None:
    """Declared in one's own turn, or taken back. That sticks are gathered after the hand takes
    nothing back."""
    sensed = step.entry.origin == "sensor"
    if sensed and fact.taken_back and _over(step):
        return
    advance.ensure_turns(step)
    advance.check_seat(step, fact.seat)
    before = step.hand.riichi[fact.seat]
    if fact.taken_back:
        _take_back(step, fact.seat, sensed=sensed)
    elif before is None:
        _declare(step, fact, sensed=sensed)
    elif not sensed:
        _say_which(step, fact, before)


def discarded_by(step: Step, seat: int) -> None:
    """A seat has discarded: its own riichi has its discard, one of another is older than that."""
    aged = tuple(
        one._replace(age="discarded" if (one.seat, one.age) == (seat, "declared") else "late")
        for one in step.hand.declared
    )
    if aged != step.hand.declared:
        step.change_hand(declared=aged)


def called_from(step: Step, frm: int | None) -> None:
    """The discard of a seat was called."""
    aged = tuple(
        one._replace(age="called") if one.seat == frm and one.age != "late" else one
        for one in step.hand.declared
    )
    if aged != step.hand.declared:
        step.change_hand(declared=aged)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _declare(step: Step, fact: facts.Riichi, *, sensed: bool) -> None:
    seat, hand, kind = fact.seat, step.hand, fact.kind
    _check_kind(step, kind)
    if why := bounds.why_no_riichi(hand, seat):
        raise OddFact(why)
    others = sum(one is not None for one in hand.riichi)
    if step.rules.riichi.third_open and others >= 2 and kind == "plain":
        if not sensed:
            raise OddFact(f"seat {seat} declared riichi, but the third of a hand must be open")
        kind = "open"
        step.assume("the third riichi of a hand is an open one")
    whys = (
        bounds.why_open(hand, seat),
        "" if sensed or not hand.told else _not_its_turn(step, seat),
        _too_poor(step, seat),
        _too_late(step, seat),
    )
    for why in whys:
        if why and not sensed:
            raise OddFact(why)
        if why:
            step.assume(why)
    made = hand.turn.word == "window" and hand.turn.seat == seat
    if made:
        step.assume(f"seat {seat} declared riichi with the discard that it has made")
    else:
        step.turn("riichi", seat=seat)
    new = Declared(seat, "discarded" if made else "declared", hand.head, sensed)
    step.change_hand(
        riichi=_with(step, seat, kind),
        declared=(*hand.declared, new),
        limits=bounds.without_limit(hand, seat, "riichi"),
    )


def _say_which(step: Step, fact: facts.Riichi, before: str) -> None:
    """A person says of which kind a riichi is that stands already. A fever that is found not
    certain goes on as an open one; a plain one that only a tray has seen can be any."""
    seat, hand = fact.seat, step.hand
    _check_kind(step, fact.kind)
    known = _declared(step, seat)
    if (before, fact.kind) == ("fever", "open"):
        if any(win.seat == seat for win in hand.wins):
            raise OddFact(f"seat {seat} has won under fever already")
    elif before != "plain" or fact.kind == "plain":
        raise OddFact(f"seat {seat} has declared riichi already")
    elif not known.sensed and _age(step, known) == "late":
        raise OddFact(
            f"seat {seat} has declared riichi already, and the next discard is made: it can be"
            f" {_AS[fact.kind]} no more"
        )
    step.change_hand(riichi=_with(step, seat, fact.kind))


_AS = {"open": "opened", "fever": "made a fever"}


def _take_back(step: Step, seat: int, *, sensed: bool) -> None:
    hand, rule = step.hand, step.rules.riichi
    if hand.riichi[seat] is None:
        raise OddFact(f"seat {seat} has no riichi to take back")
    if rule.take_back == "never":
        raise OddFact(f"seat {seat} took its riichi back, but in this rule nobody can")
    late = ""
    if rule.take_back != "any":
        age = _age(step, _declared(step, seat))
        if age == "late":
            late = "the next discard is made"
        elif age == "called" and rule.take_back == "uncalled":
            late = "its discard was called"
        elif hand.turn.word == "untracked":
            step.assume(f"seat {seat} took its riichi back in time")
    if late:
        why = f"seat {seat} took its riichi back too late: {late}"
        if sensed or seat in hand.dead:
            raise OddFact(why)
        step.assume(f"{why}. Its hand is dead")
        step.change_hand(dead=(*hand.dead, seat))
        return
    limits = hand.limits
    if rule.after_take_back != "free":
        limits = bounds.with_limit(hand, seat, rule.after_take_back)
    step.note(_cost(step, seat))
    step.change_hand(
        riichi=_with(step, seat, None),
        declared=tuple(one for one in hand.declared if one.seat != seat),
        limits=limits,
    )


_MAY_WIN: Final = {
    "self_draw": "From now on it can win by a self-draw only",
    "riichi": "It can win only after a new one",
    "free": "It can win as before",
}


def _cost(step: Step, seat: int) -> str:
    """What a riichi taken back costs, and how the seat can win after it."""
    rule = step.rules.riichi
    points = rule.take_back_points
    costs = f"it costs {points:,} points" if points else "it costs nothing"
    return f"seat {seat} took its riichi back: {costs}. {_MAY_WIN[rule.after_take_back]}"


def _over(step: Step) -> bool:
    """Whether no hand is being played: none is dealt yet, or it is won, settled or closed."""
    hand = step.state.hand
    return hand is None or hand.life in ("raised", "won", "revealing", "settling", "closed")


def _check_kind(step: Step, kind: str) -> None:
    calls = step.rules.calls
    if not step.rules.riichi.played:
        raise OddFact("this rule has no riichi")
    if (kind == "fever" and not calls.fever) or (kind == "open" and not calls.open_riichi):
        raise OddFact(f"this rule has no {kind} riichi")


def _not_its_turn(step: Step, seat: int) -> str:
    """Why the seat cannot declare now: it is another's turn, where all draws are told."""
    turn = step.hand.turn
    if turn.seat in (None, seat):
        return ""
    found = move(turn, "riichi", seat=seat, players=step.rules.players)
    return found.sentence if isinstance(found, Odd) else ""


def _too_poor(step: Step, seat: int) -> str:
    """Why the seat has not enough for a riichi; nothing where the game goes without points."""
    game, least = step.state.game, step.rules.riichi.least_points
    if game is None or not game.start or game.points[seat] >= least:
        return ""
    return f"seat {seat} declared riichi with {game.points[seat]} points, but it takes {least}"


def _too_late(step: Step, seat: int) -> str:
    least = step.rules.riichi.least_draws
    if not least or step.plan.drawable >= least:
        return ""
    left = step.plan.drawable
    return f"seat {seat} declared riichi with {left} tiles left to draw, but it takes {least}"


def _with(step: Step, seat: int, kind: str | None) -> tuple[str | None, ...]:
    declared = list(step.hand.riichi)
    declared[seat] = kind
    return tuple(declared)


def _declared(step: Step, seat: int) -> Declared:
    return next(one for one in step.hand.declared if one.seat == seat)


def _age(step: Step, one: Declared) -> str:
    """How old a riichi is: by what was told, and by draws where they are all known. The next seat
    draws before it discards; where the discard was called nobody does."""
    hand = step.hand
    between = hand.head - one.head - (one.age != "called")
    return "late" if between > 0 and advance.followed(step) else one.age
