"""How a game goes by the rule texts: who deals, rounds, repeats, void hands, the end, first dealer.

Each house's sentences are a table of hands: how one ended, the points after it, what follows.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.preset_texts import NAMES, TEXTS

from tablectl.core.game import (
    NOBODY,
    Course,
    course,
    first_dealer,
    hand_words,
    last_hand,
)
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset, with_value
from tablectl.core.standing import is_top, places
from tablectl.core.state import Ended, Game, Waiting
from tablectl.errors import TablectlError


def game_of(rules: Preset, points: tuple[int, ...] = (), first: int = 0, **about: Any) -> Game:
    points = points or (rules.play.points,) * rules.players
    seats = tuple(range(rules.players))
    return Game(
        rules.base,
        rules.digest,
        seats,
        points,
        (0,) * rules.players,
        first,
        first_dealer=first,
        start=rules.play.points,
        **about,
    )


def hand(at: str, end: str, **about: Any) -> Ended:
    """A hand that has ended: `E1` is the first dealer's of the first round, seat 0's."""
    return Ended(1, int(at[1]) - 1, "ESWN".index(at[0]), end=end, **about)


def won(at: str, *winners: int, **about: Any) -> Ended:
    return hand(at, "win", winners=winners, **about)


def ready(at: str, dealer: bool | None = True, **about: Any) -> Ended:
    return hand(at, "exhausted", ready=dealer, **about)


def void(at: str, fault: int | None, stood: tuple[int, ...] = (), **about: Any) -> Ended:
    return hand(at, "void", fault=fault, stood=stood or (99_000,) * 4, **about)


def at(found: Course) -> str:
    return f"{'ESWN'[found.round]}{found.dealer + 1} {found.repeats}"


class Case(NamedTuple):
    """A hand of a rule, the points after it, and `then`: the next hand and its repeats (`E2 1`),
    or `over`, or `stop` where the dealer is asked."""

    name: str
    ended: Ended
    then: str
    points: tuple[int, ...] = ()


M4, A, M3 = "vivace-4p", "vivace-a-league", "vivace-sanma"
GOTO, RAMEN, FUZHOU, OTHER = "goto-sanma", "ramen-jiro", "fuzhou-128", "fuzhou-144"
UP = (40_000, 25_000, 20_000, 15_000)
DOWN = UP[::-1]
CASES = [
    # 親が上がったら連荘，子が上がるか流局したら親の下家; 1度目の連荘なら1点，2度目なら2点
    Case(FUZHOU, won("E1", 0), "E1 1"),
    Case(FUZHOU, won("E1", 0, repeats=1), "E1 2"),
    Case(FUZHOU, won("E1", 2, repeats=3), "E2 0"),
    Case(FUZHOU, ready("E1", None, repeats=3), "E2 0"),
    Case(FUZHOU, void("E1", 0, repeats=3), "E1 3"),
    Case(FUZHOU, won("E4", 2), "S1 0"),
    Case(FUZHOU, won("N4", 2, repeats=1), "E1 0"),  # nobody said when a game ends
    Case(OTHER, won("E1", 0, repeats=1), "E1 2"),
    Case(OTHER, ready("E4", True), "S1 0"),
    Case(OTHER, won("N4", 2), "E1 0"),
    # 親がノーテンの場合は次局流れ(テンパイは継続)
    Case(M4, ready("E2"), "E2 1"),
    Case(M4, ready("E2", False), "E3 1"),
    Case(M4, won("E2", 1, repeats=2), "E2 3"),
    Case(M4, won("E2", 0, repeats=2), "E3 0"),
    Case(M4, won("E4", 0), "S1 0"),
    # 東南戦
    Case(M4, won("S4", 0), "over", UP),
    Case(M4, ready("S4", False), "over", UP),
    # 親の上がり止め有り(トップの場合に限る): not when ready, not when second
    Case(M4, won("S4", 3), "stop", DOWN),
    Case(M4, won("S4", 3), "S4 1", UP),
    Case(M4, ready("S4", True), "S4 1", DOWN),
    Case(M4, won("S3", 2), "S3 1", (0, 0, 40_000, 0)),
    Case(M4, won("S4", 3), "S4 1", (30_000, 20_000, 20_000, 30_000)),
    # 持ち点数がマイナスになると終了(0点ちょうどは継続)
    Case(M4, won("E1", 1), "E2 0", (0, 50_000, 25_000, 25_000)),
    Case(M4, won("E1", 1), "over", (-100, 50_100, 25_000, 25_000)),
    Case(M4, won("E1", 0), "over", (50_100, -100, 25_000, 25_000)),
    # その局はノーゲーム扱いとなり本場は増えずに同じ親で再ゲームとなる
    Case(A, void("E2", 1, repeats=2), "E2 2"),
    Case(A, void("E2", 3, repeats=2), "E2 2"),
    Case(A, void("S4", 3, repeats=2), "S4 2"),
    # オーラスの親のテンパイ止め、アガリ止め有り
    Case(A, won("S4", 3), "stop", UP),
    Case(A, ready("S4", True), "stop", UP),
    Case(A, ready("S4", True), "stop", DOWN),
    Case(A, ready("S4", False), "over", UP),
    Case(A, ready("S3", True), "S3 1", UP),
    # no end below zero is named
    Case(A, won("E1", 1), "E2 0", (-9_000, 59_000, 25_000, 25_000)),
    # 親は、東場、南場ともに聴牌連荘です。オーラスのアガリ止めありで、テンパイ止めは無しです
    Case(M3, ready("E1"), "E1 1"),
    Case(M3, ready("S1"), "S1 1"),
    Case(M3, ready("S1", False), "S2 1"),
    Case(M3, won("S3", 2), "stop", (50_000, 30_000, 25_000)),
    Case(M3, ready("S3", True), "S3 1", (50_000, 30_000, 25_000)),
    # 持ち点が0点以下になった場合、ゲーム終了となります
    Case(M3, won("E1", 1), "over", (0, 70_000, 35_000)),
    Case(M3, won("E1", 1), "E2 0", (100, 69_900, 35_000)),
    # 全員が持ち点40,000点未満の場合は返り東となり、誰かが満たした時点で終了
    Case(M3, won("S3", 0), "over", (40_000, 35_000, 30_000)),
    Case(M3, won("S3", 0), "W1 0", (39_900, 35_100, 30_000)),
    Case(M3, won("S3", 2), "S3 1", (39_900, 35_100, 30_000)),  # nothing to stop
    Case(M3, won("W1", 1), "W2 0", (39_900, 35_100, 30_000)),
    Case(M3, won("W1", 0), "W1 1", (39_900, 35_100, 30_000)),
    Case(M3, won("W1", 0), "over", (40_000, 35_100, 29_900)),
    Case(M3, ready("W2", True), "over", (40_000, 35_100, 29_900)),
    # 親のチョンボは親流れ、子のチョンボは親続行
    Case(M3, void("E1", 0, repeats=1), "E2 1"),
    Case(M3, void("E1", 1, repeats=1), "E1 1"),
    Case(M3, void("E1", NOBODY, repeats=1), "E1 1"),
    Case(M3, void("W1", 0), "W2 0", (25_000, 39_900, 39_900)),
    Case(M3, void("W1", 0), "over", (20_000, 40_000, 40_000)),
    # テンパイ連荘; 親のあがりがあれば連荘; 東風戦
    Case(GOTO, ready("E1"), "E1 1"),
    Case(GOTO, ready("E1", False), "E2 1"),
    Case(GOTO, won("E1", 1, 0), "E1 1"),
    Case(GOTO, won("E1", 1, 2), "E2 0"),
    Case(GOTO, won("E3", 0), "over"),
    # オーラスあがり止めなし
    Case(GOTO, won("E3", 2), "E3 1", (20_000, 20_000, 50_000)),
    Case(GOTO, ready("E3"), "E3 1", (20_000, 20_000, 50_000)),
    # 0点ちょうどはトビ
    Case(GOTO, won("E1", 1), "over", (0, 60_000, 30_000)),
    Case(GOTO, won("E1", 1), "E2 0", (1_000, 59_000, 30_000)),
    # 本場は減らず増えず、親の場合は流れ、オーラスの場合続行
    Case(GOTO, void("E1", 0, repeats=2), "E2 2"),
    Case(GOTO, void("E1", 2, repeats=2), "E1 2"),
    Case(GOTO, void("E3", 2, repeats=2), "E3 2"),
    # 持ち点が10,000点以下でのチョンボはトビで終局
    Case(GOTO, void("E1", 2, (40_000, 40_000, 10_000)), "over", (45_000, 45_000, 100)),
    Case(GOTO, void("E1", 2, (40_000, 39_000, 11_000)), "E1 0", (45_000, 44_000, 1_000)),
    Case(GOTO, void("E1", 0, (40_000, 40_000, 10_000)), "E2 0", (30_000, 45_000, 15_000)),
    # 芝なし; base fever sanma is played east only
    Case(RAMEN, won("E1", 0), "E1 0"),
    Case(RAMEN, ready("E1"), "E1 0"),
    Case(RAMEN, won("E3", 1), "over"),
    Case(RAMEN, won("E1", 0), "over", (-1_000, 50_000, 50_000)),
    Case(RAMEN, won("E1", 1), "E2 0", (0, 50_000, 50_000)),
    Case(RAMEN, hand("E1", "abort"), "E1 0"),
    Case("ramen-jiro+tsurame", won("E1", 0), "E1 1"),
    Case("ramen-jiro+tsurame", hand("E1", "abort", repeats=1), "E1 2"),
    # a recorded hand's rule has no end of its own
    Case("riichi-4p", won("N4", 0), "E1 0", (-9_000, 59_000, 25_000, 25_000)),
    Case("riichi-3p", won("E3", 0), "S1 0", (-9_000, 59_000, 25_000)),
]


def follows(rules: Preset, game: Game, ended: Ended) -> str:
    found = course(rules, game, ended)
    if found.over:
        return "over"
    if found.stop:
        return "stop"
    return at(found._replace(round=found.round % 4))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name} {case.ended} {case.then}")
def test_the_houses(case: Case) -> None:
    rules = find_preset(case.name)
    assert follows(rules, game_of(rules, case.points), case.ended) == case.then


def test_every_house_has_cases() -> None:
    """A rule that plays its games as one of these does needs none of its own."""
    houses = {find_preset(case.name).game for case in CASES}
    assert {find_preset(name).game for name in NAMES} <= houses


@pytest.mark.parametrize("name", NAMES)
def test_the_first_dealer_may_sit_anywhere(name: str) -> None:
    """Turned by so many seats everything turns with it."""
    rules = find_preset(name)
    turn = st.integers(0, rules.players - 1)

    @given(turn, ended_hands(rules), st.lists(POINTS, min_size=4, max_size=4))
    def check(by: int, ended: Ended, points: list[int]) -> None:
        n = rules.players
        own = tuple(points[:n])
        moved = tuple(own[(seat - by) % n] for seat in range(n))

        def seat(one: int | None) -> int | None:
            return one if one is None or one == NOBODY else (one + by) % n

        stood = tuple(ended.stood[(one - by) % n] for one in range(n))
        turned = ended._replace(
            dealer=(ended.dealer + by) % n,
            winners=tuple(sorted((one + by) % n for one in ended.winners)),
            fault=seat(ended.fault),
            stood=stood,
        )
        here = course(rules, game_of(rules, own), ended)
        there = course(rules, game_of(rules, moved, by), turned)
        assert there[1:3] == here[1:3]
        assert bool(there.over) == bool(here.over)
        assert bool(there.stop) == bool(here.stop)
        assert there.dealer == (here.dealer + by) % n

    check()


POINTS = st.integers(-20, 600).map(lambda n: 100 * n)


@st.composite
def ended_hands(draw: Any, rules: Preset) -> Ended:
    seats = st.integers(0, rules.players - 1)
    end = draw(st.sampled_from(["win", "exhausted", "abort", "void"]))
    return Ended(
        1,
        draw(seats),
        draw(st.integers(0, 5)),
        draw(st.integers(0, 3)),
        end,
        winners=tuple(sorted(draw(st.sets(seats, min_size=1)))) if end == "win" else (),
        ready=draw(st.sampled_from([None, False, True])) if end == "exhausted" else None,
        riichi=draw(st.booleans()),
        fault=draw(st.sampled_from([None, NOBODY, *range(rules.players)])),
        stood=tuple(draw(POINTS) for _ in range(rules.players)),
        play_on=draw(st.sampled_from([None, False, True])),
    )


# ── what is said ────────────────────────────────────────────────────────────────────────────────


def test_why_a_game_is_over_is_said() -> None:
    def why(name: str, ended: Ended, points: tuple[int, ...] = ()) -> str:
        rules = find_preset(name)
        return course(rules, game_of(rules, points), ended).over

    assert why(M4, won("E1", 1), (-100, 50_100, 25_000, 25_000)) == "seat 0 has -100 points"
    assert why(M4, won("S4", 0), UP) == "all rounds are played"
    enough = "seat 0 has 40000 points, and 40000 are enough"
    assert why(M3, won("S3", 0), (40_000, 35_000, 30_000)) == enough
    assert "10000 points, and with 10000 or fewer" in why(
        GOTO, void("E1", 2, (40_000, 40_000, 10_000))
    )
    stopped = won("S4", 3, play_on=False)
    assert why(M4, stopped, DOWN) == "seat 3, the dealer, won the last hand and stopped"


def test_a_dealer_who_plays_on_is_not_asked_again_and_one_who_stops_ends_it() -> None:
    rules = find_preset(M4)
    game = game_of(rules, DOWN)
    assert follows(rules, game, won("S4", 3)) == "stop"
    assert follows(rules, game, won("S4", 3, play_on=True)) == "S4 1"
    assert follows(rules, game, won("S4", 3, play_on=False)) == "over"
    # Who has no right to stop cannot.
    assert follows(rules, game_of(rules, UP), won("S4", 3, play_on=False)) == "S4 1"


def test_of_a_game_that_is_over_the_last_hand_is_told() -> None:
    rules = find_preset(M4)
    found = course(rules, game_of(rules, UP), won("S4", 0, repeats=2))
    assert at(found) == "S4 2"


def test_who_sits_out_can_have_the_points_of_the_end() -> None:
    rules = find_preset(M3)
    low = (39_000, 30_000, 31_000)
    assert follows(rules, game_of(rules, low), won("S3", 0)) == "W1 0"
    rich = game_of(rules, low, out=3, waiting=Waiting(40_000, 0))
    assert follows(rules, rich, won("S3", 0)) == "over"


def test_repeats_by_each_word() -> None:
    rules = with_value(TEXTS["riichi-4p"], "game.repeats", ["tenpai"])
    for ended, repeats in (
        (ready("E1", True, repeats=1), 2),
        (ready("E1", False, repeats=1), 0),
        (won("E1", 0, repeats=1), 0),
        (hand("E1", "abort", repeats=1), 0),
        (void("E1", 0, repeats=1), 1),
    ):
        assert course(rules, game_of(rules), ended).repeats == repeats


def test_a_void_hand_never_ends_the_rounds() -> None:
    """Also where a rule lets every void hand pass the deal."""
    text = TEXTS[GOTO].replace('["win", "tenpai", "void"]', '["win", "tenpai"]')
    rules = with_value(text, "game.rounds", 1)
    assert follows(rules, game_of(rules), void("E1", NOBODY)) == "E2 0"
    assert follows(rules, game_of(rules), void("E3", NOBODY)) == "E3 0"


# ── words, last hands, places ───────────────────────────────────────────────────────────────────


def test_the_rounds_are_named_by_winds() -> None:
    def words(name: str, round: int, dealer: int, first: int = 0) -> str:
        rules = find_preset(name)
        game = game_of(rules, first=first)
        return hand_words(rules, replace(game, round=round, dealer=dealer))

    assert words(M4, 0, 0) == "East 1"
    assert words(M4, 1, 3) == "South 4"
    assert words(M4, 1, 1, 2) == "South 4"
    assert words(M3, 1, 2) == "South 3"
    assert words(M3, 2, 0) == "East 1 (played on)"
    assert words(M3, 3, 0) == "South 1 (played on)"
    assert words(FUZHOU, 3, 0) == "North 1"
    assert words(FUZHOU, 4, 1) == "East 2"


def test_which_hand_can_be_the_last() -> None:
    def last(name: str, round: int, dealer: int, first: int = 0) -> bool:
        return last_hand(find_preset(name), round, dealer, first)

    assert last(M4, 1, 3)
    assert last(M4, 1, 1, 2)
    assert not last(M4, 1, 2)
    assert not last(M4, 0, 3)
    assert last(M3, 2, 0)
    assert last(GOTO, 0, 2)
    assert not last(FUZHOU, 3, 3)


def test_equal_points_are_ranked_by_nearness_to_the_first_dealer_or_split() -> None:
    points = (30_000, 20_000, 30_000, 20_000)
    assert places(points, "first_dealer", 0) == (1, 3, 2, 4)
    assert places(points, "first_dealer", 1) == (2, 3, 1, 4)
    assert places(points, "split", 1) == (1, 3, 1, 3)
    assert is_top(points, "split", 0, 2)
    assert not is_top(points, "first_dealer", 0, 2)
    assert find_preset(GOTO).game.ties == "first_dealer"  # 着順は起家に近い順
    assert find_preset(A).game.ties == "split"  # 順位を分け合う


@given(st.lists(st.integers(-3, 3), min_size=3, max_size=4), st.integers(0, 2))
def test_places_follow_the_points(points: list[int], first: int) -> None:
    own = places(points, "first_dealer", first)
    assert sorted(own) == list(range(1, len(points) + 1))
    shared = places(points, "split", first)
    for one, other in itertools.permutations(range(len(points)), 2):
        if points[one] > points[other]:
            assert own[one] < own[other]
            assert shared[one] < shared[other]
        if points[one] == points[other]:
            assert shared[one] == shared[other]
            near = (one - first) % len(points) < (other - first) % len(points)
            assert (own[one] < own[other]) == near


# ── who deals first ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", [FUZHOU, OTHER])
def test_a_temporary_dealer_throws_for_the_first(name: str) -> None:
    """最初の親は，仮親がサイコロ2つを振って決めます: he counts as 1."""
    rules = find_preset(name)
    assert first_dealer(rules, 0, (2, 3)) == 0
    assert first_dealer(rules, 0, (1, 1)) == 1
    assert first_dealer(rules, 2, (3, 4)) == 0
    assert first_dealer(rules, 3, (6, 6)) == 2
    for temporary, a, b in itertools.product(range(4), range(1, 7), range(1, 7)):
        seat = temporary
        for _ in range(a + b - 1):
            seat = 0 if seat == 3 else seat + 1
        assert first_dealer(rules, temporary, (a, b)) == seat


def test_dice_that_say_nothing_are_refused() -> None:
    rules = find_preset(FUZHOU)
    for temporary, dice in ((4, (1, 2)), (-1, (1, 2)), (0, (1,)), (0, (0, 7)), (0, ())):
        with pytest.raises(TablectlError) as caught:
            first_dealer(rules, temporary, dice)
        assert caught.value.code == "game.first_dice"
    with pytest.raises(TablectlError) as caught:
        first_dealer(find_preset(M4), 0, (1, 2))
    assert caught.value.code == "game.first_agreed"
