"""What cannot be true together in the values of a preset, each allowed by itself.

Every rule is a function of its own, so that a value that could not be read leaves out only the
rules that need it and all mistakes of a file are told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from tablectl.core.tiles import KIND_OF, KINDS, kinds_in
from tablectl.errors import TablectlError

Values = dict[str, Any]
"""Values of a preset by path, `section.name`."""

MARKED: Final = {
    "tiles.red": "r",
    "tiles.gold": "g",
    "tiles.galaxy": "x",
    "tiles.white_diamond": "d",
}


class Clash(NamedTuple):
    """Values that cannot be together: where to look, why, what to do."""

    path: str
    why: str
    remedy: str


def clashes(values: Mapping[str, Any]) -> list[Clash]:
    """Everything in these values that cannot be true together.

    A value that could not be read is left out of `values`; what depends on it is not looked at.
    """
    given = _Given(values)
    found = _of(_kinds_counted, given)
    if found:
        given.pop("tiles.counts")
    for rule in _RULES:
        found += _of(rule, given)
    return found


def counted(values: Mapping[str, Any]) -> dict[int, int]:
    """How many tiles of each kind there are, marked ones among them."""
    return {kind: n for text, n in values["tiles.counts"].items() for kind in kinds_in(text)}


class _Unread(Exception):
    """A rule asked for a value that could not be read."""


class _Given(dict[str, Any]):
    def __missing__(self, path: str) -> Any:
        raise _Unread(path)


_Rule = Callable[[Mapping[str, Any]], Iterator[Clash]]


def _of(rule: _Rule, given: _Given) -> list[Clash]:
    found: list[Clash] = []
    try:
        for clash in rule(given):
            found.append(clash)
    except _Unread:
        pass
    return found


def _kinds_counted(v: Mapping[str, Any]) -> Iterator[Clash]:
    seen: set[int] = set()
    for text in v["tiles.counts"]:
        try:
            kinds = kinds_in(text)
        except TablectlError as error:
            yield Clash("tiles.counts", error.message, error.hint)
            continue
        twice = [KINDS[kind] for kind in kinds if kind in seen]
        seen.update(kinds)
        if twice:
            yield Clash(
                "tiles.counts",
                f"'{text}' counts {', '.join(twice)} a second time",
                "Name each kind once.",
            )


def _marks(v: Mapping[str, Any]) -> Iterator[Clash]:
    for path, mark in MARKED.items():
        for code in v[path]:
            if code[2:] != mark:
                right = f"{code[:2]}{mark}"
                name = path.removeprefix("tiles.").replace("_", " ")
                yield Clash(path, f"{code} is not {name}", f"Write {right}.")


def _marked_there(v: Mapping[str, Any]) -> Iterator[Clash]:
    counts = counted(v)
    marked: dict[str, int] = {}
    for path in MARKED:
        for code, n in v[path].items():
            kind = code[:2]
            before, there = marked.get(kind, 0), counts.get(KIND_OF[kind], 0)
            marked[kind] = before + n
            if before <= there < before + n:
                yield Clash(
                    path,
                    f"{before + n} tiles {kind} are marked, but there are {there}",
                    "Marked tiles are among those counted: mark fewer or count more.",
                )


def _total(v: Mapping[str, Any]) -> Iterator[Clash]:
    total = sum(counted(v).values())
    if total != v["tiles.total"]:
        yield Clash(
            "tiles.total",
            f"the counts make {total} tiles, not {v['tiles.total']}",
            "Correct the counts or the total.",
        )


def _hold_all(v: Mapping[str, Any], path: str) -> Iterator[Clash]:
    sides, total = v[path], v["tiles.total"]
    # Where the total itself is wrong, walls that hold what is counted are not called wrong too.
    right = (total, sum(counted(v).values())) if "tiles.counts" in v else (total,)
    if sides is not None and 2 * sum(sides) not in right:
        yield Clash(
            path,
            f"walls of {', '.join(map(str, sides))} columns hold {2 * sum(sides)} tiles,"
            f" not {total}",
            f"{total} tiles are {total / 2:g} columns of two.",
        )


def _three_walls(v: Mapping[str, Any]) -> Iterator[Clash]:
    three = v["walls.three"]
    if three is not None and three.count(0) != 1:
        yield Clash(
            "walls.three",
            f"three walls stand, but {three.count(0)} sides have 0 columns",
            "Write 0 for the one side before the empty chair.",
        )
    if three is not None and v["players.count"] == 4:
        yield Clash(
            "walls.three", "four play, but one would sit without a wall", "Leave walls.three out."
        )


def _standing(v: Mapping[str, Any]) -> Iterator[Clash]:
    if v["walls.stand"] == "three" and v["walls.three"] is None:
        yield Clash("walls.stand", "three walls stand, but they are not given", "Give walls.three.")
    if v["walls.stand"] == "three" and v["break.count"] == "sides":
        yield Clash(
            "break.count",
            "all four sides are counted, but one has no wall",
            "Count walls or seats, or let four walls stand.",
        )


def _indicators_behind_replacements(v: Mapping[str, Any]) -> Iterator[Clash]:
    column, count = v["indicators.column"], v["replacements.count"]
    tail = v["replacements.source"] == "tail"
    if v["indicators.start"] and 2 * (column - 1) < count and tail:
        filled = (count + 1) // 2
        lower = f" or lower the replacements to {2 * column - 2}" if column > 1 else ""
        yield Clash(
            "indicators.column",
            f"{count} replacements fill {filled} columns from the end, but the first indicator and"
            f" its ura lie in column {column}",
            f"Put it in column {filled + 1}{lower}.",
        )


def _indicators_fit(v: Mapping[str, Any]) -> Iterator[Clash]:
    most = v["indicators.start"] + v["calls.kongs"] * _turning(v)
    if v["indicators.start"] and 4 * (v["indicators.column"] - 1 + most) > v["tiles.total"]:
        yield Clash(
            "indicators.column",
            f"{most} indicators from column {v['indicators.column']} on reach beyond half the wall",
            "Lower the column, the indicators or the kongs.",
        )


def _indicators_wanted(v: Mapping[str, Any]) -> Iterator[Clash]:
    if v["indicators.start"]:
        if v["reserve.policy"] == "growing":
            yield Clash(
                "indicators.start",
                "a growing reserve has no indicators",
                "Write 0, or keep a reserve.",
            )
        return
    if _turning(v) or v["indicators.ura"]:
        yield Clash(
            "indicators.start",
            "kongs turn indicators or ura count, but none is turned at the start",
            "Turn at least one.",
        )
    if v["reserve.policy"] == "neighbour":
        yield Clash(
            "indicators.start",
            "tiles are drawn up to the indicator, but none is turned",
            "Turn at least one.",
        )


def _replacements(v: Mapping[str, Any]) -> Iterator[Clash]:
    count, kongs = v["replacements.count"], v["calls.kongs"]
    if v["reserve.policy"] == "growing":
        if count:
            yield Clash(
                "replacements.count",
                "a growing reserve gives replacements as long as tiles are usable",
                "Write 0.",
            )
    elif not count:
        yield Clash(
            "replacements.count",
            "0 replacements are given, but only a growing reserve has no number of them",
            "Give the number of replacements.",
        )
    elif v["replacements.source"] == "tail":
        called = _called(v)
        if count < kongs + called:
            yield Clash(
                "replacements.count",
                f"{count} replacements, but {kongs} kongs and {called} tiles set aside need"
                f" {kongs} + {called} = {kongs + called}",
                f'Give {kongs + called}, or take them from the head: source = "head".',
            )


def _growth(v: Mapping[str, Any]) -> Iterator[Clash]:
    paths = ("reserve.open_kong", "reserve.concealed_kong", "reserve.flower_quad")
    growing = v["reserve.policy"] == "growing"
    if growing and not any(v[path] for path in paths):
        yield Clash(
            "reserve.policy",
            "the reserve grows, but nothing is added to it",
            "Give open_kong, concealed_kong or flower_quad, or keep a reserve.",
        )
    # What is declared with more than `final` usable tiles takes one and adds its growth.
    most = 1 + max(v[path] for path in paths)
    if growing and v["reserve.final"] < most:
        yield Clash(
            "reserve.final",
            f"the last draws begin with {v['reserve.final']} usable tiles, but a kong or four like"
            f" flowers just before take {most}",
            f"Give at least {most}.",
        )
    for path in (*paths, "reserve.final"):
        if not growing and v[path]:
            yield Clash(
                path,
                f"{path} is {v[path]}, but the reserve does not grow",
                'Leave it out, or write policy = "growing".',
            )


def _reserve_given(v: Mapping[str, Any]) -> Iterator[Clash]:
    neighbour, tiles = v["reserve.policy"] == "neighbour", v["reserve.tiles"]
    if neighbour and tiles:
        yield Clash(
            "reserve.tiles",
            f"{tiles} tiles are kept, but everything up to the indicator's neighbour is drawn",
            'Leave it out, or write policy = "kept".',
        )
    if not neighbour and not tiles:
        yield Clash("reserve.tiles", "no tiles are kept in the reserve", "Give how many.")


def _reserve_holds_indicators(v: Mapping[str, Any]) -> Iterator[Clash]:
    tiles, start, kongs = v["reserve.tiles"], v["indicators.start"], v["calls.kongs"]
    if v["reserve.policy"] != "kept" or not tiles or not start:
        return
    column = v["indicators.column"] - 1 + start
    if tiles < 2 * column:
        yield Clash(
            "reserve.tiles",
            f"a reserve of {tiles} tiles does not reach to the indicator in column {column}",
            f"Keep at least {2 * column}.",
        )
    # Each kong turns a column more, two tiles, but takes one tile, so that one more is reserved.
    elif _turning(v) and tiles < 2 * column + kongs:
        yield Clash(
            "reserve.tiles",
            f"a reserve of {tiles} tiles does not hold the indicators of {kongs} kongs: tiles would"
            " be drawn over an open one",
            f"Keep at least {2 * column + kongs}, or turn none at a kong.",
        )


def _gold(v: Mapping[str, Any]) -> Iterator[Clash]:
    growing = v["reserve.policy"] == "growing"
    if (v["gold.turned"] != "none") != growing:
        yield Clash(
            "gold.turned",
            "a gold is turned where the reserve grows, and only there",
            'Write "tail" with a growing reserve, else "none".',
        )


def _single_tiles(v: Mapping[str, Any]) -> Iterator[Clash]:
    jumps = v["dealing.last"] in ("adjacent", "skip")
    if jumps and v["players.count"] == 3 and sum(v["dealing.rounds"]) % 2:
        yield Clash(
            "dealing.last",
            f"after {sum(v['dealing.rounds'])} tiles each the single ones do not begin with an"
            " upper tile",
            'Write "sequence".',
        )


def _enough_tiles(v: Mapping[str, Any]) -> Iterator[Clash]:
    stays = v["reserve.tiles"]
    if v["reserve.policy"] == "neighbour":
        stays = 2 * (v["indicators.column"] - 1 + v["indicators.start"])
    needed = v["players.count"] * _each(v) + 1 + stays
    if needed >= v["tiles.total"]:
        yield Clash(
            "dealing.rounds",
            f"{v['players.count']} hands of {_each(v)}, the first draw and {stays} tiles that stay"
            f" make {needed} of {v['tiles.total']} tiles: nothing is left to draw",
            "Deal fewer, or keep fewer.",
        )


def _machine_deals(v: Mapping[str, Any]) -> Iterator[Clash]:
    machine, each = v["dealing.machine"], _each(v)
    if machine and machine not in (each, each - 1):
        yield Clash(
            "dealing.machine",
            f"the table deals {machine} tiles, but a hand has {each}",
            f"Write {each}, or {each - 1} where the last one is drawn, or 0.",
        )


def _aside(v: Mapping[str, Any]) -> Iterator[Clash]:
    kinds = v["calls.aside"]
    for kind in dict.fromkeys(kinds):
        if kinds.count(kind) > 1:
            yield Clash("calls.aside", f"{kind} is set aside twice", "Name each kind once.")
        if KIND_OF[kind] not in counted(v):
            yield Clash(
                "calls.aside",
                f"{kind} is set aside, but the set has none",
                "Correct the kinds set aside, or count it among the tiles.",
            )


def _claims(v: Mapping[str, Any]) -> Iterator[Clash]:
    if v["calls.aside_claims"] and not v["calls.aside"]:
        yield Clash(
            "calls.aside_claims",
            "tiles set aside can be claimed, but none is set aside",
            "Name the kinds in calls.aside, or write [].",
        )


def _dealer_stays(v: Mapping[str, Any]) -> Iterator[Clash]:
    if {"exhausted", "tenpai"} <= set(v["game.dealer_stays"]):
        yield Clash(
            "game.dealer_stays",
            "the dealer stays whenever the wall is used up, so it does not matter who is tenpai",
            'Leave out "exhausted" or "tenpai".',
        )


_RULES: Final[tuple[_Rule, ...]] = (
    _marks,
    _marked_there,
    _total,
    lambda v: _hold_all(v, "walls.four"),
    lambda v: _hold_all(v, "walls.three"),
    _three_walls,
    _standing,
    _indicators_behind_replacements,
    _indicators_fit,
    _indicators_wanted,
    _replacements,
    _growth,
    _reserve_given,
    _reserve_holds_indicators,
    _gold,
    _single_tiles,
    _enough_tiles,
    _machine_deals,
    _aside,
    _claims,
    _dealer_stays,
)  # each skipped by itself where a value that it needs could not be read


def _each(v: Mapping[str, Any]) -> int:
    rounds: list[int] = v["dealing.rounds"]
    return sum(rounds) + int(v["dealing.last"] != "none")


def _turning(v: Mapping[str, Any]) -> bool:
    return (v["indicators.open_kong"], v["indicators.concealed_kong"]) != ("never", "never")


def _called(v: Mapping[str, Any]) -> int:
    counts = counted(v)
    return sum(counts.get(KIND_OF[kind], 0) for kind in v["calls.aside"])
