"""Help, version, and how a command line that is not ours ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tablectl import __version__
from tablectl.cli.app import app

COMMANDS = [c.callback.__name__ for c in app.registered_commands if c.callback is not None]


def test_help_lists_the_commands(tablectl):
    found = tablectl("--help")
    assert found.status == 0
    assert {"plan", "card", "presets"} <= set(COMMANDS)
    for command in COMMANDS:
        assert f"\n  {command} " in found.out
    assert "Example: tablectl " in found.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_ends_with_an_example(command, tablectl):
    found = tablectl(command, "--help")
    assert found.status == 0
    last = found.out.rstrip().split("\n\n")[-1]
    assert last.strip().startswith(f"Example: tablectl {command} ")


def test_version(tablectl):
    assert tablectl("--version").out == f"tablectl {__version__}\n"


def test_without_a_command_it_helps(tablectl):
    found = tablectl()
    assert (found.status, found.out) == (2, "")
    assert "Commands:" in found.err


def test_ctrl_c_ends_quietly(tablectl, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tablectl.cli.plan.run", interrupted)
    found = tablectl("plan", "ramen-jiro")
    assert (found.status, found.out, found.err) == (130, "", "")


def test_an_unknown_command(tablectl):
    found = tablectl("paln", "--json")
    assert (found.status, found.error["code"]) == (2, "cli.usage")
    assert "paln" in found.error["message"]


@pytest.mark.parametrize(
    "call",
    [
        ["plan", "ramen-jiro", "--dice", "3,4"],
        ["presets"],
        ["plan", "ramen-jiro", "--dice", "3,4", "--json"],
        ["card", "ramen-jiro"],
        ["--help"],
    ],
)
def test_a_reader_that_leaves_is_no_error(call):
    # Short output fits into a pipe whose reader is about to leave, so this one has left before.
    code = (
        "import os, sys; r, w = os.pipe(); os.dup2(w, 1); os.close(r); os.close(w)\n"
        "from tablectl.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, *call], stderr=subprocess.PIPE, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")
