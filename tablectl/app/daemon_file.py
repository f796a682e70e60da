"""The file by which a daemon is found: `daemon.json` in its state directory.

    {"pid": 4711, "url": "http://127.0.0.1:8136", "started": 1764499200000, "version": "0.1.0"}

`started` is in milliseconds of UTC. A daemon writes it when it can be reached and removes it at its
end; one that was killed leaves it behind, which `running` notices.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import tablectl
from tablectl.errors import NO, TablectlError, declare

FILE: Final = "daemon.json"

NO_DAEMON: Final = declare(
    "cli.no_daemon",
    "no daemon is running with its state in {state}",
    "Start one with `tablectl run`.",
    status=NO,
)
UNREADABLE: Final = declare(
    "app.daemon_file",
    "the file by which a daemon is found cannot be read: {why}",
    "Remove it; a daemon writes it when it starts.",
    status=NO,
)
UNWRITABLE: Final = declare(
    "app.daemon_unwritable",
    "the file by which the daemon is found cannot be written: {why}",
    "Give the daemon a state directory that it may write.",
)


@dataclass(frozen=True, slots=True)
class DaemonFile:
    """One daemon. `born`: when its process started, in the system's ticks since it booted, by which
    another process with its number is told from it; None where the system does not say."""

    pid: int
    url: str
    started: int
    version: str
    born: int | None = None

    @property
    def alive(self) -> bool:
        """Whether its process still runs."""
        return is_alive(self.pid) and (self.born is None or _born(self.pid) in (self.born, None))


def write(state: Path, url: str) -> DaemonFile:
    """Say that this process is the daemon and is reached at `url`. The file is for its owner only,
    and whole or not there. Raises TablectlError `app.daemon_unwritable`."""
    pid = os.getpid()
    said = DaemonFile(pid, url, time.time_ns() // 1_000_000, tablectl.__version__, _born(pid))
    path = state / FILE
    beside = path.with_name(f"{FILE}.{pid}.new")
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(made, 0o600)
            os.write(made, json.dumps(asdict(said)).encode() + b"\n")
        finally:
            os.close(made)
        os.replace(beside, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise TablectlError(UNWRITABLE, where=str(path), why=error.strerror or error) from None
    return said


def read(state: Path) -> DaemonFile | None:
    """What the file says, None if there is none. Raises TablectlError `app.daemon_file`."""
    path = state / FILE
    try:
        said = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise TablectlError(UNREADABLE, where=str(path), why=error.strerror or error) from None
    except (ValueError, RecursionError):
        raise TablectlError(UNREADABLE, where=str(path), why="it is no JSON") from None
    return _checked(said, path)


def remove(state: Path) -> None:
    """Take the file away if it is this process's own; another daemon's stays."""
    with contextlib.suppress(TablectlError, OSError):
        found = read(state)
        if found is not None and found.pid == os.getpid():
            (state / FILE).unlink(missing_ok=True)


def running(state: Path) -> DaemonFile | None:
    """The daemon that runs with its state there, None if none does. Raises TablectlError
    `app.daemon_file`."""
    found = read(state)
    return found if found is not None and found.alive else None


def needed(state: Path) -> DaemonFile:
    """The daemon that runs with its state there. Raises TablectlError `cli.no_daemon`,
    `app.daemon_file`."""
    found = running(state)
    if found is None:
        raise TablectlError(NO_DAEMON, state=str(state))
    return found


def is_alive(pid: int) -> bool:
    """Whether a process of that number runs. One that has ended and that nobody has looked after
    yet does not."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return _stat(pid)[:1] not in (["Z"], ["X"])


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _checked(said: Any, path: Path) -> DaemonFile:
    kinds: dict[str, tuple[type, ...]] = {
        "pid": (int,),
        "url": (str,),
        "started": (int,),
        "version": (str,),
        "born": (int, type(None)),
    }
    if not isinstance(said, dict):
        raise TablectlError(UNREADABLE, where=str(path), why="it is no object")
    for name, kind in kinds.items():
        value = said.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise TablectlError(UNREADABLE, where=str(path), why=f"its '{name}' is not right")
    if said["pid"] < 1:
        raise TablectlError(UNREADABLE, where=str(path), why="its 'pid' is no process")
    return DaemonFile(said["pid"], said["url"], said["started"], said["version"], said.get("born"))


def _born(pid: int) -> int | None:
    """When a process started, in ticks since the system booted; None where nobody says."""
    try:
        return int(_stat(pid)[19])
    except (ValueError, IndexError):
        return None


def _stat(pid: int) -> list[str]:
    """What the system says of a process, behind its name; nothing where nobody says."""
    try:
        about = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return []
    # Its name stands in parentheses and may hold any others.
    return about.rpartition(")")[2].split()
