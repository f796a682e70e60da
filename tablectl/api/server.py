"""The server: its own socket, none of the program's signals, stopped within a second."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import time
from collections.abc import Callable, Generator, Iterable
from typing import Any, Final

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tablectl.api import problems
from tablectl.api.app import Interface, interface
from tablectl.api.pairing import Sessions
from tablectl.api.security import Bounds, Hosts
from tablectl.api.stream import MOST_SAID
from tablectl.app.service import Desk
from tablectl.errors import TablectlError

PORT: Final = 8136
HOST: Final = "127.0.0.1"
GRACE_SECONDS: Final = 0.3
"""How long answers on their way may take once the server is being stopped."""
TICK_SECONDS: Final = 0.1
"""How often the server looks about itself."""
CUT_SECONDS: Final = 0.6
"""After how long lines that did not close are cut."""
_MOST_AT_ONCE: Final = 900


class Server:
    """Serves a desk at one address. `names`: other names (with or without a port) under which it
    may be asked for; `free`: take any free port where `port` is taken."""

    def __init__(
        self,
        desk: Desk,
        token: str,
        *,
        host: str = HOST,
        port: int = PORT,
        names: Iterable[str] = (),
        free: bool = True,
        sessions: Sessions | None = None,
        bounds: Bounds | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._desk = desk
        self._token = token
        self._asked = (host, port)
        self._names = tuple(names)
        self._free = free
        self._sessions = sessions
        self._bounds = bounds or Bounds()
        self._clock = clock
        self._socket: socket.socket | None = None
        self._interface: Interface | None = None
        self._server: _Uvicorn | None = None
        self._serving: asyncio.Task[None] | None = None
        self._port = 0

    @property
    def port(self) -> int:
        """The port that it listens on; 0 before `start`."""
        return self._port

    @property
    def url(self) -> str:
        """Where it is, for people and browsers."""
        host = self._asked[0]
        return f"http://{f'[{host}]' if ':' in host else host}:{self._port}"

    @property
    def connections(self) -> int:
        """How many lines are open to it now."""
        return 0 if self._server is None else len(self._server.server_state.connections)

    async def start(self) -> None:
        """Listen, and return when requests are answered. Raises `api.bind`."""
        host, port = self._asked
        bounds = self._bounds
        self._socket = _bound(host, port, self._free)
        self._port = self._socket.getsockname()[1]
        self._interface = interface(
            self._desk,
            Hosts.of(host, self._port, self._names),
            self._token,
            sessions=self._sessions,
            bounds=bounds,
            clock=self._clock,
        )
        self._server = _Uvicorn(
            uvicorn.Config(
                self._interface.asgi,
                http="h11",
                ws=_WebSocket,
                ws_max_size=MOST_SAID,
                ws_per_message_deflate=False,
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                limit_concurrency=_MOST_AT_ONCE,
                timeout_graceful_shutdown=1,
            ),
            bounds.stuck_seconds,
        )
        self._serving = asyncio.create_task(self._server.serve([self._socket]), name="api")
        ready = asyncio.create_task(self._server.ready.wait())
        await asyncio.wait({self._serving, ready}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._serving.done():
            self._socket.close()
            await self._serving

    async def stop(self) -> None:
        """End all streams, let answers on their way end, cut what does not; within a second."""
        if self._server is None or self._interface is None or self._serving is None:
            return
        if self._serving.done():
            return
        self._interface.stop(GRACE_SECONDS)
        self._server.should_exit = True
        done, _ = await asyncio.wait({self._serving}, timeout=CUT_SECONDS)
        if not done:
            self._server.cut(lambda connection: True)
            self._server.force_exit = True
        await self._serving


class _WebSocket(WebSocketsSansIOProtocol):
    """One that is refused has its whole answer; without this it is logged as a fault of ours."""

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True


class _Uvicorn(uvicorn.Server):
    """Leaves signals to the program, says when it is ready, and cuts lines that do not close."""

    def __init__(self, config: uvicorn.Config, stuck_seconds: float) -> None:
        super().__init__(config)
        self._ticks = max(1, round(stuck_seconds / TICK_SECONDS))
        self.ready = asyncio.Event()
        self._closing: set[Any] = set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def on_tick(self, counter: int) -> bool:
        if counter % self._ticks == 0:
            # Who reads nothing leaves its last bytes waiting in a closed line for ever.
            self.cut(lambda connection: connection in self._closing)
            self._closing = {
                one for one in self.server_state.connections if one.transport.is_closing()
            }
        return await super().on_tick(counter)

    def cut(self, which: Callable[[Any], bool]) -> None:
        """Close lines at once, whatever waits in them."""
        for connection in [one for one in self.server_state.connections if which(one)]:
            connection.transport.abort()


def _bound(host: str, port: int, free: bool) -> socket.socket:
    try:
        [(family, kind, proto, _, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_NUMERICHOST
        )
    except OSError as error:
        why = error.strerror or str(error)
        raise TablectlError(problems.BIND, host=host, port=port, why=why) from None
    found = socket.socket(family, kind, proto)
    try:
        found.setblocking(False)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or not free:
                raise
            found.bind((address[0], 0, *address[2:]))
        found.listen()
    except OSError as error:
        found.close()
        why = error.strerror or str(error)
        raise TablectlError(problems.BIND, host=host, port=port, why=why) from None
    return found
