"""What cannot be true together in the values of a preset, each allowed by itself.

Every rule is a function of its own, so that a value that could not be read leaves out only the
rules that need it and all mistakes of a file are told at once. They stand in `clash_tiles`,
`clash_walls` and `clash_play`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tablectl.core import clash_play, clash_tiles, clash_walls
from tablectl.core.clash import MARKED, Clash, Rule, Values, counted

__all__ = ["MARKED", "Clash", "Values", "clashes", "counted"]

_RULES: Final[tuple[Rule, ...]] = (*clash_tiles.RULES, *clash_walls.RULES, *clash_play.RULES)


def clashes(values: Mapping[str, Any]) -> list[Clash]:
    """Everything in these values that cannot be true together.

    A value that could not be read is left out of `values`; what depends on it is not looked at.
    """
    given = _Given(values)
    found = _of(clash_tiles.kinds_counted, given)
    if found:
        given.pop("tiles.counts")
    for rule in _RULES:
        found += _of(rule, given)
    return found


class _Unread(Exception):
    """A rule asked for a value that could not be read."""


class _Given(dict[str, Any]):
    def __missing__(self, path: str) -> Any:
        raise _Unread(path)


def _of(rule: Rule, given: _Given) -> list[Clash]:
    found: list[Clash] = []
    try:
        for clash in rule(given):
            found.append(clash)
    except _Unread:
        pass
    return found
