"""The same hand told by sensors and by taps: the same head, tail and boundaries as on paper."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import Telling, telling

from tablectl.core import facts
from tablectl.core.preset_file import find_preset
from tablectl.core.wall import SIDES

SEEDS = st.integers(0, 10_000)


def at(told: Telling) -> tuple[int, int]:
    return told.hand.head, told.hand.tail


@given(SEEDS, st.booleans())
def test_places_seen_leaving(seed, taps):
    """Presence sensors: which end a tile left from is concluded, with or without taps beside."""
    told = telling(seed, dealt=False)
    order = told.wall.order
    told.say(*(facts.Taken(place=order[p].place) for p in told.hand_played.dealt))
    for n, name, truth, p in told.steps():
        if p is not None:
            told.say(facts.Taken(place=order[p].place))
        if name == "gold" or (taps and told.is_tapped(n)):
            told.say(*told.event_facts(n))
        assert at(told) == (truth.head, truth.tail), (n, name)


@given(SEEDS, st.sampled_from(["places", "counts"]))
def test_tiles_put_back_and_taken_again(seed, kind):
    """Now and then the tile drawn last is put back and taken again: nothing is owed twice."""
    told = telling(seed, dealt=True)
    order = told.wall.order
    rng = random.Random(seed)
    left = [sum(q.side == side for q in order) for side in range(SIDES)]
    for p in told.hand_played.dealt:
        left[order[p].side] -= 1
    if told.hand.head > len(told.hand_played.dealt):
        left[order[told.hand_played.taken[0][1]].side] -= 1
    told.say(facts.Observed(of="snapshot", counts=tuple(left)))

    def moves(p: int, *, back: bool) -> None:
        side = order[p].side
        left[side] += 1 if back else -1
        if kind == "counts":
            told.say(facts.CountLeft(side=side, left=left[side]))
        else:
            told.say((facts.PutBack if back else facts.Taken)(place=order[p].place))

    for n, name, truth, p in told.steps():
        if p is not None and (n or told.hand.head < truth.head):
            moves(p, back=False)
            if n and rng.random() < 0.2:
                moves(p, back=True)
                moves(p, back=False)
        if told.is_tapped(n):
            told.say(*told.event_facts(n))
        assert at(told) == (truth.head, truth.tail), (n, name)


@given(SEEDS, st.booleans())
def test_counts_falling(seed, double):
    """Sensors that count each side: with what people tap, the split between the ends is exact."""
    told = telling(seed, dealt=False)
    order = told.wall.order
    left = [sum(q.side == side for q in order) for side in range(SIDES)]

    def fall(p: int) -> None:
        side = order[p].side
        left[side] -= 1
        said = facts.CountLeft(side=side, left=left[side])
        told.say(said, *([said] if double else []))

    for p in told.hand_played.dealt:
        fall(p)
    for n, name, truth, p in told.steps():
        if p is not None:
            fall(p)
        if told.is_tapped(n):
            told.say(*told.event_facts(n))
        assert at(told) == (truth.head, truth.tail), (n, name)


@given(SEEDS)
def test_a_snapshot_of_counts_after_a_silence(seed):
    """Counts missed for a while: the next snapshot alone puts head and tail right."""
    told = telling(seed, dealt=True)
    order = told.wall.order
    rng = random.Random(seed)
    gone = set(told.hand_played.dealt)
    left = [sum(q.side == side for q in order) for side in range(SIDES)]
    for p in gone:
        left[order[p].side] -= 1
    for n, _, truth, p in told.steps():
        if p is not None:
            left[order[p].side] -= 1
        if told.is_tapped(n):
            told.say(*told.event_facts(n))
        if p is not None and rng.random() < 0.2:
            told.say(facts.Observed(of="snapshot", counts=tuple(left)))
            if not any(q.id.startswith("counts") for q in told.state.questions):
                assert sum(at(told)) == truth.head + truth.tail


@given(SEEDS)
def test_taps_alone(seed):
    """No sensor: the dice, a touch for each tile set aside or kong, and touches on the column of
    the next draw. At every touch all boundaries are those of the hand told tile by tile.

    A win on a tile set aside nobody can tell from one on a discard made after its replacement: the
    likelier is assumed and said, and people who see that it is not so count the replacements. That
    too little is left to replace a flower is seen on the table alone: people show it first."""
    told = telling(seed, dealt=True)
    order, rules = told.wall.order, told.rules
    rng = random.Random(seed)
    moved = dict(told.hand_played.taken)
    events = told.record.events
    final = rules.reserve.final
    for n, name, truth, _ in told.steps():
        following = events[n + 1] if n + 1 < len(events) else ("end",)
        next_draws = n > 0 and following[0] == "draw" and following[3] == "live"
        if name == "nuki" and next_draws:
            told.say(facts.HeadAt(place=order[moved[n + 1]].place))
        if told.is_tapped(n) and name != "indicator":
            heard = told.say(*told.event_facts(n))
            if told.is_on_aside(n) and "not on the tile set aside" in heard[0].text:
                told.say(facts.TailCount(n=truth.tail))
        begins = final and truth.drawable <= final
        if next_draws and (rng.random() < 0.3 or begins):
            told.say(facts.HeadAt(place=order[moved[n + 1]].place))
            plan = told.plan
            seen = (plan.head, plan.tail, plan.turned, plan.drawable)
            assert seen == (truth.head, truth.tail, truth.turned, truth.drawable), (n, name)


@given(SEEDS)
def test_what_people_and_sensors_both_tell_counts_once(seed):
    """Every draw told by a sensor and by a person, in either order."""
    told = telling(seed, dealt=False)
    order = told.wall.order
    rng = random.Random(seed)
    told.say(*(facts.Taken(place=order[p].place) for p in told.hand_played.dealt))
    for n, name, truth, p in told.steps():
        said = told.event_facts(n)
        if name == "draw":
            both = [facts.Taken(place=order[p].place), *said]
            told.say(*(both if rng.random() < 0.5 else both[::-1]))
        else:
            if p is not None:
                told.say(facts.Taken(place=order[p].place))
            told.say(*said)
        assert at(told) == (truth.head, truth.tail), (n, name)


@given(SEEDS)
def test_tiles_leaving_out_of_order(seed):
    """Two draws whose edges come in the wrong order end in the same head."""
    told = telling(seed, find_preset("riichi-4p"), dealt=True)
    order = told.wall.order
    head = told.hand.head
    told.say(facts.Taken(place=order[head + 1].place))
    assert told.verdicts[-1].kind == "assumed"
    assert told.hand.head == head
    told.say(facts.Taken(place=order[head].place))
    assert told.hand.head == head + 2
    told.say(facts.PutBack(place=order[head + 1].place))
    assert told.hand.head == head + 1
    told.say(facts.PutBack(place=order[head].place))
    assert told.hand.head == head


def test_a_break_made_elsewhere_is_seen_in_the_counts():
    told = telling(0, find_preset("riichi-4p"), dealt=False)
    told.say(facts.Opened(side=(told.plan.break_.side + 1) % 4, after=5))
    elsewhere = told.wall.order
    told = telling(0, find_preset("riichi-4p"), dealt=False)
    left = [34] * 4
    for p in range(52):
        left[elsewhere[p].side] -= 1
    told.say(facts.Observed(of="snapshot", counts=tuple(left)))
    assert told.wall.order == elsewhere
    assert "not where the dice say" in told.verdicts[-1].text


def test_a_person_is_believed_and_the_sensor_asks():
    told = telling(1, find_preset("riichi-4p"), dealt=True)
    order, head = told.wall.order, told.hand.head
    told.say(*(facts.Taken(place=order[p].place) for p in range(head, head + 4)))
    assert told.hand.head == head + 4
    told.say(facts.HeadAt(place=order[head + 2].place))
    assert told.hand.head == head + 2
    assert any(q.id.startswith("sensor:") for q in told.state.questions)
    told.say(facts.Taken(place=order[head + 4].place))
    assert told.hand.head == head + 2, "the sensor is not read until walls rise again"


def test_a_sensor_set_aside_by_people_is_not_read():
    told = telling(1, find_preset("riichi-4p"), dealt=True)
    order, head = told.wall.order, told.hand.head
    side = order[head].side
    told.say(facts.SensorIgnored(ability="presence_live", side=side))
    told.say(facts.Taken(place=order[head].place))
    assert told.hand.head == head
    told.say(facts.SensorIgnored(ability="presence_live", side=side, on=False))
    told.say(facts.Taken(place=order[head].place))
    assert told.hand.head == head + 1


def test_counts_that_no_draw_explains_ask_and_settle_themselves():
    told = telling(1, find_preset("riichi-4p"), dealt=True)
    order, head = told.wall.order, told.hand.head
    left = [34] * 4
    for p in range(head):
        left[order[p].side] -= 1
    ends = {order[head].side, order[-1].side}
    far = next(side for side in range(SIDES) if side not in ends and left[side] == 34)
    told.say(facts.Observed(of="snapshot", counts=tuple(left)))
    assert told.hand.head == head
    told.say(facts.CountLeft(side=far, left=left[far] - 1))
    assert told.hand.head == head
    assert [q.id.split(":")[0] for q in told.state.questions] == ["counts"]
    told.say(facts.CountLeft(side=far, left=left[far]))
    assert not told.state.questions


@pytest.mark.parametrize("extra", [0, 1])
def test_three_seconds_of_rest_end_the_dealing(extra):
    told = telling(1, find_preset("riichi-4p"), dealt=False)
    order = told.wall.order
    told.say(*(facts.Taken(place=order[p].place) for p in range(50)))
    assert told.hand.life == "opened"
    told.say(facts.Elapsed(what="rest"))
    assert told.hand.life == "dealt"
    assert told.hand.head == 52
    told.say(facts.Taken(place=order[50 + extra].place))
    assert told.hand.head == 52, "a tile of the deal seen late is no draw"


def called_north() -> tuple[Telling, int]:
    """A hand of three in which seat 0 has set a north aside; p of the replacement."""
    told = telling(1, find_preset("riichi-3p"), dealt=True)
    dealer = told.hand.dealer
    told.say(facts.Taken(place=told.plan.next_draw.place), facts.SetAside(seat=dealer, tile="4z"))
    return told, told.plan.replacement.p


def test_a_replacement_put_back_is_owed_again():
    told, p = called_north()
    place = told.wall.order[p].place
    owed = told.hand.owed
    assert owed == (told.hand.dealer,)
    told.say(facts.Taken(place=place))
    assert (told.hand.tail, told.hand.owed) == (1, ())
    told.say(facts.PutBack(place=place))
    assert (told.hand.tail, told.hand.owed) == (0, owed)
    told.say(facts.Taken(place=place))
    assert (told.hand.tail, told.hand.owed, told.hand.sensed.unowed) == (1, (), 0)


def test_a_replacement_put_back_before_anybody_said_what_for():
    told = telling(1, find_preset("riichi-3p"), dealt=True)
    told.say(facts.Taken(place=told.plan.next_draw.place))
    place = told.plan.replacement.place
    told.say(facts.Taken(place=place), facts.PutBack(place=place))
    assert (told.hand.tail, told.hand.owed, told.hand.sensed.unowed) == (0, (), 0)


@pytest.mark.parametrize("kind", ["places", "counts"])
def test_a_rise_is_a_tile_put_back(kind):
    """A look at a whole side, or a count, that shows the last tiles back undoes their draws."""
    told = telling(1, find_preset("riichi-4p"), dealt=True)
    order, head = told.wall.order, told.hand.head
    left = [sum(q.side == side for q in order[head:]) for side in range(SIDES)]

    def look(gone: int) -> None:
        for side in range(SIDES):
            there = tuple(q.place for q in order[gone:] if q.side == side)
            if kind == "counts":
                told.say(facts.CountLeft(side=side, left=len(there)))
            else:
                told.say(facts.Observed(of="presence", side=side, places=there))

    assert sum(left) == len(order) - head
    look(head + 3)
    assert told.hand.head == head + 3
    look(head + 1)
    assert told.hand.head == head + 1
    assert not told.state.questions
    look(head + 2)
    assert told.hand.head == head + 2


def test_a_draw_seen_before_the_rest_is_counted():
    """One edge of the deal is missing, the first draw has come: after the rest both are known."""
    told = telling(1, find_preset("riichi-4p"), dealt=False)
    order = told.wall.order
    told.say(*(facts.Taken(place=order[p].place) for p in range(53) if p != 20))
    assert told.hand.life == "opened"
    told.say(facts.Elapsed(what="rest"))
    assert told.hand.head == 53


def north_on_the_table(preset: str, *, seen: bool) -> tuple[Telling, int]:
    """Somebody who is not followed in turn has set a north aside; whether sensors see draws."""
    told = telling(1, find_preset(preset), dealt=True)
    seat = (told.hand.dealer + 1) % told.rules.players
    if seen:
        order, head = told.wall.order, told.hand.head
        told.say(*(facts.Taken(place=order[p].place) for p in range(head, head + 3)))
    told.say(facts.HeadAt(place=told.plan.next_draw.place))
    told.say(facts.SetAside(seat=seat, tile="4z"))
    return told, seat


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
def test_what_a_win_is_on_where_nobody_follows_the_turn(seen):
    """Where sensors see draws, a replacement that was not taken says it: the tile set aside. Else
    it was taken most likely, and what is assumed is said."""
    told, seat = north_on_the_table("ramen-jiro", seen=seen)
    (heard,) = told.say(facts.Won(seat=told.hand.dealer, frm=seat))
    win = told.hand.wins[0]
    assert told.hand.owed == ()
    assert (win.on, told.hand.tail) == (("aside", 0) if seen else ("discard", 1))
    assert ("not on the tile set aside" in heard.text) is not seen


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
def test_a_win_on_what_the_rule_lets_nobody_win_on_is_on_a_discard(seen):
    told, seat = north_on_the_table("goto-sanma", seen=seen)
    (heard,) = told.say(facts.Won(seat=told.hand.dealer, frm=seat))
    assert (told.hand.wins[0].on, told.hand.tail, told.hand.owed) == ("discard", 1, ())
    assert "took its replacement" in heard.text
    assert "not on" not in heard.text


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
def test_a_kong_robbed_where_nobody_follows_the_turn(seen):
    told = telling(1, find_preset("riichi-4p"), dealt=True)
    seat = (told.hand.dealer + 1) % 4
    if seen:
        told.say(facts.Taken(place=told.plan.next_draw.place))
    told.say(facts.HeadAt(place=told.plan.next_draw.place), facts.Kong(seat=seat, kind="added"))
    (heard,) = told.say(facts.Won(seat=told.hand.dealer, frm=seat))
    win = told.hand.wins[0]
    assert (win.on, told.hand.kongs, told.hand.tail) == (
        ("kong", 0, 0) if seen else ("discard", 1, 1)
    )
    assert ("not on the tile of the kong" in heard.text) is not seen


def test_a_north_after_a_kong_is_what_was_won_on():
    """Its replacement was seen taken: what is owed is for the north, and the kong stands."""
    told = telling(1, find_preset("ramen-jiro"), dealt=True)
    seat = (told.hand.dealer + 1) % 3
    order, head = told.wall.order, told.hand.head
    told.say(*(facts.Taken(place=order[p].place) for p in range(head, head + 3)))
    told.say(facts.HeadAt(place=told.plan.next_draw.place), facts.Kong(seat=seat, kind="added"))
    told.say(facts.Taken(place=told.plan.replacement.place), facts.SetAside(seat=seat, tile="4z"))
    told.say(facts.Won(seat=told.hand.dealer, frm=seat))
    assert (told.hand.wins[0].on, told.hand.kongs, told.hand.tail) == ("aside", 1, 1)
