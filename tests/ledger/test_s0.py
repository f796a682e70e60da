"""ラーメン二郎, statement by statement."""

from __future__ import annotations

import pytest
from support.ledger import row, rules, said, shown, told
from support.told import Told, held, set_of, start_points

from tablectl.core import facts
from tablectl.core.choosing import chosen
from tablectl.core.dora import dora_of
from tablectl.core.geometry import Inputs, plan
from tablectl.core.preset_file import find_preset
from tablectl.core.wall import Place
from tablectl.errors import TablectlError

NAME = "ramen-jiro"
PLAIN = {"m19": 4, "p19": 4, "s19": 4, "z4": 4, "z7": 4}
FIVES = {"m5r": 2, "p5r": 2, "s5r": 2, "m5g": 2, "p5g": 2, "s5g": 2}
GALAXY = {"m7x": 1, "m8x": 1, "p7x": 1, "p8x": 1, "s7x": 1, "s8x": 1, "z4x": 1, "z7x": 1}


def hand(variant: str = "", **about: object) -> Told:
    return Told(rules(NAME + variant), **about)  # type: ignore[arg-type]


def whole_set(rules_, *left_out: dict[str, int], **instead: int) -> bool:
    """Whether a wall of the plain tiles with the marks can be one of this rule; some left out."""
    marks = {k: n for part in (FIVES, GALAXY) if part not in left_out for k, n in part.items()}
    return held(rules_, *set_of(**(PLAIN | marks | instead)))


def in_fever(seat: int = 0) -> Told:
    """A hand in which the dealer has declared fever and discarded."""
    found = hand()
    return found.say(facts.Riichi(seat=seat, kind="fever")).discard(seat)


# ── the set and the table ───────────────────────────────────────────────────────────────────────


@row("S0-01")
def test_the_name_says_it_all() -> None:
    name = "三色フィーバーストックチューリップハナ銀河特殊出目金華4マシマシ"
    assert name in shown(NAME)["about"]


@row("S0-03")
def test_three_suits_and_hardly_honours() -> None:
    by_kind = {tile.code[:2] for tile in rules(NAME).tiles}
    assert {f"{n}{suit}" for n in range(1, 10) for suit in "mps"} <= by_kind
    assert {kind for kind in by_kind if kind[1] == "z"} == {"4z", "7z"}
    assert whole_set(rules(NAME))


@row("S0-04")
def test_three_play() -> None:
    played = hand()
    for seat in (0, 1, 2, 0):
        played.discard(seat)
        played.draw((seat + 1) % 3)
    assert "3 play" in played.odd(facts.Drawn(seat=3))


@row("S0-12")
def test_galaxy_tiles_are_sevens_eights_and_flowers() -> None:
    galaxy = {tile.code[:2] for tile in rules(NAME).tiles if tile.mark == "x"}
    assert galaxy == {"7m", "8m", "7p", "8p", "7s", "8s", *rules(NAME).calls.aside}


@row("S0-22")
def test_one_galaxy_tile_each_and_eight_in_all() -> None:
    assert sum(GALAXY.values()) == 8
    assert whole_set(rules(NAME))
    assert not whole_set(rules(NAME), GALAXY)
    for code in GALAXY:
        assert not held(rules(NAME), *set_of(**(PLAIN | FIVES | GALAXY | {code: 2})))


@row("S0-18")
def test_a_set_of_116() -> None:
    found = plan(rules(NAME), Inputs(dice=(3, 4)))
    assert (found.tiles, sum(map(int, found.sides))) == (116, 58)
    assert len(set_of(**PLAIN)) == 116
    assert whole_set(rules(NAME))


@row("S0-19")
def test_the_number_people_remember() -> None:
    with pytest.raises(TablectlError) as caught:
        chosen(rules(NAME), ())
    assert "number 5" in f"{caught.value.message} {caught.value.hint}"


@row("S0-20")
def test_suits_and_four_norths_and_reds() -> None:
    assert whole_set(rules(NAME))
    for other in ({"z4": 3, "z6": 1}, {"z7": 3, "m1": 1}):
        counts = PLAIN | {k: n for k, n in other.items() if k in PLAIN}
        more = {k: n for k, n in other.items() if k not in PLAIN}
        assert not held(rules(NAME), *set_of(**(counts | more | FIVES | GALAXY)))


