"""A hand taken tile by tile, against places that the rules' page gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesim.lay import LayError, Opening, Spot, Table, sitting
from tablesim.walked import POLICIES, Hand, House

FOUR = House("kept", 14, replacements=4, indicators=1, column=3, kongs=4)
NORTHS = House("shrinking", 18, replacements=8, indicators=1, column=5, kongs=4)
RAMEN = House("neighbour", replacements=12, indicators=1, column=7, kongs=4)
FUZHOU = House("growing", 18, 1, 2, 2)


def opened(*sides: str) -> Opening:
    return Table(sides).open(0, 7, "walls", [0, 1, 2])


def hand_of(house: House, head: int, *sides: str) -> tuple[Hand, list[Spot]]:
    opening = opened(*sides)
    order = opening.walk()
    return Hand(opening, house, order[head:]), order


def test_fourteen_stay():
    # Section 4: the last tile is p 121; each replacement makes the end one tile nearer.
    hand, order = hand_of(FOUR, 53, *("17",) * 4)
    assert order.index(hand.usable[-1]) == 121
    assert hand.turned == [order[130]]
    for k, end in enumerate((120, 119, 118, 117)):
        hand.kong(concealed=k == 1)
        assert hand.replace() == order[(134, 135, 132, 133)[k]]
        assert order.index(hand.usable[-1]) == end
        assert hand.turn() == order[128 - 2 * k]
        assert len(hand.reserve) == 14
    assert (hand.replacement, hand.next_indicator) == (None, None)
    with pytest.raises(LayError, match="no replacement"):
        hand.replace()
    with pytest.raises(LayError, match="no indicator"):
        hand.turn()
    assert [order.index(spot) for spot in hand.ura] == [131, 129, 127, 125, 123]


def test_the_ura_of_kongs_may_not_count():
    hand, order = hand_of(FOUR._replace(kong_ura=False), 53, *("17",) * 4)
    hand.turn()
    assert hand.turned == [order[130], order[128]]
    assert hand.ura == [order[131]]


def test_nothing_fills_the_reserve_after_the_last_tile():
    hand, order = hand_of(FOUR, 122, *("17",) * 4)
    assert hand.usable == []
    with pytest.raises(LayError, match="fill up"):
        hand.replace()
    with pytest.raises(LayError, match="nothing is left to draw"):
        hand.draw()
    assert (len(hand.reserve), hand.replacement) == (14, order[134])


def test_a_reserve_that_only_kongs_fill_up():
    # Section 4, item 7 (N18): a north is taken and not filled up, a kong's replacement is.
    hand, order = hand_of(NORTHS, 40, "14", "13", "14", "13")
    assert order.index(hand.usable[-1]) == 89
    assert hand.replace() == order[106]
    assert (order.index(hand.usable[-1]), len(hand.reserve)) == (89, 17)
    hand.kong(concealed=True)
    assert hand.replace() == order[107]
    assert (order.index(hand.usable[-1]), len(hand.reserve)) == (88, 17)
    last, _ = hand_of(NORTHS, 90, "14", "13", "14", "13")
    assert last.replace() == order[106]
    with pytest.raises(LayError, match="could be kept"):
        last.kong(concealed=False)


def test_up_to_the_neighbour():
    # Section 1.4 and 3: p 101 is the last, replacements do not move it, a kong does by two.
    hand, order = hand_of(RAMEN, 40, "15", "14", "15", "14")
    for _ in range(12):
        hand.replace()
    assert hand.replacement is None
    assert order.index(hand.usable[-1]) == 101
    assert hand.turn() == order[100]
    assert order.index(hand.usable[-1]) == 99
    # Section 7: the next one can be turned as long as p 98 is there.
    while hand.usable[0] != order[98]:
        hand.draw()
    assert hand.next_indicator == order[98]
    hand.draw()
    assert hand.next_indicator is None


def test_the_marker_of_either_house():
    # Section 5.4, F1 and F2: dice 5, T = 26 and 27.
    opening = Table(("18",) * 4).open(0, 5, "walls", [0, 1, 2, 3])
    order = opening.walk()
    places = {}
    for counts in (False, True):
        for marker in ("reserved", "boundary"):
            hand = Hand(opening, FUZHOU._replace(gold_counts=counts, marker=marker), order[65:])
            for _ in range(25):
                hand.replace()
            hand.replace(gold=True)
            even = order.index(hand.usable[-1]), hand.marker
            hand.replace()
            places[counts, marker] = even, (order.index(hand.usable[-1]), hand.marker)
    assert places == {
        (False, "reserved"): ((99, (1, 2)), (98, (1, 2))),
        (False, "boundary"): ((99, (1, 2)), (98, (1, 1))),
        (True, "reserved"): ((100, (1, 3)), (99, (1, 2))),
        (True, "boundary"): ((100, (1, 2)), (99, (1, 2))),
    }


def test_a_growing_reserve_takes_what_kongs_and_flowers_add():
    hand, _ = hand_of(FUZHOU, 65, *("18",) * 4)
    before = len(hand.usable)
    hand.kong(concealed=False)
    hand.kong(concealed=True)
    hand.four_like()
    assert (len(hand.reserve), len(hand.usable)) == (23, before - 5)
    while hand.usable:
        hand.draw()
    assert hand.replacement is None
    with pytest.raises(LayError, match="no replacement"):
        hand.replace()


def test_replacements_from_the_head():
    hand, order = hand_of(FOUR._replace(from_head=True), 53, *("17",) * 4)
    assert hand.replacement == hand.replace() == order[53]
    assert hand.usable[0] == order[54]
    assert (len(hand.reserve), hand.behind) == (14, set())


def test_the_lower_tile_first():
    hand, order = hand_of(FOUR._replace(first="lower"), 53, *("17",) * 4)
    assert [hand.replace() for _ in range(3)] == [order[135], order[134], order[133]]


def test_a_half_column_at_the_end_leaves_fewer_replacements():
    # Columns are counted from the end, a half one too: two of them lie behind the indicator.
    opening = Table(("17", "16.5>", "17", "17.5>")).open_at(2, 0)
    hand = Hand(opening, FOUR, opening.walk()[53:])
    taken = [hand.replace() for _ in range(3)]
    assert taken == [Spot(3, 18, "lower"), Spot(3, 17, "upper"), Spot(3, 17, "lower")]
    assert hand.replacement is None
    assert hand.turned == [Spot(3, 16, "upper")]


def test_what_is_no_house():
    opening = opened(*("17",) * 4)
    with pytest.raises(LayError, match="no way to keep"):
        Hand(opening, House("all"), opening.walk())
    with pytest.raises(LayError, match="could be kept"):
        Hand(opening, FOUR, opening.walk()[130:])


def test_a_second_throw_says_the_columns():
    table = Table(("17",) * 4)
    opening = table.open(0, 3, "walls", [0, 1, 2, 3], 4)
    assert (opening.counted, opening.side, opening.after) == (2, 2, 4)
    far = Table(("20", "8", "20", "20")).open(0, 10, "walls", [0, 1, 2, 3])
    assert (far.counted, far.side, far.after) == (1, 0, 2)
    assert table.open_at(1, 2).counted is None


def test_who_sits_there():
    assert [sitting((0, 2, 3), side) for side in range(4)] == [0, None, 1, 2]


@given(st.sampled_from(POLICIES), st.lists(st.integers(0, 4), max_size=60))
def test_no_tile_is_lost(policy, happens):
    house = {"kept": FOUR, "shrinking": NORTHS, "neighbour": RAMEN, "growing": FUZHOU}[policy]
    hand, order = hand_of(house, 53, *("17",) * 4)
    taken = order[:53]
    for one in happens:
        try:
            if one <= 1:
                taken.append(hand.draw())
            elif one == 2:
                taken.append(hand.replace())
            elif one == 3:
                hand.kong(concealed=len(taken) % 2 == 0)
            else:
                hand.turn()
        except LayError:
            pass
        assert sorted([*taken, *hand.usable, *hand.reserve]) == sorted(order)
        assert hand.usable == [spot for spot in order if spot in set(hand.usable)]
        assert hand.reserve == [spot for spot in order if spot in set(hand.reserve)]
