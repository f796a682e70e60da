"""What went over a line, kept for people who look for a fault: frames with their time and way.

One JSON object a line: `{"at": ms, "way": "to_host" | "to_table", "hex": frame}`, or in place of
`hex` `"dropped": why, "bytes": n` for a run that was no frame; or `{"at", "lost": n}` where n lines
could not be written in time. Faces of tiles that lie face down
are blanked, and of what is no frame only its length is kept: it may be a damaged one with a face.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from protocols.frame import MOST_ENCODED, Frame, FrameError, decode, encode
from protocols.secret import blank
from tablectl.errors import TablectlError, declare

Way = Literal["to_host", "to_table"]
WAYS: tuple[Way, Way] = ("to_host", "to_table")
Run = tuple[bytes, Way, int, int]
"""What `captured` takes."""

LOST: Final = "lost"

declare(
    "link.capture.line",
    "no line of a capture: {why}",
    'A capture has lines like {{"at": 1200, "way": "to_host", "hex": "00…00"}}.',
)


@dataclass(frozen=True)
class Captured:
    """A frame on its way; or, where `frame` is None, a run of `size` bytes that was none. `dropped`
    LOST: nobody could write `size` lines that belong here."""

    at: int
    way: Way
    frame: Frame | None
    dropped: str | None = None
    size: int = 0

    def line(self) -> str:
        """The line that keeps it."""
        told: dict[str, object] = {"at": self.at, "way": self.way}
        if self.frame is None:
            told |= {"dropped": self.dropped, "bytes": self.size}
        else:
            told["hex"] = encode(blank(self.frame)).hex()
        return json.dumps(told)


class Recorder:
    """Cuts what goes over a line into frames, each way by itself."""

    def __init__(self) -> None:
        self._runs: dict[Way, bytearray] = {way: bytearray() for way in WAYS}
        self._sizes: dict[Way, int] = dict.fromkeys(WAYS, 0)

    def take(self, data: bytes, way: Way, now: int) -> list[Captured]:
        """What these bytes complete."""
        return [captured(*run) for run in self.runs(data, way, now)]

    def runs(self, data: bytes, way: Way, now: int) -> list[Run]:
        """The same not yet looked at, secrets and all: for who may never ask what it was."""
        found = []
        run = self._runs[way]
        first, *more = data.split(b"\0")
        self._add(way, first)
        for piece in more:
            if run:
                found.append((bytes(run), way, now, self._sizes[way]))
            run.clear()
            self._sizes[way] = 0
            self._add(way, piece)
        return found

    def _add(self, way: Way, piece: bytes) -> None:
        """Keep no more of a run than tells that it is too long."""
        run = self._runs[way]
        run += piece[: MOST_ENCODED + 1 - len(run)]
        self._sizes[way] += len(piece)


def captured(run: bytes, way: Way, now: int = 0, size: int | None = None) -> Captured:
    """A run between two zeros: a frame without its secrets, or why it is none."""
    try:
        return Captured(now, way, blank(decode(run)))
    except FrameError as error:
        return Captured(now, way, None, error.code, len(run) if size is None else size)


def read(lines: Iterable[str]) -> Iterator[Captured]:
    """What a capture kept. Raises TablectlError `link.capture.line`, naming the line."""
    for n, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            at, way = told["at"], told.get("way", "to_host") if LOST in told else told["way"]
            if not isinstance(at, int) or way not in WAYS:
                raise ValueError("at is whole ms, way is to_host or to_table")
            if "hex" in told:
                run = bytes.fromhex(told["hex"]).strip(b"\0")
                yield Captured(at, way, blank(decode(run)))
            elif LOST in told:
                yield Captured(at, way, None, LOST, int(told[LOST]))
            else:
                yield Captured(at, way, None, str(told["dropped"]), int(told["bytes"]))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise TablectlError("link.capture.line", where=f"line {n}", why=why) from None
