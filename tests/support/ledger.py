"""The ledger in the project: every statement of the rule texts, where it is made true, and the test
that carries its id; what `tests/ledger/test_check.py` and `tools/ledger` are made of.

A row is a line of `tests/ledger/ledger.md`: id | class | English | seed phrase | where. Its test is
a plain function with `@row(ID)` that takes its rules from `rules(NAME)`; the check runs it as it
is, then with the value flipped, the function replaced or the statement taken away that the row
names, and then it must fail.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from msgspec import to_builtins

from support.replaced import ROWS, replaced
from tablectl.core.preset import Preset, Statement
from tablectl.core.preset_build import Text, build
from tablectl.core.preset_clash import clashes
from tablectl.core.preset_fields import BY_PATH, FIELDS, REQUIRED
from tablectl.core.preset_file import find_preset
from tablectl.core.preset_shown import whole
from tablectl.core.rule_told import statements_told, values_told

FOLDER: Final = Path(__file__).parent.parent / "ledger"
FILE: Final = FOLDER / "ledger.md"
TESTED: Final = ("PRESET", "GEOMETRY", "STATE", "TABLE")
"""Classes of which every row has a test."""
CLASSES: Final = (*TESTED, "SETTLE", "HAND", "CONDUCT")
ANY: Final = object()
"""As a flip: whatever other value loads."""
PLAIN: Final = ("about", "title")
"""What a preset says at its top, flipped like its values."""

_OF: Final = {
    "S0": ("ramen-jiro",),
    "S1": ("fuzhou-128", "fuzhou-144"),
    "S3": ("goto-sanma",),
    "[4P]": ("vivace-4p",),
    "[A]": ("vivace-a-league",),
    "[3P]": ("vivace-sanma",),
}

Flip = Mapping[str, Any]
"""Values by path that are put in the place of a preset's own."""
Test = Callable[[], None]


@dataclass(frozen=True)
class Row:
    """One statement. `flips`: sets of values, each flipped by itself; `functions`: dotted names
    with the word of a replacer; `shown`: seed phrases of statements that tell it; `recorded`:
    people declare it and the program keeps it (its functions are named too); `later`, `waiting`:
    for what it is not done yet."""

    id: str
    kind: str
    says: str
    seed: str
    line: int
    presets: tuple[str, ...]
    flips: tuple[Flip, ...] = ()
    functions: tuple[tuple[str, str], ...] = ()
    shown: tuple[str, ...] = ()
    recorded: bool = False
    later: str = ""
    waiting: str = ""
    wrong: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Where it is made true, in one line."""
        parts = [" & ".join(flip) for flip in self.flips]
        parts += [name.removeprefix("tablectl.") for name, _ in self.functions]
        parts += ["shown"] * bool(self.shown) + ["recorded"] * self.recorded
        parts += [f"later: {self.later}"] * bool(self.later)
        parts += [f"waiting: {self.waiting}"] * bool(self.waiting)
        return "; ".join(parts) or "nowhere"

    @property
    def ways(self) -> tuple[tuple[str, Any], ...]:
        """Every way in which the check breaks it: what to say of it, and what is broken."""
        return (
            *((" & ".join(flip), flip) for flip in self.flips),
            *((name, (name, word)) for name, word in self.functions),
            *((f"「{phrase}」", phrase) for phrase in self.shown),
        )


# ── tests that carry ids ────────────────────────────────────────────────────────────────────────


def row(*ids: str) -> Callable[[Test], Test]:
    """The test of these rows (several only where they say the very same thing)."""

    def carries(test: Test) -> Test:
        test.rows = ids  # type: ignore[attr-defined]
        return test

    return carries


@cache
def carried() -> dict[str, tuple[Test, ...]]:
    """The tests of each row, by id."""
    found: dict[str, tuple[Test, ...]] = {}
    for path in sorted(FOLDER.glob("test_s*.py")):
        for test in vars(_module(path)).values():
            for one in getattr(test, "rows", ()):
                found[one] = (*found.get(one, ()), test)
    return found


def _module(path: Path) -> ModuleType:
    """A module of tests, apart from what pytest makes of the same file."""
    name = f"{ROWS}{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# ── the rules, as they are or broken ────────────────────────────────────────────────────────────


@dataclass
class _Broken:
    flip: Flip = field(default_factory=dict)
    untold: str = ""
    presets: tuple[str, ...] = ()


_BROKEN: Final = _Broken()


def rules(name: str) -> Preset:
    """The preset of that name, with what the check has broken in it."""
    found = _preset(name)
    if name not in _BROKEN.presets:
        return found
    if _BROKEN.flip:
        found = flipped(found, _BROKEN.flip)
    if _BROKEN.untold:
        kept = (one for one in found.statements if not tells(one, _BROKEN.untold))
        found = replace(found, statements=tuple(kept))
    return found


def flipped(preset: Preset, flip: Flip) -> Preset:
    """The preset with these values in the place of its own. They must load there."""
    values = values_of(preset) | {path: v for path, v in flip.items() if path not in PLAIN}
    assert not clashes(values), [clash.why for clash in clashes(values)]
    names = tuple(name for name in preset.variant.split("+") if name)
    told = {"about": preset.about, "title": preset.title} | {
        path: v for path, v in flip.items() if path in PLAIN
    }
    sources = tuple(replace(one, value=values[one.path]) for one in preset.sources)
    text = Text(
        preset.base, told["title"], told["about"], sources, preset.statements, preset.toppings,
        names,
    )  # fmt: skip
    return replace(build(text, values), title=told["title"])


def values_of(preset: Preset) -> dict[str, Any]:
    """Every value of a preset by its path."""
    values = {one.path: one.default for one in FIELDS if one.default is not REQUIRED}
    return values | {one.path: one.value for one in preset.sources}


@contextmanager
def broken(what: Any, presets: tuple[str, ...]) -> Iterator[None]:
    """One of a row's ways to be broken in these presets, for as long as it lasts."""
    _BROKEN.presets = presets
    try:
        if isinstance(what, str):
            _BROKEN.untold = what
            yield
        elif isinstance(what, Mapping):
            _BROKEN.flip = complete(what, presets)
            yield
        else:
            _preset.cache_clear()
            with replaced(*what):
                yield
    finally:
        if isinstance(what, tuple):
            _preset.cache_clear()
        _BROKEN.flip, _BROKEN.untold, _BROKEN.presets = {}, "", ()


