"""From checked single values to a `Preset`: what clashes between them, and the values themselves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from tablectl.core.preset import (
    Breaking,
    Calls,
    Dealing,
    Gold,
    Indicators,
    Play,
    Preset,
    Replacements,
    Reserve,
    Reveal,
    Sourced,
    Walls,
    Winning,
)
from tablectl.core.tiles import KIND_OF, KINDS, Multiset, Tile, kinds_in, parse_tile
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
    """Everything in these values, each allowed by itself, that cannot be true together."""
    found = list(_tiles(values))
    if found:
        return found
    return [*_walls(values), *_ends(values), *_dealing(values), *_calls(values)]


def build(top: Mapping[str, str], values: Mapping[str, Any], sources: tuple[Sourced, ...]) -> Preset:
    """The preset of values that do not clash."""
    v = values
    canonical = json.dumps({"name": top["name"], **values}, sort_keys=True, ensure_ascii=False)
    return Preset(
        name=top["name"],
        title=top["title"],
        about=top.get("about", ""),
        players=v["players.count"],
        tiles=_multiset(values),
        walls=Walls(
            tuple(v["walls.four"]),
            None if v["walls.three"] is None else tuple(v["walls.three"]),
            v["walls.stand"],
        ),
        breaking=Breaking(v["break.dice"], v["break.throws"], v["break.second"], v["break.count"]),
        dealing=Dealing(
            tuple(v["dealing.rounds"]),
            v["dealing.last"],
            v["dealing.first_draw"],
            v["dealing.machine"],
        ),
        reserve=Reserve(
            v["reserve.policy"],
            v["reserve.tiles"],
            v["reserve.open_kong"],
            v["reserve.concealed_kong"],
            v["reserve.flower_quad"],
            v["reserve.final"],
        ),
        replacements=Replacements(
            v["replacements.count"], v["replacements.source"], v["replacements.first"]
        ),
        indicators=Indicators(
            v["indicators.start"],
            v["indicators.column"],
            v["indicators.ura"],
            v["indicators.open_kong"],
            v["indicators.concealed_kong"],
        ),
        calls=Calls(
            v["calls.chi"],
            v["calls.kongs"],
            v["calls.kong_unturned"],
            tuple(v["calls.aside"]),
            tuple(v["calls.aside_claims"]),
            v["calls.open_riichi"],
            v["calls.fever"],
        ),
        gold=Gold(v["gold.turned"]),
        reveal=Reveal(v["reveal.kind"], v["reveal.rows"]),
        winning=Winning(v["winning.together"]),
        play=Play(v["play.points"], v["play.table_number"]),
        digest=hashlib.sha256(canonical.encode()).hexdigest()[:16],
        sources=sources,
    )


# ── what clashes ────────────────────────────────────────────────────────────────────────────────


def _tiles(v: Mapping[str, Any]) -> Iterator[Clash]:
    counts: dict[int, int] = {}
    for text, n in v["tiles.counts"].items():
        try:
            kinds = kinds_in(text)
        except TablectlError as error:
            yield Clash("tiles.counts", error.message, error.hint)
            continue
        for kind in kinds:
            if kind in counts:
                yield Clash(
                    "tiles.counts", f"{KINDS[kind]} is counted twice", "Name each kind once."
                )
            counts[kind] = n
    for path, mark in MARKED.items():
        for code, n in v[path].items():
            tile = parse_tile(code)
            assert tile is not None
            if tile.mark != mark:
                yield Clash(path, f"{code} does not carry the mark {mark}", f"Write {code[:2]}{mark}.")
    for kind in sorted(KIND_OF.values()):
        marked = sum(
            n for path in MARKED for code, n in v[path].items() if code[:2] == KINDS[kind]
        )
        if marked > counts.get(kind, 0):
            yield Clash(
                "tiles.counts",
                f"{marked} tiles {KINDS[kind]} are marked, but there are {counts.get(kind, 0)}",
                "Marked tiles are among those counted.",
            )
    total = sum(counts.values())
    if total != v["tiles.total"]:
        yield Clash(
            "tiles.total",
            f"the counts make {total} tiles, not {v['tiles.total']}",
            "Correct the counts or the total.",
        )


def _walls(v: Mapping[str, Any]) -> Iterator[Clash]:
    total = v["tiles.total"]
    for name in ("four", "three"):
        sides = v[f"walls.{name}"]
        if sides is None:
            continue
        made = 2 * sum(sides)
        if made != total:
            yield Clash(
                f"walls.{name}",
                f"walls of {', '.join(map(str, sides))} columns hold {made} tiles, not {total}",
                f"{total} tiles are {total / 2:g} columns of two.",
            )
        if name == "three" and sides.count(0) != 1:
            yield Clash(
                "walls.three",
                f"{sides.count(0)} sides have no wall, where three walls stand",
                "Write 0 for one side.",
            )
    if v["walls.stand"] == "three" and v["walls.three"] is None:
        yield Clash("walls.stand", "three walls stand, but they are not given", "Give walls.three.")
    if v["walls.three"] is not None and v["players.count"] == 4:
        yield Clash(
            "walls.three", "four play, but one would sit without a wall", "Leave walls.three out."
        )
    if v["break.count"] == "sides" and v["walls.stand"] == "three":
        yield Clash(
            "break.count",
            "all four sides are counted, but one has no wall",
            "Count walls or seats, or let four walls stand.",
        )


def _ends(v: Mapping[str, Any]) -> Iterator[Clash]:
    total, start, kongs = v["tiles.total"], v["indicators.start"], v["calls.kongs"]
    column, count = v["indicators.column"], v["replacements.count"]
    growing = v["reserve.policy"] == "growing"
    called = _called(v)
    if start and 2 * (column - 1) < count and v["replacements.source"] == "tail":
        yield Clash(
            "indicators.column",
            f"{count} replacements fill {(count + 1) // 2} columns from the end, but the first"
            f" indicator and its ura lie in column {column}",
            f"Put it in column {(count + 1) // 2 + 1} or lower the replacements to {2 * column - 2}.",
        )
    turning = "never" not in (v["indicators.open_kong"], v["indicators.concealed_kong"])
    most = start + kongs * turning
    if start and 2 * (column - 1 + most) > total // 2:
        yield Clash(
            "indicators.column",
            f"{most} indicators from column {column} on lie beyond half of the wall",
            "Lower the column, the indicators or the kongs.",
        )
    if not start and (turning or v["indicators.ura"]):
        yield Clash(
            "indicators.start", "kongs turn indicators or ura count, but none is turned at the"
            " start", "Turn at least one.",
        )
    if growing != (count == 0):
        yield Clash(
            "replacements.count",
            "a growing reserve gives replacements as long as tiles are usable"
            if growing
            else "0 replacements are given, but only a growing reserve has no number of them",
            "Write 0." if growing else "Give the number of replacements.",
        )
    elif not growing and v["replacements.source"] == "tail" and count < kongs + called:
        yield Clash(
            "replacements.count",
            f"{count} replacements, but {kongs} kongs and {called} tiles set aside need"
            f" {kongs + called}",
            f"Give {kongs + called}, or let them come from the head.",
        )
    if growing and start:
        yield Clash(
            "indicators.start", "a growing reserve has no indicators", "Write 0, or keep a reserve."
        )
    if v["reserve.policy"] == "neighbour" and not start:
        yield Clash(
            "indicators.start",
            "tiles are drawn up to the indicator, but none is turned",
            "Turn at least one.",
        )
    if v["reserve.policy"] != "neighbour" and not v["reserve.tiles"]:
        yield Clash("reserve.tiles", "no tiles are kept in the reserve", "Give how many.")
    if v["reserve.policy"] == "kept" and start and v["reserve.tiles"] < 2 * (column - 1 + start):
        yield Clash(
            "reserve.tiles",
            f"a reserve of {v['reserve.tiles']} tiles does not reach to the indicator in column"
            f" {column - 1 + start}",
            f"Keep at least {2 * (column - 1 + start)}.",
        )
    # Each kong turns a column more, two tiles, but takes one tile, so that one more is reserved.
    needed = 2 * (column - 1 + start) + kongs
    if v["reserve.policy"] == "kept" and start and turning and v["reserve.tiles"] < needed:
        yield Clash(
            "reserve.tiles",
            f"a reserve of {v['reserve.tiles']} tiles does not hold the indicators of {kongs} kongs:"
            " tiles would be drawn over an open one",
            f"Keep at least {needed}, or turn none at a kong.",
        )
    if (v["gold.turned"] != "none") != growing:
        yield Clash(
            "gold.turned",
            "a gold is turned where the reserve grows, and only there",
            'Write "tail" with a growing reserve, else "none".',
        )


def _dealing(v: Mapping[str, Any]) -> Iterator[Clash]:
    players, rounds = v["players.count"], v["dealing.rounds"]
    each = sum(rounds) + (v["dealing.last"] != "none")
    jumps = v["dealing.last"] in ("adjacent", "skip")
    if jumps and players == 3 and sum(rounds) % 2:
        yield Clash(
            "dealing.last",
            f"after {sum(rounds)} tiles each the single ones do not begin with an upper tile",
            'Write "sequence".',
        )
    stays = v["reserve.tiles"]
    if v["reserve.policy"] == "neighbour":
        stays = 2 * (v["indicators.column"] - 1 + v["indicators.start"])
    needed = players * each + 1 + stays
    if needed >= v["tiles.total"]:
        yield Clash(
            "dealing.rounds",
            f"{players} hands of {each}, the first draw and {stays} tiles that stay make"
            f" {needed} of {v['tiles.total']} tiles: nothing is left to draw",
            "Deal fewer, or keep fewer.",
        )
    machine = v["dealing.machine"]
    if machine and machine not in (each, each - 1):
        yield Clash(
            "dealing.machine",
            f"the table deals {machine} tiles, but a hand has {each}",
            f"Write {each}, or {each - 1} where the last one is drawn, or 0.",
        )


def _calls(v: Mapping[str, Any]) -> Iterator[Clash]:
    there = set(_kinds(v))
    for kind in v["calls.aside"]:
        if kind not in there:
            yield Clash(
                "calls.aside", f"{kind} is set aside, but the set has none", "Correct the kinds."
            )
    if len(set(v["calls.aside"])) != len(v["calls.aside"]):
        yield Clash("calls.aside", "a kind is named twice", "Name each kind once.")
    if v["calls.aside_claims"] and not v["calls.aside"]:
        yield Clash(
            "calls.aside_claims",
            "tiles set aside can be claimed, but none is set aside",
            "Name the kinds in calls.aside, or write [].",
        )


# ── tiles ───────────────────────────────────────────────────────────────────────────────────────


def _counts(v: Mapping[str, Any]) -> dict[int, int]:
    return {kind: n for text, n in v["tiles.counts"].items() for kind in kinds_in(text)}


def _kinds(v: Mapping[str, Any]) -> list[str]:
    return [KINDS[kind] for kind in _counts(v)]


def _called(v: Mapping[str, Any]) -> int:
    counts = _counts(v)
    return sum(counts.get(KIND_OF[kind], 0) for kind in v["calls.aside"])


def _multiset(v: Mapping[str, Any]) -> Multiset:
    tiles = {Tile(kind): n for kind, n in _counts(v).items()}
    for path in MARKED:
        for code, n in v[path].items():
            tile = parse_tile(code)
            assert tile is not None
            tiles[tile] = tiles.get(tile, 0) + n
            tiles[Tile(tile.kind)] -= n
    return Multiset(tiles)
