"""Boards that are newer, older, forgetful or wrong: the host says so and goes on where it can."""

from __future__ import annotations

import pytest
from support.boards import ABOUT, Host, MemoryPeer

from protocols import catalog, v0, v1
from protocols.codes import ANY_PHASE, Ability, Motion, Phase, Reason, Result, What, Why
from protocols.deframer import Deframer
from protocols.frame import MOST_BODY, Frame, encode
from tablectl.core import facts
from tablectl.errors import TablectlError
from tablectl.link import sentences
from tablectl.link.said import Became, Complaint, Ended, Told
from tablectl.link.tablectl_v1 import TablectlV1
from tablectl.link.translate import Reading, of_troubles
from tablesim.firmware import Board

ANY = (ANY_PHASE, ANY_PHASE)


class Script:
    """A host's driver whose board is written by hand, message by message."""

    def __init__(self, known: tuple[int, int] | None = None) -> None:
        self.now = 0
        self.nonce = 0
        self.said: list[object] = []
        self.driver = TablectlV1(100, lambda uid: known)
        self.conversation = 100
        assert self.asked() == [v0.Hello(b"TCT1", 100, 1, 1)]

    def hear(self, *messages: catalog.Message | Frame) -> list[catalog.Message]:
        """The board says this; what the host answers. A PONG answers the last PING."""
        for message in messages:
            if isinstance(message, v1.Pong) and not message.nonce:
                self.asked()
                message = message._replace(nonce=self.nonce)  # noqa: PLW2901
            frame = message if isinstance(message, Frame) else catalog.encode(message)
            self.said += self.driver.feed(encode(frame), self.now)
        return self.asked()

    def asked(self) -> list[catalog.Message]:
        found = [catalog.decode(frame) for frame in Deframer().feed(self.driver.take())]
        self.nonce = next(
            (one.nonce for one in reversed(found) if isinstance(one, v1.Ping)), self.nonce
        )
        return found

    def wait(self, ms: int) -> list[catalog.Message]:
        """Time goes on; what the host asks meanwhile."""
        asked = []
        for _ in range(ms // 100):
            self.now += 100
            self.said += self.driver.tick(self.now)
            asked += self.asked()
        return asked

    def iam(self, least: int = 1, most: int = 1, boot: int = 7) -> v0.Iam:
        return v0.Iam(
            b"TCT1", self.conversation, least, most, boot, bytes(8), 4, MOST_BODY, "odd", "1"
        )

    def identified(self, boot: int = 7, abilities: int = 0) -> Script:
        """Up to the point where the host asks for edges."""
        self.hear(
            self.iam(boot=boot),
            v1.Abilities(abilities, 4, 2, 2, 4, 200, 0),
            v1.Number(0, 0, 0, None, (None,) * 4, 255, 0, 0, ""),
        )
        return self

    def ready(self, next_: int = 1) -> Script:
        self.identified()
        self.asked()
        self.first = self.nonce
        self.hear(v1.Pong(0, 7, 10, next_, next_), snapshot(next_ - 1))
        assert self.driver.stage == "ready"
        return self

    def complaints(self) -> list[str]:
        return [one.code for one in self.said if isinstance(one, Complaint)]

    def facts(self) -> list[facts.Fact]:
        return [one.fact for one in self.said if isinstance(one, Told)]


def levels(uptime: int = 50, phase: tuple[int | None, int | None] = (None, None)) -> v1.Levels:
    nothing = (None, None, None, None)
    return v1.Levels(uptime, phase, (None, None), (None, None), nothing, nothing, 0)


def snapshot(upto: int, uptime: int = 50) -> v1.Snapshot:
    return v1.Snapshot(upto, 7, levels(uptime), 0, (None,) * 4, 0, None, None)


def dice(number: int, at: int = 20) -> v1.DiceEdge:
    return v1.DiceEdge(number, at, 2, (3, 4, None, None))


# ── versions and growth ─────────────────────────────────────────────────────────────────────────


def test_a_board_of_version_2_alone_is_refused_with_a_remedy_and_called_again():
    script = Script()
    script.hear(script.iam(least=2, most=3))
    assert script.driver.stage == "refused"
    assert script.complaints() == ["link.version"]
    [complaint] = [one for one in script.said if isinstance(one, Complaint)]
    error = TablectlError(complaint.code, **dict(complaint.values))
    assert "version 2 to 3" in error.message
    assert error.hint
    assert script.hear(dice(1)) == []
    assert script.wait(6000) == [v0.Hello(b"TCT1", 101, 1, 1)]
    # Its firmware was exchanged meanwhile.
    script.conversation = 101
    script.hear(script.iam())
    assert script.driver.stage == "identifying"


def test_a_board_that_speaks_version_2_too_is_spoken_with_in_version_1():
    script = Script()
    asked = script.hear(script.iam(least=1, most=2))
    assert asked == [v1.Get(What.ABILITIES, 0)]


def test_a_frame_of_version_2_is_passed_over():
    script = Script().ready()
    assert script.hear(Frame(2, 0xA3, bytes(13))) == []
    assert script.driver.stage == "ready"


def test_bodies_longer_than_known_are_read_as_far_as_they_are_known():
    script = Script()
    for message in (
        script.iam(),
        v1.Abilities(0, 4, 2, 2, 4, 200, 0),
        v1.Number(0, 0, 0, None, (None,) * 4, 255, 0, 0, ""),
        v1.Pong(0, 7, 10, 1, 2),
        dice(1),
        snapshot(1),
    ):
        if isinstance(message, v1.Pong):
            script.asked()
            message = message._replace(nonce=script.nonce)  # noqa: PLW2901
        frame = catalog.encode(message)
        script.hear(frame._replace(body=frame.body + b"\x01\x02\x03"))
    assert script.driver.stage == "ready"
    assert facts.Dice(pips=(3, 4)) in script.facts()


def test_an_edge_of_a_new_type_counts_and_is_passed_over():
    script = Script().ready()
    new = Frame(1, 0xB0, (1).to_bytes(4, "little") + bytes(9))
    answer = script.hear(new)
    assert answer == [v1.Ack(7, 1, 8)], "nobody has to make it durable"
    assert script.complaints() == ["link.unknown_edge"]
    script.hear(dice(2))
    assert facts.Dice(pips=(3, 4)) in script.facts()


def test_an_edge_of_a_new_type_is_not_acknowledged_before_those_that_precede_it():
    script = Script().ready()
    script.hear(dice(1))
    assert script.hear(Frame(1, 0xB0, (2).to_bytes(4, "little") + bytes(9))) == []
    script.driver.committed(7, 1)
    assert script.asked() == [v1.Ack(7, 2, 8)]


# ── what is missing is asked for again ──────────────────────────────────────────────────────────


def number(nth: int, of: int) -> v1.Number:
    return v1.Number(nth, of, nth + 1, 136, (34, 34, 34, 34), 0, 16, 0, f"no. {nth + 1}")


def test_numbers_that_do_not_come_are_asked_for_from_the_first_missing():
    script = Script()
    script.hear(script.iam())
    asked = script.hear(v1.Abilities(0, 4, 2, 2, 4, 200, 0))
    assert asked == [v1.Get(What.NUMBERS, 0)]
    script.hear(number(0, 3), number(2, 3))
    assert script.wait(1000) == [v1.Get(What.NUMBERS, 1)]
    script.hear(number(1, 3))
    assert script.driver.stage == "draining"
    assert script.driver.identity is not None
    assert [one.number for one in script.driver.identity.numbers] == [1, 2, 3]


def test_a_board_that_never_tells_all_numbers_is_used_with_those_it_tells():
    script = Script()
    script.hear(script.iam(), v1.Abilities(0, 4, 2, 2, 4, 200, 0), number(0, 3), number(2, 3))
    for _ in range(8):
        script.wait(1000)
        script.hear(number(2, 3))
    assert script.complaints() == ["link.numbers_missing"]
    assert script.driver.stage == "draining"


def test_a_lost_answer_of_any_kind_is_asked_for_each_second():
    script = Script()
    assert script.wait(3000) == 3 * [v0.Hello(b"TCT1", 100, 1, 1)]
    script.hear(script.iam())
    assert script.wait(1900).count(v1.Get(What.ABILITIES, 0)) == 1
    script = Script().identified()
    assert {type(message) for message in script.wait(1000)} == {v1.Ping}
    script.hear(v1.Pong(0, 7, 10, 1, 1))
    assert v1.Get(What.SNAPSHOT, 0) in script.wait(1000)


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


def test_a_late_edge_s_acknowledgement_lets_levels_go():
    script = Script().ready()
    script.hear(*(dice(n) for n in range(1, 9)), levels(90, (Phase.UP, None)))
    assert not any(isinstance(fact, facts.Phase) for fact in script.facts())
    said = script.driver.committed(7, 8)
    assert [one.fact for one in said if isinstance(one, Told)] == [facts.Phase(set="a", phase="up")]


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


# ── HUH and outcomes ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("reason", [*Reason, 99], ids=lambda r: getattr(r, "name", "other"))
def test_every_huh_has_a_sentence_with_a_remedy(reason):
    script = Script().ready()
    script.hear(v0.Huh(0x12, reason, 3))
    [complaint] = [one for one in script.said if isinstance(one, Complaint)]
    assert complaint.code == f"link.huh.{getattr(reason, 'name', 'other').lower()}"
    error = TablectlError(complaint.code, **dict(complaint.values))
    assert "type 12" in error.message
    assert error.hint
    again = reason == Reason.BUSY
    assert (script.driver.stage == "calling") is again


def test_a_command_in_a_lost_conversation_begins_a_new_one_and_asks():
    script = Script().ready()
    name = script.driver.command(lambda c, n: v1.Move(c, n, ANY, Motion.THROW), script.now)
    script.asked()
    asked = script.hear(v0.Huh(0x19, Reason.FIELD, 0))
    script.conversation = 101
    assert asked == [v0.Hello(b"TCT1", 101, 1, 1)]
    script.ready()
    assert v1.AskOutcome(*name) in script.wait(200)
    script.hear(v1.Outcome(*name, Result.UNKNOWN, Why.FORGOTTEN, 0))
    assert [one for one in script.said if isinstance(one, Ended)] == [
        Ended(*name, "unknown", "forgotten")
    ]


@pytest.mark.parametrize("why", list(Why), ids=lambda why: why.name)
def test_every_reason_of_an_outcome_has_a_sentence_with_a_remedy(why):
    script = Script().ready()
    name = script.driver.command(lambda c, n: v1.Select(c, n, ANY, 1, 5), script.now)
    script.hear(v1.Outcome(*name, Result.REFUSED, why, 0))
    assert script.said[-1] == Ended(*name, "refused", why.name.lower())
    error = TablectlError(sentences.NOT_DONE[why.name.lower()])
    assert error.message
    assert error.hint


def test_a_command_that_the_board_has_never_seen_is_sent_again_and_only_then():
    script = Script().ready()
    name = script.driver.command(lambda c, n: v1.Move(c, n, ANY, Motion.THROW), script.now)
    sent = script.asked()
    assert sent == [v1.Move(*name, ANY, Motion.THROW)]
    asked = script.wait(1500)
    assert asked == 2 * [v1.AskOutcome(*name)], "asked, never sent blindly"
    assert script.hear(v1.Outcome(*name, Result.UNKNOWN, Why.NONE, 0)) == sent


def test_a_board_that_never_answers_leaves_the_outcome_honestly_unknown():
    script = Script().ready()
    name = script.driver.command(lambda c, n: v1.Move(c, n, ANY, Motion.THROW), script.now)
    for _ in range(30):
        script.wait(1000)
        script.hear(levels(script.now))
    assert [one for one in script.said if isinstance(one, Ended)] == [
        Ended(*name, "unknown", "no_answer")
    ]


def test_an_outcome_of_nothing_that_was_asked_says_nothing():
    script = Script().ready()
    script.hear(v1.Outcome(1, 1, Result.DONE, Why.NONE, 0))
    assert not any(isinstance(one, Ended) for one in script.said)


@pytest.mark.parametrize(
    ("why", "about", "edges"),
    [
        ("unable", {"abilities": ()}, []),
        ("guard", {"guard": 5}, [(v1.ButtonEdge, 0, 1, 0)]),
        ("no_sign", {}, []),
        ("busy", {}, []),
        ("forgotten", {}, []),
    ],
)
def test_the_refusals_that_need_a_board_of_their_own(why, about, edges):
    """The others are refused by all three boards in test_conversation.py."""
    board = Board(ABOUT.__class__(**{**ABOUT.__dict__, **about}), lambda message: None, 7)
    peer = MemoryPeer()
    peer.board = board
    host = Host(peer).ready()
    for edge in edges:
        peer.edge(*edge)
    if why == "busy":
        # Another command came in another way, as a host that was replaced in between leaves it.
        board.feed(encode(catalog.encode(v1.Move(100, 1, ANY, Motion.THROW))), 0)
        host.driver._number = 1
    if why == "forgotten":
        board.feed(encode(catalog.encode(v1.Move(100, 9, ANY, Motion.THROW))), 0)
    host.driver.command(lambda c, n: v1.Move(c, n, ANY, Motion.THROW), host.now)
    host.run(11_000)
    ends = [(e.result, e.why) for e in host.ended() if e.result != "accepted"]
    result = "unknown" if why in ("no_sign", "forgotten") else "refused"
    assert ends == [(result, why)]


def test_stages_are_told_once():
    script = Script().ready()
    script.wait(1000)
    told = [one.stage for one in script.said if isinstance(one, Became)]
    assert told == ["identifying", "draining", "ready"]


def test_what_was_told_before_a_refusal_is_not_told_again():
    script = Script(known=(6, 40))
    script.identified()
    script.hear(v1.Pong(0, 7, 10, 1, 1), dice(1), dice(2))
    ping = script.wait(2000)[-1]
    # The board has had less than it told: it repeats its boot number.
    script.hear(v1.Pong(ping.nonce, 7, 10, 1, 1))
    assert script.driver.stage == "refused"
    script.wait(6000)
    script.conversation = 101
    script.identified()
    script.hear(v1.Pong(0, 7, 10, 1, 4), dice(3))
    keys = [one.key for one in script.said if isinstance(one, Told)]
    assert len(keys) == len(set(keys))
    assert [one.edge for one in script.said if isinstance(one, Told) and one.edge] == [1, 2, 3]
