"""The configuration: which tables there are, what is played at them, who may reach the daemon.

    [daemon]
    port = 8136

    [[table]]
    url = "serial:/dev/serial/by-id/…"
    name = "east"
    preset = "…"

Here are its values; `config_file` finds and reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.core.boxes import Box
from tablectl.core.profile import Note
from tablectl.link.address import Address, read_address

PORT: Final = 8136


@dataclass(frozen=True, slots=True)
class TableConfig:
    """One table. `name` is given in any case; `seats` None: sides 0, 1, …; `uid`: 16 small
    hexadecimal digits, the only board that belongs to the name, None for any; `profile`: the
    table model where no board says it; `motions` is said here or by the daemon's. `preset` is a
    name or the path of a file. `boxes`: what marked tiles and flowers sets a and b have, None
    where nobody said it."""

    url: str
    name: str
    preset: str
    seats: tuple[int, ...] | None = None
    uid: str | None = None
    motions: bool = False
    profile: str | None = None
    notes: tuple[Note, ...] = ()
    boxes: tuple[Box | None, Box | None] = (None, None)

    @property
    def address(self) -> Address:
        return read_address(self.url)


@dataclass(frozen=True, slots=True)
class DaemonConfig:
    """The daemon itself. `port` 0: any free one; `names`: further host names, small letters;
    `state` None: as the environment says; `motions`: for tables that say nothing else."""

    address: str = "127.0.0.1"
    port: int = PORT
    names: tuple[str, ...] = ()
    state: Path | None = None
    capture: bool = False
    motions: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """All of it. `where`: the file, None where there is none."""

    daemon: DaemonConfig = DaemonConfig()
    tables: tuple[TableConfig, ...] = ()
    where: str | None = None
