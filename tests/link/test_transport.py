"""Lines of an event loop: serial ports (pseudo-terminals) and TCP, gentle and abrupt ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import socket
import tty
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tablectl.errors import TablectlError
from tablectl.link import transport
from tablectl.link.transport import Transport, connect

PATIENCE = 10.0


class Ear:
    """What a line said, and how it ended."""

    def __init__(self) -> None:
        self.data = b""
        self.ends: list[str] = []
        self._news = asyncio.Event()

    def heard(self, data: bytes) -> None:
        self.data += data
        self._news.set()

    def gone(self, why: str) -> None:
        self.ends.append(why)
        self._news.set()

    async def until(self, done: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            while not done():
                self._news.clear()
                await self._news.wait()


class Far:
    """The other side of a line: a pseudo-terminal's master, or a socket."""

    def __init__(self, fd: int, *others: int) -> None:
        os.set_blocking(fd, True)
        self.fd, self.others = fd, others

    def read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            data += os.read(self.fd, size - len(data))
        return data

    def cut(self) -> None:
        for fd in (self.fd, *self.others):
            with contextlib.suppress(OSError):
                os.close(fd)
        self.others = ()


def run(coroutine: Any) -> None:
    """A test's own loop, and no descriptor left when it ends."""
    before = set(os.listdir("/proc/self/fd"))
    asyncio.run(coroutine)
    assert len(os.listdir("/proc/self/fd")) <= len(before)


@contextlib.asynccontextmanager
async def line(kind: str, folder: Path) -> AsyncIterator[tuple[Transport, Far, Ear]]:
    ear = Ear()
    if kind == "serial":
        master, slave = pty.openpty()
        tty.setraw(slave)
        link = folder / "port"
        link.symlink_to(os.ttyname(slave))
        far = Far(master, slave)
        made = await connect(f"serial:{link}", ear.heard, ear.gone)
        os.close(far.others[0])
        far.others = ()
    else:
        server = socket.create_server(("127.0.0.1", 0))
        port = server.getsockname()[1]
        made = await connect(f"tcp:127.0.0.1:{port}", ear.heard, ear.gone)
        peer, _ = server.accept()
        server.close()
        far = Far(peer.detach())
    try:
        yield made, far, ear
    finally:
        made.close()
        far.cut()
        (folder / "port").unlink(missing_ok=True)


KINDS = pytest.mark.parametrize("kind", ["serial", "tcp"])
BYTES = bytes(range(256)) * 8


@KINDS
def test_every_byte_goes_both_ways(kind, tmp_path):
    async def both() -> None:
        async with line(kind, tmp_path) as (made, far, ear):
            os.write(far.fd, BYTES)
            await ear.until(lambda: len(ear.data) == len(BYTES))
            assert ear.data == BYTES
            made.write(BYTES)
            assert await asyncio.to_thread(far.read, len(BYTES)) == BYTES
            assert ear.ends == []

    run(both())


@KINDS
def test_more_than_the_line_takes_at_once_waits(kind, tmp_path):
    async def much() -> None:
        async with line(kind, tmp_path) as (made, far, _):
            sent = os.urandom(60_000)
            made.write(sent)
            assert await asyncio.to_thread(far.read, len(sent)) == sent

    run(much())


@KINDS
def test_an_abrupt_end_is_told_once_and_nothing_runs_on(kind, tmp_path):
    async def pulled() -> None:
        async with line(kind, tmp_path) as (made, far, ear):
            far.cut()
            await ear.until(lambda: ear.ends)
            made.write(b"to nobody")
            made.close()
            await asyncio.sleep(0)
            assert len(ear.ends) == 1
            assert ear.ends[0]

    run(pulled())


