"""What people do to hand and wall by any rule, each deed noted; who does what is `course`'s."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from tablectl.core.preset import Preset
from tablectl.people.habits import Habits, Seated
from tablectl.people.log import Flips, Log


class Next(NamedTuple):
    """What a deed leads to: the seat that is next and where it draws from, nowhere after a call;
    or that the hand is `over`."""

    seat: int
    draws: Literal["live", "tail", "over"] | None


OVER: Final = Next(-1, "over")


class Deeds(Log):
    """The hand, the wall and what binds each player. `points`: of each seat before the hand."""

    def __init__(
        self,
        rules: Preset,
        wall: Sequence[str],
        dealer: int,
        rng: random.Random,
        habits: Habits,
        hands: Sequence[Sequence[str]] | None,
        points: Sequence[int],
    ) -> None:
        super().__init__(rules, wall, dealer, hands)
        self.rng = rng
        self.habits = habits
        self.points = points
        self.seats = [Seated() for _ in range(rules.players)]
        self.due = 0
        self.gold = ""
        self.final = False

    @property
    def hands(self) -> list[list[str]]:
        return self.row.hands

    @property
    def pending(self) -> bool:
        """Whether an indicator is not turned yet or a replacement not taken."""
        return self.due > 0 or any(one.owed for one in self.seats)

    def others(self, seat: int) -> list[int]:
        """The other seats in turn."""
        players = self.rules.players
        return [(seat + i) % players for i in range(1, players)]

    def chance(self, share: float) -> bool:
        """Whether something that is done so often is done now; what never is costs no roll."""
        return share > 0 and self.rng.random() < share

    # ── tiles ──

    def draw(self, seat: int, end: str) -> str:
        p = self.row.draw(seat, end)
        tile = self.row.wall[p]
        self.note("draw", seat, tile, end, p=p, pending=self.pending)
        return tile

    def discard(self, seat: int, tile: str) -> None:
        self.hands[seat].remove(tile)
        self.note("discard", seat, tile, pending=self.pending)
        if tile[:2] == self.gold and self.rules.gold.discarder == "self_draw":
            self.seats[seat].limit = "self_draw"

    def lay_aside(self, seat: int, tile: str, *, replaced: bool = True) -> None:
        """Laid aside; four like ones count unless nothing replaces the last of them."""
        self.hands[seat].remove(tile)
        if replaced:
            self.row.count_aside(self.aside[seat], tile)
        self.note("nuki", seat, tile, pending=replaced or self.pending)

    def make_good(self, seat: int) -> None:
        """The replacements that the seat had forgotten are taken, as far as there are any."""
        one = self.seats[seat]
        while one.owed and self.row.may_replace(final=self.final):
            one.owed -= 1
            self.draw(seat, "tail")

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
            else:
                self.gold = tile[:2]
            self.note("gold", tile, p=p)

    # ── calls and kongs ──

    def lay_down(self, seat: int, tiles: Sequence[str]) -> None:
        for tile in tiles:
            self.hands[seat].remove(tile)
        self.seats[seat].opened = True

    def pon(self, seat: int, frm: int, own: Sequence[str]) -> None:
        self.lay_down(seat, own)
        self.seats[seat].pons.append(own[0][:2])
        self.note("pon", seat, frm)

    def own_kong(self, seat: int, drawn: str) -> str | None:
        """Lay down a kong of the seat's own tiles, if it can: `concealed`, or `added` to a pon. In
        riichi only of the tile drawn, and never of the triplet that made a fever."""
        hand, one = self.hands[seat], self.seats[seat]
        plain = Counter(tile[:2] for tile in hand if "x" not in tile)
        kinds = [kind for kind, n in plain.items() if n == 4]
        if one.riichi is not None:
            rank = str(self.rules.riichi.fever_kind) if one.riichi == "fever" else ""
            kinds = [kind for kind in kinds if kind == drawn[:2] and kind[0] != rank]
        if kinds:
            hand[:] = [tile for tile in hand if tile[:2] != kinds[0]]
            return "concealed"
        kind = next((kind for kind in one.pons if plain[kind]), None)
        if kind is None:
            return None
        hand.remove(next(tile for tile in hand if tile[:2] == kind and "x" not in tile))
        one.pons.remove(kind)
        return "added"

    def turn_for(self, timing: str) -> None:
        """The kong stands: its indicator is turned, or is due."""
        if timing == "at_once":
            self.turn_one(pending=True)
        elif timing == "after_discard":
            self.due += 1

    def turn_due(self) -> None:
        while self.due:
            self.due -= 1
            self.turn_one(pending=self.pending)

    def turn_one(self, *, pending: bool) -> None:
        p = self.row.turn_indicator()
        self.note("indicator", self.row.wall[p], p=p, pending=pending)

    # ── riichi ──

    def riichis(self) -> int:
        return sum(one.riichi is not None for one in self.seats)

    def declare(self, seat: int) -> None:
        """Riichi, of a kind that the rule has; what bound a seat until a new one binds no more."""
        calls, one, rule = self.rules.calls, self.seats[seat], self.rules.riichi
        one.riichi = "plain"
        if calls.fever and self.rng.random() < 0.5:
            one.riichi = "fever"
        elif calls.open_riichi and (
            (rule.third_open and self.riichis() > 2) or self.chance(self.habits.opens)
        ):
            one.riichi = "open"
        if one.limit == "riichi":
            one.limit = None
        word = {"plain": "riichi", "open": "open", "fever": "fever"}[one.riichi]
        self.note(word, seat, pending=self.pending)

    def take_back(self, seat: int) -> None:
        """The riichi is taken back; what the rule then leaves is what binds the seat."""
        one, rule = self.seats[seat], self.rules.riichi
        one.riichi = None
        if rule.after_take_back != "free":
            one.limit = rule.after_take_back
        self.note("take_back", seat, rule.take_back_points, pending=self.pending)

    # ── the end ──

    def win(self, seat: int, frm: int, *, way: str | None = None, owed: bool = False) -> None:
        row, rule = self.row, self.rules.indicators
        ura: list[str] = []
        if self.seats[seat].riichi and rule.ura:
            looked = row.open if rule.kong_ura else rule.start
            ura = [row.wall[row.indicator(n) + 1] for n in range(looked)]
        changes = [0] * max(4, self.rules.players)
        said = () if way is None else (way,)
        self.note("win", seat, frm, row.open, ura, changes, *said, pending=owed or self.pending)
        if self.flips is None and not self._won_before():
            self.flip(seat)

    def _won_before(self) -> bool:
        """Whether an earlier tile was won on: what was flipped then, or nothing, stands for all."""
        words = [step.event[0] for step in self.steps]
        while words and words[-1] == "win":
            words.pop()
        return "win" in words

    def flip(self, seat: int) -> None:
        """What is flipped for the first win that reveals; it stays on the wall."""
        rule, in_riichi = self.rules.reveal, self.seats[seat].riichi is not None
        kind = rule.kind if self.row.open and (in_riichi or rule.after == "any") else "none"
        if kind == "tulip":
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

    def exhaust(self) -> None:
        ready = [
            seat
            for seat, one in enumerate(self.seats)
            if not one.dead and (one.riichi is not None or self.rng.random() < 0.4)
        ]
        self.tenpai = tuple(ready)
        self.note("exhausted", [0] * max(4, self.rules.players), pending=self.pending)


def _matches(kind: str, flipped: str, held: str) -> bool:
    """Whether a held tile is hit: by its own kind, under a tulip by a neighbour of its suit too."""
    if flipped[:2] == held[:2]:
        return True
    suited = flipped[1] == held[1] and held[1] in "mps"
    return kind == "tulip" and suited and (int(flipped[0]) - int(held[0])) % 9 in (1, 8)
