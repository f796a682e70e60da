"""What `tools/bench neighbours` measures: a table's delay beside three bad ones under one daemon.

One neighbour is silent, one floods, one sends rubbish, each a `tablesim` process on TCP.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from measure_daemon import _delays, _for, _happened, _Part, _shares

ROOT: Final = Path(__file__).resolve().parent.parent
BAD: Final = ("silent", "flood", "rubbish")
AMOUNT: Final = 100
"""Kilobytes each 100 ms: a hundred times what a serial line brings."""
EVERY: Final = 0.05
"""Seconds between two edges of the good table."""
SECONDS: Final = 20.0


def neighbours() -> None:
    """From the byte on the line to the commit, alone and beside each and all of them."""
    print("delay to the commit of one table at 20 edges a second, ms, median and worst:")
    for bad in ((), *((name,) for name in BAD), BAD):
        _measure(bad)


def _measure(bad: Sequence[str]) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        boards = stack.enter_context(_Part("boards", tables=1, kind="tcp", every=EVERY))
        urls = boards.heard()["urls"]
        urls += [stack.enter_context(_bad_table(name, folder)) for name in bad]
        about = {"stages": False, "urls": urls, "good": 1, "state": str(folder / "state")}
        daemon = stack.enter_context(_Part("daemon", **about))
        daemon.heard()
        _for(SECONDS, (daemon, boards))
        told = boards.ask("stop")
        share, kept = daemon.ask("stop"), daemon.heard()
        at = _happened(told)
        delays = [delay / 1e6 for delay in _delays(kept, at)]
        name = "alone" if not bad else f"beside {', '.join(bad)}"
        print(f"  {name:32} {median(delays):8.2f} {max(delays):8.2f}", end="")
        print(f"   {len(delays)} of {len(at)} edges; {_shares(boards=told, daemon=share)}")


@contextmanager
def _bad_table(name: str, folder: Path) -> Iterator[str]:
    """A simulated table with this fault; gives its address."""
    file = folder / f"{name}.toml"
    file.write_text(f'[[fault]]\nname = "{name}"\namount = {AMOUNT}\n')
    program = [sys.executable, "-m", "tablesim.cli", "--tcp", "0", "--model", "presence"]
    path = os.pathsep.join([str(ROOT / "hardware"), str(ROOT)])
    process = subprocess.Popen(
        [*program, "--faults", str(file), "--name", name, "--json"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    try:
        assert process.stdout is not None
        yield str(json.loads(process.stdout.readline())["address"])
    finally:
        process.kill()
        process.communicate()
