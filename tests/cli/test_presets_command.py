"""`tablectl presets`: the list, one rule with its sources, and the mistakes of a file."""

from __future__ import annotations

import json

import pytest

from tablectl.core.preset_file import FOLDER, builtin_presets, find_preset


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
    said = " ".join(tablectl("presets", name).out.split())
    for value in shown["values"]:
        assert {"path", "value", "source", "text"} <= set(value)
        assert value["meaning"] in said
        if value["source"] == "chosen":
            assert len(value["options"]) >= 2
            assert value["value"] in value["options"]


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
