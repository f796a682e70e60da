"""Noise of a line: rubbish, boot texts, and much that looks like frames."""

from __future__ import annotations

import random

from protocols.frame import MOST_BODY, Frame, encode

TEXTS = (b"U-Boot 2026.01\r\n", b"AT+GCAP\r\n", b"\x1b[2J login: ", b"\0\0\0", b"\xff" * 200)


def noise_of(rng: random.Random, size: int) -> bytes:
    """At least `size` bytes of it."""
    found = bytearray()
    while len(found) < size:
        frame = bytearray(encode(Frame(rng.randrange(3), rng.randrange(256),
                                       rng.randbytes(rng.randrange(MOST_BODY + 1)))))  # fmt: skip
        match rng.randrange(6):
            case 0:
                found += rng.randbytes(rng.randrange(400))
            case 1:
                found += rng.choice(TEXTS)
            case 2:
                found += frame[: rng.randrange(len(frame))]
            case 3:
                found += frame[rng.randrange(len(frame)) :]
            case 4:
                frame[rng.randrange(len(frame))] ^= 1 << rng.randrange(8)
                found += frame
            case _:
                found += frame
    return bytes(found)
