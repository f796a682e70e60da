"""`tablectl demo`: what is asked of it. What it shows is in `stage`."""

from __future__ import annotations

from typing import Final

from tablectl.cli.ending import until_ended
from tablectl.errors import DONE, TablectlError, declare

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
