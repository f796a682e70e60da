"""One tile set inside and on top of the machine: where each of its tiles is.

A tile is at every moment in exactly one of: `inside` (the drum), `stacks` (being or having been
stacked, by side), `tray` (stacked to be dealt), `walls` (up on the table, by place), `out` (taken
by people), `aside` (under the table, in a drawer: forgotten or lost).

      inside ──stack──▶ stacks ──rise──▶ walls ──hands──▶ out ──push in──▶ inside
                                                            └──forgotten──▶ aside ─┘
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from protocols.codes import OddEnd, Phase
from tablesim.lay import Spot, Table
from tablesim.model import GameNumber, Model
from tablesim.tiles import normal


class SimError(ValueError):
    """What hands or a script asked for cannot be done on this table. `code`, `what`, `where`,
    `hint`: what was found, where, what to do."""

    def __init__(self, code: str, what: str, hint: str, where: str = "") -> None:
        self.code, self.what, self.hint, self.where = code, what, hint, where
        super().__init__(f"{where}: {what}" if where else what)


@dataclass
class TileSet:
    """Set 1 (a) or 2 (b). `before`: its phase before it was paused or blocked; `active`: the number
    it was last stacked with, `pending`: the one for its next stacking; `places`: those of the walls
    that came up last, in order."""

    id: int
    tiles: tuple[str, ...]
    phase: Phase
    active: int
    pending: int | None = None
    before: Phase = Phase.MIXING
    inside: list[str] = field(default_factory=list)
    stacks: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    tray: list[str] = field(default_factory=list)
    walls: dict[Spot, str] = field(default_factory=dict)
    out: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    places: tuple[Spot, ...] = ()
    shown: set[Spot] = field(default_factory=set)
    rigged: dict[Spot, str] | None = None
    feed: list[int] = field(default_factory=list)
    """Sides that still get a tile, in the order of the outlets; -1 is a tray for the deal."""

    @property
    def name(self) -> str:
        return " ab"[self.id]

    @property
    def on_table(self) -> bool:
        """Whether any of its tiles is where hands can reach it."""
        return bool(self.walls or self.out or self.aside)

    def everything(self) -> list[str]:
        """Every tile, wherever it is; always the same multiset as `tiles`."""
        stacked = [tile for stack in self.stacks for tile in stack]
        return [
            *self.inside, *stacked, *self.tray, *self.walls.values(), *self.out, *self.aside,
        ]  # fmt: skip

    def exchange(self, tiles: Sequence[str]) -> None:
        """People put other tiles into the open hatch in place of these; none is left elsewhere."""
        self.tiles = tuple(tiles)
        self.inside = list(tiles)
        self.stacks, self.tray, self.walls = [[], [], [], []], [], {}
        self.out, self.aside = [], []
        self.rigged, self.shown = None, set()

    def rig(self, walls: Mapping[Spot, str]) -> None:
        """The next stacking builds this very wall. Raises SimError if the tiles are others."""
        if normal(walls.values()) != normal(self.tiles):
            raise SimError(
                "sim.other_tiles",
                f"set {self.name} has {len(self.tiles)} tiles, which are not those of the wall",
                "Put the wall's tiles into the set first.",
            )
        self.rigged = dict(walls)

    def drop(self, keep: int, rng: random.Random) -> None:
        """People push everything that lies on the table into the hatch, all but `keep` tiles."""
        used = [*self.walls.values(), *self.out]
        rng.shuffle(used)
        kept = max(0, len(used) - keep)
        self.inside += used[:kept]
        self.aside += used[kept:]
        self.walls, self.out = {}, []
        self.shown = set()

    def gather(self) -> None:
        """The tiles left aside are found and put in."""
        self.inside += self.aside
        self.aside = []

    def lose(self, n: int, rng: random.Random) -> None:
        """`n` tiles get stuck or fall off, nobody knows which."""
        for _ in range(min(n, len(self.inside))):
            self.aside.append(self.inside.pop(rng.randrange(len(self.inside))))

    # ── stacking ────────────────────────────────────────────────────────────────────────────────

    def begin(self, number: GameNumber, model: Model, rng: random.Random) -> None:
        """Mixed well, the tiles wait for the outlets."""
        rng.shuffle(self.inside)
        self.stacks, self.tray = [[], [], [], []], []
        left = list(number.sides)
        if model.outlets == "turn":
            self.feed = [side for side in range(4) for _ in range(left[side])]
        else:
            self.feed = []
            while any(left):
                for side in range(4):
                    if left[side]:
                        left[side] -= 1
                        self.feed.append(side)
        self.feed += [-1] * (4 * number.dealt)

    def stack_one(self) -> bool:
        """One more tile leaves the drum; False if none can."""
        if not self.feed or not self.inside:
            return False
        side = self.feed.pop(0)
        pile = self.tray if side < 0 else self.stacks[side]
        pile.append(self.inside.pop())
        return True

    @property
    def progress(self) -> tuple[int, ...]:
        """Tiles stacked on each side."""
        return tuple(map(len, self.stacks))

    def short(self) -> tuple[int, int, int] | None:
        """The first side that waits for tiles: side, tiles it needs, tiles it has."""
        if not self.feed:
            return None
        side = self.feed[0]
        if side < 0:
            return 0, len(self.tray) + len(self.feed), len(self.tray)
        need = len(self.stacks[side]) + self.feed.count(side)
        return side, need, len(self.stacks[side])

    # ── up and down ─────────────────────────────────────────────────────────────────────────────

    def rise(self, model: Model) -> None:
        """The stacks stand on the table as walls; a tray's tiles lie before the seats."""
        spots = spots_of(self.progress, model)
        order = [tile for stack in self.stacks for tile in stack]
        self.walls = dict(zip(spots, order, strict=True))
        if self.rigged is not None and self.rigged.keys() == self.walls.keys():
            self.walls = {spot: self.rigged[spot] for spot in spots}
            self.rigged = None
        self.places = tuple(spots)
        self.out += self.tray
        self.stacks, self.tray = [[], [], [], []], []

    def lower(self) -> None:
        """The walls sink as they stand."""
        self.stacks = [[], [], [], []]
        for spot in self.places:
            self.stacks[spot.side].append(self.walls[spot])
        self.walls, self.shown = {}, set()

    def counts(self) -> tuple[int, ...]:
        """Tiles that stand on each side."""
        found = [0, 0, 0, 0]
        for spot in self.walls:
            found[spot.side] += 1
        return tuple(found)


def spots_of(counts: Iterable[int], model: Model) -> list[Spot]:
    """The places of walls with so many tiles on each side, side by side, from the owner's right,
    upper before lower."""
    mark = ".5>" if model.odd_end == "left" else ".5<"
    return Table([f"{n // 2}{mark if n % 2 else ''}" for n in counts]).spots


ODD_ENDS: Final = {"left": OddEnd.LEFT, "right": OddEnd.RIGHT}
