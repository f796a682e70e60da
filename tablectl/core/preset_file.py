"""Preset files: one rule system in TOML, every value with its source.

    schema = 1
    name = "my-house"                     # what people type
    title = "My house"                    # what they call it

    [players]
    count = { value = 3, seed = "サンマ" }

A source is `seed` (a phrase, or several, of the rule text), `convention` (what, and where it is
from) or `chosen` (why) with `options`, each of which loads in the value's place. All mistakes of a
file are reported at once. Statements and toppings: `preset_toppings`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tablectl.core.preset import Preset, Source, Sourced
from tablectl.core.preset_build import Text, build
from tablectl.core.preset_clash import Clash, Values, clashes
from tablectl.core.preset_fields import (
    BY_PATH,
    FIELDS,
    PLAIN_KEYS,
    REQUIRED,
    SCHEMA,
    SECTIONS,
    SOURCES,
    Field,
)
from tablectl.core.preset_text import (
    Unreadable,
    did_you_mean,
    in_toml,
    lines_of,
    nearest,
    text_of,
    toml_of,
)
from tablectl.core.preset_toppings import (
    contradictions,
    statements_of,
    toppings_named,
    toppings_of,
    with_toppings,
)
from tablectl.errors import TablectlError, declare

FOLDER: Final = Path(__file__).parent.parent / "presets"
"""Where the rule systems that come with the program lie."""

declare(
    "preset.unknown",
    "there is no rule '{name}'; there are {names}",
    "{nearest}A path to a TOML file is read too; toppings follow a name with a +.",
)
declare("preset.file", "the file cannot be read: {why}", "Name a TOML file that can be read.")
declare(
    "preset.invalid",
    "mistakes in this preset: {number}",
    "Correct them all; `tablectl presets NAME --json` shows every value of a preset that is right.",
)
declare("preset.syntax", "this is not TOML: {why}", "Correct the line.")
declare("preset.section", "there is no section [{found}]{nearest}", "Sections are {allowed}.")
declare(
    "preset.table",
    "'{found}' is not one section of values",
    "Write [{found}] once, and under it a line for each value.",
)
declare("preset.key", "[{section}] has no value '{found}'{nearest}", "It has {allowed}.")
declare(
    "preset.top",
    "'{found}' is nothing that a preset says at its top{nearest}",
    "At the top stand schema, name, title and about; values stand in sections.",
)
declare("preset.missing", "'{found}' is missing", "Give it: {allowed}.")
declare("preset.value", "{path} is {found}{nearest}", "Allowed is {allowed}.")
declare(
    "preset.source",
    "{path} {why}",
    'Write value = … with seed = "phrase of the rule text", or convention = "what, and where from",'
    ' or chosen = "why" and options = […], all in one pair of braces.',
)
declare(
    "preset.options",
    "{path}: {why}",
    "A chosen value has at least two options, itself among them, and each loads in its place.",
)
declare("preset.clash", "{why}", "{remedy}")


def builtin_presets() -> list[str]:
    """Names of the rule systems that come with the program."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find_preset(name: str) -> Preset:
    """The preset of that name, or in that TOML file.

    Raises `preset.unknown` with the nearest name, `preset.file`, `preset.invalid`.
    """
    bare, toppings = split_name(name)
    return read_preset(*preset_text(bare), toppings=toppings)


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """A name or path, and the toppings that follow it with a + each."""
    bare, *toppings = name.split("+")
    if toppings and ("/" in toppings[-1] or toppings[-1].endswith(".toml")):
        return name, ()  # the + belongs to a path
    return bare, tuple(toppings)


def preset_text(name: str) -> tuple[str, str]:
    """The text of the preset of that name or file, without toppings, and what it is called in
    errors. Raises `preset.unknown`, `preset.file`."""
    if name.endswith(".toml") or "/" in name or "\\" in name:
        return _text(name, name)
    names = builtin_presets()
    if name in names:
        return _text(FOLDER / f"{name}.toml", name)
    raise unknown_preset(name, names)


