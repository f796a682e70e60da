"""Table models: their game numbers, and which of them a rule is at this table.

People choose a rule by name. A number belongs to a maker and a model and is not its tile count:
look-up is by count, layout, players and dealing, and twins are shown, never guessed. Files of
profiles are read by `profile_file`; which number a rule is, is found by `choosing`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from tablectl.core.mechanism import SetState
from tablectl.core.preset import Preset

Origin = Literal["table", "profile", "note", "asked"]
"""Who names a number: the table itself, its profile, the owner's note, whoever asks for it."""

Sides = tuple[int, int, int, int]
"""Tiles on sides 0-3 of the machine when the walls are up; 0 for no wall."""

ABILITIES: Final = (
    "select_number", "read_number", "press_buttons", "see_buttons", "phases", "progress",
    "counts_at_raise", "counts_live", "presence_live", "faces_when_shown", "faces_when_stacked",
    "dice", "points", "riichi_tray", "auto_deal", "turns_indicator",
)  # fmt: skip
"""What a table can be able to do, by the words of the wire."""


@dataclass(frozen=True, slots=True)
class GameNumber:
    """One game number of a table. `tiles` in all, `sides` of the walls, `players` it is for: None
    or empty where nobody says. `dealt`: tiles that the machine deals to each seat besides the
    walls (0: it does not deal; None: it does, and nobody says how many). `by`: who tells of it;
    `verified`: somebody stood at the machine."""

    number: int
    tiles: int | None = None
    sides: Sides | None = None
    players: frozenset[int] = frozenset()
    dealt: int | None = 0
    turns_indicator: bool = False
    verified: bool = False
    name: str = ""
    source: str = ""
    by: Origin = "profile"

    @property
    def shown(self) -> str:
        """The number and what is known of it, in one line for people."""
        return f"{self.number} ({', '.join(self.known)})" if self.known else str(self.number)

    @property
    def known(self) -> list[str]:
        """Name, tiles, walls, players and dealing, as far as they are known."""
        parts = [self.name] if self.name else []
        if self.tiles is not None:
            parts.append(f"{self.tiles} tiles")
        if self.sides is not None:
            parts.append(f"walls of {', '.join(map(str, self.sides))} tiles")
        if self.players:
            parts.append(f"for {' or '.join(map(str, sorted(self.players)))} players")
        if self.dealt != 0:
            parts.append(f"deals {'tiles' if self.dealt is None else self.dealt} to each seat")
        return parts


@dataclass(frozen=True, slots=True)
class Note:
    """The owner's word: the rule `preset` (see `kept_as`) is `number` at this table."""

    preset: str
    number: int
    verified: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """Where one value of a profile comes from, and whether somebody has stood at that machine."""

    path: str
    source: str
    verified: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """A table model. `models`: as its boards call themselves; `numbers` in the order of the panel;
    `stacking`: ms that mixing and stacking take as a rule, None where nobody knows; `abilities` as
    far as a board does not tell them; `press`: sentences that say how `{number}` is chosen by hand.
    `sources`: of each value but the numbers, which have their own."""

    name: str
    title: str
    models: tuple[str, ...]
    numbers: tuple[GameNumber, ...] = ()
    stacking: int | None = None
    abilities: tuple[str, ...] = ()
    press: str = ""
    sources: tuple[Said, ...] = ()

    def number(self, number: int) -> GameNumber | None:
        """What the profile says of a number, None if nothing."""
        return next((one for one in self.numbers if one.number == number), None)


