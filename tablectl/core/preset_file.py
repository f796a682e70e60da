"""Preset files: one rule system in TOML, every value with its source.

    schema = 1
    name = "my-house"                     # what people type
    title = "My house"                    # what they call it

    [players]
    count = { value = 3, seed = "サンマ" }

A source is `seed` (a phrase, or several, of the rule text), `convention` (what it is and where from)
or `chosen` (why) with `options`, each of which loads in the value's place. All mistakes of a file
are reported at once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from tablectl.core.preset import Preset, Sourced
from tablectl.core.preset_build import Values, build, clashes
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
from tablectl.errors import TablectlError, declare

FOLDER: Final = Path(__file__).parent.parent / "presets"
"""Where the rule systems that come with the program lie."""

declare(
    "preset.unknown",
    "there is no rule '{name}'; there are {names}",
    "{nearest}A path to a TOML file is read too.",
)
declare("preset.file", "the file cannot be read: {why}", "Name a TOML file that can be read.")
declare(
    "preset.invalid",
    "mistakes in this preset: {number}",
    "Correct them all; `tablectl presets NAME --json` shows every value of a preset that is right.",
)
declare("preset.syntax", "this is not TOML: {why}", "Correct the line.")
declare(
    "preset.section",
    "there is no section [{found}]{nearest}",
    "Sections are {allowed}.",
)
declare("preset.key", "[{section}] has no value '{found}'{nearest}", "It has {allowed}.")
declare("preset.top", "'{found}' is nothing a preset says at its top{nearest}", "{allowed}")
declare("preset.missing", "'{found}' is missing", "Give it: {allowed}.")
declare(
    "preset.value",
    "{path} is {found}{nearest}",
    "Allowed is {allowed}.",
)
declare(
    "preset.source",
    "{path} {why}",
    'Write value = … with seed = "phrase of the rule text", or convention = "what, and where from",'
    ' or chosen = "why" and options = […], all in one pair of braces.',
)
declare("preset.options", "{path}: {why}", "Give at least two options that load, the value too.")
declare("preset.clash", "{why}", "{remedy}")


def builtin_presets() -> list[str]:
    """Names of the rule systems that come with the program."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find_preset(name: str) -> Preset:
    """The preset of that name, or in that TOML file.

    Raises `preset.unknown` with the nearest name, `preset.file`, `preset.invalid`.
    """
    if name.endswith(".toml") or "/" in name or "\\" in name:
        return load_preset(name)
    names = builtin_presets()
    if name in names:
        return load_preset(FOLDER / f"{name}.toml", shown=name)
    near = get_close_matches(name, names, 1)
    raise TablectlError(
        "preset.unknown",
        name=name,
        names=", ".join(names),
        nearest=f"Did you mean {near[0]}? " if near else "",
    )


