"""Keeps lines to boards: finds, connects, speaks, backs off and comes back.

    absent ─open─▶ the driver's stages: calling, identifying, draining, ready, refused
      ▲                                  │
      └──── wait ◀── gone (said once) ───┘

One `Keeper` for each address that the configuration names; nothing else is ever opened. Which
table answers there is known when its board has said its uid, and only then: two boards that change
places stay themselves. Nothing here knows a journal; what is said goes to the table's `Sink`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from protocols import v1
from tablectl.errors import NO, TablectlError, declare
from tablectl.link.capture import Captured, Recorder, Run, Way, captured
from tablectl.link.identity import Identity
from tablectl.link.said import Became, Complaint, Said
from tablectl.link.tablectl_v1 import TablectlV1
from tablectl.link.transport import Gone, Heard, Transport

FIRST_WAIT: Final = 0.25
LONGEST_WAIT: Final = 1.0
"""Seconds between two tries to open a line. A try costs one look at a name."""
TWICE_WAIT: Final = 5.0
LAST_FRAMES: Final = 100
"""Frames kept for a failure report."""

TWICE: Final = declare(
    "link.twice",
    "board {uid} answers on two lines; this one is left alone",
    "Name one of the two addresses only.",
    status=NO,
)

Opener = Callable[[Heard, Gone], Awaitable[Transport]]
"""Opens the line. Raises TablectlError `link.*`."""


@dataclass(frozen=True, slots=True)
class LineState:
    """How a line stands: `absent` or a stage of the driver, why, and since when (ms)."""

    stage: str
    why: str | None
    since: int


class Sink(Protocol):
    """Where what a table says goes."""

    def recall(self) -> tuple[int, int] | None:
        """The board's last boot and its last durable edge; None for a board never met."""

    def said(self, keeper: Keeper, said: Sequence[Said]) -> bool:
        """Take it, in order; False: that was the last that can be taken now, read no more until
        `keeper.resume()`."""

    def line(self, keeper: Keeper, state: LineState) -> None:
        """The line stands otherwise."""


class House(Protocol):
    """Who knows the tables."""

    def table_of(self, keeper: Keeper, identity: Identity) -> Sink | None:
        """The sink of this board's table, None if another line has it already."""

    def unknown(self, keeper: Keeper, state: LineState, complaint: TablectlError | None) -> None:
        """A line of which nobody knows which table is on it stands otherwise."""

    def captured(self, keeper: Keeper, frames: Iterable[Captured]) -> None:
        """Frames went over the line, secrets blanked. Who does not read them pays nothing."""


