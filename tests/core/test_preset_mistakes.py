"""Mistakes in preset files: all at once, each kind alone, and no crash whatever the text."""

from __future__ import annotations

import random
import re

import pytest
from support.preset_texts import (
    FOUR,
    KONGS,
    RAMEN,
    TEXTS,
    THREE,
    changed,
    growing_text,
    line_with,
    problems_of,
)

from tablectl.core.preset_file import read_preset
from tablectl.errors import TablectlError


def test_all_mistakes_at_once_each_with_its_line_and_the_nearest_word() -> None:
    text = changed(
        TEXTS[RAMEN],
        ("[winning]", "[wining]"),
        ("open_riichi = {", "open_richi = {"),
        ('last = { value = "adjacent"', 'last = { value = "ajacent"'),
        ('points = { value = 35000, seed = "35000持ち" }', "points = { value = 35000 }"),
        ("count = { value = 12,", "count = { value = 8,"),
        ('table_number = { value = 5, seed = "', 'table_number = { value = "5", seed = "'),
        ("four = { value = [15, 14, 15, 14],", "four = { value = [15, 14, 15, 13],"),
    )
    found = problems_of(text)
    expected = [
        ("four = {", "preset.clash", "hold 114 tiles, not 116"),
        ("four = {", "preset.options", "[15, 14, 15, 13] is not among its own options"),
        ("last = {", "preset.value", "did you mean 'adjacent'?"),
        ("count = { value = 8", "preset.clash", "4 + 8 = 12"),
        ("open_richi", "preset.key", "did you mean 'open_riichi'?"),
        ("[wining]", "preset.section", "did you mean 'winning'?"),
        ("points = {", "preset.source", "play.points has no source"),
        ("table_number = {", "preset.value", 'play.table_number is "5"'),
    ]
    assert [(problem.where, problem.code) for problem in found] == [
        (f"house.toml:{line_with(text, part)}", code) for part, code, _ in sorted_by(text, expected)
    ]
    for problem, (_, _, said) in zip(found, sorted_by(text, expected), strict=True):
        assert said in problem.message


