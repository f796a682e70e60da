"""What a board says of itself."""

from __future__ import annotations

from dataclasses import dataclass

from protocols import v1
from protocols.codes import Ability, Motion, ability_bits


@dataclass(frozen=True)
class About:
    """Unchanging facts of a board: identity, abilities, numbers. `press_ms`: how long it presses;
    `guard`: seconds without motion after somebody pressed at the table; `ring` in edges;
    `motions` and `lamps`: those it is wired to."""

    uid: bytes
    model: str
    firmware: str
    abilities: tuple[str, ...]
    numbers: tuple[v1.Number, ...] = ()
    ring: int = 256
    sides: int = 4
    sets: int = 2
    dice: int = 2
    seats: int = 4
    press_ms: int = 200
    guard: int = 0
    least: int = 1
    most: int = 1
    motions: tuple[int, ...] = tuple(Motion)
    lamps: tuple[int, ...] = tuple(range(8))

    def can(self, ability: Ability) -> bool:
        """Whether the board says that it can do this."""
        return ability.name.lower() in self.abilities

    def told(self) -> v1.Abilities:
        """ABILITIES."""
        bits = ability_bits(self.abilities)
        return v1.Abilities(
            bits, self.sides, self.sets, self.dice, self.seats, self.press_ms, self.guard
        )


def numbered(
    *numbers: tuple[int, int | None, tuple[int | None, ...], int, int, str], odd_ends: int = 0
) -> tuple[v1.Number, ...]:
    """NUMBERs from (number, tiles, tiles by side, players bits, flags, name)."""
    return tuple(
        v1.Number(
            nth, len(numbers), number, tiles, (s[0], s[1], s[2], s[3]), odd_ends, players,
            flags, name,
        )
        for nth, (number, tiles, s, players, flags, name) in enumerate(numbers)
    )  # fmt: skip
