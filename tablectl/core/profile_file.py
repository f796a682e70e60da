"""Profile files: one table model in TOML, each value with its source.

    schema = 1
    name = "my-table"                     # a word for it
    title = "The table at the window"
    models = ["MJ-1"]                     # as its board calls itself
    source = "the manual, page 12"        # of every value that names no other
    verified = false                      # true where somebody stood at the machine

    [machine]
    stacking = { value = 30000, source = "a stopwatch", verified = true }
    press = { value = "Press the keys until {number} is shown." }

    [[number]]
    number = 5
    tiles = 116
    sides = [30, 28, 30, 28]              # tiles on sides 0 to 3
    players = [3, 4]

All mistakes of a file are reported at once, each with its line and the nearest right word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tablectl.core.preset_text import (
    Unreadable,
    did_you_mean,
    in_toml,
    lines_of,
    nearest,
    text_of,
    toml_of,
)
from tablectl.core.profile import GameNumber, Profile, Said
from tablectl.core.profile_fields import MACHINE, NUMBER, SAID, TOP, Field
from tablectl.errors import TablectlError, declare

FOLDER: Final = Path(__file__).parent.parent / "profiles"
"""Where the table models that come with the program lie."""

declare(
    "profile.unknown",
    "there is no table model '{name}'; there are {names}",
    "{nearest}Name one of them, or leave it out: the table tells its own numbers if it can.",
)
declare("profile.file", "the file cannot be read: {why}", "Name a TOML file that can be read.")
declare(
    "profile.invalid",
    "mistakes in this profile: {number}",
    "Correct them all; the profiles that come with the program show how one is written.",
)
declare("profile.syntax", "this is not TOML: {why}", "Correct the line.")
declare("profile.key", "{place} has no value '{found}'{nearest}", "It has {allowed}.")
declare("profile.missing", "{found} is missing", "Give it: {allowed}.")
declare("profile.value", "{path} is {found}{nearest}", "Allowed is {allowed}.")
declare("profile.clash", "{why}", "{remedy}")


def builtin_profiles() -> list[str]:
    """Names of the table models that come with the program."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def named_profile(name: str) -> Profile:
    """The profile of that name, or in that TOML file.

    Raises `profile.unknown` with the nearest name, `profile.file`, `profile.invalid`.
    """
    if name.endswith(".toml") or "/" in name or "\\" in name:
        return load_profile(name)
    names = builtin_profiles()
    if name in names:
        return _builtin(name)
    near = nearest(name, names)
    raise TablectlError(
        "profile.unknown",
        name=name,
        names=", ".join(names),
        nearest=f"Did you mean {near}? " if near else "",
    )


def find_profile(model: str) -> Profile | None:
    """The profile of the model that a board says it is, None if there is none. Only the first call
    reads files."""
    return next((profile for profile in _builtins() if model in profile.models), None)


def load_profile(path: str | Path, *, shown: str | None = None) -> Profile:
    """The profile in a file. Raises `profile.file`, `profile.invalid`."""
    where = shown or str(path)
    try:
        text = text_of(path)
    except Unreadable as error:
        raise TablectlError("profile.file", where=where, why=error.why) from None
    return read_profile(text, where)


def read_profile(text: str, where: str = "profile") -> Profile:
    """The profile that a TOML text says. Raises `profile.invalid` with all mistakes at once."""
    reader = _Reader(text, where)
    profile = reader.read()
    if reader.problems:
        in_order = sorted(
            reader.problems, key=lambda one: int((one.where or ":0").rsplit(":", 1)[1])
        )
        raise TablectlError("profile.invalid", where=where, problems=in_order, number=len(in_order))
    return profile


@lru_cache
def _builtin(name: str) -> Profile:
    return load_profile(FOLDER / f"{name}.toml", shown=name)


@lru_cache
def _builtins() -> tuple[Profile, ...]:
    return tuple(_builtin(name) for name in builtin_profiles())


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


