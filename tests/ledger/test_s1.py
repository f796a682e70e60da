"""福州の麻雀, statement by statement: its set, its deal, flowers and gold."""

from __future__ import annotations

from support.fuzhou import BOTH, PLANTS, SEASONS, SUITS, at, both, column, opened
from support.ledger import row, rules
from support.told import Told, held, set_of

from tablectl.core import facts
from tablectl.core.geometry import Inputs, plan

# ── the set and the dice ────────────────────────────────────────────────────────────────────────


@row("S1-01")
def test_128_tiles() -> None:
    tiles = set_of(**SUITS, z14=4, z7=4)
    assert len(tiles) == 128
    assert held(rules("fuzhou-128"), *tiles)


@row("S1-02")
def test_144_tiles() -> None:
    tiles = set_of(**SUITS, z17=4, f18=1)
    assert len(tiles) == 144
    assert held(rules("fuzhou-144"), *tiles)


@row("S1-03")
def test_two_dice() -> None:
    for played in both(dealt=False):
        for pips in ((3,), (1, 2, 3)):
            assert "dice were read" in played.odd(facts.Dice(pips=pips))
        assert not played.odd(facts.Dice(pips=(2, 3)))


@row("S1-09")
def test_one_throw_is_enough() -> None:
    for played in both(dealt=False):
        played.say(facts.Dice(pips=(2, 3)))
        assert (played.plan.break_.side, played.plan.break_.after) == (0, 5)
        played.say(facts.Opened(side=0, after=5), facts.Dealt())
        assert (played.verdict.kind, played.hand.life) == ("fits", "dealt")


@row("S1-10")
def test_the_sum_is_both_wall_and_place() -> None:
    for name in BOTH:
        for total in range(2, 13):
            dice = (min(6, total - 1), total - min(6, total - 1))
            for dealer in range(4):
                found = plan(rules(name), Inputs(dice=dice, dealer=dealer))
                assert found.break_.side == (dealer + total - 1) % 4
                assert found.break_.after == total


def flowers(name: str) -> list[str]:
    """The flowers of a rule, every one that can be set aside in its opening."""
    played = Told(rules(name))
    return [
        tile.code
        for tile in rules(name).tiles.elements()
        if not played.odd(facts.SetAside(seat=0, tile=tile.code))
    ]


@row("S1-04")
def test_the_twenty_honours_are_flowers() -> None:
    assert len(flowers("fuzhou-128")) == 20


@row("S1-05")
def test_the_thirty_six_honours_and_flowers_are_flowers() -> None:
    assert len(flowers("fuzhou-144")) == 36


@row("S1-15")
def test_flowers_of_128() -> None:
    assert set(flowers("fuzhou-128")) == {"1z", "2z", "3z", "4z", "7z"}


@row("S1-16")
def test_flowers_of_144() -> None:
    honours = {f"{n}z" for n in range(1, 8)}
    assert set(flowers("fuzhou-144")) == honours | {*SEASONS, *PLANTS}


# ── the deal ────────────────────────────────────────────────────────────────────────────────────


@row("S1-07")
def test_a_dealer_who_wins_deals_again() -> None:
    for played in both(dealer=2):
        played.aside(2, "1z").gold().say(facts.Won(seat=2, frm=2)).settled(0, 0, 0, 0)
        assert played.game.dealer == 2
        assert played.walls().hand.dealer == 2


@row("S1-08")
def test_else_the_right_neighbour_deals() -> None:
    for played in both(dealer=3):
        played.aside(3, "1z").gold().discard(3).draw(0)
        played.say(facts.Won(seat=0, frm=0)).settled(0, 0, 0, 0)
        assert played.game.dealer == 0
        played.walls().aside(0, "1z").gold().say(facts.Exhausted()).settled(0, 0, 0, 0)
        assert played.game.dealer == 1
        assert not played.asked


