"""Finding and reading the configuration.

It is looked for in `TABLECTL_CONFIG`, else in `tablectl/config.toml` of the user's configuration
(XDG_CONFIG_HOME, ~/.config). Reading opens no port. All mistakes are reported at once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tablectl.app.config import Config
from tablectl.app.config_read import Reader
from tablectl.app.config_tables import Called
from tablectl.core.preset_text import Unreadable, text_of
from tablectl.errors import TablectlError, declare
from tablectl.journal.place import state_directory

declare(
    "config.file",
    "the configuration cannot be read: {why}",
    "Name a TOML file that can be read.",
)
declare(
    "config.invalid",
    "mistakes in the configuration: {number}",
    "Correct them all; `tablectl doctor` reads the file again and opens no port.",
)


@dataclass(frozen=True, slots=True)
class Survey:
    """What could be read of a configuration, mistakes and all; `config` holds what is right."""

    config: Config
    problems: tuple[TablectlError, ...] = ()


def config_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the configuration is looked for: `TABLECTL_CONFIG`, else `tablectl/config.toml` in the
    user's configuration directory (XDG_CONFIG_HOME)."""
    if named := environment.get("TABLECTL_CONFIG"):
        return Path(named)
    home = environment.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "tablectl" / "config.toml"


def state_of(config: Config, environment: Mapping[str, str] = os.environ) -> Path:
    """The state directory: `TABLECTL_STATE`, else the configuration's, else the user's."""
    if config.daemon.state is not None and not environment.get("TABLECTL_STATE"):
        return config.daemon.state
    return state_directory(environment)


def read_config(text: str, where: str = "config.toml") -> Config:
    """The configuration that a TOML text says. Paths in it begin at the folder of `where`.

    Raises `config.invalid` with all mistakes at once, each with its line, what is allowed and the
    nearest right word.
    """
    found = survey(text, where)
    if found.problems:
        raise TablectlError(
            "config.invalid", where=where, problems=found.problems, number=len(found.problems)
        )
    return found.config


def survey(text: str, where: str = "config.toml") -> Survey:
    """The same without raising: what is right, and every mistake in the order of its line."""
    reader = Reader(text, where)
    config = reader.read()
    return Survey(config, tuple(reader.problems_in_order()))


def load_config(path: str | Path) -> Config:
    """The configuration in a file. Raises `config.file`, `config.invalid`."""
    return read_config(config_text(path), str(path))


def config_text(path: str | Path) -> str:
    """The text of a file. Raises `config.file`."""
    try:
        return text_of(path)
    except Unreadable as error:
        raise TablectlError("config.file", where=str(path), why=error.why) from None


def config_of(
    path: str | Path | None,
    tables: Sequence[tuple[str, str]] = (),
    environment: Mapping[str, str] = os.environ,
) -> Config:
    """The configuration of a call: the file (None: the usual one, if there is any) and the tables
    of its command line, (url, preset) each. A table that the file has too is played by the command
    line's preset, and what the file says else of it holds.

    Raises `config.file`, `config.invalid`; a mistake on the command line is told as `--table N`.
    """
    config = Config()
    if (
        path is not None
        or environment.get("TABLECTL_CONFIG")
        or os.path.exists(config_path(environment))
    ):
        config = load_config(path if path is not None else config_path(environment))
    if not tables:
        return config
    called = Called(config)
    for number, (url, preset) in enumerate(tables, start=1):
        called.add(url, preset, f"--table {number}")
    if called.problems:
        raise TablectlError(
            "config.invalid",
            where="command line",
            problems=called.problems,
            number=len(called.problems),
        )
    return replace(config, tables=tuple(called.tables))
