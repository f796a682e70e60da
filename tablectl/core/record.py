"""Recorded hands: one line of JSON each, read and checked, and told as facts.

A record holds the whole wall in position order and the events. Its facts say no more than a table
or people would: the wall's faces stay with the record, where `replay` compares them. Source of the
form: the contract's `tablectl replay`; of the facts: the house's page of facts, section 5.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.geometry import Plan
from tablectl.core.preset import Preset
from tablectl.core.tiles import Tile, normal, parse_tile
from tablectl.core.wall import Place, Side, parse_side, sides_text, whole_sides
from tablectl.errors import TablectlError, declare

declare(
    "record.line",
    "this is no recorded hand: {why}",
    "A recorded hand is one line of JSON with players, dealer, dice, wall and events; see"
    " `tablectl replay --help`.",
)
declare(
    "record.event",
    "event {event} is not as it must be: {why}",
    "Events are {forms}.",
)
declare(
    "record.wall_count",
    "the wall has {found} tiles, {preset} has {wanted}: {difference}",
    "Give every tile once, in position order from the break, or name the rule that was played.",
)
declare(
    "record.wall_tiles",
    "the wall does not hold the tiles of {preset}: {difference}",
    "Correct the tiles, or name the rule that was played.",
)

FORMS: Final = {
    "draw": '["draw", seat, tile, "live"|"tail"]',
    "discard": '["discard", seat, tile]',
    "chi": '["chi", seat, from]',
    "pon": '["pon", seat, from]',
    "kong": '["kong", seat, "open"|"added"|"concealed"]',
    "kita": '["kita", seat, tile?]',
    "nuki": '["nuki", seat, tile?]',
    "flower": '["flower", seat, tile?]',
    "riichi": '["riichi", seat]',
    "fever": '["fever", seat]',
    "indicator": '["indicator", tile]',
    "gold": '["gold", tile]',
    "win": '["win", seat, from, open indicators, [ura], [changes], way?]',
    "exhausted": '["exhausted", [changes]]',
    "abort": '["abort", why]',
}
"""Every event of a record and its form."""

_SHAPES: Final = {
    "draw": "stE",
    "discard": "st",
    "chi": "ss",
    "pon": "ss",
    "kong": "sK",
    "kita": "s?",
    "nuki": "s?",
    "flower": "s?",
    "riichi": "s",
    "fever": "s",
    "indicator": "t",
    "gold": "t",
    "win": "ssnLCW",
    "exhausted": "C",
    "abort": "w",
}
_MANY_PROBLEMS: Final = 4

Event = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded hand. `wall`: tile codes by p; `dice` as thrown; `sides`, `seats` None: the
    preset's; `digest`: for the keys of its facts; `rest`: keys not known here."""

    players: int
    dealer: int
    dice: tuple[int, ...]
    wall: tuple[str, ...]
    events: tuple[Event, ...]
    sides: tuple[Side, ...] | None = None
    seats: tuple[int, ...] | None = None
    digest: str = ""
    line: int = 1
    rest: dict[str, Any] = field(default_factory=dict)


def read_record(rules: Preset, text: str, line: int = 1) -> Record:
    """The recorded hand on one line. Raises TablectlError `record.*` naming the line."""
    where = f"line {line}"
    try:
        found = json.loads(text)
    except ValueError as error:
        raise TablectlError("record.line", where=where, why=str(error)) from None
    if not isinstance(found, dict):
        raise TablectlError("record.line", where=where, why="it is not an object")
    try:
        return _record(rules, found, line)
    except _Wrong as wrong:
        raise TablectlError("record.line", where=where, why=str(wrong)) from None
    except TablectlError as error:
        raise TablectlError(error.code, where=where, **error.values) from None


def header_facts(rules: Preset, record: Record) -> list[facts.AnyFact]:
    """The header as facts: the game, the walls, the dice, the deal."""
    seats = record.seats or tuple(range(record.players))
    sides = record.sides or whole_sides(rules.walls.default)
    each = rules.breaking.dice
    throws = [record.dice[i : i + each] for i in range(0, len(record.dice), each)]
    a, b, c, d = (side.text for side in sides)
    return [
        facts.GameStarted(
            preset=rules.name,
            digest=rules.digest,
            seats=seats,
            points=rules.play.points,
            first_dealer=record.dealer,
        ),
        facts.Raised(set="a", columns=(a, b, c, d)),
        *(facts.Dice(pips=throw) for throw in throws),
        facts.Dealt(by="record"),
    ]


