"""`tablectl presets`: the list, one rule whole or with its sources, the mistakes of a file."""

from __future__ import annotations

import json

import pytest
from rich.cells import cell_len

from tablectl.core.preset_file import FOLDER, builtin_presets, find_preset
from tablectl.core.rule_told import statements_told, values_told


def test_the_list(tablectl):
    for_people, for_programs = tablectl("presets"), tablectl("presets", "--json").json
    assert [one["name"] for one in for_programs["presets"]] == builtin_presets()
    for one in for_programs["presets"]:
        assert {"name", "title", "players", "tiles"} <= set(one)
        line = next(
            text for text in for_people.out.splitlines() if text.startswith(f"{one['name']} ")
        )
        sides = ",".join(map(str, one["sides"]))
        assert line.split()[-3:] == [str(one["players"]), str(one["tiles"]), sides]


@pytest.mark.parametrize("name", builtin_presets())
def test_one_with_every_source(name, tablectl):
    rules = find_preset(name)
    shown = tablectl("presets", name, "--json").json
    assert (shown["name"], shown["title"]) == (rules.name, rules.title)
    assert [value["path"] for value in shown["values"]] == [s.path for s in rules.sources]
    said = " ".join(tablectl("presets", name, "--sources").out.split())
    for one in rules.statements:
        assert one.text in said
    for value in shown["values"]:
        assert {"path", "value", "source", "text"} <= set(value)
        assert value["meaning"] in said
        if value["source"] == "chosen":
            assert len(value["options"]) >= 2
            assert value["value"] in value["options"]


