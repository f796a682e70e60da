"""What a board reads at the moment: the levels, and what edges leave behind."""

from __future__ import annotations

from dataclasses import dataclass, field

from protocols import v1
from protocols.codes import Phase

Maybe = int | None


@dataclass
class Readings:
    """Values where the newest wins; None is unknown. By set (a, b), by side or by seat."""

    phase: list[Maybe] = field(default_factory=lambda: [None, None])
    active: list[Maybe] = field(default_factory=lambda: [None, None])
    pending: list[Maybe] = field(default_factory=lambda: [None, None])
    counts: list[Maybe] = field(default_factory=lambda: [None] * 4)
    progress: list[Maybe] = field(default_factory=lambda: [None] * 4)
    lamps: int = 0
    dice: int = 0
    pips: list[Maybe] = field(default_factory=lambda: [None] * 4)
    troubles: int = 0
    riichi: Maybe = None
    odd_ends: list[Maybe] = field(default_factory=lambda: [None] * 4)
    presence: list[int] = field(default_factory=lambda: [0] * 4)
    """Bits by side, as in PRESENCE."""
    points: dict[int, tuple[Maybe, Maybe, Maybe]] = field(default_factory=dict)
    """Hundreds, difference and sticks by seat."""

    def levels(self, uptime: int) -> v1.Levels:
        """All of LEVELS."""
        return v1.Levels(
            uptime,
            _two(self.phase),
            _two(self.active),
            _two(self.pending),
            _four(self.counts),
            _four(self.progress),
            self.lamps,
        )

    def snapshot(self, uptime: int, upto: int, boot: int) -> v1.Snapshot:
        """All of SNAPSHOT, true after edge `upto`."""
        return v1.Snapshot(
            upto,
            boot,
            self.levels(uptime),
            self.dice,
            _four(self.pips),
            self.troubles,
            self.riichi,
            self.up,
        )

    def side(self, side: int, upto: int) -> v1.Presence:
        """PRESENCE of one side."""
        bits = self.presence[side].to_bytes(6, "little")
        return v1.Presence(upto, side, self.odd_ends[side], bits)

    @property
    def up(self) -> Maybe:
        """The set whose walls are up: 0 none, 1 a, 2 b; unknown while a phase is."""
        if None in self.phase:
            return None
        return self.phase.index(Phase.UP) + 1 if Phase.UP in self.phase else 0

    def note(self, edge: v1.Edge) -> None:
        """What an edge says of the levels."""
        match edge:
            case v1.NumberEdge():
                for n in _sets(edge.set):
                    kept = self.active if edge.state else self.pending
                    kept[n] = edge.game
                    if edge.state and self.pending[n] == edge.game:
                        self.pending[n] = None
            case v1.PhaseEdge():
                for n in _sets(edge.set):
                    self.phase[n] = edge.now
            case v1.DiceEdge():
                self.dice, self.pips = edge.dice, list(edge.pips)
            case v1.TroubleEdge() if edge.code < 32:
                bit = 1 << edge.code
                self.troubles = self.troubles | bit if edge.on else self.troubles & ~bit
            case v1.RiichiEdge():
                bit = 1 << edge.seat
                kept_bits = self.riichi or 0
                self.riichi = kept_bits | bit if edge.laid else kept_bits & ~bit
            case v1.TakenEdge():
                side, column, row = edge.place >> 14, edge.place >> 2 & 0xFFF, edge.place & 3
                if 1 <= column <= 24 and row < 2:
                    bit = 1 << (2 * (column - 1) + row)
                    there = self.presence[side]
                    self.presence[side] = there | bit if edge.back else there & ~bit
            case _:
                pass


def _sets(which: int) -> tuple[int, ...]:
    return {0: (0, 1), 1: (0,), 2: (1,)}.get(which, ())


def _two(values: list[Maybe]) -> tuple[Maybe, Maybe]:
    return values[0], values[1]


def _four(values: list[Maybe]) -> tuple[Maybe, Maybe, Maybe, Maybe]:
    return values[0], values[1], values[2], values[3]
