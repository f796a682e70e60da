"""Lines on which a simulated table can be reached: a pseudo-terminal with a stable name, or TCP.

A port carries bytes and nothing else. It counts them, so that a script can say "when you have read
so many". Nothing here blocks: what the other side does not take waits in a bounded buffer, and what
does not fit is lost, as on a serial line that nobody reads.
"""

from __future__ import annotations

import asyncio
import errno
import os
import pty
import socket
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tablesim.tileset import SimError

MOST_WAITING: Final = 1 << 18
Heard = Callable[[bytes], None]


class Port:
    """A line. `heard` gets what comes in. `read` and `written`: bytes in all."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self.read = self.written = 0

    @property
    def address(self) -> str:
        """How `tablectl` names this line."""
        raise NotImplementedError

    async def plug(self) -> None:
        """Make the line. Raises SimError `sim.port`."""
        raise NotImplementedError

    def unplug(self) -> None:
        """Pull the line; everything on the way is lost."""
        raise NotImplementedError

    def write(self, data: bytes) -> None:
        """Send bytes; where nobody is, they are lost."""
        raise NotImplementedError

    def _in(self, data: bytes) -> None:
        self.read += len(data)
        self._heard(data)


class PtyPort(Port):
    """A pseudo-terminal; `link` is its stable name."""

    def __init__(self, link: Path, heard: Heard) -> None:
        super().__init__(heard)
        self.link = link
        self._master = self._slave = -1
        self._waiting = bytearray()

    @property
    def address(self) -> str:
        return f"serial:{self.link}"

    async def plug(self) -> None:
        self._check()
        if self._master >= 0:
            self.unplug()  # somebody has removed the link
        # The slave stays open here too: a master without any slave is readable for ever.
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        try:
            if self.link.is_symlink():
                self.link.unlink()
            self.link.symlink_to(os.ttyname(self._slave))
        except OSError as error:
            self._close()
            raise SimError(
                "sim.port",
                f"the link cannot be made: {error.strerror}",
                "Name a path in a folder that you may write to.",
                str(self.link),
            ) from None
        asyncio.get_running_loop().add_reader(self._master, self._readable)

    def _check(self) -> None:
        if self.link.is_symlink() and self.link.exists():
            raise SimError(
                "sim.port",
                f"the name is in use, for {os.readlink(self.link)}",
                "Take another name, or remove this link if no table runs on it any more.",
                str(self.link),
            )
        if self.link.exists():
            raise SimError(
                "sim.port",
                "there is something else of that name",
                "Take another name for the link.",
                str(self.link),
            )

    def unplug(self) -> None:
        if self._master < 0:
            return
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._master)
        loop.remove_writer(self._master)
        if self.link.is_symlink() and os.readlink(self.link) == os.ttyname(self._slave):
            self.link.unlink()
        self._close()

    def _close(self) -> None:
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self._waiting.clear()

    def write(self, data: bytes) -> None:
        if self._master < 0:
            return
        taken = data[: max(0, MOST_WAITING - len(self._waiting))]
        self.written += len(taken)
        self._waiting += taken
        self._writable()

    def _readable(self) -> None:
        try:
            data = os.read(self._master, 65536)
        except BlockingIOError:
            return
        self._in(data)

    def _writable(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            sent = os.write(self._master, self._waiting) if self._waiting else 0
        except BlockingIOError:
            sent = 0
        del self._waiting[:sent]
        if self._waiting:
            loop.add_writer(self._master, self._writable)
        else:
            loop.remove_writer(self._master)


class TcpPort(Port):
    """A TCP port on loopback; one host at a time, a second one is turned away."""

    def __init__(self, port: int, heard: Heard) -> None:
        super().__init__(heard)
        self.port = port
        self._server: asyncio.Server | None = None
        self._peer: asyncio.StreamWriter | None = None

    @property
    def address(self) -> str:
        return f"tcp:127.0.0.1:{self.port}"

    async def plug(self) -> None:
        listening = socket.socket()
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(("127.0.0.1", self.port))
        except OSError as error:
            listening.close()
            what = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be opened: {error}"
            raise SimError(
                "sim.port",
                f"port {self.port} {what}",
                "Take another port, or 0 for a free one.",
                f"--tcp {self.port}",
            ) from None
        self.port = listening.getsockname()[1]
        self._server = await asyncio.start_server(self._serve, sock=listening)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._peer is not None:
            writer.close()
            return
        self._peer = writer
        try:
            while data := await reader.read(65536):
                self._in(data)
        except ConnectionError:
            pass
        finally:
            self._peer = None
            writer.close()

    def unplug(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._peer is not None:
            self._peer.close()

    def write(self, data: bytes) -> None:
        peer = self._peer
        if peer is None or peer.transport.get_write_buffer_size() > MOST_WAITING:
            return
        self.written += len(data)
        peer.write(data)
