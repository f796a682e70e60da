"""Folding how a game goes: it begins, goes on after each hand, ends; players come and go.

    begin ──▶ bind ──▶ hand ──▶ settled ──▶ go_on ──▶ bind …
                                  people answer ──▲  └──▶ over: "another game" ──▶ begin

What a hand's end means for the game is `game.course`, taken from the last settled hand again
whenever people answer something about it or book a difference, as long as the next is not played.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core import facts
from tablectl.core.binding import OF_A_HAND, bind, unbind
from tablectl.core.game import (
    ANOTHER,
    ENOUGH,
    NOBODY,
    PASSES,
    PLAY_ON,
    STAYS,
    STOP_HERE,
    course,
    ended_of,
    fault_matters,
)
from tablectl.core.preset import Preset
from tablectl.core.state import Ended, Game, Question, Waiting, full_name
from tablectl.core.step import OddFact, Step

ANSWERED: Final = ("dealer", "fault", "stop", "game")
"""Kinds of questions about how the game goes on."""
NO_FAULT: Final = "nobody is"


def begin(step: Step, fact: facts.GameStarted) -> None:
    """A game of one rule begins; walls that are up, and not played on, are its first. Raises
    OddFact while a hand is being played, for a rule that is not at hand and for wrong seats."""
    if playing(step):
        raise OddFact("a hand is still open; settle it or declare it void first")
    check(step, fact)
    unbind(step)
    rules = step.rulebook[fact.digest]
    _start(step, _new(rules, fact.seats, fact.points, fact.first_dealer))


def check(step: Step, fact: facts.GameOf) -> None:
    """Raises OddFact if a game cannot be begun like this at any time."""
    rules = step.rulebook.get(fact.digest)
    name = full_name(fact.preset, fact.variant)
    if rules is None or rules.name != name:
        raise OddFact(f"the rule {name} of this game ({fact.digest}) is not at hand")
    check_seats(fact.seats, rules.players)
    if fact.first_dealer >= rules.players:
        raise OddFact(f"seat {fact.first_dealer} deals, but {rules.players} play")


def check_seats(seats: tuple[int, ...], players: int) -> None:
    """Raises OddFact if these are not the sides of so many players."""
    if len(seats) != players or len(set(seats)) != players:
        raise OddFact(f"seats {list(seats)} are not the sides of {players} players")


def playing(step: Step) -> bool:
    """Whether a hand is being played."""
    hand = step.state.hand
    return hand is not None and hand.in_play


def running(step: Step) -> Game:
    """The game that is played. Raises OddFact if there is none or it is over."""
    game = step.state.game
    if game is None or game.over:
        raise OddFact("no game is running")
    return game


def not_over_for_good(step: Step) -> Game:
    """The game that is played, or is over by its rule. Raises OddFact for one that people ended."""
    game = step.state.game
    if game is None or (game.over and game.ended is None):
        raise OddFact("no game is running")
    return game


def end(step: Step, why: str) -> None:
    """People end the game. Raises OddFact as `begin` and `running`."""
    game = not_over_for_good(step)
    if playing(step):
        raise OddFact("a hand is still open; settle it or declare it void first")
    unbind(step)  # walls that nobody has played on wait for the next game
    game = not_over_for_good(step)
    step.change(game=replace(game, over=True, why=game.why or why, ended=None), hand=None)
    _forget(step)


def settle(step: Step) -> None:
    """The open hand has been closed, and its payments are booked: the game goes on or is over."""
    game = running(step)
    ended = ended_of(game, step.hand, step.entry.seq)
    step.change(game=replace(game, ended=ended))
    for kind in ("dealer", "stop", "game"):
        step.drop_questions(kind)
    if ended.end != "void" or ended.fault is not None:
        step.drop_questions("fault")
    assumed = course(step.rules, game, ended).assumed
    if assumed:
        step.assume(assumed)
    go_on(step)


def go_on(step: Step) -> None:
    """What follows from the last settled hand, with the points and answers as they are now. Walls
    that are up already get their dealer, or are not played on."""
    game = not_over_for_good(step)
    assert game.ended is not None
    found = course(step.rules, game, game.ended)
    over = bool(found.over)
    moved = replace(
        game,
        dealer=found.dealer,
        round=found.round,
        repeats=found.repeats,
        over=over,
        why=found.over,
    )
    step.change(game=moved)
    unsaid = "" if found.sure else f"{found.why}. Was the dealer ready?"
    _ask(step, "dealer", unsaid, STAYS, PASSES)
    stop = f"{found.stop} and may stop. Play on?" if found.stop else ""
    _ask(step, "stop", stop, PLAY_ON, STOP_HERE)
    if not over:
        step.drop_questions("game")
        _deal(step)
        return
    unbind(step)
    if not game.over and step.state.wanted is None:
        _ask(step, "game", f"The game is over: {found.over}. Play another?", ANOTHER, ENOUGH)


def ask_fault(step: Step) -> None:
    """Who is at fault for the hand just declared void, where it matters and nobody said it."""
    step.drop_questions("fault")
    if fault_matters(step.rules) and step.hand.fault is None:
        seats = (f"seat {seat}" for seat in range(step.rules.players))
        step.ask("fault", "The hand is void. Who is at fault?", NO_FAULT, *seats)


def answer(step: Step, question: Question, choice: str) -> None:
    """People answer how the game goes on. Raises OddFact if the next hand is played otherwise."""
    kind = question.id.partition(":")[0]
    if kind == "game":
        if choice == ANOTHER:
            _again(step)
        return
    hand = step.state.hand
    fault = NOBODY if choice == NO_FAULT else question.choices.index(choice) - 1
    if kind == "fault" and playing(step) and hand is not None and hand.end == "void":
        step.change_hand(fault=fault)
        return
    game = not_over_for_good(step)
    ended = game.ended
    if ended is None:
        raise OddFact("the hand that this is about belongs to a game before this one")
    if kind == "dealer":
        ended = ended._replace(ready=choice == STAYS)
    elif kind == "stop":
        ended = ended._replace(play_on=choice == PLAY_ON)
    else:
        ended = ended._replace(fault=fault)
    _say_of(step, game, ended, question.seq)


def seats_changed(step: Step, fact: facts.SeatsChanged) -> None:
    """Players moved between hands, or who sat out comes in for another."""
    game = not_over_for_good(step)
    if playing(step):
        raise OddFact("seats change between hands, not while one is played")
    check_seats(fact.seats, step.rules.players)
    changed = _sits_out(step, game, fact)
    step.change(game=replace(changed, seats=fact.seats))
    if step.state.hand is not None and step.state.hand.life == "raised":
        step.change_hand(seats=fact.seats)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _start(step: Step, game: Game) -> None:
    # Nothing of the game before is left but what the machine itself has said.
    step.change(game=game, wanted=None, hand=None)
    for kind in (*OF_A_HAND, "deal_down"):
        step.drop_questions(kind)
    _forget(step)
    bind(step)


def _forget(step: Step) -> None:
    for kind in ANSWERED:
        step.drop_questions(kind)


def _again(step: Step) -> None:
    """Another game of the same rule by the same players, everything anew."""
    game = step.state.game
    assert game is not None
    rules = step.rules
    if rules.game.first_dealer == "dice":
        step.assume("nobody has thrown for the first dealer: seat 0 deals")
    new = _new(rules, game.seats, game.start, 0)
    waiting = None if game.out is None else Waiting(game.start, 0)
    _start(step, replace(new, out=game.out, waiting=waiting))


def _new(rules: Preset, seats: tuple[int, ...], points: int, dealer: int) -> Game:
    """A game of which nothing has been played: all begin with so many points."""
    return Game(
        preset=rules.base,
        digest=rules.digest,
        seats=seats,
        points=(points,) * rules.players,
        chips=(0,) * rules.players,
        dealer=dealer,
        variant=rules.variant or None,
        start=points,
        first_dealer=dealer,
    )


def _deal(step: Step) -> None:
    """The next hand's dealer, also where its walls are up already."""
    game, hand = step.state.game, step.state.hand
    if game is not None and hand is not None and hand.life == "raised":
        step.change_hand(dealer=game.dealer)
    bind(step)


