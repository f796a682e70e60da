"""Entries of a history, one more at a time without a copy of those before.

A value like a tuple: it never changes. Several of them share one list, of which each sees its own
beginning; only where two go on from the same place is it copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice
from typing import overload

from tablectl.core.entry import Entry


class Entries(Sequence[Entry]):
    """Entries in their order."""

    __slots__ = ("_length", "_places", "_shared")

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._shared = list(entries)
        self._length = len(self._shared)
        self._places: dict[str, int] = {}
        """Where each key stands first."""
        for place, entry in enumerate(self._shared):
            self._places.setdefault(entry.key, place)

    def plus(self, entry: Entry) -> Entries:
        """These and one more."""
        if len(self._shared) != self._length:  # somebody else went on from here
            return Entries((*self, entry))
        more = Entries.__new__(Entries)
        self._shared.append(entry)
        self._places.setdefault(entry.key, self._length)
        more._shared, more._places, more._length = self._shared, self._places, self._length + 1
        return more

    @property
    def keys(self) -> Keys:
        """The keys of all of them."""
        return Keys(self)

    def has(self, key: str) -> bool:
        """Whether one of them has this key."""
        return self._places.get(key, self._length) < self._length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Entry: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Entry, ...]: ...

    def __getitem__(self, at: int | slice) -> Entry | tuple[Entry, ...]:
        places = range(self._length)[at]
        if isinstance(places, int):
            return self._shared[places]
        return tuple(self._shared[place] for place in places)

    def __iter__(self) -> Iterator[Entry]:
        return islice(self._shared, self._length)

    def __reversed__(self) -> Iterator[Entry]:
        return (self._shared[place] for place in range(self._length - 1, -1, -1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Entries, tuple)):
            return NotImplemented
        return tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Entries({tuple(self)!r})"


class Keys(Set[str]):
    """The keys of some entries."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Entries) -> None:
        self._entries = entries

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._entries.has(key)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(entry.key for entry in self._entries))

    def __len__(self) -> int:
        return sum(1 for _ in self)
