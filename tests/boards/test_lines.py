"""The reference board's input lines: what they read becomes edges and levels of the host."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.boards import Host
from support.peers import BoardPty, compiler

from tablectl.core import facts
from tablectl.core.wall import Place

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C compiler or make is here")

START, DICE = 0, 1
PENDING_A, ACTIVE_A = 2, 3
FIRST_COUNT, DIE = 6, (14, 15)
MIXING_A, UP_A = 16, 20
JAM, RIICHI, PLACE = 24, 26, 28


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    peer = BoardPty(tmp_path, ring=32)
    yield Host(peer).ready()
    peer.close()


def set_lines(host: Host, ms: int, **lines: int) -> list[facts.Fact]:
    """Lines get these values; the facts that follow within so many ms."""
    before = len(host.facts)
    for name, value in lines.items():
        host.peer.ask("line", name.removeprefix("n"), value)
    host.run(ms)
    return host.facts[before:]


def test_a_button_is_told_when_it_is_let_go_and_long_while_it_is_held(host):
    assert set_lines(host, 300, n0=1) == []
    assert set_lines(host, 100, n0=0) == [facts.Button(button="start", seat=0)]
    held = [facts.Button(button="dice", press="long", seat=2)]
    assert set_lines(host, 900, n1=1) == held
    assert set_lines(host, 100, n1=0) == []


def test_a_bouncing_button_is_one_press(host):
    for value in (1, 0, 1, 0, 1):
        host.peer.ask("line", START, value)
        host.run(5, step=5)
    host.run(200)
    before = len(host.facts)
    for value in (0, 1, 0):
        host.peer.ask("line", START, value)
        host.run(5, step=5)
    host.run(200)
    assert host.facts[before:] == [facts.Button(button="start", seat=0)]


def test_walls_that_come_up_are_counted(host):
    lines = {f"n{FIRST_COUNT + side}": count for side, count in enumerate((30, 28, 30, 28))}
    set_lines(host, 200, n3=5, **lines)
    assert set_lines(host, 100, n20=1) == [
        facts.Phase(set="a", phase="up"),
        facts.Raised(set="a", number=5, sides=(30, 28, 30, 28)),
    ]


def test_hands_that_take_tiles_are_counted_and_seen(host):
    lines = {f"n{FIRST_COUNT + side}": 34 for side in range(4)}
    set_lines(host, 200, **lines)
    assert set_lines(host, 200, n6=33) == [facts.CountLeft(side=0, left=33)]
    upper = Place(0, 1, "upper")
    # PRESENCE follows each, but says nothing that the edge has not.
    assert set_lines(host, 200, n28=1) == [facts.PutBack(place=upper)]
    assert set_lines(host, 200, n28=0) == [facts.Taken(place=upper)]


def test_dice_are_read_when_all_lie(host):
    assert set_lines(host, 100, n14=3) == []
    assert set_lines(host, 100, n15=4) == [facts.Dice(pips=(3, 4))]
    assert set_lines(host, 100, n14=0, n15=0) == []
    assert set_lines(host, 100, n14=6, n15=255) == [facts.Trouble(code="dice_unread")]


def test_numbers_troubles_and_sticks(host):
    assert set_lines(host, 100, n2=5) == [facts.Number(set="a", number=5, state="pending")]
    assert set_lines(host, 100, n24=1) == [facts.Trouble(code="jam")]
    assert set_lines(host, 100, n24=0) == [facts.Trouble(code="jam", on=False)]
    assert set_lines(host, 100, n26=1) == [facts.Riichi(seat=0)]
    assert set_lines(host, 100, n26=0) == [facts.Riichi(seat=0, taken_back=True)]


def test_points_come_when_they_change_and_again_to_another_host(host):
    host.peer.ask("points", 2, 250, -50, 1)
    host.run(200)
    points = facts.Observed(
        of="points", seat=2, points=25_000, values={"difference": -5000, "sticks": 1}
    )
    assert host.facts.count(points) == 1
    host.begin(5000)
    host.said.clear()
    host.ready()
    assert host.facts.count(points) == 1


def test_a_button_is_pressed_for_the_host_and_let_go(host):
    from protocols import v1
    from protocols.codes import Motion

    host.driver.command(lambda c, n: v1.Move(c, n, (255, 255), Motion.START), host.now)
    host.run(100)
    assert host.peer.ask("presses") == ["8:1"]
    host.run(200)
    assert host.peer.ask("presses") == ["8:0"]
    set_lines(host, 100, n16=1)
    assert [e.result for e in host.ended()] == ["accepted", "done"]