class _Reader:
    """Reads one text; gathers every problem instead of stopping at the first. A misspelt key is
    named and then read as what it was probably meant for."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.lines = lines_of(text)
        self.problems: list[TablectlError] = []

    def read(self) -> Profile:
        """The profile; of use only without problems."""
        try:
            found = toml_of(self.text)
        except Unreadable as error:
            self._problem("profile.syntax", error.line, why=error.why)
            return Profile("", "", ())
        sections = {
            "machine": found.pop("machine", {}),
            "number": found.pop("number", []),
        }
        top = self._values("", "the top of a profile", TOP, found, tuple(sections))
        machine, sources = self._machine(sections["machine"], top)
        numbers = self._numbers(sections["number"], top)
        return Profile(
            name=top.get("name", ""),
            title=top.get("title", ""),
            models=tuple(top.get("models", ())),
            numbers=numbers,
            stacking=machine.get("stacking"),
            abilities=tuple(machine.get("abilities", ())),
            press=machine.get("press", ""),
            sources=sources,
        )

    def _problem(self, code: str, line: int, **about: Any) -> None:
        self.problems.append(TablectlError(code, where=f"{self.where}:{line}", **about))

    def _line(self, *paths: str) -> int:
        return next((self.lines[path] for path in paths if path in self.lines), 1)

    def _values(
        self,
        at: str,
        place: str,
        fields: Sequence[Field],
        given: Mapping[str, Any],
        besides: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        """The values of one table by name, those left out at their default; wrong ones left out."""
        names = [field.name for field in fields]
        read = {name: (name, given[name]) for name in names if name in given}
        for key, value in given.items():
            if key in names:
                continue
            allowed = (*names, *besides)
            near = nearest(key, allowed)
            line = self._line(f"{at}.{key}", key, f"{key}.0", at)
            self._problem(
                "profile.key",
                line,
                place=place,
                found=key,
                nearest=did_you_mean(key, allowed),
                allowed=", ".join(allowed),
            )
            if near in names and near not in read:
                read[near] = (key, value)
                self.lines[f"{at}.{near}"] = line
        values: dict[str, Any] = {}
        for field in fields:
            if field.name in read:
                key, value = read[field.name]
                line = self._line(f"{at}.{key}", at)
                path = f"{at}.{field.name}".lstrip(".")
                if self._fits(field, path, value, line):
                    values[field.name] = value
            elif field.needed:
                self._problem(
                    "profile.missing",
                    self._line(at),
                    found=f"'{field.name}' of {place}",
                    allowed=field.allowed,
                )
            else:
                values[field.name] = field.default
        return values

    def _fits(self, field: Field, path: str, value: Any, line: int) -> bool:
        if field.fits(value):
            return True
        self._problem(
            "profile.value",
            line,
            path=path,
            found=in_toml(value),
            nearest=did_you_mean(value, field.words),
            allowed=field.allowed,
        )
        return False

    def _machine(
        self, given: Any, top: Mapping[str, Any]
    ) -> tuple[dict[str, Any], tuple[Said, ...]]:
        """Values of [machine], each `{ value, source, verified }`, and where they are from."""
        if not isinstance(given, dict):
            line = self._line(".machine", "machine.0", "machine")
            self._problem(
                "profile.value", line, path="machine", found=in_toml(given), nearest="",
                allowed="one section [machine]",
            )  # fmt: skip
            return {}, ()
        whole_ones = [
            Field(field.name, "{ value = …, source = …, verified = … }",
                   lambda value: isinstance(value, dict))
            for field in MACHINE
        ]  # fmt: skip
        said = self._values("machine", "[machine]", whole_ones, given)
        values: dict[str, Any] = {}
        sources: list[Said] = []
        for field in MACHINE:
            one, at = said.get(field.name), f"machine.{field.name}"
            if one is None:
                values[field.name] = field.default
                continue
            self.lines.setdefault(at, self._line("machine"))
            parts = self._values(at, at, SAID, one)
            if "value" in parts and self._fits(field, at, parts["value"], self._line(at)):
                values[field.name] = parts["value"]
            sources.append(Said(at, *_honesty(parts, top)))
        return values, tuple(sources)

    def _numbers(self, given: Any, top: Mapping[str, Any]) -> tuple[GameNumber, ...]:
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
            self._problem(
                "profile.value", self._line(".number", "number"), path="number",
                found=in_toml(given), nearest="", allowed="a [[number]] for each game number",
            )  # fmt: skip
            return ()
        numbers: list[GameNumber] = []
        seen: dict[int, int] = {}
        for nth, one in enumerate(given):
            at = f"number.{nth}"
            values = self._values(at, "[[number]]", NUMBER, one)
            number = values.get("number")
            if number in seen:
                self._problem(
                    "profile.clash",
                    self._line(f"{at}.number", at),
                    why=f"number {number} is there twice, in line {seen[number]} already",
                    remedy="A table has each number once; correct one of them or leave it out.",
                )
            elif number is not None:
                seen[number] = self._line(f"{at}.number", at)
            self._clash(at, values)
            if set(values) == {field.name for field in NUMBER}:
                numbers.append(_number(values, top))
        return tuple(numbers)

    def _clash(self, at: str, values: Mapping[str, Any]) -> None:
        """Whether tiles, walls and dealing of a number can be true together."""
        tiles, sides, dealt = values.get("tiles"), values.get("sides"), values.get("dealt", 0)
        players = values.get("players") or []
        if dealt and len(players) != 1:
            self._problem(
                "profile.clash",
                self._line(f"{at}.dealt", at),
                why=f"{dealt} tiles are dealt to each seat, but it is for"
                f" {' or '.join(map(str, players)) or 'nobody knows how many'} players",
                remedy="Name the one number of players that it deals to.",
            )
        elif tiles is not None and sides is not None:
            hands = dealt * players[0] if dealt else 0
            if sum(sides) + hands != tiles:
                and_hands = f" and the hands {hands}" if hands else ""
                self._problem(
                    "profile.clash",
                    self._line(f"{at}.sides", at),
                    why=f"its walls have {sum(sides)} tiles{and_hands}, but it builds {tiles}",
                    remedy="Correct the sides or the tiles.",
                )


def _honesty(values: Mapping[str, Any], top: Mapping[str, Any]) -> tuple[str, bool]:
    """Source and verified of a value, those of the file where it names none."""
    verified = values.get("verified")
    return (
        values.get("source") or top.get("source", ""),
        bool(top.get("verified") if verified is None else verified),
    )


def _number(values: Mapping[str, Any], top: Mapping[str, Any]) -> GameNumber:
    source, verified = _honesty(values, top)
    sides, tiles = values["sides"], values["tiles"]
    if tiles is None and sides is not None and not values["dealt"]:
        tiles = sum(sides)
    return GameNumber(
        number=values["number"],
        tiles=tiles,
        sides=None if sides is None else (sides[0], sides[1], sides[2], sides[3]),
        players=frozenset(values["players"]),
        dealt=values["dealt"],
        turns_indicator=values["turns_indicator"],
        verified=verified,
        name=values["name"],
        source=source,
    )
