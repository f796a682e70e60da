"""What hands do at the table: take tiles, put them back, turn them, feed the hatch, lay sticks.

Each deed is logged as physically done and told as an edge that a machine with every sensor would
send.
"""

from __future__ import annotations

from protocols import v1
from protocols.codes import Phase, place_code
from tablesim.lay import Spot
from tablesim.mechanism import Machine
from tablesim.tiles import MOST_TILES, is_tile
from tablesim.tileset import SimError, TileSet


class Hands:
    """The hands of the people at one machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def take(self, spot: Spot) -> str:
        """A hand takes a tile off the wall. Raises SimError `sim.no_tile`."""
        up = self._standing()
        if spot not in up.walls:
            raise _no_tile(spot)
        tile = up.walls.pop(spot)
        up.out.append(tile)
        self._machine.log("take", *spot, tile)
        self._machine.tell(v1.TakenEdge, place_code(*spot), 0)
        return tile

    def put_back(self, spot: Spot, tile: str) -> None:
        """A hand puts a tile that it took back to an empty place. Raises SimError."""
        up = self._standing()
        if spot in up.walls or spot not in up.places or tile not in up.out:
            what = f"nobody holds {tile}"
            if spot in up.walls:
                what = "that place has a tile"
            elif spot not in up.places:
                what = "the wall has no such place"
            raise SimError("sim.put_back", what, "Name an empty place and a tile that was taken.")
        up.out.remove(tile)
        up.walls[spot] = tile
        self._machine.log("put_back", *spot, tile)
        self._machine.tell(v1.TakenEdge, place_code(*spot), 1)

    def show(self, spot: Spot) -> str:
        """A tile on the wall is turned face up. Raises SimError `sim.no_tile`."""
        up = self._standing()
        if spot not in up.walls:
            raise _no_tile(spot)
        tile = up.walls[spot]
        up.shown.add(spot)
        self._machine.log("show", *spot, tile, "hand")
        self._machine.tell(v1.ShownEdge, place_code(*spot), tile)
        return tile

    def push_in(self, keep: int = 0) -> None:
        """Used tiles go into the open hatch, all but `keep` that are overlooked; or, if a set is
        paused or blocked below, what was overlooked goes in. Raises SimError `sim.closed`."""
        top = self._machine.on_top
        if top is not None and top.phase is Phase.DROPPING:
            self._machine.log("push_in", top.name, keep)
            top.gather()
            top.drop(keep, self._machine.rng)
            return
        stuck = [
            one
            for one in self._machine.sets
            if one.phase in (Phase.PAUSED, Phase.BLOCKED) and one.on_table
        ]
        if not stuck:
            raise SimError(
                "sim.closed", "the hatch is closed", "Press start when the hand is over."
            )
        for tiles in stuck:
            self._machine.log("push_in", tiles.name, 0)
            tiles.gather()
            tiles.drop(0, self._machine.rng)

    def take_out(self) -> None:
        """Of a set with too many tiles, those that are left over are taken out for good."""
        for tiles in self._machine.sets:
            if tiles.phase is Phase.BLOCKED and not tiles.feed and tiles.inside:
                self._machine.log("take_out", tiles.name, len(tiles.inside))
                kept = list(tiles.tiles)
                for tile in tiles.inside:
                    kept.remove(tile)
                tiles.tiles, tiles.inside = tuple(kept), []

    def exchange(self, which: int, tiles: tuple[str, ...]) -> None:
        """The tiles of the set in the open hatch become these. Raises SimError `sim.closed`."""
        if self._machine.sets[which - 1].phase is not Phase.DROPPING:
            raise SimError(
                "sim.closed",
                f"set {' ab'[which]} is {self._machine.sets[which - 1].phase.name.lower()}",
                "Tiles can be exchanged while the set lies in the open hatch.",
            )
        strange = [tile for tile in tiles if not is_tile(tile)]
        if strange or not 1 <= len(tiles) <= MOST_TILES:
            what = f"'{strange[0]}' is no tile" if strange else f"{len(tiles)} tiles"
            raise SimError("sim.tiles", what, f"1 to {MOST_TILES} tiles such as 1m, 4z, 5pr.")
        self._machine.log("exchange", which, len(tiles))
        self._machine.sets[which - 1].exchange(tiles)

    def stick(self, side: int, laid: bool) -> None:
        """A riichi stick goes into a side's tray, or out."""
        machine = self._machine
        machine.sticks = machine.sticks | 1 << side if laid else machine.sticks & ~(1 << side)
        self._machine.log("stick", side, laid)
        self._machine.tell(v1.RiichiEdge, side, int(laid))

    def score(self, side: int, hundreds: int) -> None:
        """Point sticks change hands: a side has so many hundreds now."""
        self._machine.points[side] = hundreds
        self._machine.log("score", side, hundreds)

    def _standing(self) -> TileSet:
        up = self._machine.up
        if up is None:
            raise SimError(
                "sim.no_walls", "no walls are up", "Press start and wait until they are."
            )
        return up


def _no_tile(spot: Spot) -> SimError:
    return SimError(
        "sim.no_tile",
        f"no tile stands at side {spot.side}, column {spot.column}, {spot.row}",
        "Ask the table for the truth to see what stands.",
    )
