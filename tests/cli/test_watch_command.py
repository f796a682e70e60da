"""`tablectl watch`: what it gives to programs, to a pipe and to a terminal, whatever is lost."""

from __future__ import annotations

import contextlib
import json
import signal
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from support.processes import daemon, eventually, process
from support.terminals import ENTER, LEAVE, terminal
from websockets.exceptions import ConnectionClosedOK

from tablectl.cli import watch


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The state directory of a daemon for all tests that leave it as it is."""
    folder = tmp_path_factory.mktemp("parlour")
    with daemon(folder):
        yield str(folder / "state")


def test_watch_gives_programs_the_messages(tablectl, state, tmp_path):
    with process(tmp_path, "watch", "watch", "east", "--state", state, "--json") as watching:
        first = eventually(watching.messages)[0]
        assert {"table", "seq", "state"} == set(first)
        tablectl("select", "east", "ramen-jiro", "--state", state)
        news = eventually(lambda: [m for m in watching.messages() if "changes" in m])
        assert news[0]["seq"] == first["seq"] + 1
        assert watching.end(signal.SIGINT) == 0
        assert watching.err == ""


def test_watch_goes_on_where_it_was_when_the_daemon_is_back(tmp_path, tablectl):
    state = str(tmp_path / "state")
    with contextlib.ExitStack() as open_:
        first = open_.enter_context(daemon(tmp_path))
        with process(tmp_path, "watch", "watch", "--state", state) as watching:
            watching.says("game: ラーメン二郎 (華8) (ramen-jiro)")
            assert watching.out.startswith("fact ")
            assert first.end(signal.SIGKILL) == -signal.SIGKILL
            watching.says("now  daemon lost: ")
            with daemon(tmp_path):
                watching.says("link: ready\n" if "link lost" in watching.out else "link: ")
                tablectl("select", "east", "riichi-4p", "--state", state)
                watching.says("select")
                assert watching.out.count("\n  table: east") == 1
                assert watching.end(signal.SIGINT) == 0


def test_a_link_that_is_lost_is_told_and_that_it_is_back(tmp_path):
    state, simulated = str(tmp_path / "state"), "from tablesim.cli import main; main()"
    arguments = ("--model", "presence", "--name", "t")
    with contextlib.ExitStack() as open_:
        table = open_.enter_context(
            process(tmp_path, "table", "--tcp", "0", *arguments, main=simulated)
        )
        table.says("tcp:127.0.0.1:")
        port = table.out.split("tcp:127.0.0.1:")[1].split()[0]
        kept = open_.enter_context(daemon(tmp_path, url=f"tcp:127.0.0.1:{port}"))
        watching = open_.enter_context(process(tmp_path, "watch", "watch", "--state", state))
        watching.says("link: ready")
        table.end(signal.SIGKILL)
        watching.says("link lost: it ")
        lost = watching.out.count("link: ready")
        again = (*arguments, "--boot", "2")
        open_.enter_context(process(tmp_path, "again", "--tcp", port, *again, main=simulated))
        eventually(lambda: watching.out.count("link: ready") > lost, lambda: watching.out)
        assert kept.end() == 0
        events = [line.split()[2] for line in kept.err.splitlines()]
        assert [event for event in events if event in ("lost", "back")] == ["lost", "back"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_watch_draws_in_a_terminal_and_gives_it_back(state, number):
    with terminal("watch", "--state", state, columns=100, rows=20) as shown:
        shown.says(b"Ctrl-C ends")
        assert shown.out.count(ENTER) == 1
        assert b"points 35000, 35000, 35000" in shown.out
        shown.resize(60, 12)
        shown.says(b"\x1b[12;1H")
        assert b"\x1b[21;1H" not in shown.out
        assert shown.end(number) == 0
        screen, _, printed = shown.out.rpartition(LEAVE)
        assert screen.count(ENTER) == 1
        assert LEAVE not in screen
        assert b"\n" not in screen.partition(ENTER)[2], "a line feed may scroll"
        assert b"35000, 35000, 35000" in printed


def test_an_error_gives_the_terminal_back_too(tmp_path):
    with daemon(tmp_path) as kept, terminal("watch", "--state", str(tmp_path / "state")) as shown:
        shown.says(b"Ctrl-C ends")
        kept.end(signal.SIGKILL)
        shown.says(b"daemon lost")
        assert shown.end(signal.SIGINT) == 0
        assert shown.out.count(LEAVE) == 1


def test_of_messages_that_wait_only_the_last_is_drawn(monkeypatch, tmp_path):
    waiting = [[1, 2, 3], [4], [], [5, 6]]

    class Connection:
        def recv(self, timeout: float | None = None) -> str:
            if waiting and not waiting[0]:
                waiting.pop(0)
                raise TimeoutError
            if not waiting:
                raise ConnectionClosedOK(None, None)
            return json.dumps({"seq": waiting[0].pop(0)})

    found = []
    with pytest.raises(ConnectionClosedOK):
        for message, more in watch.arriving(Connection()):
            found.append((message["seq"], more))
    assert found == [(1, True), (2, True), (3, False), (4, False), (5, True), (6, False)]

    class Drawn:
        each = False
        seen: ClassVar[list[int]] = []

        def message(self, message: Any, view: Any) -> None:
            self.seen.append(view["seq"])

        def end(self) -> None:
            self.seen.append(-1)

        def resizing(self) -> Any:
            return contextlib.nullcontext()

    def messages(*_: Any) -> Any:
        for seq, more in found:
            yield {"seq": seq, "state": {}}, more
        raise KeyboardInterrupt

    monkeypatch.setattr(watch, "messages", messages)
    monkeypatch.setattr(watch, "screen_of", lambda *_, **__: Drawn())
    fake = SimpleNamespace(state=tmp_path, table=lambda name: {"table": name})
    monkeypatch.setattr("tablectl.cli.client.client", lambda *_: fake)
    assert watch.run("t", None, None, as_json=False) == 0
    assert Drawn.seen == [3, 4, 6, -1]
