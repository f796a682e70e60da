"""From the tiles of one rule to those of another: what to take out of a set, what to put in.

Said as people say it: ranges of number tiles (`2m–8m ×4`), honours and flowers by their faces
(`北×4 中×4`), marked tiles with their marks (`gold 5s`). A set is changed while its hatch is open;
which moment that is for a set is said too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from tablectl.core.mechanism import SetState
from tablectl.core.profile import STACKED, beneath, effect_of
from tablectl.core.tiles import MARKS, Multiset, Tile

FACES: Final = dict(zip(range(27, 42), "東南西北白發中春夏秋冬梅蘭竹菊", strict=True))
"""Faces of honours and flowers as people say them, by kind."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Tiles that come `out` of a set, those that go `in_`, those that `stay`. `known` False:
    nobody knows what lies in the set; `in_` is then all that must be in it."""

    out: Multiset
    in_: Multiset
    stay: Multiset
    known: bool = True

    @property
    def total(self) -> int:
        """Tiles in the set afterwards."""
        return self.in_.total + self.stay.total

    @property
    def nothing(self) -> bool:
        """Whether the tiles stay as they are."""
        return self.known and not self.out and not self.in_


@dataclass(frozen=True, slots=True)
class SetExchange:
    """The exchange of one tile set (`set`); `what` is to be done and `when`, in parts of
    sentences. Where nothing is to be done, `when` is when the number takes effect, empty without
    one: of a set one thing is said, so that no sentence speaks against another."""

    set: str
    exchange: Exchange
    what: str
    when: str

    @property
    def say(self) -> list[str]:
        """What to do with this set, and when, in sentences."""
        say = [f"Set {self.set}: {self.what}."]
        return [*say, f"Set {self.set} {self.when}."] if self.when else say

    def as_json(self) -> dict[str, Any]:
        """For programs: counts by tile, and the sentences."""
        change = self.exchange
        counts = {"out": change.out, "in": change.in_, "stay": change.stay}
        told = {word: {t.code: n for t, n in tiles.items()} for word, tiles in counts.items()}
        return {"set": self.set, "known": change.known, **told, "say": self.say}


def exchange(old: Multiset | None, new: Multiset) -> Exchange:
    """What makes `new` of `old`; None: nobody knows what is there."""
    if old is None:
        return Exchange(Multiset(), new, Multiset(), known=False)
    stay = {tile: min(n, new[tile]) for tile, n in old.items()}
    out = {tile: n - stay[tile] for tile, n in old.items()}
    in_ = {tile: n - stay.get(tile, 0) for tile, n in new.items()}
    return Exchange(Multiset(out), Multiset(in_), Multiset(stay))


def sentence(change: Exchange) -> str:
    """An exchange in one sentence, with how many tiles there are then."""
    if not change.known:
        return (
            f"nobody knows what lies in it; {change.total} tiles must be in it: "
            f"{all_said(change.in_)}"
        )
    if change.nothing:
        return f"its {change.total} tiles stay as they are"
    parts = []
    if change.out:
        parts.append(f"take out {tiles_said(change.out)}")
    if change.in_:
        parts.append(f"put in {tiles_said(change.in_)}")
    said = ", ".join(parts)
    marked = Multiset({tile: n for tile, n in change.stay.items() if tile.mark or _flower(tile)})
    if marked:
        said += f"; the {tiles_said(marked)} stay"
    return f"{said}; {change.total} tiles then"


def of_set(
    name: str, state: SetState, old: Multiset | None, new: Multiset, number: int | None
) -> SetExchange:
    """What is to be done with one set so that it holds the tiles `new`. `state`: where it is;
    `number`: the table's number for the new rule, None where nobody chose one."""
    if old is not None and old.total != new.total and number is not None and number == state.active:
        old = None  # a set that has the rule's number has its count
    change = exchange(old, new)
    if not change.nothing:
        when = _when(state, change, old, number)
    else:
        when = "" if number is None else effect_of(state, number)
    return SetExchange(name, change, sentence(change), when)


def exchanges_said(sets: Sequence[SetExchange]) -> list[str]:
    """What to do with both sets, in sentences; what is the same for both is said once."""
    if len({one.what for one in sets}) > 1:
        return [line for one in sets for line in one.say]
    first = sets[0]
    who = "Either set" if not first.exchange.known else "Both sets"
    what = first.what.replace("its ", "their ", 1) if first.exchange.nothing else first.what
    if first.when and len({one.when for one in sets}) == 1:
        return [f"{who}: {what}.", f"Each set {first.when}."]
    return [f"{who}: {what}."] + [f"Set {one.set} {one.when}." for one in sets if one.when]


def tiles_said(tiles: Mapping[Tile, int]) -> str:
    """Tiles in words: number tiles in ranges, honours and flowers by face, marks named."""
    return ", ".join(_groups(tiles))


def all_said(tiles: Multiset) -> str:
    """A whole set in words: its kinds, then what is marked among them."""
    kinds = Multiset({Tile(kind): n for kind, n in tiles.by_kind.items()})
    marked = {tile: n for tile, n in tiles.items() if tile.mark}
    said = tiles_said(kinds)
    return f"{said}; among them {tiles_said(marked)}" if marked else said


def tile_said(tile: Tile) -> str:
    """One tile: `5p`, `北`, `gold 5p`, `galaxy 中`, `white diamond`."""
    face = FACES.get(tile.kind, tile.code[:2])
    if not tile.mark:
        return face
    mark = MARKS[tile.mark]
    return mark if tile.mark == "d" else f"{mark} {face}"


