"""Where machine and hand meet: a deal that fits the running game's rule opens a hand.

A hand belongs to one deal, a deal serves at most one hand. A deal that does not fit opens none;
people are asked. What tiles lie in a set is known from the number that it was stacked with, as far
as that was selected for a rule, and from its walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tablectl.core import facts
from tablectl.core.census import on_sides, sides_of, sides_said
from tablectl.core.hand import HAND, life_step
from tablectl.core.preset import Preset
from tablectl.core.state import SETS, Deal, Hand
from tablectl.core.step import Step

RESTACK: Final = "restack"
OTHER_RULE: Final = "start a game of another rule"
PLAY: Final = "play {name} with these walls"
ID_DIGITS: Final = 12
"""Of a table's id, as many are said to people; a board's is longer."""
MOST_MEANT: Final = 32
"""Numbers whose rule is remembered: those selected last."""
OF_A_HAND: Final = ("deal", "odd", "counts", "sensor", "replacement", "lost", "tiles")
"""Questions that are about one hand, or the walls before it: nobody need answer them any more when
the next one begins."""


def bind(step: Step) -> None:
    """Open a hand if a deal waits for one, no other hand is open and a game is running."""
    state = step.state
    deal, game, open_hand = state.deal, state.game, state.hand
    if deal is None or deal.used or deal.refused or game is None or game.over:
        return
    if open_hand is not None and open_hand.life != "closed":
        return
    rules = step.rules
    found = rules.tile_count if deal.sides is None else _found(deal)
    if not _fits(rules, found):
        theirs = _theirs(step, deal)
        step.drop_questions("deal")
        other = PLAY.format(name=theirs[0].name) if len(theirs) == 1 else OTHER_RULE
        step.ask("deal", _misfit(step, deal, found, theirs), RESTACK, other)
        return
    _open(step, rules, deal, by_machine=found != rules.tile_count)


def unbind(step: Step) -> None:
    """Take back a hand of which only the walls have come up; they wait for another."""
    hand, deal, game = step.state.hand, step.state.deal, step.state.game
    if hand is None or hand.life != "raised":
        return
    step.change(hand=None, deal=None if deal is None else replace(deal, used=False))
    if game is not None:
        step.change(game=replace(game, hands=game.hands - 1))


def play_these(step: Step, choice: str) -> bool:
    """People play on with walls as they are: the game of their rule is wanted. False if the choice
    means no rule."""
    deal, game = step.state.deal, step.state.game
    if deal is None:
        return False
    rules = next((one for one in _theirs(step, deal) if PLAY.format(name=one.name) == choice), None)
    if rules is None:
        return False
    seats = tuple(range(rules.players))
    if game is not None and len(game.seats) == rules.players:
        seats = game.seats
    if rules.game.first_dealer == "dice":
        step.assume("nobody has thrown for the first dealer: seat 0 deals")
    wanted = facts.GameWanted(
        preset=rules.base,
        variant=rules.variant or None,
        digest=rules.digest,
        seats=seats,
        points=rules.play.points,
    )
    step.change(wanted=wanted, deal=replace(deal, refused=False))
    return True


# ── what lies in a set ──────────────────────────────────────────────────────────────────────────


def mean(step: Step, number: int, digest: str) -> None:
    """This number has been selected for that rule."""
    machine = step.state.machine
    others = tuple(one for one in machine.meant if one[0] != number)
    step.change(machine=replace(machine, meant=(*others, (number, digest))[-MOST_MEANT:]))


def meant(step: Step, number: int | None) -> Preset | None:
    """The rule that a number was last selected for, None where nobody did or it is not at hand."""
    digest = dict(step.state.machine.meant).get(-1 if number is None else number)
    return None if digest is None else step.rulebook.get(digest)


def filled(step: Step, name: str) -> Preset | None:
    """The rule whose tiles lie in a set, None where nobody knows."""
    digest = step.state.machine.filled[SETS.index(name)]
    return None if digest is None else step.rulebook.get(digest)


def fill(step: Step, name: str, rules: Preset | None) -> None:
    """The tiles of this rule lie in the set; None: nobody knows which."""
    machine = step.state.machine
    digest = None if rules is None else rules.digest
    a, b = machine.filled
    step.change(machine=replace(machine, filled=(digest, b) if name == "a" else (a, digest)))


def stacked(step: Step, name: str) -> None:
    """A set's walls stand below: what its number was selected for lies in it, if nobody knew."""
    if filled(step, name) is None:
        fill(step, name, meant(step, step.state.machine.set_named(name).active))


