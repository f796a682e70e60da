"""The three boards that every test of the link is run against."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.boards import Host
from support.peers import BoardPty, SimMemory, SimPty, compiler


@pytest.fixture(params=["memory", "pty", "board"])
def peer(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SimMemory | SimPty | BoardPty]:
    """A board: the simulated table in memory, on a pseudo-terminal, the C board on another."""
    if request.param == "board" and compiler() is None:
        pytest.skip("no C compiler is here (cc); `tools/test` installs gcc where it may")
    makers = {
        "memory": SimMemory,
        "pty": lambda: SimPty(tmp_path),
        "board": lambda: BoardPty(tmp_path),
    }
    made = makers[request.param]()
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def host(peer: SimMemory | SimPty | BoardPty) -> Host:
    """A host at that board."""
    return Host(peer)