def number_said(n: int) -> str:
    """`two`; from five on in digits."""
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────

_NUMBERS: Final = ("no", "one", "two", "three", "four")
_MARK_ORDER: Final = tuple(mark for mark in MARKS if mark)


def _flower(tile: Tile) -> bool:
    return tile.suit == "f"


def _groups(tiles: Mapping[Tile, int]) -> Iterator[str]:
    plain = {tile: n for tile, n in tiles.items() if not tile.mark}
    for suit in "mps":
        yield from _ranges({tile.rank: n for tile, n in plain.items() if tile.suit == suit}, suit)
    honours = {tile: n for tile, n in plain.items() if tile.suit == "z"}
    if honours:
        yield " ".join(_faces(honours))
    flowers = {tile: n for tile, n in plain.items() if _flower(tile)}
    if flowers:
        yield _flowers(flowers)
    for mark in _MARK_ORDER:
        yield from _marked({tile: n for tile, n in tiles.items() if tile.mark == mark}, mark)


def _ranges(ranks: Mapping[int, int], suit: str) -> Iterator[str]:
    """Runs of ranks that are there equally often."""
    ordered = sorted(ranks)
    for (_, n), run in groupby(enumerate(ordered), lambda one: (one[1] - one[0], ranks[one[1]])):
        found = [rank for _, rank in run]
        span = f"{found[0]}{suit}" + (f"–{found[-1]}{suit}" if len(found) > 1 else "")
        yield f"{span} ×{n}" if n > 1 else span


def _faces(tiles: Mapping[Tile, int]) -> list[str]:
    """`北×4` for each kind, `北` where there is one."""
    return [f"{FACES[tile.kind]}×{n}" if n > 1 else FACES[tile.kind] for tile, n in tiles.items()]


def _flowers(flowers: Mapping[Tile, int]) -> str:
    """`8 flowers (春夏秋冬 two each)`."""
    total = sum(flowers.values())
    each = set(flowers.values())
    faces = "".join(FACES[tile.kind] for tile in flowers)
    if len(each) == 1:
        times = _each(each.pop())
        inside = f"{faces}{times}"
    else:
        inside = " ".join(_faces(flowers))
    return f"{total} flower{'s' if total > 1 else ''} ({inside})"


def _marked(tiles: Mapping[Tile, int], mark: str) -> Iterator[str]:
    """`red 5m 5p 5s two each`, the same number together."""
    if mark == "d":
        if total := sum(tiles.values()):
            faces = " ".join(FACES.get(tile.kind, tile.code[:2]) for tile in tiles)
            yield f"white diamond {faces}" + (f" ×{total}" if total > 1 else "")
        return
    for n in sorted(set(tiles.values()), reverse=True):
        same = [FACES.get(tile.kind, tile.code[:2]) for tile in tiles if tiles[tile] == n]
        times = _each(n) if len(same) > 1 else f" ×{n}" if n > 1 else ""
        yield f"{MARKS[mark]} {' '.join(same)}{times}"


def _each(n: int) -> str:
    return f" {number_said(n)} each" if n > 1 else ""


def _when(state: SetState, change: Exchange, old: Multiset | None, number: int | None) -> str:
    """When the tiles of a set can be changed. A set is open only between the hatch that opens and
    the hatch that closes, and the number must be chosen by then (`tables.md`, section 3)."""
    word, stopped = beneath(state)
    same = number is not None and state.active == number
    if word in STACKED and not (same and stopped):
        return _stacked(state, stopped or STACKED[word], old, number)
    if stopped and word != "up":
        return f"{stopped}: take its tiles out and change them before it goes on"
    if word == "dropping":
        return "lies open in the hatch: change its tiles now, before the hatch closes"
    if word == "up":
        chosen = "" if same else ", with the new number chosen before that"
        return (
            f"{stopped or 'is on the table'}: change its tiles when they are pushed in, before the"
            f" hatch closes{chosen}"
        )
    if word == "mixing":
        return _mixed(change, old, number)
    return (
        "has not said where it is: change its tiles when its hatch is open, before they are"
        " pushed in"
    )


def _mixed(change: Exchange, old: Multiset | None, number: int | None) -> str:
    if old is None:
        return (
            "is being mixed: if its tiles are others, press two start buttons together, change"
            " them, and press one of them to go on"
        )
    if number is not None and old.total != change.total:
        return (
            f"is being mixed with {old.total} tiles, but number {number} stacks"
            f" {change.total}: it would stop. Press two start buttons together, change its"
            " tiles, and press one of them to go on"
        )
    return (
        "is being mixed with the tiles of the rule before: press two start buttons together,"
        " change its tiles, and press one of them to go on"
    )


def _stacked(state: SetState, lead: str, old: Multiset | None, number: int | None) -> str:
    """Of a set whose walls come up next as they are."""
    if state.active is None and old is None:
        return (
            f"{lead}, nobody knows with which number: it comes up as it is. Look at its tiles then,"
            " and change them when they are pushed in"
        )
    if state.active != number or number is None:
        what = f"for {old.total} tiles" if old is not None else f"for number {state.active}"
        return (
            f"{lead} {what}: it comes up once more as it is. Push start again, and change its tiles"
            " when they are pushed in"
        )
    if old is None:
        return (
            f"{lead} with number {number} already: look at its tiles when it is up, and change"
            " what is wrong when they are pushed in"
        )
    return (
        f"{lead} with number {number} already, but with the tiles of the rule before. Push start"
        " again when it is up, and change them when they are pushed in"
    )
