"""Recorded hands played on the simulated table: that very wall is built, and hands take the tiles.

A line is one hand (the format is the house's contract, `tablectl replay`): three players take the
108 tiles of sanma, four the 136 of riichi, both with a dead wall of 14 that stays full.

    tiles in ▶ start ▶ walls rise ▶ dice ▶ deal 4-4-4-1 ▶ draws, kongs, indicators ▶ start
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from protocols.codes import Button, Phase
from tablesim.lay import Opening, Spot, deal, indicators, under
from tablesim.lay import Table as Laid
from tablesim.table import Table
from tablesim.tiles import is_tile, normal
from tablesim.tileset import SimError


class Rule(NamedTuple):
    """What lies where by the rule of the recorded hands: columns of each side, tiles, the column
    of the first indicator from the end."""

    columns: tuple[int, int, int, int]
    tiles: int
    indicator: int


KEPT: Final = 14
MOST_TAIL: Final = 8
MOST_TURNED: Final = 4
RULES: Final = {3: Rule((14, 13, 14, 13), 108, 5), 4: Rule((17, 17, 17, 17), 136, 3)}


@dataclass(frozen=True)
class Hand:
    """One recorded hand. `wall` in the order of drawing."""

    players: int
    dealer: int
    dice: tuple[int, ...]
    wall: tuple[str, ...]
    events: tuple[tuple[Any, ...], ...]
    where: str

    @property
    def opening(self) -> Opening:
        """The table with its wall opened as the dice say."""
        laid = Laid([str(n) for n in RULES[self.players].columns])
        return laid.open(self.dealer, sum(self.dice), "walls", range(self.players))

    def lying(self) -> dict[Spot, str]:
        """Which tile lies where before anything is taken."""
        return dict(zip(self.opening.walk(), self.wall, strict=True))


def read(path: Path) -> list[Hand]:
    """The hands of a file. Raises SimError `sim.record`, naming the line."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise _no_hand(str(path), f"cannot be read: {error}") from None
    hands = [
        hand_of(line, f"{path}, line {n}") for n, line in enumerate(lines, start=1) if line.strip()
    ]
    if not hands:
        raise _no_hand(str(path), "there is no hand in it")
    return hands


def hand_of(line: str, where: str) -> Hand:
    """One line as a hand. Raises SimError `sim.record`."""
    try:
        told = json.loads(line)
    except json.JSONDecodeError as error:
        raise _no_hand(where, f"no JSON: {error.msg} at letter {error.pos + 1}") from None
    if not isinstance(told, dict):
        raise _no_hand(where, "a hand is a JSON object")
    missing = [name for name in ("players", "dealer", "dice", "wall", "events") if name not in told]
    if missing:
        raise _no_hand(where, f"it has no {', '.join(missing)}")
    players, dealer, dice = told["players"], told["dealer"], told["dice"]
    if type(players) is not int or players not in RULES:
        raise _no_hand(where, f"players are {players!r}; three or four can be played here")
    if type(dealer) is not int or dealer not in range(players):
        raise _no_hand(where, f"dealer {dealer!r} is no seat of {players} players")
    pips = isinstance(dice, list) and all(type(d) is int and d in range(1, 7) for d in dice)
    if not pips or not 1 <= len(dice) <= 4:
        raise _no_hand(where, f"dice are {dice!r}; one to four show 1 to 6")
    wall, events = told["wall"], told["events"]
    rule = RULES[players]
    if not isinstance(wall, list) or len(wall) != rule.tiles:
        found = len(wall) if isinstance(wall, list) else wall
        raise _no_hand(where, f"the wall has {found!r} tiles; {players} players use {rule.tiles}")
    for tile in wall:
        if not isinstance(tile, str) or not is_tile(_red(tile)):
            raise _no_hand(where, f"{tile!r} in the wall is no tile, or its face is not known")
    if not isinstance(events, list) or not all(isinstance(e, list) and e for e in events):
        raise _no_hand(where, "events are a list of lists, each with its name first")
    hand = Hand(
        players, dealer, tuple(dice), tuple(map(_red, wall)), tuple(map(tuple, events)), where
    )
    for n, event in enumerate(hand.events):
        _check_event(hand, n, event)
    _check_draws(hand)
    return hand


def _red(tile: str) -> str:
    """A red five as the simulated table writes it."""
    return f"5{tile[1:]}r" if tile[:1] == "0" else tile


def _check_event(hand: Hand, n: int, event: tuple[Any, ...]) -> None:
    """Events that move hands say of whom and where from."""
    match event:
        case ("draw", int(seat), _, "live" | "tail", *_) | ("riichi", int(seat), *_):
            good = seat in range(hand.players)
        case ("draw" | "riichi", *_):
            good = False
        case _:
            good = isinstance(event[0], str)
    if not good:
        raise _no_hand(hand.where, f"event {n} is {list(event)!r}")


