"""The worked Fuzhou hand of the rules page (5.3), fact by fact: told by people, seen by sensors,
and on to the last draws and the end of the wall.

144 tiles on four sides of 18 columns, the dealer at side 0, dice 2 and 3. What is expected is
written here as the page has it, not computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from support.histories import entry

from tablectl.core import facts
from tablectl.core.facts import AnyFact
from tablectl.core.fold import fold
from tablectl.core.preset_file import find_preset
from tablectl.core.state import State, plan_of
from tablectl.core.turn import Turn
from tablectl.core.wall import Place

RULES = find_preset("fuzhou-144")
E, S, W, N = range(4)
FIRST = {
    E: ("1z", "3z", "4z", "5z", "1f"),
    S: ("2z", "2z", "2z", "6z", "5f"),
    W: ("7z", "7z", "1z", "3z", "2f"),
    N: ("6z", "6z", "5z", "4z", "6f"),
}
SECOND = {E: ("7z",), S: ("3z",), W: ("4z",), N: ("5z",)}
THIRD: dict[int, tuple[str, ...]] = {E: ("6z",)}
"""Flowers of the deal in their rounds: 20, 4 and 1."""


class Row(NamedTuple):
    """Where everything is after one event; `marker` is side and column of the gold."""

    head: int
    tail: int
    reserve: int
    left: int
    drawable: int
    last: int
    marker: tuple[int, int]


def aside(seat: int, tile: str) -> list[Any]:
    return [facts.SetAside(seat=seat, tile=tile), "tail"]


def kong(seat: int, kind: str, frm: int | None = None) -> list[Any]:
    return [facts.Kong(seat=seat, kind=kind, frm=frm), "tail"]


# An event as (what happens, the row after it): a fact that people tell, or "head" or "tail" for a
# tile that leaves the wall there, which sensors see.
COURSE: list[tuple[str, list[Any], Row]] = [
    ("S draws", [facts.Discarded(seat=E, tile="1m"), (S, "head")],
     Row(66, 26, 18, 52, 34, 99, (1, 2))),
    ("it is a flower", aside(S, "1z"), Row(66, 27, 18, 51, 33, 98, (1, 2))),
    ("W draws and discards",
     [facts.Discarded(seat=S, tile="2m"), (W, "head"), facts.Discarded(seat=W, tile="3m")],
     Row(67, 27, 18, 50, 32, 98, (1, 2))),
    ("N open kong", kong(N, "open", W), Row(67, 28, 19, 49, 30, 96, (1, 1))),
    ("E draws", [facts.Discarded(seat=N, tile="4m"), (E, "head")],
     Row(68, 28, 19, 48, 29, 96, (1, 1))),
    ("E concealed kong", kong(E, "concealed"), Row(68, 29, 21, 47, 26, 93, (2, 17))),
    ("S draws the fourth south",
     [facts.Discarded(seat=E, tile="5m"), (S, "head"), *aside(S, "2z")],
     Row(69, 30, 23, 45, 22, 90, (2, 16))),
]  # fmt: skip
OPENED = facts.Opened(side=0, after=5)
GOLD = Row(65, 26, 18, 53, 35, 99, (1, 2))


class Table:
    """One way of telling: `people` tell every draw, `places` and `counts` are what sensors see."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.state = State()
        self.seq = 0
        self.kinds: list[str] = []
        self.left = [36] * 4
        self.say(
            facts.GameStarted(preset=RULES.name, digest=RULES.digest, seats=(0, 1, 2, 3)),
            facts.Raised(),
            facts.Dice(pips=(2, 3)),
        )

    def say(self, *said: AnyFact, origin: str = "person") -> None:
        for fact in said:
            self.seq += 1
            one = entry(self.seq, fact, origin=origin)
            self.state, verdict = fold({RULES.digest: RULES}, self.state, one)
            assert verdict.kind != "odd", (fact, verdict)
            self.kinds.append(verdict.kind)

    @property
    def hand(self):
        return self.state.hand

    @property
    def plan(self):
        return plan_of(RULES, self.hand)

    @property
    def row(self) -> Row:
        plan = self.plan
        return Row(
            plan.head, plan.tail, plan.reserve, plan.tiles - plan.head - plan.tail,
            plan.drawable, plan.last_draw.p, (plan.gold_marker.side, plan.gold_marker.column),
        )  # fmt: skip

    def moves(self, seat: int, end: str, place: Place) -> None:
        """A tile leaves its place: a person tells it or a sensor sees it."""
        self.left[place.side] -= 1
        if self.way == "people":
            self.say(facts.Drawn(seat=seat, end="tail" if end == "tail" else "live"))
        elif self.way == "places":
            self.say(facts.Taken(place=place), origin="sensor")
        else:
            self.say(facts.CountLeft(side=place.side, left=self.left[place.side]), origin="sensor")


