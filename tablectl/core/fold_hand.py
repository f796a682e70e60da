"""Folding what players do: discards, calls, kongs, tiles set aside, riichi."""

from __future__ import annotations

from typing import Literal

from tablectl.core import advance, facts
from tablectl.core.state import Due, Meld
from tablectl.core.step import OddFact, Step
from tablectl.core.tiles import kind_code
from tablectl.core.turn import Turn


def discarded(step: Step, fact: facts.Discarded) -> None:
    """A seat discarded."""
    _acts(step, fact.seat)
    step.turn("discarded", seat=fact.seat)
    if fact.seat in step.hand.owed:
        step.ask(
            "replacement",
            f"seat {fact.seat} discarded before taking its replacement. Was it forgotten?",
            "it was taken",
            "it was forgotten",
        )


def set_aside(step: Step, fact: facts.SetAside) -> None:
    """A north, red or flower is laid aside; a replacement is owed unless nothing is left."""
    advance.ensure_playing(step)
    advance.check_seat(step, fact.seat)
    advance.turn_of(step, fact.seat)
    hand, rules = step.hand, step.rules
    tile = facts.known(fact.tile)
    kinds = rules.calls.aside
    if not kinds:
        raise OddFact("in this rule no tile is set aside for a replacement")
    if tile is not None:
        _check_aside(step, tile)
    elif len(kinds) == 1:
        tile = kinds[0]
    if hand.life != "flowering":
        step.turn("set_aside", seat=fact.seat)
    advance.assume_taken(step, fact.seat)
    plan = step.plan
    if rules.reserve.policy == "kept" and plan.drawable == 0:
        raise OddFact("after the last draw no tile can be set aside: nothing fills the reserve")
    if plan.replacement is None and rules.reserve.policy != "growing":
        raise OddFact("a tile was set aside, but no replacement is left")
    replaced = hand.life != "last_draws" and plan.replacement is not None
    advance.lay_aside(step, fact.seat, tile or "?", counts=replaced)
    if replaced:
        advance.owe(step, fact.seat)


def called(step: Step, fact: facts.Called) -> None:
    """Chi or pon; of a tile set aside it takes the place of that seat's discard."""
    before = step.hand.turn
    _acts(step, fact.seat)
    advance.check_seat(step, fact.frm)
    if fact.kind == "chi" and not step.rules.calls.chi:
        raise OddFact("this rule has no chi")
    if fact.frm in step.hand.owed and _claims_aside(step, before, fact):
        advance.not_owed(step, fact.frm)
    step.turn(f"called_{fact.kind}", seat=fact.seat, frm=fact.frm)
    meld = Meld(fact.seat, fact.kind, fact.frm, fact.tile, fact.own)
    step.change_hand(melds=(*step.hand.melds, meld))


def kong(step: Step, fact: facts.Kong) -> None:
    """Four of a kind: a replacement is owed, an indicator due where the rule turns one."""
    _acts(step, fact.seat)
    hand, rules = step.hand, step.rules
    if hand.kongs >= rules.calls.kongs:
        raise OddFact(f"{rules.calls.kongs} kongs were declared already, more cannot be")
    timing = _timing(step, fact.kind)
    plan = step.plan
    refuses = rules.calls.kong_unturned == "refused" and rules.reserve.policy == "neighbour"
    if timing != "never" and refuses and plan.next_indicator is None:
        raise OddFact("this kong's indicator cannot be turned any more, so the kong cannot be")
    if rules.reserve.policy == "kept" and plan.drawable == 0:
        raise OddFact("after the last draw there is no kong: nothing fills the reserve")
    if hand.life == "last_draws" or plan.phase == "final":
        raise OddFact("in the last draws there is no kong")
    frm = fact.frm
    if fact.kind == "open" and frm is None:
        frm = hand.turn.seat if hand.turn.word == "window" else None
    step.turn("kong", seat=fact.seat, kong=fact.kind, frm=frm)
    advance.assume_taken(step, fact.seat)
    hand = step.hand
    step.change_hand(
        open_kongs=hand.open_kongs + (fact.kind != "concealed"),
        concealed_kongs=hand.concealed_kongs + (fact.kind == "concealed"),
        due=hand.due if timing == "never" else (*hand.due, timing),
        melds=(*hand.melds, Meld(fact.seat, fact.kind, frm, fact.tile)),
    )
    advance.owe(step, fact.seat)


