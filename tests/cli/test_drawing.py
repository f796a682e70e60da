"""The picture: what stands where, for plans worked out by hand, and that it fits a terminal."""

from __future__ import annotations

import random

import pytest
from rich.cells import cell_len
from support.presets import random_preset_text

from tablectl.cli import drawing
from tablectl.cli.words import seat_name
from tablectl.core.geometry import Inputs, plan
from tablectl.core.preset import Preset
from tablectl.core.preset_file import builtin_presets, find_preset, read_preset
from tablectl.core.wall import Break, parse_sides


def _lines(rules: Preset, inputs: Inputs, **options: object) -> list[str]:
    drawn = drawing.draw(rules, plan(rules, inputs), **options)
    return drawn.plain.splitlines()


def test_the_worked_example():
    lines = _lines(find_preset("ramen-jiro"), Inputs(dice=(3, 4)))
    assert "side 2 · West" in lines[0]
    assert lines[0].startswith("side 3")
    assert lines[0].endswith("side 1")
    # Side 2: the indicator in column 1, the replacements in columns 2-7, the break, the dealt ones.
    assert lines[2].split()[1:] == ["I", *"rrrrr", "R", "┃", *"········"]
    assert lines[3].split() == ["U", *"rrrrrr", "┃", *"········"]
    # Side 3, from its left end: column 14 is flipped first, and its lower tile is the last draw.
    assert lines[4].split()[:3] == ["14", "K1", "L"]
    assert lines[5].split()[:2] == ["2", "▯"]
    # Side 1: twelve columns are dealt, the next draw is the upper tile of column 13.
    right = [line[-14:].split() for line in lines[4:18]]
    assert right[11][:2] == ["·", "·"]
    assert right[12] == ["D", "▯"]
    assert right[13] == ["▯", "▯", "14"]
    assert "▯ " * 14 + "▯" in lines[18]
    assert any("62 draws left" in line for line in lines)
    assert any("East (dealer)" in line for line in lines)


def test_the_words_of_the_worked_example():
    rules = find_preset("ramen-jiro")
    said = drawing.words(rules, plan(rules, Inputs(dice=(3, 4), head=61)), faces={102: "5pr"})
    text = " ".join(" ".join(said).split())
    assert "break side 2 (West), 7 columns stay at its right end" in text
    assert "next draw side 0 (East), column 9, lower" in text
    assert "last draw: side 3 (empty chair), column 14, lower (41 left)" in text
    assert "indicator side 2 (West), column 1, upper: red 5p" in text
    assert "next: side 2 (West), column 7, upper" in text
    assert "side 3 (empty chair) 14–1, side 0 (East) 15–10 (20 tiles)" in text


def test_three_walls_and_the_legend():
    lines = _lines(find_preset("ramen-jiro"), Inputs(dice=(3, 3), sides=parse_sides("20,19,19,0")))
    assert [line[:11].strip() for line in lines[:4]] == ["side 3", "empty", "chair", "no wall"]
    text = "\n".join(lines)
    legend = (
        "next draw",
        "last draw",
        "indicator",
        "ura",
        "next replacement",
        "first flipped",
        "break",
    )
    for meaning in legend:
        assert meaning in text
    assert "▮" not in text


def test_kept_tiles_and_the_dealer():
    rules = find_preset("riichi-4p")
    lines = _lines(rules, Inputs(dice=(6, 4), dealer=1, head=100, tail=1, turned=1))
    assert lines[2].split() == [*"▯▯L▮▮KIIr·", "┃", *"·······", "dealer"]
    assert lines[3].split() == [*"▯▯▮▮▮▮UUrR", "┃", *"·······"]
    assert any("▮ stays" in line for line in lines)


def test_a_half_column_has_no_upper_tile():
    lines = _lines(
        find_preset("ramen-jiro"), Inputs(broke=Break(0, 1), sides=parse_sides("15,14,14.5<,14.5>"))
    )
    upper, lower = lines[2][11:40], lines[3][11:40]
    start = len(lower) - len(lower.lstrip())
    assert upper[start] == " "
    assert upper[start + 2] != " "


def test_tiles_known_to_be_gone():
    rules = find_preset("riichi-4p")
    found = plan(rules, Inputs(dice=(3, 4)))
    all_gone = drawing.picture(rules, found, taken=range(136)).plain.split("\n\n")[0]
    assert not set("DLIUKRr▯▮") & set("".join(all_gone.splitlines()[2:4])[11:])


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", builtin_presets())
def test_no_line_is_too_wide(name, width):
    rules = find_preset(name)
    for dealer in range(rules.players):
        for inputs in (Inputs(dice=(3, 4), dealer=dealer), Inputs(dice=(6, 6), dealer=dealer)):
            for line in _lines(rules, inputs, width=width):
                assert cell_len(line) <= width, line


@pytest.mark.parametrize("seed", range(60))
def test_any_rule_is_drawn_with_each_of_its_marks(seed):
    rules = read_preset(random_preset_text(random.Random(seed)))
    inputs = Inputs(broke=Break(seed % 4, 0))
    found = plan(rules, inputs)
    lines = _lines(rules, inputs)
    assert max(map(cell_len, lines)) <= 80
    tiles = "\n".join(lines[: lines.index("")])
    for mark, position in (
        ("D", found.next_draw),
        ("L", found.last_draw),
        ("R", found.replacement),
    ):
        assert (position is None) or mark in tiles
    assert tiles.count("┃") + tiles.count("━━━") >= 1


def test_walls_too_long_for_a_terminal_are_told_in_words():
    rules = find_preset("riichi-4p")
    lines = _lines(rules, Inputs(broke=Break(0, 3), sides=parse_sides("62,2,2,2")))
    assert "too long" in lines[0]
    assert any(line.startswith("next draw") for line in lines)


def test_winds_go_round_from_the_dealer():
    rules = find_preset("riichi-4p")
    found = plan(rules, Inputs(dice=(3, 4), dealer=1))
    assert [seat_name(found, side) for side in range(4)] == ["North", "East", "South", "West"]
    three = plan(find_preset("ramen-jiro"), Inputs(dice=(3, 4), dealer=2, seats=(1, 2, 0)))
    assert [seat_name(three, side) for side in range(4)] == ["East", "South", "West", None]
