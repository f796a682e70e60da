"""What cannot be true together of the tiles of a preset and of what single kinds do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tablectl.core.clash import MARKED, Clash, Rule, counted
from tablectl.core.collision import added
from tablectl.core.tiles import KIND_OF, KINDS, kinds_in
from tablectl.errors import TablectlError


def kinds_counted(v: Mapping[str, Any]) -> Iterator[Clash]:
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
    total, given = sum(counted(v).values()), v["tiles.total"]
    if total != given:
        rows = [(f"{text} ×{n}", n * len(kinds_in(text))) for text, n in v["tiles.counts"].items()]
        said = f"{abs(total - given)} too {'many' if total > given else 'few'} are counted"
        yield Clash(
            "tiles.total",
            f"the counts make {total} tiles, not {given}",
            "Correct the counts or the total.",
            added(rows, "total", given, said),
        )


def _kinds_there(v: Mapping[str, Any]) -> Iterator[Clash]:
    """Kinds that act when they are turned or are set aside: each once, and among the set's."""
    for path, what in _KINDS.items():
        for kind in dict.fromkeys(v[path]):
            if v[path].count(kind) > 1:
                yield Clash(path, f"{kind} {what} twice", "Name each kind once.")
    there = counted(v)
    for path, what in _KINDS.items():
        for kind in dict.fromkeys(v[path]):
            if KIND_OF[kind] not in there:
                yield Clash(
                    path,
                    f"{kind} {what}, but the set has none",
                    f"Correct {path}, or count it among the tiles.",
                )


def _one_meaning(v: Mapping[str, Any]) -> Iterator[Clash]:
    for kind in dict.fromkeys(v["indicators.itself"]):
        if kind in v["indicators.effect"]:
            yield Clash(
                "indicators.effect",
                f"{kind} makes no dora when it is turned, but it makes itself dora too",
                "Name it in indicators.itself or in indicators.effect.",
            )


def _like_fours(v: Mapping[str, Any]) -> Iterator[Clash]:
    seen: set[str] = set()
    for four in v["calls.like_fours"]:
        twice = [kind for kind in four if kind in seen]
        seen.update(four)
        if twice:
            yield Clash(
                "calls.like_fours",
                f"{', '.join(twice)} counts in two sets of four like flowers",
                "Name each kind in one four.",
            )


_KINDS: Final = {
    "calls.aside": "is set aside",
    "indicators.itself": "makes itself dora",
    "indicators.effect": "acts for everybody",
}

RULES: Final[tuple[Rule, ...]] = (
    _marks,
    _marked_there,
    _total,
    _kinds_there,
    _one_meaning,
    _like_fours,
)
