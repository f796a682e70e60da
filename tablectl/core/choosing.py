"""Which game number is this rule here?

By count, layout, players and dealing. The owner's note wins over everything; numbers that fit
alike are shown and never guessed; where none fits, the nearest are told with what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tablectl.core.preset import Preset
from tablectl.core.profile import GameNumber, Note, Origin, kept_as
from tablectl.errors import NO, TablectlError, declare

NONE: Final = declare(
    "number.none",
    "no number of this table fits {needs}: {why}",
    "Play another rule, or keep what you know:"
    " `tablectl note {table} {preset}=NUMBER`.{remembered}",
    status=NO,
)
SEVERAL: Final = declare(
    "number.several",
    "several numbers of this table fit {needs} alike: {fitting}",
    "Try them and say which it is with `--number`, or for ever with `tablectl note {table}"
    " {preset}=NUMBER`.{remembered}",
    status=NO,
)
UNKNOWN: Final = declare(
    "number.unknown",
    "this table has no number {number}; it has {offered}",
    "Name one of them. If it is there all the same: `tablectl note {table} {preset}={number}`.",
    status=NO,
)
UNFIT: Final = declare(
    "number.unfit",
    "number {number} is not {needs}: {why}",
    "Choose another number. If the table tells it wrongly: `tablectl note {table}"
    " {preset}={number}`.",
    status=NO,
)

NEAREST: Final = 3
"""How many numbers are told where none fits."""


class Offer(NamedTuple):
    """A number and, in a sentence, what speaks against it."""

    number: GameNumber
    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """The number: `why` it is the one, a sentence for people; `source`: whose word it is;
    `verified`: somebody stood at the machine. `others` fit too, but less well."""

    number: GameNumber
    why: str
    source: Origin
    verified: bool = False
    others: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One `found`, or `several` that fit alike, or none and the `nearest`, best first."""

    found: Found | None = None
    several: tuple[GameNumber, ...] = ()
    nearest: tuple[Offer, ...] = ()


def choose(
    rules: Preset,
    numbers: Sequence[GameNumber],
    notes: Sequence[Note] = (),
    *,
    sides: tuple[int, ...] | None = None,
) -> Choice:
    """The number that builds this rule's walls. `sides`: columns by side that are wanted instead
    of the rule's own.

    A layout fits that differs from the rule's only in which sides are the long ones, or before
    which chair no wall stands; the very same one fits better. For how many players a number is
    said to be decides between others, but excludes none: the walls are what they are. A number
    with which the table deals this rule by itself is meant before one that only builds walls.
    """
    noted = _noted(rules, notes)
    if noted is not None:
        return Choice(_by_note(rules, numbers, noted, sides))
    fitting: list[tuple[_Rank, GameNumber]] = []
    others: list[tuple[tuple[int, int], Offer]] = []
    for number in numbers:
        against = _against(rules, number, sides)
        if against:
            others.append((_distance(rules, number, against), Offer(number, "; ".join(against))))
        else:
            fitting.append((_rank(rules, number, sides), number))
    if not fitting:
        others.sort(key=lambda one: one[0])
        return Choice(nearest=tuple(offer for _, offer in others[:NEAREST]))
    best = min(rank for rank, _ in fitting)
    alike = tuple(number for rank, number in fitting if rank == best)
    if len(alike) > 1:
        return Choice(several=alike)
    [number] = alike
    less = tuple(
        Offer(other, _less(rules, number, other, sides)) for rank, other in fitting if rank != best
    )
    why = _why(rules, number, sides)
    for offer in less:
        why += f"; number {offer.number.number} would do too, but {offer.why}"
    return Choice(Found(number, why, number.by, number.verified, less))


