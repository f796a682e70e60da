"""ゆる五等サンマ, statement by statement."""

from __future__ import annotations

from dataclasses import replace

from support.ledger import row, rules, said, told
from support.told import Told, game_of, held, rounds_of, set_of, start_points

from tablectl.core import facts
from tablectl.core.dora import dora_of
from tablectl.core.exchange import exchange, sentence
from tablectl.core.geometry import Inputs, Plan, plan
from tablectl.core.react import GameDue
from tablectl.core.standing import places
from tablectl.core.view import taps_of
from tablectl.core.wall import Place

NAME = "goto-sanma"
SET = {"m1": 4, "m9": 4, "p19": 4, "s19": 4, "z17": 4, "f14": 1}
FLOWERS = ("1f", "2f", "3f", "4f")


def hand(**about: object) -> Told:
    return Told(rules(NAME), **about)  # type: ignore[arg-type]


def at(**about: object) -> Plan:
    return plan(rules(NAME), Inputs(dice=(3, 4), **about))  # type: ignore[arg-type]


# ── the set and the numbers ─────────────────────────────────────────────────────────────────────


@row("S3-001")
def test_30000_from_30000_east_only() -> None:
    assert start_points(rules(NAME)) == (30000,) * 3
    assert said(NAME, "game.return_points") == "counted from 30,000"
    assert rounds_of(rules(NAME)) == 1


@row("S3-108")
def test_30000_at_the_start() -> None:
    assert start_points(rules(NAME)) == (30000,) * 3
    assert hand().game.points == (30000,) * 3


@row("S3-005")
def test_two_golden_and_two_black_fives() -> None:
    assert held(rules(NAME), *set_of(**SET, p5g=2, s5g=2))
    assert not held(rules(NAME), *set_of(**SET))
    assert not held(rules(NAME), *set_of(**SET, p5g=4, s5g=4))


@row("S3-011")
def test_no_white_pocchi() -> None:
    assert held(rules(NAME), *set_of(**SET, p5g=2, s5g=2))
    assert not held(rules(NAME), *set_of(**SET, p5g=2, s5g=2, z5d=1))


@row("S3-059")
def test_chips_for_open_hands_too() -> None:
    assert said(NAME, "score.open_chips") == "chips for open hands too"


# ── the wall ────────────────────────────────────────────────────────────────────────────────────


@row("S3-004")
def test_two_indicators_side_by_side() -> None:
    assert [position.p for position in at().indicators] == [98, 96]
    assert [position.row for position in at().indicators] == ["upper", "upper"]


@row("S3-012")
def test_drawn_up_to_the_tile_beside_the_dora() -> None:
    found = at()
    assert found.last_draw is not None
    assert found.last_draw.p == found.indicators[-1].p - 1 == 95
    played = hand().go_on(0)
    assert played.hand.head == 96
    seat = played.hand.turn.seat
    assert seat is not None
    played.discard(seat)
    assert "nothing is left to draw" in played.odd(facts.Drawn(seat=played.after(seat)))


@row("S3-057")
def test_a_flower_turned_acts_for_everybody() -> None:
    for flower in FLOWERS:
        assert dora_of(rules(NAME), flower).effect


@row("S3-058")
def test_a_flower_turned_makes_no_dora() -> None:
    for flower in FLOWERS:
        assert dora_of(rules(NAME), flower).kinds == ()
    assert dora_of(rules(NAME), "9m").kinds == ("1m",)
    assert dora_of(rules(NAME), "4z").kinds == ("1z",)


@row("S3-029")
def test_four_kongs_and_only_where_an_indicator_can_be_turned() -> None:
    played = hand()
    for n in range(4):
        played.kong(0, "concealed").indicator()
        assert played.plan.last_draw is not None
        assert played.plan.last_draw.p == 95 - 2 * (n + 1)
    assert "4 kongs" in played.odd(facts.Kong(seat=0, kind="concealed"))
    for left, can in ((2, True), (1, False), (0, False)):
        late = hand().go_on(left)
        seat = late.hand.turn.seat
        assert seat is not None
        why = late.odd(facts.Kong(seat=seat, kind="concealed"))
        assert why == "" if can else "indicator cannot be turned" in why


