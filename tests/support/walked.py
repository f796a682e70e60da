"""A hand played twice: `plan` counts its places, `tablesim.walked` takes the tiles one by one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from support.presets import random_preset_text
from tablectl.core.geometry import Inputs, Plan, plan
from tablectl.core.preset import Preset, Wareme
from tablectl.core.preset_file import find_preset, read_preset
from tablectl.core.wall import Break, Position, Side
from tablectl.errors import TablectlError
from tablesim import lay
from tablesim.lay import LayError, Opening, Spot
from tablesim.walked import Hand, House

MADE_UP = 60
"""So many rules are made at random; each is read once."""


@cache
def rules_named(name: str) -> Preset:
    """A rule that comes with the program, or `random N`, one made up with that seed."""
    word, _, seed = name.partition(" ")
    if word != "random":
        return find_preset(name)
    return read_preset(random_preset_text(random.Random(int(seed))))


def any_rules(rng: random.Random, name: str) -> Preset:
    """The rule of that name as it is, or with values in which houses differ."""
    if rng.random() < 0.4:
        return rules_named(name)
    side = rng.choice(("opened", "counted", "indicator"))
    return varied(name, side, rng.choice(("reserved", "boundary")), rng.random() < 0.5)


@cache
def varied(name: str, side: str, marker: str, counts: bool) -> Preset:
    """A rule with wareme at that wall, and its gold or its kongs' ura one way or the other."""
    rules = rules_named(name)
    golden = rules.gold.turned != "none"
    side = "counted" if side == "indicator" and not rules.indicators.start else side
    return replace(
        rules,
        wareme=Wareme(2, side),
        reserve=replace(rules.reserve, marker=marker, gold_counts=counts)
        if golden
        else rules.reserve,
        indicators=replace(rules.indicators, kong_ura=counts),
    )


def made_up(rng: random.Random) -> Preset:
    """One of the rules made up at random."""
    return rules_named(f"random {rng.randrange(MADE_UP)}")


def house_of(rules: Preset) -> House:
    """How a house that plays this rule keeps the end of its walls."""
    reserve, shown, back = rules.reserve, rules.indicators, rules.replacements
    return House(
        policy=reserve.policy,
        reserve=reserve.tiles,
        open_kong=reserve.open_kong,
        concealed_kong=reserve.concealed_kong,
        four_like=reserve.flower_quad,
        gold_counts=reserve.gold_counts,
        marker=reserve.marker,
        replacements=back.count,
        from_head=back.source == "head",
        first=back.first,
        indicators=shown.start,
        column=shown.column,
        kongs=rules.calls.kongs if shown.kongs_turn else 0,
        kong_ura=shown.kong_ura,
    )


def spot(position: Position | None) -> Spot | None:
    return position and Spot(position.side, position.column, position.row)


def spots(positions: Iterable[Position]) -> list[Spot]:
    return [Spot(one.side, one.column, one.row) for one in positions]


