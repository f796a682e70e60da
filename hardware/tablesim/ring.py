"""The ring of a board: edges kept until the host says that they are durable.

      fell out   kept: first_kept … next − 1        not yet happened
    1 … 6      │ 7 8 9 │ 10 … 17        │ 18 …
                  upto=9  upto+1 … upto+credit

What may be sent is sent as it happens and again after 400 ms, doubling to 3.2 s, until the host's
acknowledgement advances. Times are milliseconds of the board's uptime.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from protocols import v1

FIRST_WAIT: Final = 400
LONGEST_WAIT: Final = 3200
MOST_CREDIT: Final = 8


class Ring:
    """Keeps at most `size` edges; when it is full the oldest falls out, sent or not."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.next = 1
        self.drops = 0
        self._kept: deque[v1.Edge] = deque()
        self.begin()

    @property
    def first_kept(self) -> int:
        """The oldest edge kept; `next` if none is."""
        return self.next - len(self._kept)

    def begin(self) -> None:
        """A new conversation: no credit, nothing sent, nothing acknowledged in it."""
        self._upto: int | None = None
        self._credit = 0
        self._sent = 0
        self._wait = FIRST_WAIT
        self.again_at: int | None = None

    def add(self, edge: v1.Edge) -> None:
        """The next edge; its number is `next`."""
        self._kept.append(edge)
        self.next += 1
        if len(self._kept) > self.size:
            self._kept.popleft()
            self.drops += 1

    def acknowledged(self, upto: int, credit: int) -> None:
        """The host has these durably and takes `credit` more. `upto` must be below `next`."""
        if self._upto is not None and upto < self._upto:
            return
        if upto != self._upto:
            self._wait = FIRST_WAIT
            self.again_at = None
            self._sent = max(self._sent, upto)
        self._upto = upto
        self._credit = min(credit, MOST_CREDIT)
        while self._kept and self._kept[0].number <= upto:
            self._kept.popleft()

    def unsent(self, now: int) -> list[v1.Edge]:
        """Edges that may go out and did not yet."""
        found = [edge for edge in self._allowed() if edge.number > self._sent]
        if found:
            self._sent = found[-1].number
        if self.again_at is None and any(e.number <= self._sent for e in self._allowed()):
            self.again_at = now + self._wait
        return found

    def again(self, now: int) -> list[v1.Edge]:
        """Edges that wait for their acknowledgement longer than the time set for it."""
        if self.again_at is None or now < self.again_at:
            return []
        found = [edge for edge in self._allowed() if edge.number <= self._sent]
        self._wait = min(2 * self._wait, LONGEST_WAIT)
        self.again_at = now + self._wait if found else None
        return found

    def _allowed(self) -> list[v1.Edge]:
        most = (self._upto or 0) + self._credit
        return [edge for edge in self._kept if edge.number <= most]
