"""The file of sealed faces: durable, its owner's only, emptied, and never printed."""

from __future__ import annotations

import errno
import os

import pytest

from tablectl.core.wall import Place
from tablectl.errors import TablectlError
from tablectl.journal.faces import Faces

HERE, THERE = Place(0, 1, "upper"), Place(3, 17, "lower")


def test_a_killed_daemon_finds_them_again(tmp_path):
    faces = Faces(tmp_path / "state" / "faces")
    faces.keep([(HERE, "5pr"), (THERE, "7z")])
    faces.keep([(HERE, "1m")])
    faces.close()
    again = Faces(tmp_path / "state" / "faces")
    assert (again.face(HERE), again.face(THERE)) == ("1m", "7z")
    assert again.face(Place(1, 1, "upper")) is None
    again.close()


def test_they_are_gone_when_the_hand_is_over(tmp_path):
    faces = Faces(tmp_path / "faces")
    faces.keep([(HERE, "5pr")])
    faces.empty()
    assert faces.face(HERE) is None
    assert (tmp_path / "faces").read_bytes() == b""
    faces.keep([(THERE, "7z")])
    faces.close()
    again = Faces(tmp_path / "faces")
    assert (again.face(HERE), again.face(THERE)) == (None, "7z")
    again.close()


def test_only_its_owner_reads_it_even_if_it_was_there_before(tmp_path):
    (tmp_path / "faces").touch(mode=0o644)
    Faces(tmp_path / "faces").close()
    assert (tmp_path / "faces").stat().st_mode & 0o777 == 0o600


def test_a_repr_has_no_face(tmp_path):
    faces = Faces(tmp_path / "faces")
    faces.keep([(HERE, "5pr")])
    assert "5p" not in repr(faces)
    faces.close()


def test_a_line_that_was_not_finished_is_dropped(tmp_path):
    faces = Faces(tmp_path / "faces")
    faces.keep([(HERE, "5pr")])
    faces.close()
    with open(tmp_path / "faces", "ab") as file:
        file.write(b'[0, 2, "upp')
    again = Faces(tmp_path / "faces")
    again.keep([(THERE, "7z")])
    again.close()
    last = Faces(tmp_path / "faces")
    assert (last.face(HERE), last.face(THERE)) == ("5pr", "7z")
    last.close()


def test_a_full_disk_keeps_none_of_a_group(tmp_path, monkeypatch):
    faces = Faces(tmp_path / "faces")
    faces.keep([(HERE, "5pr")])
    before = (tmp_path / "faces").read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TablectlError) as refused:
        faces.keep([(THERE, "7z")])
    assert refused.value.code == "journal.full"
    assert faces.face(THERE) is None
    assert (tmp_path / "faces").read_bytes() == before
    faces.close()


@pytest.mark.parametrize("text", ["nonsense\n", "[1, 2]\n", "3\n"])
def test_a_file_of_something_else_is_refused_without_saying_what_is_in_it(tmp_path, text):
    (tmp_path / "faces").write_text(text)
    with pytest.raises(TablectlError) as refused:
        Faces(tmp_path / "faces")
    assert refused.value.code == "journal.faces"
    assert text.strip() not in refused.value.message.replace("line 1", "")
    assert (tmp_path / "faces").read_text() == text


def test_a_place_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(TablectlError) as refused:
        Faces(tmp_path / "file" / "faces")
    assert refused.value.code == "journal.unwritable"


def test_a_disk_that_fails_altogether_is_told_as_such(tmp_path, monkeypatch):
    faces = Faces(tmp_path / "faces")

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    for call in ("fsync", "ftruncate"):
        monkeypatch.setattr(os, call, broken)
    with pytest.raises(TablectlError) as refused:
        faces.keep([(HERE, "5pr")])
    assert refused.value.code == "journal.unwritable"
    assert faces.face(HERE) is None
    monkeypatch.undo()
    faces.close()
    (tmp_path / "faces").write_bytes(b"[0, 1")  # a line that was not finished
    monkeypatch.setattr(os, "ftruncate", broken)
    with pytest.raises(TablectlError) as refused:
        Faces(tmp_path / "faces")
    assert refused.value.code == "journal.unwritable"
