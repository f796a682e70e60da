"""Messages: every one there and back, the quick reader like the declaration, growth and refusal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.vectors import typed, values_of

from protocols import catalog, codes, fast, v0, v1
from protocols.codes import Reason
from protocols.fields import kinds
from protocols.frame import MOST_BODY, Frame
from protocols.secret import blank
from protocols.text import text

ROWS = [(version, row) for version, rows in catalog.VERSIONS.items() for row in rows]
NAMES = [row.name for _, row in ROWS]
KNOWN = sorted(catalog.ROW_OF)
BODIES = st.binary(max_size=MOST_BODY)


def extremes(row: Any) -> list[Any]:
    fields = kinds(row.message)
    return [
        row.message(*(getattr(k, end) for k in fields.values())) for end in ("least", "greatest")
    ]


@pytest.mark.parametrize(("version", "row"), ROWS, ids=NAMES)
def test_every_message_comes_back_at_its_least_and_greatest(version, row):
    for message in extremes(row):
        frame = catalog.encode(message)
        assert (frame.version, frame.type) == (version, row.id)
        assert catalog.decode(frame) == catalog.declared(frame) == message
        assert catalog.encode(message) == catalog.built(message)


@pytest.mark.parametrize(("version", "row"), ROWS, ids=NAMES)
def test_a_body_may_be_longer_than_known_but_never_shorter(version, row):
    for message in extremes(row):
        frame = catalog.encode(message)
        if row.message is not v1.VendorEdge:
            longer = frame._replace(body=frame.body + b"\x01\x00\x7f")
            assert catalog.decode(longer) == message
        least = catalog.least_size(row)
        if len(frame.body) == least:
            for size in range(least):
                with pytest.raises(catalog.MessageError) as refused:
                    catalog.decode(frame._replace(body=frame.body[:size]))
                assert refused.value.reason == Reason.LENGTH
                assert refused.value.detail == least


@given(st.sampled_from(KNOWN), BODIES)
def test_what_is_read_is_written_and_read_the_same(key, body):
    frame = Frame(*key, body)
    try:
        message = catalog.declared(frame)
    except catalog.MessageError as error:
        assert error.reason in (Reason.LENGTH, Reason.FIELD)
        return
    assert catalog.decode(frame) == message
    try:
        again = catalog.encode(message)
    except ValueError:
        # A receiver takes longer texts and opaque bytes than a sender may make.
        assert any(isinstance(value, str | bytes) and len(value) > 8 for value in message)
    else:
        assert catalog.declared(again) == message
    assert text(message).startswith(catalog.row_of(frame).name + ": ")


@given(st.sampled_from(sorted(fast.READERS)), BODIES)
def test_the_quick_reader_reads_what_the_declaration_reads(type_, body):
    body = body.ljust(fast.READERS[type_].size - 4, b"\xff")
    frame = Frame(1, type_, body)
    found = fast.READERS[type_].read(bytes((1, type_)) + body + b"crc")
    assert found == catalog.declared(frame)
    assert type(found) is type(catalog.declared(frame))


@given(st.integers(0, 255), st.integers(0, 255), BODIES)
def test_any_frame_is_a_message_or_says_why_not(version, type_, body):
    try:
        catalog.decode(Frame(version, type_, body))
    except catalog.MessageError as error:
        assert error.reason != Reason.BUSY
        assert error.what
        assert 0 <= error.detail <= 255
        if (version, type_) in catalog.ROW_OF:
            assert error.reason in (Reason.LENGTH, Reason.FIELD)
        else:
            assert error.reason in (Reason.VERSION, Reason.TYPE)


def test_a_wrong_magic_is_a_bad_field():
    frame = catalog.encode(v0.Hello(b"TCT1", 5, 1, 1))
    with pytest.raises(catalog.MessageError) as refused:
        catalog.decode(frame._replace(body=b"TCT2" + frame.body[4:]))
    assert (refused.value.reason, refused.value.detail) == (Reason.FIELD, 0)


def test_a_value_that_does_not_fit_is_refused_before_it_is_sent():
    long = v0.Iam(b"TCT1", 1, 1, 1, 1, bytes(8), 4, 118, "a name that is too long", "")
    for message in (
        v1.Ack(0, 2**32, 1),
        v1.Ping(-1),
        v1.Levels(0, *[()] * 5, 0),
        long,
        v1.VendorEdge(1, 1, bytes(9)),
    ):
        with pytest.raises(ValueError, match="cannot hold"):
            catalog.encode(message)


def test_a_bad_letter_in_a_name_costs_no_number():
    body = catalog.encode(typed(0x82, [0, 1, 5, 116, 30, 28, 30, 28, 0, 16, 0, "abc"])).body
    found = catalog.decode(Frame(1, 0x82, body.replace(b"abc", b"a\xffc")))
    assert isinstance(found, v1.Number)
    assert found.name == "a�c"


@given(st.sampled_from([row for _, row in ROWS]), st.data())
def test_flattened_values_make_the_same_message(row, data):
    message = data.draw(st.sampled_from(extremes(row)))
    if (1, row.id) in catalog.ROW_OF:
        assert typed(row.id, values_of(message)) == message


def test_numbers_of_edges_are_read_even_where_the_edge_is_not_known():
    assert catalog.number_of(Frame(1, 0xBF, (7).to_bytes(4, "little") + bytes(4))) == 7
    assert catalog.number_of(catalog.encode(v1.DiceEdge(9, 0, 0, (None,) * 4))) == 9
    assert catalog.number_of(Frame(1, 0xBF, b"short")) is None
    assert catalog.number_of(catalog.encode(v1.Ping(1))) is None


# ── words and codes ─────────────────────────────────────────────────────────────────────────────


@given(st.integers(0, 3), st.integers(1, 4095), st.sampled_from(codes.ROWS))
def test_places_come_back(side, column, row):
    assert codes.place_of(codes.place_code(side, column, row)) == (side, column, row)


def test_numbers_that_are_no_place_say_so():
    assert codes.place_of(0) is None
    assert codes.place_of(0x0007) is None


def test_all_tiles_of_the_game_have_a_code_and_come_back():
    assert len(codes.TILES) == 42
    for kind, code in enumerate(codes.TILES):
        for mark, letter in enumerate(codes.MARKS):
            assert codes.tile_code(kind, mark) == code + letter
            assert codes.face_of(code + letter) == (kind, mark)
    assert codes.face_of("?") == (None, None)
    assert codes.tile_code(42, 0) == codes.tile_code(None, 0) == "?"


def test_abilities_by_name_and_by_bit():
    names = tuple(ability.name.lower() for ability in codes.Ability)
    assert codes.abilities(codes.ability_bits(names)) == names
    assert codes.abilities(0xFFFF0000) == ()


def test_words_of_a_line():
    assert text(v1.ShownEdge(43, 3_601_250, 0x8024, *codes.face_of("5pr"))) == (
        "E_SHOWN: edge 43 at 3601.250 s: side 2 column 9 upper shows 5pr"
    )
    assert "meant in a: stacking, up; b: any phase" in text(v1.Move(1, 2, (0b100100, 0xFF), 3))


# ── the secret ──────────────────────────────────────────────────────────────────────────────────


@given(st.integers(0, 41), st.integers(0, 41), st.integers(1, 255), st.binary(max_size=20))
def test_two_sealed_faces_cannot_be_told_apart_when_blanked(one, other, version, rest):
    head = bytes(10)
    frames = [Frame(version, 0xA7, head + bytes((tile, 0)) + rest) for tile in (one, other)]
    assert blank(frames[0]) == blank(frames[1])
    assert text(v1.SealedEdge(1, 2, 6, one, 0)) == text(v1.SealedEdge(1, 2, 6, other, 0))


def test_no_repr_has_a_face_that_lies_down():
    frames = [catalog.encode(v1.SealedEdge(1, 2, 6, tile, 0)) for tile in (3, 30)]
    assert len({repr(frame) for frame in frames}) == 1
    assert len({repr(catalog.decode(frame)) for frame in frames}) == 1


def test_a_name_cannot_write_elsewhere_on_a_screen():
    iam = v0.Iam(b"TCT1", 1, 1, 1, 1, bytes(8), 4, 118, "a\x1b[2J\nb", "華")
    assert 'I am 00 00 00 00 00 00 00 00, "a\\x1b[2J\\x0ab" with firmware "華"' in text(iam)


def test_nothing_else_is_blanked():
    shown = catalog.encode(v1.ShownEdge(1, 2, 6, 3, 0))
    assert blank(shown) == shown


@pytest.mark.parametrize("message", [v1.Ack(2**32, 0, 0), v1.Ack(1, 2, 256), v1.Ping(-1)])
def test_what_a_quick_writer_cannot_hold_is_told_by_the_declaration(message):
    with pytest.raises(ValueError, match="cannot hold"):
        catalog.encode(message)
