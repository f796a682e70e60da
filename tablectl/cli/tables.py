"""`tablectl tables`: what is connected, and everything of one table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablectl.cli.client import client
from tablectl.errors import DONE


def run(name: str | None, config: Path | None, state: Path | None, *, as_json: bool) -> int:
    """Print all tables, or more of one. Raises TablectlError `cli.*`, `app.table`."""
    daemon = client(config, state)
    found = daemon.get("/api/v1/tables") if name is None else daemon.table(name)
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
    elif name is not None:
        _show(found, daemon.state)
    elif not found["tables"]:
        lines = daemon.get("/healthz").get("lines", [])
        waits = "".join(f"\n{line['url']}: {line['stage']}" for line in lines)
        print(f"No table has answered yet.{waits}")
    else:
        _list(found["tables"])
    return DONE


def _list(tables: list[Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from tablectl.cli.console import PeopleConsole
    from tablectl.cli.shown import link_words

    shown = Table(box=None, pad_edge=False)
    for title in ("table", "link", "sets", "game", "hand", "left", "questions"):
        right = title in ("left", "questions")
        shown.add_column(title, justify="right" if right else "left", overflow="fold")
    for view in tables:
        state = view["state"]
        board, game, hand = state["machine"]["board"], state["game"], state["hand"]
        names = [view["name"], view["table"], board["model"] if board else ""]
        about = Text("\n".join(dict.fromkeys(word for word in names if word)))
        about.stylize("bold", 0, len(view["name"]))
        plan = hand["plan"] if hand else None
        shown.add_row(
            about,
            link_words(view),
            "\n".join(_set(*one) for one in state["machine"]["sets"].items()),
            "" if game is None else game["preset"],
            "" if hand is None else hand["words"],
            "" if plan is None else str(plan["drawable"]),
            str(len(state["questions"]) or ""),
        )
    PeopleConsole().print(shown)


def _set(name: str, one: Mapping[str, Any]) -> str:
    """`a up 5→7`."""
    active, pending = one["active"], one["pending"]
    number = "" if active is None else str(active)
    if pending is not None and pending != active:
        number = f"{number or '?'}→{pending}"
    return f"{name} {one['phase']} {number}".rstrip()


def _show(view: Mapping[str, Any], state: Path) -> None:
    from tablectl.cli.console import PeopleConsole
    from tablectl.cli.rules import Rules
    from tablectl.cli.shown import Told, facts, lines_of

    console = PeopleConsole()
    board = view["state"]["machine"]["board"] or {}
    told = facts(view, Rules(state).of(view))
    if board.get("abilities"):
        told.append(Told("can", ", ".join(board["abilities"])))
    told += [Told("number", _number(one)) for one in view.get("numbers", ())]
    for note in view.get("notes", ()):
        verified = ", verified" if note["verified"] else ""
        told.append(Told("note", f"{note['preset']} is number {note['number']}{verified}"))
    console.print(lines_of(told, console.width))


def _number(one: Mapping[str, Any]) -> str:
    from tablectl.core.profile import GameNumber

    sides = one["sides"]
    number = GameNumber(
        number=one["number"],
        tiles=one["tiles"],
        sides=None if sides is None else (sides[0], sides[1], sides[2], sides[3]),
        players=frozenset(one["players"]),
        dealt=one["dealt"],
        name=one["name"],
    )
    return number.shown + (", verified" if one["verified"] else "")
