"""What `tools/soak` runs: the same as in the tests, for much longer. Every run prints its seed."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
for folder in ("tests", "hardware", ""):
    sys.path.insert(0, str(ROOT / folder))

import soaking_daemon  # noqa: E402
import soaking_systems  # noqa: E402

DATA = ROOT / "tests" / "data"
NOISE_MB = 100
MOST_ALLOCATED = 64 * 1024
KEPT = 256
"""Bytes of the longest input that becomes a test."""
PRESSES = 300
"""Random presses of one simulated machine, of which there are as many as the time allows."""
EXAMPLES = 100
KILLS = 200
KILLED = ("presence", "reader", "stock", "stock+counts")


def main(arguments: list[str]) -> int:
    """Run what was asked for; 1 if anything was found."""
    parser = argparse.ArgumentParser(
        prog="tools/soak",
        description="The long runs.",
        epilog="Example: tools/soak fuzz-wire noise --minutes 10",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RUNS))
    parser.add_argument(
        "--minutes", type=float, default=10, help="of each run (not of noise, kills)"
    )
    parser.add_argument(
        "--keep", action="store_true", help="the fuzzers' corpus becomes the test's"
    )
    systems = soaking_systems.ASKED
    parser.add_argument(
        "--hands", type=int, default=systems.hands, help="of each rule and manner (of systems)"
    )
    parser.add_argument("--only", default="", metavar="RULE", help="this rule alone (of systems)")
    parser.add_argument("--seed", type=int, default=0, help="the first one (of systems)")
    asked = parser.parse_args(arguments)
    systems.hands, systems.only, systems.seed = asked.hands, asked.only, asked.seed
    unknown = [name for name in asked.names if name not in RUNS]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(RUNS)}")
    failed = []
    for name in asked.names or list(RUNS):
        print(f"== {name}", flush=True)
        begun = time.monotonic()
        if not RUNS[name](asked.minutes * 60, asked.keep):
            failed.append(name)
        print(f"   {time.monotonic() - begun:.0f} s", flush=True)
    for name in failed:
        print(f"FAILED {name}")
    return 1 if failed else 0


# ── fuzzing ─────────────────────────────────────────────────────────────────────────────────────


def fuzz_wire(seconds: float, keep: bool) -> bool:
    """atheris on everything that reads the wire on the host's side."""
    from support.vectors import vectors

    from protocols import catalog
    from protocols.frame import decode

    seeds = []
    for vector in vectors("messages"):
        frame = decode(bytes.fromhex(vector["hex"])[1:-1])
        catalog.decode(frame)
        head = bytes((len(frame.body), frame.version, frame.type))
        seeds += [bytes((how,)) + head + frame.body for how in (0x01, 0x81)]
    command = [sys.executable, str(ROOT / "tools" / "fuzz_wire.py")]
    return _fuzz(command, seeds, DATA / "corpus-wire.txt", seconds, keep, 600)


def fuzz_board(seconds: float, keep: bool) -> bool:
    """libFuzzer on the board in C, with address and undefined-behaviour sanitizers."""
    if shutil.which(os.environ.get("CLANG", "clang")) is None:
        print("   clang is missing (Debian: clang libclang-rt-14-dev); nothing was run")
        return False
    with TemporaryDirectory() as folder:
        make = ["make", "-s", "-C", str(ROOT / "hardware" / "boards"), "fuzz", f"OUT={folder}"]
        subprocess.run(make, check=True)
        program = [str(Path(folder) / "fuzz")]
        return _fuzz(program, [], DATA / "corpus-board.txt", seconds, keep, 2000)


def _fuzz(
    command: list[str], seeds: list[bytes], corpus: Path, seconds: float, keep: bool, longest: int
) -> bool:
    """Run a libFuzzer program on a corpus of one hexadecimal input a line, and shrink it after."""
    if corpus.exists():
        seeds = seeds + [bytes.fromhex(line) for line in corpus.read_text().split()]
    with TemporaryDirectory() as folder:
        found, merged = Path(folder) / "found", Path(folder) / "merged"
        found.mkdir()
        merged.mkdir()
        for n, seed in enumerate(seeds):
            (found / f"seed-{n}").write_bytes(seed)
        seed = random.SystemRandom().randrange(1, 2**31)
        print(f"   seed {seed}", flush=True)
        options = [f"-max_total_time={round(seconds)}", f"-max_len={longest}", f"-seed={seed}"]
        done = subprocess.run(
            [*command, str(found), *options, f"-artifact_prefix={ROOT / 'build'}/", "-verbosity=0",
             "-print_final_stats=1"],
            check=False,
        )  # fmt: skip
        if done.returncode:
            print(f"   found something; the input that shows it is in {ROOT / 'build'}")
            return False
        # What adds no coverage is left out; atheris cannot do that, and leaves all it found.
        subprocess.run(
            [*command, "-merge=1", "-verbosity=0", str(merged), str(found)],
            check=False,
            stderr=subprocess.DEVNULL,
        )
        left = [
            path.read_bytes() for path in (merged if any(merged.iterdir()) else found).iterdir()
        ]
        inputs = sorted(
            {one for one in left if 0 < len(one) <= KEPT}, key=lambda one: (len(one), one)
        )
        print(f"   corpus: {len(left)} inputs, {len(inputs)} of them short enough to be kept")
        if keep:
            corpus.write_text("".join(f"{one.hex()}\n" for one in inputs))
    return True


