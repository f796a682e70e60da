"""A plan in words: who sits where, and where everything is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from tablectl.core.dora import dora_of
from tablectl.core.exchange import tile_said
from tablectl.core.geometry import Plan
from tablectl.core.preset import Preset
from tablectl.core.tiles import UNKNOWN, is_code, parse_tile
from tablectl.core.wall import Position

WINDS: Final = ("East", "South", "West", "North")
EMPTY: Final = "empty chair"
_LABEL: Final = 16


def seat_name(plan: Plan, side: int) -> str | None:
    """The wind of who sits at a side in this hand, None at an empty chair."""
    if side not in plan.seats:
        return None
    return WINDS[(plan.seats.index(side) - plan.dealer) % plan.players]


def side_name(plan: Plan, side: int) -> str:
    """`side 2 (West)`."""
    return f"side {side} ({seat_name(plan, side) or EMPTY})"


def place_name(plan: Plan, position: Position) -> str:
    """`side 2 (West), column 7, upper`."""
    return f"{side_name(plan, position.side)}, column {position.column}, {position.row}"


def tile_for_people(code: str) -> str:
    """`北` for `4z`, `gold 5p` for `5pg`; what is no code stays as it is."""
    tile = parse_tile(code) if is_code(code) else None
    return code if tile is None else tile_said(tile)


def columns_text(positions: Sequence[Position], name: Mapping[int, str]) -> str:
    """Columns in the order of the positions, runs joined: `side 3 14–1, side 0 15–9`."""
    runs: list[tuple[int, int, int]] = []
    for position in positions:
        side, column = position.side, position.column
        if runs and runs[-1][0] == side:
            _, first, last = runs[-1]
            step = column - last
            if step == 0:
                continue
            if abs(step) == 1 and (first == last or (last > first) == (step > 0)):
                runs[-1] = (side, first, column)
                continue
        runs.append((side, column, column))
    said, before = [], -1
    for side, first, last in runs:
        span = str(first) if first == last else f"{first}–{last}"
        said.append(span if side == before else f"{name[side]} {span}")
        before = side
    return ", ".join(said)


def described(rules: Preset, plan: Plan, faces: Mapping[int, object], width: int) -> list[str]:
    """The facts with a label each, no line wider than `width`."""
    lines = []
    for label, text in _facts(rules, plan, faces):
        first = f"{label:<{_LABEL}}"
        lines += wrap(text, width, initial_indent=first, subsequent_indent=" " * _LABEL)
    return lines


def _facts(rules: Preset, plan: Plan, faces: Mapping[int, object]) -> Iterator[tuple[str, str]]:
    def said(position: Position) -> str:
        face = f": {tile_for_people(str(faces[position.p]))}" if position.p in faces else ""
        return place_name(plan, position) + face

    opened = plan.break_
    stay = "column stays" if opened.after == 1 else "columns stay"
    yield "break", f"{side_name(plan, opened.side)}, {opened.after} {stay} at its right end"
    if plan.counted is not None:
        yield (
            "",
            f"the dice count {plan.counted.sum} columns on side {plan.counted.side}, which is no"
            " longer than that: the count goes on round the ring",
        )
    if plan.next_draw is not None:
        yield "next draw", said(plan.next_draw)
    if plan.last_draw is not None:
        yield "the wall ends", f"last draw: {said(plan.last_draw)} ({plan.drawable} left)"
    else:
        yield "the wall ends", "nothing is left to draw"
    for number, indicator in enumerate(plan.indicators):
        which = "indicator" if len(plan.indicators) == 1 else f"indicator {number + 1}"
        yield which, said(indicator)
    if made := _dora(rules, plan.indicators, faces):
        yield "dora", made
    if plan.ura:
        yield "ura", "; ".join(said(position) for position in plan.ura)
    if made := _dora(rules, plan.ura, faces, ura=True):
        yield "ura dora", made
    if plan.next_indicator is not None:
        yield "next indicator", said(plan.next_indicator)
    elif rules.indicators.kongs_turn:
        yield "next indicator", "none can be turned any more"
    none = "none is left"
    yield "replacement", none if plan.replacement is None else f"next: {said(plan.replacement)}"
    if rules.reserve.policy == "neighbour":
        yield "reserve", "none: drawn up to the column beside the last open indicator"
    elif plan.reserve is not None:
        kongs = rules.reserve.policy == "shrinking"
        yield "reserve", f"{plan.reserve} tiles stay" + ", filled up after a kong alone" * kongs
    if plan.gold_marker is not None:
        gold = plan.gold_marker
        yield "gold", f"lies on {side_name(plan, gold.side)}, column {gold.column}"
    if rules.wareme.factor > 1:
        yield "wareme", _wareme(rules, plan)
    if plan.reveal:
        first = plan.reveal[0]
        rows = "upper tiles only" if rules.reveal.rows == "upper" else "upper, then lower tile"
        sides = {side: side_name(plan, side) for side in range(4)}
        yield (
            "flipping order",
            f"first {place_name(plan, first)}; then towards the next draw, {rows}:"
            f" {columns_text(plan.reveal, sides)} ({len(plan.reveal)} tiles)",
        )
    elif plan.reveal is not None:
        yield "flipping order", "nothing is left to flip"


def _dora(
    rules: Preset, turned: Sequence[Position], faces: Mapping[int, object], *, ura: bool = False
) -> str:
    """What the turned tiles make dora, as far as their faces are known; empty where none is."""
    known = [str(faces[position.p]) for position in turned if position.p in faces]
    made = [(tile, dora_of(rules, tile, ura=ura)) for tile in known if tile != UNKNOWN]
    return ", ".join(
        " ".join(map(tile_for_people, dora.kinds))
        or f"none of {tile_for_people(tile)}{', which acts for everybody' * dora.effect}"
        for tile, dora in made
    )


def _wareme(rules: Preset, plan: Plan) -> str:
    if plan.wareme is None:
        return "nobody's: no player sits at the wall that is meant"
    seat = side_name(plan, plan.seats[plan.wareme])
    return f"{seat}: what this seat pays and receives is taken {rules.wareme.factor} times"
