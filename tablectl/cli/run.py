"""`tablectl run`: the daemon, until it is told to stop."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tablectl.app.config import Config
from tablectl.app.config_file import config_of, state_of
from tablectl.app.table import Log
from tablectl.cli.log import log_lines
from tablectl.cli.parlour import Parlour, parlour, until_signalled
from tablectl.errors import DONE, NO, TablectlError, declare

PAIRS: Final = declare(
    "cli.pairs",
    "{tables} of --table and {presets} of --preset are given",
    "Each table needs its rule: --table URL --preset NAME, as often as there are tables.",
)
FAILED: Final = declare(
    "cli.failed",
    "the daemon cannot go on: {why}",
    "Start it again; what was answered is kept. If it ends again, report it with the lines above.",
    status=NO,
)


def run(
    config: Path | None,
    tables: Sequence[str],
    presets: Sequence[str],
    state: Path | None,
    capture: bool,
    *,
    as_json: bool,
) -> int:
    """Be the daemon until SIGINT or SIGTERM. Raises TablectlError where it cannot start or go
    on."""
    if len(tables) != len(presets):
        raise TablectlError(PAIRS, tables=len(tables), presets=len(presets))
    asked = config_of(config, list(zip(tables, presets, strict=True)))
    if capture:
        asked = replace(asked, daemon=replace(asked.daemon, capture=True))
    with log_lines(sys.stderr, as_json=as_json) as log:
        asyncio.run(serve(asked, state or state_of(asked), log, _as_json if as_json else _said))
    return DONE


async def serve(
    config: Config, state: Path, log: Log, announce: Callable[[dict[str, Any]], None]
) -> None:
    """Open the parlour, say once what is reachable, and close it at a signal. Raises TablectlError
    `cli.failed` where a part of the daemon cannot go on, and as `parlour`."""
    with until_signalled() as stop:
        async with parlour(config, state, log) as here:
            await asyncio.to_thread(announce, reachable(here, config))
            log("started", url=here.url, state=str(state))
            stopped: asyncio.Future[Any] = asyncio.create_task(stop.wait())
            failed = here.daemon.failed
            await asyncio.wait((stopped, failed), return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            if failed.done():
                raise _failure(failed.exception(), log)
            log("stopping")
    log("stopped")


def reachable(here: Parlour, config: Config) -> dict[str, Any]:
    """Where the daemon is and what it works: `{"url", "state", "tables": [{"url", "name",
    "preset"}]}`."""
    tables = [{"url": t.url, "name": t.name, "preset": t.preset} for t in config.tables]
    return {"url": here.url, "state": str(here.state), "tables": tables}


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _failure(error: BaseException | None, log: Log) -> TablectlError:
    problems = [error] if isinstance(error, TablectlError) else []
    why = "see below" if problems else f"{type(error).__name__}: {error}"
    log("failed", why=str(error), exc_info=None if problems else error)
    return TablectlError(FAILED, why=why, problems=problems)


def _as_json(about: dict[str, Any]) -> None:
    print(json.dumps(about, ensure_ascii=False), flush=True)


def _said(about: dict[str, Any]) -> None:
    print(f"API             {about['url']}/api/v1/tables")
    print(f"state           {about['state']}")
    for table in about["tables"]:
        print(f"table           {table['name']}: {table['url']}, {table['preset']}")
    if not about["tables"]:
        print("table           none is configured: --table URL --preset NAME, or --config FILE")
    print("Follow a table with `tablectl watch`; Ctrl-C stops.", flush=True)
