"""Table models: what a simulated machine can do, its numbers and how long it takes.

Sources: `tables.md`, sections 1 to 3. No maker publishes numbers, so none here is verified: they
are made up where the pages say nothing, and the layouts of the "gears" are derived.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from protocols.codes import AUTO_DEAL, TURNS_INDICATOR

Sides = tuple[int, int, int, int]


@dataclass(frozen=True)
class GameNumber:
    """A game number: tiles in all, tiles on each side when the walls are up, `dealt` to each seat
    by the machine. `players`: bit n for n players."""

    number: int
    tiles: int
    sides: Sides
    players: int
    name: str
    dealt: int = 0
    flags: int = 0


@dataclass(frozen=True)
class Model:
    """A machine. `outlets`: sides fill in `parallel` or in `turn`; times in ms; `overdue`: after so
    long without an end stacking counts as failed; `odd_end`: where a half column stands."""

    name: str
    about: str
    abilities: tuple[str, ...]
    numbers: tuple[GameNumber, ...]
    outlets: Literal["parallel", "turn"] = "parallel"
    drop: int = 3000
    mix: int = 4000
    stack: int = 24_000
    rise: int = 3500
    spin: int = 2500
    overdue: int = 80_000
    dice: int = 2
    ring: int = 64
    press: int = 200
    guard: int = 0
    odd_end: Literal["left", "right"] = "left"
    first: int = 0
    """Which of the numbers it wakes up with, by place in the list."""

    def number(self, number: int) -> GameNumber | None:
        """The game number, None if the machine has no such."""
        return next((one for one in self.numbers if one.number == number), None)


def even(tiles: int, walls: int = 4) -> Sides:
    """Tiles over the walls, whole columns first to the sides that come first, an opposite pair
    before its neighbours; an odd tile stands on the last of them."""
    columns, odd = divmod(tiles, 2)
    each, rest = divmod(columns, walls)
    order = (0, 2, 1, 3)[:walls] if walls == 4 else (0, 1, 2)
    sides = [0, 0, 0, 0]
    for place, side in enumerate(order):
        sides[side] = 2 * (each + (place < rest))
    sides[order[-1]] += odd
    return sides[0], sides[1], sides[2], sides[3]


_THREE, _FOUR = 1 << 3, 1 << 4

STOCK_NUMBERS: Final = (
    GameNumber(1, 136, (34, 34, 34, 34), _FOUR, "四人 136"),
    GameNumber(2, 144, (36, 36, 36, 36), _FOUR, "四人 144 花"),
    GameNumber(3, 108, (36, 36, 36, 0), _THREE, "三人 108 三山"),
    GameNumber(4, 112, (38, 38, 36, 0), _THREE, "三人 華4 三山"),
    GameNumber(5, 116, (30, 28, 30, 28), _THREE | _FOUR, "華8"),
    GameNumber(6, 128, (32, 32, 32, 32), _FOUR, "128"),
    GameNumber(7, 120, (30, 30, 30, 30), _FOUR, "120"),
    GameNumber(8, 108, (28, 26, 28, 26), _THREE | _FOUR, "108 四山"),
    GameNumber(9, 112, (28, 28, 28, 28), _THREE | _FOUR, "華4 四山"),
)

_GEARS: Final = (
    18, 160, 152, 148, 144, 142, 140, 138, 136, 132, 128, 126, 124, 120, 116, 112, 110, 108, 108,
    104, 102, 102, 100, 96, 96, 92, 88, 84, 84, 84, 80, 72, 72, 54, 40, 36, 36, 32, 20,
)  # fmt: skip


def _gears() -> tuple[GameNumber, ...]:
    """The 39 gears of one remote-controlled family; a twin is laid out on three walls [derived]."""
    found: list[GameNumber] = []
    for gear, tiles in enumerate(_GEARS, start=1):
        twins = sum(1 for one in found if one.tiles == tiles)
        sides = even(tiles, 3 if twins == 1 else 4)
        players = _THREE if twins == 1 else _FOUR
        found.append(GameNumber(gear, tiles, sides, players, f"{tiles}"))
    return tuple(found)


_DEALT: Final = GameNumber(
    1, 136, (20, 20, 22, 22), _FOUR, "四人 配牌", 13, AUTO_DEAL | TURNS_INDICATOR
)
_PANEL: Final = ("select_number", "read_number", "press_buttons", "see_buttons", "phases")
_COUNTED: Final = (*_PANEL, "progress", "counts_at_raise", "dice")

_STOCK: Final = Model(
    "stock",
    "a parlour table as it is sold: it counts while it stacks and does not watch hands",
    _COUNTED,
    STOCK_NUMBERS,
)
_PRESENCE: Final = replace(
    _STOCK,
    name="presence",
    about="a sensor under every place of the walls",
    abilities=(*_COUNTED, "counts_live", "presence_live"),
    ring=256,
)

MODELS: Final = {
    model.name: model
    for model in (
        _STOCK,
        replace(
            _STOCK,
            name="stock+counts",
            about="a parlour table with an add-on that counts the walls while hands take tiles",
            abilities=(*_COUNTED, "counts_live"),
        ),
        _PRESENCE,
        replace(
            _PRESENCE,
            name="reader",
            about="tile readers before the stacker and under the table",
            abilities=(*_PRESENCE.abilities, "faces_when_shown", "faces_when_stacked"),
            ring=512,
        ),
        Model(
            "gears",
            "a remote-controlled table with one outlet and 39 gears, which cannot be read back",
            ("select_number", "press_buttons", "phases", "counts_at_raise", "dice"),
            _gears(),
            outlets="turn",
            stack=75_000,
            ring=32,
            first=8,
        ),
        Model(
            "autodeal",
            "a table that deals thirteen tiles to each of four seats and turns the indicator",
            (
                "select_number", "read_number", "press_buttons", "see_buttons", "phases",
                "progress", "counts_at_raise", "points", "riichi_tray", "auto_deal",
                "turns_indicator",
            ),
            (_DEALT, GameNumber(2, 136, (34, 34, 34, 34), _FOUR, "四人 136")),
            dice=0,
        ),
        Model(
            "deaf",
            "an old table of which only the buttons are wired",
            ("see_buttons",),
            STOCK_NUMBERS,
            outlets="turn",
            stack=95_000,
            overdue=150_000,
            ring=32,
        ),
    )
}  # fmt: skip
