"""Subscribers of one table: each has a bounded queue, and who is too slow is told so.

state ──▶ JSON Merge Patch against the state before ──▶ queue ──▶ subscriber
                                                    └─ full: `again`, and nothing more
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any, Final

from tablectl.app.known import Known
from tablectl.core.state import State

MOST_WAITING: Final = 256
"""Messages that wait for one subscriber at most."""

Message = dict[str, Any]


def merge_patch(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The JSON Merge Patch (RFC 7396) that makes `after` of `before`. What becomes null is
    removed by it, so that a member that is not there and one that is null are the same."""
    patch: dict[str, Any] = {}
    for name in before.keys() - after.keys():
        patch[name] = None
    for name, value in after.items():
        old = before.get(name)
        if value == old:
            continue
        if isinstance(value, dict) and isinstance(old, dict):
            patch[name] = merge_patch(old, value)
        else:
            patch[name] = value
    return patch


class Subscription:
    """One subscriber's messages, in order."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._waiting: deque[Message] = deque()
        self._news = asyncio.Event()
        self._over = False

    @property
    def waiting(self) -> int:
        """Messages that wait to be taken."""
        return len(self._waiting)

    def put(self, message: Message) -> None:
        """One more; the one too many ends the subscription."""
        if self._over:
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self.end("too slow")
            return
        self._waiting.append(message)
        self._news.set()

    def end(self, why: str) -> None:
        """Nothing more comes after this."""
        if not self._over:
            self._waiting.append({"table": self._streams.table, "again": why})
            self._over = True
            self._streams.leave(self)
            self._news.set()

    def close(self) -> None:
        """Take nothing more."""
        self._over = True
        self._waiting.clear()
        self._streams.leave(self)
        self._news.set()

    async def __aiter__(self) -> AsyncIterator[Message]:
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            if self._over:
                return
            self._news.clear()
            await self._news.wait()


class Streams:
    """All subscribers of one table."""

    def __init__(self, table: str, known: Known) -> None:
        self.table = table
        self._known = known
        self._subscribers: set[Subscription] = set()
        self._before: State = known.state

    def __len__(self) -> int:
        return len(self._subscribers)

    def subscribe(self, since: int | None, live: Message) -> Subscription:
        """What changed since that seq, or a snapshot; then everything as it comes."""
        found = Subscription(self)
        known = self._known
        states = None if since is None else known.states_since(since)
        if states is None:
            shown = known.shown(known.state)
            found.put({"table": self.table, "seq": known.seq, "state": shown})
        else:
            for (_, before), (seq, after) in pairwise(states):
                found.put(self._changes(seq, before, after))
        found.put({"table": self.table, "live": live})
        self._subscribers.add(found)
        self._before = known.state
        return found

    def leave(self, subscriber: Subscription) -> None:
        """A subscriber that takes nothing more."""
        self._subscribers.discard(subscriber)

    def changed(self) -> None:
        """The newest fact is folded: tell what it changed."""
        state = self._known.state
        if self._subscribers:
            self._tell(self._changes(self._known.seq, self._before, state))
        self._before = state

    def live(self, live: Message) -> None:
        """What is not durable is otherwise now."""
        self._tell({"table": self.table, "live": live})

    def end(self, why: str) -> None:
        """Send everybody away."""
        for subscriber in list(self._subscribers):
            subscriber.end(why)

    def _tell(self, message: Message) -> None:
        for subscriber in list(self._subscribers):
            subscriber.put(message)

    def _changes(self, seq: int, before: State, after: State) -> Message:
        old = self._known.shown(before)
        new = self._known.shown(after)
        return {"table": self.table, "seq": seq, "changes": merge_patch(old, new)}
