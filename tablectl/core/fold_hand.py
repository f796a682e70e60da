"""Folding what players do: discards, calls, kongs, tiles set aside, hands that are dead."""

from __future__ import annotations

from tablectl.core import advance, bounds, facts, fold_riichi, fold_tiles
from tablectl.core.state import Meld
from tablectl.core.step import OddFact, Step
from tablectl.core.tiles import kind_code
from tablectl.core.turn import Turn


def discarded(step: Step, fact: facts.Discarded) -> None:
    """A seat discarded; to the river of tiles set aside it sets one aside."""
    if fact.to == "aside":
        set_aside(step, facts.SetAside(seat=fact.seat, tile=fact.tile))
        return
    _acts(step, fact.seat)
    tile = facts.known(fact.tile)
    calls, gold = step.rules.calls, step.rules.gold
    if tile is not None and not calls.aside_river and kind_code(tile) in calls.aside:
        raise OddFact(f"seat {fact.seat} discarded {tile}, but in this rule it is only set aside")
    step.turn("discarded", seat=fact.seat)
    if fact.seat in step.hand.owed:
        advance.forgot(step, fact.seat)
    fold_riichi.discarded_by(step, fact.seat)
    hand = step.hand
    bound = gold.discarder == "self_draw" and bounds.is_gold(hand, tile)
    limits = bounds.with_limit(hand, fact.seat, "self_draw") if bound else hand.limits
    seen = hand.seen if tile is None else (*hand.seen, tile)
    step.change_hand(given=tile, discards=hand.discards + 1, limits=limits, seen=seen)


def set_aside(step: Step, fact: facts.SetAside) -> None:
    """A north, red or flower is laid aside; a replacement is owed unless nothing is left."""
    advance.ensure_playing(step)
    advance.check_seat(step, fact.seat)
    advance.turn_of(step, fact.seat)
    rules = step.rules
    tile = facts.known(fact.tile)
    kinds = rules.calls.aside
    if not kinds:
        raise OddFact("in this rule no tile is set aside for a replacement")
    if tile is not None:
        _check_aside(step, tile)
    elif len(kinds) == 1:
        tile = kinds[0]
        fold_tiles.check_copies(step, tile, 1)
    advance.assume_taken(step, fact.seat)
    plan = advance.plan_once_taken(step, fact.seat)
    if rules.reserve.policy == "kept" and plan is not None and plan.drawable == 0:
        raise OddFact("after the last draw no tile can be set aside: nothing fills the reserve")
    if (plan is None or plan.replacement is None) and rules.reserve.policy != "growing":
        raise OddFact("a tile was set aside, but no replacement is left")
    replaced = _is_replaced(step, fact.seat, tile or "?")
    if step.hand.life != "flowering":
        step.turn("set_aside", seat=fact.seat, replaced=replaced)
    advance.lay_aside(step, fact.seat, tile or "?", counts=replaced)
    if replaced:
        advance.owe(step, fact.seat, for_kong=False)


def called(step: Step, fact: facts.Called) -> None:
    """Chi or pon; of a tile set aside it takes the place of that seat's discard."""
    before = step.hand.turn
    _acts(step, fact.seat)
    advance.check_seat(step, fact.frm)
    if fact.kind == "chi" and not step.rules.calls.chi:
        raise OddFact("this rule has no chi")
    _check_giver(step, fact.seat, fact.kind, fact.frm)
    _check_claim(step, before, fact.seat, fact.kind, fact.frm, fact.tile)
    tile = fact.tile
    if fact.frm in step.hand.owed and _claims_aside(step, before, fact):
        tile = advance.aside_claimed(step, fact.frm, tile)
        if fact.frm in step.hand.owed:
            advance.forgot(step, fact.frm)  # the call stands for its discard
    fold_riichi.called_from(step, fact.frm)
    step.turn(f"called_{fact.kind}", seat=fact.seat, frm=fact.frm)
    meld = Meld(fact.seat, fact.kind, fact.frm, tile, fact.own)
    step.change_hand(melds=(*step.hand.melds, meld))


def kong(step: Step, fact: facts.Kong) -> None:
    """Four of a kind: a replacement is owed, an indicator due where the rule turns one."""
    before = step.hand.turn
    _acts(step, fact.seat)
    hand, rules = step.hand, step.rules
    if hand.kongs >= rules.calls.kongs:
        raise OddFact(f"{rules.calls.kongs} kongs were declared already, more cannot be")
    timing = advance.timing(step, fact.kind)
    advance.assume_turned_at_once(step)
    refuses = timing != "never" and rules.calls.kong_unturned == "refused"
    if refuses and advance.next_indicator(step) is None:
        raise OddFact("this kong's indicator cannot be turned any more, so the kong cannot be")
    hand, plan = step.hand, step.plan
    if rules.reserve.policy != "neighbour" and plan.drawable == 0:
        raise OddFact("after the last draw there is no kong: nothing fills the reserve")
    if hand.life == "last_draws" or plan.phase == "final":
        raise OddFact("in the last draws there is no kong")
    frm = fact.frm
    if fact.kind == "open" and frm is None:
        frm = hand.turn.seat if hand.turn.word == "window" else None
    if fact.kind == "open" and frm is not None:
        _check_giver(step, fact.seat, "open", frm)
    _check_claim(step, before, fact.seat, fact.kind, frm, fact.tile)
    _check_fever(step, fact)
    if fact.kind == "open":
        fold_riichi.called_from(step, frm)
    step.turn("kong", seat=fact.seat, kong=fact.kind, frm=frm)
    advance.assume_taken(step, fact.seat)
    hand = step.hand
    step.change_hand(
        open_kongs=hand.open_kongs + (fact.kind != "concealed"),
        concealed_kongs=hand.concealed_kongs + (fact.kind == "concealed"),
        due=hand.due if timing == "never" else (*hand.due, timing),
        melds=(*hand.melds, Meld(fact.seat, fact.kind, frm, fact.tile)),
    )
    advance.owe(step, fact.seat, for_kong=True)


