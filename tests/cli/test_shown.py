"""A table shown from its view alone: every life of a hand, every width, after every patch."""

from __future__ import annotations

import io
from typing import Any

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console
from support.views import RAMEN, RULES, lives, moments, view_in

from tablectl.app.streams import merge_patch
from tablectl.cli import tables
from tablectl.cli.shown import Told, changed, facts, lines_of, link_words, picture, plan_in, shown
from tablectl.cli.watch import merged, take
from tablectl.cli.words import place_name
from tablectl.core import facts as said
from tablectl.core.hand import LIVES
from tablectl.core.preset import Preset
from tablectl.core.state import left_to_flip, plan_of

WIDTHS = (40, 60, 80, 200)


def printed(parts: list[Any], width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, highlight=False, force_terminal=False)
    for part in parts:
        console.print(part)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


def words(view: dict[str, Any], rules: Preset | None = RAMEN) -> dict[str, str]:
    return {one.label: one.text for one in facts(view, rules)}


def test_hands_come_through_every_life():
    assert {life for name in RULES for life in lives(name)} == set(LIVES)


@pytest.mark.parametrize("life", LIVES)
def test_no_line_is_too_wide_in_any_life(life):
    found = [(RULES[name], views[life]) for name in RULES if life in (views := lives(name))]
    assert found
    for rules, view in found:
        for width in WIDTHS:
            lines = printed(shown(view, rules, width), width)
            assert max(cell_len(line) for line in lines) <= width
            assert life == "none" or LIVES[life] in " ".join(" ".join(lines).split())


@pytest.mark.parametrize("name", RULES)
def test_positions_are_those_of_the_plan(name):
    rules, checked = RULES[name], 0
    for told in moments(rules, 7):
        if told.state.hand is None or not (told.hand.broke or told.hand.dice):
            continue
        view, plan = view_in(told), plan_of(rules, told.hand)
        if flipping := view["state"]["hand"]["reveal"]:  # what is flipped is no longer in its order
            rest = () if flipping["over"] else left_to_flip(plan, told.hand)
            plan = replace(plan, reveal=rest)
        assert plan_in(view) == plan
        shows = words(view, rules)
        for label, position in (("next draw", plan.next_draw), ("the wall ends", plan.last_draw)):
            if position is not None:
                assert place_name(plan, position) in shows[label]
                checked += 1
        if plan.replacement is not None:
            assert place_name(plan, plan.replacement) in shows["replacement"]
        assert shows["taken"] == f"head {plan.head}, tail {plan.tail}"
        assert f"({plan.drawable} left)" in shows["the wall ends"] or not plan.drawable
    assert checked > 50


@pytest.mark.parametrize("name", RULES)
def test_a_view_made_of_patches_shows_the_same(name):
    rules, patched, before = RULES[name], None, None
    for told in moments(rules, 5):
        view = view_in(told)
        if patched is None:
            patched = view | {}
        else:
            take(patched, {"seq": view["seq"], "changes": merge_patch(before, view["state"])})
        before = view["state"]
        assert facts(patched, rules) == facts(view, rules)
        assert plan_in(patched) == plan_in(view)


