"""Who is refused: foreign hosts and pages, no token, wrong bodies, too many requests; and what
every answer carries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from support.asking import (
    ADDRESS,
    DICE,
    FACTS,
    HOSTS,
    LEAVE,
    TOKEN,
    Clock,
    asking,
    in_loop,
    refused,
    tap,
)
from support.desk import MemoryDesk

from tablectl.api.app import Interface, interface
from tablectl.api.methods import METHODS, Method
from tablectl.api.security import Bounds, Hosts, Rates

WRITING = [method for method in METHODS if method.writes]
GUARDED = [method for method in WRITING if method.leave != "code"]


def address(method: Method) -> str:
    return method.path.replace("{id}", "east").replace("{name}", "ramen-jiro")


def nothing_written(desk: MemoryDesk) -> bool:
    return not any(table.taps or table.wishes for table in desk.tables.values())


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Host": "evil.example"}, "api.host"),
        ({"Host": "evil.example:8136"}, "api.host"),
        ({"Host": "127.0.0.1"}, "api.host"),
        ({"Host": "127.0.0.1:80"}, "api.host"),
        ({"Host": "127.0.0.1:8136.evil.example"}, "api.host"),
        ({"Origin": "http://evil.example"}, "api.origin"),
        ({"Origin": "https://127.0.0.1:8136"}, "api.origin"),
        ({"Origin": "http://127.0.0.1:8137"}, "api.origin"),
        ({"Origin": "null"}, "api.origin"),
    ],
)
@in_loop
async def test_foreign_hosts_and_pages_are_refused_everywhere(
    here: Interface, desk: MemoryDesk, method: Method, headers: dict[str, str], code: str
) -> None:
    async with asking(here) as ask:
        headers = {**LEAVE, **headers}
        answer = await ask.request(method.verb, address(method), headers=headers, json=tap(DICE))
    refused(answer, code)
    assert nothing_written(desk)


@pytest.mark.parametrize("host", ["127.0.0.1:8136", "LOCALHOST:8136", "east.example:8136"])
@in_loop
async def test_our_own_names_are_answered(here: Interface, host: str) -> None:
    async with asking(here) as ask:
        headers = {"Host": host, "Origin": f"http://{host.lower()}"}
        assert (await ask.get("/healthz", headers=headers)).status_code == 200


@pytest.mark.parametrize("method", GUARDED, ids=lambda method: method.name)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer " + "x" * 43},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": TOKEN},
        {"Cookie": f"tablectl_session={TOKEN}", "Origin": ADDRESS},
    ],
)
@in_loop
async def test_nothing_is_written_without_the_token(
    here: Interface, desk: MemoryDesk, method: Method, headers: dict[str, str]
) -> None:
    async with asking(here) as ask:
        answer = await ask.post(address(method), headers=headers, json=tap(DICE))
    refused(answer, "api.token")
    assert answer.headers["www-authenticate"] == 'Bearer realm="tablectl"'
    assert nothing_written(desk)


@pytest.mark.parametrize("name", ["token", "access_token", "TOKEN"])
@in_loop
async def test_a_token_in_an_address_is_refused(here: Interface, name: str) -> None:
    async with asking(here) as ask:
        answer = await ask.post(f"{FACTS}?{name}={TOKEN}", headers=LEAVE, json=tap(DICE))
    refused(answer, "api.token_in_url")
    assert TOKEN not in answer.text


@pytest.mark.parametrize("path", ["/healthz", "/nothing", FACTS, "/api/v1/tables/none"])
@in_loop
async def test_every_answer_carries_the_protecting_headers(here: Interface, path: str) -> None:
    async with asking(here) as ask:
        answers = [await ask.get(path), await ask.post(path), await ask.delete(path)]
        answers.append(await ask.get(path, headers={"Host": "evil.example"}))
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("verb", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
@in_loop
async def test_other_verbs_are_not_known(here: Interface, verb: str) -> None:
    async with asking(here) as ask:
        answer = await ask.request(verb, FACTS, headers=LEAVE)
        head = await ask.head(FACTS, headers=LEAVE)
    refused(answer, "api.verb")
    assert answer.headers["allow"] == "GET, POST"
    assert head.status_code == 405


@pytest.mark.parametrize(
    ("body", "headers", "code"),
    [
        (b"{}", {"Content-Type": "text/plain"}, "api.type"),
        (b"{}", {}, "api.type"),
        (b"{", {}, "api.json"),
        (b"", {}, "api.json"),
        (b"\xff", {}, "api.json"),
        (b"[" * 17 + b"]" * 17, {}, "api.nesting"),
        (b'{"a":' * 60000, {}, "api.size"),
        (b"[" * 60000, {}, "api.nesting"),
        (b'{"a":1e999}', {}, "api.json"),
        (b"[]", {}, "api.body"),
        (b"null", {}, "api.body"),
        (b'{"seen": ' + b"9" * 500 + b"}", {}, "api.body"),
    ],
)
@in_loop
async def test_bad_bodies_are_told(
    here: Interface, desk: MemoryDesk, body: bytes, headers: dict[str, str], code: str
) -> None:
    kind = {} if code == "api.type" else {"Content-Type": "application/json; charset=utf-8"}
    async with asking(here) as ask:
        answer = await ask.post(FACTS, content=body, headers={**LEAVE, **kind, **headers})
    refused(answer, code)
    assert nothing_written(desk)


@in_loop
async def test_brackets_in_texts_are_no_nesting(here: Interface, desk: MemoryDesk) -> None:
    fact = {"type": "aborted", "why": '[[[[[[[[[[[[[[[[[[\\"[['}
    async with asking(here) as ask:
        answer = await ask.post(FACTS, headers=LEAVE, json=tap(fact))
    assert answer.status_code == 200, answer.text
    assert desk.table("east").taps[0].fact.why == fact["why"]


@in_loop
async def test_a_body_without_end_is_not_read_to_its_end(here: Interface) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(1000):
            sent += 4096
            yield b" " * 4096

    async with asking(here) as ask:
        headers = {**LEAVE, "Content-Type": "application/json"}
        answer = await ask.post(FACTS, content=endless(), headers=headers)
    refused(answer, "api.size")
    assert sent <= 64 * 1024 + 2 * 4096


@in_loop
async def test_a_body_that_does_not_come_is_not_waited_for(desk: MemoryDesk) -> None:
    async def late() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    here = interface(desk, HOSTS, TOKEN, bounds=Bounds(body_seconds=0.01))
    async with asking(here) as ask:
        headers = {**LEAVE, "Content-Type": "application/json"}
        refused(await ask.post(FACTS, content=late(), headers=headers), "api.slow")


@in_loop
async def test_rates_are_bounded(desk: MemoryDesk, clock: Clock) -> None:
    bounds = Bounds(rate=0.5, burst=3)
    here = interface(desk, HOSTS, TOKEN, bounds=bounds, clock=clock)
    async with asking(here) as ask:
        for _ in range(3):
            assert (await ask.get("/healthz")).status_code == 200
        answer = await ask.get("/healthz")
        refused(answer, "api.rate")
        assert answer.headers["retry-after"] == "2"
        clock.now += 2
        assert (await ask.get("/healthz")).status_code == 200
        refused(await ask.get("/healthz"), "api.rate")


def test_a_client_does_not_spend_another_ones_share() -> None:
    rates = Rates(Clock(), rate=1, burst=1, most=2)
    assert [rates.take(one) for one in "aabb"] == [0, 1, 0, 1]
    assert rates.take("c") == 0
    assert rates.take("a") == 0  # the one that was silent longest was forgotten
    assert rates.take("c") == 1


@pytest.mark.parametrize(
    ("host", "names", "allowed"),
    [
        ("127.0.0.1", (), ("127.0.0.1:9", "localhost:9")),
        ("::1", (), ("[::1]:9", "localhost:9")),
        ("192.0.2.7", ("Tables.example", "proxy.example:80"), (
            "192.0.2.7:9", "tables.example:9", "proxy.example:80", "proxy.example",
        )),
    ],
)  # fmt: skip
def test_hosts(host: str, names: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    assert Hosts.of(host, 9, names).allowed == allowed


@in_loop
async def test_a_fault_is_an_error_body_too(here: Interface, desk: MemoryDesk) -> None:
    def broken() -> dict[str, Any]:
        raise ZeroDivisionError

    desk.health = broken  # type: ignore[method-assign]
    async with asking(here) as ask:
        answer: httpx.Response = await ask.get("/healthz")
    refused(answer, "api.fault")
    assert answer.headers["cache-control"] == "no-store"
