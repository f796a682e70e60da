"""The machine beside the hand, deals that do not fit, and the course of a hand to its closing."""

from __future__ import annotations

import pytest
from support.histories import entry

from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.facts import FACTS
from tablectl.core.fold import HANDLERS, History, fold_all
from tablectl.core.hand import LIVES
from tablectl.core.preset_file import find_preset
from tablectl.core.state import State, ground_of, plan_of
from tablectl.core.turn import Turn

RIICHI = find_preset("riichi-4p")
SANMA = find_preset("riichi-3p")
RAMEN = find_preset("ramen-jiro")
BOOK = {rules.digest: rules for rules in (RIICHI, SANMA, RAMEN)}


class Table:
    """A journal and its state."""

    def __init__(self, *said: facts.AnyFact) -> None:
        self.history = History(BOOK)
        self.say(*said)

    def say(self, *said: facts.AnyFact, kind: str = "fits") -> Table:
        for fact in said:
            seq = len(self.history.entries) + 1
            self.history, verdict = self.history.append(entry(seq, fact))
            assert verdict.kind == kind, (fact, verdict)
            self.text = verdict.text
        return self

    @property
    def state(self) -> State:
        return self.history.state

    @property
    def hand(self):
        assert self.state.hand is not None
        return self.state.hand

    @property
    def plan(self):
        return plan_of(BOOK[self.state.game.digest], self.hand)

    def kinds_asked(self) -> list[str]:
        return [question.id.split(":")[0] for question in self.state.questions]


def started(rules, **about) -> facts.GameStarted:
    seats = about.pop("seats", tuple(range(rules.players)))
    return facts.GameStarted(
        preset=rules.name, digest=rules.digest, seats=seats, points=rules.play.points, **about
    )


def dealt(rules, dice=(3, 4)) -> Table:
    return Table(started(rules), facts.Raised(), facts.Dice(pips=dice), facts.Dealt(by="record"))


def test_every_fact_has_a_handler_or_is_a_correction():
    handled = set(HANDLERS) | set(facts.CORRECTIONS)
    assert handled == set(FACTS.values())


# ── machine ─────────────────────────────────────────────────────────────────────────────────────


def test_the_other_set_goes_its_way_beside_the_hand():
    table = dealt(RIICHI)
    before = table.hand
    for phase in ("mixing", "stacking", "ready"):
        table.say(facts.Phase(set="b", phase=phase))
    table.say(facts.Trouble(code="missing", set="b", side=2, expected=34, found=33))
    assert table.state.machine.set_named("b").word == "blocked"
    table.say(facts.Trouble(code="missing", set="b", side=2, on=False))
    assert table.state.machine.set_named("b").word == "ready"
    assert table.state.machine.set_named("a").word == "up"
    assert table.hand == before


def test_a_selected_number_becomes_active_with_the_next_stacking():
    table = Table(facts.Number(set="a", number=1), facts.Phase(set="a", phase="mixing"))
    table.say(facts.Number(set="a", number=5, state="pending"))
    assert table.state.machine.set_named("a").active == 1
    table.say(facts.Phase(set="a", phase="stacking"))
    found = table.state.machine.set_named("a")
    assert (found.active, found.pending) == (5, None)


def test_a_lost_link_makes_the_machine_unknown_and_keeps_the_hand():
    table = dealt(RIICHI)
    hand = table.hand
    table.say(facts.Link(up=False, why="unplugged"))
    assert {s.word for s in table.state.machine.sets} == {"unknown"}
    assert table.hand == hand
    table.say(facts.Link(up=True), facts.Phase(set="a", phase="up"))
    assert table.hand == hand


def test_stacking_that_takes_too_long_is_a_trouble():
    table = Table(facts.Phase(set="b", phase="stacking"), facts.Elapsed(what="overdue", set="b"))
    assert table.state.machine.set_named("b").word == "stacking"
    assert [t.set for t in table.state.machine.troubles] == ["b"]
    assert table.kinds_asked() == ["overdue"]


def test_commands_and_outcomes():
    table = Table(facts.Asked(command="c1:1"), facts.Answered(command="c1:1", result="unknown"))
    assert table.kinds_asked() == ["command"]
    table.say(facts.Answered(command="c9", result="done"), kind="odd")
    assert table.state.machine.commands == (("c1:1", "unknown"),)


