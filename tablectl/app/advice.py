"""What people hear when a rule is chosen at a table: tiles to exchange, what is missing, taps."""

from __future__ import annotations

from collections.abc import Mapping

from tablectl.app.actor import Actor
from tablectl.core.abilities import stand_ins
from tablectl.core.boxes import lacking_said
from tablectl.core.exchange import SetExchange, of_set
from tablectl.core.preset import Preset
from tablectl.core.state import SETS


def tiles(
    actor: Actor, rulebook: Mapping[str, Preset], rules: Preset, number: int
) -> list[SetExchange]:
    """What is to be exchanged in each set, as far as it is known what lies in it."""
    machine = actor.known.state.machine
    found = []
    for name, state, digest in zip(SETS, machine.sets, machine.filled, strict=True):
        before = None if digest is None else rulebook.get(digest)
        old = None if before is None else before.tiles
        found.append(of_set(name, state, old, rules.tiles, number))
    return found


def players_change(actor: Actor, rules: Preset) -> list[str]:
    """A warning where another number of people plays: machines take it before the tiles
    (`tables.md`, section 3)."""
    before = actor.known.rules
    if before is None or before.players == rules.players:
        return []
    return [
        f"{rules.players} players instead of {before.players}: the number must stand at the table"
        " before the tiles of a set are pushed in, or that set comes up as before."
    ]


def lacking(actor: Actor, rules: Preset) -> list[str]:
    """What the boxes of this table's sets lack for the rule, as far as they are configured."""
    return [
        line
        for name, box in zip(SETS, actor.settings.boxes, strict=True)
        if box is not None
        for line in lacking_said(name, box, rules)
    ]


def taps(actor: Actor, rules: Preset) -> list[str]:
    """What people tap for what this table cannot do. Raises TablectlError `number.ability`."""
    board = actor.known.state.machine.board
    can: tuple[str, ...] = ()
    if board is not None:
        can = board.abilities
    elif actor.profile is not None and not actor.settings.manual:
        can = actor.profile.abilities
    return stand_ins(rules, can, actor.settings.name)
