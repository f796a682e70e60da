"""Serial ports looked at from outside: names, holders, leave to open, drivers that claim them."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from tablectl.link import ports
from tablectl.link.ports import PortSeen, claimed, holder, list_ports, mend

NOBODY = 65_534


@pytest.fixture
def port() -> Iterator[str]:
    """A serial port that nobody but this process has open."""
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    os.close(slave)
    yield path
    os.close(master)


@pytest.fixture
def adapters(monkeypatch: pytest.MonkeyPatch) -> list[SimpleNamespace]:
    """What pyserial finds."""
    found: list[SimpleNamespace] = []
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: found)
    return found


def adapter(path: str, **about: object) -> SimpleNamespace:
    default = {"description": "n/a", "vid": None, "pid": None, "serial_number": None}
    return SimpleNamespace(device=path, **{**default, **about})


def only(found: list[PortSeen]) -> PortSeen:
    [one] = found
    return one


def test_what_is_seen_of_a_port(port, adapters, tmp_path):
    for kind in ("by-id", "by-path"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / f"usb-{kind}").symlink_to(port)
        (tmp_path / kind / "other").symlink_to("/dev/null")
    adapters.append(adapter(port, description="Bridge", vid=0x12AB, pid=0x00CD, serial_number="A1"))
    found = only(list_ports({f"{tmp_path}/by-id/usb-by-id": "east"}, tmp_path))
    assert found.path == port
    assert found.by_id == (f"{tmp_path}/by-id/usb-by-id",)
    assert found.by_path == (f"{tmp_path}/by-path/usb-by-path",)
    assert (found.description, found.adapter, found.table) == ("Bridge", "12ab:00cd:A1", "east")
    assert (found.may_open, found.holder, found.driver) == (True, None, None)
    assert found.name == found.by_id[0]
    # Without by-id there is by-path, without both the device.
    (tmp_path / "by-id" / "usb-by-id").unlink()
    assert only(list_ports({}, tmp_path)).name == found.by_path[0]
    (tmp_path / "by-path" / "usb-by-path").unlink()
    plain = only(list_ports(None, tmp_path))
    assert (plain.name, plain.table) == (port, None)


def test_a_named_port_is_listed_even_where_no_adapter_tells_of_it(port, adapters, tmp_path):
    (tmp_path / "link").symlink_to(port)
    (tmp_path / "file").write_text("")
    named = {str(tmp_path / "link"): "east", str(tmp_path / "file"): "f", "/dev/no/port": "none"}
    found = only(list_ports(named, tmp_path))
    (tmp_path / "link").unlink()
    assert (found.path, found.table, found.adapter) == (port, "east", None)


def test_ports_are_in_the_order_in_which_people_count(adapters, tmp_path):
    adapters += [adapter(f"/dev/ttyUSB{n}") for n in (10, 2, 1)]
    adapters.append(adapter("/dev/ttyACM3"))
    found = [one.path for one in list_ports({}, tmp_path)]
    assert found == ["/dev/ttyACM3", "/dev/ttyUSB1", "/dev/ttyUSB2", "/dev/ttyUSB10"]


def test_who_holds_a_port_is_named(port, adapters, tmp_path):
    code = "import os, sys; os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY); print(); input()"
    held = subprocess.Popen(
        [sys.executable, "-c", code, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        held.stdout.readline()
        adapters.append(adapter(port))
        found = only(list_ports({}, tmp_path)).holder
        assert found is not None
        assert found.pid == held.pid
        assert str(found) == f"{found.name} (process {held.pid})"
        assert found.name.startswith("python")
    finally:
        held.communicate(b"\n")
    assert holder(port) is None


HOLDS = """
import fcntl, os, pty, sys
if sys.argv[1] == "serve":
    master, slave = pty.openpty()
    print(os.ttyname(slave), flush=True)
else:
    fd = os.open(sys.argv[2], os.O_RDWR | os.O_NOCTTY)
    if sys.argv[1] == "lock":
        fcntl.flock(fd, fcntl.LOCK_EX)
    print(flush=True)
