"""Lays tiles one by one on a table and walks round it: where things are, the slow obvious way.

The program has its own geometry, which counts; this one lays and walks. Neither knows the other,
so that a test can hold them against each other.

               y = EDGE   ┌─ 1 2 3 … side 2 ──┐
                          │                   1
                   side 3 │   players look    2 side 1
                        2 │   to the middle   3
                        1 │                   │
               y = 0      └── side 0 … 3 2 1 ─┘
                        x = 0               x = EDGE

Each wall stands on an edge of a square; its owner lays column 1 at his right hand. The walker goes
clockwise seen from above, one step at a time, along the edges and round the corners, and stops at
every stack that he comes to. A stack is one column: two tiles, or the lower one alone. Nobody takes
anything off the table: what is gone is told as a set of places, `taken`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

EDGE: Final = 100
COUNTS: Final = ("walls", "sides", "seats")
LASTS: Final = ("sequence", "adjacent", "skip", "none")
_CORNERS: Final = {(0, 0), (0, EDGE), (EDGE, 0), (EDGE, EDGE)}


class LayError(ValueError):
    """What was asked of the table cannot be done on it; the sentence says why."""


class Spot(NamedTuple):
    """Where a tile lies: side 0-3 of the machine, column from its owner's right, row."""

    side: int
    column: int
    row: str


class Point(NamedTuple):
    """A place on the table's edge, in steps of one column; 0 to EDGE both ways."""

    x: int
    y: int


class Table:
    """Walls laid on a table. `sides`, four of them: "15", "0" for none, "10.5<" and "10.5>" with
    half a column, its lower tile only, at the owner's right and left end.

    Raises LayError where a text is none of these or a wall is longer than the table.
    """

    def __init__(self, sides: Sequence[str]) -> None:
        if len(sides) != 4:
            raise LayError(f"a table has four sides, not {len(sides)}")
        self.stacks: dict[Point, list[Spot]] = {}
        self._next: dict[Point, Point] = {}
        self._before: dict[Point, Point] = {}
        self.walls = [self._lay(side, text) for side, text in enumerate(sides)]

    @property
    def spots(self) -> list[Spot]:
        """Every place that has a tile."""
        return [spot for stack in self.stacks.values() for spot in stack]

    def open(
        self,
        dealer_side: int,
        total: int,
        count: str,
        seats: Sequence[int],
        after: int | None = None,
    ) -> Opening:
        """Count `total` from the dealer, who is 1, counter-clockwise, and open the wall there.

        `walls`: all four sides where four walls stand, those with walls where three do; `sides`:
        always four; `seats`: the players in turn, whose sides `seats` lists. `total` columns, or
        `after` by a second throw, stay at that wall's right end, as in `open_at`. Raises LayError
        where there is no wall.
        """
        if count not in COUNTS:
            raise LayError(f"{count!r} is no way to count; there are {', '.join(COUNTS)}")
        if total < 1:
            raise LayError(f"the dealer is 1, so nobody is number {total}")
        standing = [side for side in range(4) if self.walls[side]]
        if count == "seats":
            chairs = list(seats)
        elif count == "sides" or len(standing) == 4:
            chairs = [0, 1, 2, 3]
        else:
            chairs = standing
        if dealer_side not in chairs:
            raise LayError(f"the dealer sits at side {dealer_side}, which is not counted")
        pointing = chairs.index(dealer_side)
        for _ in range(total - 1):
            pointing = (pointing + 1) % len(chairs)
        if count == "sides" and len(standing) < 4:
            raise LayError("all four sides are counted, but one has no wall")
        opening = self.open_at(chairs[pointing], total if after is None else after)
        opening.counted = chairs[pointing]
        return opening

    def open_at(self, side: int, after: int) -> Opening:
        """Leave `after` columns standing at the right end of a wall, going on round the corner
        where it is not longer, and open before the next column."""
        if side not in range(4):
            raise LayError(f"the table has sides 0 to 3, no side {side}")
        if after < 0:
            raise LayError(f"{after} columns cannot be left standing")
        if not self.walls[side]:
            raise LayError(f"side {side} has no wall")
        at = self.walls[side][0]
        for _ in range(after):
            at = self.next_stack(at)
        return Opening(self, at)

    def next_stack(self, at: Point) -> Point:
        """The next stack clockwise, step by step along the edges; a way once gone is known."""
        if at not in self._next:
            there = _step(at)
            while there not in self.stacks:
                there = _step(there)
            self._next[at] = there
        return self._next[at]

    def stack_before(self, at: Point) -> Point:
        """The next stack counter-clockwise."""
        if at not in self._before:
            there = _step_back(at)
            while there not in self.stacks:
                there = _step_back(there)
            self._before[at] = there
        return self._before[at]

    def point_of(self, spot: Spot) -> Point:
        """The stack that a place belongs to; LayError where no tile was laid there."""
        for point, stack in self.stacks.items():
            if spot in stack:
                return point
        raise LayError(f"no tile lies at side {spot.side}, column {spot.column}, {spot.row}")

    def _lay(self, side: int, text: str) -> list[Point]:
        """An owner lays his wall from the right hand to the left, each column lower tile first."""
        read = re.fullmatch(r"([0-9]{1,3})(\.5[<>])?", text)
        if read is None:
            raise LayError(f"side {side}: {text!r} is no wall; write 15, 0, 10.5< or 10.5>")
        columns = [2] * int(read[1])
        if read[2] == ".5<":
            columns.insert(0, 1)
        elif read[2] == ".5>":
            columns.append(1)
        at = _right_corner(side)
        points = []
        for column, height in enumerate(columns, start=1):
            at = _step(at)
            if at in _CORNERS:
                raise LayError(f"side {side}: a wall of {text} columns is longer than the table")
            rows = ("lower",) if height == 1 else ("upper", "lower")
            self.stacks[at] = [Spot(side, column, row) for row in rows]
            points.append(at)
        return points


