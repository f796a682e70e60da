"""Hands and plans of both rules of 福州の麻雀, for the tests of its statements."""

from __future__ import annotations

from collections.abc import Iterator

from support.ledger import rules
from support.told import Told
from tablectl.core.geometry import Inputs, Plan, plan

BOTH = ("fuzhou-128", "fuzhou-144")
SUITS = {"m19": 4, "p19": 4, "s19": 4}
SEASONS, PLANTS = ("1f", "2f", "3f", "4f"), ("5f", "6f", "7f", "8f")


def both(**about: object) -> Iterator[Told]:
    """A hand of each rule, dealt."""
    for name in BOTH:
        yield Told(rules(name), **about)  # type: ignore[arg-type]


def opened(name: str, **about: object) -> Told:
    """A hand whose gold is turned, without a flower before it."""
    found = Told(rules(name), **about)  # type: ignore[arg-type]
    found.aside(0, "1z")
    return found.gold()


def at(name: str, **about: object) -> Plan:
    return plan(rules(name), Inputs(dice=(2, 3), **about))  # type: ignore[arg-type]


def column(found: Plan) -> int:
    """The column of the gold, counted from the wall's end as it is, a half column counted."""
    left = found.tiles - found.tail
    where = found.gold_marker
    assert where is not None
    places = [(int(n), side) for side, n in enumerate(found.sides)]
    # From the end towards the head: the columns left standing at the break, then the next walls.
    order = [(found.break_.side, c) for c in range(found.break_.after, 0, -1)]
    for step in (1, 2, 3, 0):
        side = (found.break_.side + step) % 4
        columns = places[side][0]
        last = found.break_.after if step == 0 else 0
        order += [(side, c) for c in range(columns, last, -1)]
    gone = found.tail // 2
    assert len(order) == found.tiles // 2
    assert left > 0
    return order.index((where.side, where.column)) - gone + 1
