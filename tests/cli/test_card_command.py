"""`tablectl card`: every sum and dealer is there, and every position is the plan's."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from xml.etree import ElementTree

import pytest

from tablectl.cli.card_page import OWN_WORDS, card
from tablectl.core.geometry import Inputs, Plan, plan, seats_of, sides_of
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
        said, broke, end, *others = cells
        indicator = others.pop(0) if found.indicators else None
        replacements, *flip = others
        if rules.gold.turned != "none":
            _gold_lies_there(
                flip.pop(0), plan(rules, Inputs(dealer=dealer, dice=dice, tail=1)), dealer
            )
        assert said == str(total)
        opened = found.break_
        assert broke.split(" (")[0] == f"{OWN_WORDS[(opened.side - dealer) % 4]} {opened.after}"
        assert ("(past " in broke) == (found.counted is not None)
        assert found.last_draw is not None
        assert end == _said(found.last_draw, dealer)
        assert (indicator is None) == (not found.indicators)
        if indicator is not None:
            _same_columns(indicator, found.indicators, dealer)
        _replacements_begin_there(replacements, found, dealer)
        assert flip == ([_said(found.reveal[0], dealer)] if found.reveal else [])


def _same_columns(said: str, positions: Sequence[Position], start: int) -> None:
    """`across 1, left 14 upper`: every column by wall and number, a run as first–last."""
    *_, row = said.split()
    assert {position.row for position in positions} == {row}
    columns, wall = [], ""
    for part in said.removesuffix(f" {row}").split(", "):
        wall, number = part.split() if " " in part else (wall, part)
        first, last = (int(n) for n in (number.split("–") * 2)[:2])
        step = 1 if last >= first else -1
        columns += [(wall, column) for column in range(first, last + step, step)]
    walls = [OWN_WORDS[(position.side - start) % 4] for position in positions]
    assert columns == list(zip(walls, (p.column for p in positions), strict=True))


def _gold_lies_there(said: str, found: Plan, start: int) -> None:
    assert found.gold_marker is not None
    side, column = found.gold_marker.side, found.gold_marker.column
    assert said == f"{OWN_WORDS[(side - start) % 4]} {column}"


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


PRINTED = [*builtin_presets(), "ramen-jiro+wareme-3+tsurame", "three walls"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, int]:
    """How many pages each card prints to, two printed at a time."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("chromium is not there: cards cannot be printed")
    folder = tmp_path_factory.mktemp("printed")

    def printed(name: str) -> int:
        three = name == "three walls"
        rules = find_preset("ramen-jiro" if three else name)
        sides = parse_sides("20,19,19,0") if three else sides_of(rules, Inputs())
        page, pdf = folder / f"{name}.html", folder / f"{name}.pdf"
        page.write_text(card(rules, sides, seats_of(rules, Inputs())), encoding="utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
            f"--user-data-dir={folder / name}", f"--print-to-pdf={pdf}", page.as_uri(),
        ]  # fmt: skip
        subprocess.run(command, capture_output=True, check=True, timeout=60)
        return len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))

    with ThreadPoolExecutor(2) as two:
        return dict(zip(PRINTED, two.map(printed, PRINTED), strict=True))


@pytest.mark.parametrize("name", PRINTED)
def test_printed_on_one_sheet(name, pages):
    assert pages[name] == 1


def test_notes_of_each_reserve(tablectl):
    gold = tablectl("card", "fuzhou-144").out
    assert "The gold lies on the first column that wholly stays" in gold
    assert "18 tiles stay" in gold
    assert "Wareme ×3: who sits at the wall opened" in tablectl("card", "ramen-jiro+wareme-3").out
    assert "Wareme" not in tablectl("card", "ramen-jiro").out


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
