"""Where a daemon keeps what it has to keep."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def state_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """`TABLECTL_STATE`, else `tablectl` in the user's state directory (XDG_STATE_HOME)."""
    if named := environment.get("TABLECTL_STATE"):
        return Path(named)
    state = environment.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "tablectl"


def journal_path(environment: Mapping[str, str] = os.environ) -> Path:
    """The journal in the state directory."""
    return state_directory(environment) / "journal.sqlite"
