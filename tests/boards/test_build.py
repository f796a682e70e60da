"""The reference board builds without a warning, takes little memory and nothing from a system."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.peers import compiler

BOARDS = Path(__file__).parents[2] / "hardware" / "boards"
MOST = 1024
"""Bytes that the core may keep with 32 slots, pointers of the test's machine included."""

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C compiler or make is here")
needs_nm = pytest.mark.skipif(shutil.which("nm") is None, reason="no nm is here (binutils)")


def run(*command: str | Path) -> str:
    """What a command says; it must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def make(out: Path, *targets: str) -> str:
    return run("make", "-C", BOARDS, f"OUT={out}", f"CC={compiler()}", *targets)


def symbols(out: Path) -> list[tuple[str, str, int]]:
    """Name, letter and size of each symbol of the core's objects."""
    make(out, "core")
    listing = run("nm", "-P", *sorted((out / "core").glob("*.o")))
    found = [line.split() for line in listing.splitlines() if not line.endswith(":")]
    return [
        (words[0].lstrip("_"), words[1], int(words[3], 16) if len(words) > 3 else 0)
        for words in found
    ]


def test_board_and_replay_build_without_a_warning(tmp_path):
    said = make(tmp_path, "board", "plain", "replay")
    assert said.count("-Werror") == 3
    assert (tmp_path / "board").exists()
    rng = random.Random(7)
    for nth in range(40):
        (tmp_path / f"{nth}.bin").write_bytes(rng.randbytes(3000))
    run(tmp_path / "replay", *sorted(tmp_path.glob("*.bin")))


@needs_nm
def test_memory(tmp_path):
    source = tmp_path / "memory.c"
    source.write_text(
        '#include <stdio.h>\n#include "tct.h"\n'
        'int main(void) { printf("%d %u", TCT_RING, (unsigned)sizeof(struct tct)); return 0; }\n'
    )
    run(str(compiler()), "-std=c99", f"-I{BOARDS / 'core'}", source, "-o", tmp_path / "memory")
    ring, board = map(int, run(tmp_path / "memory").split())
    static = sum(size for _, letter, size in symbols(tmp_path) if letter in "bBdDC")
    print(f"ring of {ring}: {board} bytes of a board, {static} static in the core")
    assert ring == 32
    assert board + static < MOST


@needs_nm
def test_the_core_takes_nothing_from_a_system(tmp_path):
    found = symbols(tmp_path)
    own = {name for name, letter, _ in found if letter == "T"}
    taken = {name for name, letter, _ in found if letter == "U"} - own
    assert own >= {"tct_init", "tct_poll", "tct_edge", "tct_points"}
    # What a compiler puts in by itself to watch a stack or a copy is no choice of the core's.
    taken = {name.removesuffix("_chk") for name in taken if name != "stack_chk_fail"}
    assert taken <= {"memcpy", "memset", "memcmp", "memmove"}


def test_the_core_includes_only_what_every_compiler_has():
    named = set()
    for path in (BOARDS / "core").glob("*.[ch]"):
        named.update(re.findall(r"#include <(.+)>", path.read_text("utf-8")))
    assert named <= {"stdint.h", "stddef.h", "stdbool.h", "string.h"}