# ── tiles set aside ─────────────────────────────────────────────────────────────────────────────


@row("S3-007")
def test_north_is_set_aside_and_replaced() -> None:
    played = hand()
    left = played.plan.drawable
    for n in range(1, 5):
        played.aside(0, "4z")
        assert (played.hand.tail, played.plan.drawable) == (n, left)
    assert "there are 4 of 4z" in played.odd(facts.SetAside(seat=0, tile="4z"))


@row("S3-009")
def test_flowers_are_set_aside_and_are_no_dora() -> None:
    played = hand()
    for n, flower in enumerate(FLOWERS, 1):
        played.aside(0, flower)
        assert (played.hand.tail, played.turn) == (n, ("act", 0))
        assert dora_of(rules(NAME), flower).kinds == ()
    assert played.hand.aside[0] == FLOWERS


@row("S3-010")
def test_what_is_set_aside_is_air() -> None:
    for tile in ("4z", *FLOWERS):
        played = hand().draw(0).say(facts.SetAside(seat=0, tile=tile))
        assert played.turn == ("owed", 0)
        assert played.odd(facts.Won(seat=1, frm=0))
        assert played.odd(facts.Called(seat=1, kind="pon", frm=0, tile=tile))


# ── the game ────────────────────────────────────────────────────────────────────────────────────


@row("S3-014")
def test_a_ready_dealer_deals_again() -> None:
    played = hand(dealer=1).say(facts.Exhausted(tenpai=(0, 1))).settled()
    assert played.game.dealer == 1
    played.walls().say(facts.Exhausted(tenpai=(0,))).settled()
    assert played.game.dealer == 2


@row("S3-036")
def test_two_win_on_one_discard() -> None:
    played = hand().discard(0)
    played.say(facts.Won(seat=1, frm=0), facts.Won(seat=2, frm=0))
    assert (played.verdict.kind, [win.seat for win in played.hand.wins]) == ("fits", [1, 2])


@row("S3-038")
def test_the_dealer_is_one_of_two_winners_and_deals_again() -> None:
    played = hand(dealer=0).discard(0).draw(1).discard(1)
    played.say(facts.Won(seat=2, frm=1), facts.Won(seat=0, frm=1)).settled()
    assert played.game.dealer == 0


# ── after a win ─────────────────────────────────────────────────────────────────────────────────


def won() -> Told:
    """A win with an open hand by a self-draw."""
    played = hand().discard(0).say(facts.Called(seat=1, kind="pon", frm=0)).discard(1)
    return played.draw(2).discard(2).draw(0).discard(0).draw(1).say(facts.Won(seat=1, frm=1))


def flips(played: Told) -> list[int]:
    return [position.p for position in played.plan.reveal or ()]


def flip(played: Told, n: int, tile: str = "1p") -> facts.Shown:
    order = played.plan.reveal
    assert order is not None
    return facts.Shown(place=order[n].place, tile=tile, why="reveal")


@row("S3-049")
def test_tiles_are_flipped_after_a_win() -> None:
    played = won()
    played.say(flip(played, 0))
    assert (played.hand.life, len(played.hand.flips)) == ("revealing", 1)


@row("S3-050")
def test_with_an_open_hand_too() -> None:
    played = won()
    assert played.hand.melds
    played.say(flip(played, 0))
    assert played.hand.life == "revealing"


@row("S3-052")
def test_the_first_is_beside_the_dora_away_from_the_replacements() -> None:
    played = won()
    assert flips(played)[0] == 94
    first = played.plan.reveal
    assert first is not None
    assert first[0].row == "upper"
    assert "the next one is at" in played.odd(flip(played, 1))
    played.say(flip(played, 0))


@row("S3-055")
def test_the_next_one_along_follows() -> None:
    played = won()
    assert flips(played) == list(range(94, played.hand.head - 1, -2))
    for n in range(len(flips(played))):
        played.say(flip(played, n))
    assert played.hand.life == "revealing"
    assert len(played.hand.flips) == len(range(94, played.hand.head - 1, -2))


@row("S3-056")
def test_it_ends_with_a_miss_or_with_the_wall() -> None:
    played = won()
    for n in range(len(flips(played))):
        played.say(flip(played, n))
    last = played.hand.flips[-1].place
    over = facts.FlippedValue(place=Place(last.side, last.column, "lower"), hits=0)
    assert "flip" in played.odd(over)
    missed = won()
    missed.say(flip(missed, 0)).settled()
    assert missed.hand.life == "closed"


