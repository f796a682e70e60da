"""Players at a simulated table: they raise walls, throw, open, deal, play, tap and clear away.

They find everything by walking round the table (`tablesim.lay`) and taking what lies next, never
by the program's geometry: what the program shows can be held against what they did.

    walls up ▶ dice ▶ break ▶ deal ▶ draws, calls, kongs ▶ win ▶ ura, flips ▶ settled ▶ start, in
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.core import facts
from tablectl.core.record import Record
from tablectl.core.state import Game
from tablectl.core.wall import Place
from tablectl.errors import TablectlError, declare
from tablectl.people import course
from tablectl.people.around import Screen, Tapped, World
from tablectl.people.attable import AtTable
from tablectl.people.clumsy import Fingers
from tablectl.people.hand import Going, HandPlayed, as_turned, open_at, payment, place_of
from tablectl.people.log import Step, follow
from tablectl.people.mishap import Spoilt, When, mishap, step_of
from tablectl.people.raising import number_for
from tablectl.people.row import Truth
from tablesim import lay
from tablesim.tileset import TileSet

__all__ = ["HandPlayed", "Players", "Screen", "Tapped", "World"]

DEALER: Final = declare(
    "people.dealer",
    "the recorded hand is dealt by seat {record}, the game's dealer is seat {game}",
    "Start a game whose first dealer is that of the record.",
)
LOOKS: Final = 10
"""How often people look whether the screen shows what lies there, before they touch it."""
ASIDE: Final = ("kita", "nuki", "flower")
OVER: Final = ("win", "exhausted", "abort", "void")
RIICHI: Final = ("riichi", "open", "fever")


class Players(AtTable):
    """The people at one table of one rule, who play whole hands."""

    async def play_hand(self, record: Record | None = None) -> HandPlayed:
        """Play one hand until it is closed and the next walls come: of whatever the machine stacks,
        or the recorded one. Raises TablectlError `people.*`."""
        self.fingers = Fingers(self.screen, self.rng, self.rules.players, self.clumsy)
        await self._another_game()
        game = self._game()
        share = 0.0 if record is not None else self.habits.voids
        self.mishap = mishap(self.rules, self.rng, share)
        if self.mishaps:
            self.mishap = self.mishaps.pop(0)
        tiles, opening = await self._raise(game, record)
        hand: Going | None = None
        try:
            await self._at("raised")
            hand = await self._begin(game, record, tiles, opening)
            await self._play(hand)
        except Spoilt:
            return await self._abandon(tiles, hand)
        return await self._close(hand)

    async def _play(self, hand: Going) -> None:
        """From the first event to the last."""
        words = [str(step.event[0]) for step in hand.course.steps]
        when = self.mishap.when if self.mishap else None
        stop = step_of(when, words, self.rng) if when else None
        for n in range(len(hand.course.steps)):
            if n == stop:
                raise Spoilt
            await self._event(hand, n)
            await self.fingers.moment()
        if hand.course.steps[-1].event[0] not in OVER:
            await self.fingers.correct()
            await self._agree(hand, len(hand.course.steps))
            await self._tell("abort", ("abort", "the record ends here"))

    async def _at(self, when: When) -> None:
        """Something may go wrong here. Raises Spoilt if it does."""
        if self.mishap is not None and self.mishap.when == when:
            raise Spoilt

    # ── walls, dice, break, deal ──

    async def _raise(self, game: Game, record: Record | None) -> tuple[TileSet, lay.Table]:
        """Walls for the rule, or the record's, stand; how they are laid on the table."""
        table, rules = self.world.table, self.rules
        number = number_for(table.model, rules, dealt=record is None, three=self.three)
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
        return tiles, laid

    async def _begin(
        self, game: Game, record: Record | None, tiles: TileSet, laid: lay.Table
    ) -> Going:
        """Up to the tiles dealt and the first indicators turned."""
        rules = self.rules
        dealt = None
        if tiles.out:
            each = len(tiles.out) // 4
            opening = as_turned(rules, laid, tiles)
            dealt = [tiles.out[side * each : (side + 1) * each] for side in game.seats]
            await self._tell("opened", values=(opening.side, opening.after))
            await self._at("opened")
        else:
            opening = open_at(rules, laid, game, await self._throw(record))
        order = opening.walk()
        wall = [tiles.walls[spot] for spot in order]
        if record is not None:
            played = follow(rules, record)
        else:
            played = course.play(
                rules, wall, game.dealer, self.rng, self.habits, dealt, game.points
            )
        hand = Going(tiles, opening, played, order)
        if dealt is None:
            await self._deal(hand)
        for p in played.shown:
            await self._turn(hand, p)
        await self._at("dealt")
        return hand

    async def _deal(self, hand: Going) -> None:
        dealt = sorted(hand.course.dealt)
        if self.rules.dealing.first_draw == "dealt":
            dealt.append(hand.course.order[0])
        each = self.pace // 4
        for n, p in enumerate(dealt):
            await self._take(hand, p, each if self.live else 0)
            if n == len(dealt) // 2:
                await self._at("opened")
        await self.world.wait(self.pace if self.live else self.pace + each * len(dealt))
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
            if word in (*RIICHI, "take_back"):
                self._stick(event[1], laid=word in RIICHI)
            await self.world.wait(self.pace)
            before = hand.course.steps[n - 1].event if n else ("",)
            tile = None
            if word == "kong" and not self.thorough and hand.robbed(n):
                # Where draws are not told nobody could say later that it was robbed: it is told
                # behind the draw of what came before it in the same turn, else not at all.
                if hand.quiet is None:
                    return
                await self.fingers.say(facts.Drawn(seat=event[1], end="tail"), surely=True)
            if word == "pon" and before[0] in ASIDE:
                word, tile = "aside_pon", before[2]
            if (word == "kong" or word in ASIDE) and hand.quiet is None:
                hand.quiet = self.fingers.anchor
                hand.earlier = hand.quiet, hand.next_place()
            await self._tell(word, event, tile=tile)
            if word == "take_back" and event[2]:
                await self._tell("fee", event)

    async def _draw(self, hand: Going, n: int, p: int) -> None:
        event = hand.course.steps[n].event
        truth, pending = hand.before(n)
        if event[3] == "live" and n and not pending and not self.live:
            rule = self.rules.reserve
            final = 0 < truth.drawable <= rule.final and not hand.final_told
            if final:
                hand.final_told = True
                await self.fingers.correct()
                await self._touch(hand, hand.place(p))
            elif self.rng.random() < self.touches:
                if self.clumsy:  # may slip; what does not follow is taken back in the end
                    await self._tell("touch", place=hand.place(p))
                else:
                    await self._touch(hand, hand.place(p))
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
        laid = word == "win" and _on_a_tile_laid_down(steps, n)
        await self._tell(word, event, values=hand.course.tenpai, laid=laid)
        if word != "win" or (n + 1 < len(steps) and steps[n + 1].event[0] == "win"):
            return
        first = n
        while first and steps[first - 1].event[0] == "win":
            first -= 1
        await self._at("won")
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
                await self._at("revealing")
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
        await self._touch(hand, hand.next_place(), after=hand.quiet if pending else None)
        if not self._shows(truth):
            await self.fingers.tap(facts.TailCount(n=truth.tail))

    async def _touch(self, hand: Going, place: Place, *, after: int | None = None) -> None:
        """Touch where the next draw is. If that cannot be by the screen, few tiles were left as the
        last ones were set aside, more than it knew: they touch where the draw was then."""
        touched = await self.fingers.tap(facts.HeadAt(place=place), after=after)
        if touched.kind == "odd" and hand.earlier is not None:
            self.fingers.odd.pop()
            await self.fingers.tap(facts.Retract(target=touched.seq))
            seq, then = hand.earlier
            await self.fingers.tap(facts.HeadAt(place=then), after=seq)
            if place != then:
                await self.fingers.tap(facts.HeadAt(place=place))

    def _shows(self, truth: Truth) -> bool:
        hand = self.screen.state().hand
        seen = None if hand is None else (hand.head, hand.tail, hand.turned)
        return seen == (truth.head, truth.tail, truth.turned)

    async def _close(self, hand: Going) -> HandPlayed:
        """Settle, clear the table, and see that the hand is closed."""
        fingers = self.fingers
        if self.mishap is not None and self.mishap.when == "settling":
            await self.floor.clear(hand.tiles)
        await fingers.set_right()
        end = str(hand.course.steps[-1].event[0])
        state = self.screen.state().hand
        if state is None or state.life not in ("won", "revealing", "settling"):
            end = "void"
            await fingers.tap(facts.Void(why="nobody knows any more what happened"))
        self._sticks_back()
        await self._tell("settled", values=payment(hand, self.rules, self.rng))
        await self.floor.clear(hand.tiles)
        await fingers.set_right()
        state = self.screen.state().hand
        if state is not None and state.life != "closed":
            end = "void"
            await fingers.tap(facts.Void(why="it was never settled"))
            await fingers.tap(facts.Settled())
        return self._played(hand, end if end in OVER else "abort", hand.course.steps)

    async def _abandon(self, tiles: TileSet, hand: Going | None) -> HandPlayed:
        """The hand comes to nothing; it is closed, and the next walls come."""
        fingers, mishap = self.fingers, self.mishap
        assert mishap is not None
        await fingers.correct()
        if mishap.how == "cleared":
            await self.floor.clear(tiles)
        state = self.screen.state().hand
        if state is not None and state.life != "closed":
            if mishap.how == "abort":
                await fingers.tap(facts.Aborted(why="people agree"))
            else:
                seat = self.rng.randrange(self.rules.players)
                await fingers.tap(facts.Void(why="the walls are broken", by=seat))
            await fingers.set_right()
            await fingers.tap(facts.Settled())
        self._sticks_back()
        await self.floor.clear(tiles)
        await fingers.set_right()
        return self._played(hand, "abort" if mishap.how == "abort" else "void", ())

    def _played(self, hand: Going | None, end: str, steps: Sequence[Step]) -> HandPlayed:
        fingers = self.fingers
        return HandPlayed(
            events=tuple(step.event for step in steps),
            truth=steps[-1].truth if steps else None,
            indicators=tuple(hand.indicators) if hand else (),
            ura=tuple(hand.ura) if hand else (),
            end=end,
            opening=hand.opening if hand else None,
            taken=tuple(hand.taken) if hand else (),
            taps=fingers.taps,
            corrections=fingers.corrections,
            odd=tuple(fingers.odd),
        )

    def _sticks_back(self) -> None:
        for seat in range(self.rules.players):
            self._stick(seat, laid=False)


def _on_a_tile_laid_down(steps: Sequence[Step], n: int) -> bool:
    """Whether win n is on a tile that another has just set aside or laid to a kong."""
    before = n - 1
    while before >= 0 and steps[before].event[0] == "win":
        before -= 1
    word, seat, *more = steps[before].event if before >= 0 else ("", -1)
    laid = word in ASIDE or (word == "kong" and more != ["open"])
    return laid and seat == steps[n].event[2] != steps[n].event[1]
