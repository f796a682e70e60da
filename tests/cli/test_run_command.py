"""`tablectl run` as a process of its own, and the commands that find it: what each of them answers,
and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.processes import PATIENCE, Process, daemon, eventually
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tablectl.app import daemon_file
from tablectl.app.config import Config
from tablectl.cli import run as run_command
from tablectl.cli.client import client
from tablectl.errors import TablectlError
from tablectl.journal.store import Journal

STOP_WITHIN = 3.0


@pytest.fixture(autouse=True)
def nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No configuration and no daemon but those of the test."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "none"))
    monkeypatch.delenv("TABLECTL_STATE", raising=False)
    monkeypatch.delenv("TABLECTL_CONFIG", raising=False)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """One daemon for all tests that leave it as it is; it ends by Ctrl-C, and all is well."""
    with daemon(tmp_path_factory.mktemp("parlour")) as found:
        yield found
        assert found.end(signal.SIGINT) == 0, found.err


@pytest.fixture
def state(running: Process) -> str:
    """Its state directory."""
    return running.out.split("state ")[1].split("\n")[0].strip()


# ── start and stop ──────────────────────────────────────────────────────────────────────────────


def test_it_stops_in_time_while_somebody_follows(tmp_path, tablectl):
    state = tmp_path / "state"
    with daemon(tmp_path, "--json") as found:
        [about] = found.messages()
        assert about["state"] == str(state)
        assert about["tables"] == [
            {"url": "sim:presence:east", "name": "east", "preset": "ramen-jiro"}
        ]
        said = daemon_file.read(state)
        assert said is not None
        assert (said.pid, said.url) == (found.process.pid, about["url"])
        [table] = tablectl("tables", "--state", str(state), "--json").json["tables"]
        stream = about["url"].replace("http", "ws") + "/api/v1/stream"
        with connect(stream, proxy=None) as following:
            following.send(json.dumps({"table": table["table"]}))
            assert json.loads(following.recv(PATIENCE))["state"]["game"]["preset"] == "ramen-jiro"
            began = time.monotonic()
            assert found.end() == 0, found.err
            assert time.monotonic() - began < STOP_WITHIN
            last = []
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    last.append(json.loads(following.recv(PATIENCE)))
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code in (1012, 1013)
        assert daemon_file.read(state) is None
        lines = [json.loads(line) for line in found.err.splitlines()]
        assert [line["event"] for line in lines if line["event"] != "ready"] == [
            "started", "stopping", "stopped",
        ]  # fmt: skip
        assert all(line["level"] == "info" and line["timestamp"] for line in lines)


def test_a_second_daemon_is_refused_by_the_first_one_s_file(tablectl, running, state):
    found = tablectl("run", "--table", "sim:presence", "--preset", "ramen-jiro", "--state", state)
    assert found.status == 1
    assert found.out == ""
    assert "cli.runs" in found.err
    assert f"process {running.process.pid}, at http://127.0.0.1:" in found.err
    assert tablectl("tables", "--state", state).status == 0


def test_a_daemon_whose_journal_another_one_writes(tablectl, tmp_path):
    with Journal(tmp_path / "journal.sqlite"):
        arguments = ("--table", "manual:p", "--preset", "ramen-jiro", "--state", str(tmp_path))
        found = tablectl("run", *arguments, "--json")
    assert (found.status, found.error["code"]) == (1, "journal.locked")
    assert str(os.getpid()) in found.error["message"]
    assert daemon_file.read(tmp_path) is None


def test_a_state_directory_that_cannot_be_made(tablectl, tmp_path):
    (tmp_path / "file").touch()
    where = str(tmp_path / "file" / "state")
    arguments = ("--table", "manual:p", "--preset", "ramen-jiro", "--state", where)
    found = tablectl("run", *arguments, "--json")
    assert (found.status, found.error["code"], found.error["where"]) == (1, "cli.state", where)


def test_a_daemon_that_was_killed_is_none(tmp_path, tablectl):
    with daemon(tmp_path) as found:
        found.end(signal.SIGKILL)
    assert daemon_file.read(tmp_path / "state") is not None
    refused = tablectl("tables", "--state", str(tmp_path / "state"), "--json")
    assert (refused.status, refused.error["code"]) == (1, "cli.no_daemon")
    with daemon(tmp_path) as found:
        assert found.end() == 0


def test_a_daemon_that_was_killed_and_not_buried_is_none_either(tmp_path, tablectl):
    with daemon(tmp_path) as found:
        here = client(state=tmp_path / "state")
        os.kill(found.process.pid, signal.SIGKILL)
        stat = Path(f"/proc/{found.process.pid}/stat")
        eventually(lambda: ") Z " in stat.read_text())
        refused = tablectl("tables", "--state", str(tmp_path / "state"), "--json")
        assert (refused.status, refused.error["code"]) == (1, "cli.no_daemon")
        with pytest.raises(TablectlError) as gone:
            here.get("/healthz")
        assert gone.value.code == "cli.no_daemon"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--table", "sim:presence"], "cli.pairs"),
        (["--table", "sim:nothing", "--preset", "ramen-jiro"], "config.invalid"),
        (["--table", "sim:stock", "--preset", "ramen"], "config.invalid"),
        (["--config", "nowhere.toml"], "config.file"),
    ],
)
def test_a_call_that_cannot_be_read(tablectl, tmp_path, arguments, code):
    found = tablectl("run", *arguments, "--state", str(tmp_path), "--json")
    assert (found.status, found.error["code"]) == (2, code)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (TablectlError("journal.newer", found=9, known=1), "the journal has format 9"),
        (ZeroDivisionError("of 3"), "ZeroDivisionError: of 3"),
    ],
)
def test_a_daemon_that_cannot_go_on_says_why(monkeypatch, error, shown):
    said: list[tuple[str, Any]] = []

    @contextlib.asynccontextmanager
    async def parlour(*_: Any) -> Any:
        failed = asyncio.get_running_loop().create_future()
        failed.set_exception(error)
        yield SimpleNamespace(daemon=SimpleNamespace(failed=failed), url="http://x", state="s")
        said.append(("closed", None))

    monkeypatch.setattr(run_command, "parlour", parlour)

    def log(event: str, **values: Any) -> None:
        said.append((event, values))

    with pytest.raises(TablectlError) as ended:
        asyncio.run(run_command.serve(Config(), Path("s"), log, lambda about: None))
    assert (ended.value.code, ended.value.status) == ("cli.failed", 1)
    assert shown in "\n".join(ended.value.lines())
    assert [event for event, _ in said] == ["started", "failed"]


def test_the_second_ctrl_c_ends_it_at_once(tmp_path):
    code = """
