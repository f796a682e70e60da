"""`tablectl demo`: what is asked of it. What it shows is in `stage`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tablectl.cli.ending import until_ended
from tablectl.errors import DONE, NO, TablectlError, declare

if TYPE_CHECKING:
    from tablectl.core.preset import Preset

declare(
    "cli.no_hand",
    "there is no hand {hand} in {file}: it has {found}",
    "Number the hands from 0 (--hand).",
)
SPEED: Final = declare(
    "cli.speed",
    "speed {speed} is none",
    "Give the table's seconds for each second, from 0.1 to 1000, as in --speed 4.",
)
STACKS: Final = declare(
    "cli.stacks",
    "the simulated table {model} stacks {can} tiles only, and {preset} has {tiles}",
    "Take another table (--model presence), or a rule that it can stack.",
    status=NO,
)


def run(
    preset: str,
    *,
    model: str,
    seed: int | None,
    speed: float,
    hands: int,
    clumsy: float,
    file: str | None,
    hand: int,
    port: int,
    as_json: bool,
) -> int:
    """Play and follow until the hands are over or Ctrl-C. Raises TablectlError for what cannot be
    read or played."""
    if not 0.1 <= speed <= 1000:
        raise TablectlError(SPEED, speed=speed)
    with until_ended():
        # Here, so that Ctrl-C ends this too as it should.
        from tablectl.cli.stage import played, record_of
        from tablectl.core.preset_file import find_preset

        rules = find_preset(preset)
        _check_model(model, rules)
        records = [] if file is None else [record_of(rules, file, hand)]
        played(
            rules,
            records,
            preset=preset,
            model=model,
            seed=seed,
            speed=speed,
            hands=hands,
            clumsy=clumsy,
            port=port,
            as_json=as_json,
        )
    return DONE


def _check_model(model: str, rules: Preset) -> None:
    """Raises TablectlError `cli.stacks`; what no model is called is told by its line."""
    from tablectl.people.raising import can_stack
    from tablesim.model import MODELS

    found = MODELS.get(model)
    if found is None or can_stack(found, rules):
        return
    can = " or ".join(str(n) for n in sorted({one.tiles for one in found.numbers}))
    raise TablectlError(STACKS, model=model, can=can, preset=rules.name, tiles=rules.tile_count)
