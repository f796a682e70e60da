"""Tiles laid and walked round, against places that the rules' page and other engines give."""

from __future__ import annotations

from itertools import pairwise

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


@pytest.mark.parametrize(
    ("dice", "live", "dead"),
    # Section 0, the engine's three cases as its own stack numbers, side · 17 + (17 − column): the
    # break stack is the last one left standing, live[0] lies on the stack before it, and the dead
    # wall is the break stack and those after it. (3,4): 44, 43; (1,1): 32, dead 32-38; (6,6): 56.
    [(7, 43, 44), (2, 31, 32), (12, 55, 56)],
)
def test_the_stack_numbers_of_another_engine(dice, live, dead):
    opening = Table(RIICHI).open(0, dice, "walls", [0, 1, 2, 3])
    first, last = opening.walk()[0], opening.backwards()
    assert first.side * 17 + (17 - first.column) == live
    assert [s.side * 17 + (17 - s.column) for s in last[:14:2]] == list(range(dead, dead + 7))


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
    assert opening.backwards()[:4] == [
        Spot(2, 7, "upper"), Spot(2, 7, "lower"), Spot(2, 6, "upper"), Spot(2, 6, "lower")
    ]  # fmt: skip
    # Columns 20, 30 and 31: side 2 stands in 0-7, side 1 in 8-21, side 0 in 22-36, side 3 in 37-50.
    for head, tops, last, place in (
        (40, 31, 40, Spot(1, 13, "upper")),
        (60, 21, 60, Spot(0, 9, "upper")),
        (61, 20, 62, Spot(0, 10, "upper")),
    ):
        flipped = reveal(opening, order[:head], indicator, "upper")
        assert len(flipped) == tops
        assert flipped[:2] == [Spot(3, 14, "upper"), Spot(3, 13, "upper")]
        assert flipped[0] == order[100]
        assert flipped[-1] == order[last] == place
    # Section 7: with H = 101 no upper tile is left, only the lower one beside the indicator.
    assert reveal(opening, order[:101], indicator, "upper") == []
    assert reveal(opening, order[:101], indicator, "both") == [Spot(3, 14, "lower")]
    # Both rows (section 1.1): a column whose upper tile is drawn still offers its lower one.
    both = reveal(opening, order[:61], indicator, "both")
    assert both[:3] == [Spot(3, 14, "upper"), Spot(3, 14, "lower"), Spot(3, 13, "upper")]
    assert both[-2:] == [Spot(0, 10, "lower"), Spot(0, 9, "lower")]
    assert len(both) == 41


def test_the_reveal_of_112_tiles_beside_two_indicators():
    # Section 2: p 98 and 96 lie open, the flips go 94, 92, 90, … to 40, 28 of them; dice 7.
    opening = Table(("14",) * 4).open(0, 7, "walls", [0, 1, 2])
    order = opening.walk()
    shown = indicators(opening, 7, 2)
    assert shown == [Spot(2, 1, "upper"), Spot(3, 14, "upper")] == [order[98], order[96]]
    flipped = reveal(opening, set(order[:40]), shown[-1], "upper")
    assert flipped[:2] == [Spot(3, 13, "upper"), Spot(3, 12, "upper")] == [order[94], order[92]]
    assert flipped[-1] == Spot(1, 14, "upper") == order[40]
    assert len(flipped) == 28


def test_riichi_indicators_and_replacements():
    # Section 4: indicators 130, 128, 126, 124, 122, ura under them; replacements 134, 135, …
    opening = Table(RIICHI).open(0, 7, "walls", [0, 1, 2, 3])
    order = opening.walk()
    assert indicators(opening, 3, 5) == [order[p] for p in (130, 128, 126, 124, 122)]
    assert under(opening, order[130]) == order[131]
    assert opening.backwards()[:4] == [order[p] for p in (134, 135, 132, 133)]
    # The same as places: seven columns stand at the right end of side 2, the dead wall is those.
    assert [s.column for s in indicators(opening, 3, 5) if s.side == 2] == [5, 4, 3, 2, 1]
    assert under(opening, Spot(2, 5, "upper")) == Spot(2, 5, "lower")
    assert opening.backwards()[:4] == [
        Spot(2, 7, "upper"), Spot(2, 7, "lower"), Spot(2, 6, "upper"), Spot(2, 6, "lower")
    ]  # fmt: skip
    assert sorted(order[-14:]) == [
        Spot(2, column, row) for column in range(1, 8) for row in ("lower", "upper")
    ]
    # The last drawn tile before it, p 121, is the neighbour wall's last.
    assert order[121] == Spot(3, 17, "lower")


