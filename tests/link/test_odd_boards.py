"""Boards that are newer, older or forgetful: the host says so and goes on where it can."""

from __future__ import annotations

from support.script import Script, dice, number, snapshot

from protocols import catalog, v0, v1
from protocols.codes import What
from protocols.frame import Frame
from tablectl.core import facts
from tablectl.errors import TablectlError
from tablectl.link.said import Complaint

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
