"""What is shown of a State, and what people are offered to tell."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import told

from tablectl.api.messages import SAYABLE
from tablectl.core import facts
from tablectl.core.fold import fold_each
from tablectl.core.hand import LIVES
from tablectl.core.state import State
from tablectl.core.view import TAPS, View, taps_of, view_of


def test_every_life_has_its_taps_and_people_may_say_them():
    assert set(TAPS) == set(LIVES) - {"none"}
    assert {tap for taps in TAPS.values() for tap in taps} <= set(SAYABLE)


@given(st.integers(0, 10_000))
def test_whatever_is_told_of_a_hand_was_offered(seed):
    """Each fact of a hand told tile by tile is among the taps of the moment before it."""
    rules, entries = told(seed)
    before = State()
    for entry, state, verdict in fold_each({rules.digest: rules}, entries, before):
        tag = facts.tag_of(entry.fact)
        if before.hand is not None and verdict.kind == "fits":
            assert tag in taps_of(rules, before.hand), (tag, before.hand.life)
        before = state


@pytest.mark.parametrize("seed", range(8))
def test_a_view_is_json_as_its_schema_says(seed):
    rules, entries = told(seed)
    for _, state, _ in fold_each({rules.digest: rules}, entries, State()):
        shown = view_of(rules, state)
        again = msgspec.json.decode(msgspec.json.encode(shown), type=View)
        assert msgspec.json.encode(again) == msgspec.json.encode(shown)
