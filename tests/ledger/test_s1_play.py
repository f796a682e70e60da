"""福州の麻雀, statement by statement: play, the end of the wall, gold discarded, who wins."""

from __future__ import annotations

from support.fuzhou import BOTH, PLANTS, SEASONS, at, opened
from support.ledger import row, rules, shown, told
from support.told import Told

from tablectl.core import facts
from tablectl.core.game import first_dealer

# ── play ────────────────────────────────────────────────────────────────────────────────────────


@row("S1-25")
def test_chi_from_the_left_and_pon_and_kong_from_anyone() -> None:
    for name in BOTH:
        for seat in (1, 2, 3):
            chi = opened(name).discard(0)
            chi.odd(facts.Called(seat=seat, kind="chi", frm=0))
            assert (chi.verdict.kind == "fits") == (seat == 1)
            pon = opened(name).discard(0)
            pon.say(facts.Called(seat=seat, kind="pon", frm=0))
            assert (pon.verdict.kind, pon.turn) == ("fits", ("act", seat))
            kong = opened(name).discard(0)
            kong.say(facts.Kong(seat=seat, kind="open", frm=0))
            assert (kong.verdict.kind, kong.turn) == ("fits", ("owed", seat))


def last_tile(name: str) -> Told:
    """The wall played to the last usable tile."""
    played = opened(name).go_on(5)
    seat = played.hand.turn.seat
    assert seat is not None
    played.discard(seat)
    for _ in range(5):
        seat = played.after(seat)
        played.draw(seat)
        if played.hand.life == "playing":
            played.discard(seat)
    return played


@row("S1-33")
def test_the_hand_is_drawn_with_18_left() -> None:
    for name in BOTH:
        played = last_tile(name)
        assert (played.plan.phase, played.plan.next_draw) == ("over", None)
        assert played.plan.tiles - played.plan.head - played.plan.tail == 18
        assert "nothing is left to draw" in played.odd(facts.Drawn(seat=0))
        played.say(facts.Exhausted())
        assert (played.verdict.kind, played.hand.end) == ("fits", "exhausted")


@row("S1-34")
def test_18_are_kept_at_the_beginning() -> None:
    for name in BOTH:
        found = Told(rules(name)).plan
        assert found.reserve == 18
        assert found.drawable == found.tiles - 65 - 18


@row("S1-35")
def test_an_open_kong_keeps_one_more() -> None:
    for name in BOTH:
        played = opened(name).discard(0)
        before = played.plan
        played.kong(2, "open", frm=0)
        assert played.plan.reserve == 19
        assert played.plan.drawable == before.drawable - 2
        played.kong(2, "added")  # a pon made a kong is an open one
        assert (played.plan.reserve, played.plan.drawable) == (20, before.drawable - 4)


@row("S1-36")
def test_a_concealed_kong_keeps_two_more() -> None:
    for name in BOTH:
        played = opened(name)
        before = played.plan
        played.kong(0, "concealed")
        assert played.plan.reserve == 20
        assert played.plan.drawable == before.drawable - 3


@row("S1-37")
def test_four_same_flowers_keep_two_more() -> None:
    for name in BOTH:
        played = Told(rules(name))
        for _ in range(3):
            played.aside(0, "1z")
        assert played.plan.reserve == 18
        left = played.plan.drawable
        played.aside(0, "1z")
        assert (played.plan.reserve, played.plan.drawable) == (20, left - 3)


@row("S1-38")
def test_all_seasons_and_all_plants_are_four_same_flowers() -> None:
    for four in (SEASONS, PLANTS):
        played = Told(rules("fuzhou-144"))
        for tile in four[:3]:
            played.aside(1, tile)
        assert played.plan.reserve == 18
        assert played.aside(1, four[3]).plan.reserve == 20
    mixed = Told(rules("fuzhou-144"))
    for tile in ("1f", "2f", "5f", "6f"):
        mixed.aside(1, tile)
    assert mixed.plan.reserve == 18


@row("S1-39")
def test_the_gold_moves_with_the_end() -> None:
    # The worked hand of the house's page of rules, for 144 tiles: columns of the machine.
    rows = {
        (65, 26, 0, 0, 0): (1, 2),
        (66, 27, 0, 0, 0): (1, 2),
        (67, 28, 1, 0, 0): (1, 1),
        (68, 29, 1, 1, 0): (2, 17),
        (69, 30, 1, 1, 1): (2, 16),
        (65, 26, 0, 0, 1): (1, 1),
    }
    for (head, tail, open_kongs, concealed, quads), where in rows.items():
        found = at(
            "fuzhou-144", head=head, tail=tail, open_kongs=open_kongs, concealed_kongs=concealed,
            flower_quads=quads,
        )  # fmt: skip
        assert found.gold_marker is not None
        assert (found.gold_marker.side, found.gold_marker.column) == where
    for name in BOTH:
        played = opened(name)
        before = played.plan.gold_marker
        played.kong(0, "concealed")
        assert played.plan.gold_marker != before


