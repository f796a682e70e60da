"""Reading a configuration: every problem is gathered instead of stopping at the first.

A misspelt section or key is named and then read as what it was probably meant for, so that what is
wrong in it is found too and what is right in it is not called missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tablectl.app.config import Config, DaemonConfig, TableConfig
from tablectl.app.config_fields import FIELDS, fields_of
from tablectl.app.config_tables import Tables, address_of, again, rule_of, rules_of
from tablectl.core.boxes import Box
from tablectl.core.geometry import Inputs, seats_of
from tablectl.core.preset import Preset
from tablectl.core.preset_fields import REQUIRED
from tablectl.core.preset_text import Unreadable, did_you_mean, in_toml, lines_of, nearest, toml_of
from tablectl.core.profile import Note, kept_as
from tablectl.core.state import SETS
from tablectl.core.tiles import Multiset, parse_tile
from tablectl.errors import TablectlError, declare

declare("config.syntax", "this is not TOML: {why}", "Correct the line.")
declare(
    "config.section",
    "there is no section [{found}]{nearest}",
    "There are [daemon], [[table]] for each table, and under it [[table.notes]], [table.sets.a] and"
    " [table.sets.b].",
)
declare(
    "config.top",
    "'{found}' stands in no section{nearest}",
    "Write it under [daemon], [[table]], [[table.notes]] or [table.sets.a].",
)
declare("config.shape", "'{found}' is not written as {allowed}", "Write {allowed} above its lines.")
declare("config.key", "{section} has no value '{found}'{nearest}", "It has {allowed}.")
declare("config.missing", "{section} has no {found}: {meaning}", "Give it: {allowed}.")
declare("config.value", "{path} is {found}{nearest}", "Allowed is {allowed}.")
declare("config.seats", "seats are {found}: {why}", "{preset} has {players} players.")
declare(
    "config.no_uid",
    "{kind}: tables have no board, and so no uid",
    "Leave the line out.",
)
declare(
    "config.note_twice",
    "the number {number} of {preset} is noted twice",
    "Leave one of the two notes out.",
)

_SHAPES: Final = {
    "daemon": "[daemon]",
    "table": "[[table]]",
    "table.notes": "[[table.notes]]",
    "table.sets": "[table.sets.a]",
}
_INNER: Final = ("notes", "sets")
"""Sections within a table's."""


