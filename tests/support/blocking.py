"""Nothing of the daemon blocks an event loop: blockbuster makes an error of every call that does.

Only calls out of the product's own code count. The tests' own files may be read while a loop runs;
and where a test has its own clock the loop itself writes the journal, on purpose.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from blockbuster import BlockBuster

ROOMS: Final = frozenset({"app", "api", "link"})
"""Folders of tests in which nothing may block a loop."""
SCANNED: Final = ("tablectl.app", "tablectl.api", "tablectl.journal", "tablectl.link")
"""Where calls count. What of `core` reads files does so for whoever asks it."""
ON_PURPOSE: Final = (
    ("support/parlour.py", ("opened",)),
    ("support/parlour.py", ("parlour",)),
    ("journal/writing.py", ("_commit", "_close_files")),
    ("journal/writer.py", ("entries",)),
)
"""Where a loop under a test's own clock opens, writes and reads files itself."""


@contextmanager
def no_blocking(*, strict: bool = False) -> Iterator[None]:
    """Until its end a blocking call within a running loop raises `blockbuster.BlockingError`.
    `strict`: there is no exception for loops that write the journal themselves."""
    buster = _buster(strict)
    buster.activate()
    try:
        yield
    finally:
        buster.deactivate()


@functools.cache
def _buster(strict: bool) -> BlockBuster:
    made = BlockBuster(list(SCANNED))
    if not strict:
        for function in made.functions.values():
            for file, names in ON_PURPOSE:
                function.can_block_in(file, names)
    return made
