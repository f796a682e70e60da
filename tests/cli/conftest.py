"""Commands are called as people call them: `tablectl("plan", …)` gives status and both outputs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tablectl.cli import main


@dataclass(frozen=True)
class Called:
    """What a command has left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The JSON error on standard error."""
        return json.loads(self.err)["error"]


@pytest.fixture
def tablectl(capsys, monkeypatch) -> Callable[..., Called]:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*arguments: str) -> Called:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        return Called(int(left.value.code or 0), out, err)

    return call
