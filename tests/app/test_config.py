"""The configuration: what it says, all its mistakes at once, and the command line beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.app.config import Config, TableConfig
from tablectl.app.config_file import (
    config_of,
    config_path,
    load_config,
    read_config,
    state_of,
    survey,
)
from tablectl.core.profile import Note
from tablectl.errors import TablectlError

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")

RIGHT = """\
[daemon]
address = "192.168.1.4"
port = 8140
names = ["Parlour.local", "parlour.local"]
state = "kept"
capture = true
motions = true

[[table]]
url = "serial:/dev/serial/by-id/usb-one"
name = "east"
preset = "ramen-jiro"
seats = [0, 1, 3]
uid = "00112233AABBCCDD"
motions = false

[[table.notes]]
preset = "ramen-jiro"
number = 5
verified = true

[[table.notes]]
preset = "riichi-3p"
number = 2

[[table]]
url = "tcp:127.0.0.1:7000"
preset = "riichi-4p"

[[table]]
url = "sim:presence"
name = "north"
preset = "ramen-jiro"

[[table]]
url = "manual:corner"
preset = "riichi-3p"
profile = "stock"
"""


def problems_of(text: str) -> list[TablectlError]:
    with pytest.raises(TablectlError) as caught:
        read_config(text, "house.toml")
    error = caught.value
    assert (error.code, error.where, error.status) == ("config.invalid", "house.toml", 2)
    assert error.values["number"] == len(error.problems) > 0
    assert all(problem.hint for problem in error.problems)
    return list(error.problems)


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_everything_that_a_configuration_says(tmp_path):
    found = read_config(RIGHT, str(tmp_path / "house.toml"))
    daemon = found.daemon
    assert (daemon.address, daemon.port, daemon.capture) == ("192.168.1.4", 8140, True)
    assert (daemon.names, daemon.state) == (("parlour.local",), tmp_path / "kept")
    assert found.tables == (
        TableConfig(
            "serial:/dev/serial/by-id/usb-one",
            "east",
            "ramen-jiro",
            (0, 1, 3),
            "00112233aabbccdd",
            notes=(Note("ramen-jiro", 5, True), Note("riichi-3p", 2)),
        ),
        TableConfig("tcp:127.0.0.1:7000", "127.0.0.1-7000", "riichi-4p", motions=True),
        TableConfig("sim:presence", "north", "ramen-jiro", motions=True),
        TableConfig("manual:corner", "corner", "riichi-3p", motions=True, profile="stock"),
    )


def test_an_empty_file_is_all_defaults():
    found = read_config("")
    assert found == Config(where="config.toml")
    assert (found.daemon.address, found.daemon.port) == ("127.0.0.1", 8136)
    assert found.daemon.names == ()
    assert not found.daemon.motions


def test_an_ipv6_address_and_a_free_port_may_be_written():
    found = read_config('[daemon]\naddress = "::1"\nport = 0\n').daemon
    assert (found.address, found.port) == ("::1", 0)


# One mistake each, none touching another's line: (what, instead, its line, code, what is said).
MISTAKES = [
    ('address = "192.168.1.4"', 'address = "localhost"', "address", "config.value", "localhost"),
    ("port = 8140", "port = 81400", "port", "config.value", "port is 81400"),
    ("[daemon]", 'adress = "::1"\n[daemon]', "adress", "config.top", "did you mean 'address'?"),
    ("capture = true", "captures = true", "captures", "config.key", "did you mean 'capture'?"),
    ("usb-one", "usb-one\\u0000", "url = ", "config.value", "url is"),
    ("seats = [0, 1, 3]", "seats = [0, 1]", "seats", "config.seats", "there are 2 for 3 players"),
    ("AABBCCDD", "AABBCCD", "uid", "config.value", "uid is"),
    ("number = 2", "number = true", "number = true", "config.value", "number is true"),
    ("tcp:127.0.0.1:7000", "tpc:h:7000", "url = \"tpc", "config.url", "mean 'tcp:h:7000'?"),
    ('"riichi-4p"', '"riichi-4q"', 'preset = "riichi-4q', "preset.unknown", "no rule 'riichi-4q'"),
    ("sim:presence", "sim:presense", "url = \"sim:", "config.model", "did you mean 'presence'?"),
    ('name = "north"', 'name = "East"', 'name = "East', "config.twice", "of the table east too"),
    ("[[table]]\nurl = \"manual", "[[tabel]]\nurl = \"manual", "[[tabel]]", "config.section",
     "did you mean [[table]]?"),
]  # fmt: skip


def test_five_mistakes_at_once_each_with_its_line_and_the_nearest_word():
    picked = [MISTAKES[n] for n in (1, 3, 8, 9, 11)]
    text = changed(RIGHT, *((old, new) for old, new, *_ in picked))
    found = problems_of(text)
    assert [(problem.where, problem.code) for problem in found] == [
        (f"house.toml:{line_of(text, part)}", code) for _, _, part, code, _ in picked
    ]
    for problem, (*_, said) in zip(found, picked, strict=True):
        assert said in problem.message
    assert "Did you mean riichi-4p?" in found[3].hint


@given(st.sets(st.integers(0, len(MISTAKES) - 1), min_size=1))
def test_any_mistakes_together_are_all_told_and_nothing_else(picked):
    mistakes = [MISTAKES[n] for n in sorted(picked)]
    text = changed(RIGHT, *((old, new) for old, new, *_ in mistakes))
    told = [(problem.where, problem.code) for problem in problems_of(text)]
    expected = {(f"house.toml:{line_of(text, part)}", code) for _, _, part, code, _ in mistakes}
    assert sorted(told) == sorted(expected)
    lines = [int((where or "").rpartition(":")[2]) for where, _ in told]
    assert lines == sorted(lines)


TABLE = '[[table]]\nurl = "sim:reader"\npreset = "ramen-jiro"\n'
ALONE = [
    # (text, part of the line where it is told, code, what is said)
    ("[daemon\n", "[daemon", "config.syntax", "expected ']'"),
    ("[[daemon]]\nport = 1\n", "[[daemon]]", "config.shape", "not written as [daemon]"),
    ("daemon = 3\n", "daemon", "config.shape", "not written as [daemon]"),
    (TABLE.replace("[[table]]", "[table]"), "[table]", "config.shape", "as [[table]]"),
    ("[x]\n", "[x]", "config.section", "no section [x]"),
    ("[[table]]\npreset = \"ramen-jiro\"\n", "[[table]]", "config.missing", "has no url"),
    ("[[table]]\nurl = \"sim:reader\"\n", "[[table]]", "config.missing", "has no preset"),
    (TABLE + TABLE.replace("reader", "deaf").replace("[table]", "[tables]"), "[[tables]]",
     "config.section", "did you mean [[table]]?"),
    (TABLE + "zzz = 1\n", "zzz", "config.key", "has no value 'zzz'"),
    (TABLE + 'name = "a/b"\n', "name", "config.value", "name is"),
    (TABLE + 'name = ""\n', "name", "config.value", "name is"),
    (TABLE + 'uid = "0011223344556677"\n', "uid", "config.no_uid", "sim: tables have no board"),
    (TABLE + "seats = [0, 1, 1]\n", "seats", "config.seats", "two players cannot sit"),
    (TABLE + "seats = [0, 1, 4]\n", "seats", "config.value", "seats is [0, 1, 4]"),
    (TABLE + "motions = 1\n", "motions", "config.value", "motions is 1"),
    (TABLE + TABLE.replace("[[table]]", "[[table]] # 2"), "url", "config.twice", "of the table"),
    (TABLE + "notes = 3\n", "notes", "config.shape", "not written as [[table.notes]]"),
    (TABLE + '[table.notes]\npreset = "ramen-jiro"\nnumber = 5\n', "[table.notes]",
     "config.shape", "as [[table.notes]]"),
    (TABLE + "[[table.notes]]\nnumber = 5\n", "[[table.notes]]", "config.missing", "no preset"),
    (TABLE + '[[table.notes]]\nnumber = 5\npreset = "ramen"\n', 'preset = "ramen"\n',
     "preset.unknown", "no rule 'ramen'"),
    (TABLE + 'notes = [{ preset = "ramen-jiro", number = 70000 }]\n', "notes", "config.value",
     "number is 70000"),
    (TABLE + '[[table.notes]]\nnumber = 5\npreset = "ramen-jiro"\n'
     '[[table.notes]]\nnumber = 5 # 2\npreset = "ramen-jiro"\n', "number = 5 # 2",
     "config.note_twice", "noted twice"),
    ('[daemon]\nnames = ["http://x"]\n', "names", "config.value", "names is"),
    ('[daemon]\nstate = ""\n', "state", "config.value", "state is"),
    ("[daemon]\naddress = 1\n", "address", "config.value", "address is 1"),
    (TABLE.replace("sim:reader", "/dev/ttyUSB0"), "url", "config.url", "'serial:/dev/ttyUSB0'?"),
    (TABLE.replace("sim:reader", "tcp:h:0"), "url", "config.url", "no address of a table"),
    (TABLE.replace("sim:reader", "usb:1:2"), "url", "config.url", "no address of a table"),
    (TABLE.replace("ramen-jiro", "./none.toml"), "preset", "preset.file", "No such file"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "part", "code", "said"), ALONE)
def test_each_mistake_alone_is_told_alone(text, part, code, said):
    [problem] = problems_of(text)
    # Where a table is there twice, the second is the one that is too much.
    line = text[: text.rindex(part)].count("\n") + 1
    assert (problem.code, problem.where) == (code, f"house.toml:{line}")
    assert said in problem.message


def test_a_board_belongs_to_one_name():
    table = '[[table]]\nurl = "tcp:h:{0}"\npreset = "ramen-jiro"\nuid = "00000000000000{1}"\n'
    [problem] = problems_of(table.format(1, "aa") + table.format(2, "AA"))
    assert (problem.code, problem.where) == ("config.twice", "house.toml:8")
    read_config(table.format(1, "aa") + table.format(2, "ab"))


def test_one_port_under_two_names_is_a_mistake(tmp_path):
    (tmp_path / "ttyUSB0").write_text("")
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyUSB0")
    table = f'[[table]]\nurl = "serial:{tmp_path}/{{}}"\npreset = "ramen-jiro"\n'
    text = table.format("ttyUSB0") + table.format("by-id")
    [problem] = problems_of(text)
    assert (problem.code, problem.where) == ("config.same_port", "house.toml:5")
    # What is not there may be anything.
    (tmp_path / "ttyUSB0").unlink()
    assert len(read_config(text).tables) == 2


def test_a_house_rule_lies_beside_the_configuration(tmp_path, monkeypatch):
    presets = Path(__file__).parents[2] / "tablectl" / "presets"
    text = (presets / "ramen-jiro.toml").read_text("utf-8")
    (tmp_path / "rule.toml").write_text(text, "utf-8")
    (tmp_path / "config.toml").write_text(
        TABLE.replace("ramen-jiro", "rule.toml")
        + '[[table.notes]]\npreset = "./rule.toml"\nnumber = 5\n'
    )
    monkeypatch.chdir("/")
    [table] = load_config(tmp_path / "config.toml").tables
    assert table.preset == str(tmp_path / "rule.toml")
    assert table.notes == (Note("ramen-jiro", 5),)
    (tmp_path / "rule.toml").write_text(text.replace("[players]", "[plaeyrs]"), "utf-8")
    with pytest.raises(TablectlError) as caught:
        load_config(tmp_path / "config.toml")
    for problem in caught.value.problems:
        assert (problem.code, problem.problems[0].code) == ("config.preset", "preset.section")
    assert [(problem.where or "")[-2:] for problem in caught.value.problems] == [":3", ":5"]


def test_what_is_right_beside_a_mistake_can_be_used():
    found = survey(changed(RIGHT, ("port = 8140", "port = no")), "house.toml")
    assert [problem.code for problem in found.problems] == ["config.syntax"]
    found = survey(changed(RIGHT, ("port = 8140", "port = -1"), ("tcp:127", "tcp/127")))
    assert len(found.problems) == 2
    assert [table.name for table in found.config.tables] == ["east", "north", "corner"]
    assert found.config.daemon.port == 8136


def test_tables_that_nobody_named_get_names_of_their_own():
    table = '[[table]]\nurl = "{}"\npreset = "ramen-jiro"\n'
    found = read_config(
        table.format("serial:/dev/a/x") + table.format("serial:/dev/b/x") + table.format("manual:x")
        + '[[table]]\nurl = "tcp:h:1"\nname = "x-2"\npreset = "ramen-jiro"\n'
    )  # fmt: skip
    assert [one.name for one in found.tables] == ["x", "x-3", "x-4", "x-2"]


def test_one_address_twice_is_told_by_two_names():
    text = '[[table]]\nurl = "sim:presence:t1"\npreset = "ramen-jiro"\n' * 2
    found = survey(text, "p.toml")
    assert [one.code for one in found.problems] == ["config.twice"]
    assert [one.name for one in found.config.tables] == ["t1", "t1-2"]


def test_a_file_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "none", tmp_path, "a\0b"):
        with pytest.raises(TablectlError) as caught:
            load_config(path)
        assert caught.value.code == "config.file"
    (tmp_path / "latin").write_bytes(b'name = "\xe9"')
    with pytest.raises(TablectlError) as caught:
        load_config(tmp_path / "latin")
    assert "UTF-8" in caught.value.message


# ── the command line ────────────────────────────────────────────────────────────────────────────


def test_tables_of_the_command_line_are_added(tmp_path):
    (tmp_path / "config.toml").write_text(RIGHT)
    path = tmp_path / "config.toml"
    added = [("sim:reader", "riichi-4p"), ("serial:/dev/serial/by-id/usb-one", "riichi-4p")]
    found = config_of(path, added)
    assert [table.name for table in found.tables][-1] == "reader"
    assert found.tables[-1].motions
    east = found.tables[0]
    assert (east.name, east.preset, east.seats) == ("east", "riichi-4p", None)
    assert (len(east.notes), east.uid) == (2, "00112233aabbccdd")
    assert config_of(path, [(added[1][0], "riichi-3p")]).tables[0].seats == (0, 1, 3)


def test_mistakes_of_the_command_line_are_told_together():
    tables = [
        ("sim:reader", "ramen"),
        ("smi:reader", "ramen-jiro"),
        *[("manual:a", "riichi-4p")] * 2,
    ]
    with pytest.raises(TablectlError) as caught:
        config_of(None, tables, {"XDG_CONFIG_HOME": "/none"})
    assert [(one.where, one.code) for one in caught.value.problems] == [
        ("--table 1", "preset.unknown"),
        ("--table 2", "config.url"),
        ("--table 4", "config.twice"),
    ]


def test_where_the_configuration_is_looked_for(tmp_path):
    assert config_path({"TABLECTL_CONFIG": "/a"}) == Path("/a")
    assert config_path({"XDG_CONFIG_HOME": "/b"}) == Path("/b/tablectl/config.toml")
    usual = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert config_of(None, environment=usual) == Config()
    (tmp_path / "tablectl").mkdir()
    (tmp_path / "tablectl" / "config.toml").write_text("[daemon]\nport = 1\n")
    assert config_of(None, environment=usual).daemon.port == 1
    with pytest.raises(TablectlError):  # a file that was named must be there
        config_of(None, environment={"TABLECTL_CONFIG": str(tmp_path / "none")})


def test_where_the_state_is(tmp_path):
    said = read_config(f'[daemon]\nstate = "{tmp_path}"\n')
    assert state_of(said, {}) == tmp_path
    assert state_of(said, {"TABLECTL_STATE": "/a"}) == Path("/a")
    assert state_of(Config(), {"XDG_STATE_HOME": "/b"}) == Path("/b/tablectl")


def test_the_readmes_configuration_loads():
    [shown] = [
        block for block in re.findall(r"```toml\n(.*?)```", README, re.S) if "[daemon]" in block
    ]
    found = read_config(shown)
    assert found.tables
    assert found.daemon.names