@pytest.mark.parametrize(
    ("head", "tail", "reserve", "place"),
    # Section 5.3's example: 144 tiles, dice 5, the marker's place after each event.
    [
        (65, 26, 18, (1, 2)),
        (66, 26, 18, (1, 2)),
        (66, 27, 18, (1, 2)),
        (67, 27, 18, (1, 2)),
        (67, 28, 19, (1, 1)),
        (68, 28, 19, (1, 1)),
        (68, 29, 21, (2, 17)),
        (69, 30, 23, (2, 16)),
        # Section 11, number 7: the same with one quad.
        (65, 26, 20, (1, 1)),
    ],
)
def test_the_golds_column(head, tail, reserve, place):
    opening = Table(FUZHOU).open(0, 5, "walls", [0, 1, 2, 3])
    assert opening.walk()[0] == Spot(0, 6, "upper")
    taken = {*opening.walk()[:head], *opening.backwards()[:tail]}
    assert marker(opening, taken, reserve) == place


@pytest.mark.parametrize(
    ("head", "tail", "reserve", "usable", "last", "place"),
    # Section 5.3, R − reserve and the last usable tile: p 99, 98, 96, 93, 90; with a quad 97.
    [
        (65, 26, 18, 35, 99, Spot(1, 1, "lower")),
        (66, 27, 18, 33, 98, Spot(1, 1, "upper")),
        (67, 28, 19, 30, 96, Spot(2, 18, "upper")),
        (68, 29, 21, 26, 93, Spot(2, 16, "lower")),
        (69, 30, 23, 22, 90, Spot(2, 15, "upper")),
        (65, 26, 20, 33, 97, Spot(2, 18, "lower")),
    ],
)
def test_the_last_usable_tile(head, tail, reserve, usable, last, place):
    opening = Table(FUZHOU).open(0, 5, "walls", [0, 1, 2, 3])
    order = opening.walk()
    assert order[64] == Spot(2, 2, "upper")  # the dealer's seventeenth
    gone = {*order[:head], *opening.backwards()[:tail]}
    standing = [spot for spot in order if spot not in gone]
    assert len(standing) - reserve == usable
    assert standing[usable - 1] == place == order[last]


def test_the_golds_column_of_128_tiles():
    # Section 5.3: T = 12, column 49, the ninth from column 57; dice 5: side 0 stands in 0-10,
    # side 3 in 11-26, side 2 in 27-42, side 1 in 43-58.
    opening = Table(("16",) * 4).open(0, 5, "walls", [0, 1, 2, 3])
    taken = {*opening.walk()[:65], *opening.backwards()[:12]}
    assert opening.walk()[98] == Spot(1, 7, "upper")
    assert marker(opening, taken, 18) == (1, 7)


def test_no_column_is_wholly_reserved():
    opening = Table(FUZHOU).open(0, 5, "walls", [0, 1, 2, 3])
    assert marker(opening, set(), 1) is None
    assert marker(opening, set(opening.walk()), 18) is None


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


def test_a_deal_without_single_tiles():
    # Section 7: an automatic deal of twelve each, the dealer takes one more and that is all.
    order = Table(RAMEN).open(0, 7, "walls", [0, 1, 2]).walk()
    hands, left, first = deal(order, 3, 0, [4, 4, 4], "none")
    assert [len(hand) for hand in hands] == [12, 12, 12]
    assert [order.index(spot) for spot in hands[1][:5]] == [4, 5, 6, 7, 16]
    assert first == order[36]
    assert left[0] == order[37]