def sorted_by(text: str, expected: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    return sorted(expected, key=lambda one: (line_with(text, one[0]), one[1] != "preset.options"))


ALONE: list[tuple[str, list[tuple[str, str]], str, str, str]] = [
    # (preset, changes, where the problem is told, its code, what it says)
    (FOUR, [("schema = 1\n", "")], "# Four", "preset.missing", "schema = 1"),
    (FOUR, [("schema = 1", "schema = 2")], "schema", "preset.value", "the only one"),
    (FOUR, [("schema = 1", "schema = true")], "schema", "preset.value", "schema is true"),
    (FOUR, [(f'name = "{FOUR}"\n', "")], "# Four", "preset.missing", "'name' is missing"),
    (FOUR, [(f'name = "{FOUR}"', 'name = "My House"')], "name", "preset.value", "small letters"),
    (FOUR, [('title = "四人麻雀"', "title = 4")], "title", "preset.value", "title is 4"),
    (FOUR, [("about =", "abuot =")], "abuot", "preset.top", "did you mean 'about'?"),
    (FOUR, [("[players]", "[plaeyrs]")], "[plaeyrs]", "preset.section", "'players'?"),
    (FOUR, [("[players]", "[zzz]\n[players]")], "[zzz]", "preset.section", "Sections are players"),
    (FOUR, [("[players]", "[[players]]")], "[[players]]", "preset.table", "Write [players] once"),
    (FOUR, [("[break]", "[players] # again")], "[players] # again", "preset.syntax", "twice"),
    (FOUR, [("dice =", "diec =")], "diec", "preset.key", "did you mean 'dice'?"),
    (FOUR, [("chi =", "zzz = 1\nchi =")], "zzz = 1", "preset.key", "It has chi, kongs"),
    (FOUR, [("chi = {", "kongs = {")], "kongs = { value = 4", "preset.syntax", "overwrite"),
    (FOUR, [('{ value = true, convention = "chi', '{ value = yes, convention = "chi')],
     "chi = {", "preset.syntax", "invalid value"),
    (FOUR, [("chi = {", "# {")], "[calls]", "preset.missing", "calls.chi"),
    (FOUR, [('[play]\npoints = { value = 25000, chosen = "as the recorded hands start", '
             "options = [25000, 30000] }\n", "")],
     "dealer_stays", "preset.missing", "'[play]' is missing"),
    (FOUR, [('value = ["win", "tenpai", ', 'value = ["win", "tempai", ')],
     "dealer_stays", "preset.value", "did you mean 'tenpai'?"),
    (FOUR, [('value = ["win", "tenpai", ', 'value = ["win", "win", ')],
     "dealer_stays", "preset.value", "each once"),
    (FOUR, [('"tenpai", "abort"', '"tenpai", "exhausted"')],
     "dealer_stays", "preset.clash", "it does not matter who is tenpai"),
    (FOUR, [('chi = { value = true, convention = "chi from the left neighbour" }', "chi = true")],
     "chi = true", "preset.source", "is true, with neither value nor source"),
    (FOUR, [("chi = { value = true,", "chi = {")], "chi =", "preset.source", "has no value"),
    (FOUR, [("chi = { value =", "chi = { vaule =")], "chi =", "preset.source", "'value'?"),
    (FOUR, [('true, convention = "chi', 'true, convetnion = "chi')],
     "chi =", "preset.source", "did you mean 'convention'?"),
    (FOUR, [('true, convention = "chi', 'true, seed = "x", convention = "chi')],
     "chi =", "preset.source", "has 2 sources, not one"),
    (FOUR, [(', convention = "chi from the left neighbour"', "")],
     "chi =", "preset.source", "has no source"),
    (FOUR, [('"chi from the left neighbour"', '" "')], "chi =", "preset.source", "has no text"),
    (FOUR, [('"chi from the left neighbour"', "[]")], "chi =", "preset.source", "has no text"),
    (FOUR, [('left neighbour"', 'left neighbour", options = [true, false]')],
     "chi =", "preset.options", "only a chosen value has options"),
    (FOUR, [(", options = [25000, 30000]", "")], "points", "preset.options", "at least two"),
    (FOUR, [("options = [25000, 30000]", "options = [25000]")],
     "points", "preset.options", "at least two options"),
    (FOUR, [("options = [25000, 30000]", "options = [25000, 25000]")],
     "points", "preset.options", "named twice"),
    (FOUR, [("options = [25000, 30000]", "options = [20000, 30000]")],
     "points", "preset.options", "25000 is not among its own options"),
    (FOUR, [("options = [25000, 30000]", 'options = [25000, "many"]')],
     "points", "preset.value", 'play.points is "many"'),
    (RAMEN, [("options = [1, 2]", "options = [1, 6]"),
             ("kongs = { value = 4", "kongs = { value = 16"),
             ("count = { value = 12", "count = { value = 24"),
             ("column = { value = 7", "column = { value = 13")],
     "start = {", "preset.options", "option 6 does not load: 22 indicators"),
    (FOUR, [("points = { value = 25000", "points = { value = 25000.0")],
     "points", "preset.value", "a whole number from 0 to"),
    (FOUR, [("points = { value = 25000", "points = { value = true")],
     "points", "preset.value", "play.points is true"),
    (FOUR, [("dice = { value = 2", "dice = { value = 9")],
     "dice", "preset.value", "a whole number from 1 to 4"),
    (FOUR, [('policy = { value = "kept"', 'policy = { value = "Kept"')],
     "policy", "preset.value", "did you mean 'kept'?"),
    (THREE, [('value = ["ron"]', 'value = ["rom"]')],
     "aside_claims", "preset.value", "did you mean 'ron'?"),
    (THREE, [('value = ["ron"]', 'value = ["ron", "ron"]')],
     "aside_claims", "preset.value", "a list of pon and ron"),
    (FOUR, [("[17, 17, 17, 17]", "[17, 17, 34]")], "four", "preset.value", "four lengths"),
    (FOUR, [("{ 5mr = 1, 5pr = 1, 5sr = 1 }, chosen", "{ 5m = 1 }, chosen")],
     "red", "preset.value", "marked tiles"),
    (FOUR, [("1z-7z = 4", "1z-9p = 4")], "counts", "preset.clash", "'1z-9p' names no kinds"),
    (FOUR, [("1z-7z = 4", "1z-7z = 4, 4z = 4")],
     "counts", "preset.clash", "'4z' counts 4z a second time"),
    (FOUR, [("total = { value = 136", "total = { value = 140")],
     "total", "preset.clash", "the counts make 136 tiles, not 140"),
    (FOUR, [("value = { 5mr = 1, 5pr = 1, 5sr = 1 }", "value = { 5mr = 5 }"),
            ("options = [{ 5mr = 1, 5pr = 1, 5sr = 1 }", "options = [{ 5mr = 5 }")],
     "red", "preset.clash", "5 tiles 5m are marked, but there are 4"),
    (RAMEN, [("value = { 5mg = 2,", "value = { 5mr = 2,"), ("[{ 5mg = 2,", "[{ 5mr = 2,")],
     "gold", "preset.clash", "Write 5mg."),
    (FOUR, [("[17, 17, 17, 17]", "[17, 17, 17, 16]")],
     "four", "preset.clash", "hold 134 tiles, not 136"),
    (THREE, [("[18, 18, 18, 0]", "[18, 18, 17, 1]")],
     "three", "preset.clash", "three walls stand, but 0 sides have 0 columns"),
    (THREE, [("[18, 18, 18, 0]", "[18, 18, 19, 0]")],
     "three", "preset.clash", "hold 110 tiles, not 108"),
    (FOUR, [("[break]", 'three = { value = [34, 17, 17, 0], convention = "x" }\n\n[break]')],
     "three", "preset.clash", "four play"),
    (FOUR, [("[break]", 'stand = { value = "three", convention = "x" }\n\n[break]')],
     "stand", "preset.clash", "they are not given"),
    (THREE, [('count = { value = "walls"', 'count = { value = "sides"'),
             ('stand = { value = "four", chosen = "some tables build no wall before the empty '
              'chair", options = ["four", "three"] }',
              'stand = { value = "three", convention = "x" }')],
     'value = "sides"', "preset.clash", "all four sides are counted"),
    (FOUR, [("column = { value = 3", "column = { value = 2")],
     "column", "preset.clash", "Put it in column 3 or lower the replacements to 2."),
    (RAMEN, [("count = { value = 12", "count = { value = 8")],
     "count = { value = 8", "preset.clash", "4 kongs and 8 tiles set aside need 4 + 8 = 12"),
    (FOUR, [('count = { value = 4, convention = "one', 'count = { value = 0, convention = "one')],
     "count = { value = 0", "preset.clash", "Give the number of replacements"),
    (FOUR, [("kongs = { value = 4", "kongs = { value = 16"),
            ("tiles = { value = 14", "tiles = { value = 60"),
            ('count = { value = 4, convention = "one', 'count = { value = 32, convention = "one'),
            ("column = { value = 3", "column = { value = 19")],
     "column", "preset.clash", "reach beyond half the wall"),
    (FOUR, [("[indicators]\nstart = { value = 1", "[indicators]\nstart = { value = 0")],
     "start = { value = 0", "preset.clash", "none is turned at the start"),
    (FOUR, [("tiles = { value = 14", "tiles = { value = 4")],
     "tiles = { value = 4", "preset.clash", "Keep at least 6"),
    (FOUR, [("tiles = { value = 14", "tiles = { value = 8")],
     "tiles = { value = 8", "preset.clash", "Keep at least 10"),
    (FOUR, [("tiles = { value = 14", "# { value = 14")],
     "[reserve]", "preset.clash", "no tiles are kept"),
    (FOUR, [("[replacements]", 'final = { value = 4, convention = "x" }\n\n[replacements]')],
     "final", "preset.clash", "the reserve does not grow"),
    (RAMEN, [("[replacements]", 'tiles = { value = 14, convention = "x" }\n\n[replacements]')],
     "tiles = { value = 14", "preset.clash", "everything up to the indicator's neighbour is drawn"),
    (FOUR, [("[winning]", '[gold]\nturned = { value = "tail", convention = "x" }\n\n[winning]')],
     "turned", "preset.clash", "where the reserve grows"),
    (FOUR, [("rounds = { value = [4, 4, 4]", "rounds = { value = [8, 8, 8, 8]"),
            ("machine = { value = 13", "machine = { value = 0")],
     "rounds", "preset.clash", "4 hands of 33, the first draw and 14 tiles that stay make 147"),
    (THREE, [("rounds = { value = [4, 4, 4]", "rounds = { value = [4, 4, 3]"),
             ('last = { value = "sequence", chosen = "the recorded hands deal in sequence", '
              'options = ["sequence", "adjacent", "skip"] }',
              'last = { value = "skip", convention = "x" }'),
             ('machine = { value = 13, chosen = "one source says 12 tiles a seat for three '
              'players", options = [13, 12] }', "")],
     "last", "preset.clash", "do not begin with an upper tile"),
    (FOUR, [("machine = { value = 13", "machine = { value = 11")],
     "machine", "preset.clash", "the table deals 11 tiles, but a hand has 13"),
    (THREE, [('value = ["4z"]', 'value = ["1f"]')],
     "aside =", "preset.clash", "1f is set aside, but the set has none"),
    (THREE, [('value = ["4z"]', 'value = ["4z", "4z"]'),
             ("count = { value = 8", "count = { value = 12"),
             ("column = { value = 5", "column = { value = 7"),
             ("tiles = { value = 14", "tiles = { value = 20")],
     "aside =", "preset.clash", "4z is set aside twice"),
    (THREE, [('aside = { value = ["4z"], convention = "the north is set aside (抜きドラ)" }\n', ""),
             ('options = [["ron"], [], ["pon", "ron"]]', 'options = [["ron"], ["pon", "ron"]]')],
     "aside_claims", "preset.clash", "none is set aside"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "part", "code", "said"), ALONE)
def test_one_mistake_alone(
    name: str, changes: list[tuple[str, str]], part: str, code: str, said: str
) -> None:
    text = changed(TEXTS[name], *changes)
    [problem, *more] = problems_of(text)
    assert not more, [one.lines() for one in more]
    assert problem.code == code
    assert problem.where == f"house.toml:{line_with(text, part)}"
    assert said in f"{problem.message}. {problem.hint}"


def test_a_growing_reserve_loads() -> None:
    preset = read_preset(growing_text())
    assert preset.reserve.open_kong == 1
    assert not preset.indicators.kongs_turn


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([("open_kong = { value = 1,", "open_kong = { value = 0,")], "nothing is added"),
        ([("count = { value = 0", "count = { value = 12")], "Write 0."),
        ([("start = { value = 0", "start = { value = 1")], "has no indicators"),
        ([('value = "tail", convention = "x"', 'value = "none", convention = "x"')],
         "where the reserve grows"),
        ([("final = { value = 4", "final = { value = 1")], "Give at least 2."),
        ([("ura = { value = false", "ura = { value = true")], "ura count"),
    ],
)  # fmt: skip
def test_one_mistake_of_a_growing_reserve(changes: list[tuple[str, str]], said: str) -> None:
    [problem] = problems_of(growing_text(*changes))
    assert problem.code == "preset.clash"
    assert said in f"{problem.message}. {problem.hint}"