def _check_draws(hand: Hand) -> None:
    """No more is drawn and turned than lies there."""
    live = sum(event[0] == "draw" and event[3] == "live" for event in hand.events)
    tail = sum(event[0] == "draw" and event[3] == "tail" for event in hand.events)
    turned = sum(event[0] == "indicator" for event in hand.events)
    left = RULES[hand.players].tiles - 13 * hand.players - KEPT
    if live + tail > left or tail > MOST_TAIL or turned > MOST_TURNED:
        what = f"{live} tiles drawn, {tail} from the end, {turned} indicators turned"
        raise _no_hand(hand.where, f"{what}; {left}, {MOST_TAIL} and {MOST_TURNED} are the most")


class Player:
    """Plays hands one after the other on a table whose clock somebody moves. `pace`: ms between
    two deeds of hands."""

    def __init__(self, table: Table, hands: Sequence[Hand], pace: int = 600) -> None:
        self.table = table
        self.pace = pace
        self.played = 0
        self.over = False
        self._next = 0
        self._steps = self._play(list(hands))

    @property
    def due(self) -> int | None:
        """When the next deed is done, None when all hands are over."""
        return None if self.over else max(self._next, self.table.now)

    def advance(self) -> None:
        """Do what is due at the table's time."""
        while not self.over and self.table.now >= self._next:
            try:
                self._next = self.table.now + next(self._steps)
            except StopIteration:
                self.over = True

    # Each step yields the ms until the next one.

    def _play(self, hands: list[Hand]) -> Iterator[int]:
        for hand in hands:
            yield from self._prepare(hand, self._number(hand))
            yield from self._deal_and_play(hand)
            self.played += 1

    def _prepare(self, hand: Hand, number: int) -> Iterator[int]:
        """The tiles of the hand go in, come up as that very wall, and the dice are thrown."""
        machine, hands = self.table.machine, self.table.hands
        top = machine.on_top
        if top is not None and top.phase is Phase.UP:
            while machine.other(top).phase is not Phase.READY:
                yield self.pace
            yield from self._press(Button.START)
        top = machine.on_top
        assert top is not None
        hands.push_in()
        if normal(top.tiles) != normal(hand.wall):
            hands.exchange(top.id, hand.wall)
        if (top.pending or top.active) != number:
            machine.select(number, top.id)
        top.rig(hand.lying())
        yield self.pace
        ours = top
        yield from self._press(Button.START)  # closes the hatch; what waited below rises
        while ours.phase not in (Phase.READY, Phase.UP):
            yield self.pace
        while machine.up is not None and machine.up is not ours:
            yield from self._press(Button.START)
            hands.push_in()
            yield from self._press(Button.START)
        while ours.phase is not Phase.UP:
            yield self.pace
        machine.next_pips = hand.dice
        yield from self._press(Button.DICE)
        yield self.table.model.spin + self.pace

    def _number(self, hand: Hand) -> int:
        """The number that builds walls like the hand's. Raises SimError `sim.record`."""
        rule = RULES[hand.players]
        sides = tuple(2 * n for n in rule.columns)
        for one in self.table.model.numbers:
            if one.tiles == rule.tiles and one.sides == sides:
                return one.number
        raise SimError(
            "sim.record",
            f"the model {self.table.model.name} has no number for this wall",
            "Use a model that has one, such as reader.",
            hand.where,
        )

    def _press(self, button: Button) -> Iterator[int]:
        self.table.machine.press(button)
        yield self.pace

    def _deal_and_play(self, hand: Hand) -> Iterator[int]:
        hands, opening = self.table.hands, hand.opening
        order = opening.walk()
        dealt, left, first = deal(order, hand.players, hand.dealer, (4, 4, 4), "sequence")
        taken = {spot for spots in dealt for spot in spots}
        for spot in order:
            if spot in taken:
                hands.take(spot)
                yield self.pace // 4
        live = iter([first, *(spot for spot in left if spot != first)])
        tail = iter(opening.backwards())
        shown = 0
        places = indicators(opening, RULES[hand.players].indicator, 5)
        hands.show(places[0])
        yield self.pace
        for event in hand.events:
            match event:
                case ("draw", _, _, "live"):
                    hands.take(next(live))
                case ("draw", _, _, "tail"):
                    hands.take(next(tail))
                case ("indicator", *_):
                    shown += 1
                    hands.show(places[shown])
                case ("riichi", seat, *_):
                    hands.stick(seat, True)
                case ("win", _, _, _, [*ura], *_):
                    yield from self._look_under(opening, places[: len(ura)])
                case _:
                    pass
            yield self.pace
        for side in range(4):
            if self.table.machine.sticks >> side & 1:
                hands.stick(side, False)

    def _look_under(self, opening: Opening, places: Iterable[Spot]) -> Iterator[int]:
        for place in places:
            below = under(opening, place)
            if below is not None and self._stands(below):
                self.table.hands.show(below)
                yield self.pace

    def _stands(self, spot: Spot) -> bool:
        up = self.table.machine.up
        return up is not None and spot in up.walls


def _no_hand(where: str, what: str) -> SimError:
    return SimError(
        "sim.record",
        f"no recorded hand: {what}",
        "A record is one JSON object a line with players, dealer, dice, wall and events, as"
        " `tablectl replay --help` says.",
        where,
    )
