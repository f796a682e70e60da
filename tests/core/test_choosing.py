"""Which number a rule is: by count, layout, players and dealing; notes win, twins are shown."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.preset_texts import FOUR, RAMEN, THREE

from tablectl.core.choosing import Found, choose, chosen, noted
from tablectl.core.mechanism import STATES, SetState, advance
from tablectl.core.preset import Preset, Walls
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.profile import GameNumber, Note, effect_of
from tablectl.core.profile_file import builtin_profiles, named_profile
from tablectl.core.tiles import Multiset, Tile
from tablectl.errors import NO, TablectlError

PROFILES = [named_profile(name) for name in builtin_profiles()]
EACH = [(profile, number) for profile in PROFILES for number in profile.numbers]


def rule_of(number: GameNumber, sides: tuple[int, ...], players: int) -> Preset:
    """A rule whose tiles and walls are this number's; walls in tiles."""
    assert number.tiles is not None
    base = find_preset(FOUR)
    kinds, rest = divmod(number.tiles, 4)
    counts = {Tile(kind): 4 for kind in range(kinds)} | ({Tile(41): rest} if rest else {})
    columns = tuple(n // 2 for n in sides)
    three = columns if 0 in columns else None
    return replace(
        base,
        players=players,
        tiles=Multiset(counts),
        walls=Walls(columns, three, "three" if three else "four"),
        dealing=replace(base.dealing, machine=number.dealt or 0),
    )


def turned(sides: tuple[int, ...], n: int) -> tuple[int, ...]:
    return (*sides[n:], *sides[:n])


# ── every number is found ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("profile", "number"), EACH, ids=[f"{p.name}-{n.number}" for p, n in EACH])
def test_every_number_is_found_by_a_rule_with_its_count_and_layout(profile, number) -> None:
    assert number.sides is not None
    for n, players in product(range(4), number.players):
        choice = choose(rule_of(number, turned(number.sides, n), players), profile.numbers)
        found = [choice.found.number] if choice.found else list(choice.several)
        assert number in found
        assert not choice.nearest
        for other in found:
            assert (other.tiles, other.sides) == (number.tiles, number.sides)
        if choice.found:
            assert choice.found.source == "profile"
            assert not choice.found.verified


def test_the_very_same_layout_is_better_and_a_tie_is_shown() -> None:
    rule = find_preset(RAMEN)
    a = GameNumber(1, 116, (28, 30, 28, 30), frozenset({3}))
    b = replace(a, number=2, sides=(30, 28, 30, 28))
    choice = choose(rule, (a, b))
    assert choice.found is not None
    assert choice.found.number == b
    assert [offer.number for offer in choice.found.others] == [a]
    assert "number 1 would do too" in choice.found.why
    found = chosen(rule, (a,))
    assert found.number == a
    assert "which sides are the long ones" in found.why
    assert choose(rule, (b, replace(b, number=9))).several == (b, replace(b, number=9))
    assert choose(rule, (a, replace(a, number=9))).several == (a, replace(a, number=9))


@given(st.integers(0, 10_000))
def test_the_order_in_which_a_table_tells_its_numbers_decides_nothing(seed: int) -> None:
    rng = random.Random(seed)
    rule = find_preset(rng.choice(builtin_presets()))
    numbers = list(rng.choice([one for one in PROFILES if one.numbers]).numbers)
    numbers += [
        replace(
            rng.choice(numbers), number=700 + n, players=frozenset(rng.choice(((), (3,), (4,))))
        )
        for n in range(3)
    ]
    here = choose(rule, numbers)
    rng.shuffle(numbers)
    there = choose(rule, numbers)
    assert (here.found and here.found.number) == (there.found and there.found.number)
    assert {one.number for one in here.several} == {one.number for one in there.several}
    assert len(here.several) != 1
    assert bool(here.found) + bool(here.several) + bool(here.nearest) == 1


# ── the tables that are known ───────────────────────────────────────────────────────────────────

STOCK = ("stock", "stock-counts", "presence", "reader", "deaf")


@pytest.mark.parametrize(
    ("name", "rule", "number"),
    [
        *((name, rule, n) for name in STOCK for rule, n in ((RAMEN, 5), (FOUR, 1), (THREE, 8))),
        *(
            ("stock", rule, n)
            for rule, n in (
                ("fuzhou-128", 6),
                ("fuzhou-144", 2),
                ("vivace-4p", 1),
                ("vivace-a-league", 1),
                ("vivace-sanma", 8),
                ("goto-sanma", 9),
            )
        ),
        ("gears", "fuzhou-144", 5),
        ("gears", "goto-sanma", 16),
        ("gears", RAMEN, 15),
        ("gears", FOUR, 9),
        ("gears", THREE, 18),
        ("autodeal", FOUR, 1),
    ],
)
def test_the_numbers_of_the_rules(name: str, rule: str, number: int) -> None:
    found = chosen(find_preset(rule), named_profile(name).numbers)
    assert found.number.number == number


def test_walls_that_are_wanted_instead_decide() -> None:
    rule = find_preset(THREE)
    three = rule.walls.three
    assert chosen(rule, named_profile("stock").numbers, sides=three).number.number == 3
    assert chosen(rule, named_profile("gears").numbers, sides=three).number.number == 19
    moved = (18, 0, 18, 18)
    assert chosen(rule, named_profile("gears").numbers, sides=moved).number.number == 19
    whole = (17, 17, 17, 17)
    four = chosen(find_preset(FOUR), named_profile("autodeal").numbers, sides=whole)
    assert four.number.number == 2


def test_a_table_that_deals_does_so_where_the_rule_lets_it() -> None:
    numbers = named_profile("autodeal").numbers
    rule = find_preset(FOUR)
    found = chosen(rule, numbers)
    assert "13 dealt to each seat by the table" in found.why
    assert "number 2 would do too, but people deal from its walls" in found.why
    people = replace(rule, dealing=replace(rule.dealing, machine=0))
    assert chosen(people, numbers).number.number == 2
    other = replace(rule, dealing=replace(rule.dealing, machine=12))
    assert chosen(other, numbers).number.number == 2
    bare = replace(rule, indicators=replace(rule.indicators, start=0))
    assert chosen(bare, numbers).number.number == 2
    # A number that deals, nobody knows how much, is not preferred to one that is known.
    unknown = replace(numbers[0], dealt=None, sides=None)
    assert chosen(rule, (unknown, numbers[1])).number.number == 2


# ── none fits ───────────────────────────────────────────────────────────────────────────────────


def test_the_nearest_are_told_with_what_is_wrong() -> None:
    rule = find_preset(THREE)
    stock = [n for n in named_profile("stock").numbers if n.number != 8]
    choice = choose(rule, stock)
    assert choice.found is None
    assert not choice.several
    assert len(choice.nearest) == 3
    first, second, third = choice.nearest
    assert first.number.number == 3
    assert first.why == "three walls stand instead of four walls"
    assert (second.number.number, third.number.number) == (9, 4)
    assert second.why == "112 tiles, 4 more than 108"
    assert "three walls" in third.why
    with pytest.raises(TablectlError) as caught:
        chosen(rule, stock)
    error = caught.value
    assert error.code == "number.none"
    assert error.status == NO
    assert all(offer.why in error.message for offer in choice.nearest)
    assert "108 tiles on four walls of 14, 13, 14, 13 columns, 3 players" in error.message


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (GameNumber(1), "nobody says how many tiles it builds"),
        (GameNumber(1, 144), "144 tiles, 8 more than 136"),
        (GameNumber(1, 134), "134 tiles, 2 fewer than 136"),
        (GameNumber(1, 136, (36, 34, 34, 32)), "its walls have 36, 34, 34, 32 tiles"),
        (GameNumber(1, 136, (46, 46, 44, 0)), "three walls stand instead of four walls"),
        (GameNumber(1, 136, (20, 20, 22, 22)), "its walls hold 84 of its 136 tiles"),
        (GameNumber(1, 136, (46, 46, 44, 0), frozenset({3})), "it is for 3 players, not 4"),
        (GameNumber(1, 136, (20, 20, 22, 22), frozenset({3}), 13), "it deals to 3 seats"),
        (GameNumber(1, 136, (20, 20, 20, 20), frozenset({4}), 13), "80 tiles stay in its walls"),
        (GameNumber(1, 136, (22, 22, 22, 22), frozenset({4}), 12), "it deals 12 tiles"),
    ],
)
def test_what_is_wrong_with_a_number(number: GameNumber, why: str) -> None:
    choice = choose(find_preset(FOUR), (number,))
    assert choice.found is None
    [offer] = choice.nearest
    assert why in offer.why


