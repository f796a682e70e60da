"""The driver of boards that speak `protocols/PROTOCOL.md`, version 1: the host's half of it.

It does no input or output and has no clock. Bytes and the time (ms, from any moment on) come in by
`feed` and `tick`, observations go out as their answer, bytes for the line by `take`. The caller
calls `tick` when `due` says so, and `committed` when the journal has what it was told.

    calling ─IAM─▶ identifying ─all there─▶ draining ─nothing left, snapshot─▶ ready
       ▲  └─ no version in common ─▶ refused                                      │
       └── line silent, board reset, conversation lost: with a newer conversation ┘
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from protocols import catalog, v0, v1
from protocols.codes import Ability, Reason, What
from protocols.deframer import Deframer
from protocols.frame import Frame, encode
from tablectl.core import facts
from tablectl.errors import TablectlError
from tablectl.link import sentences, translate
from tablectl.link.identity import Identity
from tablectl.link.inflow import Inflow
from tablectl.link.outcomes import Outcomes
from tablectl.link.said import Became, Complaint, Progress, Said, Stage, Told
from tablectl.link.translate import Reading

ASK_EVERY: Final = 1000
PING_AFTER: Final = 2000
RESYNC_AFTER: Final = 5000
"""A PING also goes out on a line full of levels: edges that nothing lets go are noticed so."""
PINGS_LOST: Final = 3
CREDIT: Final = 8
ENOUGH_ASKED: Final = 5
"""Rounds of asking for numbers after which the link goes on with those that came."""
REFUSED_EVERY: Final = 5000

Recall = Callable[[str], tuple[int, int] | None]
"""By a board's uid: the last boot of which the journal has a `board` fact or an edge, and the last
durable edge of it, 0 for none; None for a board never met."""


class TablectlV1:
    """One line to one board. `conversation`: the first to try; it must be newer than those of
    earlier runs (seconds of the epoch serve)."""

    def __init__(self, conversation: int, recall: Recall, now: int = 0) -> None:
        self.stage: Stage = "calling"
        self.identity: Identity | None = None
        self._conversation = conversation % 2**32
        self._recall = recall
        self._deframer = Deframer()
        self._out: list[bytes] = []
        self._said: list[Said] = []
        self._outcomes = Outcomes()
        self._number = 0
        self._levels_told = 0
        self._inflow: Inflow | None = None
        self._in_hand: tuple[str, int, int] | None = None
        self._forget()
        self._call(now)

    def _forget(self) -> None:
        """Nothing is known of the board any more, but what it told."""
        if self.identity is not None and self._inflow is not None:
            self._in_hand = (self.identity.uid, self._inflow.boot, self._inflow.upto)
        self._inflow = None
        self._target: int | None = None
        self._levels: v1.Levels | None = None
        self._held_levels: v1.Levels | None = None
        self._troubles = 0
        self._last_at = 0
        self._uptime = 0
        self._asked_numbers = 0
        self._wants_snapshot = True
        self._pinged = 0
        self._ping_at: int | None = None
        self._pong_at = 0
        self._ask_at: int | None = None
        self._acked: tuple[int, int] | None = None

    # ── what goes in and out ────────────────────────────────────────────────────────────────────

    def feed(self, data: bytes, now: int) -> list[Said]:
        """Bytes from the line, in any pieces. Gives what they say."""
        frames = list(self._deframer.feed(data))
        if frames and self.stage not in ("calling", "refused"):
            self._pinged = 0
            self._ping_at = now + PING_AFTER
        for frame in frames:
            self._frame(frame, now)
        return self._told()

    def tick(self, now: int) -> list[Said]:
        """Do what is due at this time."""
        if (ended := self._outcomes.over(now)) is not None:
            self._said.append(ended)
        if self._ask_at is not None and now >= self._ask_at:
            self._ask(now)
        if self.stage == "ready" and (question := self._outcomes.asks(now)) is not None:
            self._send(question)
        if self._ping_at is not None and now >= self._ping_at:
            if self._pinged >= PINGS_LOST:
                self._restart("silent", now)
            else:
                self._ping(now)
        elif self.stage == "ready" and now >= self._pong_at + RESYNC_AFTER:
            self._pong_at = now
            self._send(v1.Ping(now & 0xFFFF))
        return self._told()

    def due(self) -> int:
        """When `tick` is to be called next, at the latest."""
        times = [self._ask_at, self._ping_at, self._outcomes.due]
        if self.stage == "ready":
            times.append(self._pong_at + RESYNC_AFTER)
        elif self._outcomes.pending is not None:
            times[2] = self._outcomes.pending.gives_up
        return min(time for time in times if time is not None)

    def take(self) -> bytes:
        """The bytes for the line."""
        data = b"".join(self._out)
        self._out.clear()
        return data

    def committed(self, boot: int, upto: int) -> None:
        """The journal has every edge of this boot up to `upto`: the board may forget them."""
        inflow = self._inflow
        if inflow is not None and inflow.boot == boot and inflow.committed(upto):
            self._acknowledge()

    def close(self, why: str, now: int) -> list[Said]:
        """The line is gone. What was under way stays to be asked; bytes not yet taken are lost."""
        self._out.clear()
        self._deframer = Deframer()
        self._restart(why, now)
        return self._told()

    @property
    def may_command(self) -> bool:
        """Whether `command` would take one now."""
        return self.stage == "ready" and self._outcomes.pending is None

    def command(self, make: Callable[[int, int], v1.Command], now: int) -> tuple[int, int]:
        """Give the board a command, made from its conversation and number, which come back and
        name it in `Ended`. Raises TablectlError `link.not_ready`, `link.command_runs`, both
        before anything was sent; ValueError for a value that the wire cannot hold."""
        if self.stage != "ready" or self._inflow is None:
            raise TablectlError(sentences.NOT_READY, stage=self.stage)
        if self._outcomes.pending is not None:
            raise TablectlError(sentences.COMMAND_RUNS)
        message = make(self._conversation, self._number + 1)
        data = encode(catalog.encode(message))
        self._number += 1
        self._outcomes.begin(message, self._inflow.boot, now)
        self._out.append(data)
        return message.conversation, message.command

    # ── stages ──────────────────────────────────────────────────────────────────────────────────

    def _call(self, now: int) -> None:
        """HELLO, again each second."""
        every = REFUSED_EVERY if self.stage == "refused" else ASK_EVERY
        self._ask_at = now + every
        self._send(v0.Hello(b"TCT1", self._conversation, catalog.LEAST, catalog.MOST))

    def _ask(self, now: int) -> None:
        """Ask for what is missing to go on."""
        self._ask_at = now + ASK_EVERY
        identity, inflow = self.identity, self._inflow
        if self.stage in ("calling", "refused") or identity is None:
            self._call(now)
        elif self.stage == "identifying" and identity.abilities is None:
            self._send(v1.Get(What.ABILITIES, 0))
        elif self.stage == "identifying" and identity.missing is not None:
            self._asked_numbers += 1
            if self._asked_numbers > ENOUGH_ASKED:
                of = identity.of if identity.of is not None else "?"
                self._complain(sentences.NUMBERS_MISSING, have=len(identity.found), of=of)
                self._identified(now)
            else:
                self._send(v1.Get(What.NUMBERS, identity.missing))
        elif inflow is None:
            self._send(v1.Ping(now & 0xFFFF))
        elif self.stage == "draining" and (self._target is None or inflow.upto < self._target):
            self._acknowledge(again=True)
            self._send(v1.Ping(now & 0xFFFF))
        elif self._wants_snapshot:
            self._send(v1.Get(What.SNAPSHOT, 0))
        else:
            self._ask_at = None

    def _become(self, stage: Stage, why: str | None = None) -> None:
        if (stage, why) != (self.stage, None):
            self._said.append(Became(stage, why))
        self.stage = stage

    def _restart(self, why: str, now: int, newer_than: int | None = None) -> None:
        """From the beginning, with a newer conversation."""
        if newer_than is not None:
            self._conversation = newer_than
        self._conversation = (self._conversation + 1) % 2**32
        self._number = 0
        self._forget()
        self._become("calling", why)
        self._call(now)

    def _ping(self, now: int) -> None:
        self._pinged += 1
        self._ping_at = now + PING_AFTER
        self._send(v1.Ping(now & 0xFFFF))

    # ── messages ────────────────────────────────────────────────────────────────────────────────

    def _frame(self, frame: Frame, now: int) -> None:
        try:
            message = catalog.decode(frame)
        except catalog.MessageError:
            self._unread(frame, now)
            return
        match message:
            case v0.Iam():
                self._iam(message, now)
            case v0.Huh():
                self._huh(message, now)
            case _ if self.stage in ("calling", "refused") or self.identity is None:
                return
            case v1.Abilities():
                self.identity.abilities = message
                if self.stage == "identifying":
                    self._ask(now)
            case v1.Number():
                self.identity.number(message)
                if self.stage == "identifying" and self.identity.missing is None:
                    self._identified(now)
            case v1.Pong():
                self._pong(message, now)
            case v1.Snapshot() if self._inflow and message.boot == self._inflow.boot:
                self._inflow.wait(message)
                self._ripen(now)
            case v1.Presence() if self._inflow:
                self._inflow.wait(message)
                self._ripen(now)
            case v1.Levels() if self._inflow:
                self._held_levels = message
                self._say_levels()
            case v1.Points() if self.stage == "ready":
                self._say(translate.of_points(message), self._uptime)
            case v1.Outcome():
                ended, again = self._outcomes.answered(message, self._conversation, now)
                self._said += ended
                if again is not None and self.stage == "ready":
                    self._send(again)
            case _ if catalog.number_of(frame) is not None:
                self._edge(message, now)  # type: ignore[arg-type]
            case _:
                pass

    def _iam(self, message: v0.Iam, now: int) -> None:
        if message.conversation != self._conversation:
            # The board has heard a newer conversation than ours; or this is late and of an older.
            if 0 < (message.conversation - self._conversation) % 2**32 < 2**31:
                self._restart("another conversation", now, message.conversation)
            return
        if self.stage not in ("calling", "refused"):
            return
        self.identity = Identity(message)
        if not self.identity.speaks_with_us:
            self._become("refused", sentences.VERSION)
            self._ask_at = now + REFUSED_EVERY
            self._complain(
                sentences.VERSION, least=message.least, most=message.most, ours=catalog.MOST
            )
            return
        self._become("identifying")
        self._pinged, self._ping_at = 0, now + PING_AFTER
        self._ask(now)

    def _identified(self, now: int) -> None:
        """Abilities and numbers are there: find out which edges are."""
        self._become("draining")
        self._ask_at = now + ASK_EVERY
        self._send(v1.Ping(now & 0xFFFF))

    def _pong(self, message: v1.Pong, now: int) -> None:
        identity = self.identity
        assert identity is not None
        self._pong_at = now
        if message.boot != identity.iam.boot:
            self._restart("reset", now)
            return
        self._uptime = message.uptime
        if self.stage == "identifying":
            return
        if self._inflow is None and not self._resume(message, now):
            return
        inflow = self._inflow
        assert inflow is not None
        if message.next <= inflow.upto:
            self._refuse_boot(message, inflow.upto, now)
            return
        self._lose(message.first_kept, now)
        self._target = message.next - 1
        if inflow.upto < self._target:
            self._acknowledge(again=True)
        self._drained(now)

    def _resume(self, message: v1.Pong, now: int) -> bool:
        """The first PONG: where the board's edges are taken up. False if they cannot be."""
        identity = self.identity
        assert identity is not None
        known = durable = self._recall(identity.uid)
        if self._in_hand is not None and self._in_hand[0] == identity.uid:
            # What was told in this run is in the journal's hands, even if it is not durable yet.
            known = self._in_hand[1:]
        upto = known[1] if known is not None and known[0] == message.boot else 0
        kept = durable[1] if durable is not None and durable[0] == message.boot else 0
        if message.next <= upto:
            self._refuse_boot(message, upto, now)
            return False
        self._inflow = Inflow(message.boot, upto, min(kept, upto))
        self._say([Reading(identity.fact(), "board")], message.uptime)
        if known is not None and known[0] != message.boot:
            boot, last = known
            fact = facts.Lost(first=last + 1)
            self._said.append(Told(fact, f"b:{boot}:{last + 1}", "board", boot))
        ended = self._outcomes.another_board(message.boot, now)
        if ended is not None:
            self._said.append(ended)
        return True

    def _refuse_boot(self, message: v1.Pong, upto: int, now: int) -> None:
        self._forget()
        self._ask_at = now + REFUSED_EVERY
        self._become("refused", sentences.BOOT_REPEATS)
        self._complain(sentences.BOOT_REPEATS, boot=message.boot, next=message.next, upto=upto)

    def _huh(self, message: v0.Huh, now: int) -> None:
        if self.stage in ("calling", "refused"):
            return
        known = message.reason in Reason._value2member_map_
        code = sentences.HUH[Reason(message.reason)] if known else sentences.HUH_OTHER
        self._complain(
            code, type=f"{message.type:02X}", reason=message.reason, detail=message.detail
        )
        lost = message.type in (0x18, 0x19, 0x1A) and message.reason == Reason.FIELD
        if lost or message.reason == Reason.BUSY:
            self._restart("conversation lost", now)

    # ── edges and levels ────────────────────────────────────────────────────────────────────────

    def _edge(self, edge: v1.Edge, now: int) -> None:
        inflow = self._inflow
        if inflow is None or not self._takes(edge.number, now):
            return
        self._last_at = self._uptime = edge.at
        if isinstance(edge, v1.TroubleEdge) and edge.code < 32:
            bit = 1 << edge.code
            self._troubles = self._troubles | bit if edge.on else self._troubles & ~bit
        if self._levels is not None:
            self._levels = translate.levels_after(self._levels, edge)
        readings = translate.of_edge(edge)
        if not readings:
            inflow.passed_over(edge.number)
            self._acknowledge()
        for n, (fact, ability, by_side, face) in enumerate(readings):
            key = f"b:{inflow.boot}:{edge.number}" + (f".{n}" if n else "")
            last = edge.number if n == len(readings) - 1 else None
            self._said.append(Told(fact, key, ability, inflow.boot, last, edge.at, by_side, face))
        self._ripen(now)
        self._drained(now)

    def _takes(self, number: int, now: int) -> bool:
        """Whether an edge is the next one; what is known is acknowledged again, and after a gap
        the board is asked whether the missing ones fell out of its ring."""
        assert self._inflow is not None
        verdict = self._inflow.take(number)
        if verdict == "known":
            self._acknowledge(again=True)
        elif verdict == "gap":
            self._send(v1.Ping(now & 0xFFFF))
        return verdict == "next"

    def _unread(self, frame: Frame, now: int) -> None:
        """A frame that is no known message: passed over; an edge still counts as one."""
        number = catalog.number_of(frame)
        if number is None or self._inflow is None or not self._takes(number, now):
            return
        self._inflow.passed_over(number)
        self._complain(sentences.UNKNOWN_EDGE, number=number, type=f"{frame.type:02X}")
        self._acknowledge()
        self._ripen(now)
        self._drained(now)

    def _lose(self, first_kept: int, now: int) -> None:
        inflow = self._inflow
        assert inflow is not None
        lost = inflow.skip(first_kept)
        if lost is None:
            return
        first, count = lost
        fact = facts.Lost(first=first, count=count)
        key = f"b:{inflow.boot}:{first}"
        self._said.append(Told(fact, key, "board", inflow.boot, first_kept - 1, self._uptime))
        self._want_snapshot(now)

    def _acknowledge(self, again: bool = False) -> None:
        """Tell the board what is durable and that it may send on."""
        inflow = self._inflow
        if inflow is None:
            return
        told = (inflow.boot, inflow.durable)
        if again or told != self._acked:
            self._acked = told
            self._send(v1.Ack(inflow.boot, inflow.durable, CREDIT))

    def _drained(self, now: int) -> None:
        """Once all that the board had kept is in, ask for everything at once."""
        inflow = self._inflow
        if self.stage != "draining" or inflow is None or self._target is None:
            return
        if inflow.upto >= self._target and self._acked is None:
            self._acknowledge()
        if inflow.upto >= self._target and self._wants_snapshot:
            self._want_snapshot(now)

    def _want_snapshot(self, now: int) -> None:
        self._wants_snapshot = True
        self._ask_at = now + ASK_EVERY
        self._send(v1.Get(What.SNAPSHOT, 0))

    def _ripen(self, now: int) -> None:
        """Tell the levels that have waited long enough; ask again for those that came too late."""
        inflow = self._inflow
        assert inflow is not None
        for level, true_now in list(inflow.ripe()):
            if isinstance(level, v1.Presence):
                if true_now:
                    self._say(translate.of_presence(level), self._uptime)
                elif self._wants_presence:
                    self._send(v1.Get(What.PRESENCE, level.side))
            elif true_now:
                self._say_snapshot(level, now)
            elif self._wants_snapshot:
                self._want_snapshot(now)
        self._say_levels()

    @property
    def _wants_presence(self) -> bool:
        return self.identity is not None and self.identity.can(Ability.PRESENCE_LIVE)

    @property
    def _live(self) -> bool:
        return self.identity is not None and self.identity.can(Ability.COUNTS_LIVE)

    def _say_snapshot(self, snapshot: v1.Snapshot, now: int) -> None:
        self._wants_snapshot = False
        self._ask_at = None
        self._uptime = snapshot.levels.uptime
        self._levels, self._held_levels = snapshot.levels, None
        self._say(translate.of_snapshot(snapshot, self._troubles, self._live), self._uptime)
        self._said.append(Progress(snapshot.levels.progress, snapshot.levels.lamps))
        self._troubles = snapshot.troubles
        if self.stage == "draining":
            if self._wants_presence:
                for side in range(4):
                    self._send(v1.Get(What.PRESENCE, side))
            self._become("ready")
            self._pong_at = now

    def _say_levels(self) -> None:
        """Tell the newest LEVELS, unless edges older than it may still be on their way."""
        levels, before, inflow = self._held_levels, self._levels, self._inflow
        if levels is None or before is None or inflow is None or self._wants_snapshot:
            return
        if self._target is not None and inflow.upto < self._target:
            return
        if inflow.upto - inflow.durable >= CREDIT:
            return
        self._held_levels = None
        if levels.uptime < max(self._last_at, before.uptime):
            return
        self._levels, self._uptime = levels, levels.uptime
        self._say(translate.of_levels(levels, before, self._live), levels.uptime)
        if (levels.progress, levels.lamps) != (before.progress, before.lamps):
            self._said.append(Progress(levels.progress, levels.lamps))

    # ── how ─────────────────────────────────────────────────────────────────────────────────────

    def _say(self, readings: list[Reading], uptime: int) -> None:
        """Facts of levels: their keys are never used twice, since no level is sent twice."""
        assert self._inflow is not None
        boot = self._inflow.boot
        for fact, ability, by_side, face in readings:
            self._levels_told += 1
            key = f"v:{boot}:{uptime}:{self._conversation}.{self._levels_told}"
            self._said.append(Told(fact, key, ability, boot, None, uptime, by_side, face))

    def _complain(self, code: str, **values: object) -> None:
        self._said.append(Complaint(code, tuple(values.items())))

    def _send(self, message: catalog.Message) -> None:
        self._out.append(encode(catalog.encode(message)))

    def _told(self) -> list[Said]:
        said, self._said = self._said, []
        return said
