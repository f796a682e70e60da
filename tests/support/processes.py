"""Commands as processes of their own, and a daemon among them; none is left behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tablectl.cli.client import client

PATIENCE = 60.0
"""Seconds that anything may take on a slow machine before it counts as never."""
MAIN = "from tablectl.cli import main; main()"


def eventually(true: Callable[[], Any], what: Callable[[], str] = lambda: "it never came") -> Any:
    """What `true` gives as soon as it is anything; `what` says what came instead."""
    end = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < end, what()
        time.sleep(0.05)
    return found


class Process:
    """A command as a process; `out` and `err` are what it has said so far."""

    def __init__(self, folder: Path, name: str, *arguments: str, main: str = MAIN) -> None:
        self._out, self._err = folder / f"{name}.out", folder / f"{name}.err"
        environment = os.environ | {"XDG_CONFIG_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
        for other in ("TABLECTL_STATE", "TABLECTL_CONFIG"):
            environment.pop(other, None)
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-c", main, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment,
            )

    @property
    def out(self) -> str:
        return self._out.read_text("utf-8")

    @property
    def err(self) -> str:
        return self._err.read_text("utf-8")

    def says(self, text: str) -> None:
        """Wait until it has said this on standard output."""

        def said() -> bool:
            assert self.process.poll() is None or text in self.out, self.err
            return text in self.out

        eventually(said, lambda: f"'{text}' was never said: {self.out}{self.err}")

    def messages(self) -> list[Any]:
        """The whole lines of JSON so far."""
        return [json.loads(line) for line in self.out.splitlines(keepends=True) if "\n" in line]

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def process(folder: Path, name: str, *arguments: str, main: str = MAIN) -> Iterator[Process]:
    """A process that is not left behind."""
    found = Process(folder, name, *arguments, main=main)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.kill()
        found.process.wait(PATIENCE)


@contextlib.contextmanager
def daemon(folder: Path, *more: str, url: str = "sim:presence:east") -> Iterator[Process]:
    """A daemon at any free port, and its table `east` has answered."""
    config = folder / "parlour.toml"
    config.write_text(
        f'[daemon]\nport = 0\n[[table]]\nurl = "{url}"\nname = "east"\npreset = "ramen-jiro"\n'
    )
    arguments = ("run", "--config", str(config), "--state", str(folder / "state"), *more)
    with process(folder, "daemon", *arguments) as found:
        found.says("ramen-jiro")
        here = client(state=folder / "state")
        eventually(lambda: here.get("/api/v1/tables")["tables"], lambda: found.err)
        yield found
