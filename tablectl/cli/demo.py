"""`tablectl demo`: a recorded hand in the terminal, position by position."""

from __future__ import annotations

import json
import sys
import time
from importlib.resources import files

from tablectl.cli import drawing
from tablectl.cli.console import PeopleConsole
from tablectl.cli.replay import lines
from tablectl.core.preset_file import find_preset
from tablectl.core.record import Event, Record, read_record
from tablectl.core.replay import Follow
from tablectl.core.state import plan_of
from tablectl.errors import TablectlError, declare

declare(
    "cli.no_hand",
    "there is no hand {hand} in {file}: it has {found}",
    "Number the hands from 0 (--hand).",
)
declare(
    "cli.no_sample",
    "no hand of {name} comes with the program; there are hands of {names}",
    "Name a file of recorded hands (--file).",
)

_SAYS = {
    "draw": "seat {1} draws {2}",
    "discard": "seat {1} discards {2}",
    "chi": "seat {1} calls chi from seat {2}",
    "pon": "seat {1} calls pon from seat {2}",
    "kong": "seat {1} declares a kong ({2})",
    "kita": "seat {1} sets a north aside",
    "nuki": "seat {1} sets a tile aside",
    "flower": "seat {1} sets a flower aside",
    "riichi": "seat {1} declares riichi",
    "fever": "seat {1} declares fever riichi",
    "indicator": "{1} is turned as an indicator",
    "gold": "{1} is turned as gold",
    "win": "seat {1} wins from seat {2}",
    "exhausted": "nothing is left to draw",
    "abort": "the hand is aborted: {1}",
}


def run(name: str, file: str | None, hand: int, pause: float, *, as_json: bool) -> None:
    """Play one hand: a picture at each event in a terminal, else a line each and the last picture.
    Raises TablectlError for what cannot be read."""
    rules = find_preset(name)
    record = _record(name, file, hand)
    followed = Follow(rules, record)
    followed.begin()
    console = PeopleConsole()
    moving = console.is_terminal and not as_json
    steps: list[Event | None] = [None, *record.events]
    for n, event in enumerate(steps):
        if event is not None:
            followed.event(n - 1, event)
        plan = plan_of(rules, followed.hand)
        if as_json:
            told = {"event": event, "plan": plan.as_json()}
            print(json.dumps(told, ensure_ascii=False), flush=True)
            continue
        faces = {position.p: record.wall[position.p] for position in plan.indicators}
        if followed.hand.wins:
            faces |= {position.p: record.wall[position.p] for position in plan.ura}
        if moving:
            console.clear()
        if moving or n == len(steps) - 1:
            console.print(drawing.picture(rules, plan, faces=faces))
            for line in drawing.words(rules, plan, faces=faces):
                console.print(line, markup=False)
        console.print(f"{n}/{len(steps) - 1}  {_says(event, record)}", markup=False)
        if followed.mismatch is not None:
            console.print(f"this cannot have been: {followed.mismatch.why}", markup=False)
            break
        if moving:
            sys.stdout.flush()
            time.sleep(pause)


def _record(name: str, file: str | None, hand: int) -> Record:
    rules = find_preset(name)
    if file is None:
        folder = files("tablectl.cli") / "hands"
        sample = folder / f"{rules.name}.jsonl"
        if not sample.is_file():
            names = sorted(found.name.removesuffix(".jsonl") for found in folder.iterdir())
            raise TablectlError("cli.no_sample", name=rules.name, names=", ".join(names))
        found = sample.read_text(encoding="utf-8").splitlines()
    else:
        found = [line for line in lines(file) if line.strip()]
    if not 0 <= hand < len(found):
        shown = file or f"the hands of {rules.name}"
        raise TablectlError("cli.no_hand", hand=hand, file=shown, found=len(found))
    return read_record(rules, found[hand], hand + 1)


def _says(event: Event | None, record: Record) -> str:
    if event is None:
        dice = ", ".join(map(str, record.dice))
        return f"dice {dice}; seat {record.dealer} deals"
    text = _SAYS[event[0]].format(*event)
    if event[0] == "draw" and event[3] == "tail":
        text += " as a replacement"
    return text
