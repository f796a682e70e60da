"""What each seat can hold: every hand that the events so far allow.

A record does not say which tiles a chi was made of, or of what a concealed kong was. Each seat
therefore has a set of possible hands; an event keeps those that allow it and changes them. When
none is left, the event cannot have been. Tiles never seen are `?` and stand for any tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, NamedTuple

from tablectl.core.tiles import KINDS, SUITS, UNKNOWN, kind_code

MOST: Final = 4096
"""More possible hands than this are not followed; the seat is then no longer checked."""

_RANKED: Final = ("m", "p", "s")


class Possible(NamedTuple):
    """One possible hand: concealed tiles in order, and the kinds ponned."""

    tiles: tuple[str, ...]
    pons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """Possible hands by seat; None where a seat is not followed any more. `locked`: seats in
    riichi; `drawn`: the tile each drew last, until it discards; `called`: seats that have called.
    `aside`: kinds that are set aside in the rule played."""

    hands: tuple[frozenset[Possible] | None, ...]
    aside: tuple[str, ...] = ()
    locked: frozenset[int] = frozenset()
    drawn: tuple[str | None, ...] = ()
    called: frozenset[int] = frozenset()

    def draw(self, seat: int, tile: str) -> Held:
        """The seat takes a tile."""
        drawn = tuple(tile if s == seat else d for s, d in enumerate(self.drawn))
        held = replace(self, drawn=drawn)
        return held._each(seat, lambda hand: [_with(hand, tile)]) or held

    def discard(self, seat: int, tile: str) -> Held | None:
        """The seat lays a tile down; None if it cannot have it, or in riichi did not draw it."""
        drawn = self.drawn[seat]
        if (
            seat in self.locked
            and drawn is not None
            and UNKNOWN not in (drawn, tile)
            and drawn != tile
        ):
            return None
        return self._lay(seat, lambda hand: (rest for rest in _without(hand, tile)))

    def chi(self, seat: int, tile: str) -> Held | None:
        """The seat makes a run with a discard."""
        return self._call(seat, lambda hand: _runs(hand, tile, self.aside))

    def pon(self, seat: int, tile: str) -> Held | None:
        """The seat makes a triplet with a discard."""
        return self._call(seat, lambda hand: _sets(hand, tile, 2, self.aside, pon=True))

    def open_kong(self, seat: int, tile: str) -> Held | None:
        """The seat makes a kong with a discard."""
        return self._call(seat, lambda hand: _sets(hand, tile, 3, self.aside))

    def added_kong(self, seat: int) -> Held | None:
        """The seat adds the fourth tile to one of its pons."""
        return self._lay(seat, lambda hand: _fourths(hand, self.aside))

    def concealed_kong(self, seat: int) -> Held | None:
        """The seat lays down four tiles of its own; which is not said."""
        return self._lay(seat, lambda hand: _fours(hand, self.aside))

    def set_aside(self, seat: int, tile: str) -> Held | None:
        """The seat lays a north, red or flower aside; `?` is any of them."""
        kinds = self.aside if tile == UNKNOWN else (tile,)

        def lay(hand: Possible) -> Iterator[Possible]:
            for code in set(hand.tiles):
                if tile == UNKNOWN and (code == UNKNOWN or kind_code(code) in kinds):
                    yield from _without(hand, code)
            if tile != UNKNOWN:
                yield from _without(hand, tile)

        return self._lay(seat, lay)

    def riichi(self, seat: int) -> Held | None:
        """The seat declares; None if its hand is open. From its next discard on it is locked."""
        if seat in self.called:
            return None
        drawn = tuple(None if s == seat else d for s, d in enumerate(self.drawn))
        return replace(self, locked=self.locked | {seat}, drawn=drawn)

    # ── how ──

    def _lay(self, seat: int, ways: Callable[[Possible], Iterable[Possible]]) -> Held | None:
        held = self._each(seat, ways)
        if held is None:
            return None
        drawn = tuple(None if s == seat else d for s, d in enumerate(held.drawn))
        return replace(held, drawn=drawn)

    def _call(self, seat: int, ways: Callable[[Possible], Iterable[Possible]]) -> Held | None:
        held = self._lay(seat, ways)
        return None if held is None else replace(held, called=held.called | {seat})

    def _each(self, seat: int, ways: Callable[[Possible], Iterable[Possible]]) -> Held | None:
        hands = self.hands[seat]
        if hands is None:
            return self
        after = frozenset(new for hand in hands for new in ways(hand))
        if not after:
            return None
        kept = after if len(after) <= MOST else None
        return replace(
            self, hands=tuple(kept if s == seat else h for s, h in enumerate(self.hands))
        )


def dealt(hands: Iterable[Iterable[str]], aside: tuple[str, ...]) -> Held:
    """What the seats hold after the deal."""
    possible = tuple(frozenset({Possible(tuple(sorted(hand)))}) for hand in hands)
    return Held(possible, aside, drawn=(None,) * len(possible))


def stands_for(tile: str, aside: tuple[str, ...]) -> frozenset[str]:
    """Kinds that a tile can be in a set: its own, and for a galaxy tile its rank in any suit, or
    any of the kinds set aside."""
    kind = kind_code(tile)
    if not tile.endswith("x"):
        return frozenset({kind})
    if kind[1] in _RANKED:
        return frozenset(kind[0] + suit for suit in _RANKED)
    return frozenset({kind, *aside})


def _with(hand: Possible, tile: str) -> Possible:
    return Possible(tuple(sorted((*hand.tiles, tile))), hand.pons)


def _without(hand: Possible, *codes: str) -> Iterator[Possible]:
    """The hand without these tiles, each taken as itself or as an unknown one."""
    unknown = hand.tiles.count(UNKNOWN)
    if not unknown:
        tiles = list(hand.tiles)
        for code in codes:
            if code == UNKNOWN or code not in tiles:
                if code == UNKNOWN and tiles:
                    yield from (
                        Possible((*tiles[:i], *tiles[i + 1 :]), hand.pons)
                        for i in range(len(tiles))
                    )
                return
            tiles.remove(code)
        yield Possible(tuple(tiles), hand.pons)
        return
    for n in range(min(unknown, len(codes)) + 1):
        for hidden in combinations(range(len(codes)), n):
            tiles = list(hand.tiles)
            for i, code in enumerate(codes):
                wanted = UNKNOWN if i in hidden else code
                if wanted not in tiles:
                    break
                tiles.remove(wanted)
            else:
                yield Possible(tuple(tiles), hand.pons)


def _as_kind(hand: Possible, kind: str, aside: tuple[str, ...]) -> list[str]:
    """The hand's tiles that can be of a kind, unknown ones too."""
    return [t for t in hand.tiles if t == UNKNOWN or kind in stands_for(t, aside)]


