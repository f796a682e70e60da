"""Timers of one table: what `react` asked for, said when it is time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tablectl.core.facts import Elapsed
from tablectl.core.react import StartTimer, StopTimer


class Timers:
    """`say` gets the fact of a timer that ran out."""

    def __init__(self, say: Callable[[Elapsed], None]) -> None:
        self._say = say
        self._running: dict[tuple[str, str | None], asyncio.TimerHandle] = {}

    def start(self, timer: StartTimer) -> None:
        """Say it after its time; one that runs already begins anew."""
        self.stop(StopTimer(timer.what, timer.set))
        loop = asyncio.get_running_loop()
        key = (timer.what, timer.set)
        self._running[key] = loop.call_later(timer.ms / 1000, self._over, timer)

    def stop(self, timer: StopTimer) -> None:
        """It is not needed any more."""
        if (running := self._running.pop((timer.what, timer.set), None)) is not None:
            running.cancel()

    def stop_all(self) -> None:
        """None is needed any more."""
        for running in self._running.values():
            running.cancel()
        self._running.clear()

    def _over(self, timer: StartTimer) -> None:
        self._running.pop((timer.what, timer.set), None)
        self._say(Elapsed(what=timer.what, set=timer.set))
