"""What binds a seat: a dead hand, a riichi and its limits, the last draws, forgotten tiles."""

from __future__ import annotations

import pytest
from support.histories import entry
from support.otherwise import otherwise
from support.told import Told

from tablectl.core import facts
from tablectl.core.fold import fold
from tablectl.core.preset_file import find_preset
from tablectl.core.turn import Turn
from tablectl.core.view import view_of

FUZHOU, SHOP, LEAGUE = (
    find_preset(name) for name in ("fuzhou-144", "vivace-4p", "vivace-a-league")
)
BASIC, RAMEN, GOTO = (find_preset(name) for name in ("vivace-sanma", "ramen-jiro", "goto-sanma"))


def begun(rules, dealer: int = 0) -> Told:
    """The dealer has drawn and is to discard."""
    table = Told(rules, dealer=dealer)
    if rules.gold.turned != "none":
        table.gold()
    return table if table.hand.turn.word == "act" else table.draw(dealer)


def won(seat: int, frm: int | None = None) -> facts.Won:
    return facts.Won(seat=seat, frm=seat if frm is None else frm)


def riichi(seat: int, kind: str = "plain") -> facts.Riichi:
    return facts.Riichi(seat=seat, kind=kind)


def taken_back(seat: int) -> facts.Riichi:
    return facts.Riichi(seat=seat, taken_back=True)


def sense(table: Told, fact: facts.AnyFact) -> str:
    """A sensor tells it; why it is odd, "" if it is believed."""
    book = {table.rules.digest: table.rules}
    table.seq += 1
    table.state, table.verdict = fold(book, table.state, entry(table.seq, fact, origin="sensor"))
    return table.verdict.text if table.verdict.kind == "odd" else ""


# ── dead hands ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "deed",
    [
        won(2, 0),
        facts.Called(seat=2, kind="pon", frm=0),
        facts.Kong(seat=2, kind="open", frm=0),
        facts.Kong(seat=2, kind="concealed"),
        riichi(2),
    ],
    ids=facts.tag_of,
)
def test_a_dead_hand_speaks_no_more(deed):
    table = begun(SHOP).say(facts.DeadHand(seat=2, why="too many tiles")).discard(0)
    if facts.tag_of(deed) == "riichi" or getattr(deed, "kind", "") == "concealed":
        table.draw(1).discard(1).draw(2)
    assert "its hand is dead" in table.odd(deed)
    table.say(facts.DeadHand(seat=2, on=False))
    assert not table.odd(deed), table.verdict


def test_a_dead_hand_sets_aside_and_draws_and_is_not_ready_at_the_end():
    table = begun(GOTO).say(facts.DeadHand(seat=0))
    table.aside(0, "4z").discard(0).go_on(0)
    table.discard(table.hand.turn.seat).say(facts.Exhausted(tenpai=(0, 2)))
    assert table.verdict.kind == "assumed"
    assert "seat 0 is dead and so not ready" in table.verdict.text
    assert table.hand.tenpai == (2,)
    assert view_of(GOTO, table.state).hand.dead == (0,)
    table.say(facts.Settled())
    assert table.game.dealer == 1, "a dealer who is not ready does not stay"


def test_a_dealer_whose_hand_is_dead_is_not_ready_by_his_riichi():
    table = begun(GOTO).say(riichi(0), facts.DeadHand(seat=0)).discard(0).go_on(0)
    table.discard(table.hand.turn.seat).say(facts.Exhausted(), facts.Settled())
    assert (table.game.dealer, table.question) == (1, "")


def test_a_hand_can_die_while_flowers_are_replaced():
    table = Told(FUZHOU).say(facts.SetAside(seat=0, tile="1z"), facts.DeadHand(seat=1))
    assert table.hand.life == "flowering"


# ── declaring riichi ────────────────────────────────────────────────────────────────────────────


def test_points_that_a_riichi_takes():
    table = begun(GOTO).say(facts.Paid(frm=0, to=1, points=29_000))
    assert not table.odd(riichi(0)), "1,000 are enough"
    table = begun(GOTO).say(facts.Paid(frm=0, to=1, points=29_100))
    assert "with 900 points, but it takes 1000" in table.odd(riichi(0))
    assert (
        not begun(otherwise(GOTO, riichi__least_points=0))
        .say(facts.Paid(frm=0, to=1, points=29_100))
        .odd(riichi(0))
    )


@pytest.mark.parametrize("left", [3, 4])
def test_draws_that_a_riichi_takes(left):
    for rules in (LEAGUE, otherwise(LEAGUE, riichi__least_draws=0)):
        table = begun(rules).go_on(left)
        why = table.odd(riichi(table.hand.turn.seat))
        refused = left < rules.riichi.least_draws
        assert ("3 tiles left to draw, but it takes 4" in why) if refused else not why


