"""Getting the right walls up: which number, which tiles, and start, push in, start.

walls are up ─START─▶ hatch open: used tiles in, others if need be ─START─▶ the other set rises
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.preset import Preset
from tablectl.errors import TablectlError, declare
from tablectl.people.around import World
from tablesim.control import obey
from tablesim.lay import Spot
from tablesim.mechanism import Machine
from tablesim.model import GameNumber, Model
from tablesim.tiles import normal
from tablesim.tileset import TileSet

NUMBER: Final = declare(
    "people.number",
    "the machine {model} has no number for the {tiles} tiles of {preset}",
    "Play a rule that it can stack, or take another machine.",
)
STUCK: Final = declare(
    "people.stuck",
    "no walls for {preset} have come up after {minutes} minutes of the table",
    "See what the machine does: ask its control socket for the truth.",
)
MINUTES: Final = 30


def can_stack(model: Model, rules: Preset) -> bool:
    """Whether a machine has a number for this rule. All have numbers for every count that is
    played, but `autodeal`, which stacks 136 tiles alone."""
    return bool(_fitting(model, rules, rules.dealing.machine))


def number_for(model: Model, rules: Preset, *, dealt: bool, three: bool = False) -> GameNumber:
    """The number that stacks this rule's walls, or such as come up dealt where that is `dealt`; of
    several the first with `three` walls where that is asked for, else with the rule's own sides.
    Raises TablectlError `people.number`."""
    own = tuple(2 * n for n in rules.walls.default)
    fitting = _fitting(model, rules, rules.dealing.machine if dealt else 0)
    fitting.sort(key=lambda one: (not one.dealt, three != (0 in one.sides), one.sides != own))
    if not fitting:
        raise TablectlError(NUMBER, model=model.name, tiles=rules.tile_count, preset=rules.name)
    return fitting[0]


def _fitting(model: Model, rules: Preset, dealt: int) -> list[GameNumber]:
    """Numbers of so many tiles, those that come up with hands of `dealt` tiles among them."""
    machine = dealt if rules.players == 4 else 0
    return [
        one for one in model.numbers if one.tiles == rules.tile_count and one.dealt in (0, machine)
    ]


class Floor:
    """The machine as people work it for one rule. `pace`: ms between two deeds."""

    def __init__(self, world: World, rules: Preset, pace: int) -> None:
        self.world = world
        self.rules = rules
        self.pace = pace
        self._tiles = normal(tile.code for tile in rules.tiles.elements())

    @property
    def machine(self) -> Machine:
        return self.world.table.machine

    async def raise_walls(
        self, number: GameNumber, lying: Mapping[Spot, str] | None = None
    ) -> TileSet:
        """Walls of this number with the rule's tiles, of which nothing is taken; `lying`: this
        very wall. Raises TablectlError `people.stuck`."""
        rigged: TileSet | None = None
        for _ in range(self._patience()):
            top = self.machine.on_top
            if top is not None and self._good(top, number, lying):
                return top
            if rigged is None and top is not None and top.phase.name == "DROPPING":
                self._fill(top, number, lying)
                rigged = top if lying is not None else None
            await self._step()
        raise TablectlError(STUCK, preset=self.rules.name, minutes=MINUTES)

    async def clear(self, used: TileSet) -> None:
        """The walls played on go in, the other set comes. Raises TablectlError `people.stuck`."""
        for _ in range(self._patience()):
            if self.machine.on_top is not used:
                return
            await self._step()
        raise TablectlError(STUCK, preset=self.rules.name, minutes=MINUTES)

    # ── how ──

    async def _step(self) -> None:
        """Whatever leads on from where the machine is."""
        machine = self.machine
        top = machine.on_top
        stuck = [one for one in machine.sets if one.phase.name in ("BLOCKED", "PAUSED")]
        if stuck:
            machine.mend()
            self.world.table.hands.take_out()
            if any(one.on_table for one in stuck):
                self.world.table.hands.push_in()
            self._start()
        elif top is None:
            if any(one.phase.name == "READY" for one in machine.sets):
                self._start()
        elif top.phase.name == "DROPPING":
            self.world.table.hands.push_in()
            self.world.did()
            await self.world.wait(self.pace)
            self._start()
        elif top.phase.name == "UP" and machine.other(top).phase.name == "READY":
            self._start()
        await self.world.wait(self.pace)

    def _start(self) -> None:
        obey(self.world.table, {"do": "press", "button": "start"})
        self.world.did()

    def _fill(self, top: TileSet, number: GameNumber, lying: Mapping[Spot, str] | None) -> None:
        """The set in the open hatch becomes one for the rule, and for this very wall."""
        table = self.world.table
        wanted = self._tiles if lying is None else normal(lying.values())
        if normal(top.tiles) != wanted:
            table.hands.exchange(top.id, tuple(wanted))
        if (top.pending or top.active) != number.number:
            table.machine.select(number.number, top.id)
        if lying is not None:
            table.hands.push_in()
            top.rig(lying)
        self.world.did()

    def _good(self, top: TileSet, number: GameNumber, lying: Mapping[Spot, str] | None) -> bool:
        whole = top.phase.name == "UP" and len(top.walls) == len(top.places)
        if lying is not None:
            return whole and top.walls == dict(lying)
        fits = top.active == number.number and normal(top.tiles) == self._tiles
        return whole and fits

    def _patience(self) -> int:
        return MINUTES * 60_000 // self.pace