def test_a_merge_patch_removes_what_becomes_null():
    assert merged({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": None}, "d": [2]}) == {
        "a": {"c": 2}, "d": [2],
    }  # fmt: skip
    assert merged({"a": 1}, {"a": {"b": None, "c": {"d": 1}}}) == {"a": {"c": {"d": 1}}}


def test_open_faces_are_named_where_they_lie():
    view = next(views for seed in range(20) if (views := _with_faces(seed)) is not None)
    shows, plan = words(view), plan_in(view)
    assert plan is not None
    place = view["state"]["hand"]["public"][0]["place"]
    tile = view["state"]["hand"]["public"][0]["tile"]
    assert shows["indicator"].endswith(f": {tile}")
    assert f"side {place['side']}, column {place['column']}" in shows["open tiles"]
    drawn = picture(view, RAMEN)
    assert drawn is not None
    assert f"indicator {tile}" in drawn.plain


def _with_faces(seed: int) -> dict[str, Any] | None:
    for told in moments(RAMEN, seed):
        if told.state.hand is not None and told.hand.life == "playing":
            first = told.plan.indicators[0]
            told.say(said.Shown(place=first.place, tile="5p", why="indicator"))
            return view_in(told) if told.hand.public else None
    return None


def test_what_is_not_at_hand_is_said():
    view = lives("ramen-jiro")["playing"]
    shows = words(view, None)
    assert picture(view, None) is None
    assert "ramen-jiro is not at hand" in shows[""]
    assert "next draw" not in shows
    assert printed(shown(view, None, 40), 40)


def test_a_lost_link_a_trouble_and_a_question_are_told_and_told_to_be_over():
    told = next(moments(RAMEN, 1))
    calm = facts(view_in(told), RAMEN)
    told.say(said.Trouble(code="missing", set="a", expected=30, found=29))
    view = view_in(told, line={"stage": "absent", "why": "it was pulled", "since": 5})
    view["state"] = view["state"] | {
        "questions": [{"id": "q", "text": "Who drew?", "seq": 1, "choices": ["0", "1"]}]
    }
    news = changed(calm, facts(view, RAMEN))
    assert Told("link lost", "it was pulled") in news
    assert Told("trouble", "missing, set a: 29 of 30 tiles") in news
    assert Told("question", "Who drew? (0 / 1)") in news
    back = changed(facts(view, RAMEN), calm)
    assert back == [Told("link", "ready"), Told("trouble", "over"), Told("question", "answered")]


@pytest.mark.parametrize(
    ("live", "expected"),
    [
        ({"manual": True, "line": None}, "worked by people"),
        ({"line": None}, "no board has answered"),
        ({"line": {"stage": "calling", "why": None, "since": 0}}, "calling"),
        ({"line": {"stage": "refused", "why": "it is too old"}}, "refused: it is too old"),
        ({"line": {"stage": "absent", "why": None}}, "lost"),
    ],
)
def test_the_link_in_a_few_words(live, expected):
    view = view_in(next(moments(RAMEN, 1)), **live)
    assert link_words(view) == expected
    [told] = [one for one in facts(view, RAMEN) if one.label.startswith("link")]
    said_twice = f"{told.label} {told.text}".split().count("lost") > 1
    assert not said_twice
    assert expected.rpartition(": ")[2] in f"{told.label} {told.text}"


def test_numbers_of_a_set_that_wait():
    told = next(moments(RAMEN, 1))
    for state, number in (("active", 1), ("pending", 5)):
        told.say(said.Number(set="a", number=number, state=state))
    told.say(said.Phase(set="a", phase="stacking"))
    view = view_in(told, progress=[12, None, 3, 4])
    assert words(view)["set a"] == "the tiles are being stacked, number 1 → 5"
    assert words(view)["stacked"] == "set a: 12, ?, 3, 4 tiles on sides 0 to 3"


@pytest.mark.parametrize(
    ("phases", "expected"),
    [
        (("up", "stacking"), "set b: 12, 11, 12, 11 tiles on sides 0 to 3"),
        (("blocked", "up"), "set a: 12, 11, 12, 11 tiles on sides 0 to 3"),
        (("paused", "stacking"), "set b: 12, 11, 12, 11 tiles on sides 0 to 3"),
        (("unknown", "unknown"), "12, 11, 12, 11 tiles on sides 0 to 3"),
        (("up", "ready"), None),
    ],
)
def test_what_is_stacked_is_of_the_set_that_is_being_stacked(phases, expected):
    view = view_in(next(moments(RAMEN, 1)), progress=[12, 11, 12, 11])
    for name, phase in zip("ab", phases, strict=True):
        view["state"]["machine"]["sets"][name]["phase"] = phase
    assert words(view).get("stacked") == expected


def test_nobody_has_the_turn_in_a_hand_that_is_won():
    for seed in range(20):
        for told in moments(RAMEN, seed):
            if told.state.hand is not None and told.hand.wins:
                shows = words(view_in(told))
                assert "won" in shows
                assert "turn" not in shows
                return
    pytest.fail("nobody won")


def test_people_are_named_by_their_winds():
    view = lives("ramen-jiro")["closed"]
    told = facts(view, RAMEN)
    winds = ("East", "South", "West")
    shows = words(view)
    assert all(f"{wind} " in shows["paid"] for wind in winds)
    assert all(f"{wind} " in shows["game"] for wind in winds)
    assert all(wind in shows["seats"] for wind in winds)
    assert not [one for one in told if "seat " in one.text and one.label != "seats"]


def test_japanese_letters_take_two_cells():
    text = lines_of([Told("game", "華" * 50), Told("", "a b " * 20)], 40)
    assert max(cell_len(line) for line in text.plain.splitlines()) <= 40
    assert text.plain.count("華") == 50


def test_on_a_wide_terminal_the_words_stand_beside_the_walls():
    view = lives("ramen-jiro")["playing"]
    narrow, wide = (printed(shown(view, RAMEN, width), width) for width in (80, 160))
    assert len(wide) < len(narrow)
    assert any("side 2" in line and "table" in line for line in wide)


def test_a_closed_hand_has_no_place_on_walls_of_another_deal():
    """Walls of another set are up that are not the rule's: the last hand lies no more."""
    *_, told = moments(RAMEN, 7)
    if told.hand.life != "closed":
        told.say(said.Settled())
    before = words(view_in(told))
    assert {"next draw", "the wall ends", "taken"} & before.keys()
    told.say(said.Raised(set="b", sides=(34, 34, 34, 34)))
    view = view_in(told)
    assert (told.hand.life, told.state.deal.used) == ("closed", False)
    after = words(view)
    assert not {"next draw", "the wall ends", "taken", "replacement"} & after.keys()
    assert after["walls"].startswith("of set b")
    assert after["hand"] == before["hand"]
    assert picture(view, RAMEN) is None
    assert tables._rows([view | {"live": view["live"] | {"manual": False}}])[0][4] == ""
