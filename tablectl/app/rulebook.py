"""The rules that games are played by, kept as they were when a game began.

A running game goes on by the file of its first day: its text lies in the state directory under its
digest, so that neither an edited house rule nor a newer program changes a game or its history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tablectl.core.preset import Preset
from tablectl.core.preset_file import builtin_presets, preset_text, read_preset, unknown_preset
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
        self.problems: list[TablectlError] = []
        for name in builtin_presets():
            self.add(name)
        for path in sorted(folder.glob("*.toml")):
            try:
                name = path.name.partition("@")[0]
                rules = read_preset(path.read_text("utf-8"), f"{name}.toml")
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
        """Know the rule of that name or path as it is now. Blocks. Raises `preset.*`."""
        if name in self._named:
            return self._named[name][0]
        text, where = preset_text(name)
        rules = read_preset(text, where)
        self._named[name] = (rules, text)
        self._by_digest[rules.digest] = rules
        return rules

    def named(self, name: str) -> Preset:
        """A rule that is known, by its name: built in or configured; a path is not looked for.
        Raises `preset.unknown`."""
        for known, (rules, _) in self._named.items():
            if name in (known, rules.name):
                return rules
        raise unknown_preset(name, self.names())

    def names(self) -> list[str]:
        """All names that `named` knows."""
        return sorted({rules.name for rules, _ in self._named.values()})

    def keep(self, rules: Preset) -> None:
        """A game of it begins: make its text durable. Blocks. Raises `journal.unwritable`,
        `journal.full`."""
        text = next((text for known, text in self._named.values() if known is rules), None)
        path = self._folder / f"{rules.name}@{rules.digest}.toml"
        if text is None or path.exists():
            return
        write_whole(path, text)