def walls_say(step: Step, deal: Deal) -> None:
    """Walls came up: what their tiles say of the set that they are of."""
    found, there = _found(deal), filled(step, deal.set)
    number = step.state.machine.set_named(deal.set)
    if there is not None and found is not None and not _fits(there, found):
        near = deal.tiles is not None and sides_of(there, deal.tiles) is not None
        there = there if near else None
        fill(step, deal.set, there)
    if there is None and found is not None:
        known = meant(step, number.active if deal.number is None else deal.number)
        if known is not None and _fits(known, found):
            fill(step, deal.set, known)


def changed_meanwhile(step: Step, deal: Deal) -> bool:
    """Whether walls that nobody saw stacked were stacked with the number that waits for their set:
    they have the tiles of the rule that it was selected for."""
    told = meant(step, step.state.machine.set_named(deal.set).pending)
    if told is None or deal.number is not None:
        return False
    if deal.used:
        return told.tiles == step.rules.tiles
    found, there = _found(deal), filled(step, deal.set)
    known = there is not None and found is not None and _fits(there, found)
    return found is not None and _fits(told, found) and not known


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _found(deal: Deal) -> int | None:
    """The tiles of walls, None where nobody counted them."""
    return None if deal.sides is None else sum(side.tiles for side in deal.sides)


def _fits(rules: Preset, found: int | None) -> bool:
    """Whether so many tiles are a rule's walls, or what is left of them where the table deals."""
    rest = rules.tile_count - rules.dealing.machine * rules.players
    return found in (rules.tile_count, rest)


def _theirs(step: Step, deal: Deal) -> list[Preset]:
    """The rules whose walls these may be: the one that the number was selected for, else the one
    whose tiles lie in the set, else those selected at this table, else all that are known without
    toppings."""
    found, state = _found(deal), step.state.machine.set_named(deal.set)
    number = state.active if deal.number is None else deal.number
    selected = step.state.machine.meant
    for known in (meant(step, number), filled(step, deal.set)):
        if known is not None and _fits(known, found) and known.digest != step.rules.digest:
            return [known]
    here = [step.rulebook.get(digest) for _, digest in selected] if number is None else []
    plain = [rules for rules in step.rulebook.values() if not rules.variant]
    for some in (here, plain):
        # Of several texts of one rule the first is the one that is played now.
        fits = {one.name: one for one in reversed(some) if one and one.tile_count == found}
        if fits:
            return [fits[name] for name in sorted(fits)]
    return []


def _misfit(step: Step, deal: Deal, found: int | None, theirs: Sequence[Preset]) -> str:
    """What is said of walls that are not the rule's: whose they are, and what to do."""
    rules, machine = step.rules, step.state.machine
    came = f"{found} tiles came up; {rules.name} needs {rules.tile_count}."
    command = f"`tablectl select {step.entry.table[:ID_DIGITS]} RULE`"
    if len(theirs) == 1:
        this_hand = f"or play {theirs[0].name} with them"
    else:
        names = ", ".join(one.name for one in theirs)
        this_hand = f"or play them by their rule: {command} begins its game at once"
        this_hand += f" ({names})" if names else ""
    number = machine.set_named(deal.set)
    before = filled(step, deal.set)
    theirs_once = before is not None and _fits(before, found) and before.digest != rules.digest
    wanted = None if deal.tiles is None or theirs_once else sides_of(rules, deal.tiles)
    if wanted is not None and deal.tiles is not None:
        return (
            f"{came} {sides_said(on_sides(wanted, deal.tiles)).capitalize()}. Look under the table"
            f" and in the drawers, and restack; {this_hand}."
        )
    if theirs_once and before is not None:
        came += f" These are the walls of {before.name} once more"
    elif number.pending is not None and number.pending != deal.number:
        old = "the number before" if deal.number is None else f"number {deal.number}"
        came += f" These are the walls of {old} once more; number {number.pending} comes after them"
    else:
        return f"{came} Choose its number and restack: push start again; {this_hand}."
    return (
        f"{came}: they were stacked before the change. Push start again and let the tiles be"
        f" changed as they are pushed in; {this_hand}."
    )


def _open(step: Step, rules: Preset, deal: Deal, by_machine: bool) -> None:
    game = step.state.game
    assert game is not None
    life = life_step(HAND.initial, "bind", ("fits",))
    assert isinstance(life, str)
    hand = Hand(
        number=game.hands + 1,
        seats=game.seats,
        dealer=game.dealer,
        sides=deal.sides,
        life=life,
        machine_dealt=by_machine,
        aside=((),) * rules.players,
        riichi=(None,) * rules.players,
    )
    # Walls that were up before the game began have the tiles that they had.
    there = filled(step, deal.set)
    if there is None or deal.seq == step.entry.seq or not _fits(there, rules.tile_count):
        fill(step, deal.set, rules)
    step.change(
        hand=hand,
        deal=replace(deal, used=True),
        game=replace(game, hands=game.hands + 1),
        verdicts=(),
    )
    for kind in OF_A_HAND:
        step.drop_questions(kind)