def fails(test: Test, what: Any, presets: tuple[str, ...]) -> bool:
    """Whether the test fails with this broken: a value or statement in any of the presets alone.
    AssertionError if it cannot be broken so."""
    ways = [presets] if isinstance(what, tuple) else [(name,) for name in presets]
    for names in ways:
        with broken(what, names):
            for name in names:
                rules(name)
            if not _run(test):
                return False
    return True


def missing(one: Row) -> list[str]:
    """What a row lacks to be done, in sentences; nothing if it is checked or is done later."""
    found = list(one.wrong)
    if one.waiting:
        return [*found, f"it waits for {one.waiting}"]
    if one.kind not in TESTED:
        return found + [why for phrase in one.shown if (why := _untold(one, phrase))]
    mine = carried().get(one.id, ())
    if len(mine) != 1:
        return [*found, f"{len(mine) or 'no'} test{'s' * (len(mine) > 1)} carry its id"]
    if not one.ways:
        found.append("it names nothing that its test could be held against")
    found += [f"its test fails: {why}" for why in _run(mine[0])]
    for said, what in one.ways:
        try:
            if not fails(mine[0], what, one.presets):
                found.append(f"its test passes without {said}")
        except AssertionError as error:
            found.append(f"{said} cannot be broken: {error}")
    return found


def _untold(one: Row, phrase: str) -> str:
    silent = [name for name in one.presets if not told(name, phrase)]
    return f"「{phrase}」 is told by no statement of {', '.join(silent)}" if silent else ""


def _run(test: Test) -> list[str]:
    """Why a test fails, nothing if it passes."""
    try:
        test()
    except (Exception, pytest.fail.Exception) as error:
        return [str(error).split("\n", 1)[0] or type(error).__name__]
    return []


def complete(flip: Flip, presets: tuple[str, ...]) -> Flip:
    """The flip with a value for each path that names none: another that loads in every preset."""
    wanted = [path for path, value in flip.items() if value is ANY]
    if not wanted:
        return flip
    [path] = wanted
    if path in PLAIN:
        return {path: "something else"}
    all_values = [values_of(_preset(name)) for name in presets]
    for other in _others(path, all_values[0][path], presets[0]):
        given = {**flip, path: other}
        fits = BY_PATH[path].fits(other) and all(values[path] != other for values in all_values)
        if fits and not any(clashes(values | given) for values in all_values):
            return given
    raise AssertionError(f"no other value of {path} loads in {', '.join(presets)}: name one")


def _others(path: str, value: Any, name: str) -> Iterator[Any]:
    """Other values that may stand in a value's place, the likeliest to load first."""
    source = next((one for one in _preset(name).sources if one.path == path), None)
    yield from (one for one in (source.options if source else ()) if one != value)
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (n for n in (value - 1, value + 1, value + 2, 0) if n >= 0)
    elif isinstance(value, str):
        yield from (word for word in BY_PATH[path].words if word != value)
    elif isinstance(value, list):
        yield value[:-1]
        yield from ([*value, word] for word in BY_PATH[path].words if word not in value)
        yield from (value[:n] + value[n + 1 :] for n in range(len(value)))
    elif isinstance(value, dict):
        yield from ({k: v for k, v in value.items() if k != key} for key in value)
        yield {}


