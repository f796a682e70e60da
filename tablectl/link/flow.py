"""What comes from a board that is known: edges in order, levels in their time, acknowledgements.

board ──edges, levels──▶ inflow (order, gaps, losses) ──▶ translate ──▶ said
board ◀──── ACK(boot, durable, credit) ◀───────────────── committed
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from protocols import catalog, codes, v1
from protocols.codes import Ability, What
from protocols.frame import Frame
from tablectl.core import facts
from tablectl.link import sentences, translate
from tablectl.link.identity import Identity
from tablectl.link.inflow import Inflow
from tablectl.link.said import Complaint, Progress, Said, Told
from tablectl.link.translate import Reading

CREDIT: Final = 8


class Flow:
    """One conversation's edges and levels. `send` puts a message on the line, `ping` asks the board
    how far it is and gives that PING's nonce, `say` tells the caller; `name` is part of the keys
    of levels and never used twice for a board. `troubles`: those that the caller was told of
    before, as bits."""

    def __init__(
        self,
        identity: Identity,
        inflow: Inflow,
        name: str,
        send: Callable[[catalog.Message], None],
        ping: Callable[[], int],
        say: Callable[[Said], None],
        troubles: int = 0,
    ) -> None:
        self.identity = identity
        self.inflow = inflow
        self.uptime = 0
        self.wants_snapshot = True
        """Whether the next snapshot is waited for."""
        self.snapshot_asked = False
        self._name = name
        self._told = 0
        self._send = send
        self._ping = ping
        self._say_one = say
        self._target: int | None = None
        self._behind: int | None = None
        """The PING whose answer will say whether edges waited at the board for our acknowledgement:
        levels that came meanwhile may be younger than those."""
        self._acked: int | None = None
        self._last_at: int | None = None
        self._levels: v1.Levels | None = None
        self._held: v1.Levels | None = None
        self._points: dict[int, v1.Points] = {}
        self._points_told: dict[int, v1.Points] = {}
        self._bits: dict[int, int] = {}
        self.troubles = troubles

    @property
    def drained(self) -> bool:
        """Whether all that the board had kept, when it last said so, is in."""
        return self._target is not None and self.inflow.upto >= self._target

    def takes(self, message: catalog.Message) -> None:
        """A message of the board; those that belong to the conversation itself are not for here."""
        match message:
            case v1.Pong():
                self._pong(message)
            case v1.Snapshot() if message.boot == self.inflow.boot:
                self.inflow.wait(message)
            case v1.Presence():
                self.inflow.wait(message)
            case v1.Levels():
                self._hold(message)
            case v1.Points():
                self._points[message.seat] = message
                if not self.wants_snapshot:
                    self._say_points()
            case _ if isinstance(message, v1.Edge) and self._is_next(message.number):
                self._edge(message)
            case _:
                pass
        self._ripen()

    def unread(self, frame: Frame) -> None:
        """A frame that is no known message. An edge still counts as one and is passed over."""
        number = catalog.number_of(frame)
        if number is None or not self._is_next(number):
            return
        self.inflow.passed_over(number)
        values = (("number", number), ("type", f"{frame.type:02X}"))
        self._say_one(Complaint(sentences.UNKNOWN_EDGE, values))
        self.acknowledge()
        self._ripen()

    def committed(self, upto: int) -> None:
        """The journal has every edge up to this one."""
        if self.inflow.committed(upto):
            full = self._acked is not None and self.inflow.upto - self._acked >= CREDIT
            self.acknowledge()
            if full:
                self._behind = self._ping()
            self._ripen()

    def acknowledge(self, again: bool = False) -> None:
        """Tell the board what is durable and that it may send on."""
        if again or self.inflow.durable != self._acked:
            self._acked = self.inflow.durable
            self._send(v1.Ack(self.inflow.boot, self.inflow.durable, CREDIT))

    def say_board(self) -> None:
        """Tell what the board is."""
        self._say([Reading(self.identity.fact(), "board")])

    def refresh(self) -> None:
        """Look whether everything is as it was told: a level may have been lost on the line."""
        self._send(v1.Get(What.SNAPSHOT, 0))
        self.ask_presence()

    def ask_presence(self) -> None:
        """Ask which places have a tile, where the board can see them."""
        if self.identity.can(Ability.PRESENCE_LIVE):
            for side in range(4):
                self._send(v1.Get(What.PRESENCE, side))

    # ── edges ───────────────────────────────────────────────────────────────────────────────────

    def _pong(self, message: v1.Pong) -> None:
        """How far the board is, and what fell out of its ring before it came here."""
        self.uptime = message.uptime
        if self._behind is not None and (message.nonce - self._behind) % 2**16 < 2**15:
            self._behind = None
        lost = self.inflow.skip(message.first_kept)
        if lost is not None:
            first, count = lost
            fact = facts.Lost(first=first, count=count)
            boot = self.inflow.boot
            key, last = f"b:{boot}:{first}", message.first_kept - 1
            self._say_one(Told(fact, key, "board", boot, last, self.uptime))
            self._want_snapshot()
        self._target = max(message.next - 1, self._target or 0)
        if self.inflow.upto < self._target or self._acked is None:
            self.acknowledge(again=True)

    def _is_next(self, number: int) -> bool:
        """Whether an edge is the next one; what is known is acknowledged again, and after a gap
        the board is asked whether the missing ones fell out of its ring."""
        verdict = self.inflow.take(number)
        if verdict == "known":
            self.acknowledge(again=True)
        elif verdict == "gap":
            # What comes meanwhile is younger than the edges that are missing.
            self._target = max(number, self._target or 0)
            self._ping()
        return verdict == "next"

    def _edge(self, edge: v1.Edge) -> None:
        self._last_at = self.uptime = edge.at
        if isinstance(edge, v1.TroubleEdge) and edge.code < 32:
            bit = 1 << edge.code
            self.troubles = self.troubles | bit if edge.on else self.troubles & ~bit
        if isinstance(edge, v1.TakenEdge):
            self._taken(edge)
        if self._levels is not None:
            self._levels = translate.levels_after(self._levels, edge)
        boot, readings = self.inflow.boot, translate.of_edge(edge)
        if not readings:
            self.inflow.passed_over(edge.number)
            self.acknowledge()
        for n, (fact, ability, by_side, face) in enumerate(readings):
            key = f"b:{boot}:{edge.number}" + (f".{n}" if n else "")
            last = edge.number if n == len(readings) - 1 else None
            self._say_one(Told(fact, key, ability, boot, last, edge.at, by_side, face))

    def _taken(self, edge: v1.TakenEdge) -> None:
        """What PRESENCE of its side will say."""
        place = codes.place_of(edge.place)
        if place is not None and place[0] in self._bits and place[2] != "on":
            bit = 1 << 2 * (place[1] - 1) + (place[2] == "lower")
            known = self._bits[place[0]]
            self._bits[place[0]] = known | bit if edge.back else known & ~bit

    # ── levels ──────────────────────────────────────────────────────────────────────────────────

    def _want_snapshot(self) -> None:
        self.wants_snapshot, self.snapshot_asked = True, False

    def _ripen(self) -> None:
        """Tell the levels that have waited long enough; ask again for those that came too late."""
        for level, true_now in list(self.inflow.ripe()):
            if isinstance(level, v1.Presence):
                if true_now:
                    self._presence(level)
                else:
                    self._send(v1.Get(What.PRESENCE, level.side))
            elif not self.wants_snapshot:
                self._compare(level)
            elif true_now and not _older(level.levels.uptime, self.uptime):
                self._snapshot(level)
            else:
                self._want_snapshot()
        self._say_levels()

    @property
    def _live(self) -> bool:
        return self.identity.can(Ability.COUNTS_LIVE)

    def _snapshot(self, snapshot: v1.Snapshot) -> None:
        self.wants_snapshot = False
        self.uptime = snapshot.levels.uptime
        self._levels = snapshot.levels
        self._say(translate.of_troubles(snapshot.troubles, self.troubles))
        self._say(translate.of_snapshot(snapshot, self._live))
        self._say_one(Progress(snapshot.levels.progress, snapshot.levels.lamps))
        self.troubles = snapshot.troubles
        self._say_points()

    def _compare(self, snapshot: v1.Snapshot) -> None:
        """A snapshot that was asked for to be sure: only what differs is told."""
        if snapshot.upto < self.inflow.upto or _older(snapshot.levels.uptime, self.uptime):
            return
        self._say(translate.of_troubles(snapshot.troubles, self.troubles))
        self.troubles = snapshot.troubles
        self._hold(snapshot.levels)

    def _hold(self, levels: v1.Levels) -> None:
        """Keep the newest LEVELS until they can be told; one that was long on its way is late."""
        if self._held is None or not _older(levels.uptime, self._held.uptime):
            self._held = levels

    def _presence(self, presence: v1.Presence) -> None:
        bits = int.from_bytes(presence.bits, "little")
        if self._bits.get(presence.side) != bits:
            self._bits[presence.side] = bits
            self._say(translate.of_presence(presence))

    def _say_points(self) -> None:
        points, self._points = self._points, {}
        for seat in sorted(points):
            if self._points_told.get(seat) != points[seat]:
                self._points_told[seat] = points[seat]
                self._say(translate.of_points(points[seat]))

    def _say_levels(self) -> None:
        """Tell the newest LEVELS, unless edges older than it may still be on their way."""
        levels, before, inflow = self._held, self._levels, self.inflow
        if levels is None or before is None or self.wants_snapshot or not self.drained:
            return
        if inflow.upto - inflow.durable >= CREDIT or self._behind is not None:
            return
        self._held = None
        last_at = before.uptime if self._last_at is None else self._last_at
        if _older(levels.uptime, last_at) or _older(levels.uptime, before.uptime):
            return
        self._levels, self.uptime = levels, levels.uptime
        self._say(translate.of_levels(levels, before, self._live))
        if (levels.progress, levels.lamps) != (before.progress, before.lamps):
            self._say_one(Progress(levels.progress, levels.lamps))

    def _say(self, readings: list[Reading]) -> None:
        """Facts of levels: their keys are never used twice, since no level is sent twice."""
        boot = self.inflow.boot
        for fact, ability, by_side, face in readings:
            self._told += 1
            key = f"v:{boot}:{self.uptime}:{self._name}.{self._told}"
            self._say_one(Told(fact, key, ability, boot, None, self.uptime, by_side, face))


def _older(uptime: int, than: int) -> bool:
    """Whether one time of the board lies before another; it runs over after 2**32 ms."""
    return (uptime - than) % 2**32 >= 2**31
