"""A table in the lines that a terminal has: everything fits, and what matters most is there."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from support.views import RAMEN, RULES, lives, moments, view_in

from tablectl.cli import strips
from tablectl.cli.frame import Framed, framed
from tablectl.cli.marks import marks_of
from tablectl.cli.shown import Told, facts, plan_in
from tablectl.core.geometry import Inputs, plan
from tablectl.core.hand import LIVES
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset
from tablectl.core.wall import Break, parse_sides

SIZES = ((40, 8), (60, 20), (80, 24), (100, 40), (120, 35), (150, 50), (300, 100))
API = Told("API", "http://127.0.0.1:8136/api/v1/tables · seed 5")
ALWAYS = (
    "link", "hand", "dice", "next draw", "the wall ends", "indicator", "replacement", "reserve",
)  # fmt: skip


def lines_in(found: Framed) -> list[str]:
    return [line.plain for line in found.lines]


def labels_in(found: Framed, told: list[Told]) -> set[str]:
    text = "\n".join(lines_in(found))
    return {one.label for one in told if f"{one.label:<16}{one.text[:12]}" in text}


@pytest.mark.parametrize("life", LIVES)
def test_every_life_fits_every_terminal(life):
    for name in RULES:
        view = lives(name).get(life)
        for width, height in SIZES if view else ():
            found = framed(view, RULES[name], width, height, [API])
            assert len(found.lines) <= height
            assert max(cell_len(line) for line in lines_in(found)) <= width
            assert width < 300 or not found.hidden


@pytest.mark.parametrize("size", [(80, 23), (100, 39), (120, 34), (150, 49)])
def test_what_matters_is_there_with_the_walls(size):
    checked = 0
    for told in moments(RAMEN, 1):
        view = view_in(told)
        if plan_in(view) is None or told.hand.life not in ("dealt", "playing"):
            continue
        everything = facts(view, RAMEN)
        found = framed(view, RAMEN, *size, [API])
        wanted = {one.label for one in everything if one.label in ALWAYS}
        assert wanted <= labels_in(found, everything), lines_in(found)
        text = "\n".join(lines_in(found))
        assert API.text in text
        assert "side 2" in lines_in(found)[0 if size[0] > 80 else 3]
        assert f"{told.plan.drawable} draw" in text
        checked += 1
    assert checked > 10


def test_questions_and_complaints_come_before_everything_else():
    view = lives("ramen-jiro")["playing"]
    view = view | {
        "state": view["state"] | {"questions": [{"text": "Who drew?", "choices": ["0", "1"]}]},
        "live": {"line": {"stage": "absent", "why": "it was pulled"}},
    }
    for height in range(2, 30):
        text = "\n".join(lines_in(framed(view, RAMEN, 80, height)))
        assert "Who drew? (0 / 1)" in text
        assert "it was pulled" in text


def test_of_what_was_flipped_the_last_stays():
    for told in (told for seed in range(60) for told in moments(RAMEN, seed)):
        if told.state.hand is not None and len(told.hand.flips) > 1:
            view = view_in(told)
            flipped = [one.text for one in facts(view, RAMEN) if one.label == "flipped"]
            text = "\n".join(lines_in(framed(view, RAMEN, 80, 23)))
            assert flipped[-1] in text
            assert "won   " in text
            return
    pytest.fail("nothing was flipped")


def test_how_many_facts_are_hidden():
    view = lives("ramen-jiro")["playing"]
    told = facts(view, RAMEN)
    found = framed(view, RAMEN, 80, 23)
    assert found.hidden == len(told) - sum(
        bool(line[:16].strip()) for line in lines_in(found)[9:] if line
    )
    assert framed(view, RAMEN, 80, 200).hidden == 0


def test_where_the_walls_stand():
    """Beside the words, above them with and without the legend, as strips, or not at all."""
    view = lives("ramen-jiro")["playing"]
    for (width, height), square, legend, beside in (
        ((150, 50), True, True, True),
        ((120, 25), True, False, True),
        ((80, 80), True, True, False),
        ((100, 39), True, False, False),
        ((80, 23), False, False, False),
    ):
        lines = lines_in(framed(view, RAMEN, width, height))
        assert lines[0].startswith("side 3") == square
        assert any("· taken" in line for line in lines) == legend
        assert ("table" in lines[0] or "link" in lines[0]) == beside
    assert "side" not in lines_in(framed(view, RAMEN, 80, 12))[0]


def drawn(rules: Preset, inputs: Inputs, width: int = 80) -> list[str]:
    found: Any = plan(rules, inputs)
    lines = strips.strips(found, marks_of(rules, found), width)
    assert lines is not None
    return [line.plain for line in lines]


def test_the_strips_of_the_worked_example():
    lines = drawn(RAMEN, Inputs(dice=(3, 4)))
    assert lines == [
        "62 draws left   15             10             5           1",
        "side 3             K1 2  3  4  5  6  7  8  9  ▯  ▯  ▯  ▯  ▯",
        "empty chair        L  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯",
        "side 2          ·  ·  ·  ·  ·  ·  ·  · ┃R  r  r  r  r  r  I",
        "West            ·  ·  ·  ·  ·  ·  ·  · ┃r  r  r  r  r  r  U",
        "side 1             ▯  D  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·",
        "South              ▯  ▯  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·",
        "side 0          ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯",
        "East (dealer)   ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯  ▯",
    ]


def test_strips_of_three_walls_and_of_walls_opened_near_an_end():
    lines = drawn(RAMEN, Inputs(dice=(3, 3), sides=parse_sides("20,19,19,0")))
    assert lines[1:3] == ["side 3          no wall", "empty chair"]
    riichi = find_preset("riichi-4p")
    right = drawn(riichi, Inputs(broke=Break(0, 0)))
    assert right[7].endswith("┃")
    left = drawn(riichi, Inputs(broke=Break(0, 16)))
    assert left[7][18] == left[8][18] == "┃"


def test_strips_in_few_columns():
    narrow = drawn(RAMEN, Inputs(dice=(3, 4)), 50)
    assert max(map(cell_len, narrow)) <= 50
    assert narrow[3].split("┃")[1].split() == ["R", "r", "r", "r", "r", "r", "I"]
    found = plan(RAMEN, Inputs(dice=(3, 4)))
    assert strips.strips(found, marks_of(RAMEN, found), 40) is None