class Keeper:
    """One line. `conversation` gives a number newer than all before; times are ms of `now`."""

    def __init__(
        self,
        url: str,
        opener: Opener,
        house: House,
        now: Callable[[], int],
        conversation: Callable[[], int],
    ) -> None:
        self.url = url
        self.state = LineState("absent", None, now())
        self.complaint: TablectlError | None = None
        """Why it cannot be opened or spoken with."""
        self._own: TablectlError | None = None
        """The complaint that is this line's and not its board's: gone once it is open again."""
        self.sink: Sink | None = None
        self._opener, self._house, self._now = opener, house, now
        self._driver = TablectlV1(conversation(), self._recall, now())
        self._line: Transport | None = None
        self._recorder = Recorder()
        self._runs: deque[Run] = deque(maxlen=LAST_FRAMES)
        self._timer: asyncio.TimerHandle | None = None
        self._ended: asyncio.Future[str] | None = None
        self._twice = False

    # ── what the table's owner does with it ─────────────────────────────────────────────────────

    @property
    def frames(self) -> list[Captured]:
        """The last frames that went over the line, secrets blanked."""
        return [captured(*run) for run in self._runs]

    @property
    def driver(self) -> TablectlV1:
        """The driver, to look at: its identity, its stage, its clock."""
        return self._driver

    def committed(self, boot: int, upto: int) -> None:
        """The journal has every edge of that boot up to this one."""
        if self._line is not None:
            self._handle(self._driver.committed(boot, upto))

    def command(
        self, make: Callable[[int, int], v1.Command], expected: tuple[int, int]
    ) -> tuple[int, int]:
        """Send a command that the journal knows of. Raises as `TablectlV1.command`."""
        named = self._driver.command(make, self._now(), expected)
        self._flush()
        return named

    def ask_about(self, message: v1.Command, boot: int) -> None:
        """Ask what became of a command of an earlier run."""
        self._driver.ask_about(message, boot, self._now())

    def resume(self) -> None:
        """What was said is worked off: read on."""
        if self._line is not None:
            self._line.resume()

    # ── the line ────────────────────────────────────────────────────────────────────────────────

    async def run(self) -> None:
        """Keep the line until cancelled."""
        wait = FIRST_WAIT
        try:
            while True:
                self._ended = asyncio.get_running_loop().create_future()
                try:
                    self._line = await self._opener(self._heard, self._gone)
                except TablectlError as error:
                    self._own = error
                    self._stands("absent", error.message, error)
                else:
                    wait = FIRST_WAIT
                    self._begin()
                    why = await self._ended
                    self._end(why)
                await asyncio.sleep(TWICE_WAIT if self._twice else wait)
                wait = min(2 * wait, LONGEST_WAIT)
        finally:
            if self._line is not None:
                self._line.close()
                self._line = None
            self._cancel_timer()

    def _begin(self) -> None:
        self._twice = False
        if self.complaint is self._own:
            self.complaint = None
        self._stands("calling", None)
        self._handle(self._driver.tick(self._now()))

    def _end(self, why: str) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()
        self._cancel_timer()
        said = self._driver.close(why, self._now())
        self._deliver([one for one in said if not isinstance(one, Became)])
        self._driver.take()
        self._recorder = Recorder()
        if self._twice:
            self._driver.disown()
            self._stands("refused", why, self.complaint)
        else:
            self._stands("absent", why)
        self.sink = None

    def _heard(self, data: bytes) -> None:
        if self._line is None:
            return
        with self._sound():
            self._capture(data, "to_host")
            self._handle(self._driver.feed(data, self._now()))

    def _gone(self, why: str) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(why)

    def _tick(self) -> None:
        self._timer = None
        with self._sound():
            self._handle(self._driver.tick(self._now()))

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Where the program itself fails, the loop tells it; the line is given up and made anew, so
        that it is not left open with nobody who speaks on it."""
        sound = False
        try:
            yield
            sound = True
        finally:
            if not sound:
                self._gone("a fault of this program")

    def _handle(self, said: list[Said]) -> None:
        self._deliver(said)
        if self._twice and self._line is not None:
            self._gone(self.complaint.message if self.complaint else "twice")
            return
        self._flush()

    def _flush(self) -> None:
        data = self._driver.take()
        if data and self._line is not None:
            self._capture(data, "to_table")
            self._line.write(data)
        self._arm()

    def _arm(self) -> None:
        self._cancel_timer()
        if self._line is not None:
            wait = max(0, self._driver.due() - self._now())
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(wait / 1000, self._tick)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _capture(self, data: bytes, way: Way) -> None:
        runs = self._recorder.runs(data, way, self._now())
        if runs:
            self._runs.extend(runs)
            self._house.captured(self, (captured(*run) for run in runs))

    # ── what is said ────────────────────────────────────────────────────────────────────────────

    def _recall(self, uid: str) -> tuple[int, int] | None:
        """The board has said who it is and is about to tell: now it is known whose line this is."""
        identity = self._driver.identity
        assert identity is not None
        sink = self._house.table_of(self, identity)
        if sink is None:
            self._twice = True
            self.complaint = self._own = TablectlError(TWICE, where=self.url, uid=uid)
            return None
        if self.sink is not None and self.sink is not sink:
            self.sink.line(self, LineState("absent", "another board answers here", self._now()))
        self.sink = sink
        return sink.recall()

    def _deliver(self, said: list[Said]) -> None:
        behind: list[Said] = []
        for one in said:
            behind.append(one)
            if isinstance(one, Became):
                # What was said before the line stood otherwise comes before that.
                self._pass_on(behind)
                behind = []
                self._stands(one.stage, one.why)
            elif isinstance(one, Complaint):
                values: dict[str, Any] = dict(one.values)
                self.complaint = TablectlError(one.code, where=self.url, **values)
                if self.sink is None:
                    self._house.unknown(self, self.state, self.complaint)
        self._pass_on(behind)

    def _pass_on(self, said: Sequence[Said]) -> None:
        if said and self.sink is not None and not self._twice:
            more = self.sink.said(self, said)
            if not more and self._line is not None:
                self._line.pause()

    def _stands(self, stage: str, why: str | None, complaint: TablectlError | None = None) -> None:
        if stage == "ready":
            self.complaint = None
        if complaint is not None:
            self.complaint = complaint
        if (stage, why) == (self.state.stage, self.state.why):
            return
        self.state = LineState(stage, why, self._now())
        if self.sink is not None:
            self.sink.line(self, self.state)
        else:
            self._house.unknown(self, self.state, self.complaint)
