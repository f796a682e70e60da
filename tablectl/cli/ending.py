"""Following ends when a person says so, and that is no failure, whatever is going on then."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ENDS: Final = frozenset((signal.SIGINT, signal.SIGTERM))


def hold_back() -> None:
    """Both signals wait until `let_through`: what is being made is made whole."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)


def let_through() -> None:
    """Somebody hears them now; what has waited comes at once."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)


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