def riichi(step: Step, fact: facts.Riichi) -> None:
    """Declared in one's own turn, or taken back. A tray sees a stick alone: that sticks are
    gathered after the hand takes nothing back, and which riichi it is people say."""
    sensed = step.entry.origin == "sensor"
    if sensed and fact.taken_back and _over(step):
        return
    advance.ensure_turns(step)
    advance.check_seat(step, fact.seat)
    hand, calls = step.hand, step.rules.calls
    declared = list(hand.riichi)
    if fact.taken_back:
        if declared[fact.seat] is None:
            raise OddFact(f"seat {fact.seat} has no riichi to take back")
        declared[fact.seat] = None
    else:
        if (fact.kind == "fever" and not calls.fever) or (
            fact.kind == "open" and not calls.open_riichi
        ):
            raise OddFact(f"this rule has no {fact.kind} riichi")
        before = declared[fact.seat]
        if before is not None and sensed:
            return
        if before is not None and not (before == "plain" != fact.kind):
            raise OddFact(f"seat {fact.seat} has declared riichi already")
        if before is None:
            step.turn("riichi", seat=fact.seat)
        declared[fact.seat] = fact.kind
    step.change_hand(riichi=tuple(declared))


def dead_hand(step: Step, fact: facts.DeadHand) -> None:
    """A seat may not win or claim any more, or may again."""
    advance.ensure_turns(step)
    advance.check_seat(step, fact.seat)
    dead = step.hand.dead
    if fact.on == (fact.seat in dead):
        raise OddFact(f"the hand of seat {fact.seat} is {'' if fact.on else 'not '}dead already")
    others = tuple(seat for seat in dead if seat != fact.seat)
    step.change_hand(dead=(*others, fact.seat) if fact.on else others)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _over(step: Step) -> bool:
    """Whether no hand is being played: none is dealt yet, or it is won, settled or closed."""
    hand = step.state.hand
    return hand is None or hand.life in ("raised", "won", "revealing", "settling", "closed")


def _acts(step: Step, seat: int) -> None:
    """A seat does something that ends the moment in which a sensed draw can still be told."""
    advance.ensure_turns(step)
    advance.check_seat(step, seat)
    advance.turn_of(step, seat)
    if step.hand.sensed.head or step.hand.sensed.tail:
        step.change_sensed(head=0, tail=0)


def _timing(step: Step, kind: str) -> Due | Literal["never"]:
    rule = step.rules.indicators
    return rule.concealed_kong if kind == "concealed" else rule.open_kong


def _check_aside(step: Step, tile: str) -> None:
    rules = step.rules
    kind = kind_code(tile)
    if kind not in rules.calls.aside:
        raise OddFact(f"{tile} is not set aside in this rule, only {', '.join(rules.calls.aside)}")
    gone = sum(kind_code(other) == kind for hand in step.hand.aside for other in hand)
    there = sum(n for other, n in rules.tiles.items() if kind_code(other.code) == kind)
    if gone >= there:
        raise OddFact(f"all {there} tiles {kind} are set aside already")


def _claims_aside(step: Step, before: Turn, fact: facts.Called) -> bool:
    """Whether a pon is of the tile that its giver has just set aside."""
    if before.word != "untracked":
        return before.word == "aside_window" and before.seat == fact.frm
    tile = facts.known(fact.tile)
    return (
        fact.kind == "pon"
        and tile is not None
        and kind_code(tile) in step.rules.calls.aside
        and "pon" in step.rules.calls.aside_claims
    )
