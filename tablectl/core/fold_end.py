"""Folding how a hand ends: faces turned up, flips, exhaustion, aborts, settlement."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core import advance, facts, fold_game, reveal
from tablectl.core.state import Flip, Payment, left_to_flip, worths
from tablectl.core.step import OddFact, Step
from tablectl.core.tiles import kind_code
from tablectl.core.turn import Turn
from tablectl.core.wall import Place, Position


def shown(step: Step, fact: facts.Shown) -> None:
    """A face turned up: an indicator, the gold, an ura, a flipped tile."""
    hand = step.hand
    if hand.life == "closed":
        raise OddFact("the hand is settled; its tiles lie no more")
    there = hand.face(fact.place)
    why = fact.why or _why_shown(step, fact.place)
    if why == "gold" and hand.gold is not None and hand.gold == fact.tile:
        return  # said once more
    if there is not None:
        if there != fact.tile and "?" not in (there, fact.tile):
            raise OddFact(f"{fact.tile} was shown where {there} lay open already")
        # Under fever a kong may turn a column whose upper tile was flipped and lies open.
        if why == "indicator" and hand.due:
            _indicator(step, fact)
        return
    {"indicator": _indicator, "gold": _gold, "ura": _ura, "reveal": _reveal}[why](step, fact)
    # A flower turned as gold goes to the dealer and does not stay there.
    if why != "gold" or step.hand.gold == fact.tile:
        step.change_hand(public=(*step.hand.public, (fact.place, fact.tile)))


def flipped_value(step: Step, fact: facts.FlippedValue) -> None:
    """What a flipped tile is worth, where its face is not known."""
    _flip(step, Flip(fact.place, hits=fact.hits))


def stock(step: Step, fact: facts.Stock) -> None:
    """The lives declared."""
    hand = step.hand
    if hand.life not in ("won", "revealing", "settling"):
        raise OddFact("a stock is declared after a win")
    items = tuple(sorted(fact.items.items()))
    step.change_hand(account=replace(hand.account, stock=fact.n, stock_items=items))


def exhausted(step: Step, fact: facts.Exhausted) -> None:
    """Nothing is left to draw."""
    advance.ensure_turns(step)
    advance.assume_replacements(step)
    advance.assume_indicators(step)
    for seat in fact.tenpai or ():
        advance.check_seat(step, seat)
    tenpai = _living(step, fact.tenpai)
    left = step.plan.drawable
    if left:
        step.assume(f"{left} tiles were still to be drawn when the hand was called exhausted")
    elif step.hand.life != "last_draws" and step.hand.turn.word in (
        "act",
        "owed",
        "aside_window",
        "kong_window",
    ):
        step.assume("the last discard was made")
    step.live("exhausted")
    step.change_hand(end="exhausted", tenpai=tenpai, turn=Turn())


def aborted(step: Step, fact: facts.Aborted) -> None:
    """The hand ends without a winner by a rule."""
    if not step.rules.game.aborts:
        raise OddFact("this rule aborts no hand; one that cannot go on is void")
    step.live("aborted")
    step.change_hand(end="abort", why=fact.why, turn=Turn())


def void(step: Step, fact: facts.Void) -> None:
    """The hand does not count; where it matters, people say or are asked who is at fault."""
    if fact.by is not None:
        advance.check_seat(step, fact.by)
    stood = fold_game.running(step).points
    step.live("void")
    step.change_hand(end="void", why=fact.why, turn=Turn(), fault=fact.by, stood=stood)
    step.drop_questions("deal_down")
    fold_game.ask_fault(step)


def settled(step: Step, fact: facts.Settled) -> None:
    """People confirm what is paid; the hand is closed and the next walls can be played on."""
    ended = None if step.state.game is None else step.state.game.ended
    if step.hand.life == "closed" and ended is not None:
        raise OddFact(
            f"the hand is settled already; what is wrong is corrected where it was said: replace"
            f" fact {ended.seq}"
        )
    if step.hand.life == "won":
        step.live("no_reveal")
    elif step.hand.life == "revealing":
        step.live("reveal_over")
    step.live("settled")
    hand, game = step.hand, fold_game.running(step)
    players, unit = step.rules.players, step.rules.score.unit
    for seat, n in enumerate(fact.points):
        if n % unit:
            raise OddFact(
                f"{n} points were given for seat {seat}, but this rule pays nothing smaller than"
                f" {unit} points"
            )
    for what, values in (("points", fact.points), ("chips", fact.chips)):
        if values and len(values) < players:
            raise OddFact(f"{len(values)} {what} were given for {players} players")
        if total := sum(values[:players]):
            way = "come from" if total > 0 else "go to"
            step.assume(f"{abs(total)} {what} {way} the table")
    account = replace(hand.account, points=fact.points, chips=fact.chips)
    step.change_hand(account=account)
    step.change(
        game=replace(
            game,
            points=_added(game.points, fact.points),
            chips=_added(game.chips, fact.chips),
        )
    )
    step.drop_questions("deal_down")
    step.drop_questions(advance.REPLACEMENT)
    fold_game.settle(step)


def paid(step: Step, fact: facts.Paid) -> None:
    """Paid at once or booked afterwards; None is the table."""
    game = fold_game.not_over_for_good(step)
    for seat in (fact.frm, fact.to):
        if seat is not None:
            advance.check_seat(step, seat)
    points, chips = list(game.points), list(game.chips)
    for seat, sign in ((fact.frm, -1), (fact.to, 1)):
        if seat is not None:
            points[seat] += sign * fact.points
            chips[seat] += sign * fact.chips
    step.change(game=replace(game, points=tuple(points), chips=tuple(chips)))
    hand = step.state.hand
    if hand is not None and hand.life != "closed":
        payment = Payment(fact.frm, fact.to, fact.points, fact.chips, fact.why)
        account = replace(hand.account, payments=(*hand.account.payments, payment))
        step.change_hand(account=account)
    if game.ended is not None and not fold_game.playing(step):
        fold_game.go_on(step)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _living(step: Step, tenpai: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """Those who were ready without dead hands, which are not: one name too many must not keep
    people from ending the hand."""
    if tenpai is None:
        return None
    for seat in tenpai:
        if seat in step.hand.dead:
            step.assume(f"the hand of seat {seat} is dead and so not ready")
    return tuple(seat for seat in tenpai if seat not in step.hand.dead)


def _why_shown(step: Step, place: Place) -> str:
    """What a face turned up without a word must be."""
    hand, plan = step.hand, step.plan
    if place.row == "on":
        return "gold"
    if any(position.place == place for position in plan.ura) and hand.wins:
        return "ura"
    if hand.life in ("won", "revealing") and plan.reveal:
        return "reveal"
    return "indicator"


def _indicator(step: Step, fact: facts.Shown) -> None:
    hand, plan = step.hand, step.plan
    if any(position.place == fact.place for position in plan.indicators):
        return
    if plan.next_indicator is None or plan.next_indicator.place != fact.place:
        raise OddFact("a tile was turned as an indicator where none is due")
    if not hand.due:
        raise OddFact("an indicator was turned, but no kong asks for one")
    step.change_hand(turned=hand.turned + 1, due=hand.due[1:])


def _gold(step: Step, fact: facts.Shown) -> None:
    rules = step.rules
    if rules.gold.turned == "none":
        raise OddFact("this rule has no gold")
    advance.ensure_playing(step)
    advance.assume_replacements(step)
    flower = kind_code(fact.tile) in rules.calls.aside
    due = _gold_due(step)
    step.live("gold", *(("flower",) if flower else ()))
    advance.take_gold(step)
    _check_gold(step, fact.place, due)
    if flower:
        advance.lay_aside(step, step.hand.dealer, fact.tile, counts=True)
    else:
        step.change_hand(gold=fact.tile)
        advance.begin_turns(step)


def _gold_due(step: Step) -> Position | None:
    """Where the tile comes from that is turned as gold: the next replacement, or the last one that
    a sensor saw leave before anybody said what for."""
    hand, plan = step.hand, step.plan
    if not hand.sensed.unowed:
        return plan.replacement
    return step.ground.wall.tail(step.rules.replacements.first)[hand.tail - hand.sensed.unowed]


def _check_gold(step: Step, place: Place, due: Position | None) -> None:
    """Raises OddFact for a gold that was turned where it cannot lie. It is laid on a column, which
    follows by itself whichever was said."""
    marker = step.plan.gold_marker
    there = marker is not None and (place.side, place.column) == (marker.side, marker.column)
    if place.row == "on" or there or due is None or place == due.place:
        return
    raise OddFact(
        f"the gold was shown at {_said(place)}, but the replacement that is turned lies at"
        f" {_said(due.place)}"
    )


def _said(place: Place) -> str:
    return f"side {place.side}, column {place.column}, {place.row}"


def _ura(step: Step, fact: facts.Shown) -> None:
    hand = step.hand
    if not any(position.place == fact.place for position in step.plan.ura):
        raise OddFact("a tile was turned as an ura, but no open indicator lies over it")
    if not any(hand.riichi[win.seat] is not None for win in hand.wins):
        raise OddFact("an ura was looked at, but nobody has won in riichi")


def _reveal(step: Step, fact: facts.Shown) -> None:
    _flip(step, Flip(fact.place, facts.known(fact.tile)))


def _flip(step: Step, flip: Flip) -> None:
    hand, rules, plan = step.hand, step.rules, step.plan
    if rules.reveal.kind == "none" or plan.reveal is None:
        raise OddFact("this rule flips no tiles after a win")
    if _more_said(step, flip):
        return
    if hand.life == "won":
        if hand.before:
            raise OddFact("the flips of the first win stand for all wins of this hand")
        in_riichi = any(hand.riichi[win.seat] is not None for win in hand.wins)
        reveals = rules.reveal.after == "any" or in_riichi
        step.live("reveal", *(("reveals",) if reveals else ()))
    step.live("flip")
    if why := reveal.why_over(rules.reveal.kind, hand.account.stock, worths(hand)):
        raise OddFact(f"a tile was flipped, but {why}")
    left = left_to_flip(plan, hand)
    if not left:
        raise OddFact("a tile was flipped, but none is left to flip")
    if left[0].place != flip.place:
        raise OddFact(f"a tile was flipped, but the next one is at {_said(left[0].place)}")
    step.change_hand(flips=(*hand.flips, flip))


def _more_said(step: Step, flip: Flip) -> bool:
    """Whether that tile was flipped already, and only its face or its worth is said now."""
    flips = step.hand.flips
    at = next((n for n, one in enumerate(flips) if one.place == flip.place), None)
    if at is None or step.hand.life != "revealing":
        return False
    tile, hits = flips[at].tile, flips[at].hits
    if (tile, flip.tile) == (None, None) or (hits is not None and flip.hits is not None):
        return False
    both = Flip(flip.place, tile or flip.tile, flip.hits if hits is None else hits)
    step.change_hand(flips=(*flips[:at], both, *flips[at + 1 :]))
    return True


def _added(have: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n + (more[seat] if seat < len(more) else 0) for seat, n in enumerate(have))