# ── deals ───────────────────────────────────────────────────────────────────────────────────────


def test_a_deal_waits_for_a_game_and_a_game_for_a_deal():
    assert Table(facts.Raised(), started(RIICHI)).hand.life == "raised"
    assert Table(started(RIICHI), facts.Raised()).hand.life == "raised"


def test_walls_that_do_not_fit_open_no_hand_and_ask():
    table = Table(started(RAMEN), facts.Raised(sides=(34, 34, 34, 34)))
    assert table.state.hand is None
    assert "136 tiles came up; ramen-jiro needs 116" in table.state.questions[0].text
    table.say(started(RIICHI))
    assert table.hand.life == "raised"
    assert not table.state.questions


def test_restacking_refuses_the_deal():
    table = Table(started(RAMEN), facts.Raised(sides=(34, 34, 34, 34)))
    table.say(facts.Agreed(question=table.state.questions[0].id, choice="restack"))
    assert table.state.deal.refused
    table.say(started(RIICHI))
    assert table.state.hand is None


def test_walls_gone_before_settling_ask():
    table = dealt(RIICHI).say(
        facts.Drawn(seat=0, end="live"), facts.Phase(set="a", phase="dropping")
    )
    assert table.kinds_asked() == ["deal_down"]
    assert table.hand.life == "playing"
    table.say(facts.Raised(set="b"), kind="assumed")
    table.say(facts.Void(why="forgotten"), facts.Settled())
    assert table.hand.number == 2
    assert table.hand.life == "raised"
    assert not table.state.questions


def test_walls_lowered_unused_open_another_hand_with_the_same_number():
    table = Table(started(RIICHI), facts.Raised(), facts.Phase(set="a", phase="ready"))
    assert table.state.hand is None
    table.say(facts.Raised())
    assert table.hand.number == 1


def test_a_table_that_deals_by_itself():
    table = Table(
        started(RIICHI),
        facts.Raised(sides=(20, 20, 22, 22)),
        facts.Opened(side=2, after=5),
        facts.Dealt(by="machine"),
    )
    assert table.hand.machine_dealt
    assert (table.hand.head, table.hand.turn) == (0, Turn("draw_due", 0))
    assert table.plan.drawable == 70
    table.say(facts.Drawn(seat=0))
    assert (table.plan.head, table.plan.drawable) == (1, 69)


def test_a_running_game_is_not_changed_by_a_changed_file():
    table = Table()
    table.say(
        facts.GameStarted(preset="riichi-4p", digest="changed", seats=(0, 1, 2, 3)), kind="odd"
    )
    assert "not at hand" in table.text


# ── before play ─────────────────────────────────────────────────────────────────────────────────


def test_a_break_as_it_was_made_beats_the_dice():
    table = Table(started(RIICHI), facts.Raised(), facts.Dice(pips=(3, 4)))
    assert (table.plan.break_.side, table.plan.break_.after) == (2, 7)
    table.say(facts.Opened(side=1, after=9))
    assert (table.plan.break_.side, table.plan.break_.after) == (1, 9)


def test_dice_thrown_again():
    table = Table(started(RIICHI), facts.Raised(), facts.Dice(pips=(3, 4)))
    table.say(facts.Dice(pips=(1, 1)), kind="assumed")
    assert table.plan.dice == (1, 1)
    table.say(facts.Dealt(), kind="assumed")
    table.say(facts.Dice(pips=(1, 2)), kind="odd")


def test_steps_left_out_are_assumed():
    table = Table(started(RIICHI), facts.Raised(), facts.Dice(pips=(3, 4)))
    table.say(facts.Drawn(seat=0, end="live"), kind="assumed")
    assert "dealt" in table.text
    assert (table.hand.life, table.hand.head) == ("playing", 53)
    empty = Table(started(RIICHI), facts.Raised())
    empty.say(facts.Drawn(seat=0), kind="odd")
    assert "neither the dice nor the break" in empty.text


# ── play ────────────────────────────────────────────────────────────────────────────────────────