def chosen(
    rules: Preset,
    numbers: Sequence[GameNumber],
    notes: Sequence[Note] = (),
    asked: int | None = None,
    *,
    sides: tuple[int, ...] | None = None,
    table: str = "TABLE",
) -> Found:
    """The one number to select; `asked`: the one that somebody names; `table`: what people call
    the table.

    A number asked for is taken where the table has it and its count of tiles is not another, or
    where nobody knows the table's numbers. Raises TablectlError `number.none`, `number.several`,
    `number.unknown`, `number.unfit`.
    """
    if asked is not None:
        return _asked(rules, numbers, notes, asked, sides, table)
    choice = choose(rules, numbers, notes, sides=sides)
    if choice.found is not None:
        return choice.found
    about: dict[str, Any] = {
        "preset": kept_as(rules),
        "table": table,
        "needs": needs(rules, sides),
        "remembered": _remembered(rules),
    }
    if choice.several:
        fitting = "; ".join(number.shown for number in choice.several)
        found = [number.number for number in choice.several]
        raise TablectlError(SEVERAL, fitting=fitting, numbers=found, **about)
    why = "; ".join(f"{offer.number.shown}: {offer.why}" for offer in choice.nearest)
    why = f"the nearest are {why}" if why else "nobody knows its numbers"
    found = [offer.number.number for offer in choice.nearest]
    raise TablectlError(NONE, why=why, numbers=found, **about)


def noted(
    rules: Preset,
    number: int | None,
    numbers: Sequence[GameNumber],
    notes: Sequence[Note],
    table: str,
    before: Sequence[Note] = (),
    known: Callable[[str], Preset | None] = lambda name: None,
) -> list[str]:
    """What is said to an owner who notes a number, or (None) takes a note back, in sentences.
    `notes`: those that are kept then, `before`: those that were; `known`: the rule of a name. His
    word wins, and what speaks against it is told."""
    kept = _noted(rules, notes)
    if number is None:
        if kept is None:
            return [f"Nothing is noted of {kept_as(rules)} at {table} any more."]
        return [
            f"What was noted of {kept_as(rules)} is taken back; the configuration still says that"
            f" it is number {kept.number} at {table}."
        ]
    say = [f"Noted: {kept_as(rules)} is number {number} at {table}."]
    if kept_as(rules) != rules.name:
        say.append(f"{rules.name} is built as {kept_as(rules)} is: it is one note for both.")
    was = _noted(rules, before)
    if was is not None and kept is not None and was != kept:
        sure = "verified" if was.verified else "not verified"
        say.append(
            f"It was number {was.number} there before, {sure}: `tablectl note {table}"
            f" {kept_as(rules)}={was.number}{' --verified' if was.verified else ''}` takes it back."
        )
    say += _two_counts(rules, number, notes, known)
    try:
        chosen(rules, numbers, (), number)
    except TablectlError as error:
        what = error.message[:1].upper() + error.message[1:]
        say.append(f"{what}. Your word wins all the same; look whether the machine builds it.")
    return say


def needs(rules: Preset, sides: tuple[int, ...] | None = None) -> str:
    """What the rule needs of a number, in words."""
    columns = sides or rules.walls.default
    return (
        f"{rules.name} ({rules.tile_count} tiles on {_walls_word(_walls(columns))} of"
        f" {', '.join(str(n) for n in columns if n)} columns, {rules.players} players)"
    )


def _two_counts(
    rules: Preset,
    number: int,
    notes: Sequence[Note],
    known: Callable[[str], Preset | None],
) -> list[str]:
    """What else is noted to be this number though one number cannot build both."""
    others = []
    for note in notes:
        other = known(note.preset) if note.number == number else None
        if other is None or other.tile_count == rules.tile_count:
            continue
        others.append(f"{note.preset} ({other.tile_count} tiles)")
    if not others:
        return []
    return [
        f"One number cannot build both: number {number} is noted for {', '.join(others)} too, and"
        f" {kept_as(rules)} has {rules.tile_count} tiles. One of the notes is wrong."
    ]


# ── the owner's word, and whoever asks ──────────────────────────────────────────────────────────


