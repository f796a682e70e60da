"""A keeper by itself: how it finds, loses and finds again its line, and what it says of it."""

from __future__ import annotations

import asyncio
import itertools
import socket
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from support.clockwork import run

from protocols import v1
from tablectl.core import facts
from tablectl.errors import TablectlError
from tablectl.link.said import Became, Told
from tablectl.link.simulated import MemoryLine, MemoryPort, Sims
from tablectl.link.supervisor import Keeper
from tablectl.link.transport import MOST_IN_WINDOW, READ_AT_ONCE, WINDOW, Line
from tablesim.table import Table, find_model

MODEL = "presence"


@dataclass
class Ear:
    """A table's sink: what was said and how the line stood, each with its time."""

    table: str
    told: list[Told] = field(default_factory=list)
    stands: list[tuple[float, str, str | None]] = field(default_factory=list)
    durable: tuple[int, int] | None = None
    full: bool = False
    heard: int = 0

    def recall(self) -> tuple[int, int] | None:
        return self.durable

    def said(self, keeper: Keeper, said: Any) -> bool:
        self.heard += 1
        for one in said:
            if isinstance(one, Told):
                self.told.append(one)
                if one.edge is not None:
                    self.durable = (one.boot, one.edge)
                    asyncio.get_running_loop().call_soon(keeper.committed, one.boot, one.edge)
        return not self.full

    def line(self, keeper: Keeper, state: Any) -> None:
        self.stands.append((asyncio.get_running_loop().time(), state.stage, state.why))

    def facts(self, kind: type) -> list[Any]:
        return [one.fact for one in self.told if isinstance(one.fact, kind)]


@dataclass
class Home:
    """Who knows the tables. `turned_away`: boards that are said to be on another line."""

    ears: dict[str, Ear] = field(default_factory=dict)
    strange: list[tuple[float, str, TablectlError | None]] = field(default_factory=list)
    frames: list[Any] = field(default_factory=list)
    turned_away: set[str] = field(default_factory=set)

    def table_of(self, keeper: Keeper, identity: Any) -> Ear | None:
        if identity.uid in self.turned_away:
            return None
        return self.ears.setdefault(identity.uid, Ear(identity.uid))

    def unknown(self, keeper: Keeper, state: Any, complaint: TablectlError | None) -> None:
        self.strange.append((asyncio.get_running_loop().time(), state.stage, complaint))

    def captured(self, keeper: Keeper, frames: Any) -> None:
        self.frames += frames


@asynccontextmanager
async def keeping(opener: Any, home: Home) -> Any:
    """A keeper at work."""
    loop = asyncio.get_running_loop()
    numbers = itertools.count(1)
    keeper = Keeper(
        "sim:here", opener, home, lambda: int(loop.time() * 1000), lambda: next(numbers)
    )
    task = loop.create_task(keeper.run())
    try:
        yield keeper
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def at_a_table(home: Home, *, met: bool = True) -> Any:
    """A keeper and the simulated table at the other end of a line of memory."""
    sims = Sims(seed=1)
    served = await sims.table(MODEL)
    async with keeping(lambda heard, gone: sims.connect(MODEL, heard, gone), home) as keeper:
        if met:
            await until(lambda: keeper.state.stage == "ready", 3)
        yield keeper, served
    sims.stop()


