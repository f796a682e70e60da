"""What a turned tile makes dora in each rule; expected kinds are literals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.core.dora import RINGS, Dora, dora_of
from tablectl.core.preset_file import builtin_presets, find_preset


@pytest.mark.parametrize(
    ("name", "turned", "kind"),
    [
        ("vivace-4p", "1m", "2m"), ("vivace-4p", "9m", "1m"), ("vivace-4p", "5pr", "6p"),
        ("vivace-4p", "9s", "1s"), ("vivace-4p", "1z", "2z"), ("vivace-4p", "4z", "1z"),
        ("vivace-4p", "5z", "6z"), ("vivace-4p", "6z", "7z"), ("vivace-4p", "7z", "5z"),
        # 108 tiles: 2 to 8 of characters are left out.
        ("vivace-sanma", "1m", "9m"), ("vivace-sanma", "9m", "1m"), ("vivace-sanma", "5zd", "6z"),
        ("goto-sanma", "9m", "1m"), ("goto-sanma", "5pg", "6p"), ("goto-sanma", "4z", "1z"),
        # 116 tiles: 「北がドラで捲れたときは北がドラとなる。中も同様」.
        ("ramen-jiro", "4z", "4z"), ("ramen-jiro", "7zx", "7z"), ("ramen-jiro", "9m", "1m"),
        ("ramen-jiro", "8sx", "9s"),
    ],
)  # fmt: skip
def test_next_of_the_suit(name, turned, kind):
    assert dora_of(find_preset(name), turned) == Dora((kind,))


@pytest.mark.parametrize("flower", ["1f", "2f", "3f", "4f"])
def test_a_flower_acts_for_everybody_and_makes_no_dora(flower):
    assert dora_of(find_preset("goto-sanma"), flower) == Dora((), effect=True)
    assert dora_of(find_preset("goto-sanma"), flower, ura=True) == Dora(())


def test_flowers_of_a_rule_that_says_nothing_of_them():
    rules = find_preset("goto-sanma")
    rules = replace(rules, indicators=replace(rules.indicators, effect=()))
    assert [dora_of(rules, f"{n}f").kinds for n in (1, 3, 4)] == [("2f",), ("4f",), ("1f",)]
    plants = find_preset("fuzhou-144")
    assert [dora_of(plants, f"{n}f").kinds for n in (4, 5, 8)] == [("1f",), ("6f",), ("5f",)]


def test_winds_and_dragons_that_are_not_in_play_are_passed_over():
    rules = find_preset("fuzhou-128")  # east south west north and red
    assert dora_of(rules, "4z").kinds == ("1z",)
    assert dora_of(rules, "7z").kinds == ("7z",)
    assert dora_of(rules, "5z").kinds == ("7z",)
    ramen = find_preset("ramen-jiro")
    plain = replace(ramen, indicators=replace(ramen.indicators, itself=()))
    assert [dora_of(plain, tile).kinds for tile in ("4z", "7z")] == [("4z",), ("7z",)]


@pytest.mark.parametrize("name", builtin_presets())
def test_every_kind_is_made_dora_by_one_kind(name):
    rules = find_preset(name)
    rules = replace(rules, indicators=replace(rules.indicators, itself=(), effect=()))
    kinds = {tile.code[:2] for tile in rules.tiles}
    made = [dora_of(rules, kind).kinds[0] for kind in sorted(kinds)]
    assert sorted(made) == sorted(kinds)
    assert sorted(kind for ring in RINGS for kind in ring) == list(range(42))
