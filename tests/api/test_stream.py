"""The stream over real sockets: snapshot and changes, resuming, slow readers, and the stop."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import jsonschema_rs
import msgspec
import pytest
from support.asking import DICE, FACTS, LEAVE, TOKEN, WIDE, in_loop, refused, serving, tap
from support.desk import MemoryDesk, MemoryTable
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tablectl.api.openapi import schemas
from tablectl.api.problems import ErrorBody
from tablectl.api.security import Bounds
from tablectl.api.server import Server
from tablectl.errors import TablectlError

MESSAGE = jsonschema_rs.validator_for(schemas()["stream.json"])


@asynccontextmanager
async def following(server: Server, **options: Any) -> AsyncIterator[ClientConnection]:
    address = f"ws://127.0.0.1:{server.port}/api/v1/stream"
    async with connect(address, proxy=None, close_timeout=1, **options) as line:
        yield line


async def say(line: ClientConnection, **subscription: Any) -> None:
    await line.send(json.dumps(subscription))


async def hear(line: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(await line.recv())
    if "error" not in message:
        MESSAGE.validate(message)
    return message


async def closed(line: ClientConnection) -> int:
    """Read to the end; the code it was closed with."""
    with pytest.raises(ConnectionClosed) as raised:
        while True:
            await line.recv()
    assert raised.value.rcvd is not None
    return raised.value.rcvd.code


async def post(server: Server, fact: dict[str, Any]) -> None:
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as ask:
        answer = await ask.post("/api/v1/tables/east/facts", headers=LEAVE, json=tap(fact))
        assert answer.status_code == 200


@in_loop
async def test_a_snapshot_then_changes(desk: MemoryDesk) -> None:
    async with serving(desk) as server, following(server) as line:
        await say(line, table="east", since=None)
        first = await hear(line)
        assert first["state"] == desk.table("east").view()["state"]
        await post(server, DICE)
        assert await hear(line) == {"table": "0102aa", "seq": 1, "changes": {"taps": 1}}


@in_loop
async def test_who_names_the_last_fact_misses_nothing(desk: MemoryDesk) -> None:
    async with serving(desk) as server:
        for _ in range(3):
            await post(server, DICE)
        async with following(server) as line:
            await say(line, table="east", since=1)
            assert [(await hear(line))["seq"] for _ in range(2)] == [2, 3]


@in_loop
async def test_one_line_follows_several_tables(desk: MemoryDesk) -> None:
    async with serving(desk) as server, following(server) as line:
        for table in ("east", "west"):
            await say(line, table=table)
            assert "state" in await hear(line)
        await say(line, table="north")
        answer = await hear(line)
        assert answer["table"] == "north"
        assert msgspec.convert(answer, ErrorBody).error.code == "app.table"
        await post(server, DICE)
        assert (await hear(line))["table"] == "0102aa"
        # The same table once more takes the place of the subscription before.
        await say(line, table="0102aa")
        assert "state" in await hear(line)
        await post(server, DICE)
        assert await hear(line) == {"table": "0102aa", "seq": 2, "changes": {"taps": 2}}
        assert [one.closed for one in desk.table("east").streams] == [True, False]
    assert all(one.closed for table in desk.tables.values() for one in table.streams)


@in_loop
async def test_the_tables_of_a_line_are_bounded() -> None:
    desk = MemoryDesk(*(MemoryTable(f"t{n}") for n in range(4)))
    bounds = Bounds(tables=3)
    async with serving(desk, bounds) as server, following(server) as line:
        for n in range(3):
            await say(line, table=f"t{n}")
            assert "state" in await hear(line)
        await say(line, table="t3")
        assert (await hear(line))["error"]["code"] == "api.tables"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("{", "api.json"),
        ("[]", "api.body"),
        ('{"table": 1}', "api.body"),
        ('{"table": "east", "since": -1}', "api.body"),
        ('{"table": "east", "token": "x"}', "api.body"),
        ("[" * 100, "api.nesting"),
        (b'{"table": "east"}', "api.subscribe"),
    ],
)
@in_loop
async def test_what_is_no_subscription_is_told_and_ends(
    desk: MemoryDesk, said: str | bytes, code: str
) -> None:
    async with serving(desk) as server, following(server) as line:
        await line.send(said)
        assert (await hear(line))["error"]["code"] == code
        assert await closed(line) == 1008


@in_loop
async def test_a_message_that_is_too_long_ends_the_line(desk: MemoryDesk) -> None:
    async with serving(desk) as server, following(server) as line:
        await line.send(json.dumps({"table": "x" * 5000}))
        assert await closed(line) == 1009


@in_loop
async def test_who_asks_nothing_is_not_waited_for(desk: MemoryDesk) -> None:
    bounds = Bounds(subscribe_seconds=0.05)
    async with serving(desk, bounds) as server, following(server) as line:
        assert (await hear(line))["error"]["code"] == "api.subscribe"
        assert await closed(line) == 1008


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Origin": "http://evil.example"}, "api.origin"),
        ({"Origin": "null"}, "api.origin"),
    ],
)
@in_loop
async def test_foreign_pages_do_not_follow(
    desk: MemoryDesk, headers: dict[str, str], code: str
) -> None:
    async with serving(desk) as server:
        with pytest.raises(InvalidStatus) as raised:
            async with following(server, additional_headers=headers):
                pass
        answer = raised.value.response
        assert answer.status_code == 403
        assert msgspec.json.decode(answer.body or b"", type=ErrorBody).error.code == code
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert not desk.table("east").streams


@in_loop
async def test_foreign_hosts_do_not_follow(desk: MemoryDesk) -> None:
    async with serving(desk) as server:
        with pytest.raises(InvalidStatus) as raised:
            address = f"ws://evil.example:{server.port}/api/v1/stream"
            async with connect(address, proxy=None, host="127.0.0.1", port=server.port):
                pass
        assert raised.value.response.status_code == 403


@in_loop
async def test_an_unknown_path_and_a_token_in_the_address_are_told(desk: MemoryDesk) -> None:
    async with serving(desk) as server:
        for path, status in (("/api/v1/strom", 404), (f"/api/v1/stream?token={TOKEN}", 400)):
            with pytest.raises(InvalidStatus) as raised:
                async with connect(f"ws://127.0.0.1:{server.port}{path}", proxy=None):
                    pass
            assert raised.value.response.status_code == status


@in_loop
async def test_the_number_of_lines_is_bounded(desk: MemoryDesk) -> None:
    async with serving(desk, Bounds(sockets=1)) as server, following(server) as line:
        await say(line, table="east")
        await hear(line)
        with pytest.raises(InvalidStatus) as raised:
            async with following(server):
                pass
        assert raised.value.response.status_code == 503


@in_loop
async def test_a_slow_reader_is_told_to_begin_again() -> None:
    table = MemoryTable("0102aa", "east", most=8)
    async with serving(MemoryDesk(table)) as server, following(server) as line:
        await say(line, table="east")
        await hear(line)
        for _ in range(9):  # more than may wait, before the reader's turn
            table.publish({"x": "y"})
        assert "again" in await hear(line)
        assert await closed(line) == 1013


def stuck_reader(port: int) -> socket.socket:
    """A client that subscribes and then reads nothing at all."""
    line = socket.create_connection(("127.0.0.1", port))
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.sendall(
        f"GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    assert line.recv(4096).startswith(b"HTTP/1.1 101 ")
    said = b'{"table": "east"}'
    line.sendall(bytes((0x81, 0x80 | len(said), 0, 0, 0, 0)) + said)
    return line


async def until_stuck(table: MemoryTable) -> None:
    """Publish until what is published stays where it is."""
    while not table.streams:
        await asyncio.sleep(0.005)
    waited = 0
    while waited < 5:
        before = table.streams[0].waiting
        table.publish({"x": "y" * 200_000})
        await asyncio.sleep(0.005)
        waited = waited + 1 if table.streams[0].waiting > before else 0


@in_loop
async def test_a_reader_that_is_stuck_is_cut_and_nobody_else_waits() -> None:
    east, west = MemoryTable("0102aa", "east", most=10_000), MemoryTable("0102bb", "west")
    bounds = Bounds(rate=1e6, burst=1_000_000, stuck_seconds=0.2)
    async with serving(MemoryDesk(east, west), bounds) as server:
        line = await asyncio.to_thread(stuck_reader, server.port)
        try:
            await until_stuck(east)
            async with following(server) as other:
                await say(other, table="west")
                await hear(other)
                west.publish({"a": 1})
                assert (await hear(other))["changes"] == {"a": 1}
                while server.connections > 1:
                    await asyncio.sleep(0.05)
            assert east.streams[0].closed
        finally:
            line.close()


@pytest.mark.parametrize("stuck", [False, True], ids=["waiting", "one of them stuck"])
@in_loop
async def test_it_stops_within_a_second_with_subscribers(stuck: bool) -> None:
    table = MemoryTable("0102aa", "east", most=10_000)
    async with serving(MemoryDesk(table)) as server:
        raw = await asyncio.to_thread(stuck_reader, server.port) if stuck else None
        if raw is not None:
            await until_stuck(table)
        lines = []
        try:
            for _ in range(5):
                line = await connect(f"ws://127.0.0.1:{server.port}/api/v1/stream", proxy=None)
                lines.append(line)
                await say(line, table="east")
                await hear(line)
            begun = time.monotonic()
            await server.stop()
            took = time.monotonic() - begun
            assert server.connections == 0
            assert [await closed(line) for line in lines] == [1012] * 5
        finally:
            for line in lines:
                await line.close()
            if raw is not None:
                raw.close()
    print(f"stopped in {took:.2f} s")
    assert took < 1
    assert all(one.closed for one in table.streams)


@in_loop
async def test_it_stops_with_an_answer_on_its_way(desk: MemoryDesk) -> None:
    begun = asyncio.Event()

    async def never(tap: object) -> Any:
        begun.set()
        await asyncio.Event().wait()

    desk.table("east").tap = never  # type: ignore[method-assign]
    async with (
        serving(desk) as server,
        httpx.AsyncClient(base_url=server.url, trust_env=False) as ask,
    ):
        asked = asyncio.create_task(ask.post(FACTS, headers=LEAVE, json=tap(DICE)))
        await begun.wait()
        before = time.monotonic()
        await server.stop()
        assert time.monotonic() - before < 1
        refused(await asked, "app.stopping")


@in_loop
async def test_a_taken_port_is_left_to_its_owner(desk: MemoryDesk) -> None:
    async with serving(desk) as first:
        second = Server(desk, TOKEN, port=first.port, bounds=WIDE)
        await second.start()
        try:
            assert second.port not in (0, first.port)
            assert second.url == f"http://127.0.0.1:{second.port}"
            async with httpx.AsyncClient(trust_env=False) as ask:
                assert (await ask.get(f"{second.url}/healthz")).json()["ok"] is True
                refused(
                    await ask.get(
                        f"{second.url}/healthz", headers={"Host": f"127.0.0.1:{first.port}"}
                    ),
                    "api.host",
                )
        finally:
            await second.stop()
        third = Server(desk, TOKEN, port=first.port, free=False)
        with pytest.raises(TablectlError) as raised:
            await third.start()
        assert raised.value.code == "api.bind"
        await third.stop()


@in_loop
async def test_a_long_body_is_refused_before_it_is_read(desk: MemoryDesk) -> None:
    async with serving(desk) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            f"POST /api/v1/tables/east/facts HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
            "Content-Length: 1000000000\r\n\r\n".encode()
        )
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert b'"api.size"' in answer
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("origin", "address", "status"),
    [("http://elsewhere.example", "", 403), (None, "?token=secret", 400)],
)
@in_loop
async def test_who_is_refused_before_the_handshake_is_no_fault_of_ours(
    caplog: pytest.LogCaptureFixture, origin: Any, address: str, status: int
) -> None:
    async with serving(MemoryDesk()) as server:
        url = f"ws://127.0.0.1:{server.port}/api/v1/stream{address}"
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, origin=origin, proxy=None)
        answer = refused.value.response
        assert answer.status_code == status
        assert json.loads(answer.body or b"")["error"]["hint"]
        while server.connections:
            await asyncio.sleep(0.01)
    assert [one for one in caplog.records if one.levelname in ("WARNING", "ERROR")] == []