def unknown_preset(name: str, names: list[str]) -> TablectlError:
    """`preset.unknown`, with the nearest of these names."""
    near = nearest(name, names)
    return TablectlError(
        "preset.unknown",
        name=name,
        names=", ".join(names),
        nearest=f"Did you mean {near}? " if near else "",
    )


def load_preset(path: str | Path) -> Preset:
    """The preset in a file. Raises `preset.file`, `preset.invalid`."""
    return read_preset(_text(path, str(path))[0], str(path))


def _text(path: str | Path, where: str) -> tuple[str, str]:
    try:
        return text_of(path), where
    except Unreadable as error:
        raise TablectlError("preset.file", where=where, why=error.why) from None


def read_preset(text: str, where: str = "preset", *, toppings: Sequence[str] = ()) -> Preset:
    """The preset that a TOML text says, with these of its toppings. Raises `preset.invalid` with
    all mistakes at once, each with its line, what is allowed and the nearest right word, and
    `preset.topping_unknown`, `preset.topping_twice`, `preset.toppings_clash`."""
    reader = _Reader(text, where)
    said, values = reader.read()
    if reader.problems:
        raise _invalid(where, reader.problems)
    on = toppings_named(said.name, said.toppings, toppings)
    values = with_toppings(values, on)
    reader.clash(clashes(values))  # each alone is right; together they can collide
    if reader.problems:
        raise _invalid(where, reader.problems)
    changed = {one.path: one for topping in on for one in topping.changes}
    sources = [changed.pop(one.path, one) for one in said.sources]
    variant = tuple(topping.name for topping in on)
    return build(said._replace(sources=(*sources, *changed.values()), variant=variant), values)


def with_value(text: str, path: str, value: Any, where: str = "preset") -> Preset:
    """The preset of a text with one value put in another's place, as its options promise.

    Raises `preset.invalid` for mistakes in the text or a value that does not load there.
    """
    reader = _Reader(text, where)
    said, values = reader.read()
    if not reader.problems:
        values = values | {path: value}
        line = reader.lines.get(path, 1)
        if reader.fits(BY_PATH[path], value, line):
            reader.clash(clashes(values))
    if reader.problems:
        raise _invalid(where, reader.problems)
    sources = (replace(one, value=value) if one.path == path else one for one in said.sources)
    return build(said._replace(sources=tuple(sources)), values)


def source_of(preset: Preset, path: str) -> Sourced | None:
    """Where a value comes from; None for one that the file leaves to its default."""
    return next((source for source in preset.sources if source.path == path), None)


def _invalid(where: str, problems: list[TablectlError]) -> TablectlError:
    in_order = sorted(problems, key=lambda problem: int((problem.where or ":0").rsplit(":", 1)[1]))
    return TablectlError("preset.invalid", where=where, problems=in_order, number=len(in_order))


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