import asyncio, time
from tablectl.cli.parlour import until_signalled
async def work():
    with until_signalled() as stop:
        print("waits", flush=True)
        await stop.wait()
        print("stops", flush=True)
        time.sleep(600)
asyncio.run(work())
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as stubborn:
        assert stubborn.stdout is not None
        for word in ("waits\n", "stops\n"):
            assert stubborn.stdout.readline() == word
            stubborn.send_signal(signal.SIGINT)
        assert stubborn.wait(PATIENCE) == -signal.SIGINT


# ── what others ask ─────────────────────────────────────────────────────────────────────────────


def test_tables(tablectl, state):
    listed = tablectl("tables", "--state", state)
    assert listed.status == 0
    for word in ("east", "sim presence", "ready", "ramen-jiro"):
        assert word in listed.out
    [about] = tablectl("tables", "--state", state, "--json").json["tables"]
    assert about["name"] == "east"
    assert tablectl("tables", "east", "--state", state, "--json").json["table"] == about["table"]
    more = tablectl("tables", about["table"][:6], "--state", state)
    assert more.status == 0
    for word in ("presence_live", "116 tiles", "points 35000, 35000, 35000"):
        assert word in more.out


def test_select_and_note(tablectl, state):
    shown = tablectl("select", "east", "ramen-jiro", "--state", state)
    assert shown.status == 0, shown.err
    assert "number 5" in shown.out
    found = tablectl("select", "east", "ramen-jiro", "--number", "5", "--state", state, "--json")
    assert (found.json["number"], found.json["result"]) == (5, "done")
    noted = tablectl("note", "east", "riichi-4p=1", "--verified", "--state", state)
    assert (noted.status, noted.out) == (0, "Noted: riichi-4p is number 1 at east.\n")
    more = tablectl("tables", "east", "--state", state)
    assert "riichi-4p is number 1, verified" in more.out
    against = tablectl("note", "east", "riichi-3p=1", "--state", state)
    assert against.out.startswith("Noted: riichi-3p is number 1 at east.\nOne number cannot build")
    assert "\nNumber 1 is not riichi-3p" in against.out
    for known in ("riichi-3p=", "riichi-4p="):
        assert "Nothing is noted of" in tablectl("note", "east", known, "--state", state).out
    assert "riichi-4p is number" not in tablectl("tables", "east", "--state", state).out
    assert "number 1 → 5" in more.out or "number 5" in more.out


