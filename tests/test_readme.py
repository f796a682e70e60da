"""What the README shows is what the program does today."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tablectl.cli import main
from tablectl.core.preset_file import read_preset
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
