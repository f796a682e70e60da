"""HUH, outcomes and refusals: each has a sentence, and a command is never sent blindly."""

from __future__ import annotations

import pytest
from support.boards import ABOUT, Host, MemoryPeer
from support.script import ANY, Script, dice, levels

from protocols import catalog, v0, v1
from protocols.codes import Motion, Reason, Result, Why
from protocols.frame import encode
from tablectl.errors import TablectlError
from tablectl.link import sentences
from tablectl.link.said import Became, Complaint, Ended, Told
from tablesim.firmware import Board

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
