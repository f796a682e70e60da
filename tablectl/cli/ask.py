"""`tablectl select`, `note` and `pair`: what is asked of the daemon, and what it answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from tablectl.cli.client import client
from tablectl.core.preset_file import find_preset
from tablectl.errors import DONE, TablectlError, declare

NOTE: Final = declare(
    "cli.note",
    "'{text}' is no note",
    "Write the rule and its number at this table, as in `tablectl note {table} RULE=5`; `RULE=`"
    " alone takes the note back.",
)
FIRST_DICE: Final = declare(
    "cli.first_dice",
    "'{text}' are no pips",
    "Write what one to four dice show, 1 to 6 each, as in `3,4`.",
)
_NOTE: Final = re.compile(r"(.+)=([0-9]{0,9})", re.ASCII)
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}(\+[a-z0-9][a-z0-9-]{0,63})*")


def select(
    table: str,
    preset: str,
    number: int | None,
    config: Path | None,
    state: Path | None,
    *,
    as_json: bool,
    first_dealer: int | None = None,
    first_dice: str | None = None,
    temporary: int | None = None,
) -> int:
    """Have a table build a rule's walls. `first_dice`: the pips that say who deals first, as in
    `3,4`. Raises TablectlError `number.*` with what the table offers, `link.*`, `app.*`,
    `game.first_*`, `cli.first_dice`."""
    body: dict[str, Any] = {"what": "select", "preset": _name(preset)}
    told = {
        "number": number,
        "first_dealer": first_dealer,
        "first_dice": None if first_dice is None else _pips(first_dice),
        "temporary": temporary,
    }
    body |= {name: value for name, value in told.items() if value is not None}
    return _say(client(config, state).command(table, body), as_json=as_json)


def note(
    table: str,
    text: str,
    verified: bool,
    config: Path | None,
    state: Path | None,
    *,
    as_json: bool,
) -> int:
    """Keep what the owner knows of a table, or take it back. Raises TablectlError `cli.note`."""
    found = _NOTE.fullmatch(text)
    if found is None:
        raise TablectlError(NOTE, text=text, table=table)
    body = {
        "what": "note",
        "preset": _name(found[1]),
        "number": int(found[2]) if found[2] else None,
        "verified": verified,
    }
    return _say(client(config, state).command(table, body), as_json=as_json)


def pair(config: Path | None, state: Path | None, *, as_json: bool) -> int:
    """Print a code for one browser."""
    daemon = client(config, state)
    found = daemon.post("/api/v1/pairing", {})
    if as_json:
        print(json.dumps(found))
    else:
        print(
            f"{found['code']}\nGood for {found['seconds']} s and for one browser at {daemon.url}."
        )
    return DONE


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _name(preset: str) -> str:
    """The name of a rule; of a file its rule's. Raises TablectlError `preset.*`."""
    return preset if _NAME.fullmatch(preset) else find_preset(preset).name


def _pips(text: str) -> list[int]:
    """Raises TablectlError `cli.first_dice`."""
    if not re.fullmatch(r"[1-6](,[1-6]){0,3}", text, re.ASCII):
        raise TablectlError(FIRST_DICE, text=text)
    return [int(pips) for pips in text.split(",")]


def _say(answer: dict[str, Any], *, as_json: bool) -> int:
    if as_json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        print("\n".join(answer["say"]))
    return DONE
