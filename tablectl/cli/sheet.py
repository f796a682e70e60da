"""A sheet of text set for a terminal: paragraphs with headings, in two columns where it is wide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

WIDE: Final = 100
"""From so many characters on the text stands in two columns."""

_GAP: Final = "  "
_INDENT: Final = "  "
_LEAST: Final = 40

# A word, or one wide character, each with the marks that may not end or begin a line.
_CLOSING: Final = "[!-/:;?°)）」』、。，．・！？：；ー〜々ょゃゅっァィゥェォャュョッ]"
_PIECE: Final = re.compile(
    rf"\s+|[(（「『]*(?:[^\s\u2e80-\uffff]+|[\u2e80-\uffff]){_CLOSING}*(?: ·)?"
)


class Paragraph(NamedTuple):
    """A heading and what follows it on the same line; an empty `text` makes a line by itself."""

    heading: str
    text: str


def sheet(head: Paragraph, paragraphs: Sequence[Paragraph], width: int) -> list[Text]:
    """The lines, none wider than `width`: `head` over all, the others in two columns from WIDE on,
    read left column first."""
    width = max(width, _LEAST)
    lines = list(_set([head], width))
    if width < WIDE:
        return [*lines, *_set(paragraphs, width)]
    column = (width - len(_GAP)) // 2
    body = list(_set(paragraphs, column))
    left, right = body[: (len(body) + 1) // 2], body[(len(body) + 1) // 2 :]
    for line, beside in zip_longest(left, right, fillvalue=Text()):
        whole = line.copy()
        whole.pad_right(column - cell_len(line.plain))
        whole.append_text(Text.assemble(_GAP, beside))
        whole.rstrip()
        lines.append(whole)
    return lines


def _set(paragraphs: Sequence[Paragraph], width: int) -> Iterator[Text]:
    for heading, text in paragraphs:
        for n, line in enumerate(wrapped(f"{heading}  {text}".strip(), width)):
            styled = Text(line)
            if n == 0:
                styled.stylize("bold", 0, len(heading))
            yield styled


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells, all but the first indented. Breaks between words
    and between wide characters, but no closing mark begins a line."""
    lines = [""]
    for piece in _PIECE.findall(text):
        said = piece
        if cell_len(lines[-1] + piece.rstrip()) > width and lines[-1].strip():
            lines[-1] = lines[-1].rstrip()
            lines.append(_INDENT)
            said = piece.lstrip()
        lines[-1] += said
    lines[-1] = lines[-1].rstrip()
    return lines