@row("S3-071")
def test_the_tables_dice_are_thrown() -> None:
    played = won()
    for pips in ((1, 1), (3, 3), (2, 5)):
        played.say(facts.Dice(pips=pips))
    assert played.hand.account.dice == ((1, 1), (3, 3), (2, 5))
    assert played.hand.dice == (3, 4)


# ── how a game ends ─────────────────────────────────────────────────────────────────────────────


@row("S3-022")
def test_exactly_zero_busts() -> None:
    for left, over in ((1000, False), (0, True), (-1000, True)):
        played = hand().discard(0).say(facts.Won(seat=1, frm=0))
        played.settled(left - 30000, 30000 - left, 0)
        assert played.game.over == over


@row("S3-039")
def test_the_dealer_cannot_stop_after_winning_the_last_hand() -> None:
    played = hand().last_hand().say(facts.Won(seat=2, frm=2)).settled(-6000, -6000, 12000)
    assert (played.hand.dealer, played.question, played.game.over) == (2, "", False)
    assert played.game.dealer == 2


@row("S3-040")
def test_of_equal_points_the_nearer_to_the_first_dealer_is_ahead() -> None:
    ties = rules(NAME).game.ties
    assert places((30000, 30000, 30000), ties, 1) == (3, 1, 2)
    assert places((25000, 40000, 25000), ties, 2) == (3, 1, 2)


@row("S3-088")
def test_a_void_hand_leaves_repeats_and_passes_the_dealers_deal() -> None:
    for by, dealer in ((0, 1), (1, 0), (2, 0)):
        played = hand().say(facts.Won(seat=0, frm=0)).settled().walls()
        played.say(facts.Void(by=by)).settled()
        assert (played.game.dealer, played.game.repeats) == (dealer, 1)
    last = hand().last_hand().say(facts.Void(by=2)).settled()
    assert (last.game.over, last.game.dealer) == (False, 2)


@row("S3-089")
def test_a_chombo_with_10000_or_less_is_the_end() -> None:
    for stood, over in ((10000, True), (11000, False), (9000, True)):
        played = hand().discard(0).say(facts.Won(seat=1, frm=0))
        played.settled(0, stood - 30000, 30000 - stood).walls()
        played.say(facts.Void(by=1)).settled()
        assert played.game.over == over
    other = hand().discard(0).say(facts.Won(seat=1, frm=0))
    other.settled(0, -20000, 20000).walls().say(facts.Void(by=2)).settled()
    assert not other.game.over


# ── riichi ──────────────────────────────────────────────────────────────────────────────────────


def in_riichi(*seats: int, kind: str = "plain") -> Told:
    """These seats, in order from the dealer, declare riichi with their first discards."""
    played = hand()
    for n, seat in enumerate(seats):
        if n:
            played.draw(seat)
        played.say(facts.Riichi(seat=seat, kind=kind)).discard(seat)  # type: ignore[arg-type]
    return played


BACK = facts.Riichi(seat=0, taken_back=True)


@row("S3-017")
def test_open_riichi() -> None:
    played = hand().say(facts.Riichi(seat=0, kind="open"))
    assert played.hand.riichi[0] == "open"
    text = told(NAME, "オープンリーチあり")
    assert "1 han, 1,000 points, whole hand shown" in text


@row("S3-018")
def test_the_third_riichi_is_open() -> None:
    played = in_riichi(0, 1).draw(2)
    assert "the third of a hand must be open" in played.odd(facts.Riichi(seat=2))
    assert not played.odd(facts.Riichi(seat=2, kind="open"))


@row("S3-019")
def test_no_riichi_in_furiten() -> None:
    assert "Furiten only in open riichi" in told(NAME, "フリテンリーチNG")


@row("S3-020")
def test_furiten_in_open_riichi() -> None:
    assert "Furiten only in open riichi" in told(NAME, "フリテンオープンリーチOK")


@row("S3-021")
def test_no_win_is_passed_after_riichi() -> None:
    assert "no win passed after riichi" in told(NAME, "リーチ後の見逃しNG")


