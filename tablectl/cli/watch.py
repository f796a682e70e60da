"""`tablectl watch`: a table in the terminal as it is worked.

In a terminal the table is drawn anew in its place; in a pipe each fact is one line with what it
changed. A connection that is lost is made again, from the last fact that was shown.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from tablectl.cli.ending import until_ended
from tablectl.errors import DONE, NO, TablectlError, declare

if TYPE_CHECKING:
    from websockets.sync.connection import Connection

    from tablectl.cli.client import Client
    from tablectl.cli.rules import Rules
    from tablectl.cli.shown import Told

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
_LOOK: Final = 0.2
"""Seconds until a signal is looked for at the latest."""
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

    def leave(self) -> None:
        """Give the terminal back as it was; nothing is drawn after it. May be called twice."""

    def end(self) -> None:
        """Leave, and say at last how the table was left."""

    def resizing(self) -> AbstractContextManager[None]:
        """Follow the terminal's size, in the main thread."""


def run(table: str | None, config: Path | None, state: Path | None, *, as_json: bool) -> int:
    """Follow until Ctrl-C. Raises TablectlError `cli.no_daemon`, `cli.no_tables`,
    `cli.which_table`, `app.table` before the first message."""
    with until_ended():
        # Here, so that Ctrl-C ends this too as it should.
        from tablectl.cli.client import client

        daemon = client(config, state)
        view = daemon.table(table) if table is not None else _only(daemon)
        screen = screen_of(daemon.state, as_json=as_json)
        try:
            with screen.resizing():
                for message, waiting in messages(daemon, view, screen):
                    take(view, message)
                    if screen.each or not waiting:
                        screen.message(message, view)
        finally:
            screen.end()
    return DONE


def messages(daemon: Client, view: Message, screen: Screen) -> Iterator[tuple[Message, bool]]:
    """The stream of one table for ever: its snapshot, then everything as it comes, each with
    whether another one waits already. `view["seq"]` is where it goes on after a lost connection."""
    from tablectl.cli.client import Refused, client

    since: int | None = None
    state, begun, here = daemon.state, False, True
    while True:
        try:
            if not here:
                daemon = client(state=state)
            for message, waiting in _stream(daemon, view["table"], since):
                if "error" in message:
                    raise Refused(message["error"], 404)
                if "again" in message:
                    since = None
                    break
                begun = here = True
                yield message, waiting
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


def _stream(daemon: Client, table: str, since: int | None) -> Iterator[tuple[Message, bool]]:
    """One connection's messages, as `messages`. Raises TablectlError `cli.daemon_silent` when it is
    lost."""
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import connect

    try:
        # The daemon is on this machine or in this house: no proxy leads to it.
        with connect(
            daemon.stream, proxy=None, max_size=None, close_timeout=_CLOSE_WITHIN
        ) as connection:
            connection.send(json.dumps({"table": table, "since": since}))
            yield from arriving(connection)
    except (OSError, WebSocketException) as error:
        raise daemon.silent(error) from None


def arriving(connection: Connection) -> Iterator[tuple[Message, bool]]:
    """What comes over a connection, each with whether another one waits already. Raises
    ConnectionClosed at the end."""
    from websockets.exceptions import ConnectionClosed

    text: str | bytes | None = None
    while True:
        if text is None:
            # Not for ever: after one signal a further one is not always noticed in there.
            try:
                text = connection.recv(timeout=_LOOK)
            except TimeoutError:
                continue
        try:
            after = connection.recv(timeout=0)
        except (TimeoutError, ConnectionClosed):
            # That it is closed is said again above, after the last message.
            after = None
        yield json.loads(text), after is not None
        text = after


def _only(daemon: Client) -> Any:
    tables = daemon.get("/api/v1/tables")["tables"]
    if not tables:
        raise TablectlError(NO_TABLES)
    if len(tables) > 1:
        raise TablectlError(WHICH, tables=", ".join(one["name"] for one in tables))
    return tables[0]


# ── screens ─────────────────────────────────────────────────────────────────────────────────────


def screen_of(state: Path, *, as_json: bool, about: Sequence[Told] = ()) -> Screen:
    """Where people see a table: drawn in its place in a terminal, lines in a pipe, or JSON.
    `about`: what a terminal shows before it, as `Terminal`."""
    if as_json:
        return _Json()
    from tablectl.cli.console import PeopleConsole
    from tablectl.cli.rules import Rules

    console = PeopleConsole()
    if console.is_terminal and not console.is_dumb_terminal:
        from tablectl.cli.terminal import Terminal

        return Terminal(console, Rules(state), about)
    return _Lines(Rules(state))


class _Page:
    """What is written stays: there is nothing to leave."""

    each = True

    def leave(self) -> None:
        pass

    def end(self) -> None:
        pass

    def resizing(self) -> AbstractContextManager[None]:
        return nullcontext()


class _Json(_Page):
    """Messages as they come, a line each."""

    def message(self, message: Message, view: Message) -> None:
        print(json.dumps(message, ensure_ascii=False), flush=True)

    def away(self, error: TablectlError) -> None:
        print(json.dumps({"error": error.as_json()}, ensure_ascii=False), file=sys.stderr)


class _Lines(_Page):
    """At first all that is known, then a line for each message that changes anything of it."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._before: list[Told] = []

    def message(self, message: Message, view: Message) -> None:
        from tablectl.cli.shown import changed, facts

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