# ── noise, presses, lossy lines ─────────────────────────────────────────────────────────────────


def noise(seconds: float, keep: bool) -> bool:
    """100 MB of noise, some of which looks like frames: how much is held and allocated."""
    from support.noise import noise_of

    from protocols.deframer import Deframer
    from protocols.frame import MOST_ENCODED, Frame, encode

    seed = random.SystemRandom().randrange(2**31)
    print(f"   seed {seed}")
    rng = random.Random(seed)
    last = Frame(1, 0x10, b"\x34\x12")
    deframer, fed, held = Deframer(), 0, 0
    tracemalloc.start()
    highest = 0
    while fed < NOISE_MB * 2**20:
        piece = noise_of(rng, 4096)
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        for _ in deframer.feed(piece):
            pass
        highest = max(highest, tracemalloc.get_traced_memory()[1] - before)
        held = max(held, deframer.held)
        fed += len(piece)
        if fed % (10 * 2**20) < len(piece):
            print(
                f"   {fed // 2**20} MB, at most {held} bytes held, {highest} allocated", flush=True
            )
    tracemalloc.stop()
    found = list(deframer.feed(b"\0" + encode(last)))
    return held <= MOST_ENCODED and highest < MOST_ALLOCATED and found[-1:] == [last]


def presses(seconds: float, keep: bool) -> bool:
    """Simulated machines pressed at random, followed on the chart of the core."""
    from support.wander import wander

    seed = random.SystemRandom().randrange(2**31)
    begun, machines, taken = time.monotonic(), 0, Counter[str]()
    while time.monotonic() - begun < seconds:
        taken += wander(seed + machines, PRESSES)
        machines += 1
        if machines % 200 == 0:
            print(f"   {machines * PRESSES} presses, seeds from {seed}", flush=True)
    print(f"   {machines * PRESSES} presses, {sum(taken.values())} arrows: {dict(taken)}")
    return True


def lossy(seconds: float, keep: bool) -> bool:
    """Host and board over a bad line, all three boards in turn."""
    import importlib.util

    import hypothesis
    from hypothesis.stateful import run_state_machine_as_test

    path = ROOT / "tests" / "link" / "test_lossy_line.py"
    spec = importlib.util.spec_from_file_location("lossy_line", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    settings = hypothesis.settings(
        max_examples=EXAMPLES,
        stateful_step_count=50,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    begun, rounds = time.monotonic(), 0
    seed = random.SystemRandom().randrange(2**31)
    while time.monotonic() - begun < seconds:
        for machine in (module.Lossy, module.LossyTable, module.LossyBoard):
            print(f"   {machine.__name__}, {EXAMPLES} evenings, seed {seed + rounds}", flush=True)
            seeded = hypothesis.seed(seed + rounds)(type(machine.__name__, (machine,), {}))
            run_state_machine_as_test(seeded, settings=settings)
        rounds += 1
    return True


# ── kills ───────────────────────────────────────────────────────────────────────────────────────


def kills(seconds: float, keep: bool) -> bool:
    """A daemon killed at random instants while people play, KILLS times in all, on tables that see
    everything, faces too, or little. However long that takes."""
    import asyncio

    from support.killed_evening import evening

    seed = random.SystemRandom().randrange(2**31)
    print(f"   seed {seed}", flush=True)
    total = Counter[str]()
    for n, model in enumerate(KILLED):
        print(f"   {model}, seed {seed + n}", flush=True)

        def progress(counted: Counter[str]) -> None:
            if counted["kills"] % 10 == 0:
                print(f"   {dict(counted)}", flush=True)

        with TemporaryDirectory() as folder:
            rounds = KILLS // len(KILLED)
            total += asyncio.run(
                evening(Path(folder), seed + n, rounds, model=model, each=progress)
            )
    print(f"   in all {dict(total)}")
    return total["kills"] == KILLS


RUNS: dict[str, Callable[[float, bool], bool]] = {
    "fuzz-wire": fuzz_wire,
    "fuzz-board": fuzz_board,
    "noise": noise,
    "presses": presses,
    "lossy": lossy,
    "kills": kills,
    **soaking_daemon.RUNS,
    **soaking_systems.RUNS,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
