"""Edges, losses and levels in any order: what is told, when, and what is asked for again."""

from __future__ import annotations

from support.script import Script, dice, levels, number, snapshot

from protocols import v0, v1
from protocols.codes import Ability, Phase, Reason, Result, What, Why
from tablectl.core import facts
from tablectl.link.said import Told
from tablectl.link.translate import Reading, of_troubles

# ── edges and snapshots ─────────────────────────────────────────────────────────────────────────


def test_a_snapshot_that_overtakes_edges_waits_for_them():
    script = Script().identified()
    script.hear(v1.Pong(0, 7, 10, 1, 1), snapshot(3, uptime=90))
    before = len(script.facts())
    script.hear(dice(1), dice(2))
    assert [type(fact) for fact in script.facts()[before:]] == [facts.Dice, facts.Dice]
    script.hear(dice(3))
    assert [type(fact) for fact in script.facts()[before:]][2:] == [facts.Dice, facts.Observed]
    assert script.driver.stage == "ready"


def test_what_came_while_a_snapshot_waited_is_told_after_it():
    script = Script().identified()
    script.hear(v1.Pong(0, 7, 10, 1, 1), snapshot(1), v1.Points(2, 250, None, 0))
    script.hear(levels(70, (Phase.UP, None)))
    script.hear(dice(1))
    told = script.facts()[-3:]
    assert isinstance(told[0], facts.Observed)
    assert told[1] == facts.Observed(of="points", seat=2, points=25_000, values={"sticks": 0})
    assert told[2] == facts.Phase(set="a", phase="up")


def test_of_levels_that_wait_the_newest_is_told_whichever_came_last():
    script = Script().ready()
    script.hear(dice(2, at=60), levels(90, (Phase.UP, None)), levels(70, (Phase.RAISING, None)))
    script.hear(dice(1, at=55), dice(2, at=60))
    phases = [fact.phase for fact in script.facts() if isinstance(fact, facts.Phase)]
    assert phases == ["up"]


def test_an_answer_to_nothing_that_was_asked_begins_nothing_anew():
    script = Script().ready()
    script.hear(v1.Pong(script.nonce ^ 0x5555, 6, 10, 1, 1))
    assert script.driver.stage == "ready"
    # One that was asked for, of another boot, does.
    script.hear(v1.Pong(0, 8, 10, 1, 1))
    assert script.driver.stage == "calling"


def test_levels_are_not_told_before_an_edge_that_is_missing():
    script = Script().ready()
    script.hear(dice(2, at=60), levels(70, (Phase.UP, None)))
    assert not any(isinstance(fact, facts.Phase) for fact in script.facts())
    script.hear(v1.PhaseEdge(1, 55, 1, None, Phase.RAISING), dice(2, at=60))
    script.hear(levels(70, (Phase.UP, None)))
    phases = [fact.phase for fact in script.facts() if isinstance(fact, facts.Phase)]
    assert phases == ["raising", "up"]


def test_a_level_lost_on_the_line_is_looked_for():
    script = Script().ready()
    script.wait(3000)
    script.hear()
    script.said += script.driver.feed(b"\0damaged frame\0", script.now)
    assert v1.Get(What.SNAPSHOT, 0) in script.wait(200)
    changed = snapshot(0, uptime=5000)
    script.hear(changed._replace(levels=levels(5000, (Phase.UP, None)), troubles=1 << 1))
    assert script.facts()[-2:] == [
        facts.Trouble(code="jam"),
        facts.Phase(set="a", phase="up"),
    ], "what differs is told, and nothing else"


def test_everything_is_compared_now_and_then():
    script = Script().ready()
    asked = []
    for n in range(40):
        asked += script.wait(1000)
        script.hear(v1.Pong(0, 7, 100 + 1000 * n, 1, 1))
    assert asked.count(v1.Get(What.SNAPSHOT, 0)) == 1


def test_a_line_on_which_nobody_answers_is_down_even_if_it_chatters():
    script = Script().ready()
    for n in range(30):
        script.wait(1000)
        script.hear(levels(1000 + 1000 * n))
    assert script.driver.stage == "calling"


UP = facts.Phase(set="a", phase="up")


