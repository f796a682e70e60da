"""Plans against the worked examples of the rules' page; expected places are literals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.core.geometry import Inputs, plan
from tablectl.core.preset_file import find_preset, read_preset
from tablectl.core.wall import Break, Place, parse_side, parse_sides
from tablectl.errors import NO, TablectlError

ALL = '"1m-9m" = 4, "1p-9p" = 4, "1s-9s" = 4'


def preset(**lines: str):
    """A preset of the test's own: the given values over a plain three-player rule."""
    values = {
        "players.count": "3", "tiles.counts": "{ " + ALL + ' }', "tiles.total": "108",
        "walls.four": "[14, 13, 14, 13]", "break.count": '"walls"', "dealing.rounds": "[4, 4, 4]",
        "dealing.last": '"sequence"', "dealing.first_draw": '"drawn"', "reserve.policy": '"kept"',
        "reserve.tiles": "14", "replacements.count": "8", "indicators.start": "1",
        "indicators.column": "5", "indicators.ura": "true", "indicators.open_kong": '"at_once"',
        "indicators.concealed_kong": '"at_once"', "calls.chi": "false", "winning.together": "1",
        "play.points": "0",
    }  # fmt: skip
    values |= {key.replace("__", "."): value for key, value in lines.items()}
    text = ["schema = 1", 'name = "test"', 'title = "test"']
    for section in dict.fromkeys(key.split(".")[0] for key in values):
        text.append(f"[{section}]")
        text += [
            f'{key.split(".")[1]} = {{ value = {value}, convention = "a test" }}'
            for key, value in values.items()
            if key.startswith(section + ".")
        ]
    return read_preset("\n".join(text))


FLOWERS = preset(
    tiles__counts="{ " + ALL + ', "1f-4f" = 1 }', tiles__total="112",
    walls__four="[14, 14, 14, 14]", dealing__last='"adjacent"', reserve__policy='"neighbour"',
    reserve__tiles="0",
    replacements__count="12", indicators__start="2", indicators__column="7",
    calls__aside='["1f", "2f", "3f", "4f"]', calls__kong_unturned='"refused"',
    reveal__kind='"alice"',
)  # fmt: skip
FUZHOU = preset(
    players__count="4", tiles__counts="{ " + ALL + ', "1z-7z" = 4, "1f-8f" = 1 }',
    tiles__total="144", walls__four="[18, 18, 18, 18]", dealing__rounds="[4, 4, 4, 4]",
    dealing__last='"none"', reserve__policy='"growing"', reserve__tiles="18",
    reserve__open_kong="1", reserve__concealed_kong="2", reserve__flower_quad="2",
    reserve__final="4", replacements__count="0", indicators__start="0", indicators__ura="false",
    indicators__open_kong='"never"', indicators__concealed_kong='"never"', gold__turned='"tail"',
)  # fmt: skip
FUZHOU_128 = preset(
    players__count="4", tiles__counts="{ " + ALL + ', "1z-4z" = 4, "7z" = 4 }', tiles__total="128",
    walls__four="[16, 16, 16, 16]", dealing__rounds="[4, 4, 4, 4]", dealing__last='"none"',
    reserve__policy='"growing"', reserve__tiles="18", reserve__open_kong="1",
    reserve__concealed_kong="2", reserve__flower_quad="2", reserve__final="4",
    replacements__count="0", indicators__start="0", indicators__ura="false",
    indicators__open_kong='"never"', indicators__concealed_kong='"never"', gold__turned='"tail"',
)  # fmt: skip
HOUSE_108 = preset(calls__aside="[]", calls__kongs="4")
"""Vector 11 of section 11: 108 tiles, 14 kept, 8 replacements."""


def at(position) -> tuple:
    return (position.p, position.side, position.column, position.row)


def named(name: str, **about):
    return plan(find_preset(name), Inputs(**about))


