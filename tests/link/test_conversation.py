"""Host and board over a good line, against three boards: what a table's day brings."""

from __future__ import annotations

import pytest
from support.boards import Host

from protocols import v1
from protocols.codes import ANY_PHASE, Lamp, LampMode, Motion, Phase, Trouble, place_code
from tablectl.core import facts
from tablectl.core.wall import Place
from tablectl.errors import TablectlError
from tablectl.link.said import Told

ANY = (ANY_PHASE, ANY_PHASE)
TAKEN = (v1.TakenEdge, place_code(1, 3, "upper"), 0)
DICE = (v1.DiceEdge, 2, (3, 4, None, None))


def move(what: int):
    return lambda conversation, n: v1.Move(conversation, n, ANY, what)


def select(number: int, which: int = 1, phases: tuple[int, int] = ANY):
    return lambda conversation, n: v1.Select(conversation, n, phases, which, number)


# ── beginning ───────────────────────────────────────────────────────────────────────────────────


def test_a_board_tells_what_it_is(host):
    host.ready()
    assert host.stages() == ["identifying", "draining", "ready"]
    assert host.now <= 200, "nothing waits for a timer where nothing was lost"
    [board] = [fact for fact in host.facts if isinstance(fact, facts.Board)]
    assert board.boot == 7
    assert "phases" in board.abilities
    assert len(board.uid) == 16
    assert host.driver.identity is not None
    assert 5 in [number.number for number in host.driver.identity.numbers]
    assert any(number.name == "華8" for number in host.driver.identity.numbers)
    [snapshot] = [f for f in host.facts if isinstance(f, facts.Observed) and f.of == "snapshot"]
    assert set(snapshot.values) >= {"phase", "active", "pending", "dice", "troubles", "up"}
    sides = [f.side for f in host.facts if isinstance(f, facts.Observed) and f.of == "presence"]
    assert sides == [0, 1, 2, 3]


def test_what_happened_before_anyone_asked_comes_in_order(host, peer):
    last = [peer.edge(*DICE), peer.edge(*TAKEN), peer.edge(*TAKEN)][-1]
    host.ready()
    assert host.edges() == list(range(1, last + 1))
    assert facts.Dice(pips=(3, 4)) in host.facts
    assert facts.Taken(place=Place(1, 3, "upper")) in host.facts


def test_edges_come_as_they_happen_with_the_time_of_the_board(host, peer):
    host.ready()
    host.run(5000)
    number = peer.edge(*DICE)
    host.run(100)
    told = [one for one in host.said if isinstance(one, Told) and one.edge == number]
    assert [one.key for one in told] == [f"b:7:{number}"]
    assert [one.fact for one in told] == [facts.Dice(pips=(3, 4))]
    assert 5000 <= (told[0].at or 0) <= host.now


@pytest.mark.parametrize(
    ("edge", "fact"),
    [
        ((v1.NumberEdge, 1, 0, 5), facts.Number(set="a", number=5, state="pending")),
        ((v1.NumberEdge, 2, 1, 5), facts.Number(set="b", number=5, state="active")),
        ((v1.PhaseEdge, 2, Phase.MIXING, Phase.STACKING), facts.Phase(set="b", phase="stacking")),
        ((v1.PhaseEdge, 2, None, None), facts.Phase(set="b", phase="unknown")),
        (
            (v1.RaisedEdge, 1, 5, (30, 28, 30, 28)),
            facts.Raised(set="a", number=5, sides=(30, 28, 30, 28)),
        ),
        ((v1.RaisedEdge, 2, None, (None,) * 4), facts.Raised(set="b")),
        (
            (v1.DiceEdge, 2, (3, None, None, None)),
            facts.Trouble(code="dice_unread"),
        ),
        ((v1.ButtonEdge, 0, 2, 1), facts.Button(button="start", press="long", seat=2)),
        ((v1.ButtonEdge, 77, None, 0), facts.Button(button="number 77")),
        (TAKEN, facts.Taken(place=Place(1, 3, "upper"))),
        ((v1.TakenEdge, place_code(3, 17, "lower"), 1), facts.PutBack(place=Place(3, 17, "lower"))),
        (
            (v1.ShownEdge, place_code(2, 9, "on"), 22, 2),
            facts.Shown(place=Place(2, 9, "on"), tile="5sg"),
        ),
        ((v1.ShownEdge, place_code(2, 9, "upper"), None, None),
         facts.Shown(place=Place(2, 9, "upper"), tile="?")),
        (
            (v1.SealedEdge, place_code(0, 1, "lower"), 4, 1),
            facts.Sealed(place=Place(0, 1, "lower")),
        ),
        (
            (v1.TroubleEdge, Trouble.SHORT, 2, 3, 1, 28, 27),
            facts.Trouble(code="short", set="b", side=3, expected=28, found=27),
        ),
        ((v1.TroubleEdge, 29, None, None, 0, None, None), facts.Trouble(code="other", on=False)),
        ((v1.RiichiEdge, 3, 1), facts.Riichi(seat=3)),
        ((v1.RiichiEdge, 3, 0), facts.Riichi(seat=3, taken_back=True)),
    ],
    ids=lambda value: value.__class__.__name__ if isinstance(value, facts.Fact) else None,
)  # fmt: skip
def test_every_edge_becomes_its_fact(host, peer, edge, fact):
    host.ready()
    number = peer.edge(*edge)
    host.run(100)
    told = [one for one in host.said if isinstance(one, Told) and one.edge == number]
    assert [one.fact for one in told] == [fact]
    sealed = isinstance(fact, facts.Sealed)
    assert told[0].face == ("5mr" if sealed else None)
    assert "5mr" not in repr(told)