def test_the_deal_of_sixteen():
    # Section 5.3: 64 tiles are columns 0-31, the dealer's seventeenth is p 64, the next draw p 65.
    order = Table(FUZHOU).open(0, 5, "walls", [0, 1, 2, 3]).walk()
    hands, left, first = deal(order, 4, 0, [4, 4, 4, 4], "none")
    assert [len(hand) for hand in hands] == [16] * 4
    assert first == Spot(2, 2, "upper")
    assert left[0] == Spot(2, 2, "lower")


@pytest.mark.parametrize(
    ("empty", "sides", "places"),
    # 116 tiles on three walls (section 6), the dealer after the empty chair, dice 7: he is counted
    # again, seven columns stay, and the walker passes the side that has no wall.
    [
        (0, ("0", "20", "19", "19"), [(1, 8), (3, 1), (2, 1), (1, 1)]),
        (1, ("19", "0", "20", "19"), [(2, 8), (0, 1), (3, 1), (2, 1)]),
        (2, ("19", "19", "0", "20"), [(3, 8), (1, 1), (0, 1), (3, 1)]),
        (3, ("20", "19", "19", "0"), [(0, 8), (2, 1), (1, 1), (0, 1)]),
    ],
)
def test_three_walls_are_walked_past_the_gap(empty, sides, places):
    seats = [(empty + 1 + i) % 4 for i in range(3)]
    opening = Table(sides).open(seats[0], 7, "walls", seats)
    order = opening.walk()
    # 20 − 7 columns of the first wall, then 19, 19 and the seven that were left.
    assert [(order[p].side, order[p].column) for p in (0, 26, 64, 102)] == places
    assert opening.backwards()[0] == Spot(places[0][0], 7, "upper")
    assert len(order) == 116


def test_the_empty_chair_is_counted_where_it_has_a_wall():
    # Section 6: with four walls the empty North is counted; dealer at side 0, dice 4.
    table = Table(RAMEN)
    assert table.open(0, 4, "walls", [0, 1, 2]).side == 3
    assert table.open(0, 4, "sides", [0, 1, 2]).side == 3
    assert table.open(0, 4, "seats", [0, 1, 2]).side == 0
    # Seats need not be sides in order: the chair of side 1 is empty, the third player is at 3.
    assert table.open(2, 3, "seats", [0, 2, 3]).side == 0


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


def test_a_half_column_at_the_walls_end():
    # The contract's "10.5>": column 11 is the half one. Opened at side 3 it is the last of all.
    opening = Table(["10.5>", "10", "11", "10"]).open_at(3, 0)
    assert opening.backwards()[:3] == [
        Spot(0, 11, "lower"), Spot(0, 10, "upper"), Spot(0, 10, "lower")
    ]  # fmt: skip
    # It counts as a column: for the indicators, and (section 5.4, F2) for the marker.
    assert indicators(opening, 1, 2) == [Spot(0, 11, "lower"), Spot(0, 10, "upper")]
    assert indicators(opening, 3, 1) == [Spot(0, 9, "upper")]
    assert marker(opening, set(), 4) == (0, 10)
    assert marker(opening, set(), 5) == (0, 9)
    # 62 tiles of three walls and six columns of side 0 are drawn.
    assert reveal(opening, set(opening.walk()[:74]), Spot(0, 9, "upper"), "upper") == [
        Spot(0, 8, "upper"), Spot(0, 7, "upper")
    ]  # fmt: skip


def test_a_half_column_at_its_owners_right():
    # The contract's "10.5<": column 1 is the half one, the whole ones are 2 to 11.
    opening = Table(["10.5<", "10", "11", "10"]).open_at(0, 1)
    assert opening.walk()[0] == Spot(0, 2, "upper")
    assert opening.walk()[-1] == opening.backwards()[0] == Spot(0, 1, "lower")
    assert {s for s in opening.walk() if s.side == 0 and s.column == 1} == {Spot(0, 1, "lower")}
    assert indicators(opening, 2, 1) == [Spot(1, 10, "upper")]
    # A flip of the upper row passes it by, a flip of both rows takes it.
    middle = Table(["10.5<", "10", "11", "10"]).open_at(1, 0)
    taken = set(middle.walk()[:19])
    assert reveal(middle, taken, Spot(0, 3, "upper"), "upper") == [Spot(0, 2, "upper")]
    assert reveal(middle, taken, Spot(0, 3, "upper"), "both") == [
        Spot(0, 2, "upper"), Spot(0, 2, "lower"), Spot(0, 1, "lower"), Spot(1, 10, "lower")
    ]  # fmt: skip


