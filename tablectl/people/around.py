"""What players have around them: a table whose time passes, and a screen to tap on."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from tablectl.core.facts import AnyFact
from tablectl.core.state import State
from tablesim.table import Table


class Tapped(NamedTuple):
    """What became of a tap: its number and its verdict."""

    seq: int
    kind: Literal["fits", "assumed", "odd"]
    text: str = ""


class World(Protocol):
    """The room with the table in it."""

    @property
    def table(self) -> Table: ...

    async def wait(self, ms: int) -> None:
        """So many ms of the table pass."""

    def did(self) -> None:
        """Hands did something: the board sees it now."""


class Screen(Protocol):
    """Where people tap, and what it shows them."""

    async def tap(self, fact: AnyFact, *, after: int | None = None) -> Tapped:
        """Say something; `after`: the number behind which it belongs, where it is told late."""

    def state(self) -> State:
        """What the screen shows now."""

    def seq(self) -> int:
        """The number of the last fact, of sensors too; 0 for none."""
