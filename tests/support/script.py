"""A board written by hand before a host's driver, message by message, and what it says."""

from __future__ import annotations

from protocols import catalog, v0, v1
from protocols.codes import ANY_PHASE
from protocols.deframer import Deframer
from protocols.frame import MOST_BODY, Frame, encode
from tablectl.core import facts
from tablectl.link.said import Complaint, Told
from tablectl.link.tablectl_v1 import TablectlV1

ANY = (ANY_PHASE, ANY_PHASE)


class Script:
    """A host's driver whose board is written by hand, message by message."""

    def __init__(self, known: tuple[int, int] | None = None) -> None:
        self.now = 0
        self.nonce = 0
        self.said: list[object] = []
        self.driver = TablectlV1(100, lambda uid: known)
        self.conversation = 100
        assert self.asked() == [v0.Hello(b"TCT1", 100, 1, 1)]

    def hear(self, *messages: catalog.Message | Frame) -> list[catalog.Message]:
        """The board says this; what the host answers. A PONG answers the last PING."""
        for message in messages:
            if isinstance(message, v1.Pong) and not message.nonce:
                self.asked()
                message = message._replace(nonce=self.nonce)  # noqa: PLW2901
            frame = message if isinstance(message, Frame) else catalog.encode(message)
            self.said += self.driver.feed(encode(frame), self.now)
        return self.asked()

    def asked(self) -> list[catalog.Message]:
        found = [catalog.decode(frame) for frame in Deframer().feed(self.driver.take())]
        self.nonce = next(
            (one.nonce for one in reversed(found) if isinstance(one, v1.Ping)), self.nonce
        )
        return found

    def wait(self, ms: int) -> list[catalog.Message]:
        """Time goes on; what the host asks meanwhile."""
        asked = []
        for _ in range(ms // 100):
            self.now += 100
            self.said += self.driver.tick(self.now)
            asked += self.asked()
        return asked

    def iam(self, least: int = 1, most: int = 1, boot: int = 7) -> v0.Iam:
        return v0.Iam(
            b"TCT1", self.conversation, least, most, boot, bytes(8), 4, MOST_BODY, "odd", "1"
        )

    def identified(self, boot: int = 7, abilities: int = 0) -> Script:
        """Up to the point where the host asks for edges."""
        self.hear(
            self.iam(boot=boot),
            v1.Abilities(abilities, 4, 2, 2, 4, 200, 0),
            v1.Number(0, 0, 0, None, (None,) * 4, 255, 0, 0, ""),
        )
        return self

    def ready(self, next_: int = 1) -> Script:
        self.identified()
        self.asked()
        self.first = self.nonce
        self.hear(v1.Pong(0, 7, 10, next_, next_), snapshot(next_ - 1))
        assert self.driver.stage == "ready"
        return self

    def complaints(self) -> list[str]:
        return [one.code for one in self.said if isinstance(one, Complaint)]

    def facts(self) -> list[facts.Fact]:
        return [one.fact for one in self.said if isinstance(one, Told)]


def levels(uptime: int = 50, phase: tuple[int | None, int | None] = (None, None)) -> v1.Levels:
    nothing = (None, None, None, None)
    return v1.Levels(uptime, phase, (None, None), (None, None), nothing, nothing, 0)


def snapshot(upto: int, uptime: int = 50) -> v1.Snapshot:
    return v1.Snapshot(upto, 7, levels(uptime), 0, (None,) * 4, 0, None, None)


def dice(number: int, at: int = 20) -> v1.DiceEdge:
    return v1.DiceEdge(number, at, 2, (3, 4, None, None))


def number(nth: int, of: int) -> v1.Number:
    return v1.Number(nth, of, nth + 1, 136, (34, 34, 34, 34), 0, 16, 0, f"no. {nth + 1}")
