"""Vectors: messages as flat lists of values, and dialogues played on a board."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from protocols import catalog, v1
from protocols.fields import kinds
from protocols.frame import encode
from support.boards import Peer

Step = dict[str, Any]

FOLDER = Path(__file__).parents[2] / "protocols" / "vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    """The vectors of one file."""
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def values_of(message: Any) -> list[Any]:
    """The fields of a message in order: arrays and messages within flattened, bytes as hex."""
    return list(_flat([getattr(message, name) for name in kinds(type(message))]))


def _flat(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flat(value)
        else:
            yield value.hex() if isinstance(value, bytes) else value


def typed(type_: int, values: Sequence[Any]) -> Any:
    """The message of version 1 with these values, as `values_of` gives them."""
    row = catalog.ROW_OF[1, type_]
    rest = list(values)
    return row.message(*(_take(kind.least, rest) for kind in kinds(row.message).values()))


def _take(like: Any, rest: list[Any]) -> Any:
    if hasattr(like, "_fields"):
        return type(like)(*(_take(kind.least, rest) for kind in kinds(type(like)).values()))
    if isinstance(like, tuple):
        return tuple(_take(one, rest) for one in like)
    value = rest.pop(0)
    return bytes.fromhex(value) if isinstance(like, bytes) else value


def play(peer: Peer, steps: Sequence[Step]) -> list[Step]:
    """The steps, and after each what the board sent then. A step `message` is sent as its frame."""
    found: list[Step] = []
    now = 0
    for step in steps:
        data = b""
        if "message" in step:
            data = encode(catalog.encode(step["message"]))
            found.append({"to_table": data.hex()})
        elif "to_table" in step:
            data = bytes.fromhex(step["to_table"])
            found.append(step)
        elif "edge" in step:
            type_, *values = step["edge"]
            row = catalog.ROW_OF[1, int(type_, 16)]
            message = typed(row.id, [0, 0, *values])
            peer.edge(row.message, *message[2:])
            found.append(step)
        elif "reset" in step:
            peer.reset()
            found.append(step)
        elif "at" in step:
            now = step["at"]
            found.append(step)
        elif "to_host" in step:
            continue
        said = peer.run(data, now)
        if said:
            found.append({"to_host": said.hex()})
    return found


def edge(message: v1.Edge) -> Step:
    """A step that lets this edge happen; its number and time are not looked at."""
    frame = catalog.encode(message)
    return {"edge": [f"{frame.type:02X}", *values_of(message)[2:]]}
