"""What `tools/soak systems` runs: whole games of every rule at high speed, well and clumsily."""

from __future__ import annotations

import random
from dataclasses import dataclass

AT_ONCE = 5
"""Hands of one evening: at one table, with one seed."""


@dataclass
class Asked:
    """What the command line asked for: `hands` of each rule in each manner; `only` this rule;
    `seed` of the first evening, 0 for any."""

    hands: int = 1000
    only: str = ""
    seed: int = 0


ASKED = Asked()


def systems(seconds: float, keep: bool) -> bool:
    """So many hands of each rule, well and clumsily, over all profiles; with all of them every
    arrow of the charts must have been gone."""
    from support.soaked import CLUMSY, Soaked, all_arrows, arrows, scenes

    from tablectl.core.preset_file import builtin_presets

    seed = ASKED.seed or random.SystemRandom().randrange(2**31)
    print(f"   seed {seed}; again: tools/soak systems --only RULE --seed SEED --hands {AT_ONCE}")
    table, lost = [Soaked.HEAD], []
    with arrows() as gone:
        for base in [ASKED.only] if ASKED.only else builtin_presets():
            for manner, clumsy in (("well", 0.0), ("clumsily", CLUMSY)):
                total, failed = _hands(base, clumsy, seed)
                lost += failed
                table.append(total.line(f"{base} {manner}"))
                print(f"   {base}, {manner}: {total.hands} hands, {total.facts} facts", flush=True)
        scenes()
    for line in table:
        print(f"   {line}")
    missing = sorted(all_arrows() - set(gone))
    print(f"   {len(all_arrows()) - len(missing)} of {len(all_arrows())} arrows were gone")
    for arrow in [] if ASKED.only else missing:
        print(f"   never: {' '.join(arrow)}")
    for failure in lost:
        print(f"   {failure}")
    return not lost and (bool(ASKED.only) or not missing)


def _hands(base: str, clumsy: float, seed: int) -> tuple[object, list[str]]:
    """So many hands of one rule and its toppings, and what went wrong."""
    from support.soaked import Lost, Soaked, evening, names_of

    from tablectl.core.preset_file import find_preset

    books = [find_preset(name) for name in names_of(base)]
    total, lost = Soaked(), []
    played = 0
    while played < ASKED.hands:
        at = seed + played // AT_ONCE
        try:
            total += evening(books[at % len(books)], at, AT_ONCE, clumsy=clumsy)
        except Lost as error:
            lost.append(str(error))
            print(f"   {error}", flush=True)
        played += AT_ONCE
        if played % 200 == 0:
            print(f"   {base}: {played} hands, seeds {seed} to {at}", flush=True)
    return total, lost


RUNS = {"systems": systems}
