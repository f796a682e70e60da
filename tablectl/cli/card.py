"""`tablectl card`: a page for the wall, printed without daemon and table."""

from __future__ import annotations

import json
from pathlib import Path

from tablectl.cli.plan import numbers
from tablectl.core.geometry import Inputs, seats_of, sides_of
from tablectl.core.preset_file import find_preset
from tablectl.core.wall import parse_sides
from tablectl.errors import TablectlError, declare

declare("cli.write", "the page cannot be written: {why}", "Name a file that can be written.")


def run(
    name: str, sides: str | None, seats: str | None, out: Path | None, *, as_json: bool
) -> None:
    """Print the page or write it to a file. Raises TablectlError as `plan` does, `cli.write`."""
    from tablectl.cli.card_page import card

    rules = find_preset(name)
    inputs = Inputs(
        sides=None if sides is None else parse_sides(sides),
        seats=None if seats is None else numbers("--seats", seats, "0,1,2"),
    )
    page = card(rules, sides_of(rules, inputs), seats_of(rules, inputs))
    if out is not None:
        try:
            out.write_text(page, encoding="utf-8")
        except OSError as error:
            raise TablectlError("cli.write", where=str(out), why=error.strerror) from None
        print(json.dumps({"written": str(out)}) if as_json else f"written to {out}")
    elif as_json:
        print(json.dumps({"html": page}, ensure_ascii=False))
    else:
        print(page)
