"""From bytes as they come to frames: one buffer, whatever the noise.

The deframer collects bytes up to the next zero. A run that grows beyond what a frame can be is
dropped and skipped to its zero, so that it never keeps more than one frame's bytes.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections import Counter
from collections.abc import Iterator
from typing import Final

from cobs.cobs import DecodeError
from cobs.cobs import decode as uncobs

from protocols.frame import MOST_ENCODED, Frame

_PIECE: Final = 1024
"""Bytes looked at together, so that much noise at once takes little memory."""


class Deframer:
    """Takes bytes in any pieces. `dropped` counts runs that were no frames, by FrameError's code;
    empty runs (two zeros in a row) are none."""

    def __init__(self) -> None:
        self._run = b""
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
        return iter([Frame(raw[0], raw[1], raw[2:-2]) for raw in self.verified(data)])

    def verified(self, data: bytes) -> list[bytes]:
        """The same as bytes with their good checksum: version, type, body, CRC."""
        if len(data) <= _PIECE:
            return self._verified(data)
        found: list[bytes] = []
        for at in range(0, len(data), _PIECE):
            found += self._verified(data[at : at + _PIECE])
        return found

    def _verified(self, data: bytes) -> list[bytes]:
        first, *runs = data.split(b"\0")
        if not self._skipping:
            first = self._run + first
            if len(first) > MOST_ENCODED:
                self.dropped["long"] += 1
                self._skipping, first = True, b""
        if not runs:
            self._run = b"" if self._skipping else first
            return []
        if self._skipping:
            self._skipping, first = False, b""
        self._run = runs.pop()
        if first:
            runs.insert(0, first)
        if len(self._run) > MOST_ENCODED:
            self.dropped["long"] += 1
            self._skipping, self._run = True, b""
        found = []
        for run in runs:
            if not run:
                continue
            if len(run) > MOST_ENCODED:
                self.dropped["long"] += 1
                continue
            try:
                raw = uncobs(run)
            except DecodeError:
                self.dropped["cobs"] += 1
                continue
            if len(raw) < 4:
                self.dropped["short"] += 1
            elif crc_hqx(raw[:-2], 0xFFFF) != raw[-2] | raw[-1] << 8:
                self.dropped["crc"] += 1
            else:
                found.append(raw)
        self.frames += len(found)
        return found
