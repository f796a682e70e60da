"""Values of a preset that contradict each other, and the drawings of what collides."""

from __future__ import annotations

import re

import pytest
from support.preset_texts import FOUR, RAMEN, TEXTS, THREE, changed, growing_text, problems_of

from tablectl.core.clash import Clash
from tablectl.core.collision import end_of_wall, filled, walls_and_tiles, whole
from tablectl.core.geometry import Inputs, plan
from tablectl.core.preset_file import find_preset, read_preset
from tablectl.core.wall import Side, parse_sides
from tablectl.errors import TablectlError

FUZHOU, SANMA = "fuzhou-144", "vivace-sanma"


def put(text: str, *values: tuple[str, str]) -> str:
    """A text with values, as TOML, in the place of those that it gives or leaves out."""
    for path, value in values:
        section, name = path.split(".")
        line = f'{name} = {{ value = {value}, convention = "x" }}'
        head, found, rest = text.partition(f"[{section}]\n")
        body, bar, more = rest.partition("\n[")
        if not found:
            text = f"{text}\n[{section}]\n{line}\n"
        elif re.search(rf"^{name} = .*$", body, re.MULTILINE):
            body = re.sub(rf"^{name} = .*$", lambda _: line, body, flags=re.MULTILINE)  # noqa: B023
            text = head + found + body + bar + more
        else:
            text = head + found + line + "\n" + body + bar + more
    return text


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        (FOUR, [("opening.wins", '["three_gold"]')], "opening.wins is given, but no gold"),
        (FOUR, [("opening.wins", '["heavenly", "earthly"]')], "no gold is turned"),
        (FOUR, [("gold.discarder", '"free"')], "no gold is turned"),
        (FOUR, [("gold.claims", '"all"')], "no gold is turned"),
        (FOUR, [("reserve.gold_counts", "true")], "no gold is turned"),
        (FOUR, [("reserve.marker", '"boundary"')], "no gold is turned"),
        (FOUR, [("reserve.final_flower", '"replaced"')], "no gold is turned"),
        (FOUR, [("score.gold_dragon", "true")], "no gold is turned"),
        (FOUR, [("winning.gold_pair_first", "true")], "no gold is turned"),
        (FOUR, [("game.repeats", '["win", "tenpai", "exhausted"]')],
         "repeats grow whenever the wall is used up"),
        (FOUR, [("game.aborts", "false"), ("game.repeats", '["win"]')],
         "game.dealer_stays speaks of hands that are aborted"),
        (FOUR, [("indicators.itself", '["4z"]'), ("indicators.effect", '["4z", "5z"]')],
         "4z makes no dora when it is turned, but it makes itself dora too"),
        (THREE, [("indicators.itself", '["2m"]')], "2m makes itself dora, but the set has none"),
        (THREE, [("indicators.effect", '["1f"]')], "1f acts for everybody, but the set has none"),
        (FOUR, [("indicators.effect", '["1z", "1z"]')], "1z acts for everybody twice"),
        (FUZHOU, [("calls.like_fours", '[["1f", "2f", "3f", "4f"], ["4f", "5f", "6f", "7f"]]')],
         "4f counts in two sets of four like flowers"),
        (FOUR, [("game.extend", '"east"'), ("game.rounds", "2")],
         "game.return_points gives no points"),
        (FOUR, [("game.extend", '"east"'), ("game.return_points", "30000")],
         "game.rounds gives no winds"),
        (FOUR, [("riichi.fever_kind", "7")], "the rule has no fever"),
        (FOUR, [("riichi.third_open", "true")], "the rule has no open riichi"),
        (FOUR, [("riichi.take_back", '"never"'), ("riichi.take_back_points", "1000")],
         "a riichi is never taken back"),
        (FOUR, [("riichi.take_back", '"never"'), ("riichi.after_take_back", '"riichi"')],
         "a riichi is never taken back"),
        (FOUR, [("game.stop_win", '"top"')], "the game has no last hand"),
        (FOUR, [("game.stop_tenpai", '"any"')], "the game has no last hand"),
        (FOUR, [("calls.aside_river", "false")], "none is set aside"),
        (FUZHOU, [("wareme.factor", "2"), ("wareme.side", '"indicator"')],
         "wareme goes by the first indicator, but none is turned"),
        (SANMA, [("reserve.policy", '"shrinking"'), ("replacements.source", '"head"')],
         "the reserve shrinks with each tile set aside, but replacements come from the head"),
        (SANMA, [("reserve.policy", '"shrinking"'), ("reserve.open_kong", "1")],
         "reserve.open_kong is 1, but the reserve does not grow"),
        (SANMA, [("reserve.policy", '"shrinking"'), ("reserve.tiles", "12")],
         "a reserve of 12 tiles does not hold the indicators of 4 kongs"),
        (SANMA, [("reserve.policy", '"shrinking"'), ("reserve.tiles", "8")],
         "a reserve of 8 tiles does not reach to the indicator in column 5"),
        (SANMA, [("reserve.policy", '"shrinking"'), ("indicators.start", "0"),
                 ("indicators.ura", "false"), ("indicators.open_kong", '"never"'),
                 ("indicators.concealed_kong", '"never"'), ("reserve.tiles", "6")],
         "a reserve of 6 tiles, not filled up again, does not hold 8 replacements"),
    ],
)  # fmt: skip
def test_one_contradiction(name, values, said):
    [problem] = problems_of(put(TEXTS[name], *values))
    assert problem.code == "preset.clash"
    assert said in problem.message
    assert problem.hint


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (FOUR, [("game.repeats", '["win", "tenpai"]')]),
        (FOUR, [("indicators.itself", '["4z"]'), ("indicators.effect", '["5z"]')]),
        (FOUR, [("game.extend", '"east"'), ("game.return_points", "30000"), ("game.rounds", "2"),
                ("game.stop_win", '"top"')]),
        (FOUR, [("calls.fever", "true"), ("riichi.fever_kind", "7")]),
        (FOUR, [("calls.open_riichi", "true"), ("riichi.third_open", "true")]),
        (FUZHOU, [("reserve.gold_counts", "true"), ("reserve.marker", '"boundary"'),
                  ("gold.claims", '"all"'), ("reserve.final_flower", '"replaced"')]),
        (RAMEN, [("wareme.factor", "4"), ("wareme.side", '"indicator"')]),
        (SANMA, [("reserve.policy", '"shrinking"')]),
        (SANMA, [("reserve.policy", '"shrinking"'), ("reserve.tiles", "18")]),
    ],
)  # fmt: skip
def test_what_does_not_contradict(name, values):
    assert read_preset(put(TEXTS[name], *values))


