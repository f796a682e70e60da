"""Frames without the faces of tiles that lie face down: what may be kept, logged and shown."""

from __future__ import annotations

from typing import Final

from protocols.frame import SEALED, Frame

_FACE: Final = slice(10, 12)
"""Tile and mark in the body of E_SEALED: behind number u32, at u32, place u16."""


def blank(frame: Frame) -> Frame:
    """The frame, its face unknown if it is a sealed edge, of any version but 0; bytes beyond the
    known fields go too, since nobody knows what they say."""
    if frame.type != SEALED or frame.version == 0:
        return frame
    body = frame.body[: _FACE.start] + b"\xff" * len(frame.body[_FACE])
    return frame._replace(body=body)
