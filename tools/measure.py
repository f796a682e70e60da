"""What `tools/bench` measures: rates on one core and start-up times, several rounds of each."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

ROUNDS = 5
HANDS = Path(__file__).parent.parent / "tests" / "data" / "hands"


def main(arguments: Sequence[str]) -> int:
    """Run the named measurements, all of them without a name."""
    names = list(arguments) or list(MEASURES)
    unknown = [name for name in names if name not in MEASURES]
    if unknown or "--help" in names:
        print(f"tools/bench [{'|'.join(MEASURES)}]\nExample: tools/bench plan", file=sys.stderr)
        return 2
    for name in names:
        MEASURES[name]()
    return 0


def plan() -> None:
    """Plans and folds of a whole hand a second on one core, as library calls; start-up times."""
    from tablectl.core.fold import fold_all
    from tablectl.core.geometry import Inputs
    from tablectl.core.geometry import plan as plan_of
    from tablectl.core.preset_file import builtin_presets, find_preset
    from tablectl.core.record import read_record
    from tablectl.core.replay import entries_of, replay_hand

    pin()
    rng = random.Random(1)
    for name in builtin_presets():
        rules = find_preset(name)
        asked = [
            Inputs(
                dealer=rng.randrange(rules.players),
                dice=(rng.randint(1, 6), rng.randint(1, 6)),
                head=rng.randint(53, 80),
                tail=rng.randint(0, 4),
            )
            for _ in range(20_000)
        ]
        rate(f"plan {name}", "plans/s", asked, lambda one, rules=rules: plan_of(rules, one))
    for file in sorted(HANDS.glob("*.jsonl")):
        name = file.stem
        rules = find_preset(name)
        lines = file.read_text().splitlines()
        records = [read_record(rules, line) for line in lines]
        histories = [entries_of(rules, record) for record in records]
        facts = sum(map(len, histories)) / len(histories)
        book = {rules.digest: rules}
        rate(
            f"fold {name} ({facts:.0f} facts a hand)",
            "hands/s",
            histories,
            lambda one, book=book: fold_all(book, one),
        )
        rate(f"replay {name}", "hands/s", records, lambda one, r=rules: replay_hand(r, one))
    started()


def wire() -> None:
    """Frames decoded and verified a second on one core, beside other libraries."""
    from measure_wire import contest

    pin()
    contest(ROUNDS, show)


def latency() -> None:
    """From the byte on the line to the commit and to 1, 10, 50 subscribers."""
    import measure_daemon

    measure_daemon.latency()


def tables() -> None:
    """1, 10, 100, 500 tables at ten edges a second: share of a core, delay, memory."""
    import measure_daemon

    measure_daemon.tables()


def line() -> None:
    """A line that is pulled: its cost while it waits, when it is shown, when it is back."""
    import measure_daemon

    measure_daemon.line()


def neighbours() -> None:
    """A table beside a silent one, one that floods and one that sends rubbish: its delay."""
    import measure_neighbours

    measure_neighbours.neighbours()


def started() -> None:
    """Whole processes: a bare interpreter, `tablectl --help`, `tablectl plan`."""
    from tablectl.cli.app import EXAMPLE

    bare = process([sys.executable, "-c", ""])
    program = [sys.executable, "-c", "from tablectl.cli import main; main()"]
    for words in (["--help"], ["plan", EXAMPLE, "--dice", "3,4", "--json"]):
        taken = process([*program, *words])
        times = taken / bare
        print(f"tablectl {words[0]:8} {taken * 1000:8.1f} ms, {times:.1f} times a bare interpreter")
    print(f"bare interpreter  {bare * 1000:8.1f} ms")


def pin() -> None:
    """Keep this process on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def rate(name: str, unit: str, asked: Sequence[Any], call: Callable[[Any], object]) -> None:
    """Print how many calls a second."""
    found = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for one in asked:
            call(one)
        found.append(len(asked) / (time.perf_counter() - begun))
    show(name, unit, found)


def show(name: str, unit: str, found: Sequence[float]) -> None:
    """Print the median, the least and the most of some rates."""
    print(f"{name:36} {median(found):12,.0f} {unit} ({min(found):,.0f} to {max(found):,.0f})")


def process(command: list[str]) -> float:
    """Median seconds of a whole process."""
    found = []
    for _ in range(2 * ROUNDS + 1):
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found.append(time.perf_counter() - begun)
    return median(found)


MEASURES = {
    "plan": plan,
    "wire": wire,
    "latency": latency,
    "tables": tables,
    "line": line,
    "neighbours": neighbours,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
