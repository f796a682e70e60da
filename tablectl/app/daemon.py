"""The daemon: joins lines, tables and the journal, and stops in order.

    keepers (one a line) ──▶ actors (one a table) ──▶ writer (one journal)

Which table is on a line is known when its board has said so. Tables of the journal are there from
the start, whether their board answers or not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tablectl.app import service
from tablectl.app.actor import RETRY
from tablectl.app.config import Config, TableConfig
from tablectl.app.drafts import Drafting
from tablectl.app.items import Settings
from tablectl.app.known import Known
from tablectl.app.notes import Notes
from tablectl.app.rulebook import Rulebook
from tablectl.app.scribe import Scribe
from tablectl.app.shown import ConfiguredLine
from tablectl.app.table import Log, Table, numbers_told, settings_of
from tablectl.app.watching import EVERY, Disk, Lines
from tablectl.app.wishes import Wishes, unanswered
from tablectl.core.entry import Entry
from tablectl.core.preset import Preset
from tablectl.errors import TablectlError
from tablectl.journal import problems
from tablectl.journal.writing import Writing
from tablectl.link.address import read_address
from tablectl.link.capture import Captured
from tablectl.link.identity import Identity
from tablectl.link.opening import opener_of
from tablectl.link.silence import Heeded
from tablectl.link.simulated import Sims
from tablectl.link.supervisor import Keeper, LineState

STOP_WITHIN: Final = 2.5
"""Seconds in which everything that was said is kept and everybody is sent away."""


@dataclass(frozen=True, slots=True)
class Line:
    """A configured line as people see it."""

    url: str
    name: str
    table: str | None
    state: LineState
    complaint: TablectlError | None


class Daemon:
    """All tables of one parlour. Make it with `start`, end it with `stop`."""

    def __init__(
        self,
        config: Config,
        state: Path,
        writer: Writing,
        rulebook: Rulebook,
        notes: Notes,
        sims: Sims,
        utc: Callable[[], int],
        log: Log,
        scribe: Scribe | None = None,
    ) -> None:
        self.config = config
        self.rulebook = rulebook
        self.state = state
        self.stopping = False
        self._writer, self._notes, self._sims, self._scribe = writer, notes, sims, scribe
        self._utc, self._log = utc, log
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._start = utc()
        self._conversation = (utc() // 1000) % 2**32
        self._tables: dict[str, Table] = {}
        self._keepers: dict[Keeper, TableConfig] = {}
        self._lines, self._disk = Lines(log, self.now), Disk(log, writer)
        self._beginning: set[str] = set()
        """Tables whose first game is being begun."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.failed: asyncio.Future[None] = self._loop.create_future()
        """Fails when a part of the daemon cannot go on."""

    # ── as it is served ─────────────────────────────────────────────────────────────────────────

    @property
    def tables(self) -> Mapping[str, Table]:
        """By id, in the order in which they came."""
        return self._tables

    def table(self, name: str) -> Table:
        """As in `service.Desk.table`."""
        named = [one for one in self._tables.values() if name in (one.id, one.settings.name)]
        begun = [one for id, one in self._tables.items() if name and id.startswith(name)]
        found = named or begun
        if len(found) != 1:
            raise service.no_table(name, self)
        return found[0]

    def rules(self) -> list[Preset]:
        """The rules that can be named: those of the program and those of the configuration."""
        return [self.rulebook.named(name) for name in self.rulebook.names()]

    def rule(self, name: str) -> Preset:
        """As in `service.Desk.rule`."""
        return self.rulebook.named(name)

    def health(self) -> dict[str, Any]:
        """As in `service.Desk.health`."""
        journal = self._writer.health
        tables = {
            id: {
                "name": one.settings.name,
                "stage": one.stage,
                "queue": one.waiting,
                "subscribers": one.subscribers,
                "seq": one.seq,
            }
            for id, one in self._tables.items()
        }
        return {
            "ok": journal.failing is None and not self.failed.done(),
            "stopping": self.stopping,
            "uptime": self.now(),
            "tables": tables,
            "lines": [
                {"url": line.url, "stage": line.state.stage, "table": line.table}
                for line in self.lines()
            ],
            "journal": {
                "waiting": journal.waiting,
                "commit_ms": journal.commit_ms,
                "failing": journal.failing,
                "since": journal.since,
            },
            "problems": [problem.as_json() for problem in self.rulebook.problems],
        }

    def lines(self) -> list[Line]:
        """Every configured line, whichever table is on it."""
        return [
            Line(
                keeper.url,
                settings.name,
                next((id for id, one in self._tables.items() if one.keeper is keeper), None),
                keeper.state,
                keeper.complaint,
            )
            for keeper, settings in self._keepers.items()
        ]

    def standing(self) -> list[ConfiguredLine]:
        """As in `service.Desk.standing`."""
        keepers = {config.url: keeper for keeper, config in self._keepers.items()}
        found = []
        for config in self.config.tables:
            keeper = keepers.get(config.url)
            on_it = [id for id, one in self._tables.items() if one.keeper is keeper]
            called = [id for id, one in self._tables.items() if one.settings.name == config.name]
            if keeper is None:
                table = called[0] if called else None
                found.append(
                    ConfiguredLine(config.url, config.name, table, "manual", None, 0, None)
                )
            else:
                # A table whose line is lost is still the one that was on it.
                table = on_it[0] if on_it else called[0] if len(called) == 1 else None
                found.append(self._lines.standing(keeper, table))
        return found

    def now(self) -> int:
        """ms since the daemon's start."""
        return int((self._loop.time() - self._began) * 1000)

    # ── start and stop ──────────────────────────────────────────────────────────────────────────

    async def start(self, kept: Mapping[str, Sequence[Entry]]) -> None:
        """Take up the tables of the journal, each with what it has of the open game; work the
        tables by hand; keep the lines."""
        for id, entries in kept.items():
            self._conversation = _newest(self._conversation, entries)
            self._make(id, self._settings_of(id), Known(self.rulebook, entries)).resume()
        for config in self.config.tables:
            address = read_address(config.url)
            if address.kind == "manual":
                id = f"manual-{address.rest}"
                table = self._tables.get(id) or self._make(
                    id, self._settings_of(id), Known(self.rulebook)
                )
                table.settings = replace(settings_of(config), manual=True)
                table.take_model("")
                self._begin_game(table)
                continue
            heeded = Heeded(opener_of(config.url, self._sims), self.now)
            keeper = Keeper(config.url, heeded.open, self, self.now, self._next_conversation)
            self._keepers[keeper] = config
            self._lines.add(config, heeded, keeper)
            self._keep(keeper.run())
        self._keep(self._watch(), "watch")

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            self._lines.look()
            self._disk.look(self._tables.values())

    async def stop(self) -> None:
        """Orderly: lines are closed, what was said is kept, subscribers are sent away."""
        self.stopping = True
        runs = [task for task in self._tasks if task.get_name() == "line"]
        for task in runs:
            task.cancel()
        await asyncio.gather(*runs, return_exceptions=True)
        await asyncio.gather(*(one.stop(STOP_WITHIN / 2) for one in self._tables.values()))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._sims.stop()
        closing = [self._writer.close(STOP_WITHIN / 2)]
        if self._scribe is not None:
            closing.append(asyncio.to_thread(self._scribe.close, STOP_WITHIN / 2))
        await asyncio.gather(*closing)

    def _keep(self, work: Any, name: str = "line") -> None:
        task = self._loop.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._task_over)

    def _task_over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or self.failed.done():
            return
        if (error := task.exception()) is not None:
            self.failed.set_exception(error)

    # ── tables ──────────────────────────────────────────────────────────────────────────────────

    def _make(self, id: str, settings: Settings, known: Known) -> Table:
        drafting = Drafting(self.now, self._utc, self._start, known.seq)
        table = Table(id, settings, known, self._writer, drafting)
        table.wishes = Wishes(table, self.rulebook, self._notes)
        table.log = self._log
        self._tables[id] = table
        board = known.state.machine.board
        if board is not None:
            table.take_model(board.model)
        self._keep(table.run(), "table")
        return table

    def _settings_of(self, id: str) -> Settings:
        config = next((one for one in self.config.tables if one.uid == id), None)
        return Settings(id) if config is None else settings_of(config)

    def _begin_game(self, table: Table) -> None:
        """Where nothing is played yet, what the configuration names is."""
        if table.settings.preset is None or table.known.state.game is not None:
            return
        if table.id not in self._beginning:
            rules = self.rulebook.named(table.settings.preset)
            self._beginning.add(table.id)
            self._keep(self._begin_first(table, rules), "game")

    async def _begin_first(self, table: Table, rules: Preset) -> None:
        """Try until the disk takes it; where it fails otherwise, its table shows why."""
        try:
            while True:
                try:
                    return await table.wishes.begin_first(rules)
                except TablectlError as error:
                    if error.code not in problems.OF_THE_DISK:
                        return
                await asyncio.sleep(RETRY)
        finally:
            self._beginning.discard(table.id)

    # ── as the house of its lines ───────────────────────────────────────────────────────────────

    def table_of(self, keeper: Keeper, identity: Identity) -> Table | None:
        """The table that this board is; None if another line has it already."""
        config = self._keepers[keeper]
        id = identity.uid
        table = self._tables.get(id)
        named = next((one for one in self.config.tables if one.uid == id), None)
        # A line that is another board's lends this one neither its name nor what it allows.
        other = named is None and config.uid is not None
        settings = Settings(id) if other else settings_of(named or config)
        if table is None:
            table = self._make(id, settings, Known(self.rulebook))
        elif table.keeper is not None and table.keeper is not keeper:
            return None
        elif table.settings.name == id or named is not None:
            table.settings = settings
        table.keeper = keeper
        model = identity.iam.model
        table.take_model(model, numbers_told(identity))
        table.asked.clear()
        if (open_command := unanswered(table)) is not None:
            pair, word, seq, message, boot = open_command
            table.asked[pair] = (word, seq)
            keeper.ask_about(message, boot)
        self._begin_game(table)
        return table

    def unknown(self, keeper: Keeper, state: LineState, complaint: TablectlError | None) -> None:
        """A line of which nobody knows which table is on it stands otherwise: said once."""
        if state.stage in ("absent", "refused") and complaint is not None:
            self._lines.said(keeper, complaint)

    def captured(self, keeper: Keeper, frames: Iterable[Captured]) -> None:
        """Keep what goes over the lines, where that is wanted."""
        if self._scribe is not None:
            name = self._keepers[keeper].name
            for frame in frames:
                self._scribe.write(name, frame.line())

    def _next_conversation(self) -> int:
        """Newer than all of earlier runs, and its own for each line."""
        self._conversation = (self._conversation + 1) % 2**32
        return self._conversation


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _newest(conversation: int, entries: Sequence[Entry]) -> int:
    """The newest of this conversation and those of the entries: where a clock goes back, or a
    second has not passed, a command of this run must not be taken for one of a run before."""
    for entry in entries:
        kind, *rest = entry.key.split(":")
        named = rest[-1].partition(".")[0] if kind == "v" else rest[0] if kind == "c" else ""
        if named.isdecimal() and 0 < (int(named) - conversation) % 2**32 < 2**31:
            conversation = int(named)
    return conversation
