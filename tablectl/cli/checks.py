"""What `tablectl doctor` looks at: one finding each, and one remedy where something is wrong.

No port is opened, no lock is taken, and what is looked at stays as it is.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.api import token
from tablectl.app import daemon_file
from tablectl.app.config import Config
from tablectl.app.config_file import config_path, config_text, state_of, survey
from tablectl.cli.listening import listener
from tablectl.errors import TablectlError
from tablectl.journal import file as journal_file
from tablectl.journal import problems
from tablectl.journal.store import Journal
from tablectl.link import ports

LEAST_FREE: Final = 100 << 20
"""Bytes that a state directory should have free: some ten thousand hands."""
BUILT: Final = 2025
"""The year of this version; a clock that shows an earlier one is wrong."""
PYTHON: Final = (3, 11)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what it is `about`, what was `found`, and for a fault the
    `remedy`, and `code` and `where` if the catalogue has it."""

    about: str
    found: str
    remedy: str | None = None
    code: str | None = None
    where: str | None = None

    @property
    def ok(self) -> bool:
        return self.remedy is None


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look: a configuration as far as it is right, its state directory, the daemon that
    runs there."""

    config: Config
    state: Path
    daemon: daemon_file.DaemonFile | None


def findings(
    path: Path | None,
    environment: Mapping[str, str] = os.environ,
    now: Callable[[], float] = time.time,
) -> list[Finding]:
    """Everything that was looked at, in the order in which people mend it."""
    found, config = configuration(path, environment)
    state = state_of(config, environment)
    try:
        daemon = daemon_file.running(state)
    except TablectlError:
        daemon = None  # told by `the_daemon`
    place = Place(config, state, daemon)
    return [
        python(),
        *found,
        *(finding for check in CHECKS for finding in check(place)),
        clock(place, now()),
    ]


def python(version: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    shown = ".".join(map(str, version))
    if version < PYTHON:
        needed = ".".join(map(str, PYTHON))
        return Finding("python", f"Python {shown}", f"Install Python {needed} or newer.")
    return Finding("python", f"Python {shown}")


def configuration(
    path: Path | None, environment: Mapping[str, str] = os.environ
) -> tuple[list[Finding], Config]:
    """What is said of the configuration, every mistake alone, and what is right in it."""
    usual = config_path(environment)
    if path is None and not environment.get("TABLECTL_CONFIG") and not os.path.exists(usual):
        found = f"none at {usual}; tables are named on the command line"
        return [Finding("configuration", found)], Config()
    path = path or usual
    try:
        text = config_text(path)
    except TablectlError as error:
        return [fault("configuration", error)], Config()
    read = survey(text, str(path))
    if read.problems:
        return [fault("configuration", one) for one in read.problems], read.config
    count = len(read.config.tables)
    return [
        Finding("configuration", f"{path}: {count} table{'' if count == 1 else 's'}")
    ], read.config


def the_ports(place: Place) -> list[Finding]:
    """Every table's port, from outside."""
    found = []
    for table in place.config.tables:
        address, about = table.address, f"table {table.name}"
        if address.kind != "serial":
            found.append(Finding(about, f"{table.url} is not looked at from here"))
            continue
        path = address.rest
        holder = ports.holder(path)
        ours = place.daemon is not None and holder is not None and holder.pid == place.daemon.pid
        state = "in use by the daemon that runs" if ours else "free"
        if not os.path.exists(path):
            found.append(fault(about, TablectlError("link.port_absent", where=path)))
        elif not ports.is_port(path):
            why = "it is a folder" if os.path.isdir(path) else "it is a file"
            found.append(fault(about, TablectlError("link.no_port", where=path, why=why)))
        elif not ports.may_open(path):
            error = TablectlError("link.port_denied", where=path, remedy=ports.mend(path))
            found.append(fault(about, error))
        elif holder is not None and not ours:
            found.append(fault(about, TablectlError("link.port_busy", where=path, who=holder)))
        else:
            found.append(Finding(about, f"{path} is {state}"))
    return found


def the_state(place: Place) -> list[Finding]:
    """The state directory, or where it will be made: may it be written, is there room."""
    about, state = "state", place.state
    there = next(one for one in (state, *state.parents, Path("/")) if os.path.exists(one))
    if not there.is_dir():
        remedy = f"Move {there} away, or name another folder as `state` in the configuration."
        return [Finding(about, f"{there} is no folder", remedy)]
    if not os.access(there, os.W_OK | os.X_OK):
        if place.daemon is not None and there == state:
            said = "may not be written by this user, and need not: the daemon runs as another one"
            return [Finding(about, f"{state} {said}")]
        return [Finding(about, f"{state} may not be written", _way_in(state, there))]
    free = shutil.disk_usage(there).free
    if free < LEAST_FREE:
        remedy = f"Make room on the disk of {there}: {LEAST_FREE >> 20} MiB are enough for long."
        return [Finding(about, f"{state}: only {free >> 20} MiB free", remedy)]
    made = "" if there == state else ", made at the first start"
    return [Finding(about, f"{state}{made}: {_size(free)} free")]