class Wall:
    """The wall as people would walk round it: side 0 from column 6, then sides 3, 2, 1, and the
    five columns of side 0 that were left."""

    def __init__(self) -> None:
        columns = [(0, c) for c in range(6, 19)]
        columns += [(side, c) for side in (3, 2, 1) for c in range(1, 19)]
        columns += [(0, c) for c in range(1, 6)]
        rows = ("upper", "lower")
        self.heads = iter([Place(s, c, row) for s, c in columns for row in rows])
        self.tails = iter([Place(s, c, row) for s, c in reversed(columns) for row in rows])

    def next(self, end: str) -> Place:
        return next(self.heads if end == "head" else self.tails)


def opened(way: str) -> tuple[Table, Wall]:
    """Dealt, flowers replaced in rounds, the gold turned."""
    table, wall = Table(way), Wall()
    dealt = [wall.next("head") for _ in range(65)]
    if way == "people":
        table.say(OPENED, facts.Dealt())
    for place in dealt:
        table.left[place.side] -= 1
        if way == "places":
            table.say(facts.Taken(place=place), origin="sensor")
        elif way == "counts":
            counted = facts.CountLeft(side=place.side, left=table.left[place.side])
            table.say(counted, origin="sensor")
    for flowers in (FIRST, SECOND, THIRD):
        for seat, tiles in flowers.items():
            table.say(*(facts.SetAside(seat=seat, tile=tile) for tile in tiles))
            for _ in tiles:
                table.moves(seat, "tail", wall.next("tail"))
    gold = wall.next("tail")
    if way != "people":
        table.moves(E, "tail", gold)
    else:
        table.left[gold.side] -= 1
    table.say(facts.Shown(place=Place(1, 2, "on"), tile="5p", why="gold"))
    return table, wall


def course(table: Table, wall: Wall) -> Iterator[tuple[str, Row]]:
    """Tell event after event; the row that is expected after each."""
    for name, happens, row in COURSE:
        seat = -1
        for one in happens:
            if one == "tail":
                table.moves(seat, "tail", wall.next("tail"))
            elif isinstance(one, tuple):
                seat = one[0]
                table.moves(seat, "head", wall.next("head"))
            else:
                seat = one.seat
                if table.way == "people" or not isinstance(one, facts.Discarded):
                    table.say(one)
        yield name, row


WAYS = ("people", "places", "counts")


@pytest.mark.parametrize("way", WAYS)
def test_every_row_of_the_table(way):
    table, wall = opened(way)
    assert (table.hand.life, table.hand.gold) == ("playing", "5p")
    assert table.row == GOLD
    for name, row in course(table, wall):
        assert table.row == row, name
    assert (table.hand.quads, table.hand.owed) == (1, ())
    assert table.state.questions == ()
    if way == "people":
        assert set(table.kinds) == {"fits"}
        assert table.hand.turn == Turn("act", S)


