"""What `tools/soak` runs with a whole daemon: evenings, records, every profile, clumsy people."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
PTY = 0.0005
CLUMSY_HANDS = 1000
AT_ONCE = 10
MODELS = ("stock", "stock+counts", "presence", "reader", "gears", "deaf")


def evenings(seconds: float, keep: bool) -> bool:
    """Seeds 1 to 20: every state against the machine, `tablectl plan`, a walk and the line."""
    from support.clockwork import run
    from support.evenings import check, evening

    from tablectl.cli.app import EXAMPLE

    for seed in range(1, 21):
        with TemporaryDirectory() as folder:
            work = evening(Path(folder), "presence", EXAMPLE, seed, hands=2, thorough=seed % 2 == 0)
            found = run(work)
        checked = check(found)
        ends = ", ".join(hand.end for hand in found.hands)
        print(f"   seed {seed}: {checked} ({ends})", flush=True)
    return True


def records(seconds: float, keep: bool) -> bool:
    """Every recorded hand, on the reader profile, through a pseudo-terminal and the daemon."""
    from support.clockwork import run
    from support.evenings import RECORDED, evening, recorded, same_as_recorded

    shared = _shared()
    for file in RECORDED:
        rules, hands = recorded(shared, file)
        taps = 0
        for at in range(0, len(hands), AT_ONCE):
            some = hands[at : at + AT_ONCE]
            with TemporaryDirectory() as folder:
                line = Path(folder) / "line"
                work = evening(
                    Path(folder), "reader", rules.name, 1, records=some, line=line, faces=True
                )
                found = run(work, PTY)
            same_as_recorded(found, some)
            taps += sum(hand.taps for hand in found.hands)
            print(f"   {file}: {at + len(some)} of {len(hands)}, {taps} taps", flush=True)
    return True


def profiles(seconds: float, keep: bool) -> bool:
    """Some recorded hands on every profile: the taps that each needs, the same State in the end."""
    from support.clockwork import run
    from support.evenings import RECORDED, by_hand, evening, known_to_all, recorded

    rules, hands = recorded(_shared(), next(iter(RECORDED)))
    good = True
    for n, hand in enumerate(random.Random(1).sample(hands, 5)):
        taps, known = {}, []
        for model in MODELS:
            with TemporaryDirectory() as folder:
                work = evening(Path(folder), model, rules.name, n, records=[hand], touches=0.0)
                found = run(work)
            taps[model] = found.hands[0].taps
            known.append(known_to_all(rules, found.states[0]))
        with TemporaryDirectory() as folder:
            found = run(by_hand(Path(folder), rules.name, n, records=[hand], touches=0.0))
        taps["manual:"] = found.hands[0].taps
        known.append(known_to_all(rules, found.states[0]))
        with TemporaryDirectory() as folder:
            found = run(evening(Path(folder), "autodeal", rules.name, n, touches=0.0))
        taps["autodeal (a hand of its own)"] = found.hands[0].taps
        same = all(one == known[0] for one in known)
        good &= same
        alike = "the same State on all" if same else f"DIFFERENT States: {known}"
        print(f"   {len(hand.events)} events: {json.dumps(taps)}; {alike}", flush=True)
    return good


def clumsy(seconds: float, keep: bool) -> bool:
    """1,000 hands of people who forget, tap twice and tap wrong, 5 % each."""
    from support.clockwork import run
    from support.evenings import closed_rightly, evening

    from tablectl.core.preset_file import builtin_presets

    seed = random.SystemRandom().randrange(2**31)
    played, ends, corrections, odd, true = 0, Counter[str](), 0, 0, 0
    while played < CLUMSY_HANDS:
        rng = random.Random(seed + played)
        model = rng.choice(MODELS)
        rule = rng.choice(builtin_presets())
        with TemporaryDirectory() as folder:
            work = evening(
                Path(folder), model, rule, seed + played, hands=AT_ONCE, clumsy=0.05,
                thorough=rng.random() < 0.3,
            )  # fmt: skip
            found = run(work)
        try:
            true += closed_rightly(found)
        except AssertionError as error:
            print(f"   seed {seed + played}, {model}, {rule}: {error}")
            return False
        for hand in found.hands:
            ends[hand.end] += 1
            corrections += hand.corrections
            odd += len(hand.odd)
        played += AT_ONCE
        if played % 50 == 0:
            print(f"   {played} hands, seeds from {seed}: {dict(ends)}", flush=True)
    print(f"   {played} hands: {dict(ends)}; {corrections} corrections, {odd} odd taps")
    print(f"   {true} of them are shown as they were played")
    return True


def _shared() -> Path:
    named = os.environ.get("TABLECTL_SHARED")
    shared = Path(named) if named else ROOT.parent / "shared"
    if not shared.is_dir():
        raise SystemExit("TABLECTL_SHARED names no folder with data/hands")
    return shared


RUNS: dict[str, Callable[[float, bool], bool]] = {
    "evenings": evenings,
    "records": records,
    "profiles": profiles,
    "clumsy": clumsy,
}
