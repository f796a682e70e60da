"""Facts that fit the moment and cannot be: calls, riichi, tiles, places and points of no rule."""

from __future__ import annotations

import pytest
from support.histories import entry
from support.otherwise import otherwise
from support.told import ON_TOP, Told

from tablectl.core import facts
from tablectl.core.fold import fold
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.turn import Turn
from tablectl.core.view import view_of
from tablectl.core.wall import Place

FUZHOU, SHOP = find_preset("fuzhou-144"), find_preset("vivace-4p")
BASIC, RAMEN, GOTO = (find_preset(name) for name in ("vivace-sanma", "ramen-jiro", "goto-sanma"))


def won(seat: int, frm: int | None = None) -> facts.Won:
    return facts.Won(seat=seat, frm=seat if frm is None else frm)


def riichi(seat: int, kind: str = "plain") -> facts.Riichi:
    return facts.Riichi(seat=seat, kind=kind)


def aside(seat: int, tile: str | None = "4z") -> facts.SetAside:
    return facts.SetAside(seat=seat, tile=tile)


def pon(seat: int, frm: int, tile: str | None = None) -> facts.Called:
    return facts.Called(seat=seat, kind="pon", frm=frm, tile=tile)


def chi(seat: int, frm: int) -> facts.Called:
    return facts.Called(seat=seat, kind="chi", frm=frm)


def sense(table: Told, fact: facts.AnyFact) -> str:
    """A sensor tells it; why it is odd, "" if it is believed."""
    table.seq += 1
    said = entry(table.seq, fact, origin="sensor")
    table.state, table.verdict = fold(table.book, table.state, said)
    return table.verdict.text if table.verdict.kind == "odd" else ""


# ── riichi with an open hand ────────────────────────────────────────────────────────────────────


def after_call(*said: facts.AnyFact, rules=RAMEN) -> Told:
    """Seat 0 has discarded; then this was said, and play came round to seat 1 again."""
    table = Told(rules).draw(0).discard(0).say(*said)
    while table.turn != ("act", 1) or table.verdict.text:
        seat = table.hand.turn.seat
        table.discard(seat) if table.turn[0] == "act" else table.draw(table.after(seat))
    return table.discard(1).draw(2).discard(2).draw(0).discard(0).draw(1)


OPEN = {
    "called pon": (pon(1, 0),),
    "declared an open kong": (facts.Kong(seat=1, kind="open", frm=0), facts.Drawn(seat=1)),
}


@pytest.mark.parametrize("kind", ["plain", "open", "fever"])
@pytest.mark.parametrize("deed", OPEN)
def test_an_open_hand_declares_no_riichi(deed, kind):
    rules = otherwise(RAMEN, calls__open_riichi=True)
    table = after_call(*OPEN[deed], rules=rules)
    assert f"it {deed} before: its hand is open" in table.odd(riichi(1, kind))
    assert table.hand.riichi[1] is None


def test_after_a_chi_too_and_after_an_added_kong():
    table = Told(SHOP).draw(0).discard(0).say(chi(1, 0)).discard(1).draw(2).discard(2)
    table.draw(3).discard(3).draw(0).discard(0).draw(1)
    assert "called chi" in table.odd(riichi(1))
    table = Told(SHOP).draw(0).discard(0).say(pon(1, 0)).discard(1)
    assert "called pon" in table.draw(2).discard(2).draw(3).discard(3).draw(0).discard(0).draw(
        1
    ).kong(1, "added").odd(riichi(1))


def test_a_claimed_tile_set_aside_is_a_call():
    table = Told(RAMEN).draw(0).say(aside(0), pon(1, 0)).discard(1).draw(2).discard(2)
    table.draw(0).discard(0).draw(1)
    assert "called pon" in table.odd(riichi(1))


def test_a_concealed_kong_and_the_calls_of_others_leave_a_hand_closed():
    table = Told(SHOP).draw(0).kong(0, "concealed").discard(0).say(pon(2, 0)).discard(2)
    table.draw(3).discard(3).draw(0)
    assert not table.odd(riichi(0))
    assert table.verdict.kind == "fits"


def test_a_tray_is_believed_and_the_contradiction_said():
    table = after_call(pon(1, 0))
    assert not sense(table, riichi(1))
    assert table.verdict.kind == "assumed"
    assert "its hand is open" in table.verdict.text
    assert table.hand.riichi[1] == "plain"


# ── tiles set aside one after the other ─────────────────────────────────────────────────────────


def two_norths(rules=RAMEN) -> Told:
    return Told(rules).draw(0).say(aside(0), aside(0))