def test_a_number_of_which_less_is_known_fits_less_well() -> None:
    rule = find_preset(FOUR)
    plain, known = GameNumber(1, 136), GameNumber(2, 136, (34,) * 4, frozenset({4}))
    assert chosen(rule, (plain, known)).number == known
    found = chosen(rule, (plain,))
    assert found.number == plain
    assert "nobody says how its walls stand" in found.why
    three = replace(known, number=3, players=frozenset({3}))
    assert chosen(rule, (three, known)).number == known
    assert "said to be for 3 players" in chosen(rule, (three,)).why


def test_no_number_at_all() -> None:
    with pytest.raises(TablectlError) as caught:
        chosen(find_preset(RAMEN), ())
    assert caught.value.code == "number.none"
    assert "nobody knows its numbers" in caught.value.message
    assert "Elsewhere it is often number 5." in caught.value.hint


def test_several_are_listed() -> None:
    first = GameNumber(18, 108, (28, 26, 28, 26), frozenset({3}), name="twin")
    numbers = (first, replace(first, number=19, name=""))
    with pytest.raises(TablectlError) as caught:
        chosen(find_preset(THREE), numbers)
    error = caught.value
    assert error.code == "number.several"
    assert error.status == NO
    assert error.values["numbers"] == [18, 19]
    assert "18 (twin, 108 tiles, walls of 28, 26, 28, 26 tiles, for 3 players); 19 (" in str(error)
    assert "--number" in error.hint
    assert chosen(find_preset(THREE), numbers, asked=19).number.number == 19


