"""Frames and the deframer: what is sent arrives, whatever came before and however it is cut."""

from __future__ import annotations

import random
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.noise import noise_of

from protocols.deframer import Deframer
from protocols.frame import MOST_BODY, MOST_ENCODED, Frame, FrameError, crc, decode, encode

BYTE = st.integers(0, 255)
FRAMES = st.builds(Frame, BYTE, BYTE, st.binary(max_size=MOST_BODY))
NOISE = st.lists(
    st.one_of(
        st.binary(max_size=300),
        st.just(b"\0"),
        FRAMES.map(lambda frame: encode(frame)[:-1]),
        FRAMES.map(lambda frame: encode(frame)[1:]),
        FRAMES.map(lambda frame: encode(frame)[:-3] + b"\x01\x01\0"),
        st.just(b"U-Boot 2026.01\r\nAT+GCAP\r\n"),
    ),
    max_size=6,
).map(b"".join)


def test_the_checksum_is_the_published_one():
    # CRC-16/IBM-3740, check value of the catalogue of parametrised CRC algorithms.
    assert crc(b"123456789") == 0x29B1


def test_a_frame_byte_by_byte():
    # PING with nonce 1234: version 1, type 10, body 34 12, then the checksum of those four.
    raw = bytes((1, 0x10, 0x34, 0x12))
    told = crc(raw).to_bytes(2, "little")
    assert encode(Frame(1, 0x10, b"\x34\x12")) == b"\0" + b"\x07" + raw + told + b"\0"


@given(FRAMES)
def test_every_frame_comes_back(frame):
    line = encode(frame)
    assert line[0] == line[-1] == 0
    assert 0 not in line[1:-1]
    assert len(line) - 2 <= MOST_ENCODED
    assert decode(line[1:-1]) == frame


@given(NOISE, FRAMES, st.data())
def test_a_frame_after_any_noise_in_any_pieces(noise, frame, data):
    line = noise + encode(frame)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(line)), max_size=8)))
    deframer = Deframer()
    found = []
    for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True):
        found += deframer.feed(line[start:end])
        assert deframer.held <= MOST_ENCODED
    assert found[-1] == frame
    whole = Deframer()
    assert list(whole.feed(line)) == found
    assert whole.dropped == deframer.dropped


@given(FRAMES, st.data())
def test_one_flipped_bit_is_never_taken_for_the_frame(frame, data):
    line = bytearray(encode(frame))
    bit = data.draw(st.integers(8, 8 * len(line) - 9))
    line[bit // 8] ^= 1 << bit % 8
    assert frame not in list(Deframer().feed(bytes(line)))


@given(st.binary(max_size=400))
def test_any_bytes_are_answered_with_a_frame_or_a_reason(run):
    try:
        frame = decode(run)
    except FrameError as error:
        assert error.code in ("empty", "long", "cobs", "short", "crc")
        assert error.what
        assert error.hint
    else:
        assert encode(frame)[1:-1] == run


def test_a_body_that_is_too_long():
    encode(Frame(1, 1, bytes(MOST_BODY)))
    with pytest.raises(FrameError, match="119 bytes; 118 is the most"):
        encode(Frame(1, 1, bytes(MOST_BODY + 1)))


@pytest.mark.parametrize("zeros", [False, True])
def test_much_noise_takes_little_memory(zeros):
    """A megabyte of noise, with zeros in it or none: no more than a frame is kept."""
    rng = random.Random(7)
    chunk = rng.randbytes(4096)
    if not zeros:
        chunk = chunk.replace(b"\0", b"\1")
    deframer = Deframer()
    list(deframer.feed(chunk))
    tracemalloc.start()
    for _ in range(256):
        for _frame in deframer.feed(chunk):
            pass
        assert deframer.held <= MOST_ENCODED
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 64 * 1024
    frame = Frame(1, 0x10, b"ab")
    assert list(deframer.feed(encode(frame))) == [frame]


@pytest.mark.parametrize("seed", range(3))
def test_noise_that_looks_like_frames_is_over_at_the_next_zero(seed):
    rng = random.Random(seed)
    deframer, last = Deframer(), Frame(1, 0x10, b"\x34\x12")
    for _ in range(200):
        deframer.feed(noise_of(rng, rng.randrange(1, 3000)))
        assert deframer.held <= MOST_ENCODED
        assert list(deframer.feed(encode(last)))[-1] == last
