"""Faults with names, that a script, a test or a person can pull; seeded where chance is in them.

A fault begins at once or `at` a time and ends by itself after `lasts` (both in ms). Those of the
line befall frames on their way, with a `chance` for each frame.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from protocols.codes import Trouble
from tablesim.table import Table
from tablesim.tileset import SimError

LINE: Final = {
    "drop": "frames vanish",
    "flip": "one bit of a frame is wrong",
    "double": "frames come twice, the second time up to 4 s later",
    "truncate": "the end of a frame is missing",
    "delay": "frames come up to 4 s late",
}
"""What can befall a frame on the line."""


@dataclass(frozen=True)
class Fault:
    """One fault. `side` 0-3 or `amount` where the name asks for them."""

    name: str
    at: int = 0
    lasts: int | None = None
    side: int = 0
    amount: int = 1
    chance: float = 0.1


class BadLine:
    """One direction of a bad line: bytes go in frame by frame and come out later, altered or not
    at all. `chances`: by name of LINE."""

    def __init__(self, seed: int = 0) -> None:
        self.chances: dict[str, float] = {}
        self.rng = random.Random(seed)
        self._on_the_way: list[tuple[int, int, bytes]] = []
        self._sent = 0

    def send(self, data: bytes, now: int) -> None:
        """Whole frames enter the line."""
        for frame in frames(data):
            for at, piece in self._what_becomes(frame, now):
                self._sent += 1
                self._on_the_way.append((at, self._sent, piece))

    def due(self) -> int | None:
        """When the next bytes come out."""
        return min((at for at, _, _ in self._on_the_way), default=None)

    def arrived(self, now: int) -> bytes:
        """The bytes that come out by now, in the order of their time."""
        out = sorted(piece for piece in self._on_the_way if piece[0] <= now)
        self._on_the_way = [piece for piece in self._on_the_way if piece[0] > now]
        return b"".join(piece for _, _, piece in out)

    def cut(self) -> None:
        """Everything on the way is lost."""
        self._on_the_way.clear()

    def _what_becomes(self, frame: bytes, now: int) -> list[tuple[int, bytes]]:
        rng = self.rng
        at = rng.randrange(len(frame))
        draw = rng.random()
        for name, chance in self.chances.items():
            draw -= chance
            if draw < 0:
                return self._befalls(name, frame, now, at)
        return [(now, frame[:at]), (now, frame[at:])]

    def _befalls(self, name: str, frame: bytes, now: int, at: int) -> list[tuple[int, bytes]]:
        later = now + self.rng.randrange(4000)
        match name:
            case "drop":
                return []
            case "flip":
                flipped = bytes([frame[at] ^ 1 << self.rng.randrange(8)])
                return [(now, frame[:at] + flipped + frame[at + 1 :])]
            case "double":
                return [(now, frame), (later, frame)]
            case "truncate":
                return [(now, frame[:at])]
            case _:
                return [(later, frame)]


def frames(data: bytes) -> list[bytes]:
    """Bytes cut between frames, each with its two zeros; what is no frame stays as it is."""
    found, at = [], 0
    while at < len(data):
        end = data.find(b"\0", at + 1) + 1 or len(data)
        found.append(data[at:end])
        at = end
    return found


Deed = Callable[[Table, Fault], None]


def _jam(table: Table, fault: Fault) -> None:
    table.machine.jam()


def _free(table: Table, fault: Fault) -> None:
    table.machine.jammed = False


def _hatch(table: Table, fault: Fault) -> None:
    table.machine.hatch_stuck = True


def _loose(table: Table, fault: Fault) -> None:
    table.machine.hatch_stuck = False


def _missing(table: Table, fault: Fault) -> None:
    inside = max(table.machine.sets, key=lambda one: len(one.inside))
    inside.lose(fault.amount, table.machine.rng)


def _slow(table: Table, fault: Fault) -> None:
    table.machine.slow = float(fault.amount)


def _quick(table: Table, fault: Fault) -> None:
    table.machine.slow = 1.0


def _dirty(table: Table, fault: Fault) -> None:
    table.dirty[fault.side] = -fault.amount


def _clean(table: Table, fault: Fault) -> None:
    table.dirty[fault.side] = 0


def _blind(table: Table, fault: Fault) -> None:
    table.blind_dice = True


def _sees(table: Table, fault: Fault) -> None:
    table.blind_dice = False


def _silent(table: Table, fault: Fault) -> None:
    table.silent = True


def _speaks(table: Table, fault: Fault) -> None:
    table.silent = False


def _reset(table: Table, fault: Fault) -> None:
    table.reset()


def _other(table: Table, fault: Fault) -> None:
    table.machine.trouble(Trouble.OTHER)


def _nothing(table: Table, fault: Fault) -> None:
    """It ends by itself, or people end it."""


TABLE: Final[dict[str, tuple[str, Deed, Deed]]] = {
    "jam": ("the outlets jam until somebody mends them", _jam, _free),
    "hatch_stuck": ("the hatch does not move until somebody mends it", _hatch, _loose),
    "missing_tile": ("`amount` tiles fall off where nobody sees them", _missing, _nothing),
    "slow": ("mixing and stacking take `amount` times as long", _slow, _quick),
    "dirty_sensor": ("the counter of `side` misses `amount` tiles", _dirty, _clean),
    "dice_unread": ("the dice are thrown, but cannot be read", _blind, _sees),
    "trouble": ("the machine shows a fault without a name", _other, _nothing),
    "reset": ("the board is reset", _reset, _nothing),
    "silent": ("the board neither hears nor says anything", _silent, _speaks),
}
"""Faults of the machine and the board."""

PORT: Final = {
    "unplug": "the line is pulled",
    "flood": "the board sends `amount` kilobytes of levels each 100 ms",
    "rubbish": "`amount` kilobytes of noise come each 100 ms",
}
"""Faults that the port makes (`tablesim.serve`)."""

NAMES: Final = {name: what for name, (what, _, _) in TABLE.items()} | LINE | PORT


def begin(table: Table, fault: Fault) -> None:
    """A fault of TABLE begins."""
    TABLE[fault.name][1](table, fault)


def end(table: Table, fault: Fault) -> None:
    """A fault of TABLE is over."""
    TABLE[fault.name][2](table, fault)


def fault_of(values: dict[str, Any], where: str = "") -> Fault:
    """A fault from plain values. Raises SimError `sim.fault`."""
    known = {field.name for field in fields(Fault)}
    name = values.get("name")
    if not isinstance(name, str) or name not in NAMES:
        what = f"there is no fault '{name}'"
        raise SimError("sim.fault", what, f"The faults are {', '.join(NAMES)}.", where)
    strange = sorted(set(values) - known)
    if strange:
        what = f"the fault {name} has no {', '.join(strange)}"
        raise SimError("sim.fault", what, f"A fault has {', '.join(sorted(known))}.", where)
    for key, value in values.items():
        if key != "name" and not _fits(key, value):
            what = f"the fault {name} cannot have {key} = {value!r}"
            hint = "at and lasts are whole ms, side is 0 to 3, amount 1 to 100, chance 0 to 1."
            raise SimError("sim.fault", what, hint, where)
    return Fault(**values)


def _fits(key: str, value: Any) -> bool:
    if key == "chance":
        return isinstance(value, int | float) and 0 <= value <= 1
    least, most = {"side": (0, 3), "amount": (1, 100)}.get(key, (0, 2**40))
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def read_faults(path: Path) -> list[Fault]:
    """The faults of a TOML file, `[[fault]]` each. Raises SimError `sim.fault`."""
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SimError("sim.fault", f"cannot be read: {error}", "It is a TOML file with one"
                       " [[fault]] for each fault.", str(path)) from None  # fmt: skip
    listed = found.get("fault")
    tables = isinstance(listed, list) and all(isinstance(one, dict) for one in listed)
    if not isinstance(listed, list) or not tables or set(found) != {"fault"}:
        raise SimError("sim.fault", "no [[fault]] in it, or something else beside", "Write one"
                       " [[fault]] with name, at, lasts … for each fault.", str(path))  # fmt: skip
    return [fault_of(one, f"{path}, fault {n}") for n, one in enumerate(listed, start=1)]
