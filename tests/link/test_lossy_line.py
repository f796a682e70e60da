"""Host and board over a line that drops, flips, doubles, splits and delays bytes both ways.

Whatever the line does: each edge is told once and in order, unless more than the ring came in
between, and then `lost` has the exact count; each command is acted on at most once and its outcome
is known or honestly unknown; and once the line is good again everything comes right.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from support.boards import FIRST_BOOT, Host, MemoryPeer, Peer
from support.peers import BoardPty, SimMemory, compiler

from protocols import v1
from protocols.codes import ANY_PHASE, Button, Lamp, LampMode, Motion
from tablectl.core import facts
from tablesim.faults import LINE, BadLine

SEEDS = st.integers(0, 2**32 - 1)


ANY = (ANY_PHASE, ANY_PHASE)
COMMANDS = (
    lambda conversation, n: v1.Move(conversation, n, ANY, Motion.THROW),
    lambda conversation, n: v1.Move(conversation, n, ANY, Motion.START),
    lambda conversation, n: v1.Lamp(conversation, n, Lamp.CALL, LampMode.ON),
)
"""One that takes time, one that nothing may show, one that is done at once."""


class Lossy(RuleBasedStateMachine):
    """What can happen to a host and a board; the model is what happened at the board."""

    def __init__(self) -> None:
        super().__init__()
        self.peer = self.make_peer()
        self.host = Host(self.peer)
        self.boot = FIRST_BOOT
        self.happened = {FIRST_BOOT: 0}
        self.lines = (BadLine(), BadLine())
        self.given: set[tuple[int, int]] = set()
        self.given_by_this_run: set[tuple[int, int]] = set()
        self.runs = 1

    def make_peer(self) -> Peer:
        return MemoryPeer()

    def teardown(self) -> None:
        self.peer.close()

    # ── what can happen ─────────────────────────────────────────────────────────────────────────

    @rule(trouble=st.sampled_from((0.0, 0.1, 0.3, 0.6)), seed=SEEDS)
    def the_line_changes(self, trouble: float, seed: int) -> None:
        for n, line in enumerate(self.lines):
            line.chances = dict.fromkeys(LINE, trouble / len(LINE))
            line.rng.seed(seed + n)

    @rule(ms=st.sampled_from((50, 400, 1000, 4000)))
    def time_goes_on(self, ms: int) -> None:
        host, (to_board, to_host) = self.host, self.lines
        until = host.now + ms
        while host.now < until:
            host.now = min(host.now + 50, until)
            host.keep(host.driver.tick(host.now))
            to_board.send(host.driver.take(), host.now)
            to_host.send(self.peer.run(to_board.arrived(host.now), host.now), host.now)
            host.hear(to_host.arrived(host.now))

    @rule(n=st.sampled_from((1, 1, 2, 3, 4, 5, 9, 100)))
    def tiles_are_taken(self, n: int) -> None:
        for _ in range(n):
            self.happened[self.boot] = self.peer.edge(v1.TakenEdge, 2 << 2, 0)

    @rule()
    def the_dice_fall(self) -> None:
        self.happened[self.boot] = self.peer.edge(v1.DiceEdge, 2, (3, 4, None, None))

    @precondition(lambda self: self.host.driver.may_command)
    @rule(make=st.sampled_from(COMMANDS))
    def a_command_is_given(self, make: Callable[[int, int], v1.Command]) -> None:
        name = self.host.driver.command(make, self.host.now)
        assert name not in self.given
        self.given.add(name)
        self.given_by_this_run.add(name)

    @rule()
    def the_journal_waits_or_goes_on(self) -> None:
        self.host.durable = not self.host.durable
        if self.host.durable:
            self.host.commit()

    @rule()
    def the_board_is_reset(self) -> None:
        self.boot = self.peer.reset()
        self.happened[self.boot] = 0
        # No line brings what was sent before a reset after what was sent behind it (PROTOCOL.md,
        # section 2): an edge does not say of which boot it is.
        for line in self.lines:
            line.cut()

    @rule()
    def the_host_begins_again(self) -> None:
        self.runs += 1
        self.given_by_this_run.clear()
        self.host.begin(1000 * self.runs)

    @rule()
    def the_line_is_pulled_and_plugged_in(self) -> None:
        for line in self.lines:
            line.cut()
        self.host.keep(self.host.driver.close("unplugged", self.host.now))

    @rule()
    def the_line_is_good_and_all_comes_right(self) -> None:
        for line in self.lines:
            line.chances = {}
        self.host.durable = True
        self.host.commit()
        for _ in range(60):
            self.time_goes_on(1000)
            self.look()
            if self._all_is_known():
                return
        raise AssertionError((self.host.driver.stage, self.host.edges(self.boot), self.happened))

    def _all_is_known(self) -> bool:
        ended = {(e.conversation, e.command) for e in self.host.ended() if e.result != "accepted"}
        return (
            self.host.driver.may_command
            and self._reached(self.boot) == self.happened[self.boot] + 1
            and self.given_by_this_run <= ended
            and self.levels_agree()
        )

    def levels_agree(self) -> bool:
        """Whether the levels told last are the board's; where only edges happen they are."""
        return True

    def look(self) -> None:
        """See what happened at the board by itself: nothing, where only the rules act."""

    # ── what always holds ───────────────────────────────────────────────────────────────────────

    def _reached(self, boot: int) -> int:
        """The number after the last edge told or counted as lost; all before it came once."""
        following = 1
        for one in self.host.edges(boot):
            assert following is not None, f"after an uncounted loss: {one}"
            if isinstance(one, int):
                assert one == following
                following += 1
                continue
            _, first, count = one
            assert first == following
            if count is None:
                following = None
            else:
                following += count
                # What is called lost has fallen out of the ring.
                assert following <= self.happened[boot] - self.peer.ring + 1
        return following or 0

    @invariant()
    def edges_come_once_in_order_and_losses_are_exact(self) -> None:
        self.look()
        for boot, last in self.happened.items():
            assert self._reached(boot) <= last + 1

    @invariant()
    def no_board_is_refused_for_what_the_line_did(self) -> None:
        assert "refused" not in self.host.stages()

    @invariant()
    def commands_are_acted_on_at_most_once_and_end_once(self) -> None:
        assert self.peer.acted() <= len(self.given)
        # Where the test sees the presses themselves, it counts them for each command.
        pressed = [(one.conversation, one.command) for one in getattr(self.peer, "pressed", ())]
        assert len(pressed) == len(set(pressed))
        assert set(pressed) <= self.given
        ends = [(e.conversation, e.command) for e in self.host.ended() if e.result != "accepted"]
        assert len(ends) == len(set(ends))
        assert set(ends) <= self.given


