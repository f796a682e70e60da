"""`tablectl doctor`: every fault has one remedy, and nothing is opened or changed by looking."""

from __future__ import annotations

import json
import os
import pty
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tablectl.api import token
from tablectl.app import daemon_file
from tablectl.cli import checks
from tablectl.cli.listening import listener
from tablectl.core import facts
from tablectl.journal import file as journal_file
from tablectl.journal.store import Draft, Journal


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory that is not there yet, and no configuration."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = free.getsockname()[1]
    monkeypatch.setenv("TABLECTL_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("TABLECTL_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text(f"[daemon]\nport = {number}\n")
    return tmp_path / "state"


@pytest.fixture
def port() -> Iterator[str]:
    """A serial port."""
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    os.close(slave)
    yield path
    os.close(master)


@pytest.fixture
def ask(tablectl, state):
    """What doctor finds, by what it is about; whatever it finds, it leaves no trace."""

    def asked(*arguments: str) -> dict[str, Any]:
        before = everything(state.parent)
        done = tablectl("doctor", "--json", *arguments)
        assert everything(state.parent) == before
        found = json.loads(done.out)
        faults = [one for one in found["checks"] if not one["ok"]]
        assert (found["ok"], done.status) == (not faults, 1 if faults else 0)
        assert all(("remedy" in one) == (not one["ok"]) for one in found["checks"])
        return {one["about"]: one for one in found["checks"]}

    return asked


def everything(folder: Path) -> dict[str, bytes]:
    # Who reads a journal makes an empty log and its index beside it, and SQLite takes them away.
    files = (one for one in folder.rglob("*") if one.is_file())
    files = (one for one in files if not one.name.endswith(("-shm", "-wal")))
    return {str(one): one.read_bytes() for one in files}


def table(url: str, name: str = "east") -> str:
    return f'\n[[table]]\nurl = "{url}"\nname = "{name}"\npreset = "ramen-jiro"\n'


def configured(state: Path, *tables: str) -> None:
    path = state.parent / "config.toml"
    path.write_text(path.read_text() + "".join(tables))


def journal(state: Path) -> Path:
    path = state / "journal.sqlite"
    with Journal(path) as made:
        made.commit([Draft("east", "p:1", facts.Settled(points=(0, 0, 0), chips=(0, 0, 0)))])
    return path


def holding(*paths: str) -> subprocess.Popen[bytes]:
    """A process that has files open until its input ends."""
    code = (
        "import os, sys\n"
        "for path in sys.argv[1:]: os.open(path, os.O_RDWR | os.O_NOCTTY)\n"
        "print(flush=True); input()\n"
    )
    made = subprocess.Popen(
        [sys.executable, "-c", code, *paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert made.stdout is not None
    made.stdout.readline()
    return made


def test_a_new_machine_has_nothing_wrong(ask, state, tablectl):
    found = ask()
    assert list(found) == [
        "python", "configuration", "state", "journal", "token", "daemon", "http", "clock",
    ]  # fmt: skip
    assert not state.exists()
    said = tablectl("doctor")
    assert (said.status, said.err) == (0, "")
    assert said.out.rstrip().endswith("Nothing is wrong.")


def test_without_a_configuration_it_is_said_where_one_would_be(ask, state, monkeypatch):
    monkeypatch.delenv("TABLECTL_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(state.parent / "none"))
    found = ask()["configuration"]
    assert str(state.parent / "none" / "tablectl" / "config.toml") in found["found"]


def test_every_mistake_of_the_configuration_is_told(tablectl, state):
    configured(state, 'adress = "127.0.0.1"\n', table("sim:presense"), table("manual:a"))
    done = tablectl("doctor", "--json")
    told = [one for one in done.json["checks"] if one["about"] == "configuration"]
    assert [one["code"] for one in told] == ["config.key", "config.model", "config.twice"]
    assert [one["where"].rpartition(":")[2] for one in told] == ["3", "6", "12"]
    assert done.status == 1
    shown = tablectl("doctor").out
    assert "did you mean 'presence'?" in " ".join(shown.split())
    assert "3 faults, above." in shown


def test_a_configuration_that_is_not_there(ask, state):
    found = ask("--config", str(state.parent / "none.toml"))["configuration"]
    assert (found["ok"], found["code"]) == (False, "config.file")


# ── ports ───────────────────────────────────────────────────────────────────────────────────────


def test_ports_of_tables(ask, state, port):
    (state.parent / "folder").mkdir()
    configured(
        state,
        table(f"serial:{port}", "a"),
        table("serial:/dev/no/such/port", "b"),
        table(f"serial:{state.parent}/folder", "c"),
        table("tcp:127.0.0.1:9", "d"),
        table("manual:corner", "e"),
    )
    found = ask()
    assert {name: found[f"table {name}"].get("code") for name in "abcde"} == {
        "a": None, "b": "link.port_absent", "c": "link.no_port", "d": None, "e": None,
    }  # fmt: skip
    assert found["table a"]["found"] == f"{port} is free"


def test_a_port_in_use_says_by_whom_unless_it_is_the_daemon(ask, state, port, monkeypatch):
    configured(state, table(f"serial:{port}"))
    other = holding(port)
    try:
        found = ask()["table east"]
        assert found["code"] == "link.port_busy"
        assert f"(process {other.pid})" in found["found"]
        monkeypatch.setattr(daemon_file.os, "getpid", lambda: other.pid)
        daemon_file.write(state, "http://127.0.0.1:1")
        monkeypatch.undo()
        monkeypatch.setenv("TABLECTL_STATE", str(state))
        monkeypatch.setenv("TABLECTL_CONFIG", str(state.parent / "config.toml"))
        found = ask()
        assert found["table east"]["found"] == f"{port} is in use by the daemon that runs"
        assert f"process {other.pid}" in found["daemon"]["found"]
        assert "http" not in found
    finally:
        other.communicate(b"\n")


def test_a_port_that_may_not_be_opened_names_one_command(ask, state, port, monkeypatch):
    configured(state, table(f"serial:{port}"))
    # Root may everything: that another user may not is tested with the ports themselves.
    monkeypatch.setattr(checks.ports, "may_open", lambda path: False)
    found = ask()["table east"]
    assert found["code"] == "link.port_denied"
    assert found["remedy"].startswith(("sudo ", "log out"))


# ── state, journal, token ───────────────────────────────────────────────────────────────────────


def test_a_state_directory_that_is_a_file(ask, state):
    state.write_text("")
    found = ask()
    assert "is no folder" in found["state"]["found"]
    assert str(state) in found["state"]["remedy"]


AS_NOBODY = """
import grp, os, pwd, sys
import rich.table, rich.text, serial.tools.list_ports
import tablectl.app.config_read, tablectl.cli.console
from tablectl.cli import doctor
os.setgroups([]); os.setgid(65534); os.setuid(65534)
sys.exit(doctor.run(None, as_json=True))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user")
def test_another_users_state_has_a_remedy_that_mends_it(monkeypatch, tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    [open_to_all] = [one.parent for one in base.parents if one.name.startswith("pytest-of-")]
    with tempfile.TemporaryDirectory(dir=open_to_all) as folder:
        # Everybody may look for the state there; what pytest makes is for its owner only.
        os.chmod(folder, 0o755)
        state = Path(folder, "above", "state")
        monkeypatch.setenv("TABLECTL_STATE", str(state))
        monkeypatch.setenv("TABLECTL_CONFIG", f"{folder}/config.toml")
        Path(folder, "config.toml").write_text("")
        state.mkdir(parents=True)
        journal(state)
        token.ensure_token(state / token.FILE)

        def found() -> dict[str, Any]:
            done = subprocess.run(
                [sys.executable, "-c", AS_NOBODY],
                capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
            )  # fmt: skip
            assert done.stderr == ""
            return {one["about"]: one for one in json.loads(done.stdout)["checks"]}

        own = "take one of your own: tablectl run --state DIR"
        state.chmod(0o700)
        said = found()
        assert said["state"]["remedy"] == f"sudo chown -R $USER {state}; or {own}"
        assert said["token"]["code"] == "token.unreadable"
        # What lies above it is more than the state, and stays whose it is.
        state.parent.chmod(0o700)
        assert found()["state"]["remedy"] == own
        # The daemon of another user may be looked at by everybody who can see its file.
        daemon_file.write(state, "http://127.0.0.1:1")
        for one in (state.parent, state):
            one.chmod(0o755)
        (state / daemon_file.FILE).chmod(0o644)
        assert found()["state"]["ok"]


def test_a_state_directory_that_may_not_be_made(state, monkeypatch):
    place = checks.Place(checks.Config(), state, None)
    monkeypatch.setattr(checks.os, "access", lambda path, mode: mode == os.X_OK)
    [found] = checks.the_state(place)
    assert found.remedy == f"sudo install -d -o $USER -m 700 {state}"
    state.mkdir()
    [found] = checks.the_state(place)
    assert found.remedy == f"chmod u+rwx {state}"


def test_a_disk_with_little_room(ask, state, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=5 << 20))
    found = ask()["state"]
    assert "only 5 MiB free" in found["found"]


def test_a_sound_journal_and_who_writes_it(ask, state):
    path = journal(state)
    assert ask()["journal"]["found"] == f"{path}: sound"
    writer = holding(f"{path}.lock")
    try:
        assert f"written by {writer_name(writer)}" in ask()["journal"]["found"]
    finally:
        writer.communicate(b"\n")
    with Journal(path):  # to look is no fault while it is open for writing, and takes no lock
        assert ask()["journal"]["ok"]


def writer_name(process: subprocess.Popen[bytes]) -> str:
    name = Path(f"/proc/{process.pid}/comm").read_text().strip()
    return f"{name} (process {process.pid})"


def change(path: Path, statement: str) -> None:
    db = sqlite3.connect(path)
    db.execute(statement)
    db.commit()
    db.close()


def test_an_older_journal_is_no_fault(ask, state, monkeypatch):
    journal(state)
    monkeypatch.setattr(journal_file, "FORMAT", journal_file.FORMAT + 1)
    found = ask()["journal"]
    assert found["ok"]
    assert f"brings it to {journal_file.FORMAT}" in found["found"]


def newer(path: Path) -> None:
    change(path, "PRAGMA user_version = 99")


def of_another(path: Path) -> None:
    change(path, "PRAGMA application_id = 7")


def changed_entry(path: Path) -> None:
    change(path, "UPDATE entry SET crc = crc + 1")


def rubbish(path: Path) -> None:
    path.write_bytes(os.urandom(4096))


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (newer, "journal.newer"),
        (of_another, "journal.not_ours"),
        (changed_entry, "journal.damaged"),
        (rubbish, "journal.damaged"),
    ],
)
def test_a_journal_that_cannot_be_used(ask, state, spoil, code):
    spoil(journal(state))
    assert ask()["journal"]["code"] == code


def test_a_token_that_others_may_read_is_a_fault_and_is_not_shown(ask, tablectl, state):
    secret, _ = token.ensure_token(state / token.FILE)
    assert ask()["token"]["ok"]
    (state / token.FILE).chmod(0o644)
    assert ask()["token"]["code"] == token.LOOSE
    assert secret not in tablectl("doctor").out


# ── daemon, address, clock ──────────────────────────────────────────────────────────────────────


def test_what_a_killed_daemon_left_behind(ask, state):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    state.mkdir()
    body = {"pid": ended.pid, "url": "http://h:1", "started": 1, "version": "0"}
    (state / daemon_file.FILE).write_text(json.dumps(body))
    found = ask()["daemon"]
    assert found["ok"], "a daemon starts all the same"
    assert f"process {ended.pid} was killed" in found["found"]
    (state / daemon_file.FILE).write_text("{")
    assert ask()["daemon"]["code"] == "app.daemon_file"


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_an_address_that_another_program_has(ask, state, host, monkeypatch):
    with socket.create_server((host, 0)) as server:
        number = server.getsockname()[1]
        (state.parent / "config.toml").write_text(f"[daemon]\nport = {number}\n")
        found = ask()["http"]
        assert not found["ok"]
        assert f"port {number} is taken by another program" in found["found"]
        # A program at another address is in nobody's way.
        assert (listener("127.9.9.9", number) is None) == (host == "127.0.0.1")
        assert listener("0.0.0.0", number) is not None
    assert ask()["http"]["ok"]


def test_who_listens_is_read_from_the_kernels_tables(tmp_path):
    if sys.byteorder != "little":
        pytest.skip("the lines below are those of a little-endian machine")
    head = "  sl  local_address rem_address   st tx rx tr tm uid timeout inode\n"
    tail = "00000000:0000 {} 00000000:00000000 00:00000000 00000000     0        0 1 1\n"
    (tmp_path / "tcp").write_text(
        head + f"   0: 0100007F:1FC8 {tail.format('0A')}   1: 0100007F:1FC9 {tail.format('01')}"
    )
    (tmp_path / "tcp6").write_text(
        head + f"   0: {'0' * 32}:1FCA {tail.format('0A')}"
        f"   1: 0000000000000000FFFF00000100007F:1FCB {tail.format('0A')}"
    )
    found = {
        (address, port): listener(address, port, tmp_path) is not None
        for address in ("127.0.0.1", "127.0.0.2", "::1", "0.0.0.0")
        for port in range(0x1FC8, 0x1FCD)
    }
    assert {key for key, taken in found.items() if taken} == {
        ("127.0.0.1", 0x1FC8), ("0.0.0.0", 0x1FC8),
        *((address, 0x1FCA) for address in ("127.0.0.1", "127.0.0.2", "::1", "0.0.0.0")),
        ("127.0.0.1", 0x1FCB), ("0.0.0.0", 0x1FCB),
    }  # fmt: skip
    assert listener("127.0.0.1", 1, tmp_path / "none") is None


def test_a_clock_that_goes_wrong(state):
    state.mkdir()
    place = checks.Place(checks.Config(), state, None)
    assert checks.clock(place, time.time()).ok
    early = checks.clock(place, 86_400.0)
    assert "before this version" in early.found
    assert early.remedy == "sudo timedatectl set-ntp true"
    (state / "journal.sqlite").write_text("")
    os.utime(state / "journal.sqlite", (time.time() + 7200, time.time() + 7200))
    assert not checks.clock(place, time.time()).ok
    assert checks.clock(place, time.time() + 7200).ok


def test_a_python_that_is_too_old():
    assert checks.python((3, 10, 9)).remedy == "Install Python 3.11 or newer."
    assert checks.python().ok


def test_no_port_is_opened(ask, state, port, monkeypatch):
    configured(state, table(f"serial:{port}"))
    opened: list[str] = []
    real = os.open

    def told(path: Any, *rest: Any, **more: Any) -> int:
        opened.append(str(path))
        return real(path, *rest, **more)

    monkeypatch.setattr(os, "open", told)
    monkeypatch.setattr("serial.Serial", lambda *_, **__: opened.append("serial"))
    ask()
    assert port not in opened
    assert "serial" not in opened
