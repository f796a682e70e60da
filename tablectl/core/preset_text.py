"""The text of a TOML file, a preset's or the configuration's: where its sections and keys stand,
values as it writes them, and the right word for a wrong one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any


class Unreadable(Exception):
    """A text that cannot be read: why, and in which line."""

    def __init__(self, why: str, line: int = 1) -> None:
        super().__init__(why)
        self.why = why
        self.line = line


def text_of(path: str | Path) -> str:
    """The text of a file. Raises Unreadable."""
    try:
        return Path(path).read_bytes().decode("utf-8-sig")  # some editors begin a file with a mark
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise Unreadable("it is not UTF-8 text") from None
    except ValueError as error:  # a name that no file can have
        raise Unreadable(str(error)) from None


def toml_of(text: str) -> dict[str, Any]:
    """What a TOML text says. Raises Unreadable."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Unreadable("braces or brackets are nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, and numbers of thousands of digits
        place = re.search(r"\(at line (\d+)", str(error))
        why = str(error).split(" (at ")[0]
        line = int(place[1]) if place else max(1, len(text.rstrip().split("\n")))
        raise Unreadable(why[:1].lower() + why[1:], line) from None


_WORD = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_HEADER = re.compile(r"\s*(\[+)([^\[\]]+)\]+\s*(#.*)?$")
_KEY = re.compile(rf"\s*({_WORD}(?:\s*\.\s*{_WORD})*)\s*=")


def lines_of(text: str) -> dict[str, int]:
    """The line of each `[section]` ("section"), of each `[[section]]` ("section.0", "section.1", …)
    and of each key ("section.key", "section.0.key", ".key" at the top).

    tomllib gives none; a value stands in braces on its key's line, which is enough to find it.
    """
    lines: dict[str, int] = {}
    begun: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            section = ""
            for word in _words(header[2]):
                within = f"{section}.{begun[section] - 1}" if section in begun else section
                section = f"{within}.{word}" if within else word
            if len(header[1]) > 1:
                lines.setdefault(section, number)
                begun[section] = begun.get(section, 0) + 1
                section = f"{section}.{begun[section] - 1}"
            lines.setdefault(section, number)
        elif key := _KEY.match(line):
            path = section
            for word in _words(key[1]):
                path = f"{path}.{word}"
                lines.setdefault(path, number)
    return lines


def _words(path: str) -> list[str]:
    return [word.strip().strip("\"'") for word in path.split(".")]


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
