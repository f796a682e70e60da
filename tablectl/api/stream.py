"""The stream: one connection follows tables, from a snapshot or from the fact that it has."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Final

import msgspec
from starlette.types import Message, Receive, Scope, Send

from tablectl.api import problems, reading
from tablectl.api.messages import Subscribe
from tablectl.api.security import Bounds, Rates, refuse
from tablectl.app.service import Desk, Stream
from tablectl.errors import TablectlError

PATH: Final = "/api/v1/stream"
MOST_SAID: Final = 4096
"""Bytes of one message of a client."""

REFUSED, RESTART, AGAIN = 1008, 1012, 1013
"""Close codes: not what is read here; the daemon stops; take a new snapshot."""
CLOSE_SECONDS: Final = 0.2


class Streams:
    """All connections that follow tables. They end when `stopping` is set."""

    def __init__(self, desk: Desk, bounds: Bounds, rates: Rates) -> None:
        self.stopping = asyncio.Event()
        self._desk = desk
        self._bounds = bounds
        self._rates = rates
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._open >= self._bounds.sockets:
            await refuse(TablectlError(problems.SOCKETS, most=self._bounds.sockets), scope, send)
            return
        self._open += 1
        try:
            follower = _Follower(self._desk, self._bounds, self._rates, scope, receive, send)
            await follower.run(self.stopping)
        finally:
            self._open -= 1


class _Ended(Exception):
    """The connection is over; `code` None: the client has gone."""

    def __init__(self, code: int | None) -> None:
        self.code = code


class _Follower:
    """One connection: reads subscriptions beside what it sends, so that it always ends."""

    def __init__(
        self, desk: Desk, bounds: Bounds, rates: Rates, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self._desk = desk
        self._bounds = bounds
        self._rates = rates
        self._scope = scope
        self._receive = receive
        self._send = send
        self._pumps: dict[str, asyncio.Task[None]] = {}

    async def run(self, stopping: asyncio.Event) -> None:
        await self._receive()  # websocket.connect
        codes: list[int | None] = []
        try:
            await self._send({"type": "websocket.accept"})
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read(group))
                group.create_task(_until(stopping))
        except* _Ended as ended:
            codes += [one.code for one in ended.exceptions if isinstance(one, _Ended)]
        except* OSError:
            codes.append(None)  # the client went while something was sent
        if None in codes:
            return
        # Who reads nothing cannot be told; the server cuts the line.
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._send({"type": "websocket.close", "code": codes[0]})

    async def _read(self, group: asyncio.TaskGroup) -> None:
        seconds = self._bounds.subscribe_seconds
        try:
            async with asyncio.timeout(seconds) as limit:
                while True:
                    message = await self._receive()
                    if message["type"] == "websocket.disconnect":
                        raise _Ended(None)
                    if await self._subscribe(message, group):
                        limit.reschedule(None)
        except TimeoutError:
            why = "nothing was asked"
            await self._refuse(TablectlError(problems.SUBSCRIBE, why=why, seconds=seconds))

    async def _subscribe(self, message: Message, group: asyncio.TaskGroup) -> bool:
        """Follow what the client asks for; False if there is no such table."""
        ask = await self._asked(message)
        try:
            table = self._desk.table(ask.table)
            if table.id not in self._pumps and len(self._pumps) >= self._bounds.tables:
                raise TablectlError(problems.TABLES, most=self._bounds.tables)
            stream = table.subscribe(ask.since)
        except TablectlError as error:
            await self._say({"table": ask.table, "error": error.as_json()})
            return False
        if (before := self._pumps.pop(table.id, None)) is not None:
            before.cancel()
        self._pumps[table.id] = group.create_task(self._pump(table.id, stream))
        return True

    async def _asked(self, message: Message) -> Subscribe:
        try:
            self._rates.check(self._scope)
            said = message.get("text")
            if not isinstance(said, str) or len(said) > MOST_SAID:
                why = f"it is one JSON object, a text of at most {MOST_SAID} letters"
                seconds = self._bounds.subscribe_seconds
                raise TablectlError(problems.SUBSCRIBE, why=why, seconds=seconds)
            ask: Subscribe = reading.read(said.encode(), Subscribe)
        except TablectlError as error:
            await self._refuse(error)
            raise
        return ask

    async def _pump(self, table: str, stream: Stream) -> None:
        try:
            async for message in stream:
                await self._say(message)
                if "again" in message:
                    raise _Ended(AGAIN)
        finally:
            stream.close()
            if self._pumps.get(table) is asyncio.current_task():
                del self._pumps[table]

    async def _refuse(self, error: TablectlError) -> None:
        await self._say({"error": error.as_json()})
        raise _Ended(REFUSED)

    async def _say(self, message: dict[str, Any]) -> None:
        """Raises `_Ended` if the client takes nothing for too long."""
        text = msgspec.json.encode(message).decode()
        try:
            async with asyncio.timeout(self._bounds.stuck_seconds):
                await self._send({"type": "websocket.send", "text": text})
        except TimeoutError:
            raise _Ended(AGAIN) from None


async def _until(stopping: asyncio.Event) -> None:
    await stopping.wait()
    raise _Ended(RESTART)
