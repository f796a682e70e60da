"""What the fuzzers found interesting, read again: `tools/soak fuzz-wire fuzz-board --keep` left it.

Each line is one input. On the host's side it goes through everything that reads the wire, in C
through the board with both sanitizers.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.fuzzed import exercise
from support.peers import compiler

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"


def corpus(name: str) -> list[bytes]:
    lines = (DATA / f"corpus-{name}.txt").read_text("ascii").split()
    return [bytes.fromhex(line) for line in lines]


def test_the_host_s_side():
    inputs = corpus("wire")
    assert len(inputs) > 100
    for one in inputs:
        exercise(one)


@pytest.mark.skipif(compiler() is None, reason="no C compiler or make is here")
def test_the_board_in_c(tmp_path):
    inputs = corpus("board")
    assert len(inputs) > 100
    make = ["make", "-s", "-C", ROOT / "hardware" / "boards", "replay", f"OUT={tmp_path}"]
    subprocess.run([*make, f"CC={compiler()}"], check=True)
    files = []
    for n, one in enumerate(inputs):
        files.append(tmp_path / f"{n}.bin")
        files[-1].write_bytes(one)
    done = subprocess.run(
        [tmp_path / "replay", *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
