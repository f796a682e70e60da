"""The log of a hand: each event with the tile that moved and the truth after it.

Events have the shape of recorded hands (the contract's `tablectl replay`). `follow` goes through a
hand that was recorded; one is decided in `course`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tablectl.core.preset import Preset
from tablectl.core.record import Record
from tablectl.people.row import Row, Truth

Event = tuple[Any, ...]


class Step(NamedTuple):
    """One event of a hand: `p` of the tile drawn, turned or laid on top, None where none moves;
    `pending`: a replacement is not taken or a kong's indicator not turned yet."""

    event: Event
    truth: Truth
    p: int | None = None
    pending: bool = False


class Flips(NamedTuple):
    """What is flipped after the win that is event `after`: lives declared, and p of each tile with
    what it is worth to the winner; it ends with the last life or the last tile."""

    after: int
    stock: int
    tiles: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Played:
    """A whole hand: `dealt`: p of the tiles dealt in the order in which they are taken; `shown`: p
    of the indicators that lie open from the start; `reserve`: its tiles after each event."""

    dealer: int
    wall: tuple[str, ...]
    start: Truth
    dealt: tuple[int, ...]
    order: tuple[int, ...]
    shown: tuple[int, ...]
    steps: tuple[Step, ...]
    reserve: tuple[int, ...]
    flips: Flips | None = None
    tenpai: tuple[int, ...] = ()


def follow(rules: Preset, record: Record) -> Played:
    """The hand of a record, with p of each tile and the truth after each event."""
    course = Log(rules, record.wall, record.dealer)
    row = course.row
    waiting = due = 0
    final = False
    laid: tuple[int, str] | None = None
    for event in record.events:
        p, given, laid = None, laid, None
        match event:
            case ("draw", seat, _, end):
                if end == "live":
                    final = 0 < row.drawable <= rules.reserve.final
                p = row.draw(seat, end)
                waiting -= end == "tail"
            case ("kong", _, kind):
                due += row.count_kong(kind) != "never"
                waiting += 1
            case ("kita" | "nuki" | "flower", seat, *tile):
                kind = tile[0] if tile else rules.calls.aside[0]
                fours = row.fours(course.aside[seat], kind)
                if row.may_replace(final=final, grows=fours):
                    row.count_aside(course.aside[seat], kind)
                    laid = seat, kind
                    waiting += 1
            case ("pon", _, frm) | ("win", _, frm, *_) if given is not None and given[0] == frm:
                row.uncount_aside(course.aside[frm], given[1])
                waiting = 0
            case ("indicator", *_):
                p = row.turn_indicator()
                due -= 1
            case ("gold", tile):
                p = row.turn_gold()
                if tile[:2] in rules.calls.aside:
                    row.count_aside(course.aside[course.dealer], tile)
            case _:
                pass
        course.note(*event, p=p, pending=waiting > 0 or due > 0)
    return course.played()


class Log:
    """One hand as it goes on: the row, what was set aside, and each event noted."""

    def __init__(
        self,
        rules: Preset,
        wall: Sequence[str],
        dealer: int,
        hands: Sequence[Sequence[str]] | None = None,
    ) -> None:
        self.rules = rules
        self.dealer = dealer
        self.row = Row(rules, wall, hands)
        self.row.deal(dealer)
        self.start = self.row.truth
        self.order = tuple(self.row.order)
        self.aside: list[list[str]] = [[] for _ in range(rules.players)]
        self.steps: list[Step] = []
        self.reserve: list[int] = []
        self.flips: Flips | None = None
        self.tenpai: tuple[int, ...] = ()
        self.won = 0
        """Wins so far."""

    def note(self, *event: Any, p: int | None = None, pending: bool = False) -> None:
        self.won += event[0] == "win"
        self.steps.append(Step(event, self.row.truth, p, pending))
        self.reserve.append(self.row.reserve)

    def played(self) -> Played:
        row = self.row
        return Played(
            dealer=self.dealer,
            wall=row.wall,
            start=self.start,
            dealt=tuple(row.dealt),
            order=self.order,
            shown=tuple(row.indicator(n) for n in range(self.rules.indicators.start)),
            steps=tuple(self.steps),
            reserve=tuple(self.reserve),
            flips=self.flips,
            tenpai=self.tenpai,
        )
