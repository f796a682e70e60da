"""`tablesim` as a process: lines, control socket, speed, many at once, and calls that are wrong."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.peers import SimPty

from protocols import catalog, v0, v1
from protocols.deframer import Deframer
from protocols.frame import encode
from tablectl.link.tablectl_v1 import TablectlV1
from tablesim.control import DEEDS, OF_THE_LINE
from tablesim.model import MODELS

PATIENCE = 20.0
HELLO = encode(catalog.encode(v0.Hello(b"TCT1", 1, 1, 1)))


class Running:
    """A running `tablesim`, and what it printed."""

    def __init__(self, *arguments: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tablesim.cli", *map(str, arguments), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )

    def line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        assert ready, "it says nothing"
        line = self.process.stdout.readline()
        assert line, self.process.communicate()
        return json.loads(line)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


@pytest.fixture
def run() -> Iterator[Any]:
    started: list[Running] = []

    def start(*arguments: Any) -> Running:
        started.append(Running(*arguments))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.stop()


def failed(*arguments: Any) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "tablesim.cli", *map(str, arguments), "--json"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, json.loads(done.stderr)["error"]


class Control:
    """The control socket."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rb")

    def raw(self, line: bytes) -> dict[str, Any]:
        self.socket.sendall(line + b"\n")
        return json.loads(self.file.readline())

    def ask(self, **request: Any) -> dict[str, Any]:
        return self.raw(json.dumps(request).encode())

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def control(run: Any, tmp_path: Path) -> Iterator[Control]:
    """Two tables that stand still, and their control socket."""
    running = run("--tcp", 0, "--tables", 2, "--speed", 0, "--control", tmp_path / "c",
                  "--model", "reader")  # fmt: skip
    for _ in range(2):
        running.line()
    made = Control(tmp_path / "c")
    yield made
    made.close()


def exchange(read: Any, write: Any) -> v0.Iam:
    """Say HELLO and read until the board answers."""
    write(HELLO)
    deframer = Deframer()
    while True:
        for frame in deframer.feed(read()):
            message = catalog.decode(frame)
            assert isinstance(message, v0.Iam)
            return message


# ── lines ───────────────────────────────────────────────────────────────────────────────────────


def test_a_pseudo_terminal_with_a_stable_name(run, tmp_path):
    link = tmp_path / "table"
    running = run("--serial", link, "--model", "presence", "--name", "east")
    said = running.line()
    assert said == {"table": "east", "model": "presence", "address": f"serial:{link}"}
    line = os.open(link, os.O_RDWR | os.O_NOCTTY)
    try:
        iam = exchange(lambda: os.read(line, 4096), lambda data: os.write(line, data))
    finally:
        os.close(line)
    assert iam.model == "sim presence"
    assert running.stop() == 0
    assert not link.is_symlink(), "nothing is left behind"


