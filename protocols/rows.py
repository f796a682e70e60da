"""One row of a version's table of messages."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

TABLE: Final = "table"
HOST: Final = "host"
BOTH: Final = "both"


class Row(NamedTuple):
    """`id` is the first type number of the message, `ids` how many it has. `to`: who receives it.
    `text`: what it says, its fields in braces; behind the colon how a field is written
    (`protocols.text`)."""

    id: int
    name: str
    to: str
    message: type[Any]
    text: str
    ids: int = 1