def event_facts(rules: Preset, event: Event, plan: Plan) -> list[facts.AnyFact]:
    """One event as facts; `plan` is where everything is before it."""
    name, *rest = event
    if name == "draw":
        return [facts.Drawn(seat=rest[0], tile=rest[1], end=rest[2])]
    if name == "discard":
        return [facts.Discarded(seat=rest[0], tile=rest[1])]
    if name in ("chi", "pon"):
        return [facts.Called(seat=rest[0], kind=name, frm=rest[1])]
    if name == "kong":
        return [facts.Kong(seat=rest[0], kind=rest[1])]
    if name in ("kita", "nuki", "flower"):
        return [facts.SetAside(seat=rest[0], tile=rest[1] if len(rest) > 1 else None)]
    if name in ("riichi", "fever"):
        return [facts.Riichi(seat=rest[0], kind="fever" if name == "fever" else "plain")]
    if name == "indicator":
        place = plan.next_indicator.place if plan.next_indicator else Place(0, 1, "on")
        return [facts.Shown(place=place, tile=rest[0], why="indicator")]
    if name == "gold":
        marker = plan.gold_marker
        place = Place(marker.side, marker.column, "on") if marker else Place(0, 1, "on")
        return [facts.Shown(place=place, tile=rest[0], why="gold")]
    if name == "win":
        points, chips = rest[4][: rules.players], rest[4][4:]
        values: dict[str, Any] = {"points": [100 * n for n in points]}
        if chips:
            values["chips"] = chips
        return [
            facts.Won(
                seat=rest[0], frm=rest[1], way=rest[5] if len(rest) > 5 else None, values=values
            ),
            *(
                facts.Shown(place=position.place, tile=tile, why="ura")
                for position, tile in zip(plan.ura, rest[3], strict=False)
            ),
        ]
    if name == "exhausted":
        return [facts.Exhausted()]
    return [facts.Aborted(why=rest[0])]


def entry_of(record: Record, seq: int, part: str, n: int, fact: facts.AnyFact) -> Entry:
    """A fact of a record as a journal entry; `part` is `head` or the event's index."""
    key = f"r:{record.digest}:{record.line}:{part}:{n}"
    return Entry(table="record", seq=seq, key=key, origin="record", fact=fact)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


class _Wrong(Exception):
    """What a record line has wrong, in words."""


def _record(rules: Preset, found: dict[str, Any], line: int) -> Record:
    missing = [key for key in ("players", "dealer", "dice", "wall", "events") if key not in found]
    if missing:
        raise _Wrong(f"it has no {', no '.join(missing)}")
    players = found["players"]
    if players != rules.players:
        raise _Wrong(f"{players} players, but {rules.name} is for {rules.players}")
    dealer = found["dealer"]
    if not _is_int(dealer) or not 0 <= dealer < players:
        raise _Wrong(f"the dealer is {dealer!r}, not a seat from 0 to {players - 1}")
    dice = found["dice"]
    wanted = rules.breaking.dice * rules.breaking.throws
    if not isinstance(dice, list) or not all(_is_int(n) and 1 <= n <= 6 for n in dice):
        raise _Wrong(f"the dice are {dice!r}, not pips from 1 to 6")
    if len(dice) != wanted:
        raise _Wrong(f"{len(dice)} dice, but {rules.name} throws {wanted}")
    wall = _wall(rules, found["wall"])
    if not isinstance(found["events"], list):
        raise _Wrong("its events are no list")
    events = tuple(_event(n, event, players) for n, event in enumerate(found["events"]))
    known = ("players", "dealer", "dice", "wall", "events", "sides", "seats")
    return Record(
        players=players,
        dealer=dealer,
        dice=tuple(dice),
        wall=wall,
        events=events,
        sides=_sides(rules, found.get("sides")),
        seats=_seats(players, found.get("seats")),
        digest=_digest(found),
        line=line,
        rest={key: value for key, value in found.items() if key not in known},
    )


