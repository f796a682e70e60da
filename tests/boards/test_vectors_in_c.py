"""The golden vectors, both ways, on the reference board in C."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.peers import BoardPty, compiler
from support.vectors import play, vectors

from protocols.catalog import ROW_OF
from protocols.fields import Kind, kinds

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C compiler or make is here")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[BoardPty]:
    made = BoardPty(tmp_path)
    yield made
    made.close()


def words(vector: dict[str, Any]) -> list[str]:
    """The values as the board's process writes them: unknown as the wire has it, texts in hex."""
    row = ROW_OF[vector["version"], int(vector["type"], 16)]
    unknown: list[int | None] = []
    for kind in kinds(row.message).values():
        unknown += _unknown(kind)
    found = []
    for value, ones in zip(vector["values"], unknown, strict=True):
        if value == b"TCT1".hex():
            continue
        if isinstance(value, str):
            hexed = value if ones is None else value.encode().hex()
            found.append(hexed or "-")
        else:
            found.append(str(ones if value is None else value))
    return found


def _unknown(kind: Kind) -> list[int | None]:
    """For each flattened value what unknown is on the wire: None for bytes, -1 for texts."""
    least = kind.least
    if hasattr(least, "_fields"):
        return [one for inner in kinds(type(least)).values() for one in _unknown(inner)]
    if isinstance(least, bytes | str):
        return [None if isinstance(least, bytes) else -1]
    bits = int(re.sub(r"\D.*", "", kind.name[1:]))
    ones = -(2 ** (bits - 1)) if kind.name[0] == "i" else 2**bits - 1
    return [ones] * (len(least) if isinstance(least, tuple) else 1)


def test_messages_both_ways(board):
    for vector in vectors("messages"):
        told = board.ask("decode", vector["hex"])
        assert told == [vector["type"], str(vector["version"]), *words(vector)], vector["why"]
        if not vector.get("one_way"):
            sent = board.ask("encode", vector["type"], vector["version"], *words(vector))
            assert sent == [vector["hex"]], vector["why"]


def test_runs(board):
    for vector in vectors("runs"):
        found = board.ask("runs", vector["hex"])
        assert sorted(word for word in found if word != "frame") == vector["errors"], vector["why"]
        assert found.count("frame") == len(vector["frames"]), vector["why"]


@pytest.mark.parametrize("vector", vectors("refusals"), ids=lambda v: v["why"])
def test_refusals(board, vector):
    if vector["greeted"]:
        board.run(bytes.fromhex(vectors("dialogues")[0]["steps"][2]["to_table"]), 0)
    assert (board.run(bytes.fromhex(vector["hex"]), 0).hex() or None) == vector["huh"]


@pytest.mark.parametrize("vector", vectors("dialogues"), ids=lambda v: v["why"])
def test_dialogues_byte_by_byte(board, vector):
    assert play(board, vector["steps"]) == vector["steps"]
