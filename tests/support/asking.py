"""Asking the daemon's interface: in this process, or over a socket of the loopback."""

from __future__ import annotations

import asyncio
import functools
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec

from support.desk import MemoryDesk
from tablectl.api.app import Interface
from tablectl.api.problems import ErrorBody, status_of
from tablectl.api.security import Bounds, Hosts
from tablectl.api.server import Server

TOKEN = "t" * 43
HOSTS = Hosts.of("127.0.0.1", 8136, ["east.example"])
ADDRESS = "http://127.0.0.1:8136"
LEAVE = {"Authorization": f"Bearer {TOKEN}"}
WIDE = Bounds(rate=1e6, burst=1_000_000)
DICE = {"type": "dice", "pips": [3, 4]}
FACTS = "/api/v1/tables/east/facts"
PATIENCE = 20.0


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a test in an event loop of its own, where no task may be left behind."""

    @functools.wraps(test)
    def run(**values: Any) -> None:
        async def alone() -> None:
            async with asyncio.timeout(PATIENCE):
                await test(**values)
            left = asyncio.all_tasks() - {asyncio.current_task()}
            assert not left

        asyncio.run(alone())

    return run


@asynccontextmanager
async def asking(here: Interface, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the interface in this process."""
    transport = httpx.ASGITransport(here.asgi, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=ADDRESS, **options) as client:
        yield client


@asynccontextmanager
async def serving(desk: MemoryDesk, bounds: Bounds = WIDE, **options: Any) -> AsyncIterator[Server]:
    """A server on a free port of the loopback."""
    server = Server(desk, TOKEN, port=0, bounds=bounds, **options)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def tap(fact: dict[str, Any], **about: Any) -> dict[str, Any]:
    """The body of a tap with a key of its own."""
    return {"key": str(uuid.uuid4()), "seen": 0, "fact": fact, **about}


def refused(answer: httpx.Response, code: str) -> ErrorBody:
    """The answer is this error, in the shape and with the status that every error has."""
    found = msgspec.json.decode(answer.content, type=ErrorBody)
    assert found.error.code == code, answer.text
    assert answer.status_code == status_of(code)
    assert found.error.message
    assert found.error.hint
    assert answer.headers["content-type"] == "application/json"
    return found
