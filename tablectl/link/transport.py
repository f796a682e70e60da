"""Lines to boards: a serial port or TCP, for an event loop. Nothing here blocks it.

    serial:/dev/serial/by-id/…   serial:/dev/ttyUSB0   tcp:HOST:PORT

`heard` gets bytes as they come, `gone` once and last, with why. What is written waits in a bounded
buffer; a line that takes nothing for too long is gone too. What pyserial does badly (its time-outs
for writing spin, an unplug reads as an empty answer) is gone round: bytes go through the
descriptor.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
import termios
from collections.abc import Callable
from typing import Any, Final, Protocol

from tablectl.errors import NO, TablectlError, declare
from tablectl.link import ports

BAUD: Final = 115_200
MOST_WAITING: Final = 1 << 16
READ_AT_ONCE: Final = 4096
WINDOW: Final = 0.1
MOST_IN_WINDOW: Final = 1 << 14
"""Seconds, and bytes that are read in them at most: fourteen times what a serial line brings. Who
sends more waits, so that a table that floods takes little of the time of the others."""
WRITE_WITHIN: Final = 5.0
"""Seconds in which a line has to take something."""
CONNECT_WITHIN: Final = 5.0

Heard = Callable[[bytes], None]
Gone = Callable[[str], None]

URL: Final = declare(
    "link.url",
    "'{url}' is no address of a table",
    "Such as serial:/dev/serial/by-id/…, serial:/dev/ttyUSB0 or tcp:127.0.0.1:7000.",
)
ABSENT: Final = declare(
    "link.port_absent",
    "there is no such port",
    "Plug the board in, or look for its name with `ls /dev/serial/by-id`.",
    status=NO,
)
BUSY: Final = declare(
    "link.port_busy",
    "the port is in use by {who}",
    "Close that program; only one can speak with a board.",
    status=NO,
)
DENIED: Final = declare(
    "link.port_denied",
    "this user may not open the port",
    "{remedy}",
    status=NO,
)
NO_PORT: Final = declare(
    "link.no_port",
    "that is no serial port: {why}",
    "Name a serial port, such as one in /dev/serial/by-id.",
    status=NO,
)
REFUSED: Final = declare(
    "link.tcp_refused",
    "nobody answers there: {why}",
    "Look whether the board's bridge or the simulated table runs, and on which port.",
    status=NO,
)


class Transport(Protocol):
    """An open line."""

    def write(self, data: bytes) -> None:
        """Send bytes, now or as soon as the line takes them; a line that is gone takes none."""

    def pause(self) -> None:
        """Read no more until `resume`; what comes waits at the other side."""

    def resume(self) -> None:
        """Read on."""

    def close(self) -> None:
        """Give the line back. Nothing is heard any more, and `gone` is not called."""


async def connect(url: str, heard: Heard, gone: Gone) -> Transport:
    """Open a line. Raises TablectlError `link.url`, `link.port_absent`, `link.port_busy`,
    `link.port_denied`, `link.no_port`, `link.tcp_refused`."""
    kind, _, rest = url.partition(":")
    if kind == "serial" and rest:
        return Line(await asyncio.to_thread(_open_serial, rest), heard, gone)
    host, _, port = rest.rpartition(":")
    if kind == "tcp" and host and port.isdecimal() and int(port) < 1 << 16:
        return Line(await _open_tcp(host, int(port), url), heard, gone)
    raise TablectlError(URL, url=url)


class Opened(Protocol):
    """What a serial port and a socket have in common."""

    def fileno(self) -> int: ...

    def close(self) -> None: ...


class Line:
    """A line on a descriptor that does not block."""

    def __init__(self, opened: Opened, heard: Heard, gone: Gone) -> None:
        self._opened = opened
        self._heard = heard
        self._gone: Gone | None = gone
        self._fd = opened.fileno()
        self._loop = asyncio.get_running_loop()
        self._waiting = bytearray()
        self._late: asyncio.TimerHandle | None = None
        self._paused = False
        self._window: asyncio.TimerHandle | None = None
        self._in_window = 0
        self._loop.add_reader(self._fd, self._readable)

    def write(self, data: bytes) -> None:
        """Send bytes, or keep them until the line takes them. Too many are a line that is gone."""
        if self._gone is None:
            return
        if len(self._waiting) + len(data) > MOST_WAITING:
            self._end("it takes no bytes")
            return
        self._waiting += data
        if self._late is None:
            self._writable()

    def pause(self) -> None:
        """Read no more until `resume`."""
        if self._gone is not None:
            self._paused = True
            self._loop.remove_reader(self._fd)

    def resume(self) -> None:
        """Read on, unless too much came in this window of time; then as soon as it is over."""
        self._paused = False
        if self._gone is not None and self._in_window < MOST_IN_WINDOW:
            self._loop.add_reader(self._fd, self._readable)

    def close(self) -> None:
        """Give the line back."""
        if self._gone is None:
            return
        self._gone = None
        self._loop.remove_reader(self._fd)
        if self._window is not None:
            self._window.cancel()
        self._loop.remove_writer(self._fd)
        if self._late is not None:
            self._late.cancel()
        self._waiting.clear()
        self._opened.close()

    def _readable(self) -> None:
        try:
            data = os.read(self._fd, READ_AT_ONCE)
        except BlockingIOError:
            return
        except (OSError, termios.error) as error:
            self._end(_why(error))
            return
        if data:
            self._measure(len(data))
            self._heard(data)
        else:
            # Ready to be read and nothing there: that is how a hang-up looks.
            self._end("it was unplugged or closed at the other side")

    def _measure(self, size: int) -> None:
        """Stop reading for the rest of the window when it is full."""
        if self._window is None:
            self._window = self._loop.call_later(WINDOW, self._next_window)
        self._in_window += size
        if self._in_window >= MOST_IN_WINDOW:
            self._loop.remove_reader(self._fd)

    def _next_window(self) -> None:
        self._window, self._in_window = None, 0
        if not self._paused:
            self.resume()

    def _writable(self) -> None:
        try:
            sent = os.write(self._fd, self._waiting) if self._waiting else 0
        except BlockingIOError:
            sent = 0
        except (OSError, termios.error) as error:
            self._end(_why(error))
            return
        del self._waiting[:sent]
        if self._late is not None and (sent or not self._waiting):
            self._late.cancel()
            self._late = None
        if not self._waiting:
            self._loop.remove_writer(self._fd)
        elif self._late is None:
            self._loop.add_writer(self._fd, self._writable)
            self._late = self._loop.call_later(WRITE_WITHIN, self._end, "it takes no bytes")

    def _end(self, why: str) -> None:
        gone = self._gone
        self.close()
        if gone is not None:
            gone(why)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _open_serial(path: str) -> Opened:
    """Open a port for this program alone. It blocks: not for the event loop."""
    import serial

    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        raise TablectlError(ABSENT, where=path) from None
    except OSError as error:
        raise TablectlError(NO_PORT, where=path, why=error.strerror) from None
    if not stat.S_ISCHR(mode):
        why = "it is a folder" if stat.S_ISDIR(mode) else "it is a file"
        raise TablectlError(NO_PORT, where=path, why=why)
    try:
        opened: Opened = serial.Serial(path, BAUD, timeout=0, exclusive=True)
    except (OSError, termios.error) as error:
        number = getattr(error, "errno", None)
        if number in (errno.EACCES, errno.EPERM):
            raise TablectlError(DENIED, where=path, remedy=ports.mend(path)) from None
        if number in (errno.EAGAIN, errno.EBUSY):
            who = ports.holder(path) or "another program"
            raise TablectlError(BUSY, where=path, who=who) from None
        raise TablectlError(NO_PORT, where=path, why=_why(error)) from None
    return opened


async def _open_tcp(host: str, port: int, url: str) -> Opened:
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(CONNECT_WITHIN):
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            for n, (family, kind, proto, _, address) in enumerate(found, start=1):
                try:
                    return await _connected(socket.socket(family, kind, proto), address)
                except OSError:
                    if n == len(found):
                        raise
    except TimeoutError:
        raise TablectlError(REFUSED, where=url, why="no answer") from None
    except OSError as error:
        raise TablectlError(REFUSED, where=url, why=error.strerror or error) from None
    except UnicodeError:
        pass
    raise TablectlError(REFUSED, where=url, why="no computer can have that name")


async def _connected(opened: socket.socket, address: Any) -> Opened:
    try:
        opened.setblocking(False)
        await asyncio.get_running_loop().sock_connect(opened, address)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        opened.close()
        raise
    return opened


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
