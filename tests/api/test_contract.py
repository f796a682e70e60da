"""Requests made at random from the OpenAPI: every answer is as the document says."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import schemathesis
import schemathesis.python.asgi
from anyio.from_thread import start_blocking_portal
from hypothesis import HealthCheck, Phase, settings
from schemathesis import GenerationMode
from starlette.types import ASGIApp, Receive, Scope, Send
from support.asking import ADDRESS, HOSTS, LEAVE, TOKEN, WIDE
from support.desk import PRESETS, MemoryDesk, MemoryTable

from tablectl.api.app import interface
from tablectl.api.messages import NoQuery
from tablectl.api.methods import METHODS, Method
from tablectl.api.openapi import document

SEED = int(os.environ.get("TABLECTL_SEED") or int.from_bytes(os.urandom(4), "big"))
if os.environ.get("CI"):
    SEED = 8136
EXAMPLES = 40


class Fresh:
    """An interface that each test makes anew."""

    asgi: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.asgi(scope, receive, send)


FRESH = Fresh()
SCHEMA = schemathesis.openapi.from_dict(document())
SCHEMA.app = FRESH
NAMES = {"id": ("east", "0102bb", "north"), "name": (*PRESETS, "ramen-ziro")}
OPERATIONS = {
    operation.ok().definition.raw["operationId"]: operation.ok()
    for operation in SCHEMA.get_all_operations()
}


@pytest.fixture(autouse=True)
def own_loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """schemathesis keeps one loop in a thread to the end of the process; here each test has one."""
    with start_blocking_portal() as portal:
        monkeypatch.setattr(schemathesis.python.asgi, "_get_portal", lambda: portal)
        yield


def reads_something(method: Method) -> bool:
    return method.writes or method.query is not NoQuery


def test_no_method_is_left_out() -> None:
    assert set(OPERATIONS) == {method.name for method in METHODS}


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        *((one.name, GenerationMode.POSITIVE) for one in METHODS),
        # Of a method that reads nothing, nothing can be wrong.
        *((one.name, GenerationMode.NEGATIVE) for one in METHODS if reads_something(one)),
    ],
)
def test_every_answer_is_as_the_document_says(
    name: str,
    mode: GenerationMode,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    desk = MemoryDesk(MemoryTable("0102aa", "east"), MemoryTable("0102bb", "west"))
    FRESH.asgi = interface(desk, HOSTS, TOKEN, bounds=WIDE).asgi
    statuses: Counter[int] = Counter()

    @hypothesis.seed(SEED)
    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
        database=None,
    )
    @hypothesis.given(
        case=OPERATIONS[name].as_strategy(generation_mode=mode),
        pick=hypothesis.strategies.integers(0, 3),
    )
    def ask(case: schemathesis.Case, pick: int) -> None:
        if mode is GenerationMode.POSITIVE:
            for parameter, known in NAMES.items():
                if parameter in case.path_parameters and pick < len(known):
                    case.path_parameters[parameter] = known[pick]
            if isinstance(case.body, dict) and "preset" in case.body:
                case.body["preset"] = (*PRESETS, "ramen-ziro")[pick]
        answer = case.call_and_validate(base_url=ADDRESS, headers=LEAVE)
        statuses[answer.status_code] += 1

    print(f"TABLECTL_SEED={SEED}")
    ask()
    print(name, mode.value, dict(statuses))
    expected = 400 if mode is GenerationMode.NEGATIVE else 403 if name == "pair" else 200
    assert statuses[expected]
    assert not list(tmp_path.iterdir())
