"""Opening a daemon on the files of its state directory.

journal.sqlite   faces/   rules/   notes.json   captures/
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tablectl.app.config import Config
from tablectl.app.daemon import Daemon
from tablectl.app.notes import Notes
from tablectl.app.rulebook import Rulebook
from tablectl.app.scribe import Scribe
from tablectl.app.table import Log
from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.profile_file import find_profile
from tablectl.errors import TablectlError
from tablectl.journal.store import Journal
from tablectl.journal.writer import Writer
from tablectl.link.simulated import Sims

JOURNAL: Final = "journal.sqlite"


async def open_daemon(
    config: Config,
    state: Path,
    utc: Callable[[], int],
    log: Log,
    sims: Sims | None = None,
) -> Daemon:
    """A daemon on the files of its state directory, started. Raises TablectlError `journal.*`,
    `app.*`, `preset.*`, `link.*`; then nothing is left open."""

    def files() -> tuple[Journal, dict[str, list[Entry]], dict[str, int], Rulebook, Notes]:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        rulebook = Rulebook(state / "rules")
        for table in config.tables:
            rulebook.add(table.preset)
        notes = Notes(state / "notes.json")
        find_profile("")  # reads all of them, so that the loop never has to
        journal = Journal(state / JOURNAL)
        try:
            kept = {table: journal.opening(table) for table in journal.tables()}
            boots = _boots(kept, journal.boards())
        except TablectlError:
            journal.close()
            raise
        return journal, kept, boots, rulebook, notes

    journal, kept, boots, rulebook, notes = await asyncio.to_thread(files)
    loop = asyncio.get_running_loop()
    try:
        writer = await asyncio.to_thread(Writer, journal, state / "faces", loop)
    except TablectlError:
        await asyncio.to_thread(journal.close)
        raise

    def now() -> int:
        return daemon.now()  # the time that frames have

    scribe = Scribe(state / "captures", now) if config.daemon.capture else None
    sims = Sims(boots=boots) if sims is None else sims
    daemon = Daemon(config, state, writer, rulebook, notes, sims, utc, log, scribe)
    try:
        await daemon.start(kept)
    except TablectlError:
        await daemon.stop()
        raise
    return daemon


def _boots(
    kept: Mapping[str, Sequence[Entry]], durable: Mapping[str, tuple[int, int]]
) -> dict[str, int]:
    """The last boot of every board that was ever met, by table."""
    said = {
        table: max((e.fact.boot for e in entries if isinstance(e.fact, facts.Board)), default=0)
        for table, entries in kept.items()
    }
    return {table: max(boot, durable.get(table, (0, 0))[0]) for table, boot in said.items()}
