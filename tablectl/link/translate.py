"""Messages of the wire to facts: one table, a function for each message.

A value that the board does not know becomes no fact; a code number that is not known here becomes
`other` or its number, so that no edge is ever refused.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, NamedTuple

from protocols import codes, v1
from tablectl.core import facts
from tablectl.core.facts import Fact
from tablectl.core.wall import Place

SETS: Final = ("a", "b")


class Reading(NamedTuple):
    """A fact and the ability that it comes from."""

    fact: Fact
    ability: str
    by_side: bool = False
    face: str | None = None

    def __repr__(self) -> str:
        return f"Reading({self.fact!r}, {self.ability!r})"  # never the face


def of_edge(edge: v1.Edge) -> list[Reading]:
    """The facts of an edge; none for what says nothing to this program."""
    found: list[Reading] = _EDGES[type(edge)](edge)
    return found


def of_levels(levels: v1.Levels, before: v1.Levels | None, live: bool) -> list[Reading]:
    """The facts in LEVELS that are new since `before` (all without it): numbers, phases, and
    counts where they are `live`. The set that has left the table comes first, since only one can
    be on it."""
    found: list[Reading] = []
    for n, name in enumerate(SETS):
        for state in ("active", "pending"):
            now = getattr(levels, state)[n]
            if now is not None and (before is None or getattr(before, state)[n] != now):
                number = facts.Number(set=name, number=now, state=state)  # type: ignore[arg-type]
                found.append(Reading(number, "read_number"))
    changed = [
        (n, phase)
        for n, phase in enumerate(levels.phase)
        if phase is not None and (before is None or before.phase[n] != phase)
    ]
    for n, phase in sorted(changed, key=lambda pair: pair[1] in _ON_TOP):
        fact = facts.Phase(set=SETS[n], phase=_phase(phase))  # type: ignore[arg-type]
        found.append(Reading(fact, "phases"))
    if live and before is not None:
        for side, left in enumerate(levels.counts):
            if left is not None and before.counts[side] != left:
                found.append(Reading(facts.CountLeft(side=side, left=left), "counts_live"))
    return found


def levels_after(levels: v1.Levels, edge: v1.Edge) -> v1.Levels:
    """What LEVELS will say after this edge, so that they are not told as news a second time."""
    match edge:
        case v1.PhaseEdge():
            return levels._replace(phase=_with(levels.phase, edge.set, edge.now))
        case v1.NumberEdge() if edge.state:
            a, b = (None if number == edge.game else number for number in levels.pending)
            pending = (
                a if edge.set != codes.TileSet.B else levels.pending[0],
                b if edge.set != codes.TileSet.A else levels.pending[1],
            )
            active = _with(levels.active, edge.set, edge.game)
            return levels._replace(active=active, pending=pending)
        case v1.NumberEdge():
            return levels._replace(pending=_with(levels.pending, edge.set, edge.game))
        case _:
            return levels


def of_troubles(now: int, before: int) -> list[Reading]:
    """Troubles that began or ended unseen; both as bits by code. Codes that share a word here are
    one trouble."""
    known, found = _trouble_words(before), _trouble_words(now)
    return [
        Reading(facts.Trouble(code=word, on=word in found), "phases")  # type: ignore[arg-type]
        for word in sorted(known ^ found)
    ]


def of_snapshot(snapshot: v1.Snapshot, live: bool) -> list[Reading]:
    """The facts of a snapshot but its troubles, for which `of_troubles` is."""
    levels = snapshot.levels
    found = of_levels(levels, None, live)
    values = {
        "active": list(levels.active),
        "pending": list(levels.pending),
        "phase": [None if phase is None else _phase(phase) for phase in levels.phase],
        "dice": list(snapshot.pips[: snapshot.dice]),
        "troubles": sorted(_trouble_words(snapshot.troubles)),
        "riichi": snapshot.riichi,
        "up": {0: "none", 1: "a", 2: "b"}.get(snapshot.up if snapshot.up is not None else -1),
    }
    counts = levels.counts if live else None
    found.append(
        Reading(facts.Observed(of="snapshot", counts=counts, values=values), "counts_live")
    )
    return found


def of_presence(presence: v1.Presence) -> list[Reading]:
    """Which places of a side have a tile."""
    if presence.side > 3:
        return []
    bits = int.from_bytes(presence.bits, "little")
    places = tuple(
        Place(presence.side, n // 2 + 1, "lower" if n % 2 else "upper")
        for n in range(48)
        if bits >> n & 1
    )
    fact = facts.Observed(of="presence", side=presence.side, places=places)
    return [Reading(fact, "presence_live")]


def of_points(points: v1.Points) -> list[Reading]:
    """Points of a seat, in single points."""
    if points.hundreds is None or points.seat > 3:
        return []
    values: dict[str, Any] = {}
    if points.difference is not None:
        values["difference"] = points.difference * 100
    if points.sticks is not None:
        values["sticks"] = points.sticks
    fact = facts.Observed(
        of="points", seat=points.seat, points=points.hundreds * 100, values=values
    )
    return [Reading(fact, "points", by_side=True)]


# ── edges ───────────────────────────────────────────────────────────────────────────────────────


def _number(edge: v1.NumberEdge) -> list[Reading]:
    state = "active" if edge.state else "pending"
    return [
        Reading(facts.Number(set=name, number=edge.game, state=state), "read_number")  # type: ignore[arg-type]
        for name in _sets(edge.set)
    ]


def _phase_edge(edge: v1.PhaseEdge) -> list[Reading]:
    return [
        Reading(facts.Phase(set=name, phase=_phase(edge.now)), "phases")  # type: ignore[arg-type]
        for name in _sets(edge.set)
    ]


def _raised(edge: v1.RaisedEdge) -> list[Reading]:
    sides = None if None in edge.sides else edge.sides
    return [
        Reading(facts.Raised(set=name, number=edge.game, sides=sides), "counts_at_raise")  # type: ignore[arg-type]
        for name in _sets(edge.set)[:1]
    ]


def _dice(edge: v1.DiceEdge) -> list[Reading]:
    pips = edge.pips[: edge.dice]
    if not pips or not all(pip is not None and 1 <= pip <= 6 for pip in pips):
        return [Reading(_trouble(codes.Trouble.DICE_UNREAD, True), "dice")]
    return [Reading(facts.Dice(pips=pips), "dice")]  # type: ignore[arg-type]


def _button(edge: v1.ButtonEdge) -> list[Reading]:
    press = "long" if edge.press == codes.Press.LONG else "press"
    name = _word(codes.Button, edge.button) or f"number {edge.button}"
    seat = edge.seat if edge.seat is not None and edge.seat <= 3 else None
    return [
        Reading(facts.Button(button=name, press=press, seat=seat), "see_buttons", by_side=True)  # type: ignore[arg-type]
    ]


def _taken(edge: v1.TakenEdge) -> list[Reading]:
    place = _place(edge.place)
    if place is None:
        return []
    fact: Fact = facts.PutBack(place=place) if edge.back else facts.Taken(place=place)
    return [Reading(fact, "presence_live")]


def _shown(edge: v1.ShownEdge) -> list[Reading]:
    place = _place(edge.place)
    if place is None:
        return []
    face = codes.tile_code(edge.tile, edge.mark)
    return [Reading(facts.Shown(place=place, tile=face), "faces_when_shown")]


def _sealed(edge: v1.SealedEdge) -> list[Reading]:
    place = _place(edge.place)
    if place is None:
        return []
    face = codes.tile_code(edge.tile, edge.mark)
    return [Reading(facts.Sealed(place=place), "faces_when_stacked", face=face)]


def _trouble_edge(edge: v1.TroubleEdge) -> list[Reading]:
    names = _sets(edge.set) if edge.set is not None else ()
    fact = facts.Trouble(
        code=_TROUBLES.get(edge.code, "other"),  # type: ignore[arg-type]
        on=bool(edge.on),
        set=names[0] if len(names) == 1 else None,  # type: ignore[arg-type]
        side=edge.side if edge.side is not None and edge.side <= 3 else None,
        expected=edge.expected,
        found=edge.found,
    )
    return [Reading(fact, "phases")]


def _riichi(edge: v1.RiichiEdge) -> list[Reading]:
    if edge.seat > 3:
        return []
    fact = facts.Riichi(seat=edge.seat, taken_back=not edge.laid)
    return [Reading(fact, "riichi_tray", by_side=True)]


_EDGES: Final[dict[type[Any], Callable[[Any], list[Reading]]]] = {
    v1.NumberEdge: _number,
    v1.PhaseEdge: _phase_edge,
    v1.RaisedEdge: _raised,
    v1.DiceEdge: _dice,
    v1.ButtonEdge: _button,
    v1.TakenEdge: _taken,
    v1.ShownEdge: _shown,
    v1.SealedEdge: _sealed,
    v1.TroubleEdge: _trouble_edge,
    v1.RiichiEdge: _riichi,
    v1.VendorEdge: lambda edge: [],
}

_ON_TOP: Final = (codes.Phase.DROPPING, codes.Phase.RAISING, codes.Phase.UP)
_TROUBLES: Final = {
    code.value: code.name.lower()
    for code in codes.Trouble
    if code not in (codes.Trouble.OTHER, codes.Trouble.OVERDUE)
}


def _trouble(code: codes.Trouble, on: bool) -> facts.Trouble:
    return facts.Trouble(code=_TROUBLES.get(code, "other"), on=on)  # type: ignore[arg-type]


def _trouble_words(bits: int) -> set[str]:
    return {_TROUBLES.get(code, "other") for code in range(32) if bits >> code & 1}


def _sets(which: int) -> tuple[str, ...]:
    return {0: SETS, 1: SETS[:1], 2: SETS[1:]}.get(which, ())


def _with(
    values: tuple[int | None, int | None], which: int, new: int | None
) -> tuple[int | None, int | None]:
    names = _sets(which)
    return new if "a" in names else values[0], new if "b" in names else values[1]


def _word(words: type[IntEnum], value: int) -> str | None:
    return words(value).name.lower() if value in words._value2member_map_ else None


def _phase(phase: int | None) -> str:
    return (_word(codes.Phase, phase) if phase is not None else None) or "unknown"


def _place(code: int) -> Place | None:
    found = codes.place_of(code)
    return None if found is None else Place(found[0], found[1], found[2])  # type: ignore[arg-type]
