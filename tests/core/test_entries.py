"""Entries of a history: a value that grows without a copy, and like a tuple never changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tablectl.core import facts
from tablectl.core.entries import Entries
from tablectl.core.entry import Entry


def entry(key: int) -> Entry:
    return Entry(table="t", seq=1, key=f"k{key}", fact=facts.Button(button=f"b{key}"))


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 9)), max_size=30), st.data())
def test_whoever_goes_on_from_where_each_sees_what_a_tuple_would(steps, data):
    made = [(Entries(), ())]
    for choice, key in steps:
        entries, plain = made[choice % len(made)]
        made.append((entries.plus(entry(key)), (*plain, entry(key))))
    for entries, plain in made:
        assert tuple(entries) == plain
        assert entries == plain == entries
        assert len(entries) == len(plain)
        assert list(reversed(entries)) == list(reversed(plain))
        assert entries.keys == {one.key for one in plain}
        assert len(entries.keys) == len({one.key for one in plain})
        assert all(entries.has(f"k{key}") == (f"k{key}" in entries.keys) for key in range(10))
        at = data.draw(st.slices(len(plain)))
        assert entries[at] == plain[at]
        if plain:
            index = data.draw(st.integers(-len(plain), len(plain) - 1))
            assert entries[index] == plain[index]


def test_growing_copies_nothing():
    first = Entries(entry(n) for n in range(3))
    second = first.plus(entry(3))
    third = second.plus(entry(4))
    assert first._shared is second._shared is third._shared
    assert first.plus(entry(5))._shared is not first._shared
    assert tuple(third) == tuple(entry(n) for n in range(5))


def test_it_is_not_a_tuple_of_other_entries():
    assert Entries([entry(1)]) != Entries([entry(2)])
    assert Entries([entry(1)]) != [entry(1)]
