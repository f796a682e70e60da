"""`tablectl watch`: a table in the terminal as it is worked.

In a terminal the table is drawn anew with each message; in a pipe each fact is one line with what
it changed. A connection that is lost is made again, from the last fact that was shown.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Protocol

from tablectl.cli.client import Client, Refused, client
from tablectl.cli.rules import Rules
from tablectl.cli.shown import Told, changed, facts, shown
from tablectl.errors import NO, TablectlError, declare

NO_TABLES: Final = declare(
    "cli.no_tables",
    "no table has answered yet",
    "`tablectl tables` says how the lines stand.",
    status=NO,
)
WHICH: Final = declare(
    "cli.which_table",
    "there are several tables",
    "Name one of them: {tables}.",
)
_AGAIN: Final = 0.5
"""Seconds until a lost connection is tried again."""
_CLOSE_WITHIN: Final = 1
_FOR_THE_EYE: Final = ("stacked",)
"""What moves too often to be a line."""

Message = dict[str, Any]


class Screen(Protocol):
    """Where a table is shown. `each`: every message, or only the newest of those that wait."""

    each: bool

    def message(self, message: Message, view: Message) -> None:
        """One message, and the table after it."""

    def away(self, error: TablectlError) -> None:
        """The daemon cannot be reached now; said once."""


def run(table: str | None, config: Path | None, state: Path | None, *, as_json: bool) -> int:
    """Follow until Ctrl-C. Raises TablectlError `cli.no_daemon`, `cli.no_tables`,
    `cli.which_table`, `app.table` before the first message."""
    daemon = client(config, state)
    view = daemon.table(table) if table is not None else _only(daemon)
    screen = screen_of(daemon.state, as_json=as_json)
    for message in messages(daemon, view, screen):
        take(view, message)
        screen.message(message, view)
    raise AssertionError("messages never end")


def messages(daemon: Client, view: Message, screen: Screen) -> Iterator[Message]:
    """The stream of one table for ever: its snapshot, then everything as it comes. `view["seq"]`
    is where it goes on after a lost connection."""
    since: int | None = None
    state, begun, here = daemon.state, False, True
    while True:
        try:
            if not here:
                daemon = client(state=state)
            for message in _stream(daemon, view["table"], since):
                if "error" in message:
                    raise Refused(message["error"], 404)
                if "again" in message:
                    since = None
                    break
                begun = here = True
                yield message
                since = view["seq"]
        except TablectlError as error:
            if not begun:
                raise
            if here:
                screen.away(error)
            here = False
        time.sleep(_AGAIN)


def take(view: Message, message: Message) -> None:
    """Put one message into the view."""
    if "state" in message:
        view["state"], view["seq"] = message["state"], message["seq"]
    elif "changes" in message:
        view["state"], view["seq"] = merged(view["state"], message["changes"]), message["seq"]
    elif "live" in message:
        view["live"] = message["live"]


def merged(target: Any, patch: Any) -> Any:
    """A JSON Merge Patch applied (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    found = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = merged(found.get(name), value)
    return found


# ── the stream ──────────────────────────────────────────────────────────────────────────────────


def _stream(daemon: Client, table: str, since: int | None) -> Iterator[Message]:
    """One connection's messages. Raises TablectlError `cli.daemon_silent` when it is lost."""
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import connect

    try:
        # The daemon is on this machine or in this house: no proxy leads to it.
        with connect(
            daemon.stream, proxy=None, max_size=None, close_timeout=_CLOSE_WITHIN
        ) as connection:
            connection.send(json.dumps({"table": table, "since": since}))
            while True:
                yield json.loads(connection.recv())
    except (OSError, WebSocketException) as error:
        raise daemon.silent(error) from None


def _only(daemon: Client) -> Any:
    tables = daemon.get("/api/v1/tables")["tables"]
    if not tables:
        raise TablectlError(NO_TABLES)
    if len(tables) > 1:
        raise TablectlError(WHICH, tables=", ".join(one["name"] for one in tables))
    return tables[0]


# ── screens ─────────────────────────────────────────────────────────────────────────────────────


def screen_of(state: Path, *, as_json: bool) -> Screen:
    """Where people see a table: drawn in its place in a terminal, lines in a pipe, or JSON."""
    if as_json:
        return _Json()
    from tablectl.cli.console import PeopleConsole

    console = PeopleConsole()
    if console.is_terminal and not console.is_dumb_terminal:
        return _Terminal(console, Rules(state))
    return _Lines(Rules(state))


class _Json:
    """Messages as they come, a line each."""

    each = True

    def message(self, message: Message, view: Message) -> None:
        print(json.dumps(message, ensure_ascii=False), flush=True)

    def away(self, error: TablectlError) -> None:
        print(json.dumps({"error": error.as_json()}, ensure_ascii=False), file=sys.stderr)


class _Lines:
    """At first all that is known, then a line for each message that changes anything of it."""

    each = True

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._before: list[Told] = []

    def message(self, message: Message, view: Message) -> None:
        told = facts(view, self._rules.of(view))
        news = [one for one in changed(self._before, told) if one.label not in _FOR_THE_EYE]
        said = [f"{one.label}: {one.text}" if one.label else one.text for one in news]
        when = f"fact {view['seq']}" if "seq" in message else "now"
        if not self._before:
            print("\n  ".join([when, *said]), flush=True)
        elif said:
            print(f"{when}  {' · '.join(said)}", flush=True)
        self._before = told

    def away(self, error: TablectlError) -> None:
        print(f"now  daemon lost: {error.message}", flush=True)


class _Terminal:
    """The table, drawn anew in its place."""

    each = False

    def __init__(self, console: Any, rules: Rules) -> None:
        self._console = console
        self._rules = rules
        self._view: Message | None = None
        self._clear = "\x1b[2J"

    def message(self, message: Message, view: Message) -> None:
        self._view = view
        self._draw(f"fact {view['seq']} · Ctrl-C ends", "dim")

    def away(self, error: TablectlError) -> None:
        self._draw(f"The daemon is lost: {error.message}. It is tried again.", "bold red")

    def _draw(self, last: str, style: str) -> None:
        from rich.text import Text

        console = self._console
        with console.capture() as frame:
            if self._view is not None:
                for part in shown(self._view, self._rules.of(self._view), console.width):
                    console.print(part)
            console.print(Text(last, style))
        # In place and in one piece: a cleared screen would flicker.
        lines = frame.get().splitlines()
        console.file.write(self._clear + "\x1b[H" + "\x1b[K\n".join(lines) + "\x1b[K\n\x1b[J")
        console.file.flush()
        self._clear = ""
