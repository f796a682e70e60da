"""A hand told by people, fact by fact, for tests that say what a rule does at the table."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

from support.histories import entry
from support.paper import shuffled
from tablectl.core import facts
from tablectl.core.census import census
from tablectl.core.facts import AnyFact
from tablectl.core.fold import fold
from tablectl.core.geometry import Plan
from tablectl.core.preset import Preset
from tablectl.core.react import Effect, react
from tablectl.core.record import header_facts, read_record
from tablectl.core.state import Game, Hand, State, Verdict, ground_of, plan_of
from tablectl.core.wall import Place

ON_TOP = Place(0, 1, "on")
"""Where a gold is said to lie; which column it is follows."""


class Told:
    """A game of a rule, its walls up, dice thrown and tiles dealt unless said otherwise."""

    def __init__(
        self,
        rules: Preset,
        *others: Preset,
        dice: Sequence[int] = (3, 4),
        dealer: int = 0,
        dealt: bool = True,
    ) -> None:
        self.rules = rules
        self.book = {one.digest: one for one in (rules, *others)}
        self.effects: list[Effect] = []
        self.state = State()
        self.seq = 0
        self.verdict = Verdict()
        self.say(facts.GameStarted(**game_of(rules, dealer)))
        self.walls(dice, dealt=dealt)

    def walls(self, dice: Sequence[int] = (3, 4), *, dealt: bool = True) -> Told:
        """The next walls come up."""
        self.say(facts.Raised(set="ab"[self.seq % 2]))
        rule = self.rules.breaking
        if dealt:
            for _ in range(rule.throws):
                self.say(facts.Dice(pips=tuple(dice)))
            self.say(facts.Dealt())
        return self

    # ── saying ──

    def say(self, *said: AnyFact) -> Told:
        """Tell facts that are believed."""
        for fact in said:
            assert not self.odd(fact), self.verdict.text
        return self

    def odd(self, fact: AnyFact) -> str:
        """Tell one fact; why it is odd, "" if it is believed."""
        self.seq += 1
        said, before = entry(self.seq, fact), self.state
        self.state, self.verdict = fold(self.book, before, said)
        self.effects = react(before, self.state, said)
        return self.verdict.text if self.verdict.kind == "odd" else ""

    def draw(self, seat: int, end: str | None = None, tile: str | None = None) -> Told:
        return self.say(facts.Drawn(seat=seat, end=end, tile=tile))  # type: ignore[arg-type]

    def discard(self, seat: int, tile: str | None = None) -> Told:
        return self.say(facts.Discarded(seat=seat, tile=tile))

    def kong(self, seat: int, kind: str, tile: str | None = None, frm: int | None = None) -> Told:
        """A kong and its replacement."""
        self.say(facts.Kong(seat=seat, kind=kind, tile=tile, frm=frm))  # type: ignore[arg-type]
        return self.draw(seat, "tail")

    def aside(self, seat: int, tile: str) -> Told:
        """A tile set aside and its replacement."""
        return self.say(facts.SetAside(seat=seat, tile=tile)).draw(seat, "tail")

    def gold(self, tile: str = "5p") -> Told:
        """The gold is turned, which ends the opening."""
        return self.say(facts.Shown(place=ON_TOP, tile=tile, why="gold"))

    def go_on(self, left: int) -> Told:
        """Draws and discards, nothing else, until so many tiles are left to draw; a seat then
        holds the tile it drew."""
        while self.plan.drawable > left:
            seat = self.hand.turn.seat
            assert seat is not None
            if self.hand.turn.word == "act":
                self.discard(seat)
                seat = self.after(seat)
            self.draw(seat)
        assert self.plan.drawable == left
        return self

    def lost(self, *seats: int) -> Told:
        """The hand is won by the seat after the dealer (or by `seats`, if given) and paid."""
        dealer = self.hand.dealer
        self.discard(dealer)
        for seat in seats or (self.after(dealer),):
            self.say(facts.Won(seat=seat, frm=dealer))
        return self.settled()

    def last_hand(self) -> Told:
        """Hands are lost until the last dealer of the last round deals; its walls are up."""
        rounds, players = self.rules.game.rounds, self.rules.players
        for _ in range(rounds * players - 1):
            self.lost().walls()
        return self

    @property
    def question(self) -> str:
        """The kind of the question about the game that is open, "" for none."""
        kinds = [question.id.partition(":")[0] for question in self.state.questions]
        return next((kind for kind in kinds if kind in ("stop", "game", "fault", "dealer")), "")

    def settled(self, *points: int) -> Told:
        return self.say(facts.Settled(points=points))

    # ── looking ──

    def after(self, seat: int) -> int:
        return (seat + 1) % self.rules.players

    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    @property
    def game(self) -> Game:
        assert self.state.game is not None
        return self.state.game

    @property
    def plan(self) -> Plan:
        return plan_of(self.rules, self.hand)

    @property
    def turn(self) -> tuple[str, int | None]:
        return self.hand.turn.word, self.hand.turn.seat

    @property
    def asked(self) -> list[str]:
        """The texts of open questions."""
        return [question.text for question in self.state.questions]

    def tail_places(self) -> list[Place]:
        """The places of the next replacements, in order."""
        wall = ground_of(self.rules, self.hand).wall
        rest = wall.tail(self.rules.replacements.first)[self.hand.tail :]
        return [position.place for position in rest]

    def indicator(self, tile: str = "1p") -> Told:
        """The next kong's indicator is turned."""
        place = self.plan.next_indicator
        assert place is not None
        return self.say(facts.Shown(place=place.place, tile=tile, why="indicator"))


