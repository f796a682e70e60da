"""Folding what the machine and its board say, games that begin and end, and answers of people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from tablectl.core import believe, facts, fold_end, fold_game
from tablectl.core.advance import REPLACEMENT, replacement_said
from tablectl.core.binding import (
    OTHER_RULE,
    RESTACK,
    bind,
    changed_meanwhile,
    fill,
    mean,
    meant,
    play_these,
    stacked,
    unbind,
    walls_say,
)
from tablectl.core.census import Census, census_said
from tablectl.core.chart import Odd
from tablectl.core.mechanism import SetState, advance
from tablectl.core.state import SETS, Deal, Hand, Machine
from tablectl.core.step import NotAsked, OddFact, Step
from tablectl.core.tiles import Multiset, parse_tile
from tablectl.core.turn import Turn
from tablectl.core.wall import Side, parse_side

VOID: Final = "declare it void"
UNPAID: Final = "nothing is paid"
_STACKING: Final = ("mixing", "stacking")
_STACKED: Final = ("ready", "raising", "up")
"""Words of a set whose walls stand: the machine counted its tiles."""
TRIGGER_OF: Final = {
    ("up", "dropping"): "hatch_opened",
    ("dropping", "mixing"): "hatch_closed",
    ("mixing", "stacking"): "stack_begun",
    ("stacking", "ready"): "stack_done",
    ("ready", "raising"): "rise",
    ("up", "ready"): "lowered",
    ("mixing", "paused"): "paused",
    ("stacking", "paused"): "paused",
}
"""What a change of phase means; any other is only `seen`."""


def link(step: Step, fact: facts.Link) -> None:
    """While the line is down nobody knows what the machine does."""
    machine = step.state.machine
    sets = machine.sets
    if not fact.up:
        a, b = (replace(s, word="unknown", before=None, beneath=None) for s in sets)
        sets = (a, b)
    step.change(machine=replace(machine, link=fact.up, sets=sets))


def board(step: Step, fact: facts.Board) -> None:
    """What the board says of itself. One that was started anew and reads numbers tells those that
    are chosen again; what it does not tell holds no more."""
    machine = step.state.machine
    before = machine.board
    if before is not None and before.boot != fact.boot and "read_number" in fact.abilities:
        a, b = (replace(one, pending=None) for one in machine.sets)
        machine = replace(machine, sets=(a, b))
    step.change(machine=replace(machine, board=fact))


def lost(step: Step, fact: facts.Lost) -> None:
    """A gap in what the board told: nothing is known of whose turn it is, and people look whether
    the open hand is shown as it lies. Without one nothing is to be looked at."""
    hand = step.state.hand
    if hand is None or hand.life == "closed":
        return
    step.change_hand(turn=Turn())
    many = "an unknown number of" if fact.count is None else str(fact.count)
    step.ask(
        "lost",
        f"{many} events of the table were lost from number {fact.first} on. Touch the column of"
        " the next draw and count the replacements.",
        "it is right as shown",
    )


def number(step: Step, fact: facts.Number) -> None:
    """The table's own number of a set."""
    state = step.state.machine.set_named(fact.set)
    if fact.state == "pending":
        _put(step, fact.set, replace(state, pending=fact.number))
    else:
        _stacked_with(step, fact.set, fact.number)


def phase(step: Step, fact: facts.Phase) -> None:
    """What the machine does with a set."""
    state = step.state.machine.set_named(fact.set)
    if state.word == fact.phase:
        return
    if fact.phase == "blocked":
        trigger = "trouble"
    elif state.word == "blocked":
        trigger = "cleared" if fact.phase == state.before else "seen"
    elif state.word == "paused":
        trigger = "resumed" if fact.phase == state.before else "seen"
    else:
        trigger = TRIGGER_OF.get((state.word, fact.phase), "seen")
    _machine(step, fact.set, trigger, fact.phase)
    if step.state.machine.set_named(fact.set).active != state.active:
        fill(step, fact.set, None)  # stacked anew, with another number
    if state.word in _STACKING and fact.phase in ("ready", "raising"):
        stacked(step, fact.set)
    deal = step.state.deal
    gone = step.state.machine.set_named(fact.set).word not in ("up", "blocked", "paused", "unknown")
    if deal is not None and deal.set == fact.set and gone and fact.phase != "raising":
        _deal_down(step)


