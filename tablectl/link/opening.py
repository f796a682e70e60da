"""What an address means: which transport opens it.

serial:/dev/serial/by-id/…   tcp:HOST:PORT   sim:MODEL[:NAME]   manual:NAME (no line at all)
"""

from __future__ import annotations

from tablectl.errors import TablectlError
from tablectl.link.address import read_address
from tablectl.link.simulated import Sims
from tablectl.link.supervisor import Opener
from tablectl.link.transport import URL, Gone, Heard, Transport, connect


def opener_of(url: str, sims: Sims) -> Opener:
    """How to open an address that has a line. Raises TablectlError `link.url`."""
    address = read_address(url)
    if address.kind == "sim":

        async def open_sim(heard: Heard, gone: Gone) -> Transport:
            return await sims.connect(address.rest, heard, gone)

        return open_sim
    if address.kind == "manual":
        raise TablectlError(URL, url=url)

    async def open_line(heard: Heard, gone: Gone) -> Transport:
        return await connect(url, heard, gone)

    return open_line
