"""The course of a hand by any rule: who draws, calls, kongs, sets aside, declares, wins.

Random but possible: people do what they may, as often as their habits say.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tablectl.core.preset import Preset
from tablectl.people.log import Flips, Log, Played

FEVER_WINS: Final = 10
"""How many times likelier a seat under fever wins."""
RUNS: Final = ((-2, -1), (-1, 1), (1, 2))


@dataclass(frozen=True)
class Habits:
    """How often people do what they may. `ready`: how many times likelier a seat in riichi wins."""

    wins: float = 0.006
    calls: float = 0.4
    kongs: float = 0.9
    riichi: float = 0.1
    ready: float = 6.0
    alice: float = 0.5
    aborts: float = 0.002


def play(
    rules: Preset,
    wall: Sequence[str],
    dealer: int,
    rng: random.Random,
    habits: Habits | None = None,
    hands: Sequence[Sequence[str]] | None = None,
) -> Played:
    """One hand decided at random. `wall` in drawing order from the break; `hands` by seat where
    the table has dealt by itself."""
    course = _Course(rules, wall, dealer, rng, habits or Habits(), hands)
    course.play()
    return course.played()


class _Course(Log):
    """A hand that players decide as they go."""

    def __init__(
        self,
        rules: Preset,
        wall: Sequence[str],
        dealer: int,
        rng: random.Random,
        habits: Habits,
        hands: Sequence[Sequence[str]] | None,
    ) -> None:
        super().__init__(rules, wall, dealer, hands)
        self.rng = rng
        self.habits = habits
        self.players = rules.players
        self.growing = rules.reserve.policy == "growing"
        self.pons: list[list[str]] = [[] for _ in range(self.players)]
        self.opened = [False] * self.players
        self.riichi = [False] * self.players
        self.fever: set[int] = set()
        self.due = 0
        self.final = False

    @property
    def hands(self) -> list[list[str]]:
        return self.row.hands

    def others(self, seat: int) -> list[int]:
        """The other seats in turn."""
        return [(seat + i) % self.players for i in range(1, self.players)]

    # ── from the first draw to the last ──

    def play(self) -> None:
        """Play to the end."""
        drawn: str | None = self.draw(self.dealer, "live")
        seat = self.dealer
        if self.rules.gold.turned != "none":
            self.opening()
        while True:
            going = self.act(seat, drawn)
            if going is None:
                return
            seat, draws = going
            drawn = None
            if not draws:
                continue
            if self.row.drawable <= 0:
                self.exhaust()
                return
            self.final = 0 < self.row.drawable <= self.rules.reserve.final
            drawn = self.draw(seat, "live")

    def draw(self, seat: int, end: str) -> str:
        p = self.row.draw(seat, end)
        tile = self.row.wall[p]
        self.note("draw", seat, tile, end, p=p, pending=self.due > 0)
        return tile

    def opening(self) -> None:
        """Flowers in rounds from the dealer, then the gold."""
        aside, dealer = self.rules.calls.aside, self.dealer
        while any(tile[:2] in aside for hand in self.hands for tile in hand):
            for seat in (dealer, *self.others(dealer)):
                shown = [tile for tile in self.hands[seat] if tile[:2] in aside]
                for tile in shown:
                    self.lay_aside(seat, tile)
                for _ in shown:
                    self.draw(seat, "tail")
        flower = True
        while flower:
            p = self.row.turn_gold()
            tile = self.row.wall[p]
            flower = tile[:2] in aside
            if flower:
                self.row.count_aside(self.aside[dealer], tile)
            self.note("gold", tile, p=p)

    def exhaust(self) -> None:
        ready = [s for s in range(self.players) if self.riichi[s] or self.rng.random() < 0.4]
        self.tenpai = tuple(ready)
        self.note("exhausted", [0] * max(4, self.players))

    # ── one turn ──
    #
    # What a turn leads to: (the seat that is next, whether it draws), or None at the hand's end.

    def act(self, seat: int, drawn: str | None) -> tuple[int, bool] | None:
        """The seat has drawn, or has called where `drawn` is None: what it does until its discard
        is passed or taken."""
        rng, after = self.rng, (seat + 1) % self.players
        called = drawn is None
        while drawn is not None:
            if self.wins_with(seat, 1.0):
                self.win(seat, seat)
                if seat not in self.fever:
                    return None
                # The hand goes on: the winning tile is laid aside, the next seat draws.
                self.hands[seat].remove(drawn)
                self.turn_due()
                return after, True
            if rng.random() < self.habits.aborts:
                self.note("abort", "nine kinds", pending=self.due > 0)
                return None
            flower = self.flower(seat, drawn)
            if flower is not None and self.row.may_replace(final=self.final):
                self.lay_aside(seat, flower)
                claimed = self.claim_aside(seat, flower)
                if claimed is not None:
                    return claimed if claimed[0] >= 0 else None
                drawn = self.draw(seat, "tail")
                continue
            if flower is not None and self.final and self.growing:
                self.lay_aside(seat, flower, replaced=False)
                continue
            if self.own_kong(seat):
                drawn = self.draw(seat, "tail")
                continue
            break
        if self.final and self.growing:
            return after, True
        if not called and self.declares(seat):
            tile = rng.choice(self.hands[seat])
        elif drawn is not None and self.riichi[seat]:
            tile = drawn
        else:
            tile = rng.choice(self.hands[seat])
        self.hands[seat].remove(tile)
        self.note("discard", seat, tile, pending=self.due > 0)
        return self.after_discard(seat, tile)

    def wins_with(self, seat: int, share: float) -> bool:
        factor = FEVER_WINS if seat in self.fever else share
        if self.riichi[seat] and seat not in self.fever:
            factor *= self.habits.ready
        return self.rng.random() < self.habits.wins * factor

    def flower(self, seat: int, drawn: str) -> str | None:
        """A tile that the seat sets aside; in riichi only the one that it drew."""
        tile = next((t for t in self.hands[seat] if t[:2] in self.rules.calls.aside), None)
        return tile if not self.riichi[seat] or tile == drawn else None

    def declares(self, seat: int) -> bool:
        """Whether the seat declares riichi, which it then has."""
        if self.opened[seat] or self.riichi[seat] or self.row.drawable < self.players:
            return False
        if self.rng.random() >= self.habits.riichi:
            return False
        self.riichi[seat] = True
        if self.rules.calls.fever and self.rng.random() < 0.5:
            self.fever.add(seat)
        word = "fever" if seat in self.fever else "riichi"
        self.note(word, seat, pending=self.due > 0)
        return True

    # ── discards and calls ──

    def after_discard(self, seat: int, tile: str) -> tuple[int, bool] | None:
        after = (seat + 1) % self.players
        winners = [other for other in self.others(seat) if self.wins_with(other, 0.5)]
        winners = winners[: self.rules.winning.together]
        if winners:
            for winner in winners:
                self.win(winner, seat)
            if not self.fever.intersection(winners):
                return None
            self.turn_due()
            return after, True
        self.turn_due()
        if "x" in tile or self.row.drawable <= self.rules.reserve.final:
            return after, True
        for other in self.others(seat):
            if self.riichi[other] or len(self.hands[other]) < 5:
                continue
            if self.rng.random() > self.habits.calls:
                continue
            same = [t for t in self.hands[other] if t[:2] == tile[:2] and "x" not in t]
            kongs = len(same) >= 3 and self.row.may_kong(0, final=False)
            if kongs and self.rng.random() < self.habits.kongs:
                self.lay_down(other, same[:3])
                self.note_kong(other, "open")
                return self.act(other, self.draw(other, "tail"))
            if len(same) >= 2:
                self.pon(other, seat, same[:2])
                return other, False
            own = self.run(other, tile) if other == after else []
            if own:
                self.lay_down(other, own)
                self.note("chi", other, seat)
                return other, False
        return after, True

    def run(self, seat: int, tile: str) -> list[str]:
        """The seat's own tiles of a chi with this one, none if it has no such."""
        if not self.rules.calls.chi or tile[1] not in "mps":
            return []
        for offsets in RUNS:
            kinds = [f"{int(tile[0]) + offset}{tile[1]}" for offset in offsets]
            own = [next((t for t in self.hands[seat] if t[:2] == kind), "") for kind in kinds]
            if all(own):
                return own
        return []

    def lay_down(self, seat: int, tiles: Sequence[str]) -> None:
        for tile in tiles:
            self.hands[seat].remove(tile)
        self.opened[seat] = True

    def pon(self, seat: int, frm: int, own: Sequence[str]) -> None:
        self.lay_down(seat, own)
        self.pons[seat].append(own[0][:2])
        self.note("pon", seat, frm)

    # ── tiles set aside ──

    def lay_aside(self, seat: int, tile: str, *, replaced: bool = True) -> None:
        """Laid aside; four like ones count unless nothing replaces the last of them."""
        self.hands[seat].remove(tile)
        if replaced:
            self.row.count_aside(self.aside[seat], tile)
        self.note("nuki", seat, tile, pending=replaced or self.due > 0)

    def claim_aside(self, seat: int, tile: str) -> tuple[int, bool] | None:
        """Another seat pons a tile set aside, or wins on it (then -1: the hand is over)."""
        claims = self.rules.calls.aside_claims
        for other in self.others(seat):
            if "ron" in claims and self.rng.random() < self.habits.wins / 2:
                if other in self.fever:
                    continue
                self.win(other, seat, owed=True)
                return -1, False
            same = [t for t in self.hands[other] if t == tile and "x" not in t]
            may = "pon" in claims and len(same) >= 2 and len(self.hands[other]) >= 5
            if may and not self.riichi[other] and self.rng.random() < self.habits.calls:
                self.turn_due()
                self.pon(other, seat, same[:2])
                return other, False
        return None

    # ── kongs and indicators ──

    def own_kong(self, seat: int) -> bool:
        """A kong of the seat's own tiles, concealed or added to a pon."""
        hand = self.hands[seat]
        if self.riichi[seat] or len(hand) < 6 or not self.row.may_kong(self.due, final=self.final):
            return False
        if self.rng.random() > self.habits.kongs:
            return False
        plain = Counter(t[:2] for t in hand if "x" not in t)
        four = next((kind for kind, n in plain.items() if n == 4), None)
        if four is not None:
            self.hands[seat][:] = [t for t in hand if t[:2] != four]
            self.note_kong(seat, "concealed")
            return True
        kind = next((kind for kind in self.pons[seat] if plain[kind]), None)
        if kind is None:
            return False
        hand.remove(next(t for t in hand if t[:2] == kind and "x" not in t))
        self.pons[seat].remove(kind)
        self.note_kong(seat, "added")
        return True

    def note_kong(self, seat: int, kind: str) -> None:
        timing = self.row.count_kong(kind)
        self.note("kong", seat, kind, pending=True)
        if timing == "at_once":
            self.turn_one(pending=True)
        elif timing == "after_discard":
            self.due += 1

    def turn_due(self) -> None:
        while self.due:
            self.due -= 1
            self.turn_one(pending=self.due > 0)

    def turn_one(self, *, pending: bool) -> None:
        p = self.row.turn_indicator()
        self.note("indicator", self.row.wall[p], p=p, pending=pending)

    # ── wins ──

    def win(self, seat: int, frm: int, *, owed: bool = False) -> None:
        row = self.row
        ura: list[str] = []
        if self.riichi[seat] and self.rules.indicators.ura:
            ura = [row.wall[row.indicator(n) + 1] for n in range(row.open)]
        changes = [0] * max(4, self.players)
        self.note("win", seat, frm, row.open, ura, changes, pending=owed or self.due > 0)
        if self.flips is None:
            self.flip(seat)

    def flip(self, seat: int) -> None:
        """What is flipped for the first win that reveals; it stays on the wall."""
        kind = self.rules.reveal.kind if self.row.open else "none"
        if kind == "tulip" and self.riichi[seat]:
            lives = stock = self.rng.randint(1, 4)
        elif kind == "alice" and self.rng.random() < self.habits.alice:
            lives, stock = 1, 0
        else:
            return
        held = [*self.hands[seat], *self.aside[seat]]
        tiles: list[tuple[int, int]] = []
        for p in self.row.flipped():
            worth = sum(_matches(kind, self.row.wall[p], tile) for tile in held)
            tiles.append((p, worth))
            lives -= worth == 0
            if not lives:
                break
        self.flips = Flips(len(self.steps) - 1, stock, tuple(tiles))


def _matches(kind: str, flipped: str, held: str) -> bool:
    """Whether a held tile is hit: by its own kind, under a tulip by a neighbour of its suit too."""
    if flipped[:2] == held[:2]:
        return True
    suited = flipped[1] == held[1] and held[1] in "mps"
    return kind == "tulip" and suited and (int(flipped[0]) - int(held[0])) % 9 in (1, 8)
