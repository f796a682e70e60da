"""From one rule's tiles to another's: what goes out, what goes in, what stays, and when."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import product

import pytest
from support.world import some_seed

from tablectl.core.abilities import STANDS_IN, WORDS, stand_ins
from tablectl.core.boxes import CLASSES, Box, class_of, lacking, lacking_said
from tablectl.core.exchange import (
    FACES,
    Exchange,
    exchange,
    exchanges_said,
    of_set,
    sentence,
    tile_said,
    tiles_said,
)
from tablectl.core.mechanism import STATES, SetState
from tablectl.core.preset_fields import NEEDS
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.profile import ABILITIES
from tablectl.core.tiles import KINDS, MARKS, Multiset, Tile, parse_tile
from tablectl.errors import NO, TablectlError

RULES = {name: find_preset(name) for name in builtin_presets()}


def tiles(text: str) -> Multiset:
    """`5pg 5pg 1f` as a multiset."""
    found = [parse_tile(code) for code in text.split()]
    return Multiset([tile for tile in found if tile is not None])


# ── the multisets ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("old", "new"), list(product(RULES, RULES)))
def test_what_goes_out_and_in_makes_one_rule_s_tiles_of_the_other_s(old, new) -> None:
    before, after = RULES[old].tiles, RULES[new].tiles
    found = exchange(before, after)
    # The slow way: tile by tile out of a box and into it.
    left = before.elements()
    for tile in found.out.elements():
        left.remove(tile)
    assert Multiset(left) == found.stay
    assert Multiset([*left, *found.in_.elements()]) == after
    assert not set(found.out) & set(found.in_)
    assert found.total == after.total
    assert found.nothing == (before == after)


def test_any_tiles_at_all() -> None:
    rng = random.Random(some_seed())
    every = [Tile(kind, mark) for kind in range(len(KINDS)) for mark in MARKS]
    for _ in range(300):
        before, after = (Multiset(rng.choices(every, k=rng.randrange(150))) for _ in range(2))
        found = exchange(before, after)
        assert Multiset([*found.stay.elements(), *found.in_.elements()]) == after
        assert Multiset([*found.stay.elements(), *found.out.elements()]) == before
        # What is said of a number of tiles adds up to it.
        assert counted(tiles_said(found.in_)) == found.in_.total, tiles_said(found.in_)


def counted(said: str) -> int:
    """The tiles of a sentence, counted as a reader counts them."""
    total = 0
    said = re.sub(r"(\d+) flowers? \([^)]*\)", lambda m: counts(int(m[1])), said)
    for part in filter(None, said.split(", ")):
        if match := re.fullmatch(r"#(\d+)", part):
            total += int(match[1])
            continue
        words = {"two": 2, "three": 3, "four": 4}
        each = re.search(r" (\w+) each$", part)
        times = (words.get(each[1]) or int(each[1])) if each else 1
        body = part[: each.start()] if each else part
        for mark in ("red ", "gold ", "galaxy ", "white diamond "):
            body = body.removeprefix(mark)
        if match := re.fullmatch(r"(.*) ×(\d+)", body):
            body, times = match[1], int(match[2])
        if part.startswith("white diamond") and times > 1:
            total += times
            continue
        for word in body.split():
            face, _, n = word.partition("×")
            span = re.fullmatch(r"(\d)\w–(\d)\w", face)
            total += (int(span[2]) - int(span[1]) + 1 if span else 1) * int(n or 1) * times
    return total


def counts(n: int) -> str:
    return f"#{n}"


# ── the words ───────────────────────────────────────────────────────────────────────────────────


def test_flowers_out_and_norths_and_reds_in() -> None:
    """The change between the two settings of 116 tiles: two of each season, or 北 and 中."""
    rest = "5sg 5sg"
    flowers = tiles(f"{rest} 1f 1f 2f 2f 3f 3f 4f 4f")
    norths = tiles(f"{rest} 4z 4z 4z 4z 7z 7z 7z 7z")
    assert sentence(exchange(flowers, norths)) == (
        "take out 8 flowers (春夏秋冬 two each), put in 北×4 中×4; the gold 5s ×2 stay; 10 tiles"
        " then"
    )
    assert sentence(exchange(norths, norths)) == "its 10 tiles stay as they are"


@pytest.mark.parametrize(
    ("codes", "said"),
    [
        ("2m 2m 2m 2m 3m 3m 3m 3m 4m 4m 4m 4m 6m", "2m–4m ×4, 6m"),
        ("7m 8m 9m 9m 1p", "7m–8m, 9m ×2, 1p"),
        ("4z 4z 7z 1z", "東 北×2 中"),
        ("1f 2f 3f 4f", "4 flowers (春夏秋冬)"),
        ("1f 1f 5f", "3 flowers (春×2 梅)"),
        ("8f", "1 flower (菊)"),
        ("5mr 5pr 5sr", "red 5m 5p 5s"),
        ("5mr 5mr 5pr 5pr 5sr", "red 5m 5p two each, red 5s"),
        ("7mx 4zx 7zx", "galaxy 7m 北 中"),
        ("5zd", "white diamond 白"),
        ("", ""),
    ],
)
def test_tiles_in_words(codes: str, said: str) -> None:
    assert tiles_said(tiles(codes)) == said


def test_faces_are_said_as_people_say_them() -> None:
    codes = {tile_said(Tile(kind)): KINDS[kind] for kind in FACES}
    assert "".join(codes) == "東南西北白發中春夏秋冬梅蘭竹菊"
    assert [codes[face] for face in "北中春梅竹菊"] == ["4z", "7z", "1f", "5f", "7f", "8f"]
    assert [tile_said(tile) for tile in tiles("5pr 5sg 7mx 5zd 1f")] == [
        "galaxy 7m", "red 5p", "gold 5s", "white diamond", "春",
    ]  # fmt: skip


def test_nobody_knows_what_lies_in_a_set() -> None:
    said = sentence(exchange(None, RULES["ramen-jiro"].tiles))
    assert said == (
        "nobody knows what lies in it; 116 tiles must be in it: 1m–9m ×4, 1p–9p ×4, 1s–9s ×4,"
        " 北×4 中×4; among them red 5m 5p 5s two each, gold 5m 5p 5s two each, galaxy 7m 8m 7p 8p"
        " 7s 8s 北 中"
    )


# ── when ────────────────────────────────────────────────────────────────────────────────────────

OLD, NEW = RULES["ramen-jiro"].tiles, RULES["vivace-4p"].tiles


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("dropping", "lies open in the hatch: change its tiles now"),
        (
            "up",
            "is on the table: change its tiles when they are pushed in, before the hatch closes",
        ),
        ("mixing", "is being mixed with 116 tiles, but number 1 stacks 136: it would stop"),
        ("stacking", "is being stacked for 116 tiles: it comes up once more as it is. Push start"),
        ("ready", "waits below with its tiles stacked for 116 tiles: it comes up once more"),
        ("raising", "is rising for 116 tiles: it comes up once more"),
        ("paused", "is paused: take its tiles out and change them"),
        ("blocked", "is blocked by a trouble: take its tiles out and change them"),
        ("unknown", "has not said where it is: change its tiles when its hatch is open"),
    ],
)
def test_when_a_set_can_be_changed(word: str, says: str) -> None:
    [_, when] = of_set("b", SetState(word), OLD, NEW, 1).say
    assert when.startswith(f"Set b {says}")


def test_there_is_a_word_for_every_state() -> None:
    for word, old in product(STATES, (None, OLD, NEW)):
        found = of_set("a", SetState(word), old, NEW, 1)
        assert found.say[0].startswith("Set a: ")
        assert len(found.say) == 2
        assert found.as_json()["set"] == "a"
        assert len(of_set("a", SetState(word), NEW, NEW, None).say) == 1


def test_what_is_the_same_for_both_sets_is_said_once() -> None:
    both = [of_set(n, SetState(word), OLD, NEW, 1) for n, word in (("a", "up"), ("b", "ready"))]
    first, a, b = exchanges_said(both)
    assert first.startswith("Both sets: take out red 5m 5p 5s, gold 5m 5p 5s two each")
    assert (a[:5], b[:5]) == ("Set a", "Set b")
    same = [of_set(name, SetState("up", active=1), NEW, NEW, 1) for name in "ab"]
    assert exchanges_said(same) == [
        "Both sets: their 136 tiles stay as they are.",
        "Each set has number 1 already and is on the table.",
    ]
    other = [both[0], of_set("b", SetState("ready"), None, NEW, 1)]
    assert len(exchanges_said(other)) == 4


def test_counts_are_told_to_programs() -> None:
    told = of_set("a", SetState("up"), tiles("1f 5sg"), tiles("4z 4z 5sg"), 3).as_json()
    assert (told["out"], told["in"], told["stay"]) == ({"1f": 1}, {"4z": 2}, {"5sg": 1})
    assert told["known"]
    assert not of_set("a", SetState("up"), None, tiles("4z"), 3).as_json()["known"]
    assert exchange(None, tiles("4z")) == Exchange(Multiset(), tiles("4z"), Multiset(), False)


STOPS = ("paused", "blocked")


def sets_in_any_state() -> list[SetState]:
    """Phase, what it was before it was stopped, the number it has and the one that waits."""
    words = [(word, None) for word in STATES]
    words += [(word, before) for word in STOPS for before in STATES if before not in STOPS]
    return [
        SetState(word, before=before, active=active, pending=pending)
        for word, before in words
        for active in (None, 1, 5)
        for pending in (None, 1, 5)
    ]


@pytest.mark.parametrize("old", [None, OLD, NEW], ids=["nobody knows", "other tiles", "its tiles"])
def test_no_sentence_of_a_set_speaks_against_another(old: Multiset | None) -> None:
    """Number 1 was just chosen, for 136 tiles: of every state, and whatever is known to lie in the
    set, what is said is all true."""
    for state in sets_in_any_state():
        found = of_set("a", state, old, NEW, 1)
        said = " ".join(found.say)
        has = state.active == 1
        # A set with the rule's number is stacked for this rule and for no other.
        if has:
            assert "comes up once more" not in said, (state, said)
            assert "it would stop" not in said, (state, said)
            assert "number 1 counts" not in said, (state, said)
            assert "chosen before" not in said, (state, said)
            assert "116 tiles" not in said, (state, said)
        if old is not None and old != NEW and not has:
            assert "take out" in said, (state, said)
        if old == NEW:
            assert "its 136 tiles stay as they are" in said
            assert "change" not in said, (state, said)
        if old is None or (has and old != NEW):
            assert "nobody knows what lies in it" in said, (state, said)
            # Nobody knows that these are another rule's tiles either.
            assert "the rule before" not in said, (state, said)
        once = "comes up once more" in said
        assert not (once and "stay as they are" in said), (state, said)
        assert not (once and "before it goes on" in said), (state, said)
        assert said.count("Set a ") == 1, said


# ── boxes ───────────────────────────────────────────────────────────────────────────────────────


def test_what_a_box_lacks_is_said_with_what_may_stand_in() -> None:
    rules = RULES["goto-sanma"]
    box = Box(tiles("5sr 5sr 5pg 5pg 1f 2f 3f 5f"), frozenset(("red", "gold", "flowers")))
    assert lacking(box, rules) == tiles("5sg 5sg 4f")
    assert lacking_said("b", box, rules) == [
        "Set b lacks gold 5s ×2, 冬 for goto-sanma: agree that red 5s ×2 stand in for gold 5s ×2,"
        " 梅 stands in for 冬."
    ]
    # What the owner says nothing of, nobody warns about.
    assert lacking(Box(Multiset(), frozenset()), rules) == Multiset()
    none = Box(Multiset(), frozenset(("gold", "flowers")))
    [said] = lacking_said("a", none, rules)
    assert "plain 5p ×2 stand in for gold 5p ×2" in said
    assert said.endswith(
        "put in 春, 夏, 秋, 冬 of another box with the same back, or play without."
    )
    one = Box(tiles("5pg 5sg 5sg 1f 2f 3f 4f"), frozenset(("gold", "flowers")))
    assert lacking_said("a", one, rules) == [
        "Set a lacks gold 5p for goto-sanma: agree that plain 5p stands in for gold 5p."
    ]


@pytest.mark.parametrize("name", RULES)
def test_what_stands_in_is_there_and_stands_in_once(name: str) -> None:
    """Of any box: for each tile that it lacks there is one that it has and the rule leaves, or it
    is said that there is none."""
    rules, rng = RULES[name], random.Random(some_seed())
    marked = [tile for other in RULES.values() for tile in other.tiles if class_of(tile)]
    for _ in range(40):
        box = Box(Multiset(rng.choices(marked, k=rng.randrange(20))), frozenset(CLASSES))
        lacks = lacking(box, rules)
        said = lacking_said("a", box, rules)
        assert len(said) == bool(lacks)
        for line in said:
            instead = re.findall(
                r"([^\s,;][^,;]*?) stands? in for ([^,;.]+)", line.split("agree that ")[-1]
            )
            used = Multiset([tile for spare, _ in instead for tile in tiles_named(spare)])
            served = Multiset([tile for _, tile in instead for tile in tiles_named(tile)])
            rest = line.split("put in ")[1].split(" of another")[0] if "put in" in line else ""
            missing = Multiset(
                [tile for one in rest.split(", ") if one for tile in tiles_named(one)]
            )
            assert Multiset([*served.elements(), *missing.elements()]) == lacks, line
            assert used.total == served.total
            for tile, n in used.items():
                there = box.tiles[tile] if class_of(tile) else 4
                assert rules.tiles[tile] + n <= there, line


def tiles_named(said: str) -> list[Tile]:
    """`red 5s ×2` as tiles."""
    name, _, n = said.partition(" ×")
    every = [Tile(kind, mark) for kind in range(len(KINDS)) for mark in MARKS]
    same = [tile for tile in every if tile_said(tile) == name.removeprefix("plain ")]
    assert same, said
    tile = next(one for one in same if one.mark != "d" or one.code == "5zd")
    return [tile] * int(n or 1)


def test_every_marked_tile_has_a_class() -> None:
    assert {class_of(tile) for tile in tiles("5pr 5sg 7mx 5zd 1f 1m")} == {
        "red", "gold", "galaxy", "white_diamond", "flowers", None,
    }  # fmt: skip


# ── abilities ───────────────────────────────────────────────────────────────────────────────────


def test_each_ability_has_its_tap_or_none_at_all() -> None:
    assert set(STANDS_IN) == set(WORDS) == set(ABILITIES)
    assert set(NEEDS) <= set(ABILITIES)
    assert {word for word, tap in STANDS_IN.items() if tap is None} == {
        "faces_when_stacked",
        "press_buttons",
    }


def test_what_a_table_lacks_is_tapped_or_refused() -> None:
    rules = replace(RULES["riichi-4p"], needs=("dice", "points"))
    assert stand_ins(rules, ("dice", "points"), "east") == []
    assert stand_ins(rules, ("dice",), "east") == [
        "riichi-4p asks for a table that can read the point sticks, which east cannot: tap what is"
        " paid."
    ]
    rules = replace(rules, needs=("dice", "faces_when_stacked"))
    with pytest.raises(TablectlError) as refused:
        stand_ins(rules, (), "east")
    assert (refused.value.code, refused.value.status) == ("number.ability", NO)
    assert "read every tile as it is stacked, and east cannot" in refused.value.message
    assert len(stand_ins(rules, ("faces_when_stacked",), "east")) == 1