def test_two_norths_one_after_the_other_are_both_owed():
    table = two_norths()
    assert table.verdict == ("fits", "")
    assert (table.hand.owed, table.hand.tail) == ((0, 0), 0)
    assert table.turn == ("aside_window", 0)
    table.draw(0)
    assert (table.turn, table.hand.owed, table.hand.tail) == (("owed", 0), (0,), 1)
    table.draw(0, "tail")
    assert (table.turn, table.hand.owed, table.hand.tail) == (("act", 0), (), 2)
    table.discard(0).draw(1)
    assert table.verdict.kind == "fits"
    assert not table.state.questions


def test_two_norths_that_nobody_may_claim():
    table = two_norths(BASIC)
    assert table.turn == ("owed", 0)
    table.draw(0).draw(0).discard(0)
    assert (table.verdict.kind, table.turn, table.hand.tail) == ("fits", ("window", 0), 2)


def test_where_a_sensor_follows_nothing_is_taken_that_it_has_not_seen():
    table = Told(RAMEN).discard(0)
    assert table.plan.next_draw is not None
    sense(table, facts.Taken(place=table.plan.next_draw.place))
    table.say(aside(1), aside(1))
    assert (table.hand.owed, table.hand.tail, table.verdict.kind) == ((1, 1), 0, "fits")
    for place in table.tail_places()[:2]:
        sense(table, facts.Taken(place=place))
    assert (table.hand.owed, table.hand.tail, table.turn) == ((), 2, ("act", 1))


@pytest.mark.parametrize("claims", [(), ("pon",), ("ron",), ("pon", "ron")])
def test_what_may_be_claimed_of_the_second_is_what_the_rule_says(claims):
    rules = otherwise(RAMEN, calls__aside_claims=claims)
    why = two_norths(rules).odd(pon(1, 0, "4z"))
    assert bool(why) == ("pon" not in claims), why
    why = two_norths(rules).odd(won(1, 0))
    assert bool(why) == ("ron" not in claims), why


def test_the_second_is_ponned_and_the_first_is_owed_still():
    table = two_norths().say(pon(1, 0))
    assert table.hand.aside[0] == ("4z",)
    assert (table.hand.owed, table.hand.forgotten) == ((0,), (0,))
    assert table.turn == ("act", 1)
    table.draw(0, "tail")
    assert (table.hand.owed, table.hand.tail, table.turn) == ((), 1, ("act", 1))


def test_the_last_replacement_goes_to_the_first_of_two():
    """Where one replacement is left, one tile can be set aside and no second one."""
    rules = otherwise(RAMEN, replacements__count=1)
    table = Told(rules).draw(0).say(aside(0))
    assert "no replacement is left" in table.odd(aside(0, "7z"))


# ── tiles that there are not ────────────────────────────────────────────────────────────────────


def naming(tile: str) -> list[facts.AnyFact]:
    """Facts that name a face, each of them possible at its moment with another one."""
    return [
        facts.Drawn(seat=0, tile=tile),
        facts.Discarded(seat=0, tile=tile),
        facts.Discarded(seat=0, tile=tile, to="aside"),
        facts.SetAside(seat=0, tile=tile),
        facts.Kong(seat=0, kind="concealed", tile=tile),
        facts.Called(seat=1, kind="pon", frm=0, tile=tile),
        facts.Called(seat=1, kind="pon", frm=0, own=(tile, tile)),
        facts.Shown(place=Place(0, 1, "upper"), tile=tile, why="indicator"),
    ]


