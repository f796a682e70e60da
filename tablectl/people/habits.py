"""How often people do what they may, and what binds each of them in the hand that is going on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal


@dataclass(frozen=True)
class Habits:
    """Chances at each occasion. `ready`, `late`: how many times likelier a seat in riichi wins, or
    anybody in the last draws.

    What no recorded hand can tell is left out unless it is asked for: `opening` (each win before
    play goes round, of every way), `robs` (the tile of a kong), `opens` (a riichi that is open),
    `takes_back` (a riichi), `dead` (hands), `voids` (hands that come
    to nothing), `forgets` (a replacement, taken later).
    """

    wins: float = 0.006
    calls: float = 0.4
    kongs: float = 0.9
    riichi: float = 0.1
    ready: float = 6.0
    late: float = 1.0
    alice: float = 0.5
    aborts: float = 0.002
    opening: float = 0.0
    robs: float = 0.0
    opens: float = 0.0
    takes_back: float = 0.0
    dead: float = 0.0
    voids: float = 0.0
    forgets: float = 0.0


WHOLE: Final = Habits(opening=0.03, robs=0.02, opens=0.3, takes_back=0.15, dead=0.003)
"""People who do all that their rule knows."""


@dataclass
class Seated:
    """One player in this hand. `riichi`: its kind; `limit`: a win by `self_draw` only, or after a
    new `riichi` only; `owed`: replacements that were forgotten."""

    pons: list[str] = field(default_factory=list)
    opened: bool = False
    riichi: Literal["plain", "open", "fever"] | None = None
    dead: bool = False
    limit: Literal["self_draw", "riichi"] | None = None
    owed: int = 0

    @property
    def may_ron(self) -> bool:
        return not self.dead and self.limit is None

    @property
    def may_draw_win(self) -> bool:
        return not self.dead and self.limit != "riichi"

    @property
    def may_call(self) -> bool:
        return not self.dead and self.riichi is None and self.limit != "riichi"