class Both:
    """One hand of a rule on walls chosen at random, taken by counting and by walking."""

    def __init__(self, rules: Preset, rng: random.Random) -> None:
        self.rules = rules
        self.rng = rng
        self.hand: Hand | None = None
        """None where the walls cannot be opened so; `plan` has refused it too."""
        self.drawn: list[Spot] = []
        self.compared = 0
        self._sit_down()
        opening = self._opened()
        if opening is None:
            return
        if self.inputs.dealt:
            walk = opening.walk()
            self.drawn, left = walk[: self.start.head], walk[self.start.head :]
        else:
            deal = rules.dealing
            hands, left, first = lay.deal(
                opening.walk(), rules.players, self.inputs.dealer, deal.rounds, deal.last
            )
            self.drawn = [*(one for hand in hands for one in hand), first]
        self.inputs = replace(self.inputs, head=self.start.head)
        self.hand = Hand(opening, house_of(rules), left)

    # ── sitting down and opening ──

    def _sit_down(self) -> None:
        rules, rng = self.rules, self.rng
        machine = rules.dealing.machine
        dealt = bool(machine) and rng.random() < 0.1
        tiles = rules.tile_count - (machine * rules.players if dealt else 0)
        empty = rng.randrange(4) if rules.players < 4 and rng.random() < 0.4 else None
        chairs = [side for side in range(4) if side != empty]
        if rng.random() < 0.5:
            chairs = chairs[(turn := rng.randrange(len(chairs))) :] + chairs[:turn]
        while len(chairs) > rules.players:
            chairs.remove(rng.choice(chairs))
        breaking = rules.breaking
        thrown = breaking.dice * breaking.throws
        dice = tuple(rng.randint(1, 6) for _ in range(thrown))
        broke = None
        if rng.random() < 0.2:
            broke = Break(rng.randrange(4), rng.randrange(13))
        self.inputs = Inputs(
            sides=self._sides(tiles, empty, dealt),
            seats=tuple(chairs),
            dealer=rng.randrange(rules.players),
            dice=None if broke and rng.random() < 0.5 else dice,
            broke=broke,
            dealt=dealt,
        )

    def _sides(self, tiles: int, empty: int | None, dealt: bool) -> tuple[Side, ...]:
        """The rule's own walls, or of any lengths, with half columns at either end."""
        rules, rng = self.rules, self.rng
        if rng.random() < 0.35 and not dealt:
            if empty is None:
                return tuple(Side(n) for n in rules.walls.four)
            if rules.walls.three:
                columns = [n for n in rules.walls.three if n]
                columns.insert(empty, 0)
                return tuple(Side(n) for n in columns)
        standing = [side for side in range(4) if side != empty]
        found = dict.fromkeys(range(4), 0)
        for n in range(tiles):
            found[standing[n % len(standing)]] += 1
        for _ in range(rng.choice((0, 0, 6))):
            one, other = rng.sample(standing, 2)
            n = rng.choice((1, 2, 3))
            found[one], found[other] = found[one] + n, found[other] - n
        return tuple(
            Side((n + 1) // 2, rng.choice(("right", "left")) if n % 2 else None)
            for n in found.values()
        )

    def _opened(self) -> Opening | None:
        inputs, breaking = self.inputs, self.rules.breaking
        assert inputs.sides is not None
        assert inputs.seats is not None
        table = lay.Table([side.text for side in inputs.sides])
        self.counted: int | None = None
        try:
            if inputs.dice is not None:
                first = sum(inputs.dice[: breaking.dice])
                after = sum(inputs.dice[breaking.dice :]) if breaking.throws == 2 else None
                if after is not None and breaking.second == "total":
                    after += first
                opening = table.open(
                    inputs.seats[inputs.dealer], first, breaking.count, inputs.seats, after
                )
                self.counted = opening.counted
            if inputs.broke is not None:
                opening = table.open_at(*inputs.broke)
        except LayError:
            self.refused()
            return None
        self.start = plan(self.rules, inputs)
        return opening

    def refused(self, **changed: int) -> None:
        """`plan` refuses what the walker could not do."""
        try:
            plan(self.rules, replace(self.inputs, **changed))
        except TablectlError as error:
            assert error.code.startswith("plan."), error.code
            return
        raise AssertionError(f"{changed or 'the opening'} is planned, but cannot be done")

    # ── playing ──

    def play(self, steps: int) -> None:
        """So many things happen; the two are compared after the deal, at times, and at the end."""
        if self.hand is None:
            return
        if self.rules.gold.turned != "none":
            self.inputs = replace(self.inputs, gold=False)
            for _ in range(self.rng.choice((0, 1, 5, 12, 25, 26))):
                self.take()
            self.compare()
            self.take(gold=True)
        self.compare()
        for _ in range(steps):
            self.happen()
            if self.rng.random() < 0.1:
                self.compare()
        self.compare()

    def happen(self) -> None:
        """Anything that can happen to the walls."""
        rng, calls = self.rng, self.rules.calls
        chance = rng.random()
        if chance < 0.6:
            for _ in range(rng.choice((1, 1, 4, 12))):
                self.draw()
        elif chance < 0.78 and calls.aside:
            self.take()
            if self.rules.reserve.flower_quad and rng.random() < 0.1:
                quads = self.inputs.flower_quads + 1
                self.do(lambda hand: hand.four_like(), flower_quads=quads)
        elif chance < 0.9:
            concealed = rng.random() < 0.5
            name = "concealed_kongs" if concealed else "open_kongs"
            more = {name: getattr(self.inputs, name) + 1}
            if self.do(lambda hand: hand.kong(concealed=concealed), **more):
                self.take()
                if self.rules.indicators.kongs_turn:
                    self.turn()
        elif chance < 0.95 and self.inputs.turned < self._may_be_turned:
            self.turn()

    @property
    def _may_be_turned(self) -> int:
        """As many as kongs were declared; as many as there are where nothing else moves the end."""
        if self.rules.reserve.policy == "neighbour":
            return 99
        return self.inputs.open_kongs + self.inputs.concealed_kongs

    def draw(self) -> bool:
        """The next tile from the head."""
        return self.do(lambda hand: self.drawn.append(hand.draw()), head=self.head + 1)

    def take(self, *, gold: bool = False) -> bool:
        """The next replacement, or the gold."""
        if self.rules.replacements.source == "head":
            return self.draw()
        more: dict[str, int] = {"tail": self.inputs.tail + 1}
        if gold:
            more["gold"] = True
        return self.do(lambda hand: hand.replace(gold=gold), **more)

    def turn(self) -> bool:
        """A kong's indicator."""
        return self.do(lambda hand: hand.turn(), turned=self.inputs.turned + 1)

    @property
    def head(self) -> int:
        assert self.inputs.head is not None
        return self.inputs.head

    def do(self, action: Callable[[Hand], object], **changed: int) -> bool:
        """The walker does it and the inputs say so; or neither can. Whether it was done."""
        assert self.hand is not None
        try:
            action(self.hand)
        except LayError:
            self.refused(**changed)
            return False
        self.inputs = replace(self.inputs, **changed)
        return True

    # ── comparing ──

    def compare(self) -> Plan:
        """Every place of the plan, as the walker finds it."""
        hand, rules, inputs = self.hand, self.rules, self.inputs
        assert hand is not None
        found = plan(rules, inputs)
        opening = hand.opening
        assert (found.break_.side, found.break_.after) == (opening.side, opening.after)
        assert found.drawable == len(hand.usable)
        assert spot(found.next_draw) == (hand.usable[0] if hand.usable else None)
        assert spot(found.last_draw) == (hand.usable[-1] if hand.usable else None)
        assert found.phase == self._phase(len(hand.usable))
        assert spots(found.indicators) == hand.turned
        assert spots(found.ura) == (hand.ura if rules.indicators.ura else [])
        assert spot(found.next_indicator) == hand.next_indicator
        assert spot(found.replacement) == hand.replacement
        staying = None if rules.reserve.policy == "neighbour" else len(hand.reserve)
        assert found.reserve == staying
        marker = found.gold_marker and (found.gold_marker.side, found.gold_marker.column)
        golden = rules.gold.turned != "none" and inputs.gold
        assert marker == (hand.marker if golden else None)
        assert found.wareme == self._wareme(hand)
        if found.reveal is not None and hand.turned:
            flipped = lay.reveal(opening, set(self.drawn), hand.turned[-1], rules.reveal.rows)
            assert spots(found.reveal) == flipped
        assert (found.reveal is None) == (rules.reveal.kind == "none")
        self.compared += 1
        return found

    def _phase(self, left: int) -> str:
        if left == 0:
            return "over"
        return "final" if left <= self.rules.reserve.final else "open"

    def _wareme(self, hand: Hand) -> int | None:
        rule, seats = self.rules.wareme, self.inputs.seats
        assert seats is not None
        if rule.factor == 1:
            return None
        meant = hand.opening.walk()[0].side
        if rule.side == "counted" and self.counted is not None:
            meant = self.counted
        elif rule.side == "indicator":
            meant = hand.turned[0].side
        return lay.sitting(seats, meant)
