"""A hand taken tile by tile from laid walls: what can still be drawn, what stays, what is next.

As people keep it at the table: the tiles that stay are told off one by one from the wall's end, and
one more is pushed to them, or taken from them, as things happen. Nothing is worked out from
numbers; `tablesim.lay` walks, this takes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tablesim.lay import LayError, Opening, Spot, indicators, under

POLICIES: Final = ("kept", "shrinking", "neighbour", "growing")


class House(NamedTuple):
    """How a house keeps the end of its walls.

    `policy`: `reserve` tiles are always `kept`; they are filled up after a kong only (`shrinking`);
    everything is drawn up to the `neighbour` of the last open indicator; or the tiles that stay
    are `growing` by so many for each kind of kong and four like flowers. `gold_counts`: the gold
    lying on them is one of them. `marker`: the gold lies on the outermost column wholly `reserved`
    or on the one at the `boundary`.

    `replacements` at most (0: any number), taken from the end, in each column the `first` row
    first, or from the head. `indicators` lie open from the start, the first in `column` from the
    end; `kongs` turn one more each (0: none does). `kong_ura`: the tiles under these count too.
    """

    policy: str
    reserve: int = 0
    open_kong: int = 0
    concealed_kong: int = 0
    four_like: int = 0
    gold_counts: bool = False
    marker: str = "reserved"
    replacements: int = 0
    from_head: bool = False
    first: str = "upper"
    indicators: int = 0
    column: int = 1
    kongs: int = 0
    kong_ura: bool = True


class Hand:
    """One hand on an opened wall. `lying`: what the deal has left, in drawing order.

    `usable`: what can still be drawn, the next one first; `reserve`: what stays, in drawing order;
    `turned`: the open indicators; `behind`: what was taken from the wall's end. An action that
    cannot be raises LayError and changes nothing.
    """

    def __init__(self, opening: Opening, house: House, lying: list[Spot]) -> None:
        if house.policy not in POLICIES:
            raise LayError(f"{house.policy!r} is no way to keep a wall's end")
        self.opening = opening
        self.house = house
        self.usable = list(lying)
        self.reserve: list[Spot] = []
        self.behind: set[Spot] = set()
        self.turned = indicators(opening, house.column, house.indicators)
        if house.policy == "neighbour":
            self._stays_up_to(self.turned[-1])
        else:
            self._put_by(house.reserve)

    # ── what is there ──

    @property
    def replacement(self) -> Spot | None:
        """What would be taken for a kong or a tile set aside."""
        if self.house.from_head:
            return self.usable[0] if self.usable else None
        if self.house.policy == "growing" and not self.usable:
            return None
        return next((spot for spot in self._replacements() if spot not in self.behind), None)

    @property
    def next_indicator(self) -> Spot | None:
        """What a kong would turn."""
        house = self.house
        if len(self.turned) == house.indicators + house.kongs:
            return None
        try:
            (spot,) = indicators(self.opening, house.column + len(self.turned), 1)
        except LayError:
            return None
        return spot if spot in self.usable or spot in self.reserve else None

    @property
    def ura(self) -> list[Spot]:
        """What counts under the open indicators."""
        shown = self.turned if self.house.kong_ura else self.turned[: self.house.indicators]
        return [spot for one in shown if (spot := under(self.opening, one)) is not None]

    @property
    def marker(self) -> tuple[int, int] | None:
        """The column on which the gold lies, as (side, column)."""
        place = None
        for stack in self.opening.stacks_from_end():
            lying = [spot for spot in stack if spot not in self.behind]
            staying = [spot for spot in lying if spot in self.reserve]
            if lying and staying == lying:
                place = (stack[0].side, stack[0].column)
            elif lying:
                if staying and self.house.marker == "boundary":
                    place = (stack[0].side, stack[0].column)
                break
        return place

    # ── what is done ──

    def draw(self) -> Spot:
        """The next tile is drawn."""
        if not self.usable:
            raise LayError("nothing is left to draw")
        return self.usable.pop(0)

    def replace(self, *, gold: bool = False) -> Spot:
        """A replacement is taken, or the gold turned."""
        house, spot = self.house, self.replacement
        if spot is None:
            raise LayError("no replacement is left")
        if house.from_head:
            return self.draw()
        fills = house.policy in ("kept", "growing") and not (gold and house.gold_counts)
        if fills and not self.usable:
            raise LayError("nothing is left to fill up the reserve")
        self.behind.add(spot)
        (self.reserve if spot in self.reserve else self.usable).remove(spot)
        if fills:
            self._put_by(1)
        return spot

    def kong(self, *, concealed: bool) -> None:
        """A kong is declared; its replacement is taken by `replace`, its indicator by `turn`."""
        if self.house.policy == "shrinking":
            self._put_by(1)
        self._put_by(self.house.concealed_kong if concealed else self.house.open_kong)

    def four_like(self) -> None:
        """Four like flowers lie open."""
        self._put_by(self.house.four_like)

    def turn(self) -> Spot:
        """A kong's indicator is turned."""
        spot = self.next_indicator
        if spot is None:
            raise LayError("no indicator can be turned any more")
        self.turned.append(spot)
        if self.house.policy == "neighbour":
            self._stays_up_to(spot)
        return spot

    # ── how ──

    def _put_by(self, tiles: int) -> None:
        """The last ones that could be drawn stay from now on."""
        if tiles > len(self.usable):
            raise LayError("nothing is left that could be kept")
        for _ in range(tiles):
            self.reserve.insert(0, self.usable.pop())

    def _stays_up_to(self, indicator: Spot) -> None:
        """The column of an open indicator stays, and all that lies behind it."""
        column = self.opening.table.stacks[self.opening.table.point_of(indicator)]
        for spot in reversed(self.opening.walk()):
            if spot in self.usable:
                self.usable.remove(spot)
                self.reserve.insert(0, spot)
            if spot == column[0]:
                return

    def _replacements(self) -> list[Spot]:
        """Everything that can be taken from the wall's end, the first one first; never anything of
        the first indicator's column or before it."""
        first = self.turned[0] if self.turned else None
        order: list[Spot] = []
        for stack in self.opening.stacks_from_end():
            if first in stack:
                break
            order += stack if self.house.first == "upper" else stack[::-1]
        return order[: self.house.replacements] if self.house.replacements else order