@row("S3-023")
def test_a_thousand_points_are_enough() -> None:
    for left, can in ((1000, True), (2000, True), (900, False)):
        played = hand().discard(0).say(facts.Won(seat=1, frm=0)).settled()
        played.say(facts.Paid(frm=1, to=2, points=30000 - left)).walls()
        assert played.hand.dealer == 1
        why = played.odd(facts.Riichi(seat=1))
        assert why == "" if can else "it takes 1000" in why


@row("S3-028")
def test_a_kong_that_keeps_the_waits() -> None:
    assert "kongs that keep the waits" in told(NAME, "待ちが変わらなければOK")
    played = in_riichi(0).draw(1).discard(1).draw(2).discard(2).draw(0)
    assert not played.odd(facts.Kong(seat=0, kind="concealed"))


@row("S3-094")
def test_a_riichi_is_taken_back_while_its_discard_is_uncalled() -> None:
    played = in_riichi(0).draw(1).say(BACK)
    assert (played.hand.riichi[0], played.hand.dead) == (None, ())
    called = in_riichi(0).say(facts.Called(seat=1, kind="pon", frm=0))
    assert not called.odd(BACK)
    assert called.hand.dead == (0,)
    late = in_riichi(0).draw(1).discard(1)
    late.odd(BACK)
    assert late.hand.dead == (0,)
    assert said(NAME, "riichi.take_back_points") == "without a deposit"


@row("S3-095")
def test_then_only_a_new_riichi_wins_and_nothing_is_called() -> None:
    played = in_riichi(0).draw(1).say(BACK).discard(1)
    assert "only after a new one" in played.odd(facts.Won(seat=0, frm=1))
    assert "may not call" in played.odd(facts.Called(seat=0, kind="pon", frm=1))
    played.draw(2).discard(2).draw(0)
    assert "only after a new one" in played.odd(facts.Won(seat=0, frm=0))
    played.say(facts.Riichi(seat=0)).discard(0).draw(1).discard(1)
    assert not played.odd(facts.Won(seat=0, frm=1))


@row("S3-096")
def test_called_the_hand_is_dead() -> None:
    for said_ in (
        facts.Called(seat=1, kind="pon", frm=0),
        facts.Kong(seat=2, kind="open", frm=0),
    ):
        played = in_riichi(0).say(said_)
        played.odd(BACK)
        assert played.hand.dead == (0,)


@row("S3-097")
def test_a_furiten_riichi_is_opened_before_the_next_discard() -> None:
    opened = facts.Riichi(seat=0, kind="open")
    for played in (
        in_riichi(0),
        in_riichi(0).draw(1),
        in_riichi(0).say(facts.Called(seat=1, kind="pon", frm=0)),
    ):
        played.say(opened)
        assert played.hand.riichi[0] == "open"
    late = in_riichi(0).draw(1).discard(1)
    assert "it can be opened no more" in late.odd(opened)


@row("S3-098")
def test_a_furiten_riichi_is_not_taken_back() -> None:
    assert "not taken back" in told(NAME, "リーチの取り消しはできない")


@row("S3-099")
def test_riichi_without_a_draw_left() -> None:
    played = hand().go_on(0)
    seat = played.hand.turn.seat
    assert seat is not None
    assert not played.odd(facts.Riichi(seat=seat))


@row("S3-100")
def test_only_thirteen_orphans_win_on_a_concealed_kong() -> None:
    played = hand().discard(0).draw(1).say(facts.Kong(seat=1, kind="concealed", tile="1z"))
    assert "only thirteen orphans" in played.odd(facts.Won(seat=2, frm=1))
    assert not played.odd(facts.Won(seat=2, frm=1, way="kokushi"))
    added = hand().say(facts.Kong(seat=0, kind="added", tile="1z"))
    assert not added.odd(facts.Won(seat=2, frm=0))


# ── dead hands, forgotten tiles ─────────────────────────────────────────────────────────────────


