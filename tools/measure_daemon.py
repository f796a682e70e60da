"""What `tools/bench latency|tables|line` measures: the daemon with boards and subscribers, each a
process of its own (tools/measure_parts.py). Times in ms, shares of one core."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

SUBSCRIBERS: Final = (1, 10, 50)
TABLES: Final = (1, 10, 100, 500)
SECONDS: Final = 20.0
BETWEEN_EDGES: Final = {"latency": 0.05, "tables": 0.1}
PULLS: Final = 30
ABSENT: Final = 10.0
"""Seconds for which the cost of an absent line is measured."""
BUSY: Final = 0.8
"""Share of a core from which on a process is no measure of another."""
SHOWN_WITHIN, READY_WITHIN, MOST_ABSENT = 1000.0, 2000.0, 0.05

Found = dict[str, Any]


def latency() -> None:
    """From the byte on the line to the commit and to each subscriber."""
    print("latency, one table on a pseudo-terminal, 20 edges a second, ms:")
    print(f"{'subscribers':>11} {'committed':>22} {'at subscribers':>22}")
    for number in SUBSCRIBERS:
        with _parlour(1, "pty", BETWEEN_EDGES["latency"], api=True) as (boards, daemon):
            ready = daemon.heard()
            listeners = _Part(
                "subscribers", number=number, port=ready["port"], table=ready["tables"][0]
            )
            with listeners:
                listeners.heard()
                parts = (listeners, daemon, boards)
                _for(SECONDS, parts)
                told = boards.ask("stop")
                time.sleep(1)
                share, kept = daemon.ask("stop"), daemon.heard()
                heard = listeners.ask("stop")
                at = _happened(told)
                begun = {
                    seq: at[id, key] for id, key, seq, _ in kept["committed"] if (id, key) in at
                }
                commit = _delays(kept, at)
                shown = [t - begun[seq] for seq, t in heard["heard"] if seq in begun]
                print(f"{number:11} {_spread(commit):>22} {_spread(shown):>22}", end="")
                print(f"   {len(at)} edges, {len(shown)} messages; ", end="")
                print(_shares(boards=told, daemon=share, subscribers=heard))
                assert len(shown) == number * len(commit)
    print("median / 99th percentile")


def tables(numbers: Sequence[int] = TABLES, *, profile: bool = False) -> None:
    """Many tables at ten edges a second each, with the journal on a disk."""
    print("tables at ten edges a second each, journal on, ms:")
    print(f"{'tables':>6} {'edges/s':>8} {'core':>6} {'loop':>5} {'to the commit':>22}", end="")
    print(f" {'memory a table':>15}")
    for number in numbers:
        every = BETWEEN_EDGES["tables"]
        with _parlour(number, "shared", every, profile=profile) as (boards, daemon):
            ready = daemon.heard()
            _for(SECONDS, (daemon, boards))
            share = daemon.ask("stop")
            kept, told = daemon.heard(), boards.ask("stop")
            at = _happened(told)
            commit = _delays(kept, at)
            rate = len(commit) / share["took"]
            each = (share["memory"] - ready["empty"]) / number / 1024
            print(f"{number:6} {rate:8.0f} {share['share']:6.1%} {share['busy']:5.0%}", end="")
            print(f" {_spread(commit):>22}", end="")
            print(f" {each:11.0f} KiB   {_shares(boards=told, daemon=share)}", end="")
            print(f"; {kept['lost']} times edges were lost" if kept["lost"] else "", flush=True)
    print("median / 99th percentile; loop: how much of the time it had something to do")


def line() -> None:
    """A line that is pulled: its cost while it waits, when it is shown, when it is back."""
    for kind in ("pty", "tcp"):
        with _parlour(1, kind, 1.0, stages=True) as (boards, daemon):
            while "port" not in daemon.heard():
                pass
            shown, back = [], []
            rng = random.Random(1)
            for _ in range(PULLS):
                pulled = boards.ask("unplug")["at"]
                shown.append(daemon.until("absent") - pulled)
                time.sleep(rng.uniform(0.2, 2.5))
                plugged = boards.ask("plug")["at"]
                back.append(daemon.until("ready") - plugged)
            boards.ask("unplug")
            daemon.until("absent")
            daemon.tell("go")
            time.sleep(ABSENT)
            share = daemon.ask("share")["share"]
        print(f"line ({kind}), pulled {PULLS} times, ms, median and worst:")
        _aim("  shown as absent after", shown, SHOWN_WITHIN)
        _aim("  READY after its return", back, READY_WITHIN)
        verdict = "reached" if share < MOST_ABSENT else "missed"
        print(f"  core while it is absent {share:.2%}, aim {MOST_ABSENT:.0%}: aim {verdict}")


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


class _Part:
    """A process of measure_parts."""

    def __init__(self, name: str, **wanted: Any) -> None:
        program = Path(__file__).with_name("measure_parts.py")
        self._process = subprocess.Popen(
            [sys.executable, str(program), name, json.dumps(wanted)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> _Part:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            if error[0] is None:
                self.tell("end")
                self._process.wait(30)
        finally:
            self._process.kill()
            self._process.communicate()

    def tell(self, word: str) -> None:
        """Say a word to it."""
        assert self._process.stdin is not None
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()

    def heard(self) -> Found:
        """The next thing that it says."""
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said:
            raise SystemExit(f"{self._process.args[2]} ended: see above")  # type: ignore[index]
        found: Found = json.loads(said)
        return found

    def ask(self, word: str) -> Found:
        """Say a word and give what is said to it."""
        self.tell(word)
        return self.heard()

    def until(self, stage: str) -> int:
        """When it says that its line has come to this stage."""
        while (said := self.heard()).get("stage") != stage:
            pass
        at: int = said["at"]
        return at


@contextmanager
def _parlour(number: int, kind: str, every: float, **wanted: Any) -> Iterator[tuple[_Part, _Part]]:
    """Boards and a daemon on them, which is about to say that it is ready."""
    with ExitStack() as stack:
        state = stack.enter_context(TemporaryDirectory())
        boards = stack.enter_context(_Part("boards", tables=number, kind=kind, every=every))
        urls = boards.heard()["urls"]
        about = {"stages": False, "urls": urls, "state": state} | wanted
        yield boards, stack.enter_context(_Part("daemon", **about))


def _for(seconds: float, parts: Sequence[_Part]) -> None:
    for part in parts:
        part.tell("go")
    time.sleep(seconds)


def _delays(kept: Found, at: Mapping[tuple[str, str], int]) -> list[int]:
    return [t - at[id, key] for id, key, _, t in kept["committed"] if (id, key) in at]


def _happened(told: Found) -> Mapping[tuple[str, str], int]:
    """When each edge was written, by its table and the key of its fact."""
    return {
        (uid, f"b:{told['boot']}:{edge}"): at
        for uid, edges in told["happened"].items()
        for edge, at in edges
    }


def _spread(found: Sequence[int]) -> str:
    """Median and 99th percentile in ms of times in ns."""
    if not found:
        return "none"
    late = sorted(found)[min(len(found) - 1, len(found) * 99 // 100)]
    return f"{median(found) / 1e6:.2f} / {late / 1e6:.2f}"


def _shares(**parts: Found) -> str:
    """What each process used; and which of them had not enough."""
    told = ", ".join(f"{name} {part['share']:.0%}" for name, part in parts.items())
    busy = [name for name, one in parts.items() if max(one["share"], one.get("busy", 0)) > BUSY]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{told} of {cores} cores" + (f"; {', '.join(busy)}: at the limit" if busy else "")


def _aim(what: str, found: Sequence[int], aim: float) -> None:
    worst = max(found) / 1e6
    verdict = "reached" if worst < aim else "missed"
    print(f"{what} {median(found) / 1e6:8.1f} {worst:8.1f}, aim {aim:.0f}: aim {verdict}")