def test_tcp_on_loopback_takes_one_host_at_a_time(run):
    running = run("--tcp", 0, "--name", "east")
    port = int(running.line()["address"].rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as first:
        iam = exchange(lambda: first.recv(4096), first.sendall)
        assert iam.ring == MODELS["stock"].ring
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as second:
            second.settimeout(PATIENCE)
            assert second.recv(1) == b"", "turned away"
    assert running.stop() == 0


def test_the_same_name_is_the_same_table_and_another_is_another(run):
    uids = []
    for name in ("east", "east", "west"):
        running = run("--tcp", 0, "--name", name)
        port = int(running.line()["address"].rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
            iam = exchange(lambda line=line: line.recv(4096), line.sendall)
        uids.append((iam.uid, iam.boot))
        running.stop()
    assert uids[0][0] == uids[1][0] != uids[2][0]
    assert uids[0][1] != uids[1][1], "a boot number never repeats"


def test_many_tables_at_once(run, tmp_path):
    running = run("--serial", tmp_path / "t", "--tables", 5)
    said = [running.line() for _ in range(5)]
    assert [one["table"] for one in said] == [f"table-{n}" for n in range(1, 6)]
    assert all((tmp_path / f"t-{n}").is_symlink() for n in range(1, 6))


def test_speed_makes_time_pass_faster(run, tmp_path):
    running = run("--tcp", 0, "--speed", 5000, "--control", tmp_path / "c")
    running.line()
    control = Control(tmp_path / "c")
    control.ask(do="press", button="start")
    truth = {}
    while truth.get("sets", {}).get("b", {}).get("phase") != "ready":
        truth = control.ask(do="truth")["ok"]
    assert truth["now"] > 28_000
    assert truth["sets"]["a"]["phase"] == "up"
    control.close()


def test_unplugged_and_plugged_in_again(tmp_path):
    peer = SimPty(tmp_path)
    try:
        peer.ask(do="unplug")
        assert not (tmp_path / "table").exists()
        assert peer.ask(do="plug") == f"serial:{tmp_path / 'table'}"
        assert (tmp_path / "table").exists()
    finally:
        peer.close()


def test_recorded_hands_are_played_and_counted(run):
    hands = Path(__file__).parents[1] / "data" / "riichi-4p.jsonl"
    running = run("--tcp", 0, "--model", "reader", "--speed", 20_000, "--records", hands)
    running.line()
    said = {"played": 0, "of": 1}
    while said["played"] < said["of"]:
        said = running.line()
    assert said == {"table": "table", "played": 10, "of": 10}


# ── control ─────────────────────────────────────────────────────────────────────────────────────


def test_hands_and_truth_through_the_control_socket(control):
    ask = control.ask
    assert ask(do="press", button="start") == {"ok": None}
    assert ask(do="step", now=60_000)["ok"]["now"] == 60_000
    truth = ask(do="truth")["ok"]
    walls = truth["sets"]["a"]["walls"]
    side, column, row, tile = walls[0]
    assert ask(do="take", side=side, column=column, row=row) == {"ok": tile}
    assert ask(do="show", side=side, column=column, row="upper") == {"ok": walls[1][3]}
    assert ask(do="put_back", side=side, column=column, row=row, tile=tile) == {"ok": None}
    assert ask(do="pips", pips=[2, 5]) == {"ok": None}
    ask(do="press", button="dice", side=2)
    ask(do="step", now=70_000)
    assert ask(do="truth")["ok"]["dice"] == [2, 5]
    assert ask(do="stick", side=1) == {"ok": None}
    assert ask(do="score", side=1, hundreds=240) == {"ok": None}
    assert ask(do="truth")["ok"]["points"] == [250, 240, 250, 250]
    assert ask(do="fault", name="jam") == {"ok": None}
    assert ask(do="mend") == {"ok": None}
    assert ask(do="reset")["ok"] > 0
    assert ask(do="acted") == {"ok": 0}
    done = [deed[1] for deed in ask(do="done")["ok"]]
    assert done.count("take") == 1
    assert "put_back" in done
    # The other table has seen nothing of it.
    assert ask(do="done", table=1) == {"ok": []}


def test_who_asks_for_what_there_is_not_is_told_all_that_there_is(control):
    hint = control.ask(do="help")["error"]["hint"]
    assert set(hint.removeprefix("One can: ").rstrip(".").split(", ")) == {*DEEDS, *OF_THE_LINE}


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (b"nonsense", "no JSON"),
        (b"[]", "a request is a JSON object"),
        (b'{"do": "dance"}', "nobody can do 'dance'"),
        (b'{"do": "truth", "table": 7}', "no table 7"),
        (b'{"do": "take", "side": 4, "column": 1, "row": "upper"}', "side is 4"),
        (b'{"do": "take", "side": 0, "column": 1, "row": "top"}', "row is 'top'"),
        (b'{"do": "take", "side": 0, "column": 1, "row": "upper"}', "no walls are up"),
        (b'{"do": "press", "button": "red"}', "no button 'red'"),
        (b'{"do": "pips", "pips": [7]}', "pips are [7]"),
        (b'{"do": "edge", "type": "10", "values": []}', "no edge"),
        (b'{"do": "edge", "type": "A5", "values": [1]}', "no edge"),
        (b'{"do": "edge", "type": "A5", "values": [70000, 0]}', "no edge"),
        (b'{"do": "edge", "type": "80", "values": [1, 1, 1]}', "no edge"),
        (b'{"do": "edge", "type": "11", "values": [0]}', "no edge"),
        (b'{"do": "edge", "type": "C0", "values": ["' + b"00" * 200 + b'"]}', "no edge"),
        (b'{"do": "edge", "type": "A9", "values": [200, 1]}', "no edge"),
        (b'{"do": "exchange", "set": 2, "tiles": ["foo"]}', "no tile"),
        (b'{"do": "\xff"}', "no JSON"),
        (b"[" * 60_000, "no JSON"),
        (b'{"do": "exchange", "set": 1, "tiles": ["1m"]}', "set a is ready"),
        (b'{"do": "exchange", "set": 1}', "tiles are missing"),
        (b'{"do": "fault", "name": "gremlins"}', "no fault 'gremlins'"),
        (b'{"do": "fault", "name": "jam", "colour": 1}', "has no colour"),
        (b'{"do": "fault", "name": "drop"}', "belongs to the line"),
        (b'{"do": "step"}', "step needs now"),
    ],
)
def test_what_cannot_be_done_is_said_with_a_remedy(control, request_, said):
    answer = control.raw(request_)
    assert said in answer["error"]["message"]
    assert ("no JSON" in answer["error"]["message"]) == (said == "no JSON")
    assert answer["error"]["hint"]
    assert control.ask(do="acted") == {"ok": 0}, "the socket still answers"


# ── calls that are wrong ────────────────────────────────────────────────────────────────────────