@row("S1-40")
def test_the_last_four_are_drawn_and_nothing_is_discarded() -> None:
    for name in BOTH:
        played = opened(name).go_on(4)
        seat = played.hand.turn.seat
        assert seat is not None
        assert played.hand.life == "playing"
        played.discard(seat)  # the one before them is discarded still
        for _ in range(4):
            seat = played.after(seat)
            played.draw(seat)
            assert (played.hand.life, played.verdict.kind) == ("last_draws", "fits")
        played.odd(facts.Discarded(seat=seat))
        assert "in the last draws nobody discards" in played.verdict.text
        assert played.plan.drawable == 0


@row("S1-41")
def test_no_kong_with_four_left() -> None:
    for name in BOTH:
        played = opened(name).go_on(4)
        seat = played.hand.turn.seat
        assert seat is not None
        assert "last draws" in played.odd(facts.Kong(seat=seat, kind="concealed"))
        before = opened(name).go_on(5)
        seat = before.hand.turn.seat
        assert seat is not None
        assert not before.odd(facts.Kong(seat=seat, kind="concealed"))


# ── agreed beforehand ───────────────────────────────────────────────────────────────────────────


def choice(name: str, path: str) -> tuple[object, list[object]]:
    """A value that people choose as they are shown it, and what can be chosen."""
    [one] = [one for one in shown(name)["values"] if one["path"] == path]
    return one["value"], list(one.get("options", ()))


@row("S1-43")
def test_the_base_is_agreed_on_before() -> None:
    for name in BOTH:
        value, options = choice(name, "score.base")
        assert (value, options) == (1, [1, 3, 5])


@row("S1-75")
def test_the_gold_dragon_is_an_option() -> None:
    for name in BOTH:
        assert choice(name, "score.gold_dragon") == (False, [False, True])


@row("S1-85")
def test_a_larger_base_makes_flowers_weigh_less() -> None:
    for name in BOTH:
        assert "a larger base makes flowers weigh less" in told(name, "底が大きいほど")


# ── the opening ─────────────────────────────────────────────────────────────────────────────────


@row("S1-06")
def test_a_temporary_dealer_throws_for_the_first_dealer() -> None:
    for name in BOTH:
        for temporary in range(4):
            for dice in ((1, 1), (2, 3), (6, 6)):
                found = first_dealer(rules(name), temporary, dice)
                assert found == (temporary + sum(dice) - 1) % 4
        assert first_dealer(rules(name), 0, (2, 3)) == 0


@row("S1-13")
def test_flowers_are_exposed_from_the_dealer_on() -> None:
    for name in BOTH:
        assert "From the dealer each exposes all" in told(
            name, "親から順に，手牌の花牌をすべてさらし"
        )
        played = Told(rules(name), dealer=1)
        for seat in (1, 2, 3, 0):
            for tile in ("1z", "2z")[: 1 + seat % 2]:
                played.say(facts.SetAside(seat=seat, tile=tile))
            for _ in range(1 + seat % 2):
                played.draw(seat, "tail")
        assert played.hand.life == "flowering"
        assert [len(tiles) for tiles in played.hand.aside] == [1, 2, 1, 2]
        assert played.hand.owed == ()


@row("S1-17")
def test_a_flower_among_the_replacements_waits_a_round() -> None:
    for name in BOTH:
        text = told(name, "すぐにさらして補充しないで，一周")
        assert "new ones wait a round" in text


@row("S1-18")
def test_until_nobody_has_a_flower() -> None:
    for name in BOTH:
        assert "on until no hand has any" in told(name, "全員の手が数牌だけになるまで")
        played = Told(rules(name))
        for seat in (0, 1, 2, 3, 1, 3, 3):
            played.aside(seat, "2z" if seat == 1 else "1z" if seat == 3 else "4z")
            assert played.hand.life == "flowering"
        assert (played.gold().hand.life, played.hand.tail) == ("playing", 8)


# ── gold discarded ──────────────────────────────────────────────────────────────────────────────


@row("S1-27")
def test_gold_may_be_discarded() -> None:
    for name in BOTH:
        played = opened(name).discard(0, "5p")
        assert (played.verdict.kind, played.turn) == ("fits", ("window", 0))
        assert "gold may be discarded" in told(name, "金牌を捨ててもよい")


