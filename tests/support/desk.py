"""A desk without a daemon: tables whose facts are kept in memory, for what serves them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from tablectl.app import service
from tablectl.app.service import Tap, Tapped, Wish
from tablectl.app.shown import ConfiguredLine, LiveShown
from tablectl.core.entry import Entry
from tablectl.core.preset import Preset
from tablectl.core.preset_file import (
    builtin_presets,
    find_preset,
    preset_text,
    read_preset,
    split_name,
    unknown_preset,
)
from tablectl.core.state import Question, State, Verdict
from tablectl.core.view import plain, view_of
from tablectl.errors import TablectlError

PRESETS = ("ramen-jiro", "riichi-3p", "riichi-4p")


class MemoryStream:
    """At most `most` messages wait; one more, and the last says why it ends."""

    def __init__(self, table: str, most: int) -> None:
        self.table = table
        self.most = most
        self.closed = False
        self._waiting: deque[dict[str, Any]] = deque()
        self._more = asyncio.Event()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def put(self, message: dict[str, Any]) -> None:
        if self._waiting and "again" in self._waiting[-1]:
            return
        if len(self._waiting) >= self.most:
            self._waiting.clear()
            message = {"table": self.table, "again": "this connection is too slow"}
        self._waiting.append(message)
        self._more.set()

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        while not self.closed:
            while self._waiting:
                message = self._waiting.popleft()
                yield message
                if "again" in message:
                    return
            self._more.clear()
            await self._more.wait()

    def close(self) -> None:
        self.closed = True
        self._more.set()


class MemoryTable:
    """A table; a fact folds into nothing, but has its number and its place."""

    def __init__(self, id: str, name: str = "", most: int = 100) -> None:
        self.id = id
        self.name = name or id
        self.state = State()
        self.entries: list[Entry] = []
        self.taps: list[Tap] = []
        self.wishes: list[Wish] = []
        self.streams: list[MemoryStream] = []
        self.refuses: TablectlError | None = None
        self._answers: dict[str, Tapped] = {}
        self._most = most

    @property
    def seq(self) -> int:
        return len(self.entries)

    def view(self) -> dict[str, Any]:
        about = {"table": self.id, "name": self.name, "seq": self.seq}
        return {**about, "state": self._shown(), "live": LIVE, "numbers": [], "notes": []}

    async def facts(self, since: int, limit: int) -> list[Entry]:
        return self.entries[since : since + limit]

    async def tap(self, tap: Tap) -> Tapped:
        if tap.key in self._answers:
            return self._answers[tap.key]
        if self.refuses is not None:
            raise self.refuses
        if max(tap.seen, tap.after or 0) > self.seq:
            raise TablectlError(service.SEEN_AHEAD, seq=self.seq, seen=tap.seen)
        self.taps.append(tap)
        self.entries.append(
            Entry(
                table=self.id,
                seq=self.seq + 1,
                key=f"p:{tap.key}",
                fact=tap.fact,
                who=tap.who,
                after=tap.after,
            )
        )
        question = Question("q1", "Who drew?", self.seq, ("0", "1"))
        self._answers[tap.key] = Tapped(self.seq, Verdict("fits"), (question,))
        self.publish({"taps": self.seq})
        return self._answers[tap.key]

    async def command(self, wish: Wish) -> dict[str, Any]:
        if wish.preset is not None and wish.preset not in PRESETS:
            names = ", ".join(PRESETS)
            raise TablectlError("preset.unknown", name=wish.preset, names=names, nearest="")
        self.wishes.append(wish)
        return {"say": [f"{wish.what} is done"]}

    def subscribe(self, since: int | None) -> MemoryStream:
        stream = MemoryStream(self.id, self._most)
        self.streams.append(stream)
        if since is None:
            stream.put({"table": self.id, "seq": self.seq, "state": self._shown()})
        else:
            for seq in range(since + 1, self.seq + 1):
                stream.put({"table": self.id, "seq": seq, "changes": {"taps": seq}})
        return stream

    def publish(self, changes: dict[str, Any]) -> None:
        for stream in self.streams:
            stream.put({"table": self.id, "seq": self.seq, "changes": changes})

    def _shown(self) -> Any:
        return msgspec.json.decode(msgspec.json.encode(plain(view_of(None, self.state))))


LIVE = msgspec.json.decode(msgspec.json.encode(LiveShown(None, False, None, None, None, ())))
RULES = [find_preset(name) for name in builtin_presets()]
TEXTS = {name: preset_text(name)[0] for name in builtin_presets()}


class MemoryDesk:
    """Tables of a daemon that is not there."""

    def __init__(self, *tables: MemoryTable) -> None:
        self.tables = {table.id: table for table in tables}
        self.lines: list[ConfiguredLine] = []

    def rules(self) -> list[Preset]:
        return RULES

    def rule(self, name: str) -> Preset:
        bare, toppings = split_name(name)
        if bare not in TEXTS:
            raise unknown_preset(bare, sorted(TEXTS))
        return read_preset(TEXTS[bare], bare, toppings=toppings)

    def standing(self) -> list[ConfiguredLine]:
        return self.lines

    def table(self, name: str) -> MemoryTable:
        for table in self.tables.values():
            if name in (table.id, table.name):
                return table
        raise service.no_table(name, self)

    def health(self) -> dict[str, Any]:
        return {"ok": True, "tables": {id: {"link": True} for id in self.tables}}