def test_a_port_in_use_says_so(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        status, error = failed("--tcp", taken.getsockname()[1])
    assert status == 1
    assert error["code"] == "sim.port"
    assert "in use" in error["message"]
    assert "another port" in error["hint"]


def test_a_name_in_use_says_so(run, tmp_path):
    run("--serial", tmp_path / "t").line()
    status, error = failed("--serial", tmp_path / "t")
    assert (status, error["code"]) == (1, "sim.port")
    assert "in use" in error["message"]
    (tmp_path / "file").write_text("mine")
    status, error = failed("--serial", tmp_path / "file")
    assert "something else of that name" in error["message"]
    assert (tmp_path / "file").read_text() == "mine"
    status, error = failed("--serial", tmp_path / "no" / "folder")
    assert (status, error["code"]) == (1, "sim.port")


def test_a_dead_table_s_name_is_taken_over(run, tmp_path):
    (tmp_path / "t").symlink_to("/dev/pts/no-such-terminal")
    assert run("--serial", tmp_path / "t").line()["table"] == "table"


def test_a_control_socket_in_use_says_so_and_a_dead_one_is_taken_over(run, tmp_path):
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(tmp_path / "c"))
    dead.close()
    run("--tcp", 0, "--control", tmp_path / "c").line()
    status, error = failed("--tcp", 0, "--control", tmp_path / "c")
    assert (status, error["code"]) == (1, "sim.port")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), "sim.call", "--serial PATH or --tcp PORT"),
        (("--tcp", "0", "--serial", "x"), "sim.call", "--serial PATH or --tcp PORT"),
        (("--tcp", "0", "--speed", "-1"), "sim.call", "--speed"),
        (("--tcp", "0", "--speed", "nan"), "sim.call", "--speed"),
        (("--tcp", "0", "--model", "mahjong"), "sim.model", "no table model 'mahjong'"),
        (("--tcp", "0", "--records", "/no/such/file"), "sim.record", "cannot be read"),
        (("--tcp", "0", "--faults", "/no/such/file"), "sim.fault", "cannot be read"),
    ],
)
def test_wrong_calls(arguments, code, said):
    status, error = failed(*arguments)
    assert (status, error["code"]) == (2, code)
    assert said in error["message"]
    assert error["hint"]


def test_a_model_without_the_number_of_a_record_says_so(run):
    hands = Path(__file__).parents[1] / "data" / "riichi-3p.jsonl"
    running = run("--tcp", 0, "--model", "autodeal", "--speed", 20_000, "--records", hands)
    running.line()
    _, said = running.process.communicate(timeout=PATIENCE)
    assert running.process.returncode == 2
    error = json.loads(said)["error"]
    assert error["code"] == "sim.record"
    assert "no number for this wall" in error["message"]


def test_help_has_an_example():
    done = subprocess.run(
        [sys.executable, "-m", "tablesim.cli", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "tablesim --serial" in done.stdout


def test_levels_arrive_by_themselves(tmp_path):
    """What the machine does reaches the line without being asked for."""
    peer = SimPty(tmp_path)
    try:
        peer.run(HELLO, 0)
        peer.ask(do="press", button="start")
        frames = Deframer().feed(peer.run(b"", 10_000))
        kinds = {type(catalog.decode(frame)) for frame in frames}
        assert kinds == {v1.Levels, v1.Presence}, "no edge before the first ACK"
    finally:
        peer.close()


# ── faults of the line and the port ─────────────────────────────────────────────────────────────


def spoken_with(address: str, speed: float) -> TablectlV1:
    """A driver that speaks with a table over TCP until it is ready; time runs as the table's."""
    begun = time.monotonic()

    def now() -> int:
        return int((time.monotonic() - begun) * 1000 * speed)

    driver = TablectlV1(100, lambda uid: None)
    port = int(address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        while driver.stage != "ready":
            assert time.monotonic() - begun < PATIENCE, driver.stage
            line.sendall(driver.take())
            if select.select([line], [], [], 0.01)[0]:
                driver.feed(line.recv(1 << 16), now())
            driver.tick(now())
    return driver


@pytest.mark.parametrize(
    "fault",
    [
        {"name": "rubbish", "amount": 4},
        {"name": "flood", "amount": 2},
        {"name": "drop", "chance": 0.2},
        {"name": "flip", "chance": 0.2},
        {"name": "double", "chance": 0.3},
        {"name": "truncate", "chance": 0.2},
        {"name": "delay", "chance": 0.3},
    ],
    ids=lambda fault: fault["name"],
)
def test_a_bad_line_is_spoken_through(run, tmp_path, fault):
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in fault.items())
    (tmp_path / "faults.toml").write_text(f"[[fault]]\n{lines}")
    running = run("--tcp", 0, "--speed", 20, "--faults", tmp_path / "faults.toml", "--seed", 5)
    driver = spoken_with(running.line()["address"], 20)
    assert driver.identity is not None
    assert len(driver.identity.numbers) == 9
    assert running.stop() == 0


def test_a_line_that_is_pulled_comes_back_under_its_name(run, tmp_path):
    (tmp_path / "faults.toml").write_text("[[fault]]\nname = 'unplug'\nat = 0\nlasts = 60000\n")
    running = run("--serial", tmp_path / "t", "--speed", 0, "--control", tmp_path / "c",
                  "--faults", tmp_path / "faults.toml")  # fmt: skip
    running.line()
    assert not (tmp_path / "t").exists()
    control = Control(tmp_path / "c")
    control.ask(do="step", now=60_000)
    control.ask(do="step", now=60_001)
    assert (tmp_path / "t").exists()
    control.close()
