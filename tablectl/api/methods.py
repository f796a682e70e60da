"""Each method of the interface, once: its address, what it reads and gives, its errors, its work.

Routes, OpenAPI and the page of methods come from `METHODS` and from nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from tablectl.api import problems
from tablectl.api.messages import (
    MOST_LETTERS,
    CodeShown,
    CommandBody,
    FactsQuery,
    FactsShown,
    NoQuery,
    NothingBody,
    PairBody,
    Paired,
    PresetsShown,
    TableShown,
    TablesShown,
    TapBody,
    TappedShown,
    VerdictShown,
)
from tablectl.api.pairing import CODE_SECONDS, COOKIE, COOKIE_SECONDS, Pairing, Sessions
from tablectl.api.security import Leave
from tablectl.app import service
from tablectl.app.service import Desk, Tap
from tablectl.core.preset_shown import PresetWhole, in_a_list, whole
from tablectl.core.view import QuestionView


@dataclass(frozen=True, slots=True)
class House:
    """What the methods work with. `document` is the OpenAPI as JSON."""

    desk: Desk
    pairing: Pairing
    sessions: Sessions
    document: bytes


@dataclass(frozen=True, slots=True)
class Call:
    """One request: what its path names, what its query and its body say."""

    named: str = ""
    query: Any = None
    body: Any = None


@dataclass(frozen=True, slots=True)
class Given:
    """An answer: a value, or JSON that is written already; and headers beside the usual."""

    value: Any = None
    raw: bytes | None = None
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def body(self) -> bytes:
        return msgspec.json.encode(self.value) if self.raw is None else self.raw


@dataclass(frozen=True, slots=True)
class Method:
    """One method. `path` may hold a name in braces, and `named` says what it is; `errors`
    are codes, or the beginnings of codes (ending in a dot), beside those that every method of its
    kind has."""

    name: str
    verb: Literal["GET", "POST"]
    path: str
    about: str
    gives: Any
    do: Callable[[House, Call], Awaitable[Given]]
    leave: Leave = "anybody"
    reads: Any = None
    query: type[msgspec.Struct] = NoQuery
    named: str = ""
    errors: tuple[str, ...] = field(default=())

    @property
    def writes(self) -> bool:
        return self.verb == "POST"

    @property
    def all_errors(self) -> tuple[str, ...]:
        """Every code that it may answer with, in the order of the checks."""
        found = [problems.HOST, problems.ORIGIN, problems.TOKEN_IN_URL, problems.RATE]
        if self.leave in ("writer", "owner"):
            found.append(problems.TOKEN)
        if self.leave == "writer":
            found.append(problems.NO_ORIGIN)
        found.append(problems.QUERY)
        if self.writes:
            found += [problems.TYPE, problems.SIZE, problems.SLOW]
            found += [problems.NESTING, problems.JSON, problems.BODY]
        return (*found, *self.errors, problems.FAULT)


# ── what they do ────────────────────────────────────────────────────────────────────────────────


async def _tables(house: House, call: Call) -> Given:
    lines = house.desk.standing()
    place = {line.table: n for n, line in enumerate(lines) if line.table is not None}
    views = [table.view() for table in house.desk.tables.values()]
    views.sort(key=lambda view: (place.get(view["table"], len(lines)), view["name"]))
    return Given({"tables": views, "lines": lines})


async def _table(house: House, call: Call) -> Given:
    return Given(house.desk.table(call.named).view())


async def _facts(house: House, call: Call) -> Given:
    table = house.desk.table(call.named)
    query: FactsQuery = call.query
    found = await table.facts(query.since, query.limit + 1)
    kept = tuple(found[: query.limit])
    last = kept[-1].seq if kept else query.since
    return Given(FactsShown(table.id, kept, last, len(found) > query.limit))


async def _tap(house: House, call: Call) -> Given:
    body: TapBody = call.body
    tap = Tap(
        key=str(body.key),
        fact=body.fact,
        seen=body.seen,
        after=body.after,
        who=None if body.who is None else body.who.who(),
    )
    done = await house.desk.table(call.named).tap(tap)
    questions = tuple(QuestionView(*question) for question in done.questions)
    return Given(TappedShown(done.seq, VerdictShown(*done.verdict), questions))


async def _command(house: House, call: Call) -> Given:
    return Given(await house.desk.table(call.named).command(call.body.wish()))


async def _presets(house: House, call: Call) -> Given:
    return Given(PresetsShown(tuple(map(in_a_list, house.desk.rules()))))


async def _preset(house: House, call: Call) -> Given:
    return Given(whole(house.desk.rule(call.named[:MOST_LETTERS])))


async def _health(house: House, call: Call) -> Given:
    return Given(house.desk.health())


async def _openapi(house: House, call: Call) -> Given:
    return Given(raw=house.document)


async def _pairing(house: House, call: Call) -> Given:
    return Given(CodeShown(house.pairing.begin(), CODE_SECONDS))


async def _pair(house: House, call: Call) -> Given:
    house.pairing.redeem(call.body.code)
    secret = await asyncio.to_thread(house.sessions.new)
    cookie = f"{COOKIE}={secret}; Path=/api/; HttpOnly; SameSite=Strict; Max-Age={COOKIE_SECONDS}"
    return Given(Paired(True), headers=((b"set-cookie", cookie.encode()),))


# ── the table of methods ────────────────────────────────────────────────────────────────────────

_TABLE: Final = "A table's id or name, or the beginning of one id alone."
_BUSY: Final = (service.FULL, service.STOPPING)
_NAMED: Final = (service.NO_TABLE, service.NO_ANSWER)
_RULE: Final = (
    "preset.unknown",
    "preset.topping_unknown",
    "preset.topping_twice",
    "preset.toppings_clash",
)

METHODS: Final = (
    Method(
        "tables", "GET", "/api/v1/tables", "All tables and their State, and how every line stands.",
        TablesShown, _tables,
    ),
    Method(
        "table", "GET", "/api/v1/tables/{id}", "One table and its State.", TableShown, _table,
        named=_TABLE, errors=_NAMED,
    ),
    Method(
        "facts", "GET", "/api/v1/tables/{id}/facts",
        "A table's facts as they are in the journal, in its order.", FactsShown, _facts,
        query=FactsQuery, named=_TABLE, errors=(*_NAMED, "journal."),
    ),
    Method(
        "tap", "POST", "/api/v1/tables/{id}/facts",
        "Say something of a table; the answer comes when it is durable. The same key has the same"
        " answer.", TappedShown, _tap,
        leave="writer", reads=TapBody, named=_TABLE,
        errors=(
            problems.UNSAYABLE, *_NAMED, service.STALE, service.SEEN_AHEAD, *_BUSY,
            "journal.",
        ),
    ),
    Method(
        "command", "POST", "/api/v1/tables/{id}/commands",
        "Ask something of a table; the answer says what came of it (`say`: sentences for people).",
        dict[str, Any], _command,
        leave="writer", reads=CommandBody, named=_TABLE,
        errors=(
            *_NAMED, *_RULE, "number.", "game.", *_BUSY, "app.", "link.", "journal.",
        ),
    ),
    Method(
        "presets", "GET", "/api/v1/presets", "The rules that can be named.", PresetsShown, _presets,
    ),
    Method(
        "preset", "GET", "/api/v1/presets/{name}", "One rule with the source of every value.",
        PresetWhole, _preset, named="A rule's name, with its toppings behind a + each.",
        errors=_RULE,
    ),
    Method(
        "pairing", "POST", "/api/v1/pairing",
        "Make a code that pairs one browser; the one before it is void.", CodeShown, _pairing,
        leave="owner", reads=NothingBody,
    ),
    Method(
        "pair", "POST", "/api/v1/pair",
        "Pair this browser with the code that the owner sees; sets a cookie.", Paired, _pair,
        leave="code", reads=PairBody, errors=(problems.PAIR, "token.unwritable"),
    ),
    Method(
        "health", "GET", "/healthz", "Whether everything works (`ok`), and what does not.",
        dict[str, Any], _health,
    ),
    Method(
        "openapi", "GET", "/openapi.json", "This interface, for programs.", dict[str, Any],
        _openapi,
    ),
)  # fmt: skip
"""Every method of the interface but the stream."""


def by_path() -> dict[str, dict[str, Method]]:
    """Methods by path and verb."""
    found: dict[str, dict[str, Method]] = {}
    for method in METHODS:
        found.setdefault(method.path, {})[method.verb] = method
    return found


def codes_by_status(codes: Iterable[str]) -> dict[int, list[str]]:
    """Error codes by the HTTP status that they have."""
    found: dict[int, list[str]] = {}
    for code in codes:
        found.setdefault(problems.status_of(code), []).append(code)
    return dict(sorted(found.items()))
