"""One table as people see it in a terminal: its walls, and everything that is known in words.

Pure: what is shown follows from the table's view (as `GET /api/v1/tables/{id}` gives it) and the
rule of its game. `watch` and `demo` draw with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from rich.cells import cell_len, chop_cells
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tablectl.cli import drawing
from tablectl.cli.said import for_people, seat_for_people, wind
from tablectl.cli.words import tile_for_people
from tablectl.core.census import off_said
from tablectl.core.geometry import Plan
from tablectl.core.preset import Preset
from tablectl.core.state import full_name
from tablectl.core.tiles import UNKNOWN
from tablectl.core.turn import TURN
from tablectl.core.view import phase_words
from tablectl.core.wall import Break, Place, parse_side, wall_from
from tablectl.core.wins import WAYS

View = Mapping[str, Any]
"""A table as it is served. A member that is not there is null: a merge patch says no other."""

BESIDE: Final = 130
"""From so many columns on the words stand beside the walls."""

_LABEL: Final = 16
"""Columns for the label of a fact, as in `drawing.words`."""
_UNWRAPPED: Final = 100_000

_STYLES: Final = {
    "daemon lost": "bold red",
    "link lost": "bold red",
    "link refused": "bold red",
    "complaint": "red",
    "trouble": "bold red",
    "question": "bold magenta",
    "next draw": "green",
    "replacement": "cyan",
    "hand": "bold",
}
_OVER: Final = {
    "trouble": "over",
    "question": "answered",
    "complaint": "over",
    "open tiles": "none",
}
"""What is said when the last fact of such a label is gone; of others nothing is."""


_BEING_STACKED: Final = (("stacking",), ("paused", "blocked"), ("unknown",))
"""Phases in which a set may be the one that is being stacked, the surest first."""
_LIMITS: Final = {"self_draw": "by self-draw", "riichi": "after a new riichi"}
"""What a seat may win by from now on."""
_TURNS: Final = ("dealt", "flowering", "playing", "last_draws")
"""Lives of a hand in which somebody has the turn."""


class Told(NamedTuple):
    """One fact in words. `label`: what it is about."""

    label: str
    text: str

    @property
    def style(self) -> str:
        return _STYLES.get(self.label, "")


def shown(
    view: View,
    rules: Preset | None,
    width: int = drawing.WIDTH,
    about: Sequence[Told] = (),
) -> list[RenderableType]:
    """The whole table: the walls, where a break is known, and all facts; no line is wider than
    `width`. `rules`: those of the running game, None where they are not at hand; `about`: facts
    that stand before those of the table."""
    walls = picture(view, rules, min(width, drawing.WIDTH))
    told = [*about, *facts(view, rules)]
    if walls is None:
        return [lines_of(told, width)]
    if width < BESIDE:
        return [walls, lines_of(told, width)]
    both = Table.grid(padding=(0, 2))
    both.add_row(walls, lines_of(told, width - drawing.WIDTH - 2))
    return [both]


def picture(view: View, rules: Preset | None, width: int = drawing.WIDTH) -> Text | None:
    """The walls from above; None while nobody knows where they are opened."""
    plan = plan_in(view)
    if plan is None or rules is None:
        return None
    return drawing.picture(rules, plan, faces=faces_in(view, plan), width=width)


def facts(view: View, rules: Preset | None) -> list[Told]:
    """Everything that is known, in words, in the order of its reading."""
    return [
        *_table(view),
        *_machine(view),
        *_game(view, rules),
        *_hand(view),
        *_positions(view, rules),
        *_played(view),
        *_open(view),
    ]


def changed(before: Sequence[Told], after: Sequence[Told]) -> list[Told]:
    """What is told now and was not before; of what people wait for also that it is over."""
    known = set(before)
    found = [one for one in after if one not in known]
    labels = {one.label for one in after}
    gone = dict.fromkeys(one.label for one in before if one.label not in labels)
    return found + [Told(label, _OVER[label]) for label in gone if label in _OVER]


def lines_of(told: Sequence[Told], width: int) -> Text:
    """Facts with their labels, a line each; long ones go on in a further line."""
    lines = []
    for one in told:
        label = f"{one.label:<{_LABEL}}"
        for line in _wrapped(one.text, width - _LABEL):
            lines.append(Text(label + line, one.style))
            label = " " * _LABEL
    return Text("\n").join(lines)


def plan_in(view: View) -> Plan | None:
    """Where everything is, None while no break is known, and where the walls that are up are not
    those of the hand."""
    hand, deal = _state(view).get("hand") or {}, _state(view).get("deal") or {"used": True}
    plan = hand.get("plan")
    if plan is None or not deal["used"]:
        return None
    nothing = {one.encode_name: None for one in msgspec.structs.fields(Plan)}
    return msgspec.convert(nothing | plan, Plan)


def link_words(view: View) -> str:
    """How the table is connected, in a few words."""
    live, machine = view.get("live") or {}, _state(view).get("machine") or {}
    if live.get("manual"):
        return "worked by people"
    line = live.get("line")
    if line is None:
        return "no board has answered" if machine.get("link") is None else "lost"
    stage, why = line["stage"], line.get("why")
    words = {"ready": "ready", "absent": "lost", "refused": "refused"}.get(stage, stage)
    return f"{words}: {why}" if why and stage != "ready" else words


def set_words(one: Mapping[str, Any]) -> str:
    """What a tile set does, its number and the next one: `the walls are up, number 5 → 7`."""
    active, pending = one.get("active"), one.get("pending")
    number = "" if active is None else f", number {active}"
    if pending is not None and pending != active:
        number = f", number {'?' if active is None else active} → {pending}"
    return phase_words(one["phase"]) + number


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _state(view: View) -> Mapping[str, Any]:
    found: Mapping[str, Any] = view["state"]
    return found


def _table(view: View) -> Iterator[Told]:
    board = (_state(view).get("machine") or {}).get("board") or {}
    known = [view["table"], *(board[name] for name in ("model", "firmware") if board.get(name))]
    yield Told("table", f"{view['name']} ({', '.join(known)})")
    words, _, why = link_words(view).partition(": ")
    if words in ("lost", "refused"):
        yield Told(f"link {words}", why or "no board answers any more")
    else:
        yield Told("link", f"{words}: {why}" if why else words)
    if complaint := (view.get("live") or {}).get("complaint"):
        yield Told("complaint", f"{complaint['message']}. {complaint['hint']}")


def _machine(view: View) -> Iterator[Told]:
    machine, live = _state(view).get("machine") or {}, view.get("live") or {}
    for name, one in (machine.get("sets") or {}).items():
        if (one["phase"], one.get("active"), one.get("pending")) != ("unknown", None, None):
            yield Told(f"set {name}", set_words(one))
    if progress := live.get("progress"):
        yield from _stacked(machine.get("sets") or {}, progress)
    for trouble in machine.get("troubles") or ():
        yield Told("trouble", _trouble(trouble))
    for sensor, side in machine.get("ignored") or ():
        yield Told("ignored", f"{sensor}{'' if side is None else f' of side {side}'}")
    for command in machine.get("commands") or ():
        yield Told("command", f"{command['command']}: {command['result']}")


def _stacked(sets: Mapping[str, Any], progress: Sequence[int | None]) -> Iterator[Told]:
    """The tiles that the set being stacked has by now; when none is, they stand already."""
    for words in _BEING_STACKED:
        if found := [name for name, one in sets.items() if one["phase"] in words]:
            of = f"set {found[0]}: " if len(found) == 1 else ""
            tiles = ", ".join("?" if n is None else str(n) for n in progress)
            yield Told("stacked", f"{of}{tiles} tiles on sides 0 to 3")
            return


def _trouble(trouble: Mapping[str, Any]) -> str:
    said = str(trouble["code"]).replace("_", " ")
    for name in ("set", "side"):
        if trouble.get(name) is not None:
            said += f", {name} {trouble[name]}"
    expected, found = trouble.get("expected"), trouble.get("found")
    if expected is None:
        return said
    off = 0 if found is None else found - expected
    # Two codes say it themselves.
    many = f", {off_said(off)}" if off and trouble["code"] not in ("missing", "too_many") else ""
    return f"{said}: {'?' if found is None else found} of {expected} tiles{many}"


def _game(view: View, rules: Preset | None) -> Iterator[Told]:
    game, deal = _state(view).get("game"), _state(view).get("deal")
    if game is None:
        yield Told("game", "none is played")
    else:
        name = full_name(game["preset"], game.get("variant"))
        title = f"{rules.title} ({rules.name})" if rules is not None else name
        hand = _state(view).get("hand")
        why = for_people(game["why"] or "ended", hand)
        ended = f", over: {why}" if game["over"] else ""
        points = _by_seat(hand, game["points"]) + _chips(hand, game)
        yield Told("game", f"{title}{ended}; points {points}")
        yield Told("round", _round(game))
        if rules is None:
            yield Told("", f"the rule {name} is not at hand, so no walls are drawn")
    if wanted := _state(view).get("wanted"):
        name = full_name(wanted["preset"], wanted.get("variant"))
        hand = _state(view).get("hand") or {}
        due = "settled" if hand.get("end") == "void" else "settled or void"
        yield Told("then", f"a game of {name}, as soon as this hand is {due}")
    if deal is not None:
        yield Told("walls", _deal(deal))


def _round(game: Mapping[str, Any]) -> str:
    """`South 4, repeat 1, the last hand; places 2, 1, 4, 3`."""
    said = str(game["words"])
    if game["repeats"]:
        said += f", repeat {game['repeats']}"
    if game["last"]:
        said += ", the last hand" if not game["over"] else ", the last hand played"
    if len(set(game["points"])) > 1:
        said += f"; places of seats 0 to {len(game['seats']) - 1}: {_numbers(game['places'])}"
    waiting = game.get("waiting")
    if waiting is not None:
        chips = f" and {waiting['chips']} chips" if waiting["chips"] else ""
        said += f"; side {game['out']} sits out with {waiting['points']} points{chips}"
    return said


def _deal(deal: Mapping[str, Any]) -> str:
    said = f"of set {deal['set']}"
    if deal.get("number") is not None:
        said += f", number {deal['number']}"
    if deal.get("sides"):
        said += f", columns {_numbers(deal['sides'])}"
    if deal.get("tiles"):
        said += f", tiles {_numbers(deal['tiles'])}"
    return said + (", not to be played on" if deal["refused"] else "")


def _hand(view: View) -> Iterator[Told]:
    hand = _state(view).get("hand")
    if hand is None:
        return
    yield Told("hand", f"{hand['number']}: {hand['words']}")
    yield Told("seats", _seats(hand))
    turn = hand["turn"]
    who = "a player" if turn.get("seat") is None else seat_for_people(hand, turn["seat"])
    if turn["word"] != "untracked" and hand["life"] in _TURNS:
        yield Told("turn", TURN.states[turn["word"]].replace("a player", who))
    if hand["dice"]:
        pips = " + ".join(map(str, hand["dice"]))
        yield Told("dice", f"{pips} = {sum(hand['dice'])}" if len(hand["dice"]) > 1 else pips)


def _positions(view: View, rules: Preset | None) -> Iterator[Told]:
    plan, hand = plan_in(view), _state(view).get("hand")
    if plan is None or hand is None:
        return
    yield Told("taken", f"head {hand['head']}, tail {hand['tail']}")
    if rules is None:
        return
    for line in drawing.words(rules, plan, faces=faces_in(view, plan), width=_UNWRAPPED):
        yield Told(line[:_LABEL].rstrip(), line[_LABEL:])


def _played(view: View) -> Iterator[Told]:
    hand = _state(view).get("hand")
    if hand is None:
        return
    if hand["public"]:
        yield Told(
            "open tiles", "; ".join(f"{_place(o['place'])}: {_tile(o)}" for o in hand["public"])
        )
    if hand.get("gold") is not None:
        yield Told("gold is", tile_for_people(hand["gold"]))
    if hand["due"]:
        yield Told("due", f"{hand['due']} indicator{'' if hand['due'] == 1 else 's'} to be turned")
    for seat in hand["owed"]:
        late = ", who has discarded without it" if seat in hand["forgotten"] else ""
        yield Told("owed", f"a replacement to {seat_for_people(hand, seat)}{late}")
    for seat, tiles in enumerate(hand["aside"]):
        if tiles:
            said = " ".join(map(tile_for_people, tiles))
            yield Told("set aside", f"{seat_for_people(hand, seat)}: {said}")
    for meld in hand["melds"]:
        given = meld.get("from")
        frm = "" if given in (None, meld["seat"]) else f" from {seat_for_people(hand, given)}"
        tile = f" {_tile(meld)}" if meld.get("tile") else ""
        yield Told("called", f"{seat_for_people(hand, meld['seat'])}: {meld['kind']}{tile}{frm}")
    for seat, kind in enumerate(hand["riichi"]):
        if kind is not None:
            yield Told(
                "riichi", f"{seat_for_people(hand, seat)}{'' if kind == 'plain' else f' ({kind})'}"
            )
    for seat in hand["dead"]:
        yield Told("dead", f"the hand of {seat_for_people(hand, seat)}: no win, no call")
    for seat, limit in enumerate(hand["limits"]):
        if limit is not None:
            yield Told("wins only", f"{seat_for_people(hand, seat)}: {_LIMITS[limit]}")
    for win in hand["wins"]:
        how = (
            "by self-draw"
            if win["from"] == win["seat"]
            else f"from {seat_for_people(hand, win['from'])}"
        )
        way = "" if win.get("way") is None else f", {WAYS[win['way']]}"
        yield Told("won", f"{seat_for_people(hand, win['seat'])} {how}{way}")
    for flip in hand["flips"]:
        worth = "" if flip.get("hits") is None else f" (worth {flip['hits']})"
        yield Told("flipped", f"{_place(flip['place'])}: {_tile(flip)}{worth}")
    if hand.get("end") is not None:
        why = f": {for_people(hand['why'], hand)}" if hand["why"] else ""
        yield Told("end", f"{hand['end']}{why}")
    if hand["points"]:
        yield Told("paid", _by_seat(hand, hand["points"]) + _chips(hand, hand))


def _open(view: View) -> Iterator[Told]:
    hand = _state(view).get("hand")
    for question in _state(view).get("questions") or ():
        choices = " / ".join(question["choices"])
        text = f"{question['text']} ({choices})" if choices else question["text"]
        yield Told("question", for_people(text, hand))


def faces_in(view: View, plan: Plan) -> dict[int, str]:
    """What lies open on the walls, by p."""
    hand = _state(view)["hand"]
    sides = tuple(parse_side(str(side)) for side in plan.sides)
    number = wall_from(sides, Break(plan.break_.side, plan.break_.after)).number
    lie = [*hand["public"], *(flip for flip in hand["flips"] if flip.get("tile"))]
    found = {msgspec.convert(one["place"], Place): one["tile"] for one in lie}
    return {number[place]: tile for place, tile in found.items() if place in number}


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of at most `width` cells; a Japanese letter takes two."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and cell_len(f"{lines[-1]} {word}") > width:
            lines.append("")
        first, *more = chop_cells(f"{lines[-1]} {word}" if lines[-1] else word, width) or [""]
        lines[-1:] = [first, *more]
    return lines


def _seats(hand: Mapping[str, Any]) -> str:
    """`seat 0 is West, seat 1 East (dealer), seat 2 South`: programs name seats."""
    said: list[str] = []
    for seat in range(len(hand["seats"])):
        dealer = " (dealer)" if seat == hand["dealer"] else ""
        said.append(f"seat {seat}{'' if said else ' is'} {wind(hand, seat)}{dealer}")
    return ", ".join(said)


def _by_seat(hand: Mapping[str, Any] | None, numbers: Sequence[object]) -> str:
    """Numbers with whose they are, as far as a hand says it."""
    if hand is None:
        return _numbers(numbers)
    return ", ".join(f"{wind(hand, seat)} {number}" for seat, number in enumerate(numbers))


def _tile(lies: Mapping[str, Any]) -> str:
    return tile_for_people(lies.get("tile") or UNKNOWN)


def _place(place: Mapping[str, Any]) -> str:
    return f"side {place['side']}, column {place['column']}, {place['row']}"


def _numbers(numbers: Sequence[object]) -> str:
    return ", ".join(map(str, numbers))


def _chips(hand: Mapping[str, Any] | None, account: Mapping[str, Any]) -> str:
    return f"; chips {_by_seat(hand, account['chips'])}" if any(account["chips"]) else ""
