"""Whole evenings: a daemon, simulated tables and people, under a clock of the test's own.

Nothing is looked at that a user could not see, but the simulated machine's own log, which is the
truth that everything is held against.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final

from protocols import catalog, v1
from support.parlour import parlour, ready
from tablectl.app.config import Config, DaemonConfig, TableConfig
from tablectl.app.service import Wish
from tablectl.app.table import Table
from tablectl.cli import plan as plan_command
from tablectl.cli.players import Room, Screen, new_game
from tablectl.core import facts
from tablectl.core.entry import Entry, encode_entry
from tablectl.core.fold import fold_each
from tablectl.core.geometry import Plan
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset
from tablectl.core.record import Record, read_record
from tablectl.core.replay import replay, replay_hand
from tablectl.core.state import Hand, State, plan_of
from tablectl.core.wall import Place
from tablectl.errors import TablectlError
from tablectl.link.capture import read
from tablectl.link.simulated import MemoryPort, Sims
from tablectl.people.play import HandPlayed, Players
from tablesim.lay import Spot, deal, indicators, reveal
from tablesim.lay import Table as Laid
from tablesim.port import PtyPort
from tablesim.serve import Served
from tablesim.table import Table as SimulatedTable
from tablesim.table import find_model


@dataclass
class Evening:
    """What is left of an evening: the hands as they were played, the journal, the machine's log,
    the capture, and the words of the selection."""

    rules: Preset
    hands: list[HandPlayed]
    states: list[State]
    entries: list[Entry]
    done: list[tuple[Any, ...]]
    capture: list[str]
    selected: dict[str, Any] | None


async def evening(
    folder: Path,
    model: str,
    preset: str,
    seed: int,
    *,
    hands: int = 1,
    records: Sequence[Record] = (),
    line: Path | None = None,
    **habits: Any,
) -> Evening:
    """Play so many hands, or those of the records, at one table; `line`: on a pseudo-terminal of
    that name (the loop's clock must be patient then)."""
    boot = 1 + seed % 1000
    made = Served(
        SimulatedTable(find_model(model), "evening", seed, boot),
        (lambda heard: PtyPort(line, heard)) if line else lambda heard: MemoryPort(model, heard),
    )
    sims = Sims()
    address = f"serial:{line}" if line else f"sim:{model}:evening"
    sims.served[f"{model}:evening"] = made
    config = Config(
        DaemonConfig(capture=True), (TableConfig(url=address, name="evening", preset=preset),)
    )
    await made.start()
    async with parlour(folder, config, sims) as daemon:
        [table] = await ready(daemon)
        served = made
        selected = None
        if "select_number" in served.table.model.abilities:
            selected = await table.command(Wish("select", preset=preset))
        else:
            await begun(table)
        played, states = await play(
            table, served, preset_of(table), seed, hands=hands, records=records, **habits
        )
        entries = await entries_of(table)
        done = list(served.table.machine.done)
    capture = (folder / "captures" / "evening.jsonl").read_text().splitlines()
    return Evening(preset_of(table), played, states, entries, done, capture, selected)


async def play(
    table: Table,
    served: Served,
    rules: Preset,
    seed: int,
    *,
    hands: int = 1,
    records: Sequence[Record] = (),
    abilities: Iterable[str] | None = None,
    **habits: Any,
) -> tuple[list[HandPlayed], list[State]]:
    """People play; gives each hand, and the State when it was closed."""
    known = served.table.model.abilities if abilities is None else abilities
    screen = Screen(table, random.Random(f"{seed} taps"))
    players = Players(
        rules,
        Room(served, table),
        screen,
        random.Random(f"{seed} people"),
        abilities=frozenset(known),
        **habits,
    )
    played: list[HandPlayed] = []
    states: list[State] = []
    for record in records or [None] * hands:
        if record is not None:
            await new_game(screen, rules, record.dealer)
        played.append(await players.play_hand(record))
        states.append(closed_state(table))
    return played, states


def closed_state(table: Table) -> State:
    """The last state in which the hand that was played was closed: the next walls may be up."""
    for _, state in reversed(table.known.states_since(0) or list(table.known._states.items())):
        if state.hand is not None and state.hand.life == "closed":
            return state
    return table.known.state


async def begun(table: Table) -> None:
    """The game that the configuration names has begun."""
    while table.known.state.game is None:
        await asyncio.sleep(0.01)


def preset_of(table: Table) -> Preset:
    rules = table.known.rules
    assert rules is not None
    return rules


async def entries_of(table: Table) -> list[Entry]:
    """The whole journal of a table."""
    found: list[Entry] = []
    while more := await table.facts(len(found), 1000):
        found += more
    return found


async def by_hand(
    folder: Path,
    preset: str,
    seed: int,
    *,
    records: Sequence[Record] = (),
    hands: int = 1,
    **habits: Any,
) -> Evening:
    """A table of which nothing is connected: people work it and tap."""
    config = Config(tables=(TableConfig(url="manual:evening", name="evening", preset=preset),))
    served = Served(
        SimulatedTable(find_model("deaf"), "by hand", seed), lambda heard: MemoryPort("", heard)
    )
    await served.start()
    async with parlour(folder, config) as daemon:
        table = daemon.table("evening")
        await begun(table)
        rules = preset_of(table)
        played, states = await play(
            table, served, rules, seed, hands=hands, records=records, abilities=(), **habits
        )
        entries = await entries_of(table)
        served.stop()
    return Evening(rules, played, states, entries, [], [], None)


def known_to_all(rules: Preset, state: State) -> dict[str, Any]:
    """What of a closed hand every table can know, however few sensors it has."""
    hand = state.hand
    assert hand is not None
    plan = plan_of(rules, hand)
    return {
        "life": hand.life,
        "end": hand.end,
        "head": hand.head,
        "tail": hand.tail,
        "turned": hand.turned,
        "drawable": plan.drawable,
        "break": plan.break_,
        "indicators": plan.indicators,
        "replacement": plan.replacement,
        "wins": hand.wins,
        "riichi": hand.riichi,
        "kongs": hand.kongs,
        "aside": tuple(map(len, hand.aside)),
        "dice": hand.dice,
        "dealer": hand.dealer,
    }


# ── records ─────────────────────────────────────────────────────────────────────────────────────

RECORDED: Final = {
    "riichi-4p": "riichi-4p",
    "riichi-4p-chips": "riichi-4p",
    "sanma-3p": "riichi-3p",
}
"""Files of recorded hands, and the rule that they were played by."""


def recorded(shared: Path, file: str) -> tuple[Preset, list[Record]]:
    """The hands of a file."""
    rules = find_preset(RECORDED[file])
    lines = (shared / "data" / "hands" / f"{file}.jsonl").read_text("utf-8").splitlines()
    return rules, [read_record(rules, line, n) for n, line in enumerate(lines, start=1)]


def same_as_recorded(found: Evening, records: Sequence[Record]) -> None:
    """`replay` of what the daemon's journal exports says the same of each hand as the record, of
    which the daemon never heard; what nobody has seen is `?`. And just those tiles were taken."""
    out = [encode_entry(entry) for entry in found.entries]
    reports = list(replay(found.rules, out))
    assert len(reports) == len(records)
    for report, record, hand in zip(reports, records, found.hands, strict=True):
        wanted = replay_hand(found.rules, record)
        assert report["ok"], report
        for name in ("head", "tail", "drawable", "indicators"):
            assert report[name] == wanted[name], (name, report, wanted)
        # A record without an end says of nobody that he won; people broke that hand off.
        assert report["end"] == (wanted["end"] or "abort"), (report, wanted)
        looked = max((len(e[4]) for e in record.events if e[0] == "win"), default=0)
        for n, (seen, lies) in enumerate(zip(report["ura"], wanted["ura"], strict=True)):
            assert seen == lies if n < looked else seen in ("?", lies), (report, wanted)
        faces = [record.wall[p] for p in places_taken(found.rules, record, hand)]
        events = [e for e in record.events if e[0] == "draw"]
        assert faces[-len(events) :] == [e[2] for e in events]
    taken = [tuple(deed[2:5]) for deed in found.done if deed[1] == "take"]
    assert taken == [tuple(spot) for hand in found.hands for spot in hand.taken]


def places_taken(rules: Preset, record: Record, hand: HandPlayed) -> list[int]:
    """The p of each tile that was taken off the walls, in the order of taking, by walking."""
    number = {spot: p for p, spot in enumerate(hand.opening.walk())}
    return [number[spot] for spot in hand.taken]


def closed_rightly(found: Evening) -> int:
    """Every hand is closed, every correction was taken, no question is left that nobody can
    answer. Gives how many hands are shown in the end as they were played."""
    for state in found.states:
        assert state.hand is not None
        assert state.hand.life == "closed", state.hand
        assert all(question.choices for question in state.questions), state.questions
    odd = {
        seq for state in found.states for seq, verdict in state.verdicts if verdict.kind == "odd"
    }
    for entry in found.entries:
        if isinstance(entry.fact, facts.Retract | facts.Replace):
            assert entry.seq not in odd, entry
    return sum(
        (state.hand.head, state.hand.tail, state.hand.turned)
        == (hand.truth.head, hand.truth.tail, hand.truth.turned)
        for hand, state in zip(found.hands, found.states, strict=True)
        if state.hand is not None
    )


# ── held against the truth ──────────────────────────────────────────────────────────────────────


@dataclass
class Checked:
    """How often what was compared."""

    facts: int = 0
    plans: int = 0
    numbers: int = 0


def check(found: Evening) -> Checked:
    """Hold every state of the evening against the machine's log, `tablectl plan`, a walk round the
    table, and what went over the line. Raises AssertionError with what differs."""
    checked = Checked()
    truth = Truth(found.done)
    seen = on_the_line(found.capture)
    book = {found.rules.digest: found.rules}
    last: Plan | None = None
    for entry, state, verdict in fold_each(book, found.entries, State()):
        assert verdict.kind != "odd", (entry, verdict)
        if entry.origin == "sensor":
            truth.told(entry)
            truth.compare(entry, state)
            checked.facts += 1
        plan = shown_plan(found.rules, state)
        if isinstance(entry.fact, facts.Settled):
            checked.numbers += on_record(state, seen)
        if plan is None or plan == last or state.hand is None:
            continue
        last = plan
        same_as_the_command(found.rules, state.hand, plan)
        same_as_a_walk(found.rules, state.hand, plan)
        checked.plans += 1
    assert checked.facts
    assert checked.plans
    return checked


def shown_plan(rules: Preset, state: State) -> Plan | None:
    if state.hand is None:
        return None
    try:
        return plan_of(rules, state.hand)
    except TablectlError:
        return None


class Truth:
    """The machine's log, followed as far as the board has told of it."""

    def __init__(self, done: Sequence[tuple[Any, ...]]) -> None:
        self._takes = [deed for deed in done if deed[1] in ("take", "put_back")]
        self._dice = [deed[2:] for deed in done if deed[1] == "dice"]
        self._phases = [deed[2:] for deed in done if deed[1] == "phase"]
        self._selected = [deed[2] for deed in done if deed[1] == "select"]
        self.gone: set[Place] = set()
        self.phases: dict[str, str] = {}
        self.dice: tuple[int, ...] = ()

    def told(self, entry: Entry) -> None:
        """The board told of the next deed of its kind: it must be that very one."""
        fact = entry.fact
        match fact:
            case facts.Taken() | facts.PutBack():
                _, what, *spot, _ = self._takes.pop(0)
                assert what == ("take" if isinstance(fact, facts.Taken) else "put_back")
                place = Place(*spot)
                assert fact.place == place
                (self.gone.add if what == "take" else self.gone.discard)(place)
            case facts.Dice():
                self.dice = tuple(self._dice.pop(0))
                assert fact.pips == self.dice
            case facts.Raised():
                self.gone.clear()
            case facts.Phase() if entry.key.startswith("b:"):
                name, phase = self._phases.pop(0)
                assert (fact.set, fact.phase) == (name, phase)
                self.phases[name] = phase
            case facts.Number(state="pending") if entry.key.startswith("b:"):
                assert fact.number in self._selected
            case _:
                pass

    def compare(self, entry: Entry, state: State) -> None:
        """The state says of the machine what the machine says of itself."""
        if isinstance(entry.fact, facts.Phase):
            # Of the other set the chart may know already what follows from this one.
            name = entry.fact.set
            told = self.phases.get(name, entry.fact.phase)
            assert state.machine.set_named(name).word == told, (entry, state.machine)
        hand = state.hand
        if (
            hand is None
            or hand.life in ("raised", "opened")
            or not isinstance(entry.fact, facts.Taken | facts.PutBack)
        ):
            return
        assert hand.head + hand.tail + len(hand.sensed.early) == len(self.gone), (entry, hand)


def same_as_the_command(rules: Preset, hand: Hand, plan: Plan) -> None:
    """`tablectl plan` says the same for the numbers that are shown."""
    asked = plan_command.Asked(
        dice=None if hand.broke else ",".join(map(str, hand.dice)),
        broke=f"{hand.broke.side},{hand.broke.after}" if hand.broke else None,
        dealer=plan.dealer,
        seats=",".join(map(str, plan.seats)),
        sides=",".join(map(str, plan.sides)),
        head=plan.head,
        tail=plan.tail,
        turned=plan.turned,
        open_kongs=hand.open_kongs,
        concealed_kongs=hand.concealed_kongs,
        flower_quads=hand.quads,
        dealt=hand.machine_dealt,
    )
    out = StringIO()
    with redirect_stdout(out):
        plan_command.run(rules.name, asked, as_json=True)
    said = json.loads(out.getvalue())
    shown = plan.as_json()
    for name in ("dice", "break", "counted") if hand.broke else ():
        said.pop(name), shown.pop(name)
    assert said == shown


def same_as_a_walk(rules: Preset, hand: Hand, plan: Plan) -> None:
    """Somebody who walks round the table finds the same."""
    laid = Laid(list(map(str, plan.sides)))
    opening = laid.open_at(plan.break_.side, plan.break_.after)
    order = opening.walk()
    open_ = rules.indicators.start + plan.turned
    lying = indicators(opening, rules.indicators.column, open_) if open_ else []
    assert [_spot(one) for one in plan.indicators] == lying
    back = opening.backwards()
    if plan.replacement is not None and rules.replacements.first == "upper":
        assert _spot(plan.replacement) == back[plan.tail]
    if plan.reveal is not None and lying:
        taken = set(back[: plan.tail]) | _heads(rules, hand, order, plan.head)
        rows = rules.reveal.rows
        assert [_spot(one) for one in plan.reveal] == reveal(opening, taken, lying[-1], rows)


def _heads(rules: Preset, hand: Hand, order: list[Spot], head: int) -> set[Spot]:
    if hand.machine_dealt:
        return set(order[:head])
    rule = rules.dealing
    hands, left, first = deal(order, rules.players, hand.dealer, rule.rounds, rule.last)
    walked = [*(spot for one in hands for spot in one), first, *left]
    return set(walked[:head])


def _spot(position: Any) -> Spot:
    return Spot(position.side, position.column, position.row)


# ── what went over the line ─────────────────────────────────────────────────────────────────────


@dataclass
class OnTheLine:
    """Physical numbers that the decoded capture holds."""

    numbers: set[int]
    dice: set[tuple[int, ...]]
    sides: set[tuple[int, ...]]
    counts: set[tuple[int | None, ...]]


def on_the_line(lines: Iterable[str]) -> OnTheLine:
    """The numbers in a capture, frame by frame."""
    found = OnTheLine(set(), set(), set(), set())
    for captured in read(lines):
        if captured.frame is None or captured.way != "to_host":
            continue
        match catalog.decode(captured.frame):
            case v1.NumberEdge(game=game):
                found.numbers.add(game)
            case v1.DiceEdge(dice=n, pips=pips):
                found.dice.add(tuple(p for p in pips[:n] if p is not None))
            case v1.RaisedEdge(sides=sides, game=game):
                found.sides.add(tuple(n for n in sides if n is not None))
                found.numbers.add(game or 0)
            case v1.Levels(counts=counts, active=active):
                found.counts.add(counts)
                found.numbers.update(n for n in active if n is not None)
            case v1.Snapshot(levels=levels):
                found.counts.add(levels.counts)
                found.numbers.update(n for n in levels.active if n is not None)
            case _:
                pass
    return found


def on_record(state: State, seen: OnTheLine) -> int:
    """Every physical number that is shown of a closed hand came over the line; gives how many
    were looked for."""
    looked = 0
    for one in state.machine.sets:
        if one.active is not None:
            assert one.active in seen.numbers
            looked += 1
    hand, deal = state.hand, state.deal
    if hand is not None and hand.dice and seen.dice:
        assert hand.dice in seen.dice
        looked += 1
    if deal is not None and deal.tiles is not None:
        assert deal.tiles in seen.sides
        looked += 1
    if hand is not None and None not in hand.sensed.counts:
        assert hand.sensed.counts in seen.counts
        looked += 1
    return looked
