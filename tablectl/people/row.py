"""A wall as a row of tiles in drawing order, from which tiles are really taken.

The slow obvious way, on purpose a second time: nothing of the program's geometry is used, so that
tests can hold the two against each other. Columns are whole: p = 2c lies over p = 2c + 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablectl.core.preset import Preset


@dataclass(frozen=True)
class Truth:
    """After an event: tiles gone from head and tail, indicators turned by kongs, tiles to draw."""

    head: int
    tail: int
    turned: int
    drawable: int


class Row:
    """The wall of one hand. `hands`: what each seat holds, by seat, where the table has dealt by
    itself; the wall is then what is left."""

    def __init__(
        self, rules: Preset, wall: Sequence[str], hands: Sequence[Sequence[str]] | None = None
    ) -> None:
        self.rules = rules
        self.wall = tuple(wall)
        self.order: list[int] = list(range(len(wall)))
        self.standing = set(self.order)
        self.hands: list[list[str]] = [list(hand) for hand in hands or ()]
        self.by_machine = hands is not None
        self.head = self.tail = self.turned = self.kongs = self.grown = self.golds = 0
        self.dealt: list[int] = []
        """p of the tiles dealt, in the order in which they are taken."""

    # ── dealing ──

    def deal(self, dealer: int) -> None:
        """Deal as the rule deals; the dealer's first draw is left to be an event."""
        if self.by_machine:
            return
        rules = self.rules
        players = rules.players
        seats = [(dealer + i) % players for i in range(players)]
        self.hands = [[] for _ in range(players)]
        at = 0
        for each in rules.dealing.rounds:
            for seat in seats:
                self._give(seat, range(at, at + each))
                at += each
        first = at
        if rules.dealing.last != "none":
            reach = {"adjacent": 2, "skip": 4}.get(rules.dealing.last, 0) if players == 3 else 0
            jumps = bool(reach) and at + reach < len(self.wall)
            first = at + (reach if jumps else players)
            singles = (p for p in range(at, at + 2 * players) if p != first)
            for seat in seats:
                self._give(seat, (next(singles),))
        self.order = [first, *sorted(self.standing - {first})]
        self.head = len(self.wall) - len(self.standing)

    def _give(self, seat: int, places: Iterable[int]) -> None:
        for p in places:
            self.hands[seat].append(self.wall[p])
            self.standing.remove(p)
            self.dealt.append(p)

    # ── where things are ──

    @property
    def next_live(self) -> int:
        """p of the next draw, or of what lies beside the last one."""
        return next(p for p in self.order if p in self.standing)

    def behind(self) -> list[int]:
        """Replacements still there: columns from the end, in each the first row first."""
        n, rule = len(self.wall), self.rules.replacements
        pairs = ((c - 1, c) if rule.first == "upper" else (c, c - 1) for c in range(n - 1, 0, -2))
        back = [p for pair in pairs for p in pair]
        return [p for p in back[: rule.count or n] if p in self.standing]

    def indicator(self, number: int) -> int:
        """p of indicator `number`, counted from 0: on top of its column from the end."""
        return len(self.wall) - 2 * (self.rules.indicators.column + number)

    @property
    def open(self) -> int:
        """Indicators that lie open."""
        return self.rules.indicators.start + self.turned

    @property
    def reserve(self) -> int:
        """Tiles that stay in the wall, with what kongs and four like flowers have added; the gold
        that lies on it is not in the wall. A shrinking one has lost what was taken from the end but
        for one tile for each kong."""
        rule = self.rules.reserve
        shrunk = self.tail - self.kongs if rule.policy == "shrinking" else 0
        return rule.tiles + self.grown - (rule.gold_counts and self.golds > 0) - shrunk

    @property
    def drawable(self) -> int:
        if self.rules.reserve.policy == "neighbour":
            end = self.indicator(self.open - 1)
            return sum(p < end for p in self.standing)
        return len(self.standing) - self.reserve

    @property
    def truth(self) -> Truth:
        return Truth(self.head, self.tail, self.turned, self.drawable)

    def flipped(self) -> list[int]:
        """What can be flipped after a win: from the column beside the last open indicator towards
        the head, the upper row or both."""
        both = self.rules.reveal.rows == "both"
        tops = range(self.indicator(self.open - 1) - 2, -1, -2)
        rows = (p for top in tops for p in ((top, top + 1) if both else (top,)))
        return [p for p in rows if p in self.standing]

    # ── taking ──

    def draw(self, seat: int, end: str) -> int:
        """A seat takes the next tile from the head (`live`) or the next replacement; its p."""
        if end == "live" or self.rules.replacements.source == "head":
            p = self.next_live
            self.head += 1
        else:
            p = self.behind()[0]
            self.tail += 1
        self.standing.remove(p)
        self.hands[seat].append(self.wall[p])
        return p

    def turn_gold(self) -> int:
        """The next replacement is turned as gold; its p."""
        p = self.behind()[0]
        self.standing.remove(p)
        self.tail += 1
        self.golds += self.wall[p][:2] not in self.rules.calls.aside
        return p

    def turn_indicator(self) -> int:
        """The next indicator is turned; its p."""
        self.turned += 1
        return self.indicator(self.open - 1)

    def count_kong(self, kind: str) -> str:
        """A kong is declared; when the rule turns its indicator."""
        rule, reserve = self.rules.indicators, self.rules.reserve
        concealed = kind == "concealed"
        self.kongs += 1
        self.grown += reserve.concealed_kong if concealed else reserve.open_kong
        return rule.concealed_kong if concealed else rule.open_kong

    def uncount_kong(self, kind: str) -> None:
        """The kong was robbed: it is none."""
        self.kongs -= 1
        reserve = self.rules.reserve
        self.grown -= reserve.concealed_kong if kind == "concealed" else reserve.open_kong

    def count_aside(self, aside: list[str], tile: str) -> None:
        """A seat lays one more tile to those it has set aside; four like ones may count."""
        before = self._quads(aside)
        aside.append(tile)
        self.grown += self.rules.reserve.flower_quad * (self._quads(aside) - before)

    def uncount_aside(self, aside: list[str], tile: str) -> None:
        """The tile laid aside last is another's: it was called, or won on."""
        before = self._quads(aside)
        aside.remove(tile)
        self.grown -= self.rules.reserve.flower_quad * (before - self._quads(aside))

    def _quads(self, aside: Sequence[str]) -> int:
        kinds = Counter(code[:2] for code in aside)
        like = sum(n == 4 for n in kinds.values())
        return like + sum(all(kinds[kind] for kind in four) for four in self.rules.calls.like_fours)

    # ── what may be done ──

    def may_replace(self, *, final: bool, grows: int = 0) -> bool:
        """Whether a tile set aside is replaced; `grows`: four like ones with which it makes the
        reserve grow."""
        rule = self.rules.reserve
        if (final and rule.final_flower == "kept") or not self.behind():
            return False
        if rule.policy == "growing":
            return self.drawable > rule.flower_quad * grows
        return rule.policy in ("neighbour", "shrinking") or self.drawable > 0

    def fours(self, aside: Sequence[str], tile: str) -> int:
        """How many sets of four like ones a tile completes among those set aside."""
        return self._quads([*aside, tile]) - self._quads(aside)

    def may_kong(self, due: int, *, final: bool) -> bool:
        """Whether a kong may be declared with `due` indicators yet to be turned."""
        rules = self.rules
        if final or not self.behind() or self.kongs >= rules.calls.kongs:
            return False
        top = self.indicator(self.open + due)
        there = top > 0 and top in self.standing
        if rules.reserve.policy == "neighbour":
            return there or not rules.indicators.kongs_turn
        if self.drawable <= rules.reserve.final:
            return False
        return there or rules.reserve.policy == "growing"
