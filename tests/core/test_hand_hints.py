"""What a hand's view and its verdicts say by themselves: gold, costs, lives, open questions."""

from __future__ import annotations

import pytest
from support.otherwise import otherwise
from support.told import Told

from tablectl.core import facts
from tablectl.core.fold import LEAVE, MOST_ODD
from tablectl.core.geometry import plan
from tablectl.core.preset_file import find_preset
from tablectl.core.reveal import Progress, progress, why_over
from tablectl.core.state import inputs_of
from tablectl.core.view import HandView, RevealView, view_of

FUZHOU, GOTO, RAMEN = (find_preset(name) for name in ("fuzhou-144", "goto-sanma", "ramen-jiro"))
BASIC = find_preset("vivace-sanma")


def shown(table: Told) -> HandView:
    hand = view_of(table.rules, table.state).hand
    assert hand is not None
    return hand


# ── the gold's column ───────────────────────────────────────────────────────────────────────────


def test_the_gold_lies_on_its_column_only_once_it_is_turned():
    table = Told(FUZHOU)
    for flower in ("1f", "2f", "3f"):
        table.aside(0, flower)
        assert shown(table).plan.gold_marker is None
        # Who only counts tiles sees where the column is as soon as replacements were taken.
        alone = inputs_of(table.hand).__class__(dice=(3, 4), tail=table.hand.tail)
        assert plan(FUZHOU, alone).gold_marker is not None
    table.say(facts.Shown(place=table.tail_places()[0], tile="5f", why="gold"))
    assert (table.hand.life, shown(table).plan.gold_marker) == ("flowering", None)
    table.gold()
    assert shown(table).gold == "5p"
    assert shown(table).plan.gold_marker is not None


def test_a_gold_that_is_assumed_lies_there_too():
    table = Told(FUZHOU).discard(0)
    assert "the gold was turned" in table.verdict.text
    assert shown(table).plan.gold_marker is not None


# ── a riichi taken back ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("points", [0, 1000, 2500])
@pytest.mark.parametrize(
    ("left", "words"),
    [
        ("self_draw", "by a self-draw only"),
        ("riichi", "only after a new one"),
        ("free", "It can win as before"),
    ],
)
def test_a_riichi_taken_back_says_its_cost_and_how_to_win(points, left, words):
    rules = otherwise(GOTO, riichi__take_back_points=points, riichi__after_take_back=left)
    table = Told(rules).draw(0).say(facts.Riichi(seat=0)).discard(0).draw(1)
    assert table.verdict == ("fits", "")
    table.say(facts.Riichi(seat=0, taken_back=True))
    assert table.verdict.kind == "fits"
    assert words in table.verdict.text
    assert (f"costs {points:,} points" if points else "costs nothing") in table.verdict.text


# ── flipping ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kind", "stock", "worths", "left", "expected"),
    [
        ("tulip", None, (), 5, Progress(None, 0, False, False)),
        ("tulip", 0, (), 5, Progress(0, 0, True, False)),
        ("tulip", 2, (3, 0, 1), 5, Progress(1, 4, False, False)),
        ("tulip", 2, (0, 0), 5, Progress(0, 0, True, False)),
        ("tulip", 2, (0, 1), 0, Progress(1, 1, True, True)),
        ("tulip", 2, (0, 1, 0), 0, Progress(0, 1, True, False)),
        ("tulip", 2, (None, 1), 5, Progress(None, None, False, False)),
        ("tulip", 1, (None, 0), 5, Progress(0, None, True, False)),
        ("tulip", None, (1, 1), 0, Progress(None, 2, True, None)),
        ("tulip", 3, (), 0, Progress(3, 0, True, True)),
        ("alice", None, (), 5, Progress(1, 0, False, False)),
        ("alice", None, (2, 1), 5, Progress(1, 3, False, False)),
        ("alice", 7, (2, 0), 5, Progress(0, 2, True, False)),
        ("alice", None, (None, 1), 0, Progress(1, None, True, True)),
        ("alice", None, (1, None), 5, Progress(None, None, False, False)),
    ],
)
def test_lives_hits_and_the_end(kind, stock, worths, left, expected):
    assert progress(kind, stock, worths, left) == expected
    assert bool(why_over(kind, stock, worths)) == (expected.lives == 0)


def tulip(stock: int | None, *worths: int) -> Told:
    """A riichi win with these lives; so many tiles flipped, each worth so much."""
    table = Told(RAMEN).say(facts.Riichi(seat=0)).discard(0).draw(1).discard(1)
    table.say(facts.Won(seat=0, frm=1))
    if stock is not None:
        table.say(facts.Stock(n=stock))
    for worth in worths:
        table.say(facts.FlippedValue(place=shown(table).plan.reveal[0].place, hits=worth))
    return table


