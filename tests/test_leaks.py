"""What a test leaves behind is found, each kind of it; and so is what blocks a loop."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from blockbuster import BlockingError
from support import leaks
from support.blocking import no_blocking

from tablectl.journal.faces import write_whole

TESTS = Path(__file__).parent
LEAVING = """
import asyncio, os, socket, subprocess, sys, tempfile, threading
import pytest
from support import leaks
leaks.PATIENCE = 0.3
kept = []

def test_descriptor():
    kept.append(os.pipe())

def test_port():
    kept.append(socket.create_server(("127.0.0.1", 0)))

def test_thread():
    kept.append(threading.Event())
    threading.Thread(target=kept[-1].wait, args=(60,), name="waits", daemon=True).start()

def test_process():
    kept.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

def test_loop():
    kept.append(asyncio.new_event_loop())

def test_task():
    async def work():
        asyncio.create_task(asyncio.sleep(60), name="sleeps")
    asyncio.run(work())

def test_file():
    kept.append(tempfile.mkdtemp(prefix="left"))

def test_link(tmp_path):
    (tmp_path / "port").symlink_to("/dev/pts/99999")

def test_failing():
    kept.append(os.pipe())
    assert 1 == 2

@pytest.fixture(scope="module")
def wide():
    pipe = os.pipe()
    yield
    for fd in pipe:
        os.close(fd)

def test_wide(wide):
    pass

def test_clean(wide, tmp_path):
    (tmp_path / "file").write_text("x")
    thread = threading.Thread(target=lambda: None)
    thread.start()
    async def work():
        await asyncio.to_thread(len, "x")
    asyncio.run(work())
    subprocess.run([sys.executable, "-c", ""], check=True)
    thread.join()

def test_over():
    for one in kept:
        if isinstance(one, tuple):
            for fd in one:
                os.close(fd)
    kept[1].close()
    kept[2].set()
    with kept[3] as process:
        process.communicate(b"x")
    kept[4].close()
    os.rmdir(kept[5])
"""
FOUND = {
    "descriptor": r"descriptor \d+: pipe:\[\d+\]; descriptor \d+: pipe:",
    "port": r"a port that listens at \('127.0.0.1', \d+\)",
    "thread": r"thread 'waits'",
    "process": r"process \d+: .*input\(\)",
    "loop": r"descriptor \d+: anon_inode:\[eventpoll\].* event loop <",
    "task": r"task 'sleeps' of sleep",
    "file": r"file .*left",
    "link": r"link port to /dev/pts/99999",
}


def test_every_kind_is_an_error_of_the_test_that_leaves_it(tmp_path):
    (tmp_path / "test_leaving.py").write_text(LEAVING)
    paths = (TESTS, TESTS.parent, TESTS.parent / "hardware")
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-p", "conftest", "-q", "-p", "no:cacheprovider",
            "--basetemp", tmp_path / "base", "--tb=line", "-ra", "test_leaving.py",
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths)), "COLUMNS": "1000"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    errors = dict(re.findall(r"ERROR test_leaving.py::test_(\w+) - (.*)", done.stdout))
    assert errors.keys() == FOUND.keys(), done.stdout + done.stderr
    for name, sentence in FOUND.items():
        assert re.search(sentence, errors[name]), errors[name]
    assert re.findall(r"FAILED test_leaving.py::test_(\w+)", done.stdout) == ["failing"]


def test_nothing_is_left_where_nothing_is_made():
    before = leaks.standing()
    assert leaks.left(before) == []


def test_what_is_on_its_way_out_is_waited_for():
    before, go = leaks.standing(), threading.Event()
    thread = threading.Thread(target=lambda: go.wait(5) and time.sleep(0.03))
    thread.start()
    assert leaks.left(before, patience=0) == [f"thread {thread.name!r}"]
    go.set()
    assert leaks.left(before) == []


def test_a_descriptor_that_is_another_one_is_found():
    reading, writing = os.pipe()
    os.close(writing)
    before = leaks.standing()
    with socket.socket() as other:
        os.dup2(other.fileno(), reading)
    try:
        [said] = leaks.left(before, patience=0)
        assert said.startswith(f"descriptor {reading}: socket:")
    finally:
        os.close(reading)


def test_looking_costs_less_than_a_millisecond():
    def took() -> float:
        begun = time.perf_counter()
        leaks.left(leaks.standing())
        return time.perf_counter() - begun

    assert min(took() for _ in range(50)) < 1e-3


@pytest.mark.parametrize("strict", [False, True])
def test_what_blocks_a_loop_is_an_error_in_it(tmp_path, strict):
    async def work() -> None:
        (tmp_path / "own").write_text("tests may")
        with pytest.raises(BlockingError):
            write_whole(tmp_path / "notes", "x")
        await asyncio.to_thread(write_whole, tmp_path / "notes", "x")

    with no_blocking(strict=strict):
        asyncio.run(work())
        write_whole(tmp_path / "notes", "without a loop")
    assert (tmp_path / "notes").read_text() == "without a loop"
    assert tempfile.gettempdir().startswith(str(tmp_path.parent))
