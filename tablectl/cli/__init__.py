"""The command line: what people type. Imports core; heavy libraries are imported where used."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from tablectl.cli.app import app
from tablectl.errors import UNREADABLE, TablectlError, declare

INTERRUPTED = 130

declare("cli.usage", "{why}", "`{command} --help` shows how it is called, with an example.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit status: 0 done, 1 the answer is no, 2 the call or
    its input could not be read. Errors go to standard error, as JSON where `--json` was asked."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_status(given))


def _status(given: list[str]) -> int:
    as_json = "--json" in given
    try:
        found = app(given, prog_name="tablectl", standalone_mode=False)
        sys.stdout.flush()
    except TablectlError as error:
        return report(error, as_json=as_json)
    except TyperException as error:
        why = str(getattr(error, "message", "")) or str(error)
        if type(error).__name__ == "NoArgsIsHelpError":
            print(why)
            return UNREADABLE
        command = "tablectl" + (f" {given[0]}" if given and given[0] in _commands() else "")
        usage = TablectlError("cli.usage", why=why.rstrip("."), command=command)
        return report(usage, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our lines has enough of them; what is still buffered must not fail again.
        sys.stdout = None
        return 0
    return found if isinstance(found, int) else 0


def report(error: TablectlError, *, as_json: bool) -> int:
    """Print one error to standard error; its exit status."""
    if as_json:
        print(json.dumps({"error": error.as_json()}, ensure_ascii=False), file=sys.stderr)
    else:
        print("\n".join(error.lines()), file=sys.stderr)
    return error.status


def _commands() -> list[str]:
    return [c.callback.__name__ for c in app.registered_commands if c.callback is not None]
