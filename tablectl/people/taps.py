"""Which facts people tap: one table of what happens, and of the abilities that spare the tap.

The fewest taps that leave nothing open: dice, tiles set aside, kongs, riichi, the end; everything
else only where the table does not see it. Where something is tapped in vain, it is asked for here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, Literal, NamedTuple

from tablectl.core import facts
from tablectl.core.facts import AnyFact
from tablectl.core.wall import Place
from tablectl.people.log import Event

LIVE: Final = frozenset({"counts_live", "presence_live"})
"""Abilities that see tiles leave: with any of them nobody touches the next draw."""
NEVER: Final[frozenset[str]] = frozenset()


class Deed(NamedTuple):
    """What happened, as far as a tap may say it. `laid`: a win is on a tile that another has laid
    down, set aside or to a kong."""

    event: Event = ()
    place: Place | None = None
    tile: str | None = None
    hits: int = 0
    values: tuple[Any, ...] = ()
    laid: bool = False


class Tap(NamedTuple):
    """How a deed is told. `spared`: any of these abilities tells it already; `when`: told always,
    by `thorough` people only, or by those who tell `faces`."""

    make: Callable[[Deed], AnyFact]
    spared: frozenset[str] = NEVER
    when: Literal["always", "thorough", "faces"] = "always"


def _shown(why: Literal["indicator", "gold", "ura", "reveal"]) -> Callable[[Deed], AnyFact]:
    def make(deed: Deed) -> AnyFact:
        assert deed.place is not None
        return facts.Shown(place=deed.place, tile=deed.tile or "?", why=why)

    return make


def _flipped(deed: Deed) -> AnyFact:
    assert deed.place is not None
    return facts.FlippedValue(place=deed.place, hits=deed.hits)


def _set_aside(deed: Deed) -> AnyFact:
    tile = deed.event[2] if len(deed.event) > 2 else None
    return facts.SetAside(seat=deed.event[1], tile=tile)


def _called(deed: Deed) -> AnyFact:
    kind, seat, frm = deed.event
    return facts.Called(seat=seat, kind=kind, frm=frm, tile=deed.tile)


def _riichi(kind: Literal["plain", "open", "fever"]) -> Callable[[Deed], AnyFact]:
    return lambda deed: facts.Riichi(seat=deed.event[1], kind=kind)


def _won(deed: Deed) -> AnyFact:
    _, seat, frm, _, _, _, *way = deed.event
    said: facts.Way | None = way[0] if way else "robbing" if deed.laid else None
    return facts.Won(seat=seat, frm=frm, way=said)


_FACES: Final = frozenset({"faces_when_shown"})

TAPS: Final[dict[str, Tap]] = {
    "raised": Tap(
        lambda deed: facts.Raised(set=deed.values[0], columns=deed.values[1]),
        frozenset({"counts_at_raise", "phases"}),
    ),
    "dice": Tap(lambda deed: facts.Dice(pips=deed.values), frozenset({"dice"})),
    "opened": Tap(lambda deed: facts.Opened(side=deed.values[0], after=deed.values[1])),
    "dealt": Tap(lambda deed: facts.Dealt(), LIVE),
    "draw": Tap(lambda deed: facts.Drawn(seat=deed.event[1], end=deed.event[3]), when="thorough"),
    "discard": Tap(
        lambda deed: facts.Discarded(seat=deed.event[1], tile=deed.event[2]), when="thorough"
    ),
    "chi": Tap(_called, when="thorough"),
    "pon": Tap(_called, when="thorough"),
    "aside_pon": Tap(_called),
    "kong": Tap(lambda deed: facts.Kong(seat=deed.event[1], kind=deed.event[2])),
    "nuki": Tap(_set_aside),
    "riichi": Tap(_riichi("plain"), frozenset({"riichi_tray"})),
    "open": Tap(_riichi("open")),
    "fever": Tap(_riichi("fever")),
    "take_back": Tap(
        lambda deed: facts.Riichi(seat=deed.event[1], taken_back=True), frozenset({"riichi_tray"})
    ),
    "fee": Tap(
        lambda deed: facts.Paid(frm=deed.event[1], points=deed.event[2], why="riichi taken back")
    ),
    "dead": Tap(lambda deed: facts.DeadHand(seat=deed.event[1], why="a wrong call")),
    "indicator": Tap(_shown("indicator"), _FACES, "faces"),
    "gold": Tap(_shown("gold")),
    "touch": Tap(lambda deed: facts.HeadAt(place=_there(deed)), LIVE),
    "win": Tap(_won),
    "ura": Tap(_shown("ura"), _FACES),
    "stock": Tap(lambda deed: facts.Stock(n=deed.values[0])),
    "flip": Tap(_flipped, _FACES),
    "face": Tap(_shown("reveal"), _FACES, "faces"),
    "exhausted": Tap(lambda deed: facts.Exhausted(tenpai=deed.values)),
    "abort": Tap(lambda deed: facts.Aborted(why=deed.event[1])),
    "settled": Tap(lambda deed: facts.Settled(points=deed.values[0], chips=deed.values[1])),
}
"""What happens at a table, in the order of a hand, and how it is told. A tile flipped is told by
its `face` by people who tell faces, else as a `flip` of some worth."""
SAME: Final = {"kita": "nuki", "flower": "nuki"}


def tap_for(
    word: str,
    deed: Deed,
    abilities: Collection[str],
    *,
    thorough: bool = False,
    faces: bool = False,
) -> AnyFact | None:
    """What people tap when this happens at a table of these abilities, None for nothing."""
    if word == "flip" and faces:
        word = "face"
    tap = TAPS[SAME.get(word, word)]
    wanted = {"always": True, "thorough": thorough, "faces": faces}[tap.when]
    return tap.make(deed) if wanted and tap.spared.isdisjoint(abilities) else None


def _there(deed: Deed) -> Place:
    assert deed.place is not None
    return deed.place
