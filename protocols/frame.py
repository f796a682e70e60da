"""Frames: how one message lies on the line.

    00 │ COBS( version u8 · type u8 · body 0…118 · CRC-16 ) │ 00

No zero occurs inside, so whatever noise came before is over at the next zero. The checksum is
CRC-16/IBM-3740: polynomial 1021, initial FFFF, sent low byte first; "123456789" gives 29B1. It
covers version, type and body.
"""

from __future__ import annotations

from binascii import crc_hqx
from typing import Final, NamedTuple

from cobs import cobs

MOST_BODY: Final = 118
MOST_RAW: Final = 2 + MOST_BODY + 2
MOST_ENCODED: Final = MOST_RAW + 1
"""Bytes between the zeros at most: what a receiver must be able to keep (COBS adds one)."""

ZERO: Final = b"\0"

SEALED: Final = 0xA7
"""The type of the one message that has a secret in it: the face behind its first ten bytes."""


class FrameError(ValueError):
    """A run between zeros that is no frame. `code` is `empty`, `long`, `cobs`, `short` or `crc`;
    `what` was found, `where` in the run (a byte, from 0), `hint` what to do."""

    def __init__(self, code: str, what: str, where: int = 0) -> None:
        self.code = code
        self.what = what
        self.where = where
        self.hint = "Noise on the line and other devices' text make such runs; they are dropped."
        super().__init__(f"{what} (byte {where})")


class Frame(NamedTuple):
    """One message as bytes: its protocol version, its type, its body."""

    version: int
    type: int
    body: bytes

    def __repr__(self) -> str:
        # The face of a tile that lies face down is printed nowhere.
        body = self.body if self.type != SEALED else self.body[:10]
        return f"Frame({self.version}, {self.type:02X}, {body.hex(' ')})"


def crc(data: bytes) -> int:
    """CRC-16/IBM-3740 of some bytes."""
    return crc_hqx(data, 0xFFFF)


def encode(frame: Frame) -> bytes:
    """The frame with the zeros around it. Raises FrameError for a body that is too long."""
    if len(frame.body) > MOST_BODY:
        what = f"a body of {len(frame.body)} bytes; {MOST_BODY} is the most"
        raise FrameError("long", what, MOST_BODY)
    raw = bytes((frame.version, frame.type)) + frame.body
    coded: bytes = cobs.encode(raw + crc(raw).to_bytes(2, "little"))
    return ZERO + coded + ZERO


def decode(run: bytes) -> Frame:
    """The frame in a run of bytes between two zeros. Raises FrameError."""
    if not run:
        raise FrameError("empty", "nothing between two zeros")
    if len(run) > MOST_ENCODED:
        raise FrameError("long", f"{len(run)} bytes; {MOST_ENCODED} is the most", MOST_ENCODED)
    try:
        raw: bytes = cobs.decode(run)
    except cobs.DecodeError as error:
        raise FrameError("cobs", f"not COBS: {error}") from None
    if len(raw) < 4:
        raise FrameError(
            "short", f"{len(raw)} bytes; version, type and checksum are four", len(raw)
        )
    told = int.from_bytes(raw[-2:], "little")
    if crc(raw[:-2]) != told:
        what = f"checksum {told:04X}, but the bytes give {crc(raw[:-2]):04X}"
        raise FrameError("crc", what, len(raw) - 2)
    return Frame(raw[0], raw[1], raw[2:-2])
