"""Commands in a terminal of a size, and what they write to it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator

from support.processes import MAIN, PATIENCE, eventually

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
"""A terminal's second page is shown, and its first one again."""


class Terminal:
    """A command in a terminal; `out`: what it has written by now."""

    def __init__(self, *arguments: str, columns: int, rows: int, **environment: str) -> None:
        self._leader, follower = pty.openpty()
        self._follower = follower
        self._size(columns, rows)
        variables = os.environ | {"TERM": "xterm"} | environment
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            variables.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, *arguments],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=variables,
            start_new_session=True,
        )
        os.close(follower)
        self.out = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def says(self, text: bytes) -> None:
        """Wait until it has written this."""
        eventually(lambda: text in self.out, lambda: f"{text!r} never came: {self.out!r}")

    def resize(self, columns: int, rows: int) -> None:
        """Another size, and the command is told."""
        self._size(columns, rows)
        self.process.send_signal(signal.SIGWINCH)

    def end(self, number: int) -> int:
        """Send a signal; the exit status, once everything is in `out`."""
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return status

    def close(self) -> None:
        """Leave nothing behind."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        os.close(self._leader)

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._leader, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self) -> None:
        # At the end of the command the terminal fails.
        with contextlib.suppress(OSError):
            while found := os.read(self._leader, 65536):
                self.out += found


@contextlib.contextmanager
def terminal(
    *arguments: str, columns: int = 80, rows: int = 24, **environment: str
) -> Iterator[Terminal]:
    """A command in a terminal, not left behind."""
    found = Terminal(*arguments, columns=columns, rows=rows, **environment)
    try:
        yield found
    finally:
        found.close()
