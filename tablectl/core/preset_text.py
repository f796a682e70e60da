"""The text of a preset file: where its sections and keys stand, values as it writes them, and the
right word for a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches


def lines_of(text: str) -> dict[str, int]:
    """The line of each `[section]` ("section") and of each key ("section.key", ".key" at the top).

    tomllib gives none; a value stands in braces on its key's line, which is enough to find it.
    """
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.split("\n"), start=1):
        header = re.match(r"\s*\[+([^\[\]]+)\]+\s*(#.*)?$", line)
        key = re.match(r"\s*([A-Za-z0-9_-]+)\s*[=.]", line)
        if header:
            section = header[1].strip()
            lines.setdefault(section, number)
        elif key:
            lines.setdefault(f"{section}.{key[1]}", number)
    return lines


def in_toml(value: object) -> str:
    """A value as a file writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in value) + '"'
    if isinstance(value, list):
        return f"[{', '.join(map(in_toml, value))}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {in_toml(one)}" for key, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return str(value)


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of these words that `word` was probably meant for."""
    near = get_close_matches(word.lower(), list(words), 1)
    return near[0] if near else None


def did_you_mean(value: object, words: Iterable[str]) -> str:
    """`; did you mean 'kept'?` for a wrong word or the first wrong one of a list, or nothing."""
    known = list(words)
    said = value if isinstance(value, list) else [value]
    for word in said:
        if isinstance(word, str) and word not in known:
            near = nearest(word, known)
            return f"; did you mean '{near}'?" if near else ""
    return ""
