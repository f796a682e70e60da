"""Tiles laid and walked round, against places that the rules' page and other engines give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesim.lay import LayError, Spot, Table, deal, indicators, marker, reveal, under

RAMEN = ("15", "14", "15", "14")
RIICHI = ("17",) * 4
FUZHOU = ("18",) * 4

SIDE = st.tuples(st.integers(1, 20), st.sampled_from(["", ".5<", ".5>"])).map(
    lambda pair: f"{pair[0]}{pair[1]}"
)
SIDES = st.lists(SIDE, min_size=4, max_size=4)


@pytest.mark.parametrize(
    ("dice", "side", "first"),
    # An independent engine's cases: target 2, live from stack 43; target 1; target 3.
    [(7, 2, Spot(2, 8, "upper")), (2, 1, Spot(1, 3, "upper")), (12, 3, Spot(3, 13, "upper"))],
)
def test_riichi_breaks(dice, side, first):
    opening = Table(RIICHI).open(0, dice, "walls", [0, 1, 2, 3])
    assert (opening.side, opening.after) == (side, dice)
    assert opening.walk()[0] == first


def test_the_dead_wall_of_2_columns_wraps():
    # (1,1): dead stacks 32..38 of that engine wrap onto side 2: side 1 columns 2, 1, side 2 17 …
    back = Table(RIICHI).open(0, 2, "walls", [0, 1, 2, 3]).backwards()
    assert [(s.side, s.column) for s in back[:14:2]] == [
        (1, 2), (1, 1), (2, 17), (2, 16), (2, 15), (2, 14), (2, 13)
    ]  # fmt: skip


def test_the_worked_reveal_of_116_tiles():
    # The rules' page, section 1.4: dealer at side 0, dice 7, twelve replacements.
    opening = Table(RAMEN).open(0, 7, "walls", [0, 1, 2])
    order = opening.walk()
    assert order[0] == Spot(2, 8, "upper")
    assert [(s.side, s.column) for s in opening.backwards()[:12:2]] == [
        (2, 7), (2, 6), (2, 5), (2, 4), (2, 3), (2, 2)
    ]  # fmt: skip
    (indicator,) = indicators(opening, 7, 1)
    assert indicator == Spot(2, 1, "upper") == order[102]
    assert under(opening, indicator) == Spot(2, 1, "lower") == order[103]
    for head, tops, last in ((40, 31, 40), (60, 21, 60), (61, 20, 62)):
        flipped = reveal(opening, order[:head], indicator, "upper")
        assert len(flipped) == tops
        assert flipped[0] == Spot(3, 14, "upper") == order[100]
        assert flipped[-1] == order[last]


def test_riichi_indicators_and_replacements():
    # Section 4: indicators 130, 128, 126, 124, 122, ura under them; replacements 134, 135, …
    opening = Table(RIICHI).open(0, 7, "walls", [0, 1, 2, 3])
    order = opening.walk()
    assert indicators(opening, 3, 5) == [order[p] for p in (130, 128, 126, 124, 122)]
    assert under(opening, order[130]) == order[131]
    assert opening.backwards()[:4] == [order[p] for p in (134, 135, 132, 133)]


@pytest.mark.parametrize(
    ("head", "tail", "reserve", "place"),
    # Section 5.3's example: 144 tiles, dice 5, the marker's place after each event.
    [
        (65, 26, 18, (1, 2)),
        (66, 27, 18, (1, 2)),
        (67, 28, 19, (1, 1)),
        (68, 29, 21, (2, 17)),
        (69, 30, 23, (2, 16)),
        (65, 26, 20, (1, 1)),
    ],
)
def test_the_golds_column(head, tail, reserve, place):
    opening = Table(FUZHOU).open(0, 5, "walls", [0, 1, 2, 3])
    assert opening.walk()[0] == Spot(0, 6, "upper")
    taken = {*opening.walk()[:head], *opening.backwards()[:tail]}
    assert marker(opening, taken, reserve) == place


@pytest.mark.parametrize(
    ("last", "dealer", "others", "following"),
    # Section 6: single tiles of three players begin at 36.
    [
        ("sequence", [36, 39], [37, 38], [40, 41]),
        ("adjacent", [36, 38], [37, 39], [40, 41]),
        ("skip", [36, 40], [37, 38], [39, 41]),
    ],
)
def test_deals_of_three(last, dealer, others, following):
    order = Table(RAMEN).open(0, 7, "walls", [0, 1, 2]).walk()
    hands, left, first = deal(order, 3, 1, [4, 4, 4], last)
    assert [order.index(hands[1][-1]), order.index(first)] == dealer
    assert [order.index(hands[seat][-1]) for seat in (2, 0)] == others
    assert [order.index(spot) for spot in left[:2]] == following
    assert [len(hand) for hand in hands] == [13, 13, 13]


def test_the_usual_jump_of_four_is_the_sequence():
    order = Table(RIICHI).open(0, 7, "walls", [0, 1, 2, 3]).walk()
    hands, left, first = deal(order, 4, 0, [4, 4, 4], "adjacent")
    assert [order.index(hands[seat][-1]) for seat in range(4)] == [48, 49, 50, 51]
    assert first == order[52]
    assert left[0] == order[53]


@pytest.mark.parametrize("empty", range(4))
@pytest.mark.parametrize(
    ("total", "steps"), [(2, 1), (3, 2), (4, 0), (5, 1), (6, 2), (7, 0), (10, 0), (12, 2)]
)
def test_three_walls_count_the_players(empty, total, steps):
    # Section 6: 2, 5, 8, 11 right-hand neighbour; 3, 6, 9, 12 left; 4, 7, 10 self.
    sides = ["19"] * 4
    sides[empty] = "0"
    seats = [(empty + 1 + i) % 4 for i in range(3)]
    opening = Table(sides).open(seats[0], total, "walls", seats)
    assert opening.side == seats[steps]
    assert {spot.side for spot in opening.walk()} == set(seats)


def test_half_columns():
    right, left = Table(["3.5<", "2", "2", "2"]), Table(["3.5>", "2", "2", "2"])
    assert right.open_at(0, 0).walk()[:3] == [
        Spot(0, 1, "lower"), Spot(0, 2, "upper"), Spot(0, 2, "lower")
    ]  # fmt: skip
    assert left.open_at(0, 3).walk()[:2] == [Spot(0, 4, "lower"), Spot(3, 1, "upper")]
    assert under(right.open_at(0, 0), Spot(0, 1, "lower")) is None


def test_a_count_goes_on_round_the_corner():
    opening = Table(["20", "8", "20", "10"]).open(0, 10, "walls", [0, 1, 2])
    assert (opening.side, opening.after) == (0, 2)
    exactly = Table(["20", "8", "20", "10"]).open_at(1, 8)
    assert (exactly.side, exactly.after) == (0, 0)


def test_what_cannot_be_opened():
    table = Table(["19", "19", "19", "0"])
    with pytest.raises(LayError, match="no wall"):
        table.open_at(3, 2)
    with pytest.raises(LayError, match="one has no wall"):
        table.open(0, 4, "sides", [0, 1, 2])
    with pytest.raises(LayError, match="side 3"):
        table.open(3, 4, "walls", [3, 1, 2])


@given(SIDES, st.integers(0, 3), st.integers(2, 30))
def test_every_tile_once_both_ways(sides, side, after):
    table = Table(sides)
    opening = table.open_at(side, after)
    walked, back = opening.walk(), opening.backwards()
    assert sorted(walked) == sorted(back) == sorted(table.spots)
    assert len(set(walked)) == len(walked)
    assert [s for s in walked if s.row == "upper"] == [s for s in back if s.row == "upper"][::-1]
