"""An event loop whose time is the test's: it leaps to the next timer as soon as nothing else is to
be done. Whole evenings pass at once, in the same order each time.

While something runs in a thread, time stands still until it has come back.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE = 5.0
"""Seconds of real time after which nothing more is expected."""


class _Selector(selectors.DefaultSelector):  # type: ignore[valid-type,misc]
    """Waits for nothing but threads: a wait for time is a leap."""

    loop: Clockwork

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        if found or timeout == 0:
            return found
        if self.loop.threads:
            return super().select(0.05)
        if self.loop.patience and (late := super().select(self.loop.patience)):
            return late
        if timeout is None:
            if late := super().select(PATIENCE):
                return late  # a thread that has ended
            raise AssertionError("the loop waits for ever: nothing is due and nobody will come")
        self.loop.leap(timeout)
        return found


class Clockwork(asyncio.SelectorEventLoop):
    """The loop. `threads`: how many things run in threads now. `patience`: seconds of real time
    that are waited before each leap, for lines that the system carries (a pseudo-terminal)."""

    def __init__(self, patience: float = 0.0) -> None:
        self.patience = patience
        self._leapt = 1000.0
        self.threads = 0
        selector = _Selector()
        super().__init__(selector)
        selector.loop = self

    def time(self) -> float:
        return self._leapt

    def leap(self, seconds: float) -> None:
        self._leapt += seconds

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        self.threads += 1
        future = super().run_in_executor(executor, func, *args)

        def back(_: Any) -> None:
            self.threads -= 1

        future.add_done_callback(back)
        return future


def run(work: Coroutine[Any, Any, T], patience: float = 0.0) -> T:
    """Run to the end under a clock of its own."""
    with asyncio.Runner(loop_factory=lambda: Clockwork(patience)) as runner:
        return runner.run(work)