@row("S1-11")
def test_four_tiles_four_times() -> None:
    from tablectl.core.dealing import deal_from
    from tablectl.core.state import ground_of

    for played in both():
        base = ground_of(played.rules, played.hand)
        hands = deal_from(base.wall, played.rules.dealing, 4).hands
        for seat, tiles in enumerate(hands):
            fours = [range(16 * n + 4 * seat, 16 * n + 4 * seat + 4) for n in range(4)]
            assert tiles == tuple(p for four in fours for p in four)


@row("S1-12")
def test_the_dealer_takes_a_seventeenth() -> None:
    for played in both():
        assert (played.plan.head, played.turn) == (65, ("act", 0))


# ── flowers and gold ────────────────────────────────────────────────────────────────────────────


@row("S1-14")
def test_replacements_are_as_many_from_the_tail() -> None:
    for name in BOTH:
        played = Told(rules(name))
        before = played.plan
        tail = played.tail_places()
        for seat, tiles in ((0, ("1z", "2z")), (1, ("3z",))):
            for tile in tiles:
                played.say(facts.SetAside(seat=seat, tile=tile))
            for _ in tiles:
                assert played.plan.replacement is not None
                assert played.plan.replacement.place == tail.pop(0)
                played.draw(seat, "tail")
        assert (played.plan.head, played.plan.tail) == (before.head, 3)


@row("S1-19")
def test_the_next_replacement_is_turned_as_gold() -> None:
    for name in BOTH:
        played = Told(rules(name)).aside(0, "1z")
        turned = played.plan.replacement
        played.gold("5p")
        assert (played.hand.gold, played.hand.life) == ("5p", "playing")
        assert played.plan.replacement != turned
        assert played.hand.tail == 2


@row("S1-20")
def test_the_gold_lies_on_the_ninth_column() -> None:
    for name in BOTH:
        for tail in range(1, 40):
            assert column(at(name, tail=tail)) == 9
        assert column(opened(name).plan) == 9


@row("S1-21")
def test_the_gold_is_not_played_with() -> None:
    for name in BOTH:
        played = Told(rules(name)).aside(0, "1z")
        there = played.tail_places()
        left = played.plan.drawable
        played.gold()
        assert played.plan.drawable == left - 1
        assert played.tail_places() == there[1:]


@row("S1-24")
def test_a_flower_turned_is_the_dealers_and_the_next_is_turned() -> None:
    for name in BOTH:
        played = Told(rules(name), dealer=2).aside(3, "1z")
        played.gold("7z")
        assert (played.hand.life, played.hand.gold) == ("flowering", None)
        assert played.hand.aside[2] == ("7z",)
        assert played.hand.owed == ()
        played.gold("5p")
        assert (played.hand.life, played.hand.gold, played.hand.tail) == ("playing", "5p", 3)


@row("S1-26")
def test_a_flower_drawn_is_replaced_from_the_tail() -> None:
    for name in BOTH:
        played = opened(name).discard(0).draw(1)
        head, there = played.hand.head, played.tail_places()
        played.say(facts.SetAside(seat=1, tile="2z"))
        assert (played.turn, played.hand.owed) == (("owed", 1), (1,))
        assert played.plan.replacement is not None
        assert played.plan.replacement.place == there[0]
        assert "replacement" in _told_of(played, facts.Discarded(seat=1))
        again = opened(name).discard(0).draw(1).aside(1, "2z")
        assert (again.hand.head, again.hand.tail, again.turn) == (head, 3, ("act", 1))


def _told_of(played: Told, fact: facts.AnyFact) -> str:
    played.odd(fact)
    return " ".join((played.verdict.text, *played.asked))


@row("S1-84")
def test_flowers_in_play_are_as_those_of_the_opening() -> None:
    for name in BOTH:
        before = Told(rules(name)).aside(1, "2z")
        later = opened(name).discard(0).draw(1).aside(1, "2z")
        assert before.hand.aside[1] == later.hand.aside[1] == ("2z",)
        reserve = later.plan.reserve
        for _ in range(3):
            later.aside(1, "2z")
        assert later.hand.quads == 1
        assert later.plan.reserve == reserve + 2
