"""What is shown of a table besides its State: how its line stands, its numbers, the owner's notes.

Nothing of this is durable or has a seq. The JSON Schemas are made from these classes.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tablectl.core.profile import GameNumber, Note


class LineShown(Struct, frozen=True):
    """How the line to the board stands: `absent` or a stage of the driver, why, and since when (ms
    of the daemon's clock)."""

    stage: str
    why: str | None
    since: int


class ConfiguredLine(Struct, frozen=True):
    """A line that the configuration names. `table`: the id of the one that is or was on it, None if
    none has answered; `stage`: `manual` where people work the table, else as in a line; `why` it
    is not ready, a sentence; `since` ms of the daemon's clock; `complaint`: an error as everywhere
    (code, message, hint)."""

    url: str
    name: str
    table: str | None
    stage: str
    why: str | None
    since: int
    complaint: dict[str, Any] | None


class LiveShown(Struct, frozen=True):
    """What is true now. `line` None: no board has ever answered; `manual`: people work the table;
    `complaint`: an error as everywhere (code, message, hint); `progress`: tiles stacked by side;
    `lamps`: bits; `waiting`: keys of taps that are not durable yet."""

    line: LineShown | None
    manual: bool
    complaint: dict[str, Any] | None
    progress: tuple[int | None, ...] | None
    lamps: int | None
    waiting: tuple[str, ...]


class NumberShown(Struct, frozen=True):
    """A game number of the table, and who says so (`by`)."""

    number: int
    name: str
    tiles: int | None
    sides: tuple[int, int, int, int] | None
    players: tuple[int, ...]
    dealt: int | None
    verified: bool
    source: str
    by: str


class NoteShown(Struct, frozen=True):
    """The owner's word on a rule's number."""

    preset: str
    number: int
    verified: bool


def number_shown(one: GameNumber) -> NumberShown:
    """A number as it is shown."""
    return NumberShown(
        number=one.number,
        name=one.name,
        tiles=one.tiles,
        sides=one.sides,
        players=tuple(sorted(one.players)),
        dealt=one.dealt,
        verified=one.verified,
        source=one.source,
        by=one.by,
    )


def note_shown(note: Note) -> NoteShown:
    """A note as it is shown."""
    return NoteShown(note.preset, note.number, note.verified)