@row("S3-083")
def test_a_dead_hand_says_nothing_and_is_not_ready() -> None:
    for said_ in (
        facts.Called(seat=1, kind="pon", frm=0),
        facts.Kong(seat=1, kind="open", frm=0),
        facts.Won(seat=1, frm=0),
    ):
        played = hand().say(facts.DeadHand(seat=1)).discard(0)
        assert "is dead" in played.odd(said_)
    played = hand().say(facts.DeadHand(seat=0), facts.Exhausted(tenpai=(0, 2)))
    assert played.hand.tenpai == (2,)
    assert played.settled().game.dealer == 1


@row("S3-085")
def test_a_dead_hand_still_sets_norths_and_flowers_aside() -> None:
    played = hand().say(facts.DeadHand(seat=0))
    for n, tile in enumerate(("4z", "1f", "4f"), 1):
        played.aside(0, tile)
        assert (played.verdict.kind, played.hand.tail) == ("fits", n)
    assert "still sets norths and flowers aside" in told(NAME, "華牌と北は抜ける")


@row("S3-092")
def test_a_forgotten_replacement_is_taken_at_any_time() -> None:
    for tile in ("4z", "2f"):
        played = hand().discard(0).draw(1).say(facts.SetAside(seat=1, tile=tile)).discard(1)
        for seat in (2, 0, 1, 2):
            played.draw(seat, "live").discard(seat)
        assert (played.hand.owed, played.hand.tail) == ((1,), 0)
        assert any("Was it forgotten?" in text for text in played.asked)
        played.draw(1, "tail")
        assert (played.hand.owed, played.hand.tail) == ((), 1)
    assert "at any time" in told(NAME, "補充し忘れのみいつでも補充可")


@row("S3-107")
def test_to_another_rule_and_back_with_nothing_left_behind() -> None:
    goto, ramen = rules(NAME), rules("ramen-jiro")
    for old, new in ((goto, ramen), (ramen, goto)):
        played = Told(old, new, dealer=1).aside(1, "4z").say(facts.Riichi(seat=1)).discard(1)
        wanted = facts.GameWanted(**game_of(new))
        played.say(wanted)
        assert (played.game.preset, played.effects) == (old.name, [])  # its hand is played on
        played.draw(2).discard(2).say(facts.Won(seat=1, frm=2)).settled(0, 9000, -9000)
        assert GameDue(wanted) in played.effects
        played.say(facts.GameEnded(), facts.GameStarted(**game_of(new)))
        state, fresh = played.state, Told(new, dealt=False).game
        assert state.game == replace(fresh, hands=0)
        assert (state.wanted, state.hand, state.questions) == (None, None, ())
    there = exchange(ramen.tiles, goto.tiles)
    assert there.total == 112
    assert exchange(goto.tiles, ramen.tiles).out == there.in_
    assert "put in" in sentence(there)
    assert "4 flowers (春夏秋冬); the gold 5p 5s two each stay; 112 tiles" in sentence(there)


# ── what people are told ────────────────────────────────────────────────────────────────────────


@row("S3-013")
def test_no_abortive_draws() -> None:
    played = Told(rules(NAME))
    assert "aborts no hand" in played.odd(facts.Aborted(why="nine kinds"))
    assert "aborted" not in taps_of(played.rules, played.hand)


@row("S3-032")
def test_five_fold_only_with_summer() -> None:
    assert "five-fold if with summer" in told(NAME, "夏を抜いたうえで")


@row("S3-068")
def test_what_gives_a_dice_chance() -> None:
    text = told(NAME, "オールスター（金4枚使い）")
    for word in ("Dice chance", "yakuman", "five-fold", "four norths", "four flowers", "all golds"):
        assert word in text
    assert "last tile" in text


@row("S3-070")
def test_turned_ones_do_not_count_as_set_aside() -> None:
    assert "turned ones do not count" in told(NAME, "出現しても抜いたものとはみなさない")


@row("S3-105")
def test_what_is_not_played() -> None:
    text = told(NAME, "焼き鳥などの細かい終了時計算…ありません")
    for word in ("yakitori", "river games", "streak chips", "chanta"):
        assert word in text
    assert "no white pocchi" in told(NAME, "白ポッチなし")


@row("S3-109")
def test_not_the_rules_of_the_shops() -> None:
    assert "not the shops' rules" in told(NAME, "あのお店たちのルールとは違います")


@row("S3-110")
def test_the_edition() -> None:
    assert "2024-07-05" in told(NAME, "2024/07/05")