def test_a_riichi_without_a_draw_left():
    table = begun(GOTO).go_on(0)
    assert not table.odd(riichi(table.hand.turn.seat))


def test_the_third_riichi_must_be_open():
    for rules in (GOTO, otherwise(GOTO, riichi__third_open=False)):
        table = begun(rules).say(riichi(0)).discard(0).draw(1).say(riichi(1, "open")).discard(1)
        table.draw(2)
        why = table.odd(riichi(2))
        assert ("the third of a hand must be open" in why) if rules is GOTO else not why
    table = begun(GOTO).say(riichi(0)).discard(0).draw(1).say(riichi(1)).discard(1).draw(2)
    assert not sense(table, riichi(2))
    assert table.hand.riichi == ("plain", "plain", "open"), "a tray cannot tell"
    assert table.verdict.kind == "assumed"


def test_kinds_that_the_rule_does_not_have():
    assert "no open riichi" in begun(SHOP).odd(riichi(0, "open"))
    assert "no fever riichi" in begun(GOTO).odd(riichi(0, "fever"))


@pytest.mark.parametrize(
    "deed",
    [
        facts.Called(seat=1, kind="chi", frm=0),
        facts.Called(seat=1, kind="pon", frm=0),
        facts.Kong(seat=1, kind="open", frm=0),
    ],
    ids=lambda fact: fact.kind,
)
def test_in_riichi_nobody_calls(deed):
    def round_of(*said: facts.AnyFact) -> Told:
        table = begun(SHOP).discard(0).draw(1).say(*said).discard(1)
        return table.draw(2).discard(2).draw(3).discard(3).draw(0).discard(0)

    assert "it is in riichi" in round_of(riichi(1)).odd(deed)
    assert not round_of().odd(deed)


def test_a_concealed_kong_in_riichi():
    table = begun(SHOP).say(riichi(0)).discard(0)
    table.draw(1).discard(1).draw(2).discard(2).draw(3).discard(3).draw(0)
    assert "it is in riichi" in table.odd(facts.Kong(seat=0, kind="added"))
    assert not table.odd(facts.Kong(seat=0, kind="concealed"))


# ── taking it back ──────────────────────────────────────────────────────────────────────────────


def declared(rules, until: str) -> Told:
    """Seat 0 has declared riichi; the hand has gone on to one of the moments of its age."""
    table = begun(rules).say(riichi(0))
    if until == "declared":
        return table
    table.discard(0, "1m")
    if until == "drawn":
        return table.draw(1)
    if until == "called":
        return table.say(facts.Called(seat=1, kind="pon", frm=0))
    return table.draw(1).discard(1, "9m") if until == "late" else table


AGES = ("declared", "discarded", "drawn", "called", "late")
IN_TIME = {
    "never": (),
    "next_discard": ("declared", "discarded", "drawn", "called"),
    "uncalled": ("declared", "discarded", "drawn"),
    "any": AGES,
}


@pytest.mark.parametrize("rule", IN_TIME)
@pytest.mark.parametrize("age", AGES)
def test_until_when_a_riichi_can_be_taken_back(rule, age):
    rules = otherwise(GOTO, riichi__take_back=rule)
    table = declared(rules, age)
    why = table.odd(taken_back(0))
    if rule == "never":
        assert "in this rule nobody can" in why
        return
    assert not why
    if age in IN_TIME[rule]:
        assert table.verdict.kind == "fits"
        assert (table.hand.riichi[0], table.hand.dead) == (None, ())
        assert table.hand.declared == ()
    else:
        assert table.verdict.kind == "assumed"
        assert "too late" in table.verdict.text
        assert (table.hand.riichi[0], table.hand.dead) == ("plain", (0,))


def test_a_riichi_told_after_its_discard_has_its_discard():
    table = begun(GOTO).discard(0, "1m").say(riichi(0))
    assert [one.age for one in table.hand.declared] == ["discarded"]


def test_draws_that_a_sensor_sees_say_that_it_is_too_late():
    table = Told(BASIC)
    order = table.plan.next_draw
    assert order is not None
    table.say(riichi(0))
    for _ in range(2):
        sense(table, facts.Taken(place=table.plan.next_draw.place))
    table.say(taken_back(0))
    assert "too late: the next discard is made" in table.verdict.text


