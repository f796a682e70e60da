"""What an address means: which transport opens it.

serial:/dev/serial/by-id/…   tcp:HOST:PORT   sim:MODEL[:NAME]   manual:NAME (no line at all)
"""

from __future__ import annotations

from typing import Final

from tablectl.errors import TablectlError, declare
from tablectl.link.simulated import Sims
from tablectl.link.supervisor import Opener
from tablectl.link.transport import Gone, Heard, Transport, connect

NO_USB: Final = declare(
    "link.usb",
    "'{url}' is a raw USB device, and no driver here speaks with one",
    "Boards appear as serial ports: name the one in /dev/serial/by-id.",
)


def manual_name(url: str) -> str | None:
    """The name of a table that people work, None for any other address."""
    kind, _, name = url.partition(":")
    return name if kind == "manual" and name else None


def opener_of(url: str, sims: Sims) -> Opener:
    """How to open an address that has a line. Raises TablectlError `link.url`, `link.usb`."""
    kind, _, rest = url.partition(":")
    if kind == "sim" and rest:

        async def open_sim(heard: Heard, gone: Gone) -> Transport:
            return await sims.connect(rest, heard, gone)

        return open_sim
    if kind == "usb":
        raise TablectlError(NO_USB, url=url)
    if kind not in ("serial", "tcp") or not rest:
        raise TablectlError("link.url", url=url)

    async def open_line(heard: Heard, gone: Gone) -> Transport:
        return await connect(url, heard, gone)

    return open_line
