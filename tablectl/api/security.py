"""The guard before everything: who is asked for, from which page, how often, with what right.

Plain ASGI. Every request passes `Guard`; every one that writes passes `allowed_to_write` and
`whole_body` too.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from math import ceil
from typing import Final, Literal

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablectl.api import problems
from tablectl.api.pairing import COOKIE, Sessions
from tablectl.errors import TablectlError

Leave = Literal["anybody", "code", "writer", "owner"]
"""Who may use a method: anybody reads; a right code; token or paired browser; the token alone."""

SECRET_NAMES: Final = frozenset({"token", "access_token", "authorization", "bearer", "session"})
HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one client may ask for. `rate` requests a second, `burst` of them at once."""

    body: int = 64 * 1024
    body_seconds: float = 10
    rate: float = 50
    burst: int = 200
    sockets: int = 512
    tables: int = 64
    subscribe_seconds: float = 10
    stuck_seconds: float = 10


@dataclass(frozen=True, slots=True)
class Hosts:
    """The addresses under which the daemon is asked for, `name:port`, lower case."""

    allowed: tuple[str, ...]

    @classmethod
    def of(cls, host: str, port: int, names: Iterable[str] = ()) -> Hosts:
        """The bound address (and `localhost` for a loopback one), then configured names; a name
        without a port has the bound one."""
        bare = f"[{host}]" if ":" in host else host
        loopback = ["localhost"] if host in ("127.0.0.1", "::1") else []
        found: list[str] = []
        for name in (bare, *loopback, *names):
            with_port = name if name.rpartition(":")[2].isdigit() else f"{name}:{port}"
            found.append(with_port.lower())
            if with_port.endswith(":80"):
                found.append(with_port.removesuffix(":80").lower())
        return cls(tuple(dict.fromkeys(found)))

    def check(self, scope: Scope) -> None:
        """Raises `api.host`, `api.origin`."""
        hosts = headers(scope, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self.allowed:
            found = _short(", ".join(hosts)) or "no name"
            raise TablectlError(problems.HOST, allowed=", ".join(self.allowed), found=found)
        origins = headers(scope, b"origin")
        if not origins:
            return
        allowed = tuple(f"http://{name}" for name in self.allowed)
        if len(origins) != 1 or origins[0].lower() not in allowed:
            found = _short(", ".join(origins))
            raise TablectlError(problems.ORIGIN, allowed=", ".join(allowed), found=found)


@dataclass(slots=True)
class Rates:
    """A bucket of requests for each client's address. `clock` gives seconds that never go back;
    of more than `most` addresses the one that was silent longest is forgotten."""

    clock: Callable[[], float]
    rate: float
    burst: int
    most: int = 1024
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)

    def take(self, address: str) -> float:
        """Count one request; 0, or the seconds to wait if it is one too many."""
        now = self.clock()
        left, since = self._buckets.pop(address, (float(self.burst), now))
        left = min(float(self.burst), left + (now - since) * self.rate)
        wait = 0.0 if left >= 1 else (1 - left) / self.rate
        self._buckets[address] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > self.most:
            del self._buckets[next(iter(self._buckets))]
        return wait

    def check(self, scope: Scope) -> None:
        """Raises `api.rate`."""
        address = (scope.get("client") or ("",))[0]
        if wait := self.take(address):
            raise TablectlError(problems.RATE, address=address or "there", seconds=ceil(wait))


class Guard:
    """Lets a request through to `app` or answers it with what is wrong; puts the protecting headers
    on every answer."""

    def __init__(self, app: ASGIApp, hosts: Hosts, rates: Rates) -> None:
        self._app = app
        self._hosts = hosts
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        try:
            self._hosts.check(scope)
            _check_address(scope)
            self._rates.check(scope)
        except TablectlError as error:
            await refuse(error, scope, guarded)
        else:
            await self._app(scope, receive, guarded)


async def refuse(error: TablectlError, scope: Scope, send: Send) -> None:
    """Answer with an error; a WebSocket that is not open yet too."""
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        kind = "websocket.http.response"
    body = problems.error_body(error)
    await respond(send, problems.status_of(error.code), body, problems.error_headers(error), kind)


async def respond(
    send: Send,
    status: int,
    body: bytes,
    more: Iterable[tuple[bytes, bytes]] = (),
    kind: str = "http.response",
) -> None:
    """Send one JSON answer."""
    length = str(len(body)).encode()
    about = [(b"content-type", b"application/json"), (b"content-length", length), *more]
    await send({"type": f"{kind}.start", "status": status, "headers": about})
    await send({"type": f"{kind}.body", "body": body})


def allowed_to_write(scope: Scope, leave: Leave, token: str, sessions: Sessions) -> None:
    """Raises `api.token`, `api.no_origin` if this request has no leave."""
    if leave in ("anybody", "code"):
        return
    given = headers(scope, b"authorization")
    if given:
        scheme, _, secret = given[0].partition(" ")
        right = secrets.compare_digest(_bytes(secret.strip()), token.encode())
        if len(given) != 1 or scheme.lower() != "bearer" or not right:
            raise TablectlError(problems.TOKEN, why="this is not the token")
        return
    session = _cookie(scope)
    if session is None or leave == "owner":
        raise TablectlError(problems.TOKEN, why="this needs the token")
    if not sessions.knows(session):
        raise TablectlError(problems.TOKEN, why="this browser is not paired, or not any more")
    if not headers(scope, b"origin"):
        raise TablectlError(problems.NO_ORIGIN)


async def whole_body(scope: Scope, receive: Receive, bounds: Bounds) -> bytes:
    """The body, if it is said to be JSON and not too long; what is too long is not read to its
    end. Raises `api.type`, `api.size`, `api.slow`."""
    kinds = headers(scope, b"content-type")
    if len(kinds) != 1 or kinds[0].partition(";")[0].strip().lower() != "application/json":
        found = _short(", ".join(kinds)) or "nothing"
        raise TablectlError(problems.TYPE, found=found)
    said = headers(scope, b"content-length")
    if said and said[0].isdigit() and int(said[0]) > bounds.body:
        raise TablectlError(problems.SIZE, most=bounds.body)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(bounds.body_seconds):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise TimeoutError
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > bounds.body:
                    raise TablectlError(problems.SIZE, most=bounds.body)
                more = message.get("more_body", False)
    except TimeoutError:
        raise TablectlError(problems.SLOW, seconds=bounds.body_seconds) from None
    return b"".join(parts)


def headers(scope: Scope, name: bytes) -> list[str]:
    """All values of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _check_address(scope: Scope) -> None:
    for pair in scope.get("query_string", b"").decode("latin-1").split("&"):
        name = pair.partition("=")[0].lower()
        if name in SECRET_NAMES:
            raise TablectlError(problems.TOKEN_IN_URL, name=name)


def _cookie(scope: Scope) -> str | None:
    for line in headers(scope, b"cookie"):
        try:
            found = SimpleCookie(line).get(COOKIE)
        except CookieError:
            continue
        if found is not None:
            return found.value
    return None


def _bytes(text: str) -> bytes:
    return text.encode("latin-1", "replace")


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:100] + "…"
