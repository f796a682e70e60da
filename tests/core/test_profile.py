"""Table models: their files, what boards tell beside them, and what people press."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from protocols.codes import AUTO_DEAL, TURNS_INDICATOR, VERIFIED, Ability
from tablectl.core.profile import (
    ABILITIES,
    GameNumber,
    Profile,
    by_hand,
    number_told,
    numbers_of,
)
from tablectl.core.profile_file import (
    FOLDER,
    builtin_profiles,
    find_profile,
    load_profile,
    named_profile,
    read_profile,
)
from tablectl.errors import TablectlError
from tablesim.model import MODELS
from tablesim.table import about

NAMES = builtin_profiles()
SIMULATED = [
    name for name in NAMES if all(model.startswith("sim ") for model in named_profile(name).models)
]
TEXTS = {name: (FOLDER / f"{name}.toml").read_text("utf-8") for name in NAMES}
BOARDS = {model.name: about(model, "table") for model in MODELS.values()}


def told_by(model: str) -> tuple[GameNumber, ...]:
    """What the board of a simulated model tells of its numbers."""
    return tuple(
        number_told(
            one.number,
            one.tiles,
            one.sides,
            one.players,
            deals=bool(one.flags & AUTO_DEAL),
            turns_indicator=bool(one.flags & TURNS_INDICATOR),
            verified=bool(one.flags & VERIFIED),
            name=one.name,
        )
        for one in BOARDS[model].numbers
    )


# ── the profiles that come with the program ─────────────────────────────────────────────────────


def test_each_simulated_model_has_a_profile_of_its_own() -> None:
    found = {model: find_profile(board.model) for model, board in BOARDS.items()}
    assert {profile.name for profile in found.values() if profile} == set(SIMULATED)
    assert len(SIMULATED) == len(MODELS)
    for name in NAMES:
        assert named_profile(name).name == name


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(SIMULATED)))
def test_a_real_model_has_only_what_a_page_says_of_it(name: str) -> None:
    profile = named_profile(name)
    assert profile.sources
    for one in (*profile.sources, *profile.numbers):
        assert "https://" in one.source
    assert all(find_profile(model) == profile for model in profile.models)
    # No page tells a maker's numbers: a rule is found by the owner's note alone.
    assert profile.numbers == ()


@pytest.mark.parametrize("model", MODELS)
def test_a_profile_says_what_the_machine_is(model: str) -> None:
    machine, profile = MODELS[model], find_profile(BOARDS[model].model)
    assert profile is not None
    assert profile.numbers == tuple(
        replace(told, source=known.source, by="profile")
        for told, known in zip(told_by(model), profile.numbers, strict=True)
    )
    assert profile.abilities == machine.abilities
    assert profile.stacking == machine.mix + machine.stack
    assert machine.stack < profile.stacking < machine.overdue


@pytest.mark.parametrize("name", NAMES)
def test_each_value_has_a_source_and_nothing_is_verified(name: str) -> None:
    profile = named_profile(name)
    if name in SIMULATED:
        assert {said.path for said in profile.sources} >= {"machine.stacking", "machine.press"}
    for one in (*profile.sources, *profile.numbers):
        assert one.source
        assert not one.verified


def test_the_words_of_abilities_are_those_of_the_wire() -> None:
    assert tuple(ability.name.lower() for ability in Ability) == ABILITIES


def test_a_model_that_nobody_knows_has_none() -> None:
    assert find_profile("sim") is None
    assert find_profile("") is None
    with pytest.raises(TablectlError) as caught:
        named_profile("presense")
    assert caught.value.code == "profile.unknown"
    assert "Did you mean presence?" in caught.value.hint


# ── files ───────────────────────────────────────────────────────────────────────────────────────

SMALL = """schema = 1
name = "mine"
title = "The table at the window"
models = ["MJ-1", "MJ-2"]
source = "the manual, page 12"

[machine]
stacking = { value = 30000, source = "a stopwatch", verified = true }
press = { value = "Press {number}." }

[[number]]
number = 5
tiles = 116
sides = [30, 28, 30, 28]
players = [3, 4]
verified = true