@row("S1-28")
def test_who_discards_gold_wins_by_self_draw_only() -> None:
    for name in BOTH:
        played = opened(name).discard(0, "5p").draw(1).discard(1, "1p")
        assert "by a self-draw only" in played.odd(facts.Won(seat=0, frm=1))
        assert not played.odd(facts.Won(seat=2, frm=1))
        later = opened(name).discard(0, "5p")
        for seat in (1, 2, 3):
            later.draw(seat).discard(seat, "1p")
        assert not later.draw(0).odd(facts.Won(seat=0, frm=0))


@row("S1-29")
def test_discarded_gold_is_not_called() -> None:
    for name in BOTH:
        for said in (
            facts.Called(seat=1, kind="chi", frm=0),
            facts.Called(seat=2, kind="pon", frm=0),
            facts.Kong(seat=2, kind="open", frm=0),
        ):
            assert "is gold" in opened(name).discard(0, "5p").odd(said)
            assert not opened(name).discard(0, "6p").odd(said)


@row("S1-30")
def test_discarded_gold_is_not_won_on() -> None:
    for name in BOTH:
        assert "is gold" in opened(name).discard(0, "5p").odd(facts.Won(seat=2, frm=0))
        assert not opened(name).discard(0, "6p").odd(facts.Won(seat=2, frm=0))


# ── who wins ────────────────────────────────────────────────────────────────────────────────────


def round_gone(name: str) -> Told:
    """Everybody has had a turn; seat 0 has discarded."""
    played = opened(name).discard(0)
    for seat in (1, 2, 3, 0):
        played.draw(seat).discard(seat)
    return played


def winner(played: Told, *wins: facts.Won) -> int:
    """Who has won when these say so, whatever is told first; the same both ways round."""
    for one in wins:
        played.odd(one)
    [win] = played.hand.wins_here
    return win.seat


@row("S1-32")
def test_the_nearest_after_the_discarder_wins() -> None:
    for name in BOTH:
        for told_ in ((1, 3), (3, 1), (3, 2, 1), (2, 1, 3)):
            wins = [facts.Won(seat=seat, frm=0) for seat in told_]
            assert winner(round_gone(name), *wins) == 1
        late = [facts.Won(seat=seat, frm=0) for seat in (3, 2)]
        assert winner(round_gone(name), *late) == 2


@row("S1-72")
def test_a_gold_pair_beats_a_nearer_winner() -> None:
    for name in BOTH:
        near, pair = facts.Won(seat=1, frm=0), facts.Won(seat=3, frm=0, way="gold_pair")
        assert winner(round_gone(name), near, pair) == 3
        assert winner(round_gone(name), pair, near) == 3


HEAVENLY = facts.Won(seat=0, frm=0, way="heavenly")
CHILD = facts.Won(seat=2, frm=2, way="robbing_gold")
DEALER = facts.Won(seat=0, frm=0, way="robbing_gold")
EARTHLY = facts.Won(seat=1, frm=0, way="earthly")


@row("S1-58")
def test_the_dealer_robs_the_gold_with_the_first_discard() -> None:
    for name in BOTH:
        played = opened(name).discard(0, "1p")
        assert not played.odd(DEALER)
        assert [(win.seat, win.way) for win in played.hand.wins] == [(0, "robbing_gold")]
        assert "play has gone on" in round_gone(name).odd(DEALER)


@row("S1-59")
def test_a_child_robs_the_gold_with_the_dealt_hand() -> None:
    for name in BOTH:
        played = opened(name)
        assert not played.odd(CHILD)
        assert [(win.seat, win.frm) for win in played.hand.wins] == [(2, 2)]
        assert "play has gone on" in round_gone(name).odd(CHILD)


@row("S1-62")
def test_a_childs_robbing_beats_the_dealers() -> None:
    for name in BOTH:
        assert winner(opened(name).discard(0, "1p"), DEALER, CHILD) == 2
        assert winner(opened(name).discard(0, "1p"), CHILD, DEALER) == 2


@row("S1-64")
def test_a_child_wins_on_the_dealers_first_discard() -> None:
    for name in BOTH:
        played = opened(name).discard(0, "1p")
        assert not played.odd(EARTHLY)
        assert [(win.seat, win.way) for win in played.hand.wins] == [(1, "earthly")]
        assert round_gone(name).odd(EARTHLY)


@row("S1-65")
def test_a_heavenly_win_beats_a_childs_robbing() -> None:
    for name in BOTH:
        assert winner(opened(name), CHILD, HEAVENLY) == 0
        assert winner(opened(name), HEAVENLY, CHILD) == 0