input()
"""


@contextmanager
def holding(*arguments: str) -> Iterator[tuple[int, str]]:
    """A process that serves a pseudo-terminal, has one open, or has it to itself; and its word."""
    made = subprocess.Popen(
        [sys.executable, "-c", HOLDS, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        yield made.pid, made.stdout.readline().decode().strip()
    finally:
        made.communicate(b"\n")


def test_who_serves_a_port_does_not_hold_it(port):
    with holding("serve") as (server, served):
        assert holder(served) is None
        with holding("open", served) as (opener, _):
            assert holder(served).pid == opener
            # Whoever has it to himself is in the way, whoever else has it open.
            with holding("lock", served) as (locker, _):
                assert holder(served).pid == locker
            with holding("open", port) as (other, _):
                assert holder(port).pid == other
                assert other not in (server, opener)
        assert holder(served) is None


def test_the_lock_of_another_file_is_nobodys_here(port, tmp_path):
    about = os.stat(port)
    line = f"FLOCK  ADVISORY  WRITE {os.getppid()} {{:02x}}:{{:02x}}:{{}} 0 EOF\n"
    dev = os.major(about.st_dev), os.minor(about.st_dev)
    table = tmp_path / "locks"
    table.write_text("1: " + line.format(*dev, about.st_ino + 1) + "2: garbage\n")
    assert ports.locker(port, table) is None
    table.write_text("1: " + line.format(*dev, about.st_ino))
    assert ports.locker(port, table).pid == os.getppid()
    assert ports.locker(port, tmp_path / "none") is None


def test_this_process_is_nobodys_holder(port):
    fd = os.open(port, os.O_RDWR | os.O_NOCTTY)
    try:
        assert holder(port) is None
    finally:
        os.close(fd)


@pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user")
def test_a_port_that_another_user_may_not_open(port):
    os.chmod(port, 0o660)
    code = (
        "import grp, json, os, pwd, sys\n"
        "from tablectl.link import ports\n"
        f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "print(json.dumps([ports.may_open(sys.argv[1]), ports.mend(sys.argv[1])]))\n"
    )

    def asked() -> list:
        root = Path(__file__).parents[2]
        done = subprocess.run(
            [sys.executable, "-c", code, port], capture_output=True, text=True, check=True, cwd=root
        )
        return json.loads(done.stdout)

    may, remedy = asked()
    assert not may
    assert remedy.startswith("sudo ")
    os.chmod(port, 0o666)
    assert asked()[0]


def test_the_remedy_is_one_that_helps(port, monkeypatch):
    import grp

    about = os.stat(port)
    some = next(one for one in grp.getgrall() if one.gr_gid not in (0, *os.getgroups()))

    def as_if(mode: int, gid: int, path: str = "/dev/ttyUSB7") -> str:
        fake = SimpleNamespace(st_mode=mode, st_gid=gid, st_rdev=about.st_rdev)
        with monkeypatch.context() as patch:
            patch.setattr(ports.os, "stat", lambda _: fake)
            return mend(path)

    joined = f"sudo usermod -aG {some.gr_name} $USER, then log in again"
    assert as_if(0o20660, some.gr_gid) == joined
    # A group that may not write, or root's, is not one to be in.
    for remedy in (as_if(0o20640, some.gr_gid), as_if(0o20660, 0), as_if(0o20620, some.gr_gid)):
        assert remedy.startswith("sudo usermod -aG dialout $USER && ")
        assert f"tee -a {ports.RULES}" in remedy
        assert 'KERNEL=="ttyUSB[0-9]*"' in remedy
    # The rules for USB adapters would not reach a port that is built in.
    assert 'KERNEL=="ttyS0"' in as_if(0o20660, 0, "/dev/ttyS0")
    assert as_if(0o20660, some.gr_gid, "/dev/ttyS0") == joined
    # A pseudo-terminal is its owner's, and no rule knows it.
    assert as_if(0o20620, 5, port) == f"sudo chown $USER {port}"
    # Who has been put into the group need not be put into it again.
    member = grp.struct_group((some.gr_name, "x", some.gr_gid, [ports._user()]))
    monkeypatch.setattr(grp, "getgrgid", lambda _: member)
    assert as_if(0o20660, some.gr_gid).startswith("log out and in again")


class Point:
    """An entry point."""

    def __init__(self, name: str, driver: object) -> None:
        self.name, self._driver = name, driver

    def load(self) -> object:
        if isinstance(self._driver, Exception):
            raise self._driver
        return self._driver


def test_drivers_claim_adapters(port, adapters, tmp_path, monkeypatch):
    points = (
        Point("broken", ImportError("gone")),
        Point("shy", object()),
        Point("panel", SimpleNamespace(adapters=[(0x1234, 0x5678)])),
        Point("late", SimpleNamespace(adapters=[(0x1234, 0x5678), (1, 2)])),
    )
    claims = claimed(points)
    assert claims == {(0x1234, 0x5678): "panel", (1, 2): "late"}
    monkeypatch.setattr(ports, "claimed", lambda: claims)
    adapters += [adapter(port, vid=0x1234, pid=0x5678), adapter("/dev/ttyUSB0", vid=3, pid=4)]
    found = {one.path: one.driver for one in list_ports({}, tmp_path)}
    assert found == {port: "panel", "/dev/ttyUSB0": None}


def test_nothing_is_opened(port, adapters, tmp_path, monkeypatch):
    adapters.append(adapter(port))
    opened: list[str] = []
    real = os.open
    monkeypatch.setattr(
        os, "open", lambda path, *a, **k: opened.append(str(path)) or real(path, *a, **k)
    )
    monkeypatch.setattr("serial.Serial", lambda *a, **k: opened.append("serial"))
    list_ports({port: "east"}, tmp_path)
    assert [path for path in opened if path in (port, "serial")] == []