[[number]]
number = 6
"""


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SMALL, "utf-8")
    profile = named_profile(str(path))
    assert profile == load_profile(path)
    assert profile.models == ("MJ-1", "MJ-2")
    assert profile.stacking == 30_000
    assert [(said.path, said.source, said.verified) for said in profile.sources] == [
        ("machine.stacking", "a stopwatch", True),
        ("machine.press", "the manual, page 12", False),
    ]
    five, six = profile.numbers
    assert five == GameNumber(
        5, 116, (30, 28, 30, 28), frozenset({3, 4}), verified=True, source="the manual, page 12"
    )
    assert six == GameNumber(6, source="the manual, page 12")
    assert profile.number(6) == six
    assert profile.number(7) is None
    with pytest.raises(TablectlError) as caught:
        load_profile(tmp_path / "none.toml")
    assert caught.value.code == "profile.file"


def problems_of(text: str) -> list[tuple[int, str, str]]:
    """(line, code, sentence) of each mistake in a text that must not load."""
    with pytest.raises(TablectlError) as caught:
        read_profile(text, "mine.toml")
    assert caught.value.code == "profile.invalid"
    found = []
    for problem in caught.value.problems:
        assert problem.where is not None
        where, line = problem.where.rsplit(":", 1)
        assert where == "mine.toml"
        found.append((int(line), problem.code, problem.message))
    return found


def test_all_mistakes_at_once_each_with_its_line_and_the_nearest_word() -> None:
    text = SMALL
    for old, new in (
        ('title = "The table at the window"\n', ""),
        ('source = "the manual, page 12"', 'source = "the manual"\ncolour = "green"'),
        ("stacking =", "staking ="),
        ("verified = true }", 'verified = "yes" }'),
        ('press = { value = "Press {number}." }', 'press = "Press {number}."'),
        ("sides = [30, 28, 30, 28]", "sides = [30, 28, 30, 30]"),
        ("players = [3, 4]", "playres = [3, 3]"),
        ("number = 6", "number = 5\ntiles = 0"),
    ):
        assert old in text
        text = text.replace(old, new)
    assert problems_of(text) == [
        (1, "profile.missing", "'title' of the top of a profile is missing"),
        (5, "profile.key", "the top of a profile has no value 'colour'"),
        (8, "profile.key", "[machine] has no value 'staking'; did you mean 'stacking'?"),
        (8, "profile.value", 'machine.stacking.verified is "yes"'),
        (9, "profile.value", 'machine.press is "Press {number}."'),
        (14, "profile.clash", "its walls have 118 tiles, but it builds 116"),
        (15, "profile.key", "[[number]] has no value 'playres'; did you mean 'players'?"),
        (15, "profile.value", "number.0.players is [3, 3]"),
        (19, "profile.clash", "number 5 is there twice, in line 12 already"),
        (20, "profile.value", "number.1.tiles is 0"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("schema = 1", "schema = 2", "schema is 2"),
        ('models = ["MJ-1", "MJ-2"]', "models = []", "models is []"),
        ("[machine]", "[[machine]]", "machine is"),
        ("[[number]]\nnumber = 6", "[numbers]\nnumber = 6", "'numbers'; did you mean 'number'?"),
        ("value = 30000", "value = 30", "machine.stacking is 30"),
        ("press = {", 'abilities = { value = ["dise"] }\npress = {', "did you mean 'dice'?"),
        ('"Press {number}."', '"Press it."', 'machine.press is "Press it."'),
        ("players = [3, 4]", "players = [3, 4]\ndealt = 13", "13 tiles are dealt to each seat"),
        ("players = [3, 4]", "players = [4]\ndealt = 13", "116 tiles and the hands 52"),
        ("number = 6", "name = 6", "'number' of [[number]] is missing"),
        ("tiles = 116", "tiles = ", "invalid value"),
    ],
)
def test_one_mistake(old: str, new: str, said: str) -> None:
    assert SMALL.count(old) == 1
    found = problems_of(SMALL.replace(old, new))
    assert any(said in sentence for _, _, sentence in found), found


def test_no_text_crashes_the_reader() -> None:
    rng = random.Random(8)
    texts = [SMALL, TEXTS["autodeal"]]
    for _ in range(400):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            junk = rng.choice(["", "=", "[", "]", '"', "{}", "\n", "1", "number", "\x00", "真"])
            text = text[:at] + junk + text[at + rng.randint(0, 6) :]
        try:
            read_profile(text)
        except TablectlError as error:
            assert error.problems
            assert error.lines()


# ── what boards tell ────────────────────────────────────────────────────────────────────────────


def test_the_table_s_own_numbers_win() -> None:
    profile = named_profile("stock")
    mine = (number_told(5, 136, (34,) * 4, 16, name="mine"),)
    assert numbers_of(profile, mine) == mine
    assert numbers_of(profile) == profile.numbers
    assert numbers_of(None, mine) == mine
    assert numbers_of(None) == ()


def test_the_profile_fills_in_what_a_board_leaves_out() -> None:
    profile = named_profile("autodeal")
    dealing, plain = profile.numbers
    bare = number_told(1, None, (None,) * 4, 0, deals=True, turns_indicator=True, verified=True)
    assert bare.dealt is None
    [filled] = numbers_of(profile, (bare,))
    assert filled == replace(dealing, source=filled.source, by="table")
    assert not filled.verified
    assert dealing.source in filled.source
    half = number_told(2, 136, (34, 34, None, 34), 0)
    assert half.sides is None
    [filled] = numbers_of(profile, (half,))
    assert filled.sides == plain.sides
    assert filled.name == plain.name


def test_another_number_of_the_same_name_is_not_filled_in() -> None:
    profile = named_profile("stock")
    other = number_told(5, 108, (None,) * 4, 0)
    assert numbers_of(profile, (other,)) == (other,)


@pytest.mark.parametrize(
    ("tiles", "sides", "players", "dealt"),
    [
        (136, (20, 20, 22, 22), 1 << 4, 13),
        (108, (18, 18, 18, 18), 1 << 3, 12),
        (136, (20, 20, 22, 22), 1 << 3 | 1 << 4, 13),
        (136, (22, 22, 22, 22), 1 << 3 | 1 << 4, None),
        (136, (34, 34, 34, 34), 1 << 4, None),
        (None, (20, 20, 22, 22), 1 << 4, None),
        (136, (20, None, 22, 22), 1 << 4, None),
    ],
)
def test_what_is_dealt_follows_from_the_walls(tiles, sides, players, dealt) -> None:
    assert number_told(1, tiles, sides, players, deals=True).dealt == dealt


# ── people ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", NAMES)
def test_what_to_press_names_the_number(name: str) -> None:
    said = by_hand(named_profile(name), 815)
    assert "815" in said
    assert "{" not in said
    assert said.endswith(".")


def test_without_a_profile_the_manual_is_named() -> None:
    for profile in (None, Profile("x", "x", ("x",))):
        assert "number 5" in by_hand(profile, 5)
        assert "manual" in by_hand(profile, 5)
