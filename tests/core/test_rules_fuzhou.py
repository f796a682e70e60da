"""The worked places of the rules' page for Fuzhou: reserve, gold, flowers, the last draws."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.places import at, p_of, place, wall_of

from tablectl.core.dealing import deal_from
from tablectl.core.geometry import Inputs, plan
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset
from tablesim import lay
from tablesim.lay import Spot
from tablesim.walked import Hand, House

# ── section 5.3: Fuzhou, the whole table ────────────────────────────────────────────────────────

TABLE = [
    # what happened, H, T, open kongs, concealed, quads: reserve, R, D, last usable p, last column
    # (half?), the marker's column from the break and from the end, its place
    ("gold opened", 65, 26, 0, 0, 0, 18, 53, 35, 99, 58, False, 50, 9, (1, 2)),
    ("S draws", 66, 26, 0, 0, 0, 18, 52, 34, 99, 58, False, 50, 9, (1, 2)),
    ("a flower, replaced", 66, 27, 0, 0, 0, 18, 51, 33, 98, 58, True, 50, 9, (1, 2)),
    ("W draws", 67, 27, 0, 0, 0, 18, 50, 32, 98, 58, True, 50, 9, (1, 2)),
    ("N open kong", 67, 28, 1, 0, 0, 19, 49, 30, 96, 57, False, 49, 9, (1, 1)),
    ("E draws", 68, 28, 1, 0, 0, 19, 48, 29, 96, 57, False, 49, 9, (1, 1)),
    ("E concealed kong", 68, 29, 1, 1, 0, 21, 47, 26, 93, 57, True, 47, 11, (2, 17)),
    ("S draws the 4th south", 69, 30, 1, 1, 1, 23, 45, 22, 90, 56, False, 46, 11, (2, 16)),
    # Section 11, number 7: the gold opened with one quad.
    ("one quad", 65, 26, 0, 0, 1, 20, 53, 33, 97, 58, False, 49, 10, (1, 1)),
]  # fmt: skip


@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_section_5_3_and_11_number_7(row):
    _, head, tail, opened, concealed, quads, *expected = row
    reserve, left, usable, last, last_column, half, column, nth, physical = expected
    found = at(
        "fuzhou-144", dice=(2, 3), head=head, tail=tail, open_kongs=opened,
        concealed_kongs=concealed, flower_quads=quads,
    )  # fmt: skip
    assert found.reserve == reserve
    assert found.tiles - found.head - found.tail == left
    assert (found.drawable, p_of(found.last_draw)) == (usable, last)
    assert p_of(found.next_draw) == head
    wall = wall_of(found)
    # The next replacement lies in the last column that is there: its upper tile, or a half's lower.
    assert wall.column_of[found.replacement.p] == last_column
    assert found.replacement.row == ("lower" if half else "upper")
    assert (found.gold_marker.side, found.gold_marker.column) == physical
    (upper, lower) = wall.in_column(column)
    assert (upper.side, upper.column) == (lower.side, lower.column) == physical
    assert last_column - column + 1 == nth
    assert (found.indicators, found.ura, found.next_indicator) == ((), (), None)


def test_section_5_3_the_example_by_hand():
    rules = find_preset("fuzhou-144")
    wall = wall_of(at("fuzhou-144", dice=(2, 3)))
    starts = [(c, wall.in_column(c)[0].side, wall.in_column(c)[0].column) for c in
              (0, 12, 13, 30, 31, 48, 49, 66, 67, 71)]  # fmt: skip
    assert starts == [(0, 0, 6), (12, 0, 18), (13, 3, 1), (30, 3, 18), (31, 2, 1), (48, 2, 18),
                      (49, 1, 1), (66, 1, 18), (67, 0, 1), (71, 0, 5)]  # fmt: skip
    deal = deal_from(wall, rules.dealing, 4)
    assert (deal.tiles, deal.first) == (64, 64)
    assert place(wall.order[64]) == (2, 2, "upper")
    assert (at("fuzhou-144", dice=(2, 3)).head, at("fuzhou-144", dice=(2, 3)).tail) == (65, 0)


def test_section_5_3_of_128_tiles():
    found = at("fuzhou-128", dice=(2, 3), tail=12)
    assert found.tiles - found.head - found.tail == 51
    assert (found.drawable, p_of(found.last_draw), found.reserve) == (33, 97, 18)
    wall = wall_of(found)
    assert (found.gold_marker.side, found.gold_marker.column) == (1, 7)
    assert place(wall.in_column(49)[0])[:2] == (1, 7)
    assert wall.column_of[found.replacement.p] == 57 == 49 + 9 - 1


@pytest.mark.parametrize(
    ("events", "moved"),
    [
        ({"tail": 27}, 1),
        ({"tail": 27, "open_kongs": 1}, 2),
        ({"tail": 27, "concealed_kongs": 1}, 3),
        ({"tail": 27, "flower_quads": 1}, 3),
    ],
)
def test_section_5_3_how_far_the_end_moves(events, moved):
    assert p_of(at("fuzhou-144", dice=(2, 3), tail=26).last_draw) == 99
    assert p_of(at("fuzhou-144", dice=(2, 3), **events).last_draw) == 99 - moved


def fuzhou(**changed: object) -> Preset:
    rules = find_preset("fuzhou-144")
    return replace(rules, reserve=replace(rules.reserve, **changed))


@pytest.mark.parametrize(
    ("gold_counts", "marker", "tail", "reserve", "last", "column"),
    [
        # F1 (b): 17 tiles and the gold; the ninth column's upper tile would still be usable.
        (True, "reserved", 26, 17, 100, 51),
        (True, "boundary", 26, 17, 100, 50),
        (True, "boundary", 27, 17, 99, 50),
        # F2 (b): the column of the first reserved tile, the tenth when T is odd.
        (False, "boundary", 26, 18, 99, 50),
        (False, "boundary", 27, 18, 98, 49),
    ],
)
def test_section_5_4_f1_and_f2(gold_counts, marker, tail, reserve, last, column):
    rules = fuzhou(gold_counts=gold_counts, marker=marker)
    found = plan(rules, Inputs(dice=(2, 3), head=66, tail=tail))
    assert (found.reserve, p_of(found.last_draw)) == (reserve, last)
    shown = wall_of(found).in_column(column)[0]
    assert (found.gold_marker.side, found.gold_marker.column) == (shown.side, shown.column)


def test_section_5_4_f1_the_gold_counts_from_when_it_is_turned():
    before = plan(fuzhou(gold_counts=True), Inputs(dice=(2, 3), tail=25, gold=False))
    after = plan(fuzhou(gold_counts=True), Inputs(dice=(2, 3), tail=26, gold=True))
    assert (before.reserve, after.reserve) == (18, 17)
    assert before.drawable == after.drawable


# ── section 7: what is settled ──────────────────────────────────────────────────────────────────


def test_section_7_the_tail_never_reaches_the_marker():
    # However many replacements are taken, they are usable tiles fewer, never the marker's column.
    for tail in range(1, 62):
        found = at("fuzhou-144", dice=(2, 3), tail=tail)
        wall, shown = wall_of(found), found.gold_marker
        column = next(
            c for c in range(72) if (shown.side, shown.column) == place(wall.in_column(c)[0])[:2]
        )
        upper = wall.in_column(column)[0]
        assert found.last_draw is None or found.last_draw.p < upper.p
        assert found.replacement is None or found.replacement.p > upper.p + 1
        # With T odd and an even reserve the last usable tile is the upper one before the marker.
        if tail % 2 and found.last_draw is not None:
            assert p_of(found.last_draw) == upper.p - 2


def test_section_7_a_gold_turned_with_an_odd_tail():
    # The lower tile of the half column is taken; the ninth column is counted after that.
    before = at("fuzhou-144", dice=(2, 3), tail=25)
    assert before.replacement.row == "lower"
    turned = at("fuzhou-144", dice=(2, 3), tail=26)
    wall = wall_of(turned)
    assert before.replacement.p == 144 - 25
    last = wall.column_of[turned.replacement.p]
    assert (turned.gold_marker.side, turned.gold_marker.column) == place(
        wall.in_column(last - 8)[0]
    )[:2]
    # A rejected flip is one replacement more, and the column is counted from the new end.
    again = at("fuzhou-144", dice=(2, 3), tail=27)
    assert (again.tail, again.gold_marker) == (27, turned.gold_marker)


def test_section_7_from_five_usable_a_flower_leads_to_three_draws():
    before = at("fuzhou-144", dice=(2, 3), head=95, tail=26)
    assert (before.drawable, before.phase) == (5, "open")
    drawn = at("fuzhou-144", dice=(2, 3), head=96, tail=27)
    assert (drawn.drawable, drawn.phase) == (3, "final")


# ── the same on laid walls ──────────────────────────────────────────────────────────────────────


def test_section_5_3_taken_tile_by_tile():
    opening = lay.Table(("18",) * 4).open(0, 5, "walls", [0, 1, 2, 3])
    order = opening.walk()
    _, left, first = lay.deal(order, 4, 0, [4, 4, 4, 4], "none")
    assert first == order[64] == Spot(2, 2, "upper")
    hand = Hand(opening, House("growing", 18, 1, 2, 2), left)
    for _ in range(25):
        hand.replace()
    hand.replace(gold=True)

    def seen() -> tuple[int, int, tuple[int, int] | None]:
        return len(hand.usable), order.index(hand.usable[-1]), hand.marker

    assert seen() == (35, 99, (1, 2))
    hand.draw()
    assert seen() == (34, 99, (1, 2))
    hand.replace()
    assert seen() == (33, 98, (1, 2))
    hand.draw()
    assert seen() == (32, 98, (1, 2))
    hand.kong(concealed=False)
    hand.replace()
    assert seen() == (30, 96, (1, 1))
    hand.draw()
    assert seen() == (29, 96, (1, 1))
    hand.kong(concealed=True)
    hand.replace()
    assert seen() == (26, 93, (2, 17))
    hand.draw()
    hand.four_like()
    hand.replace()
    assert seen() == (22, 90, (2, 16))
