"""What binds a seat in the hand that is going on: a dead hand, a riichi, what the rule has left it.

Each question is answered with a sentence that says why not, or with `""`.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.preset import Preset
from tablectl.core.state import Hand, Limit
from tablectl.core.tiles import kind_code

DEEDS: Final = {
    "win": "won",
    "chi": "called chi",
    "pon": "called pon",
    "open": "declared an open kong",
    "added": "added a tile to a pon",
    "concealed": "declared a concealed kong",
    "riichi": "declared riichi",
}
"""What a seat does, as people are told of it."""


def why_no_win(hand: Hand, seat: int, *, own: bool) -> str:
    """Why this seat cannot win now; `own`: what counts as a self-draw."""
    if seat in hand.dead:
        return _dead(seat, "win")
    limits = limits_of(hand, seat)
    if "riichi" in limits:
        return f"seat {seat} won, but it took its riichi back and can win only after a new one"
    if "self_draw" in limits and not own:
        return f"seat {seat} won from another, but it can win by a self-draw only from now on"
    return ""


def why_no_call(hand: Hand, seat: int, what: str) -> str:
    """Why this seat cannot make this call or kong (`chi`, `pon`, `open`, `added`, `concealed`)."""
    if seat in hand.dead:
        return _dead(seat, what)
    if what == "concealed":
        return ""
    if hand.riichi[seat] is not None:
        return f"seat {seat} {DEEDS[what]}, but it is in riichi"
    if "riichi" in limits_of(hand, seat):
        return f"seat {seat} {DEEDS[what]}, but it took its riichi back and may not call any more"
    return ""


def why_no_riichi(hand: Hand, seat: int) -> str:
    """Why this seat cannot declare riichi, whatever its kind."""
    return _dead(seat, "riichi") if seat in hand.dead else ""


def why_open(hand: Hand, seat: int) -> str:
    """Why this seat's hand is not closed, as a riichi must be; a tile set aside and claimed is
    called too."""
    called = next((m for m in hand.melds if m.seat == seat and m.kind != "concealed"), None)
    if called is None:
        return ""
    return f"seat {seat} declared riichi, but it {DEEDS[called.kind]} before: its hand is open"


def limits_of(hand: Hand, seat: int) -> tuple[Limit, ...]:
    """What binds this seat's wins."""
    return tuple(limit for one, limit in hand.limits if one == seat)


def with_limit(hand: Hand, seat: int, limit: Limit) -> tuple[tuple[int, Limit], ...]:
    """The hand's limits with this one."""
    return hand.limits if (seat, limit) in hand.limits else (*hand.limits, (seat, limit))


def without_limit(hand: Hand, seat: int, limit: Limit) -> tuple[tuple[int, Limit], ...]:
    """The hand's limits without this one."""
    return tuple(one for one in hand.limits if one != (seat, limit))


def is_gold(hand: Hand, tile: str | None) -> bool:
    """Whether the face is known to be that of the gold that was turned."""
    if tile is None or hand.gold is None or "?" in (tile, hand.gold):
        return False
    return kind_code(tile) == kind_code(hand.gold)


def why_no_gold(rules: Preset, hand: Hand, tile: str | None) -> str:
    """Why nobody may claim this discard, if it is gold and the rule says so."""
    if rules.gold.claims == "all" or not is_gold(hand, tile):
        return ""
    return f"{tile} is gold: a gold discarded can be neither called nor won on"


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _dead(seat: int, deed: str) -> str:
    return (
        f"seat {seat} {DEEDS[deed]}, but its hand is dead: it may not win, call, kong or declare"
        " riichi any more"
    )
