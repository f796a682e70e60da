"""The laws of the fold, over random hands of random rules (the page of facts, section 3)."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import entry, played, rules_of, told, told_more

from tablectl.core import facts
from tablectl.core.entry import Entry, decode_entry, encode_entry
from tablectl.core.fold import History, effective, fold, fold_all
from tablectl.core.record import read_record
from tablectl.core.replay import entries_of
from tablectl.core.state import State, plan_of
from tablectl.core.turn import Turn
from tablectl.errors import TablectlError

SEEDS = st.integers(0, 10_000)


def book(rules):
    return {rules.digest: rules}


def appended(rules, entries):
    history = History(book(rules))
    for one in entries:
        history, _ = history.append(one)
    return history


def without_numbers(state: State) -> object:
    """A state without seqs, which differ between a fact said in time and one said late."""
    deal = None if state.deal is None else replace(state.deal, seq=0)
    verdicts = [verdict for _, verdict in state.verdicts]
    questions = [(q.id.split(":")[0], q.text, q.choices) for q in state.questions]
    return replace(state, deal=deal, verdicts=(), questions=()), verdicts, questions


def with_seq(one: Entry, seq: int, **about: object) -> Entry:
    parts = {name: getattr(one, name) for name in Entry.__struct_fields__}
    return Entry(**(parts | {"seq": seq, "key": f"n:{seq}"} | about))


@given(SEEDS, st.data())
def test_folding_in_parts_is_folding_in_one_go(seed, data):
    rules, entries = told_more(seed)
    cut = data.draw(st.integers(0, len(entries)))
    whole = fold_all(book(rules), entries)
    assert fold_all(book(rules), entries[cut:], fold_all(book(rules), entries[:cut])) == whole
    assert appended(rules, entries).state == whole


@given(SEEDS, st.data())
def test_a_retracted_fact_is_one_never_said(seed, data):
    rules, entries = told_more(seed)
    target = data.draw(st.sampled_from(entries))
    last = entry(len(entries) + 1, facts.Retract(target=target.seq))
    without = [one for one in entries if one is not target]
    assert appended(rules, [*entries, last]).state == fold_all(book(rules), without)
    assert fold_all(book(rules), [*entries, last]) == fold_all(book(rules), without)


@given(SEEDS, st.data())
def test_a_replaced_fact_was_said_right_at_once(seed, data):
    rules, entries = told_more(seed)
    wrong = data.draw(st.sampled_from([e for e in entries if isinstance(e.fact, facts.Drawn)]))
    other = facts.Drawn(seat=(wrong.fact.seat + 1) % rules.players, end="tail", tile="1m")
    said = [with_seq(e, e.seq, fact=other) if e is wrong else e for e in entries]
    right = json.loads(encode_entry(wrong))["fact"]
    last = entry(len(entries) + 1, facts.Replace(target=wrong.seq, fact=right))
    assert appended(rules, [*said, last]).state == fold_all(book(rules), entries)
    back = entry(len(entries) + 2, facts.Retract(target=last.seq))
    assert appended(rules, [*said, last, back]).state == fold_all(book(rules), said)


@given(SEEDS, st.data())
def test_a_repeated_key_changes_nothing(seed, data):
    rules, entries = told_more(seed)
    again = data.draw(st.sampled_from(entries))
    repeated = with_seq(again, len(entries) + 1, key=again.key)
    assert appended(rules, [*entries, repeated]).state == fold_all(book(rules), entries)
    assert fold_all(book(rules), [*entries, repeated]) == fold_all(book(rules), entries)


@given(SEEDS, st.data())
def test_a_late_fact_was_said_in_time(seed, data):
    rules, entries = told_more(seed)
    at = data.draw(st.integers(0, len(entries) - 1))
    late = with_seq(entries[at], len(entries) + 1, after=entries[at].seq - 1)
    told_late = [*entries[:at], *entries[at + 1 :], late]
    in_time = fold_all(book(rules), entries)
    assert without_numbers(fold_all(book(rules), told_late)) == without_numbers(in_time)
    assert without_numbers(appended(rules, told_late).state) == without_numbers(in_time)


@pytest.mark.parametrize("seed", [4, 8, 12, 1, 2, 3])
def test_corrections_at_every_position(seed):
    """Retract, replace and late, of every fact of a hand, by the way of a running history."""
    rules, entries = told_more(seed)
    running = appended(rules, entries)
    end = len(entries) + 1
    whole = without_numbers(running.state)
    for at, one in enumerate(entries):
        rest = [e for e in entries if e is not one]
        gone, _ = running.append(entry(end, facts.Retract(target=one.seq)))
        assert gone.state == fold_all(book(rules), rest), one
        same = json.loads(encode_entry(one))["fact"]
        kept, _ = running.append(entry(end, facts.Replace(target=one.seq, fact=same)))
        assert kept.state == running.state, one
        late = with_seq(one, end, after=at)
        assert without_numbers(fold_all(book(rules), [*rest, late])) == whole, one


@given(SEEDS, st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_the_dice_corrected_after_thirty_draws(seed, pips):
    """The dice were read wrongly: until the correction no place is right, what is counted is; then
    all is as if they had been read rightly, indicators turned at their real places too."""
    rules, entries = told(seed, rules_of(4 * (seed % 3)))
    draws = [n for n, e in enumerate(entries) if isinstance(e.fact, facts.Drawn)]
    cut = draws[min(30, len(draws) - 1)] + 1
    right = fold_all(book(rules), entries[:cut])
    dice = next(e for e in entries if isinstance(e.fact, facts.Dice))
    wrong = with_seq(dice, dice.seq, key=dice.key, fact=facts.Dice(pips=pips))
    said = [wrong if e is dice else e for e in entries[:cut]]
    before = fold_all(book(rules), said)
    assert (before.hand.head, before.hand.tail) == (right.hand.head, right.hand.tail)
    fact = {"pips": list(dice.fact.pips)}
    last = entry(len(entries) + 1, facts.Replace(target=dice.seq, fact=fact))
    corrected = appended(rules, [*said, last]).state
    assert corrected == right
    assert plan_of(rules, corrected.hand) == plan_of(rules, right.hand)


@given(SEEDS)
def test_two_face_down_tiles_swapped_change_no_byte(seed):
    rules, hand = played(seed)
    record = hand.record
    gone = {*hand.dealt, *(p for _, p in hand.taken)}
    seen = {p for p in range(len(record["wall"])) if p not in gone}
    followed = fold_all(book(rules), entries_of(rules, read_record(rules, hand.line)))
    plan = plan_of(rules, followed.hand)
    seen -= {q.p for q in (*plan.indicators, *plan.ura)}
    if len(seen) < 2:
        return
    a, b = random.Random(seed).sample(sorted(seen), 2)
    wall = list(record["wall"])
    wall[a], wall[b] = wall[b], wall[a]
    swapped = entries_of(rules, read_record(rules, json.dumps(record | {"wall": wall})))
    original = entries_of(rules, read_record(rules, hand.line))
    assert list(map(encode_entry, swapped)) == list(map(encode_entry, original))
    assert fold_all(book(rules), swapped) == followed


@given(SEEDS)
def test_tiles_are_conserved(seed):
    """Standing and taken make the deal's total at every fact."""
    rules, entries = told(seed)
    state = State()
    for one in entries:
        state, _ = fold(book(rules), state, one)
        if state.hand is not None and state.hand.life not in ("raised", "opened"):
            plan = plan_of(rules, state.hand)
            assert plan.head + plan.tail + plan.drawable <= plan.tiles
            if rules.reserve.policy != "neighbour":
                assert plan.head + plan.tail + plan.drawable + plan.reserve == plan.tiles


