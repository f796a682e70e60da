"""The fuzzer of everything that reads the wire on the host's side; `tools/soak fuzz-wire` runs it.

Arguments are libFuzzer's: a folder for the corpus, -max_total_time=600 and so on.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for folder in ("tests", "hardware", ""):
    sys.path.insert(0, str(ROOT / folder))

import atheris  # noqa: E402

with atheris.instrument_imports(include=["protocols", "tablectl.link", "cobs"]):
    from support.fuzzed import exercise

if __name__ == "__main__":
    atheris.Setup(sys.argv, exercise)
    atheris.Fuzz()
