"""Why a line is not ready, as one entry of the catalogue: for lines on which nobody has said what
is wrong, because nobody speaks there, or nobody who speaks the wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tablectl.errors import NO, TablectlError, declare
from tablectl.link.supervisor import Keeper, Opener
from tablectl.link.transport import Gone, Heard, Transport

SILENT: Final = declare(
    "link.silent",
    "nobody answers on this line: not one byte came",
    "Look whether the board has power, whether its cable is whole, and whether this is its port:"
    " `tablectl ports` lists them.",
    status=NO,
)
RUBBISH: Final = declare(
    "link.rubbish",
    "nobody who speaks the wire answers on this line: {bytes} bytes came that are no frames",
    "Look whether this is the board's port and not another device's, and whether its firmware"
    " speaks protocols/PROTOCOL.md at 115200 baud.",
    status=NO,
)
NO_IAM: Final = declare(
    "link.no_iam",
    "no board answers on this line: {frames} frames came, and none says whose they are",
    "Look whether the line gives back what is sent (its two wires joined), or whether another"
    " computer is at its other end.",
    status=NO,
)
CLOSED: Final = declare(
    "link.closed",
    "the other side closes this line as soon as it is open",
    "Another program may speak with this table already; a bridge takes one at a time. Close that"
    " program, or look at the bridge.",
    status=NO,
)
UNFINISHED: Final = declare(
    "link.unfinished",
    "the board has answered, but has not told all of itself: the line is {stage}",
    "Wait a little; if it stays so, take the board's power away and give it back.",
    status=NO,
)
_OPEN_FOR: Final = 2000
"""ms after which a line that was opened counts as one that stays open."""
_OFTEN: Final = 3


class Heeded:
    """A line's opener that counts: `opens` soon after one another without getting ready, and
    `bytes` that came since the last one. Times are ms of `now`."""

    def __init__(self, opener: Opener, now: Callable[[], int]) -> None:
        self.opens = self.bytes = 0
        self._opener, self._now = opener, now
        self._opened = 0

    async def open(self, heard: Heard, gone: Gone) -> Transport:
        """Open the line. Raises as its opener."""

        def counted(data: bytes) -> None:
            self.bytes += len(data)
            heard(data)

        line = await self._opener(counted, gone)
        now = self._now()
        self.opens = self.opens + 1 if now < self._opened + _OPEN_FOR else 1
        self.bytes, self._opened = 0, now
        return line

    def ready(self) -> None:
        """It is ready now: what was before says nothing any more."""
        self.opens = 0

    def complaint(self, keeper: Keeper) -> TablectlError | None:
        """Why a line is not ready; None for one that is, or of which nothing can be said yet."""
        stage, url = keeper.state.stage, keeper.url
        if stage == "ready" or keeper.complaint is not None:
            return keeper.complaint
        if self.opens >= _OFTEN and self._now() < self._opened + _OPEN_FOR:
            return TablectlError(CLOSED, where=url)
        if stage == "calling":
            return self._unheard(url, keeper.driver.frames)
        if stage in ("identifying", "draining"):
            return TablectlError(UNFINISHED, where=url, stage=stage)
        return None

    def _unheard(self, url: str, frames: int) -> TablectlError:
        if frames:
            return TablectlError(NO_IAM, where=url, frames=frames)
        if self.bytes:
            return TablectlError(RUBBISH, where=url, bytes=self.bytes)
        return TablectlError(SILENT, where=url)
