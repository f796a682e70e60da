"""`tablectl tables`: what is connected, how every line stands, and everything of one table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tablectl.app.service import NO_ANSWER
from tablectl.cli.client import Client, Refused, client
from tablectl.errors import DONE

if TYPE_CHECKING:
    from rich.console import Console

    from tablectl.cli.shown import Told

DIGITS: Final = 6
"""Of an id, as many are shown in the list, or more where two begin alike; `select` takes them."""
_WELL: Final = ("ready", "manual")
_TITLES: Final = ("table", "link", "sets", "game", "left", "asks")

Row = tuple[str, ...]


def run(name: str | None, config: Path | None, state: Path | None, *, as_json: bool) -> int:
    """Print all tables and lines, or more of one. Raises TablectlError `cli.*`, `app.table`."""
    daemon = client(config, state)
    found = daemon.get("/api/v1/tables") if name is None else _one(daemon, name)
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
    elif name is None:
        _list(found["tables"], found["lines"])
    elif "state" not in found:
        _print(_standing(found))
    else:
        _show(found, daemon.state)
    return DONE


def _one(daemon: Client, name: str) -> Any:
    """A table with its `line`; the line alone where no table has answered on it."""
    try:
        found = daemon.table(name)
    except Refused as error:
        if error.code != NO_ANSWER:
            raise
        lines = daemon.get("/api/v1/tables")["lines"]
        return next(one for one in lines if name in (one["name"], one["url"]))
    lines = daemon.get("/api/v1/tables")["lines"]
    line = next((one for one in lines if one["table"] == found["table"]), None)
    return found | {"line": line}


# ── the list ────────────────────────────────────────────────────────────────────────────────────


def _list(tables: Sequence[Any], lines: Sequence[Any]) -> None:
    from rich.text import Text

    from tablectl.cli.console import PeopleConsole

    if not tables and not lines:
        print("No table is configured, and none has answered.")
        return
    rows: dict[str | None, Row] = {
        view["table"]: row for view, row in zip(tables, _rows(tables), strict=True)
    }
    # A line on which no table has answered has its place among the others.
    empty = ("",) * (len(_TITLES) - 2)
    shown = [rows.pop(one["table"], (one["name"], one["stage"], *empty)) for one in lines]
    console = PeopleConsole()
    _print_columns(console, [*shown, *rows.values()])
    told = [part for line in lines if line["stage"] not in _WELL for part in _wrong(line)]
    said = {(one["table"], (one["complaint"] or {}).get("code")) for one in lines}
    for view in tables:
        complaint = view["live"]["complaint"]
        if complaint is not None and (view["table"], complaint["code"]) not in said:
            told += [f"{view['name']}: {complaint['message']}", f"→ {complaint['hint']}"]
    for part in told:
        console.print(Text(part))


def _rows(tables: Sequence[Any]) -> list[Row]:
    from tablectl.cli.shown import link_words, plan_in
    from tablectl.core.state import full_name

    short = _short_ids([view["table"] for view in tables if not view["live"]["manual"]])
    rows: list[Row] = []
    for view in tables:
        state = view["state"]
        board, game, hand = state["machine"]["board"], state["game"], state["hand"]
        plan = plan_in(view)
        wanted = state.get("wanted")
        next_one = wanted and full_name(wanted["preset"], wanted.get("variant"))
        id = short.get(view["table"], "")
        name = id if view["name"] == view["table"] and id else view["name"]
        about = (name, "" if id == name else id, board["model"] if board else "")
        rows.append(
            (
                "\n".join(word for word in about if word),
                link_words(view).partition(":")[0],
                "\n".join(_set(*one) for one in state["machine"]["sets"].items()),
                "\n".join(
                    ([] if game is None else [full_name(game["preset"], game.get("variant"))])
                    + ([] if next_one is None else [f"then {next_one}"])
                    + ([] if hand is None else [hand["words"]])
                ),
                "" if plan is None else str(plan.drawable),
                str(len(state["questions"]) or ""),
            )
        )
    return rows


def _short_ids(ids: Sequence[str]) -> dict[str, str]:
    """Ids by the digits that tell one from all others."""
    digits = DIGITS
    while len({id[:digits] for id in ids}) < len(set(ids)):
        digits += 1
    return {id: id[:digits] for id in ids}


def _print_columns(console: Console, rows: Sequence[Row]) -> None:
    """Columns where they fit, so that no word is broken; else a paragraph for each table."""
    from rich.table import Table
    from rich.text import Text

    from tablectl.cli.shown import Told, lines_of

    columns = list(zip(_TITLES, *rows, strict=True))
    if sum(map(_widest, columns)) + 2 * (len(columns) - 1) > console.width:
        for row in rows:
            console.print(Text(row[0].replace("\n", "  "), "bold"))
            named = zip(_TITLES[1:], row[1:], strict=True)
            told = [Told(label, text.replace("\n", ", ")) for label, text in named if text]
            console.print(lines_of(told, console.width), end="\n\n")
        return
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in _TITLES:
        shown.add_column(title, justify="right" if title in ("left", "asks") else "left")
    for row in rows:
        about = Text(row[0])
        about.stylize("bold", 0, len(row[0].partition("\n")[0]))
        shown.add_row(about, *map(Text, row[1:]))
    console.print(shown)


def _widest(column: Iterable[str]) -> int:
    from rich.cells import cell_len

    return max(cell_len(line) for cell in column for line in cell.split("\n"))


def _set(name: str, one: Mapping[str, Any]) -> str:
    """`a up 5→7`."""
    active, pending = one["active"], one["pending"]
    number = "" if active is None else str(active)
    if pending is not None and pending != active:
        number = f"{number or '?'}→{pending}"
    return f"{name} {one['phase']} {number}".rstrip()


def _wrong(line: Mapping[str, Any]) -> list[str]:
    """What is wrong with a line, and what to do."""
    complaint = line["complaint"]
    if line["why"] is None:
        return []
    told = [f"{line['name']} ({line['url']}): {line['why']}"]
    return told if complaint is None else [*told, f"→ {complaint['hint']}"]


# ── one table ───────────────────────────────────────────────────────────────────────────────────


def _show(view: Mapping[str, Any], state: Path) -> None:
    from tablectl.cli.rules import Rules
    from tablectl.cli.shown import Told, facts

    board = view["state"]["machine"]["board"] or {}
    told = facts(view, Rules(state).of(view))
    line = view["line"]
    if line is not None and line["stage"] not in _WELL:
        known = {(view["live"]["complaint"] or {}).get("code")}
        told += [one for one in _standing(line) if one.label == "line"]
        if line["complaint"] is not None and line["complaint"]["code"] not in known:
            told += [one for one in _standing(line) if one.label == "complaint"]
    if board.get("abilities"):
        told.append(Told("can", ", ".join(board["abilities"])))
    told += [Told("number", _number(one)) for one in view.get("numbers", ())]
    for note in view.get("notes", ()):
        verified = "verified" if note["verified"] else "not verified"
        told.append(Told("note", f"{note['preset']} is number {note['number']}, {verified}"))
    _print(told)


def _standing(line: Mapping[str, Any]) -> list[Told]:
    """How a line stands, in words."""
    from tablectl.cli.shown import Told

    told = [Told("line", f"{line['name']} ({line['url']}): {line['stage']}")]
    if complaint := line["complaint"]:
        return [*told, Told("complaint", f"{complaint['message']}. {complaint['hint']}")]
    return [*told, Told("", line["why"])] if line["why"] else told


def _print(told: Sequence[Told]) -> None:
    from tablectl.cli.console import PeopleConsole
    from tablectl.cli.shown import lines_of

    console = PeopleConsole()
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
