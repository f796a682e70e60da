"""The command line: what people type. Imports core; heavy libraries are imported where used."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from tablectl.cli.app import app
from tablectl.errors import DONE, UNREADABLE, TablectlError, declare

INTERRUPTED = 130
ENDED_BY_PEOPLE = (["watch"], ["demo"], ["run"])
"""Commands that go on until Ctrl-C: that they end so is how they are done."""

declare("cli.usage", "{why}", "`{command} --help` shows how it is called, with an example.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit status: 0 done, 1 the answer is no, 2 the call or
    its input could not be read. Errors go to standard error, as JSON where `--json` was asked."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_status(given))


def _status(given: list[str]) -> int:
    as_json = "--json" in given
    try:
        # Not `app(…)`: it leaves with 1 when the reader of a pipe has gone, which says "no" here.
        command_line = typer.main.get_command(app)
        with command_line.make_context("tablectl", list(given)) as context:
            command_line.invoke(context)
        return _flushed(DONE)
    except TablectlError as error:
        return report(error, as_json=as_json)
    except typer.Exit as leaving:
        return _flushed(leaving.exit_code)
    except TyperException as error:
        # Only the formatted message names the option or argument that is meant.
        formatted = getattr(error, "format_message", None)
        why = str(formatted() if formatted is not None else error)
        if type(error).__name__ == "NoArgsIsHelpError":
            print(why, file=sys.stderr)
            return UNREADABLE
        command = "tablectl" + (f" {given[0]}" if given and given[0] in _commands() else "")
        usage = TablectlError("cli.usage", why=why.rstrip("."), command=command)
        return report(usage, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        return DONE if given[:1] in ENDED_BY_PEOPLE else INTERRUPTED
    except BrokenPipeError:
        return _unread()


def _flushed(status: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _unread()
    return status


def _unread() -> int:
    """Whoever read our lines has enough of them; what is still buffered must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def report(error: TablectlError, *, as_json: bool) -> int:
    """Print one error to standard error; its exit status."""
    if as_json:
        print(json.dumps({"error": error.as_json()}, ensure_ascii=False), file=sys.stderr)
    else:
        print("\n".join(error.lines()), file=sys.stderr)
    return error.status


def _commands() -> list[str]:
    return [c.callback.__name__ for c in app.registered_commands if c.callback is not None]