@pytest.mark.parametrize(
    ("dice", "side", "after", "first"),
    # Section 0, cross-check of an independent engine.
    [((3, 4), 2, 7, (2, 8)), ((1, 1), 1, 2, (1, 3)), ((6, 6), 3, 12, (3, 13))],
)
def test_riichi_breaks(dice, side, after, first):
    found = named("riichi-4p", dice=dice, head=0)
    assert (found.break_.side, found.break_.after) == (side, after)
    assert (found.next_draw.side, found.next_draw.column) == first


def test_riichi_places():
    # Section 4, items 3, 4 and 8.
    found = named("riichi-4p", dice=(3, 4))
    assert (found.head, found.drawable) == (53, 69)
    assert [q.p for q in found.indicators] == [130]
    assert [q.p for q in found.ura] == [131]
    assert found.last_draw.p == 121
    four = named("riichi-4p", dice=(3, 4), tail=4, turned=4)
    assert [q.p for q in four.indicators] == [130, 128, 126, 124, 122]
    assert four.replacement is None
    assert four.next_indicator is None
    assert four.last_draw.p == 117
    assert [named("riichi-4p", dice=(3, 4), tail=n).replacement.p for n in range(4)] == [
        134, 135, 132, 133
    ]  # fmt: skip
    assert [named("riichi-4p", dice=(3, 4), turned=n).next_indicator.p for n in range(4)] == [
        128, 126, 124, 122
    ]  # fmt: skip


def test_a_kong_leaves_a_single_upper_tile():
    # Section 4, item 5: after the first and third kong the last live tile is an upper one.
    rows = [named("riichi-4p", dice=(3, 4), tail=n, turned=n).last_draw.row for n in range(5)]
    assert rows == ["lower", "upper", "lower", "upper", "lower"]


def test_ramen_jiro():
    # Section 1.4.
    found = named("ramen-jiro", dice=(3, 4))
    assert (found.head, found.drawable) == (40, 62)
    assert at(found.indicators[0]) == (102, 2, 1, "upper")
    assert found.ura[0].p == 103
    assert [q.p for q in found.reveal] == list(range(100, 39, -2))
    assert at(found.reveal[0]) == (100, 3, 14, "upper")
    assert at(found.replacement) == (114, 2, 7, "upper")
    assert found.reserve is None
    later = {head: named("ramen-jiro", dice=(3, 4), head=head).reveal for head in (60, 61, 101)}
    assert (len(later[60]), later[60][-1].p) == (21, 60)
    assert (len(later[61]), later[61][-1].p) == (20, 62)
    assert later[101] == ()


def test_two_indicators_and_alice():
    # Section 11, number 6, with a preset of the test's own.
    def found(head=40, kongs=0):
        return plan(FLOWERS, Inputs(dice=(3, 4), head=head, turned=kongs, tail=kongs))

    assert [q.p for q in found().indicators] == [98, 96]
    assert found().last_draw.p == 95
    assert [q.p for q in found().reveal] == list(range(94, 39, -2))
    for k in range(4):
        assert found(94 - 2 * k, k).next_indicator.p == 94 - 2 * k
        assert found(95 - 2 * k, k).next_indicator is None
        assert found(kongs=k).last_draw.p == 95 - 2 * k
        assert found(kongs=k).reveal[0].p == 94 - 2 * k
    four = found(kongs=4)
    assert [q.p for q in four.indicators] == [98, 96, 94, 92, 90, 88]
    assert four.last_draw.p == 87
    assert four.next_indicator is None
    # The 112 tiles: replacements, indicators, ura, and what the head can give.
    assert 12 + 6 + 6 + 88 == 112
    assert four.head + four.drawable == 88


