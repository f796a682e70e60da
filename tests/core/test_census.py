"""A census: by tile where faces are known, by side where only counts are; never by place."""

from __future__ import annotations

import random

import pytest
from support.world import some_seed

from tablectl.core.census import census, census_said, on_sides, side_said, sides_of, sides_said
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.tiles import Multiset
from tablectl.errors import TablectlError

RULES = {name: find_preset(name) for name in builtin_presets()}


@pytest.mark.parametrize("name", RULES)
def test_the_rule_s_own_tiles_are_all_there_in_any_order(name: str) -> None:
    rules = RULES[name]
    faces = [tile.code for tile in rules.tiles.elements()]
    random.Random(some_seed()).shuffle(faces)
    assert census(rules, faces).right
    assert census_said(census(rules, faces)) == "all tiles are there"


def test_what_is_missing_and_what_is_too_many_is_named() -> None:
    rules = RULES["ramen-jiro"]
    faces = [tile.code for tile in rules.tiles.elements()]
    faces[faces.index("5pg")] = "9s"
    found = census(rules, faces)
    assert census_said(found) == "gold 5p is missing, one 9s too many"
    for code in ("4z", "4z", "7zx"):
        faces.remove(code)
    assert census_said(census(rules, faces)) == (
        "gold 5p, two 北, galaxy 中 are missing, one 9s too many"
    )
    assert census_said(census(rules, [*faces, "1f", "1f", "1f"])).endswith(
        "one 9s, three 春 too many"
    )
    # A face that nobody could read is nobody's, and a red five is a red five however written.
    assert census(rules, [*faces, "?"]) == census(rules, faces)
    assert census(rules, ["0p"]).missing[next(iter(Multiset(rules.tiles)))] > 0
    with pytest.raises(TablectlError):
        census(rules, ["5q"])


def test_no_order_of_the_same_faces_says_anything_else() -> None:
    rng = random.Random(some_seed())
    for rules in RULES.values():
        faces = [tile.code for tile in rules.tiles.elements()]
        for _ in range(3):
            faces[rng.randrange(len(faces))] = rng.choice(("9s", "1f", "5mr", "7zx"))
        said = census_said(census(rules, faces))
        for _ in range(20):
            rng.shuffle(faces)
            assert census_said(census(rules, faces)) == said


def test_counts_say_how_many_on_which_side() -> None:
    found = on_sides((30, 28, 30, 28), (30, 27, None, 30))
    assert [(one.side, one.expected, one.found) for one in found] == [(1, 28, 27), (3, 28, 30)]
    assert sides_said(found) == ("side 1: 27 of 28, one is missing; side 3: 30 of 28, two too many")
    assert side_said(2, 28, 25) == "side 2: 25 of 28, three are missing"
    assert side_said(2, 28, 17) == "side 2: 17 of 28, 11 are missing"
    assert on_sides((30, 28), (30, 28)) == ()


@pytest.mark.parametrize(
    ("name", "found", "meant"),
    [
        ("ramen-jiro", (30, 28, 30, 27), (30, 28, 30, 28)),
        ("ramen-jiro", (28, 30, 28, 29), (28, 30, 28, 30)),
        ("ramen-jiro", (40, 38, 36, 0), (40, 38, 38, 0)),
        ("ramen-jiro", (0, 40, 38, 37), (0, 40, 38, 38)),
        ("ramen-jiro", (34, 34, 34, 34), None),
        ("riichi-4p", (34, 34, 33, 34), (34, 34, 34, 34)),
        ("riichi-4p", (30, 28, 30, 28), None),
        ("fuzhou-144", (36, 36, 36, 32), (36, 36, 36, 36)),
        ("fuzhou-144", (36, 36, 36, 31), None),
    ],
)
def test_walls_are_held_against_the_layout_that_they_are_meant_to_be(name, found, meant) -> None:
    assert sides_of(RULES[name], found) == meant
