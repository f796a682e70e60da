"""What can be wrong with a request, and the HTTP status of every error of the catalogue."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from tablectl.app import service
from tablectl.errors import CATALOGUE, NO, TablectlError, declare

HOST: Final = declare(
    "api.host",
    "this is the daemon at {allowed}, not at '{found}'",
    "Use one of these addresses, or have the name added to the configured names.",
    status=NO,
)
ORIGIN: Final = declare(
    "api.origin",
    "a page from '{found}' may not use this daemon",
    "Open the page at {allowed}.",
    status=NO,
)
NO_ORIGIN: Final = declare(
    "api.no_origin",
    "a paired browser says where its page is from (Origin), and this request does not",
    "Programs use the token: `Authorization: Bearer …`.",
    status=NO,
)
TOKEN: Final = declare(
    "api.token",
    "{why}",
    "Send `Authorization: Bearer TOKEN` with the token in the daemon's state directory, or pair the"
    " browser with the code that `tablectl pair` prints.",
    status=NO,
)
TOKEN_IN_URL: Final = declare(
    "api.token_in_url",
    "there is a secret in the address ('{name}='), where others can read it",
    "Send the token as `Authorization: Bearer TOKEN`, never in an address.",
)
TYPE: Final = declare(
    "api.type",
    "the body is said to be '{found}', and JSON is read here",
    "Send it with `Content-Type: application/json`.",
)
SIZE: Final = declare(
    "api.size",
    "the body is longer than {most} bytes",
    "Say less at once.",
)
SLOW: Final = declare(
    "api.slow",
    "the body did not come to its end within {seconds} s",
    "Send it again, whole.",
)
NESTING: Final = declare(
    "api.nesting",
    "the JSON is nested deeper than {most}",
    "Nothing that is read here needs so many brackets within each other.",
)
JSON: Final = declare(
    "api.json",
    "the body is not JSON: {why}",
    "Send one JSON object in UTF-8.",
)
BODY: Final = declare(
    "api.body",
    "this is not what is read here: {why}",
    "/openapi.json says what is, field by field.",
)
QUERY: Final = declare(
    "api.query",
    "{why}",
    "What may stand behind the `?` here: {allowed}.",
)
UNSAYABLE: Final = declare(
    "api.unsayable",
    "'{type}' is nothing that people say; the daemon notes it itself",
    "People say: {sayable}.",
)
PATH: Final = declare(
    "api.path",
    "there is nothing at {path}",
    "/openapi.json lists everything that is here.",
    status=NO,
)
VERB: Final = declare(
    "api.verb",
    "{path} knows no {verb}",
    "Use {allowed}.",
    status=NO,
)
RATE: Final = declare(
    "api.rate",
    "there are more requests from {address} than are answered",
    "Wait {seconds} s; several questions at once have one answer at /api/v1/stream.",
    status=NO,
)
PAIR: Final = declare(
    "api.pair",
    "{why}",
    "`tablectl pair` prints a new code; it is good for {seconds} s and for one browser.",
    status=NO,
)
FAULT: Final = declare(
    "api.fault",
    "the daemon made a mistake and wrote it to its log",
    "Report it with the lines of the log. What was answered before is kept.",
)
SUBSCRIBE: Final = declare(
    "api.subscribe",
    "this is no subscription: {why}",
    'Send {{"table": ID, "since": SEQ or null}} within {seconds} s of connecting.',
)
TABLES: Final = declare(
    "api.tables",
    "one connection follows at most {most} tables",
    "Open another connection for the others.",
    status=NO,
)
SOCKETS: Final = declare(
    "api.sockets",
    "{most} connections follow tables already",
    "Close one of them.",
    status=NO,
)
BIND: Final = declare(
    "api.bind",
    "the daemon cannot listen at {host}, port {port}: {why}",
    "Configure an address that this machine has, and a port that it may use.",
)

STATUS: Final[dict[str, int]] = {
    HOST: 403,
    ORIGIN: 403,
    NO_ORIGIN: 403,
    PAIR: 403,
    TOKEN: 401,
    TYPE: 415,
    SIZE: 413,
    SLOW: 408,
    PATH: 404,
    VERB: 405,
    RATE: 429,
    SOCKETS: 503,
    FAULT: 500,
    service.NO_TABLE: 404,
    service.NO_ANSWER: 503,
    "preset.unknown": 404,
    service.STALE: 409,
    service.SEEN_AHEAD: 409,
    service.FULL: 503,
    service.STOPPING: 503,
    "app.": 409,
    "journal.": 503,
    "link.": 503,
    "token.": 503,
}
"""The HTTP status of a code, or of all codes that begin so; of the others, 409 where the answer is
no, else 400."""

HEADERS: Final[dict[str, str]] = {
    TOKEN: 'www-authenticate: Bearer realm="tablectl"',
    service.FULL: "retry-after: 1",
    SIZE: "connection: close",
    SLOW: "connection: close",
}


class Problem(Struct, frozen=True, omit_defaults=True):
    """One error of the catalogue: what was found, and what to do. `where`: the field; `values`:
    what the sentence is made of; `drawing`: lines that show what collides; `problems`: the single
    errors where there are several."""

    code: str
    message: str
    hint: str
    where: str | None = None
    values: dict[str, Any] = {}
    drawing: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


class ErrorBody(Struct, frozen=True, omit_defaults=True):
    """The answer to everything that went wrong."""

    error: Problem


def status_of(code: str) -> int:
    """The HTTP status of an error."""
    if code in STATUS:
        return STATUS[code]
    family = code.partition(".")[0] + "."
    if family in STATUS:
        return STATUS[family]
    return 409 if code in CATALOGUE and CATALOGUE[code].status == NO else 400


def error_headers(error: TablectlError) -> list[tuple[bytes, bytes]]:
    """Headers that belong to an error's answer."""
    found = []
    if error.code in HEADERS:
        found.append(HEADERS[error.code])
    if error.code == RATE:
        found.append(f"retry-after: {error.values['seconds']}")
    if error.code == VERB:
        found.append(f"allow: {error.values['allowed']}")
    pairs = (line.split(": ", 1) for line in found)
    return [(name.encode(), value.encode()) for name, value in pairs]


def error_body(error: TablectlError) -> bytes:
    """`{"error": …}`."""
    return msgspec.json.encode({"error": error.as_json()})