# ── the owner's word, and whoever asks ──────────────────────────────────────────────────────────


@given(st.sampled_from(PROFILES), st.sampled_from(builtin_presets()), st.integers(0, 60))
def test_the_owner_s_note_wins(profile, name, number) -> None:
    rule = find_preset(name)
    notes = (Note(name, 999), Note("another", 1), Note(name, number, verified=True))
    found = chosen(rule, profile.numbers, notes)
    assert found.number.number == number
    assert found.source == "note"
    assert found.verified
    assert chosen(rule, profile.numbers, notes, asked=number) == found
    told = profile.number(number)
    assert found.number == (told or found.number)
    assert (found.number.by == "note") == (told is None)
    if told is not None and told.tiles != rule.tile_count:
        assert f"{told.tiles} tiles" in found.why
    # Another rule's note says nothing here.
    assert choose(rule, profile.numbers, (Note("another", 1),)) == choose(rule, profile.numbers)


def test_a_number_that_is_asked_for() -> None:
    rule, numbers = find_preset(THREE), named_profile("stock").numbers
    found = chosen(rule, numbers, asked=3)
    assert found.number.number == 3
    assert "three walls stand" in found.why
    assert chosen(rule, numbers, (Note(THREE, 4),), asked=8).number.number == 8
    with pytest.raises(TablectlError) as caught:
        chosen(rule, numbers, asked=77)
    assert caught.value.code == "number.unknown"
    assert "it has 1, 2, 3, 4, 5, 6, 7, 8, 9" in caught.value.message
    with pytest.raises(TablectlError) as caught:
        chosen(rule, numbers, asked=1)
    assert caught.value.code == "number.unfit"
    assert "136 tiles, 28 more than 108" in caught.value.message
    found = chosen(rule, (), asked=77)
    assert (found.number.number, found.source, found.verified) == (77, "asked", False)


def test_what_is_verified_is_said() -> None:
    number = GameNumber(1, 136, (34,) * 4, frozenset({4}), verified=True, by="table")
    found = chosen(find_preset(FOUR), (number,))
    assert found == Found(number, found.why, "table", verified=True)


# ── what is noted ───────────────────────────────────────────────────────────────────────────────


