"""Edges as they come in: each once and in order, losses counted, snapshots made to wait.

durable   │ in, not durable yet │ next │ …
… 115 116 │ 117 118             │ 119  │ 120 …        a snapshot true after 121 waits for 121
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from protocols import v1

Verdict = Literal["next", "known", "gap"]


@dataclass
class Inflow:
    """The edges of one boot. `upto`: the last one that is in; `durable`: the last one that the
    journal has (what was passed over counts once all before it is durable)."""

    boot: int
    upto: int
    durable: int
    _passed: set[int] = field(default_factory=set)
    _snapshot: v1.Snapshot | None = None
    _presence: dict[int, v1.Presence] = field(default_factory=dict)

    def take(self, number: int) -> Verdict:
        """What an edge of this number is: the next one, which is in now, one already known, or one
        after a gap, which has to come again."""
        if number <= self.upto:
            return "known"
        if number > self.upto + 1:
            return "gap"
        self.upto = number
        return "next"

    def skip(self, first_kept: int) -> tuple[int, int] | None:
        """What fell out of the board's ring before it came: (first, how many), None for nothing.
        The edges after it are the next ones then."""
        first = self.upto + 1
        if first_kept <= first:
            return None
        self.upto = first_kept - 1
        return first, first_kept - first

    def passed_over(self, number: int) -> None:
        """This edge says nothing to this program, so that nobody makes it durable."""
        self._passed.add(number)
        self.committed(self.durable)

    def committed(self, upto: int) -> bool:
        """The journal has every edge up to this one; whether that is news."""
        before = self.durable
        self.durable = max(self.durable, upto)
        while self.durable + 1 in self._passed:
            self.durable += 1
        self._passed = {number for number in self._passed if number > self.durable}
        return self.durable > before

    def wait(self, level: v1.Snapshot | v1.Presence) -> None:
        """Keep a level until its edges are in; a newer one takes its place."""
        if isinstance(level, v1.Snapshot):
            self._snapshot = level
        else:
            self._presence[level.side] = level

    def ripe(self) -> Iterator[tuple[v1.Snapshot | v1.Presence, bool]]:
        """Levels whose edges are in, each with whether it is true now (not older than an edge)."""
        waiting = [self._snapshot, *self._presence.values()]
        for level in waiting:
            if level is None or level.upto > self.upto:
                continue
            if isinstance(level, v1.Snapshot):
                self._snapshot = None
            else:
                del self._presence[level.side]
            yield level, level.upto == self.upto
