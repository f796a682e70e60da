"""What a board says of itself, as it comes in piece by piece."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from protocols import catalog, codes, v0, v1
from tablectl.core import facts


@dataclass
class Identity:
    """A board that answered HELLO. `of`: how many numbers it has, None until it has said so."""

    iam: v0.Iam
    abilities: v1.Abilities | None = None
    of: int | None = None
    found: dict[int, v1.Number] = field(default_factory=dict)

    @property
    def uid(self) -> str:
        """The table's own name: 16 hexadecimal digits."""
        return self.iam.uid.hex()

    @property
    def speaks_with_us(self) -> bool:
        """Whether a version is known to both."""
        return self.iam.least <= catalog.MOST and self.iam.most >= catalog.LEAST

    @property
    def numbers(self) -> tuple[v1.Number, ...]:
        """The game numbers told so far, by their index."""
        return tuple(self.found[index] for index in sorted(self.found))

    @property
    def missing(self) -> int | None:
        """The index of the first number that has not come, None if all have."""
        if self.of is None:
            return 0
        return next((index for index in range(self.of) if index not in self.found), None)

    def can(self, ability: codes.Ability) -> bool:
        """Whether the board says that it can do this."""
        return self.abilities is not None and bool(self.abilities.bits >> ability & 1)

    def number(self, message: v1.Number) -> None:
        """One more number; a later one of the same index takes its place."""
        self.of = message.of
        if message.nth < message.of:
            self.found[message.nth] = message

    def fact(self) -> facts.Board:
        """All of it for the journal, the numbers as a digest."""
        told = repr([tuple(number) for number in self.numbers]).encode()
        return facts.Board(
            uid=self.uid,
            boot=self.iam.boot,
            model=self.iam.model,
            firmware=self.iam.firmware,
            abilities=codes.abilities(self.abilities.bits) if self.abilities else (),
            numbers=hashlib.sha256(told).hexdigest()[:16],
        )