def _noted(rules: Preset, notes: Sequence[Note]) -> Note | None:
    return next((note for note in reversed(notes) if note.preset == kept_as(rules)), None)


def _by_note(
    rules: Preset, numbers: Sequence[GameNumber], note: Note, sides: tuple[int, ...] | None
) -> Found:
    number = _of(numbers, note.number)
    why = f"the owner noted that {note.preset} is number {note.number} here"
    if number is None:
        number = GameNumber(
            note.number, verified=note.verified, source="the owner's note", by="note"
        )
        why += ", which the table does not tell" if numbers else ""
    elif against := _against(rules, number, sides):
        why += f", though what is told of it does not fit: {'; '.join(against)}"
    return Found(number, why, "note", note.verified)


def _asked(
    rules: Preset,
    numbers: Sequence[GameNumber],
    notes: Sequence[Note],
    asked: int,
    sides: tuple[int, ...] | None,
    table: str,
) -> Found:
    noted = _noted(rules, notes)
    if noted is not None and noted.number == asked:
        return _by_note(rules, numbers, noted, sides)
    number = _of(numbers, asked)
    if number is None:
        if numbers:
            offered = ", ".join(str(one.number) for one in numbers)
            raise TablectlError(
                UNKNOWN, number=asked, offered=offered, preset=kept_as(rules), table=table
            )
        number = GameNumber(asked, source="asked for", by="asked")
        why = f"number {asked} was asked for; nobody knows what it builds here"
        return Found(number, why, "asked")
    against = _against(rules, number, sides)
    if number.tiles not in (None, rules.tile_count):
        raise TablectlError(
            UNFIT,
            number=asked,
            needs=needs(rules, sides),
            why="; ".join(against),
            preset=kept_as(rules),
            table=table,
        )
    why = f"number {asked} was asked for"
    if against:
        why += f", though {'; '.join(against)}"
    return Found(number, why, number.by, number.verified)


def _of(numbers: Sequence[GameNumber], wanted: int) -> GameNumber | None:
    return next((one for one in numbers if one.number == wanted), None)


def _remembered(rules: Preset) -> str:
    number = rules.play.table_number
    return f" Elsewhere it is often number {number}." if number else ""


# ── what fits ───────────────────────────────────────────────────────────────────────────────────

_Rank = tuple[int, int, int]
"""Dealing, players, layout: 0 is best."""


def _against(rules: Preset, number: GameNumber, sides: tuple[int, ...] | None) -> list[str]:
    """What keeps this number from being the rule's, in words; nothing where it fits."""
    found: list[str] = []
    if number.tiles is None:
        found.append("nobody says how many tiles it builds")
    elif number.tiles != rules.tile_count:
        off = number.tiles - rules.tile_count
        than = "more" if off > 0 else "fewer"
        found.append(f"{number.tiles} tiles, {abs(off)} {than} than {rules.tile_count}")
    found += _deals_wrongly(rules, number, sides) if _deals(number) else ()
    found += _stands_wrongly(rules, number, sides)
    if number.turns_indicator and not rules.indicators.start:
        found.append("it turns an indicator, but this rule has none")
    if found and number.players and rules.players not in number.players:
        found.append(f"it is for {_or(number.players)} players, not {rules.players}")
    return found


def _deals(number: GameNumber) -> bool:
    return number.dealt != 0


def _deals_wrongly(
    rules: Preset, number: GameNumber, sides: tuple[int, ...] | None
) -> tuple[str, ...]:
    machine, dealt = rules.dealing.machine, number.dealt
    if not machine or sides is not None:
        return ("it deals by itself, but whole walls are wanted",)
    if dealt is not None and dealt != machine:
        return (f"it deals {dealt} tiles to each seat, but this rule takes {machine} so",)
    if number.players and rules.players not in number.players:
        return (f"it deals to {_or(number.players)} seats",)
    return ()


