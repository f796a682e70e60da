"""`tablectl plan`: where everything is, as a picture for people or JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from tablectl.core.geometry import Inputs
from tablectl.core.geometry import plan as plan_of
from tablectl.core.preset_file import find_preset
from tablectl.core.wall import Break, Place, parse_sides
from tablectl.errors import TablectlError, declare

ROWS: Final = ("upper", "lower")

declare(
    "cli.numbers",
    "{option} is '{text}', which is not {wanted}",
    "Write it as in {option} {example}.",
)
declare("cli.one_of", "{why}", "Give {options}.")


@dataclass(frozen=True, slots=True)
class Asked:
    """The options as they were typed."""

    dice: str | None = None
    broke: str | None = None
    dealer: int = 0
    seats: str | None = None
    sides: str | None = None
    head: int | None = None
    head_at: str | None = None
    tail: int = 0
    turned: int = 0
    open_kongs: int = 0
    concealed_kongs: int = 0
    flower_quads: int = 0
    dealt: bool = False


def run(name: str, asked: Asked, *, as_json: bool) -> None:
    """Print the plan. Raises TablectlError for what cannot be read (status 2) or be (status 1)."""
    rules = find_preset(name)
    plan = plan_of(rules, read(asked))
    if as_json:
        print(json.dumps(plan.as_json(), ensure_ascii=False))
        return
    from tablectl.cli import drawing
    from tablectl.cli.console import PeopleConsole

    console = PeopleConsole(wrapped=False)
    width = max(min(console.width, drawing.WIDTH), drawing.NARROWEST)
    console.print(drawing.draw(rules, plan, width=width))


def read(asked: Asked) -> Inputs:
    """The options as inputs. Raises `cli.numbers`, `cli.one_of`, `wall.side`, `plan.sides`."""
    if (asked.dice is None) == (asked.broke is None):
        why = "neither dice nor a break are given" if asked.dice is None else "dice and a break"
        if asked.dice is not None:
            why = "both dice and a break are given"
        raise TablectlError("cli.one_of", why=why, options="either --dice 3,4 or --break 2,7")
    if asked.head is not None and asked.head_at is not None:
        raise TablectlError(
            "cli.one_of",
            why="both --head and --head-at are given",
            options="the tiles taken (--head 60) or where the next draw is (--head-at 2,7,upper)",
        )
    broke = None
    if asked.broke is not None:
        parts = numbers("--break", asked.broke, "2,7", exactly=2)
        broke = Break(*parts)
    return Inputs(
        sides=None if asked.sides is None else parse_sides(asked.sides),
        seats=None if asked.seats is None else numbers("--seats", asked.seats, "0,1,2"),
        dealer=asked.dealer,
        dice=None if asked.dice is None else numbers("--dice", asked.dice, "3,4"),
        broke=broke,
        head=asked.head,
        head_at=None if asked.head_at is None else place("--head-at", asked.head_at),
        tail=asked.tail,
        turned=asked.turned,
        open_kongs=asked.open_kongs,
        concealed_kongs=asked.concealed_kongs,
        flower_quads=asked.flower_quads,
        dealt=asked.dealt,
    )


def numbers(option: str, text: str, example: str, *, exactly: int | None = None) -> tuple[int, ...]:
    """Whole numbers with commas between them. Raises `cli.numbers`."""
    parts = [part.strip() for part in text.split(",")]
    good = all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts)
    if not good or (exactly is not None and len(parts) != exactly):
        many = "whole numbers" if exactly is None else f"{exactly} whole numbers"
        wanted = f"{many} with a comma between them"
        raise TablectlError("cli.numbers", option=option, text=text, wanted=wanted, example=example)
    return tuple(int(part) for part in parts)


def place(option: str, text: str) -> Place:
    """`SIDE,COLUMN,ROW`. Raises `cli.numbers`."""
    *two, row = [part.strip() for part in text.split(",")]
    wanted = "a side 0-3, a column from 1 and upper or lower"
    good = len(two) == 2 and row in ROWS and all(p.isascii() and p.isdigit() for p in two)
    if not good or not (0 <= int(two[0]) <= 3 and 1 <= int(two[1]) <= 999):
        raise TablectlError(
            "cli.numbers", option=option, text=text, wanted=wanted, example="2,7,upper"
        )
    return Place(int(two[0]), int(two[1]), "upper" if row == "upper" else "lower")
