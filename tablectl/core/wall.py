"""Walls: sides, places, the break, and the one line in which all of them are drawn.

    seen from above, counter-clockwise sides 0-3, columns numbered from their owner's right

                   1 2 3 … side 2
                 ┌────────────────┐
          side 3 │                │ 3
               3 │                │ 2 side 1
               2 │                │ 1
               1 └────────────────┘
                   side 0 … 3 2 1

Drawing goes clockwise: from the break to larger columns of the opened side, then from column 1 of
side t−1, t−2, … and at the end the columns that were left standing on the opened side. Places
that are there are numbered p = 0, 1, … in that order, the upper tile of a column before the lower
one; so p = 2c and 2c+1 while all columns are whole (`rules.md`, section 0). A half column has its
lower tile only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from tablectl.core.preset import Breaking
from tablectl.errors import NO, TablectlError, declare

SIDES: Final = 4
ROWS: Final[tuple[Literal["upper", "lower"], ...]] = ("upper", "lower")

declare(
    "wall.side",
    "'{text}' is not the length of a side",
    "Write whole columns ('15'), 0 for no wall, or '10.5<' and '10.5>' for a half column at its"
    " owner's right and left end.",
)
declare(
    "plan.sides",
    "{found} sides are given: {sides}",
    "A table has four sides; write 0 for one without a wall: 15,14,15,14 or 20,19,19,0.",
    status=NO,
)
declare(
    "plan.sum_impossible",
    "the dice say {sum} columns, but all walls together have {columns}",
    "Check the dice and the sides of the wall.",
    status=NO,
)
declare(
    "plan.dice",
    "dice {dice} cannot be: {why}",
    "Give {dice_wanted} with 1 to 6 pips each, as they were thrown.",
    status=NO,
)
declare(
    "plan.seats",
    "seats {seats} cannot be: {why}",
    "Give the side 0-3 of each of the {players} players, in turn order from the first dealer.",
    status=NO,
)
declare(
    "plan.dealer",
    "seat {dealer} cannot deal: the seats are 0 to {last}",
    "Name the dealer by seat, counted from the game's first dealer.",
    status=NO,
)
declare(
    "plan.no_wall",
    "side {side} has no wall, {why}",
    "Give the sides as they stand (--sides), the seats (--seats), or the break as it was made"
    " (--break SIDE,AFTER).",
    status=NO,
)
declare(
    "plan.no_side",
    "there is no side {side}",
    "Sides are 0 to 3, counter-clockwise.",
    status=NO,
)
declare(
    "plan.negative",
    "{name} is {value}, which cannot be counted",
    "Give a number from 0.",
    status=NO,
)


class Place(msgspec.Struct, frozen=True, order=True):
    """A place of the machine: side 0-3, column from 1, row `upper`, `lower` or `on` (on top)."""

    side: Annotated[int, msgspec.Meta(ge=0, lt=SIDES)]
    column: Annotated[int, msgspec.Meta(ge=1)]
    row: Literal["upper", "lower", "on"]


class Position(msgspec.Struct, frozen=True):
    """A place in the wall and its number `p` in drawing order."""

    p: int
    side: int
    column: int
    row: Literal["upper", "lower"]

    @property
    def place(self) -> Place:
        return Place(self.side, self.column, self.row)


class Side(NamedTuple):
    """One side's wall: its columns, a half one counted as a column, and where that one stands
    (at its owner's `right`: column 1; at the `left`: the last column)."""

    columns: int
    half: Literal["right", "left"] | None = None

    @property
    def tiles(self) -> int:
        return 2 * self.columns - (self.half is not None)

    @property
    def text(self) -> str:
        if self.half is None:
            return str(self.columns)
        return f"{self.columns - 1}.5{'<' if self.half == 'right' else '>'}"

    @property
    def shown(self) -> int | str:
        """As JSON has it: a number of whole columns, or the text of a wall that ends in half."""
        return self.columns if self.half is None else self.text


def parse_side(text: str) -> Side:
    """`15`, `0`, `10.5<`, `10.5>`. Raises `wall.side`."""
    number, _, fraction = text.strip().partition(".")
    half = {"": None, "5<": "right", "5>": "left"}.get(fraction, "bad")
    if not number.isascii() or not number.isdigit() or len(number) > 3 or half == "bad":
        raise TablectlError("wall.side", text=text)
    return Side(int(number) + (half is not None), half)  # type: ignore[arg-type]


def parse_sides(text: str) -> tuple[Side, ...]:
    """The four sides of `15,14,15,14`. Raises `wall.side`, `plan.sides`."""
    sides = tuple(parse_side(part) for part in text.split(","))
    if len(sides) != SIDES:
        raise TablectlError("plan.sides", found=len(sides), sides=text)
    return sides


def whole_sides(columns: Sequence[int]) -> tuple[Side, ...]:
    """Sides of whole columns. Raises `plan.sides`."""
    if len(columns) != SIDES:
        raise TablectlError("plan.sides", found=len(columns), sides=",".join(map(str, columns)))
    return tuple(Side(n) for n in columns)


def sides_text(sides: Sequence[Side]) -> str:
    """The sides as people type them: `15,14,15,14`."""
    return ",".join(side.text for side in sides)


class Break(NamedTuple):
    """The wall opened and the columns left standing at its right end."""

    side: int
    after: int


@dataclass(frozen=True, eq=False)
class Wall:
    """All places in drawing order from one break; made by `wall_from`, one object for each."""

    order: tuple[Position, ...]
    starts: tuple[int, ...]
    """p of the first tile of each column; one entry more, the number of tiles."""

    @property
    def tiles(self) -> int:
        return len(self.order)

    @property
    def columns(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def number(self) -> dict[Place, int]:
        """p of each place."""
        return {position.place: position.p for position in self.order}

    @cached_property
    def column_of(self) -> tuple[int, ...]:
        """The column, counted from the break, of each p."""
        return tuple(
            c for c in range(self.columns) for _ in range(self.starts[c], self.starts[c + 1])
        )

    def in_column(self, c: int) -> tuple[Position, ...]:
        """What stands in column c from the break: upper, lower; of a half column the lower."""
        return self.order[self.starts[c] : self.starts[c + 1]]

    @cached_property
    def uppers(self) -> tuple[int, ...]:
        """p of the upper tiles, from the head."""
        return tuple(position.p for position in self.order if position.row == "upper")

    @cached_property
    def tail_upper_first(self) -> tuple[Position, ...]:
        """The order of replacements from the end, in each column the upper tile first."""
        return tuple(
            position for c in reversed(range(self.columns)) for position in self.in_column(c)
        )

    def tail(self, first: str) -> tuple[Position, ...]:
        """The order of replacements, in each column the row `first` first."""
        return self.tail_upper_first if first == "upper" else self.order[::-1]


@lru_cache(maxsize=1024)
def wall_from(sides: tuple[Side, ...], broke: Break) -> Wall:
    """The wall as it is drawn from a break that `settled` has found."""
    ring = _clockwise(sides)
    at = ring.index((broke.side, broke.after + 1))
    order: list[Position] = []
    starts: list[int] = []
    for side, column in ring[at:] + ring[:at]:
        starts.append(len(order))
        for row in ROWS:
            if row == "lower" or not _is_half(sides[side], column):
                order.append(Position(len(order), side, column, row))
    return Wall(tuple(order), (*starts, len(order)))


def settled(sides: tuple[Side, ...], side: int, after: int) -> Break:
    """Where a break really is: `after` columns left standing on `side`, going on round the ring
    when that wall is not longer. Raises `plan.no_side`, `plan.no_wall`,
    `plan.sum_impossible`."""
    if not 0 <= side < SIDES:
        raise TablectlError("plan.no_side", side=side)
    if after < 0:
        raise TablectlError("plan.negative", name="columns left standing", value=after)
    if sides[side].columns == 0:
        raise TablectlError("plan.no_wall", side=side, why="so it cannot be opened")
    total = sum(s.columns for s in sides)
    if after >= total:
        raise TablectlError("plan.sum_impossible", sum=after, columns=total)
    while after >= sides[side].columns:
        after -= sides[side].columns
        side = (side - 1) % SIDES
    return Break(side, after)


def counted(
    sides: tuple[Side, ...],
    seats: Sequence[int],
    dealer: int,
    dice: Sequence[int],
    rule: Breaking,
) -> Break:
    """What the dice say: the side counted to and the columns to leave standing there.

    The dealer is 1, counting goes counter-clockwise. Where four walls stand the empty chair's is
    counted too; where three stand the players are (`rules.md`, section 0). Raises `plan.dice`,
    `plan.no_wall`.
    """
    wanted = f"{rule.dice * rule.throws} dice"
    shown = ",".join(map(str, dice))
    if len(dice) != rule.dice * rule.throws:
        raise TablectlError(
            "plan.dice", dice=shown, why=f"this rule throws {wanted}", dice_wanted=wanted
        )
    if not all(1 <= pips <= 6 for pips in dice):
        raise TablectlError(
            "plan.dice", dice=shown, why="a die has 1 to 6 pips", dice_wanted=wanted
        )
    first = sum(dice[: rule.dice])
    last = first if rule.throws == 1 else sum(dice[rule.dice :])
    after = first + last if rule.throws == 2 and rule.second == "total" else last
    standing = [number for number, side in enumerate(sides) if side.columns]
    start = seats[dealer]
    if rule.count == "seats":
        target = seats[(dealer + first - 1) % len(seats)]
    elif rule.count == "sides" or len(standing) == SIDES:
        missing = [number for number, side in enumerate(sides) if not side.columns]
        if missing:
            raise TablectlError(
                "plan.no_wall", side=missing[0], why="but the rule counts all four sides"
            )
        target = (start + first - 1) % SIDES
    else:
        if start not in standing:
            raise TablectlError("plan.no_wall", side=start, why="but the dealer sits there")
        target = standing[(standing.index(start) + first - 1) % len(standing)]
    if sides[target].columns == 0:
        raise TablectlError("plan.no_wall", side=target, why="but the dice count to it")
    return Break(target, after)


def _clockwise(sides: Sequence[Side]) -> list[tuple[int, int]]:
    """Every column as (side, column) in drawing direction: sides 3, 2, 1, 0, columns rising."""
    return [
        (number, column)
        for number in reversed(range(SIDES))
        for column in range(1, sides[number].columns + 1)
    ]


def _is_half(side: Side, column: int) -> bool:
    return (side.half == "right" and column == 1) or (
        side.half == "left" and column == side.columns
    )
