"""`tablectl tables`: every line with its stage and remedy, and no name broken, however wide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.desk import MemoryTable

from tablectl.cli import tables as command
from tablectl.cli.client import Refused

SILENT = {
    "url": "tcp:127.0.0.1:7001",
    "name": "silent",
    "table": None,
    "stage": "calling",
    "why": "nobody answers on this line",
    "since": 5,
    "complaint": {"code": "link.silent", "message": "nobody answers on this line", "hint": "Look."},
}
LOST = SILENT | {"name": "lost", "table": "0102aa33", "stage": "absent"}


def view(id: str, name: str, model: str = "sim presence", **live: Any) -> dict[str, Any]:
    found: dict[str, Any] = MemoryTable(id, name).view()
    ready = {"stage": "ready", "why": None, "since": 0}
    found["live"] = found["live"] | {"line": ready} | live
    board = {"uid": id, "model": model, "firmware": "1", "abilities": []}
    found["state"]["machine"]["board"] = board
    for one in found["state"]["machine"]["sets"].values():
        one |= {"phase": "stacking", "active": 116, "pending": 136}
    found["state"]["game"] = {"preset": "vivace-a-league", "over": False}
    return found


class Daemon:
    """A daemon with these tables and lines."""

    state = Path("nowhere")

    def __init__(self, tables: list[Any], lines: list[Any]) -> None:
        self.tables, self.lines = tables, lines

    def get(self, path: str) -> Any:
        return {"tables": self.tables, "lines": self.lines}

    def table(self, name: str) -> Any:
        for one in self.tables:
            if name in (one["table"], one["name"]):
                return one
        error = {"code": "app.no_answer", "message": "no table has answered", "hint": "Look."}
        raise Refused(error, 503)


@pytest.fixture
def shown(monkeypatch, tablectl):
    """What is printed of tables and lines, at so many columns."""

    def run(tables: list[Any], lines: list[Any], *arguments: str, columns: int = 80) -> str:
        monkeypatch.setattr(command, "client", lambda *_: Daemon(tables, lines))
        monkeypatch.setenv("COLUMNS", str(columns))
        done = tablectl("tables", *arguments)
        assert (done.status, done.err) == (0, "")
        return str(done.out)

    return run


def test_lines_without_a_table_are_among_the_others_with_what_to_do(shown):
    out = shown([view("0102aa", "east")], [SILENT, SILENT | {"name": "east", "table": "0102aa",
                "stage": "ready", "why": None, "complaint": None}])  # fmt: skip
    lines = out.splitlines()
    assert lines[1].split() == ["silent", "calling"], "in the configuration's order"
    assert lines[2].startswith("east ")
    assert lines[-2:] == ["silent (tcp:127.0.0.1:7001): nobody answers on this line", "→ Look."]
    assert "east (" not in out


def test_what_is_wrong_with_a_table_is_told_once(shown):
    full = {"code": "journal.full", "message": "the disk is full", "hint": "Make room."}
    gone = {"stage": "absent", "why": None, "since": 0}
    lost = view("0102aa33", "lost", line=gone, complaint=LOST["complaint"])
    out = shown([lost, view("0102bb", "east", complaint=full)], [LOST])
    assert out.count("nobody answers on this line") == 1
    assert "east: the disk is full\n→ Make room." in out


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize("name", ["east", "the-table-by-the-window", "n" * 50])
def test_no_name_and_no_id_is_broken(shown, columns, name):
    ids = ["0102aa33", "0102aa44", "ffee0011"]
    tables = [view(id, f"{name}-{n}") for n, id in enumerate(ids)]
    out = shown(tables, [], columns=columns)
    assert max(map(len, out.splitlines())) <= columns
    words = out.replace(",", " ").split()
    for n, id in enumerate(ids):
        assert f"{name}-{n}" in words
        assert id[:7] in words, "as many digits as tell them apart"
    assert words.count("vivace-a-league") == 3


def test_a_table_that_nobody_named_has_its_digits_for_a_name(shown):
    assert shown([view("0102aa33ff", "0102aa33ff")], []).splitlines()[1].startswith("0102aa  ")


def test_a_line_by_its_name(shown):
    out = " ".join(shown([], [SILENT], "silent").split())
    assert "silent (tcp:127.0.0.1:7001): calling" in out
    assert "nobody answers on this line. Look." in out
    assert json.loads(shown([], [SILENT], "silent", "--json")) == SILENT


def test_one_table_has_its_line_and_whether_its_notes_are_verified(shown, monkeypatch):
    gone = {"stage": "absent", "why": "unplugged", "since": 0}
    lost = view("0102aa33", "lost", line=gone)
    lost["state"]["game"] = None
    lost["notes"] = [
        {"preset": "riichi-4p", "number": 1, "verified": True},
        {"preset": "ramen-jiro", "number": 5, "verified": False},
    ]
    out = shown([lost], [LOST], "lost")
    assert "lost (tcp:127.0.0.1:7001): absent" in out
    assert "nobody answers on this line. Look." in out
    assert "riichi-4p is number 1, verified" in out
    assert "ramen-jiro is number 5, not verified" in out
    assert json.loads(shown([lost], [LOST], "lost", "--json"))["line"] == LOST


def test_nothing_at_all(shown):
    assert shown([], []) == "No table is configured, and none has answered.\n"
