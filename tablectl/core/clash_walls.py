"""What cannot be true together of a preset's walls: what stands, stays, is turned, is dealt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tablectl.core.clash import Clash, Rule, called, counted, each, turning
from tablectl.core.collision import Claim, added, end_of_wall, filled, walls_and_tiles, whole
from tablectl.core.wall import Side


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
            walls_and_tiles([Side(n) for n in sides], total),
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
        last = (count + 1) // 2
        lower = f" or lower the replacements to {2 * column - 2}" if column > 1 else ""
        yield Clash(
            "indicators.column",
            f"{count} replacements fill {last} columns from the end, but the first indicator and"
            f" its ura lie in column {column}",
            f"Put it in column {last + 1}{lower}.",
            end_of_wall(
                (_replaced(v), *_indicators(v)),
                range(column, min(last, column + v["indicators.start"] - 1) + 1),
                "both claim it",
            ),
        )


def _indicators_fit(v: Mapping[str, Any]) -> Iterator[Clash]:
    most = v["indicators.start"] + v["calls.kongs"] * turning(v)
    half = v["tiles.total"] // 4
    if v["indicators.start"] and 4 * (v["indicators.column"] - 1 + most) > v["tiles.total"]:
        yield Clash(
            "indicators.column",
            f"{most} indicators from column {v['indicators.column']} on reach beyond half the wall",
            "Lower the column, the indicators or the kongs.",
            end_of_wall(
                _indicators(v, kongs=True),
                range(half + 1, v["indicators.column"] + most),
                f"beyond half of {v['tiles.total'] // 2} columns",
            ),
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
    if turning(v) or v["indicators.ura"]:
        yield Clash(
            "indicators.start",
            "kongs turn indicators or ura count, but none is turned at the start",
            "Turn at least one.",
        )
    if v["wareme.side"] == "indicator" and v["wareme.factor"] > 1:
        yield Clash(
            "wareme.side",
            "wareme goes by the first indicator, but none is turned at the start",
            'Write "opened" or "counted", or turn one.',
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
        asides = called(v)
        if count < kongs + asides:
            yield Clash(
                "replacements.count",
                f"{count} replacements, but {kongs} kongs and {asides} tiles set aside need"
                f" {kongs} + {asides} = {kongs + asides}",
                f'Give {kongs + asides}, or take them from the head: source = "head".',
                end_of_wall(
                    (
                        _replaced(v),
                        filled(f"{kongs} kongs need", kongs),
                        filled(f"{asides} set aside need", asides, kongs),
                    ),
                    range(count // 2 + 1, (kongs + asides + 1) // 2 + 1),
                    "not enough here",
                ),
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
    if v["reserve.policy"] not in ("kept", "shrinking") or not tiles or not start:
        return
    column = v["indicators.column"] - 1 + start
    claims = (_replaced(v), *_indicators(v, kongs=True))
    if tiles < 2 * column:
        yield Clash(
            "reserve.tiles",
            f"a reserve of {tiles} tiles does not reach to the indicator in column {column}",
            f"Keep at least {2 * column}.",
            end_of_wall(
                (*claims, filled(f"reserve of {tiles}", tiles)),
                range(max(tiles // 2, v["indicators.column"] - 1) + 1, column + 1),
                "drawn over",
            ),
        )
    # Each kong turns a column more, two tiles, but takes one tile, so that one more is reserved.
    elif turning(v) and tiles < 2 * column + kongs:
        yield Clash(
            "reserve.tiles",
            f"a reserve of {tiles} tiles does not hold the indicators of {kongs} kongs: tiles would"
            " be drawn over an open one",
            f"Keep at least {2 * column + kongs}, or turn none at a kong.",
            end_of_wall(
                (*claims, filled(f"reserve of {tiles} and {kongs} kongs", tiles + kongs)),
                range((tiles + kongs) // 2 + 1, column + kongs + 1),
                "drawn over",
            ),
        )


def _shrinking(v: Mapping[str, Any]) -> Iterator[Clash]:
    """A shrinking reserve gives every replacement out of itself."""
    tiles, count = v["reserve.tiles"], v["replacements.count"]
    if v["reserve.policy"] != "shrinking":
        return
    if v["replacements.source"] == "head":
        yield Clash(
            "replacements.source",
            "the reserve shrinks with each tile set aside, but replacements come from the head",
            'Take them from the tail, or write policy = "kept".',
        )
    elif 0 < tiles < count and not v["indicators.start"]:
        yield Clash(
            "reserve.tiles",
            f"a reserve of {tiles} tiles, not filled up again, does not hold {count} replacements",
            f"Keep at least {count}.",
            end_of_wall(
                (_replaced(v), filled(f"reserve of {tiles}", tiles)),
                range(tiles // 2 + 1, (count + 1) // 2 + 1),
                "not reserved",
            ),
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
    players = v["players.count"]
    needed = players * each(v) + 1 + stays
    if needed >= v["tiles.total"]:
        yield Clash(
            "dealing.rounds",
            f"{players} hands of {each(v)}, the first draw and {stays} tiles that stay"
            f" make {needed} of {v['tiles.total']} tiles: nothing is left to draw",
            "Deal fewer, or keep fewer.",
            added(
                [
                    (f"{players} hands of {each(v)}", players * each(v)),
                    ("first draw", 1),
                    ("tiles that stay", stays),
                ],
                "set",
                v["tiles.total"],
                "nothing is left to draw",
            ),
        )


def _machine_deals(v: Mapping[str, Any]) -> Iterator[Clash]:
    machine, hand = v["dealing.machine"], each(v)
    if machine and machine not in (hand, hand - 1):
        yield Clash(
            "dealing.machine",
            f"the table deals {machine} tiles, but a hand has {hand}",
            f"Write {hand}, or {hand - 1} where the last one is drawn, or 0.",
        )


RULES: Final[tuple[Rule, ...]] = (
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
    _shrinking,
    _single_tiles,
    _enough_tiles,
    _machine_deals,
)


# ── what is drawn ───────────────────────────────────────────────────────────────────────────────


def _replaced(v: Mapping[str, Any]) -> Claim:
    count, tail = v["replacements.count"], v["replacements.source"] == "tail"
    return filled(f"{count} replacements", count * tail)


def _indicators(v: Mapping[str, Any], *, kongs: bool = False) -> Iterator[Claim]:
    """The columns of the indicators with what lies under them, and of those of the kongs."""
    start, column = v["indicators.start"], v["indicators.column"]
    name = "indicator" if start == 1 else f"{start} indicators"
    yield whole(f"{name} and ura" if v["indicators.ura"] else name, column, start)
    if kongs and turning(v) and v["calls.kongs"]:
        yield whole(f"{v['calls.kongs']} for kongs", column + start, v["calls.kongs"])
