"""`tablectl replay`: recorded hands, or a journal's export, folded hand by hand."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from tablectl.cli.console import FILE
from tablectl.core.preset_file import find_preset
from tablectl.core.replay import replay
from tablectl.errors import DONE, NO, TablectlError


def run(name: str, file: str) -> int:
    """Print a line for each hand; 1 if one is not ok. Raises TablectlError for a line that is no
    hand, after the hands before it."""
    rules = find_preset(name)
    status = DONE
    for report in replay(rules, lines(file)):
        print(json.dumps(report, ensure_ascii=False), flush=True)
        if not report["ok"]:
            status = NO
    return status


def lines(file: str) -> Iterator[str]:
    """The lines of a file or of standard input. Raises `cli.file`."""
    try:
        if file == "-":
            yield from sys.stdin
        else:
            with open(file, encoding="utf-8") as opened:
                yield from opened
    except OSError as error:
        raise TablectlError(FILE, where=file, why=error.strerror) from None
    except UnicodeDecodeError:
        raise TablectlError(FILE, where=file, why="it is not UTF-8 text") from None
