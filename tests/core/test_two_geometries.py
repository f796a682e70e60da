"""The core counts, `tablesim.lay` lays tiles and walks: the two agree everywhere."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.walked import Both, any_rules, made_up, rules_named, spot, spots

from tablectl.core.dealing import deal_from
from tablectl.core.geometry import Inputs, plan
from tablectl.core.preset import Breaking, Dealing
from tablectl.core.preset_file import builtin_presets
from tablectl.core.wall import Side, counted, settled, wall_from
from tablectl.errors import TablectlError
from tablesim import lay

SEED = int(os.environ.get("TABLECTL_SEED") or int.from_bytes(os.urandom(4), "big"))
CASES = int(os.environ.get("TABLECTL_CASES") or 2000)
"""Hands taken twice, all rules together; the soak asks for more."""
MADE_UP = "made up"
RULES = [*builtin_presets(), MADE_UP]

HALVES = (None, "right", "left")
SIDE = st.builds(Side, st.integers(1, 20), st.sampled_from(HALVES))
SUMS = range(2, 13)


def dice_for(total: int) -> tuple[int, int]:
    return (min(6, total - 1), total - min(6, total - 1))


def same_opening(sides: tuple[Side, ...], seats: tuple[int, ...], count: str) -> int:
    """Compare every dealer and sum; the number of openings compared."""
    table = lay.Table([side.text for side in sides])
    rule = Breaking(2, 1, "alone", count)
    compared = 0
    for dealer in range(len(seats)):
        for total in SUMS:
            try:
                opening = table.open(seats[dealer], total, count, seats)
            except lay.LayError:
                with pytest.raises(TablectlError):
                    counted(sides, seats, dealer, dice_for(total), rule)
                continue
            try:
                real = settled(sides, *counted(sides, seats, dealer, dice_for(total), rule))
            except TablectlError as error:
                assert error.code == "plan.sum_impossible"
                assert total >= sum(side.columns for side in sides)
                continue
            assert real == (opening.side, opening.after)
            wall = wall_from(sides, real)
            assert spots(wall.order) == opening.walk()
            assert spots(wall.tail_upper_first) == opening.backwards()
            compared += 1
    return compared


@pytest.mark.parametrize("count", ["walls", "sides", "seats"])
@pytest.mark.parametrize(
    "columns",
    [(17, 17, 17, 17), (15, 14, 15, 14), (14, 13, 14, 13), (18, 18, 18, 0), (20, 19, 19, 0),
     (0, 20, 19, 19), (19, 0, 20, 19), (19, 20, 0, 19), (10, 10, 11, 11), (9, 20, 7, 22)],
)  # fmt: skip
def test_known_walls(columns, count):
    sides = tuple(Side(n) for n in columns)
    standing = tuple(side for side, n in enumerate(columns) if n)
    if len(standing) == 3:
        assert same_opening(sides, standing, count) == (0 if count == "sides" else 33)
        turned = (*standing[1:], standing[0])
        same_opening(sides, turned, count)
        return
    assert same_opening(sides, (0, 1, 2, 3), count) == 44
    for empty in range(4):
        seats = tuple(side for side in range(4) if side != empty)
        assert same_opening(sides, seats, count) == 33


@settings(max_examples=60)
@given(st.lists(SIDE, min_size=4, max_size=4), st.integers(0, 4), st.permutations(range(4)))
def test_any_walls(sides, empty, chairs):
    walls = tuple(Side(0) if number == empty else side for number, side in enumerate(sides))
    players = 3 if empty < 4 else 4
    seats = tuple(side for side in chairs if side != empty)[:players]
    for count in ("walls", "sides", "seats"):
        same_opening(walls, seats, count)


@given(
    st.lists(SIDE, min_size=4, max_size=4),
    st.integers(0, 3),
    st.integers(0, 30),
    st.sampled_from([(4, 4, 4), (4, 4), (2, 2, 2)]),
    st.sampled_from(["sequence", "adjacent", "skip", "none"]),
    st.integers(2, 4),
)
def test_deals(sides, side, after, rounds, last, players):
    walls = tuple(sides)
    if sum(s.tiles for s in walls) < players * 14 + 8 or after >= sum(s.columns for s in walls):
        return
    opening = lay.Table([s.text for s in walls]).open_at(side, after)
    wall = wall_from(walls, settled(walls, side, after))
    deal = deal_from(wall, Dealing(rounds, last, "drawn", 0), players)
    hands, left, first = lay.deal(opening.walk(), players, 0, rounds, last)
    assert [spots(wall.order[p] for p in hand) for hand in deal.hands] == hands
    assert spot(wall.order[deal.first]) == first
    gone = deal.tiles + 1
    assert spots(wall.order[deal.order.p(k)] for k in range(gone, wall.tiles)) == left


@pytest.mark.parametrize("name", RULES)
def test_a_hand_taken_by_counting_and_by_walking(name):
    """Any walls, dealer, dice, empty chair, kongs, flowers: every place, also half columns."""
    compared = played = 0
    for case in range(CASES // len(RULES) + 1):
        print(f"TABLECTL_SEED={SEED}, {name}, case {case}")
        rng = random.Random(f"{SEED} {name} {case}")
        both = Both(made_up(rng) if name == MADE_UP else any_rules(rng, name), rng)
        both.play(rng.randrange(40))
        compared += both.compared
        played += both.hand is not None
    assert compared > played > 0.8 * case


@pytest.mark.parametrize("name", builtin_presets())
def test_presets_with_every_empty_chair(name):
    """Plans of the presets' own walls, four and three, from every dealer and sum."""
    rules = rules_named(name)
    layouts = [rules.walls.four] + ([rules.walls.three] if rules.walls.three else [])
    for columns in layouts:
        for empty in range(4) if rules.players == 3 else [None]:
            turned = list(columns)
            if empty is not None and 0 in columns:
                turned = [n for n in columns if n]
                turned.insert(empty, 0)
            seats = tuple(side for side in range(4) if side != empty)
            table = lay.Table([str(n) for n in turned])
            for dealer in range(rules.players):
                for total in SUMS:
                    found = plan(
                        rules,
                        Inputs(
                            sides=tuple(Side(n) for n in turned),
                            seats=seats,
                            dealer=dealer,
                            dice=dice_for(total),
                        ),
                    )
                    opening = table.open(seats[dealer], total, "walls", seats)
                    assert (found.break_.side, found.break_.after) == (opening.side, opening.after)
                    rule = rules.indicators
                    shown = lay.indicators(opening, rule.column, rule.start)
                    assert spots(found.indicators) == shown
                    assert spot(found.replacement) == opening.backwards()[0]