def test_where_nobody_follows_the_word_is_believed():
    table = begun(BASIC).say(riichi(0)).say(facts.Lost(first=1, count=2)).say(taken_back(0))
    assert table.verdict.kind == "assumed"
    assert table.verdict.text.startswith("seat 0 took its riichi back in time; ")


@pytest.mark.parametrize("left", ["self_draw", "riichi", "free"])
def test_what_a_riichi_taken_back_leaves(left):
    table = declared(otherwise(GOTO, riichi__after_take_back=left), "drawn").say(taken_back(0))
    shown = view_of(table.rules, table.state).hand.limits
    assert shown == (None if left == "free" else left, None, None)
    table.discard(1, "3p")
    why = table.odd(won(0, 1))
    assert ("self-draw only" in why) == (left == "self_draw")
    assert ("only after a new one" in why) == (left == "riichi")


def test_after_taking_back_no_call_and_no_silent_win_until_a_new_riichi():
    table = declared(GOTO, "drawn").say(taken_back(0)).discard(1, "3p")
    assert "may not call any more" in table.odd(facts.Called(seat=0, kind="pon", frm=1))
    table.draw(2).discard(2).draw(0)
    assert "only after a new one" in table.odd(won(0))
    assert not table.odd(facts.Kong(seat=0, kind="concealed")), "a concealed kong is no call"
    table.draw(0, "tail").say(riichi(0)).discard(0).draw(1).discard(1).say(won(0, 1))
    assert table.verdict.kind == "fits"


def test_self_draw_only_stays_after_a_new_riichi():
    table = declared(BASIC, "drawn").say(taken_back(0)).discard(1).draw(2).discard(2).draw(0)
    table.say(riichi(0)).discard(0).draw(1).discard(1)
    assert "self-draw only" in table.odd(won(0, 1))
    assert not table.odd(facts.Called(seat=2, kind="pon", frm=1))


def test_a_tray_alone_kills_no_hand():
    table = declared(GOTO, "late")
    assert "too late" in sense(table, taken_back(0))
    assert table.hand.dead == ()


# ── which riichi it is ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("age", AGES)
def test_a_furiten_riichi_is_opened_before_the_next_discard(age):
    table = declared(GOTO, age)
    why = table.odd(riichi(0, "open"))
    assert ("can be opened no more" in why) == (age == "late")
    assert table.hand.riichi[0] == ("plain" if why else "open")
    assert "declared riichi already" in table.odd(riichi(0, "plain"))


def test_what_only_a_tray_has_seen_is_named_at_any_time():
    table = begun(RAMEN)
    sense(table, riichi(0))
    table.discard(0).draw(1).discard(1).say(riichi(0, "fever"))
    assert table.hand.riichi[0] == "fever"


# ── the last draws ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "call",
    [facts.Called(seat=1, kind="chi", frm=0), facts.Called(seat=2, kind="pon", frm=0)],
    ids=lambda fact: fact.kind,
)
def test_the_discard_made_with_four_usable_left_can_only_be_won_on(call):
    def last_discard(rules, left: int) -> Told:
        table = begun(rules).go_on(left)
        seat = table.hand.turn.seat
        return table.discard(seat, "1m")

    def by(table: Told, fact: facts.AnyFact) -> facts.AnyFact:
        shift = table.hand.turn.seat
        return type(fact)(seat=(fact.seat + shift) % 4, kind=fact.kind, frm=shift)

    table = last_discard(FUZHOU, 4)
    assert "can only be won on" in table.odd(by(table, call))
    table.say(facts.Won(seat=(table.hand.turn.seat + 2) % 4, frm=table.hand.turn.seat))
    assert table.verdict.kind == "fits"
    table = last_discard(FUZHOU, 5)
    assert not table.odd(by(table, call))
    table = last_discard(otherwise(FUZHOU, calls__final_claims="all"), 4)
    assert not table.odd(by(table, call))


def test_no_kong_with_four_usable_left():
    for left, words in ((5, ""), (4, "last draws")):
        table = begun(FUZHOU).go_on(left)
        why = table.odd(facts.Kong(seat=table.hand.turn.seat, kind="concealed"))
        assert (words in why) if words else not why


def test_a_flower_in_the_last_draws_is_shown_and_changes_nothing():
    table = begun(FUZHOU).go_on(4)
    seat = table.hand.turn.seat
    table.discard(seat).draw(table.after(seat))
    before, seat = table.plan, table.after(seat)
    assert (table.hand.life, before.drawable) == ("last_draws", 3)
    table.say(facts.SetAside(seat=seat, tile="1f"))
    assert table.verdict.kind == "fits"
    assert table.plan == before
    assert (table.hand.owed, table.hand.aside[seat]) == ((), ("1f",))
    assert table.hand.turn == Turn("draw_due", table.after(seat))
    assert "such a tile does not win" in table.odd(won(seat))
    table.draw(table.after(seat)).say(won(table.after(seat)))
    assert table.verdict.kind == "fits"


