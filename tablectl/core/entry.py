"""The journal's entry: one shape for sensor, tap, record and command around each fact.

Source: the house's page of facts, section 1.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from tablectl.core.facts import AnyFact
from tablectl.errors import TablectlError, declare

declare(
    "facts.entry",
    "this is no entry of a journal: {why}",
    "An entry is one line of JSON as `tablectl journal export` prints it.",
)


class Who(Struct, frozen=True, omit_defaults=True):
    """Sensor: its ability. Person: role and display name or nothing; never free text."""

    ability: str | None = None
    role: str | None = None
    name: str | None = None


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of the journal: the same shape for sensor, tap, record and command.

    `seq` is dense per table from 1; `key` makes repeats harmless; `after` is the place in the
    history of a late fact (0: before the first); `cause` the seq that led here.
    """

    table: str
    seq: Annotated[int, Meta(ge=1)]
    key: str
    fact: AnyFact
    origin: Literal["sensor", "person", "daemon", "record"] = "person"
    at: int = 0
    mono: int = 0
    took: int = 0
    who: Who | None = None
    cause: int | None = None
    after: Annotated[int, Meta(ge=0)] | None = None
    schema: Literal[1] = 1


_decoder = msgspec.json.Decoder(Entry)


def decode_entry(line: str | bytes) -> Entry:
    """The entry on one line of JSON. Raises `facts.entry`."""
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TablectlError("facts.entry", why=str(error)) from None


def encode_entry(entry: Entry) -> str:
    """One line of JSON."""
    return msgspec.json.encode(entry).decode()