def _stands_wrongly(
    rules: Preset, number: GameNumber, sides: tuple[int, ...] | None
) -> tuple[str, ...]:
    there, columns = number.sides, sides or rules.walls.default
    if there is None:
        return ()
    wanted = tuple(2 * n for n in columns)
    if _walls(there) != _walls(wanted):
        return (f"{_walls_word(_walls(there))} stand instead of {_walls_word(_walls(wanted))}",)
    if _deals(number):
        dealt = rules.dealing.machine if number.dealt is None else number.dealt
        rest = rules.tile_count - dealt * rules.players
        if number.tiles == rules.tile_count and sum(there) != rest:
            return (f"{sum(there)} tiles stay in its walls, not {rest}",)
        return ()
    if number.tiles is not None and sum(there) != number.tiles:
        return (f"its walls hold {sum(there)} of its {number.tiles} tiles",)
    if sum(there) == sum(wanted) and not _alike(there, wanted):
        return (f"its walls have {_list(there)} tiles, this rule's {_list(wanted)}",)
    return ()


def _rank(rules: Preset, number: GameNumber, sides: tuple[int, ...] | None) -> _Rank:
    """How well a number fits that nothing speaks against."""
    wanted = tuple(2 * n for n in sides or rules.walls.default)
    dealing = {None: 2, 0: 1}.get(number.dealt, 0)
    players = 1 if not number.players else 0 if rules.players in number.players else 2
    layout = 2 if number.sides is None else int(number.sides != wanted and not _deals(number))
    return dealing, players, layout


def _distance(rules: Preset, number: GameNumber, against: list[str]) -> tuple[int, int]:
    """How far from the rule a number is that does not fit; one without a count is farthest."""
    off = 1000 if number.tiles is None else abs(number.tiles - rules.tile_count)
    return off, len(against)


def _why(rules: Preset, number: GameNumber, sides: tuple[int, ...] | None) -> str:
    """Why this number is the one."""
    if number.dealt:
        why = f"{rules.tile_count} tiles, {number.dealt} dealt to each seat by the table"
    elif number.dealt is None:
        why = f"{rules.tile_count} tiles; the table deals, and nobody says how many"
    elif number.sides is None:
        why = f"{rules.tile_count} tiles; nobody says how its walls stand"
    else:
        why = f"{rules.tile_count} tiles on walls of {_list(number.sides)}"
        if _rank(rules, number, sides)[2]:
            why += ", the same but for which sides are the long ones"
    if number.players and rules.players not in number.players:
        why += f"; it is said to be for {_or(number.players)} players, but the walls are the same"
    return why


def _less(rules: Preset, best: GameNumber, other: GameNumber, sides: tuple[int, ...] | None) -> str:
    """Why another number that fits is not the one."""
    mine, theirs = _rank(rules, best, sides), _rank(rules, other, sides)
    if mine[0] != theirs[0]:
        return "people deal from its walls" if other.dealt == 0 else "nobody says what it deals"
    if mine[1] != theirs[1]:
        said = f"said to be for {_or(other.players)}" if other.players else "not said to be for any"
        return f"it is {said} players"
    return "other sides are the long ones" if other.sides else "nobody says how its walls stand"


def _alike(there: Sequence[int], wanted: Sequence[int]) -> bool:
    """Whether the two layouts differ only in which sides are which."""
    if 0 in wanted:
        return sorted(there) == sorted(wanted)
    return any(tuple(there) == (*wanted[n:], *wanted[:n]) for n in range(4))


def _walls(sides: Sequence[int]) -> int:
    return sum(n > 0 for n in sides)


def _walls_word(n: int) -> str:
    return {2: "two", 3: "three", 4: "four"}.get(n, str(n)) + " walls"


def _list(sides: Sequence[int]) -> str:
    return ", ".join(map(str, sides))


def _or(players: frozenset[int]) -> str:
    return " or ".join(map(str, sorted(players)))