def raised(step: Step, fact: facts.Raised) -> None:
    """Walls came up: a deal, and a hand if it fits."""
    state = step.state.machine.set_named(fact.set)
    unseen = state.word in ("up", "unknown")
    if state.word == "up":
        step.assume("the walls before were dropped in meanwhile")
        state = replace(state, word="unknown")
        _put(step, fact.set, state)
    other_name = SETS[1 - SETS.index(fact.set)]
    other = step.state.machine.set_named(other_name)
    if other.on_top:
        step.assume(f"set {other_name} was dropped in meanwhile")
        _put(step, other_name, replace(other, word="unknown", before=None, beneath=None))
    if state.word not in ("raising", "ready", "unknown"):
        step.assume(f"set {fact.set} was stacked meanwhile")
        _put(step, fact.set, replace(state, word="unknown", before=None, beneath=None))
    _machine(step, fact.set, "raised")
    known = step.state.machine.set_named(fact.set).active
    if fact.number is not None and fact.number != known:
        _stacked_with(step, fact.set, fact.number)
    _deal_down(step)
    deal = Deal(fact.set, step.entry.seq, fact.number, _raised_sides(fact), fact.sides)
    step.change(deal=deal)
    walls_say(step, deal)
    bind(step)
    there = step.state.deal
    pending = step.state.machine.set_named(fact.set).pending
    if unseen and there is not None and pending is not None and changed_meanwhile(step, there):
        _stacked_with(step, fact.set, pending)


def trouble(step: Step, fact: facts.Trouble) -> None:
    """Something is wrong, or it is over."""
    machine = step.state.machine
    same = tuple(t for t in machine.troubles if (t.code, t.set, t.side) != _about(fact))
    troubles = (*same, fact) if fact.on else same
    step.change(machine=replace(machine, troubles=troubles))
    if fact.set is None:
        return
    state = step.state.machine.set_named(fact.set)
    blocked = any(t.set == fact.set for t in troubles)
    if fact.on and state.word != "blocked":
        _machine(step, fact.set, "trouble")
    elif not fact.on and not blocked and state.word == "blocked":
        _machine(step, fact.set, "cleared")


def sensor_ignored(step: Step, fact: facts.SensorIgnored) -> None:
    """People set a sensor aside or use it again."""
    machine = step.state.machine
    one = {(fact.ability, fact.side)}
    ignored = machine.ignored | one if fact.on else machine.ignored - one
    step.change(machine=replace(machine, ignored=ignored))


def census(step: Step, fact: facts.Census) -> None:
    """Every tile of the walls was read: people hear which are missing or too many."""
    step.drop_questions("tiles")
    deal = step.state.deal
    if deal is None or deal.set != fact.set:
        raise OddFact(f"the walls of set {fact.set} are not up")
    found = Census(_tiles(fact.missing), _tiles(fact.too_many))
    if not found.right:
        step.ask(
            "tiles",
            f"in the walls of set {fact.set} {census_said(found)}. Look under the table and in the"
            " box; exchange the tiles when they are next pushed in.",
            "play on",
            RESTACK,
        )


def elapsed(step: Step, fact: facts.Elapsed) -> None:
    """A timer ran out: stacking takes too long, or the walls rest after the dealing."""
    if fact.what == "rest":
        believe.elapsed(step, fact)
    elif fact.set is not None:
        _machine(step, fact.set, "overdue")
        late = facts.Trouble(code="other", set=fact.set)
        machine = step.state.machine
        if late not in machine.troubles:
            step.change(machine=replace(machine, troubles=(*machine.troubles, late)))
        step.ask("overdue", f"nothing says that set {fact.set} is stacked; look inside", "it is")


def asked(step: Step, fact: facts.Asked) -> None:
    """A command went out."""
    _command(step, fact.command, "asked")
    number, digest = fact.arguments.get("number"), fact.arguments.get("digest")
    if fact.command == "select" and isinstance(number, int) and isinstance(digest, str):
        mean(step, number, digest)


def answered(step: Step, fact: facts.Answered) -> None:
    """What became of it; an unknown outcome is asked, never sent again."""
    if fact.command not in dict(step.state.machine.commands):
        raise OddFact(f"{fact.command} was answered but never asked")
    _command(step, fact.command, fact.result)
    if fact.result == "unknown":
        step.ask("command", f"nobody knows whether {fact.command} was done", "it was", "it was not")


def nothing(step: Step, fact: facts.Sealed | facts.Button) -> None:
    """Kept in the journal and used by others; it changes no state here."""


def game_started(step: Step, fact: facts.GameStarted) -> None:
    """A game of one rule begins."""
    fold_game.begin(step, fact)


def game_wanted(step: Step, fact: facts.GameWanted) -> None:
    """A game of another rule begins when the open hand is closed."""
    game = step.state.game
    same = game is not None and not game.over and game.digest == fact.digest
    if same:
        step.change(wanted=None)
        return
    fold_game.check(step, fact)
    step.change(wanted=fact)


def seats_changed(step: Step, fact: facts.SeatsChanged) -> None:
    """Players moved between hands, or another one sits out."""
    fold_game.seats_changed(step, fact)


