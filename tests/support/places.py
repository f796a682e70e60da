"""Plans of presets as the rules' page gives them: places by their number in drawing order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tablectl.core.geometry import Inputs, Plan, plan
from tablectl.core.preset_file import find_preset
from tablectl.core.wall import Break, Position, Wall, parse_sides, wall_from
from tablectl.errors import TablectlError


def at(name: str, **about: object) -> Plan:
    """A plan of a preset; the dice are 3 and 4, the dealer sits at side 0."""
    return plan(find_preset(name), Inputs(**({"dice": (3, 4)} | about)))  # type: ignore[arg-type]


def ps(positions: Sequence[Position]) -> list[int]:
    return [position.p for position in positions]


def p_of(position: Position | None) -> int | None:
    return None if position is None else position.p


def place(position: Position | None) -> tuple[int, int, str] | None:
    return None if position is None else (position.side, position.column, position.row)


def wall_of(found: Plan) -> Wall:
    sides = parse_sides(",".join(map(str, found.sides)))
    return wall_from(sides, Break(found.break_.side, found.break_.after))


def replacements(name: str, most: int, **about: object) -> list[int | None]:
    return [p_of(at(name, tail=n, **about).replacement) for n in range(most + 1)]


def refusal(name: str, **about: object) -> str:
    with pytest.raises(TablectlError) as caught:
        at(name, **about)
    return caught.value.code
