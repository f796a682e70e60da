"""A rule told to people: groups of short sentences in the field's words, English or Japanese."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from tablectl.core import rule_words as words
from tablectl.core.preset import Preset, Sourced
from tablectl.core.preset_fields import BY_PATH, REQUIRED, TOPICS
from tablectl.core.rule_words import Both
from tablectl.core.tiles import KINDS, kind_code, kinds_in

Language = Literal["en", "ja"]

ONLY_WITH: Final = {
    "walls.stand": "walls.three",
    "break.second": "break.throws",
    "reserve.gold_counts": "gold.turned",
    "reserve.marker": "gold.turned",
    "reserve.final_flower": "reserve.final",
    "indicators.column": "indicators.start",
    "indicators.ura": "indicators.start",
    "indicators.kong_ura": "indicators.ura",
    "indicators.open_kong": "indicators.start",
    "indicators.concealed_kong": "indicators.start",
    "calls.kong_unturned": "indicators.start",
    "calls.aside_claims": "calls.aside",
    "calls.aside_river": "calls.aside",
    "calls.like_fours": "reserve.flower_quad",
    "calls.final_claims": "reserve.final",
    "riichi.take_back_points": "riichi.take_back",
    "riichi.after_take_back": "riichi.take_back",
    "gold.discarder": "gold.turned",
    "gold.claims": "gold.turned",
    "reveal.rows": "reveal.kind",
    "reveal.after": "reveal.kind",
    "wareme.side": "wareme.factor",
    "score.gold_dragon": "gold.turned",
}
"""Values that mean something only where the other one is there."""

TOLD_BY_DEFAULT: Final = frozenset(
    {
        "calls.kongs",
        "calls.rob_concealed",
        "indicators.kong_ura",
        "reserve.marker",
        "walls.stand",
        "game.dealer_stays",
        "game.repeats",
    }
)
"""Told although the file leaves them to their default; of the others a default says nothing."""

_NOTHING: Final[tuple[object, ...]] = (None, 0, False, "none", "never", [], {})


class Told(NamedTuple):
    """One sentence. `path` is that of its value, `""` for a statement or a topping; `chosen`:
    another value can be set."""

    text: str
    path: str = ""
    chosen: bool = False


class Group(NamedTuple):
    """Sentences that belong together, under a heading."""

    heading: str
    told: tuple[Told, ...]


def values_told(rules: Preset, language: Language) -> tuple[Group, ...]:
    """What the values of a rule say, in the order of `rule_words.GROUPS`; a value that says nothing
    to people is left out, and so is a group without any."""
    given = {one.path: one for one in rules.sources}
    values = {
        path: given[path].value if path in given else field.default
        for path, field in BY_PATH.items()
    }
    groups = []
    for heading, paths in words.GROUPS:
        told = tuple(
            one
            for path in paths
            if _is_told(path, given, values)
            and (one := _told(path, values, given.get(path), language)) is not None
        )
        if told:
            groups.append(Group(_in(heading, language), told))
    return tuple(groups)


def statements_told(rules: Preset, language: Language) -> tuple[Group, ...]:
    """The statements by topic; in Japanese as the rule's own text puts them."""
    groups = []
    for topic in TOPICS:
        told = tuple(
            Told(one.text if language == "en" else _own_words(one.source))
            for one in rules.statements
            if one.topic == topic
        )
        if told:
            groups.append(Group(_in(words.TOPIC_NAMES[topic], language), told))
    return tuple(groups)


def toppings_told(rules: Preset, language: Language) -> Group | None:
    """The toppings there are, those that are on marked; None where there is none."""
    if not rules.toppings:
        return None
    on = rules.variant.split("+") if rules.variant else []
    told = []
    for topping in rules.toppings:
        about = f": {topping.about}" if language == "en" and topping.about else ""
        mark = f" ({_in(words.ON, language)})" if topping.name in on else ""
        told.append(Told(f"+{topping.name} {topping.title}{mark}{about.rstrip('.')}"))
    if not on:
        example = f"{rules.base}+{rules.toppings[0].name}"
        told.append(Told(_in(words.NONE_ON, language).format(example)))
    return Group(_in(words.TOPPINGS, language), tuple(told))