async def until(done: Any, seconds: float) -> float:
    """Wait for it; gives how long it took."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    while not done():
        assert loop.time() - began < seconds, "it takes too long"
        await asyncio.sleep(0.01)
    return loop.time() - began


# ── the line ────────────────────────────────────────────────────────────────────────────────────


def test_a_port_that_is_not_there_is_said_once_and_looked_for_each_second():
    async def work() -> None:
        home, tries = Home(), []
        codes = ["link.port_absent"]

        async def opener(heard: Any, gone: Any) -> Any:
            tries.append(asyncio.get_running_loop().time())
            raise TablectlError(codes[0], where="/dev/tty1", who="screen")

        async with keeping(opener, home) as keeper:
            await asyncio.sleep(20)
            assert [(stage, error.code) for _, stage, error in home.strange] == [
                ("absent", "link.port_absent")
            ]
            assert keeper.complaint.message == keeper.state.why == "there is no such port"
            assert "ls /dev/serial/by-id" in keeper.complaint.hint
            waits = [b - a for a, b in itertools.pairwise(tries)]
            assert waits[:3] == pytest.approx([0.25, 0.5, 1.0])
            assert max(waits) == pytest.approx(1.0)
            codes[0] = "link.port_busy"
            await asyncio.sleep(5)
            assert [error.code for _, _, error in home.strange][1:] == ["link.port_busy"]
            assert "screen" in keeper.complaint.message

    run(work())


def test_a_pulled_line_is_said_within_a_second_and_the_return_is_ready_within_two():
    async def work() -> None:
        home = Home()
        async with at_a_table(home) as (keeper, served):
            [ear] = home.ears.values()
            for out in (0.1, 1.0, 7.3, 100.0):
                loop = asyncio.get_running_loop()
                pulled = loop.time()
                served.port.unplug()
                await asyncio.sleep(out)
                when, stage, why = ear.stands[-1]
                assert stage == "absent"
                assert "unplugged" in why
                assert when - pulled < 1
                await served.port.plug()
                assert await until(lambda: keeper.state.stage == "ready", 3) < 2
                assert ear.stands[-1][1] == "ready"
                assert keeper.complaint is None

    run(work())


def test_a_line_that_cannot_be_opened_again_waits_longer_only_up_to_a_second():
    async def work() -> None:
        home = Home()
        async with at_a_table(home) as (keeper, served):
            served.port.unplug()
            await asyncio.sleep(60)
            assert keeper.state.stage == "absent"
            [ear] = home.ears.values()
            # That it is still away is no news.
            assert [stage for _, stage, _ in ear.stands].count("absent") == 1
            await served.port.plug()
            assert await until(lambda: keeper.state.stage == "ready", 3) < 2

    run(work())


# ── the board ───────────────────────────────────────────────────────────────────────────────────


def test_a_board_of_an_unknown_version_is_shown_with_a_remedy_until_it_has_another():
    async def work() -> None:
        home = Home()
        async with at_a_table(home, met=False) as (keeper, served):
            about = served.table.board.about
            served.table.board.about = replace(about, least=9, most=9)
            await until(lambda: keeper.state.stage == "refused", 3)
            await asyncio.sleep(30)
            assert home.ears == {}
            refused = [error for _, stage, error in home.strange if stage == "refused"]
            assert len(refused) == 1
            assert "9" in keeper.complaint.message
            assert keeper.complaint.hint
            served.table.board.about = about
            assert await until(lambda: keeper.state.stage == "ready", 10) < 7
            assert keeper.complaint is None

    run(work())


def test_a_reset_board_is_met_anew_and_the_loss_is_told():
    async def work() -> None:
        home = Home()
        async with at_a_table(home) as (keeper, served):
            [ear] = home.ears.values()
            await served.obey({"do": "press", "button": "dice"})
            await asyncio.sleep(5)
            last = ear.durable[1]
            await served.obey({"do": "reset"})
            await until(lambda: len(ear.facts(facts.Board)) == 2, 30)
            await until(lambda: keeper.state.stage == "ready", 3)
            assert [board.boot for board in ear.facts(facts.Board)] == [1, 2]
            assert ear.facts(facts.Lost) == [facts.Lost(first=last + 1, count=None)]
            await served.obey({"do": "press", "button": "dice"})
            await asyncio.sleep(5)
            assert len(ear.facts(facts.Dice)) == 2
            assert ear.durable[0] == 2

    run(work())


def test_a_silent_board_is_down_until_it_speaks_again_on_the_same_line():
    async def work() -> None:
        home = Home()
        async with at_a_table(home) as (keeper, served):
            [ear] = home.ears.values()
            host = served.port.host
            await served.obey({"do": "fault", "name": "silent"})
            await until(lambda: keeper.state.stage == "calling", 10)
            assert ear.stands[-1][1:] == ("calling", "silent")
            await asyncio.sleep(60)
            await served.obey({"do": "press", "button": "dice"})
            await asyncio.sleep(5)
            assert ear.facts(facts.Dice) == []
            await served.obey({"do": "fault", "name": "silent", "end": True})
            assert await until(lambda: keeper.state.stage == "ready", 3) < 2
            assert len(ear.facts(facts.Dice)) == 1
            assert served.port.host is host

    run(work())


def test_another_board_on_the_same_open_line_is_another_table():
    async def work() -> None:
        home = Home()
        async with at_a_table(home) as (keeper, served):
            [first] = home.ears.values()
            served.table = Table(find_model("stock"), "another", seed=1)
            await until(lambda: len(home.ears) == 2, 10)
            await until(lambda: keeper.state.stage == "ready", 3)
            second = home.ears[served.table.board.about.uid.hex()]
            assert first.stands[-1][1:] == ("absent", "another board answers here")
            assert second.stands[-1][1] == "ready"
            told = len(first.told)
            await served.obey({"do": "press", "button": "dice"})
            await asyncio.sleep(5)
            assert len(first.told) == told
            assert len(second.facts(facts.Dice)) == 1

    run(work())


def test_a_board_that_answers_elsewhere_is_left_alone_and_tried_now_and_then():
    async def work() -> None:
        home = Home()
        async with at_a_table(home, met=False) as (keeper, served):
            uid = served.table.board.about.uid.hex()
            home.turned_away.add(uid)
            await until(lambda: keeper.state.stage == "refused", 3)
            assert keeper.complaint.code == "link.twice"
            assert uid in keeper.complaint.message
            assert served.port.host is None
            await asyncio.sleep(20)
            home.turned_away.clear()
            await until(lambda: keeper.state.stage == "ready", 10)
            assert keeper.complaint is None

    run(work())


def test_what_was_lost_is_told_even_if_another_line_had_the_board_at_first():
    async def work() -> None:
        home = Home()
        async with at_a_table(home, met=False) as (keeper, served):
            board, ring = served.table.board, served.table.model.ring
            for _ in range(ring + 10):
                board.edge(v1.ButtonEdge, 1, 0, 0)
            home.turned_away.add(board.about.uid.hex())
            await until(lambda: keeper.state.stage == "refused", 3)
            home.turned_away.clear()
            await until(lambda: keeper.state.stage == "ready", 10)
            [ear] = home.ears.values()
            [lost] = ear.facts(facts.Lost)
            assert lost.first == 1
            assert lost.count >= 10

    run(work())


def test_a_complaint_of_the_port_ends_when_it_is_open():
    async def work() -> None:
        home, there = Home(), [False]
        sims = Sims(seed=1)
        served = await sims.table(MODEL)

        async def opener(heard: Any, gone: Any) -> Any:
            if not there[0]:
                raise TablectlError("link.port_absent", where="here")
            return await sims.connect(MODEL, heard, gone)

        async with keeping(opener, home) as keeper:
            await asyncio.sleep(2)
            assert keeper.complaint.code == "link.port_absent"
            await served.obey({"do": "fault", "name": "silent"})
            there[0] = True
            await until(lambda: keeper.state.stage == "calling", 3)
            await asyncio.sleep(3)
            assert keeper.complaint is None
        sims.stop()

    run(work())


def test_what_was_said_before_a_line_stood_otherwise_comes_before_that():
    async def work() -> None:
        home, order = Home(), []
        async with at_a_table(home) as (keeper, _served):
            [ear] = home.ears.values()
            ear.line = lambda keeper, state: order.append(state.stage)
            ear.said = lambda keeper, said: order.extend(said) or True
            one, other = (Told(facts.Button(button=n), n, "x", 1) for n in "ab")
            keeper._deliver([one, Became("calling", "reset"), other])
            assert order == [one, Became("calling", "reset"), "calling", other]

    run(work())


@pytest.mark.parametrize("call", ["tick", "feed"])
def test_a_fault_of_the_program_leaves_no_line_half_alive(call):
    async def work() -> None:
        home, told = Home(), []
        asyncio.get_running_loop().set_exception_handler(lambda loop, about: told.append(about))
        async with at_a_table(home) as (keeper, _served):
            [ear] = home.ears.values()
            sound = getattr(keeper.driver, call)

            def fails(*about: Any) -> Any:
                setattr(keeper.driver, call, sound)
                raise ZeroDivisionError("a fault")

            setattr(keeper.driver, call, fails)
            await until(lambda: ear.stands[-1][1] == "absent", 10)
            assert ear.stands[-1][2] == "a fault of this program"
            await until(lambda: keeper.state.stage == "ready", 5)
            assert [type(about["exception"]) for about in told] == [ZeroDivisionError]

    run(work())


def test_who_can_take_no_more_is_told_no_more_until_it_can_and_nothing_is_lost():
    async def work() -> None:
        home = Home()
        async with at_a_table(home) as (keeper, served):
            [ear] = home.ears.values()
            ear.full = True
            for _ in range(20):
                await served.obey({"do": "press", "button": "dice"})
                await asyncio.sleep(5)
            # The first piece that was too much was taken; the line was not read after it.
            assert len(ear.facts(facts.Button)) == 1
            assert ear.facts(facts.Dice) == []
            ear.full = False
            keeper.resume()
            await until(lambda: len(ear.facts(facts.Dice)) == 20, 5)
            assert len(ear.facts(facts.Button)) == 20

    run(work())


# ── lines ───────────────────────────────────────────────────────────────────────────────────────


def test_a_peer_that_floods_is_read_only_so_much_in_each_window():
    async def work() -> None:
        loop = asyncio.get_running_loop()
        far, near = socket.socketpair()
        for one in (far, near):
            one.setblocking(False)
        read: list[tuple[float, int]] = []
        line = Line(near, lambda data: read.append((loop.time(), len(data))), lambda why: None)
        flood = loop.create_task(pour(far))
        began = loop.time()
        await asyncio.sleep(6.5 * WINDOW)
        took = loop.time() - began
        windows = int(took / WINDOW) + 1
        most = MOST_IN_WINDOW + READ_AT_ONCE
        assert sum(size for _, size in read) <= windows * most
        # It is read in each of them all the same, and other work comes in between.
        assert sum(size for _, size in read) >= 4 * MOST_IN_WINDOW
        assert max(size for _, size in read) <= READ_AT_ONCE
        line.pause()
        size = len(read)
        await asyncio.sleep(2.5 * WINDOW)
        assert len(read) == size
        line.resume()
        await asyncio.sleep(WINDOW)
        assert len(read) > size
        flood.cancel()
        await asyncio.gather(flood, return_exceptions=True)
        line.close()
        far.close()

    asyncio.run(work())


async def pour(far: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while True:
        await loop.sock_sendall(far, bytes(65536))


def test_a_line_of_memory_waits_while_paused_and_ends_once():
    async def work() -> None:
        said: list[bytes] = []
        heard: list[bytes] = []
        ends: list[str] = []
        port = MemoryPort("here", said.append)
        await port.plug()
        line = MemoryLine(port, heard.append, ends.append)
        port.write(b"one")
        assert heard == []  # never within the write
        await asyncio.sleep(0)
        assert heard == [b"one"]
        line.pause()
        port.write(b"two")
        port.write(b"three")
        line.write(b"there")
        await asyncio.sleep(1)
        assert heard == [b"one"]
        assert said == [b"there"]
        line.resume()
        await asyncio.sleep(0)
        assert heard == [b"one", b"twothree"]
        port.write(b"lost")
        port.unplug()
        line.write(b"lost too")
        port.unplug()
        await asyncio.sleep(1)
        assert heard == [b"one", b"twothree"]
        assert said == [b"there"]
        assert ends == ["it was unplugged or closed at the other side"]
        # Closed from this side nobody is told.
        await port.plug()
        again = MemoryLine(port, heard.append, ends.append)
        again.close()
        port.write(b"to nobody")
        await asyncio.sleep(1)
        assert len(ends) == 1
        assert len(heard) == 2
        assert (port.read, port.written) == (5, 15)

    run(work())