def _ask(step: Step, kind: str, text: str, *choices: str) -> None:
    """Have this one question of its kind open, or none without a text."""
    if any(q.text == text and q.id.startswith(f"{kind}:") for q in step.state.questions):
        return
    step.drop_questions(kind)
    if text:
        step.ask(kind, text, *choices)


def _say_of(step: Step, game: Game, ended: Ended, seq: int) -> None:
    """Something about the last settled hand is now known."""
    hand = step.state.hand
    if playing(step) and hand is not None:
        found = course(step.rules, game, ended)
        shown = (hand.dealer, game.round, game.repeats, "")
        if (found.dealer, found.round, found.repeats, found.over) != shown:
            raise OddFact(
                f"the next hand is being played with seat {hand.dealer} as its dealer. Say it in"
                f" its place, after fact {seq}, and the hand is read again"
            )
        return
    step.change(game=replace(game, ended=ended))
    go_on(step)


def _sits_out(step: Step, game: Game, fact: facts.SeatsChanged) -> Game:
    """The game with points and chips of who comes in, and those of who sits out kept."""
    out, before = fact.out, game.out
    if out is None or out == before:
        if before is not None and before in fact.seats:
            raise OddFact(f"side {before} is where somebody sits out; say who does now")
        return game
    if not step.rules.game.sits_out:
        raise OddFact(f"in {step.rules.name} nobody sits out; all who play have a seat")
    if out in fact.seats:
        raise OddFact(f"who sits at side {out} has a seat in this and cannot sit out too")
    if before is None:
        return replace(game, out=out, waiting=Waiting(game.start, 0))
    wanted = tuple(before if side == out else side for side in game.seats)
    if out not in game.seats or fact.seats != wanted:
        raise OddFact(
            f"who sat out at side {before} takes the seat of the one at side {out}: then the seats"
            f" are {list(wanted)}"
            if out in game.seats
            else f"nobody who plays sits at side {out}"
        )
    seat, comes = game.seats.index(out), game.waiting
    assert comes is not None
    points, chips = list(game.points), list(game.chips)
    leaves = Waiting(points[seat], chips[seat])
    points[seat], chips[seat] = comes
    return replace(game, out=out, points=tuple(points), chips=tuple(chips), waiting=leaves)
