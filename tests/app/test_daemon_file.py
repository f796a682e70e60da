"""The file by which a daemon is found: written, stale, spoilt, another's."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tablectl import __version__
from tablectl.app import daemon_file
from tablectl.errors import TablectlError


@pytest.fixture
def ended() -> int:
    """The number of a process that has ended."""
    made = subprocess.Popen([sys.executable, "-c", ""])
    made.wait()
    return made.pid


def said(state: Path, **about: object) -> Path:
    body = {"pid": os.getpid(), "url": "http://h:1", "started": 1, "version": "0", **about}
    path = state / daemon_file.FILE
    path.write_text(json.dumps(body))
    return path


def test_a_daemon_is_found_until_it_takes_its_file_away(tmp_path):
    state = tmp_path / "a" / "b"
    assert daemon_file.running(state) is None
    written = daemon_file.write(state, "http://127.0.0.1:8136")
    assert (written.pid, written.version) == (os.getpid(), __version__)
    path = state / daemon_file.FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in state.iterdir()] == [path.name]
    assert daemon_file.running(state) == daemon_file.needed(state) == written
    daemon_file.remove(state)
    assert not path.exists()
    daemon_file.remove(state)


def test_where_none_runs_the_error_says_how_to_start_one(tmp_path, ended):
    for stale in (False, True):
        if stale:
            said(tmp_path, pid=ended)
            assert daemon_file.read(tmp_path).pid == ended
            assert daemon_file.running(tmp_path) is None
        with pytest.raises(TablectlError) as caught:
            daemon_file.needed(tmp_path)
        assert (caught.value.code, caught.value.status) == ("cli.no_daemon", 1)
        assert "tablectl run" in caught.value.hint


def test_another_process_with_its_number_is_not_it(tmp_path):
    daemon_file.write(tmp_path, "http://h:1")
    born = daemon_file.read(tmp_path).born
    assert born is not None
    said(tmp_path, born=born)
    assert daemon_file.running(tmp_path) is not None
    said(tmp_path, born=born + 1)
    assert daemon_file.running(tmp_path) is None


def test_the_file_of_another_daemon_stays(tmp_path, ended):
    path = said(tmp_path, pid=ended)
    daemon_file.remove(tmp_path)
    assert path.exists()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"pid": "1"}', "[" * 100_000]
    + [
        json.dumps({"pid": pid, "url": "u", "started": 1, "version": "0"})
        for pid in (0, -1, True, 1.5, None)
    ],
)
def test_a_spoilt_file_says_what_to_do(tmp_path, text):
    (tmp_path / daemon_file.FILE).write_text(text)
    with pytest.raises(TablectlError) as caught:
        daemon_file.running(tmp_path)
    assert caught.value.code == "app.daemon_file"
    assert caught.value.hint.startswith("Remove it")
    daemon_file.remove(tmp_path)


def test_a_number_that_no_process_can_have(tmp_path):
    said(tmp_path, pid=1 << 80)
    assert daemon_file.running(tmp_path) is None


def test_where_it_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TablectlError) as caught:
        daemon_file.write(tmp_path / "file", "http://h:1")
    assert caught.value.code == "app.daemon_unwritable"
