"""Kinds of mistakes that were found by reading, each told at a table, and the other way round."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from support.histories import entry
from support.otherwise import otherwise
from support.paper import shuffled
from support.told import Told, game_of

from tablectl.core import facts
from tablectl.core.fold import History
from tablectl.core.preset import Preset
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.react import GameDue, react, switch
from tablectl.core.record import event_facts, read_record
from tablectl.core.view import view_of
from tablectl.errors import TablectlError

FUZHOU, SHOP, LEAGUE = (
    find_preset(name) for name in ("fuzhou-144", "vivace-4p", "vivace-a-league")
)
BASIC, RAMEN, GOTO = (find_preset(name) for name in ("vivace-sanma", "ramen-jiro", "goto-sanma"))


def won(seat: int, frm: int | None = None) -> facts.Won:
    return facts.Won(seat=seat, frm=seat if frm is None else frm)


# ── kongs whose indicator was not told ──────────────────────────────────────────────────────────


@pytest.mark.parametrize("left", range(1, 8))
@pytest.mark.parametrize("timing", ["at_once", "after_discard"])
def test_a_second_kong_is_the_same_whether_the_first_ones_indicator_was_told(left, timing):
    rules = otherwise(GOTO, indicators__concealed_kong=timing)
    found = []
    for told in (True, False):
        table = Told(rules).draw(0).go_on(left)
        kong = facts.Kong(seat=table.hand.turn.seat, kind="concealed")
        first = table.odd(kong)
        if told and not first:
            table.indicator()
        second = "" if first else table.draw(kong.seat, "tail").odd(kong)
        found.append((first, second, table.hand.kongs))
    assert found[0] == found[1]
    assert (found[0][2] == 2) == (left > 3), "two kongs take two columns from the live wall"


def test_a_kong_that_cannot_turn_is_refused_whatever_the_reserve():
    """Indicators begin in the first column, so that no kong has one."""
    for what, refused in (("refused", True), ("allowed", False)):
        rules = otherwise(LEAGUE, calls__kong_unturned=what, indicators__column=68)
        table = Told(rules).draw(0)
        assert rules.reserve.policy == "kept"
        why = table.odd(facts.Kong(seat=0, kind="concealed"))
        assert ("cannot be turned any more" in why) == refused
    rules = otherwise(
        LEAGUE, calls__kong_unturned="refused", indicators__column=68,
        indicators__concealed_kong="never",
    )  # fmt: skip
    assert not Told(rules).draw(0).odd(facts.Kong(seat=0, kind="concealed"))


@pytest.mark.parametrize("told", [True, False])
def test_what_is_due_is_turned_by_the_end_of_the_wall(told):
    rules = otherwise(GOTO, indicators__concealed_kong="after_discard")
    table = Told(rules).draw(0).go_on(4).kong(0, "concealed")
    if told:
        table.indicator()
    table.say(facts.Exhausted())
    assert (table.hand.turned, table.hand.due) == (1, ())
    assert ("indicator was turned" in table.verdict.text) != told
    assert len(table.plan.indicators) == rules.indicators.start + 1


# ── flowers ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("n", range(1, 10))
def test_flowers_without_a_face_are_no_four_like_ones(n):
    table = Told(FUZHOU)
    for _ in range(n):
        table.say(facts.SetAside(seat=0)).draw(0, "tail")
    assert (table.hand.quads, table.hand.aside[0]) == (0, ("?",) * n)
    assert table.plan.reserve == Told(FUZHOU).plan.reserve


def test_flowers_with_a_face_are():
    table = Told(FUZHOU).aside(0, "1f")
    table.say(facts.SetAside(seat=0)).draw(0, "tail")
    for flower in ("2f", "3f", "4f"):
        table.aside(0, flower)
    assert table.hand.quads == 1


# ── walls that are gone ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("base", builtin_presets())
def test_the_answer_that_walls_that_are_gone_make_the_hand_void_does_it(base):
    table = Told(find_preset(base))
    table.say(facts.Phase(set="b" if table.state.deal.set == "b" else "a", phase="dropping"))
    (question,) = (q for q in table.state.questions if q.id.startswith("deal_down:"))
    table.say(facts.Agreed(question=question.id, choice="declare it void"))
    assert (table.hand.life, table.hand.end) == ("settling", "void")
    assert not any(q.id.startswith("deal_down:") for q in table.state.questions)
    table.say(facts.Settled())
    assert table.hand.life == "closed"


def test_the_other_answer_leaves_the_hand():
    table = Told(SHOP)
    table.say(facts.Phase(set=table.state.deal.set, phase="dropping"))
    (question,) = (q for q in table.state.questions if q.id.startswith("deal_down:"))
    before = table.hand
    table.say(facts.Agreed(question=question.id, choice="settle it"))
    assert table.hand == before


# ── games that follow another ───────────────────────────────────────────────────────────────────


class Journal:
    """Facts of one table with what each of them asks for."""

    def __init__(self, *rules: Preset) -> None:
        self.history = History({one.digest: one for one in rules})
        self.due: list[bool] = []

    def say(self, *said: facts.AnyFact) -> str:
        text = ""
        for fact in said:
            before = self.history.state
            one = entry(len(self.history.entries) + 1, fact)
            self.history, verdict = self.history.append(one)
            text = verdict.text if verdict.kind == "odd" else ""
            effects = react(before, self.history.state, one)
            self.due.append(any(isinstance(effect, GameDue) for effect in effects))
        return text


def wanted(rules: Preset, **about: Any) -> facts.GameWanted:
    return facts.GameWanted(**(game_of(rules) | about))


def test_a_game_that_is_over_and_followed_by_another_is_not_corrected():
    journal = Journal(GOTO, SHOP)
    journal.say(facts.GameStarted(**game_of(GOTO)), facts.Raised(), facts.Dice(pips=(3, 4)))
    journal.say(facts.Dealt(), won(1, 0), facts.Settled(points=(-31_000, 31_000, 0)))
    settled = len(journal.history.entries)
    assert journal.history.state.game.over, "somebody has less than nothing"
    right = {"type": "settled", "points": [-1_000, 1_000, 0]}
    wrong = right | {"points": [-31_000, 31_000, 0]}
    assert not journal.say(facts.Replace(target=settled, fact=right))
    assert not journal.history.state.game.over
    assert not journal.say(facts.Replace(target=settled, fact=wrong))
    journal.say(*switch(journal.history.state, wanted(SHOP)))
    assert journal.history.state.game.preset == SHOP.base
    points = journal.history.state.game.points
    assert "has ended" in journal.say(facts.Replace(target=settled, fact=right))
    assert journal.history.state.game.points == points


def test_taking_back_that_a_game_began_begins_it_not_again():
    journal = Journal(GOTO, SHOP)
    journal.say(facts.GameStarted(**game_of(GOTO)), facts.Raised(), facts.Dice(pips=(3, 4)))
    journal.say(facts.Dealt(), wanted(SHOP))
    assert not any(journal.due), "the hand is being played"
    journal.say(won(1, 0), facts.Settled())
    assert journal.due[-2:] == [False, True]
    journal.say(facts.GameStarted(**game_of(SHOP)))
    assert journal.history.state.wanted is None
    journal.say(facts.Retract(target=len(journal.history.entries)))
    assert journal.history.state.wanted is not None
    assert not journal.due[-1]
    journal.say(wanted(SHOP, first_dealer=1))
    assert journal.due[-1], "said anew it is granted"


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"seats": (0, 1, 2)}, "are not the sides of 4 players"),
        ({"seats": (0, 1, 2, 2)}, "are not the sides of 4 players"),
        ({"digest": "other"}, "is not at hand"),
    ],
)
def test_what_is_wanted_is_checked_as_what_is_begun(about, words):
    for made in (facts.GameStarted, facts.GameWanted):
        journal = Journal(GOTO, SHOP)
        journal.say(facts.GameStarted(**game_of(GOTO)))
        assert words in journal.say(made(**(game_of(SHOP) | about)))
        assert journal.history.state.wanted is None


def test_a_first_dealer_who_does_not_play_is_refused_at_once():
    for made in (facts.GameStarted, facts.GameWanted):
        journal = Journal(GOTO, SHOP)
        journal.say(facts.GameStarted(**game_of(SHOP)))
        assert "seat 3 deals" in journal.say(made(**(game_of(GOTO) | {"first_dealer": 3})))
        assert journal.history.state.wanted is None


# ── tiles set aside that others took ────────────────────────────────────────────────────────────


@pytest.mark.parametrize("claim", [facts.Called(seat=1, kind="pon", frm=0), won(1, 0)], ids=str)
def test_a_claimed_north_is_its_givers_no_more(claim):
    table = Told(RAMEN).draw(0).aside(0, "7z").say(facts.SetAside(seat=0, tile="4z"))
    assert table.hand.aside[0] == ("7z", "4z")
    table.say(claim)
    assert table.hand.aside[0] == ("7z",)
    assert (table.hand.owed, table.hand.tail) == ((), 1)
    assert view_of(RAMEN, table.state).hand.aside[0] == ("7z",)


# ── the last hand, void by its dealer ───────────────────────────────────────────────────────────


@pytest.mark.parametrize("last", ["passes", "again"])
@pytest.mark.parametrize("fault", [0, 2])
def test_a_last_hand_that_is_void_ends_the_game_or_is_played_again(last, fault):
    rules = otherwise(GOTO, game__void_last=last)
    table = Told(rules).last_hand()
    dealer = table.hand.dealer
    table.say(facts.Void(by=fault)).settled()
    over = fault == dealer and last == "passes"
    assert table.game.over == over
    assert over or table.game.dealer == dealer
    first = Told(rules).say(facts.Void(by=0)).settled()
    assert (first.game.over, first.game.dealer) == (False, 1), "only the last hand is played again"


# ── rules without riichi ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("base", builtin_presets())
def test_where_there_is_no_riichi_nobody_declares_it(base):
    rules = find_preset(base)
    table = Told(rules)
    if rules.gold.turned != "none":
        table.gold()
    if table.turn[0] != "act":
        table.draw(0)
    assert rules.riichi.played == (rules.gold.turned == "none")
    why = table.odd(facts.Riichi(seat=0))
    assert ("this rule has no riichi" in why) != rules.riichi.played
    assert ("riichi" in view_of(rules, table.state).hand.taps) == rules.riichi.played


# ── questions that have answered themselves ─────────────────────────────────────────────────────


def test_a_hand_that_is_paid_asks_no_more_for_its_replacements():
    table = Told(BASIC).draw(0).say(facts.SetAside(seat=0, tile="4z")).discard(0)
    assert [q.id.partition(":")[0] for q in table.state.questions] == ["replacement"]
    table.say(won(1, 0))
    assert len(table.state.questions) == 1
    table.settled()
    assert not table.state.questions


def test_who_may_stop_and_deals_is_not_asked_any_more():
    table = Told(SHOP).last_hand()
    dealer = table.hand.dealer
    table.draw(dealer).say(won(dealer)).settled(-4_000, -4_000, -4_000, 12_000)
    assert table.question == "stop"
    table.walls(dealt=False)
    assert table.question == "stop", "walls that come up answer nothing"
    table.say(facts.Dice(pips=(3, 4)), facts.Dealt())
    assert table.question == ""


# ── the way of a win in a record ────────────────────────────────────────────────────────────────


def line_of(rules: Preset, *win: Any) -> str:
    rng = random.Random(1)
    made = {
        "players": rules.players, "dealer": 0, "dice": [3, 4] * rules.breaking.throws,
        "wall": shuffled(rules, rng), "events": [["win", *win]],
    }  # fmt: skip
    return json.dumps(made)


@pytest.mark.parametrize("way", [None, "heavenly", "three_gold"])
def test_a_record_tells_the_way_of_a_win(way):
    said = () if way is None else (way,)
    record = read_record(FUZHOU, line_of(FUZHOU, 0, 0, 0, [], [0, 0, 0, 0], *said))
    table = Told(FUZHOU).gold()
    found = event_facts(FUZHOU, record.events[0], table.plan)[0]
    assert isinstance(found, facts.Won)
    assert found.way == way
    assert not table.odd(found)


def test_a_way_that_there_is_not():
    with pytest.raises(TablectlError, match="'by luck' is no way to win; they are heavenly"):
        read_record(FUZHOU, line_of(FUZHOU, 0, 0, 0, [], [0, 0, 0, 0], "by luck"))
