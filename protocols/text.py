"""Messages in words, for people who read a line: one line each, never a face that lies down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from string import Formatter
from typing import Any, Final

from protocols import codes, v1
from protocols.catalog import Message, row_for


def text(message: Message) -> str:
    """The message in one line, its wire name first. A sealed edge is told without its face."""
    row = row_for(message)
    return f"{row.name}: {_WORDS.vformat(row.text, (), _values(message))}"


def _values(message: Message) -> Mapping[str, Any]:
    values = message._asdict()
    if isinstance(message, v1.ShownEdge):
        values["face"] = codes.tile_code(message.tile, message.mark)
    return values


def _word(words: type[IntEnum]) -> Callable[[int | None], str]:
    """The word of a code number, "unknown" for none, the number itself where it has no word."""

    def say(value: int | None) -> str:
        if value is None:
            return "unknown"
        try:
            return words(value).name.lower().replace("_", " ")
        except ValueError:
            return f"number {value}"

    return say


def _known(value: int | None) -> str:
    return "?" if value is None else str(value)


def _each(values: Sequence[int | None]) -> str:
    return " ".join(map(_known, values))


def _set(value: int | None) -> str:
    return {None: "set ?", 0: "both sets", 1: "set a", 2: "set b"}.get(value, f"set {value}")


def _mask(mask: int) -> str:
    if mask == codes.ANY_PHASE:
        return "any phase"
    return ", ".join(phase.name.lower() for phase in codes.Phase if mask >> phase & 1) or "none"


def _place(code: int) -> str:
    place = codes.place_of(code)
    return f"place {code:04X} (none)" if place is None else "side {} column {} {}".format(*place)


def _places(bits: bytes) -> str:
    there = [n for n in range(48) if bits[n // 8] >> n % 8 & 1]
    return " ".join(f"{n // 2 + 1}{'ul'[n % 2]}" for n in there) or "no tile"


def _levels(levels: v1.Levels) -> str:
    return text(levels).partition(": ")[2]


_SAY: Final[dict[str, Callable[[Any], str]]] = {
    "abilities": lambda bits: ", ".join(codes.abilities(bits)) or "no ability",
    "back": lambda back: "came back" if back else "was taken",
    "button": _word(codes.Button),
    "each": _each,
    "hex": lambda data: data.hex(" ") or "nothing",
    "known": _known,
    "laid": lambda laid: "in" if laid else "out",
    "lamp": _word(codes.Lamp),
    "levels": _levels,
    "masks": lambda masks: f"a: {_mask(masks[0])}; b: {_mask(masks[1])}",
    "mode": _word(codes.LampMode),
    "motion": _word(codes.Motion),
    "odd": _word(codes.OddEnd),
    "on": lambda on: "begins" if on else "is over",
    "phase": _word(codes.Phase),
    "pips": lambda pips: " ".join("?" if pip is None else str(pip) for pip in pips),
    "place": _place,
    "places": _places,
    "press": _word(codes.Press),
    "reason": _word(codes.Reason),
    "result": _word(codes.Result),
    "s": lambda ms: f"{ms / 1000:.3f} s",
    "set": _set,
    "state": lambda state: "active" if state else "pending",
    "trouble": _word(codes.Trouble),
    "up": lambda which: "none" if which == 0 else _set(which),
    "what": _word(codes.What),
    "why": _word(codes.Why),
}


class _Words(Formatter):
    """`{field:word}` says a field by the table above; `{field.0}` is its first item."""

    def format_field(self, value: Any, format_spec: str) -> str:
        say = _SAY.get(format_spec)
        if say is None and isinstance(value, str):
            # A name may hold anything; a line stays one line.
            return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in value)
        return say(value) if say else super().format_field(value, format_spec)

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        name, _, index = field_name.partition(".")
        value = kwargs[name]
        return (value[int(index)] if index else value), name


_WORDS: Final = _Words()
