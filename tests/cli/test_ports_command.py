"""`tablectl ports`: what people and programs read of the serial ports."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A serial port that pyserial tells of, and no configuration."""
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    os.close(slave)
    found = SimpleNamespace(
        device=path, description="USB Bridge", vid=0x1234, pid=0x5678, serial_number="A[b]7"
    )
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [found])
    monkeypatch.delenv("TABLECTL_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    yield path
    os.close(master)


def configured(tmp_path: Path, port: str, more: str = "") -> Path:
    path = tmp_path / "parlour.toml"
    path.write_text(
        f'[[table]]\nurl = "serial:{port}"\nname = "east"\npreset = "ramen-jiro"\n{more}'
    )
    return path


def test_programs_get_everything(tablectl, port):
    done = tablectl("ports", "--json")
    [found] = done.json["ports"]
    assert done.status == 0
    assert found == {
        "path": port, "name": port, "by_id": [], "by_path": [], "description": "USB Bridge",
        "adapter": "1234:5678:A[b]7", "group": found["group"], "may_open": True, "holder": None,
        "table": None, "driver": None,
    }  # fmt: skip


def test_people_see_whose_it_is(tablectl, port, tmp_path):
    shown = tablectl("ports", "--config", str(configured(tmp_path, port))).out
    for word in (port, "1234:5678:A[b]7", "USB Bridge", "east", "free"):
        assert word in shown


def test_the_usual_configuration_is_read(tablectl, port, tmp_path):
    (tmp_path / "tablectl").mkdir()
    configured(tmp_path, port).rename(tmp_path / "tablectl" / "config.toml")
    assert tablectl("ports", "--json").json["ports"][0]["table"] == "east"


def test_what_is_right_of_a_configuration_counts(tablectl, port, tmp_path):
    path = configured(tmp_path, port, '[[table]]\nurl = "sim:x"\npreset = "ramen-jiro"\n')
    found = tablectl("ports", "--json", "--config", str(path))
    assert (found.status, found.json["ports"][0]["table"]) == (0, "east")


def test_a_configuration_that_is_not_there(tablectl, port, tmp_path):
    done = tablectl("ports", "--json", "--config", str(tmp_path / "none"))
    assert (done.status, done.error["code"]) == (2, "config.file")


def test_no_port_at_all(tablectl, port, monkeypatch):
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    assert "no serial port" in tablectl("ports").out
    assert tablectl("ports", "--json").json == {"ports": []}
