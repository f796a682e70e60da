"""What people pay after a hand: nothing is lost, and chips only where a rule has them."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.people.hand import payment


def hand(*wins: tuple[int, int]) -> Any:
    """A hand that these seats won, each from another or by themselves."""
    steps = [SimpleNamespace(event=("win", seat, frm, 1, [])) for seat, frm in wins]
    return SimpleNamespace(course=SimpleNamespace(steps=steps))


@pytest.mark.parametrize("name", builtin_presets())
@pytest.mark.parametrize("wins", [(), ((0, 0),), ((1, 2),), ((1, 2), (0, 2))])
def test_who_wins_is_paid(name, wins):
    rules = find_preset(name)
    points, chips = payment(hand(*wins), rules, random.Random(len(wins)))
    assert sum(points) == sum(chips) == 0
    assert all(number % rules.score.unit == 0 for number in points)
    for seat, _ in wins:
        assert points[seat] > 0
        assert (chips[seat] > 0) == (not rules.score.base)
    assert any(points) == bool(wins)


def test_both_kinds_of_rule_are_there():
    assert {bool(find_preset(name).score.base) for name in builtin_presets()} == {True, False}
