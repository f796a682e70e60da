"""A whole daemon under a test's own clock: its lines, tables and journal, in one folder."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tablectl.app.config import Config, DaemonConfig, TableConfig
from tablectl.app.daemon import Daemon
from tablectl.app.notes import Notes
from tablectl.app.rulebook import Rulebook
from tablectl.app.scribe import Scribe
from tablectl.app.table import Table
from tablectl.core.profile_file import find_profile
from tablectl.journal.store import Journal
from tablectl.journal.writer import InlineWriter
from tablectl.link.simulated import Sims

MORNING = 1_790_000_000_000
"""UTC ms at which every test's day begins."""


class Events(list[tuple[str, dict[str, Any]]]):
    """What the daemon logs."""

    def __call__(self, event: str, **values: Any) -> None:
        self.append((event, values))


def config_of(*urls: str, preset: str | None = "ramen-jiro", **about: Any) -> Config:
    """A configuration of these lines, each named by what stands behind its last colon."""
    tables = tuple(
        TableConfig(url=url, name=url.rpartition(":")[2], preset=preset or "", **about)
        for url in urls
    )
    return Config(daemon=DaemonConfig(), tables=tables)


@asynccontextmanager
async def parlour(
    folder: Path, config: Config, sims: Sims | None = None, log: Events | None = None
) -> Any:
    """A daemon on these files, under the loop's own clock; stopped in order at the end."""
    daemon = opened(folder, config, sims, log)
    await daemon.start(daemon.kept)  # type: ignore[attr-defined]
    try:
        yield daemon
    finally:
        await daemon.stop()


def opened(
    folder: Path, config: Config, sims: Sims | None = None, log: Events | None = None
) -> Daemon:
    """The daemon, not started yet."""
    loop = asyncio.get_running_loop()

    def utc() -> int:
        return MORNING + int((loop.time() - 1000) * 1000)

    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(folder / "journal.sqlite")
    kept = {table: journal.opening(table) for table in journal.tables()}
    rulebook = Rulebook(folder / "rules")
    for table in config.tables:
        rulebook.add(table.preset)
    writer = InlineWriter(journal, folder / "faces", loop)
    notes = Notes(folder / "notes.json")
    find_profile("")
    daemon = Daemon(
        config,
        folder,
        writer,
        rulebook,
        notes,
        sims or Sims(),
        utc,
        Events() if log is None else log,
        Scribe(folder / "captures") if config.daemon.capture else None,
    )
    daemon.kept = kept  # type: ignore[attr-defined]
    return daemon


async def ready(daemon: Daemon, seconds: float = 30) -> list[Table]:
    """All lines ready, in the configuration's order of tables."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not all(line.state.stage == "ready" for line in daemon.lines()):
        assert loop.time() < end, daemon.lines()
        await asyncio.sleep(0.05)
    return [daemon.tables[line.table] for line in daemon.lines() if line.table is not None]
