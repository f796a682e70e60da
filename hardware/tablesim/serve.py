"""Simulated tables served to hosts: many at once, in real time, faster, or step by step.

host ──line──▶ port ─▶ bad line ─▶ ┌───────┐ ◀─ faults, recorded hands
host ◀──────── port ◀─ bad line ◀─ │ table │ ◀─ control socket: hands, truth
                                   └───────┘
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tablesim import control, faults
from tablesim.faults import BadLine, Fault
from tablesim.port import Port
from tablesim.records import Hand, Player
from tablesim.table import Table
from tablesim.tileset import SimError

STEP_WAITS: Final = 5.0
"""Seconds that `step` waits for bytes that a host said it has written."""
BURST_EVERY: Final = 100
LONGEST_SLEEP: Final = 3600.0


class Served:
    """One table on one port. `speed`: the table's ms for each ms; 0: only `step` moves time."""

    def __init__(
        self,
        table: Table,
        make_port: Callable[[Callable[[bytes], None]], Port],
        speed: float = 1.0,
        planned: Sequence[Fault] = (),
        hands: Sequence[Hand] = (),
        seed: int = 0,
    ) -> None:
        self.table = table
        self.port = make_port(self._heard)
        self.speed = speed
        self.player = Player(table, hands) if hands else None
        self.failed: SimError | None = None
        self._lines = (BadLine(seed), BadLine(seed + 1))
        self._rng = random.Random(seed)
        self._plan = sorted(
            [(fault.at, True, fault) for fault in planned]
            + [(f.at + f.lasts, False, f) for f in planned if f.lasts is not None],
            # A fault that ends when another of its name begins ends first.
            key=lambda one: (one[0], one[1]),
        )
        self._bursts: dict[str, Fault] = {}
        self._burst_at = 0
        self._timer: asyncio.TimerHandle | None = None
        self._more = asyncio.Event()
        self._began = 0.0
        self._stopped = False
        self._plugging: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Plug in and let time go. Raises SimError `sim.port`."""
        await self.port.plug()
        self._began = asyncio.get_running_loop().time()
        self._go_on()

    def stop(self) -> None:
        """Pull the line and stand still."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
        if self._plugging is not None:
            self._plugging.cancel()
        self.port.unplug()

    def _unplug(self) -> None:
        """Pull the line; what is on its way on it is lost."""
        self.port.unplug()
        for line in self._lines:
            line.cut()

    async def _plug(self) -> None:
        """Plug in again after a fault; that it cannot be done ends the command."""
        try:
            await self.port.plug()
        except SimError as error:
            self.failed = error

    # ── time ────────────────────────────────────────────────────────────────────────────────────

    def _now(self) -> int:
        if not self.speed:
            return self.table.now
        passed = asyncio.get_running_loop().time() - self._began
        return max(self.table.now, int(passed * 1000 * self.speed))

    def _go_on(self) -> None:
        """Do what is due and wake up again for what is next."""
        if self._stopped:
            return
        if self._timer is not None:
            self._timer.cancel()
        self.run_to(self._now())
        due = self._due()
        if self.speed and due is not None:
            wait = max(0.0, (due - self._now()) / 1000 / self.speed)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(min(wait, LONGEST_SLEEP), self._go_on)

    def _due(self) -> int | None:
        times = [self.table.due(), *(line.due() for line in self._lines)]
        times.append(self._plan[0][0] if self._plan else None)
        times.append(self.player.due if self.player is not None else None)
        times.append(self._burst_at if self._bursts else None)
        return min((time for time in times if time is not None), default=None)

    def run_to(self, now: int) -> None:
        """Let the table's time go on to `now`."""
        while (due := self._due()) is not None and due <= now:
            self._at(max(due, self.table.now))
        self._at(now)

    def _at(self, now: int) -> None:
        table = self.table
        table.advance(now)
        while self._plan and self._plan[0][0] <= now:
            _, begins, fault = self._plan.pop(0)
            self._fault(fault, begins)
        if self.player is not None and self.failed is None:
            try:
                self.player.advance()
            except SimError as error:
                # What was played cannot be gone on with; the command says so and ends.
                self.failed, self.player = error, None
            table.settle()
        to_table, to_host = self._lines
        table.feed(to_table.arrived(now))
        if self._bursts and now >= self._burst_at:
            self._burst_at = now + BURST_EVERY
            self._burst()
        to_host.send(table.take(), now)
        data = to_host.arrived(now)
        if data:
            self.port.write(data)

    def _heard(self, data: bytes) -> None:
        self._lines[0].send(data, self._now())
        self._more.set()
        if self.speed:
            self._go_on()
        else:
            # Time stands still, but what came in is answered at once.
            self._at(self.table.now)

    def did(self) -> None:
        """Hands did something to `table`, now: the board sees it, and time goes on from here."""
        self.table.settle()
        self._go_on()

    def look(self) -> None:
        """Bring the table to the time that it is, so that hands find it as it stands."""
        self._go_on()

    # ── faults ──────────────────────────────────────────────────────────────────────────────────

    def _fault(self, fault: Fault, begins: bool) -> None:
        if fault.name in faults.TABLE:
            (faults.begin if begins else faults.end)(self.table, fault)
        elif fault.name in faults.LINE:
            for line in self._lines:
                line.chances.pop(fault.name, None)
                if begins:
                    line.chances[fault.name] = fault.chance
        elif fault.name == "unplug":
            if begins:
                self._unplug()
            else:
                self._plugging = asyncio.get_running_loop().create_task(self._plug())
        elif begins:
            self._bursts[fault.name] = fault
        else:
            self._bursts.pop(fault.name, None)

    def _burst(self) -> None:
        for name, fault in self._bursts.items():
            size = fault.amount * 1024
            if name == "rubbish":
                self.port.write(self._rng.randbytes(size))
            else:
                levels = self.table.board.levels_frame()
                self.port.write(levels * (size // len(levels)))

    # ── control ─────────────────────────────────────────────────────────────────────────────────

    async def obey(self, request: dict[str, Any]) -> Any:
        """Do what the control socket asks. Raises SimError."""
        match request.get("do"):
            case "step":
                return await self._step(request)
            case "unplug":
                self._unplug()
                return None
            case "plug":
                await self.port.plug()
                return self.port.address
            case _:
                self.run_to(self._now())
                answer = control.obey(self.table, request)
                self._go_on()
                return answer

    async def _step(self, request: dict[str, Any]) -> dict[str, int]:
        """Wait until the port has read `in` bytes in all, then let time go on to `now`."""
        now, wanted = request.get("now"), request.get("in", 0)
        if not isinstance(now, int) or not isinstance(wanted, int):
            raise SimError(
                "sim.request", "step needs now", "now is ms, in is bytes in all, both whole."
            )
        try:
            async with asyncio.timeout(STEP_WAITS):
                while self.port.read < wanted:
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            what = f"{self.port.read} bytes came, not {wanted}"
            raise SimError("sim.request", what, "Write the bytes before asking.") from None
        self.run_to(max(now, self.table.now))
        return {"now": self.table.now, "out": self.port.written}


class ControlSocket:
    """A Unix socket, only for its owner, through which tables are asked and moved by hand."""

    def __init__(self, path: Path, tables: Sequence[Served]) -> None:
        self._path = path
        self._tables = tables
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        """Listen. Raises SimError `sim.port`."""
        with suppress(OSError):
            if self._path.is_socket() and not await _answers(self._path):
                self._path.unlink()
        if self._path.exists():
            raise SimError(
                "sim.port", "the control socket's name is in use", "Take another.", str(self._path)
            )
        try:
            self._server = await asyncio.start_unix_server(self._serve, self._path)
            self._path.chmod(0o600)
        except OSError as error:
            raise SimError(
                "sim.port",
                f"the control socket cannot be made: {error.strerror or error}",
                "Name a path of less than 100 letters in a folder that you may write to.",
                str(self._path),
            ) from None

    def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            for writer in self._writers:
                writer.close()
            self._path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while line := await reader.readline():
                answer = await self._answer(line)
                writer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
                await writer.drain()
        except (ConnectionError, asyncio.LimitOverrunError, ValueError):
            pass  # gone, or a line longer than the reader takes
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise SimError("sim.request", "a request is a JSON object", '{"do": "truth"}')
            n = request.get("table", 0)
            if not isinstance(n, int) or n not in range(len(self._tables)):
                what = f"there is no table {n!r}"
                raise SimError("sim.request", what, f"There are {len(self._tables)}, from 0.")
            return {"ok": await self._tables[n].obey(request)}
        except SimError as error:  # which is a ValueError too
            return {"error": as_json(error)}
        except (ValueError, RecursionError) as error:
            said = SimError("sim.request", f"no JSON: {error}", 'Such as {"do": "truth"}.')
            return {"error": as_json(said)}


async def _answers(path: Path) -> bool:
    try:
        _, writer = await asyncio.open_unix_connection(path)
    except OSError:
        return False
    writer.close()
    return True


def as_json(error: SimError) -> dict[str, str]:
    """An error as plain values, like those of the daemon."""
    body = {"code": error.code, "message": error.what, "hint": error.hint}
    return body | ({"where": error.where} if error.where else {})
