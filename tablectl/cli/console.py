"""What people read goes through here."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console

from tablectl.errors import declare

FILE = declare("cli.file", "the file cannot be read: {why}", "Name a file that can be read, or - .")


class PeopleConsole(Console):
    """rich's console on standard output, numbers not coloured by themselves. `wrapped` False
    leaves lines as long as they are."""

    def __init__(self, *, wrapped: bool = True) -> None:
        super().__init__(highlight=False, soft_wrap=not wrapped)

    def on_broken_pipe(self) -> NoReturn:
        """What `main` knows how to end: rich would leave with 1, which says "no" here."""
        raise BrokenPipeError