def test_a_gold_that_is_missing_is_told_once():
    [problem] = problems_of(put(TEXTS[FUZHOU], ("gold.turned", '"none"')))
    assert "where the reserve grows" in problem.message


# ── drawings ────────────────────────────────────────────────────────────────────────────────────


def drawing_of(text: str) -> list[str]:
    [problem] = problems_of(text)
    assert problem.drawing
    return list(problem.drawing)


def test_a_reserve_that_eats_the_indicator():
    assert drawing_of(put(TEXTS[FOUR], ("reserve.tiles", "4"))) == [
        "column from the end   7  6  5  4  3  2  1",
        "4 replacements                      ▮▮ ▮▮",
        "indicator and ura                ▮▮",
        "4 for kongs          ▮▮ ▮▮ ▮▮ ▮▮",
        "reserve of 4                        ▮▮ ▮▮",
        "                                 ^^         drawn over",
    ]


def test_a_reserve_that_eats_a_kongs_indicator():
    drawn = drawing_of(put(TEXTS[FOUR], ("reserve.tiles", "9")))
    assert drawn[-2:] == [
        "reserve of 9 and 4 kongs  ▮  ▮▮ ▮▮ ▮▮ ▮▮ ▮▮ ▮▮",
        "                          ^^                     drawn over",
    ]


def test_replacements_and_indicators_that_collide():
    text = put(TEXTS[RAMEN], ("indicators.column", "5"), ("indicators.start", "2"))
    assert drawing_of(text) == [
        "column from the end    6  5  4  3  2  1",
        "12 replacements       ▮▮ ▮▮ ▮▮ ▮▮ ▮▮ ▮▮",
        "2 indicators and ura  ▮▮ ▮▮",
        "                      ^^ ^^               both claim it",
    ]


