"""When every tile of the walls was read: the census that the daemon then takes.

It gets the faces without their places and in no order, so that what is said of them cannot tell
where a tile lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tablectl.core import facts
from tablectl.core.census import census
from tablectl.core.entry import Entry
from tablectl.core.preset import Preset
from tablectl.core.state import State
from tablectl.core.tiles import UNKNOWN, Multiset
from tablectl.core.wall import Place


class Counting:
    """Which places of the walls that are up were read, and whether they were counted."""

    def __init__(self) -> None:
        self._read: set[Place] = set()
        self._counted: tuple[int, str] | None = None

    def folded(self, entry: Entry) -> None:
        """One entry more is folded."""
        if isinstance(entry.fact, facts.Raised):
            self._read.clear()
        elif isinstance(entry.fact, facts.Sealed):
            self._read.add(entry.fact.place)

    def resume(self, entries: Iterable[Entry], state: State) -> None:
        """What an earlier run had heard. What it has said is not said again."""
        deal, game = state.deal, state.game
        for entry in entries:
            self.folded(entry)
            if isinstance(entry.fact, facts.Census) and deal is not None and game is not None:
                self._counted = deal.seq, game.digest

    def due(self, rules: Preset, state: State) -> bool:
        """Whether the walls belong to a hand of this rule and all of their tiles are known, for
        the first time."""
        deal = state.deal
        if deal is None or not deal.used or (deal.seq, rules.digest) == self._counted:
            return False
        return len(self._read) == rules.tile_count

    def count(self, rules: Preset, state: State, faces: Sequence[str]) -> facts.Census | None:
        """What is to be said of the tiles, None where they are the rule's or one was not read."""
        deal = state.deal
        if deal is None or len(faces) != rules.tile_count or UNKNOWN in faces:
            return None
        self._counted = deal.seq, rules.digest
        found = census(rules, faces)
        if found.right:
            return None
        which: facts.TileSet = "a" if deal.set == "a" else "b"
        return facts.Census(
            set=which, missing=_by_code(found.missing), too_many=_by_code(found.too_many)
        )


def _by_code(tiles: Multiset) -> dict[str, int]:
    return {tile.code: n for tile, n in tiles.items()}
