"""Who wins: before play goes round, on one discard, on gold, on the tile of a kong."""

from __future__ import annotations

from itertools import permutations

import pytest
from support.histories import entry
from support.otherwise import otherwise
from support.told import Told

from tablectl.core import facts
from tablectl.core.fold import fold_all
from tablectl.core.preset_file import find_preset
from tablectl.core.state import ground_of
from tablectl.core.view import view_of

FUZHOU, SHOP, LEAGUE = (
    find_preset(name) for name in ("fuzhou-144", "vivace-4p", "vivace-a-league")
)
RIICHI, RAMEN, GOTO = (find_preset(name) for name in ("riichi-4p", "ramen-jiro", "goto-sanma"))
DEALER = 2


def opened(rules=FUZHOU, dealer: int = DEALER, gold: str = "5p") -> Told:
    """The gold is turned, the dealer is to discard."""
    return Told(rules, dealer=dealer).gold(gold)


def won(seat: int, frm: int | None = None, way=None) -> facts.Won:
    return facts.Won(seat=seat, frm=seat if frm is None else frm, way=way)


HEAVENLY = won(DEALER, way="heavenly")
CHILD, NEXT_CHILD = won(0, way="robbing_gold"), won(3, way="robbing_gold")
ROBBED = won(DEALER, way="robbing_gold")
EARTHLY = won(3, DEALER, "earthly")
THREE = won(DEALER, way="three_gold")
BEST_FIRST = (HEAVENLY, NEXT_CHILD, CHILD, ROBBED, EARTHLY, THREE)


def winners(table: Told) -> list[int]:
    return [win.seat for win in table.hand.wins]


# ── before play goes round ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("claim", BEST_FIRST, ids=str)
def test_each_opening_win_alone(claim):
    table = opened()
    if claim in (ROBBED, EARTHLY):
        table.discard(DEALER, "1m")
    table.say(claim)
    assert table.verdict.kind == "fits", table.verdict
    assert (table.hand.life, winners(table)) == ("won", [claim.seat])
    assert table.hand.wins[0].way == claim.way
    assert table.hand.turn.seat == claim.frm


@pytest.mark.parametrize("first", range(len(BEST_FIRST)))
@pytest.mark.parametrize("second", range(len(BEST_FIRST)))
def test_of_two_opening_wins_the_better_stands_in_either_order(first, second):
    if first == second:
        return
    one, two = BEST_FIRST[first], BEST_FIRST[second]
    table = opened().say(one)
    why = table.odd(two)
    best = BEST_FIRST[min(first, second)]
    assert winners(table) == [best.seat]
    assert table.hand.wins[0].way == best.way
    if first < second:
        assert f"the win is seat {one.seat}'s" in why
        assert "comes before" in why or "nearer to the dealer" in why
    else:
        assert not why
        assert table.verdict.kind == "assumed"
        assert f"not seat {one.seat}'s" in table.verdict.text


def test_of_all_that_come_with_the_first_discard_the_order_of_words_changes_nothing():
    claims = (CHILD, ROBBED, EARTHLY)
    for order in permutations(claims):
        for at in range(4):
            table = opened()
            for n, claim in enumerate(order):
                if n == at:
                    table.odd(facts.Discarded(seat=DEALER, tile="1m"))
                table.odd(claim)
            assert winners(table) == [CHILD.seat], (order, at)


def test_a_child_robs_the_gold_without_a_discard_and_by_itself():
    table = opened().say(CHILD)
    win = table.hand.wins[0]
    assert (win.frm, win.on) == (win.seat, "draw")


def test_three_golds_are_placed_by_the_preset():
    first = ("three_gold", "heavenly", "child_robbing", "dealer_robbing", "earthly")
    rules = otherwise(FUZHOU, opening__wins=first)
    for order in ((THREE, CHILD), (CHILD, THREE)):
        table = opened(rules)
        for claim in order:
            table.odd(claim)
        assert table.hand.wins[0].way == "three_gold"
    table = opened().say(THREE, CHILD)
    assert table.hand.wins[0].way == "robbing_gold"