def test_a_number_for_both_sets_is_two_facts_of_one_edge(host, peer):
    host.ready()
    number = peer.edge(v1.NumberEdge, 0, 0, 5)
    host.run(100)
    told = [
        one for one in host.said if isinstance(one, Told) and one.key.startswith(f"b:7:{number}")
    ]
    assert [one.fact.set for one in told if isinstance(one.fact, facts.Number)] == ["a", "b"]
    assert [one.edge for one in told] == [None, number], "acknowledged once both are durable"


def test_what_says_nothing_is_passed_over_and_still_acknowledged(host, peer):
    host.ready()
    peer.edge(v1.VendorEdge, b"\x01\x02")
    number = peer.edge(*DICE)
    peer.edge(v1.VendorEdge, b"")
    host.run(100)
    assert host.edges()[-1] == number
    peer.edges(peer.ring, *TAKEN)
    host.run(4000)
    assert [one for one in host.edges() if isinstance(one, tuple)] == []


# ── durable before acknowledged ─────────────────────────────────────────────────────────────────


def test_nothing_is_acknowledged_before_it_is_durable(host, peer):
    host.ready()
    host.durable = False
    last = peer.edges(min(3, peer.ring), *TAKEN)
    host.run(5000)
    assert host.edges()[-1] == last
    # The host dies without having kept anything: another run is told all of it again.
    host.begin(1000)
    assert host.edges() == []
    host.durable = True
    host.ready()
    assert host.edges() == list(range(1, last + 1))


@pytest.mark.parametrize("over", ["0", "N-1", "N", "N+1", "10 N"])
def test_an_outage_loses_exactly_what_does_not_fit_into_the_ring(host, peer, over):
    host.ready()
    before = host.known[1] if host.known else 0
    host.keep(host.driver.close("unplugged", host.now))
    peer.run(b"", host.now)
    size = peer.ring
    count = {"0": 0, "N-1": size - 1, "N": size, "N+1": size + 1, "10 N": 10 * size}[over]
    last = peer.edges(count, *TAKEN) if count else before
    lost = max(0, count - size)
    host.run(1000)
    host.ready()
    host.run(4000)
    told = [one for one in host.edges() if isinstance(one, tuple)]
    assert told == ([("lost", before + 1, lost)] if lost else [])
    assert [e for e in host.edges() if isinstance(e, int)][-1:] == ([last] if last else [])
    if lost:
        after = [f.of for f in host.facts if isinstance(f, facts.Observed)]
        assert after.count("snapshot") >= 2


def test_more_edges_than_credit_flow_while_the_journal_keeps_up(host, peer):
    host.ready()
    for _ in range(10):
        peer.edges(peer.ring, *TAKEN)
        host.run(40 + 4 * peer.ring)
    assert host.edges() == list(range(1, 10 * peer.ring + 1))


# ── commands ────────────────────────────────────────────────────────────────────────────────────


def test_a_motion_is_accepted_and_then_done(host, peer):
    host.ready()
    name = host.driver.command(move(Motion.THROW), host.now)
    host.run(100)
    peer.carry_out(Motion.THROW)
    host.run(5000)
    assert [(e.result, e.why) for e in host.ended()] == [("accepted", None), ("done", None)]
    assert {(e.conversation, e.command) for e in host.ended()} == {name}
    assert peer.acted() == 1
    assert any(isinstance(fact, facts.Dice) for fact in host.facts)


