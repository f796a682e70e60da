"""Whole boards behind the face of `support.boards.Peer`: a simulated table within the test or as a
process on a pseudo-terminal, and the reference board in C as a process on another.

All three have a clock that the test moves; none waits for real time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import tty
from pathlib import Path
from typing import Any

from protocols import v1
from protocols.codes import Motion
from support.boards import body_of
from tablesim.control import obey
from tablesim.table import Table, find_model

ROOT = Path(__file__).parents[2]
PATIENCE = 20.0
"""Seconds after which a process that says nothing has failed."""


class SimMemory:
    """A whole simulated table within the test."""

    def __init__(self, model: str = "presence") -> None:
        self.table = Table(find_model(model), "memory", seed=1, boot=7)
        self.ring = self.table.model.ring

    def edge(self, message: type[Any], *values: Any) -> int:
        return self.table.board.edge(message, *values)

    def edges(self, times: int, message: type[Any], *values: Any) -> int:
        return [self.edge(message, *values) for _ in range(times)][-1]

    def carry_out(self, motion: int) -> None:
        """The machine does it by itself."""

    def reset(self) -> int:
        return self.table.reset()

    def run(self, data: bytes, now: int) -> bytes:
        self.table.feed(data)
        self.table.advance(now)
        return self.table.take()

    def acted(self) -> int:
        return obey(self.table, {"do": "acted"})

    def close(self) -> None:
        pass


class _Process:
    """A process with a pseudo-terminal; bytes are counted both ways: nobody waits blindly."""

    def __init__(self, command: list[str | Path], link: Path, ready: bytes) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        said = self.line()
        if ready not in said:
            self.process.kill()
            raise AssertionError(f"{said!r} {self.process.communicate()}")
        self.line_fd = os.open(link, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.line_fd)
        self.sent = self.got = 0

    def line(self) -> bytes:
        """A line of its standard output."""
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.process.kill()
            raise AssertionError(f"the process says nothing: {self.process.communicate()}")
        return self.process.stdout.readline()

    def write(self, data: bytes) -> None:
        while data:
            written = os.write(self.line_fd, data)
            self.sent += written
            data = data[written:]

    def read_to(self, total: int) -> bytes:
        """What the process has written, once it is `total` bytes in all."""
        found = b""
        while self.got < total:
            if not select.select([self.line_fd], [], [], PATIENCE)[0]:
                raise AssertionError(f"{self.got} bytes came, not {total}")
            data = os.read(self.line_fd, 65536)
            self.got += len(data)
            found += data
        return found

    def stop(self) -> None:
        os.close(self.line_fd)
        self.process.terminate()
        try:
            self.process.communicate(timeout=PATIENCE)
        finally:
            self.process.kill()


class SimPty:
    """`tablesim` as a process, its clock moved through the control socket."""

    def __init__(self, folder: Path, model: str = "presence") -> None:
        link, control = folder / "table", folder / "control"
        self._pty = _Process(
            [
                sys.executable, "-m", "tablesim.cli", "--serial", link, "--model", model,
                "--control", control, "--speed", "0", "--seed", "1", "--boot", "7",
            ],
            link,
            b"serial:",
        )  # fmt: skip
        self.ring = find_model(model).ring
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(str(control))
        self._answers = self._socket.makefile("rb")

    def ask(self, **request: Any) -> Any:
        """What the control socket answers; KeyError with its error if it refuses."""
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        answer = json.loads(self._answers.readline())
        if "error" in answer:
            raise KeyError(answer["error"])
        return answer["ok"]

    def edge(self, message: type[Any], *values: Any) -> int:
        return self.edges(1, message, *values)

    def edges(self, times: int, message: type[Any], *values: Any) -> int:
        type_, _ = body_of(message, values)
        plain = [value.hex() if isinstance(value, bytes) else value for value in values]
        number: int = self.ask(do="edge", type=f"{type_:02X}", values=plain, times=times)
        return number

    def carry_out(self, motion: int) -> None:
        """The machine does it by itself."""

    def reset(self) -> int:
        boot: int = self.ask(do="reset")
        return boot

    def run(self, data: bytes, now: int) -> bytes:
        self._pty.write(data)
        answer = self.ask(do="step", now=now, **{"in": self._pty.sent})
        return self._pty.read_to(answer["out"])

    def acted(self) -> int:
        acted: int = self.ask(do="acted")
        return acted

    def close(self) -> None:
        self._answers.close()
        self._socket.close()
        self._pty.stop()


class BoardPty:
    """The reference board in C, as a process that obeys its standard input."""

    def __init__(self, folder: Path, ring: int = 4) -> None:
        program, self._link = built(ring), folder / "board"
        self._pty = _Process([program, "--pty", self._link], self._link, b"ready")
        self.ring = ring

    def ask(self, *words: Any) -> list[str]:
        """Its answer to a command, without the `ok`."""
        pty = self._pty
        assert pty.process.stdin is not None
        pty.process.stdin.write(" ".join(map(str, words)).encode() + b"\n")
        pty.process.stdin.flush()
        answer = pty.line().decode().split()
        if not answer or answer[0] != "ok":
            raise KeyError(answer)
        return answer[1:]

    def edge(self, message: type[Any], *values: Any) -> int:
        type_, body = body_of(message, values)
        return int(self.ask("edge", f"{type_:02X}", body.hex() or "-")[0])

    def edges(self, times: int, message: type[Any], *values: Any) -> int:
        return [self.edge(message, *values) for _ in range(times)][-1]

    def carry_out(self, motion: int) -> None:
        """The machine that the process imitates does nothing by itself: say what it would."""
        if motion == Motion.THROW:
            self.edge(v1.DiceEdge, 2, (3, 4, None, None))

    def reset(self) -> int:
        return int(self.ask("reset")[0])

    def run(self, data: bytes, now: int) -> bytes:
        self._pty.write(data)
        return self._pty.read_to(int(self.ask("step", now, self._pty.sent)[0]))

    def acted(self) -> int:
        return int(self.ask("counts")[0].removeprefix("acted="))

    def close(self) -> None:
        self._pty.stop()
        self._link.unlink(missing_ok=True)  # a process that is ended leaves it


def compiler() -> str | None:
    """The C compiler of this machine, None if it or `make` is missing."""
    if shutil.which("make") is None:
        return None
    return os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")


@functools.cache
def built(ring: int) -> Path:
    """The board's process with a ring of so many edges, built with all warnings as errors and both
    sanitizers: once for its sources, in `build`, where the one before is removed."""
    boards = ROOT / "hardware" / "boards"
    digest = hashlib.sha256(str(compiler()).encode())
    for path in sorted([boards / "Makefile", *boards.rglob("*.[ch]")]):
        digest.update(path.read_bytes())
    name = f"board-{ring}-{digest.hexdigest()[:12]}"
    place = ROOT / "build" / name
    if not place.exists():
        place.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix="making-") as folder:
            out = Path(folder) / name
            command = ["make", "-s", "-C", boards, "board", f"OUT={out}", f"RING={ring}"]
            done = subprocess.run(
                [*command, f"CC={compiler()}"], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr
            for old in set(place.parent.glob(f"board-{ring}-*")) - {place}:
                shutil.rmtree(old, ignore_errors=True)
            with contextlib.suppress(OSError):  # another test was quicker
                out.rename(place)
    return place / "board"
