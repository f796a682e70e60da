"""`tablectl card`: every sum and dealer is there, and every position is the plan's."""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree

import pytest

from tablectl.cli.card_page import OWN_WORDS
from tablectl.core.geometry import Inputs, Plan, plan
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.wall import Position, parse_sides

_ROW = re.compile(r'<tr data-block="dealer-(\d)" data-sum="(\d+)">(.*?)</tr>')
_SIDES = {
    "ramen-jiro": [None, "20,19,19,0", "14.5<,14,15,14.5>"],
    "riichi-3p": [None, "18,18,18,0"],
    "riichi-4p": [None, "10,24,10,24"],
}
CASES = [(name, sides) for name in builtin_presets() for sides in _SIDES.get(name, [None])]


def _cells(row: str) -> list[str]:
    return [unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]


def _rows(page: str) -> dict[tuple[int, int], list[str]]:
    return {(int(d), int(total)): _cells(row) for d, total, row in _ROW.findall(page)}


def _said(position: Position, start: int) -> str:
    return f"{OWN_WORDS[(position.side - start) % 4]} {position.column} {position.row}"


@pytest.mark.parametrize(("name", "sides"), CASES)
def test_every_sum_and_dealer_as_planned(name, sides, tablectl):
    rules = find_preset(name)
    arguments = () if sides is None else ("--sides", sides)
    rows = _rows(tablectl("card", name, *arguments).out)
    assert set(rows) == {(d, n) for d in range(rules.players) for n in range(2, 13)}
    for (dealer, total), cells in rows.items():
        dice = (total // 2, total - total // 2)
        given = None if sides is None else parse_sides(sides)
        found = plan(rules, Inputs(sides=given, dealer=dealer, dice=dice))
        said, broke, end, indicator, replacements, *flip = cells
        assert said == str(total)
        opened = found.break_
        assert broke.split(" (")[0] == f"{OWN_WORDS[(opened.side - dealer) % 4]} {opened.after}"
        assert ("(past " in broke) == (found.counted is not None)
        assert found.last_draw is not None
        assert end == _said(found.last_draw, dealer)
        assert indicator == ", ".join(_said(position, dealer) for position in found.indicators)
        _replacements_begin_there(replacements, found, dealer)
        assert flip == ([_said(found.reveal[0], dealer)] if found.reveal else [])


def _replacements_begin_there(said: str, found: Plan, start: int) -> None:
    assert found.replacement is not None
    begin = _said(found.replacement, start).rsplit(" ", 1)[0]
    assert re.match(rf"{begin}(\D|$)", said), (begin, said)


def test_all_columns_of_replacements(tablectl):
    rows = _rows(tablectl("card", "ramen-jiro").out)
    assert rows[0, 7] == [
        "7", "across 7", "left 14 lower", "across 1 upper", "across 7–2", "left 14 upper",
    ]  # fmt: skip
    assert rows[0, 3][4] == "across 3–1, left 14–12"


def test_what_cannot_be_counted_is_said_in_words(tablectl):
    page = tablectl("card", "ramen-jiro", "--sides", "20,19,19,0", "--seats", "0,1,3")
    assert page.status == 0
    rows = _rows(page.out)
    assert rows[2, 7] == ["7", "side 3 has no wall, but the dealer sits there"]
    assert rows[0, 7][1] == "own 7"


def test_two_throws_have_a_table_for_each_wall(tablectl, tmp_path):
    from tablectl.core.preset_file import FOLDER

    text = (FOLDER / "riichi-4p.toml").read_text(encoding="utf-8")
    two = 'throws = { value = 2, convention = "two throws" }\nsecond = '
    second = '{ value = "total", convention = "both" }'
    text = re.sub(r"^throws = .*$", two + second, text, flags=re.MULTILINE)
    file = tmp_path / "two.toml"
    file.write_text(text, encoding="utf-8")
    page = tablectl("card", str(file)).out
    rows = re.findall(r'data-block="wall-(\d)" data-sum="(\d+)"', page)
    assert {(int(w), int(n)) for w, n in rows} == {(w, n) for w in range(4) for n in range(4, 25)}
    assert "dealer at side 0: first throw 5, 9" in page


@pytest.mark.parametrize("name", builtin_presets())
def test_one_page_of_its_own(name, tablectl):
    page = tablectl("card", name).out
    rules = find_preset(name)
    assert page.startswith("<!DOCTYPE html>")
    assert rules.title in page
    assert "@media print" in page
    assert not re.search(r"(src|href)=|url\((?!#)|@import|<script", page)
    svg = re.search(r"<svg.*?</svg>", page, re.DOTALL)
    assert svg
    drawn = "".join(ElementTree.fromstring(svg.group()).itertext())
    for side in range(4):
        assert f"side {side} · " in drawn


def test_into_a_file(tablectl, tmp_path):
    file = tmp_path / "card.html"
    found = tablectl("card", "ramen-jiro", "--out", str(file))
    assert (found.status, found.out) == (0, f"written to {file}\n")
    assert (
        file.read_text(encoding="utf-8") == tablectl("card", "ramen-jiro").out.rstrip("\n") + "\n"
    )
    found = tablectl("card", "ramen-jiro", "--out", str(tmp_path / "none" / "card.html"), "--json")
    assert (found.status, found.error["code"]) == (2, "cli.write")


def test_walls_that_do_not_make_the_tiles(tablectl):
    found = tablectl("card", "ramen-jiro", "--sides", "15,14,15,13", "--json")
    assert (found.status, found.error["code"]) == (1, "plan.sides_count")
