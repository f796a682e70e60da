"""The rules that games are played by, kept as they were when a game began.

A running game goes on by the file of its first day: its text lies in the state directory under its
digest, so that neither an edited house rule nor a newer program changes a game or its history. A
rule with toppings is named `RULE+TOPPING`, here and in the file's name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tablectl.core.preset import Preset
from tablectl.core.preset_file import (
    builtin_presets,
    preset_text,
    read_preset,
    split_name,
    unknown_preset,
)
from tablectl.errors import TablectlError, declare
from tablectl.journal.faces import write_whole

KEPT_BAD: Final = declare(
    "app.rule_kept",
    "the rule of an earlier game cannot be read any more: {why}",
    "Games of it cannot be gone on with; remove the file if none is played.",
)


class Rulebook(Mapping[str, Preset]):
    """Presets by digest. `folder` holds those of games."""

    def __init__(self, folder: Path) -> None:
        """Read what is kept. Blocks. What cannot be read is in `problems`."""
        self._folder = folder
        self._by_digest: dict[str, Preset] = {}
        self._named: dict[str, tuple[Preset, str]] = {}
        self._topped: dict[str, tuple[Preset, str]] = {}
        self.problems: list[TablectlError] = []
        for name in builtin_presets():
            self.add(name)
        for path in sorted(folder.glob("*.toml")):
            try:
                base, toppings = split_name(path.name.partition("@")[0])
                text = path.read_text("utf-8")
                rules = read_preset(text, f"{base}.toml", toppings=toppings)
            except (TablectlError, OSError, UnicodeDecodeError) as error:
                self.problems.append(TablectlError(KEPT_BAD, where=str(path), why=error))
            else:
                self._by_digest.setdefault(rules.digest, rules)

    def __getitem__(self, digest: str) -> Preset:
        return self._by_digest[digest]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_digest)

    def __len__(self) -> int:
        return len(self._by_digest)

    def add(self, name: str) -> Preset:
        """Know the rule of that name or path as it is now, with its toppings. Blocks. Raises
        `preset.*`."""
        bare, toppings = split_name(name)
        if bare not in self._named:
            text, where = preset_text(bare)
            rules = read_preset(text, where)
            self._named[bare] = (rules, text)
            self._by_digest[rules.digest] = rules
        return self.named(name) if toppings else self._named[bare][0]

    def named(self, name: str) -> Preset:
        """A rule that is known, by its name: built in or configured, with toppings behind it; a
        path is not looked for. Raises `preset.unknown`, `preset.topping_unknown`, `.topping_twice`,
        `.toppings_clash`."""
        bare, toppings = split_name(name)
        for known, (rules, text) in self._named.items():
            if bare in (known, rules.name):
                return self._with(text, rules, toppings) if toppings else rules
        raise unknown_preset(name, self.names())

    def _with(self, text: str, rules: Preset, toppings: tuple[str, ...]) -> Preset:
        """A rule with its toppings; in whatever order they are named it is the same one."""
        wanted = "+".join((rules.name, *sorted(toppings)))
        if wanted not in self._topped:
            topped = read_preset(text, rules.name, toppings=toppings)
            self._topped[wanted] = (topped, text)
            self._by_digest[topped.digest] = topped
        return self._topped[wanted][0]

    def names(self) -> list[str]:
        """All names that `named` knows, without toppings."""
        return sorted({rules.name for rules, _ in self._named.values()})

    def keep(self, rules: Preset) -> None:
        """A game of it begins: make its text durable. Blocks. Raises `journal.unwritable`,
        `journal.full`."""
        known = (*self._named.values(), *self._topped.values())
        text = next((text for one, text in known if one is rules), None)
        path = self._folder / f"{rules.name}@{rules.digest}.toml"
        if text is None or path.exists():
            return
        write_whole(path, text)