def test_a_forgotten_replacement_is_asked_and_made_good():
    table = dealt(SANMA).say(facts.Drawn(seat=0), facts.SetAside(seat=0, tile="4z"))
    table.say(facts.Discarded(seat=0), kind="assumed")
    assert table.kinds_asked() == ["replacement"]
    assert table.hand.tail == 0
    table.say(facts.Drawn(seat=0, end="tail"))
    assert (table.hand.tail, table.hand.owed, table.kinds_asked()) == (1, (), [])
    assert table.hand.turn == Turn("window", 0), "it is nobody's turn"


def test_a_north_that_is_claimed_is_not_replaced():
    table = dealt(RAMEN).say(facts.Drawn(seat=0), facts.SetAside(seat=0, tile="4z"))
    table.say(facts.Called(seat=2, kind="pon", frm=0), facts.Discarded(seat=2, tile="1m"))
    assert (table.hand.tail, table.hand.owed) == (0, ())
    table.say(facts.SetAside(seat=0, tile="5s"), kind="odd")
    assert "not set aside" in table.text


def test_the_fifth_north_cannot_be():
    table = dealt(RAMEN).say(facts.Drawn(seat=0))
    for _ in range(4):
        table.say(facts.SetAside(seat=0, tile="4z"), facts.Drawn(seat=0, end="tail"))
    table.say(facts.SetAside(seat=0, tile="4z"), kind="odd")
    assert "4 of 4z" in table.text
    assert table.plan.replacement.p == 110


def test_a_kong_moves_the_live_end_and_the_indicator():
    table = dealt(RAMEN).say(facts.Drawn(seat=0))
    assert table.plan.last_draw.p == 101
    table.say(facts.Kong(seat=0, kind="concealed"))
    place = table.plan.next_indicator.place
    table.say(facts.Shown(place=place, tile="3p", why="indicator"))
    assert table.plan.last_draw.p == 99
    assert [q.p for q in table.plan.indicators] == [102, 100]
    assert table.hand.face(place) == "3p"
    table.say(facts.Shown(place=place, tile="4p"), kind="odd")
    table.say(facts.Shown(place=table.plan.next_indicator.place, tile="1m"), kind="odd")
    assert "no kong asks for one" in table.text


def test_four_kongs_and_no_more():
    table = dealt(RIICHI).say(facts.Drawn(seat=0))
    for _ in range(4):
        table.say(facts.Kong(seat=0, kind="concealed"))
        table.say(facts.Shown(place=table.plan.next_indicator.place, tile="1z"))
        table.say(facts.Drawn(seat=0, end="tail"))
    table.say(facts.Kong(seat=0, kind="concealed"), kind="odd")
    assert table.plan.replacement is None
    assert table.plan.next_indicator is None


def test_a_kong_whose_indicator_is_drawn_is_refused():
    table = dealt(RAMEN).say(facts.Drawn(seat=0))
    end = next(q for q in _order(table) if q.p == 100)
    table.say(facts.HeadAt(place=end.place))
    table.say(facts.Kong(seat=0, kind="concealed"))
    table = dealt(RAMEN).say(facts.Drawn(seat=0))
    table.say(facts.HeadAt(place=next(q for q in _order(table) if q.p == 101).place))
    table.say(facts.Kong(seat=0, kind="concealed"), kind="odd")
    assert "cannot be turned" in table.text


def _order(table: Table):
    return ground_of(BOOK[table.state.game.digest], table.hand).wall.order


def test_riichi_and_its_odd_forms():
    table = dealt(RIICHI).say(facts.Drawn(seat=0), facts.Riichi(seat=0))
    table.say(facts.Riichi(seat=0), kind="odd")
    table.say(facts.Riichi(seat=1, kind="fever"), kind="odd")
    table.say(facts.Riichi(seat=0, taken_back=True))
    assert table.hand.riichi == (None,) * 4


# ── the end ─────────────────────────────────────────────────────────────────────────────────────


def won_in_riichi(kind="plain") -> Table:
    table = dealt(RAMEN).say(facts.Drawn(seat=0), facts.Riichi(seat=0, kind=kind))
    table.say(facts.Discarded(seat=0, tile="1m"), facts.Drawn(seat=1), facts.Discarded(seat=1))
    return table.say(facts.Won(seat=0, frm=1))