@cache
def _preset(name: str) -> Preset:
    return find_preset(name)


# ── what people are shown of a rule ─────────────────────────────────────────────────────────────


def shown(name: str) -> dict[str, Any]:
    """What `tablectl presets NAME --json` gives."""
    found: dict[str, Any] = to_builtins(whole(rules(name)))
    return found


def said(name: str, path: str) -> str:
    """The sentence in which people are told a value, as `tablectl presets NAME` has it; "" for one
    that it does not tell."""
    everything = [one for group in values_told(rules(name), "en") for one in group.told]
    return next((one.text for one in everything if one.path == path), "")


def told(name: str, phrase: str) -> str:
    """What people are told of a rule by the statement with this seed phrase, "" for nothing."""
    preset = rules(name)
    everything = {one.text for group in statements_told(preset, "en") for one in group.told}
    return next(
        (one.text for one in preset.statements if tells(one, phrase) and one.text in everything), ""
    )


def tells(statement: Statement, phrase: str) -> bool:
    """Whether the statement has this seed phrase; `…` in the phrase leaves out any text."""
    parts = [re.escape(part) for part in phrase.split("…")]
    found = phrase in statement.source or re.search("(?s:.*)".join(parts), statement.source)
    return statement.kind == "seed" and bool(found)


# ── reading the ledger ──────────────────────────────────────────────────────────────────────────


@cache
def ledger() -> dict[str, Row]:
    """All rows, by id, in order. What a row says wrongly is in its `wrong`."""
    found: dict[str, Row] = {}
    for number, line in enumerate(FILE.read_text("utf-8").splitlines(), 1):
        if line.startswith("- S"):
            one = read_row(line.removeprefix("- "), number)
            again = (*one.wrong, f"{one.id} stands twice") if one.id in found else one.wrong
            found[one.id] = replace(one, wrong=again)
    return found


def read_row(text: str, number: int = 0) -> Row:
    """A row from its line: clauses of where it is made true stand after the last bar."""
    parts = [part.strip() for part in text.split(" | ")]
    if len(parts) != 5:
        return Row(parts[0], "?", text, "", number, (), wrong=("it has not five parts",))
    id_, kind, says, seed, where = parts
    marks = re.findall(r"\[(?:4P|A|3P)\]", says)
    presets = tuple(name for mark in marks or [id_[:2]] for name in _OF.get(mark, ()))
    one = Row(id_, kind, says, seed[1:-1], number, presets)
    wrong = [] if kind in CLASSES else [f"{kind} is no class"]
    for clause in filter(None, re.split(r";\s+", where)):
        word, _, rest = clause.partition(" ")
        if word not in _CLAUSES:
            wrong.append(f"'{clause}' begins with none of {', '.join(_CLAUSES)}")
            continue
        try:
            one = _CLAUSES[word](one, rest.strip())
        except (ValueError, KeyError) as error:
            wrong.append(f"'{clause}' cannot be read: {error}")
    if not (one.ways or one.recorded or one.later or one.waiting):
        wrong.append("it is made true nowhere")
    if one.recorded and not one.functions:
        wrong.append("it is recorded, but no function that keeps it is named")
    if one.kind in TESTED and one.later:
        wrong.append(f"{one.kind} is not done later")
    return replace(one, wrong=tuple(wrong))


def _value(one: Row, rest: str) -> Row:
    flip: dict[str, Any] = {}
    for part in rest.split(" & "):
        path, _, value = part.partition(" := ")
        if path not in BY_PATH and path not in PLAIN:
            raise ValueError(f"no rule has {path}")
        flip[path] = tomllib.loads(f"v = {value}")["v"] if value else ANY
    return replace(one, flips=(*one.flips, flip))


def _function(one: Row, rest: str) -> Row:
    name, _, word = rest.partition(" := ")
    return replace(one, functions=(*one.functions, (f"tablectl.{name}", word or "changed")))


def _shown(one: Row, rest: str) -> Row:
    return replace(one, shown=(*one.shown, rest[1:-1] or one.seed))


_CLAUSES: Final[dict[str, Callable[[Row, str], Row]]] = {
    "value": _value,
    "function": _function,
    "shown": _shown,
    "recorded": lambda one, rest: replace(one, recorded=True),
    "later": lambda one, rest: replace(one, later=rest),
    "waiting": lambda one, rest: replace(one, waiting=rest or "somebody"),
    "in": lambda one, rest: replace(one, presets=tuple(rest.split(", "))),
}
