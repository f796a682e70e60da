"""People at a simulated table: their hands, which take and turn tiles, and what they tap."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from tablectl.core import facts
from tablectl.core.preset import Preset
from tablectl.core.record import Record
from tablectl.core.state import Game, State
from tablectl.errors import TablectlError, declare
from tablectl.people.around import Screen, World
from tablectl.people.clumsy import Fingers
from tablectl.people.habits import WHOLE, Habits
from tablectl.people.hand import Going
from tablectl.people.log import Event
from tablectl.people.mishap import Mishap
from tablectl.people.raising import Floor
from tablectl.people.taps import LIVE, Deed, tap_for
from tablesim.control import obey
from tablesim.lay import Spot

NO_GAME: Final = declare(
    "people.no_game",
    "nobody has started a game of {preset} here",
    "Start one: the players sit down when its rule is known.",
)
LOOKS: Final = 10
"""How often people look whether the table has told by itself, before they tap it."""


class AtTable:
    """The people at one table of one rule. `abilities`: what its sensors tell; `pace`: ms between
    two deeds; `touches`: how often the next draw is touched without need; `thorough`: people tap
    draws, discards and calls too; `faces`: they tell faces turned up; `clumsy`: the chance of each
    kind of mistake at each tap; `three`: on three walls where the machine can stack them."""

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
        three: bool = False,
    ) -> None:
        self.rules = rules
        self.world = world
        self.screen = screen
        self.rng = rng
        self.abilities = abilities
        self.pace = pace
        self.habits = habits or WHOLE
        self.touches = touches
        self.thorough = thorough
        self.faces = faces
        self.clumsy = clumsy
        self.mishap: Mishap | None = None
        self.three = three
        self.mishaps: list[Mishap] = []
        """What goes wrong with the next hands, one after the other, for who wants to see it."""
        self.floor = Floor(world, rules, pace)
        self.fingers = Fingers(screen, rng, rules.players, clumsy)

    @property
    def live(self) -> bool:
        """Whether the table sees tiles leave."""
        return not LIVE.isdisjoint(self.abilities)

    async def _another_game(self) -> None:
        """People whose game is over play another one, if they are asked."""
        state = self.screen.state()
        if state.game is None or not state.game.over:
            return
        for question in state.questions:
            if question.id.startswith("game:"):
                again = facts.Agreed(question=question.id, choice=question.choices[0])
                await self.fingers.tap(again)

    def _game(self) -> Game:
        game = self.screen.state().game
        if game is None or game.over or game.digest != self.rules.digest:
            raise TablectlError(NO_GAME, preset=self.rules.name)
        return game

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

    # ── hands and fingers ──

    async def _take(self, hand: Going, p: int, pace: int) -> None:
        self.world.table.hands.take(hand.order[p])
        hand.taken.append(hand.order[p])
        if self.live:
            self.world.did()
        if pace:
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
