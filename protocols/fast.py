"""The frequent messages read a second time, with struct: the same values, several times as quick.

`protocols.catalog.declared` is the declaration; a test holds every reader here against it.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final, NamedTuple

from protocols import v1


class Reader(NamedTuple):
    """Reads a body of at least `size` bytes."""

    size: int
    read: Callable[[bytes], Any]


_M8: Final = (*range(0xFF), None)
"""A byte with an unknown value."""


def _m16(value: int) -> int | None:
    return None if value == 0xFFFF else value


def _m32(value: int) -> int | None:
    return None if value == 0xFFFFFFFF else value


_ACK = Struct("<IIB")
_PONG = Struct("<HIIII")
_OUTCOME = Struct("<IHBBI")
_LEVELS = Struct("<I2B4H8BH")
_PRESENCE = Struct("<IBB6s")
_NUMBER = Struct("<IIBBH")
_PHASE = Struct("<IIBBB")
_RAISED = Struct("<IIBH4B")
_DICE = Struct("<II5B")
_BUTTON = Struct("<IIBBB")
_TAKEN = Struct("<IIHB")
_FACE = Struct("<IIHBB")
_TROUBLE = Struct("<II6B")
_RIICHI = Struct("<IIBB")


def _ack(body: bytes) -> v1.Ack:
    return v1.Ack._make(_ACK.unpack_from(body))


def _pong(body: bytes) -> v1.Pong:
    return v1.Pong._make(_PONG.unpack_from(body))


def _outcome(body: bytes) -> v1.Outcome:
    conversation, command, result, why, edge = _OUTCOME.unpack_from(body)
    return v1.Outcome(conversation, command, result, why, _m32(edge))


def _levels(body: bytes) -> v1.Levels:
    up, pa, pb, aa, ab, na, nb, c0, c1, c2, c3, s0, s1, s2, s3, lamps = _LEVELS.unpack_from(body)
    return v1.Levels(
        up,
        (_M8[pa], _M8[pb]),
        (_m16(aa), _m16(ab)),
        (_m16(na), _m16(nb)),
        (_M8[c0], _M8[c1], _M8[c2], _M8[c3]),
        (_M8[s0], _M8[s1], _M8[s2], _M8[s3]),
        lamps,
    )


def _presence(body: bytes) -> v1.Presence:
    upto, side, odd, bits = _PRESENCE.unpack_from(body)
    return v1.Presence(upto, side, _M8[odd], bits)


def _number(body: bytes) -> v1.NumberEdge:
    return v1.NumberEdge._make(_NUMBER.unpack_from(body))


def _phase(body: bytes) -> v1.PhaseEdge:
    number, at, which, frm, to = _PHASE.unpack_from(body)
    return v1.PhaseEdge(number, at, which, _M8[frm], _M8[to])


def _raised(body: bytes) -> v1.RaisedEdge:
    number, at, which, game, a, b, c, d = _RAISED.unpack_from(body)
    return v1.RaisedEdge(number, at, which, _m16(game), (_M8[a], _M8[b], _M8[c], _M8[d]))


def _dice(body: bytes) -> v1.DiceEdge:
    number, at, n, a, b, c, d = _DICE.unpack_from(body)
    return v1.DiceEdge(number, at, n, (_M8[a], _M8[b], _M8[c], _M8[d]))


def _button(body: bytes) -> v1.ButtonEdge:
    number, at, button, seat, press = _BUTTON.unpack_from(body)
    return v1.ButtonEdge(number, at, button, _M8[seat], press)


def _taken(body: bytes) -> v1.TakenEdge:
    return v1.TakenEdge._make(_TAKEN.unpack_from(body))


def _shown(body: bytes) -> v1.ShownEdge:
    number, at, place, tile, mark = _FACE.unpack_from(body)
    return v1.ShownEdge(number, at, place, _M8[tile], _M8[mark])


def _sealed(body: bytes) -> v1.SealedEdge:
    number, at, place, tile, mark = _FACE.unpack_from(body)
    return v1.SealedEdge(number, at, place, _M8[tile], _M8[mark])


def _trouble(body: bytes) -> v1.TroubleEdge:
    number, at, code, which, side, on, expected, found = _TROUBLE.unpack_from(body)
    return v1.TroubleEdge(number, at, code, _M8[which], _M8[side], on, _M8[expected], _M8[found])


def _riichi(body: bytes) -> v1.RiichiEdge:
    return v1.RiichiEdge._make(_RIICHI.unpack_from(body))


READERS: Final = {
    0x11: Reader(_ACK.size, _ack),
    0x80: Reader(_PONG.size, _pong),
    0x83: Reader(_OUTCOME.size, _outcome),
    0x84: Reader(_LEVELS.size, _levels),
    0x86: Reader(_PRESENCE.size, _presence),
    0xA0: Reader(_NUMBER.size, _number),
    0xA1: Reader(_PHASE.size, _phase),
    0xA2: Reader(_RAISED.size, _raised),
    0xA3: Reader(_DICE.size, _dice),
    0xA4: Reader(_BUTTON.size, _button),
    0xA5: Reader(_TAKEN.size, _taken),
    0xA6: Reader(_FACE.size, _shown),
    0xA7: Reader(_FACE.size, _sealed),
    0xA8: Reader(_TROUBLE.size, _trouble),
    0xA9: Reader(_RIICHI.size, _riichi),
}
