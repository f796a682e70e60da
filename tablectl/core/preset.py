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
class Statement:
    """A rule that people keep and the program tells them, under a `topic`. `kind` and `source` are
    as in `Sourced`; a `seed` is how the rule text puts it."""

    topic: str
    text: str
    kind: Source
    source: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Topping:
    """A named variant of a rule, off unless it is asked for. `changes`: the values it puts in the
    place of the rule's own."""

    name: str
    title: str
    about: str
    changes: tuple[Sourced, ...]
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
    """What stays in the wall. `kept`: always `tiles`; `shrinking`: `tiles`, filled up after a kong
    but not after a tile set aside; `neighbour`: everything is drawn up to the column beside the
    last open indicator; `growing`: `tiles`, and more for each open kong, concealed kong and four
    like flowers, with only draws once `final` usable tiles are left.

    `gold_counts`: the gold laid on the reserve is one of its tiles. `marker`: the gold lies on the
    outermost column that is wholly `reserved`, or on that of the `boundary`. `final_flower`: one
    drawn among the last draws is `kept` without a replacement, or `replaced`.
    """

    policy: Literal["kept", "shrinking", "neighbour", "growing"]
    tiles: int
    open_kong: int
    concealed_kong: int
    flower_quad: int
    final: int
    gold_counts: bool
    marker: Literal["reserved", "boundary"]
    final_flower: Literal["kept", "replaced"]


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
    end, the following ones towards the head. `ura`: the tiles under them count for riichi wins,
    `kong_ura`: those under the ones that kongs turn too. `open_kong`, `concealed_kong`: when a kong
    turns another one. A tile turned makes the next one of its suit dora; kinds in `itself` make
    themselves dora, kinds in `effect` make none and act for everybody."""

    start: int
    column: int
    ura: bool
    kong_ura: bool
    itself: tuple[str, ...]
    effect: tuple[str, ...]
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
    before the replacement; `aside_river`: they may be discarded too. `like_fours`: kinds of which
    four different ones count as four like flowers. `rob_concealed`: what may win on the tile of a
    concealed kong. `final_claims`: what may be claimed of a discard as the last draws begin.
    `open_riichi`, `fever`: these declarations exist."""

    chi: bool
    kongs: int
    kong_unturned: Literal["refused", "allowed"]
    aside: tuple[str, ...]
    aside_claims: tuple[Literal["pon", "ron"], ...]
    aside_river: bool
    like_fours: tuple[tuple[str, ...], ...]
    rob_concealed: Literal["none", "kokushi", "any"]
    final_claims: Literal["ron", "all"]
    open_riichi: bool
    fever: bool


@dataclass(frozen=True, slots=True)
class RiichiRule:
    """`played`: riichi exists. `least_points` (single points) a seat must have, `least_draws`
    tiles that must be left to draw (0: none). `third_open`: the third riichi of a hand must be
    open.

    `take_back`: `never`; before the `next_discard` is made; only while the declaring discard is
    `uncalled`, and before the next one; or at `any` time. It costs `take_back_points`, and then the
    seat may win by `self_draw` only, after another `riichi` only, or `free` as before. Taken back
    too late, the hand is dead.
    `fever_kind`: the rank whose triplet makes a fever and may not be konged after it (0: none)."""

    played: bool
    least_points: int
    least_draws: int
    third_open: bool
    take_back: Literal["never", "next_discard", "uncalled", "any"]
    take_back_points: int
    after_take_back: Literal["self_draw", "riichi", "free"]
    fever_kind: int


@dataclass(frozen=True, slots=True)
class Gold:
    """Where a gold tile is turned after the flowers: it is laid on the `column` that is the first
    wholly reserved one. `none` where the rule has no gold. `discarder`: who discards gold may then
    win by `self_draw` only, or is `free`; `claims`: what others may do with a gold discarded."""

    turned: Literal["none", "tail"]
    discarder: Literal["self_draw", "free"]
    claims: Literal["none", "all"]


OpeningWin = Literal["heavenly", "three_gold", "child_robbing", "dealer_robbing", "earthly"]