def game_of(rules: Preset, dealer: int = 0) -> dict[str, Any]:
    """A game of a rule as facts tell it; seat n sits at side n."""
    return {
        "preset": rules.base,
        "variant": rules.variant or None,
        "digest": rules.digest,
        "seats": tuple(range(rules.players)),
        "points": rules.play.points,
        "first_dealer": dealer,
    }


def held(rules: Preset, *tiles: str) -> bool:
    """Whether a census of just these tiles, marks and all, finds the set of this rule."""
    return census(rules, random.Random(len(tiles)).sample(tiles, len(tiles))).right


def set_of(**counts: int) -> list[str]:
    """Tiles of a set from ranges and codes, as `set_of(m19=4)` for 1m-9m four times each and
    `set_of(z4=4, p5r=1)`; marked ones are told besides the plain ones of their kind."""
    found: list[str] = []
    for name, n in counts.items():
        suit, ranks, mark = name[0], name[1:].rstrip("rgxd"), name[len(name.rstrip("rgxd")) :]
        if len(ranks) == 2:
            found += [f"{rank}{suit}" for rank in range(int(ranks[0]), int(ranks[1]) + 1)] * n
            continue
        code = f"{ranks}{suit}"
        if mark:
            for _ in range(n):
                found.remove(code)
        found += [code + mark] * n
    return found


def rounds_of(rules: Preset) -> int:
    """How many rounds a game has in which every dealer loses his hand, so that nobody stops it."""
    played = Told(rules)
    for hands in range(1, 20):
        played.lost()
        if played.game.over:
            return hands // rules.players if hands % rules.players == 0 else -1
        played.walls()
    return 0


def start_points(rules: Preset) -> tuple[int, ...]:
    """What each seat has as a game begins."""
    line = {
        "players": rules.players, "dealer": 0,
        "dice": [3, 4] * rules.breaking.throws, "wall": shuffled(rules, random.Random(1)),
        "events": [],
    }  # fmt: skip
    record = read_record(rules, json.dumps(line))
    state = State()
    for seq, fact in enumerate(header_facts(rules, record), 1):
        state, _ = fold({rules.digest: rules}, state, entry(seq, fact))
    assert state.game is not None
    return state.game.points
