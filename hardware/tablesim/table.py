"""A whole simulated table: machine, hands, sensors and board under one clock.

What the machine tells becomes edges and levels of the board, as far as the model has the sensor;
what the host commands becomes presses at the machine. Times are ms since the table was made.
"""

from __future__ import annotations

import hashlib
import random
from typing import Any, Final

from protocols import v1
from protocols.codes import Ability, Lamp, Motion, Phase, face_of
from tablesim.about import About, numbered
from tablesim.firmware import Board
from tablesim.hands import Hands
from tablesim.mechanism import Machine
from tablesim.model import MODELS, Model
from tablesim.tileset import ODD_ENDS, SimError

COLUMNS: Final = 24
"""Columns of a side that PRESENCE has room for."""

NEEDS: Final[dict[type[Any], Ability]] = {
    v1.NumberEdge: Ability.READ_NUMBER,
    v1.PhaseEdge: Ability.PHASES,
    v1.RaisedEdge: Ability.COUNTS_AT_RAISE,
    v1.DiceEdge: Ability.DICE,
    v1.ButtonEdge: Ability.SEE_BUTTONS,
    v1.TakenEdge: Ability.PRESENCE_LIVE,
    v1.ShownEdge: Ability.FACES_WHEN_SHOWN,
    v1.SealedEdge: Ability.FACES_WHEN_STACKED,
    v1.TroubleEdge: Ability.PHASES,
    v1.RiichiEdge: Ability.RIICHI_TRAY,
}
"""The ability without which a board does not see this."""