def test_a_late_edge_s_acknowledgement_lets_levels_go():
    script = Script().ready()
    script.hear(*(dice(n) for n in range(1, 9)), levels(90, (Phase.UP, None)))
    assert UP not in script.facts()
    # More edges may have waited at the board for the acknowledgement; it is asked whether.
    assert [one for one in script.driver.committed(7, 8) if isinstance(one, Told)] == []
    asked = script.asked()
    assert [type(one) for one in asked] == [v1.Ack, v1.Ping]
    script.hear(v1.Pong(script.nonce - 1, 7, 91, 1, 9))
    assert UP not in script.facts()
    script.hear(v1.Pong(0, 7, 92, 1, 9))
    assert script.facts()[-1] == UP


def test_levels_are_told_after_the_edges_that_waited_for_an_acknowledgement():
    """The board's window was full: LEVELS came before edges that are older than they."""
    script = Script().ready()
    script.hear(*(dice(n) for n in range(1, 9)), levels(90, (Phase.UP, None)))
    script.driver.committed(7, 8)
    raised = v1.RaisedEdge(9, 80, 1, 5, (30, 28, 30, 28))
    script.hear(raised, v1.Pong(0, 7, 92, 1, 10))
    kinds = [type(fact) for fact in script.facts()]
    assert kinds[-2:] == [facts.Raised, facts.Phase]
    assert script.facts()[-1] == UP


def test_numbers_before_abilities_do_not_end_the_asking():
    script = Script()
    script.hear(script.iam(), number(0, 1))
    assert script.driver.stage == "identifying"
    script.hear(v1.Abilities(1, 4, 2, 2, 4, 200, 0), number(0, 1))
    assert script.driver.stage == "draining"


def test_a_conversation_that_has_used_its_numbers_is_followed_by_another():
    script = Script().ready()
    script.driver._number = 0xFFFE
    name = script.driver.command(lambda c, n: v1.Lamp(c, n, 2, 1), script.now)
    assert name == (100, 0xFFFF)
    script.hear(v1.Outcome(*name, Result.DONE, Why.NONE, 0))
    assert not script.driver.may_command
    script.wait(100)
    script.conversation = 101
    script.ready()
    assert script.driver.command(lambda c, n: v1.Lamp(c, n, 2, 1), script.now) == (101, 1)


def test_a_huh_to_an_old_command_does_not_end_a_healthy_conversation():
    script = Script().ready()
    script.hear(v0.Huh(0x19, Reason.FIELD, 0))
    assert script.driver.stage == "ready"


def test_a_trouble_that_ended_while_the_line_was_out_is_told():
    script = Script().ready()
    script.hear(v1.TroubleEdge(1, 5, 1, None, None, 1, None, None))
    script.said += script.driver.close("unplugged", script.now)
    script.asked()
    script.conversation = 101
    script.identified()
    script.hear(v1.Pong(0, 7, 60, 2, 3), v1.VendorEdge(2, 61, b""), snapshot(2, uptime=90))
    troubles = [fact.on for fact in script.facts() if isinstance(fact, facts.Trouble)]
    assert troubles == [True, False]


def test_troubles_that_share_a_word_are_one():
    other, overdue, unknown = 1 << 0, 1 << 7, 1 << 30
    assert of_troubles(other | overdue | unknown, 0) == [
        Reading(facts.Trouble(code="other"), "phases")
    ]
    assert of_troubles(overdue, other | overdue) == []
    assert of_troubles(0, unknown) == [Reading(facts.Trouble(code="other", on=False), "phases")]


def test_a_board_that_stays_refused_is_complained_of_once():
    script = Script()
    for n in range(4):
        script.conversation = 100 + n
        script.hear(script.iam(least=2, most=3))
        script.wait(6000)
    assert script.complaints() == ["link.version"]


def test_a_snapshot_older_than_an_edge_is_not_told_and_asked_for_again():
    script = Script().identified()
    script.hear(v1.Pong(0, 7, 10, 1, 2))
    script.hear(dice(1))
    script.hear(dice(2))
    assert v1.Get(What.SNAPSHOT, 0) in script.hear(snapshot(1))
    assert not any(isinstance(fact, facts.Observed) for fact in script.facts())
    script.hear(snapshot(2))
    assert script.driver.stage == "ready"


def test_presence_waits_for_its_edges_too():
    script = Script()
    script.identified(abilities=1 << Ability.PRESENCE_LIVE)
    script.hear(v1.Pong(0, 7, 10, 1, 1), snapshot(0))
    before = len(script.facts())
    script.hear(v1.Presence(1, 2, None, b"\x01\0\0\0\0\0"))
    assert len(script.facts()) == before
    script.hear(dice(1))
    told = script.facts()[before:]
    assert [type(fact) for fact in told] == [facts.Dice, facts.Observed]