def test_replacements_from_the_head_may_be_few() -> None:
    text = changed(
        TEXTS[RAMEN],
        ("count = { value = 12", "count = { value = 8"),
        ('source = { value = "tail"', 'source = { value = "head"'),
    )
    assert read_preset(text).replacements.count == 8


def test_policy_to_the_neighbour_needs_an_indicator() -> None:
    text = changed(
        KONGS.sub("", TEXTS[RAMEN]),
        (', chosen = "the text does not say how many", options = [1, 2]', ', convention = "x"'),
        ("start = { value = 1", "start = { value = 0"),
        ("ura = { value = true", "ura = { value = false"),
    )
    [problem] = problems_of(text)
    assert problem.message.startswith("tiles are drawn up to the indicator")


def test_walls_that_hold_what_is_counted_are_not_called_wrong_for_a_wrong_total() -> None:
    [problem] = problems_of(
        changed(TEXTS[THREE], ("total = { value = 108", "total = { value = 112"))
    )
    assert problem.values["why"] == "the counts make 108 tiles, not 112"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("schema = 1\nname = \n", 2),
        ("schema = 1\n[players", 2),
        ("schema = " + "[" * 20_000, 1),
        ("schema = " + "9" * 10_000, 1),
        ("schema = 1\nschema.a = 3\n", 2),
        ("\0", 1),
        ("players = 3\n", 1),
        ("name = 'x'\nplayers.count = { value = 3, seed = 'x' }\n", 1),
    ],
)
def test_no_text_is_answered_with_a_crash(text: str, line: int) -> None:
    problems = problems_of(text)
    assert problems[0].where == f"house.toml:{line}"
    assert all(problem.hint for problem in problems)


def test_no_damaged_preset_is_answered_with_a_crash() -> None:
    rng = random.Random(7)
    lines = TEXTS[RAMEN].split("\n")
    for _ in range(300):
        damaged = list(lines)
        for _ in range(rng.randint(1, 4)):
            n = rng.randrange(len(damaged))
            at = rng.randint(0, len(damaged[n]))
            kind = rng.randrange(4)
            if kind == 0:
                damaged.pop(n)
            elif kind == 1:
                damaged[n] = damaged[n][:at] + rng.choice('0-9["{}=#ab') + damaged[n][at:]
            elif kind == 2:
                damaged[n] = damaged[n][:at] + damaged[n][at + 1 :]
            else:
                damaged[n] = re.sub(r"\d+", lambda _: str(rng.randint(0, 99)), damaged[n], count=1)
        try:
            read_preset("\n".join(damaged))
        except TablectlError as error:
            assert error.code == "preset.invalid"
            for problem in error.problems:
                assert problem.where is not None
                assert 1 <= int(problem.where.rsplit(":", 1)[1]) <= len(damaged)
                assert problem.message
                assert problem.hint
