"""A desk of two tables, a clock, and the interface to the desk in this process."""

from __future__ import annotations

import pytest
from support.asking import HOSTS, TOKEN, Clock
from support.desk import MemoryDesk, MemoryTable

from tablectl.api.app import Interface, interface


@pytest.fixture
def desk() -> MemoryDesk:
    return MemoryDesk(MemoryTable("0102aa", "east"), MemoryTable("0102bb", "west"))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def here(desk: MemoryDesk, clock: Clock) -> Interface:
    return interface(desk, HOSTS, TOKEN, clock=clock)
