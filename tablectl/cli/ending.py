"""Following ends when a person says so, and that is no failure, whatever is going on then."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def until_ended() -> Iterator[None]:
    """SIGINT and SIGTERM leave the block as if it were over, everything in it closed. In the main
    thread."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
