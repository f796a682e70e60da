"""Version 0, for ever: how two sides find out what they both speak."""

from __future__ import annotations

from typing import Final, NamedTuple

from protocols.fields import U8, U16, U32, Magic, Text12, Text16, Uid
from protocols.rows import BOTH, HOST, TABLE, Row

VERSION: Final = 0


class Hello(NamedTuple):
    """The host asks who is there; `conversation` is new each time it begins anew. `least` and
    `most`: the versions that it speaks."""

    magic: Magic
    conversation: U32
    least: U8
    most: U8


class Iam(NamedTuple):
    """The board's answer, echoing the conversation. `boot` never repeats; `uid` is the table's
    own; `ring`: how many edges it keeps; `body`: the longest body it takes."""

    magic: Magic
    conversation: U32
    least: U8
    most: U8
    boot: U32
    uid: Uid
    ring: U16
    body: U8
    model: Text16
    firmware: Text12


class Huh(NamedTuple):
    """A message that could not be taken: its type, codes.Reason, and a detail (section 5).
    Nobody answers a HUH."""

    type: U8
    reason: U8
    detail: U8


ROWS: Final = (
    Row(0x00, "HELLO", TABLE, Hello, "conversation {conversation:08X}: who is there? I speak"
        " version {least} to {most}"),
    Row(0x01, "IAM", HOST, Iam, 'conversation {conversation:08X}: I am {uid:hex}, "{model}" with'
        ' firmware "{firmware}", boot {boot}, ring of {ring}, version {least} to {most}, bodies up'
        " to {body}"),
    Row(0x02, "HUH", BOTH, Huh, "what was type {type:02X}? {reason:reason}, detail {detail}"),
)  # fmt: skip
