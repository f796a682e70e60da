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
        self._over_now: set[tuple[str, str | None]] = set()
        """Those that ran out and were not started or stopped since."""

    def start(self, timer: StartTimer) -> None:
        """Say it after its time; one that runs already begins anew."""
        self.stop(StopTimer(timer.what, timer.set))
        loop = asyncio.get_running_loop()
        key = (timer.what, timer.set)
        self._running[key] = loop.call_later(timer.ms / 1000, self._over, timer)

    def stop(self, timer: StopTimer) -> None:
        """It is not needed any more, even if it has just run out."""
        self._over_now.discard((timer.what, timer.set))
        if (running := self._running.pop((timer.what, timer.set), None)) is not None:
            running.cancel()

    def stands(self, elapsed: Elapsed) -> bool:
        """Whether what was said of a timer still holds: it was not started or stopped since."""
        return (elapsed.what, elapsed.set) in self._over_now

    def stop_all(self) -> None:
        """None is needed any more."""
        for running in self._running.values():
            running.cancel()
        self._running.clear()

    def _over(self, timer: StartTimer) -> None:
        self._running.pop((timer.what, timer.set), None)
        self._over_now.add((timer.what, timer.set))
        self._say(Elapsed(what=timer.what, set=timer.set))
