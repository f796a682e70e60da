"""Fingers on a screen: they tap, forget, tap twice and tap wrong, and put it right afterwards.

What was forgotten is told later with its place in the history, what was said wrongly is replaced
or taken back: so the state is in the end that of a history without any mistake.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from tablectl.core import facts
from tablectl.core.facts import AnyFact
from tablectl.core.state import Question
from tablectl.core.wall import Place
from tablectl.people.around import Screen, Tapped

UNNOTICED: Final = 0.3
"""The share of harmless mistakes that nobody ever puts right."""
_LATEST: Final = 5
_ROUNDS: Final = 60
CHOICES: Final = {"replacement": "it was forgotten"}
"""Answers other than the first; who was at fault with a replacement has set that right before."""


def _seat(fact: Any, players: int) -> Any:
    return msgspec.structs.replace(fact, seat=(fact.seat + 1) % players)


def _kong(fact: facts.Kong, players: int) -> AnyFact:
    kind = "open" if fact.kind == "concealed" else "concealed"
    return msgspec.structs.replace(fact, kind=kind)


def _won(fact: facts.Won, players: int) -> AnyFact:
    seat = (fact.seat + 1) % players
    own = fact.seat == fact.frm
    return facts.Won(seat=seat, frm=seat if own else fact.frm, values=fact.values)


def _beside(place: Place) -> Place:
    column = place.column + 1 if place.column < 5 else place.column - 1
    return Place(place.side, column, place.row)


SLIPS: Final[dict[type[Any], Callable[[Any, int], AnyFact]]] = {
    facts.Dice: lambda fact, n: facts.Dice(pips=(fact.pips[0] % 6 + 1, *fact.pips[1:])),
    facts.Opened: lambda fact, n: facts.Opened(side=fact.side, after=fact.after + 1),
    facts.HeadAt: lambda fact, n: facts.HeadAt(place=_beside(fact.place)),
    facts.Discarded: _seat,
    facts.Drawn: _seat,
    facts.SetAside: _seat,
    facts.Riichi: _seat,
    facts.DeadHand: _seat,
    facts.Kong: _kong,
    facts.Won: _won,
    facts.Stock: lambda fact, n: facts.Stock(n=fact.n + 1),
    facts.FlippedValue: lambda fact, n: facts.FlippedValue(place=fact.place, hits=fact.hits + 1),
    facts.Exhausted: lambda fact, n: facts.Exhausted(tenpai=()),
    facts.Settled: lambda fact, n: facts.Settled(points=fact.points[::-1], chips=fact.chips),
}
"""How a tap goes wrong: the wrong seat, kind, place or number. What is not here does not."""
HARMLESS: Final = (facts.Dealt, facts.HeadAt, facts.Stock)
"""What the fold can live without, or with twice."""


@dataclass
class _Amiss:
    """A mistake that is noticed after `left` more moments. `wrong`: the seq to be taken back;
    `right`: what should have been said, behind `after`; `in_place`: replaced, not said anew."""

    left: int
    wrong: int | None = None
    right: AnyFact | None = None
    after: int = 0
    in_place: bool = False


@dataclass
class Fingers:
    """The fingers of the people at one screen. `clumsy`: the chance of each kind of mistake."""

    screen: Screen
    rng: random.Random
    players: int
    clumsy: float = 0.0
    taps: int = 0
    corrections: int = 0
    odd: list[tuple[AnyFact, str]] = field(default_factory=list)
    """What was tapped and did not follow, when it was tapped, with the reason."""
    _mine: set[int] = field(default_factory=set)
    _late: set[int] = field(default_factory=set)
    _amiss: list[_Amiss] = field(default_factory=list)

    @property
    def anchor(self) -> int:
        """The last fact of those told in time: what is said now belongs behind it."""
        seq = self.screen.seq()
        while seq in self._late:
            seq -= 1
        return seq

    async def say(self, fact: AnyFact, *, surely: bool = False) -> None:
        """Tap it, or make a mistake; never `surely`."""
        roll = 1.0 if surely else self.rng.random()
        before = self.anchor
        if roll >= 3 * self.clumsy:
            await self.tap(fact)
        elif roll < self.clumsy:
            self._notice(fact, right=fact, after=before)
        elif roll < 2 * self.clumsy:
            await self.tap(fact)
            again = await self.tap(fact)
            self._notice(fact, wrong=again.seq)
        elif type(fact) in SLIPS:
            slipped = await self.tap(SLIPS[type(fact)](fact, self.players))
            in_place = self.rng.random() < 0.5
            amiss = _Amiss(self._while(), slipped.seq, fact, before, in_place)
            self._amiss.append(amiss)
        else:
            await self.tap(fact)

    async def tap(self, fact: AnyFact, *, after: int | None = None) -> Tapped:
        """Tap exactly this."""
        tapped = await self.screen.tap(fact, after=after)
        self.taps += 1
        self._mine.add(tapped.seq)
        if after is not None:
            self._late.add(tapped.seq)
        if tapped.kind == "odd":
            self.odd.append((fact, tapped.text))
        return tapped

    async def moment(self) -> None:
        """Something more has happened at the table: people notice what they did wrong, one thing
        after the other."""
        for amiss in self._amiss:
            amiss.left -= 1
        while self._amiss and self._amiss[0].left <= 0:
            await self._put_right(self._amiss.pop(0))

    async def correct(self) -> None:
        """Put right whatever was done wrong so far."""
        while self._amiss:
            await self._put_right(self._amiss.pop(0))

    async def set_right(self) -> None:
        """The same, and take back what does not follow, and answer what is asked."""
        await self.correct()
        for _ in range(_ROUNDS):
            state = self.screen.state()
            odd = [seq for seq, verdict in state.verdicts if verdict.kind == "odd"]
            mine = [seq for seq in odd if seq in self._mine]
            asked = [question for question in state.questions if _answerable(question)]
            if mine:
                self._mine.discard(mine[-1])
                await self._take_back(mine[-1])
            elif asked:
                kind = asked[0].id.split(":")[0]
                choice = CHOICES.get(kind, asked[0].choices[0])
                await self.tap(facts.Agreed(question=asked[0].id, choice=choice))
            else:
                return

    # ── how ──

    def _while(self) -> int:
        return self.rng.randint(1, _LATEST)

    def _notice(self, fact: AnyFact, **about: Any) -> None:
        if isinstance(fact, HARMLESS) and self.rng.random() < UNNOTICED:
            return
        self._amiss.append(_Amiss(self._while(), **about))

    async def _put_right(self, amiss: _Amiss) -> None:
        if amiss.wrong is not None and amiss.right is not None and amiss.in_place:
            self.corrections += 1
            fact = msgspec.to_builtins(amiss.right)
            await self.tap(facts.Replace(target=amiss.wrong, fact=fact))
            return
        if amiss.wrong is not None:
            await self._take_back(amiss.wrong)
        if amiss.right is not None:
            self.corrections += amiss.wrong is None
            await self.tap(amiss.right, after=amiss.after)

    async def _take_back(self, seq: int) -> None:
        self.corrections += 1
        await self.tap(facts.Retract(target=seq))


def _answerable(question: Question) -> bool:
    """Whether people are to answer it now; walls that do not fit are answered by other walls."""
    return bool(question.choices) and not question.id.startswith("deal:")
