"""What a terminal is written: a frame in its place, only what has changed, and at last its page."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from support.views import RAMEN, lives

from tablectl.cli.rules import Rules
from tablectl.cli.shown import Told
from tablectl.cli.terminal import Terminal
from tablectl.cli.watch import NO_TABLES
from tablectl.errors import TablectlError

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
ABOUT = (Told("API", "http://x · seed 5"), Told("chosen", "number 5, 116 tiles"))


class _Rules(Rules):
    def __init__(self) -> None:
        super().__init__(Path("nowhere"))

    def of(self, view):
        return RAMEN if view["state"].get("game") else None


def on(width: int, height: int) -> tuple[Terminal, Console, io.StringIO]:
    file = io.StringIO()
    console = Console(
        file=file, width=width, height=height, highlight=False, color_system=None,
        force_terminal=True,
    )  # fmt: skip
    return Terminal(console, _Rules(), ABOUT), console, file


def rows_in(text: str) -> dict[int, str]:
    """What each row shows at last."""
    found = {}
    for row, shown in re.findall(r"\x1b\[(\d+);1H([^\x1b]*)", text):
        found[int(row)] = shown.rstrip()
    return found


def test_a_frame_and_the_page_before_it():
    terminal, _, file = on(80, 24)
    view = lives("ramen-jiro")["playing"]
    terminal.message({}, view)
    text = file.getvalue()
    assert text.startswith(ENTER)
    assert "\n" not in text
    rows = rows_in(text)
    assert sorted(rows) == list(range(1, 25))
    assert rows[24].startswith(f"fact {view['seq']} · Ctrl-C ends · ")
    assert "more facts in a larger window" in rows[24]
    terminal.message({}, view)
    assert file.getvalue() == text, "nothing has changed"
    terminal.leave()
    terminal.message({}, view)
    terminal.end()
    after = file.getvalue()[len(text) :]
    assert after.startswith("\x1b[?25h" + LEAVE)
    assert after.count(LEAVE) == 1
    assert f"API             {ABOUT[0].text}\n" in after
    assert f"chosen          {ABOUT[1].text}\n" in after
    assert "upper tiles above lower ones" in after, "the whole of it"
    terminal.end()
    assert file.getvalue().endswith(after)


def test_only_what_has_changed_is_written():
    terminal, _, file = on(80, 24)
    view = lives("ramen-jiro")["playing"]
    terminal.message({}, view)
    first = len(file.getvalue())
    terminal.message({}, view | {"seq": view["seq"] + 1})
    assert list(rows_in(file.getvalue()[first:])) == [24]


def test_the_size_is_that_of_the_moment():
    terminal, console, file = on(150, 50)
    view = lives("ramen-jiro")["playing"]
    terminal.message({}, view)
    assert sorted(rows_in(file.getvalue())) == list(range(1, 51))
    for width, height in ((80, 24), (40, 5), (20, 1), (100, 40)):
        console.size = (width, height)
        before = len(file.getvalue())
        terminal.message({}, view)
        rows = rows_in(file.getvalue()[before:])
        assert sorted(rows) == list(range(1, height + 1))
        assert max(map(len, rows.values())) <= width


def test_what_was_chosen_is_shown_until_a_hand_has_walls():
    terminal, _, file = on(80, 24)
    before, after = lives("ramen-jiro")["none"], lives("ramen-jiro")["raised"]
    terminal.message({}, before)
    assert ABOUT[1].text in "\n".join(rows_in(file.getvalue()).values())
    terminal.message({}, after)
    rows = "\n".join(rows_in(file.getvalue()).values())
    assert ABOUT[1].text not in rows
    assert ABOUT[0].text in rows


def test_a_daemon_that_is_lost_is_told_until_it_is_back():
    terminal, _, file = on(80, 24)
    view = lives("ramen-jiro")["playing"]
    terminal.message({}, view)
    terminal.away(TablectlError(NO_TABLES))
    rows = "\n".join(rows_in(file.getvalue()).values())
    assert "daemon lost" in rows
    assert "It is tried again." in rows
    terminal.message({}, view)
    assert "daemon lost" not in "\n".join(rows_in(file.getvalue()).values())


def test_nothing_was_shown_and_nothing_is_printed():
    terminal, _, file = on(80, 24)
    terminal.end()
    assert file.getvalue() == ""