@row("S0-21")
def test_fives_are_two_red_and_two_gold() -> None:
    assert whole_set(rules(NAME))
    assert not whole_set(rules(NAME), FIVES)
    assert not whole_set(rules(NAME), m5r=3, m5g=1)
    for path in ("tiles.red", "tiles.gold"):  # 好みで調整してください
        [value] = [one for one in shown(NAME)["values"] if one["path"] == path]
        assert len(value["options"]) > 1


# ── numbers ─────────────────────────────────────────────────────────────────────────────────────


@row("S0-23")
def test_one_begins_with_35000() -> None:
    assert start_points(rules(NAME)) == (35000,) * 3


@row("S0-24")
def test_thousands_and_no_loss_at_a_self_draw() -> None:
    assert said(NAME, "score.unit") == "paid in points of 1,000"
    assert said(NAME, "score.tsumo_loss") == "no tsumo loss"


@row("S0-90")
def test_tsurame_is_25000_in_hundreds() -> None:
    name = f"{NAME}+tsurame"
    assert start_points(rules(name)) == (25000,) * 3
    assert said(name, "score.unit") == "paid in points of 100"
    assert said(name, "score.tsumo_loss") == "tsumo loss"


@row("S0-91")
def test_other_galaxy_numbers() -> None:
    threes = {
        "m3x": 1, "m7x": 1, "p3x": 1, "p7x": 1, "s3x": 1, "s7x": 1, "z4x": 1, "z7x": 1,
    }  # fmt: skip
    other = rules(f"{NAME}+ginga-37")
    assert held(other, *set_of(**(PLAIN | FIVES | threes)))
    assert not whole_set(other)


@row("S0-95")
def test_toppings_are_off() -> None:
    assert find_preset(NAME).variant == ""
    assert start_points(rules(NAME)) == (35000,) * 3
    assert whole_set(rules(NAME))
    assert plan(rules(NAME), Inputs(dice=(3, 4))).wareme is None
    assert len(rules(NAME).toppings) >= 4


# ── calls ───────────────────────────────────────────────────────────────────────────────────────


@row("S0-05")
def test_chi() -> None:
    played = hand().discard(0)
    assert not played.odd(facts.Called(seat=1, kind="chi", frm=0))


@row("S0-25")
def test_chi_as_four_play_it_from_the_left_neighbour() -> None:
    played = hand().discard(0)
    played.say(facts.Called(seat=1, kind="chi", frm=0))
    assert played.verdict.kind == "fits"
    other = hand().discard(0)
    other.odd(facts.Called(seat=2, kind="chi", frm=0))
    assert "only seat 1 can" in other.verdict.text


@row("S0-07")
def test_north_is_set_aside_and_replaced() -> None:
    played = hand()
    before = played.plan
    played.aside(0, "4z")
    assert played.turn == ("act", 0)
    assert (played.hand.tail, played.hand.aside[0]) == (1, ("4z",))
    assert played.plan.drawable == before.drawable
    assert played.plan.replacement != before.replacement


@row("S0-13")
def test_north_and_red_are_the_flowers() -> None:
    played = hand()
    for tile in ("5p", "9m", "1s"):
        assert "only 4z, 7z" in played.odd(facts.SetAside(seat=0, tile=tile))


@row("S0-16")
def test_red_is_a_flower_beside_north() -> None:
    played = hand().aside(0, "4z").aside(0, "7z")
    assert (played.hand.tail, played.hand.aside[0]) == (2, ("4z", "7z"))
    # Replacements for all eight and for four kongs are there.
    for _ in range(3):
        played.aside(0, "4z").aside(0, "7z")
    assert played.plan.replacement is not None


@row("S0-27")
def test_open_riichi() -> None:
    played = hand()
    played.say(facts.Riichi(seat=0, kind="open"))
    assert played.hand.riichi[0] == "open"


@row("S0-37")
def test_a_tile_set_aside_can_be_ponned_and_won_on() -> None:
    for tile in ("4z", "7z"):
        ponned = hand().say(facts.SetAside(seat=0, tile=tile))
        ponned.say(facts.Called(seat=2, kind="pon", frm=0, tile=tile))
        assert (ponned.verdict.kind, ponned.turn) == ("fits", ("act", 2))
        won = hand().say(facts.SetAside(seat=0, tile=tile))
        won.say(facts.Won(seat=2, frm=0))
        assert (won.verdict.kind, won.hand.life) == ("fits", "won")