def _taking(hand: Possible, tiles: tuple[str, ...], pons: tuple[str, ...]) -> Possible:
    rest = list(hand.tiles)
    for tile in tiles:
        rest.remove(tile)
    return Possible(tuple(rest), pons)


def _kinds(tile: str, aside: tuple[str, ...]) -> Iterable[str]:
    return KINDS if tile == UNKNOWN else stands_for(tile, aside)


def _sets(
    hand: Possible, tile: str, n: int, aside: tuple[str, ...], *, pon: bool = False
) -> Iterator[Possible]:
    for kind in _kinds(tile, aside):
        for tiles in set(combinations(_as_kind(hand, kind, aside), n)):
            yield _taking(hand, tiles, (*hand.pons, kind) if pon else hand.pons)


def _runs(hand: Possible, tile: str, aside: tuple[str, ...]) -> Iterator[Possible]:
    for kind in _kinds(tile, aside):
        rank, suit = int(kind[0]), kind[1]
        if suit not in _RANKED:
            continue
        for low, high in ((-2, -1), (-1, 1), (1, 2)):
            if not (rank + low >= 1 and rank + high <= SUITS[suit]):
                continue
            first = set(_as_kind(hand, f"{rank + low}{suit}", aside))
            second = set(_as_kind(hand, f"{rank + high}{suit}", aside))
            for a in first:
                for b in second:
                    if a != b or hand.tiles.count(a) > 1:
                        yield _taking(hand, (a, b), hand.pons)


def _fourths(hand: Possible, aside: tuple[str, ...]) -> Iterator[Possible]:
    for kind in set(hand.pons):
        pons = list(hand.pons)
        pons.remove(kind)
        for tile in set(_as_kind(hand, kind, aside)):
            yield _taking(hand, (tile,), tuple(pons))


def _fours(hand: Possible, aside: tuple[str, ...]) -> Iterator[Possible]:
    kinds = {kind for tile in hand.tiles if tile != UNKNOWN for kind in stands_for(tile, aside)}
    for kind in kinds or set(KINDS[:1]):
        for tiles in set(combinations(_as_kind(hand, kind, aside), 4)):
            yield _taking(hand, tiles, hand.pons)
