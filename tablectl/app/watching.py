"""What goes wrong for a while and mends itself: lines on which nobody is ready, a journal that
takes nothing. Each is logged once with its remedy, and once when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from tablectl.app.config import TableConfig
from tablectl.app.shown import ConfiguredLine
from tablectl.app.table import Log, Table
from tablectl.errors import TablectlError
from tablectl.journal import problems
from tablectl.journal.writing import Batch, Writing
from tablectl.link.silence import Heeded
from tablectl.link.supervisor import Keeper

EVERY: Final = 1.0
"""Seconds between two looks."""
PATIENCE: Final = 5000
"""ms after which a line that is not ready is worth a word."""
_PROBED: Final = (problems.FULL, problems.UNWRITABLE)
_NOBODYS: Final = "what was sealed in a closed hand could not be taken away"


@dataclass(slots=True, eq=False)
class Line:
    """A configured line: its keeper, and when it was last seen ready, or began to be kept (ms).
    `said`: codes of what was logged of it since."""

    config: TableConfig
    heeded: Heeded
    keeper: Keeper
    ready: int
    said: set[str] = field(default_factory=set)


class Lines:
    """All lines of the configuration. `now`: ms of the daemon's clock."""

    def __init__(self, log: Log, now: Callable[[], int]) -> None:
        self._log, self._now = log, now
        self._lines: dict[Keeper, Line] = {}

    def add(self, config: TableConfig, heeded: Heeded, keeper: Keeper) -> None:
        """One more."""
        self._lines[keeper] = Line(config, heeded, keeper, self._now())

    def look(self) -> None:
        """Say of each line once what keeps it from being ready, if that takes long."""
        for line in self._lines.values():
            if line.keeper.state.stage == "ready":
                line.heeded.ready()
                line.ready = self._now()
                line.said.clear()
            elif (complaint := self._complaint(line)) is not None:
                self.said(line.keeper, complaint)

    def said(self, keeper: Keeper, complaint: TablectlError) -> None:
        """This is wrong with the line, and is logged if it was not yet."""
        line = self._lines[keeper]
        if complaint.code not in line.said:
            line.said.add(complaint.code)
            self._log(
                "line",
                name=line.config.name,
                url=keeper.url,
                stage=keeper.state.stage,
                why=complaint.message,
                remedy=complaint.hint,
            )

    def standing(self, keeper: Keeper, table: str | None) -> ConfiguredLine:
        """How one stands; `table`: the id of the one that is or was on it."""
        line, state = self._lines[keeper], keeper.state
        complaint = self._complaint(line)
        return ConfiguredLine(
            url=keeper.url,
            name=line.config.name,
            table=table,
            stage=state.stage,
            why=state.why if complaint is None else complaint.message,
            since=state.since,
            complaint=None if complaint is None else complaint.as_json(),
        )

    def _complaint(self, line: Line) -> TablectlError | None:
        """What is wrong: at once where somebody says it, else after some patience."""
        own = line.keeper.complaint
        if own is not None or self._now() < line.ready + PATIENCE:
            return own
        return line.heeded.complaint(line.keeper)


class Disk:
    """Whether the journal can be written. While it cannot, it is tried again and again, so that it
    is known when it can, even if nobody says anything meanwhile."""

    def __init__(self, log: Log, writer: Writing) -> None:
        self._log, self._writer = log, writer
        self._failing: str | None = None
        self._trial: asyncio.Future[Any] | None = None

    def look(self, tables: Iterable[Table]) -> None:
        """Say once that nothing can be kept, and once that it can again."""
        failing, tables = self._writer.health.failing, tuple(tables)
        if failing is None:
            for table in tables:
                table.disk_is_well()
        if failing != self._failing:
            if failing is None:
                self._log("writable", why="the journal can be written again")
            elif self._failing is None:
                error = _error(failing, tables)
                self._log("unwritable", why=error.message, remedy=error.hint)
            self._failing = failing
        if failing in _PROBED and (self._trial is None or self._trial.done()):
            self._trial = self._writer.submit(Batch("", ()))
            self._trial.add_done_callback(_looked_at)


def _error(code: str, tables: Iterable[Table]) -> TablectlError:
    for table in tables:
        if table.failing is not None and table.failing.code == code:
            return table.failing
    return TablectlError(code, why=_NOBODYS)


def _looked_at(trial: asyncio.Future[Any]) -> None:
    if not trial.cancelled():
        trial.exception()  # its health tells it
