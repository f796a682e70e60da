"""`sim:MODEL[:NAME]`: simulated tables within this process, on a line of memory.

The only place of `link` that knows the simulated table. A table lives as long as its `Sims`, so
that a line to it can be cut and made again like any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from tablectl.errors import TablectlError, declare
from tablectl.link.transport import Gone, Heard, Transport
from tablesim.model import Model
from tablesim.port import Port
from tablesim.serve import Served
from tablesim.table import Table, about, find_model
from tablesim.tileset import SimError

NO_SIM: Final = declare("link.sim", "{what}", "{hint}")


class MemoryPort(Port):
    """A simulated table's end of a line without any device."""

    def __init__(self, name: str, heard: Callable[[bytes], None]) -> None:
        super().__init__(heard)
        self._name = name
        self.host: MemoryLine | None = None
        self.plugged = False

    @property
    def address(self) -> str:
        return f"sim:{self._name}"

    async def plug(self) -> None:
        self.plugged = True

    def unplug(self) -> None:
        self.plugged = False
        if self.host is not None:
            self.host.end("it was unplugged or closed at the other side")

    def write(self, data: bytes) -> None:
        if self.host is not None:
            self.written += len(data)
            self.host.arrive(data)

    def take_in(self, data: bytes) -> None:
        """Bytes from the host."""
        if self.plugged:
            self._in(data)


class MemoryLine:
    """The host's end. Bytes arrive on the next turn of the loop, never within `write`."""

    def __init__(self, port: MemoryPort, heard: Heard, gone: Gone) -> None:
        self._port = port
        self._heard = heard
        self._gone: Gone | None = gone
        self._loop = asyncio.get_running_loop()
        self._paused = False
        self._waiting = bytearray()
        self._soon: asyncio.Handle | None = None
        port.host = self

    def write(self, data: bytes) -> None:
        if self._gone is not None and data:
            self._loop.call_soon(self._port.take_in, data)

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        self._deliver_soon()

    def close(self) -> None:
        self._gone = None
        if self._port.host is self:
            self._port.host = None

    def arrive(self, data: bytes) -> None:
        """Bytes from the table."""
        self._waiting += data
        self._deliver_soon()

    def end(self, why: str) -> None:
        """The line is pulled."""
        gone = self._gone
        self.close()
        self._waiting.clear()
        if gone is not None:
            self._loop.call_soon(gone, why)

    def _deliver_soon(self) -> None:
        if self._waiting and self._soon is None and not self._paused:
            self._soon = self._loop.call_soon(self._deliver)

    def _deliver(self) -> None:
        self._soon = None
        if self._gone is None or self._paused:
            return
        data = bytes(self._waiting)
        self._waiting.clear()
        self._heard(data)


class Sims:
    """The simulated tables of this process, by `MODEL[:NAME]`; `seed` makes them repeatable,
    `speed` is the tables' ms for each ms. A board's boot counts up over processes: it is one more
    than the last that is known of its uid (`boots`), `boot` where it is new."""

    def __init__(
        self,
        seed: int = 0,
        speed: float = 1.0,
        boot: int = 1,
        boots: Mapping[str, int] | None = None,
    ) -> None:
        self.served: dict[str, Served] = {}
        self._seed, self._speed, self._boot = seed, speed, boot
        self._boots = boots or {}

    async def table(self, address: str) -> Served:
        """The table of that address, made and plugged in if it is new. Raises TablectlError
        `link.sim`."""
        if address not in self.served:
            model, _, name = address.partition(":")
            try:
                table = self._made(find_model(model), name or model)
            except SimError as error:
                raise TablectlError(
                    NO_SIM, where=f"sim:{address}", what=error.what, hint=error.hint
                ) from None
            served = Served(table, lambda heard: MemoryPort(address, heard), self._speed)
            self.served[address] = served
            await served.start()
        return self.served[address]

    async def connect(self, address: str, heard: Heard, gone: Gone) -> Transport:
        """A line to it. Raises TablectlError `link.sim`, `link.port_absent` while it is unplugged,
        `link.port_busy` while somebody else speaks with it."""
        served = await self.table(address)
        port = served.port
        assert isinstance(port, MemoryPort)
        if not port.plugged:
            raise TablectlError("link.port_absent", where=port.address)
        if port.host is not None:
            raise TablectlError("link.port_busy", where=port.address, who="this program")
        return MemoryLine(port, heard, gone)

    def _made(self, model: Model, name: str) -> Table:
        last = self._boots.get(about(model, name).uid.hex())
        boot = self._boot if last is None else (last + 1) % 2**32
        return Table(model, name, self._seed, boot)

    def stop(self) -> None:
        """All of them stand still."""
        for served in self.served.values():
            served.stop()
