"""The daemon that is killed: a program of its own, with doors to die at that no product code has.

    {"state": …, "url": …, "preset": …, "die": null | {"at": …, "fact": …}, "utc": null | ms}

is the first line of its input and begins it, when its clock shows `utc`. Then orders come, one JSON
object a line with a number `n`; each is answered on standard output once what it says is durable.
The end of the input is an orderly stop.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tablectl.app.config import Config, DaemonConfig, TableConfig
from tablectl.app.daemon import Daemon
from tablectl.app.opening import open_daemon
from tablectl.app.service import Tap, Wish
from tablectl.app.table import Table
from tablectl.core.facts import Answered, AnyFact, tag_of
from tablectl.errors import TablectlError
from tablectl.journal import store
from tablectl.journal.store import Draft, Journal, Kept
from tablectl.link.supervisor import Keeper


def die() -> None:
    """As the kernel ends a process: nothing is closed, nothing is said."""
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)


# ── doors ───────────────────────────────────────────────────────────────────────────────────────


def arm(at: str, word: str) -> None:
    """Die at that door: `before`, `within` or `after` the commit of a fact of that word (a type, or
    `answered:` and a result), once it is `acknowledged` to the board, just before or after any
    command is `given` or `sent` to the line, or when the file is `opened` and SQLite begins a
    statement with these letters."""
    if at == "opened":
        _at_statement(word)
    elif at in ("given", "sent"):
        _at_command(before=at == "given")
    else:
        _at_commit(at, word)


def _is(draft: Draft, word: str) -> bool:
    fact = draft.fact
    said = tag_of(fact)
    return word in (said, f"{said}:{fact.result}" if isinstance(fact, Answered) else said)


def _at_commit(at: str, word: str) -> None:
    commit, committed = Journal.commit, Keeper.committed
    edges: list[tuple[int, int]] = []

    def dying(self: Journal, drafts: Sequence[Draft]) -> list[Kept]:
        meant = [draft for draft in drafts if _is(draft, word)]
        if meant and at == "before":
            die()
        if meant and at == "within":
            self._db.set_trace_callback(lambda said: die() if said == "COMMIT" else None)
        kept = commit(self, drafts)
        if meant and at == "after":
            die()
        edges.extend(draft.edge for draft in meant if draft.edge is not None)
        return kept

    def telling(self: Keeper, boot: int, upto: int) -> None:
        committed(self, boot, upto)
        if at == "acknowledged" and any(edge <= (boot, upto) for edge in edges):
            die()

    Journal.commit = dying  # type: ignore[method-assign]
    Keeper.committed = telling  # type: ignore[method-assign]


def _at_command(*, before: bool) -> None:
    command = Keeper.command

    def dying(self: Keeper, make: Callable[..., Any], pair: tuple[int, int]) -> tuple[int, int]:
        if before:
            die()
        named = command(self, make, pair)
        die()
        return named

    Keeper.command = dying  # type: ignore[method-assign]


def _at_statement(word: str) -> None:
    connect = store.connect

    def watched(path: Path, writer: bool) -> Any:
        db = connect(path, writer)
        db.set_trace_callback(lambda said: die() if said.strip().startswith(word) else None)
        return db

    store.connect = watched


# ── orders ──────────────────────────────────────────────────────────────────────────────────────


async def obey(daemon: Daemon, order: dict[str, Any]) -> dict[str, Any]:
    """What an order comes to."""
    if order["do"] == "arm":
        arm(order["at"], order["fact"])
        return {}
    if not daemon.tables:
        return {"error": "app.table"}
    [table] = daemon.tables.values()
    try:
        return await ORDERS[order["do"]](table, order)
    except TablectlError as error:
        return {"error": error.code, "message": error.message}


async def _tap(table: Table, order: dict[str, Any]) -> dict[str, Any]:
    fact = msgspec.convert(order["fact"], AnyFact)
    seen = min(order["seen"], table.seq)
    tapped = await table.tap(Tap(order["key"], fact, seen, order.get("after")))
    return {"seq": tapped.seq, "kind": tapped.verdict.kind, "text": tapped.verdict.text}


async def _wish(table: Table, order: dict[str, Any]) -> dict[str, Any]:
    return await table.command(Wish(**order["wish"]))


async def _look(table: Table, order: dict[str, Any]) -> dict[str, Any]:
    stage = table.line_state.stage if table.line_state is not None else None
    return {"stage": stage, "seq": table.seq, "state": table.view()["state"]}


ORDERS = {"tap": _tap, "wish": _wish, "look": _look}


# ── the program ─────────────────────────────────────────────────────────────────────────────────


def say(**values: Any) -> None:
    """A line for whoever killed us or will."""
    sys.stdout.buffer.write(msgspec.json.encode(values) + b"\n")
    sys.stdout.buffer.flush()


async def serve(asked: dict[str, Any]) -> None:
    """The daemon, until the input ends."""
    table = TableConfig(url=asked["url"], name="table", preset=asked["preset"], motions=True)
    began, utc = time.monotonic_ns(), asked["utc"] or time.time_ns() // 1_000_000
    daemon = await open_daemon(
        Config(DaemonConfig(), (table,)),
        Path(asked["state"]),
        lambda: utc + (time.monotonic_ns() - began) // 1_000_000,
        lambda event, **values: say(event=event, **values),
    )
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    daemon.failed.add_done_callback(lambda failed: say(failed=repr(failed.exception())))
    tasks: set[asyncio.Task[None]] = set()

    async def answer(order: dict[str, Any]) -> None:
        say(n=order["n"], **await obey(daemon, order))

    while line := await reader.readline():
        task = loop.create_task(answer(msgspec.json.decode(line)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await daemon.stop()


def main() -> None:
    """The program; without a first line nothing is wanted of it."""
    said = sys.stdin.buffer.raw.readline()  # type: ignore[union-attr]
    if not said:
        return
    asked = msgspec.json.decode(said)
    if asked["die"] is not None:
        arm(asked["die"]["at"], asked["die"]["fact"])
    asyncio.run(serve(asked))


if __name__ == "__main__":
    main()
