"""The core counts, `tablesim.lay` lays tiles and walks: the two agree everywhere."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.histories import rules_of

from tablectl.core.dealing import deal_from
from tablectl.core.geometry import Inputs, ground, plan
from tablectl.core.preset import Breaking, Dealing, Preset
from tablectl.core.preset_file import find_preset
from tablectl.core.wall import Break, Position, Side, counted, settled, wall_from
from tablectl.errors import TablectlError
from tablesim import lay

HALVES = (None, "right", "left")
SIDE = st.builds(Side, st.integers(1, 20), st.sampled_from(HALVES))
SUMS = range(2, 13)


def spot(position: Position) -> lay.Spot:
    return lay.Spot(position.side, position.column, position.row)


def spots(positions) -> list[lay.Spot]:
    return [spot(position) for position in positions]


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


def random_sides(rng: random.Random, rules: Preset) -> tuple[Side, ...]:
    """Walls of the rule's tile count: its own, or unequal ones with half columns."""
    if rng.random() < 0.4:
        return tuple(Side(n) for n in rules.walls.default)
    tiles = [rules.tile_count // 4] * 4
    tiles[0] += rules.tile_count - sum(tiles)
    for _ in range(6):
        a, b = rng.sample(range(4), 2)
        n = rng.randint(0, 3)
        tiles[a] += n
        tiles[b] -= n
    return tuple(
        Side((n + 1) // 2, rng.choice(("right", "left")) if n % 2 else None) for n in tiles
    )


@settings(max_examples=150)
@given(st.integers(0, 10_000))
def test_indicators_reveals_markers(seed):
    """Every place of a plan, also with half columns anywhere, by counting and by walking."""
    rng = random.Random(seed)
    rules = rules_of(seed)
    sides = random_sides(rng, rules)
    broke = Break(rng.randrange(4), rng.randrange(8))
    whole = Inputs(sides=sides, broke=broke)
    base = ground(rules, sides, tuple(range(rules.players)), 0, None, broke, False)
    opening = lay.Table([side.text for side in sides]).open_at(*broke)
    assert (opening.side, opening.after) == base.broke
    start = plan(rules, whole)
    head = rng.randint(start.head, start.head + start.drawable)
    tail = rng.randint(0, 6)
    try:
        found = plan(rules, replace(whole, head=head, tail=tail, turned=rng.randint(0, 2)))
    except TablectlError:
        found = start
    _, left, _ = lay.deal(
        opening.walk(), rules.players, 0, rules.dealing.rounds, rules.dealing.last
    )
    gone = base.dealt_tiles
    taken = {*set(opening.walk()) - set(left), *left[: found.head - gone]}
    back = opening.backwards() if rules.replacements.first == "upper" else opening.walk()[::-1]
    rule = rules.indicators
    if rule.start:
        open_now = lay.indicators(opening, rule.column, rule.start + found.turned)
        assert spots(found.indicators) == open_now
        if rule.ura:
            below = [lay.under(opening, one) for one in open_now]
            assert spots(found.ura) == [one for one in below if one is not None]
        if found.reveal is not None:
            flipped = lay.reveal(opening, taken, open_now[-1], rules.reveal.rows)
            assert spots(found.reveal) == flipped
        reserved = rule.start and 2 * (rule.column - 1)
        assert reserved >= rules.replacements.count
    if found.replacement is not None:
        assert spot(found.replacement) == back[found.tail]
    if found.next_draw is not None:
        assert spot(found.next_draw) == left[found.head - gone]
    if found.last_draw is not None:
        assert spot(found.last_draw) == left[found.head - gone + found.drawable - 1]
    if found.gold_marker is not None:
        gone_too = taken | set(back[: found.tail])
        place = lay.marker(opening, gone_too, found.reserve)
        assert (found.gold_marker.side, found.gold_marker.column) == place


@pytest.mark.parametrize("name", ["riichi-4p", "riichi-3p", "ramen-jiro"])
def test_presets_with_every_empty_chair(name):
    """Plans of the presets' own walls, four and three, from every dealer and sum."""
    rules = find_preset(name)
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
                    shown = lay.indicators(opening, rules.indicators.column, 1)
                    assert spots(found.indicators) == shown
                    assert spot(found.replacement) == opening.backwards()[0]