TestLossy = Lossy.TestCase
TestLossy.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)


class LossyTable(Lossy):
    """The same with a whole simulated table, whose machine does what it is told."""

    def make_peer(self) -> Peer:
        return SimMemory("stock+counts")

    def levels_agree(self) -> bool:
        assert isinstance(self.peer, SimMemory)
        told: dict[object, object] = {}
        for fact in self.host.facts:
            if isinstance(fact, facts.Phase):
                told[fact.set] = fact.phase
            elif isinstance(fact, facts.CountLeft):
                told[fact.side] = fact.left
            elif isinstance(fact, facts.Observed) and fact.counts is not None:
                told |= dict(enumerate(fact.counts))
        machine = self.peer.table.machine
        true = {one.name: one.phase.name.lower() for one in machine.sets}
        return told == true | dict(enumerate(machine.counts() or (0, 0, 0, 0)))

    @rule()
    def a_hand_takes_a_tile_or_presses_start(self) -> None:
        assert isinstance(self.peer, SimMemory)
        table = self.peer.table
        up = table.machine.up
        if up is None or not up.walls:
            table.machine.press(Button.START)
        else:
            table.hands.take(min(up.walls))
        table.settle()

    def look(self) -> None:
        assert isinstance(self.peer, SimMemory)
        self.happened[self.boot] = self.peer.table.board.next_edge - 1


class LossyBoard(Lossy):
    """The same with the reference board in C."""

    def make_peer(self) -> Peer:
        self.folder = TemporaryDirectory()
        return BoardPty(Path(self.folder.name))

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


TestLossyTable = LossyTable.TestCase
TestLossyTable.settings = settings(max_examples=10, stateful_step_count=30, deadline=None)
TestLossyBoard = pytest.mark.skipif(compiler() is None, reason="no C compiler or make is here")(
    LossyBoard.TestCase
)
TestLossyBoard.settings = settings(max_examples=10, stateful_step_count=20, deadline=None)
