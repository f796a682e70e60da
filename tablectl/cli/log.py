"""The daemon's own lines on standard error: key=value for people, JSON for programs.

A thread writes them, so that a reader who stands still never holds up the tables.
"""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

import structlog

from tablectl.app.table import Log

MOST_WAITING: Final = 1000
"""Lines that wait for their reader; more of them are counted and dropped."""
_PATIENCE: Final = 0.5
"""Seconds that the last lines may take."""

_WARNINGS: Final = ("lost", "line", "token")
_ERRORS: Final = ("failed", "unwritable")
"""What is worth a warning, and what is an error; everything else is information."""


@contextmanager
def log_lines(stream: TextIO, *, as_json: bool) -> Iterator[Log]:
    """`log(event, **values)`: a line each. What libraries warn of comes in the same form."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%Y-%m-%dT%H:%M:%SZ", utc=True),
    ]
    form = structlog.stdlib.ProcessorFormatter(
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _as_json if as_json else _as_text,
        ],
        foreign_pre_chain=shared,
    )
    lines = _Lines(stream)
    lines.setFormatter(form)
    root, ours = logging.getLogger(), logging.getLogger("tablectl.daemon")
    before = ours.level
    root.addHandler(lines)
    ours.setLevel(logging.INFO)
    logger = structlog.stdlib.BoundLogger(
        ours, [*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter], {}
    )
    try:
        yield _Chronicle(logger)
    finally:
        ours.setLevel(before)
        root.removeHandler(lines)
        lines.close()


class _Chronicle:
    """The daemon's log: a table that comes after it was lost is back."""

    def __init__(self, logger: structlog.stdlib.BoundLogger) -> None:
        self._logger = logger
        self._lost: set[object] = set()

    def __call__(self, event: str, **values: object) -> None:
        table = values.get("table")
        if event == "lost":
            self._lost.add(table)
        elif event == "ready" and table in self._lost:
            self._lost.discard(table)
            event = "back"
        level = "warning" if event in _WARNINGS else "error" if event in _ERRORS else "info"
        said = {name: value for name, value in values.items() if value is not None}
        getattr(self._logger, level)(event, **said)


class _Lines(logging.Handler):
    """Records as lines of a stream, written by a thread."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._dropped = 0
        self._waiting: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        if self._dropped:
            line = f"{line}\n… {self._dropped} lines were not read in time"
        try:
            self._waiting.put_nowait(line)
        except queue.Full:
            self._dropped += 1
        else:
            self._dropped = 0

    def close(self) -> None:
        """Write what waits, unless nobody reads it."""
        super().close()
        try:
            self._waiting.put(None, timeout=_PATIENCE)
        except queue.Full:
            self._forget()
            self._waiting.put(None)
        self._thread.join(_PATIENCE)

    def _forget(self) -> None:
        while not self._waiting.empty():
            with contextlib.suppress(queue.Empty):
                self._waiting.get_nowait()

    def _write(self) -> None:
        while (line := self._waiting.get()) is not None:
            try:
                self._stream.write(line + "\n")
                self._stream.flush()
            except (OSError, ValueError):
                continue  # nobody reads any more


def _as_json(logger: object, method: str, said: structlog.typing.EventDict) -> str:
    return json.dumps(said, ensure_ascii=False, default=str)


def _as_text(logger: object, method: str, said: structlog.typing.EventDict) -> str:
    """`2026-11-30T10:57:28Z warning lost table=… why='…'`, a traceback under it."""
    traceback = said.pop("exception", None)
    first = f"{said.pop('timestamp')} {said.pop('level'):<7} {said.pop('event')}"
    pairs = " ".join(f"{name}={_value(value)}" for name, value in said.items())
    line = f"{first} {pairs}".rstrip()
    return line if traceback is None else f"{line}\n{traceback}"


def _value(value: object) -> str:
    text = str(value)
    return text if text and not set(text) & set(" =\"'\n") else repr(text)
