"""What `tools/bench wire` measures: frames decoded and verified a second, ours and others'.

All carry the same bodies of 16 bytes, and each gets its bytes in the pieces that suit it best.
"""

from __future__ import annotations

import gc
import logging
import random
import time
from binascii import crc_hqx
from collections.abc import Callable, Sequence
from importlib.metadata import version
from statistics import median
from struct import Struct, unpack
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from protocols import catalog
from protocols.deframer import Deframer
from protocols.frame import Frame, crc, encode
from protocols.v1 import RaisedEdge

FRAMES: Final = 50_000
PEER_AIM: Final = 2
BARE_AIM: Final = 0.25
REMEDY: Final = ".venv/bin/python -m pip install --require-hashes -r requirements-measure.lock"


class Contestant(NamedTuple):
    """`run` takes the whole stream and returns how many frames were good and what the last one
    held: `last`."""

    name: str
    run: Callable[[], tuple[int, Any]]
    last: Any
    unit: str = "frames/s"


def contest(rounds: int, show: Callable[[str, str, Sequence[float]], None]) -> None:
    """Print every contestant's rate and whether the aims are reached."""
    rng = random.Random(1)
    messages = [
        RaisedEdge(n, 37 * n, n % 2, n // 16, tuple(rng.choices((34, 36, 38), k=4)))
        for n in range(FRAMES)
    ]
    frames = [catalog.encode(message) for message in messages]
    frames = [frame._replace(body=frame.body + rng.randbytes(1)) for frame in frames]
    bodies = [frame.body for frame in frames]
    assert {len(body) for body in bodies} == {16}

    ours = _ours(messages, frames)
    bare = _bare(messages, frames)
    peers = [*_installed("pymodbus", _pymodbus, bodies), *_installed("bellows", _bellows, bodies)]
    everyone = [*ours, *peers, bare]
    rates = _measured(rounds, everyone)
    for one in everyone:
        show(one.name, one.unit, rates[one.name])

    middle = {name: median(found) for name, found in rates.items()}
    if peers:
        peer = max(peers, key=lambda one: middle[one.name])
        _verdict(f"ours / faster peer ({peer.name})", middle, ours[0], peer, PEER_AIM)
    else:
        print(f"ours / faster peer: no peer is installed, aim {PEER_AIM} not judged")
    _verdict("ours / bare", middle, ours[0], bare, BARE_AIM)


def _measured(rounds: int, everyone: Sequence[Contestant]) -> dict[str, list[float]]:
    """Rates by name. Each round has everyone once, so that all meet the same disturbances."""
    for one in everyone:
        assert one.run() == (FRAMES, one.last), one.name
    rates: dict[str, list[float]] = {one.name: [] for one in everyone}
    gc.collect()
    gc.freeze()  # the streams, which no contestant shall pay for
    for _ in range(rounds):
        for one in everyone:
            begun = time.perf_counter()
            one.run()
            rates[one.name].append(FRAMES / (time.perf_counter() - begun))
    return rates


def _verdict(
    what: str, middle: dict[str, float], ours: Contestant, other: Contestant, aim: float
) -> None:
    ratio = middle[ours.name] / middle[other.name]
    print(f"{what}: {ratio:.2f}, aim {aim}: aim {'reached' if ratio >= aim else 'missed'}")


def _installed(
    package: str, made: Callable[[list[bytes]], list[Contestant]], bodies: list[bytes]
) -> list[Contestant]:
    """A library's contestants; none, and a word about it, where it is not there."""
    try:
        return made(bodies)
    except ImportError as error:
        print(f"{package} is left out: {error}. Type:\n    {REMEDY}")
        return []


def _ours(messages: list[RaisedEdge], frames: list[Frame]) -> list[Contestant]:
    stream = b"".join(map(encode, frames))
    chunks = [stream[at : at + 4096] for at in range(0, len(stream), 4096)]

    def quick() -> tuple[int, Any]:
        deframer, read, message = Deframer(), catalog.read, None
        for chunk in chunks:
            for raw in deframer.verified(chunk):
                message = read(raw)
        return deframer.frames, message

    def declared() -> tuple[int, Any]:
        deframer, read, message = Deframer(), catalog.declared, None
        for chunk in chunks:
            for frame in deframer.feed(chunk):
                message = read(frame)
        return deframer.frames, message

    def framing() -> tuple[int, Any]:
        deframer, found = Deframer(), []
        for chunk in chunks:
            found = deframer.verified(chunk) or found
        return deframer.frames, found[-1][2:-2]

    def encoding() -> tuple[int, Any]:
        coded = b""
        for message in messages:
            coded = encode(catalog.encode(message))
        return len(messages), coded

    last = frames[-1]
    return [
        Contestant("ours, frames and messages", quick, messages[-1]),
        Contestant("ours, messages by the declaration", declared, messages[-1]),
        Contestant("ours, frames alone", framing, last.body),
        Contestant(
            "ours, encoding", encoding, encode(last._replace(body=last.body[:-1])), "messages/s"
        ),
    ]


def _bare(messages: list[RaisedEdge], frames: list[Frame]) -> Contestant:
    """Records of fixed length, without framing: the least that Python must do for the same."""
    raws = [bytes((frame.version, frame.type)) + frame.body for frame in frames]
    stream = b"".join(raw + crc(raw).to_bytes(2, "little") for raw in raws)
    record = Struct("<2xIIBH4BxH")

    def run() -> tuple[int, Any]:
        good, fields, take = 0, (), record.unpack_from
        for at in range(0, len(stream), 20):
            fields = take(stream, at)
            if crc_hqx(stream[at : at + 18], 0xFFFF) == fields[-1]:
                good += 1
        return good, fields[:-1]

    *values, sides = messages[-1]
    return Contestant("bare, struct and CRC", run, (*values, *sides))


def _pymodbus(bodies: list[bytes]) -> list[Contestant]:
    """Responses of eight registers. The framer takes one frame a call and drops what follows it,
    so it gets them already parted; its own decoding of registers is a second contestant."""
    from pymodbus.framer import FramerRTU
    from pymodbus.pdu import DecodePDU

    logging.getLogger("pymodbus").setLevel(logging.WARNING)
    framer = FramerRTU(DecodePDU(is_server=False))
    frames = [framer.encode(b"\x03\x10" + body, 1, 0) for body in bodies]

    def framing() -> tuple[int, Any]:
        good, data, decode = 0, b"", framer.decode
        for frame in frames:
            _, _, _, data = decode(frame)
            if data:
                good += 1
        return good, data[2:]

    def whole() -> tuple[int, Any]:
        good, pdu, handle = 0, None, framer.handleFrame
        for frame in frames:
            _, pdu = handle(frame, 0, 0)
            if pdu is not None:
                good += 1
        return good, pdu and pdu.registers

    name = f"pymodbus {version('pymodbus')} RTU"
    return [
        Contestant(f"{name}, frames alone", framing, bodies[-1]),
        Contestant(f"{name}, registers", whole, list(unpack(">8H", bodies[-1]))),
    ]


def _bellows(bodies: list[bytes]) -> list[Contestant]:
    """DATA frames in order. Its buffer keeps 1024 bytes at most, so that the pieces are smaller;
    it acknowledges nothing, as ours does not here."""
    from bellows.ash import AshProtocol, DataFrame, Reserved

    logging.getLogger("bellows").setLevel(logging.WARNING)
    stream = b"".join(
        AshProtocol._stuff_bytes(DataFrame(n % 8, False, 0, body).to_bytes())
        + bytes((Reserved.FLAG,))
        for n, body in enumerate(bodies)
    )
    pieces = [stream[at : at + 512] for at in range(0, len(stream), 512)]

    def run() -> tuple[int, Any]:
        found: list[bytes] = []
        protocol = AshProtocol(SimpleNamespace(data_received=found.append), suppress_acks=True)
        for piece in pieces:
            protocol.data_received(piece)
        return len(found), found[-1]

    return [Contestant(f"bellows {version('bellows')} ASH, frames alone", run, bodies[-1])]