@given(SEEDS, st.data())
def test_an_odd_fact_changes_nothing_and_asks(seed, data):
    """Any fact at any moment has a verdict, no exception; an odd one leaves all as it was."""
    rules, entries = told(seed)
    cut = data.draw(st.integers(0, len(entries)))
    _, others = told_more(data.draw(SEEDS))
    state = fold_all(book(rules), entries[:cut])
    for one in data.draw(st.lists(st.sampled_from(others), max_size=8)):
        alien = with_seq(one, 1000 + one.seq)
        after, verdict = fold(book(rules), state, alien)
        if verdict.kind == "odd":
            assert verdict.text
            assert replace(after, questions=(), verdicts=()) == replace(
                state, questions=(), verdicts=()
            )
            assert after.questions[-1].text == verdict.text
            assert after.questions[-1].choices
        if after.hand is not None and after.hand.life not in ("raised", "closed"):
            try:
                plan_of(rules, after.hand)
            except TablectlError as error:
                assert error.code == "plan.no_break"
        state = after


@given(SEEDS)
def test_entries_survive_the_journal(seed):
    _, entries = told_more(seed)
    assert [decode_entry(encode_entry(one)) for one in entries] == entries


@given(SEEDS)
def test_effective_history_is_stable(seed):
    _, entries = told_more(seed)
    shuffled = entries[:]
    random.Random(seed).shuffle(shuffled)
    assert effective(shuffled) == entries
    assert effective(effective(entries)) == entries


def test_what_cannot_be_corrected_is_odd():
    rules, entries = told(4)
    end = len(entries) + 1
    asked = entry(end, facts.Asked(command="c1"))
    more = [*entries, asked]
    for correction, words in (
        (facts.Retract(target=end), "cannot be corrected"),
        (facts.Retract(target=9999), "no fact 9999"),
        (facts.Replace(target=2, fact={"type": "dice", "pips": [1, 2]}), "is no"),
        (facts.Replace(target=end, fact={"command": "c2"}), "cannot be corrected"),
    ):
        history = appended(rules, more)
        after, verdict = history.append(entry(end + 1, correction))
        assert verdict.kind == "odd"
        assert words in verdict.text
        assert replace(after.state, questions=(), verdicts=()) == replace(
            history.state, questions=(), verdicts=()
        )
        assert fold_all(book(rules), after.entries) == after.state


def test_the_turn_is_untracked_after_a_gap():
    rules, entries = told(4)
    state = fold_all(book(rules), entries[:12])
    state, verdict = fold(book(rules), state, entry(500, facts.Lost(first=3, count=2)))
    assert verdict.kind == "fits"
    assert state.hand.turn == Turn()
    assert any("2 events" in question.text for question in state.questions)
