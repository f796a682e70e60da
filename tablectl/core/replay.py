"""Replaying recorded hands by folding their facts, and nothing else.

Each event becomes facts; the fold says where the tile must have lain, and the record's own wall
says which tile lies there. What every seat can hold is followed beside it (`held`). The first
event that cannot have been is the mismatch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from tablectl.core import facts, held
from tablectl.core.entry import Entry, decode_entry
from tablectl.core.fold import fold, fold_each
from tablectl.core.held import Held
from tablectl.core.preset import Preset
from tablectl.core.record import Event, Record, entry_of, event_facts, header_facts, read_record
from tablectl.core.state import Hand, State, Verdict, ground_of, plan_of
from tablectl.core.tiles import UNKNOWN
from tablectl.errors import NO, TablectlError, declare

NO_HAND: Final = declare(
    "replay.no_hand",
    "no hand of {preset} was played at {tables}",
    "Name the rule that was played there; `tablectl journal export --table` takes one table alone.",
    status=NO,
)

COUNTED: Final = ("live", "tail", "indicators", "ura", "turn", "held")
_ENDS: Final = {"win": "win", "exhausted": "exhausted", "abort": "abort", "void": "abort"}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first event that cannot have been: what was expected there, what was found."""

    event: int
    expected: Any
    found: Any
    why: str

    def as_json(self) -> dict[str, Any]:
        return {
            "event": self.event,
            "expected": self.expected,
            "found": self.found,
            "why": self.why,
        }


