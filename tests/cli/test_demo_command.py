"""`tablectl demo` as people see it and end it: nothing of it is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.processes import MAIN, PATIENCE, eventually, process
from support.terminals import ENTER, LEAVE, terminal

DEMO = ("demo", "--port", "0", "--seed", "5", "--speed", "20")


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """Where the command makes its folder."""
    found = tmp_path / "place"
    found.mkdir()
    monkeypatch.setenv("TMPDIR", str(found))
    return found


def test_a_reader_who_has_enough_ends_it(place, tmp_path):
    with (tmp_path / "err").open("w") as err:
        playing = subprocess.Popen(
            [sys.executable, "-c", MAIN, *DEMO],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err,
        )  # fmt: skip
    try:
        assert playing.stdout is not None
        assert playing.stdout.readline().startswith(b"API    http://127.0.0.1:")
        playing.stdout.close()
        assert playing.wait(PATIENCE) == 0
    finally:
        playing.kill()
        playing.wait()
    assert (tmp_path / "err").read_text() == ""
    assert not list(place.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("when", ["its folder is there", "it plays"])
def test_a_signal_ends_it_at_any_moment(place, tmp_path, number, when):
    with process(tmp_path, "demo", *DEMO) as playing:
        if when == "it plays":
            playing.says("the walls are rising")
        else:
            eventually(lambda: list(place.iterdir()))
        assert playing.end(number) == 0
        assert playing.err == ""
    assert not list(place.iterdir())


def test_the_last_facts_of_a_play_are_told(tmp_path):
    with process(tmp_path, "demo", *DEMO[:-1], "300", "--hands", "1") as playing:
        assert playing.process.wait(PATIENCE) == 0
        assert "paid" in playing.out


def test_in_a_terminal_the_first_lines_stay_and_come_again(place):
    with terminal(*DEMO, columns=80, rows=24) as shown:
        shown.says(b"next draw")
        assert shown.out.count(ENTER) == 1
        before, _, drawn = shown.out.partition(ENTER)
        api = re.search(rb"API    (http://127.0.0.1:\d+/api/v1/tables)", before)
        assert api is not None
        assert b"number 5 (" in before
        assert api[1] + " · seed 5".encode() in drawn
        first = drawn[: drawn.index(b"next draw")]
        assert b"number 5 (" in first
        rows = {int(row) for row in re.findall(rb"\x1b\[(\d+);1H", drawn)}
        assert max(rows) == 24
        assert b"\n" not in drawn, "a line feed may scroll"
        assert shown.end(signal.SIGINT) == 0
        assert shown.out.count(LEAVE) == 1
        printed = shown.out.rpartition(LEAVE)[2]
        assert api[1] + " · seed 5".encode() in printed
        assert b"number 5 (" in printed
        assert b"the wall ends" in printed
    assert not os.listdir(place)


@pytest.mark.parametrize(("preset", "tiles"), [("goto-sanma", "112"), ("fuzhou-144", "144")])
def test_a_table_that_cannot_stack_the_rule_says_what_it_stacks(tablectl, preset, tiles):
    found = tablectl("demo", "--model", "autodeal", "--preset", preset, "--hands", "1")
    assert (found.status, found.out) == (1, "")
    assert f"autodeal stacks 136 tiles only, and {preset} has {tiles} [cli.stacks]" in found.err
    assert "--model presence" in found.err