@row("S0-38")
def test_it_is_a_discard_to_a_river_of_its_own_and_then_a_replacement() -> None:
    played = hand().say(facts.SetAside(seat=0, tile="4z"))
    assert played.turn == ("aside_window", 0)
    assert (played.hand.kongs, played.hand.due, played.hand.tail) == (0, (), 0)
    ponned = hand().say(facts.SetAside(seat=0, tile="4z"))
    ponned.say(facts.Called(seat=1, kind="pon", frm=0, tile="4z")).discard(1)
    assert (ponned.hand.owed, ponned.hand.tail) == ((), 0)
    replaced = played.draw(0)
    assert (replaced.hand.tail, replaced.turn) == (1, ("act", 0))
    won = hand().say(facts.SetAside(seat=0, tile="4z"), facts.Won(seat=1, frm=0))
    assert (won.verdict.kind, won.hand.owed, won.hand.turned) == ("fits", (), 0)


# ── fever ───────────────────────────────────────────────────────────────────────────────────────


@row("S0-49")
def test_a_fever_wins_again_and_again() -> None:
    played = in_fever().draw(1).discard(1)
    played.say(facts.Won(seat=0, frm=1))
    for _ in range(3):
        seat = (played.hand.wins[-1].frm + 1) % 3
        while len(played.hand.wins) and seat != 1:
            played.draw(seat).discard(seat)
            seat = (seat + 1) % 3
        played.draw(1).discard(1).say(facts.Won(seat=0, frm=1))
    assert [(win.seat, win.frm) for win in played.hand.wins] == [(0, 1)] * 4


@row("S0-93")
def test_play_goes_on_after_a_win_under_fever() -> None:
    played = in_fever().draw(1).discard(1)
    played.say(facts.Won(seat=0, frm=1)).draw(2)
    assert (played.hand.life, played.turn) == ("playing", ("act", 2))
    plain = hand().say(facts.Riichi(seat=0)).discard(0).draw(1).discard(1)
    plain.say(facts.Won(seat=0, frm=1))
    assert "win was declared" in plain.odd(facts.Drawn(seat=2))


# ── the wall ────────────────────────────────────────────────────────────────────────────────────


@row("S0-06")
def test_the_seat_at_the_opened_wall_counts_twice() -> None:
    for dice, seat in (((1, 1), 1), ((1, 2), 2), ((1, 3), None), ((2, 3), 0)):
        assert plan(rules(f"{NAME}+wareme-2"), Inputs(dice=dice)).wareme == seat
    assert plan(rules(NAME), Inputs(dice=(1, 1))).wareme is None


@row("S0-39")
def test_a_turned_north_makes_north_dora_and_a_red_red() -> None:
    assert dora_of(rules(NAME), "4z").kinds == ("4z",)
    assert dora_of(rules(NAME), "7z").kinds == ("7z",)
    assert dora_of(rules(NAME), "3p").kinds == ("4p",)


@row("S0-50")
def test_drawn_up_to_the_tile_beside_the_indicator() -> None:
    found = plan(rules(NAME), Inputs(dice=(3, 4)))
    [indicator] = found.indicators
    assert found.last_draw is not None
    assert found.last_draw.p == indicator.p - 1
    played = hand().go_on(0)
    seat = played.hand.turn.seat
    assert seat is not None
    played.discard(seat)
    assert "nothing is left to draw" in played.odd(facts.Drawn(seat=played.after(seat)))
    assert not played.odd(facts.Exhausted())
    assert played.verdict.kind == "fits"


def flipping(head: int = 40) -> Told:
    """A dealer's riichi has won by a self-draw; tiles are being flipped."""
    played = hand().say(facts.Riichi(seat=0)).discard(0)
    played.draw(1).discard(1).draw(2).discard(2).draw(0)
    return played.say(facts.Won(seat=0, frm=0))