def test_pair(tablectl, state):
    shown = tablectl("pair", "--state", state)
    code, text = shown.out.splitlines()
    assert shown.status == 0
    assert (len(code), code.isdigit()) == (6, True)
    assert "120 s" in text
    assert set(tablectl("pair", "--state", state, "--json").json) == {"code", "seconds"}


@pytest.mark.parametrize(
    ("arguments", "status", "code", "word"),
    [
        (["select", "west", "ramen-jiro"], 1, "app.table", "west"),
        (["tables", "west"], 1, "app.table", "west"),
        (["watch", "west"], 1, "app.table", "west"),
        (["note", "we st?", "ramen-jiro=5"], 1, "app.table", "we st?"),
        (["select", "east", "ramen-jirp"], 2, "preset.unknown", "Did you mean ramen-jiro?"),
        (["select", "east", "Ramen-Jiro"], 2, "preset.unknown", "Did you mean ramen-jiro?"),
        (["select", "east", "./none.toml"], 2, "preset.file", "none.toml"),
        (["select", "east", "ramen-jiro", "--number", "99"], 1, "number.unknown", "99"),
        (["select", "east", "ramen-jiro", "--number", "1"], 1, "number.unfit", "136 tiles"),
        (["note", "east", "ramen-jiro"], 2, "cli.note", "ramen-jiro"),
    ],
)
def test_what_the_daemon_refuses_is_told_as_it_came(tablectl, state, arguments, status, code, word):
    people = tablectl(*arguments, "--state", state)
    assert (people.status, people.out) == (status, "")
    assert f"[{code}]" in people.err
    assert word in people.err
    programs = tablectl(*arguments, "--state", state, "--json")
    assert (programs.status, programs.error["code"]) == (status, code)
    assert programs.error["message"] in people.err


@pytest.mark.parametrize(
    ("text", "mode", "code", "status"),
    [("short\n", 0o600, "token.unreadable", 2), (None, 0o644, "token.loose", 1)],
)
def test_a_token_that_cannot_be_used(tablectl, state, text, mode, code, status):
    path = Path(state) / "token"
    kept = path.read_text()
    try:
        path.write_text(kept if text is None else text)
        path.chmod(mode)
        found = tablectl("select", "east", "ramen-jiro", "--state", state, "--json")
        assert (found.status, found.error["code"]) == (status, code)
        assert kept.strip() not in found.err
        assert tablectl("tables", "--state", state).status == 0
    finally:
        path.write_text(kept)
        path.chmod(0o600)


@pytest.mark.parametrize(
    "arguments",
    [["tables"], ["select", "east", "ramen-jiro"], ["note", "e", "ramen-jiro=5"], ["pair"],
     ["watch"]],
)  # fmt: skip
def test_without_a_daemon(tablectl, tmp_path, arguments):
    found = tablectl(*arguments, "--state", str(tmp_path), "--json")
    assert (found.status, found.error["code"]) == (1, "cli.no_daemon")
    assert "tablectl run" in found.error["hint"]


def test_a_daemon_that_does_not_answer(tablectl, tmp_path):
    daemon_file.write(tmp_path, "http://127.0.0.1:1")
    for command in (["tables"], ["watch"]):
        found = tablectl(*command, "--state", str(tmp_path), "--json")
        assert (found.status, found.error["code"]) == (1, "cli.daemon_silent")
        assert str(os.getpid()) in found.error["message"]


def test_the_configuration_says_where_the_daemon_is(tablectl, running, state, tmp_path):
    config = tmp_path / "here.toml"
    config.write_text(f'[daemon]\nstate = "{state}"\nprot = 3\n')
    assert tablectl("tables", "--config", str(config)).status == 0