def test_one_number_for_two_counts_is_said() -> None:
    ramen, goto = find_preset("ramen-jiro"), find_preset("goto-sanma")
    known = {"ramen-jiro": ramen, "goto-sanma": goto, "ramen-2": ramen}.get
    notes = (Note("ramen-jiro", 5), Note("ramen-2", 7), Note("gone", 5), Note("goto-sanma", 5))
    told = noted(goto, 5, (), notes, "east", (), known)
    assert told[1] == (
        "One number cannot build both: number 5 is noted for ramen-jiro (116 tiles) too, and"
        " goto-sanma has 112 tiles. One of the notes is wrong."
    )
    # Two rules of one count may have one number, and other numbers are no matter.
    same = (Note("ramen-jiro", 7), Note("ramen-2", 7))
    assert noted(ramen, 7, (), same, "east", (), known) == [
        "Noted: ramen-jiro is number 7 at east."
    ]


def test_what_a_note_takes_the_place_of_is_said() -> None:
    topped = find_preset("ramen-jiro+wareme-2")
    before, now = (Note("ramen-jiro", 5, verified=True),), (Note("ramen-jiro", 7),)
    assert noted(topped, 7, (), now, "east", before) == [
        "Noted: ramen-jiro is number 7 at east.",
        "ramen-jiro+wareme-2 is built as ramen-jiro is: it is one note for both.",
        "It was number 5 there before, verified: `tablectl note east ramen-jiro=5 --verified`"
        " takes it back.",
    ]
    assert "not verified" in noted(topped, 5, (), before, "east", (Note("ramen-jiro", 5),))[2]
    assert len(noted(topped, 5, (), before, "east", before)) == 2, "nothing is another"


@pytest.mark.parametrize(("name", "asked"), [(RAMEN, None), (THREE, None), (THREE, 77), (THREE, 1)])
def test_hints_name_the_table(name, asked) -> None:
    first = GameNumber(18, 108, (28, 26, 28, 26), frozenset({3}))
    twins = (first, replace(first, number=19))
    numbers = named_profile("stock").numbers if asked is not None else twins
    with pytest.raises(TablectlError) as caught:
        chosen(find_preset(name), numbers, asked=asked, table="east")
    assert "tablectl note east " in caught.value.hint
    assert "TABLE" not in caught.value.hint


# ── when it takes effect ────────────────────────────────────────────────────────────────────────


def takes_effect(sets: tuple[SetState, SetState], number: int) -> str:
    return " ".join(f"Set {n} {effect_of(one, number)}." for n, one in zip("ab", sets, strict=True))


def test_a_set_that_is_being_stacked_keeps_its_number_once_more() -> None:
    sets = (SetState("stacking", active=1), SetState("up", active=1, pending=5))
    said = takes_effect(sets, 5)
    assert said == (
        "Set a is being stacked: its next walls are still number 1's, and number 5 counts from the"
        " stacking after that. Set b is on the table: these walls are number 1's, and number 5"
        " counts from its next stacking."
    )
    same = takes_effect((SetState("ready", active=5), SetState()), 5)
    assert "Set a has number 5 already and waits below with its tiles stacked." in same
    assert "Set b has not said where it is" in same


ROUND = ["hatch_opened", "hatch_closed", "stack_begun", "stack_done", "rise", "raised"]
"""What happens to a set from the walls on the table to its next walls."""


@pytest.mark.parametrize("before", [None, 1, 5])
@pytest.mark.parametrize("steps", range(6))
@pytest.mark.parametrize("stop", [None, "paused", "trouble"])
def test_the_sentence_is_what_the_machine_does(before, steps, stop) -> None:
    """A set is walked on from the select to its next walls: they are those that were promised."""
    state = SetState("up", active=before)
    for trigger in ROUND[:steps]:
        state = step(state, trigger)
    state = replace(state, pending=5)
    if stop == "paused" and state.word not in ("mixing", "stacking"):
        return
    stopped = state if stop is None else step(state, stop)
    said = takes_effect((stopped, SetState()), 5).split(". ")[0]
    for trigger in ROUND[steps:]:
        state = step(state, trigger)
    old = state.active != 5
    assert ("its next walls are still" in said) == old, said
    assert ("5 already" in said) == (before == 5), said


def step(state: SetState, trigger: str) -> SetState:
    moved = advance(state, None, trigger)
    assert isinstance(moved, tuple), moved
    return moved[0]


def test_there_is_a_sentence_for_every_state() -> None:
    words = [None, *STATES]
    for word, before, beneath, active in product(STATES, words, words, (None, 1, 5)):
        state = SetState(word, before, active, 5, beneath)
        said = takes_effect((state, state), 5)
        assert said.startswith("Set a ")
        assert said.count(" number 5") >= 1
