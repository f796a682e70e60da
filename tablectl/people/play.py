"""Players at a simulated table: they raise walls, throw, open, deal, play, tap and clear away.

They find everything by walking round the table (`tablesim.lay`) and taking what lies next, never
by the program's geometry: what the program shows can be held against what they did.

    walls up ▶ dice ▶ break ▶ deal ▶ draws, calls, kongs ▶ win ▶ ura, flips ▶ settled ▶ start, in
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from tablectl.core import facts
from tablectl.core.preset import Preset
from tablectl.core.record import Record
from tablectl.core.state import Game, State
from tablectl.core.wall import Place
from tablectl.errors import TablectlError, declare
from tablectl.people import course
from tablectl.people.around import Screen, Tapped, World
from tablectl.people.clumsy import Fingers
from tablectl.people.course import Habits
from tablectl.people.hand import Going, HandPlayed, as_turned, open_at, payment, place_of
from tablectl.people.log import Event, follow
from tablectl.people.raising import Floor, number_for
from tablectl.people.row import Truth
from tablectl.people.taps import LIVE, Deed, tap_for
from tablesim import lay
from tablesim.control import obey
from tablesim.lay import Spot

__all__ = ["HandPlayed", "Players", "Screen", "Tapped", "World"]

NO_GAME: Final = declare(
    "people.no_game",
    "nobody has started a game of {preset} here",
    "Start one: the players sit down when its rule is known.",
)
DEALER: Final = declare(
    "people.dealer",
    "the recorded hand is dealt by seat {record}, the game's dealer is seat {game}",
    "Start a game whose first dealer is that of the record.",
)
LOOKS: Final = 10
"""How often people look whether the table has told by itself, before they tap it."""
ASIDE: Final = ("kita", "nuki", "flower")
OVER: Final = ("win", "exhausted", "abort")


class Players:
    """The people at one table of one rule. `abilities`: what its sensors tell; `pace`: ms between
    two deeds; `touches`: how often the next draw is touched without need; `thorough`: people tap
    draws, discards and calls too; `faces`: they tell faces turned up; `clumsy`: the chance of each
    kind of mistake at each tap."""

    def __init__(
        self,
        rules: Preset,
        world: World,
        screen: Screen,
        rng: random.Random,
        *,
        abilities: frozenset[str],
        pace: int = 600,
        habits: Habits | None = None,
        touches: float = 0.05,
        thorough: bool = False,
        faces: bool = False,
        clumsy: float = 0.0,
    ) -> None:
        self.rules = rules
        self.world = world
        self.screen = screen
        self.rng = rng
        self.abilities = abilities
        self.pace = pace
        self.habits = habits or Habits()
        self.touches = touches
        self.thorough = thorough
        self.faces = faces
        self.clumsy = clumsy
        self.floor = Floor(world, rules, pace)
        self.fingers = Fingers(screen, rng, rules.players, clumsy)

    @property
    def live(self) -> bool:
        """Whether the table sees tiles leave."""
        return not LIVE.isdisjoint(self.abilities)

    async def play_hand(self, record: Record | None = None) -> HandPlayed:
        """Play one hand until it is closed and the next walls come: of whatever the machine stacks,
        or the recorded one. Raises TablectlError `people.*`."""
        self.fingers = Fingers(self.screen, self.rng, self.rules.players, self.clumsy)
        hand = await self._begin(self._game(), record)
        for n in range(len(hand.course.steps)):
            await self._event(hand, n)
            await self.fingers.moment()
        if hand.course.steps[-1].event[0] not in OVER:
            await self.fingers.correct()
            await self._agree(hand, len(hand.course.steps))
            await self._tell("abort", ("abort", "the record ends here"))
        return await self._close(hand)

    # ── walls, dice, break, deal ──

    def _game(self) -> Game:
        game = self.screen.state().game
        if game is None or game.over or game.digest != self.rules.digest:
            raise TablectlError(NO_GAME, preset=self.rules.name)
        return game

    async def _begin(self, game: Game, record: Record | None) -> Going:
        """Up to the tiles dealt and the first indicators turned."""
        table, rules = self.world.table, self.rules
        number = number_for(table.model, rules, dealt=record is None)
        half = ".5>" if table.model.odd_end == "left" else ".5<"
        columns = tuple(f"{n // 2}{half if n % 2 else ''}" for n in number.sides)
        laid = lay.Table(columns)
        lying = None
        if record is not None:
            if record.dealer != game.dealer:
                raise TablectlError(DEALER, record=record.dealer, game=game.dealer)
            walk = open_at(rules, laid, game, record.dice).walk()
            lying = dict(zip(walk, record.wall, strict=True))
        tiles = await self.floor.raise_walls(number, lying)
        own = tuple(2 * n for n in rules.walls.default)
        await self._is_told(
            lambda state: state.hand is not None and state.hand.life == "raised",
            "raised",
            (tiles.name, None if number.sides == own else columns),
        )
        dealt = None
        if number.dealt:
            opening = as_turned(rules, laid, tiles)
            dealt = [
                tiles.out[side * number.dealt : (side + 1) * number.dealt] for side in game.seats
            ]
            await self._tell("opened", values=(opening.side, opening.after))
        else:
            opening = open_at(rules, laid, game, await self._throw(record))
        order = opening.walk()
        wall = [tiles.walls[spot] for spot in order]
        if record is not None:
            played = follow(rules, record)
        else:
            played = course.play(rules, wall, game.dealer, self.rng, self.habits, dealt)
        hand = Going(tiles, opening, played, order)
        if not number.dealt:
            await self._deal(hand)
        for p in played.shown:
            await self._turn(hand, p)
        return hand

    async def _is_told(
        self, shown: Callable[[State], bool], word: str, values: tuple[Any, ...]
    ) -> None:
        """Tap it, unless the table tells it; if it should have and has not, tap it too."""
        deed = Deed(values=values)
        if tap_for(word, deed, self.abilities) is None:
            for _ in range(LOOKS):
                if shown(self.screen.state()):
                    return
                await self.world.wait(self.pace)
        fact = tap_for(word, deed, frozenset())
        assert fact is not None
        await self.fingers.say(fact)

    async def _throw(self, record: Record | None) -> tuple[int, ...]:
        """The dice, thrown as often as the rule says. A table without dice has people's own."""
        table, rule = self.world.table, self.rules.breaking
        thrown: tuple[int, ...] = ()
        for _ in range(rule.throws):
            pips = tuple(self.rng.randint(1, 6) for _ in range(rule.dice))
            if record is not None:
                pips = record.dice[len(thrown) : len(thrown) + rule.dice]
            theirs = table.model.dice == rule.dice
            if theirs:
                if record is not None:
                    obey(table, {"do": "pips", "pips": list(pips)})
                obey(table, {"do": "press", "button": "dice"})
                self.world.did()
                await self.world.wait(table.model.spin + self.pace)
                pips = tuple(n for n in table.machine.pips if n is not None)
            thrown += pips
            if theirs:
                await self._is_told(partial(_shows_dice, thrown), "dice", pips)
            else:
                await self._tell("dice", values=pips, alone=True)
        return thrown

    async def _deal(self, hand: Going) -> None:
        dealt = sorted(hand.course.dealt)
        if self.rules.dealing.first_draw == "dealt":
            dealt.append(hand.course.order[0])
        for p in dealt:
            await self._take(hand, p, self.pace // 4)
        await self.world.wait(self.pace)
        await self._tell("dealt")

    # ── events ──

    async def _event(self, hand: Going, n: int) -> None:
        event, _, p, _ = hand.course.steps[n]
        word = event[0]
        if word == "draw":
            assert p is not None
            await self._draw(hand, n, p)
        elif word == "indicator":
            assert p is not None
            await self._turn(hand, p)
        elif word == "gold":
            assert p is not None
            await self._gold(hand, n, p)
        elif word in OVER:
            await self._over(hand, n)
        else:
            if word in ("riichi", "fever"):
                self._stick(event[1], laid=True)
            await self.world.wait(self.pace)
            before = hand.course.steps[n - 1].event if n else ("",)
            tile = None
            if word == "pon" and before[0] in ASIDE:
                word, tile = "aside_pon", before[2]
            if (word == "kong" or word in ASIDE) and hand.quiet is None:
                hand.quiet = self.fingers.anchor
            await self._tell(word, event, tile=tile)

    async def _draw(self, hand: Going, n: int, p: int) -> None:
        event = hand.course.steps[n].event
        truth, pending = hand.before(n)
        if event[3] == "live" and n and not pending and not self.live:
            rule = self.rules.reserve
            final = 0 < truth.drawable <= rule.final and not hand.final_told
            if final or self.rng.random() < self.touches:
                if final:
                    await self.fingers.correct()
                hand.final_told |= final
                await self._tell("touch", place=hand.place(p), surely=final)
        if event[3] == "live":
            hand.quiet = None
        if hand.order[p] not in hand.taken:
            await self._take(hand, p, self.pace)
        await self._tell("draw", event)

    async def _gold(self, hand: Going, n: int, p: int) -> None:
        await self._take(hand, p, self.pace)
        marker = lay.marker(hand.opening, set(hand.taken), hand.course.reserve[n])
        side, column = marker or (0, 1)
        event = hand.course.steps[n].event
        await self._tell("gold", event, place=Place(side, column, "on"), tile=event[1])

    async def _turn(self, hand: Going, p: int) -> None:
        """An indicator is turned, unless the machine has done so."""
        spot = hand.order[p]
        hand.indicators.append(hand.tiles.walls[spot])
        if spot not in hand.tiles.shown:
            await self._show(spot)
            await self._tell("indicator", place=place_of(spot), tile=hand.tiles.walls[spot])

    # ── the end ──

    async def _over(self, hand: Going, n: int) -> None:
        """A win, after the last of several the ura and the flips; or the hand ends without."""
        steps = hand.course.steps
        event = steps[n].event
        word = event[0]
        another = n > 0 and word == "win" == steps[n - 1].event[0]
        if not another:
            await self.fingers.correct()
            await self._agree(hand, n)
        await self.world.wait(self.pace)
        await self._tell(word, event, values=hand.course.tenpai)
        if word != "win" or (n + 1 < len(steps) and steps[n + 1].event[0] == "win"):
            return
        first = n
        while first and steps[first - 1].event[0] == "win":
            first -= 1
        looked = max(len(steps[at].event[4]) for at in range(first, n + 1))
        await self._look_under(hand, looked)
        flips = hand.course.flips
        if flips is not None and first <= flips.after <= n:
            if flips.stock:
                await self._tell("stock", values=(flips.stock,))
            for p, hits in flips.tiles:
                spot = hand.order[p]
                tile = await self._show(spot)
                await self._tell("flip", place=place_of(spot), tile=tile, hits=hits)
                await self.fingers.moment()

    async def _look_under(self, hand: Going, looked: int) -> None:
        """The ura under so many indicators, from the first."""
        column = self.rules.indicators.column
        for place in lay.indicators(hand.opening, column, looked):
            below = lay.under(hand.opening, place)
            if below is None or below not in hand.tiles.walls or below in hand.tiles.shown:
                continue
            tile = await self._show(below)
            hand.ura.append(tile)
            await self._tell("ura", place=place_of(below), tile=tile)

    async def _agree(self, hand: Going, n: int) -> None:
        """Before the end people look whether the screen shows what lies on the table, and touch
        where the next draw is if it does not: now, or at the time before what is pending."""
        truth, pending = hand.before(n)
        for _ in range(LOOKS if self.live else 1):
            if self._shows(truth):
                return
            await self.world.wait(self.pace)
        taken = set(hand.taken)
        lying = (hand.order[p] for p in hand.course.order)
        touch = facts.HeadAt(place=place_of(next(spot for spot in lying if spot not in taken)))
        await self.fingers.tap(touch, after=hand.quiet if pending else None)
        if not self._shows(truth):
            await self.fingers.tap(facts.TailCount(n=truth.tail))

    def _shows(self, truth: Truth) -> bool:
        hand = self.screen.state().hand
        seen = None if hand is None else (hand.head, hand.tail, hand.turned)
        return seen == (truth.head, truth.tail, truth.turned)

    async def _close(self, hand: Going) -> HandPlayed:
        """Settle, clear the table, and see that the hand is closed."""
        fingers = self.fingers
        await fingers.set_right()
        end = hand.course.steps[-1].event[0]
        state = self.screen.state().hand
        if state is None or state.life not in ("won", "revealing", "settling"):
            end = "void"
            await fingers.tap(facts.Void(why="nobody knows any more what happened"))
        for seat in range(self.rules.players):
            self._stick(seat, laid=False)
        await self._tell("settled", values=payment(hand, self.rules.players, self.rng))
        await self.floor.clear(hand.tiles)
        await fingers.set_right()
        state = self.screen.state().hand
        if state is not None and state.life != "closed":
            end = "void"
            await fingers.tap(facts.Void(why="it was never settled"))
            await fingers.tap(facts.Settled())
        return HandPlayed(
            events=tuple(step.event for step in hand.course.steps),
            truth=hand.course.steps[-1].truth,
            indicators=tuple(hand.indicators),
            ura=tuple(hand.ura),
            end=end if end in OVER or end == "void" else "abort",
            opening=hand.opening,
            taken=tuple(hand.taken),
            taps=fingers.taps,
            corrections=fingers.corrections,
            odd=tuple(fingers.odd),
        )

    # ── hands and fingers ──

    async def _take(self, hand: Going, p: int, pace: int) -> None:
        self.world.table.hands.take(hand.order[p])
        hand.taken.append(hand.order[p])
        self.world.did()
        await self.world.wait(pace)

    async def _show(self, spot: Spot) -> str:
        tile = self.world.table.hands.show(spot)
        self.world.did()
        await self.world.wait(self.pace)
        return tile

    def _stick(self, seat: int, *, laid: bool) -> None:
        side = self._game().seats[seat]
        if bool(self.world.table.machine.sticks >> side & 1) != laid:
            self.world.table.hands.stick(side, laid)
            self.world.did()

    async def _tell(
        self,
        word: str,
        event: Event = (),
        *,
        alone: bool = False,
        surely: bool = False,
        **about: Any,
    ) -> None:
        """Tap what happened, if people do. `alone`: no sensor can tell it."""
        deed = Deed(event=event, **about)
        abilities = frozenset() if alone else self.abilities
        fact = tap_for(word, deed, abilities, thorough=self.thorough, faces=self.faces)
        if fact is not None:
            await self.fingers.say(fact, surely=surely)


def _shows_dice(thrown: tuple[int, ...], state: State) -> bool:
    return state.hand is not None and state.hand.dice == thrown
