"""A rule system as values: what a preset file says once it has been read and checked.

Nothing here knows a rule system by name. The reader of files is `preset_file`; the table of all
fields, with what is allowed in each, is `preset_fields`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablectl.core.tiles import Multiset

Source = Literal["seed", "convention", "chosen"]


@dataclass(frozen=True, slots=True)
class Sourced:
    """Where one value of a preset comes from.

    kind `seed`: `text` is the phrase of the rule text; `convention`: where it is from; `chosen`:
    why, and `options` holds every value that would load in its place (the chosen one among them).
    """

    path: str
    value: object
    kind: Source
    text: str
    options: tuple[object, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Walls:
    """Columns of each side 0-3 of the machine: `four` walls, or `three` with 0 for the side that
    has none (before the empty chair). `stand` says which of the two comes up by default."""

    four: tuple[int, ...]
    three: tuple[int, ...] | None
    stand: Literal["four", "three"]

    @property
    def default(self) -> tuple[int, ...]:
        return self.three if self.stand == "three" and self.three else self.four


@dataclass(frozen=True, slots=True)
class Breaking:
    """How dice give the break: `dice` thrown at once, `throws` of them; with two throws the first
    chooses the wall and `second` says whether the columns are the second sum `alone` or the
    `total` of both. `count` is what is counted counter-clockwise from the dealer: `walls` (all
    four sides where four walls stand, the players where three do), `sides` or `seats`."""

    dice: int
    throws: int
    second: Literal["alone", "total"]
    count: Literal["walls", "sides", "seats"]


@dataclass(frozen=True, slots=True)
class Dealing:
    """Tiles that each seat takes in each round, then the single tiles of the last round.

    `last`: how the last single tiles lie, for players n: `sequence` (dealer first, in drawing
    order), `adjacent` (the dealer takes the upper tiles of two columns side by side, the others
    what is left), `skip` (the dealer's second tile is the upper one a column further, so that one
    tile is left out until the next player draws). `none` where there is no such round.
    `first_draw`: whether the dealer's first tile is `dealt` with the hands or `drawn` as a turn.
    `machine`: tiles each seat has where the table deals by itself.
    """

    rounds: tuple[int, ...]
    last: Literal["sequence", "adjacent", "skip", "none"]
    first_draw: Literal["dealt", "drawn"]
    machine: int

    @property
    def each(self) -> int:
        """Tiles of one hand before the first draw."""
        return sum(self.rounds) + (0 if self.last == "none" else 1)


@dataclass(frozen=True, slots=True)
class Reserve:
    """What stays in the wall. `kept`: always `tiles`; `neighbour`: everything is drawn up to the
    column beside the last open indicator; `growing`: `tiles`, and more for each open kong,
    concealed kong and four like flowers, with only draws once `final` usable tiles are left."""

    policy: Literal["kept", "neighbour", "growing"]
    tiles: int
    open_kong: int
    concealed_kong: int
    flower_quad: int
    final: int


@dataclass(frozen=True, slots=True)
class Replacements:
    """Replacement tiles: at most `count` (0: as long as tiles are usable), taken from the `tail`
    (or the `head`), in each column the `first` row first."""

    count: int
    source: Literal["tail", "head"]
    first: Literal["upper", "lower"]


@dataclass(frozen=True, slots=True)
class Indicators:
    """`start` indicators are turned with the deal, the first in `column` counted from the wall's
    end, the following ones towards the head. `ura`: the tiles under them count for riichi wins.
    `open_kong`, `concealed_kong`: when a kong turns another one."""

    start: int
    column: int
    ura: bool
    open_kong: Literal["never", "at_once", "after_discard"]
    concealed_kong: Literal["never", "at_once", "after_discard"]

    @property
    def kongs_turn(self) -> bool:
        return self.open_kong != "never" or self.concealed_kong != "never"


@dataclass(frozen=True, slots=True)
class Calls:
    """`chi`: allowed or not. `kongs`: most in one hand, all players together. `kong_unturned`:
    whether a kong whose indicator cannot be turned any more is refused. `aside`: kinds that are
    set aside and replaced (norths, reds, flowers); `aside_claims`: what others may claim of them
    before the replacement. `open_riichi`, `fever`: these declarations exist."""

    chi: bool
    kongs: int
    kong_unturned: Literal["refused", "allowed"]
    aside: tuple[str, ...]
    aside_claims: tuple[Literal["pon", "ron"], ...]
    open_riichi: bool
    fever: bool


@dataclass(frozen=True, slots=True)
class Gold:
    """Where a gold tile is turned after the flowers: it is laid on the `column` that is the first
    wholly reserved one. `none` where the rule has no gold."""

    turned: Literal["none", "tail"]


@dataclass(frozen=True, slots=True)
class Reveal:
    """What is flipped on the wall after a win: `none`, `tulip` or `alice`, from the column beside
    the last open indicator towards the head; `rows`: the upper row only or both."""

    kind: Literal["none", "tulip", "alice"]
    rows: Literal["upper", "both"]


@dataclass(frozen=True, slots=True)
class Winning:
    """Most winners on one discard (1: the first counter-clockwise from the discarder)."""

    together: int


Stays = Literal["win", "tenpai", "exhausted", "abort", "void"]


@dataclass(frozen=True, slots=True)
class GameRule:
    """How a game goes from hand to hand. `dealer_stays`: the dealer deals again after his own
    `win` (one of several is enough), when he is `tenpai` as the wall is used up, whenever it is
    used up (`exhausted`), after an `abort`, after a hand that is `void`; else the next seat."""

    dealer_stays: tuple[Stays, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """Points at the start (single points) and the game number that people remember for the
    setting (0: nobody said; the number belongs to the machine, not to the rule)."""

    points: int
    table_number: int


@dataclass(frozen=True, slots=True, eq=False)
class Preset:
    """One rule system. `name` is what people type, `title` what they call it; `digest` changes with
    every value, so that a running game is not changed by a changed file. Two presets are equal
    only if they are the same object; compare the digests for the values."""

    name: str
    title: str
    about: str
    players: int
    tiles: Multiset
    walls: Walls
    breaking: Breaking
    dealing: Dealing
    reserve: Reserve
    replacements: Replacements
    indicators: Indicators
    calls: Calls
    gold: Gold
    reveal: Reveal
    winning: Winning
    game: GameRule
    play: Play
    digest: str
    sources: tuple[Sourced, ...] = ()

    @property
    def tile_count(self) -> int:
        return self.tiles.total