@row("S0-74")
def test_the_tulip_ends_with_the_upper_row() -> None:
    played = flipping()
    order = played.plan.reveal
    assert order is not None
    # 62 tiles were live, three are drawn: the upper tiles of the 29 columns still whole are left.
    assert len(order) == 29
    for position in order:
        played.say(facts.Shown(place=position.place, tile="1p", why="reveal"))
    last = order[-1].place
    over = facts.FlippedValue(place=Place(last.side, last.column, "lower"), hits=1)
    assert "flip" in played.odd(over)
    assert len(played.hand.flips) == 29
    missed = flipping().say(facts.Stock(n=1), facts.FlippedValue(place=order[0].place, hits=0))
    assert (missed.hand.account.stock, missed.settled().hand.life) == (1, "closed")


@row("S0-76")
def test_no_lower_tile_is_flipped() -> None:
    order = plan(rules(NAME), Inputs(dice=(3, 4))).reveal
    assert order
    assert {position.row for position in order} == {"upper"}


@row("S0-34")
def test_north_and_red_are_set_aside_and_never_discarded() -> None:
    for tile in ("4z", "7z"):
        assert "it is only set aside" in hand().odd(facts.Discarded(seat=0, tile=tile))
        played = hand().discard(0, "5p").draw(1)
        assert "it is only set aside" in played.odd(facts.Discarded(seat=1, tile=tile))
        played.say(facts.Discarded(seat=1, tile=tile, to="aside"))
        assert played.hand.aside[1] == (tile,)


# ── what fever asks ─────────────────────────────────────────────────────────────────────────────


@row("S0-42")
def test_no_fever_in_furiten() -> None:
    text = told(NAME, "フリテンのときはフィーバーリーチは打てない")
    assert "Fever" in text
    assert "never in furiten" in text


@row("S0-44")
def test_no_fever_with_the_seven_konged() -> None:
    text = told(NAME, "該当７の暗槓をしていない")
    assert "triplet of 7" in text
    assert "not konged" in text


@row("S0-45")
def test_no_kong_of_the_seven_after_fever() -> None:
    played = hand().say(facts.Riichi(seat=0, kind="fever"))
    for tile in ("7m", "7p", "7sx"):
        said_ = facts.Kong(seat=0, kind="concealed", tile=tile)
        assert "no kong of its triplet" in played.odd(said_)


@row("S0-46")
def test_another_kong_after_fever() -> None:
    for tile in ("8p", "1m", "9s"):
        played = hand().say(facts.Riichi(seat=0, kind="fever"))
        played.kong(0, "concealed", tile)
        assert (played.hand.concealed_kongs, played.turn) == (1, ("act", 0))
    assert "Other triplets may be konged" in told(NAME, "他の暗刻の槓は可能")


@row("S0-47")
def test_the_hand_of_a_fever_is_opened_and_checked_by_all() -> None:
    text = told(NAME, "手牌をフルオープンし…全員で確認")
    assert "opened and checked by all" in text


@row("S0-48")
def test_a_fever_that_is_none_goes_on_as_an_open_riichi() -> None:
    played = hand().say(facts.Riichi(seat=0, kind="fever"))
    played.say(facts.Riichi(seat=0, kind="open"))
    assert played.hand.riichi[0] == "open"
    played.discard(0).draw(1).discard(1).say(facts.Won(seat=0, frm=1))
    assert "win was declared" in played.odd(facts.Drawn(seat=2))


@row("S0-51")
def test_drawn_tiles_and_discards_are_kept_apart() -> None:
    assert "keep drawn tiles and discards apart" in told(
        NAME, "ツモった牌と打った牌を分かるようにする"
    )


@row("S0-84")
def test_tiles_are_flipped_on_the_wall() -> None:
    assert "flip on the wall" in told(NAME, "山の上で捲って下さい")
    played = flipping()
    order, left = played.plan.reveal, played.plan.drawable
    assert order
    for position in order[:5]:
        played.say(facts.Shown(place=position.place, tile="1p", why="reveal"))
        assert played.hand.face(position.place) == "1p"
    assert [flip.place for flip in played.hand.flips] == [one.place for one in order[:5]]
    assert (played.plan.drawable, played.plan.reveal) == (left, order)


@row("S0-87")
def test_the_winning_tile_is_laid_apart() -> None:
    assert "lay that winning tile apart" in told(NAME, "和了り牌の置く位置を変える")