@pytest.mark.parametrize(
    ("name", "tile"),
    [
        ("vivace-4p", "3f"), ("vivace-4p", "5pg"), ("vivace-sanma", "5m"), ("ramen-jiro", "1z"),
        ("goto-sanma", "2m"), ("fuzhou-144", "5pr"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("n", range(len(naming("1m"))))
def test_no_fact_names_a_tile_that_the_rule_has_not(name, tile, n):
    rules = find_preset(name)
    before = Told(rules).state
    table = Told(rules)
    assert f"{name} has no {tile}" in table.odd(naming(tile)[n])
    assert table.hand == before.hand


@pytest.mark.parametrize("name", builtin_presets())
def test_every_tile_of_the_rule_can_be_discarded_as_often_as_it_is_there(name):
    rules = otherwise(find_preset(name), calls__aside_river=True)
    for tile, same in rules.tiles.items():
        table = Told(rules)
        most = same if tile.mark else rules.tiles.by_kind[tile.kind]
        for n in range(most):
            assert not table.odd(facts.Discarded(seat=n % rules.players, tile=tile.code))
        assert "lie" in table.odd(facts.Discarded(seat=0, tile=tile.code))


def test_a_tile_told_without_its_mark_is_any_of_its_kind():
    table = Told(RAMEN).draw(0).discard(0, "5p")
    assert table.verdict.kind == "fits"


def test_copies_are_counted_wherever_they_lie():
    table = Told(SHOP).draw(0).discard(0, "5z").say(pon(2, 0, "5z")).discard(2, "1m").draw(3)
    table.discard(3, "5z")
    assert "there are 4 of 5z" in table.draw(0).odd(facts.Discarded(seat=0, tile="5z"))
    assert "there are 4 of 5z" in table.odd(facts.Kong(seat=0, kind="concealed", tile="5z"))
    table = Told(SHOP).draw(0).discard(0, "5z").say(pon(2, 0, "5z")).discard(2, "1m").draw(3)
    table.discard(3).draw(0).discard(0).draw(1).discard(1).draw(2)
    assert not table.odd(facts.Kong(seat=2, kind="added", tile="5z"))


def test_a_face_on_the_walls_counts_until_it_is_drawn():
    table = Told(SHOP).draw(0).kong(0, "concealed").indicator("5z").discard(0)
    for n in range(3):
        table.draw((n + 1) % 4).discard((n + 1) % 4, "5z")
    assert "4 of 5z" in table.draw(0).odd(facts.Discarded(seat=0, tile="5z"))


def test_a_north_that_was_claimed_is_one_of_the_four():
    table = Told(RAMEN).draw(0).say(aside(0), pon(1, 0))
    assert (table.hand.aside[0], table.hand.melds[0].tile) == ((), "4z")
    table.discard(1).draw(2)
    table.aside(2, "4z")
    assert "there are 4 of 4z" in table.odd(aside(2))


def test_all_four_norths_are_accounted_for_after_a_win_on_one():
    table = Told(RAMEN).say(facts.Drawn(seat=0), riichi(0, "fever")).discard(0).draw(1)
    table.say(aside(1), won(0, 1))
    assert (table.hand.aside[1], table.hand.tail) == ((), 0)
    table.draw(2).aside(2, "4z").aside(2, "4z").aside(2, "4z")
    assert "there are 4 of 4z" in table.odd(aside(2))


# ── where the gold is shown ─────────────────────────────────────────────────────────────────────


def test_the_gold_is_the_replacement_that_is_due():
    for flowers in range(3):
        table = Told(FUZHOU)
        for flower in ("1f", "2f")[:flowers]:
            table.aside(0, flower)
        right, wrong = table.tail_places()[:2]
        why = table.odd(facts.Shown(place=wrong, tile="5p", why="gold"))
        assert "the replacement that is turned lies at" in why
        assert f"column {right.column}, {right.row}" in why
        assert (table.hand.life, table.hand.gold) in (("dealt", None), ("flowering", None))
        assert not table.odd(facts.Shown(place=right, tile="5p", why="gold"))
        assert table.hand.gold == "5p"


def test_the_gold_said_where_it_is_laid():
    for place in (ON_TOP, Place(3, 2, "on")):
        assert not Told(FUZHOU).odd(facts.Shown(place=place, tile="5p", why="gold"))
    marker = Told(FUZHOU).gold().plan.gold_marker
    place = Place(marker.side, marker.column, "upper")
    table = Told(FUZHOU)
    assert not table.odd(facts.Shown(place=place, tile="5p", why="gold"))
    assert not table.odd(facts.Shown(place=place, tile="5p", why="gold")), "said once more"


def test_a_gold_that_a_sensor_saw_leave():
    table = Told(FUZHOU)
    right, wrong = table.tail_places()[:2]
    sense(table, facts.Taken(place=right))
    assert table.odd(facts.Shown(place=wrong, tile="5p", why="gold"))
    assert not table.odd(facts.Shown(place=right, tile="5p", why="gold"))
    assert table.hand.tail == 1


# ── the last draws ──────────────────────────────────────────────────────────────────────────────


def last_flower(rules) -> tuple[Told, int]:
    """A seat has set a flower aside in the last draws."""
    table = Told(rules).gold().go_on(4)
    seat = table.hand.turn.seat
    table.discard(seat).draw(table.after(seat))
    return table.say(aside(table.after(seat), "1f")), table.after(seat)


def test_nothing_is_replaced_in_the_last_draws():
    table, seat = last_flower(FUZHOU)
    before = table.state.hand
    assert "in the last draws nothing is replaced" in table.odd(facts.Drawn(seat=seat, end="tail"))
    assert table.hand == before
    table.draw(table.after(seat))
    assert table.verdict.kind == "fits"
    table, seat = last_flower(otherwise(FUZHOU, reserve__final_flower="replaced"))
    assert not table.odd(facts.Drawn(seat=seat, end="tail"))


def test_what_was_owed_before_the_last_draws_is_taken_in_them():
    table = Told(FUZHOU).gold().go_on(6)
    seat = table.hand.turn.seat
    table.say(aside(seat, "1f")).discard(seat)
    while table.hand.life != "last_draws":
        table.draw(table.after(table.hand.turn.seat))
        if table.plan.drawable > 3:
            table.discard(table.hand.turn.seat)
    tail = table.hand.tail
    assert not table.odd(facts.Drawn(seat=seat, end="tail"))
    assert table.hand.tail == tail + 1


# ── calls and riichi of no rule, and what is only out of order ──────────────────────────────────


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (chi(2, 0), "from seat 0, but only seat 1 can"),
        (chi(3, 0), "from seat 0, but only seat 1 can"),
        (chi(0, 0), "the tile is its own"),
        (pon(0, 0), "the tile is its own"),
        (facts.Kong(seat=0, kind="open", frm=0), "the tile is its own"),
    ],
)
def test_calls_that_no_rule_has(call, words, told):
    table = Told(SHOP)
    if told:
        table.draw(0).discard(0)
    before = table.hand
    assert words in table.odd(call)
    assert table.hand == before
    right = type(call)(seat=1, kind=call.kind, frm=0)
    assert not table.odd(right)


OUT_OF_ORDER = {
    "a draw": facts.Drawn(seat=3),
    "a discard": facts.Discarded(seat=3),
    "a pon": pon(2, 1),
    "a kong": facts.Kong(seat=3, kind="concealed"),
    "a win": won(3, 1),
}


@pytest.mark.parametrize("what", OUT_OF_ORDER)
def test_a_missed_tap_is_taken_as_told(what):
    table = Told(SHOP).draw(0).discard(0)
    assert not table.odd(OUT_OF_ORDER[what])
    assert table.verdict.kind == "assumed"
    assert "; taken as told" in table.verdict.text, table.verdict.text


def test_a_question_asks_and_says_no_more():
    table = Told(GOTO).draw(0).say(aside(0)).discard(0)
    assert table.verdict.text == "seat 0 discarded, but is owed a replacement: was it forgotten?"


def test_a_riichi_out_of_turn():
    table = Told(SHOP).draw(0)
    before = table.hand
    assert "seat 2 declared riichi, but seat 0 has the turn" in table.odd(riichi(2))
    assert table.hand == before
    assert not table.odd(riichi(0))
    assert table.verdict.kind == "fits"
    assert "seat 0 has discarded" in table.discard(0).odd(riichi(2))


def test_a_riichi_with_its_discard_made_leaves_the_turn():
    table = Told(SHOP).draw(0).discard(0).say(riichi(0))
    assert table.verdict.kind == "assumed"
    assert table.hand.turn == Turn("window", 0)


def test_where_draws_are_not_told_the_next_one_declares():
    table = Told(SHOP).discard(0).say(riichi(1))
    assert table.verdict.kind == "assumed"
    assert table.hand.riichi[1] == "plain"
    table = Told(SHOP).draw(0)
    assert not sense(table, riichi(2)), "a tray is believed"
    assert table.verdict.kind == "assumed"


# ── what is paid ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", builtin_presets())
def test_points_go_by_the_unit_of_the_rule(name):
    rules = find_preset(name)
    unit, rest = rules.score.unit, (0,) * (rules.players - 2)
    for paid, right in (
        (unit, True),
        (7 * unit, True),
        (unit - 1, unit <= 2),
        (unit + 1, unit < 2),
    ):
        table = Told(rules).discard(0).say(won(1, 0))
        why = table.odd(facts.Settled(points=(-paid, paid, *rest)))
        assert bool(why) != right, (paid, why)
        if why:
            assert f"smaller than {unit} points" in why
            assert (table.hand.life, table.game.points) == (
                "won",
                (rules.play.points,) * rules.players,
            )


def test_a_second_settlement_says_how_the_first_is_corrected():
    table = Told(SHOP).discard(0).say(won(1, 0)).settled(-1000, 1000, 0, 0)
    first = table.seq
    assert f"replace fact {first}" in table.odd(facts.Settled(points=(-2000, 2000, 0, 0)))
    assert table.game.points == (24_000, 26_000, 25_000, 25_000)
    assert view_of(SHOP, table.state).hand.points == (-1000, 1000, 0, 0)
