"""What others may ask of the daemon: the methods behind the HTTP interface and the command line.

`Desk` and `TableDesk` are implemented by `app.daemon` and `app.actor`; who serves them to people
needs nothing else of the daemon.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from tablectl.app.shown import ConfiguredLine
from tablectl.core.entry import Entry, Who
from tablectl.core.facts import AnyFact
from tablectl.core.preset import Preset
from tablectl.core.state import Question, Verdict
from tablectl.errors import NO, TablectlError, declare

NO_TABLE: Final = declare(
    "app.table",
    "there is no table '{table}'",
    "The tables are: {tables}.",
    status=NO,
)
NO_ANSWER: Final = declare(
    "app.no_answer",
    "no table has answered as '{table}' yet, at {url}: {why}",
    "{remedy}",
    status=NO,
)
STALE: Final = declare(
    "app.stale",
    "something that this is about has changed since fact {seen}: {what}",
    "Look at the table again and say it once more, if it is still so.",
    status=NO,
)
SEEN_AHEAD: Final = declare(
    "app.seen_ahead",
    "the table has {seq} facts; there is no fact {seen} yet",
    "Read the table's state again; its `seq` is the last fact.",
    status=NO,
)
FULL: Final = declare(
    "app.busy",
    "the table has more to do than it can keep waiting",
    "Say it again in a moment, with the same key.",
    status=NO,
)
STOPPING: Final = declare(
    "app.stopping",
    "the daemon is being stopped",
    "Start it again with `tablectl run`; what was answered is kept.",
    status=NO,
)


@dataclass(frozen=True, slots=True)
class Tap:
    """Something a person says. `key`: the same key is the same tap, for ever; `seen`: the last
    fact that the person's screen showed; `after`: the seq behind which a late fact belongs."""

    key: str
    fact: AnyFact
    seen: int
    after: int | None = None
    who: Who | None = None


@dataclass(frozen=True, slots=True)
class Tapped:
    """What became of it, durable: its number, its verdict, the questions that are open then."""

    seq: int
    verdict: Verdict
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """A command wanted of a table. `select`: `preset`, and `number` where several fit. `note`:
    the owner's word that `preset` is `number` here, None: it is taken back. `motion`: one of start,
    raise, lower, throw, pause, resume, where the configuration allows it. `game`: start a game of
    `preset`. `select` and `game`: the seat that deals first (`first_dealer`), or the `first_dice`
    of a `temporary` dealer, seat 0 if it is not said; nothing of it: seat 0 deals."""

    what: Literal["select", "note", "motion", "game"]
    preset: str | None = None
    number: int | None = None
    verified: bool = False
    motion: str | None = None
    seats: tuple[int, ...] | None = None
    first_dealer: int | None = None
    first_dice: tuple[int, ...] | None = None
    temporary: int | None = None


class Stream(Protocol):
    """What one subscriber gets of one table, in order; bounded.

    Messages are `{"table", "seq", "state"}` (a snapshot), `{"table", "seq", "changes"}` (a JSON
    Merge Patch from the state of the message before), `{"table", "live"}` (what is not durable:
    link, progress, taps on their way), and last `{"table", "again": why}` where the subscriber was
    too slow and has to take a new snapshot, or the daemon stops.
    """

    def __aiter__(self) -> AsyncIterator[dict[str, Any]]: ...

    def close(self) -> None:
        """Take nothing more; ends the iteration."""


class TableDesk(Protocol):
    """One table, as it is served."""

    @property
    def id(self) -> str:
        """What the table says of itself (a board's uid), or `manual-NAME`; never a port."""

    @property
    def name(self) -> str:
        """What people call it; its id where nobody has named it."""

    @property
    def seq(self) -> int:
        """The last fact's number, 0 for none."""

    def view(self) -> dict[str, Any]:
        """`{"table", "name", "seq", "state": View, "live": {…}}` as plain values."""

    async def facts(self, since: int, limit: int) -> Sequence[Entry]:
        """Entries behind `since`, at most `limit`. Raises `journal.damaged`."""

    async def tap(self, tap: Tap) -> Tapped:
        """Keep what a person says. Raises TablectlError `app.stale`, `app.seen_ahead`, `app.busy`,
        `app.stopping`, `journal.full`, `journal.unwritable`; then nothing is kept."""

    async def command(self, wish: Wish) -> dict[str, Any]:
        """Do it and say what came of it, for people (`say`: sentences) and programs. Raises
        TablectlError, `preset.unknown`, `app.number*`, `link.*` …; then nothing was sent."""

    def subscribe(self, since: int | None) -> Stream:
        """The table's stream; `since`: the last seq that the subscriber has, None for none."""


class Desk(Protocol):
    """The whole daemon, as it is served."""

    @property
    def tables(self) -> Mapping[str, TableDesk]:
        """By id, in the order in which they came."""

    def table(self, name: str) -> TableDesk:
        """By id, name, or the beginning of one id alone. Raises `app.table`, and `app.no_answer`
        for a configured line on which none has answered yet."""

    def standing(self) -> Sequence[ConfiguredLine]:
        """How every configured line stands, in the configuration's order."""

    def rules(self) -> Sequence[Preset]:
        """The rules that can be named: those of the program and those of the configuration."""

    def rule(self, name: str) -> Preset:
        """One of them by its name, with toppings behind it. Raises `preset.unknown`,
        `preset.topping_unknown`, `.topping_twice`, `.toppings_clash`."""

    def health(self) -> dict[str, Any]:
        """`{"ok": bool, "tables": {id: {"link", "stage", "queue", …}}, "journal": {…}, …}`; no
        secrets."""


def no_table(name: str, desk: Desk) -> TablectlError:
    """The error for a table that is not there, or that has not answered yet."""
    line = next((one for one in desk.standing() if name in (one.name, one.url)), None)
    if line is not None and line.table is None:
        remedy = "Wait some seconds, and say it again."
        return TablectlError(
            NO_ANSWER,
            table=name,
            url=line.url,
            why=line.why or f"the line is {line.stage}",
            remedy=remedy if line.complaint is None else line.complaint["hint"],
        )
    known = [
        id if id == table.name else f"{table.name} ({id})" for id, table in desk.tables.items()
    ]
    return TablectlError(NO_TABLE, table=name, tables=", ".join(known) or "none")
