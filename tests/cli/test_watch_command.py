"""`tablectl watch`: what it gives to programs, to a pipe and to a terminal, whatever is lost."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from support.processes import MAIN, PATIENCE, daemon, eventually, process


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
        assert watching.end(signal.SIGINT) == 130
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
                assert watching.end(signal.SIGINT) == 130


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
        watching.says("link lost: lost: ")
        lost = watching.out.count("link: ready")
        again = (*arguments, "--boot", "2")
        open_.enter_context(process(tmp_path, "again", "--tcp", port, *again, main=simulated))
        eventually(lambda: watching.out.count("link: ready") > lost, lambda: watching.out)
        assert kept.end() == 0
        events = [line.split()[2] for line in kept.err.splitlines()]
        assert [event for event in events if event in ("lost", "back")] == ["lost", "back"]


def test_watch_draws_in_a_terminal(state, tmp_path):
    leader, follower = pty.openpty()
    try:
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "50"}
        with subprocess.Popen(
            [sys.executable, "-c", MAIN, "watch", "--state", state],
            stdin=subprocess.DEVNULL, stdout=follower, stderr=follower, env=environment,
        ) as watching:  # fmt: skip
            try:
                shown = b""
                while b"Ctrl-C ends" not in shown:
                    shown += os.read(leader, 65536)
                assert b"\x1b[2J" in shown
                assert b"points 35000, 35000, 35000" in shown
                watching.send_signal(signal.SIGINT)
                assert watching.wait(PATIENCE) == 130
            finally:
                watching.kill()
    finally:
        os.close(leader)
        os.close(follower)