class Reader:
    """Reads one text. `problems` is complete after `read`."""

    def __init__(self, text: str, where: str) -> None:
        self.problems: list[tuple[int, TablectlError]] = []
        self._text = text
        self._where = where
        self._folder = Path(where).expanduser().absolute().parent
        self._lines = lines_of(text)
        self._tables = Tables()

    def problems_in_order(self) -> list[TablectlError]:
        return [problem for _, problem in sorted(self.problems, key=lambda one: one[0])]

    def read(self) -> Config:
        """What is right in the text."""
        try:
            found = toml_of(self._text)
        except Unreadable as error:
            self._problem("config.syntax", error.line, why=error.why)
            return Config(where=self._where)
        daemon = DaemonConfig()
        tables: list[tuple[str, Mapping[str, Any]]] = []
        for name, given in self._sections(found):
            if name.meant == "daemon":
                one = self._one(name, given)
                if one is not None:
                    daemon = self._daemon(self._values("daemon", one, name.path)[0])
            else:
                tables += self._many(name, given)
        read = [self._table(given, path, daemon) for path, given in tables]
        self._tables.name_the_unnamed()
        named = (self._tables.named(index, one) for index, one in enumerate(read) if one)
        return Config(daemon, tuple(named), self._where)

    # ── sections and values ─────────────────────────────────────────────────────────────────────

    def _sections(self, found: Mapping[str, Any]) -> list[tuple[Section, Any]]:
        """[daemon] and every [[table]], each under the name that it was probably meant for,
        [daemon] first."""
        sections: list[tuple[Section, Any]] = []
        for name, given in found.items():
            meant: str | None = name
            if name not in ("daemon", "table"):
                line = self._line(name, f".{name}")
                if not isinstance(given, dict | list):
                    near = did_you_mean(name, [field.name for field in FIELDS])
                    self._problem("config.top", line, found=name, nearest=near)
                    continue
                meant = nearest(name, ("daemon", "table"))
                said = f"; did you mean {_SHAPES[meant]}?" if meant else ""
                self._problem("config.section", line, found=name, nearest=said)
            if meant is not None and (meant in (name, "table") or meant not in found):
                sections.append((Section(meant, name, _SHAPES[meant]), given))
        return sorted(sections, key=lambda one: one[0].meant)

    def _one(self, section: Section, given: Any) -> Mapping[str, Any] | None:
        if isinstance(given, dict):
            return given
        self._shape(section)
        return None

    def _many(self, section: Section, given: Any) -> list[tuple[str, Mapping[str, Any]]]:
        """The tables of an array with the path of each in the text."""
        if isinstance(given, dict):
            self._shape(section)
            return [(section.path, given)]
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
            self._shape(section)
            return []
        return [(f"{section.path}.{n}", one) for n, one in enumerate(given)]

    def _shape(self, section: Section) -> None:
        line = self._line(section.path, f".{section.path}")
        self._problem("config.shape", line, found=section.path, allowed=section.shape)

    def _values(
        self, section: str, given: Mapping[str, Any], path: str
    ) -> tuple[dict[str, Any], dict[str, int]]:
        """The values that may stand there, by name, and the line of each that is given."""
        fields = {field.name: field for field in fields_of(section)}
        inner = _INNER if section == "table" else ()
        known = (*fields, *inner)
        keys = {key: key for key in given if key in known}
        for key in given:
            if key in known:
                continue
            self._problem(
                "config.key",
                self._line(f"{path}.{key}", path),
                section=_SHAPES[section],
                found=key,
                nearest=did_you_mean(key, known),
                allowed=", ".join(known),
            )
            near = nearest(key, known)
            if near:
                keys.setdefault(near, key)
        values: dict[str, Any] = {}
        lines = {name: self._line(f"{path}.{key}", path) for name, key in keys.items()}
        for name, field in fields.items():
            if name in keys:
                value = given[keys[name]]
                if field.fits(value):
                    values[name] = value
                else:
                    self._problem(
                        "config.value",
                        lines[name],
                        path=name,
                        found=in_toml(value),
                        nearest="",
                        allowed=field.allowed,
                    )
            elif field.default is REQUIRED:
                self._problem(
                    "config.missing",
                    self._line(path, path.rpartition(".")[0]),
                    section=_SHAPES[section],
                    found=name,
                    meaning=field.meaning,
                    allowed=f"{name} = …, {field.allowed}",
                )
        for name in inner:
            if name in keys:
                values[name] = given[keys[name]]
                lines[name] = self._line(f"{path}.{keys[name]}", f"{path}.{keys[name]}.0", path)
                values[f"path of {name}"] = f"{path}.{keys[name]}"
        return values, lines

    # ── what the values mean ────────────────────────────────────────────────────────────────────

    def _daemon(self, values: Mapping[str, Any]) -> DaemonConfig:
        known = dict(values)
        if "names" in known:
            known["names"] = tuple(dict.fromkeys(name.lower() for name in known["names"]))
        if "state" in known:
            known["state"] = self._folder / Path(known["state"]).expanduser()
        return DaemonConfig(**known)

    def _table(
        self, given: Mapping[str, Any], path: str, daemon: DaemonConfig
    ) -> TableConfig | None:
        """One table as far as it can be used: None without a right address or rule."""
        values, lines = self._values("table", given, path)
        address = self._told(lines, "url", lambda: address_of(values["url"]), values)
        rules = self._preset(lines, values)
        seats = values.get("seats")
        if rules is not None and seats is not None:
            seats = self._told(lines, "seats", lambda: _seated(rules, tuple(seats)), values)
        uid = values["uid"].lower() if "uid" in values else None
        if uid is not None and address is not None and not address.has_board:
            self._problem("config.no_uid", lines["uid"], kind=address.kind)
            uid = None
        notes = self._notes(values) if "notes" in values else ()
        boxes = self._boxes(values) if "sets" in values else (None, None)
        for key, code, about in self._tables.clashes(address, values.get("name"), uid):
            self._problem(code, lines[key], **about)
        self._tables.add(address, values.get("name"), uid)
        if address is None or rules is None:
            return None
        return TableConfig(
            url=address.url,
            name=values.get("name", ""),
            preset=self._rule(values["preset"]),
            seats=tuple(seats) if seats is not None else None,
            uid=uid,
            motions=values.get("motions", daemon.motions),
            profile=values.get("profile"),
            notes=notes,
            boxes=boxes,
        )

    def _notes(self, values: Mapping[str, Any]) -> tuple[Note, ...]:
        path = values["path of notes"]
        section = Section("table.notes", path, _SHAPES["table.notes"])
        notes: list[Note] = []
        for place, given in self._many(section, values["notes"]):
            said, lines = self._values("table.notes", given, place)
            rules = self._preset(lines, said)
            if rules is None or "number" not in said:
                continue
            note = Note(kept_as(rules), said["number"], said.get("verified", False))
            if any((note.preset, note.number) == (one.preset, one.number) for one in notes):
                about = {"preset": said["preset"], "number": note.number}
                self._problem("config.note_twice", lines["number"], **about)
            else:
                notes.append(note)
        return tuple(notes)

    def _boxes(self, values: Mapping[str, Any]) -> tuple[Box | None, Box | None]:
        """What the boxes of sets a and b have, None where nothing is said of one."""
        path, given = values["path of sets"], values["sets"]
        shape = "[table.sets.a] or [table.sets.b]"
        if not isinstance(given, dict):
            self._shape(Section("table.sets", path, shape))
            return None, None
        boxes: dict[str, Box] = {}
        for name, one in given.items():
            if not isinstance(one, dict):
                self._shape(Section("table.sets", f"{path}.{name}", shape))
                continue
            if name not in SETS:
                self._problem(
                    "config.key",
                    self._line(f"{path}.{name}", path),
                    section="a table",
                    found=f"sets.{name}",
                    nearest="",
                    allowed=" and ".join(f"sets.{word}" for word in SETS),
                )
                continue
            said, _ = self._values("table.sets", one, f"{path}.{name}")
            tiles = {
                tile: n
                for counts in said.values()
                for code, n in counts.items()
                if (tile := parse_tile(code)) is not None
            }
            boxes[name] = Box(Multiset(tiles), frozenset(said))
        return boxes.get("a"), boxes.get("b")

    def _preset(self, lines: Mapping[str, int], values: Mapping[str, Any]) -> Preset | None:
        said = values.get("preset", "")
        rules: Preset | None = self._told(
            lines, "preset", lambda: rules_of(self._rule(said), said), values
        )
        return rules

    def _rule(self, name: str) -> str:
        return rule_of(name, self._folder)

    def _told(
        self, lines: Mapping[str, int], key: str, read: Any, values: Mapping[str, Any]
    ) -> Any:
        """What `read` gives, or None and its error told with the line of the key."""
        if key not in values:
            return None
        try:
            return read()
        except TablectlError as error:
            self.problems.append((lines[key], again(error, f"{self._where}:{lines[key]}")))
            return None

    def _problem(self, code: str, line: int, **about: Any) -> None:
        self.problems.append((line, TablectlError(code, where=f"{self._where}:{line}", **about)))

    def _line(self, *paths: str) -> int:
        """The line of the first of these that the text has; of what holds the last, if of none."""
        for path in paths:
            if path in self._lines:
                return self._lines[path]
        held = paths[-1]
        while held and held not in self._lines and f".{held}" not in self._lines:
            held = held.rpartition(".")[0]
        return self._lines.get(held, self._lines.get(f".{held}", 1))


@dataclass(frozen=True, slots=True)
class Section:
    """A section that is `meant`, at `path` in the text, and how it is written."""

    meant: str
    path: str
    shape: str


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _seated(rules: Preset, seats: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return seats_of(rules, Inputs(seats=seats))
    except TablectlError as error:
        raise TablectlError(
            "config.seats",
            found=in_toml(list(seats)),
            why=error.values["why"],
            preset=rules.name,
            players=rules.players,
        ) from None