def load_preset(path: str | Path, *, shown: str | None = None) -> Preset:
    """The preset in a file. Raises `preset.file`, `preset.invalid`."""
    where = shown or str(path)
    try:
        text = Path(path).read_bytes().decode()
    except OSError as error:
        raise TablectlError("preset.file", where=where, why=error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise TablectlError("preset.file", where=where, why="it is not UTF-8 text") from None
    return read_preset(text, where)


def read_preset(text: str, where: str = "preset") -> Preset:
    """The preset that a TOML text says. Raises `preset.invalid` with all mistakes at once, each
    with its line, what is allowed and the nearest right word."""
    reader = _Reader(text, where)
    preset = reader.read()
    if reader.problems:
        raise TablectlError(
            "preset.invalid",
            where=where,
            problems=sorted(reader.problems, key=lambda p: _line_of(p.where)),
            number=len(reader.problems),
        )
    assert preset is not None
    return preset


def source_of(preset: Preset, path: str) -> Sourced | None:
    """Where a value comes from; None for one that the file leaves to its default."""
    return next((source for source in preset.sources if source.path == path), None)


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


class _Reader:
    """Reads one text; gathers every problem instead of stopping at the first."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.lines = _lines(text)
        self.problems: list[TablectlError] = []
        self.sources: list[Sourced] = []

    def read(self) -> Preset | None:
        try:
            found = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at (?:line (\d+).*|end of document)\)", str(error))
            line = int(place[1]) if place and place[1] else self.text.count("\n") + 1
            why = str(error).split(" (at ")[0].lower()
            self._problem("preset.syntax", line, why=why)
            return None
        top = self._top(found)
        values = self._values(found)
        if self.problems:
            return None
        for clash in clashes(values):
            line = self.lines.get(clash.path, self.lines.get(clash.path.split(".")[0], 1))
            self._problem("preset.clash", line, why=clash.why, remedy=clash.remedy)
        self._options(values)
        if self.problems:
            return None
        return build(top, values, tuple(self.sources))

    def _problem(self, code: str, line: int, **about: Any) -> None:
        self.problems.append(TablectlError(code, where=f"{self.where}:{line}", **about))

    def _top(self, found: Mapping[str, Any]) -> dict[str, str]:
        for key, value in found.items():
            if isinstance(value, dict) and key not in PLAIN_KEYS:
                if key not in SECTIONS:
                    self._problem(
                        "preset.section",
                        self.lines.get(key, 1),
                        found=key,
                        nearest=_nearest(key, SECTIONS),
                        allowed=", ".join(SECTIONS),
                    )
            elif key not in PLAIN_KEYS:
                known = "Its top has schema, name, title and about; values stand in sections."
                self._problem(
                    "preset.top",
                    self.lines.get(f".{key}", 1),
                    found=key,
                    nearest=_nearest(key, PLAIN_KEYS),
                    allowed=known,
                )
        if found.get("schema") != SCHEMA:
            line = self.lines.get(".schema", 1)
            self._problem("preset.missing", line, found="schema", allowed=f"schema = {SCHEMA}")
        top = {}
        for key in PLAIN_KEYS[1:]:
            value = found.get(key, "" if key == "about" else None)
            name_wrong = key == "name" and not re.fullmatch(r"[a-z0-9][a-z0-9-]*", str(value))
            if not isinstance(value, str) or name_wrong:
                allowed = f'{key} = "…"' + (", small letters, digits and -" * (key == "name"))
                self._problem(
                    "preset.missing", self.lines.get(f".{key}", 1), found=key, allowed=allowed
                )
            else:
                top[key] = value
        return top

    def _values(self, found: Mapping[str, Any]) -> Values:
        values: Values = {}
        for section in SECTIONS:
            given = found.get(section, {})
            if not isinstance(given, dict):
                given = {}
            names = [field.name for field in FIELDS if field.section == section]
            for key in given:
                if key not in names:
                    self._problem(
                        "preset.key",
                        self.lines.get(f"{section}.{key}", 1),
                        section=section,
                        found=key,
                        nearest=_nearest(key, names),
                        allowed=", ".join(names),
                    )
        for field in FIELDS:
            given = found.get(field.section, {})
            if isinstance(given, dict) and field.name in given:
                values[field.path] = self._value(field, given[field.name])
            elif field.default is REQUIRED:
                line = self.lines.get(field.section, 1)
                allowed = f"[{field.section}] {field.name}, {field.meaning} ({field.allowed})"
                self._problem("preset.missing", line, found=field.path, allowed=allowed)
            else:
                values[field.path] = field.default
        return values

    def _value(self, field: Field, given: Any) -> Any:
        line = self.lines.get(field.path, 1)
        path = field.path
        if not isinstance(given, dict) or "value" not in given:
            self._problem("preset.source", line, path=path, why="has no value with a source")
            return None
        kinds = [source for source in SOURCES if source in given]
        for key in given:
            if key not in ("value", "options", *SOURCES):
                near = _nearest(key, ("value", "options", *SOURCES))
                why = f"has '{key}', which is no source{near}"
                self._problem("preset.source", line, path=path, why=why)
        if len(kinds) != 1:
            why = "has no source" if not kinds else f"has {len(kinds)} sources, not one"
            self._problem("preset.source", line, path=path, why=why)
        value = given["value"]
        if not self._fits(field, value, line):
            return None
        if len(kinds) == 1:
            self._source(field, given, kinds[0], line)
        return value

    def _fits(self, field: Field, value: Any, line: int) -> bool:
        if field.fits(value):
            return True
        near = _nearest(value, field.words) if isinstance(value, str) else ""
        self._problem(
            "preset.value",
            line,
            path=field.path,
            found=repr(value),
            nearest=near,
            allowed=field.allowed,
        )
        return False

    def _source(self, field: Field, given: Mapping[str, Any], kind: str, line: int) -> None:
        texts = given[kind] if isinstance(given[kind], list) else [given[kind]]
        if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
            why = f"has an empty {kind}"
            self._problem("preset.source", line, path=field.path, why=why)
            return
        options = given.get("options", [])
        if kind == "chosen":
            why = _options_wrong(options, given["value"])
            if why:
                self._problem("preset.options", line, path=field.path, why=why)
                return
            for option in options:
                if not self._fits(field, option, line):
                    return
        elif options:
            why = "only a chosen value has options"
            self._problem("preset.options", line, path=field.path, why=why)
            return
        source = Sourced(
            field.path, given["value"], kind, "\n".join(texts), tuple(options), line  # type: ignore[arg-type]
        )
        self.sources.append(source)

    def _options(self, values: Values) -> None:
        """Every option of a chosen value must load in its place."""
        for source in self.sources:
            for option in source.options:
                if option == source.value:
                    continue
                for clash in clashes(values | {source.path: option}):
                    why = f"option {option!r} does not load: {clash.why}"
                    self._problem("preset.options", source.line, path=source.path, why=why)
                    break


def with_value(text: str, path: str, value: Any) -> Preset:
    """The preset of a text with one value put in another's place, as its options promise."""
    preset = read_preset(text)
    values = {field.path: field.default for field in FIELDS} | preset_values(text)
    assert path in BY_PATH
    top = {"name": preset.name, "title": preset.title, "about": preset.about}
    return build(top, values | {path: value}, preset.sources)


def preset_values(text: str) -> Values:
    """The values that a text gives, by path, unchecked."""
    found = tomllib.loads(text)
    return {
        field.path: found[field.section][field.name]["value"]
        for field in FIELDS
        if field.name in found.get(field.section, {})
    }


def _options_wrong(options: Any, value: Any) -> str:
    if not isinstance(options, list) or len(options) < 2:
        return "a chosen value needs at least two options"
    if value not in options:
        return f"{value!r} is not among its own options"
    if any(options.count(option) > 1 for option in options):
        return "an option is named twice"
    return ""


def _nearest(word: str, words: Any) -> str:
    near = get_close_matches(word, list(words), 1, 0.5)
    return f"; did you mean '{near[0]}'?" if near else ""


def _lines(text: str) -> dict[str, int]:
    """The line of each `[section]` ("section") and of each key ("section.key", ".key" at the top).
    tomllib gives none; a value stands on one line in a preset, which is enough to find it."""
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[([^\[\]]+)\]\s*(#.*)?$", line)
        key = re.match(r"\s*([A-Za-z0-9_-]+)\s*=", line)
        if header:
            section = header[1].strip()
            lines.setdefault(section, number)
        elif key:
            lines.setdefault(f"{section}.{key[1]}", number)
    return lines


def _line_of(where: str | None) -> int:
    return int((where or ":0").rsplit(":", 1)[1])
