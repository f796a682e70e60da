"""A sheet of text: no line too wide, nothing lost, columns read one after the other."""

from __future__ import annotations

import random

import pytest
from rich.cells import cell_len

from tablectl.cli.sheet import WIDE, Paragraph, sheet, wrapped


@pytest.mark.parametrize("width", [40, 49, 80])
def test_lines_fit_and_nothing_is_lost(width: int) -> None:
    seed = 7
    chance = random.Random(seed)
    for _ in range(200):
        text = " ".join(
            "".join(chance.choices("abc7,.°（）「」。、牌山北リーチー", k=chance.randint(1, 30)))
            for _ in range(30)
        )
        lines = wrapped(text, width)
        # Marks that may not begin a line go with the letter before them, whatever they are.
        spare = max(cell_len(word) for word in text.split())
        assert all(cell_len(line) <= max(width, spare + 2) for line in lines), seed
        assert "".join("".join(lines).split()) == "".join(text.split())


def test_no_closing_mark_begins_a_line() -> None:
    lines = wrapped("牌を、" * 40 + "（山）。" * 20, 41)
    assert len(lines) > 5
    assert not any(line.strip()[0] in "、。）" for line in lines)
    assert not any(line.rstrip()[-1] == "（" for line in lines)


def test_two_columns_where_it_is_wide() -> None:
    head = Paragraph("Head", "over all")
    body = [Paragraph(f"P{n}", f"word{n} " * 80) for n in range(6)]
    narrow, wide = sheet(head, body, (WIDE - 2) // 2), sheet(head, body, WIDE)
    assert len(wide) - 1 == len(narrow) // 2
    assert wide[0].plain == narrow[0].plain == "Head  over all"
    half = (WIDE - 2) // 2
    read = [line.plain[:half] for line in wide[1:]] + [line.plain[half:] for line in wide[1:]]
    said = " ".join(" ".join(read).split())
    assert said == " ".join(f"{one.heading} {one.text}".strip() for one in body)
    assert all(cell_len(line.plain) <= WIDE for line in wide)
