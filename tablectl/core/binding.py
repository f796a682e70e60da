"""Where machine and hand meet: a deal that fits the running game's rule opens a hand.

A hand belongs to one deal, a deal serves at most one hand. A deal that does not fit opens none;
people are asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.census import on_sides, sides_of, sides_said
from tablectl.core.hand import HAND, life_step
from tablectl.core.preset import Preset
from tablectl.core.state import SETS, Deal, Hand
from tablectl.core.step import Step

RESTACK: Final = "restack"
OTHER_RULE: Final = "start a game of another rule"
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
    whole, rest = rules.tile_count, rules.tile_count - rules.dealing.machine * rules.players
    found = whole if deal.sides is None else sum(side.tiles for side in deal.sides)
    by_machine = bool(rules.dealing.machine) and found == rest
    if found != whole and not by_machine:
        step.drop_questions("deal")
        step.ask("deal", _misfit(step, deal, found), RESTACK, OTHER_RULE)
        return
    _open(step, rules, deal, by_machine)


def unbind(step: Step) -> None:
    """Take back a hand of which only the walls have come up; they wait for another."""
    hand, deal, game = step.state.hand, step.state.deal, step.state.game
    if hand is None or hand.life != "raised":
        return
    step.change(hand=None, deal=None if deal is None else replace(deal, used=False))
    if game is not None:
        step.change(game=replace(game, hands=game.hands - 1))


def _misfit(step: Step, deal: Deal, found: int) -> str:
    """What is said of walls that are not the rule's: whose they are, and what to do."""
    rules, machine = step.rules, step.state.machine
    came = f"{found} tiles came up; {rules.name} needs {rules.tile_count}."
    this_hand = "or start a game of their rule and play it this hand"
    wanted = None if deal.tiles is None else sides_of(rules, deal.tiles)
    if wanted is not None and deal.tiles is not None:
        return (
            f"{came} {sides_said(on_sides(wanted, deal.tiles)).capitalize()}. Look under the table"
            f" and in the drawers, and restack; {this_hand}."
        )
    number = machine.set_named(deal.set)
    known = machine.filled[SETS.index(deal.set)]
    before = None if known is None else step.rulebook.get(known)
    if before is not None and before.tile_count == found:
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
    machine, here = step.state.machine, SETS.index(deal.set)
    a, b = machine.filled
    filled = (rules.digest, b) if here == 0 else (a, rules.digest)
    step.change(
        machine=replace(machine, filled=filled),
        hand=hand,
        deal=replace(deal, used=True),
        game=replace(game, hands=game.hands + 1),
        verdicts=(),
    )
    for kind in OF_A_HAND:
        step.drop_questions(kind)
