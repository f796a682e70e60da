"""The worked places of the rules' page, section by section, in the presets that people play."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.places import at, p_of, place, ps, refusal, replacements, wall_of

from tablectl.core.geometry import Inputs, Plan, ground, plan
from tablectl.core.preset_file import find_preset
from tablectl.core.wall import Break, parse_sides, whole_sides
from tablectl.errors import TablectlError

RAMEN, GOTO, SANMA, FOUR = "ramen-jiro", "goto-sanma", "vivace-sanma", "vivace-a-league"


# ── section 1.4: the order of the tulip ─────────────────────────────────────────────────────────


def test_section_1_4_places():
    found = at(RAMEN)
    assert found.sides == (15, 14, 15, 14)
    assert (found.break_.side, place(found.indicators[0])) == (2, (2, 1, "upper"))
    wall = wall_of(found)
    assert [(q.side, q.column) for q in wall.order[104:116:2]] == [(2, c) for c in range(2, 8)]
    assert replacements(RAMEN, 12) == [114, 115, 112, 113, 110, 111, 108, 109, 106, 107, 104, 105,
                                       None]  # fmt: skip
    assert (ps(found.indicators), ps(found.ura)) == ([102], [103])
    assert (found.head, found.drawable, p_of(found.last_draw)) == (40, 62, 101)
    assert found.reserve is None


@pytest.mark.parametrize(
    ("head", "tops", "last"), [(40, 31, 40), (60, 21, 60), (61, 20, 62), (100, 1, 100)]
)
def test_section_1_4_order(head, tops, last):
    found = at(RAMEN, head=head)
    assert ps(found.reveal) == list(range(100, last - 1, -2))
    assert len(found.reveal) == tops
    assert place(found.reveal[0]) == (3, 14, "upper")


def test_section_1_4_and_7_nothing_is_left_to_flip():
    # H = 101: the last tile is the lower one of its column.
    found = at(RAMEN, head=101)
    assert (found.reveal, found.drawable) == ((), 1)
    assert place(found.next_draw) == (3, 14, "lower")


# ── section 2: the order of Alice ───────────────────────────────────────────────────────────────


def test_section_2_alice():
    found = at(GOTO)
    assert found.sides == (14, 14, 14, 14)
    assert (ps(found.indicators), ps(found.ura)) == ([98, 96], [99, 97])
    assert ps(found.reveal) == list(range(94, 39, -2))
    assert len(found.reveal) == 28


# ── section 3: nothing is kept ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "end"), [(RAMEN, 101), (GOTO, 95)])
def test_section_3_each_kong_moves_the_end_by_two_and_replacements_do_not(name, end):
    assert {p_of(at(name, tail=n).last_draw) for n in range(13)} == {end}
    moved = [at(name, turned=k, tail=k) for k in range(5)]
    assert [p_of(found.last_draw) for found in moved] == [end - 2 * k for k in range(5)]
    for k in range(4):
        # The column that was live becomes the indicator, its lower tile the ura.
        assert ps(moved[k + 1].indicators)[-1] == p_of(moved[k].next_indicator) == end - 1 - 2 * k
        assert ps(moved[k + 1].ura)[-1] == end - 2 * k
        # Only while that upper tile is undrawn.
        assert at(name, head=end - 1 - 2 * k, turned=k).next_indicator is not None
        assert at(name, head=end - 2 * k, turned=k).next_indicator is None


# ── section 4: riichi ───────────────────────────────────────────────────────────────────────────


def test_section_4_item_1_who_is_counted():
    neighbour = {5: 0, 9: 0, 2: 1, 6: 1, 10: 1, 3: 2, 7: 2, 11: 2, 4: 3, 8: 3, 12: 3}
    for total, steps in neighbour.items():
        dice = (min(6, total - 1), total - min(6, total - 1))
        for dealer in range(4):
            found = at(FOUR, dice=dice, dealer=dealer)
            assert (found.break_.side, found.break_.after) == ((dealer + steps) % 4, total)


def test_section_4_item_2_the_deal_is_the_sequence():
    rules = find_preset(FOUR)
    base = ground(rules, whole_sides((17,) * 4), (0, 1, 2, 3), 0, (3, 4), None, False)
    deal = base.deal
    assert [hand[-1] for hand in deal.hands] == [48, 49, 50, 51]
    assert deal.first == 52
    # The dealer takes the upper tiles of columns 24 and 26; south 24, west 25, north 25 below.
    assert [base.wall.column_of[p] for p in (48, 49, 50, 51, 52)] == [24, 24, 25, 25, 26]
    assert [base.wall.order[p].row for p in (48, 49, 50, 51, 52)] == [
        "upper", "lower", "upper", "lower", "upper"
    ]  # fmt: skip
    assert [hand[:4] for hand in deal.hands] == [(0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11),
                                                 (12, 13, 14, 15)]  # fmt: skip
    assert p_of(at(FOUR).next_draw) == 53


def test_section_4_items_3_4_and_8_linear_values():
    found = at(FOUR)
    assert (found.reserve, p_of(found.last_draw), found.drawable) == (14, 121, 69)
    assert replacements(FOUR, 4) == [134, 135, 132, 133, None]
    assert (ps(found.indicators), ps(found.ura)) == ([130], [131])
    four = at(FOUR, turned=4, tail=4)
    assert ps(four.indicators) == [130, 128, 126, 124, 122]
    assert ps(four.ura) == [131, 129, 127, 125, 123]


def test_section_4_item_3_the_drawer_of_the_last_tile_has_no_kong():
    # Nothing is left that would fill the reserve: its replacement is refused.
    assert at(FOUR, head=122).drawable == 0
    assert refusal(FOUR, head=122, tail=1) == "plan.head_past_end"


def test_section_4_item_5_the_last_tile_joins_the_reserve():
    ends = [at(FOUR, tail=n, turned=n).last_draw for n in range(5)]
    assert [q.p for q in ends] == [121, 120, 119, 118, 117]
    assert [q.row for q in ends] == ["lower", "upper", "lower", "upper", "lower"]
    assert {at(FOUR, tail=n).reserve for n in range(5)} == {14}


def test_section_4_item_6_five_indicators_at_most():
    assert at(FOUR, turned=4, tail=4).next_indicator is None
    assert refusal(FOUR, turned=5, tail=4) == "plan.indicators_most"


@pytest.mark.parametrize(
    ("name", "count", "column"), [("vivace-sanma", 8, 5), (RAMEN, 12, 7), (GOTO, 12, 7)]
)
def test_section_4_item_7_the_column_behind_the_replacements(name, count, column):
    rules, found = find_preset(name), at(name)
    assert (rules.replacements.count, rules.indicators.column) == (count, column)
    assert ps(found.indicators)[0] == found.tiles - 2 * column
    assert replacements(name, count)[-2:] == [found.tiles - count + 1, None]


def test_section_4_item_7_fourteen_kept_of_108():
    # Columns 5, 6 and 7 lie inside the first 14 tiles; 8 and 9 join as replacements leave, the
    # fourth kong's once its own replacement is drawn and not before.
    assert find_preset(SANMA).reserve.policy == "kept"
    column_9 = 108 - 2 * 9
    before, after = at(SANMA, tail=3, turned=4), at(SANMA, tail=4, turned=4)
    assert ps(after.indicators)[-1] == column_9
    assert (p_of(before.last_draw), p_of(after.last_draw)) == (column_9, column_9 - 1)
    for k in range(3):
        inside = at(SANMA, tail=k, turned=k + 1)
        assert ps(inside.indicators)[-1] > p_of(inside.last_draw)


def test_section_4_item_7_a_reserve_that_norths_shrink_and_kongs_do_not():
    # (N18): eighteen tiles stay, a north is not filled up, a kong is.
    base = find_preset(SANMA)
    rules = replace(base, reserve=replace(base.reserve, policy="shrinking", tiles=18))

    def found(**about: int) -> Plan:
        return plan(rules, Inputs(dice=(3, 4), **about))

    assert (found().reserve, p_of(found().last_draw)) == (18, 89)
    for norths in range(5):
        after = found(tail=norths)
        assert (after.reserve, p_of(after.last_draw)) == (18 - norths, 89)
    for kongs in range(1, 5):
        after = found(tail=4 + kongs, open_kongs=kongs - 1, concealed_kongs=1, turned=kongs)
        assert (after.reserve, p_of(after.last_draw)) == (14, 89 - kongs)
        assert ps(after.indicators)[-1] == 98 - 2 * kongs > p_of(after.last_draw)
    assert p_of(found(tail=7).replacement) == 101
    assert found(tail=8, open_kongs=4).replacement is None
    # A north needs nothing to be filled up, also after the last draw.
    assert p_of(found(head=90, tail=1).replacement) == 107
    with pytest.raises(TablectlError):
        found(head=90, tail=1, open_kongs=1)


# ── section 6: walls of three, their deal and their count ───────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "four", "three"),
    [
        (SANMA, (14, 13, 14, 13), (18, 18, 18, 0)),
        (GOTO, (14, 14, 14, 14), (19, 19, 18, 0)),
        (RAMEN, (15, 14, 15, 14), (20, 19, 19, 0)),
        ("fuzhou-128", (16, 16, 16, 16), None),
        ("vivace-4p", (17, 17, 17, 17), None),
        ("fuzhou-144", (18, 18, 18, 18), None),
    ],
)
def test_section_6_walls(name, four, three):
    walls = find_preset(name).walls
    assert (walls.four, walls.three) == (four, three)


def test_section_6_a_table_that_deals():
    # 136 tiles, 13 dealt to each: 10/10/11/11 are left, no dice; the dealer takes his first tile.
    found = at(FOUR, dice=None, broke=Break(2, 5), sides=parse_sides("10,10,11,11"), dealt=True)
    assert (found.tiles, found.head, found.drawable, p_of(found.next_draw)) == (84, 1, 69, 1)
    assert place(found.next_draw) == (2, 6, "lower")


@pytest.mark.parametrize(("name", "left"), [(SANMA, 72), (GOTO, 76), (RAMEN, 80)])
def test_section_7_a_deal_of_twelve_each(name, left):
    # The dealer takes two, the others one: four tiles of what is left are gone.
    rules = find_preset(name)
    rules = replace(rules, dealing=replace(rules.dealing, machine=12))
    columns = left // 2
    sides = whole_sides((columns // 4, columns // 4, columns // 4, columns - 3 * (columns // 4)))
    found = plan(rules, Inputs(sides=sides, broke=Break(0, 0), dealt=True))
    assert (found.tiles, found.head, p_of(found.next_draw)) == (left, 4, 4)


@pytest.mark.parametrize(
    ("last", "dealer", "others", "following"),
    [
        ("sequence", (36, 39), (37, 38), [40, 41]),
        ("skip", (36, 40), (37, 38), [39, 41]),
        ("adjacent", (36, 38), (37, 39), [40, 41]),
    ],
)
def test_section_6_the_fourth_round(last, dealer, others, following):
    rules = find_preset(RAMEN)
    rules = replace(rules, dealing=replace(rules.dealing, last=last))
    sides = whole_sides(rules.walls.four)
    base = ground(rules, sides, (0, 1, 2), 0, (3, 4), None, False)
    hands = base.deal.hands
    assert (hands[0][-1], base.deal.first) == dealer
    assert (hands[1][-1], hands[2][-1]) == others
    draws = [plan(rules, Inputs(dice=(3, 4), head=head)).next_draw for head in (40, 41)]
    assert ps(draws) == following


def test_section_6_parlour_rules_deal_adjacent():
    assert {find_preset(name).dealing.last for name in (RAMEN, SANMA, GOTO)} == {"adjacent"}
    assert find_preset("riichi-3p").dealing.last == "sequence"


def test_section_6_counting():
    # Four walls: the empty north is counted. Three: 2 5 8 11 right, 3 6 9 12 left, 4 7 10 self.
    for total in range(2, 13):
        dice = (min(6, total - 1), total - min(6, total - 1))
        assert at(RAMEN, dice=dice).break_.side == (total - 1) % 4
        three = at(RAMEN, dice=dice, sides=parse_sides("20,19,19,0"))
        assert three.break_.side == {2: 1, 0: 2, 1: 0}[total % 3]


# ── section 7: what is settled ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", [RAMEN, GOTO])
def test_section_7_a_kong_at_the_edge_ends_the_live_wall(name):
    start = find_preset(name).indicators.start
    columns = at(name).tiles // 2
    for k in range(4):
        c = columns - 12 // 2 - start - k - 1
        allowed, refused = at(name, head=2 * c, turned=k), at(name, head=2 * c + 1, turned=k)
        assert p_of(allowed.next_indicator) == 2 * c
        assert refused.next_indicator is None
        # At H = 2c it ends the live wall; the replacement is still there.
        ended = at(name, head=2 * c, turned=k + 1, tail=k)
        assert (ended.phase, ended.drawable) == ("over", 0)
        assert ended.replacement is not None
        assert refusal(name, head=2 * c + 1, turned=k + 1) == "plan.indicator_drawn"


def test_section_7_no_kong_on_either_of_the_last_two_tiles():
    # Who has drawn p 94 or p 95 of ゆる五等サンマ cannot turn an indicator.
    assert [at(GOTO, head=head).next_indicator is None for head in (94, 95, 96)] == [
        False, True, True
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "asides"), [(RAMEN, 8), (GOTO, 8), (SANMA, 4)])
def test_section_7_replacements_cannot_run_out(name, asides):
    rules = find_preset(name)
    assert rules.replacements.count == rules.calls.kongs + asides
    assert len([p for p in replacements(name, rules.replacements.count) if p is not None]) == (
        4 + asides
    )
    assert refusal(name, tail=rules.replacements.count + 1) == "plan.tail_past_reserve"


def test_section_7_wareme_past_a_short_wall():
    # Twelve counted to side 3 of ten columns: the wall that is opened is another one.
    rules = find_preset("ramen-jiro+wareme-2")
    sides = parse_sides("15,14,19,10")
    inputs = Inputs(sides=sides, dice=(6, 6), seats=(0, 2, 3))

    def seat(side: str, asked: Inputs = inputs) -> int | None:
        return plan(replace(rules, wareme=replace(rules.wareme, side=side)), asked).wareme

    found = plan(rules, inputs)
    assert (found.counted.side, found.break_.side) == (3, 2)
    assert (seat("opened"), seat("counted")) == (1, 2)
    # The empty chair is nobody; a hand without wareme has none.
    empty = replace(inputs, seats=(0, 1, 3))
    assert (seat("opened", empty), seat("counted", empty)) == (None, 2)
    assert plan(find_preset(RAMEN), inputs).wareme is None


def test_section_3_wareme_of_break_and_indicator():
    # They differ whenever the reserve wraps: sums below rinshan / 2 + 1.
    rules = find_preset("ramen-jiro+wareme-3")
    shown = replace(rules, wareme=replace(rules.wareme, side="indicator"))
    differ = []
    for total in range(2, 13):
        dice = (min(6, total - 1), total - min(6, total - 1))
        opened, beside = (plan(one, Inputs(dice=dice)) for one in (rules, shown))
        assert beside.indicators[0].side in (*beside.seats, 3)
        if opened.wareme != beside.wareme:
            differ.append(total)
    assert differ == [2, 3, 4, 5, 6]
    # Where the break was made by hand, the dice still say what they counted.
    counted = replace(rules, wareme=replace(rules.wareme, side="counted"))
    asked = Inputs(dice=(1, 1), broke=Break(2, 3))
    assert [plan(one, asked).wareme for one in (rules, counted)] == [2, 1]
    assert plan(counted, replace(asked, dice=None)).wareme == 2


# ── section 11: vectors ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("dice", "side", "stack", "live"),
    [((3, 4), 2, 44, 43), ((1, 1), 1, 32, 31), ((6, 6), 3, 56, 55)],
)
def test_section_11_number_1_breaks(dice, side, stack, live):
    # The independent engine numbers its stacks side · 17 + (17 − column).
    found = at("riichi-4p", dice=dice, head=0)
    assert found.break_.side == side
    assert found.next_draw.side * 17 + (17 - found.next_draw.column) == live
    assert found.break_.side * 17 + (17 - found.break_.after) == stack


def test_section_11_number_2_indicators_and_replacements():
    assert replacements("riichi-4p", 3) == [134, 135, 132, 133]
    assert ps(at("riichi-4p", turned=4, tail=4).indicators) == [130, 128, 126, 124, 122]


def test_section_11_number_5_the_tulip():
    assert [len(at(RAMEN, head=head).reveal) for head in (40, 60, 61)] == [31, 21, 20]


def test_section_11_number_6_kongs_of_goto():
    for k in range(4):
        for head in range(40, 96 - 2 * k + 1):
            found = at(GOTO, head=head, turned=k, tail=k)
            assert (found.next_indicator is not None) == (head <= 94 - 2 * k)
        assert p_of(at(GOTO, turned=k, tail=k).last_draw) == 95 - 2 * k
        assert ps(at(GOTO, turned=k, tail=k).reveal)[0] == 94 - 2 * k
    four = at(GOTO, turned=4, tail=12)
    assert ps(four.indicators) == [98, 96, 94, 92, 90, 88]
    assert (p_of(four.last_draw), four.next_indicator) == (87, None)
    assert four.tail + len(four.indicators) + len(four.ura) + four.head + four.drawable == 112


def test_section_11_number_11_fourteen_kept_of_108():
    found = at(SANMA)
    assert (p_of(found.last_draw), ps(found.indicators)) == (93, [98])
    assert ps(at(SANMA, turned=4, tail=4).indicators)[1:] == [96, 94, 92, 90]
