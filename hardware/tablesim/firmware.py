"""How the simulated table's board speaks the wire: the board's half of PROTOCOL.md.

It does no input or output and has no clock: bytes and the time come in, bytes are taken out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from protocols import catalog, v0, v1
from protocols.codes import Ability, Reason, What
from protocols.deframer import Deframer
from protocols.frame import MOST_BODY, Frame, encode
from tablesim.about import About
from tablesim.commands import Commands
from tablesim.readings import Readings
from tablesim.ring import Ring

LEVELS_APART: Final = 100
"""Milliseconds between two LEVELS, two PRESENCE of a side, two POINTS of a seat."""


class Board:
    """One board. `act` is called for each command that is begun; `now` is the time in ms since
    any moment, `boot` must never have been used before by this uid."""

    def __init__(self, about: About, act: Callable[[v1.Command], None], boot: int = 1) -> None:
        self.about = about
        self._act = act
        self._acted_before = 0
        self.readings = Readings(riichi=0 if about.can(Ability.RIICHI_TRAY) else None)
        self._begin(boot, 0)

    # ── time and bytes ──────────────────────────────────────────────────────────────────────────

    def reset(self, now: int, boot: int | None = None) -> None:
        """The board starts anew: another boot, an empty ring, no conversation. What it reads of
        the machine it reads again; bytes half received and not yet sent are gone."""
        self._acted_before = self.acted
        self._begin((self.boot + 1) % 2**32 if boot is None else boot, now)

    def _begin(self, boot: int, now: int) -> None:
        self.boot = boot
        self._began = self._now = now
        self._deframer = Deframer()
        self._out: list[bytes] = []
        self._conversation: int | None = None
        self._ring = Ring(self.about.ring)
        self._commands = Commands(self.about, self.readings, self._act)
        self._told: dict[Any, tuple[int, Any]] = {}

    @property
    def acted(self) -> int:
        """Commands begun, over all boots: what was physically done because of the wire."""
        return self._acted_before + self._commands.acted

    @property
    def next_edge(self) -> int:
        """The number that the next edge will have."""
        return self._ring.next

    def feed(self, data: bytes, now: int) -> None:
        """Take bytes from the line."""
        self._now = now
        for frame in self._deframer.feed(data):
            self._frame(frame)
            self._send_levels()

    def tick(self, now: int) -> None:
        """Let time go on to `now`, doing on the way what is due."""
        while (due := self.due()) is not None and due <= now:
            self._now = max(self._now, due)
            self._on_time()
        self._now = now
        self._on_time()

    def due(self) -> int | None:
        """When `tick` has something to do next, None for never."""
        times = [self._commands.due, self._ring.again_at if self._talking else None]
        if self._talking:
            times += [self._level_due(key, value) for key, value in self._levels()]
        found = [time for time in times if time is not None]
        return max(self._now, min(found) + self._began) if found else None

    def take(self) -> bytes:
        """The bytes for the line."""
        data = b"".join(self._out)
        self._out.clear()
        return data

    def levels_frame(self) -> bytes:
        """LEVELS as they are now, for who wants them out of turn."""
        return encode(catalog.encode(self.readings.levels(self._clock)))

    # ── what the mechanism tells the board ──────────────────────────────────────────────────────

    def edge(self, message: type[Any], *values: Any) -> int:
        """Something happened: a message class of the edges and its values after number and time.
        Gives its number."""
        edge: v1.Edge = message(self._ring.next, self._clock, *values)
        self.readings.note(edge)
        if isinstance(edge, v1.ButtonEdge):
            self._commands.pressed_at = self._uptime
        self._ring.add(edge)
        if self._talking:
            self._send_all(self._ring.unsent(self._uptime))
        outcome = self._commands.shown(edge)
        if outcome is not None and self._talking:
            self._send(outcome)
        return edge.number

    # ── messages ────────────────────────────────────────────────────────────────────────────────

    @property
    def _talking(self) -> bool:
        return self._conversation is not None

    @property
    def _uptime(self) -> int:
        return self._now - self._began

    @property
    def _clock(self) -> int:
        """The uptime as it is told: it runs over after 2**32 ms."""
        return self._uptime % 2**32

    def _frame(self, frame: Frame) -> None:
        if frame.type >= 0x80 or (frame.version, frame.type) in ((0, 0x01), (0, 0x02)):
            return  # what another board says
        try:
            message = catalog.decode(frame)
        except catalog.MessageError as error:
            self._huh(frame.type, error.reason, error.detail)
            return
        if isinstance(message, v0.Hello):
            self._hello(message)
        elif not self._talking:
            self._huh(frame.type, Reason.BUSY)
        else:
            self._answer(frame.type, message)

    def _hello(self, message: v0.Hello) -> None:
        newest = self._conversation
        if newest is None or 0 < (message.conversation - newest) % 2**32 < 2**31:
            newest = self._conversation = message.conversation
            self._ring.begin()
            self._commands.begin()
            before = self._uptime - LEVELS_APART
            self._told = {key: (before, value) for key, value in self._levels()}
        about = self.about
        self._send(
            v0.Iam(
                b"TCT1", newest, about.least, about.most, self.boot, about.uid, about.ring,
                MOST_BODY, about.model, about.firmware,
            )
        )  # fmt: skip

    def _answer(self, type_: int, message: catalog.Message) -> None:
        last = self._ring.next - 1
        match message:
            case v1.Ping():
                ring = self._ring
                self._send(
                    v1.Pong(message.nonce, self.boot, self._clock, ring.first_kept, ring.next)
                )
            case v1.Ack() if message.boot == self.boot:
                if message.upto > last:
                    self._huh(type_, Reason.FIELD, 4)
                    return
                self._ring.acknowledged(message.upto, message.credit)
                self._send_all(self._ring.unsent(self._uptime))
            case v1.Get():
                self._get(type_, message)
            case v1.Select() | v1.Move() | v1.Lamp():
                if message.conversation != self._conversation:
                    self._huh(type_, Reason.FIELD)
                    return
                before = self._commands.acted
                self._send(self._commands.take(message, self._uptime, last))
                if self._commands.acted > before:
                    outcome = self._commands.begun(message, lambda: self._ring.next - 1)
                    self._send_all([] if outcome is None else [outcome])
            case v1.AskOutcome():
                current = message.conversation == self._conversation
                self._send(self._commands.asked(message, current, last))
            case _:
                pass

    def _get(self, type_: int, message: v1.Get) -> None:
        last = self._ring.next - 1
        match message.what:
            case What.ABILITIES:
                self._send(self.about.told())
            case What.NUMBERS:
                if not self.about.numbers:
                    nothing = (None, None, None, None)
                    self._send(v1.Number(0, 0, 0, None, nothing, 0xFF, 0, 0, ""))
                self._send_all(self.about.numbers[message.which :])
            case What.SNAPSHOT:
                self._send(self.readings.snapshot(self._clock, last, self.boot))
                for seat, points in sorted(self.readings.points.items()):
                    self._send(v1.Points(seat, *points))
            case What.PRESENCE:
                if message.which > 3 or not self.about.can(Ability.PRESENCE_LIVE):
                    self._huh(type_, Reason.FIELD, 1)
                else:
                    self._send(self.readings.side(message.which, last))
            case What.COUNTERS:
                dropped = self._deframer.dropped
                others = sum(dropped.values()) - dropped["crc"]
                self._send(
                    v1.Counters(
                        self._deframer.frames, dropped["crc"], others, self._ring.drops,
                        self.boot & 0xFFFF,
                    )
                )  # fmt: skip
            case _:
                self._huh(type_, Reason.FIELD)

    # ── what goes out by itself ─────────────────────────────────────────────────────────────────

    def _on_time(self) -> None:
        now = self._uptime
        outcome = self._commands.late(now, self._ring.next - 1)
        if not self._talking:
            return
        if outcome is not None:
            self._send(outcome)
        self._send_all(self._ring.again(now))
        self._send_levels()

    def _send_levels(self) -> None:
        """The levels that changed and are due."""
        if not self._talking:
            return
        now, last = self._uptime, self._ring.next - 1
        for key, value in list(self._levels()):
            due = self._level_due(key, value)
            if due is None or due > now:
                continue
            self._told[key] = (now, value)
            kind, n = key
            if kind == "levels":
                self._send(self.readings.levels(self._clock))
            elif kind == "presence":
                self._send(self.readings.side(n, last))
            else:
                self._send(v1.Points(n, *value))

    def _levels(self) -> Iterable[tuple[tuple[str, int], Any]]:
        readings = self.readings
        yield ("levels", 0), readings.levels(0)
        if self.about.can(Ability.PRESENCE_LIVE):
            for side in range(4):
                yield ("presence", side), (readings.presence[side], readings.odd_ends[side])
        for seat, points in sorted(readings.points.items()):
            yield ("points", seat), points

    def _level_due(self, key: Any, value: Any) -> int | None:
        """When a level that changed since it was told is due."""
        at, told = self._told.get(key, (-LEVELS_APART, None))
        return None if told == value else at + LEVELS_APART

    def _send_all(self, messages: Iterable[catalog.Message]) -> None:
        for message in messages:
            self._send(message)

    def _send(self, message: catalog.Message) -> None:
        self._out.append(encode(catalog.encode(message)))

    def _huh(self, type_: int, reason: Reason, detail: int = 0) -> None:
        self._send(v0.Huh(type_, reason, detail))
