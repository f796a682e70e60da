"""What the README shows is what the program does today."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tablectl.cli import main
from tablectl.core.preset_file import builtin_presets, find_preset, read_preset
from tablesim.faults import read_faults
from tablesim.model import MODELS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOML = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)


def test_the_diagrams_are_those_of_the_charts():
    command = [sys.executable, ROOT / "tools" / "charts", "--check"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_the_picture_is_what_plan_draws(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main(["plan", "ramen-jiro", "--dice", "3,4"])
    drawn = [line.rstrip() for line in capsys.readouterr().out.rstrip().splitlines()]
    assert "\n".join(drawn) in README


@pytest.mark.parametrize("line", re.findall(r"^tablectl (plan [^#\n]+)", README, re.MULTILINE))
def test_the_examples_run(line, capsys):
    with pytest.raises(SystemExit) as left:
        main(line.split())
    assert not left.value.code
    assert capsys.readouterr().out


def test_the_faults_can_be_read(tmp_path):
    [shown] = [block for block in TOML if "[[fault]]" in block]
    (tmp_path / "faults.toml").write_text(shown)
    found = read_faults(tmp_path / "faults.toml")
    assert [fault.name for fault in found] == ["missing_tile", "flip"]


def test_every_table_model_is_named():
    assert re.findall(r"^\| `([a-z+]+)` \| ", README, re.MULTILINE)[-len(MODELS) :] == list(MODELS)


def test_the_house_rules_lines_can_stand_in_a_preset():
    [shown] = [block for block in TOML if "[players]" in block]
    preset = (ROOT / "tablectl" / "presets" / "ramen-jiro.toml").read_text(encoding="utf-8")
    lines = re.findall(r"\[(\w+)\]\n(\w+) (= \{.*\})", shown)
    assert len(lines) == 3
    for section, key, value in lines:
        old = re.compile(rf"(\[{section}\]\n(?:\w.*\n)*?{key} )= .*")
        assert old.search(preset)
        read_preset(old.sub(lambda found, new=value: found[1] + new, preset))


def test_the_statement_and_the_topping_can_stand_in_a_preset():
    [shown] = [block for block in TOML if "[[statements]]" in block]
    text = (ROOT / "tablectl" / "presets" / "riichi-3p.toml").read_text(encoding="utf-8")
    rules = read_preset(f"{text}\n{shown}", toppings=["wareme-2"])
    assert [one.topic for one in rules.statements] == ["conduct"]
    assert rules.wareme.factor == 2


def test_every_rule_is_in_the_table():
    rows = [line for line in README.splitlines() if re.match(r"\| `[a-z0-9-]+`", line)]
    told = [name for name in builtin_presets() if any(f"`{name}`" in line for line in rows)]
    assert len(told) >= 9, "one that a house has added is told by its file alone"
    for name in told:
        rules = find_preset(name)
        [row] = [line for line in rows if f"`{name}`" in line.split("|")[1]]
        assert str(rules.tile_count) in row
        assert str(rules.players) in row
        assert all(f"+{topping.name}" in README for topping in rules.toppings)