def test_three_golds_win_in_any_own_turn():
    table = opened().discard(DEALER).draw(3).discard(3).draw(0)
    assert "self-draw" in table.odd(won(0, 3, "three_gold"))
    table.say(won(0, way="three_gold"))
    assert table.verdict.kind == "fits"


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (won(0, way="heavenly"), "it is the dealer's, who is seat 2"),
        (won(2, 0, "heavenly"), "it is a self-draw"),
        (won(0, 1, "earthly"), "it is won from the dealer"),
        (won(2, way="earthly"), "it is a child's"),
        (won(0, 2, "robbing_gold"), "it is a self-draw"),
    ],
)
def test_a_way_that_asks_for_another_seat(claim, words):
    assert words in opened().odd(claim)


@pytest.mark.parametrize("claim", [HEAVENLY, CHILD, ROBBED, EARTHLY], ids=str)
def test_once_play_has_gone_on_nobody_wins_so(claim):
    for table in (
        opened().discard(DEALER).draw(3),
        opened().discard(DEALER).discard(3),
        opened().discard(DEALER).say(facts.Called(seat=0, kind="pon", frm=DEALER)),
        opened().say(facts.Kong(seat=DEALER, kind="concealed")),
    ):
        assert "play has gone on" in table.odd(claim)
        assert table.hand.life == "playing"


def test_the_dealers_dealt_hand_is_no_more_after_a_discard():
    assert "as it was dealt" in opened().discard(DEALER).odd(HEAVENLY)


@pytest.mark.parametrize("claim", [HEAVENLY, CHILD, ROBBED, EARTHLY, THREE], ids=str)
def test_a_way_that_the_rule_does_not_have(claim):
    robbing = "dealer_robbing" if claim == ROBBED else "child_robbing"
    gone = robbing if claim.way == "robbing_gold" else claim.way
    left = tuple(kind for kind in FUZHOU.opening.wins if kind != gone)
    assert "does not have it" in opened(otherwise(FUZHOU, opening__wins=left)).odd(claim)
    assert "does not have it" in Told(RIICHI, dealer=DEALER).odd(claim)
    assert "has no gold" in Told(RIICHI, dealer=DEALER).odd(won(0, DEALER, "gold_pair"))


def test_a_childs_win_on_the_first_discard_is_earthly_without_the_word():
    table = opened().discard(DEALER, "1m").say(won(3, DEALER))
    assert table.odd(won(1, DEALER)), "the farther child does not win"
    table.say(CHILD)
    assert winners(table) == [0]
    assert "comes before a child's win on the dealer's first discard" in table.verdict.text


def test_the_claim_that_gave_way_comes_back_when_the_better_one_is_taken_back():
    table = opened().discard(DEALER, "1m")
    said = [EARTHLY, CHILD, facts.Retract(target=2)]
    entries = [entry(seq, fact) for seq, fact in enumerate(said, start=1)]
    book = {FUZHOU.digest: FUZHOU}
    for told, seat in ((2, CHILD.seat), (3, EARTHLY.seat)):
        state = fold_all(book, entries[:told], table.state)
        assert [win.seat for win in state.hand.wins] == [seat]


def test_of_children_who_win_on_the_first_discard_the_nearest_one():
    for order in ((3, 1), (1, 3)):
        table = opened().discard(DEALER, "1m")
        for seat in order:
            table.odd(won(seat, DEALER, "earthly"))
        assert winners(table) == [3]


# ── on one discard ──────────────────────────────────────────────────────────────────────────────


def discarded(rules, seat: int = 0, tile: str | None = "1m") -> Told:
    """A discard in the middle of a hand."""
    table = Told(rules, dealer=seat)
    if rules.gold.turned != "none":
        table.gold()
    if table.hand.turn.word != "act":
        table.draw(seat)
    table.discard(seat, "9m")
    for n in range(1, rules.players + 1):
        one = (seat + n) % rules.players
        table.draw(one).discard(one, tile if one == seat else "9m")
    assert table.hand.turn.word == "window"
    return table


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_the_first_counted_from_the_discarder_wins(order):
    table = discarded(SHOP)
    for seat in order:
        table.odd(won(seat, 0))
    assert winners(table) == [1]
    assert table.hand.turn.winners == (1,)


