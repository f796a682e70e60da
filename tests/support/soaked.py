"""Many hands of one rule at high speed: no daemon, every fact held against the tiles, and which
arrows of the charts were gone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from support.world import World, run
from tablectl.core import facts
from tablectl.core.chart import Chart
from tablectl.core.facts import AnyFact
from tablectl.core.geometry import Plan
from tablectl.core.hand import HAND
from tablectl.core.preset import Preset
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.state import State, Verdict, plan_of
from tablectl.core.turn import TURN
from tablectl.errors import TablectlError
from tablectl.people.habits import WHOLE, Habits
from tablectl.people.mishap import ABORTS, TIMES, How, Mishap, aborts
from tablectl.people.play import HandPlayed, Players
from tablectl.people.raising import can_stack
from tablectl.people.row import Truth
from tablesim import lay
from tablesim.model import MODELS, Model
from tablesim.tileset import TileSet, spots_of

Gone = tuple[str, str, str, str]
"""A chart's name, the state, the trigger, and the state it led to."""

IN_PLAY: Final = ("dealt", "playing", "last_draws", "flowering", "won", "revealing")
BADLY: Final = 0.5
"""The share of walls that are mixed badly."""
BUSY: Final = replace(WHOLE, wins=0.004, calls=0.6, kongs=1.0, riichi=0.2, robs=0.05, voids=0.04)
EAGER: Final = replace(BUSY, wins=0.03, ready=3.0, robs=0.4, opening=0.08, opens=0.5, voids=0.0)
PATIENT: Final = replace(EAGER, wins=0.001, ready=1.0)
LATE: Final = replace(PATIENT, opening=0.0, robs=0.0, late=200.0)
CLUMSY: Final = 0.05
_MOMENTS: Final = (
    ("fuzhou-128", PATIENT),
    ("riichi-3p", replace(EAGER, aborts=0.05)),
    ("ramen-jiro", replace(EAGER, riichi=1.0, ready=30.0)),
)
"""Rules on which hands come to nothing at every moment, and the people who play them."""


class Lost(AssertionError):
    """Something is not as it lies on the table; the sentence says what, and how to see it again."""


def grouped(tiles: list[str], rng: random.Random) -> list[str]:
    """The same tiles, those of some kinds side by side, which makes kongs frequent."""
    kinds = sorted({tile[:2] for tile in tiles})
    chosen = {kind for kind in kinds if rng.random() < 0.4}
    rest = [tile for tile in tiles if tile[:2] not in chosen]
    parts = [[tile for tile in tiles if tile[:2] == kind] for kind in sorted(chosen)]
    parts += [rest[n : n + 4] for n in range(0, len(rest), 4)]
    rng.shuffle(parts)
    return [tile for part in parts for tile in part]


class Kept(World):
    """A room that remembers the state in which the last hand was closed: the next game or the next
    walls may have begun since."""

    closed: State | None = None

    def put(self, fact: AnyFact, key: str, **about: object) -> Verdict:
        before = self.state().hand
        verdict = super().put(fact, key, **about)
        hand = self.state().hand
        if hand is not None and hand.life == "closed":
            news = before is None or before.life != "closed"
            if news or self.closed is not None:
                self.closed = self.state()
        return verdict


class Watched(Kept):
    """A room in which somebody counts the tiles after every fact, with a machine that stacks all
    tiles at once and mixes some of them badly. `careful`: nobody makes mistakes here."""

    def __init__(self, model: Model, *rules: Preset, seed: int = 0, careful: bool = True) -> None:
        self.careful = careful
        self.places = "presence_live" in model.abilities
        self.off: set[Any] = set()
        self.last_draws: set[int] = set()
        super().__init__(model, *rules, seed=seed)
        machine = self.table.machine
        one_by_one = machine._tile

        def at_once(tiles: TileSet) -> None:
            while not machine.jammed and tiles.stack_one():
                pass
            if not tiles.feed and machine.rng.random() < BADLY:
                stacked = [tile for stack in tiles.stacks for tile in stack]
                spots = spots_of(tiles.progress, model)
                tiles.rigged = dict(zip(spots, grouped(stacked, machine.rng), strict=True))
            one_by_one(tiles)

        machine._tile = at_once  # type: ignore[method-assign]

    def put(self, fact: AnyFact, key: str, **about: object) -> Verdict:
        verdict = super().put(fact, key, **about)
        match fact:
            case facts.Raised():
                self.off.clear()
            case facts.Taken():
                self.off.add(fact.place)
            case facts.PutBack():
                self.off.discard(fact.place)
            case _:
                pass
        self.count(fact)
        return verdict

    def count(self, fact: AnyFact) -> None:
        """Every tile is on the walls or gone; where the table sees each, as many as it saw."""
        state = self.state()
        hand, game = state.hand, state.game
        if hand is None or game is None or hand.life not in IN_PLAY or state.deal is None:
            return
        if hand.life == "last_draws":
            self.last_draws.add(hand.number)
        try:
            plan = plan_of(self.history.rulebook[game.digest], hand)
        except TablectlError as error:
            raise Lost(f"after {fact} nothing can lie as it is said to: {error}") from error
        stays = plan.tiles - hand.head - hand.tail - plan.drawable
        if plan.drawable < 0 or stays < 0:
            raise Lost(f"after {fact}: {plan.drawable} to draw, {stays} that stay, {hand}")
        gone = hand.head + hand.tail + len(hand.sensed.early)
        if self.places and self.careful and gone != len(self.off) and not state.questions:
            raise Lost(f"after {fact}: {gone} tiles are said to be gone, {len(self.off)} are")