@pytest.mark.parametrize("way", WAYS)
def test_on_to_the_last_draws_and_the_end_of_the_wall(way):
    table, wall = opened(way)
    for _ in course(table, wall):
        pass
    seat, left = S, 22
    while left > 4:
        if way == "people":
            table.say(facts.Discarded(seat=seat, tile=f"{left // 3 + 1}s"))
        seat, left = (seat + 1) % 4, left - 1
        table.moves(seat, "head", wall.next("head"))
        assert (table.plan.drawable, table.hand.life) == (left, "playing")
    if way == "people":
        table.say(facts.Discarded(seat=seat, tile="6m"))
    marker = table.plan.gold_marker
    for last in range(4):
        assert table.plan.next_draw is not None
        seat = (seat + 1) % 4
        table.moves(seat, "head", wall.next("head"))
        assert (table.plan.drawable, table.hand.life) == (3 - last, "last_draws")
        if last == 1:
            before = table.plan
            table.say(facts.SetAside(seat=seat, tile="5z"))
            assert (table.plan, table.hand.owed) == (before, ())
    assert table.plan.next_draw is None
    assert table.plan.gold_marker == marker, "the marker is never reached"
    assert sum(table.left) == table.plan.reserve == 23
    table.say(facts.Exhausted(), facts.Settled())
    assert (table.hand.life, table.state.game.dealer) == ("closed", 1)
    if way == "people":
        assert set(table.kinds) == {"fits"}


def test_with_128_tiles_the_marker_lies_on_the_ninth_column_too():
    small = find_preset("fuzhou-128")
    state, seq = State(), 0
    said: list[AnyFact] = [
        facts.GameStarted(preset=small.name, digest=small.digest, seats=(0, 1, 2, 3)),
        facts.Raised(), facts.Dice(pips=(2, 3)), OPENED, facts.Dealt(),
    ]  # fmt: skip
    tiles = ("1z", "2z", "3z", "4z", "7z", "1z", "2z", "3z", "4z", "7z", "1z")
    for n, tile in enumerate(tiles):
        said += [facts.SetAside(seat=n % 4, tile=tile), facts.Drawn(seat=n % 4, end="tail")]
    said.append(facts.Shown(place=Place(0, 1, "on"), tile="5p", why="gold"))
    for seq, fact in enumerate(said, start=1):
        state, verdict = fold({small.digest: small}, state, entry(seq, fact))
        assert verdict.kind == "fits", verdict
    plan = plan_of(small, state.hand)
    assert (plan.head, plan.tail, plan.drawable, plan.last_draw.p) == (65, 12, 33, 97)
    # Column 49 of the order from the break: side 0 columns 6-16, side 3, side 2, then side 1.
    assert (plan.gold_marker.side, plan.gold_marker.column) == (1, 49 - 11 - 32 + 1)


def test_the_page_with_twenty_six_from_the_tail_and_one_quad():
    """N = 144, H = 65, T = 26, one quad: reserve 20, D = 33, last p97, column 49 (rules, 11)."""
    table, wall = Table("people"), Wall()
    table.say(facts.Dealt())
    like = ("1z", "1z", "1z", "1z")
    more = ("2z", "3z", "4z", "5z", "6z", "7z")
    seats = [(E, tile) for tile in like] + [(1 + n % 3, more[n % 6]) for n in range(18)]
    seats += [(S, "5f"), (W, "6f"), (N, "7f")]
    for seat, tile in seats:
        table.say(facts.SetAside(seat=seat, tile=tile))
        table.moves(seat, "tail", wall.next("tail"))
    table.say(facts.Shown(place=Place(1, 1, "on"), tile="5p", why="gold"))
    assert table.row == Row(65, 26, 20, 53, 33, 97, (1, 1))


def test_a_gold_that_is_a_flower_goes_to_the_dealer_and_counts_at_once():
    table = Table("people")
    table.say(facts.Dealt())
    wall = Wall()
    for tile in ("1z", "1z", "1z"):
        table.say(facts.SetAside(seat=E, tile=tile))
        table.moves(E, "tail", wall.next("tail"))
    gold = Place(1, 1, "on")
    table.say(facts.Shown(place=gold, tile="1z", why="gold"))
    assert (table.hand.life, table.hand.quads, table.hand.aside[E]) == ("flowering", 1, ("1z",) * 4)
    assert (table.hand.owed, table.hand.tail, table.plan.reserve) == ((), 4, 20)
    table.say(facts.Shown(place=gold, tile="5p", why="gold"))
    assert (table.hand.life, table.hand.tail) == ("playing", 5)
    assert table.hand.turn == Turn("act", E)
