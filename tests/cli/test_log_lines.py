"""The daemon's own lines: for people, for programs, and for nobody who reads them."""

from __future__ import annotations

import io
import json
import logging
import threading
import time

from support.processes import PATIENCE, eventually

from tablectl.cli.log import MOST_WAITING, log_lines


def test_lines_of_people_and_of_programs():
    for as_json in (False, True):
        stream = io.StringIO()
        with log_lines(stream, as_json=as_json) as log:
            for event in ("ready", "lost", "ready"):
                log(event, table="t", name="east", why=None)
            log("line", url="serial:x", why="it is not there")
            log("unwritable", why="the disk is full")
        lines = stream.getvalue().splitlines()
        if as_json:
            found = [(one["event"], one["level"]) for one in map(json.loads, lines)]
            assert found == [
                ("ready", "info"), ("lost", "warning"), ("back", "info"), ("line", "warning"),
                ("unwritable", "error"),
            ]  # fmt: skip
            assert "why" not in json.loads(lines[0])
        else:
            assert lines[2].endswith("Z info    back table=t name=east")
            assert lines[3].endswith("Z warning line url=serial:x why='it is not there'")


def test_a_fault_and_what_libraries_warn_of_come_as_lines_too():
    for as_json in (False, True):
        stream = io.StringIO()
        with log_lines(stream, as_json=as_json) as log:
            logging.getLogger("uvicorn.error").warning("the %s is odd", "peer")
            log("failed", exc_info=ZeroDivisionError("of 3"))
        text = stream.getvalue()
        if as_json:
            warned, failed = map(json.loads, text.splitlines())
            assert (warned["event"], warned["level"]) == ("the peer is odd", "warning")
            assert "ZeroDivisionError: of 3" in failed["exception"]
        else:
            assert "Z warning the peer is odd\n" in text
            assert "Z error   failed\nZeroDivisionError: of 3" in text


def test_who_reads_nothing_holds_nothing_up():
    goes_on = threading.Event()

    class Stuck(io.StringIO):
        def write(self, text: str) -> int:
            goes_on.wait(PATIENCE)
            return super().write(text)

    stream = Stuck()
    began = time.monotonic()
    with log_lines(stream, as_json=False) as log:
        for n in range(2 * MOST_WAITING):
            log("line", n=n)
    assert time.monotonic() - began < PATIENCE / 2
    assert stream.getvalue() == ""
    goes_on.set()
    eventually(lambda: all(thread.name != "log" for thread in threading.enumerate()))
    assert "n=0" in stream.getvalue()
