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
from protocols.codes import Reason, What
from protocols.deframer import Deframer
from protocols.frame import Frame, encode
from tablectl.core import facts
from tablectl.errors import TablectlError
from tablectl.link import sentences
from tablectl.link.clock import BoardClock
from tablectl.link.flow import Flow
from tablectl.link.identity import Identity
from tablectl.link.inflow import Inflow
from tablectl.link.outcomes import Outcomes
from tablectl.link.said import Became, Complaint, Said, Stage, Told

ASK_EVERY: Final = 1000
PING_AFTER: Final = 2000
RESYNC_AFTER: Final = 5000
"""A PING also goes out on a line full of levels: edges that nothing lets go are noticed so."""
HALF_DEAD_AFTER: Final = 20_000
"""Without any answer for so long the line is down, whatever else comes from the board."""
REFRESH_EVERY: Final = 30_000
DOUBT_EVERY: Final = 2000
"""Levels are compared now and then, and soon after anything came that was no frame."""
LAST_COMMAND: Final = 0xFFFF
PINGS_LOST: Final = 3
PINGS_KEPT: Final = 16
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
        self.clock = BoardClock()
        self._now = now
        self._conversation = conversation - 1
        self._recall = recall
        self._deframer = Deframer()
        self._out: list[bytes] = []
        self._said: list[Said] = []
        self._outcomes = Outcomes()
        self._nonce = conversation % 2**16
        self._flow: Flow | None = None
        self._in_hand: tuple[str, int, int] | None = None
        self._troubles: dict[str, int] = {}
        self._refused: str | None = None
        self._forget()
        self._call(now)

    def _forget(self) -> None:
        """Nothing is known of the board any more, but what it told; the next conversation is a
        newer one."""
        if self._flow is not None:
            inflow = self._flow.inflow
            self._in_hand = (self._flow.identity.uid, inflow.boot, inflow.upto)
            self._troubles[self._flow.identity.uid] = self._flow.troubles
        self._flow = None
        self._conversation = (self._conversation + 1) % 2**32
        self._number = 0
        self._asked_numbers = 0
        self._pinged = 0
        self._pings: dict[int, int] = {}
        self._ping_sent: dict[int, int] = {}
        self._ping_at: int | None = None
        self._pong_at = self._resync_at = self._refreshed = self._refresh_at = 0
        self._ask_at: int | None = None

    # ── what goes in and out ────────────────────────────────────────────────────────────────────

    def feed(self, data: bytes, now: int) -> list[Said]:
        """Bytes from the line, in any pieces. Gives what they say."""
        self._now = now
        dropped = self._deframer.dropped.total()
        for verified in self._deframer.verified(data):
            if self.stage not in ("calling", "refused"):
                self._pinged, self._ping_at = 0, now + PING_AFTER
            try:
                message = catalog.read(verified)
            except catalog.MessageError:
                if self._flow is not None:
                    self._flow.unread(Frame(verified[0], verified[1], verified[2:-2]))
            else:
                self._message(message, now)
            self._go_on(now)
        if self._deframer.dropped.total() > dropped:
            self._refresh_at = min(self._refresh_at, max(now, self._refreshed + DOUBT_EVERY))
        return self._told()

    def tick(self, now: int) -> list[Said]:
        """Do what is due at this time."""
        self._now = now
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
                self._pinged += 1
                self._ping_at = now + PING_AFTER
                self._ping()
        elif self.stage == "ready":
            self._look_after(now)
        return self._told()

    def _look_after(self, now: int) -> None:
        """What a ready line needs now and then."""
        if now >= self._pong_at + HALF_DEAD_AFTER:
            self._restart("silent", now)
        elif self._number == LAST_COMMAND and self._outcomes.pending is None:
            self._restart("all numbers of commands are used", now)
        elif now >= self._resync_at:
            self._resync_at = now + RESYNC_AFTER
            self._ping()
        elif now >= self._refresh_at and self._flow is not None:
            self._refreshed, self._refresh_at = now, now + REFRESH_EVERY
            self._flow.refresh()

    def due(self) -> int:
        """When `tick` is to be called next, at the latest."""
        times = [self._ask_at, self._ping_at]
        if self.stage == "ready":
            times += [self._resync_at, self._refresh_at, self._outcomes.due]
        elif self._outcomes.pending is not None:
            times.append(self._outcomes.pending.gives_up)
        return min(time for time in times if time is not None)

    def take(self) -> bytes:
        """The bytes for the line."""
        data = b"".join(self._out)
        self._out.clear()
        return data

    def committed(self, boot: int, upto: int) -> list[Said]:
        """The journal has every edge of this boot up to `upto`: the board may forget them. Gives
        what had waited for that."""
        if self._flow is not None and self._flow.inflow.boot == boot:
            self._flow.committed(upto)
        return self._told()

    def close(self, why: str, now: int) -> list[Said]:
        """The line is gone. What was under way stays to be asked; bytes not yet taken are lost."""
        self._now = now
        self._out.clear()
        self._deframer = Deframer()
        self._restart(why, now)
        return self._told()

    @property
    def frames(self) -> int:
        """Frames that came since the line was opened."""
        return self._deframer.frames

    def disown(self) -> None:
        """Nobody took what was told since the board last said who it is: it is to be told again,
        from where the journal ends."""
        self._in_hand = None

    @property
    def may_command(self) -> bool:
        """Whether `command` would take one now."""
        free = self._outcomes.pending is None and self._number < LAST_COMMAND
        return self.stage == "ready" and free

    def next_command(self) -> tuple[int, int]:
        """The conversation and number that `command` would use now, so that a journal can have
        them before anything is sent. Raises TablectlError `link.not_ready`, `link.command_runs`."""
        if self.stage != "ready" or self._flow is None or self._number == LAST_COMMAND:
            raise TablectlError(sentences.NOT_READY, stage=self.stage)
        if self._outcomes.pending is not None:
            raise TablectlError(sentences.COMMAND_RUNS)
        return self._conversation, self._number + 1

    def command(
        self,
        make: Callable[[int, int], v1.Command],
        now: int,
        expected: tuple[int, int] | None = None,
    ) -> tuple[int, int]:
        """Give the board a command, made from its conversation and number, which come back and
        name it in `Ended`. `expected`: what `next_command` has said. Raises TablectlError
        `link.not_ready` (also where they are others by now), `link.command_runs`, all before
        anything was sent; ValueError for a value that the wire cannot hold."""
        named = self.next_command()
        if self._flow is None or expected not in (None, named):
            raise TablectlError(sentences.NOT_READY, stage="another one by now")
        message = make(*named)
        data = encode(catalog.encode(message))
        self._number += 1
        self._outcomes.begin(message, self._flow.inflow.boot, now)
        self._out.append(data)
        return message.conversation, message.command

    def ask_about(self, message: v1.Command, boot: int, now: int) -> None:
        """A command of an earlier run, given to this boot of the board, of which nobody has
        written down what became of it: it is asked for as soon as the line is ready and never sent
        again."""
        self._outcomes.begin(message, boot, now)

    # ── stages ──────────────────────────────────────────────────────────────────────────────────

    def _call(self, now: int) -> None:
        """HELLO, again each second."""
        self._ask_at = now + (REFUSED_EVERY if self.stage == "refused" else ASK_EVERY)
        self._send(v0.Hello(b"TCT1", self._conversation, catalog.LEAST, catalog.MOST))

    def _ask(self, now: int) -> None:
        """Ask for what is missing to go on."""
        self._ask_at = now + ASK_EVERY
        identity, flow = self.identity, self._flow
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
        elif flow is None or not flow.drained:
            if flow is not None:
                flow.acknowledge(again=True)
            self._ping()
        elif flow.wants_snapshot:
            self._send(v1.Get(What.SNAPSHOT, 0))
        else:
            self._ask_at = None

    def _identified(self, now: int) -> None:
        """Abilities and numbers are there: find out which edges are."""
        self._become("draining")
        self._ask_at = now + ASK_EVERY
        self._ping()

    def _go_on(self, now: int) -> None:
        """What the last message makes possible."""
        flow = self._flow
        if flow is None or not flow.drained:
            return
        if flow.wants_snapshot and not flow.snapshot_asked:
            flow.snapshot_asked = True
            self._ask_at = now + ASK_EVERY
            self._send(v1.Get(What.SNAPSHOT, 0))
        elif not flow.wants_snapshot and self.stage == "draining":
            flow.ask_presence()
            self._become("ready")
            self._ask_at = None
            self._pong_at = self._refreshed = now
            self._resync_at, self._refresh_at = now + RESYNC_AFTER, now + REFRESH_EVERY

    def _restart(self, why: str, now: int, newer_than: int | None = None) -> None:
        """From the beginning, with a newer conversation."""
        if newer_than is not None:
            self._conversation = newer_than
        self._forget()
        self.clock = BoardClock()
        self._become("calling", why)
        self._call(now)

    def _refuse(self, now: int, code: str, **values: object) -> None:
        """The board is there, but cannot be spoken with; it is called again now and then."""
        self._forget()
        if self._refused != code:
            self._complain(code, **values)
        self._refused = code
        self._become("refused", code)
        self._ask_at = now + REFUSED_EVERY

    def _become(self, stage: Stage, why: str | None = None) -> None:
        if stage != self.stage or (why is not None and stage != "refused"):
            self._said.append(Became(stage, why))
        self.stage = stage
        if stage == "ready":
            self._refused = None

    # ── messages ────────────────────────────────────────────────────────────────────────────────

    def _message(self, message: catalog.Message, now: int) -> None:
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
                known = self.identity.missing is None and self.identity.abilities is not None
                if self.stage == "identifying" and known:
                    self._identified(now)
            case v1.Outcome():
                ended, again = self._outcomes.answered(message, self._conversation, now)
                self._said += ended
                if again is not None and self.stage == "ready":
                    self._send(again)
            case v1.Pong():
                self._pong(message, now)
            case _ if self._flow is not None:
                self._flow.takes(message)
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
            least, most = message.least, message.most
            self._refuse(now, sentences.VERSION, least=least, most=most, ours=catalog.MOST)
            return
        self._become("identifying")
        self._pinged, self._ping_at = 0, now + PING_AFTER
        self._ask(now)

    def _pong(self, message: v1.Pong, now: int) -> None:
        assert self.identity is not None
        if message.nonce not in self._pings:
            return  # an answer that was long on its way, or of another conversation
        self._pong_at, self._resync_at = now, now + RESYNC_AFTER
        self.clock.note(self._ping_sent.pop(message.nonce, now), now, message.uptime)
        if message.boot != self.identity.iam.boot:
            self._restart("reset", now)
            return
        if self.stage == "identifying":
            return
        flow = self._flow or self._resume(self.identity, message, now)
        upto = self._pings[message.nonce]
        if message.next <= upto:
            boot = message.boot
            self._refuse(now, sentences.BOOT_REPEATS, boot=boot, next=message.next - 1, upto=upto)
            return
        flow.takes(message)

    def _resume(self, identity: Identity, message: v1.Pong, now: int) -> Flow:
        """The first PONG: take the board's edges up where the journal ends."""
        boot = message.boot
        known = durable = self._recall(identity.uid)
        if self._in_hand is not None and self._in_hand[0] == identity.uid:
            # What was told in this run is in the journal's hands, even if it is not durable yet;
            # but another line may have brought more of the board meanwhile.
            known = _further(self._in_hand[1:], durable, boot)
        upto = known[1] if known is not None and known[0] == boot else 0
        kept = durable[1] if durable is not None and durable[0] == boot else 0
        flow = Flow(
            identity,
            Inflow(boot, upto, min(kept, upto)),
            f"{self._conversation}",
            self._send,
            self._ping,
            self._said.append,
            self._troubles.get(identity.uid, 0),
        )
        # What was asked before the journal was looked into cannot be answered by less than it has.
        self._pings = dict.fromkeys(self._pings, upto)
        if message.next > upto:
            flow.uptime = message.uptime
            flow.say_board()
            if known is not None and known[0] != boot:
                fact = facts.Lost(first=known[1] + 1)
                self._said.append(Told(fact, f"b:{known[0]}:{known[1] + 1}", "board", known[0]))
            if (ended := self._outcomes.another_board(boot, now)) is not None:
                self._said.append(ended)
            self._flow = flow
        return flow

    def _huh(self, message: v0.Huh, now: int) -> None:
        if self.stage in ("calling", "refused"):
            return
        known = message.reason in Reason._value2member_map_
        code = sentences.HUH[Reason(message.reason)] if known else sentences.HUH_OTHER
        self._complain(
            code, type=f"{message.type:02X}", reason=message.reason, detail=message.detail
        )
        pending = self._outcomes.pending
        ours = pending is not None and pending.message.conversation == self._conversation
        lost = message.type in (0x18, 0x19, 0x1A) and message.reason == Reason.FIELD
        if (lost and ours) or message.reason == Reason.BUSY:
            self._restart("conversation lost", now)

    # ── how ─────────────────────────────────────────────────────────────────────────────────────

    def _ping(self) -> int:
        """Ask how far the board is, noting which edges were in then: its answer cannot be less."""
        self._nonce = (self._nonce + 1) % 2**16
        self._pings[self._nonce] = self._flow.inflow.upto if self._flow is not None else 0
        self._ping_sent[self._nonce] = self._now
        if len(self._pings) > PINGS_KEPT:
            self._ping_sent.pop(oldest := next(iter(self._pings)), None)
            del self._pings[oldest]
        self._send(v1.Ping(self._nonce))
        return self._nonce

    def _complain(self, code: str, **values: object) -> None:
        self._said.append(Complaint(code, tuple(values.items())))

    def _send(self, message: catalog.Message) -> None:
        self._out.append(encode(catalog.encode(message)))

    def _told(self) -> list[Said]:
        said = list(self._said)
        self._said.clear()
        return said


def _further(
    in_hand: tuple[int, int], durable: tuple[int, int] | None, boot: int
) -> tuple[int, int]:
    """Of two places in a board's edges the one that is further, if both are of its boot now; else
    the one that is of it."""
    if durable is None or durable[0] != boot:
        return in_hand
    return max(in_hand, durable) if in_hand[0] == boot else durable