@dataclass(frozen=True, slots=True)
class Opening:
    """Wins before play goes round, the one that beats the others first: the dealer's dealt hand
    (`heavenly`), `three_gold` in a hand, a child that robs the gold with its dealt hand, the dealer
    who does with his first discard, a child that wins on that discard (`earthly`)."""

    wins: tuple[OpeningWin, ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """What is flipped on the wall after a win: `none`, `tulip` or `alice`, from the column beside
    the last open indicator towards the head; `rows`: the upper row only or both; `after`: a win in
    `riichi` only or `any` one that the rule's own condition allows."""

    kind: Literal["none", "tulip", "alice"]
    rows: Literal["upper", "both"]
    after: Literal["riichi", "any"]


@dataclass(frozen=True, slots=True)
class Winning:
    """`together`: most winners on one discard (1: the first counter-clockwise from the discarder).
    `gold_pair_first`: a win with two golds as its pair comes before nearer ones."""

    together: int
    gold_pair_first: bool


Stays = Literal["win", "tenpai", "exhausted", "abort", "void"]
Grows = Literal["win", "tenpai", "exhausted", "abort"]


@dataclass(frozen=True, slots=True)
class GameRule:
    """How a game goes from hand to hand and ends.

    `first_dealer`: `dice` thrown by a temporary dealer, or `agreed`. `dealer_stays`: the dealer
    deals again after his own `win` (one of several is enough), when he is `tenpai` as the wall is
    used up, whenever it is used up (`exhausted`), after an `abort`, after a hand that is `void`;
    else the next seat. `aborts`: a hand can be aborted by a rule (nine kinds, four winds …).
    `void_passes`: a hand that is void by the `dealer`'s fault passes the deal; `void_last`: where
    that would end the game it does, or the last hand is played `again`.
    `repeats`: after which ends the counter of repeats (honba) grows by one: the dealer's `win`,
    `tenpai` of a dealer who stays, any `exhausted` wall, an `abort`; a void hand leaves it, all
    else sets it to 0.

    `rounds`: winds played (1 east, 2 east and south, 0: until people end it). `extend`: with
    nobody at `return_points` after the last, `east` is played on until somebody is. `stop_win`,
    `stop_tenpai`: in the last hand the dealer who won, or was ready, may stop: never (`none`), only
    as the `top`, or `any`. `bust`: the game ends when somebody is `below_zero`, or at `zero` too;
    `bust_void`: who is at fault for a void hand with at most so many points busts (0: none).
    `ties`: equal points are ranked by nearness to the `first_dealer`, or `split` their places.
    `sits_out`: one more player than play takes turns in sitting out.
    """

    first_dealer: Literal["agreed", "dice"]
    dealer_stays: tuple[Stays, ...]
    aborts: bool
    void_passes: Literal["never", "dealer"]
    void_last: Literal["passes", "again"]
    repeats: tuple[Grows, ...]
    rounds: int
    extend: Literal["none", "east"]
    return_points: int
    stop_win: Literal["none", "top", "any"]
    stop_tenpai: Literal["none", "top", "any"]
    bust: Literal["never", "below_zero", "zero"]
    bust_void: int
    ties: Literal["first_dealer", "split"]
    sits_out: bool


@dataclass(frozen=True, slots=True)
class Wareme:
    """割れ目: what the seat at the opened wall pays and receives is taken `factor` times (1: not
    played). `side`: the wall that was really `opened`, the one `counted` by the dice, or that of
    the first `indicator`. An empty chair there is nobody."""

    factor: int
    side: Literal["opened", "counted", "indicator"]


@dataclass(frozen=True, slots=True)
class Score:
    """What people agree on before they pay: the `base` of a hand in points (0: the rule has none),
    the smallest `unit` of points paid, whether a self-draw pays less where one player is missing
    (`tsumo_loss`), whether chips are paid for open hands too, whether the gold dragon exists."""

    base: int
    unit: int
    tsumo_loss: bool
    open_chips: bool
    gold_dragon: bool


@dataclass(frozen=True, slots=True)
class Play:
    """Points at the start (single points) and the game number that people remember for the
    setting (0: nobody said; the number belongs to the machine, not to the rule)."""

    points: int
    table_number: int


@dataclass(frozen=True, slots=True, eq=False)
class Preset:
    """One rule system. `name` is what people type, with its toppings after a `+` each, `base` the
    name without them, `variant` the toppings (`""` for none); `title` what people call it; `digest`
    changes with every value, so that a running game is not changed by a changed file. `needs`:
    abilities of a table that the rule asks for. Two presets are equal only if they are the same
    object; compare the digests for the values."""

    name: str
    base: str
    variant: str
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
    riichi: RiichiRule
    gold: Gold
    opening: Opening
    reveal: Reveal
    winning: Winning
    wareme: Wareme
    score: Score
    game: GameRule
    play: Play
    needs: tuple[str, ...]
    digest: str
    sources: tuple[Sourced, ...] = ()
    statements: tuple[Statement, ...] = ()
    toppings: tuple[Topping, ...] = ()

    @property
    def tile_count(self) -> int:
        return self.tiles.total