@dataclass(slots=True)
class Follow:
    """One hand being followed: the state after each event, counts of what was compared, and the
    first mismatch."""

    rules: Preset
    record: Record
    state: State = field(default_factory=State)
    held: Held | None = None
    given: str = UNKNOWN
    """The tile that was discarded or set aside last: what a call takes."""
    entries: list[Entry] = field(default_factory=list)
    """The facts so far, as a journal would hold them."""
    checked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    mismatch: Mismatch | None = None

    def begin(self) -> None:
        """Fold the header and deal."""
        for n, fact in enumerate(header_facts(self.rules, self.record)):
            _, verdict = self._fold("head", n, fact)
            if verdict.kind == "odd":
                raise TablectlError(
                    "record.line", where=f"line {self.record.line}", why=verdict.text
                )
        hand, wall = self.hand, self.record.wall
        base = ground_of(self.rules, hand)
        hands: list[list[str]] = [[] for _ in range(self.rules.players)]
        for offset, places in enumerate(base.deal.hands):
            seat = (hand.dealer + offset) % self.rules.players
            hands[seat] = [wall[p] for p in places]
        self.held = held.dealt(hands, self.rules.calls.aside)
        self.checked["indicators"] += len(plan_of(self.rules, hand).indicators)

    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    def event(self, index: int, event: Event) -> None:
        """Fold one event and compare it; the first mismatch is kept."""
        before = self.hand
        turn_known = before.turn.word != "untracked"
        wrong: Mismatch | None = None
        for n, fact in enumerate(event_facts(self.rules, event, plan_of(self.rules, before))):
            earlier = self.hand
            _, verdict = self._fold(str(index), n, fact)
            if wrong is None:
                wrong = self._compare(index, event, fact, earlier, verdict)
        if wrong is None and event[0] == "win":
            wrong = self._win(index, event)
        if wrong is None and turn_known:
            self.checked["turn"] += 1
        if self.mismatch is None:
            self.mismatch = wrong

    def report(self, number: int) -> dict[str, Any]:
        """The contract's line for this hand."""
        plan = plan_of(self.rules, self.hand)
        wall = self.record.wall
        return _report(
            number,
            self.hand,
            self.mismatch,
            self.checked,
            drawable=plan.drawable,
            indicators=[wall[position.p] for position in plan.indicators],
            ura=[wall[position.p] for position in plan.ura],
        )

    # ── how ──

    def _fold(self, part: str, n: int, fact: facts.AnyFact) -> tuple[State, Verdict]:
        entry = entry_of(self.record, len(self.entries) + 1, part, n, fact)
        self.entries.append(entry)
        self.state, verdict = fold({self.rules.digest: self.rules}, self.state, entry)
        return self.state, verdict

    def _compare(
        self, index: int, event: Event, fact: facts.AnyFact, before: Hand, verdict: Verdict
    ) -> Mismatch | None:
        if verdict.kind != "fits":
            return Mismatch(index, None, list(event), verdict.text)
        found = self._wall(index, fact, before)
        return found or self._held(index, event, fact)

    def _wall(self, index: int, fact: facts.AnyFact, before: Hand) -> Mismatch | None:
        """Compare a face with what lies in the wall at that place."""
        wall, after = self.record.wall, self.hand
        base = ground_of(self.rules, before)
        if isinstance(fact, facts.Drawn):
            if after.head > before.head:
                p, count, where = base.order.p(before.head), "live", "the next draw"
            else:
                tail = base.wall.tail(self.rules.replacements.first)
                p, count, where = tail[before.tail].p, "tail", "the next replacement"
        elif isinstance(fact, facts.Shown) and fact.why in ("indicator", "ura"):
            p = base.wall.number[fact.place]
            count = "indicators" if fact.why == "indicator" else "ura"
            where = f"the {fact.why}"
        elif isinstance(fact, facts.Shown) and fact.why == "gold":
            tail = base.wall.tail(self.rules.replacements.first)
            p, count, where = tail[before.tail].p, "tail", "the next replacement"
        else:
            return None
        tile = fact.tile
        if tile is None or tile == UNKNOWN:
            return None
        self.checked[count] += 1
        if tile == wall[p]:
            return None
        return Mismatch(index, wall[p], tile, f"{where} lies at p = {p}, which is {wall[p]}")

    def _held(self, index: int, event: Event, fact: facts.AnyFact) -> Mismatch | None:
        """Compare what a seat lays down with what it can hold."""
        now = self.held
        if now is None:
            return None
        after, what = self._after(now, fact)
        if after is now:
            return None
        if after is None:
            why = f"seat {event[1]} cannot {what}: none of its possible hands allows it"
            return Mismatch(index, None, list(event), why)
        if not isinstance(fact, facts.Drawn):
            self.checked["held"] += 1
        self.held = after
        return None

    def _after(self, now: Held, fact: facts.AnyFact) -> tuple[Held | None, str]:
        if isinstance(fact, facts.Drawn):
            return now.draw(fact.seat, fact.tile or UNKNOWN), "draw"
        if isinstance(fact, facts.Discarded):
            given = self.given = fact.tile or UNKNOWN
            return now.discard(fact.seat, given), f"discard {given}"
        if isinstance(fact, facts.SetAside):
            self.given = fact.tile or UNKNOWN
            if fact.tile is None and len(now.aside) == 1:
                self.given = now.aside[0]
            return now.set_aside(fact.seat, fact.tile or UNKNOWN), "set that aside"
        if isinstance(fact, facts.Called):
            call = now.chi if fact.kind == "chi" else now.pon
            return call(fact.seat, self.given), f"call {fact.kind} of {self.given}"
        if isinstance(fact, facts.Kong):
            if fact.kind == "open":
                return now.open_kong(fact.seat, self.given), f"make a kong of {self.given}"
            if fact.kind == "added":
                return now.added_kong(fact.seat), "add a tile to a pon"
            return now.concealed_kong(fact.seat), "make a concealed kong"
        if isinstance(fact, facts.Won):
            # Under fever the hand is played on; a tile drawn to the win is laid aside.
            drawn = now.drawn[fact.seat]
            plays_on = self.hand.riichi[fact.seat] == "fever" and fact.frm == fact.seat
            return (now.discard(fact.seat, drawn) if plays_on and drawn else now), "win"
        if isinstance(fact, facts.Riichi):
            return now.riichi(fact.seat), "declare riichi with an open hand"
        return now, ""

    def _win(self, index: int, event: Event) -> Mismatch | None:
        """Compare how many indicators lay open, and the ura with the indicators."""
        _, seat, _, said, ura, _ = event
        win, hand = self.hand.wins[-1], self.hand
        if said != win.indicators:
            return Mismatch(index, win.indicators, said, "so many indicators lay open")
        if ura and hand.riichi[seat] is None:
            return Mismatch(index, [], ura, f"seat {seat} won without riichi and sees no ura")
        below = len(plan_of(self.rules, hand).ura)
        if ura and len(ura) != below:
            return Mismatch(index, below, len(ura), "each open indicator has one ura")
        return None


