"""Entries of the catalogue for what can go wrong at one table."""

from __future__ import annotations

from typing import Final

from tablectl.errors import NO, declare

MOTIONS_OFF: Final = declare(
    "app.motions_off",
    "moving the machine from here is not allowed at this table",
    "Press the button at the table; or write `motions = true` for it into the configuration.",
    status=NO,
)
NO_MOTION: Final = declare(
    "app.motion",
    "there is no motion '{motion}'",
    "The motions are {motions}.",
)
NO_PRESET: Final = declare(
    "app.preset_missing",
    "{what} needs the name of a rule",
    "Give `preset`; `tablectl presets` lists them.",
)
NUMBER_RANGE: Final = declare(
    "app.number_range",
    "{number} is no number of a table",
    "A table's numbers are 0 to {largest}.",
)
NO_GAME: Final = declare(
    "app.no_game",
    "no game of {preset} can begin now: {why}",
    "Look at the table again, and choose the rule once more.",
    status=NO,
)
UNABLE: Final = declare(
    "app.unable",
    "the table cannot {what} by wire",
    "{hint}",
    status=NO,
)
HAND_OPEN: Final = declare(
    "app.hand_open",
    "a hand of {preset} is being played",
    "Another game of the same rule begins when it is settled or declared void by nobody's fault."
    " Another rule can be chosen at any time: it is played from the next hand on.",
    status=NO,
)
SEATS: Final = declare(
    "app.seats",
    "seats {seats} are not the sides of {players} players",
    "Give a side, 0 to 3, for each seat, each once.",
)