@pytest.mark.parametrize("name", builtin_presets())
@pytest.mark.parametrize("ja", [(), ("--ja",)], ids=["en", "ja"])
@pytest.mark.parametrize(("width", "most"), [(80, 66), (100, 52)])
def test_a_whole_rule_is_one_screen(name, ja, width, most, tablectl, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    lines = tablectl("presets", name, *ja).out.splitlines()
    assert len(lines) <= most
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("name", builtin_presets())
def test_nothing_of_the_rule_is_left_out(name, tablectl):
    rules = find_preset(name)
    for language, flags in (("en", ()), ("ja", ("--ja",))):
        said = "".join(tablectl("presets", name, *flags).out.split())
        told = [*values_told(rules, language), *statements_told(rules, language)]
        for one in (one for group in told for one in group.told):
            assert "".join(one.text.split()) + "°" * one.chosen in said
        for topping in rules.toppings:
            assert f"+{topping.name}" in said
            assert "".join(topping.title.split()) in said


def test_what_the_screen_says(tablectl):
    said = " ".join(tablectl("presets", "goto-sanma").out.split())
    for phrase in (
        "3 players",
        "two may win on a discard",
        "no tsumo loss",
        "dead hand",
        "° chosen",
    ):
        assert phrase in said
    said = tablectl("presets", "vivace-sanma", "--ja").out
    for phrase in ("35,000点持ち", "返り東", "14枚残し", "抜け番あり", "誤ポン、誤カン"):
        assert phrase in "".join(said.split())
    # What the rule does not have is not spoken of.
    assert "gold" not in tablectl("presets", "vivace-4p").out.lower()


def test_toppings(tablectl):
    shown = tablectl("presets", "ramen-jiro+tsurame", "--json").json
    assert (shown["base"], shown["variant"]) == ("ramen-jiro", "tsurame")
    assert shown["name"] == "ramen-jiro+tsurame"
    assert {one["path"]: one["value"] for one in shown["values"]}["play.points"] == 25000
    [tsurame] = [one for one in shown["toppings"] if one["name"] == "tsurame"]
    assert {one["path"] for one in tsurame["changes"]} >= {"play.points", "score.tsumo_loss"}
    said = " ".join(tablectl("presets", "ramen-jiro+tsurame").out.split())
    assert "25,000 points" in said
    assert "辛め (on)" in said
    assert "no tsumo loss" not in said
    assert "wareme ×3" in " ".join(tablectl("presets", "ramen-jiro+wareme-3").out.split())
    listed = tablectl("presets").out
    assert all(f"+{one['name']}" in listed for one in shown["toppings"])


def test_statements_for_programs(tablectl):
    rules = find_preset("vivace-a-league")
    shown = tablectl("presets", rules.name, "--json").json["statements"]
    assert [(s["topic"], s["text"], s["source"], s["phrase"]) for s in shown] == [
        (s.topic, s.text, s.kind, s.source) for s in rules.statements
    ]


def test_an_unknown_one(tablectl):
    found = tablectl("presets", "ramen-jira", "--json")
    assert (found.status, found.error["code"]) == (2, "preset.unknown")
    assert "ramen-jiro" in found.error["hint"]


def test_a_good_file(tablectl):
    file = str(FOLDER / "ramen-jiro.toml")
    found = tablectl("presets", "--check", file)
    assert found.status == 0
    assert found.out.startswith(f"{file} is a good preset: ")
    told = tablectl("presets", "--check", file, "--json").json
    assert (told["ok"], told["errors"]) == (True, [])


def test_all_mistakes_of_a_file_at_once(tablectl, tmp_path):
    text = (FOLDER / "ramen-jiro.toml").read_text(encoding="utf-8")
    text = text.replace('"tulip"', '"tulpi"').replace("[winning]", "[wining]")
    file = tmp_path / "house.toml"
    file.write_text(text, encoding="utf-8")
    found = tablectl("presets", "--check", str(file))
    assert (found.status, found.out) == (2, "")
    assert "tulpi" in found.err
    assert "wining" in found.err
    found = tablectl("presets", "--check", str(file), "--json")
    assert found.status == 2
    assert found.json["ok"] is False
    errors = json.dumps(found.json["errors"])
    assert len(found.json["errors"]) >= 2
    assert "tulpi" in errors
    assert "wining" in errors
    assert found.error["code"] == "preset.invalid"


def test_a_file_that_is_not_there(tablectl, tmp_path):
    found = tablectl("presets", "--check", str(tmp_path / "none.toml"), "--json")
    assert found.status == 2
    assert found.json["ok"] is False
    assert found.error["code"] == "preset.file"


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (("ramen-jiro", "--ja", "--sources"), "--sources"),
        (("ramen-jiro", "--ja", "--json"), "--json"),
        (("--ja",), "the list"),
    ],
)
def test_ja_is_not_passed_over_in_silence(call, what, tablectl):
    found = tablectl("presets", *call)
    error = found.error["message"] if "--json" in call else found.err
    assert (found.status, found.out) == (2, "")
    assert what in error
    assert "--json" in call or "[cli.japanese]" in found.err


BRACKETS = {"）": "（", ")": "(", "」": "「", "』": "『", "]": "[", "】": "【"}


def balanced(text: str) -> bool:
    """Whether every bracket that is opened is closed, and in its order."""
    open_ones: list[str] = []
    for letter in text:
        if letter in BRACKETS.values():
            open_ones.append(letter)
        elif letter in BRACKETS and (not open_ones or open_ones.pop() != BRACKETS[letter]):
            return False
    return not open_ones


@pytest.mark.parametrize("name", builtin_presets())
def test_every_bracket_that_is_opened_is_closed(name):
    assert not balanced("（a")
    assert not balanced("a）（")
    rules = find_preset(name)
    for one in (rules, *(find_preset(f"{name}+{topping.name}") for topping in rules.toppings)):
        told = [source.text for source in one.sources]
        told += [text for said in one.statements for text in (said.text, said.source)]
        for language in ("en", "ja"):
            groups = [*values_told(one, language), *statements_told(one, language)]
            told += [said.text for group in groups for said in group.told]
        assert not [text for text in told if not balanced(text)]
