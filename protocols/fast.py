"""The frequent messages read and written a second time, with struct: the same, only quicker.

`protocols.catalog.declared` is the declaration; a test holds everything here against it.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final, NamedTuple

from protocols.v1 import (
    Ack,
    ButtonEdge,
    DiceEdge,
    Levels,
    NumberEdge,
    Outcome,
    PhaseEdge,
    Ping,
    Pong,
    Presence,
    RaisedEdge,
    RiichiEdge,
    SealedEdge,
    ShownEdge,
    TakenEdge,
    TroubleEdge,
)


class Reader(NamedTuple):
    """`read(data)` reads the body that begins at data[2], behind version and type; `size` is the
    least length that `data` must have, the checksum behind the body counted."""

    size: int
    read: Callable[[bytes], Any]


_M8: Final = (*range(0xFF), None)
"""A byte with an unknown value."""
_new: Final = tuple.__new__
"""Makes a named tuple without its own `__new__`, which would take as long as all the rest."""

_ACK = Struct("<IIB").unpack_from
_PONG = Struct("<HIIII").unpack_from
_OUTCOME = Struct("<IHBBI").unpack_from
_LEVELS = Struct("<I2B4H8BH").unpack_from
_PRESENCE = Struct("<IBB6s").unpack_from
_NUMBER = Struct("<IIBBH").unpack_from
_PHASE = Struct("<IIBBB").unpack_from
_RAISED = Struct("<IIBH4B").unpack_from
_DICE = Struct("<II5B").unpack_from
_BUTTON = Struct("<IIBBB").unpack_from
_TAKEN = Struct("<IIHB").unpack_from
_FACE = Struct("<IIHBB").unpack_from
_TROUBLE = Struct("<II6B").unpack_from
_RIICHI = Struct("<IIBB").unpack_from


def _ack(data: bytes) -> Ack:
    return _new(Ack, _ACK(data, 2))


def _pong(data: bytes) -> Pong:
    return _new(Pong, _PONG(data, 2))


def _outcome(data: bytes) -> Outcome:
    conversation, command, result, why, edge = _OUTCOME(data, 2)
    known = None if edge == 0xFFFFFFFF else edge
    return _new(Outcome, (conversation, command, result, why, known))


def _levels(data: bytes) -> Levels:
    up, pa, pb, aa, ab, na, nb, c0, c1, c2, c3, s0, s1, s2, s3, lamps = _LEVELS(data, 2)
    values = (
        up,
        (_M8[pa], _M8[pb]),
        (None if aa == 0xFFFF else aa, None if ab == 0xFFFF else ab),
        (None if na == 0xFFFF else na, None if nb == 0xFFFF else nb),
        (_M8[c0], _M8[c1], _M8[c2], _M8[c3]),
        (_M8[s0], _M8[s1], _M8[s2], _M8[s3]),
        lamps,
    )
    return _new(Levels, values)


def _presence(data: bytes) -> Presence:
    upto, side, odd, bits = _PRESENCE(data, 2)
    return _new(Presence, (upto, side, _M8[odd], bits))


def _number(data: bytes) -> NumberEdge:
    return _new(NumberEdge, _NUMBER(data, 2))


def _phase(data: bytes) -> PhaseEdge:
    number, at, which, was, now = _PHASE(data, 2)
    return _new(PhaseEdge, (number, at, which, _M8[was], _M8[now]))


def _raised(data: bytes) -> RaisedEdge:
    number, at, which, game, a, b, c, d = _RAISED(data, 2)
    sides = (_M8[a], _M8[b], _M8[c], _M8[d])
    return _new(RaisedEdge, (number, at, which, None if game == 0xFFFF else game, sides))


def _dice(data: bytes) -> DiceEdge:
    number, at, n, a, b, c, d = _DICE(data, 2)
    return _new(DiceEdge, (number, at, n, (_M8[a], _M8[b], _M8[c], _M8[d])))


def _button(data: bytes) -> ButtonEdge:
    number, at, button, seat, press = _BUTTON(data, 2)
    return _new(ButtonEdge, (number, at, button, _M8[seat], press))


def _taken(data: bytes) -> TakenEdge:
    return _new(TakenEdge, _TAKEN(data, 2))


def _shown(data: bytes) -> ShownEdge:
    number, at, place, tile, mark = _FACE(data, 2)
    return _new(ShownEdge, (number, at, place, _M8[tile], _M8[mark]))


def _sealed(data: bytes) -> SealedEdge:
    number, at, place, tile, mark = _FACE(data, 2)
    return _new(SealedEdge, (number, at, place, _M8[tile], _M8[mark]))


def _trouble(data: bytes) -> TroubleEdge:
    number, at, code, which, side, on, expected, found = _TROUBLE(data, 2)
    values = (number, at, code, _M8[which], _M8[side], on, _M8[expected], _M8[found])
    return _new(TroubleEdge, values)


def _riichi(data: bytes) -> RiichiEdge:
    return _new(RiichiEdge, _RIICHI(data, 2))


READERS: Final = {
    type_: Reader(size + 4, read)
    for type_, size, read in (
        (0x11, 9, _ack),
        (0x80, 18, _pong),
        (0x83, 12, _outcome),
        (0x84, 24, _levels),
        (0x86, 12, _presence),
        (0xA0, 12, _number),
        (0xA1, 11, _phase),
        (0xA2, 15, _raised),
        (0xA3, 13, _dice),
        (0xA4, 11, _button),
        (0xA5, 11, _taken),
        (0xA6, 12, _shown),
        (0xA7, 12, _sealed),
        (0xA8, 14, _trouble),
        (0xA9, 10, _riichi),
    )
}

WRITERS: Final[dict[type[Any], Callable[..., bytes]]] = {
    Ack: Struct("<IIB").pack,
    Ping: Struct("<H").pack,
}
"""The body of a message from its values; struct.error for what a field cannot hold."""
