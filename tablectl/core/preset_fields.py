"""The one table of all values of a preset file: what each means and what is allowed in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tablectl.core.preset import Source
from tablectl.core.tiles import KIND_OF, is_code

REQUIRED: Final = object()
"""As a default: the value must be given."""

PLAIN_KEYS: Final = ("schema", "name", "title", "about")
"""Keys at the top of a file, plain text (`schema` a number) without a source."""

SOURCES: Final[tuple[Source, ...]] = ("seed", "convention", "chosen")
SCHEMA: Final = 1
STAYS: Final = ("win", "tenpai", "exhausted", "abort", "void")
"""Ends of a hand after which a dealer can deal again."""
GROWS: Final = ("win", "tenpai", "exhausted", "abort")
"""Ends of a hand after which the counter of repeats can grow."""
OPENING: Final = ("heavenly", "three_gold", "child_robbing", "dealer_robbing", "earthly")
NEEDS: Final = (
    "dice",
    "counts_at_raise",
    "counts_live",
    "presence_live",
    "faces_when_shown",
    "faces_when_stacked",
    "points",
    "riichi_tray",
    "auto_deal",
    "select_number",
    "press_buttons",
)
"""Abilities of a table that a rule can ask for."""
TOPICS: Final = ("tiles", "walls", "deal", "turn", "riichi", "win", "reveal", "game", "conduct")
"""What a statement of a rule can be about, in the order in which people are told."""
FOURS: Final = [["1f", "2f", "3f", "4f"], ["5f", "6f", "7f", "8f"]]
"""The four seasons and the four plants."""


@dataclass(frozen=True, slots=True)
class Field:
    """One value: `allowed` says in words what may stand there, `fits` checks it, `words` are the
    right ones to guess from; `default` is taken where the value may be left out."""

    section: str
    name: str
    allowed: str
    fits: Callable[[Any], bool]
    meaning: str
    default: Any = REQUIRED
    words: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return f"{self.section}.{self.name}"


def whole(least: int, most: int) -> tuple[str, Callable[[Any], bool]]:
    def fits(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

    return f"a whole number from {least} to {most}", fits


def _words(*words: str) -> tuple[str, Callable[[Any], bool]]:
    return f"one of {', '.join(words)}", lambda value: isinstance(value, str) and value in words


def _list(
    least: int, most: int, low: int, high: int, what: str
) -> tuple[str, Callable[[Any], bool]]:
    _, one = whole(low, high)

    def fits(value: Any) -> bool:
        return isinstance(value, list) and least <= len(value) <= most and all(map(one, value))

    return f"a list of {what}", fits


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _kinds(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) and v in KIND_OF for v in value)


def _claims(value: Any) -> bool:
    return value in ([], ["pon"], ["ron"], ["pon", "ron"], ["ron", "pon"])


def _fours(value: Any) -> bool:
    return isinstance(value, list) and all(_kinds(four) and len(set(four)) == 4 for four in value)


def _counts(value: Any) -> bool:
    _, one = whole(1, 16)
    return isinstance(value, dict) and bool(value) and all(one(n) for n in value.values())


def _marked(value: Any) -> bool:
    if value == {}:
        return True
    return _counts(value) and all(is_code(code) and len(code) == 3 for code in value)


def _word_field(
    section: str, name: str, words: tuple[str, ...], meaning: str, default: Any = REQUIRED
) -> Field:
    return Field(section, name, *_words(*words), meaning, default, words)


def _int_field(
    section: str, name: str, least: int, most: int, meaning: str, default: Any = REQUIRED
) -> Field:
    return Field(section, name, *whole(least, most), meaning, default)


def _words_field(
    section: str, name: str, words: tuple[str, ...], meaning: str, default: Any = REQUIRED
) -> Field:
    def fits(value: Any) -> bool:
        return (
            isinstance(value, list)
            and all(isinstance(word, str) and word in words for word in value)
            and len(set(value)) == len(value)
        )

    allowed = f"a list of {', '.join(words)}, each once"
    return Field(section, name, allowed, fits, meaning, default, words)


_BOOL = ("true or false", _is_bool)
_TIMES = ("never", "at_once", "after_discard")
_MARKED = ("a table of marked tiles and how many there are, as { 5mr = 1 }", _marked)

FIELDS: Final = (
    _int_field("players", "count", 2, 4, "how many play"),
    Field(
        "tiles", "counts", "a table of kinds and how many there are of each, as { 1m-9m = 4 }",
        _counts, "the tiles of a set, marked ones among them",
    ),
    _int_field("tiles", "total", 20, 200, "how many tiles that makes"),
    Field("tiles", "red", *_MARKED, "red tiles among them", {}),
    Field("tiles", "gold", *_MARKED, "gold tiles among them", {}),
    Field("tiles", "galaxy", *_MARKED, "galaxy tiles among them", {}),
    Field("tiles", "white_diamond", *_MARKED, "white diamonds among them", {}),
    Field(
        "walls", "four", *_list(4, 4, 1, 60, "four lengths in columns, sides 0 to 3"),
        "columns of each side where four walls stand",
    ),
    Field(
        "walls", "three", *_list(4, 4, 0, 60, "four lengths in columns, one of them 0"),
        "columns where no wall stands before the empty chair", None,
    ),
    _word_field("walls", "stand", ("four", "three"), "which of the two comes up", "four"),
    _int_field("break", "dice", 1, 4, "dice thrown at once", 2),
    _int_field("break", "throws", 1, 2, "throws: one for wall and columns, or one for each", 1),
    _word_field(
        "break", "second", ("alone", "total"),
        "with two throws: whether the columns are the second sum alone or both sums", "alone",
    ),
    _word_field(
        "break", "count", ("walls", "sides", "seats"),
        "what is counted from the dealer: the walls that stand, all four sides, or the players",
    ),
    Field(
        "dealing", "rounds", *_list(1, 6, 1, 8, "one to six numbers of tiles, 1 to 8"),
        "tiles that each seat takes in each round before the single ones",
    ),
    _word_field(
        "dealing", "last", ("sequence", "adjacent", "skip", "none"),
        "how the last single tiles are taken",
    ),
    _word_field(
        "dealing", "first_draw", ("dealt", "drawn"),
        "whether the dealer takes the first tile with the deal or draws it",
    ),
    _int_field("dealing", "machine", 0, 20, "tiles of a hand where the table deals (0: never)", 0),
    _word_field(
        "reserve", "policy", ("kept", "shrinking", "neighbour", "growing"),
        "what stays: always as many tiles, fewer with each tile set aside, only the indicators'"
        " end, or more with each kong",
    ),
    _int_field("reserve", "tiles", 0, 80, "tiles kept", 0),
    _int_field("reserve", "open_kong", 0, 4, "more of them for an open kong", 0),
    _int_field("reserve", "concealed_kong", 0, 4, "more of them for a concealed kong", 0),
    _int_field("reserve", "flower_quad", 0, 4, "more of them for four like flowers", 0),
    _int_field("reserve", "final", 0, 20, "usable tiles with which the last draws begin", 0),
    Field(
        "reserve", "gold_counts", *_BOOL, "whether the gold on the reserve is one of its tiles",
        False,
    ),
    _word_field(
        "reserve", "marker", ("reserved", "boundary"),
        "where the gold lies: on the outermost column wholly reserved, or on that of the boundary",
        "reserved",
    ),
    _word_field(
        "reserve", "final_flower", ("kept", "replaced"), "a flower drawn among the last draws",
        "kept",
    ),
    _int_field("replacements", "count", 0, 60, "replacement tiles (0: while tiles are usable)"),
    _word_field("replacements", "source", ("tail", "head"), "where they are taken", "tail"),
    _word_field(
        "replacements", "first", ("upper", "lower"), "which tile of a column is first", "upper"
    ),
    _int_field("indicators", "start", 0, 6, "indicators turned with the deal"),
    _int_field("indicators", "column", 1, 40, "column of the first, counted from the end", 1),
    Field("indicators", "ura", *_BOOL, "whether the tiles under them count for riichi", False),
    Field(
        "indicators", "kong_ura", *_BOOL, "whether the tiles under the ones of kongs count too",
        True,
    ),
    Field(
        "indicators", "itself", "a list of kinds, as [\"4z\"]", _kinds,
        "kinds that are dora themselves when they are turned", [],
    ),
    Field(
        "indicators", "effect", "a list of kinds, as [\"1f\"]", _kinds,
        "kinds that make no dora when they are turned and act for everybody", [],
    ),
    _word_field("indicators", "open_kong", _TIMES, "when an open kong turns one", "never"),
    _word_field("indicators", "concealed_kong", _TIMES, "when a concealed one does", "never"),
    Field("calls", "chi", *_BOOL, "whether chi exists"),
    _int_field("calls", "kongs", 0, 16, "most kongs in a hand", 4),
    _word_field(
        "calls", "kong_unturned", ("refused", "allowed"),
        "a kong whose indicator cannot be turned any more", "allowed",
    ),
    Field(
        "calls", "aside", "a list of kinds, as [\"4z\"]", _kinds,
        "kinds that are set aside and replaced", [],
    ),
    Field(
        "calls", "aside_claims", "a list of pon and ron, or []", _claims,
        "what others may claim of a tile set aside", [], ("pon", "ron"),
    ),
    Field(
        "calls", "aside_river", *_BOOL, "whether kinds that are set aside may be discarded too",
        True,
    ),
    Field(
        "calls", "like_fours", "a list of lists of four kinds", _fours,
        "four different kinds that count as four like flowers", FOURS,
    ),
    _word_field(
        "calls", "rob_concealed", ("none", "kokushi", "any"),
        "what may win on the tile of a concealed kong", "kokushi",
    ),
    _word_field(
        "calls", "final_claims", ("ron", "all"),
        "what may be claimed of a discard as the last draws begin", "ron",
    ),
    Field("calls", "open_riichi", *_BOOL, "whether open riichi exists", False),
    Field("calls", "fever", *_BOOL, "whether fever riichi exists", False),
    Field("riichi", "played", *_BOOL, "whether riichi exists", True),
    _int_field("riichi", "least_points", 0, 100_000, "points that a seat needs (0: none)", 0),
    _int_field("riichi", "least_draws", 0, 20, "tiles that must be left to draw (0: none)", 0),
    Field("riichi", "third_open", *_BOOL, "whether the third riichi must be open", False),
    _word_field(
        "riichi", "take_back", ("never", "next_discard", "uncalled", "any"),
        "until when it can be taken back: the next discard, as long as its discard is uncalled",
        "any",
    ),
    _int_field(
        "riichi", "take_back_points", 0, 100_000, "points laid on the table for taking it back", 0
    ),
    _word_field(
        "riichi", "after_take_back", ("self_draw", "riichi", "free"),
        "how one may win afterwards", "free",
    ),
    _int_field(
        "riichi", "fever_kind", 0, 9, "rank whose triplet makes a fever, no kong of it (0: none)",
        0,
    ),
    _word_field("gold", "turned", ("none", "tail"), "where a gold tile is turned", "none"),
    _word_field(
        "gold", "discarder", ("self_draw", "free"), "how one who discarded gold may win",
        "self_draw",
    ),
    _word_field(
        "gold", "claims", ("none", "all"), "what others may do with a gold discarded", "none"
    ),
    _words_field(
        "opening", "wins", OPENING, "wins before play goes round, the one that beats others first",
        [],
    ),
    _word_field(
        "reveal", "kind", ("none", "tulip", "alice"), "what is flipped after a win", "none"
    ),
    _word_field("reveal", "rows", ("upper", "both"), "which rows are flipped", "upper"),
    _word_field("reveal", "after", ("riichi", "any"), "after which wins", "any"),
    _int_field("winning", "together", 1, 3, "most winners on one discard"),
    Field(
        "winning", "gold_pair_first", *_BOOL,
        "whether two golds as the pair come before nearer winners", False,
    ),
    _int_field("wareme", "factor", 1, 4, "times that the seat at the opened wall counts", 1),
    _word_field(
        "wareme", "side", ("opened", "counted", "indicator"), "which wall is meant", "opened"
    ),
    _int_field("score", "base", 0, 100, "points of a hand agreed on (0: the rule has none)", 0),
    _int_field("score", "unit", 1, 1000, "smallest points that are paid", 100),
    Field(
        "score", "tsumo_loss", *_BOOL, "whether a self-draw pays less with one player missing", True
    ),
    Field("score", "open_chips", *_BOOL, "whether chips are paid for open hands too", False),
    Field("score", "gold_dragon", *_BOOL, "whether the gold dragon is played", False),
    _word_field(
        "game", "first_dealer", ("agreed", "dice"),
        "who deals first: agreed, or by the dice of a temporary dealer", "agreed",
    ),
    _words_field(
        "game", "dealer_stays", STAYS, "after which ends of a hand the dealer deals again",
        ["win", "tenpai", "abort", "void"],
    ),
    Field("game", "aborts", *_BOOL, "whether there are hands aborted by a rule", True),
    _word_field(
        "game", "void_passes", ("never", "dealer"),
        "whether a hand void by the dealer's fault passes the deal", "never",
    ),
    _word_field(
        "game", "void_last", ("passes", "again"),
        "the last hand, void by the dealer's fault: it ends the game, or is played again", "passes",
    ),
    _words_field(
        "game", "repeats", GROWS, "after which ends the counter of repeats grows",
        ["win", "exhausted", "abort"],
    ),
    _int_field("game", "rounds", 0, 4, "winds played (0: until people end it)", 0),
    _word_field(
        "game", "extend", ("none", "east"),
        "after the last hand, with nobody at the points of the end: it ends, or east goes on",
        "none",
    ),
    _int_field("game", "return_points", 0, 1_000_000, "points that are counted from at the end", 0),
    _word_field(
        "game", "stop_win", ("none", "top", "any"),
        "whether the dealer may stop after winning the last hand", "none",
    ),
    _word_field(
        "game", "stop_tenpai", ("none", "top", "any"),
        "whether the dealer may stop when ready in the last hand", "none",
    ),
    _word_field(
        "game", "bust", ("never", "below_zero", "zero"), "with what points the game ends", "never"
    ),
    _int_field(
        "game", "bust_void", 0, 1_000_000,
        "points with which one at fault for a void hand busts (0: none)", 0,
    ),
    _word_field(
        "game", "ties", ("first_dealer", "split"), "how equal points are ranked", "first_dealer"
    ),
    Field("game", "sits_out", *_BOOL, "whether players take turns in sitting out", False),
    _int_field("play", "points", 0, 1_000_000, "points at the start"),
    _int_field("play", "table_number", 0, 999, "the number people remember (0: none)", 0),
    _words_field("table", "needs", NEEDS, "abilities that the rule asks of a table", []),
)  # fmt: skip

BY_PATH: Final = {field.path: field for field in FIELDS}
SECTIONS: Final = tuple(dict.fromkeys(field.section for field in FIELDS))
