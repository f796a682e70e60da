"""`tablectl doctor`: what keeps the daemon from its tables, and one remedy for each fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tablectl.cli.checks import Finding, findings
from tablectl.errors import DONE, NO


def run(config: Path | None, *, as_json: bool) -> int:
    """Print what was found; 1 if anything is wrong."""
    found = findings(config)
    faults = [finding for finding in found if not finding.ok]
    if as_json:
        told = {"ok": not faults, "checks": [_about(finding) for finding in found]}
        print(json.dumps(told, ensure_ascii=False))
    else:
        _show(found, len(faults))
    return NO if faults else DONE


def _about(finding: Finding) -> dict[str, Any]:
    told: dict[str, Any] = {"about": finding.about, "ok": finding.ok, "found": finding.found}
    for name in ("remedy", "code", "where"):
        if (value := getattr(finding, name)) is not None:
            told[name] = value
    return told


def _show(found: list[Finding], faults: int) -> None:
    from rich.table import Table
    from rich.text import Text

    from tablectl.cli.console import PeopleConsole

    console = PeopleConsole()
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in found:
        said = Text(f"{finding.where}: " if finding.where else "").append(finding.found)
        mark = Text("ok", style="green")
        if finding.remedy is not None:
            mark = Text("fault", style="bold red")
            said.append("\n→ ", style="bold").append(finding.remedy, style="bold")
        table.add_row(mark, Text(finding.about), said)
    console.print(table)
    console.print(
        "Nothing is wrong."
        if not faults
        else f"{faults} fault{'' if faults == 1 else 's'}, above.",
        style=None if faults else "green",
    )
