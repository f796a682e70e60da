"""Boards to speak with, all behind one face, and a host that keeps what it is told.

A peer is a board that a test holds in its hand: it lets edges happen, resets it, moves its clock
and carries bytes to and from it. `MemoryPeer` is the simulated table's board within the test.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from protocols import v1
from protocols.catalog import encode
from protocols.codes import Ability
from tablectl.core import facts
from tablectl.link.said import Became, Complaint, Ended, Said, Told
from tablectl.link.tablectl_v1 import TablectlV1
from tablesim.about import About, numbered
from tablesim.firmware import Board

UID = bytes(range(1, 9))
FIRST_BOOT = 7
RING = 4
NUMBERS = numbered(
    (1, 136, (34, 34, 34, 34), 0x10, 0, "四麻"), (5, 116, (30, 28, 30, 28), 0x18, 0, "華8")
)
SEES = tuple(
    ability.name.lower()
    for ability in Ability
    if ability not in (Ability.FACES_WHEN_STACKED, Ability.AUTO_DEAL, Ability.TURNS_INDICATOR)
)
ABOUT = About(UID, "VECTOR", "c99 1.0", SEES, NUMBERS, ring=RING)
"""The board of the vectors: what the reference board's process says of itself."""


class Peer(Protocol):
    """A board with a clock of its own, in ms since the test began."""

    ring: int

    def edge(self, message: type[Any], *values: Any) -> int:
        """Let an edge happen now; gives its number."""

    def reset(self) -> int:
        """The board starts anew; gives its boot."""

    def run(self, data: bytes, now: int) -> bytes:
        """Give the board bytes, then let its clock go to `now`; what it sent meanwhile."""

    def acted(self) -> int:
        """How many commands it has carried out, over all boots."""

    def close(self) -> None:
        """Leave nothing behind."""


class MemoryPeer:
    """The simulated table's board, without any line."""

    def __init__(self, about: About = ABOUT) -> None:
        self.ring = about.ring
        self.pressed: list[v1.Command] = []
        self.board = Board(about, self.pressed.append, FIRST_BOOT)
        self.now = 0

    def edge(self, message: type[Any], *values: Any) -> int:
        return self.board.edge(message, *values)

    def reset(self) -> int:
        self.board.reset(self.now)
        return self.board.boot

    def run(self, data: bytes, now: int) -> bytes:
        self.board.feed(data, self.now)
        self.now = max(self.now, now)
        self.board.tick(self.now)
        return self.board.take()

    def acted(self) -> int:
        return self.board.acted

    def close(self) -> None:
        pass


class Host:
    """A driver and a journal. What is told is durable at once, or at `commit` if `durable` is
    taken away; another run of the host knows only what was durable."""

    def __init__(self, peer: Peer, conversation: int = 100) -> None:
        self.peer = peer
        self.now = 0
        self.durable = True
        self.said: list[Said] = []
        self.known: tuple[int, int] | None = None
        self._kept = 0
        self._keys: set[str] = set()
        self.begin(conversation)

    def begin(self, conversation: int) -> None:
        """A run of the host. `conversation` must be newer than those before."""
        for one in self.said[self._kept :]:
            if isinstance(one, Told):
                self._keys.discard(one.key)
        del self.said[self._kept :]
        self.driver = TablectlV1(conversation, lambda uid: self.known, self.now)

    def hear(self, data: bytes) -> None:
        """Bytes from the board."""
        self.keep(self.driver.feed(data, self.now))

    def keep(self, said: Iterable[Said]) -> None:
        """Note what was said. No key may come twice, nor a face in anything that is printed."""
        for one in said:
            self.said.append(one)
            if isinstance(one, Told):
                assert one.key not in self._keys, one
                self._keys.add(one.key)
        if self.durable:
            self.commit()

    def commit(self) -> None:
        """Everything told so far is durable."""
        for one in self.said[self._kept :]:
            if isinstance(one, Told) and isinstance(one.fact, facts.Board):
                if self.known is None or self.known[0] != one.boot:
                    self.known = (one.boot, 0)
            elif isinstance(one, Told) and one.edge is not None:
                self.known = (one.boot, one.edge)
        self._kept = len(self.said)
        if self.known is not None and (said := self.driver.committed(*self.known)):
            self.keep(said)

    def run(self, ms: int, step: int = 20) -> None:
        """Let time go on, with a line that loses nothing."""
        until = self.now + ms
        while True:
            self.hear(self.peer.run(self.driver.take(), self.now))
            if self.now >= until:
                return
            self.now = min(self.now + step, until)
            self.keep(self.driver.tick(self.now))

    def ready(self) -> Host:
        """Run until the board is known."""
        for _ in range(100):
            if self.driver.stage == "ready":
                return self
            self.run(100)
        raise AssertionError(f"never ready: {self.said}")

    # ── what it was told ────────────────────────────────────────────────────────────────────────

    @property
    def facts(self) -> list[facts.Fact]:
        return [one.fact for one in self.said if isinstance(one, Told)]

    def edges(self, boot: int | None = None) -> list[int | tuple[str, int, int | None]]:
        """The edges told in order, and losses as ("lost", first, count)."""
        found: list[int | tuple[str, int, int | None]] = []
        for one in self.said:
            if not isinstance(one, Told) or (boot is not None and one.boot != boot):
                continue
            if isinstance(one.fact, facts.Lost):
                found.append(("lost", one.fact.first, one.fact.count))
            elif one.edge is not None:
                found.append(one.edge)
        return found

    def ended(self) -> list[Ended]:
        return [one for one in self.said if isinstance(one, Ended)]

    def complaints(self) -> list[str]:
        return [one.code for one in self.said if isinstance(one, Complaint)]

    def stages(self) -> list[str]:
        return [one.stage for one in self.said if isinstance(one, Became)]


def body_of(message: type[Any], values: tuple[Any, ...]) -> tuple[int, bytes]:
    """Type and body, after number and time, of an edge made from its values."""
    frame = encode(message(0, 0, *values))
    return frame.type, frame.body[8:]