@pytest.mark.parametrize(
    ("inputs", "reserve", "drawable", "last", "marker"),
    # Section 5.3, every row, and number 7 of section 11.
    [
        ((65, 26, 0, 0, 0), 18, 35, 99, (1, 2)),
        ((66, 26, 0, 0, 0), 18, 34, 99, (1, 2)),
        ((66, 27, 0, 0, 0), 18, 33, 98, (1, 2)),
        ((67, 27, 0, 0, 0), 18, 32, 98, (1, 2)),
        ((67, 28, 1, 0, 0), 19, 30, 96, (1, 1)),
        ((68, 28, 1, 0, 0), 19, 29, 96, (1, 1)),
        ((68, 29, 1, 1, 0), 21, 26, 93, (2, 17)),
        ((69, 30, 1, 1, 1), 23, 22, 90, (2, 16)),
        ((65, 26, 0, 0, 1), 20, 33, 97, (1, 1)),
    ],
)
def test_fuzhou(inputs, reserve, drawable, last, marker):
    head, tail, open_kongs, concealed, quads = inputs
    found = plan(
        FUZHOU,
        Inputs(
            dice=(2, 3), head=head, tail=tail, open_kongs=open_kongs, concealed_kongs=concealed,
            flower_quads=quads,
        ),
    )  # fmt: skip
    assert (found.reserve, found.drawable, found.last_draw.p) == (reserve, drawable, last)
    assert (found.gold_marker.side, found.gold_marker.column) == marker
    assert (found.indicators, found.ura, found.next_indicator) == ((), (), None)


def test_fuzhou_128():
    found = plan(FUZHOU_128, Inputs(dice=(2, 3), tail=12))
    assert (found.head, found.drawable, found.last_draw.p) == (65, 33, 97)
    # Column 49 from the break: side 1 has columns 43 to 58, that is its seventh.
    marker = (found.gold_marker.side, found.gold_marker.column)
    assert marker == (1, 7)
    assert [q for q in range(128) if q // 2 == 49] == [98, 99]


@pytest.mark.parametrize(("left", "phase"), [(5, "open"), (4, "final"), (1, "final"), (0, "over")])
def test_fuzhou_phases(left, phase):
    found = plan(FUZHOU, Inputs(dice=(2, 3), head=100 - left, tail=26))
    assert (found.phase, found.drawable) == (phase, left)
    assert (found.next_draw is None) == (left == 0)
    assert (found.replacement is None) == (left == 0)


def test_fourteen_kept_of_108():
    # Section 11, number 11: live end p93, indicator p98, kong indicators 96, 94, 92, 90.
    found = plan(HOUSE_108, Inputs(dice=(3, 4)))
    assert found.last_draw.p == 93
    assert [q.p for q in found.indicators] == [98]
    turned = plan(HOUSE_108, Inputs(dice=(3, 4), turned=4, tail=4))
    assert [q.p for q in turned.indicators] == [98, 96, 94, 92, 90]


def test_a_sum_past_the_wall_goes_round():
    sides = parse_sides("25,5,20,18")
    found = named("riichi-4p", sides=sides, dice=(3, 3), dealer=0)
    assert (found.break_.side, found.break_.after) == (0, 1)
    assert (found.counted.side, found.counted.sum) == (1, 6)
    assert found.as_json()["counted"] == {"side": 1, "sum": 6}
    exactly = named("riichi-4p", sides=sides, broke=Break(1, 5))
    assert (exactly.break_.side, exactly.break_.after) == (0, 0)
    assert "counted" not in named("riichi-4p", dice=(3, 3)).as_json()


def test_half_columns_and_a_table_that_deals():
    found = named("riichi-4p", sides=parse_sides("10,10,11,11"), broke=Break(2, 5), dealt=True)
    assert (found.tiles, found.head, found.drawable) == (84, 1, 69)
    half = named("riichi-4p", sides=parse_sides("9.5<,10.5>,11,11"), broke=Break(1, 10), dealt=True)
    assert half.next_draw == half.next_draw.__class__(1, 0, 1, "lower")
    assert half.as_json()["sides"] == ["9.5<", "10.5>", 11, 11]


def test_three_walls_each_empty_chair():
    for empty in range(4):
        columns = [20, 19, 19]
        columns.insert(empty, 0)
        seats = tuple(side for side in range(4) if side != empty)
        sides = parse_sides(",".join(map(str, columns)))
        for total, steps in ((2, 1), (3, 2), (4, 0), (12, 2)):
            dice = (min(6, total - 1), total - min(6, total - 1))
            found = named("ramen-jiro", sides=sides, seats=seats, dice=dice)
            assert found.break_.side == seats[steps]


def test_the_next_draw_by_its_place():
    found = named("ramen-jiro", dice=(3, 4), head=60)
    place = Place(found.next_draw.side, found.next_draw.column, "upper")
    assert named("ramen-jiro", dice=(3, 4), head_at=place) == found


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"dice": (7, 1)}, "plan.dice"),
        ({"dice": (3,)}, "plan.dice"),
        ({"dice": (0, 3)}, "plan.dice"),
        ({}, "plan.no_break"),
        ({"dice": (3, 4), "dealer": 4}, "plan.dealer"),
        ({"dice": (3, 4), "seats": (0, 1, 2)}, "plan.seats"),
        ({"dice": (3, 4), "seats": (0, 1, 2, 2)}, "plan.seats"),
        ({"dice": (3, 4), "seats": (0, 1, 2, 4)}, "plan.seats"),
        ({"dice": (3, 4), "sides": parse_sides("17,17,17,16")}, "plan.sides_count"),
        ({"dice": (3, 4), "head": 123}, "plan.head_past_end"),
        ({"dice": (3, 4), "head": 122, "tail": 1}, "plan.head_past_end"),
        ({"dice": (3, 4), "tail": 5}, "plan.tail_past_reserve"),
        ({"dice": (3, 4), "turned": 5}, "plan.indicators_most"),
        ({"dice": (3, 4), "head": -1}, "plan.negative"),
        ({"broke": Break(4, 0)}, "plan.no_side"),
        ({"broke": Break(0, -1)}, "plan.negative"),
        ({"broke": Break(0, 68)}, "plan.sum_impossible"),
        ({"dice": (3, 4), "head_at": Place(0, 18, "upper")}, "plan.no_place"),
    ],
)
def test_what_cannot_be(about, code):
    with pytest.raises(TablectlError) as caught:
        named("riichi-4p", **about)
    assert caught.value.code == code
    assert caught.value.status == NO
    assert caught.value.message
    assert caught.value.hint


