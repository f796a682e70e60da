"""A table in as many lines as a terminal has: what matters most stays when not all of it fits.

Pure, as `shown`. Where the words find room the walls are a square, beside them or above them;
in a low terminal they are strips.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from tablectl.cli import drawing, strips
from tablectl.cli.marks import legend, marks_of
from tablectl.cli.shown import Told, View, faces_in, facts, lines_of, plan_in
from tablectl.core.preset import Preset

_LEAST_WORDS: Final = 50
"""Columns for words beside the square."""
_LEAST_LINES: Final = 8
"""Lines for words under the strips; with fewer only words are shown."""
_GAP: Final = 2

_MATTERS: Final = (
    ("daemon lost", "link lost", "link refused", "complaint", "trouble", "question", "API"),
    ("hand", "next draw", "the wall ends", "replacement", "dice", "link", "reserve", "indicator"),
    ("due", "owed", "won", "chosen", "turn", "ura", "next indicator", "gold", "gold is"),
    ("", "end", "paid", "flipping order", "flipped", "set a", "set b", "stacked", "break"),
    ("game", "walls", "dead", "wins only", "riichi", "set aside", "called", "open tiles"),
    ("command",),
)
"""Labels of facts, what matters most first. What is not here matters least."""
_RANK: Final = {
    label: (rank, n) for rank, group in enumerate(_MATTERS) for n, label in enumerate(group)
}
_LEAST: Final = (len(_MATTERS), 0)
_WON: Final = ("won", "paid")
"""Labels of facts that matter as much as the first group once somebody has won; with them the last
tile that was flipped."""
_NEEDED: Final = 2
"""So many groups have to find room under a square; else the walls are strips."""
_NEWEST: Final = ("flipped", "open tiles", "called")
"""Of several such facts the last one matters most."""


class Framed(NamedTuple):
    """`lines`: as many as were asked for at most; `hidden`: how many facts are not among them."""

    lines: list[Text]
    hidden: int


def framed(
    view: View, rules: Preset | None, width: int, height: int, about: Sequence[Told] = ()
) -> Framed:
    """The walls and the facts in `height` lines of `width` columns. `about`: facts that stand
    before those of the table; `rules` as in `shown`."""
    told = [*about, *facts(view, rules)]
    plan = plan_in(view)
    if plan is None or rules is None:
        return _words(told, width, height)
    marks = marks_of(rules, plan)
    square = drawing.square(
        rules, plan, marks, faces=faces_in(view, plan), width=min(width, drawing.WIDTH)
    )
    if square is not None and len(square) <= height:
        wide = max(cell_len(line.plain) for line in square)
        room = width - wide - _GAP
        if room >= _LEAST_WORDS:
            means = [Text(), *legend(marks, wide, drawing.READING)]
            left = square + means if len(square) + len(means) <= height else square
            words = _words(told, room, height)
            return Framed(_beside(left, words.lines, wide + _GAP), words.hidden)
        if len(square) + _needed(told, width) <= height:
            return _above(square, told, width, height, legend(marks, width, drawing.READING))
    flat = strips.strips(plan, marks, width)
    if flat is not None and len(flat) + _LEAST_LINES <= height:
        return _above(flat, told, width, height, legend(marks, width, strips.READING))
    return _words(told, width, height)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _above(
    walls: list[Text], told: Sequence[Told], width: int, height: int, means: list[Text]
) -> Framed:
    """The walls over the words, and their legend and empty lines where everything else fits."""
    words = _words(told, width, height - len(walls))
    free = height - len(walls) - len(words.lines)
    if not words.hidden and free > len(means) + 1:
        walls = [*walls, Text(), *means]
        free -= len(means) + 1
    between = [Text()] if free else []
    return Framed([*walls, *between, *words.lines], words.hidden)


def _beside(left: list[Text], right: list[Text], at: int) -> list[Text]:
    lines = []
    for n in range(max(len(left), len(right))):
        line = left[n].copy() if n < len(left) else Text()
        if n < len(right):
            line.append(" " * (at - cell_len(line.plain)))
            line.append_text(right[n])
        lines.append(line)
    return lines


def _words(told: Sequence[Told], width: int, height: int) -> Framed:
    """The facts that matter most, in the order of their reading."""
    lines = [_lines(one, width) for one in told]
    chosen: set[int] = set()
    for n in _by_weight(told):
        if len(lines[n]) <= height:
            height -= len(lines[n])
            chosen.add(n)
    if not chosen and lines:
        chosen, lines[0] = {0}, lines[0][: max(height, 0)]
    found = [line for n in sorted(chosen) for line in lines[n]]
    return Framed(found, len(told) - len(chosen))


def _needed(told: Sequence[Told], width: int) -> int:
    """Lines of what has to be there."""
    return sum(len(_lines(one, width)) for one in told if _rank(one)[0] < _NEEDED)


def _by_weight(told: Sequence[Told]) -> list[int]:
    """The places of the facts, what matters most first."""
    labels = [one.label for one in told]
    after_a_win: set[int] = set()
    if "won" in labels:
        flipped = [n for n, label in enumerate(labels) if label == "flipped"]
        after_a_win = {n for n, label in enumerate(labels) if label in _WON} | {*flipped[-1:]}

    def weight(n: int) -> tuple[tuple[int, int], int]:
        rank = (0, 0) if n in after_a_win else _rank(told[n])
        return rank, len(told) - n if labels[n] in _NEWEST else n

    return sorted(range(len(told)), key=weight)


def _rank(one: Told) -> tuple[int, int]:
    """Its group, and its place in it."""
    return _RANK.get(re.sub(r" \d+$", "", one.label), _LEAST)


def _lines(one: Told, width: int) -> list[Text]:
    return list(lines_of([one], width).split("\n", allow_blank=True))
