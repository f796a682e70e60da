"""Errors that help: one catalogue, in which every room declares its own entries.

An entry says what was found, what was expected and what to do next. `TablectlError` carries one
entry filled with the values of the case; the command line prints it for people or as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

DONE, NO, UNREADABLE = 0, 1, 2
"""Exit statuses: done; the answer is no; the call or its input could not be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One kind of error: `message` and `hint` are format strings over the values of the case."""

    code: str
    message: str
    hint: str
    status: int


CATALOGUE: dict[str, Entry] = {}


def declare(code: str, message: str, hint: str, *, status: int = UNREADABLE) -> str:
    """Enter a kind of error into the catalogue and give its code back.

    Raises ValueError if the code is there already with another text.
    """
    entry = Entry(code, message, hint, status)
    if CATALOGUE.get(code, entry) != entry:
        raise ValueError(f"{code} is declared twice")
    CATALOGUE[code] = entry
    return code


class TablectlError(Exception):
    """One entry of the catalogue with the values of the case.

    `where` names the file and line, option, event or place; `problems` holds the single errors
    where several were found at once; `drawing` the lines of a picture of what collides.
    """

    def __init__(
        self,
        code: str,
        *,
        where: str | None = None,
        problems: Sequence[TablectlError] = (),
        drawing: Sequence[str] = (),
        **values: Any,
    ) -> None:
        entry = CATALOGUE[code]
        self.code = code
        self.where = where
        self.values = values
        self.problems = tuple(problems)
        self.drawing = tuple(drawing)
        self.message = entry.message.format(**values)
        self.hint = entry.hint.format(**values)
        self.status = entry.status
        super().__init__(code, self.message)

    def __str__(self) -> str:
        return self.message

    def lines(self) -> list[str]:
        """The error for people: what and where, a drawing of it, each single problem, then what to
        do."""
        head = f"{self.where}: {self.message}" if self.where else self.message
        lines = [f"{head} [{self.code}]", *(f"    {line}" for line in self.drawing)]
        for problem in self.problems:
            first, *rest = problem.lines()
            lines += [f"  {first}", *(f"  {line}" for line in rest)]
        if self.hint:
            lines.append(f"  {self.hint}")
        return lines

    def as_json(self) -> dict[str, Any]:
        """The same as `{"code", "message", "hint", "where", …}` with the values of the case."""
        body: dict[str, Any] = {"code": self.code, "message": self.message, "hint": self.hint}
        if self.where:
            body["where"] = self.where
        if self.values:
            body["values"] = {name: _plain(value) for name, value in self.values.items()}
        if self.drawing:
            body["drawing"] = list(self.drawing)
        if self.problems:
            body["problems"] = [problem.as_json() for problem in self.problems]
        return body


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return str(value)
