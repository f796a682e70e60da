"""A hand that is going on at a table: the walk round it, the hand's course, what was done."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tablectl.core.facts import AnyFact
from tablectl.core.preset import Preset
from tablectl.core.state import Game
from tablectl.core.wall import Place
from tablectl.people.log import Event, Played
from tablectl.people.row import Truth
from tablesim import lay
from tablesim.lay import Opening, Spot
from tablesim.tileset import TileSet


@dataclass(frozen=True)
class HandPlayed:
    """A hand that was played: its events and the truth at its end, None of one that came to
    nothing on the way. `indicators`, `ura`: the faces that lay open at the end, `ura` those that
    were looked at; `end`: win, exhausted, abort or void; `opening`: None if it came to nothing
    before; `taken`: places of the tiles taken, in order; `odd`: taps that did not follow."""

    events: tuple[Event, ...]
    truth: Truth | None
    indicators: tuple[str, ...]
    ura: tuple[str, ...]
    end: str
    opening: Opening | None
    taken: tuple[Spot, ...]
    taps: int
    corrections: int
    odd: tuple[tuple[AnyFact, str], ...]


@dataclass
class Going:
    """What is going on at the table: the walk round it, the hand's course, what was done."""

    tiles: TileSet
    opening: Opening
    course: Played
    order: list[Spot]
    taken: list[Spot] = field(default_factory=list)
    indicators: list[str] = field(default_factory=list)
    ura: list[str] = field(default_factory=list)
    quiet: int | None = None
    """The fact before the first kong or tile set aside since the last draw from the head."""
    earlier: tuple[int, Place] | None = None
    """The last such fact, and where the next draw lay then."""
    final_told: bool = False

    def place(self, p: int) -> Place:
        return place_of(self.order[p])

    def next_place(self) -> Place:
        """Where the next draw from the head lies now."""
        taken = set(self.taken)
        return next(
            place_of(self.order[p]) for p in self.course.order if self.order[p] not in taken
        )

    def before(self, n: int) -> tuple[Truth, bool]:
        """The truth before event n, and whether something was pending."""
        if not n:
            return self.course.start, False
        step = self.course.steps[n - 1]
        return step.truth, step.pending

    def robbed(self, n: int) -> bool:
        """Whether the kong that is event n was won on."""
        steps = self.course.steps
        if n + 1 >= len(steps) or steps[n + 1].event[0] != "win":
            return False
        _, winner, frm, *_ = steps[n + 1].event
        return bool(winner != frm == steps[n].event[1])


def open_at(rules: Preset, laid: lay.Table, game: Game, dice: Sequence[int]) -> Opening:
    """Count from the dealer and open: with two throws the first names the wall."""
    rule = rules.breaking
    first = sum(dice[: rule.dice])
    opening = laid.open(game.seats[game.dealer], first, rule.count, game.seats)
    if rule.throws == 1:
        return opening
    at = opening.first
    for _ in range(first):
        at = laid.stack_before(at)
    last = sum(dice) if rule.second == "total" else sum(dice[rule.dice :])
    return laid.open_at(laid.stacks[at][0].side, last)


def as_turned(rules: Preset, laid: lay.Table, tiles: TileSet) -> Opening:
    """The break of walls that came up dealt: the one whose indicator the machine has turned."""
    column = rules.indicators.column
    openings = (
        laid.open_at(side, after) for side in range(4) for after in range(len(laid.walls[side]))
    )
    return next(
        opening for opening in openings if lay.indicators(opening, column, 1)[0] in tiles.shown
    )


def payment(
    hand: Going, rules: Preset, rng: random.Random
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What is paid, points and chips by seat: some sum of which nothing is lost. Where a hand has
    a base in points, nobody pays chips."""
    players, unit = rules.players, rules.score.unit
    most = max(1, 8000 // unit)
    chip = 0 if rules.score.base else 1
    points, chips = [0] * players, [0] * players
    for step in hand.course.steps:
        if step.event[0] != "win":
            continue
        _, seat, frm, *_ = step.event
        payers = [other for other in range(players) if other != seat]
        for payer in payers if frm == seat else [frm]:
            paid = unit * rng.randint(1, most)
            points[seat] += paid
            points[payer] -= paid
            chips[seat] += chip
            chips[payer] -= chip
    return tuple(points), tuple(chips)


def place_of(spot: Spot) -> Place:
    """A place of the walls as facts have it."""
    return Place(spot.side, spot.column, "upper" if spot.row == "upper" else "lower")
