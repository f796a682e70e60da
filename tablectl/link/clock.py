"""The board's clock beside the host's, from PINGs and their answers.

    host   ──sent──────────────heard──▶      the board read its clock somewhere between the two
    board  ─────────uptime────────────▶

A board whose clock runs at another pace than the host's says nothing about when things happened.
"""

from __future__ import annotations

from typing import Final

WRAP: Final = 2**32
"""Uptimes run over after so many ms."""
PACE: Final = 0.01
LONG_ENOUGH: Final = 2000
"""ms between two answers that tell the pace of a clock."""


class BoardClock:
    """All times in ms. Knows nothing until an answer has come."""

    def __init__(self) -> None:
        self._sent = self._heard = self._uptime = 0
        self._known = False
        self._first: tuple[int, int] | None = None
        self._wrong = False

    def note(self, sent: int, heard: int, uptime: int) -> None:
        """A PING sent and its answer heard at these times of the host, which says this uptime."""
        self._sent, self._heard, self._uptime, self._known = sent, heard, uptime, True
        if self._first is None:
            self._first = (heard, uptime)
        host, board = heard - self._first[0], (uptime - self._first[1]) % WRAP
        if host >= LONG_ENOUGH or board >= LONG_ENOUGH:
            apart = (board - host + WRAP // 2) % WRAP - WRAP // 2  # the board's may have run over
            self._wrong = abs(apart) > PACE * max(host, board) + (heard - sent)

    def host_time(self, uptime: int) -> tuple[int, int] | None:
        """When the host's clock was at this uptime, and how many ms more or less; None if nobody
        can say."""
        if not self._known or self._wrong:
            return None
        before = (self._uptime - uptime) % WRAP
        if before >= WRAP // 2:
            before -= WRAP
        took = (self._heard - self._sent + 1) // 2
        return (self._sent + self._heard) // 2 - before, took + int(abs(before) * PACE)
