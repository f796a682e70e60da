"""The golden vectors, both ways, on the simulated table's side; and that the page is in step."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.boards import MemoryPeer
from support.vectors import Step, play, values_of, vectors

from protocols import catalog
from protocols.deframer import Deframer
from protocols.frame import encode
from protocols.text import text

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("vector", vectors("messages"), ids=lambda v: v["why"])
def test_messages_both_ways(vector):
    [frame] = Deframer().feed(bytes.fromhex(vector["hex"]))
    message = catalog.decode(frame)
    assert [f"{frame.type:02X}", frame.version] == [vector["type"], vector["version"]]
    assert plain(values_of(message)) == vector["values"]
    assert text(message) == vector["text"]
    if not vector.get("one_way"):
        assert encode(catalog.encode(message)).hex() == vector["hex"]


@pytest.mark.parametrize("vector", vectors("runs"), ids=lambda v: v["why"])
def test_runs(vector):
    deframer = Deframer()
    found = list(deframer.feed(bytes.fromhex(vector["hex"])))
    assert [encode(frame).hex() for frame in found] == vector["frames"]
    assert sorted(deframer.dropped.elements()) == vector["errors"]


@pytest.mark.parametrize("vector", vectors("refusals"), ids=lambda v: v["why"])
def test_refusals(vector):
    peer = MemoryPeer()
    if vector["greeted"]:
        peer.run(bytes.fromhex(vectors("dialogues")[0]["steps"][2]["to_table"]), 0)
    assert (peer.run(bytes.fromhex(vector["hex"]), 0).hex() or None) == vector["huh"]


@pytest.mark.parametrize("vector", vectors("dialogues"), ids=lambda v: v["why"])
def test_dialogues(vector):
    steps: list[Step] = vector["steps"]
    assert play(MemoryPeer(), steps) == steps


def test_page_and_vectors_are_what_the_catalogue_makes():
    command = [sys.executable, ROOT / "tools" / "protocol", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def plain(values: list) -> list:
    return json.loads(json.dumps(values))