def game_ended(step: Step, fact: facts.GameEnded) -> None:
    """The game is over."""
    fold_game.end(step, fact.why or "")


def agreed(step: Step, fact: facts.Agreed) -> None:
    """An answer to a question."""
    asked_ = next((q for q in step.state.questions if q.id == fact.question), None)
    if asked_ is None:
        kind, _, seq = fact.question.partition(":")
        late = f". Said in its place, after fact {seq}, it counts" if kind == "stop" else ""
        raise NotAsked(f"nobody asks that any more, or it has answered itself{late}")
    if fact.choice not in asked_.choices:
        raise OddFact(f"'{fact.choice}' is none of the answers: {', '.join(asked_.choices)}")
    kept = tuple(q for q in step.state.questions if q.id != fact.question)
    step.change(questions=kept)
    kind = asked_.id.split(":")[0]
    deal, hand = step.state.deal, step.state.hand
    if fact.choice in (RESTACK, OTHER_RULE) and deal is not None:
        if fact.choice == RESTACK:
            unbind(step)
        deal = step.state.deal or deal
        step.change(deal=replace(deal, refused=fact.choice == RESTACK))
    elif kind == "deal" and play_these(step, fact.choice):
        return
    elif kind == "counts" and hand is not None:
        step.change_sensed(set_aside=True)
    elif kind == REPLACEMENT and hand is not None:
        replacement_said(step, asked_, fact.choice)
    elif kind == "deal_down" and fact.choice == VOID and hand is not None:
        fold_end.void(step, facts.Void(why="the walls are gone"))
    elif kind == "deal_down" and fact.choice == UNPAID and hand is not None:
        fold_end.settled(step, facts.Settled())
    elif kind in fold_game.ANSWERED:
        fold_game.answer(step, asked_, fact.choice)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _stacked_with(step: Step, name: str, number: int) -> None:
    """This is the number that the set is stacked with; what was chosen before holds no more."""
    state = step.state.machine.set_named(name)
    pending = None if state.pending == number else state.pending
    anew = number != state.active and (state.active is not None or number == state.pending)
    _put(step, name, replace(state, active=number, pending=pending))
    if anew:
        fill(step, name, meant(step, number) if state.word in _STACKED else None)


def _put(step: Step, name: str, state: SetState) -> None:
    machine = step.state.machine
    sets = (state, machine.sets[1]) if name == "a" else (machine.sets[0], state)
    step.change(machine=replace(machine, sets=sets))


def _machine(step: Step, name: str, trigger: str, to: str | None = None) -> None:
    machine: Machine = step.state.machine
    here = SETS.index(name)
    found = advance(machine.sets[here], machine.sets[1 - here], trigger, to)
    if isinstance(found, Odd):
        raise OddFact(found.sentence)
    moved, other = found
    assert other is not None
    sets = (moved, other) if here == 0 else (other, moved)
    step.change(machine=replace(machine, sets=sets))


def _deal_down(step: Step) -> None:
    """The walls of the deal are gone: a hand still open on them asks what became of it."""
    hand, deal = step.state.hand, step.state.deal
    if deal is None:
        return
    if hand is not None and hand.life != "closed":
        if hand.life == "raised":
            unbind(step)
        else:
            step.live("deal_down")
            step.ask("deal_down", *_gone(hand))
    step.change(deal=None)


def _gone(hand: Hand) -> tuple[str, ...]:
    """What is asked where walls go before their hand is closed, and the answers."""
    if hand.life != "settling":
        return (
            "the walls are gone, but the hand is not settled. Is it void, or was it forgotten to"
            " settle it?",
            "settle it",
            VOID,
        )
    over = "the hand is void" if hand.end == "void" else "the hand is over"
    return (
        f"the walls are gone; {over}, and only what is paid for it was not confirmed.",
        "settle it",
        UNPAID,
    )


def _raised_sides(fact: facts.Raised) -> tuple[Side, ...] | None:
    if fact.columns is not None:
        return tuple(parse_side(text) for text in fact.columns)
    if fact.sides is None:
        return None
    # Which end a half column stands at is not counted; walls that are dealt from begin with it.
    return tuple(Side((n + 1) // 2, "left" if n % 2 else None) for n in fact.sides)


def _tiles(counts: Mapping[str, int]) -> Multiset:
    """Tiles by code; what is no tile is left out."""
    return Multiset({tile: n for code, n in counts.items() if (tile := parse_tile(code))})


def _about(fact: facts.Trouble) -> tuple[str, str | None, int | None]:
    return fact.code, fact.set, fact.side


def _command(step: Step, command: str, result: str) -> None:
    machine = step.state.machine
    others = tuple(pair for pair in machine.commands if pair[0] != command)
    step.change(machine=replace(machine, commands=(*others, (command, result))))