class Table:
    """One simulated table. `name` makes its uid, so that the same name is the same table."""

    def __init__(self, model: Model, name: str = "table", seed: int = 0, boot: int = 1) -> None:
        self.name = name
        self.model = model
        self.now = 0
        self.dirty = [0, 0, 0, 0]
        """Tiles that the counting sensor of a side misses (below 0) or sees too many."""
        self.blind_dice = False
        self.silent = False
        self.lamps: dict[int, int] = {}
        self.machine = Machine(model, random.Random(f"{name} {seed}"), self._tell)
        self.hands = Hands(self.machine)
        self.board = Board(about(model, name), self._act, boot)
        self._read()

    # ── time and bytes ──────────────────────────────────────────────────────────────────────────

    def due(self) -> int | None:
        """When something happens by itself next, None for never."""
        times = [self.machine.due(), self.board.due()]
        return min((time for time in times if time is not None), default=None)

    def advance(self, now: int) -> None:
        """Let time go on to `now`."""
        while (due := self.due()) is not None and due <= now:
            self._at(max(self.now, due))
        self._at(now)

    def _at(self, now: int) -> None:
        self.now = max(self.now, now)
        self.board.tick(self.now)
        self.machine.advance(self.now)
        self._read()
        self.board.tick(self.now)

    def settle(self) -> None:
        """Hands did something: let the board see it now."""
        self._at(self.now)

    def feed(self, data: bytes) -> None:
        """Bytes from the line, now."""
        if not self.silent:
            self.board.feed(data, self.now)
            self._read()

    def take(self) -> bytes:
        """Bytes for the line."""
        data = self.board.take()
        return b"" if self.silent else data

    def reset(self) -> int:
        """The board is reset; what it reads, it reads again. Gives its new boot."""
        self.board.reset(self.now)
        self.board.readings.troubles = 0
        for code in self.machine.troubles:
            self.board.readings.troubles |= 1 << code
        return self.board.boot

    # ── sensors ─────────────────────────────────────────────────────────────────────────────────

    def _can(self, ability: Ability) -> bool:
        return self.board.about.can(ability)

    def _tell(self, kind: type[Any], *values: Any) -> None:
        """Something happened: an edge, if the model sees it."""
        if kind is v1.RaisedEdge:
            self._raised(*values)
            return
        if not self._can(NEEDS[kind]):
            return
        if kind in (v1.ShownEdge, v1.SealedEdge):
            place, tile = values
            values = (place, *face_of(tile))
        elif kind is v1.DiceEdge and self.blind_dice:
            values = (values[0], (None,) * 4)
        self._read()
        self.board.edge(kind, *values)

    def _raised(self, which: int, number: int, sides: tuple[int, ...]) -> None:
        """Walls are up: told by counting sensors, or by the phase alone."""
        counted = self._can(Ability.COUNTS_AT_RAISE)
        if not counted and not self._can(Ability.PHASES):
            return
        if self._can(Ability.PRESENCE_LIVE):
            odd = ODD_ENDS[self.model.odd_end]
            self.board.readings.odd_ends = [odd if n % 2 else 0 for n in sides]
        seen = tuple(self._seen(side, n) if counted else None for side, n in enumerate(sides))
        game = number if self._can(Ability.READ_NUMBER) else None
        self._read()
        self.board.edge(v1.RaisedEdge, which, game, seen)

    def _read(self) -> None:
        """The levels, as the model's sensors show them now."""
        readings, machine = self.board.readings, self.machine
        if self._can(Ability.PHASES):
            readings.phase = [one.phase for one in machine.sets]
            readings.lamps = self._lamps()
        if self._can(Ability.READ_NUMBER):
            readings.active = [one.active for one in machine.sets]
            readings.pending = [one.pending for one in machine.sets]
        if self._can(Ability.PROGRESS):
            readings.progress = list(machine.progress())
        if self._can(Ability.COUNTS_LIVE):
            counts = machine.counts() or (0, 0, 0, 0)
            readings.counts = [self._seen(side, n) for side, n in enumerate(counts)]
        if self._can(Ability.PRESENCE_LIVE):
            readings.presence = [0, 0, 0, 0]
            for spot in machine.up.walls if machine.up is not None else ():
                if spot.column <= COLUMNS:
                    bit = 2 * (spot.column - 1) + (spot.row == "lower")
                    readings.presence[spot.side] |= 1 << bit
        if self._can(Ability.RIICHI_TRAY):
            readings.riichi = machine.sticks
        if self._can(Ability.POINTS):
            best = max(machine.points)
            readings.points = {
                side: (hundreds, hundreds - best, machine.sticks >> side & 1)
                for side, hundreds in enumerate(machine.points)
            }

    def _seen(self, side: int, n: int) -> int:
        return max(0, n + self.dirty[side])

    def _lamps(self) -> int:
        ready = any(one.phase is Phase.READY for one in self.machine.sets)
        burning = sum(1 << lamp for lamp, mode in self.lamps.items() if mode)
        own = ready << Lamp.COMPLETE | bool(self.machine.troubles) << Lamp.FAULT
        return own | burning & ~(1 << Lamp.COMPLETE | 1 << Lamp.FAULT)

    # ── what the host commands ──────────────────────────────────────────────────────────────────

    def _act(self, message: v1.Command) -> None:
        match message:
            case v1.Select():
                self.machine.select(message.number, message.set)
            case v1.Move():
                self.machine.move(message.what)
            case v1.Lamp():
                self.lamps[message.lamp] = message.mode
                self.machine.log("lamp", message.lamp, message.mode)


def about(model: Model, name: str) -> About:
    """What the board of a model says of itself."""
    numbers = numbered(
        *(
            (one.number, one.tiles, one.sides, one.players, one.flags, one.name)
            for one in model.numbers
        ),
        odd_ends=sum(ODD_ENDS[model.odd_end] << 2 * side for side in range(4)),
    )
    return About(
        uid=hashlib.sha256(name.encode()).digest()[:8],
        model=f"sim {model.name}"[:16],
        firmware="tablesim 1",
        abilities=model.abilities,
        numbers=numbers,
        ring=model.ring,
        dice=model.dice,
        press_ms=model.press,
        guard=model.guard,
        motions=tuple(motion for motion in Motion if model.dice or motion is not Motion.THROW),
    )


def find_model(name: str) -> Model:
    """The model of a name. Raises SimError `sim.model`."""
    if name not in MODELS:
        raise SimError(
            "sim.model",
            f"there is no table model '{name}'",
            f"The models are {', '.join(MODELS)}.",
        )
    return MODELS[name]
