"""Whether the tiles that a fact names can be: the rule's set has them, and as many of them.

Asked once for every fact of a hand, before what it says is folded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from tablectl.core import advance, facts
from tablectl.core.state import Hand
from tablectl.core.step import OddFact, Step
from tablectl.core.tiles import UNKNOWN, Multiset, kind_code, parse_tile

NEW: Final = (facts.Discarded, facts.SetAside)
"""Facts that lay open a tile which was in no river and no meld before."""
_OWN: Final = {"pon": 2, "open": 3, "concealed": 4, "added": 1}
"""Tiles of the same kind that a call or kong brings from the caller's own hand."""


def check(step: Step, fact: facts.AnyFact) -> None:
    """Raises OddFact for a tile that the set of the running game's rule does not have, or that it
    does not have once more. Where no hand is open or the rule is not known nothing is said."""
    game, hand = step.state.game, step.state.hand
    if game is None or hand is None or game.digest not in step.rulebook:
        return
    rules = step.rules
    for code in named(fact):
        if not _in_set(rules.tiles, code):
            raise OddFact(f"{rules.name} has no {code}")
    if isinstance(fact, NEW) and (tile := facts.known(fact.tile)) is not None:
        check_copies(step, tile, 1)
    elif isinstance(fact, facts.Kong) and (tile := facts.known(fact.tile)) is not None:
        check_copies(step, kind_code(tile), _OWN[fact.kind])


def check_copies(step: Step, code: str, more: int) -> None:
    """Raises OddFact if `more` tiles of this face cannot come to those that lie open."""
    tiles = step.rules.tiles
    there = open_tiles(step.hand, walls=advance.followed(step) if step.break_known else False)
    kind = kind_code(code)
    of_kind = sum(n for tile, n in there.items() if kind_code(tile) == kind)
    tile = parse_tile(code)
    assert tile is not None
    for name, n, most in (
        (kind, of_kind, tiles.by_kind[tile.kind]),
        *(((code, there[code], tiles[tile]),) if tile.mark else ()),
    ):
        if n + more > most:
            there_are = "there is 1" if most == 1 else f"there are {most}"
            lie = "it lies" if n == 1 and most == 1 else f"{n} of them lie{'s' * (n == 1)}"
            raise OddFact(f"{there_are} of {name}, and {lie} open already")


def named(fact: facts.AnyFact) -> Iterator[str]:
    """The faces that a fact of a hand names, without unknown ones."""
    if isinstance(fact, facts.CORRECTIONS):
        return
    tiles = (getattr(fact, "tile", None), *(getattr(fact, "own", None) or ()))
    yield from (tile for tile in tiles if tile is not None and tile != UNKNOWN)


def open_tiles(hand: Hand, *, walls: bool) -> Counter[str]:
    """Faces that lie open as far as they were told: discards, what was set aside, calls, kongs, and
    with `walls` what lies open on them. Each tile once; what only its kind is known of plain."""
    found = Counter(hand.seen)
    for tiles in hand.aside:
        found.update(tile for tile in tiles if tile != UNKNOWN)
    if walls:
        found.update(tile for _, tile in hand.public if tile != UNKNOWN)
    for meld in hand.melds:
        if meld.own:
            found.update(tile for tile in meld.own if tile != UNKNOWN)
        elif meld.kind in _OWN and facts.known(meld.tile) is not None:
            found[kind_code(str(meld.tile))] += _OWN[meld.kind]
    return found


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _in_set(tiles: Multiset, code: str) -> bool:
    """Whether there is such a tile; one told without its mark can be any of its kind."""
    tile = parse_tile(code)
    if tile is None or tile in tiles:
        return True
    return not tile.mark and tile.kind in tiles.by_kind