def replay(rules: Preset, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """A report for each hand, records or a journal's export. Raises TablectlError for a line that
    cannot be read and as `replay_export`, after the hands before it were reported."""
    number = 0
    exported: list[Entry] = []
    for at, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if exported or _is_entry(line):
            try:
                exported.append(decode_entry(line))
            except TablectlError as error:
                raise TablectlError(error.code, where=f"line {at}", **error.values) from None
            continue
        yield replay_hand(rules, read_record(rules, line, at), number)
        number += 1
    if exported:
        yield from replay_export(rules, exported)


def entries_of(rules: Preset, record: Record) -> list[Entry]:
    """The facts of a record, as a journal would hold them."""
    followed = Follow(rules, record)
    followed.begin()
    for index, event in enumerate(record.events):
        followed.event(index, event)
    return followed.entries


def replay_hand(rules: Preset, record: Record, number: int = 0) -> dict[str, Any]:
    """The report of one recorded hand."""
    followed = Follow(rules, record)
    followed.begin()
    for index, event in enumerate(record.events):
        followed.event(index, event)
    return followed.report(number)


def is_another(before: Hand | None, hand: Hand) -> bool:
    """Whether a hand is not the one before it. A game begins its numbers anew, so a number alone
    does not say so."""
    if before is None or before.number != hand.number:
        return True
    return before.life == "closed" and hand.life != "closed"


def replay_export(rules: Preset, entries: list[Entry]) -> Iterator[dict[str, Any]]:
    """The report of each hand of a journal's export, with its `table`, one table after another;
    what nobody saw is `?`. Raises `replay.no_hand` after them, where another rule was played at a
    table, or nothing at all."""
    tables: dict[str, list[Entry]] = {}
    for entry in entries:
        tables.setdefault(entry.table, []).append(entry)
    idle = dict.fromkeys(tables)
    for table, told in tables.items():
        for report in _replay_table(rules, told):
            idle.pop(table, None)
            yield {"table": table, **report}
    if len(idle) < len(tables):
        idle = {t: None for t in idle if any(_of_another(rules, entry) for entry in tables[t])}
    if idle:
        raise TablectlError(NO_HAND, preset=rules.name, tables=", ".join(idle))


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _of_another(rules: Preset, entry: Entry) -> bool:
    return isinstance(entry.fact, facts.GameStarted) and entry.fact.digest != rules.digest


def _replay_table(rules: Preset, entries: list[Entry]) -> Iterator[dict[str, Any]]:
    book = {rules.digest: rules}
    hand: Hand | None = None
    number = event = 0
    checked = dict.fromkeys(COUNTED, 0)
    mismatch: Mismatch | None = None
    for entry, state, verdict in fold_each(book, entries, State()):
        before, hand = hand, state.hand
        if before is not None and (hand is None or is_another(before, hand)):
            if _begun(before):
                yield _exported(rules, number, before, mismatch, checked)
                number += 1
            event, mismatch, checked = 0, None, dict.fromkeys(COUNTED, 0)
        if verdict.kind == "odd" and mismatch is None:
            mismatch = Mismatch(event, None, facts.tag_of(entry.fact), verdict.text)
        if before is not None and hand is not None:
            _count(checked, before, hand, entry.fact)
        event += 1
    if hand is not None and _begun(hand):
        yield _exported(rules, number, hand, mismatch, checked)


def _is_entry(line: str) -> bool:
    return '"fact"' in line and '"seq"' in line


def _begun(hand: Hand) -> bool:
    return hand.life != "raised"


def _count(checked: dict[str, int], before: Hand, after: Hand, fact: facts.AnyFact) -> None:
    """What an export could be compared with: places that only one end explains, faces shown."""
    checked["live"] += max(0, after.head - before.head) * (before.life == "playing")
    checked["tail"] += max(0, after.tail - before.tail)
    if isinstance(fact, facts.Shown) and fact.why in ("indicator", "ura"):
        checked["indicators" if fact.why == "indicator" else "ura"] += 1
    tracked = before.turn.word != "untracked" and after.turn.word != "untracked"
    checked["turn"] += tracked and before.turn != after.turn


def _exported(
    rules: Preset,
    number: int,
    hand: Hand,
    mismatch: Mismatch | None,
    checked: dict[str, int],
) -> dict[str, Any]:
    try:
        plan = plan_of(rules, hand)
    except TablectlError:
        return _report(number, hand, mismatch, checked, drawable=0, indicators=[], ura=[])
    return _report(
        number,
        hand,
        mismatch,
        checked,
        drawable=plan.drawable,
        indicators=[hand.face(position.place) or UNKNOWN for position in plan.indicators],
        ura=[hand.face(position.place) or UNKNOWN for position in plan.ura],
    )


def _report(
    number: int,
    hand: Hand,
    mismatch: Mismatch | None,
    checked: dict[str, int],
    *,
    drawable: int,
    indicators: list[str],
    ura: list[str],
) -> dict[str, Any]:
    return {
        "hand": number,
        "ok": mismatch is None,
        "head": hand.head,
        "tail": hand.tail,
        "drawable": drawable,
        "indicators": indicators,
        "ura": ura,
        "end": _ENDS.get(hand.end) if hand.end else None,
        "checked": dict(checked),
        "mismatch": None if mismatch is None else mismatch.as_json(),
    }
