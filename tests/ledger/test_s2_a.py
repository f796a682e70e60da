"""ビバーチェAリーグ, statement by statement."""

from __future__ import annotations

from support.ledger import row, rules, said, shown, told
from support.told import Told, held, rounds_of, set_of, start_points

from tablectl.core import facts
from tablectl.core.geometry import Inputs, Plan, plan
from tablectl.core.view import taps_of

NAME = "vivace-a-league"
SET = {"m19": 4, "p19": 4, "s19": 4, "z17": 4}


def hand(**about: object) -> Told:
    return Told(rules(NAME), **about)  # type: ignore[arg-type]


def at(**about: object) -> Plan:
    return plan(rules(NAME), Inputs(dice=(3, 4), **about))  # type: ignore[arg-type]


@row("S2-033")
def test_east_and_south() -> None:
    assert rounds_of(rules(NAME)) == 2


@row("S2-035")
def test_25000_from_30000() -> None:
    assert start_points(rules(NAME)) == (25000,) * 4
    assert said(NAME, "game.return_points") == "counted from 30,000"


@row("S2-039")
def test_ura_and_kong_dora_and_their_ura() -> None:
    played = hand().say(facts.Riichi(seat=0)).kong(0, "concealed")
    played.indicator().discard(0).draw(1).discard(1)
    played.say(facts.Won(seat=0, frm=1))
    assert [position.p for position in played.plan.indicators] == [130, 128]
    assert [position.p for position in played.plan.ura] == [131, 129]


@row("S2-040")
def test_one_red_five_a_suit() -> None:
    assert held(rules(NAME), *set_of(**SET, m5r=1, p5r=1, s5r=1))
    assert not held(rules(NAME), *set_of(**SET))


@row("S2-042")
def test_fourteen_stay_to_the_end() -> None:
    for kongs in range(5):
        found = at(tail=kongs, turned=kongs)
        assert found.tiles - found.head - found.drawable - found.tail == 14
    played = hand().kong(0, "concealed").go_on(0)
    assert played.plan.tiles - played.plan.head - played.plan.tail == 14


@row("S2-043")
def test_no_kong_of_the_last_tile() -> None:
    played = hand().go_on(0)
    seat = played.hand.turn.seat
    assert seat is not None
    for kind in ("concealed", "added"):
        said = facts.Kong(seat=seat, kind=kind)  # type: ignore[arg-type]
        assert "after the last draw there is no kong" in played.odd(said)
    earlier = hand().go_on(1)
    seat = earlier.hand.turn.seat
    assert seat is not None
    assert not earlier.odd(facts.Kong(seat=seat, kind="concealed"))


@row("S2-053")
def test_a_kong_is_shown_before_its_replacement_is_drawn() -> None:
    played = hand().say(facts.Kong(seat=0, kind="concealed", tile="5p"))
    assert played.hand.melds[-1].kind == "concealed"
    assert (played.turn, played.hand.owed, played.hand.tail) == (("kong_window", 0), (0,), 0)
    played.draw(0)
    assert (played.turn, played.hand.owed, played.hand.tail) == (("act", 0), (), 1)


@row("S2-057")
def test_a_win_on_the_replacement_has_the_kongs_indicator() -> None:
    for kind in ("concealed", "added"):
        played = hand().kong(0, kind)
        played.say(facts.Won(seat=0, frm=0))
        assert len(played.plan.indicators) == 2
        assert played.hand.wins[-1].indicators == 2


@row("S2-058")
def test_a_robbed_kong_turns_nothing() -> None:
    played = hand().say(facts.Kong(seat=0, kind="added", tile="5p"), facts.Won(seat=2, frm=0))
    assert played.verdict.kind == "fits"
    assert (played.hand.due, played.hand.turned, played.hand.owed) == ((), 0, ())
    assert len(played.plan.indicators) == 1


@row("S2-120")
def test_the_edition() -> None:
    for name in (NAME, "vivace-sanma"):
        assert "2023年9月1日" in shown(name)["about"]


# ── how a game goes ─────────────────────────────────────────────────────────────────────────────


@row("S2-044")
def test_the_dealer_stops_the_last_hand_on_a_win_or_tenpai() -> None:
    played = hand().last_hand().say(facts.Won(seat=3, frm=3)).settled(8000, -8000, 0, 0)
    assert (played.question, played.game.over) == ("stop", False)
    ready = hand().last_hand().say(facts.Exhausted(tenpai=(1, 3))).settled()
    assert (ready.question, ready.game.over) == ("stop", False)
    [question] = [one for one in ready.state.questions if one.id.startswith("stop")]
    ready.say(facts.Agreed(question=question.id, choice="stop here"))
    assert ready.game.over


@row("S2-062")
def test_a_chombo_hand_is_played_again_and_counts_no_repeat() -> None:
    for by in (None, 0, 2):
        played = hand().say(facts.Won(seat=0, frm=0)).settled().walls()
        assert (played.game.dealer, played.game.repeats) == (0, 1)
        played.say(facts.Void(by=by)).settled()
        assert (played.game.dealer, played.game.repeats, played.question) == (0, 1, "")


# ── what people are told ────────────────────────────────────────────────────────────────────────


@row("S2-041")
def test_no_abortive_draws() -> None:
    played = Told(rules(NAME))
    assert "aborts no hand" in played.odd(facts.Aborted(why="nine kinds"))
    assert "aborted" not in taps_of(played.rules, played.hand)


@row("S2-047")
def test_pon_and_kong_before_chi_and_a_win_before_all() -> None:
    text = told(NAME, "ポン、カンはチーに、ロンは全てに優先")
    assert "Pon and kong before chi, win before all" in text
    assert "late calls may be refused" in text


@row("S2-050")
def test_empty_and_furiten_tenpai() -> None:
    text = told(NAME, "空テン、フリテンも可")
    assert "empty or furiten counts" in text
    assert "not with all winning tiles in the own hand" in text


@row("S2-051")
def test_tenpai_is_declared_in_order() -> None:
    assert "east, south, west, north" in told(NAME, "テンパイ宣言は…東家、南家、西家、北家")


@row("S2-054")
def test_after_riichi_only_a_kong_that_keeps_the_sets() -> None:
    text = told(NAME, "メンツ構成が変わらない暗カン")
    assert "only a concealed kong that keeps the sets" in text
