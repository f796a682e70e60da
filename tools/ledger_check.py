"""What `tools/ledger` prints, and its check; `support` is found where `tools/ledger` says."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from support import ledger
from support.ledger import CLASSES, TESTED, Row


def main(arguments: list[str]) -> int:
    asked = _asked(arguments)
    rows = [row for row in ledger.ledger().values() if row.kind in (asked.classes or CLASSES)]
    shown = [row for row in rows if row.waiting] if asked.waiting else rows
    missing = {row.id: ledger.missing(row) for row in rows} if asked.check else {}
    _table(shown, missing, checked=asked.check)
    _counts(rows, missing, checked=asked.check)
    return 1 if any(missing.values()) else 0


def _asked(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/ledger", description="The statements of the rule texts and their tests."
    )
    parser.add_argument("classes", nargs="*", type=_class, metavar="CLASS")
    parser.add_argument("--check", action="store_true", help="break what each row names")
    parser.add_argument("--waiting", action="store_true", help="only rows that are not done")
    return parser.parse_args(arguments)


def _class(text: str) -> str:
    if text.upper() not in CLASSES:
        raise argparse.ArgumentTypeError(f"{text} is none of {', '.join(CLASSES)}")
    return text.upper()


def _table(rows: list[Row], missing: dict[str, list[str]], *, checked: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("row", "class", "what it says", "where it is made true", "test", ""):
        table.add_column(title, overflow="fold")
    for row in rows:
        tests = ", ".join(test.__name__ for test in ledger.carried().get(row.id, ()))
        told = [row.id, row.kind, row.says, row.where, tests, _mark(row, missing, checked=checked)]
        table.add_row(*map(Text, told))
        for why in missing.get(row.id, ()):
            table.add_row("", "", Text(why, style="red"))
    wide = sys.stdout.isatty()
    Console(width=None if wide else 200, highlight=False).print(table)


def _mark(row: Row, missing: dict[str, list[str]], *, checked: bool) -> str:
    if row.waiting:
        return "waits"
    if row.later:
        return "later"
    if not checked:
        return ""
    return "missing" if missing[row.id] else "checked"


def _counts(rows: list[Row], missing: dict[str, list[str]], *, checked: bool) -> None:
    """Each class in a line."""
    print()
    for kind in CLASSES:
        own = [row for row in rows if row.kind == kind]
        if not own:
            continue
        marks = Counter(_mark(row, missing, checked=checked) or "done" for row in own)
        tested = sum(bool(ledger.carried().get(row.id)) for row in own)
        said = ", ".join(f"{n} {mark}" for mark, n in sorted(marks.items()))
        tests = f"; {tested} with a test" if kind in TESTED else ""
        print(f"{kind:9} {len(own):4} rows: {said}{tests}")
    print(f"{'all':9} {len(rows):4} rows")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
