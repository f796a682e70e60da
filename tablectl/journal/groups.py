"""Who is next: a fair choice of what is committed together.

east  ■■■■■■■■■■■■■ …     at most 64 of a table   ┐
north ■■                                          ├─▶ one group, at most 512
west  ■■■                                         ┘
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final, Generic, Protocol, TypeVar

PER_TABLE: Final = 64
PER_GROUP: Final = 512


class Item(Protocol):
    """Something that waits: of a table, never divided; `size` in drafts, at least 1. `ends_turn`:
    nothing of its table follows it in its group."""

    @property
    def table(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def ends_turn(self) -> bool: ...


I = TypeVar("I", bound=Item)  # noqa: E741


class Groups(Generic[I]):
    """What waits, a queue for each table. Tables have their turns in a ring: who was not reached
    in one group comes first in the next, so that nobody waits for another's queue."""

    def __init__(self, per_table: int = PER_TABLE, per_group: int = PER_GROUP) -> None:
        self._per_table = per_table
        self._per_group = per_group
        self._queues: dict[str, deque[I]] = {}
        self._ring: deque[str] = deque()
        self._held: set[str] = set()
        self.waiting = 0
        """Drafts that wait."""

    def __bool__(self) -> bool:
        return bool(self._queues)

    def add(self, item: I) -> None:
        """Let an item wait behind those of its table."""
        if item.table not in self._queues:
            self._queues[item.table] = deque()
            self._ring.append(item.table)
        self._queues[item.table].append(item)
        self.waiting += item.size

    def take(self) -> list[I]:
        """The next group, in each table's order: at most `per_table` drafts of a table and
        `per_group` in all. What is larger by itself is a table's whole turn, or a whole group."""
        group: list[I] = []
        room = self._per_group
        for _ in range(len(self._ring)):
            table = self._ring[0]
            queue = self._queues[table]
            if table not in self._held:
                if group and queue[0].size > room:
                    break
                turn = self._turn(queue, room)
                group += turn
                room -= sum(item.size for item in turn)
            self._ring.popleft()
            if queue:
                self._ring.append(table)
            else:
                del self._queues[table]
        self.waiting -= sum(item.size for item in group)
        return group

    def _turn(self, queue: deque[I], room: int) -> list[I]:
        turn = [queue.popleft()]
        left = min(self._per_table, room) - turn[0].size
        while queue and queue[0].size <= left and not turn[-1].ends_turn:
            left -= queue[0].size
            turn.append(queue.popleft())
        return turn

    def hold(self, tables: Iterable[str]) -> None:
        """Give these tables no turn until they are dropped."""
        self._held.update(tables)

    def drop(self, table: str) -> list[I]:
        """Take everything out that waits of a table, in order, and give it its turns again."""
        self._held.discard(table)
        queue = self._queues.pop(table, None)
        if queue is None:
            return []
        self._ring.remove(table)
        self.waiting -= sum(item.size for item in queue)
        return list(queue)

    def drop_all(self) -> list[I]:
        """Take everything out."""
        return [item for table in (*self._ring, *self._held) for item in self.drop(table)]
