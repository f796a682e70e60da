"""Fields of messages: how each kind lies on the wire, said once as construct and in words.

A message is a named tuple whose fields are annotated with the kinds of this page; `layout` makes
the construct of its body out of them. "Maybe" kinds have an unknown value, all ones (8000 for
i16), which is None in the program.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple, get_type_hints

from construct import (
    Array,
    Bytes,
    Const,
    Construct,
    ExprAdapter,
    GreedyBytes,
    Int8ul,
    Int16sl,
    Int16ul,
    Int32ul,
    Prefixed,
    Struct,
    ValidationError,
)

Con = Any
"""A construct; the library has no types of its own."""


class Kind(NamedTuple):
    """A kind of field: its construct, its name on the page, its least and its greatest value."""

    construct: Con
    name: str
    least: Any
    greatest: Any


def kinds(message: type[Any]) -> dict[str, Kind]:
    """The fields of a message's body and the kind of each, in the order of the wire."""
    hints = get_type_hints(message, include_extras=True).items()
    return {name: hint.__metadata__[0] for name, hint in hints if hasattr(hint, "__metadata__")}


def layout(message: type[Any]) -> Construct[Any, Any]:
    """The construct of a message's body. What comes after the last field is not read."""
    return Struct(*(name / kind.construct for name, kind in kinds(message).items()))


def nested(message: type[Any]) -> Kind:
    """A message within a message."""
    fields = kinds(message)
    return Kind(
        ExprAdapter(
            layout(message),
            lambda found, _: message(*(found[name] for name in fields)),
            lambda given, _: given._asdict(),
        ),
        f"{message.__name__} {layout(message).sizeof()}",
        message(*(kind.least for kind in fields.values())),
        message(*(kind.greatest for kind in fields.values())),
    )


def _whole(con: Con, name: str, most: int) -> Kind:
    return Kind(con, name, 0, most)


def _maybe(con: Con, name: str, unknown: int, least: int = 0) -> Kind:
    adapter = ExprAdapter(
        con,
        lambda found, _: None if found == unknown else found,
        lambda given, _: unknown if given is None else given,
    )
    return Kind(adapter, name, least, None)


def _many(kind: Kind, n: int) -> Kind:
    adapter = ExprAdapter(
        Array(n, kind.construct), lambda found, _: tuple(found), lambda given, _: list(given)
    )
    return Kind(adapter, f"{kind.name} [{n}]", (kind.least,) * n, (kind.greatest,) * n)


def _text(most: int) -> Kind:
    # What is no UTF-8 is read as U+FFFD: a bad letter in a name must not cost the message.
    adapter = ExprAdapter(
        Prefixed(Int8ul, GreedyBytes),
        lambda found, _: found.decode("utf-8", "replace"),
        lambda given, _: _short(given.encode("utf-8"), most),
    )
    return Kind(adapter, f"text ≤ {most}", "", "東" * (most // 3) + "E" * (most % 3))


def _short(data: bytes, most: int) -> bytes:
    """A sender keeps to the limit; a receiver takes more."""
    if len(data) > most:
        raise ValidationError(f"{len(data)} bytes, {most} is the most")
    return data


_OPAQUE: Final = ExprAdapter(GreedyBytes, lambda found, _: found, lambda given, _: _short(given, 8))
_U8: Final = _whole(Int8ul, "u8", 0xFF)
_U16: Final = _whole(Int16ul, "u16", 0xFFFF)
_U32: Final = _whole(Int32ul, "u32", 0xFFFFFFFF)
_U8_OR: Final = _maybe(Int8ul, "u8?", 0xFF)
_U16_OR: Final = _maybe(Int16ul, "u16?", 0xFFFF)
_U32_OR: Final = _maybe(Int32ul, "u32?", 0xFFFFFFFF)
_I16_OR: Final = _maybe(Int16sl, "i16?", -0x8000, -0x7FFF)

Maybe = int | None
U8 = Annotated[int, _U8]
U16 = Annotated[int, _U16]
U32 = Annotated[int, _U32]
MaybeU8 = Annotated[int | None, _U8_OR]
MaybeU16 = Annotated[int | None, _U16_OR]
MaybeU32 = Annotated[int | None, _U32_OR]
MaybeI16 = Annotated[int | None, _I16_OR]
U8x2 = Annotated[tuple[int, int], _many(_U8, 2)]
MaybeU8x2 = Annotated[tuple[Maybe, Maybe], _many(_U8_OR, 2)]
MaybeU8x4 = Annotated[tuple[Maybe, Maybe, Maybe, Maybe], _many(_U8_OR, 4)]
MaybeU16x2 = Annotated[tuple[Maybe, Maybe], _many(_U16_OR, 2)]
Magic = Annotated[bytes, Kind(Const(b"TCT1"), '"TCT1"', b"TCT1", b"TCT1")]
Uid = Annotated[bytes, Kind(Bytes(8), "bytes [8]", bytes(8), b"\xff" * 8)]
Bits48 = Annotated[bytes, Kind(Bytes(6), "bits [6]", bytes(6), b"\xff" * 6)]
Text12 = Annotated[str, _text(12)]
Text16 = Annotated[str, _text(16)]
Text24 = Annotated[str, _text(24)]
Opaque = Annotated[bytes, Kind(_OPAQUE, "bytes ≤ 8", b"", b"\xff" * 8)]
