"""What has to be so of a table whose daemon was killed: its journal has everything once, and means
what the machine's own log says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.fold import Rulebook, fold_all
from tablectl.core.state import Sensed, State
from tablesim.lay import Spot
from tablesim.table import Table
from tablesim.tileset import TileSet

BOOT = 7
"""The boot of the board, which no test resets."""


class Acted(NamedTuple):
    """A command that the board really carried out: its conversation and number, its word."""

    conversation: int
    command: int
    word: str


def differences(
    entries: Sequence[Entry],
    state: State,
    table: Table,
    told: Mapping[str, int],
    acted: Sequence[Acted],
) -> list[str]:
    """What the journal (and the state that it folds into) does not say as the machine's log has it,
    as sentences; `told`: the seq that each tap was answered with, by its key. Some of it may only
    be on its way."""
    return [
        *_edges(entries, table.board.next_edge),
        *_deeds(entries, table.machine.done, "presence_live" in table.model.abilities),
        *_standing(state, entries, table),
        *_taps(entries, told),
        *_commands(entries, acted),
    ]


def _edges(entries: Sequence[Entry], following: int) -> list[str]:
    """Every edge from 1, without gap or double, unless a `lost` says so."""
    found: list[int] = []
    for entry in entries:
        if entry.key.startswith(f"b:{BOOT}:"):
            number, _, part = entry.key.rpartition(":")[2].partition(".")
            lost = entry.fact.count if isinstance(entry.fact, facts.Lost) else 1
            assert lost is not None
            found += [] if part else range(int(number), int(number) + lost)
    if found == list(range(1, following)):
        return []
    return [f"edges 1 to {following - 1} happened, in the journal are {found}"]


def _deeds(entries: Sequence[Entry], done: Sequence[tuple[Any, ...]], places: bool) -> list[str]:
    """Phases, dice and, where sensors see `places`, tiles as they were, in order, each once."""
    if any(isinstance(entry.fact, facts.Lost) for entry in entries):
        return []
    deeds = [deed[1:] for deed in done]
    phases = [deed[1:] for deed in deeds if deed[0] == "phase"]
    dice = [deed[1:] for deed in deeds if deed[0] == "dice"]
    tiles = [deed[:4] for deed in deeds if places and deed[0] in ("take", "put_back")]
    told = [entry.fact for entry in entries if entry.key.startswith("b:")]
    return [
        f"{what} happened: {happened}, in the journal are: {kept}"
        for what, happened, kept in (
            ("phases", phases, [(f.set, f.phase) for f in told if isinstance(f, facts.Phase)]),
            ("dice", dice, [tuple(f.pips) for f in told if isinstance(f, facts.Dice)]),
            (
                "tiles",
                tiles,
                [
                    ("take" if isinstance(f, facts.Taken) else "put_back", *_place(f))
                    for f in told
                    if isinstance(f, facts.Taken | facts.PutBack)
                ],
            ),
        )
        if happened != kept
    ]


def _place(fact: facts.Taken | facts.PutBack) -> tuple[int, int, str]:
    return fact.place.side, fact.place.column, fact.place.row


def _standing(state: State, entries: Sequence[Entry], table: Table) -> list[str]:
    """The state of the machine now: phases, numbers, tiles standing on each side."""
    found = []
    for tiles, known in zip(table.machine.sets, state.machine.sets, strict=True):
        is_now = (tiles.phase.name.lower(), tiles.active, tiles.pending)
        if is_now != (known.word, known.active, known.pending):
            found.append(f"set {tiles.name} is {is_now}, in the state {known}")
    up = table.machine.up
    if up is None:
        return found
    found += _counted(state, up)
    if "presence_live" not in table.model.abilities:
        return found
    gone: set[Any] = set()
    for entry in entries:
        fact = entry.fact
        if isinstance(fact, facts.Raised):
            gone = set()
        elif isinstance(fact, facts.Taken | facts.PutBack):
            (gone.add if isinstance(fact, facts.Taken) else gone.discard)(_place(fact))
    places = {Spot(*place) for place in gone}
    standing = set(up.walls)
    if up.places and (standing & places or standing | places != set(up.places)):
        found.append(f"gone are {sorted(set(up.places) - standing)}, in the journal {places}")
    hand = state.hand
    deal = state.deal
    played = deal is not None and deal.set == up.name and deal.used
    if hand is not None and played and hand.life not in ("raised", "opened", "closed"):
        counted = hand.head + hand.tail + len(hand.sensed.early)
        if counted != len(up.out):
            found.append(f"{len(up.out)} tiles are gone, in the state {counted}")
    return found


def _counted(state: State, up: TileSet) -> list[str]:
    """Tiles left on each side as sensors counted them, while a hand is played on these walls."""
    hand, deal = state.hand, state.deal
    if hand is None or deal is None or deal.set != up.name or not deal.used:
        return []
    if hand.life in ("settling", "closed") or hand.sensed.set_aside:
        return []
    pairs = zip(up.counts(), hand.sensed.counts, strict=True)
    if all(known in (None, there) for there, known in pairs):
        return []
    return [f"{up.counts()} tiles stand, in the state {hand.sensed.counts}"]


def _taps(entries: Sequence[Entry], told: Mapping[str, int]) -> list[str]:
    """Every tap that was answered is there once, with the number that was answered."""
    kept = {entry.key.removeprefix("p:"): entry.seq for entry in entries}
    return [
        f"tap {key} was answered with {seq}, in the journal it is {kept.get(key)}"
        for key, seq in told.items()
        if kept.get(key) != seq
    ]


def _commands(entries: Sequence[Entry], acted: Sequence[Acted]) -> list[str]:
    """No command twice, none that was not written down first, none left without its end; and the
    end is what happened."""
    pairs = [(conversation, n) for conversation, n, _ in acted]
    found = [f"{pair} was acted on {n} times" for pair, n in Counter(pairs).items() if n > 1]
    asked: set[tuple[int, int]] = set()
    ends: dict[tuple[int, int], list[str]] = {}
    for entry in entries:
        if entry.key.startswith("c:"):
            _, conversation, n, word = entry.key.split(":")
            pair = (int(conversation), int(n))
            if word == "asked":
                asked.add(pair)
            elif word != "accepted":
                ends.setdefault(pair, []).append(word)
    found += [f"{pair} was acted on and never written down" for pair in set(pairs) - asked]
    found += [f"{pair} has no end" for pair in asked - ends.keys()]
    for pair, words in ends.items():
        if len(words) > 1:
            found.append(f"{pair} ended as {words}")
        if (words == ["done"] and pair not in pairs) or (words == ["refused"] and pair in pairs):
            found.append(f"{pair} ended as {words}; the board acted on {pairs}")
    return found


def same_as_never_killed(rulebook: Rulebook, entries: Sequence[Entry], places: bool) -> None:
    """What only a new start said (links, the board again, levels that stand as they stood) changes
    nothing: without it the state is the same. Where no sensor sees `places`, counts are the only
    word of tiles that leave, and stay."""
    runs = [entry.key for entry in entries if isinstance(entry.fact, facts.Board)]
    first = runs[0].rpartition(":")[2].partition(".")[0]
    counts = () if places else (facts.CountLeft, facts.Observed)
    kept = [
        entry
        for entry in entries
        if not isinstance(entry.fact, facts.Link)
        and (
            not entry.key.startswith("v:")
            or f":{first}." in entry.key
            or isinstance(entry.fact, counts)
        )
    ]
    with_all, without = (_story(fold_all(rulebook, some)) for some in (entries, kept))
    for what, told in with_all.items():
        assert told == without[what], f"{what}: {told}, never killed: {without[what]}"


def _story(state: State) -> dict[str, Any]:
    """What is to be the same: not the numbers of entries, nor when counts came."""
    hand = state.hand
    if hand is not None:
        hand = replace(hand, sensed=replace(hand.sensed, counts=Sensed().counts))
    machine = state.machine
    return {
        "sets": [(one.word, one.active, one.pending) for one in machine.sets],
        "troubles": machine.troubles,
        "commands": machine.commands,
        "deal": state.deal,
        "game": state.game,
        "hand": hand,
        "questions": [(question.id, question.text) for question in state.questions],
    }