def test_what_is_said_of_head_bump():
    table = discarded(SHOP).say(won(3, 0), won(2, 0))
    assert table.verdict.kind == "assumed"
    assert "seat 2 wins and not seat 3: seat 2 is nearer to seat 0" in table.verdict.text
    assert "seat 3 won too, but the win is not its own" in table.odd(won(3, 0))
    assert "already" in table.odd(won(2, 0))


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_of_three_where_two_may_win_the_nearest_two(order):
    table = discarded(otherwise(RIICHI, winning__together=2))
    for seat in order:
        table.odd(won(seat, 0))
    assert sorted(winners(table)) == [1, 2]


def test_as_many_as_the_rule_lets():
    table = discarded(otherwise(SHOP, winning__together=3))
    table.say(won(3, 0), won(1, 0), won(2, 0))
    assert winners(table) == [3, 1, 2]


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_two_golds_as_the_pair_beat_nearer_wins(order):
    ways = {1: None, 2: None, 3: "gold_pair"}
    table = discarded(FUZHOU)
    for seat in order:
        table.odd(won(seat, 0, ways[seat]))
    assert winners(table) == [3]
    table = discarded(otherwise(FUZHOU, winning__gold_pair_first=False))
    for seat in order:
        table.odd(won(seat, 0, ways[seat]))
    assert winners(table) == [1]


def test_two_golds_as_the_pair_beat_nobody_on_a_robbed_kong():
    table = discarded(FUZHOU).draw(1).say(facts.Kong(seat=1, kind="added"), won(2, 1))
    assert table.hand.wins[0].on == "kong"
    assert "nearer" in table.odd(won(3, 1, "gold_pair"))


def test_after_a_self_draw_nobody_else_wins():
    table = discarded(SHOP).draw(1).say(won(1))
    assert "not on the tile" in table.odd(won(2, 1))
    assert "not on the tile" in table.odd(won(2, 0))
    assert "not on the tile" in discarded(SHOP).say(won(1, 0)).odd(won(0, 0))


# ── gold ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "claim",
    [
        facts.Called(seat=1, kind="chi", frm=0),
        facts.Called(seat=2, kind="pon", frm=0),
        facts.Called(seat=2, kind="pon", frm=0, tile="5p"),
        facts.Kong(seat=2, kind="open", frm=0),
        facts.Kong(seat=2, kind="open"),
        won(2, 0),
    ],
    ids=str,
)
def test_a_gold_discarded_can_be_neither_called_nor_won_on(claim):
    assert "5p is gold" in discarded(FUZHOU, tile="5p").odd(claim)
    assert not discarded(FUZHOU, tile=None if getattr(claim, "tile", None) is None else "4p").odd(
        claim if getattr(claim, "tile", None) is None else facts.Called(seat=2, kind="pon", frm=0)
    )
    assert not discarded(otherwise(FUZHOU, gold__claims="all"), tile="5p").odd(claim)


def test_who_discards_gold_wins_by_self_draw_only():
    table = discarded(FUZHOU, tile="5p").draw(1).discard(1, "1s")
    assert "by a self-draw only" in table.odd(won(0, 1))
    assert table.hand.limits == ((0, "self_draw"),)
    assert view_of(FUZHOU, table.state).hand.limits == ("self_draw", None, None, None)
    table.draw(2).discard(2).draw(3).discard(3).draw(0).say(won(0))
    assert table.verdict.kind == "fits"
    free = otherwise(FUZHOU, gold__discarder="free")
    table = discarded(free, tile="5p").draw(1).discard(1, "1s").say(won(0, 1))
    assert table.hand.limits == ()


def test_another_tile_of_the_golds_number_binds_nobody():
    table = discarded(FUZHOU, tile="5s").say(won(2, 0))
    assert table.hand.limits == ()