def number_told(
    number: int,
    tiles: int | None,
    sides: tuple[int | None, ...],
    players: int,
    *,
    deals: bool = False,
    turns_indicator: bool = False,
    verified: bool = False,
    name: str = "",
) -> GameNumber:
    """A number as a board tells it; `players`: bit n for n players.

    A side that is not told leaves all four unknown. What each seat is dealt follows from the
    tiles that are not in the walls; where they do not divide, the profile has to say it.
    """
    known = tuple(n for n in sides if n is not None)
    walls: Sides | None = (known[0], known[1], known[2], known[3]) if len(known) == 4 else None
    seats = frozenset(n for n in range(1, 8) if players >> n & 1)
    dealt: int | None = None if deals else 0
    if deals and walls is not None and tiles is not None:
        rest = tiles - sum(walls)
        shares = {rest // n for n in seats if rest > 0 and rest % n == 0}
        dealt = shares.pop() if len(shares) == 1 else None
    if walls is not None and tiles is None and not deals:
        tiles = sum(walls)
    return GameNumber(
        number, tiles, walls, seats, dealt, turns_indicator, verified, name, "the table", "table"
    )


def numbers_of(
    profile: Profile | None, told: tuple[GameNumber, ...] = ()
) -> tuple[GameNumber, ...]:
    """The numbers of a table: those it tells of itself, else its profile's.

    The profile fills in what a board leaves out of a number, unless it means another one by it
    (another count of tiles, another layout).
    """
    if not told:
        return () if profile is None else profile.numbers
    if profile is None:
        return told
    return tuple(_filled(one, profile.number(one.number)) for one in told)


def by_hand(profile: Profile | None, number: int) -> str:
    """How people choose the number at the table itself."""
    if profile is None or not profile.press:
        return (
            f"Choose number {number} at the table's own panel, as its manual says, before the tiles"
            " are dropped in."
        )
    return profile.press.replace("{number}", str(number))


_BUILT: Final = ("players.", "walls.", "tiles.counts", "tiles.total", "dealing.machine")
"""Values of a rule that decide what the machine has to build."""


def kept_as(rules: Preset) -> str:
    """The name under which a rule's number is noted: a number is found by tiles and walls, so a
    topping belongs to it only where it changes those."""
    on = rules.variant.split("+")
    builds = [
        topping.name
        for topping in rules.toppings
        if topping.name in on and any(one.path.startswith(_BUILT) for one in topping.changes)
    ]
    return "+".join((rules.base, *builds))


def beneath(state: SetState) -> tuple[str, str]:
    """Where a set is but for what has stopped it, and the words for that, empty for nothing."""
    word = state.word
    stopped = {"paused": "is paused", "blocked": "is blocked by a trouble"}.get(word, "")
    if word == "blocked":
        word = state.before or "unknown"
    if word == "paused":
        word = (state.before if state.word == "paused" else state.beneath) or "unknown"
    return word, stopped


def effect_of(state: SetState, number: int) -> str:
    """When a number just selected takes effect for one set, a part of a sentence behind its name.
    A set keeps the number it is stacked with; what is selected counts from its next stacking."""
    word, stopped = beneath(state)
    if state.active == number and word == "unknown":
        where = stopped or "has not said where it is"
        return f"{where}; the last that it told is that it has number {number} already"
    if state.active == number:
        return f"has number {number} already and {stopped or _BEFORE.get(word) or STACKED[word]}"
    old = "those of the number before" if state.active is None else f"number {state.active}'s"
    if word in STACKED:
        return (
            f"{stopped or STACKED[word]}: its next walls are still {old}, and number {number}"
            " counts from the stacking after that"
        )
    if word == "up":
        return (
            f"{stopped or _BEFORE[word]}: these walls are {old}, and number {number} counts from"
            " its next stacking"
        )
    if word in _BEFORE:
        return f"{stopped or _BEFORE[word]}: it is stacked with number {number} next"
    return (
        f"{stopped or 'has not said where it is'}: number {number} counts from its next stacking,"
        " and walls that are stacked already come up as they are"
    )


# ── how ─────────────────────────────────────────────────────────────────────────────────────────

STACKED: Final = {
    "stacking": "is being stacked",
    "ready": "waits below with its tiles stacked",
    "raising": "is rising",
}
"""Words of a set whose walls come up next with the number that they are stacked with."""

_BEFORE: Final = {
    "up": "is on the table",
    "dropping": "is being dropped in",
    "mixing": "is being mixed",
}
"""Words of a set that will be stacked before its walls come up again."""


def _filled(told: GameNumber, there: GameNumber | None) -> GameNumber:
    if there is None or not _same(told, there):
        return told
    filled = replace(
        told,
        tiles=told.tiles if told.tiles is not None else there.tiles,
        sides=told.sides or there.sides,
        players=told.players or there.players,
        dealt=there.dealt if told.dealt is None and there.dealt else told.dealt,
        name=told.name or there.name,
    )
    if filled == told:
        return told
    source = f"{told.source}; what it leaves out: {there.source}"
    return replace(filled, source=source, verified=told.verified and there.verified)


def _same(told: GameNumber, there: GameNumber) -> bool:
    """Whether nothing that both say differs."""
    pairs = ((told.tiles, there.tiles), (told.sides, there.sides), (told.players, there.players))
    return all(a == b for a, b in pairs if a and b)
