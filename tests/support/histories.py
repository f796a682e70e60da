"""Histories of one hand as a journal would hold them: told tile by tile, by sensors, by taps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final, get_args

from support.paper import Played, Truth, play
from support.presets import random_preset_text
from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.facts import AnyFact
from tablectl.core.fold import fold
from tablectl.core.geometry import Plan
from tablectl.core.preset import Preset
from tablectl.core.preset_file import builtin_presets, find_preset, read_preset
from tablectl.core.record import Record, event_facts, header_facts, read_record
from tablectl.core.replay import entries_of
from tablectl.core.state import Hand, State, Verdict, ground_of, plan_of
from tablectl.core.wall import Wall

TAPPED: Final = ("nuki", "kong", "indicator", "gold", "riichi", "fever", "win")


@cache
def rules_of(seed: int) -> Preset:
    """One of the presets that come with the program, or one made at random."""
    names = builtin_presets()
    if seed % 4 < 1:
        return find_preset(names[seed // 4 % len(names)])
    return read_preset(random_preset_text(random.Random(seed)))


def played(seed: int, rules: Preset | None = None) -> tuple[Preset, Played]:
    """A random hand of a random rule."""
    rng = random.Random(seed)
    rules = rules_of(seed) if rules is None else rules
    habits = {"wins": 0.006, "calls": 0.4, "grouped": rng.choice((0, 0.5, 0.9))}
    return rules, play(rules, rng, **habits)


def told(seed: int, rules: Preset | None = None) -> tuple[Preset, list[Entry]]:
    """The facts of a random hand told tile by tile."""
    rules, hand = played(seed, rules)
    return rules, entries_of(rules, read_record(rules, hand.line))


def told_more(seed: int, rules: Preset | None = None) -> tuple[Preset, list[Entry]]:
    """The same with what no recorded hand tells said between, true or not: dead hands, riichi of
    other kinds and taken back, wins of every way, tiles set aside in the river, faces, touches."""
    rules, entries = told(seed, rules)
    rng = random.Random(seed)
    facts_told = [one.fact for one in entries]
    for _ in range(rng.randint(1, 12)):
        at = rng.randint(1, len(facts_told))
        facts_told.insert(at, _something(rng, rules, facts_told[:at]))
    return rules, [entry(seq, fact) for seq, fact in enumerate(facts_told, start=1)]


def _something(rng: random.Random, rules: Preset, before: list[AnyFact]) -> AnyFact:
    seat, other = rng.randrange(rules.players), rng.randrange(rules.players)
    kind = rng.choice(("plain", "open", "fever"))
    way = rng.choice((None, *get_args(facts.Way)))
    tile = rng.choice((None, *rules.calls.aside, "5p"))
    shown = [fact for fact in before if isinstance(fact, facts.Shown)]
    made = [
        facts.DeadHand(seat=seat, on=rng.random() < 0.7),
        facts.Riichi(seat=seat, kind=kind),
        facts.Riichi(seat=seat, taken_back=True),
        facts.Won(seat=seat, frm=other, way=way),
        facts.Won(seat=seat, frm=seat, way=way),
        facts.Discarded(seat=seat, tile=tile, to=rng.choice(("river", "aside"))),
        facts.SetAside(seat=seat, tile=tile),
        facts.Kong(seat=seat, kind=rng.choice(("open", "added", "concealed")), frm=other),
        facts.Called(seat=seat, kind=rng.choice(("chi", "pon")), frm=other, tile=tile),
        facts.Drawn(seat=seat, end=rng.choice((None, "live", "tail"))),
        facts.Exhausted(tenpai=(seat,)),
        *shown[:1],
    ]
    return rng.choice(made)


def entry(seq: int, fact: AnyFact, **about: object) -> Entry:
    """An entry of a test's own journal."""
    values: dict[str, object] = {"table": "t", "seq": seq, "key": f"p:{seq}", "fact": fact}
    return Entry(**(values | about))  # type: ignore[arg-type]


@dataclass
class Telling:
    """A hand being told fact by fact to a fold."""

    rules: Preset
    hand_played: Played
    record: Record
    state: State = field(default_factory=State)
    seq: int = 0
    verdicts: list[Verdict] = field(default_factory=list)

    def say(self, *said: AnyFact) -> list[Verdict]:
        """Say facts one after the other; what came of them."""
        for fact in said:
            self.seq += 1
            book = {self.rules.digest: self.rules}
            self.state, verdict = fold(book, self.state, entry(self.seq, fact))
            self.verdicts.append(verdict)
        return self.verdicts[len(self.verdicts) - len(said) :]

    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    @property
    def plan(self) -> Plan:
        return plan_of(self.rules, self.hand)

    @property
    def wall(self) -> Wall:
        return ground_of(self.rules, self.hand).wall

    def event_facts(self, n: int) -> list[AnyFact]:
        """An event's facts; a pon of a tile just set aside names the tile, as a tap for it does."""
        events = self.record.events
        event = events[n]
        if event[0] == "pon" and events[n - 1][0] == "nuki":
            tile = events[n - 1][2]
            return [facts.Called(seat=event[1], kind="pon", frm=event[2], tile=tile)]
        return event_facts(self.rules, event, self.plan)

    def is_tapped(self, n: int) -> bool:
        """Whether people tap an event at a table where nobody taps draws and discards: what lies
        open beside them, whoever says that he has won, and a pon of a tile set aside, which spares
        its replacement. Under fever only who has tapped it knows that the hand goes on."""
        events = self.record.events
        pon_aside = events[n][0] == "pon" and events[n - 1][0] == "nuki"
        return pon_aside or events[n][0] in TAPPED

    def is_on_aside(self, n: int) -> bool:
        """Whether a win is on a tile set aside or laid to a kong."""
        events = self.record.events
        before = n - 1
        while events[n][0] == "win" == events[before][0]:
            before -= 1
        return events[n][0] == "win" and events[before][0] in ("nuki", "kong")

    def steps(self) -> Iterator[tuple[int, str, Truth, int | None]]:
        """(index, event's name, truth after it, p of the tile that moves or None)."""
        taken = dict(self.hand_played.taken)
        for n, (event, truth) in enumerate(
            zip(self.record.events, self.hand_played.truth, strict=True)
        ):
            yield n, event[0], truth, taken.get(n)


def telling(seed: int, rules: Preset | None = None, *, dealt: bool) -> Telling:
    """A random hand whose header is told, with or without the word that it is dealt."""
    rules, hand = played(seed, rules)
    record = read_record(rules, hand.line)
    found = Telling(rules, hand, record)
    for fact in header_facts(rules, record):
        if not isinstance(fact, facts.Dealt):
            found.say(fact)
        elif dealt:
            found.say(facts.Dealt())
    return found
