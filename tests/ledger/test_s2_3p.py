"""ビバーチェ基本ルール, three players, statement by statement."""

from __future__ import annotations

from support.ledger import row, rules, said, told
from support.told import Told, held, set_of, start_points

from tablectl.core import facts
from tablectl.core.view import taps_of

NAME = "vivace-sanma"
SET = {"m1": 4, "m9": 4, "p19": 4, "s19": 4, "z17": 4}
REDS = {"p3r": 1, "s3r": 1, "p5r": 1, "s5r": 1}


def hand(**about: object) -> Told:
    return Told(rules(NAME), **about)  # type: ignore[arg-type]


@row("S2-075")
def test_35000_from_40000() -> None:
    assert start_points(rules(NAME)) == (35000,) * 3
    assert said(NAME, "game.return_points") == "counted from 40,000"


@row("S2-078")
def test_a_red_three_and_five_of_dots_and_bamboo() -> None:
    assert held(rules(NAME), *set_of(**SET, **REDS, z5d=1))
    assert not held(rules(NAME), *set_of(**SET, z5d=1))
    for code in REDS:
        assert not held(rules(NAME), *set_of(**SET, **(REDS | {code: 2}), z5d=1))


@row("S2-080")
def test_one_white_diamond() -> None:
    assert held(rules(NAME), *set_of(**SET, **REDS, z5d=1))
    assert not held(rules(NAME), *set_of(**SET, **REDS))


@row("S2-082")
def test_north_is_set_aside_and_replaced() -> None:
    played = hand()
    place = played.tail_places()[0]
    left = played.plan.drawable
    played.say(facts.SetAside(seat=0, tile="4z"))
    assert played.plan.replacement is not None
    assert played.plan.replacement.place == place
    played.draw(0)
    assert (played.hand.aside[0], played.turn) == (("4z",), ("act", 0))
    assert played.plan.drawable == left - 1  # fourteen stay
    assert "only 4z" in played.odd(facts.SetAside(seat=0, tile="3z"))


@row("S2-091")
def test_a_ready_dealer_deals_again() -> None:
    played = hand(dealer=2)
    for _ in range(4):
        played.say(facts.Exhausted(tenpai=(2,))).settled()
        assert played.game.dealer == 2
        played.walls()
    played.say(facts.Exhausted(tenpai=(0, 1))).settled()
    assert played.game.dealer == 0


@row("S2-095")
def test_two_win_on_one_discard() -> None:
    played = hand().discard(0)
    played.say(facts.Won(seat=1, frm=0), facts.Won(seat=2, frm=0))
    assert (played.verdict.kind, [win.seat for win in played.hand.wins]) == ("fits", [1, 2])


# ── how a game goes ─────────────────────────────────────────────────────────────────────────────


@row("S2-092")
def test_the_dealer_stops_the_last_hand_on_a_win_and_not_on_tenpai() -> None:
    gets = (-12000, -6000, 18000)
    played = hand().last_hand().say(facts.Won(seat=2, frm=2)).settled(*gets)
    assert (played.question, played.game.over) == ("stop", False)
    ready = hand().last_hand().say(facts.Exhausted(tenpai=(2,))).settled(*gets)
    assert (ready.question, ready.game.over) == ("", False)


@row("S2-093")
def test_zero_ends_the_game() -> None:
    for left, over in ((100, False), (0, True), (-100, True)):
        played = hand().discard(0).say(facts.Won(seat=1, frm=0))
        played.settled(left - 35000, 35000 - left, 0)
        assert played.game.over == over


@row("S2-094")
def test_east_goes_on_until_somebody_has_40000() -> None:
    played = hand().last_hand()
    assert (played.hand.dealer, played.game.round) == (2, 1)
    played.lost()
    assert (played.game.over, played.game.dealer, played.game.round) == (False, 0, 2)
    played.walls().lost().walls().discard(1)
    played.say(facts.Won(seat=0, frm=1)).settled(5000, -5000, 0)
    assert played.game.over
    assert "40000" in played.game.why


@row("S2-118")
def test_the_dealers_chombo_passes_the_deal_and_a_childs_keeps_it() -> None:
    for by, dealer in ((1, 2), (0, 1), (2, 1)):
        played = hand(dealer=1).say(facts.Void(by=by)).settled()
        assert (played.game.dealer, played.game.repeats, played.hand.end) == (dealer, 0, "void")


# ── riichi and kongs ────────────────────────────────────────────────────────────────────────────


@row("S2-105")
def test_thirteen_orphans_win_on_a_concealed_kong() -> None:
    played = hand().discard(0).draw(1).say(facts.Kong(seat=1, kind="concealed", tile="1z"))
    assert "only thirteen orphans" in played.odd(facts.Won(seat=2, frm=1))
    assert not played.odd(facts.Won(seat=2, frm=1, way="kokushi"))


@row("S2-109")
def test_a_riichi_is_taken_back_for_1000_before_the_next_discard() -> None:
    back = facts.Riichi(seat=0, taken_back=True)
    played = hand().say(facts.Riichi(seat=0)).discard(0).draw(1).say(back)
    assert (played.hand.riichi[0], played.hand.dead) == (None, ())
    late = hand().say(facts.Riichi(seat=0)).discard(0).draw(1).discard(1)
    late.odd(back)
    assert late.hand.dead == (0,)
    assert said(NAME, "riichi.take_back_points") == "for 1,000 points laid down"


# ── what people are told ────────────────────────────────────────────────────────────────────────


@row("S2-085")
def test_setting_north_aside_ends_ippatsu() -> None:
    assert "setting one aside ends ippatsu" in told(NAME, "北を抜くと一発が消えます")


@row("S2-086")
def test_no_abortive_draws() -> None:
    played = Told(rules(NAME))
    assert "aborts no hand" in played.odd(facts.Aborted(why="nine kinds"))
    assert "aborted" not in taps_of(played.rules, played.hand)


@row("S2-087")
def test_tenpai_needs_a_yaku() -> None:
    assert "Tenpai without yaku does not count" in told(NAME, "形式テンパイ…無し")


@row("S2-097")
def test_no_kong_is_passed_on() -> None:
    assert "No passing on of kongs" in told(NAME, "送り槓は無し")
