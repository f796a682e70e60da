"""A table drawn anew in its place, on a terminal's second page, so that what was above stays.

Each frame has the size that the terminal has then. At the end the first page is shown again, and
the table as it was left is printed on it once.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions
from rich.text import Text

from tablectl.cli.frame import framed
from tablectl.cli.rules import Rules
from tablectl.cli.shown import Told, View, shown
from tablectl.errors import TablectlError

_ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[2J"
"""The second page, no cursor, nothing on it yet."""
_LEAVE: Final = "\x1b[?25h\x1b[?1049l"
_CLEAR_REST: Final = "\x1b[K"
"""Clears the rest of a row. In one that is full it would clear its last letter."""


class Terminal:
    """Where people see a table. `about`: facts that stand before those of the table; those named
    `chosen` only until a hand has walls."""

    each = False

    def __init__(self, console: Console, rules: Rules, about: Sequence[Told] = ()) -> None:
        self._console = console
        self._rules = rules
        self._about = tuple(about)
        self._view: View | None = None
        self._lost: tuple[Told, ...] = ()
        self._lock = threading.Lock()
        self._entered = self._left = self._resized = False
        self._rows: list[str] = []
        self._shape = console.size

    def message(self, message: View, view: View) -> None:
        """The table after a message."""
        self._view, self._lost = view, ()
        self._draw()

    def away(self, error: TablectlError) -> None:
        """The daemon cannot be reached now."""
        self._lost = (Told("daemon lost", f"{error.message}. It is tried again."),)
        self._draw()

    def leave(self) -> None:
        """Show the first page again; nothing is drawn after it. May be called twice."""
        with self._lock:
            entered, self._entered, self._left = self._entered, False, True
            if entered:
                self._write(_LEAVE)

    def end(self) -> None:
        """Leave, and print the table as it was left."""
        self.leave()
        view, self._view = self._view, None
        if view is not None:
            for one in shown(view, self._rules.of(view), self._console.width, self._about):
                self._console.print(one)

    @contextmanager
    def resizing(self) -> Iterator[None]:
        """Draw anew when the terminal's size changes. In the main thread."""
        before = signal.signal(signal.SIGWINCH, lambda *_: self._resize())
        try:
            yield
        finally:
            signal.signal(signal.SIGWINCH, before)

    def _resize(self) -> None:
        # A signal may come amid a frame: its end draws the next one then.
        self._resized = True
        if not self._lock.locked():
            self._draw()

    def _draw(self) -> None:
        self._resized = True
        while self._resized:
            with self._lock:
                self._resized = False
                if self._left:
                    return
                rows = self._frame()
                begin = "" if self._entered else _ENTER
                self._entered = True
                self._write(begin + self._changed(rows))

    def _changed(self, rows: list[str]) -> str:
        """What makes the rows that are shown these: only those that are others are written, since
        a screen that is written anew flickers. No line feed: after the last row it would scroll."""
        shape = self._console.size
        rows += [_CLEAR_REST] * (shape.height - len(rows))
        known = self._rows if shape == self._shape else []
        self._rows, self._shape = rows, shape
        return "".join(
            f"\x1b[{n + 1};1H{row}"
            for n, row in enumerate(rows)
            if n >= len(known) or known[n] != row
        )

    def _frame(self) -> list[str]:
        """A row for each line, at most as many as the terminal has."""
        console, view = self._console, self._view
        width, height = self._size()
        console.size = ConsoleDimensions(width, height)
        about, hidden, lines = [*self._lost, *self._about], 0, list[Text]()
        end = "Ctrl-C ends"
        if view is not None:
            if view["state"].get("hand"):
                about = [one for one in about if one.label != "chosen"]
            rules = self._rules.of(view)
            lines, hidden = framed(view, rules, width, height - 1, about)
            end = f"fact {view['seq']} · {end}"
        if hidden:
            end += f" · {hidden} more fact{'' if hidden == 1 else 's'} in a larger window"
        last = Text(end, "dim")
        last.truncate(width)
        return [self._row(line, width) for line in [*lines, last][-height:]]

    def _row(self, line: Text, width: int) -> str:
        with self._console.capture() as row:
            self._console.print(line, end="", no_wrap=True, overflow="crop")
        return row.get() + (_CLEAR_REST if cell_len(line.plain) < width else "")

    def _size(self) -> tuple[int, int]:
        """Columns and lines, asked for anew: what the environment says of them may be old."""
        try:
            found = os.get_terminal_size(self._console.file.fileno())
        except OSError:
            found = os.terminal_size((0, 0))
        if found.columns and found.lines:
            return found.columns, found.lines
        return self._console.size

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()
