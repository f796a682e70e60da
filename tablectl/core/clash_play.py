"""What cannot be true together of how a preset is played: calls, riichi, gold, the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from tablectl.core.clash import Clash, Rule
from tablectl.core.preset_fields import BY_PATH


class _Alone(NamedTuple):
    """A value that means something only where the rule has what it speaks of."""

    path: str
    there: Callable[[Mapping[str, Any]], bool]
    lacking: str
    remedy: str


def _has_gold(v: Mapping[str, Any]) -> bool:
    # Where the reserve grows, that the gold is missing is told once, of the gold itself.
    return bool(v["gold.turned"] != "none" or v["reserve.policy"] == "growing")


_GOLD: Final = ("no gold is turned", 'Leave it out, or write gold.turned = "tail".')
_ASIDE: Final = ("none is set aside", "Name the kinds in calls.aside, or leave it out.")
_TAKEN_BACK: Final = (
    "a riichi is never taken back",
    "Leave it out, or say until when in riichi.take_back.",
)
_LAST: Final = ("the game has no last hand", "Leave it out, or give game.rounds.")

_ALONE: Final = (
    *(
        _Alone(path, _has_gold, *_GOLD)
        for path in (
            "opening.wins",
            "gold.discarder",
            "gold.claims",
            "reserve.gold_counts",
            "reserve.marker",
            "reserve.final_flower",
            "score.gold_dragon",
            "winning.gold_pair_first",
        )
    ),
    _Alone("calls.aside_claims", lambda v: bool(v["calls.aside"]), *_ASIDE),
    _Alone("calls.aside_river", lambda v: bool(v["calls.aside"]), *_ASIDE),
    _Alone(
        "riichi.fever_kind",
        lambda v: bool(v["calls.fever"]),
        "the rule has no fever",
        "Leave it out, or write calls.fever = true.",
    ),
    _Alone(
        "riichi.third_open",
        lambda v: bool(v["calls.open_riichi"]),
        "the rule has no open riichi",
        "Leave it out, or write calls.open_riichi = true.",
    ),
    _Alone("riichi.take_back_points", lambda v: v["riichi.take_back"] != "never", *_TAKEN_BACK),
    _Alone("riichi.after_take_back", lambda v: v["riichi.take_back"] != "never", *_TAKEN_BACK),
    _Alone("game.stop_win", lambda v: v["game.rounds"] > 0, *_LAST),
    _Alone("game.stop_tenpai", lambda v: v["game.rounds"] > 0, *_LAST),
)


def _alone(one: _Alone) -> Rule:
    def rule(v: Mapping[str, Any]) -> Iterator[Clash]:
        if v[one.path] != BY_PATH[one.path].default and not one.there(v):
            yield Clash(one.path, f"{one.path} is given, but {one.lacking}", one.remedy)

    return rule


def _gold(v: Mapping[str, Any]) -> Iterator[Clash]:
    growing = v["reserve.policy"] == "growing"
    if (v["gold.turned"] != "none") != growing:
        yield Clash(
            "gold.turned",
            "a gold is turned where the reserve grows, and only there",
            'Write "tail" with a growing reserve, else "none".',
        )


def _dealer_stays(v: Mapping[str, Any]) -> Iterator[Clash]:
    if {"exhausted", "tenpai"} <= set(v["game.dealer_stays"]):
        yield Clash(
            "game.dealer_stays",
            "the dealer stays whenever the wall is used up, so it does not matter who is tenpai",
            'Leave out "exhausted" or "tenpai".',
        )


def _repeats(v: Mapping[str, Any]) -> Iterator[Clash]:
    if {"exhausted", "tenpai"} <= set(v["game.repeats"]):
        yield Clash(
            "game.repeats",
            "repeats grow whenever the wall is used up, so it does not matter who is tenpai",
            'Leave out "exhausted" or "tenpai".',
        )


def _aborts(v: Mapping[str, Any]) -> Iterator[Clash]:
    for path in ("game.dealer_stays", "game.repeats"):
        if "abort" in v[path] and not v["game.aborts"]:
            yield Clash(
                path,
                f"{path} speaks of hands that are aborted, but game.aborts says there are none",
                'Leave out "abort", or leave game.aborts out.',
            )


def _extended(v: Mapping[str, Any]) -> Iterator[Clash]:
    for path, what in (("game.return_points", "points"), ("game.rounds", "winds")):
        if v["game.extend"] != "none" and not v[path]:
            yield Clash(
                "game.extend",
                f"east is played on after the last hand, but {path} gives no {what}",
                f"Give {path}, or leave game.extend out.",
            )


RULES: Final[tuple[Rule, ...]] = (
    _gold,
    *map(_alone, _ALONE),
    _dealer_stays,
    _repeats,
    _aborts,
    _extended,
)