def test_levels_wait_while_edges_are_on_their_way():
    script = Script().ready()
    later = levels(95, (Phase.UP, Phase.READY))
    script.hear(v1.Pong(0, 7, 90, 1, 3), later)
    assert not any(isinstance(fact, facts.Phase) for fact in script.facts())
    script.hear(dice(1), dice(2))
    phases = [fact for fact in script.facts() if isinstance(fact, facts.Phase)]
    # The set that has left the table comes first.
    assert phases == [facts.Phase(set="b", phase="ready"), facts.Phase(set="a", phase="up")]
    script.hear(levels(96, (Phase.UP, Phase.READY)))
    assert [fact for fact in script.facts() if isinstance(fact, facts.Phase)] == phases


def test_troubles_that_came_and_went_unseen_are_told_with_the_snapshot():
    script = Script().ready()
    script.hear(v1.TroubleEdge(1, 5, 1, None, None, 1, None, None))
    script.driver.committed(7, 1)
    # Two edges fell out of the ring: the jam's end and another trouble's beginning.
    script.hear(v1.Pong(0, 7, 60, 4, 4))
    script.hear(snapshot(3, uptime=70)._replace(troubles=1 << 4))
    troubles = [fact for fact in script.facts() if isinstance(fact, facts.Trouble)]
    assert troubles == [
        facts.Trouble(code="jam", on=True),
        facts.Trouble(code="jam", on=False),
        facts.Trouble(code="too_many", on=True),
    ]


def test_a_boot_number_that_repeats_is_refused_with_a_remedy():
    script = Script(known=(7, 50))
    script.identified()
    script.hear(v1.Pong(0, 7, 10, 1, 3))
    assert script.driver.stage == "refused"
    assert script.complaints() == ["link.boot_repeats"]
    assert script.facts() == []


def test_a_pong_that_was_long_on_its_way_is_no_repeated_boot():
    script = Script().ready()
    asked = script.wait(2000)
    [ping] = [one for one in asked if isinstance(one, v1.Ping)]
    script.hear(*(dice(n) for n in range(1, 6)))
    # The answer was given before those edges happened.
    script.hear(v1.Pong(ping.nonce, 7, 60, 1, 1))
    assert script.driver.stage == "ready"
    assert script.complaints() == []
    # So was the very first, which the line doubled.
    script.hear(v1.Pong(script.first, 7, 10, 1, 1))
    assert script.driver.stage == "ready"
    # An answer to nothing that was asked says nothing.
    script.hear(v1.Pong(ping.nonce ^ 0x5555, 7, 60, 900, 900))
    assert not any(isinstance(fact, facts.Lost) for fact in script.facts())


def test_a_snapshot_older_than_what_is_known_is_asked_for_again():
    script = Script().identified()
    script.hear(v1.Pong(0, 7, 900, 1, 1))
    assert v1.Get(What.SNAPSHOT, 0) in script.hear(snapshot(0, uptime=100))
    assert script.driver.stage == "draining"
    script.hear(snapshot(0, uptime=901))
    assert script.driver.stage == "ready"


def test_a_board_s_clock_may_run_over():
    script = Script()
    script.identified()
    high = 2**32 - 50
    script.hear(v1.Pong(0, 7, high, 1, 1), snapshot(0, uptime=high))
    assert script.driver.stage == "ready"
    script.hear(levels(high + 20, (Phase.UP, None)))
    script.hear(levels(30, (Phase.DROPPING, None)))
    told = [fact.phase for fact in script.facts() if isinstance(fact, facts.Phase)]
    assert told == ["up", "dropping"]


def test_a_known_boot_goes_on_behind_the_last_durable_edge():
    script = Script(known=(7, 2))
    script.identified()
    assert v1.Ack(7, 2, 8) in script.hear(v1.Pong(0, 7, 10, 1, 4))
    script.hear(dice(2), dice(3))
    assert [one.edge for one in script.said if isinstance(one, Told) and one.edge] == [3]


def test_another_boot_has_lost_what_the_old_one_kept_nobody_knows_how_much():
    script = Script(known=(6, 40))
    script.identified()
    script.hear(v1.Pong(0, 7, 10, 3, 4))
    losses = [fact for fact in script.facts() if isinstance(fact, facts.Lost)]
    assert losses == [facts.Lost(first=41), facts.Lost(first=1, count=2)]