def test_a_lamp_is_done_at_once(host, peer):
    host.ready()
    host.driver.command(
        lambda conversation, n: v1.Lamp(conversation, n, Lamp.CALL, LampMode.ON), host.now
    )
    host.run(100)
    assert [e.result for e in host.ended()] == ["done"]


def test_one_command_at_a_time_and_none_before_the_table_is_known(host):
    with pytest.raises(TablectlError) as refused:
        host.driver.command(move(Motion.THROW), host.now)
    assert refused.value.code == "link.not_ready"
    host.ready()
    host.driver.command(move(Motion.THROW), host.now)
    with pytest.raises(TablectlError) as refused:
        host.driver.command(move(Motion.THROW), host.now)
    assert refused.value.code == "link.command_runs"
    assert refused.value.hint


def test_a_value_that_the_wire_cannot_hold_is_refused_and_nothing_is_under_way(host):
    host.ready()
    with pytest.raises(ValueError, match="cannot hold"):
        host.driver.command(select(2**16), host.now)
    assert host.driver.may_command


def ends(host: Host) -> list[tuple[str, str | None]]:
    return [(e.result, e.why) for e in host.ended()]


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (select(5, which=3), "value"),
        (move(6), "value"),
        (lambda c, n: v1.Lamp(c, n, 16, 0), "value"),
        (lambda c, n: v1.Lamp(c, n, 12, 1), "unable"),
        (select(250), "number"),
        (select(5, phases=(1 << Phase.RAISING, ANY_PHASE)), "phase"),
    ],
)
def test_a_refusal_says_why_and_nothing_was_done(host, peer, make, why):
    host.ready()
    host.driver.command(make, host.now)
    host.run(100)
    assert ends(host) == [("refused", why)]
    assert peer.acted() == 0
    assert host.driver.may_command


def test_no_motion_while_a_trouble_is_on(host, peer):
    host.ready()
    peer.edge(v1.TroubleEdge, Trouble.JAM, None, None, 1, None, None)
    host.driver.command(move(Motion.THROW), host.now)
    host.run(100)
    assert ends(host) == [("refused", "trouble")]


def test_a_reset_within_a_command_makes_its_outcome_unknown(host, peer):
    host.ready()
    host.driver.command(move(Motion.THROW), host.now)
    host.run(100)
    boot = peer.reset()
    host.run(12_000)
    host.ready()
    assert ends(host) == [("accepted", None), ("unknown", "reset")]
    assert peer.acted() == 1
    assert host.driver.may_command
    assert [f.boot for f in host.facts if isinstance(f, facts.Board)] == [7, boot]
    assert any(isinstance(f, facts.Lost) and f.count is None for f in host.facts)


def test_a_pulled_line_within_a_command_asks_for_its_outcome(host, peer):
    host.ready()
    host.driver.command(move(Motion.THROW), host.now)
    host.run(100)
    host.keep(host.driver.close("unplugged", host.now))
    peer.run(b"", host.now + 100)
    peer.carry_out(Motion.THROW)
    peer.run(b"", host.now + 4000)
    host.now += 4000
    host.run(100)
    host.ready()
    host.run(1000)
    assert ends(host) == [("accepted", None), ("done", None)]
    assert peer.acted() == 1


def test_another_run_of_the_host_is_understood_at_once(host, peer):
    host.ready()
    peer.edge(*DICE)
    host.run(100)
    host.begin(5000)
    host.ready()
    host.driver.command(move(Motion.THROW), host.now)
    host.run(100)
    assert ends(host) == [("accepted", None)]


def test_a_host_with_an_older_conversation_takes_a_newer_one(host, peer):
    host.ready()
    host.begin(5)
    host.ready()
    assert "another conversation" in [getattr(one, "why", None) for one in host.said]
    host.driver.command(move(Motion.THROW), host.now)
    host.run(100)
    assert [e.result for e in host.ended()] == ["accepted"]


# ── silence ─────────────────────────────────────────────────────────────────────────────────────


def test_a_silent_line_is_noticed_and_called_again(host):
    host.ready()
    for _ in range(100):
        host.now += 100
        host.keep(host.driver.tick(host.now))
        host.driver.take()
        if host.driver.stage == "calling":
            break
    assert host.driver.stage == "calling"
    assert host.stages()[-1] == "calling"
    assert 8000 <= host.now <= 8400, "two seconds of silence, three questions of two seconds"


def test_a_quiet_table_stays_ready(host):
    host.ready()
    host.run(60_000, step=100)
    assert host.stages() == ["identifying", "draining", "ready"]