# ── kongs ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("rule", "way", "words"),
    [
        ("none", None, "nobody can win"),
        ("none", "kokushi", "nobody can win"),
        ("kokushi", None, "only thirteen orphans"),
        ("kokushi", "kokushi", ""),
        ("any", None, ""),
    ],
)
def test_robbing_a_concealed_kong(rule, way, words):
    table = discarded(otherwise(SHOP, calls__rob_concealed=rule)).draw(1)
    table.say(facts.Kong(seat=1, kind="concealed"))
    why = table.odd(won(3, 1, way))
    assert (words in why) if words else not why
    assert [win.on for win in table.hand.wins] == ["concealed_kong"] * (not words)
    if not words:
        assert table.hand.kongs == 0


def test_a_second_winner_on_a_concealed_kong_needs_the_way_too():
    rules = otherwise(SHOP, winning__together=2)
    table = discarded(rules).draw(1).say(facts.Kong(seat=1, kind="concealed"))
    table.say(won(2, 1, "kokushi"))
    assert "only thirteen orphans" in table.odd(won(3, 1))
    table.say(won(3, 1, "kokushi"))
    assert winners(table) == [2, 3]


def test_where_nobody_tells_draws_a_win_after_a_concealed_kong_is_on_a_discard():
    table = Told(SHOP).say(facts.Kong(seat=0, kind="concealed"), won(1, 0))
    assert table.verdict.kind == "assumed"
    assert (table.hand.tail, table.hand.kongs, table.hand.wins[0].on) == (1, 1, "discard")


@pytest.mark.parametrize("rules", [SHOP, LEAGUE, RIICHI, RAMEN], ids=lambda rules: rules.name)
@pytest.mark.parametrize("kind", ["added", "concealed"])
def test_a_robbed_kong_is_none(rules, kind):
    rules = otherwise(rules, calls__rob_concealed="any")
    table = discarded(rules).draw(1)
    before = table.plan
    table.say(facts.Kong(seat=1, kind=kind), won(2, 1))
    hand, after = table.hand, table.plan
    assert (hand.owed, hand.due, hand.kongs, hand.melds) == ((), (), 0, ())
    assert (after.indicators, after.tail, after.drawable) == (
        before.indicators,
        before.tail,
        before.drawable,
    )
    assert hand.wins[0].indicators == rules.indicators.start


def test_an_indicator_turned_for_a_kong_that_is_robbed_is_put_back():
    table = discarded(RAMEN).draw(1)
    before = table.plan
    table.say(facts.Kong(seat=1, kind="added"))
    place = table.plan.next_indicator.place
    table.say(facts.Shown(place=place, tile="3p", why="indicator"))
    assert len(table.plan.indicators) == 2
    table.say(won(2, 1))
    assert table.verdict.kind == "assumed"
    assert "put back" in table.verdict.text
    assert (table.plan.indicators, table.hand.face(place)) == (before.indicators, None)
    assert table.hand.wins[0].indicators == 1


def test_the_indicator_of_an_earlier_kong_stays():
    table = discarded(RAMEN).draw(1).say(facts.Kong(seat=1, kind="concealed"))
    first = table.plan.next_indicator.place
    table.say(facts.Shown(place=first, tile="3p", why="indicator")).draw(1, "tail")
    table.say(facts.Kong(seat=1, kind="added"), won(2, 1))
    assert (table.hand.turned, table.hand.face(first), table.hand.kongs) == (1, "3p", 1)


# ── tiles set aside ─────────────────────────────────────────────────────────────────────────────


def north(rules, to: str = "set_aside") -> Told:
    """Seat 1 has set a north aside."""
    table = discarded(rules).draw(1)
    if to == "river":
        return table.say(facts.Discarded(seat=1, tile="4z", to="aside"))
    return table.say(facts.SetAside(seat=1, tile="4z"))


@pytest.mark.parametrize("to", ["set_aside", "river"])
def test_a_north_that_others_may_claim(to):
    table = north(RAMEN, to).say(won(0, 1), won(2, 1))
    assert winners(table) == [0, 2], "both"
    assert {win.on for win in table.hand.wins} == {"aside"}
    assert (table.hand.owed, table.hand.tail) == ((), 0)
    table = north(RAMEN, to).say(facts.Called(seat=0, kind="pon", frm=1))
    assert (table.hand.owed, table.hand.tail, table.hand.turn.seat) == ((), 0, 0)


