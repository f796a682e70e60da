"""Where a daemon keeps what it has to keep."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

_LONGEST: Final = 160


def state_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """`TABLECTL_STATE`, else `tablectl` in the user's state directory (XDG_STATE_HOME)."""
    if named := environment.get("TABLECTL_STATE"):
        return Path(named)
    state = environment.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "tablectl"


def journal_in(state: Path) -> Path:
    """The journal in a state directory."""
    return state / "journal.sqlite"


def file_name(table: str) -> str:
    """A table's name as the name of a file: other names are other files, and none leads to another
    folder. An ordinary name stays as it is."""
    name = quote(table, safe="", errors="surrogatepass")
    if len(name) > _LONGEST:
        digest = hashlib.sha256(name.encode()).hexdigest()[:32]
        name = f"{name[: _LONGEST - 33]}%{digest}"
    return "%2E" + name[1:] if name.startswith(".") else name