def test_tulip_flips_in_order_to_the_settlement():
    table = won_in_riichi()
    table.say(facts.Shown(place=table.plan.ura[0].place, tile="9p", why="ura"))
    table.say(facts.Stock(n=2, items={"ippatsu": 1, "gold": 1}))
    first, second, third = table.plan.reveal[:3]
    table.say(facts.Shown(place=first.place, tile="7p", why="reveal"))
    assert table.hand.life == "revealing"
    table.say(facts.Shown(place=third.place, tile="1p", why="reveal"), kind="odd")
    assert "the next one is at" in table.text
    table.say(facts.FlippedValue(place=second.place, hits=0))
    assert [flip.hits for flip in table.hand.flips] == [None, 0]
    table.say(facts.Settled(points=(8000, -8000, 0), chips=(4, -4, 0)))
    assert table.hand.life == "closed"
    assert table.state.game.points == (43000, 27000, 35000)
    assert table.state.game.chips == (4, -4, 0)


def test_no_tulip_without_riichi_and_no_ura():
    table = dealt(RAMEN).say(facts.Drawn(seat=0), facts.Won(seat=0, frm=0))
    table.say(facts.Shown(place=table.plan.ura[0].place, tile="9p", why="ura"), kind="odd")
    table.say(facts.Shown(place=table.plan.reveal[0].place, tile="9p", why="reveal"), kind="odd")
    table.say(facts.Settled())
    assert table.hand.life == "closed"


def test_fever_goes_on_after_a_win():
    table = won_in_riichi("fever")
    table.say(facts.Shown(place=table.plan.reveal[0].place, tile="7p", why="reveal"))
    head = table.hand.head
    table.say(facts.Drawn(seat=2))
    assert (table.hand.life, table.hand.head) == ("playing", head + 1)
    assert table.hand.turn == Turn("act", 2), "the seat after the one who gave the tile draws"
    table.say(facts.Discarded(seat=2), facts.Won(seat=0, frm=2))
    assert [win.frm for win in table.hand.wins] == [1, 2]
    table.say(facts.Settled())
    assert table.hand.life == "closed"


def test_as_many_win_on_one_discard_as_the_rule_allows():
    table = dealt(SANMA).say(facts.Drawn(seat=0), facts.Discarded(seat=0))
    table.say(facts.Won(seat=1, frm=0), facts.Won(seat=2, frm=0))
    table.say(facts.Won(seat=1, frm=0), kind="odd")
    single = dealt(RIICHI).say(facts.Drawn(seat=0), facts.Won(seat=0, frm=0))
    single.say(facts.Won(seat=1, frm=0), kind="odd")


def test_a_robbed_kong_turns_no_indicator_and_is_not_replaced():
    table = dealt(RIICHI).say(facts.Drawn(seat=0), facts.Kong(seat=0, kind="added"))
    table.say(facts.Won(seat=2, frm=0))
    assert (table.hand.owed, table.hand.due, table.hand.tail) == ((), (), 0)
    assert table.hand.wins[0].indicators == 1


def test_exhausted_before_the_end_is_assumed():
    table = dealt(RIICHI).say(facts.Drawn(seat=0), facts.Discarded(seat=0))
    table.say(facts.Exhausted(tenpai=(0, 2)), kind="assumed")
    assert "69 tiles were still to be drawn" in table.text
    assert table.hand.life == "settling"


@pytest.mark.parametrize("fact", [facts.Aborted(why="nine kinds"), facts.Void(why="misdeal")])
def test_ends_without_a_winner(fact):
    table = dealt(RIICHI).say(facts.Drawn(seat=0), fact, facts.Settled())
    assert table.hand.life == "closed"
    table.say(facts.Paid(frm=1, to=None, points=1000, why="fine"))
    assert table.state.game.points == (25000, 24000, 25000, 25000)


def test_a_closed_hand_takes_no_more_play():
    table = dealt(RIICHI).say(facts.Drawn(seat=0), facts.Aborted(), facts.Settled())
    for fact in (facts.Drawn(seat=1), facts.Won(seat=1, frm=1), facts.Settled(), facts.Void()):
        table.say(fact, kind="odd")
    assert table.hand.life == "closed"


def test_questions_are_answered_once_and_only_as_offered():
    table = dealt(RIICHI).say(facts.Lost(first=7, count=None))
    (question,) = table.state.questions
    table.say(facts.Agreed(question=question.id, choice="perhaps"), kind="odd")
    table.say(facts.Agreed(question=question.id, choice=question.choices[0]))
    table.say(facts.Agreed(question=question.id, choice=question.choices[0]), kind="odd")


