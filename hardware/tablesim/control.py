"""What one may ask of a simulated table from outside: hands, faults and the truth.

A request is one JSON object a line, `{"do": NAME, …}`; the answer is one line, `{"ok": …}` or
`{"error": {"code", "message", "hint"}}`. `"table": N` names one of several. This door is for tests
and demonstrations: it knows what no sensor says, faces that lie down too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from protocols import catalog, v1
from protocols.codes import Button
from protocols.fields import Kind, kinds
from tablesim import faults
from tablesim.lay import Spot
from tablesim.table import Table
from tablesim.tileset import SimError
from tablesim.truth import truth

Request = dict[str, Any]


def _int(request: Request, name: str, least: int, most: int, otherwise: int | None = None) -> int:
    value = request.get(name, otherwise)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise SimError(
            "sim.request",
            f"{request['do']}: {name} is {value!r}",
            f"It has to be a whole number from {least} to {most}.",
        )
    return value


def _spot(request: Request) -> Spot:
    row = request.get("row")
    if row not in ("upper", "lower"):
        raise SimError("sim.request", f"row is {row!r}", "It has to be upper or lower.")
    return Spot(_int(request, "side", 0, 3), _int(request, "column", 1, 100), row)


def _press(table: Table, request: Request) -> Any:
    names = [button.name.lower() for button in Button]
    name = request.get("button")
    if name not in names:
        what = f"there is no button {name!r}"
        raise SimError("sim.request", what, f"The buttons are {', '.join(names)}.")
    side = _int(request, "side", 0, 3, 0)
    table.machine.press(Button[name.upper()], side, bool(request.get("long")))


def _pips(table: Table, request: Request) -> Any:
    pips = request.get("pips")
    good = isinstance(pips, list) and all(isinstance(pip, int) and 1 <= pip <= 6 for pip in pips)
    if not good or not isinstance(pips, list) or not 1 <= len(pips) <= 4:
        raise SimError("sim.request", f"pips are {pips!r}", "One to four numbers from 1 to 6.")
    table.machine.next_pips = tuple(pips)


def _edge(table: Table, request: Request) -> Any:
    """An edge that did not happen at the machine: for tests of the line."""
    try:
        type_ = int(str(request.get("type")), 16)
        row = catalog.ROW_OF[1, max(type_, v1.FIRST_EDGE)]
        fields = list(kinds(row.message).values())[2:]
        given = zip(fields, request.get("values", ()), strict=True)
        values = [_value(kind, value) for kind, value in given]
        if row.message is v1.VendorEdge:
            values.append(type_ - row.id)
        message = row.message(0, 0, *values)
        catalog.encode(message)
        if type_ < v1.FIRST_EDGE or (isinstance(message, v1.RiichiEdge) and message.seat > 3):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        hint = "type is two hexadecimal digits, values are those after number and time."
        raise SimError("sim.request", "that is no edge", hint) from None
    for _ in range(_int(request, "times", 1, 10_000, 1)):
        last = table.board.edge(row.message, *message[2:])
    return last


def _value(kind: Kind, value: Any) -> Any:
    """A value of JSON as the field has it: arrays are lists there, bytes hexadecimal."""
    if isinstance(kind.least, bytes):
        return bytes.fromhex(value)
    return tuple(value) if isinstance(value, list) else value


def _fault(table: Table, request: Request) -> Any:
    values = {key: value for key, value in request.items() if key not in ("do", "table", "end")}
    fault = faults.fault_of(values)
    if fault.name not in faults.TABLE:
        what = f"the fault {fault.name} belongs to the line"
        raise SimError("sim.request", what, "Lines with faults are made with --faults.")
    (faults.end if request.get("end") else faults.begin)(table, fault)


def _done(table: Table, request: Request) -> Any:
    since = _int(request, "since", 0, 2**31, 0)
    return [list(deed) for deed in table.machine.done[since:]]


def _exchange(table: Table, request: Request) -> Any:
    tiles = request.get("tiles")
    if not isinstance(tiles, list) or not all(isinstance(tile, str) for tile in tiles):
        raise SimError("sim.request", "tiles are missing", "They are a list of codes such as 5pr.")
    table.hands.exchange(_int(request, "set", 1, 2), tuple(tiles))


DEEDS: Final[dict[str, tuple[str, Callable[[Table, Request], Any]]]] = {
    "truth": ("what lies where", lambda table, request: truth(table.machine)),
    "done": ("what was physically done, from the `since`-th deed on", _done),
    "press": ("a hand presses `button` at `side`, `long` or not", _press),
    "pips": ("the dice will show `pips` at the next throw", _pips),
    "take": ("a hand takes the tile at `side` `column` `row`; gives it",
             lambda table, request: table.hands.take(_spot(request))),
    "put_back": ("a hand puts `tile` back there",
                 lambda table, request: table.hands.put_back(
                     _spot(request), str(request.get("tile")))),
    "show": ("the tile there is turned face up; gives it",
             lambda table, request: table.hands.show(_spot(request))),
    "push_in": ("used tiles go into the hatch, all but `keep`",
                lambda table, request: table.hands.push_in(_int(request, "keep", 0, 200, 0))),
    "take_out": ("tiles left over are taken out", lambda table, request: table.hands.take_out()),
    "exchange": ("the `set` in the open hatch becomes `tiles`", _exchange),
    "stick": ("a riichi stick is laid into `side`'s tray, or taken `out`",
              lambda table, request: table.hands.stick(
                  _int(request, "side", 0, 3), not request.get("out"))),
    "score": ("`side` has so many `hundreds` now",
              lambda table, request: table.hands.score(
                  _int(request, "side", 0, 3), _int(request, "hundreds", -9999, 9999))),
    "fault": ("a fault begins, or ends with `end`: " + ", ".join(faults.TABLE), _fault),
    "mend": ("people free what is jammed", lambda table, request: table.machine.mend()),
    "reset": ("the board is reset; gives its boot", lambda table, request: table.reset()),
    "acted": ("how many commands the board carried out",
              lambda table, request: table.board.acted),
    "edge": ("an edge of `type` with `values`, so many `times`; gives its number", _edge),
}  # fmt: skip
"""What can be asked, besides `OF_THE_LINE`, and what it does."""

OF_THE_LINE: Final = ("step", "plug", "unplug")
"""What `tablesim.serve` does itself."""


def obey(table: Table, request: Request) -> Any:
    """Do what is asked now and give its answer. Raises SimError."""
    deed = DEEDS.get(str(request.get("do")))
    if deed is None:
        what = f"nobody can do {request.get('do')!r} here"
        raise SimError("sim.request", what, f"One can: {', '.join((*DEEDS, *OF_THE_LINE))}.")
    answer = deed[1](table, request)
    table.settle()
    return answer
