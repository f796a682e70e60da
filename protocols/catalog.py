"""All messages: the tables of every version joined, frames to messages and back.

construct is the declaration and reads every message; the frequent ones have a second reader
(`protocols.fast`), which tests hold against the declaration.
"""

from __future__ import annotations

import struct
from typing import Any, Final

from construct import ConstructError, StreamError

from protocols import fast, v0, v1
from protocols.codes import Reason
from protocols.fields import kinds, layout
from protocols.frame import Frame
from protocols.rows import Row

LEAST, MOST = 1, 1
"""The versions that this catalogue speaks, besides 0."""

Message = (
    v0.Hello | v0.Iam | v0.Huh
    | v1.Ping | v1.Ack | v1.Get | v1.Select | v1.Move | v1.Lamp | v1.AskOutcome
    | v1.Pong | v1.Abilities | v1.Number | v1.Outcome | v1.Levels | v1.Snapshot | v1.Presence
    | v1.Points | v1.Counters | v1.Edge
)  # fmt: skip

VERSIONS: Final = {v0.VERSION: v0.ROWS, v1.VERSION: v1.ROWS}
ROW_OF: Final[dict[tuple[int, int], Row]] = {
    (version, row.id + n): row
    for version, rows in VERSIONS.items()
    for row in rows
    for n in range(row.ids)
}
_FRAME_OF: Final[dict[type[Any], tuple[int, Row]]] = {
    row.message: (version, row) for version, rows in VERSIONS.items() for row in rows
}
_LAYOUT: Final = {
    row.message: (tuple(kinds(row.message)), layout(row.message))
    for rows in VERSIONS.values()
    for row in rows
}


class MessageError(ValueError):
    """A frame that is no message that is known here. `reason` and `detail` are what a HUH says;
    `what` was found and `hint` what to do."""

    def __init__(self, reason: Reason, detail: int, what: str) -> None:
        self.code = reason.name.lower()
        self.reason = reason
        self.detail = detail
        self.what = what
        self.hint = "PROTOCOL.md, section 3, says what each type holds."
        super().__init__(what)


def decode(frame: Frame) -> Message:
    """The message in a frame; bytes beyond the last known field are left aside. Raises
    MessageError, whose reason is version, type, length or field."""
    return read(bytes((frame.version, frame.type)) + frame.body + b"\0\0")


def read(verified: bytes) -> Message:
    """The same from the bytes of a frame: version, type, body and a checksum that is not looked
    at again."""
    if verified[0] == v1.VERSION:
        quick = fast.READERS.get(verified[1])
        if quick is not None and len(verified) >= quick.size:
            message: Message = quick.read(verified)
            return message
    return declared(Frame(verified[0], verified[1], verified[2:-2]))


def declared(frame: Frame) -> Message:
    """The same by the declaration alone."""
    row = row_of(frame)
    names, body = _LAYOUT[row.message]
    try:
        found = body.parse(frame.body)
    except StreamError:
        least = least_size(row)
        what = f"{row.name}: a body of {len(frame.body)} bytes; {least} is the least"
        raise MessageError(Reason.LENGTH, least, what) from None
    except ConstructError as error:
        what = f"{row.name}: a field holds what it must not ({error})"
        raise MessageError(Reason.FIELD, 0, what) from None
    values = [found[name] for name in names]
    if row.ids > 1:
        values.append(frame.type - row.id)
    message: Message = row.message(*values)
    return message


def encode(message: Message) -> Frame:
    """The frame of a message. Raises ValueError for a value that its field cannot hold."""
    version, row = _FRAME_OF[type(message)]
    quick = fast.WRITERS.get(row.message)
    if quick is not None:
        try:
            return Frame(version, row.id, quick(*message))
        except struct.error:
            pass  # the declaration says what is wrong with it
    return built(message)


def built(message: Message) -> Frame:
    """The same by the declaration alone."""
    version, row = _FRAME_OF[type(message)]
    try:
        body = _LAYOUT[row.message][1].build(message._asdict())
    except ConstructError as error:
        raise ValueError(f"{row.name} cannot hold that: {error}") from None
    return Frame(
        version, row.id + (message.kind if isinstance(message, v1.VendorEdge) else 0), body
    )


def row_of(frame: Frame) -> Row:
    """The row of a frame's type. Raises MessageError for an unknown version or type."""
    row = ROW_OF.get((frame.version, frame.type))
    if row is None and frame.version not in VERSIONS:
        what = f"version {frame.version}; version {max(VERSIONS)} is the newest known"
        raise MessageError(Reason.VERSION, max(VERSIONS), what)
    if row is None:
        raise MessageError(
            Reason.TYPE, frame.version, f"type {frame.type:02X} is none of version {frame.version}"
        )
    return row


def row_for(message: Message) -> Row:
    """The row of a message."""
    return _FRAME_OF[type(message)][1]


def number_of(frame: Frame) -> int | None:
    """The number of an edge, even of one whose body is not known; None for what is no edge."""
    if frame.version != v1.VERSION or not v1.FIRST_EDGE <= frame.type < v1.FIRST_VENDOR + 16:
        return None
    return int.from_bytes(frame.body[:4], "little") if len(frame.body) >= 8 else None


def least_size(row: Row) -> int:
    """Bytes of the shortest body that a message has."""
    least = {name: kind.least for name, kind in kinds(row.message).items()}
    return len(_LAYOUT[row.message][1].build(least))