def test_without_a_hand_nobody_is_asked_what_lies_on_the_table():
    """A board that was away for an idle night has lost nothing that people could look at."""
    assert Table(facts.Lost(first=7, count=None)).state.questions == ()
    table = dealt(RIICHI).say(facts.Aborted(), facts.Settled(), facts.Lost(first=7, count=3))
    assert table.state.questions == ()


def test_questions_of_a_hand_are_over_with_the_next_one():
    table = dealt(RIICHI).say(facts.Riichi(seat=3, taken_back=True), kind="odd")
    table.say(facts.Lost(first=7, count=3), facts.Aborted(), facts.Settled())
    assert len(table.state.questions) == 2
    table.say(facts.Raised(set="b"), kind="assumed")
    assert table.hand.life == "raised"
    assert table.state.questions == ()


def test_of_walls_that_do_not_fit_only_the_newest_are_asked_about():
    table = dealt(RIICHI).say(facts.Aborted(), facts.Settled())
    for n, name in enumerate(("b", "a", "b")):
        table.say(facts.Raised(set=name, sides=(30, 28, 30, 28 + n)), kind="assumed")
    assert [question.text[:3] for question in table.state.questions] == ["118"]


def test_walls_that_come_up_say_with_which_number_they_were_stacked():
    table = Table(facts.Number(set="b", number=5, state="pending"))
    table.say(facts.Raised(set="b", number=5))
    found = table.state.machine.set_named("b")
    assert (found.active, found.pending) == (5, None)


@pytest.mark.parametrize(("boot", "reads", "kept"), [(1, True, 5), (2, True, None), (2, False, 5)])
def test_what_a_board_that_began_anew_does_not_tell_again_is_chosen_no_more(boot, reads, kept):
    abilities = ("read_number",) if reads else ()
    table = Table(facts.Board(uid="1", boot=1, abilities=abilities))
    table.say(facts.Number(set="a", number=5, state="pending"))
    table.say(facts.Board(uid="1", boot=boot, abilities=abilities))
    assert table.state.machine.set_named("a").pending == kept


def test_what_is_paid_and_does_not_come_out_even_goes_to_the_table():
    table = dealt(RIICHI).say(facts.Aborted())
    table.say(facts.Settled(points=(-1000, 2000, -500, 0), chips=(1, -1, 0, 0)), kind="assumed")
    assert table.text == "500 points come from the table"


def test_games_end_and_facts_of_ended_games_stay():
    table = dealt(RIICHI).say(facts.Drawn(seat=0))
    table.say(facts.GameEnded(), kind="odd")
    table.say(facts.Aborted(), facts.Settled(), facts.GameEnded())
    table.say(facts.Retract(target=3), kind="odd")
    assert "has ended" in table.text
    assert table.state.game.over


def test_every_life_is_known_to_people():
    assert all(LIVES.values())


def test_a_hand_of_the_past_is_reached_by_a_correction():
    """A fact of the hand before is corrected: everything since is folded again."""
    table = dealt(RIICHI).say(facts.Drawn(seat=0), facts.Won(seat=0, frm=0))
    table.say(facts.Settled(points=(8000, -8000, 0, 0)))
    table.say(facts.Raised(set="b"), kind="assumed")
    settle = len(table.history.entries) - 1
    table.say(facts.Replace(target=settle, fact={"points": [1000, -1000, 0, 0]}))
    assert table.state.game.points == (26000, 24000, 25000, 25000)
    assert table.state == fold_all(BOOK, table.history.entries)
    assert table.hand.number == 2


def test_a_late_fact_goes_to_its_place():
    table = dealt(SANMA).say(facts.Drawn(seat=0, end="live"))
    at = len(table.history.entries)
    table.say(facts.Discarded(seat=0, tile="1m"), facts.Drawn(seat=1, end="live"))
    seq = at + 3
    late = Entry(table="t", seq=seq, key="late", after=at, fact=facts.SetAside(seat=0, tile="4z"))
    table.history, verdict = table.history.append(late)
    assert verdict.kind == "fits"
    assert table.hand.aside[0] == ("4z",)