@pytest.mark.parametrize(
    "claim",
    [
        facts.Kong(seat=0, kind="open", frm=1),
        facts.Kong(seat=0, kind="open", frm=1, tile="4z"),
        facts.Called(seat=2, kind="chi", frm=1),
    ],
    ids=str,
)
def test_no_kong_and_no_chi_of_a_north(claim):
    table = north(RAMEN)
    assert "of a tile set aside this rule does not have that" in table.odd(claim)
    table.draw(1, "tail").discard(1, "1m")
    assert bool(table.odd(claim)) == (getattr(claim, "tile", None) == "4z")


@pytest.mark.parametrize(
    "claim", [won(0, 1), facts.Called(seat=0, kind="pon", frm=1)], ids=lambda fact: fact.seat
)
def test_norths_and_flowers_that_are_air(claim):
    for tile in ("4z", "2f"):
        table = discarded(GOTO).draw(1).say(facts.SetAside(seat=1, tile=tile))
        assert "tile set aside" in table.odd(claim)
    allowed = otherwise(GOTO, calls__aside_claims=("pon", "ron"))
    assert not discarded(allowed).draw(1).say(facts.SetAside(seat=1, tile="4z")).odd(claim)


def test_where_nobody_tells_draws_a_north_was_replaced_before_a_discard_is_won_on():
    table = Told(GOTO).say(facts.SetAside(seat=0, tile="4z"), won(1, 0))
    assert (table.hand.tail, table.hand.owed, table.verdict.kind) == (1, (), "assumed")


def test_what_may_not_be_discarded_is_odd_in_the_river():
    table = discarded(RAMEN).draw(1)
    assert "only set aside" in table.odd(facts.Discarded(seat=1, tile="4z"))
    table.discard(1)
    assert not discarded(GOTO).draw(1).odd(facts.Discarded(seat=1, tile="4z"))


def test_counts_of_the_walls_as_they_rise_say_nothing_of_draws():
    table = Told(SHOP, dealt=False)
    table.say(facts.Observed(of="snapshot", counts=(34,) * 4), facts.Dice(pips=(3, 4)))
    table.say(facts.Dealt(), facts.Kong(seat=0, kind="concealed"), won(1, 0))
    assert table.hand.wins[0].on == "discard"


def test_a_sensor_that_sees_draws_says_what_is_won_on():
    table = Told(SHOP)
    seen = [facts.Taken(place=table.plan.next_draw.place)]
    table.discard(0).say(*seen, facts.Kong(seat=1, kind="concealed"))
    assert "only thirteen orphans" in table.odd(won(2, 1))


# ── a tile laid down, where nobody tells draws ──────────────────────────────────────────────────


def laid_down(name: str) -> Told:
    """By taps alone: a touch of the next draw, a tile set aside, and nothing more."""
    played = Told(find_preset(name))
    base = ground_of(played.rules, played.hand)
    touch = facts.HeadAt(place=base.wall.order[played.hand.head + 6].place)
    return played.say(touch, facts.SetAside(seat=0, tile="4z"))


def test_a_win_on_a_tile_laid_down_is_said_as_such() -> None:
    """Said, the tile is not replaced; unsaid, it was, and the win is on a discard."""
    said = laid_down("ramen-jiro").say(facts.Won(seat=1, frm=0, way="robbing"))
    assert (said.hand.tail, said.hand.owed, said.hand.wins[0].on) == (0, (), "aside")
    unsaid = laid_down("ramen-jiro").say(facts.Won(seat=1, frm=0))
    assert (unsaid.hand.tail, unsaid.hand.wins[0].on) == (1, "discard")


def test_a_win_on_a_tile_laid_down_that_nobody_told() -> None:
    """It changes nothing else: such a tile is not replaced."""
    played = Told(find_preset("ramen-jiro")).say(facts.Won(seat=1, frm=0, way="robbing"))
    assert played.verdict.kind == "assumed"
    assert "not told" in played.verdict.text
    assert played.hand.tail == 0


def test_nobody_wins_on_air() -> None:
    why = laid_down("goto-sanma").odd(facts.Won(seat=1, frm=0, way="robbing"))
    assert "no win on a tile set aside" in why
