"""Every command as people and programs call it: what it prints, its exit status, its errors."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from tablectl.cli import main
from tablectl.cli.app import EXAMPLE
from tablectl.core.geometry import Inputs, plan
from tablectl.core.preset_file import builtin_presets, find_preset

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
SAMPLE = DATA / "hands" / f"{EXAMPLE}.jsonl"
COMMANDS = ("plan", "card", "replay", "presets", "demo")

PLAN_KEYS = [
    "preset", "tiles", "players", "sides", "seats", "dealer", "dice", "break", "head", "tail",
    "turned", "phase", "drawable", "next_draw", "last_draw", "indicators", "ura", "next_indicator",
    "replacement", "reserve", "gold_marker", "reveal", "wareme",
]  # fmt: skip
"""The contract's fields, in its order."""


@pytest.fixture
def call(capsys, monkeypatch):
    """Run a command: (exit status, what it printed, what it printed to standard error)."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return int(left.value.code or 0), printed.out, printed.err

    return run


def test_plan_as_json(call):
    status, out, _ = call("plan", "ramen-jiro", "--dice", "3,4", "--json")
    found = json.loads(out)
    assert status == 0
    assert list(found) == PLAN_KEYS
    assert found["next_draw"] == {"p": 40, "side": 1, "column": 13, "row": "upper"}
    assert found == plan(find_preset("ramen-jiro"), Inputs(dice=(3, 4))).as_json()


def test_every_option_of_plan_reaches_the_plan(call):
    status, out, _ = call(
        "plan", "ramen-jiro", "--break", "1,3", "--dealer", 2, "--seats", "0,1,3", "--sides",
        "16,14,14,14", "--head", 50, "--tail", 3, "--turned", 2, "--open-kongs", 1,
        "--concealed-kongs", 1, "--flower-quads", 0, "--json",
    )  # fmt: skip
    found = json.loads(out)
    assert status == 0
    assert (found["break"], found["dice"]) == ({"side": 1, "after": 3}, None)
    assert (found["dealer"], found["seats"], found["sides"]) == (2, [0, 1, 3], [16, 14, 14, 14])
    assert (found["head"], found["tail"], found["turned"]) == (50, 3, 2)
    place = ",".join(str(found["next_draw"][key]) for key in ("side", "column", "row"))
    again = call(
        "plan", "ramen-jiro", "--break", "1,3", "--seats", "0,1,3", "--sides", "16,14,14,14",
        "--head-at", place, "--dealer", 2, "--tail", 3, "--turned", 2, "--json",
    )  # fmt: skip
    assert json.loads(again[1]) == found


def test_a_table_that_has_dealt(call):
    arguments = ("plan", "riichi-4p", "--break", "2,5", "--dealt", "--sides", "10,10,11,11")
    status, out, _ = call(*arguments, "--json")
    assert (status, json.loads(out)["head"]) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        ("plan nope --dice 3,4", 2, "preset.unknown"),
        ("plan nowhere.toml --dice 3,4", 2, "preset.file"),
        ("plan riichi-4p", 2, "cli.one_of"),
        ("plan riichi-4p --dice 3,4 --break 1,2", 2, "cli.one_of"),
        ("plan riichi-4p --dice 3,4 --head 60 --head-at 0,1,upper", 2, "cli.one_of"),
        ("plan riichi-4p --dice x,y", 2, "cli.numbers"),
        ("plan riichi-4p --dice 3,", 2, "cli.numbers"),
        ("plan riichi-4p --break 1", 2, "cli.numbers"),
        ("plan riichi-4p --break 1,2,3", 2, "cli.numbers"),
        ("plan riichi-4p --dice 3,4 --head-at 1,2,middle", 2, "cli.numbers"),
        ("plan riichi-4p --dice 3,4 --head-at 7,2,upper", 2, "cli.numbers"),
        ("plan riichi-4p --dice 3,4 --sides 17,x,17,17", 2, "wall.side"),
        ("plan riichi-4p --dice 3,4 --sides 17,17,17", 1, "plan.sides"),
        ("plan riichi-4p --dice 3,4 --sides 17,17,17,18", 1, "plan.sides_count"),
        ("plan riichi-4p --dice 7,1", 1, "plan.dice"),
        ("plan riichi-4p --dice 3", 1, "plan.dice"),
        ("plan riichi-4p --dice 3,4 --head 123", 1, "plan.head_past_end"),
        ("plan riichi-4p --dice 3,4 --tail 5", 1, "plan.tail_past_reserve"),
        ("plan ramen-jiro --dice 3,4 --head 101 --turned 1", 1, "plan.indicator_drawn"),
        ("plan riichi-4p --dice 3,4 --dealer 4", 1, "plan.dealer"),
        ("plan riichi-4p --dice 3,4 --seats 0,1,2", 1, "plan.seats"),
        ("plan riichi-4p --break 0,99", 1, "plan.sum_impossible"),
        ("plan riichi-4p --dice 3,4 --dealt", 1, "plan.sides_count"),
        ("plan riichi-4p --dice 3,4 --foo", 2, "cli.usage"),
        ("plan riichi-4p --dice 3,4 --head x", 2, "cli.usage"),
        ("plan", 2, "cli.usage"),
        ("nope", 2, "cli.usage"),
        ("card riichi-4p --sides 1,2,3,4", 1, "plan.sides_count"),
        ("card nope", 2, "preset.unknown"),
        ("card riichi-4p --out /nowhere/at/all.html", 2, "cli.write"),
        ("replay riichi-4p /nowhere/at/all.jsonl", 2, "cli.file"),
        ("replay nope -", 2, "preset.unknown"),
        ("presets nope", 2, "preset.unknown"),
        ("presets --check /nowhere/at/all.toml", 2, "preset.file"),
        (f"demo --preset {EXAMPLE} --file {SAMPLE} --hand 99", 2, "cli.no_hand"),
        ("demo --speed 0", 2, "cli.speed"),
        ("demo --model nope --port 0", 2, "link.sim"),
        ("demo --preset nope", 2, "preset.unknown"),
    ],
)
def test_what_cannot_be_read_or_be(call, arguments, status, code):
    """People get sentences with the remedy, programs the same as JSON; nothing is printed else."""
    found, out, err = call(*arguments.split())
    assert (found, out) == (status, "")
    assert f"[{code}]" in err
    assert len(err.splitlines()) >= 2, "what was found, and what to do"
    assert "Traceback" not in err
    found, out, err = call(*arguments.split(), "--json")
    error = json.loads(err)["error"]
    assert (found, error["code"]) == (status, code)
    assert error["message"]
    assert error["hint"]


def test_the_nearest_name_is_offered(call):
    assert "Did you mean riichi-4p?" in call("plan", "riichi4p", "--dice", "3,4")[2]


def test_plan_draws_for_people(call):
    status, out, _ = call("plan", "ramen-jiro", "--dice", "3,4")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    for words in ("7 columns stay at its right end", "side 1", "column 13", "62"):
        assert words in out


def test_replay_prints_a_line_for_each_hand(call):
    status, out, _ = call("replay", "riichi-4p", DATA / "riichi-4p.jsonl")
    found = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [one["hand"] for one in found] == list(range(10))
    assert set(found[0]) == {
        "hand", "ok", "head", "tail", "drawable", "indicators", "ura", "end", "checked", "mismatch",
    }  # fmt: skip


def test_replay_of_a_hand_that_cannot_have_been(call, monkeypatch):
    hand = json.loads((DATA / "riichi-3p.jsonl").read_text().splitlines()[0])
    hand["events"][0][2] = "9p"
    good = (DATA / "riichi-3p.jsonl").read_text().splitlines()[1]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{json.dumps(hand)}\n{good}\n"))
    status, out, _ = call("replay", "riichi-3p", "-")
    found = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert [one["ok"] for one in found] == [False, True]
    mismatch = found[0]["mismatch"]
    assert (mismatch["event"], mismatch["found"]) == (0, "9p")
    assert mismatch["expected"] == "3s"


def test_replay_reports_the_hands_before_a_malformed_line(call, monkeypatch):
    good = (DATA / "riichi-3p.jsonl").read_text().splitlines()[0]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{good}\nnonsense\n"))
    status, out, err = call("replay", "riichi-3p", "-")
    assert status == 2
    assert json.loads(out)["ok"]
    assert "line 2" in err


def test_presets(call):
    status, out, _ = call("presets", "--json")
    assert status == 0
    assert [one["name"] for one in json.loads(out)["presets"]] == builtin_presets()
    assert all(name in call("presets")[1] for name in builtin_presets())
    for name in builtin_presets():
        found = json.loads(call("presets", name, "--json")[1])
        assert found["name"] == name
        for value in found["values"]:
            assert value["source"] in ("seed", "convention", "chosen")
            assert value["text"]
            assert (value["source"] == "chosen") == (len(value.get("options", [])) >= 2)
        shown = call("presets", name)[1]
        assert find_preset(name).title in shown


def test_presets_check(call, tmp_path):
    file = tmp_path / "mine.toml"
    text = (ROOT / "tablectl" / "presets" / "riichi-3p.toml").read_text()
    file.write_text(text)
    assert call("presets", "--check", file)[0] == 0
    assert json.loads(call("presets", "--check", file, "--json")[1])["ok"]
    file.write_text(text.replace("[walls]", "[wals]").replace('"kept"', '"keep"'))
    status, _, err = call("presets", "--check", file)
    assert status == 2
    assert "walls" in err
    assert re.search(r"mine\.toml:\d+", err)
    status, out, err = call("presets", "--check", file, "--json")
    found = json.loads(out)
    assert (status, found["ok"]) == (2, False)
    assert len(found["errors"]) >= 2


def test_a_file_stands_in_a_presets_place(call, tmp_path):
    file = tmp_path / "mine.toml"
    text = (ROOT / "tablectl" / "presets" / "riichi-3p.toml").read_text()
    file.write_text(text.replace('name = "riichi-3p"', 'name = "mine"'))
    status, out, _ = call("plan", file, "--dice", "3,4", "--json")
    assert (status, json.loads(out)["preset"]) == (0, "mine")


def test_card_is_written_to_a_file(call, tmp_path):
    file = tmp_path / "card.html"
    status, out, _ = call("card", "ramen-jiro", "--out", file)
    assert status == 0
    assert str(file) in out
    assert call("card", "ramen-jiro")[1].strip() == file.read_text().strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_that_runs(call, command):
    status, out, _ = call(command, "--help")
    assert status == 0
    example = re.search(r"Example: tablectl ([^\n>]+)", out)
    assert example is not None
    words = example[1].split()
    assert words[0] == command
    words = [str(SAMPLE) if word == "hands.jsonl" else word for word in words]
    assert call(*words, *(["--port", "0", "--speed", "300"] if command == "demo" else []))[0] == 0


def test_help_lists_the_commands(call):
    status, out, _ = call("--help")
    assert status == 0
    assert all(command in out for command in COMMANDS)
    assert call("--version")[1].startswith("tablectl ")
