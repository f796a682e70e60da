"""From bytes as they come to frames: one buffer, whatever the noise.

The deframer collects bytes up to the next zero. A run that grows beyond what a frame can be is
dropped and skipped to its zero, so that it never keeps more than one frame's bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from protocols.frame import MOST_ENCODED, Frame, FrameError, decode


class Deframer:
    """Takes bytes in any pieces. `dropped` counts runs that were no frames, by FrameError's code;
    empty runs (two zeros in a row) are none."""

    def __init__(self) -> None:
        self._run = bytearray()
        self._skipping = False
        self.frames = 0
        self.dropped: Counter[str] = Counter()

    @property
    def held(self) -> int:
        """Bytes kept for a frame that is not whole yet: at most 123."""
        return len(self._run)

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that end in these bytes. They are taken in at once, whether or not the
        frames are read."""
        found = [frame for part in _parts(data) if (frame := self._take(*part)) is not None]
        return iter(found)

    def _take(self, part: memoryview, ended: bool) -> Frame | None:
        """Part of a run, and whether a zero ended it."""
        if not self._skipping:
            if len(self._run) + len(part) > MOST_ENCODED:
                self._skipping = True
                self._run.clear()
                self.dropped["long"] += 1
            else:
                self._run += part
        if not ended:
            return None
        run, skipped = bytes(self._run), self._skipping
        self._run.clear()
        self._skipping = False
        if skipped or not run:
            return None
        try:
            frame = decode(run)
        except FrameError as error:
            self.dropped[error.code] += 1
            return None
        self.frames += 1
        return frame


def _parts(data: bytes) -> Iterator[tuple[memoryview, bool]]:
    """Pieces between zeros; True with each that a zero ends."""
    view, at = memoryview(data), 0
    while True:
        zero = data.find(0, at)
        if zero < 0:
            yield view[at:], False
            return
        yield view[at:zero], True
        at = zero + 1
