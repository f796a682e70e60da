"""`tablectl decode`: bytes of a line in words, without faces of tiles that lie face down."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from protocols import catalog
from protocols.secret import blank
from protocols.text import text
from tablectl.cli.console import FILE, PeopleConsole
from tablectl.errors import DONE, NO, TablectlError, declare
from tablectl.link.capture import LOST, Captured, captured, read

declare(
    "decode.hex",
    "'{text}' is neither hexadecimal nor a file",
    "Write bytes as two digits each (00 07 01 10 …), name a file, or - for standard input.",
)

DROPPED = {
    "cobs": "no COBS",
    "short": "too short for a frame",
    "crc": "wrong checksum",
    "long": "too long for a frame",
}


def run(words: Sequence[str], as_json: bool) -> int:
    """Print a line for each frame and for each run that is none. 1 if anything was no message.
    Raises TablectlError `decode.hex`, `cli.file`, `link.capture.line`."""
    status = DONE
    console = PeopleConsole(wrapped=False)
    for one in read_in(words):
        told = as_values(one)
        if "text" not in told:
            status = NO
        if as_json:
            print(json.dumps(told, ensure_ascii=False), flush=True)
        else:
            console.print(as_line(told), markup=False)
    return status


def read_in(words: Sequence[str]) -> Iterator[Captured]:
    """What the arguments mean: hexadecimal, or one file: a capture, hexadecimal, or bare bytes."""
    if len(words) == 1 and (words[0] == "-" or Path(words[0]).is_file()):
        return of_bytes(_contents(words[0]))
    joined = "".join(words).replace(" ", "").replace(",", "")
    return of_runs(_hex(joined, " ".join(words)))


def of_bytes(data: bytes) -> Iterator[Captured]:
    """The contents of a file: a capture if it begins with a brace, hexadecimal text if it is
    nothing else, else the bytes of a line as they came."""
    if data.lstrip()[:1] == b"{":
        return read(data.decode("utf-8", "replace").splitlines())
    compact = b"".join(data.split())
    if compact and all(letter in b"0123456789abcdefABCDEF" for letter in compact):
        return of_runs(_hex(compact.decode(), "the file"))
    return of_runs(data)


def of_runs(data: bytes) -> Iterator[Captured]:
    """Everything between zeros."""
    return (captured(run, _way(run)) for run in data.split(b"\0") if run)


def as_values(one: Captured) -> dict[str, Any]:
    """What is known of a frame or a run, as plain values."""
    told: dict[str, Any] = {"at": one.at, "way": one.way}
    if one.frame is None:
        if one.dropped == LOST:
            return {"at": one.at, "dropped": LOST, "lines": one.size}
        return told | {"dropped": one.dropped, "bytes": one.size}
    frame = blank(one.frame)
    told |= {"version": frame.version, "type": f"{frame.type:02X}", "body": frame.body.hex()}
    try:
        message = catalog.decode(frame)
    except catalog.MessageError as error:
        return told | {"error": {"code": f"wire.{error.code}", "message": error.what}}
    row = catalog.row_for(message)
    return told | {"name": row.name, "to": row.to, "text": text(message)}


def as_line(told: dict[str, Any]) -> str:
    """The same for people."""
    time = f"{told['at'] / 1000:10.3f} " if told["at"] else ""
    if told.get("dropped") == LOST:
        return f"{time}· {told['lines']} lines were not kept: the disk was too slow for them"
    arrow = {"table": "▶", "host": "◀"}.get(
        told.get("to", ""), "▶" if told["way"] == "to_table" else "◀"
    )
    if "text" in told:
        return f"{time}{arrow} {told['text']}"
    if "error" in told:
        return f"{time}{arrow} {told['error']['message']}"
    why = DROPPED.get(told["dropped"], told["dropped"])
    return f"{time}· {told['bytes']} bytes that are no frame: {why}"


def _way(run: bytes) -> Any:
    """Where a frame without its capture goes, by its type: what a table sends begins with 80."""
    return "to_host" if len(run) > 2 and run[2] >= 0x80 else "to_table"


def _contents(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise TablectlError(FILE, where=name, why=error.strerror) from None


def _hex(digits: str, said: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        short = said if len(said) <= 40 else said[:40] + "…"
        raise TablectlError("decode.hex", text=short) from None
