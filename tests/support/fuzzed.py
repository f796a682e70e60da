"""What any bytes may do to everything that reads the wire on the host's side: nothing bad.

A fuzzer calls `exercise` with bytes of its own; the corpus that it leaves is a test.
"""

from __future__ import annotations

from protocols import catalog
from protocols.deframer import Deframer
from protocols.frame import MOST_BODY, MOST_ENCODED, Frame, encode
from protocols.secret import blank
from protocols.text import text
from tablectl.link.capture import Recorder, read
from tablectl.link.said import Told
from tablectl.link.tablectl_v1 import TablectlV1


def exercise(data: bytes) -> None:
    """The first byte says how the rest is read: as bytes of the line, in pieces or at once, or as
    frames with a good checksum, which come alone or to a driver in the middle of a conversation."""
    if not data:
        return
    how, rest = data[0], data[1:]
    if how & 1:
        rest = b"".join(encode(frame) for frame in _frames(rest))
    size = (how >> 2) % 64 + 1 if how & 2 else max(1, len(rest))
    pieces = [rest[at : at + size] for at in range(0, len(rest), size)]
    _read(pieces)
    _capture(pieces)
    _drive(pieces, how)


def _frames(data: bytes) -> list[Frame]:
    """Length, version and type, then the body, again and again."""
    found = []
    while len(data) >= 3:
        size = data[0] % (MOST_BODY + 1)
        found.append(Frame(data[1] % 3, data[2], data[3 : 3 + size]))
        data = data[3 + size :]
    return found


def _read(pieces: list[bytes]) -> None:
    deframer, whole = Deframer(), Deframer()
    frames: list[Frame] = []
    for piece in pieces:
        frames += deframer.feed(piece)
        assert deframer.held <= MOST_ENCODED
    assert list(whole.feed(b"".join(pieces))) == frames
    assert whole.dropped == deframer.dropped
    for frame in frames:
        blank(frame)
        try:
            message = catalog.decode(frame)
        except catalog.MessageError as error:
            assert 0 <= error.detail <= 255
            continue
        assert message == catalog.declared(frame)
        assert text(message).startswith(catalog.row_of(frame).name)
        try:
            again = catalog.encode(message)
        except ValueError:
            continue  # a text or opaque bytes longer than a sender may make them
        assert catalog.decode(again) == message


def _capture(pieces: list[bytes]) -> None:
    recorder = Recorder()
    for piece in pieces:
        for one in recorder.take(piece, "to_host", 7):
            assert list(read([one.line()])) == [one]


def _drive(pieces: list[bytes], how: int) -> None:
    driver = TablectlV1(how, lambda uid: None)
    if how & 0x80:
        for message in _GREETING:
            driver.feed(encode(catalog.encode(message(how))), 0)
    now, keys = 0, set()
    for piece in pieces:
        now += 50
        for said in (*driver.feed(piece, now), *driver.tick(now)):
            if isinstance(said, Told):
                assert said.key not in keys
                keys.add(said.key)
                if said.edge is not None:
                    driver.committed(said.boot, said.edge)
        assert driver.due() >= now or driver.tick(now) is not None
        for frame in Deframer().feed(driver.take()):
            catalog.decode(frame)


_NOTHING = (None, None, None, None)
_GREETING = (
    lambda c: catalog.v0.Iam(b"TCT1", c, 1, 1, 7, bytes(8), 4, 118, "", ""),
    lambda c: catalog.v1.Abilities(0xFFFF, 4, 2, 2, 4, 0, 0),
    lambda c: catalog.v1.Number(0, 0, 0, None, _NOTHING, 0, 0, 0, ""),
    lambda c: catalog.v1.Pong(0, 7, 1, 1, 1),
    lambda c: catalog.v1.Snapshot(
        0,
        7,
        catalog.v1.Levels(1, (None, None), (None, None), (None, None), _NOTHING, _NOTHING, 0),
        0,
        _NOTHING,
        0,
        None,
        0,
    ),
)