@dataclass
class Soaked:
    """What became of so many hands."""

    hands: int = 0
    facts: int = 0
    taps: int = 0
    corrections: int = 0
    odd: int = 0
    last_draws: int = 0
    events: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)

    def add(self, played: HandPlayed) -> None:
        self.hands += 1
        self.taps += played.taps
        self.corrections += played.corrections
        self.odd += len(played.odd)
        self.ends[played.end] += 1
        self.events.update(str(event[0]) for event in played.events)

    def __iadd__(self, other: Soaked) -> Soaked:
        for name in ("hands", "facts", "taps", "corrections", "odd", "last_draws"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.events += other.events
        self.ends += other.ends
        return self

    HEAD = (
        f"{'':24} {'hands':>6} {'wins':>6} {'used up':>8} {'void':>5} {'last':>5} {'kongs':>6}"
        f" {'aside':>6} {'corrected':>10} {'taps a hand':>12}"
    )

    def line(self, name: str) -> str:
        """One line of the table under `HEAD`."""
        ends, events = self.ends, self.events
        taps = self.taps / max(1, self.hands)
        return (
            f"{name:24} {self.hands:6} {ends['win']:6} {ends['exhausted']:8}"
            f" {ends['void'] + ends['abort']:5} {self.last_draws:5} {events['kong']:6}"
            f" {events['nuki']:6} {self.corrections:10} {taps:12.1f}"
        )


def names_of(base: str) -> list[str]:
    """The rule and the rule with each of its toppings."""
    return [base, *(f"{base}+{topping.name}" for topping in find_preset(base).toppings)]


def models_for(rules: Preset) -> list[str]:
    """The simulated machines that can stack this rule."""
    return [name for name, model in MODELS.items() if can_stack(model, rules)]


def quick(name: str) -> Model:
    """A machine that nobody has to wait for: soaks are about hands."""
    return replace(MODELS[name], mix=200, stack=1000, rise=2000, spin=200)


def evening(
    rules: Preset,
    seed: int,
    hands: int,
    *,
    clumsy: float = 0.0,
    model: str = "",
    thorough: bool | None = None,
    habits: Habits = BUSY,
    mishaps: Sequence[Mishap] = (),
) -> Soaked:
    """So many hands at one table; all else, which machine too, is decided by the seed. `mishaps`:
    what goes wrong with them one after the other. Raises Lost for what is not as it lies there."""
    rng = random.Random(f"evening {seed}")
    name = model or rng.choice(models_for(rules))
    tells, faces = rng.random() < 0.4, rng.random() < 0.3
    thorough = tells if thorough is None else thorough
    forgets = clumsy if thorough else 0.0
    world = Watched(quick(name), rules, seed=seed, careful=not clumsy)
    sides = rng.sample(range(4), rules.players) if rules.players == 4 else [0, 1, 2]
    world.start(rules, tuple(sides), dealer=rng.randrange(rules.players))
    players = world.players(
        rules, seed, clumsy=clumsy, thorough=thorough, faces=faces,
        habits=replace(habits, forgets=forgets), three=rules.players == 3 and rng.random() < 0.3,
    )  # fmt: skip
    players.mishaps = list(mishaps)
    total = Soaked()
    for n in range(hands):
        try:
            one_hand(rules, world, players, total)
        except (AssertionError, TablectlError) as error:
            how = "clumsily" if clumsy else "well"
            raise Lost(
                f"{rules.name} on {name}, seed {seed}, hand {n + 1}, {how}: {error}"
            ) from error
    total.facts, total.last_draws = world.seq(), len(world.last_draws)
    return total


def scenes(of: int = 0) -> None:
    """Some evenings on which nearly every arrow of the charts is gone: eager people, patient ones,
    clumsy ones, and hands that come to nothing at every moment; `of`: which of many such series.
    Raises Lost like `evening`."""
    of *= 10
    for base in builtin_presets():
        rules = find_preset(base)
        evening(rules, of + 1, 3, model="deaf", thorough=True, habits=EAGER)
        evening(rules, of + 2, 2, model="stock+counts", thorough=True, habits=EAGER)
    evening(find_preset("fuzhou-128"), of + 5, 10, model="deaf", thorough=True, habits=LATE)
    evening(find_preset("riichi-4p"), of + 6, 6, model="presence", thorough=True, clumsy=0.15)
    for base, habits in _MOMENTS:
        rules = find_preset(base)
        evening(rules, of + 3, 4, model="deaf", thorough=True, habits=habits)
        ways: tuple[How, ...] = (
            ("void", "cleared", "abort") if aborts(rules) else ("void", "cleared")
        )
        cases = [Mishap(when, how) for when in TIMES[:-1] for how in ways]
        cases = [one for one in cases if one.how != "abort" or one.when in ABORTS]
        cases.append(Mishap("settling", "cleared"))
        evening(
            rules,
            of + 4,
            len(cases),
            model="presence",
            thorough=False,
            habits=habits,
            mishaps=cases,
        )


def one_hand(rules: Preset, world: Kept, players: Players, total: Soaked) -> None:
    """One hand; the boundary that is shown in the end is where the hand really ended."""
    world.closed = None
    [played] = run(players)
    total.add(played)
    now = world.state()
    assert now.hand is None or now.hand.life in ("closed", "raised"), f"it is {now.hand.life}"
    assert not now.questions, f"something is still asked: {now.questions}"
    if world.closed is None and played.end == "void":
        return  # walls that nobody opened
    assert world.closed is not None, "the hand was never closed"
    hand = world.closed.hand
    assert hand is not None
    if not players.clumsy:
        assert not played.odd, f"what really happened was odd: {played.odd}"
        assert not world.odd, f"what sensors saw was odd: {world.odd}"
    assert hand.end == played.end, f"{hand.end} is shown, it ended as {played.end}"
    if played.truth is None:
        return
    plan = plan_of(rules, hand)
    shown = Truth(hand.head, hand.tail, hand.turned, plan.drawable)
    assert shown == played.truth, f"{shown} is shown, {played.truth} lies there, {hand.end}"
    lies_there(rules, plan, played)


def lies_there(rules: Preset, plan: Plan, played: HandPlayed) -> None:
    """Somebody who walks round the table finds the next draw, the indicators and the gold where the
    plan has them."""
    opening, taken = played.opening, set(played.taken)
    assert opening is not None
    assert played.truth is not None
    at = plan.next_draw
    if at is not None:
        first = next(spot for spot in opening.walk() if spot not in taken)
        assert (at.side, at.column, at.row) == first
    turned = rules.indicators.start + plan.turned
    lying = lay.indicators(opening, rules.indicators.column, turned) if turned else []
    assert [(one.side, one.column, one.row) for one in plan.indicators] == lying
    if plan.gold_marker is not None and rules.reserve.marker == "reserved":
        stays = plan.tiles - plan.head - plan.tail - plan.drawable
        # A column of which only the upper tile was drawn is none that is wholly reserved.
        there = lay.marker(opening, set(opening.backwards()[: plan.tail]), stays)
        assert (plan.gold_marker.side, plan.gold_marker.column) == there, "the gold lies elsewhere"


# ── arrows of the charts ────────────────────────────────────────────────────────────────────────


NEVER: Final[dict[tuple[str, str, str], str]] = {
    ("hand", "raised", "aborted"): "nobody aborts a hand before tiles are dealt",
    ("hand", "opened", "aborted"): "nobody aborts a hand before tiles are dealt",
    ("hand", "flowering", "aborted"): "no rule with an opening of flowers knows aborted hands",
    ("hand", "last_draws", "aborted"): "no rule with last draws knows aborted hands",
    ("hand", "raised", "deal_down"): "a hand that was never opened goes with its walls",
    ("hand", "closed", "deal_down"): "a closed hand asks nothing as its walls go",
    ("turn", "aside_window", "set_aside"): "people replace a tile before they lay the next one",
    ("turn", "kong_window", "set_aside"): "people replace a tile before they lay the next one",
    ("turn", "owed", "set_aside"): "people replace a tile before they lay the next one",
    ("hand", "opened", "won"): "a win shows that the hand was being played",
    ("hand", "dealt", "won"): "a win shows that the hand was being played",
    ("hand", "flowering", "won"): "a win shows that the gold was turned",
}
"""Arrows (chart, state, trigger) that no hand of these people takes, and why."""


@contextmanager
def arrows() -> Iterator[Counter[Gone]]:
    """Count the arrows of all charts that are gone meanwhile."""
    gone: Counter[Gone] = Counter()
    plain = Chart.next

    def counted(chart: Chart, state: str, trigger: str, guards: Collection[str] = ()) -> Any:
        to = plain(chart, state, trigger, guards)
        if isinstance(to, str):
            gone[chart.name, state, trigger, to] += 1
        return to

    Chart.next = counted  # type: ignore[method-assign]
    try:
        yield gone
    finally:
        Chart.next = plain  # type: ignore[method-assign]


def all_arrows() -> set[Gone]:
    """Every arrow of a hand's life and of the turn that some hand can take."""
    return {
        (chart.name, state, trigger, to)
        for chart in (HAND, TURN)
        for state in chart.states
        for trigger in chart.triggers
        for _, to in chart.ways(state, trigger)
        if (chart.name, state, trigger) not in NEVER
    }
