"""A hand played on paper: any rule, random but possible, with the truth after every event.

The wall is a plain list, tiles are really taken out of it; nothing of the program's geometry is
used. It makes recorded hands (`record`) and knows what is gone and turned after each event.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tablectl.core.preset import Preset

Event = list[Any]


@dataclass(frozen=True)
class Truth:
    """After an event: tiles gone from head and tail, indicators turned by kongs, tiles to draw."""

    head: int
    tail: int
    turned: int
    drawable: int


@dataclass
class Played:
    """A record's line as a dict, and the truth after the deal and after each event."""

    record: dict[str, Any]
    truth: list[Truth]
    start: Truth
    dealt: list[int]
    """p of the tiles dealt, in the order in which they were taken."""
    taken: list[tuple[int, int]]
    """(event, p) of each draw and of each gold turned."""

    @property
    def line(self) -> str:
        return json.dumps(self.record, ensure_ascii=False)


@dataclass
class Paper:
    """One table on paper."""

    rules: Preset
    rng: random.Random
    wins: float = 0.03
    calls: float = 0.3
    kongs: float = 0.9
    grouped: float = 0.0
    """Share of kinds whose tiles lie side by side: makes kongs frequent."""
    wall: list[str] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    standing: set[int] = field(default_factory=set)
    head: int = 0
    tail: int = 0
    turned: int = 0
    grown: int = 0
    kongs_made: int = 0
    due: int = 0
    hands: list[list[str]] = field(default_factory=list)
    pons: list[list[str]] = field(default_factory=list)
    opened: list[bool] = field(default_factory=list)
    riichi: list[bool] = field(default_factory=list)
    fever: set[int] = field(default_factory=set)
    flowers: list[list[str]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    truth: list[Truth] = field(default_factory=list)
    dealt: list[int] = field(default_factory=list)
    taken: list[tuple[int, int]] = field(default_factory=list)

    # ── the wall ──

    def build(self, dealer: int) -> None:
        """Shuffle, and deal as the rule deals; the dealer's first draw is left to be an event."""
        rules = self.rules
        self.wall = [tile.code for tile in rules.tiles.elements()]
        self.rng.shuffle(self.wall)
        self.group()
        n = len(self.wall)
        self.standing = set(range(n))
        players = rules.players
        self.hands = [[] for _ in range(players)]
        self.pons = [[] for _ in range(players)]
        self.flowers = [[] for _ in range(players)]
        self.opened = [False] * players
        self.riichi = [False] * players
        seats = [(dealer + i) % players for i in range(players)]
        at = 0
        for each in rules.dealing.rounds:
            for seat in seats:
                self._give(seat, range(at, at + each))
                at += each
        jump = {"adjacent": 2, "skip": 4}.get(rules.dealing.last, 0) if players == 3 else 0
        first = at
        if rules.dealing.last != "none":
            line = list(range(at, at + 6))
            if jump and at + jump < n:
                first = at + jump
                line.remove(first)
            else:
                first = at + players
            for seat in seats:
                self._give(seat, [line.pop(0)])
        rest = sorted(self.standing - {first})
        self.order = [first, *rest]
        self.head = n - len(self.standing)

    def group(self) -> None:
        kinds = sorted({tile[:2] for tile in self.wall})
        chosen = [kind for kind in kinds if self.rng.random() < self.grouped]
        fours = [[t for t in self.wall if t[:2] == kind] for kind in chosen]
        rest = [[t] for t in self.wall if t[:2] not in chosen]
        parts = [*(four for four in fours), *(rest[i : i + 4] for i in range(0, len(rest), 4))]
        flat = [
            [t for one in part for t in (one if isinstance(one, list) else [one])] for part in parts
        ]
        self.rng.shuffle(flat)
        self.wall = [tile for part in flat for tile in part]

    def _give(self, seat: int, places: Any) -> None:
        for p in places:
            self.hands[seat].append(self.wall[p])
            self.standing.remove(p)
            self.dealt.append(p)

    def behind(self) -> list[int]:
        """Replacements still there: columns from the end, in each the first row first."""
        n, first = len(self.wall), self.rules.replacements.first
        pairs = ((c - 1, c) if first == "upper" else (c, c - 1) for c in range(n - 1, 0, -2))
        back = [p for pair in pairs for p in pair]
        most = self.rules.replacements.count or n
        return [p for p in back[:most] if p in self.standing]

    def indicator(self, number: int) -> int:
        """p of indicator `number`, counted from 0: on top of its column from the end."""
        return len(self.wall) - 2 * (self.rules.indicators.column + number)

    @property
    def open(self) -> int:
        return self.rules.indicators.start + self.turned

    def drawable(self) -> int:
        policy = self.rules.reserve.policy
        if policy == "neighbour":
            end = self.indicator(self.open - 1)
            return sum(p < end for p in self.standing)
        return len(self.standing) - self.rules.reserve.tiles - self.grown

    # ── playing ──

    def note(self, *event: Any) -> None:
        self.events.append(list(event))
        self.truth.append(Truth(self.head, self.tail, self.turned, self.drawable()))

    def draw(self, seat: int, end: str) -> str:
        p = next(p for p in (self.order if end == "live" else self.behind()) if p in self.standing)
        self.standing.remove(p)
        if end == "live":
            self.head += 1
        else:
            self.tail += 1
        tile = self.wall[p]
        self.hands[seat].append(tile)
        self.taken.append((len(self.events), p))
        self.note("draw", seat, tile, end)
        return tile

    def play(self, dealer: int) -> None:
        """One hand to its end."""
        rules = self.rules
        seat, drawn = dealer, self.draw(dealer, "live")
        if rules.gold.turned != "none":
            self.opening(dealer)
        while True:
            final = self.is_final
            outcome = self.act(seat, drawn, final=final)
            if outcome is None:
                return
            seat = outcome
            if seat >= 0:
                drawn = ""
                continue
            seat = -seat - 1
            if self.drawable() <= 0:
                self.note("exhausted", [0] * max(4, rules.players))
                return
            self.is_final = bool(rules.reserve.final) and self.drawable() <= rules.reserve.final
            drawn = self.draw(seat, "live")

    is_final: bool = False

    def opening(self, dealer: int) -> None:
        """Flowers in rounds from the dealer, then the gold."""
        players, aside = self.rules.players, self.rules.calls.aside
        while any(tile[:2] in aside for hand in self.hands for tile in hand):
            for seat in ((dealer + i) % players for i in range(players)):
                shown = [tile for tile in self.hands[seat] if tile[:2] in aside]
                for tile in shown:
                    self.lay_flower(seat, tile)
                for _ in shown:
                    self.draw(seat, "tail")
        while True:
            p = self.behind()[0]
            self.standing.remove(p)
            self.tail += 1
            tile = self.wall[p]
            flower = tile[:2] in aside
            if flower:
                self.count_flower(dealer, tile)
            self.taken.append((len(self.events), p))
            self.note("gold", tile)
            if not flower:
                return

    def lay_flower(self, seat: int, tile: str, *, counts: bool = True) -> None:
        self.hands[seat].remove(tile)
        if counts:
            self.count_flower(seat, tile)
        self.note("nuki", seat, tile)

    def count_flower(self, seat: int, tile: str) -> None:
        def quads() -> int:
            kinds = Counter(code[:2] for code in self.flowers[seat])
            fours = sum(n == 4 for n in kinds.values())
            for suit in ("1234", "5678"):
                fours += all(kinds[f"{rank}f"] for rank in suit)
            return fours

        before = quads()
        self.flowers[seat].append(tile)
        self.grown += self.rules.reserve.flower_quad * (quads() - before)

    def act(self, seat: int, drawn: str, *, final: bool) -> int | None:
        """The seat has 14 tiles (or has called): what it does until its discard is passed or
        taken. None: the hand is over; ≥ 0: that seat acts without drawing; −1−s: s draws next."""
        rules, rng = self.rules, self.rng
        players = rules.players
        called = not drawn
        while not called:
            if rng.random() < self.wins * (10 if seat in self.fever else 1):
                self.win(seat, seat)
                if seat not in self.fever:
                    return None
                # The hand goes on: the winning tile is laid aside, the next seat draws.
                self.hands[seat].remove(drawn)
                self.turn_due()
                return -1 - (seat + 1) % players
            flower = next((t for t in self.hands[seat] if t[:2] in rules.calls.aside), None)
            if (
                flower is not None
                and self.may_replace(final=final)
                and self.free(seat, drawn, flower)
            ):
                self.lay_flower(seat, flower)
                taker = self.claim_aside(seat, flower)
                if taker is not None:
                    return taker if taker >= 0 else None
                drawn = self.draw(seat, "tail")
                continue
            if flower is not None and final and rules.reserve.policy == "growing":
                self.lay_flower(seat, flower, counts=False)
                continue
            if self.own_kong(seat, drawn, final=final):
                drawn = self.draw(seat, "tail")
                continue
            break
        if final and rules.reserve.policy == "growing":
            return -1 - (seat + 1) % players
        if not called and not self.opened[seat] and not self.riichi[seat] and rng.random() < 0.1:
            self.riichi[seat] = True
            if rules.calls.fever and rng.random() < 0.5:
                self.fever.add(seat)
            self.note("fever" if seat in self.fever else "riichi", seat)
            tile = rng.choice(self.hands[seat])
        else:
            tile = drawn if self.riichi[seat] else rng.choice(self.hands[seat])
        self.hands[seat].remove(tile)
        self.note("discard", seat, tile)
        return self.after_discard(seat, tile)

    def after_discard(self, seat: int, tile: str) -> int | None:
        rules, rng = self.rules, self.rng
        players = rules.players
        others = [(seat + i) % players for i in range(1, players)]
        winners = [s for s in others if rng.random() < self.wins * (10 if s in self.fever else 0.5)]
        if winners:
            winners = winners[: rules.winning.together]
            for winner in winners:
                self.win(winner, seat)
            if not self.fever.intersection(winners):
                return None
            self.turn_due()
            return -1 - (seat + 1) % players
        self.turn_due()
        last = self.drawable() <= (rules.reserve.final or 0)
        for other in others:
            same = [t for t in self.hands[other] if t[:2] == tile[:2] and "x" not in t]
            few = len(self.hands[other]) < 5
            if self.riichi[other] or few or last or "x" in tile or rng.random() > self.calls:
                continue
            if len(same) >= 3 and self.may_kong(final=False) and rng.random() < self.kongs:
                for own in same[:3]:
                    self.hands[other].remove(own)
                self.opened[other] = True
                self.note_kong(other, "open")
                drawn = self.draw(other, "tail")
                return self.continue_as(other, drawn)
            if len(same) >= 2:
                for own in same[:2]:
                    self.hands[other].remove(own)
                self.opened[other] = True
                self.pons[other].append(tile[:2])
                self.note("pon", other, seat)
                return other
            if rules.calls.chi and other == others[0] and tile[1] in "mps":
                rank = int(tile[0])
                for a, b in ((-2, -1), (-1, 1), (1, 2)):
                    run = [
                        next((t for t in self.hands[other] if t[:2] == f"{rank + d}{tile[1]}"), "")
                        for d in (a, b)
                    ]
                    if all(run):
                        for own in run:
                            self.hands[other].remove(own)
                        self.opened[other] = True
                        self.note("chi", other, seat)
                        return other
        return -1 - (seat + 1) % players

    def continue_as(self, seat: int, drawn: str) -> int | None:
        return self.act(seat, drawn, final=self.is_final)

    def claim_aside(self, seat: int, tile: str) -> int | None:
        """Another seat wins on or pons a tile set aside; −1: the hand is over."""
        rules, rng = self.rules, self.rng
        players = rules.players
        for other in ((seat + i) % players for i in range(1, players)):
            if "ron" in rules.calls.aside_claims and rng.random() < self.wins / 2:
                if other in self.fever:
                    continue
                self.win(other, seat)
                return -1
            same = [t for t in self.hands[other] if t == tile and "x" not in t]
            if (
                "pon" in rules.calls.aside_claims
                and len(same) >= 2
                and not self.riichi[other]
                and len(self.hands[other]) >= 5
                and rng.random() < self.calls
            ):
                for own in same[:2]:
                    self.hands[other].remove(own)
                self.opened[other] = True
                self.pons[other].append(tile[:2])
                self.turn_due()
                self.note("pon", other, seat)
                return other
        return None

    def free(self, seat: int, drawn: str, tile: str) -> bool:
        return not self.riichi[seat] or tile == drawn

    def may_replace(self, *, final: bool) -> bool:
        if final or not self.behind():
            return False
        if self.rules.reserve.policy == "neighbour":
            return True
        return self.drawable() > 0

    def may_kong(self, *, final: bool) -> bool:
        rules = self.rules
        if final or not self.behind() or self.kongs_made >= rules.calls.kongs:
            return False
        if self.drawable() <= (rules.reserve.final or 0) and rules.reserve.policy != "neighbour":
            return False
        if rules.reserve.policy == "neighbour":
            top = self.indicator(self.open + self.due)
            return not rules.indicators.kongs_turn or (top >= 0 and top in self.standing)
        top = self.indicator(self.open + self.due)
        return rules.reserve.policy != "kept" or (top in self.standing and top > 0)

    def own_kong(self, seat: int, drawn: str, *, final: bool) -> bool:
        few = len(self.hands[seat]) < 6
        if (
            self.riichi[seat]
            or few
            or not self.may_kong(final=final)
            or self.rng.random() > self.kongs
        ):
            return False
        plain = Counter(t[:2] for t in self.hands[seat] if "x" not in t)
        kind = next((k for k, n in plain.items() if n == 4), None)
        if kind is not None:
            self.hands[seat] = [t for t in self.hands[seat] if t[:2] != kind]
            self.note_kong(seat, "concealed")
            return True
        kind = next((k for k in self.pons[seat] if plain[k]), None)
        if kind is not None:
            own = next(t for t in self.hands[seat] if t[:2] == kind and "x" not in t)
            self.hands[seat].remove(own)
            self.pons[seat].remove(kind)
            self.note_kong(seat, "added")
            return True
        return False

    def note_kong(self, seat: int, kind: str) -> None:
        rule, reserve = self.rules.indicators, self.rules.reserve
        self.kongs_made += 1
        self.grown += reserve.concealed_kong if kind == "concealed" else reserve.open_kong
        timing = rule.concealed_kong if kind == "concealed" else rule.open_kong
        self.note("kong", seat, kind)
        if timing == "at_once":
            self.turn_one()
        elif timing == "after_discard":
            self.due += 1

    def turn_due(self) -> None:
        while self.due:
            self.due -= 1
            self.turn_one()

    def turn_one(self) -> None:
        self.turned += 1
        self.note("indicator", self.wall[self.indicator(self.open - 1)])

    def win(self, seat: int, frm: int) -> None:
        ura = []
        if self.riichi[seat] and self.rules.indicators.ura:
            ura = [self.wall[self.indicator(n) + 1] for n in range(self.open)]
        self.note("win", seat, frm, self.open, ura, [0] * max(4, self.rules.players))


def play(rules: Preset, rng: random.Random, **habits: float) -> Played:
    """One random hand of a rule, dealt from a random throw by a random dealer."""
    dealer = rng.randrange(rules.players)
    paper = Paper(rules, rng, **habits)
    paper.build(dealer)
    start = Truth(paper.head, 0, 0, paper.drawable())
    paper.play(dealer)
    dice = [rng.randint(1, 6) for _ in range(rules.breaking.dice * rules.breaking.throws)]
    record = {
        "players": rules.players,
        "dealer": dealer,
        "dice": dice,
        "wall": paper.wall,
        "events": paper.events,
    }
    return Played(record, paper.truth, start, paper.dealt, paper.taken)
