"""Every row of the ledger that is to be tested names a test that carries its id; the test passes,
and fails as soon as what the row names is another value, another function or untold."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from pathlib import Path

import pytest
from support import ledger
from support.ledger import CLASSES, TESTED, Row, carried

ROWS = tuple(ledger.ledger().values())
DONE = [one for one in ROWS if one.kind in TESTED and not one.waiting]
TOLD = [one for one in ROWS if one.kind not in TESTED and one.shown and not one.waiting]
WAYS = [pytest.param(one, what, id=f"{one.id} {said}") for one in DONE for said, what in one.ways]


def test_the_rows_are_read() -> None:
    assert [f"{one.id}: {why}" for one in ROWS for why in one.wrong] == []
    counts = Counter(one.id[:2] for one in ROWS)
    assert counts == {"S0": 96, "S1": 85, "S2": 120, "S3": 110}
    assert {one.kind for one in ROWS} == set(CLASSES)


def test_a_row_is_what_the_house_says(shared: Path) -> None:
    """Ids, classes and phrases are those of the house's ledger."""
    house = [
        tuple(map(str.strip, line.removeprefix("- ").split("|")))
        for line in (shared / "ledger.md").read_text("utf-8").splitlines()
        if re.match(r"- S\d-", line)
    ]
    ours = [(one.id, one.kind, f"「{one.seed}」") for one in ROWS]
    assert ours == [(number, kind, phrase) for number, kind, _, phrase in house]


def test_no_test_is_of_a_row_that_is_not_there() -> None:
    assert set(carried()) <= set(ledger.ledger())


@pytest.mark.parametrize("one", TOLD, ids=lambda one: one.id)
def test_people_are_told(one: Row) -> None:
    assert ledger.missing(one) == []


def test_nothing_waits() -> None:
    assert [f"{one.id} for {one.waiting}" for one in ROWS if one.waiting] == []


@pytest.mark.parametrize("one", DONE, ids=lambda one: one.id)
def test_a_row_has_its_test(one: Row) -> None:
    mine = carried().get(one.id, ())
    assert len(mine) == 1, f"{len(mine)} tests carry {one.id}"
    assert one.ways, f"{one.id} names nothing that its test could be held against"
    mine[0]()


@pytest.mark.parametrize(("one", "what"), WAYS)
def test_it_fails_when_that_is_broken(one: Row, what: object) -> None:
    [mine] = carried()[one.id]
    assert ledger.fails(mine, what, one.presets), f"{mine.__name__} passes all the same"


def test_the_tool_prints_the_rows_and_their_counts(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[2] / "tools" / "ledger_check.py"
    spec = importlib.util.spec_from_file_location("ledger_check", path)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.main(["table", "--check"]) == 0
    printed = capsys.readouterr().out
    for one in ROWS:
        assert (f"\n{one.id} " in printed) == (one.kind == "TABLE")
    assert "6 rows: 6 checked; 6 with a test" in printed


def test_a_row_that_says_nothing_right_is_named() -> None:
    for where, why in (
        ("", "made true nowhere"),
        ("value reserve.tile", "no rule has reserve.tile"),
        ("value reserve.tiles := =", "cannot be read"),
        ("vlaue reserve.tiles", "begins with none of"),
        ("later settlement", "is not done later"),
        ("recorded", "no function"),
    ):
        one = ledger.read_row(f"S1-99 | STATE | Something | 「何か」 | {where}")
        assert any(why in found for found in one.wrong), (where, one.wrong)
        assert ledger.missing(one)


def test_what_a_row_lacks_is_said() -> None:
    said = "S1-33 | GEOMETRY | Draw when 18 tiles are left | 「山の残りが18枚」 | "
    for where, why in (
        ("value calls.chi", "passes without calls.chi"),
        ("function core.census.on_sides", "is not called by this test"),
        ("value reserve.tiles := 1000", "cannot be broken"),
        ("shown 「花も金もカンもない上がり，30点」", "passes without"),
    ):
        found = ledger.missing(ledger.read_row(said + where))
        assert any(why in one for one in found), (where, found)
    assert ledger.missing(ledger.read_row(said + "value reserve.tiles")) == []
    untold = ledger.read_row("S1-99 | CONDUCT | Something | 「何か」 | shown")
    assert "is told by no statement of fuzhou-128, fuzhou-144" in ledger.missing(untold)[0]
