"""The code numbers of the wire: every word that a byte stands for.

A number is given once and never again another meaning; a receiver takes a number it does not know
as "unknown", never as an error. Only what a *sender* is told to do (GET, MOVE, LAMP) is refused.
Source: PROTOCOL.md, section 4.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Reason(IntEnum):
    """HUH: what was wrong with a message."""

    TYPE = 1
    VERSION = 2
    LENGTH = 3
    FIELD = 4
    BUSY = 5


class What(IntEnum):
    """GET: what is asked for."""

    ABILITIES = 0
    NUMBERS = 1
    SNAPSHOT = 2
    PRESENCE = 3
    COUNTERS = 4


class Motion(IntEnum):
    """MOVE: what the machine is to do."""

    START = 0
    RAISE = 1
    LOWER = 2
    THROW = 3
    PAUSE = 4
    RESUME = 5


class LampMode(IntEnum):
    """LAMP: how a lamp is to burn."""

    OFF = 0
    ON = 1
    SLOW = 2
    FAST = 3


class Lamp(IntEnum):
    """Lamps with a meaning; 8 to 15 are the maker's. Bits of LEVELS.lamps have these numbers."""

    COMPLETE = 0
    FAULT = 1
    CALL = 2
    ATTENTION = 3
    SIDE_0 = 4
    SIDE_1 = 5
    SIDE_2 = 6
    SIDE_3 = 7


class Result(IntEnum):
    """OUTCOME: what became of a command."""

    ACCEPTED = 0
    DONE = 1
    REFUSED = 2
    UNKNOWN = 3


class Why(IntEnum):
    """OUTCOME: why."""

    NONE = 0
    PHASE = 1
    UNABLE = 2
    NUMBER = 3
    TROUBLE = 4
    BUSY = 5
    GUARD = 6
    VALUE = 7
    NO_SIGN = 8
    FORGOTTEN = 9


class Phase(IntEnum):
    """What the machine does with a tile set."""

    DROPPING = 0
    MIXING = 1
    STACKING = 2
    READY = 3
    RAISING = 4
    UP = 5
    PAUSED = 6
    BLOCKED = 7


class TileSet(IntEnum):
    """The machine's two tile sets."""

    BOTH = 0
    A = 1
    B = 2


class Trouble(IntEnum):
    """E_TROUBLE: what is wrong. Bits of SNAPSHOT.troubles have these numbers."""

    OTHER = 0
    JAM = 1
    SHORT = 2
    MISSING = 3
    TOO_MANY = 4
    HATCH = 5
    DICE_UNREAD = 6
    OVERDUE = 7


class Button(IntEnum):
    """E_BUTTON: which one; 16 to 254 are the maker's."""

    START = 0
    RAISE = 1
    DICE = 2
    REPEAT = 3
    DEALER = 4
    NUMBER_UP = 5
    NUMBER_DOWN = 6
    CALL = 7


class Press(IntEnum):
    """E_BUTTON: how long."""

    SHORT = 0
    LONG = 1


class Mark(IntEnum):
    """The mark on a tile."""

    PLAIN = 0
    RED = 1
    GOLD = 2
    GALAXY = 3
    DIAMOND = 4


class OddEnd(IntEnum):
    """Which end of a wall has half a column (its upper place is empty)."""

    NONE = 0
    RIGHT = 1
    LEFT = 2


class Ability(IntEnum):
    """What a board can do; the bit numbers of ABILITIES.bits."""

    SELECT_NUMBER = 0
    READ_NUMBER = 1
    PRESS_BUTTONS = 2
    SEE_BUTTONS = 3
    PHASES = 4
    PROGRESS = 5
    COUNTS_AT_RAISE = 6
    COUNTS_LIVE = 7
    PRESENCE_LIVE = 8
    FACES_WHEN_SHOWN = 9
    FACES_WHEN_STACKED = 10
    DICE = 11
    POINTS = 12
    RIICHI_TRAY = 13
    AUTO_DEAL = 14
    TURNS_INDICATOR = 15


AUTO_DEAL: Final = 1
TURNS_INDICATOR: Final = 2
VERIFIED: Final = 4
"""Bits of NUMBER.flags."""

ANY_PHASE: Final = 0xFF
"""A mask of phases that holds for every phase and for an unknown one."""

SUITS: Final = ((9, "m"), (9, "p"), (9, "s"), (7, "z"), (8, "f"))
TILES: Final = tuple(f"{rank}{suit}" for most, suit in SUITS for rank in range(1, most + 1))
"""Tile codes by kind: 0-33 `1m` … `7z`, 34-41 `1f` … `8f`."""
MARKS: Final = ("", "r", "g", "x", "d")
"""Mark letters by number; they follow a tile's code."""
ROWS: Final = ("upper", "lower", "on")
"""Rows by number; `on` is a tile laid on top of a column."""


def abilities(bits: int) -> tuple[str, ...]:
    """Names of the abilities whose bits are set; bits without a name are left out."""
    return tuple(ability.name.lower() for ability in Ability if bits >> ability & 1)


def ability_bits(names: tuple[str, ...] | list[str]) -> int:
    """The bits of abilities named. Raises KeyError for a name that is none."""
    return sum(1 << Ability[name.upper()] for name in set(names))


def place_code(side: int, column: int, row: str) -> int:
    """A place as its u16: side<<14 | column<<2 | row, columns from 1."""
    return side << 14 | column << 2 | ROWS.index(row)


def place_of(code: int) -> tuple[int, int, str] | None:
    """Side 0-3, column from 1 and row of a place; None where the number names none."""
    column, row = code >> 2 & 0xFFF, code & 3
    if not column or row >= len(ROWS):
        return None
    return code >> 14, column, ROWS[row]


def tile_code(kind: int | None, mark: int | None) -> str:
    """The code of a face (`5pr`), `?` where it is unknown or a number no tile has."""
    if kind is None or kind >= len(TILES):
        return "?"
    return TILES[kind] + (MARKS[mark] if mark is not None and mark < len(MARKS) else "")


def face_of(code: str) -> tuple[int | None, int | None]:
    """Kind and mark of a tile's code; (None, None) for `?`. Raises ValueError for no tile."""
    if code == "?":
        return None, None
    return TILES.index(code[:2]), MARKS.index(code[2:])
