"""Folding how a hand ends: wins, faces turned up, flips, exhaustion, aborts, settlement."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core import advance, facts
from tablectl.core.binding import bind
from tablectl.core.game import PASSES, STAYS, next_dealer
from tablectl.core.state import Flip, Game, Payment, Win
from tablectl.core.step import OddFact, Step
from tablectl.core.tiles import kind_code
from tablectl.core.turn import Turn
from tablectl.core.wall import Place


def won(step: Step, fact: facts.Won) -> None:
    """A win; more on the same tile as the rule allows."""
    first = step.hand.life != "won"
    if first:
        advance.ensure_turns(step)
    advance.check_seat(step, fact.seat)
    advance.check_seat(step, fact.frm)
    if not first:
        _check_another_win(step, fact)
    before = step.hand.turn
    step.turn("won", seat=fact.seat, frm=fact.frm)
    if fact.frm == fact.seat:
        advance.assume_replacements(step)
    elif before.seat == fact.frm:
        _robbed(step, before)
    if first:
        _assume_turned_at_once(step)
    step.live("won", "more_wins")
    win = Win(fact.seat, fact.frm, step.rules.indicators.start + step.hand.turned)
    step.change_hand(wins=(*step.hand.wins, win), end="win")


def shown(step: Step, fact: facts.Shown) -> None:
    """A face turned up: an indicator, the gold, an ura, a flipped tile."""
    hand = step.hand
    if hand.life == "closed":
        raise OddFact("the hand is settled; its tiles lie no more")
    there = hand.face(fact.place)
    if there is not None:
        if there != fact.tile and "?" not in (there, fact.tile):
            raise OddFact(f"{fact.tile} was shown where {there} lay open already")
        return
    why = fact.why or _why_shown(step, fact.place)
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
    for seat in fact.tenpai or ():
        advance.check_seat(step, seat)
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
    step.change_hand(end="exhausted", tenpai=fact.tenpai, turn=Turn())


def aborted(step: Step, fact: facts.Aborted) -> None:
    """The hand ends without a winner by a rule."""
    step.live("aborted")
    step.change_hand(end="abort", why=fact.why, turn=Turn())


def void(step: Step, fact: facts.Void) -> None:
    """The hand does not count."""
    step.live("void")
    step.change_hand(end="void", why=fact.why, turn=Turn())
    step.drop_questions("deal_down")


def settled(step: Step, fact: facts.Settled) -> None:
    """People confirm what is paid; the hand is closed and the next walls can be played on."""
    if step.hand.life == "won":
        step.live("no_reveal")
    elif step.hand.life == "revealing":
        step.live("reveal_over")
    step.live("settled")
    hand, game = step.hand, _game(step)
    players = step.rules.players
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
            dealer=_next_dealer(step),
        )
    )
    step.drop_questions("deal_down")
    bind(step)


def paid(step: Step, fact: facts.Paid) -> None:
    """Paid at once or booked afterwards; None is the table."""
    game = _game(step)
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


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _next_dealer(step: Step) -> int:
    """Who deals the next hand; people are asked where the facts do not say it."""
    found = next_dealer(step.rules, step.hand)
    if found.assumed:
        step.assume(found.assumed)
    step.drop_questions("dealer")
    if not found.sure:
        step.ask("dealer", f"{found.why}. Was the dealer ready?", STAYS, PASSES)
    return found.seat


def _check_another_win(step: Step, fact: facts.Won) -> None:
    """Raises OddFact for a win that cannot stand beside those on the same tile."""
    hand, most = step.hand, step.rules.winning.together
    # Under fever there are earlier wins, on other tiles; the turn knows those on this one.
    here = hand.wins[-len(hand.turn.winners) or None :]
    if len(here) >= most:
        raise OddFact(f"seat {fact.seat} won too, but of one tile at most {most} can win")
    if any(win.seat in (fact.seat, win.frm) or win.frm != fact.frm for win in here):
        raise OddFact(f"seat {fact.seat} won, but not on the tile on which the hand was won")


def _robbed(step: Step, before: Turn) -> None:
    """The tile that was won on had been set aside or laid to a kong: nothing replaces it, and a
    kong that was robbed turns no indicator."""
    if before.seat is None or before.word not in ("aside_window", "kong_window"):
        return
    advance.not_owed(step, before.seat)
    if before.word == "kong_window":
        step.change_hand(due=step.hand.due[:-1])


def _assume_turned_at_once(step: Step) -> None:
    """Indicators that the rule turns at once lie open at a win; later ones are not turned any
    more unless people do."""
    due = step.hand.due
    later = tuple(when for when in due if when != "at_once")
    if len(later) < len(due):
        step.change_hand(turned=step.hand.turned + len(due) - len(later), due=later)
        step.assume("the kong's indicator was turned at once")


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
    step.live("gold", *(("flower",) if flower else ()))
    advance.take_gold(step)
    if flower:
        advance.lay_aside(step, step.hand.dealer, fact.tile, counts=True)
    else:
        step.change_hand(gold=fact.tile)
        advance.begin_turns(step)


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
    if hand.life == "won":
        in_riichi = any(hand.riichi[win.seat] is not None for win in hand.wins)
        reveals = rules.reveal.kind != "tulip" or in_riichi
        step.live("reveal", *(("reveals",) if reveals else ()))
    step.live("flip")
    done = len(hand.flips)
    if done >= len(plan.reveal):
        raise OddFact("a tile was flipped, but none is left to flip")
    wanted = plan.reveal[done]
    if wanted.place != flip.place:
        raise OddFact(
            f"a tile was flipped, but the next one is at side {wanted.side}, column"
            f" {wanted.column}, {wanted.row}"
        )
    step.change_hand(flips=(*hand.flips, flip))


def _game(step: Step) -> Game:
    game = step.state.game
    if game is None or game.over:
        raise OddFact("no game is running")
    return game


def _added(have: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n + (more[seat] if seat < len(more) else 0) for seat, n in enumerate(have))
