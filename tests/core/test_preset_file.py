"""Preset files that load: those that come with the program, and files made at random."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from support.preset_texts import FOUR, NAMES, RAMEN, TEXTS, THREE, changed, growing_text
from support.presets import random_preset_text

from tablectl.core.preset import Preset
from tablectl.core.preset_fields import BY_PATH, FIELDS, REQUIRED
from tablectl.core.preset_file import (
    find_preset,
    load_preset,
    read_preset,
    source_of,
    with_value,
)
from tablectl.errors import TablectlError

ROOT = Path(__file__).resolve().parents[2]

ALLOWED_NAMES = {("tablectl/cli/app.py", f'EXAMPLE = "{RAMEN}"')}
"""The only lines of code that name a rule: what `demo` plays and help shows."""


# ── the presets that come with the program ──────────────────────────────────────────────────────


def test_the_presets_are_there_under_their_own_names() -> None:
    assert {THREE, FOUR, RAMEN} <= set(NAMES)
    for name in NAMES:
        preset = find_preset(name)
        assert preset.name == name
        assert preset.tile_count == 2 * sum(preset.walls.four)


def test_what_the_presets_say() -> None:
    four, three, ramen = find_preset(FOUR), find_preset(THREE), find_preset(RAMEN)
    assert [one.tile_count for one in (four, three, ramen)] == [136, 108, 116]
    assert [one.players for one in (four, three, ramen)] == [4, 3, 3]
    assert [one.dealing.each for one in (four, three, ramen)] == [13, 13, 13]
    assert [one.replacements.count for one in (four, three, ramen)] == [4, 8, 12]
    assert [one.indicators.column for one in (four, three, ramen)] == [3, 5, 7]
    marks = {tile.code: n for tile, n in ramen.tiles.items() if tile.mark}
    assert marks == {f"5{suit}{mark}": 2 for suit in "mps" for mark in "rg"} | {
        f"{kind}x": 1 for kind in ("7m", "8m", "7p", "8p", "7s", "8s", "4z", "7z")
    }
    assert all(n == 4 for n in ramen.tiles.by_kind.values())
    assert ramen.walls.three == (20, 19, 19, 0)
    assert ramen.walls.default == (15, 14, 15, 14)


@pytest.mark.parametrize("name", NAMES)
def test_each_value_has_a_source(name: str) -> None:
    preset = find_preset(name)
    lines = TEXTS[name].split("\n")
    for source in preset.sources:
        assert source.text
        assert re.match(rf"{source.path.split('.')[1]}\s*=", lines[source.line - 1])
        assert (source.kind == "chosen") == (len(source.options) >= 2)
    said = {source.path for source in preset.sources}
    assert said >= {field.path for field in FIELDS if field.default is REQUIRED}


@pytest.mark.parametrize("name", NAMES)
def test_each_seed_phrase_is_in_a_rule_text(name: str, shared: Path) -> None:
    texts = [path.read_text("utf-8") for path in sorted((shared / "seeds").glob("*.txt"))]
    assert texts
    preset = find_preset(name)
    said = [*preset.sources, *(one for topping in preset.toppings for one in topping.changes)]
    phrases = [one.text for one in said if one.kind == "seed"]
    phrases += [one.source for one in preset.statements if one.kind == "seed"]
    phrases = [phrase for text in phrases for phrase in text.split("\n")]
    # All of one text: a rule is not put together from several.
    assert any(all(phrase in text for phrase in phrases) for text in texts), [
        phrase for phrase in phrases if not any(phrase in text for text in texts)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_each_rule_of_conduct_is_told(name: str, shared: Path) -> None:
    """Rows of the class CONDUCT of the list of all rules are statements of their preset."""
    mark = CONDUCT.get(name)
    if mark is None:
        return
    rows = re.findall(
        r"^- (\S+) \| CONDUCT \| (.*?) \| 「(.*)」$",
        (shared / "ledger.md").read_text("utf-8"),
        re.M,
    )
    told = "\n".join(one.source for one in find_preset(name).statements)
    mine = [(row, phrase) for row, text, phrase in rows if f"{row} {text}".startswith(mark)]
    mine += [(row, phrase) for row, text, phrase in rows if mark in text]
    assert mine
    for row, phrase in mine:
        assert all(part in told for part in phrase.split("…")), (row, phrase)


CONDUCT = {
    "vivace-4p": "[4P]",
    "vivace-a-league": "[A]",
    "vivace-sanma": "[3P]",
    "goto-sanma": "S3-",
}

CHOICES = [
    (name, source.path, option)
    for name in NAMES
    for source in find_preset(name).sources
    for option in source.options
]


@pytest.mark.parametrize(("name", "path", "option"), CHOICES)
def test_each_option_loads_in_its_place(name: str, path: str, option: object) -> None:
    preset = find_preset(name)
    source = source_of(preset, path)
    assert source is not None
    other = with_value(TEXTS[name], path, option)
    assert (other.digest == preset.digest) == (option == source.value)
    there = source_of(other, path)
    assert there is not None
    assert there.value == option
    assert there.text == source.text


def test_an_option_can_be_refused() -> None:
    with pytest.raises(TablectlError) as caught:
        with_value(TEXTS[RAMEN], "replacements.count", 8)
    [problem] = caught.value.problems
    assert problem.code == "preset.clash"
    with pytest.raises(TablectlError) as caught:
        with_value(TEXTS[RAMEN], "dealing.last", "sideways")
    [problem] = caught.value.problems
    assert problem.code == "preset.value"


# ── finding ─────────────────────────────────────────────────────────────────────────────────────


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    for name, near in (("ramen", RAMEN), ("Riichi-4P", FOUR), ("riichi3p", THREE)):
        with pytest.raises(TablectlError) as caught:
            find_preset(name)
        assert caught.value.code == "preset.unknown"
        assert f"Did you mean {near}?" in caught.value.hint
        assert all(known in caught.value.message for known in NAMES)
    with pytest.raises(TablectlError) as caught:
        find_preset("zzzzzz")
    assert "Did you mean" not in caught.value.hint


def test_a_path_is_read_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(changed(TEXTS[THREE], (f'"{THREE}"', '"house"')), "utf-8")
    assert find_preset(str(path)).name == load_preset(path).name == "house"
    path.write_text("\ufeff" + TEXTS[THREE].replace("\n", "\r\n"), "utf-8")
    assert load_preset(path).digest == find_preset(THREE).digest


@pytest.mark.parametrize("content", [None, b"\xff\xfe", "a folder"])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | str | None) -> None:
    path = tmp_path / "house.toml"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        path.mkdir()
    with pytest.raises(TablectlError) as caught:
        find_preset(str(path))
    assert caught.value.code == "preset.file"
    assert caught.value.where == str(path)


def test_a_name_that_no_file_can_have() -> None:
    with pytest.raises(TablectlError) as caught:
        load_preset("a\0b.toml")
    assert caught.value.code == "preset.file"


# ── the digest ──────────────────────────────────────────────────────────────────────────────────


def test_comments_sources_and_defaults_leave_the_digest() -> None:
    text = TEXTS[FOUR]
    same = [
        "# one more\n" + text,
        changed(text, ('"chi from the left neighbour"', '"otherwise said"')),
        changed(text, ("options = [25000, 30000]", "options = [25000, 40000]")),
        changed(text, ("[winning]", '[reveal]\nkind = { value = "none", seed = "x" }\n[winning]')),
    ]
    assert {read_preset(one).digest for one in same} == {find_preset(FOUR).digest}


def test_every_value_changes_the_digest() -> None:
    """Each field is given another value somewhere where that loads, and the digest is another."""
    head = changed(TEXTS[RAMEN], ('source = { value = "tail"', 'source = { value = "head"'))
    whole = (TEXTS[FOUR], TEXTS[THREE], TEXTS[RAMEN], growing_text(), head, TEXTS["vivace-4p"])
    bases = [text.split("[[statements]]")[0] for text in whole]
    for field in FIELDS:
        if field.path in TOGETHER:
            continue
        loaded = False
        for text in bases:
            base = read_preset(text)
            for value in OTHER.get(field.path) or OTHERS[type(said(base, field.path))]:
                if not field.fits(value) or value == said(base, field.path):
                    continue
                try:
                    other = with_value(text, field.path, value)
                except TablectlError:
                    continue
                loaded = True
                assert other.digest != base.digest, field.path
                break
        assert loaded, field.path


TOGETHER = {"tiles.counts", "tiles.total", "reserve.policy", "gold.turned"}
"""Values that can only change together with others."""

OTHER: dict[str, list[object]] = {
    "walls.three": [None, [0, 18, 18, 18], [0, 19, 19, 20]],
    "dealing.rounds": [[4, 4, 3], [6, 6], [3, 3, 3, 3]],
    "walls.four": [[13, 14, 13, 14], [18, 16, 17, 17], [14, 15, 14, 15]],
    "calls.aside": [[], ["4z"]],
    "calls.aside_claims": [[], ["pon"]],
    "tiles.red": [{}, {"5pr": 1}],
    "tiles.gold": [{}, {"5pg": 1}],
    "tiles.galaxy": [{"7px": 1}, {}],
    "tiles.white_diamond": [{"5zd": 1}],
    "play.points": [0],
    "game.dealer_stays": [[], ["win"], ["exhausted"]],
}
OTHERS: dict[type, list[object]] = {
    bool: [True, False],
    int: list(range(80)),
    str: sorted({word for field in FIELDS for word in field.words}),
    list: [[], ["win"], ["4z"], ["heavenly"], ["dice"], [["1m", "2m", "3m", "4m"]]],
    type(None): [],
}


def said(preset: Preset, path: str) -> object:
    source = source_of(preset, path)
    return BY_PATH[path].default if source is None else source.value


def test_values_that_change_together_change_the_digest() -> None:
    four, growing = TEXTS[FOUR], growing_text()
    texts = [
        four,
        changed(four, (f'"{FOUR}"', '"another"')),
        changed(four, ("1z-7z = 4", "1z-6z = 4, 7z = 2, 1f-2f = 1")),
        TEXTS[RAMEN],
        growing,
    ]
    assert len({read_preset(text).digest for text in texts}) == len(texts)


# ── no rule is known by its name ────────────────────────────────────────────────────────────────


def test_no_code_names_a_rule() -> None:
    found = set()
    for room in ("tablectl", "protocols", "hardware", "tools", ".ci"):
        for path in sorted((ROOT / room).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if not path.is_file() or name.startswith("tablectl/presets/"):
                continue
            try:
                lines = path.read_text("utf-8").split("\n")
            except UnicodeDecodeError:
                continue
            if path.suffix == ".jsonl":  # recorded hands say what was played
                continue
            found |= {(name, line.strip()) for line in lines if any(rule in line for rule in NAMES)}
    assert found <= ALLOWED_NAMES


# ── files made at random ────────────────────────────────────────────────────────────────────────


def test_a_hundred_presets_made_at_random_load() -> None:
    found = [read_preset(random_preset_text(random.Random(seed))) for seed in range(100)]
    assert {preset.reserve.policy for preset in found} == {
        "kept",
        "neighbour",
        "growing",
        "shrinking",
    }
    assert {preset.players for preset in found} == {2, 3, 4}
    assert {preset.dealing.last for preset in found} == {"sequence", "adjacent", "skip", "none"}
    assert any(len(set(preset.walls.four)) > 1 for preset in found)
    assert any(preset.calls.aside for preset in found)
    assert len({preset.digest for preset in found}) == 100