class Opening:
    """A wall opened before the stack `first`: the order in which everything is taken. `counted`:
    the side to which the dice counted, None where the wall was opened without."""

    def __init__(self, table: Table, first: Point) -> None:
        self.table = table
        self.first = first
        self.counted: int | None = None

    @property
    def side(self) -> int:
        """The wall of the first tile drawn."""
        return self.table.stacks[self.first][0].side

    @property
    def after(self) -> int:
        """Columns of that wall that stand at its right end."""
        return self.table.walls[self.side].index(self.first)

    def walk(self) -> list[Spot]:
        """Every place in drawing order."""
        return [spot for stack in self.stacks() for spot in stack]

    def backwards(self) -> list[Spot]:
        """Every place in the order of replacements: from the end, each column's upper first."""
        return [spot for stack in self.stacks_from_end() for spot in stack]

    def stacks(self) -> Iterator[list[Spot]]:
        """Stacks as they are drawn, once round the table."""
        at = self.first
        while True:
            yield self.table.stacks[at]
            at = self.table.next_stack(at)
            if at == self.first:
                return

    def stacks_from_end(self) -> Iterator[list[Spot]]:
        """Stacks from the wall's end towards the head."""
        at = self.first
        while True:
            at = self.table.stack_before(at)
            yield self.table.stacks[at]
            if at == self.first:
                return


def deal(
    order: Sequence[Spot], players: int, dealer: int, rounds: Sequence[int], last: str
) -> tuple[list[list[Spot]], list[Spot], Spot]:
    """Players take tiles in turn, the dealer first, `rounds` of so many tiles each and then single
    ones. Gives the hands by seat without the dealer's first draw, what is left after it in drawing
    order, and where that first draw lay. Raises LayError where the tiles do not go round.

    `last`: the single tiles are taken in `sequence`; or, by three players, the dealer takes two
    upper tiles side by side (`adjacent`) or with a column between (`skip`) and the others what lies
    there, if those are upper tiles; `none`: there are no single tiles. Four players' usual jump is
    the sequence.
    """
    if last not in LASTS:
        raise LayError(f"{last!r} is no way to end a deal; there are {', '.join(LASTS)}")
    if dealer not in range(players):
        raise LayError(f"seat {dealer} is none of {players} players")
    needed = players * (sum(rounds) + (last != "none")) + 1
    if len(order) < needed:
        raise LayError(f"the deal takes {needed} tiles, but {len(order)} lie there")
    lying = list(order)
    hands: list[list[Spot]] = [[] for _ in range(players)]
    turn = [(dealer + i) % players for i in range(players)]
    for each in rounds:
        for seat in turn:
            for _ in range(each):
                hands[seat].append(lying.pop(0))
    reach = {"adjacent": 2, "skip": 4}.get(last, 0) if players == 3 else 0
    jumps = bool(reach) and len(lying) > reach and lying[0].row == lying[reach].row == "upper"
    first = lying[reach] if jumps else None
    if last != "none":
        for seat in turn:
            hands[seat].append(next(spot for spot in lying if spot != first))
            lying.remove(hands[seat][-1])
    first = lying[0] if first is None else first
    lying.remove(first)
    return hands, lying, first


