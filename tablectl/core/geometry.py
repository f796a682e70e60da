"""The whole geometry of one moment as one pure function: `plan(rules, inputs) -> Plan`.

`tablectl plan`, the fold of facts, the drawing and the card all call it; nothing else computes a
position. Inputs are what people or sensors know: sides, seats, dealer, dice or the break as it was
made, tiles taken from head and tail, indicators turned, kongs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from tablectl.core import deadwall, reveal
from tablectl.core.collision import walls_and_tiles
from tablectl.core.dealing import Deal, HeadOrder, deal_from
from tablectl.core.preset import Preset
from tablectl.core.wall import (
    SIDES,
    Break,
    Place,
    Position,
    Side,
    Wall,
    counted,
    settled,
    sides_text,
    wall_from,
    whole_sides,
)
from tablectl.errors import NO, TablectlError, declare

declare(
    "plan.sides_count",
    "sides {sides} hold {found} tiles, {preset} needs {wanted}",
    "Give the columns of each side as they stand (--sides); {preset} has {default}.",
    status=NO,
)
declare(
    "plan.never_dealt",
    "the hands of {preset} never come up dealt: they are taken from the walls",
    "Leave --dealt out; with the tiles that are gone from the head, if need be (--head).",
    status=NO,
)
declare(
    "plan.no_break",
    "neither dice nor a break are known",
    "Give the dice (--dice 3,4) or the break as it was made (--break SIDE,AFTER).",
    status=NO,
)
declare(
    "plan.no_place",
    "no tile stands at side {side}, column {column}, {row}",
    "Name a place of the walls {sides}: side 0-3, column from its owner's right, upper or lower.",
    status=NO,
)
declare(
    "plan.kongs_past_tiles",
    "{fours} would be {found} tiles, but {preset} has {tiles}",
    "Count them again (--open-kongs, --concealed-kongs, --flower-quads).",
    status=NO,
)
declare(
    "plan.reserve_past_wall",
    "with {fours} {reserve} tiles would stay of {tiles}",
    "Count them again (--open-kongs, --concealed-kongs, --flower-quads).",
    status=NO,
)
declare(
    "plan.too_small",
    "walls of {tiles} tiles cannot deal {needed} to {players} players",
    "Check the sides (--sides); where the table has dealt by itself, say so (--dealt).",
    status=NO,
)


@dataclass(frozen=True, slots=True)
class Inputs:
    """What is known of one moment. `sides` None: the preset's walls; `seats` None: sides 0, 1, …

    `head`, `tail`: tiles taken there (None: after the deal and the dealer's first draw). `turned`:
    indicators turned after those at the start. `dealt`: the table has dealt by itself, the sides
    hold what is left and the head counts from there. `gold`: whether the gold lies on its column
    (None: once a replacement was taken).
    """

    sides: tuple[Side, ...] | None = None
    seats: tuple[int, ...] | None = None
    dealer: int = 0
    dice: tuple[int, ...] | None = None
    broke: Break | None = None
    head: int | None = None
    head_at: Place | None = None
    tail: int = 0
    turned: int = 0
    open_kongs: int = 0
    concealed_kongs: int = 0
    flower_quads: int = 0
    dealt: bool = False
    gold: bool | None = None


class Marker(msgspec.Struct, frozen=True):
    """The column that carries the gold."""

    side: int
    column: int


class Opened(msgspec.Struct, frozen=True):
    """The wall opened and the columns left standing at its right end."""

    side: int
    after: int


class Counted(msgspec.Struct, frozen=True):
    """What the dice said where the count went past the end of its wall."""

    side: int
    sum: int


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """Where everything is. The fields are those of `tablectl plan --json`. `reserve`: tiles that
    stay in the wall; `wareme`: the seat whose points are multiplied, None where that is nobody."""

    preset: str
    tiles: int
    players: int
    sides: tuple[int | str, ...]
    seats: tuple[int, ...]
    dealer: int
    dice: tuple[int, ...] | None
    break_: Opened = msgspec.field(name="break")
    counted: Counted | None
    head: int
    tail: int
    turned: int
    phase: Literal["open", "final", "over"]
    drawable: int
    next_draw: Position | None
    last_draw: Position | None
    indicators: tuple[Position, ...]
    ura: tuple[Position, ...]
    next_indicator: Position | None
    replacement: Position | None
    reserve: int | None
    gold_marker: Marker | None
    reveal: tuple[Position, ...] | None
    wareme: int | None

    def as_json(self) -> dict[str, Any]:
        """The contract's object; `counted` only where it differs."""
        body: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        if self.counted is None:
            del body["counted"]
        return body


class Ground(NamedTuple):
    """What does not change while a hand is played: the wall from its break, and the deal."""

    wall: Wall
    broke: Break
    counted: Break | None
    """What the dice said where the wall is opened by them, but somewhere else."""
    deal: Deal
    order: HeadOrder
    dealt_tiles: int
    """Tiles gone from the head after the deal and the dealer's first draw."""
    said: Break | None
    """What the dice said, None where they are not known."""


def plan(rules: Preset, inputs: Inputs) -> Plan:
    """Everything that follows from the inputs.

    Raises TablectlError with a code `plan.*` and the numbers that clash for what cannot be.
    """
    sides, seats = sides_of(rules, inputs), seats_of(rules, inputs)
    base = ground(rules, sides, seats, inputs.dealer, inputs.dice, inputs.broke, inputs.dealt)
    wall, order = base.wall, base.order
    head, tail, turned = _head(base, inputs), inputs.tail, inputs.turned
    _not_negative(inputs)
    _fours_there(rules, inputs)
    growing = rules.reserve.policy == "growing"
    lies = tail > 0 if inputs.gold is None else inputs.gold
    reserve = deadwall.reserved(
        rules, tail, inputs.open_kongs, inputs.concealed_kongs, inputs.flower_quads, gold=lies
    )
    _reserve_there(wall, inputs, reserve)
    there = deadwall.replacements_there(wall, rules)
    most_tail = wall.tiles - reserve if growing else there
    if tail > most_tail:
        raise TablectlError("plan.tail_past_reserve", tail=tail, most=most_tail)
    # A tile that was drawn cannot have been turned; asked first, as it names the cause.
    indicators = deadwall.check_indicators(wall, rules, order, head, turned)
    end = deadwall.live_end(wall, rules, tail, turned, reserve)
    if head > end:
        raise TablectlError("plan.head_past_end", head=head, most=max(end, 0))
    drawable = end - head
    beside = indicators[-1].p if indicators else wall.tiles
    from_head = rules.replacements.source == "head"
    usable = (drawable > 0 or not (growing or from_head)) and tail < there
    return Plan(
        preset=rules.name,
        tiles=wall.tiles,
        players=rules.players,
        sides=tuple(side.shown for side in sides),
        seats=seats,
        dealer=inputs.dealer,
        dice=inputs.dice,
        break_=Opened(*base.broke),
        counted=None if base.counted is None else Counted(*base.counted),
        head=head,
        tail=tail,
        turned=turned,
        phase=_phase(rules, drawable),
        drawable=drawable,
        next_draw=wall.order[order.p(head)] if drawable else None,
        last_draw=wall.order[order.p(end - 1)] if drawable else None,
        indicators=indicators,
        ura=_ura(wall, rules, indicators),
        next_indicator=deadwall.next_indicator(wall, rules, order, head, turned),
        replacement=_replacement(rules, base, head, tail) if usable else None,
        reserve=None if rules.reserve.policy == "neighbour" else reserve,
        gold_marker=_marker(rules, base, tail, reserve, end) if lies else None,
        reveal=None
        if rules.reveal.kind == "none"
        else reveal.ROWS[rules.reveal.rows](wall, order, head, beside),
        wareme=_wareme(rules, base, seats, indicators),
    )


def sides_of(rules: Preset, inputs: Inputs) -> tuple[Side, ...]:
    """The sides, checked against the tile count. Raises `plan.sides`, `plan.sides_count`.

    A table that has dealt by itself holds what the hands did not take; which is the default
    cannot be known, so the sides must then be given.
    """
    return _sides(rules, inputs.sides, inputs.dealt)


def seats_of(rules: Preset, inputs: Inputs) -> tuple[int, ...]:
    """The side of each seat, checked. Raises `plan.seats`, `plan.dealer`."""
    return _seats(rules, inputs.seats, inputs.dealer)


@lru_cache(maxsize=1024)
def _sides(rules: Preset, given: tuple[Side, ...] | None, dealt: bool) -> tuple[Side, ...]:
    default = whole_sides(rules.walls.default)
    sides = given if given is not None else default
    if len(sides) != SIDES:
        raise TablectlError("plan.sides", found=len(sides), sides=sides_text(sides))
    if dealt and not rules.dealing.machine:
        raise TablectlError("plan.never_dealt", preset=rules.name)
    found = sum(side.tiles for side in sides)
    wanted = rules.tile_count - (rules.dealing.machine * rules.players if dealt else 0)
    if found != wanted:
        there = sides_text(default)
        if dealt:
            there += f" before the deal and may have {sides_text(_left_on(default, wanted))} then"
        raise TablectlError(
            "plan.sides_count",
            sides=sides_text(sides),
            found=found,
            wanted=wanted,
            preset=rules.name + (" after the hands have come up dealt" if dealt else ""),
            default=there,
            drawing=walls_and_tiles(sides, wanted),
        )
    return sides


def _left_on(default: tuple[Side, ...], tiles: int) -> tuple[Side, ...]:
    """Walls of so many tiles on the sides that have some, as equal as can be: an example."""
    there = [n for n, side in enumerate(default) if side.columns]
    left = [Side(0)] * len(default)
    for many, n in enumerate(there):
        here = (tiles // 2 + many) // len(there)
        left[n] = Side(here)
    if tiles % 2:
        last = there[0]
        left[last] = Side(left[last].columns + 1, "right")
    return tuple(left)


@lru_cache(maxsize=1024)
def _seats(rules: Preset, given: tuple[int, ...] | None, dealer: int) -> tuple[int, ...]:
    seats = given if given is not None else tuple(range(rules.players))
    shown = ",".join(map(str, seats))
    why = None
    if len(seats) != rules.players:
        why = f"there are {len(seats)} for {rules.players} players"
    elif not all(0 <= side < SIDES for side in seats):
        why = "a side is 0, 1, 2 or 3"
    elif len(set(seats)) != len(seats):
        why = "two players cannot sit at one side"
    if why:
        raise TablectlError("plan.seats", seats=shown, why=why, players=rules.players)
    if not 0 <= dealer < rules.players:
        raise TablectlError("plan.dealer", dealer=dealer, last=rules.players - 1)
    return seats


@lru_cache(maxsize=4096)
def ground(
    rules: Preset,
    sides: tuple[Side, ...],
    seats: tuple[int, ...],
    dealer: int,
    dice: tuple[int, ...] | None,
    broke: Break | None,
    dealt: bool,
) -> Ground:
    """The wall from its break and the deal. A break as it was made beats the dice.

    Raises `plan.no_break` and what `counted` and `settled` raise.
    """
    said = counted(sides, seats, dealer, dice, rules.breaking) if dice is not None else None
    asked = broke or said
    if asked is None:
        raise TablectlError("plan.no_break")
    real = settled(sides, *asked)
    wall = wall_from(sides, real)
    machine = rules.dealing.machine
    extra = 1 if not dealt or machine == rules.dealing.each else rules.players + 1
    needed = extra if dealt else rules.players * rules.dealing.each + 1
    if needed > wall.tiles:
        raise TablectlError(
            "plan.too_small", tiles=wall.tiles, needed=needed, players=rules.players
        )
    deal = deal_from(wall, rules.dealing, rules.players)
    order = HeadOrder() if dealt else deal.order
    shown = said if said is not None and said != real and broke is None else None
    return Ground(wall, real, shown, deal, order, extra if dealt else deal.tiles + 1, said)


def _head(base: Ground, inputs: Inputs) -> int:
    if inputs.head_at is not None:
        return head_before(base, inputs.head_at, inputs.sides)
    return base.dealt_tiles if inputs.head is None else inputs.head


def head_before(base: Ground, place: Place, sides: tuple[Side, ...] | None = None) -> int:
    """Tiles gone from the head when the next draw is at `place`. Raises `plan.no_place`."""
    p = base.wall.number.get(place)
    if p is None:
        standing = sides_text(sides) if sides else f"opened at side {base.broke.side}"
        raise TablectlError(
            "plan.no_place", side=place.side, column=place.column, row=place.row, sides=standing
        )
    return base.order.p(p)


def _not_negative(inputs: Inputs) -> None:
    names = ("head", "tail", "turned", "open_kongs", "concealed_kongs", "flower_quads")
    for name in names:
        value = getattr(inputs, name)
        if value is not None and value < 0:
            raise TablectlError("plan.negative", name=name.replace("_", " "), value=value)


def _fours_there(rules: Preset, inputs: Inputs) -> None:
    fours = inputs.open_kongs + inputs.concealed_kongs + inputs.flower_quads
    if 4 * fours > rules.tile_count:
        raise TablectlError(
            "plan.kongs_past_tiles",
            fours=_fours_said(inputs),
            found=4 * fours,
            preset=rules.name,
            tiles=rules.tile_count,
        )


def _reserve_there(wall: Wall, inputs: Inputs, reserve: int) -> None:
    if reserve > wall.tiles:
        raise TablectlError(
            "plan.reserve_past_wall",
            fours=_fours_said(inputs),
            reserve=reserve,
            tiles=wall.tiles,
        )


def _fours_said(inputs: Inputs) -> str:
    """`2 open kongs and 1 set of four like flowers`."""
    named = (
        (inputs.open_kongs, "open kong", "open kongs"),
        (inputs.concealed_kongs, "concealed kong", "concealed kongs"),
        (inputs.flower_quads, "set of four like flowers", "sets of four like flowers"),
    )
    said = [f"{n} {one if n == 1 else more}" for n, one, more in named if n]
    return " and ".join(said) or "no kongs"


def _phase(rules: Preset, drawable: int) -> Literal["open", "final", "over"]:
    if drawable <= 0:
        return "over"
    return "final" if drawable <= rules.reserve.final else "open"


def _ura(wall: Wall, rules: Preset, indicators: tuple[Position, ...]) -> tuple[Position, ...]:
    if not rules.indicators.ura:
        return ()
    meant = indicators if rules.indicators.kong_ura else indicators[: rules.indicators.start]
    below = (deadwall.under(wall, indicator) for indicator in meant)
    return tuple(position for position in below if position is not None)


def _replacement(rules: Preset, base: Ground, head: int, tail: int) -> Position | None:
    if rules.replacements.source == "head":
        return base.wall.order[base.order.p(head)] if head < base.wall.tiles else None
    return base.wall.tail(rules.replacements.first)[tail]


def _marker(rules: Preset, base: Ground, tail: int, reserve: int, end: int) -> Marker | None:
    if rules.gold.turned == "none" or tail == 0:
        return None
    if rules.reserve.marker == "boundary":
        c: int | None = deadwall.at_boundary(base.wall, base.order, end)
    else:
        c = deadwall.wholly_reserved(base.wall, tail, reserve)
    if c is None:
        return None
    position = base.wall.in_column(c)[0]
    return Marker(position.side, position.column)


def _wareme(
    rules: Preset, base: Ground, seats: tuple[int, ...], indicators: tuple[Position, ...]
) -> int | None:
    """The seat at the wall that is meant. Where the dice are not known, what they counted is taken
    for the wall that was opened."""
    if rules.wareme.factor == 1:
        return None
    side: int | None = base.broke.side
    if rules.wareme.side == "counted" and base.said is not None:
        side = base.said.side
    elif rules.wareme.side == "indicator":
        side = indicators[0].side if indicators else None
    return seats.index(side) if side in seats else None