def test_three_players_what_cannot_be():
    with pytest.raises(TablectlError) as caught:
        named("ramen-jiro", sides=parse_sides("20,19,19,0"), seats=(0, 1, 3), dice=(3, 4), dealer=2)
    assert caught.value.code == "plan.no_wall"
    with pytest.raises(TablectlError) as caught:
        named("ramen-jiro", dice=(3, 4), head=101, turned=1)
    assert caught.value.code == "plan.indicator_drawn"
    named("ramen-jiro", dice=(3, 4), head=100, turned=1)


def test_a_reserve_that_kongs_make_longer_than_the_wall():
    rules = find_preset("fuzhou-144")
    rules = replace(rules, reserve=replace(rules.reserve, open_kong=20))
    assert plan(rules, Inputs(dice=(3, 4), head=0, open_kongs=6)).reserve == 138
    with pytest.raises(TablectlError) as caught:
        plan(rules, Inputs(dice=(3, 4), head=0, open_kongs=7))
    assert caught.value.code == "plan.reserve_past_wall"
    assert caught.value.message == "with 7 open kongs 158 tiles would stay of 144"


@pytest.mark.parametrize("text", ["", "x", "1.5", "10.5", "-1", "10.5^", "1,2", "٣"])
def test_lengths_of_sides_that_are_none(text):
    with pytest.raises(TablectlError, match="not the length"):
        parse_side(text)


def test_two_throws():
    two = preset(break__throws="2", break__second='"total"')
    found = plan(two, Inputs(dice=(1, 2, 3, 1)))
    assert (found.break_.side, found.break_.after) == (2, 7)
    alone = preset(break__throws="2")
    found = plan(alone, Inputs(dice=(1, 2, 3, 1)))
    assert (found.break_.side, found.break_.after) == (2, 4)


def test_replacements_from_the_head():
    found = preset(replacements__source='"head"', replacements__count="2")
    start = plan(found, Inputs(dice=(3, 4)))
    assert start.replacement == start.next_draw
    over = plan(found, Inputs(dice=(3, 4), head=start.head + start.drawable))
    assert (over.phase, over.replacement) == ("over", None)
