"""`tablectl plan`: its JSON, and what it says of input that cannot be read or be."""

from __future__ import annotations

import pytest

KEYS = {
    "preset", "tiles", "players", "sides", "seats", "dealer", "dice", "break", "head", "tail",
    "turned", "phase", "drawable", "next_draw", "last_draw", "indicators", "ura",
    "next_indicator", "replacement", "reserve", "gold_marker", "reveal", "wareme",
}  # fmt: skip
RAMEN = ("plan", "ramen-jiro")


def test_json_has_the_agreed_fields(tablectl):
    found = tablectl(*RAMEN, "--dice", "3,4", "--json")
    assert found.status == 0
    assert set(found.json) == KEYS
    assert found.json["break"] == {"side": 2, "after": 7}
    assert found.json["indicators"] == [{"p": 102, "side": 2, "column": 1, "row": "upper"}]
    assert found.json["reveal"][0] == {"p": 100, "side": 3, "column": 14, "row": "upper"}


def test_a_sum_past_the_end_says_what_was_counted(tablectl):
    found = tablectl(*RAMEN, "--dice", "6,6", "--sides", "15,14,19,10", "--json").json
    assert set(found) == KEYS | {"counted"}
    assert found["counted"] == {"side": 3, "sum": 12}
    assert found["break"] == {"side": 2, "after": 2}


def test_every_option_reaches_the_plan(tablectl):
    found = tablectl(
        *RAMEN, "--break", "1,3", "--dealer", "2", "--seats", "0,2,3",
        "--sides", "14.5<,14,15,14.5>", "--head", "50", "--tail", "2", "--turned", "1", "--json",
    ).json  # fmt: skip
    assert found["sides"] == ["14.5<", 14, 15, "14.5>"]
    assert found["seats"] == [0, 2, 3]
    given = ("dealer", "dice", "head", "tail", "turned")
    assert [found[name] for name in given] == [2, None, 50, 2, 1]
    assert len(found["indicators"]) == 2


def test_head_at_is_the_place_of_the_next_draw(tablectl):
    found = tablectl(*RAMEN, "--dice", "3,4", "--head-at", "0,9,lower", "--json").json
    assert found["next_draw"] == {"p": 61, "side": 0, "column": 9, "row": "lower"}
    assert found["head"] == 61


def test_a_table_that_has_dealt(tablectl):
    found = tablectl(*RAMEN, "--break", "2,0", "--sides", "20,19,19,19", "--dealt", "--json")
    assert (found.status, found.error["code"]) == (1, "plan.sides_count")
    for machine in ("ramen-jiro", "riichi-4p", "goto-sanma"):
        call = ("plan", machine, "--break", "1,3", "--dealt")
        hint = tablectl(*call, "--json").error["hint"]
        example = hint.split(" may have ")[1].split()[0]
        assert tablectl(*call, "--sides", example, "--json").status == 0
    found = tablectl(*RAMEN, "--break", "2,0", "--sides", "10,10,10,8.5<", "--dealt", "--json").json
    assert (found["tiles"], found["head"]) == (77, 1)


