"""Where machine and hand meet: a deal that fits the running game's rule opens a hand.

A hand belongs to one deal, a deal serves at most one hand. A deal that does not fit opens none;
people are asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.hand import HAND, life_step
from tablectl.core.preset import Preset
from tablectl.core.state import Deal, Hand
from tablectl.core.step import Step

RESTACK: Final = "restack"
OTHER_RULE: Final = "start a game of another rule"
OF_A_HAND: Final = ("deal", "odd", "counts", "sensor", "replacement", "lost")
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
        step.ask(
            "deal",
            f"{found} tiles came up; {rules.name} needs {whole}. Play another rule this hand, or"
            " restack?",
            RESTACK,
            OTHER_RULE,
        )
        return
    _open(step, rules, deal, by_machine)


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
    step.change(
        hand=hand,
        deal=replace(deal, used=True),
        game=replace(game, hands=game.hands + 1),
        verdicts=(),
    )
    for kind in OF_A_HAND:
        step.drop_questions(kind)
