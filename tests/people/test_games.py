"""Players go on from game to game: what is over begins anew, and points are lost nowhere."""

from __future__ import annotations

import pytest
from support.world import World, run, stacks

from tablectl.core import facts
from tablectl.core.game import ANOTHER
from tablectl.core.preset_file import find_preset

SEED = 7
HANDS = 14
"""Enough for two games of a rule that is played east only."""


@pytest.mark.parametrize("clumsy", [0.0, 0.1])
@pytest.mark.parametrize("name", ["goto-sanma", "ramen-jiro"])
def test_they_play_another_game_when_one_is_over(name: str, clumsy: float) -> None:
    rules, seed = find_preset(name), SEED
    world = World(stacks("deaf", rules), rules, seed=seed)
    world.start(rules)
    players = world.players(rules, seed, clumsy=clumsy)
    run(players, HANDS)
    game = world.state().game
    assert game is not None
    assert sum(game.points) == rules.play.points * rules.players
    said = [one.fact for one in world.history.entries if isinstance(one.fact, facts.Agreed)]
    assert any(fact.choice == ANOTHER for fact in said)
    assert not [one for one in world.state().questions if one.id.startswith("game:")]


def test_they_begin_another_game_where_the_question_was_left_open() -> None:
    rules, seed = find_preset("goto-sanma"), SEED
    world = World(stacks("deaf", rules), rules, seed=seed)
    world.start(rules)
    players = world.players(rules, seed)
    over = False
    for _ in range(HANDS):
        run(players)
        answers = [
            one.seq
            for one in world.history.entries
            if isinstance(one.fact, facts.Agreed) and one.fact.choice == ANOTHER
        ]
        if answers:
            world.put(facts.Retract(target=answers[-1]), "p:back")
            game = world.state().game
            assert game is not None
            assert game.over
            run(players)
            over = True
            break
    assert over
    game = world.state().game
    assert game is not None
    assert not game.over