def test_the_view_tells_how_far_a_tulip_is():
    assert shown(tulip(None)).reveal is None
    assert shown(tulip(3)).reveal == RevealView(3, 0, False, False)
    table = tulip(3, 2, 0, 1)
    order = table.plan.reveal
    assert shown(table).reveal == RevealView(2, 3, False, False)
    assert shown(table).plan.reveal == order[3:], "what is flipped is gone from it"
    assert shown(tulip(None, 2, 0)).reveal == RevealView(None, 2, False, False)


def test_nothing_is_flipped_after_the_last_life():
    table = tulip(2, 0, 4, 0)
    assert shown(table).reveal == RevealView(0, 4, True, False)
    assert shown(table).plan.reveal == ()
    next_one = table.plan.reveal[3].place
    why = table.odd(facts.FlippedValue(place=next_one, hits=1))
    assert "no life is left: a stock of 2 was declared, and 2 missed" in why
    assert "no life" in table.odd(facts.Shown(place=next_one, tile="7p", why="reveal"))
    assert len(table.hand.flips) == 3
    table.say(facts.Stock(n=3), facts.FlippedValue(place=next_one, hits=1))
    assert shown(table).reveal == RevealView(1, 5, False, False)


def test_a_tulip_that_is_completed():
    table = tulip(1)
    while shown(table).plan.reveal:
        table.say(facts.FlippedValue(place=shown(table).plan.reveal[0].place, hits=1))
    assert shown(table).reveal == RevealView(1, len(table.plan.reveal), True, True)
    place = (
        table.plan.next_indicator.place if table.plan.next_indicator else table.plan.ura[0].place
    )
    assert table.odd(facts.FlippedValue(place=place, hits=1))
    table.settled()
    assert shown(table).reveal.completed


def test_a_face_and_its_worth_are_told_one_after_the_other():
    for first, then in (("tile", "worth"), ("worth", "tile")):
        table = tulip(2)
        place = shown(table).plan.reveal[0].place
        for what in (first, then):
            if what == "tile":
                table.say(facts.Shown(place=place, tile="7p", why="reveal"))
            else:
                table.say(facts.FlippedValue(place=place, hits=0))
        assert table.hand.flips == ((place, "7p", 0),)
        assert shown(table).reveal == RevealView(1, 0, False, False)
        assert table.odd(facts.FlippedValue(place=place, hits=3)), "its worth was said"


def test_a_miss_ends_alice():
    table = Told(GOTO).draw(0).discard(0).say(facts.Won(seat=1, frm=0))
    for worth in (2, 1, 0):
        table.say(facts.FlippedValue(place=shown(table).plan.reveal[0].place, hits=worth))
    assert shown(table).reveal == RevealView(0, 3, True, False)
    place = table.plan.reveal[3].place
    assert "a miss, which ends it" in table.odd(facts.FlippedValue(place=place, hits=1))


# ── questions and verdicts ──────────────────────────────────────────────────────────────────────


def test_only_the_newest_odd_facts_are_asked():
    table = Told(BASIC).draw(0).say(facts.SetAside(seat=0, tile="4z")).discard(0)
    for _ in range(2 * MOST_ODD):
        assert table.odd(facts.Called(seat=1, kind="chi", frm=0))
    odd = [question for question in table.state.questions if question.choices == (LEAVE,)]
    assert [question.seq for question in odd] == list(
        range(table.seq - MOST_ODD + 1, table.seq + 1)
    )
    assert any(q.id.startswith("replacement:") for q in table.state.questions), "others stay"


def test_answering_a_question_that_is_gone_asks_nothing():
    table = Told(BASIC).draw(0)
    assert table.odd(facts.Called(seat=1, kind="chi", frm=0))
    (question,) = table.state.questions
    answer = facts.Agreed(question=question.id, choice=LEAVE)
    table.say(answer)
    assert table.state.questions == ()
    for gone in (answer, facts.Agreed(question="odd:2", choice=LEAVE)):
        assert "nobody asks that any more" in table.odd(gone)
        assert table.state.questions == ()
        assert table.state.verdicts[-1][1] == table.verdict


def test_what_is_assumed_twice_is_said_once():
    table = Told(FUZHOU)
    for flower in ("1f", "2f", "3f"):
        table.say(facts.SetAside(seat=0, tile=flower))
    assert table.hand.owed == (0, 0, 0)
    table.say(facts.SetAside(seat=1, tile="5f"))
    assert table.hand.tail == 3
    assert table.verdict.text == "seat 0 took its replacement"


def test_the_gold_is_shown_where_it_lies_now() -> None:
    """Its column moves with the boundary; where it was laid first is not told beside that."""
    table = Told(FUZHOU).gold()
    before = shown(table).plan.gold_marker
    seat = table.hand.turn.seat
    assert seat is not None
    table.kong(seat, "concealed")
    after = shown(table)
    assert before != after.plan.gold_marker is not None
    assert after.gold == "5p"
    assert [face for face in after.public if face.place.row == "on"] == []
