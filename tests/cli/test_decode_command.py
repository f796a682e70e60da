"""`tablectl decode`: hexadecimal, files, captures, noise, and faces that stay hidden."""

from __future__ import annotations

import json

import pytest

from protocols import catalog, v1
from protocols.frame import encode
from tablectl.errors import TablectlError
from tablectl.link.capture import Recorder, read

PING = "00 07 01 10 34 12 35 4A 00"


def sealed(tile: int) -> bytes:
    return encode(catalog.encode(v1.SealedEdge(7, 1000, 0x8024, tile, 0)))


def shown() -> bytes:
    return encode(catalog.encode(v1.ShownEdge(8, 2000, 0x8024, 22, 1)))


def test_words_of_a_frame(tablectl):
    done = tablectl("decode", *PING.split())
    assert (done.status, done.out) == (0, "▶ PING: are you there? (4660)\n")
    assert tablectl("decode", PING.replace(" ", "")).out == done.out
    assert tablectl("decode", "07011034 1235 4a").out == done.out


def test_json_has_all_that_is_known(tablectl):
    done = tablectl("decode", shown().hex(), "--json")
    told = json.loads(done.out)
    assert told["name"] == "E_SHOWN"
    assert (told["type"], told["version"], told["to"]) == ("A6", 1, "host")
    assert told["text"].endswith("side 2 column 9 upper shows 5sr")


def test_what_is_no_frame_is_told_and_the_rest_is_read(tablectl):
    done = tablectl("decode", "626f6f7400" + PING.replace(" ", "").replace("4A", "4B") + PING)
    assert done.status == 1
    assert done.out.splitlines() == [
        "· 4 bytes that are no frame: no COBS",
        "· 7 bytes that are no frame: wrong checksum",
        "▶ PING: are you there? (4660)",
    ]


def test_an_unknown_message_says_what_is_unknown(tablectl):
    done = tablectl("decode", encode(catalog.Frame(1, 0x7F, b"")).hex(), "--json")
    assert done.status == 1
    assert json.loads(done.out)["error"]["code"] == "wire.type"


@pytest.mark.parametrize("form", ["binary", "hex", "capture"])
def test_files(tablectl, tmp_path, form):
    data = shown() + bytes.fromhex(PING.replace(" ", ""))
    file = tmp_path / "line"
    if form == "binary":
        file.write_bytes(data)
    elif form == "hex":
        file.write_text(data.hex(" ") + "\n")
    else:
        found = Recorder().take(data, "to_host", 1500)
        file.write_text("".join(one.line() + "\n" for one in found))
    out = tablectl("decode", str(file)).out
    assert "shows 5sr" in out
    assert "PING" in out
    assert ("1.500" in out) is (form == "capture")


@pytest.mark.parametrize("words", [["zz"], ["0"], ["/no/such/file"], ["00", "g1"]])
def test_what_is_neither_bytes_nor_a_file_is_refused(tablectl, words):
    done = tablectl("decode", *words)
    assert done.status == 2
    assert "decode.hex" in done.err
    assert "two digits each" in done.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1"),
        ('{"at": 1, "way": "to_host"}', "is missing"),
        ('{"at": 1, "way": "up", "hex": "00"}', "to_host or to_table"),
        ('{"at": 1, "way": "to_host", "hex": "0102"}', "COBS"),
    ],
)
def test_a_capture_with_a_mistake_names_its_line(tablectl, tmp_path, line, said):
    (tmp_path / "capture").write_text(line + "\n")
    done = tablectl("decode", str(tmp_path / "capture"))
    assert done.status == 2
    assert said in done.err
    assert "link.capture.line" in done.err


# ── the secret ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("json_", [[], ["--json"]])
def test_a_sealed_face_is_never_shown(tablectl, json_):
    outs = {tablectl("decode", sealed(tile).hex(), *json_).out for tile in (0, 13, 41)}
    assert len(outs) == 1


def test_a_capture_keeps_no_face_not_even_of_a_damaged_frame():
    captures = set()
    for tile in (1, 2):
        whole = sealed(tile)
        # One bit wrong in the checksum; cut in the middle; whole.
        damaged = whole[:-2] + bytes([whole[-2] ^ 1]) + b"\0"
        data = damaged + whole[:-4] + b"\0" + whole
        recorder = Recorder()
        found = [
            one for n in range(len(data)) for one in recorder.take(data[n : n + 1], "to_host", 9)
        ]
        captures.add("".join(one.line() for one in found))
    assert len(captures) == 1


def test_a_capture_comes_back_and_counts_what_was_dropped():
    recorder = Recorder()
    found = recorder.take(b"\xff" * 500 + b"\0" + shown(), "to_host", 5)
    assert [(one.dropped, one.size) for one in found] == [("long", 500), (None, 0)]
    assert list(read([one.line() for one in found])) == found
    with pytest.raises(TablectlError):
        list(read(["nonsense"]))


def test_lines_of_a_capture_that_were_not_kept_are_said(tablectl, tmp_path):
    """What the daemon writes where the disk was too slow for it."""
    file = tmp_path / "capture.jsonl"
    file.write_text(json.dumps({"at": 1500, "lost": 7}) + "\n")
    found = tablectl("decode", str(file))
    assert "7 lines were not kept" in found.out
    assert tablectl("decode", str(file), "--json").json == {
        "at": 1500,
        "dropped": "lost",
        "lines": 7,
    }
