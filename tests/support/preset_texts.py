"""Texts of preset files with something changed in them."""

from __future__ import annotations

import re

import pytest

from tablectl.core.preset_file import FOLDER, builtin_presets, read_preset
from tablectl.errors import TablectlError

NAMES = builtin_presets()
TEXTS = {name: (FOLDER / f"{name}.toml").read_text("utf-8") for name in NAMES}
THREE, FOUR, RAMEN = "riichi-3p", "riichi-4p", "ramen-jiro"

GROWING = [
    ('policy = { value = "neighbour", seed = "ドラ表の隣まで取り切る" }',
     'policy = { value = "growing", convention = "x" }\ntiles = { value = 18, convention = "x" }\n'
     'open_kong = { value = 1, convention = "x" }\nfinal = { value = 4, convention = "x" }'),
    ("count = { value = 12", "count = { value = 0"),
    ('start = { value = 1, chosen = "the text does not say how many", options = [1, 2] }',
     'start = { value = 0, convention = "x" }'),
    ("ura = { value = true", "ura = { value = false"),
    ('[calls]', '[gold]\nturned = { value = "tail", convention = "x" }\n\n[calls]'),
]  # fmt: skip
KONGS = re.compile(r"^(open_kong|concealed_kong) = .*after_discard.*\n", re.MULTILINE)


def problems_of(text: str) -> list[TablectlError]:
    """The single problems of a text that must not load."""
    with pytest.raises(TablectlError) as caught:
        read_preset(text, "house.toml")
    assert caught.value.code == "preset.invalid"
    assert caught.value.where == "house.toml"
    assert caught.value.values["number"] == len(caught.value.problems) > 0
    return list(caught.value.problems)


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def line_with(text: str, part: str) -> int:
    """The first line that begins with that part, or else has it."""
    lines = text.split("\n")
    begins = [n for n, line in enumerate(lines, start=1) if line.startswith(part)]
    return (begins or [n for n, line in enumerate(lines, start=1) if part in line])[0]


def growing_text(*changes: tuple[str, str]) -> str:
    return changed(KONGS.sub("", TEXTS[RAMEN]), *GROWING, *changes)