class _Reader:
    """Reads one text; gathers every problem instead of stopping at the first.

    A misspelt section or key is named and then read as what it was probably meant for, so that
    what is wrong in it is found too and what is right in it is not called missing.
    """

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.lines = lines_of(text)
        self.end = max(1, len(text.rstrip().split("\n")))
        self.problems: list[TablectlError] = []

    def read(self) -> tuple[Text, Values]:
        """What the file says beside its values, and these; of use only without problems."""
        found = self._parsed()
        if found is None:
            return Text("", "", ""), {}
        top = self._top(found)
        lines, problem = self.lines, self._problem
        statements = statements_of(found.pop("statements", []), lines, problem)
        toppings = toppings_of(found.pop("toppings", {}), lines, problem, self._sourced)
        values, sources = self._values(found)
        known = clashes(values)
        self.clash(known)
        self._options(values, known, sources)
        if not self.problems:
            for topping, clash in contradictions(values, toppings):
                self._problem(
                    "preset.topping",
                    topping.line,
                    name=topping.name,
                    why=f"contradicts the rule: {clash.why}",
                    remedy=clash.remedy,
                    drawing=clash.drawing,
                )
        name, title, about = (top.get(key, "") for key in ("name", "title", "about"))
        return Text(name, title, about, tuple(sources), statements, toppings), values

    def clash(self, found: list[Clash]) -> None:
        for clash in found:
            line = self.lines.get(clash.path, self.lines.get(clash.path.split(".")[0], 1))
            self._problem(
                "preset.clash",
                line,
                why=clash.why,
                remedy=clash.remedy,
                drawing=clash.drawing,
            )

    def fits(self, field: Field, value: Any, line: int) -> bool:
        """Whether the value is one that may stand there; a problem if not."""
        if not field.fits(value):
            self._value_problem(
                field.path, value, field.allowed, line, did_you_mean(value, field.words)
            )
            return False
        return True

    def _problem(self, code: str, line: int, **about: Any) -> None:
        self.problems.append(TablectlError(code, where=f"{self.where}:{line}", **about))

    def _value_problem(
        self, path: str, value: Any, allowed: str, line: int, near: str = ""
    ) -> None:
        self._problem(
            "preset.value", line, path=path, found=in_toml(value), nearest=near, allowed=allowed
        )

    def _parsed(self) -> dict[str, Any] | None:
        try:
            return toml_of(self.text)
        except Unreadable as error:
            self._problem("preset.syntax", error.line, why=error.why)
        return None

    def _top(self, found: Mapping[str, Any]) -> dict[str, str]:
        for key, value in found.items():
            known = (*PLAIN_KEYS, *SECTIONS, "statements", "toppings")
            if key not in known and not isinstance(value, dict):
                near = did_you_mean(key, PLAIN_KEYS)
                self._problem("preset.top", self._line(f".{key}"), found=key, nearest=near)
        top: dict[str, str] = {}
        schema = found.get("schema")
        if "schema" not in found:
            self._problem("preset.missing", 1, found="schema", allowed=f"schema = {SCHEMA}")
        elif type(schema) is not int or schema != SCHEMA:
            allowed = f"{SCHEMA}, the only one that this program reads"
            self._value_problem("schema", schema, allowed, self._line(".schema"))
        for key, pattern, form in (
            ("name", r"[a-z0-9][a-z0-9-]*", "small letters, digits and - in quotes"),
            ("title", r".*\S.*", "some text in quotes"),
            ("about", r"(?s:.*)", "text in quotes"),
        ):
            value = found.get(key, "" if key == "about" else None)
            if value is None:
                self._problem("preset.missing", 1, found=key, allowed=f'{key} = "…"')
            elif not isinstance(value, str) or not re.fullmatch(pattern, value):
                self._value_problem(key, value, form, self._line(f".{key}"))
            else:
                top[key] = value
        return top

    def _values(self, found: Mapping[str, Any]) -> tuple[Values, list[Sourced]]:
        sections = self._sections(found)
        values: Values = {}
        sources: list[Sourced] = []
        for section in SECTIONS:
            fields = [field for field in FIELDS if field.section == section]
            needed = [field for field in fields if field.default is REQUIRED]
            if section not in found and section not in sections and needed:
                inside = ", ".join(f"{field.name} ({field.meaning})" for field in needed)
                self._problem(
                    "preset.missing", self.end, found=f"[{section}]", allowed=f"with {inside}"
                )
            keys = self._keys(section, fields, sections.get(section, {}))
            for field in fields:
                if field.name in keys:
                    one = self._sourced(field, keys[field.name], self._line(field.path))
                    if one is not None:
                        values[field.path] = one.value
                        sources.append(one)
                elif field.default is not REQUIRED:
                    values[field.path] = field.default
                elif section in sections:
                    allowed = f"{field.name}, {field.meaning} ({field.allowed})"
                    line = self._line(section)
                    self._problem("preset.missing", line, found=field.path, allowed=allowed)
        return values, sources

    def _sections(self, found: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        sections: dict[str, dict[str, Any]] = {}
        for name, given in found.items():
            if name in SECTIONS and isinstance(given, dict):
                sections[name] = given
            elif name in SECTIONS:
                self._problem("preset.table", self._line(name, f".{name}"), found=name)
        for name, given in found.items():
            if name in SECTIONS or name in PLAIN_KEYS or not isinstance(given, dict):
                continue
            near, line = did_you_mean(name, SECTIONS), self._line(name, f".{name}")
            allowed = ", ".join(SECTIONS)
            self._problem("preset.section", line, found=name, nearest=near, allowed=allowed)
            meant = nearest(name, SECTIONS)
            if meant and meant not in found:
                sections[meant] = given
                self.lines[meant] = line
                for key in given:
                    self.lines[f"{meant}.{key}"] = self._line(f"{name}.{key}")
        return sections

    def _keys(self, section: str, fields: list[Field], given: Mapping[str, Any]) -> dict[str, Any]:
        names = [field.name for field in fields]
        keys = {key: value for key, value in given.items() if key in names}
        for key, value in given.items():
            if key in names:
                continue
            line, near = self._line(f"{section}.{key}"), did_you_mean(key, names)
            self._problem(
                "preset.key",
                line,
                section=section,
                found=key,
                nearest=near,
                allowed=", ".join(names),
            )
            meant = nearest(key, names)
            if meant and meant not in keys:
                keys[meant] = value
                self.lines[f"{section}.{meant}"] = line
        return keys

    def _sourced(self, field: Field, given: Any, line: int) -> Sourced | None:
        """A value with its source; None if the value cannot be read. What is wrong is told."""
        path = field.path
        words = ("value", *SOURCES, "options")
        unknown = [key for key in given if key not in words] if isinstance(given, dict) else []
        for key in unknown:
            why = f"has '{key}', which is no source{did_you_mean(key, words)}"
            self._problem("preset.source", line, path=path, why=why)
        meant = {nearest(key, words) for key in unknown}
        if not isinstance(given, dict) or "value" not in given:
            if "value" not in meant:
                why = f"is {in_toml(given)}, with neither value nor source"
                if isinstance(given, dict):
                    why = "has no value"
                self._problem("preset.source", line, path=path, why=why)
            return None
        kinds = [source for source in SOURCES if source in given]
        if len(kinds) > 1 or (not kinds and not meant & set(SOURCES)):
            why = f"has {len(kinds)} sources, not one" if kinds else "has no source"
            self._problem("preset.source", line, path=path, why=why)
        if not self.fits(field, given["value"], line):
            return None
        kind = kinds[0] if len(kinds) == 1 else "chosen"
        if len(kinds) == 1:
            self._source(field, given, kind, line)
        texts = given[kind] if isinstance(given.get(kind), list) else [given.get(kind, "")]
        options = given.get("options") if isinstance(given.get("options"), list) else ()
        text = "\n".join(map(str, texts))
        return Sourced(path, given["value"], kind, text, tuple(options or ()), line)

    def _source(self, field: Field, given: Mapping[str, Any], kind: Source, line: int) -> None:
        """Tell what is wrong with a value's source and options."""
        texts = given[kind] if isinstance(given[kind], list) else [given[kind]]
        if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
            why = f"has no text as its {kind}"
            self._problem("preset.source", line, path=field.path, why=why)
            return
        options = given.get("options", [])
        why = _options_wrong(options, given["value"]) if kind == "chosen" else ""
        if kind != "chosen" and "options" in given:
            why = f"it is {kind}, but only a chosen value has options"
        if why:
            self._problem("preset.options", line, path=field.path, why=why)
            return
        for option in options:
            self.fits(field, option, line)

    def _options(self, values: Values, known: list[Clash], sources: list[Sourced]) -> None:
        """Every option of a chosen value must load in its place."""
        for source in sources:
            if self.problems and not all(map(BY_PATH[source.path].fits, source.options)):
                continue
            for option in source.options:
                new = [c for c in clashes(values | {source.path: option}) if c not in known]
                if new:
                    why = f"option {in_toml(option)} does not load: {new[0].why}"
                    self._problem(
                        "preset.options",
                        source.line,
                        path=source.path,
                        why=why,
                        drawing=new[0].drawing,
                    )

    def _line(self, *keys: str) -> int:
        return next((self.lines[key] for key in keys if key in self.lines), 1)


def _options_wrong(options: Any, value: Any) -> str:
    if not isinstance(options, list) or len(options) < 2:
        return "a chosen value needs at least two options"
    if value not in options:
        return f"{in_toml(value)} is not among its own options"
    if any(options.count(option) > 1 for option in options):
        return "an option is named twice"
    return ""
