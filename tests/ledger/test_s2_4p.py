"""ビバーチェ, the shop's four-player rule, statement by statement."""

from __future__ import annotations

from support.ledger import row, rules, said, told
from support.told import Told, held, rounds_of, set_of, start_points

from tablectl.core import facts
from tablectl.core.geometry import Inputs, Plan, plan
from tablectl.core.view import taps_of

NAME = "vivace-4p"
SET = {"m19": 4, "p19": 4, "s19": 4, "z17": 4}


def hand(**about: object) -> Told:
    return Told(rules(NAME), **about)  # type: ignore[arg-type]


def at(**about: object) -> Plan:
    return plan(rules(NAME), Inputs(dice=(3, 4), **about))  # type: ignore[arg-type]


@row("S2-002")
def test_25000_from_30000_east_and_south() -> None:
    assert start_points(rules(NAME)) == (25000,) * 4
    assert said(NAME, "game.return_points") == "counted from 30,000"
    assert rounds_of(rules(NAME)) == 2


@row("S2-009")
def test_the_tile_under_the_indicator_is_looked_at_after_a_riichi() -> None:
    assert [position.p for position in at().ura] == [131]
    played = hand().say(facts.Riichi(seat=0)).discard(0).draw(1).discard(1)
    played.say(facts.Won(seat=0, frm=1))
    [ura] = played.plan.ura
    played.say(facts.Shown(place=ura.place, tile="1p", why="ura"))
    assert played.hand.face(ura.place) == "1p"


@row("S2-010")
def test_a_kong_turns_an_indicator() -> None:
    played = hand().kong(0, "concealed")
    played.indicator()
    assert [position.p for position in played.plan.indicators] == [130, 128]


@row("S2-011")
def test_one_red_five_a_suit() -> None:
    assert held(rules(NAME), *set_of(**SET, m5r=1, p5r=1, s5r=1))
    assert not held(rules(NAME), *set_of(**SET))
    assert not held(rules(NAME), *set_of(**SET, m5r=1, p5r=2, s5r=1))


@row("S2-017")
def test_the_dealer_passes_when_not_ready_and_stays_when_ready() -> None:
    for tenpai, dealer in (((), 2), ((0, 2), 2), ((0, 1, 3), 1), ((1,), 1), ((1, 3), 1)):
        played = hand(dealer=1).say(facts.Exhausted(tenpai=tenpai)).settled()
        assert (played.game.dealer, played.asked) == (dealer, [])


@row("S2-023")
def test_one_winner_on_a_discard() -> None:
    played = hand().discard(0).say(facts.Won(seat=1, frm=0))
    assert played.odd(facts.Won(seat=3, frm=0))
    assert [win.seat for win in played.hand.wins] == [1]


# ── how a game ends ─────────────────────────────────────────────────────────────────────────────


@row("S2-014")
def test_below_zero_ends_the_game_and_zero_does_not() -> None:
    for left, over in ((0, False), (-100, True), (100, False)):
        played = hand().discard(0).say(facts.Won(seat=1, frm=0))
        played.settled(left - 25000, 25000 - left, 0, 0)
        assert played.game.over == over
    assert "-100" in _busted().game.why


def _busted() -> Told:
    played = hand().discard(0).say(facts.Won(seat=1, frm=0))
    return played.settled(-25100, 25100, 0, 0)


@row("S2-018")
def test_the_dealer_stops_after_winning_as_the_top_only() -> None:
    for points, question in (((0, 0, 0, 4000), "stop"), ((8000, 0, 0, 4000), "")):
        played = hand().last_hand()
        assert played.hand.dealer == 3
        played.say(facts.Won(seat=3, frm=3)).settled(*points)
        assert (played.question, played.game.over) == (question, False)
    ready = hand().last_hand().say(facts.Exhausted(tenpai=(3,))).settled(0, 0, 0, 4000)
    assert ready.question == ""


# ── what people are told ────────────────────────────────────────────────────────────────────────


@row("S2-008")
def test_ippatsu() -> None:
    assert "Ippatsu" in told(NAME, "一発")


@row("S2-012")
def test_furiten_riichi_and_passing_a_win() -> None:
    text = told(NAME, "フリテンリーチ、リーチ後の見逃し有り")
    assert "allowed, then only self-draw" in text


@row("S2-013")
def test_tenpai_without_a_yaku() -> None:
    text = told(NAME, "形式テンパイ有り")
    assert "Tenpai without yaku counts" in text
    assert "not with all winning tiles in the river" in text


@row("S2-021")
def test_no_abortive_draws() -> None:
    played = Told(rules(NAME))
    assert "aborts no hand" in played.odd(facts.Aborted(why="nine kinds"))
    assert "aborted" not in taps_of(played.rules, played.hand)


@row("S2-026")
def test_no_swap_calling() -> None:
    assert "No swap calling" in told(NAME, "食い変え無し")


@row("S2-028")
def test_no_local_rules() -> None:
    assert "No local yaku" in told(NAME, "カン振り、二翻しばり")


@row("S2-032")
def test_thirteen_orphans_win_on_a_concealed_kong() -> None:
    played = hand().discard(0).draw(1).say(facts.Kong(seat=1, kind="concealed", tile="1z"))
    assert "only thirteen orphans" in played.odd(facts.Won(seat=2, frm=1))
    assert not played.odd(facts.Won(seat=2, frm=1, way="kokushi"))
    assert played.hand.life == "won"