def indicators(opening: Opening, column: int, how_many: int) -> list[Spot]:
    """What lies on top of the column-th column from the wall's end (the last is 1, a half column
    is one too) and of the next ones towards the head, `how_many` in all. Raises LayError where
    there are not so many columns."""
    if column < 1:
        raise LayError(f"columns are counted from 1, not {column}")
    found = []
    for number, stack in enumerate(opening.stacks_from_end(), start=1):
        if column <= number < column + how_many:
            found.append(stack[0])
    if len(found) < how_many:
        raise LayError(f"the walls have no {column + how_many - 1} columns")
    return found


def under(opening: Opening, spot: Spot) -> Spot | None:
    """The tile below one that lies on top, None in a half column."""
    stack = opening.table.stacks[opening.table.point_of(spot)]
    return stack[-1] if stack[-1] != spot else None


def reveal(opening: Opening, taken: Collection[Spot], beside: Spot, rows: str) -> list[Spot]:
    """What is flipped after a win: from the column beside `beside` towards the head, the `upper`
    tiles that still lie there, or `both` rows, upper before lower."""
    if rows not in ("upper", "both"):
        raise LayError(f"{rows!r} are no rows to flip; there are upper and both")
    found: list[Spot] = []
    at = opening.table.point_of(beside)
    while at != opening.first:
        at = opening.table.stack_before(at)
        lying = [spot for spot in opening.table.stacks[at] if spot not in taken]
        found += lying if rows == "both" else [spot for spot in lying if spot.row == "upper"]
    return found


def marker(opening: Opening, taken: Collection[Spot], reserve: int) -> tuple[int, int] | None:
    """The column that carries the gold, as (side, column): the outermost one of the columns that
    wholly belong to the last `reserve` tiles still there; a half column counts as one. None where
    there is no such column."""
    place = None
    left = reserve
    for stack in opening.stacks_from_end():
        lying = [spot for spot in stack if spot not in taken]
        if not lying:
            continue
        if len(lying) > left:
            break
        left -= len(lying)
        place = (stack[0].side, stack[0].column)
    return place


def sitting(seats: Sequence[int], side: int) -> int | None:
    """The seat of the player whose chair stands at a side, None at an empty one."""
    for seat, chair in enumerate(seats):
        if chair == side:
            return seat
    return None


def _right_corner(side: int) -> Point:
    """The corner at the right hand of who sits at a side and looks to the middle."""
    return (Point(EDGE, 0), Point(EDGE, EDGE), Point(0, EDGE), Point(0, 0))[side]


def _step(at: Point) -> Point:
    """One step clockwise along the edges: leftwards at the bottom, up, rightwards, down."""
    x, y = at
    if y == 0 and x > 0:
        return Point(x - 1, y)
    if x == 0 and y < EDGE:
        return Point(x, y + 1)
    if y == EDGE and x < EDGE:
        return Point(x + 1, y)
    return Point(x, y - 1)


def _step_back(at: Point) -> Point:
    """One step counter-clockwise."""
    x, y = at
    if y == 0 and x < EDGE:
        return Point(x + 1, y)
    if x == EDGE and y < EDGE:
        return Point(x, y + 1)
    if y == EDGE and x > 0:
        return Point(x - 1, y)
    return Point(x, y - 1)