def test_a_count_goes_on_round_the_corner():
    opening = Table(["20", "8", "20", "10"]).open(0, 10, "walls", [0, 1, 2])
    assert (opening.side, opening.after) == (0, 2)
    exactly = Table(["20", "8", "20", "10"]).open_at(1, 8)
    assert (exactly.side, exactly.after) == (0, 0)
    # Past two walls: ten counts to side 1; its 3 and the 4 of side 0 stay, and 3 of side 3.
    far = Table(["4", "3", "20", "5"]).open(0, 10, "walls", [0, 1, 2])
    assert (far.side, far.after) == (3, 3)
    # Past a side without a wall: side 1's 3 stay, and 7 of side 3.
    gap = Table(["0", "3", "20", "15"]).open(1, 10, "walls", [1, 2, 3])
    assert (gap.side, gap.after) == (3, 7)
    # Once round and on: all 8 columns and two more.
    assert Table(["2"] * 4).open_at(0, 10).walk()[0] == Spot(3, 1, "upper")


@pytest.mark.parametrize(
    "sides",
    [["17"] * 3, ["17"] * 5, ["-3", "2", "2", "2"], ["1.7x", "2", "2", "2"], ["10.5"] * 4,
     [""] * 4, ["100"] * 4, [" 5"] * 4],
)  # fmt: skip
def test_what_is_no_wall(sides):
    with pytest.raises(LayError):
        Table(sides)


def test_what_makes_no_sense_is_refused():
    table = Table(RIICHI)
    opening = table.open_at(0, 5)
    with pytest.raises(LayError, match="no way to count"):
        table.open(0, 7, "players", [0, 1, 2, 3])
    with pytest.raises(LayError, match="number 0"):
        table.open(0, 0, "walls", [0, 1, 2, 3])
    with pytest.raises(LayError, match="no side -1"):
        table.open_at(-1, 3)
    with pytest.raises(LayError, match="left standing"):
        table.open_at(0, -1)
    with pytest.raises(LayError, match="takes 40 tiles"):
        deal(opening.walk()[:39], 3, 0, [4, 4, 4], "sequence")
    with pytest.raises(LayError, match="no way to end"):
        deal(opening.walk(), 3, 0, [4, 4, 4], "jump")
    with pytest.raises(LayError, match="seat 3"):
        deal(opening.walk(), 3, 3, [4, 4, 4], "none")
    with pytest.raises(LayError, match="71 columns"):
        indicators(opening, 67, 5)
    with pytest.raises(LayError, match="from 1"):
        indicators(opening, 0, 1)
    with pytest.raises(LayError, match="no tile lies"):
        under(opening, Spot(0, 18, "upper"))
    with pytest.raises(LayError, match="no rows"):
        reveal(opening, set(), Spot(0, 5, "upper"), "lower")


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


@given(SIDES, st.integers(0, 3), st.integers(0, 30))
def test_walls_follow_one_another_clockwise(sides, side, after):
    order = Table(sides).open_at(side, after).walk()
    for one, following in pairwise(order):
        if one.side != following.side:
            assert following.side == (one.side + 3) % 4
            assert following.column == 1
        elif one.column == following.column:
            assert (one.row, following.row) == ("upper", "lower")
        else:
            assert following.column == one.column + 1


@given(
    SIDES.filter(lambda sides: sum(int(side.split(".")[0]) for side in sides) >= 28),
    st.integers(2, 4),
    st.data(),
    st.sampled_from(["sequence", "adjacent", "skip", "none"]),
)
def test_a_deal_loses_no_tile(sides, players, data, last):
    dealer = data.draw(st.integers(0, players - 1))
    order = Table(sides).open_at(0, 0).walk()
    hands, left, first = deal(order, players, dealer, [4, 4, 4], last)
    assert [len(hand) for hand in hands] == [12 if last == "none" else 13] * players
    assert sorted([*(spot for hand in hands for spot in hand), first, *left]) == sorted(order)
    assert left == [spot for spot in order if spot in set(left)]
