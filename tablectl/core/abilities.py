"""What a rule asks of a table, and what people tap where the table lacks it.

Source of the abilities: the house's page of the wire; of the taps: the facts that people can tell.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from tablectl.core.preset import Preset
from tablectl.errors import NO, TablectlError, declare

ABILITY: Final = declare(
    "number.ability",
    "{preset} needs a table that can {what}, and {table} cannot; nothing that people tap stands in"
    " for it",
    "Play it at a table that can, or leave it out of `[table] needs` of the rule's file.",
    status=NO,
)

STANDS_IN: Final[dict[str, str | None]] = {
    "dice": "tap the dice as they lie, or the column after which the wall was opened",
    "counts_at_raise": "say that the walls are up; they are taken to be the rule's own",
    "counts_live": "touch the column of the next draw, and tap each replacement",
    "presence_live": "touch the column of the next draw, and tap each replacement",
    "faces_when_shown": "tap what is turned up",
    "faces_when_stacked": None,
    "points": "tap what is paid",
    "riichi_tray": "tap each riichi",
    "auto_deal": "deal by hand from the walls, and tap that the hands are dealt",
    "turns_indicator": "turn the indicator by hand, and tap its face",
    "select_number": "press the number at the table's own panel",
    "read_number": "look at the table's own panel",
    "press_buttons": None,
    "see_buttons": "tap what was pressed",
    "phases": "say that the walls are up",
    "progress": "wait for the lamp of the table itself",
}
"""By ability: the tap that stands in for it; None where nothing can."""

WORDS: Final = {
    "dice": "read its dice",
    "counts_at_raise": "count its walls as they rise",
    "counts_live": "count its walls while hands are played",
    "presence_live": "see every place of its walls",
    "faces_when_shown": "read faces that are turned up",
    "faces_when_stacked": "read every tile as it is stacked",
    "points": "read the point sticks",
    "riichi_tray": "see riichi sticks",
    "auto_deal": "deal by itself",
    "turns_indicator": "turn the indicator",
    "select_number": "be told its number",
    "read_number": "tell its number",
    "press_buttons": "be started from here",
    "see_buttons": "tell what is pressed",
    "phases": "tell what it does",
    "progress": "tell how far it is",
}
"""What a table with an ability can do, in words."""


def stand_ins(rules: Preset, can: Collection[str], table: str) -> list[str]:
    """What people have to tap at a table of these abilities for what the rule asks of it, a
    sentence each. Raises TablectlError `number.ability` where nothing stands in."""
    lacks = [word for word in rules.needs if word not in can]
    hopeless = [WORDS[word] for word in lacks if STANDS_IN[word] is None]
    if hopeless:
        raise TablectlError(
            ABILITY, preset=rules.name, what=" and ".join(hopeless), table=table, lacks=lacks
        )
    return [
        f"{rules.name} asks for a table that can {WORDS[word]}, which {table} cannot:"
        f" {STANDS_IN[word]}."
        for word in lacks
    ]