UNREADABLE = {
    "preset.unknown": (("plan", "ramen-jir", "--dice", "3,4"), "Did you mean ramen-jiro?"),
    "cli.numbers": ((*RAMEN, "--dice", "x,y"), "--dice 3,4"),
    "cli.numbers break": ((*RAMEN, "--break", "1"), "--break 2,7"),
    "cli.numbers head_at": ((*RAMEN, "--dice", "3,4", "--head-at", "1,2,top"), "2,7,upper"),
    "cli.numbers seats": ((*RAMEN, "--dice", "3,4", "--seats", "0,-1,2"), "--seats 0,1,2"),
    "cli.one_of": (RAMEN, "--dice 3,4"),
    "cli.one_of both": ((*RAMEN, "--dice", "3,4", "--break", "2,7"), "--break 2,7"),
    "cli.one_of heads": (
        (*RAMEN, "--dice", "3,4", "--head", "60", "--head-at", "2,7,upper"), "--head 60",
    ),
    "wall.side": ((*RAMEN, "--dice", "3,4", "--sides", "15,14,x,15"), "whole columns"),
    "cli.usage option": ((*RAMEN, "--dices", "3,4"), "plan --help"),
    "cli.usage value": ((*RAMEN, "--dice", "3,4", "--head", "many"), "plan --help"),
    "cli.usage missing": (("plan",), "plan --help"),
}  # fmt: skip
IMPOSSIBLE = {
    "plan.dice": ((*RAMEN, "--dice", "3,7"), "1 to 6 pips"),
    "plan.dice count": ((*RAMEN, "--dice", "3"), "2 dice"),
    "plan.sides_count": ((*RAMEN, "--dice", "3,4", "--sides", "15,14,15,13"), "15,14,15,14"),
    "plan.sides": ((*RAMEN, "--dice", "3,4", "--sides", "15,14,15"), "four sides"),
    "plan.head_past_end": ((*RAMEN, "--dice", "3,4", "--head", "103"), "--head-at"),
    "plan.tail_past_reserve": ((*RAMEN, "--dice", "3,4", "--tail", "13"), "--tail"),
    "plan.indicator_drawn": (
        (*RAMEN, "--dice", "3,4", "--head", "101", "--turned", "1"), "--turned",
    ),
    "plan.indicators_most": ((*RAMEN, "--dice", "3,4", "--turned", "5"), "--turned"),
    "plan.never_dealt": (("plan", "fuzhou-144", "--break", "1,3", "--dealt"), "--dealt"),
    "plan.kongs_past_tiles": (
        ("plan", "fuzhou-144", "--dice", "3,4", "--flower-quads", "99"), "--flower-quads",
    ),
    "plan.kongs_past_tiles riichi": (
        ("plan", "riichi-4p", "--dice", "3,4", "--open-kongs", "99"), "--open-kongs",
    ),
    "plan.dealer": ((*RAMEN, "--dice", "3,4", "--dealer", "3"), "by seat"),
    "plan.seats": ((*RAMEN, "--dice", "3,4", "--seats", "0,0,1"), "3 players"),
    "plan.no_wall": (
        (*RAMEN, "--dice", "3,4", "--sides", "20,19,0,19", "--dealer", "2"), "--break",
    ),
    "plan.no_place": ((*RAMEN, "--dice", "3,4", "--head-at", "2,99,upper"), "side 0-3"),
    "plan.no_side": ((*RAMEN, "--break", "7,1"), "Sides are 0 to 3"),
    "plan.sum_impossible": ((*RAMEN, "--break", "2,58"), "sides"),
    "plan.negative": ((*RAMEN, "--dice", "3,4", "--tail", "-1"), "from 0"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "status"),
    [*((name, 2) for name in UNREADABLE), *((name, 1) for name in IMPOSSIBLE)],
)
def test_bad_input_has_code_status_and_remedy(name, status, tablectl):
    call, remedy = (UNREADABLE | IMPOSSIBLE)[name]
    code = name.split()[0]
    for_people = tablectl(*call)
    assert (for_people.status, for_people.out) == (status, "")
    assert f"[{code}]" in for_people.err
    assert remedy in for_people.err
    for_programs = tablectl(*call, "--json")
    assert (for_programs.status, for_programs.out) == (status, "")
    assert for_programs.error["code"] == code
    assert remedy in for_programs.error["hint"]
    assert for_programs.error["message"]


def test_a_wrong_value_names_its_option(tablectl):
    assert "--head" in tablectl(*RAMEN, "--dice", "3,4", "--head", "many").err
    assert "PRESET" in tablectl("plan").err


def test_counts_that_cannot_be_are_named(tablectl):
    """Never how many replacements are left under zero."""
    many = ("--open-kongs", "2", "--flower-quads", "99")
    error = tablectl("plan", "fuzhou-144", "--dice", "3,4", *many, "--json").error
    assert error["message"] == (
        "2 open kongs and 99 sets of four like flowers would be 404 tiles, but fuzhou-144 has 144"
    )
    told = [
        tablectl("plan", name, "--dice", "3,4", *option, str(count), "--json")
        for name in ("fuzhou-144", "fuzhou-128", "vivace-sanma", "ramen-jiro", "riichi-4p")
        for option in (("--open-kongs",), ("--flower-quads",), ("--head", "0", "--concealed-kongs"))
        for count in (20, 36, 40, 1000)
    ]
    assert any(one.status for one in told)
    assert not [one.error for one in told if one.status and "-" in one.error["message"].split()[0]]
    assert not [one.json for one in told if not one.status and one.json["drawable"] < 0]