def test_a_flower_in_the_last_draws_where_the_rule_replaces_it():
    table = begun(otherwise(FUZHOU, reserve__final_flower="replaced")).go_on(4)
    seat = table.after(table.hand.turn.seat)
    table.discard(table.hand.turn.seat).draw(seat).say(facts.SetAside(seat=seat, tile="1f"))
    assert table.hand.owed == (seat,)
    table.draw(seat, "tail")
    assert (table.plan.drawable, table.hand.owed) == (2, ())
    assert table.hand.turn == Turn("act", seat)
    table.say(won(seat))
    assert table.verdict.kind == "fits"


def test_from_five_usable_a_flower_leaves_three_last_draws():
    table = begun(FUZHOU).go_on(5)
    seat = table.hand.turn.seat
    table.discard(seat)
    seat = table.after(seat)
    table.draw(seat).aside(seat, "1f")
    assert (table.plan.drawable, table.hand.life) == (3, "playing")
    table.discard(seat)
    for left in (2, 1, 0):
        seat = table.after(seat)
        table.draw(seat)
        assert (table.plan.drawable, table.hand.life) == (left, "last_draws")
        assert table.verdict.kind == "fits"
    table.say(facts.Exhausted(tenpai=()))
    assert table.verdict.kind == "fits"


@pytest.mark.parametrize("left", range(4))
def test_four_like_flowers_with_nothing_usable_left_behind_them(left):
    """The fourth comes up with so many tiles left: it is replaced only if one is usable then."""
    rules = otherwise(FUZHOU, reserve__final=0)
    table = begun(rules)
    others = (table.plan.drawable - 3 - left) % 4
    for flower in ("1f", "2f", "3f", "5f", "6f", "7f")[: 3 + others]:
        table.aside(0, flower)
    table.go_on(left)
    assert table.hand.turn == Turn("act", 0)
    table.say(facts.SetAside(seat=0, tile="4f"))
    assert (table.hand.quads, len(table.hand.owed)) == ((1, 1) if left > 2 else (0, 0))


# ── forgotten replacements ──────────────────────────────────────────────────────────────────────


def forgotten(rules=GOTO) -> Told:
    """Seat 0 has discarded before taking its replacement; two others have played since."""
    table = begun(rules).say(facts.SetAside(seat=0, tile="4z")).discard(0)
    assert [q.id.split(":")[0] for q in table.state.questions] == ["replacement"]
    return table.draw(1).discard(1).draw(2)


def test_a_forgotten_replacement_is_made_good_after_others_have_drawn():
    table = forgotten().draw(0, "tail")
    assert table.verdict.kind == "fits"
    assert (table.hand.tail, table.hand.owed, table.hand.forgotten) == (1, (), ())
    assert table.hand.turn == Turn("act", 2), "it is still the other's turn"
    assert table.state.questions == ()


def test_who_forgot_a_replacement_draws_from_the_live_wall_in_its_turn():
    table = forgotten().discard(2).draw(0)
    assert (table.hand.tail, table.hand.owed) == (0, (0,))
    table.draw(0, "tail")
    assert (table.hand.tail, table.hand.owed) == (1, ())


@pytest.mark.parametrize(("choice", "tail"), [("it was taken", 1), ("it was forgotten", 0)])
def test_the_question_is_answered_at_any_time(choice, tail):
    table = forgotten().discard(2).say(won(1, 2))
    (question,) = table.state.questions
    table.say(facts.Agreed(question=question.id, choice=choice))
    assert (table.hand.tail, len(table.hand.owed)) == (tail, 1 - tail)
    assert table.state.questions == ()


def test_what_was_forgotten_is_not_assumed_to_be_taken():
    table = forgotten()
    table.say(facts.HeadAt(place=table.plan.next_draw.place))
    assert (table.hand.tail, table.hand.owed) == (0, (0,))
    assert view_of(GOTO, table.state).hand.forgotten == (0,)
    sense(table, facts.Taken(place=table.plan.replacement.place))
    assert (table.hand.tail, table.hand.owed, table.state.questions) == (1, (), ())


def test_where_nobody_tells_draws_a_replacement_was_taken_before_a_discard():
    table = Told(GOTO).discard(0).discard(1).say(facts.SetAside(seat=2, tile="4z")).discard(2)
    assert (table.hand.tail, table.hand.owed, table.state.questions) == (1, (), ())