def the_journal(place: Place) -> list[Finding]:
    """The journal: sound, older, newer, damaged, and who writes it."""
    about, path = "journal", place.state / "journal.sqlite"
    writer = ports.holder(str(path) + ".lock")
    try:
        with closing(journal_file.connect(path, writer=False)) as db:
            found = journal_file.check_format(db, path)
        if found < journal_file.FORMAT:
            said = f"format {found}; the daemon's next start brings it to {journal_file.FORMAT}"
            return [Finding(about, f"{path}: {said}")]
        with Journal(path, writer=False) as journal:
            faults = journal.faults()
    except TablectlError as error:
        if error.code == problems.MISSING:
            return [Finding(about, f"none yet; it is made at the first start as {path}")]
        return [fault(about, error)]
    except sqlite3.Error as error:
        return [fault(about, problems.told(error, path))]
    except OSError as error:
        why = error.strerror or error
        return [fault(about, TablectlError(problems.UNWRITABLE, where=str(path), why=why))]
    if faults:
        more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
        damaged = TablectlError(problems.DAMAGED, where=str(path), why=faults[0] + more)
        return [fault(about, damaged)]
    by = f", written by {writer}" if writer else ""
    return [Finding(about, f"{path}: sound{by}")]


def the_token(place: Place) -> list[Finding]:
    """The token's file: its owner's only. Its words are not told."""
    path = place.state / token.FILE
    try:
        token.read_token(path)
    except TablectlError as error:
        if error.code == token.MISSING:
            return [Finding("token", "none yet; it is made at the first start")]
        return [fault("token", error)]
    except OSError as error:
        why = error.strerror or error
        return [fault("token", TablectlError(token.UNREADABLE, where=str(path), why=why))]
    return [Finding("token", f"{path}: readable by its owner only")]


def the_daemon(place: Place) -> list[Finding]:
    """The daemon, and whether another program sits at its address."""
    about, path = "daemon", place.state / daemon_file.FILE
    try:
        found = daemon_file.read(place.state)
    except TablectlError as error:
        return [fault(about, error)]
    if place.daemon is not None:
        said = f"process {place.daemon.pid} at {place.daemon.url}, version {place.daemon.version}"
        return [Finding(about, said)]
    left = ""
    if found is not None:
        left = f"; process {found.pid} was killed and left {path}, which the next start replaces"
    findings = [Finding(about, f"none is running{left}")]
    daemon = place.config.daemon
    other = listener(daemon.address, daemon.port) if daemon.port else None
    if other is not None:
        remedy = "Close that program, or write another port under [daemon] in the configuration."
        said = f"{daemon.address} port {daemon.port} is taken by {other}"
        findings.append(Finding("http", said, remedy))
    elif daemon.port:
        findings.append(Finding("http", f"{daemon.address} port {daemon.port} is free"))
    return findings


def clock(place: Place, now: float) -> Finding:
    """The clock: not before this version, and not before what was written already."""
    shown = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
    remedy = "sudo timedatectl set-ntp true"
    if time.gmtime(now).tm_year < BUILT:
        return Finding("clock", f"{shown} is before this version was made", remedy)
    newest = _newest(place.state)
    if newest is not None and newest > now + 60:
        last = time.strftime("%Y-%m-%d %H:%M", time.gmtime(newest))
        return Finding("clock", f"{shown}, but the state has a file of {last}", remedy)
    return Finding("clock", shown)


def fault(about: str, error: TablectlError) -> Finding:
    """An entry of the catalogue as a finding."""
    return Finding(about, error.message, error.hint, error.code, error.where)


CHECKS: Final = (the_ports, the_state, the_journal, the_token, the_daemon)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _size(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size >> 20} MiB"


def _way_in(state: Path, there: Path) -> str:
    """The one command after which this user may write the state directory, of which `there` is the
    nearest folder that can be seen."""
    if there != state and os.access(there, os.X_OK):
        return f"sudo install -d -o $USER -m 700 {state}"
    if there.stat().st_uid == os.geteuid():
        return f"chmod u+rwx {there}"
    # What lies above it is others' too, and is left alone.
    mine = f"sudo chown -R $USER {state}; or " if there == state else ""
    return f"{mine}take one of your own: tablectl run --state DIR"


def _newest(state: Path) -> float | None:
    """Seconds of UTC at which something was last written there, None if nothing was."""
    try:
        return max((one.stat().st_mtime for one in state.iterdir()), default=None)
    except OSError:
        return None
