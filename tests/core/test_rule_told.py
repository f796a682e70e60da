"""A rule in the field's words: every value, word and topic has them in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.preset_texts import FOUR, NAMES, TEXTS

from tablectl.core import rule_words as words
from tablectl.core.preset_fields import BY_PATH, FIELDS, TOPICS
from tablectl.core.preset_file import find_preset, read_preset, with_value
from tablectl.core.rule_told import (
    ONLY_WITH,
    TOLD_BY_DEFAULT,
    Language,
    Told,
    tiles_text,
    values_told,
)
from tablectl.core.tiles import KINDS

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def _said(name: str, language: Language = "en") -> dict[str, Told]:
    return {
        one.path: one for group in values_told(find_preset(name), language) for one in group.told
    }


def test_every_field_is_told_once() -> None:
    grouped = [path for _, paths in words.GROUPS for path in paths]
    assert sorted(grouped) == sorted(BY_PATH)
    assert set(ONLY_WITH) | set(ONLY_WITH.values()) | TOLD_BY_DEFAULT <= set(BY_PATH)


@pytest.mark.parametrize("path", sorted(BY_PATH))
def test_every_word_of_a_field_is_there(path: str) -> None:
    field = BY_PATH[path]
    if path in words.WORDS:
        there = words.WORDS[path]
        assert set(there) == ({*field.words} if field.words else {True, False})
        assert any(there.values())
        return
    if field.words:
        assert set(words.NAMES[path]) == set(field.words)
    if path in words.SAID:
        assert "{}" in words.SAID[path].en
        assert "{}" in words.SAID[path].ja
        return
    every = [value for value in range(200_000) if field.fits(value)]
    assert set(words.COUNTED[path]) == set(every)


def _all_words() -> Iterator[words.Both]:
    yield from words.SAID.values()
    for table in (words.ZERO, words.ONE, words.EMPTY):
        yield from (both for both in table.values() if both is not None)
    for sentences in words.WORDS.values():
        yield from (both for both in sentences.values() if both is not None)
    for names in (*words.NAMES.values(), *words.COUNTED.values()):
        yield from names.values()
    yield from (words.TOPIC_NAMES[topic] for topic in TOPICS)
    yield from (heading for heading, _ in words.GROUPS)
    yield from (*words.SUITS.values(), *words.HONOURS, *words.FLOWERS, *words.RUNS.values())
    yield from (words.TOPPINGS, words.KEPT, words.CHOSEN, words.NONE_ON, words.ON)


def test_all_words_are_in_both_languages() -> None:
    for both in _all_words():
        assert both.en
        assert both.ja
        assert not JAPANESE.search(both.en), both
        assert JAPANESE.search(both.ja) or both.ja == "{}", both


def test_words_are_of_paths_that_there_are() -> None:
    for table in (words.SAID, words.ZERO, words.ONE, words.EMPTY, words.WORDS, words.COUNTED):
        assert set(table) <= set(BY_PATH)
    for path in (*words.ZERO, *words.ONE):
        assert BY_PATH[path].fits(0 if path in words.ZERO else 1), path


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_chosen_value_is_marked(name: str, language: Language) -> None:
    preset = find_preset(name)
    said = _said(name, language)
    assert said
    for source in preset.sources:
        if source.path in said:
            assert said[source.path].chosen == (source.kind == "chosen")
    assert not any("{" in one.text for one in said.values())


def test_what_does_not_exist_is_not_told() -> None:
    said = _said(FOUR)
    assert not {"gold.claims", "calls.aside", "reserve.final", "wareme.side"} & set(said)
    # A file that says nothing of it leaves how many kongs there can be to the default.
    assert said["calls.kongs"].text == "at most 4 kongs a hand"
    other = with_value(TEXTS[FOUR], "wareme.factor", 2)
    told = {one.path: one.text for group in values_told(other, "en") for one in group.told}
    assert "wareme.factor" not in told  # the file has no such line, so that nobody said it
    text = TEXTS[FOUR] + '\n[wareme]\nfactor = { value = 2, seed = "x" }\n'
    told = {one.path: one.text for g in values_told(read_preset(text), "ja") for one in g.told}
    assert told["wareme.factor"] == "割れ目 ×2"


def test_like_flowers_only_of_tiles_in_the_set() -> None:
    both = {
        _said(name).get("calls.like_fours") is not None for name in ("fuzhou-128", "fuzhou-144")
    }
    assert both == {False, True}


def test_tiles() -> None:
    some = {"1m-9m": 4, "3z": 4, "5z-7z": 4, "1f-4f": 1, "5pr": 2, "5sr": 2}
    assert tiles_text(some, "en") == "1–9m west dragons ×4, seasons ×1, 5p 5s ×2"
    assert tiles_text(some, "ja") == "1–9萬 西 白發中 各4枚, 春夏秋冬 各1枚, 5筒 5索 各2枚"
    assert all(tiles_text({kind: 1}, "ja") for kind in KINDS)


def test_there_are_fields() -> None:
    assert len(FIELDS) == len(BY_PATH)