def test_too_few_replacements():
    assert drawing_of(put(TEXTS[RAMEN], ("replacements.count", "7"))) == [
        "column from the end   6  5  4  3  2  1",
        "7 replacements             ▮  ▮▮ ▮▮ ▮▮",
        "4 kongs need                     ▮▮ ▮▮",
        "8 set aside need     ▮▮ ▮▮ ▮▮ ▮▮",
        "                     ^^ ^^ ^^            not enough here",
    ]


def test_a_multiset_that_does_not_fit_the_walls():
    assert drawing_of(put(TEXTS[FOUR], ("walls.four", "[17, 17, 17, 16]"))) == [
        "side 0     17 columns   34 tiles  ▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮",
        "side 1     17 columns   34 tiles  ▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮",
        "side 2     17 columns   34 tiles  ▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮",
        "side 3     16 columns   32 tiles  ▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮",
        "walls                  134 tiles",
        "set                    136 tiles  2 find no place",
    ]
    assert walls_and_tiles([Side(18), Side(17, "left"), Side(0), Side(3)], 70)[1:] == (
        "side 1  16.5> columns   33 tiles  ▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮",
        "side 2      0 columns    0 tiles",
        "side 3      3 columns    6 tiles  ▮▮▮",
        "walls                   75 tiles",
        "set                     70 tiles  5 places stay empty",
    )


def test_counts_and_hands_that_do_not_add_up():
    assert drawing_of(put(TEXTS[FOUR], ("tiles.total", "140")))[-3:] == [
        "1z-7z ×4    28",
        "together   136",
        "total      140  4 too few are counted",
    ]
    text = put(TEXTS[FOUR], ("dealing.rounds", "[8, 8, 8, 8]"), ("dealing.machine", "0"))
    assert drawing_of(text) == [
        "4 hands of 33     132",
        "first draw          1",
        "tiles that stay    14",
        "together          147",
        "set               136  nothing is left to draw",
    ]


def test_a_drawing_of_many_columns_is_no_wider_than_a_terminal():
    drawn = end_of_wall([filled("60 replacements", 60), whole("indicator", 20, 60)], [20], "both")
    assert max(map(len, drawn)) <= 110
    assert drawn[0].count(".") > 30
    few = end_of_wall(iter([filled("3 replacements", 3)]), [2], "one short")
    assert few == (
        "column from the end   2  1",
        "3 replacements       ▮  ▮▮",
        "                     ^^      one short",
    )
    assert end_of_wall([], [], "nothing")


def test_the_drawing_goes_with_the_error():
    with pytest.raises(TablectlError) as caught:
        plan(find_preset(RAMEN), Inputs(dice=(3, 4), sides=parse_sides("15,14,15,13")))
    error = caught.value
    assert error.drawing[-1] == "set                    116 tiles  2 find no place"
    assert error.as_json()["drawing"] == list(error.drawing)
    first, *drawn, hint = error.lines()
    assert first.endswith("[plan.sides_count]")
    assert [line.strip() for line in drawn] == [line.strip() for line in error.drawing]
    assert hint.startswith("  Give the columns")
    assert "drawing" not in TablectlError("plan.no_break").as_json()
    assert len(TablectlError("plan.no_break").lines()) == 2


def test_a_topping_that_contradicts_its_base_draws_it_too():
    text = TEXTS[RAMEN] + (
        '\n[toppings.few]\ntitle = "few"\n"replacements.count" = { value = 8, convention = "x" }\n'
    )
    [problem] = problems_of(text)
    assert problem.code == "preset.topping"
    assert "8 replacements, but 4 kongs and 8 tiles set aside" in problem.message
    assert problem.drawing[-1].endswith("not enough here")


def test_an_option_that_does_not_load_draws_it_too():
    text = changed(TEXTS[SANMA], ("options = [14, 18] }", "options = [14, 8] }"))
    [problem] = problems_of(text)
    assert problem.code == "preset.options"
    assert problem.drawing[-1].endswith("drawn over")


def test_clashes_that_say_the_same_are_the_same():
    assert Clash("a.b", "why", "do", ("one",)) == Clash("a.b", "why", "do", ("another",))
    assert Clash("a.b", "why", "do") != Clash("a.b", "because", "do")


def test_growing_rules_still_load():
    assert read_preset(growing_text()).gold.turned == "tail"
