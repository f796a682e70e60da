"""`tablectl ports`: the serial ports of this machine. It opens none."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tablectl.app.config_file import config_path, config_text, survey
from tablectl.errors import DONE
from tablectl.link.ports import PortSeen, list_ports


def run(config: Path | None, *, as_json: bool) -> int:
    """Print every port. Of a configuration with mistakes what is right counts. Raises
    TablectlError `config.file` for one that was named and cannot be read."""
    found = list_ports(_named(config))
    if as_json:
        print(json.dumps({"ports": [about(port) for port in found]}, ensure_ascii=False))
        return DONE
    from rich.table import Table
    from rich.text import Text

    from tablectl.cli.console import PeopleConsole

    console = PeopleConsole()
    if not found:
        console.print("There is no serial port. Plug a board in, and look again.")
        return DONE
    table = Table(box=None, pad_edge=False)
    for title in ("port", "adapter", "table", "state"):
        table.add_column(title, overflow="fold")
    for port in found:
        words = [word for word in (port.adapter, port.description) if word]
        names = Text("\n".join((port.path, *port.by_id, *port.by_path)))
        names.stylize("bold", 0, len(port.path))
        table.add_row(names, Text("\n".join(words)), Text(_whose(port)), Text(_state(port)))
    console.print(table)
    return DONE


def about(port: PortSeen) -> dict[str, Any]:
    """A port for programs."""
    return {
        "path": port.path,
        "name": port.name,
        "by_id": list(port.by_id),
        "by_path": list(port.by_path),
        "description": port.description,
        "adapter": port.adapter,
        "group": port.group,
        "may_open": port.may_open,
        "holder": {"pid": port.holder.pid, "name": port.holder.name} if port.holder else None,
        "table": port.table,
        "driver": port.driver,
    }


def _named(config: Path | None) -> dict[str, str]:
    path = config or config_path()
    if config is None and not os.path.exists(path):
        return {}
    found = survey(config_text(path), str(path)).config
    return {
        table.address.rest: table.name for table in found.tables if table.address.kind == "serial"
    }


def _whose(port: PortSeen) -> str:
    if port.table is not None:
        return port.table
    return f"driver {port.driver}" if port.driver else ""


def _state(port: PortSeen) -> str:
    if port.holder is not None:
        return f"in use by {port.holder}"
    return "free" if port.may_open else f"for the group {port.group} only"