def tiles_text(value: Mapping[str, int], language: Language) -> str:
    """Tiles with their counts, those of equal count together: `1–9m 1–9p north ×4`. Keys are tile
    codes and ranges of kinds, as a file writes them."""
    counts: dict[int, list[str]] = {}
    for code, count in value.items():
        counts.setdefault(count, []).append(code)
    times = "×{}" if language == "en" else "各{}枚"
    return ", ".join(
        f"{' '.join(_spans(codes, language))} {times.format(count)}"
        for count, codes in counts.items()
    )


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _is_told(path: str, given: Mapping[str, Sourced], values: Mapping[str, Any]) -> bool:
    needed = ONLY_WITH.get(path)
    if needed is not None and not _is_there(needed, values):
        return False
    return path in given or path in TOLD_BY_DEFAULT


def _is_there(path: str, values: Mapping[str, Any]) -> bool:
    default = BY_PATH[path].default
    value = values[path]
    if any(value == nothing and type(value) is type(nothing) for nothing in _NOTHING):
        return False
    return default is REQUIRED or bool(value != default) or path in TOLD_BY_DEFAULT


def _told(
    path: str, values: Mapping[str, Any], source: Sourced | None, language: Language
) -> Told | None:
    value = values[path]
    if path == "calls.like_fours":  # only of tiles that are in the set
        here = {KINDS[kind] for code in values["tiles.counts"] for kind in kinds_in(code)}
        value = [four for four in value if set(four) <= here]
    text = _sentence(path, value, language)
    if not text:
        return None
    return Told(text, path, source is not None and source.kind == "chosen")


def _sentence(path: str, value: Any, language: Language) -> str:
    said = _both(path, value)
    if said is None:
        return ""
    return _in(said, language).replace("{}", _value(path, value, language))


def _both(path: str, value: Any) -> Both | None:
    """The sentence of this very value, else that of its field; None: there is nothing to say."""
    if path in words.WORDS:
        return words.WORDS[path][value]
    if value in (None, [], {}):
        return words.EMPTY.get(path)
    if isinstance(value, int):
        own = words.COUNTED.get(path, {})
        if value in own:
            return own[value]
        for number, sentences in ((0, words.ZERO), (1, words.ONE)):
            if value == number and path in sentences:
                return sentences[path]
    return words.SAID[path]


def _value(path: str, value: Any, language: Language) -> str:
    if isinstance(value, dict):
        return tiles_text(value, language)
    if path in words.NAMES:
        between = {"opening.wins": " > ", "calls.aside_claims": " or "}.get(path, ", ")
        if language == "ja":
            between = "＞" if path == "opening.wins" else "・"
        return between.join(_in(words.NAMES[path][word], language) for word in value)
    if path == "dealing.rounds":
        return "+".join(map(str, value))
    if path == "calls.like_fours":
        between = ", " if language == "en" else "・"
        return between.join(" ".join(_spans(four, language)) for four in value)
    if isinstance(value, list) and all(isinstance(code, str) for code in value):
        return " ".join(_spans(value, language))
    if isinstance(value, list):
        return ",".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _spans(codes: Sequence[str], language: Language) -> Iterator[str]:
    """Names of tiles, neighbours in a suit of numbers joined; codes may be ranges and marked."""
    plain = [code for code in codes if len(code) != 3]
    for first, last in _runs(kind for code in plain for kind in kinds_in(code)):
        named = words.RUNS.get((KINDS[first], KINDS[last]))
        if named is not None:
            yield _in(named, language)
        elif last - first > 1 and KINDS[first][1] in words.SUITS:
            yield f"{KINDS[first][0]}–{_name(KINDS[last], language)}"
        else:
            yield from (_name(KINDS[kind], language) for kind in range(first, last + 1))
    yield from (_name(kind_code(code), language) for code in codes if len(code) == 3)


def _runs(kinds: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Kinds in order as first and last of each run within one suit."""
    run: list[int] = []
    for kind in sorted(kinds):
        if run and (kind != run[-1] + 1 or KINDS[kind][1] != KINDS[run[-1]][1]):
            yield run[0], run[-1]
            run = []
        run.append(kind)
    if run:
        yield run[0], run[-1]


def _name(kind: str, language: Language) -> str:
    rank, suit = int(kind[0]), kind[1]
    if suit in words.SUITS:
        return f"{rank}{_in(words.SUITS[suit], language)}"
    names = words.HONOURS if suit == "z" else words.FLOWERS
    return _in(names[rank - 1], language)


def _own_words(source: str) -> str:
    return " ".join(line.strip("・ 　※") for line in source.splitlines())


def _in(both: Both, language: Language) -> str:
    return both.en if language == "en" else both.ja
