"""The interface as one ASGI application: the guard, the routes of `METHODS`, and the stream."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from starlette.middleware.errors import ServerErrorMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from tablectl.api import openapi, problems, reading, stream
from tablectl.api.methods import Call, Given, House, Method, by_path
from tablectl.api.pairing import Pairing, Sessions
from tablectl.api.security import (
    Bounds,
    Guard,
    Hosts,
    Rates,
    allowed_to_write,
    refuse,
    respond,
    whole_body,
)
from tablectl.app import service
from tablectl.app.service import Desk
from tablectl.errors import TablectlError


@dataclass(frozen=True, slots=True)
class Interface:
    """`asgi` is what a server serves."""

    asgi: ASGIApp
    streams: stream.Streams
    answers: Answers

    def stop(self, seconds: float) -> None:
        """End all streams now, and answers on their way after so many seconds (`app.stopping`)."""
        self.streams.stopping.set()
        self.answers.stop(seconds)


class Answers:
    """The answers on their way, which end when the daemon stops."""

    def __init__(self) -> None:
        self._limits: set[asyncio.Timeout] = set()

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Around the making of one answer. Raises `app.stopping`."""
        try:
            async with asyncio.timeout(None) as limit:
                self._limits.add(limit)
                try:
                    yield
                finally:
                    self._limits.discard(limit)
        except TimeoutError:
            raise TablectlError(service.STOPPING) from None

    def stop(self, seconds: float) -> None:
        until = asyncio.get_running_loop().time() + seconds
        for limit in self._limits:
            limit.reschedule(until)


def interface(
    desk: Desk,
    hosts: Hosts,
    token: str,
    *,
    sessions: Sessions | None = None,
    pairing: Pairing | None = None,
    bounds: Bounds | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Interface:
    """The interface to a desk, for those who ask for `hosts`. `clock`: seconds, never back."""
    bounds = bounds or Bounds()
    house = House(desk, pairing or Pairing(clock), sessions or Sessions(), openapi.document_bytes())
    rates = Rates(clock, bounds.rate, bounds.burst)
    streams = stream.Streams(desk, bounds, rates)
    answers = Answers()
    routes = [
        Route(path, endpoint=_Path(methods, house, token, bounds, answers))
        for path, methods in by_path().items()
    ]
    router = Router(
        routes=[*routes, WebSocketRoute(stream.PATH, endpoint=streams)],
        redirect_slashes=False,
        default=_nothing_there,
    )
    guarded = Guard(ServerErrorMiddleware(router, handler=_fault), hosts, rates)
    return Interface(guarded, streams, answers)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


class _Path:
    """All methods of one path."""

    def __init__(
        self,
        methods: Mapping[str, Method],
        house: House,
        token: str,
        bounds: Bounds,
        answers: Answers,
    ) -> None:
        self._methods = methods
        self._house = house
        self._token = token
        self._bounds = bounds
        self._answers = answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with self._answers.one():
                given = await self._answer(scope, receive)
        except TablectlError as error:
            await refuse(error, scope, send)
        else:
            await respond(send, 200, given.body(), given.headers)

    async def _answer(self, scope: Scope, receive: Receive) -> Given:
        method = self._methods.get(scope["method"])
        if method is None:
            allowed = ", ".join(sorted(self._methods))
            verb = scope["method"][:20]
            raise TablectlError(problems.VERB, path=scope["path"], verb=verb, allowed=allowed)
        allowed_to_write(scope, method.leave, self._token, self._house.sessions)
        query: Any = reading.read_query(scope["query_string"], method.query)
        body = None
        if method.writes:
            raw = await whole_body(scope, receive, self._bounds)
            body = reading.read(raw, method.reads)
        named = next(iter(scope["path_params"].values()), "")
        return await method.do(self._house, Call(named, query, body))


async def _nothing_there(scope: Scope, receive: Receive, send: Send) -> None:
    await refuse(TablectlError(problems.PATH, path=scope["path"][:100]), scope, send)


def _fault(request: Request, error: Exception) -> Response:
    body = problems.error_body(TablectlError(problems.FAULT))
    return Response(body, problems.status_of(problems.FAULT), media_type="application/json")