@KINDS
def test_a_line_that_takes_nothing_is_gone(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(transport, "MOST_WAITING", 1 << 22)
    monkeypatch.setattr(transport, "WRITE_WITHIN", 0.05)

    async def stuck() -> None:
        async with line(kind, tmp_path) as (made, _, ear):
            made.write(bytes(1 << 22))
            await ear.until(lambda: ear.ends)
            assert ear.ends == ["it takes no bytes"]

    run(stuck())


@KINDS
def test_what_waits_is_bounded(kind, tmp_path):
    async def flooded() -> None:
        async with line(kind, tmp_path) as (made, _, ear):
            for _ in range(2000):
                made.write(bytes(4096))
            assert ear.ends == ["it takes no bytes"]

    run(flooded())


@KINDS
def test_closing_tells_nothing(kind, tmp_path):
    async def closed() -> None:
        async with line(kind, tmp_path) as (made, _, ear):
            made.close()
            made.close()
            await asyncio.sleep(0)
            assert ear.ends == []

    run(closed())


# ── what cannot be opened ───────────────────────────────────────────────────────────────────────


def refused(url: str) -> TablectlError:
    async def opened() -> None:
        await connect(url, lambda data: None, lambda why: None)

    with pytest.raises(TablectlError) as error:
        asyncio.run(opened())
    assert error.value.hint
    return error.value


@pytest.mark.parametrize(
    "url", ["", "serial:", "tcp:", "tcp:host", "tcp:host:x", "tcp:h:70000", "usb:1:2", "/dev/tty"]
)
def test_what_is_no_address(url):
    assert refused(url).code == "link.url"


def test_a_port_that_is_not_there(tmp_path):
    assert refused(f"serial:{tmp_path}/none").code == "link.port_absent"
    (tmp_path / "dangling").symlink_to("/dev/pts/99999")
    assert refused(f"serial:{tmp_path}/dangling").code == "link.port_absent"


def test_a_port_that_is_none(tmp_path):
    (tmp_path / "file").write_text("x")
    assert "it is a file" in refused(f"serial:{tmp_path}/file").message
    assert "it is a folder" in refused(f"serial:{tmp_path}").message
    assert refused("serial:/dev/null").code == "link.no_port"


def test_a_port_in_use_says_that_it_is(tmp_path):
    async def twice() -> None:
        async with line("serial", tmp_path):
            with pytest.raises(TablectlError) as error:
                await connect(f"serial:{tmp_path}/port", lambda data: None, lambda why: None)
            assert error.value.code == "link.port_busy"

    run(twice())


def test_a_port_that_this_user_may_not_open_names_the_one_command(monkeypatch):
    import serial

    def denied(*_: Any, **__: Any) -> None:
        raise serial.SerialException(13, "could not open port: Permission denied")

    monkeypatch.setattr(serial, "Serial", denied)
    error = refused("serial:/dev/tty" if os.path.exists("/dev/tty") else "serial:/dev/null")
    assert error.code == "link.port_denied"
    assert error.hint.startswith("sudo ")


def test_nobody_listens_there():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert refused(f"tcp:127.0.0.1:{port}").code == "link.tcp_refused"


@pytest.mark.parametrize("name", ["east..lan", "x" * 70 + ".lan"])
def test_a_name_that_no_computer_can_have(name):
    with pytest.raises(TablectlError) as refused:
        asyncio.run(connect(f"tcp:{name}:7000", lambda data: None, lambda why: None))
    assert refused.value.code == "link.tcp_refused"


def test_every_address_of_a_name_is_tried(monkeypatch):
    async def work():
        loop = asyncio.get_running_loop()
        server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
        shut = socket.socket()
        shut.bind(("127.0.0.1", 0))  # bound, so that nobody else listens there
        found = [
            (socket.AF_INET, socket.SOCK_STREAM, 0, "", one.getsockname())
            for one in (shut, server.sockets[0])
        ]

        async def both(*_, **__):
            return found

        monkeypatch.setattr(loop, "getaddrinfo", both)
        line = await connect("tcp:table.lan:7000", lambda data: None, lambda why: None)
        line.close()
        shut.close()
        server.close()
        await server.wait_closed()
        await asyncio.sleep(0.05)

    asyncio.run(work())
