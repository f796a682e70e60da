"""What the owner knows of a table's numbers, kept in the state directory: notes win over profiles.

`notes.json`: `{table: [{"preset", "number", "verified"}, …]}`, the last of a preset counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from tablectl.core.profile import Note
from tablectl.errors import TablectlError, declare
from tablectl.journal.faces import write_whole

BAD: Final = declare(
    "app.notes",
    "the notes on numbers cannot be read: {why}",
    "Correct the file or remove it; notes are made again with `tablectl note`.",
)


class Notes:
    """The notes of all tables. `configured`: those of the configuration, by table; a note made
    later wins over them."""

    def __init__(self, path: Path) -> None:
        """Read them. Blocks. Raises TablectlError `app.notes`."""
        self._path = path
        self._made: dict[str, tuple[Note, ...]] = {}
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError) as error:
            raise TablectlError(BAD, where=str(path), why=error) from None
        try:
            self._made = msgspec.json.decode(text, type=dict[str, tuple[Note, ...]])
        except msgspec.DecodeError as error:
            raise TablectlError(BAD, where=str(path), why=error) from None

    def of(self, table: str, configured: Iterable[Note] = ()) -> tuple[Note, ...]:
        """A table's notes, one for each preset."""
        last = {note.preset: note for note in (*configured, *self._made.get(table, ()))}
        return tuple(last.values())

    def with_note(self, table: str, note: Note) -> dict[str, tuple[Note, ...]]:
        """All notes with one more, to be given to `keep`."""
        others = tuple(one for one in self._made.get(table, ()) if one.preset != note.preset)
        return self._made | {table: (*others, note)}

    def without(self, table: str, preset: str) -> dict[str, tuple[Note, ...]]:
        """All notes but the one of that rule, to be given to `keep`."""
        others = tuple(one for one in self._made.get(table, ()) if one.preset != preset)
        return self._made | {table: others}

    def keep(self, made: dict[str, tuple[Note, ...]]) -> None:
        """Make these the notes. Blocks. Raises `journal.unwritable`, `journal.full`; then they are
        as they were."""
        write_whole(self._path, json.dumps(msgspec.to_builtins(made), indent=1) + "\n")
        self._made = made