def dead_hand(step: Step, fact: facts.DeadHand) -> None:
    """A seat may not win or claim any more, or may again."""
    advance.ensure_playing(step)
    advance.check_seat(step, fact.seat)
    dead = step.hand.dead
    if fact.on == (fact.seat in dead):
        raise OddFact(f"the hand of seat {fact.seat} is {'' if fact.on else 'not '}dead already")
    others = tuple(seat for seat in dead if seat != fact.seat)
    step.change_hand(dead=(*others, fact.seat) if fact.on else others)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _acts(step: Step, seat: int) -> None:
    """A seat does something that ends the moment in which a sensed draw can still be told."""
    advance.ensure_turns(step)
    advance.check_seat(step, seat)
    advance.turn_of(step, seat)
    if step.hand.sensed.head or step.hand.sensed.tail:
        step.change_sensed(head=0, tail=0)


def _check_aside(step: Step, tile: str) -> None:
    rules = step.rules
    if kind_code(tile) not in rules.calls.aside:
        raise OddFact(f"{tile} is not set aside in this rule, only {', '.join(rules.calls.aside)}")


def _is_replaced(step: Step, seat: int, tile: str) -> bool:
    """Whether a tile set aside is replaced: not in the last draws, where the rule keeps it, nor
    with nothing usable left behind four like ones that it completes."""
    hand, reserve, plan = step.hand, step.rules.reserve, advance.plan_once_taken(step, seat)
    if hand.life == "last_draws" and reserve.final_flower == "kept":
        return False
    if plan is None or plan.replacement is None:
        return False
    grows = reserve.flower_quad * advance.more_fours(step, seat, tile)
    return not grows or reserve.policy != "growing" or plan.drawable > grows


def _check_giver(step: Step, seat: int, what: str, frm: int) -> None:
    """Raises OddFact for a call that no rule lets this seat make of this seat's tile."""
    said = f"seat {seat} {bounds.DEEDS[what]}"
    if seat == frm:
        raise OddFact(f"{said}, but the tile is its own")
    left = (frm + 1) % step.rules.players
    if what == "chi" and seat != left:
        raise OddFact(f"{said} from seat {frm}, but only seat {left} can")


def _check_claim(
    step: Step, before: Turn, seat: int, what: str, frm: int | None, tile: str | None
) -> None:
    """Raises OddFact for a call or kong that this seat, or nobody, may make of this tile."""
    hand, rules = step.hand, step.rules
    if why := bounds.why_no_call(hand, seat, what):
        raise OddFact(why)
    if what in ("added", "concealed"):
        return
    said = f"seat {seat} {bounds.DEEDS[what]}, but"
    here = before.seat == frm
    given = hand.given if before.word == "window" and here else None
    if why := bounds.why_no_gold(rules, hand, facts.known(tile) or given):
        raise OddFact(f"{said} {why}")
    if _only_wins(step):
        raise OddFact(f"{said} the discard before the last draws can only be won on")
    waits = before.word == "aside_window" or (
        before.word == "owed" and frm is not None and advance.gave_aside(step, frm)
    )
    if (
        (here and hand.told and waits) or _only_aside(step, tile)
    ) and what not in rules.calls.aside_claims:
        raise OddFact(f"{said} of a tile set aside this rule does not have that")


def _only_aside(step: Step, tile: str | None) -> bool:
    """Whether a tile is of a kind that never lies in the river."""
    calls, face = step.rules.calls, facts.known(tile)
    return face is not None and not calls.aside_river and kind_code(face) in calls.aside


def _only_wins(step: Step) -> bool:
    """Whether the discard that lies there was made as the last draws begin, and nobody may call
    it."""
    rules, hand = step.rules, step.hand
    if not rules.reserve.final or hand.life == "flowering":
        return False
    ends = rules.calls.final_claims == "ron" and step.plan.phase != "open"
    return hand.life == "last_draws" or ends


def _check_fever(step: Step, fact: facts.Kong) -> None:
    """Raises OddFact for a kong of the triplet that made a fever."""
    rank, tile = step.rules.riichi.fever_kind, facts.known(fact.tile)
    if not rank or tile is None or step.hand.riichi[fact.seat] != "fever":
        return
    if kind_code(tile)[0] == str(rank) and kind_code(tile)[1] in "mps":
        raise OddFact(f"seat {fact.seat} is under fever: there is no kong of its triplet of {tile}")


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
