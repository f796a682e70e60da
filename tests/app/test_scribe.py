"""Lines appended to files by a thread: in order, bounded, what is lost is counted and said."""

from __future__ import annotations

import errno
import json
import os
import threading

import pytest

from tablectl.app.scribe import Scribe


class Gate:
    """Holds a scribe's thread at its disk until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open = threading.Event()
        self.reached = threading.Event()
        append = Scribe._append

        def held(scribe: Scribe, *about: object) -> None:
            self.reached.set()
            assert self.open.wait(30)
            append(scribe, *about)  # type: ignore[arg-type]

        monkeypatch.setattr(Scribe, "_append", held)


def test_lines_come_in_order_into_the_file_of_their_name(tmp_path):
    scribe = Scribe(tmp_path / "captures", lambda: 5)
    for n in range(1000):
        scribe.write("east", json.dumps({"at": n}))
        scribe.write("../west", json.dumps({"at": -n}))
    scribe.close()
    names = sorted(path.name for path in (tmp_path / "captures").iterdir())
    assert names == ["%2E.%2Fwest.jsonl", "east.jsonl"]
    for name, sign in zip(names, (-1, 1), strict=True):
        path = tmp_path / "captures" / name
        found = [json.loads(line)["at"] for line in path.read_text().splitlines()]
        assert found == [sign * n for n in range(1000)]
        assert path.stat().st_mode & 0o777 == 0o600
    again = Scribe(tmp_path / "captures", lambda: 5)
    again.write("east", "{}")
    again.close()
    assert len((tmp_path / "captures" / "east.jsonl").read_text().splitlines()) == 1001


def test_what_finds_no_room_is_counted_and_said_in_its_place(tmp_path, monkeypatch):
    gate = Gate(monkeypatch)
    scribe = Scribe(tmp_path, lambda: 77, most_waiting=3)
    scribe.write("east", "first")
    assert gate.reached.wait(30)
    for n in range(10):
        scribe.write("east", f"line {n}")
    scribe.write("west", "another's")
    gate.open.set()
    while scribe._waiting:
        pass
    scribe.write("east", "later")
    scribe.close()
    assert (tmp_path / "east.jsonl").read_text().splitlines() == [
        "first",
        "line 0",
        "line 1",
        "line 2",
        '{"at": 77, "lost": 7}',
        "later",
    ]
    assert (tmp_path / "west.jsonl").read_text() == "another's\n"


def test_a_large_file_moves_up_and_three_are_kept(tmp_path):
    scribe = Scribe(tmp_path, lambda: 0, largest=100)
    for n in range(12):
        scribe.write("east", f"{n:02}" + "x" * 60)
        while scribe._waiting or not _has(tmp_path, f"{n:02}"):
            pass
    scribe.close()
    found = {path.name: path.read_text()[:2] for path in tmp_path.iterdir()}
    assert found == {
        "east.jsonl": "11",
        "east.jsonl.1": "10",
        "east.jsonl.2": "09",
        "east.jsonl.3": "08",
    }


def _has(folder, text: str) -> bool:
    try:
        return text in (folder / "east.jsonl").read_text()
    except FileNotFoundError:
        return False  # not made yet, or just moved up


def test_a_disk_that_fails_loses_lines_and_says_how_many_when_it_is_well(tmp_path, monkeypatch):
    write = os.write

    def full(file: int, data: bytes) -> int:
        if len(data) > 5:
            return write(file, data[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    scribe = Scribe(tmp_path, lambda: 9)
    scribe.write("east", "whole")
    while not _has(tmp_path, "whole"):
        pass
    monkeypatch.setattr(os, "write", full)
    for n in range(4):
        scribe.write("east", f"lost line {n}")
    while scribe.failing is None or scribe._missing.get("east") != 4:
        pass
    assert scribe.failing == "No space left on device"
    monkeypatch.undo()
    scribe.write("east", "again")
    scribe.close()
    assert scribe.failing is None
    assert (tmp_path / "east.jsonl").read_text() == 'whole\n{"at": 9, "lost": 4}\nagain\n'


def test_closing_writes_what_waits_and_ends_the_thread(tmp_path, monkeypatch):
    scribe = Scribe(tmp_path / "none", lambda: 0)
    scribe.close()
    assert not (tmp_path / "none").exists()
    gate = Gate(monkeypatch)
    scribe = Scribe(tmp_path, lambda: 0)
    for n in range(50):
        scribe.write("east", str(n))
    scribe.close(0.01)
    assert scribe._thread.is_alive(), "a disk that hangs keeps nobody"
    gate.open.set()
    scribe.close(30)
    assert not scribe._thread.is_alive()
    scribe.write("east", "too late")
    assert (tmp_path / "east.jsonl").read_text().splitlines() == [str(n) for n in range(50)]
