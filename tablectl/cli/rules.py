"""The rule of a table's game, for drawing it: the one that comes with the program, or the one that
the daemon keeps in its state directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablectl.core.preset import Preset


class Rules:
    """Rules by digest. What the daemon keeps is read again when a rule is met that is new."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "rules"
        self._met: dict[str, Preset | None] = {}

    def of(self, view: Mapping[str, Any]) -> Preset | None:
        """The rule of the game in a table's view; None without a game or where it cannot be read.
        May block for a disk."""
        from tablectl.app.rulebook import Rulebook

        game = view["state"].get("game")
        if game is None:
            return None
        digest: str = game["digest"]
        if digest not in self._met:
            self._met[digest] = Rulebook(self._folder).get(digest)
        return self._met[digest]