def _digest(found: dict[str, Any]) -> str:
    """Of all but the wall: a key must not tell of tiles that nobody has seen."""
    told = {key: value for key, value in found.items() if key != "wall"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _wall(rules: Preset, wall: Any) -> tuple[str, ...]:
    if not isinstance(wall, list) or not all(isinstance(code, str) for code in wall):
        raise _Wrong("its wall is no list of tiles")
    tiles = [parse_tile(code) for code in wall]
    if None in tiles:
        raise _Wrong("its wall has unknown tiles (?); a record needs every face")
    whole = [tile for tile in tiles if tile is not None]
    difference = _difference(rules, whole)
    if len(whole) != rules.tile_count:
        raise TablectlError(
            "record.wall_count",
            found=len(whole),
            wanted=rules.tile_count,
            preset=rules.name,
            difference=difference or "check it",
        )
    if difference:
        raise TablectlError("record.wall_tiles", preset=rules.name, difference=difference)
    return tuple(tile.code for tile in whole)


def _difference(rules: Preset, tiles: list[Tile]) -> str:
    """What is too many or missing, in words; a record that tells no marks is taken as it is."""
    wanted, found = rules.tiles.by_kind, Counter(tile.kind for tile in tiles)
    said = []
    for kind in sorted(wanted.keys() | found.keys()):
        more = found[kind] - wanted.get(kind, 0)
        if more:
            code = Tile(kind).code
            have = f"{found[kind]} of {wanted.get(kind, 0)}"
            said.append(f"{code} {'too many' if more > 0 else 'missing'} ({have})")
    if not said:
        marked = Counter(tile for tile in tiles if tile.mark)
        for tile, n in sorted(marked.items()):
            if n > rules.tiles[tile]:
                said.append(f"{tile.code} too many ({n} of {rules.tiles[tile]})")
    more_of_it = (
        f" and {len(said) - _MANY_PROBLEMS} kinds more" if len(said) > _MANY_PROBLEMS else ""
    )
    return ", ".join(said[:_MANY_PROBLEMS]) + more_of_it


def _event(n: int, event: Any, players: int) -> Event:
    if not isinstance(event, list) or not event or event[0] not in FORMS:
        what = event[0] if isinstance(event, list) and event else event
        names = ", ".join(FORMS)
        raise TablectlError("record.event", event=n, why=f"{what!r} is unknown", forms=names)
    name, *rest = event
    shape, form = _SHAPES[name], FORMS[name]
    least = len(shape.replace("?", "").replace("W", ""))
    if not least <= len(rest) <= len(shape):
        raise TablectlError(
            "record.event", event=n, why=f"{event} has {len(rest)} values", forms=form
        )
    read = [_value(n, kind, value, players, form) for kind, value in zip(shape, rest, strict=False)]
    return (name, *read)


def _value(n: int, kind: str, value: Any, players: int, form: str) -> Any:
    wrong = None
    if kind == "s" and not (_is_int(value) and 0 <= value < players):
        wrong = f"{value!r} is no seat from 0 to {players - 1}"
    elif kind in "t?" and not isinstance(value, str):
        wrong = f"{value!r} is no tile"
    elif kind == "E" and value not in ("live", "tail"):
        wrong = f"{value!r} is neither live nor tail"
    elif kind == "K" and value not in ("open", "added", "concealed"):
        wrong = f"{value!r} is neither open, added nor concealed"
    elif kind == "n" and not (_is_int(value) and value >= 0):
        wrong = f"{value!r} is no number of indicators"
    elif kind in "LC" and not isinstance(value, list):
        wrong = f"{value!r} is no list"
    elif kind == "C" and not (len(value) >= players and all(_is_int(x) for x in value)):
        wrong = f"{value!r} are no changes of {players} seats"
    elif kind == "W" and value not in get_args(facts.Way):
        wrong = f"{value!r} is no way to win; they are {', '.join(get_args(facts.Way))}"
    elif kind == "w" and not isinstance(value, str):
        wrong = f"{value!r} is no reason"
    if wrong:
        raise TablectlError("record.event", event=n, why=wrong, forms=form)
    try:
        if kind in "t?":
            return normal(value)
        if kind == "L":
            return [normal(code) for code in value]
    except TablectlError as error:
        raise TablectlError("record.event", event=n, why=error.message, forms=form) from None
    return value


def _sides(rules: Preset, value: Any) -> tuple[Side, ...] | None:
    if value is None:
        return None
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list):
        raise _Wrong(f"its sides are {value!r}, not four lengths")
    sides = tuple(parse_side(str(part)) for part in parts)
    if len(sides) != 4 or sum(side.tiles for side in sides) != rules.tile_count:
        raise _Wrong(f"its sides {sides_text(sides)} do not hold {rules.tile_count} tiles")
    return sides


def _seats(players: int, value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    good = isinstance(value, list) and all(_is_int(side) and 0 <= side <= 3 for side in value)
    if not good or len(set(value)) != players or len(value) != players:
        raise _Wrong(f"its seats are {value!r}, not the sides of {players} players")
    return tuple(value)
