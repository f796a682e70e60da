"""Addresses of tables, as the configuration and the command line write them.

serial:/dev/serial/by-id/…   tcp:HOST:PORT   sim:MODEL[:NAME]   manual:NAME
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from tablectl.core.preset_text import nearest
from tablectl.errors import TablectlError
from tablectl.link.transport import URL

Kind = Literal["serial", "tcp", "sim", "manual"]
KINDS: Final = get_args(Kind)

FORMS: Final = (
    "serial:/dev/serial/by-id/…, serial:/dev/ttyUSB0, tcp:HOST:PORT, sim:MODEL, sim:MODEL:NAME or"
    " manual:NAME"
)


@dataclass(frozen=True, slots=True)
class Address:
    """One table's address. `rest`: a port's path, HOST:PORT, MODEL[:NAME] or NAME."""

    kind: Kind
    rest: str

    @property
    def url(self) -> str:
        return f"{self.kind}:{self.rest}"

    @property
    def has_board(self) -> bool:
        """Whether a board is there that says of itself which table it is."""
        return self.kind in ("serial", "tcp")

    @property
    def name(self) -> str:
        """What the table is called where nobody has named it."""
        if self.kind == "serial":
            return self.rest.rstrip("/").rpartition("/")[2]
        if self.kind == "sim":
            model, _, name = self.rest.partition(":")
            return name or model
        return self.rest.replace(":", "-") if self.kind == "tcp" else self.rest


def read_address(url: str) -> Address:
    """The address that a URL says; it opens nothing. Raises TablectlError `link.url`."""
    kind, _, rest = url.partition(":")
    known = next((one for one in KINDS if one == kind), None)
    if known is None or not rest.strip() or not _FORMS[known](rest):
        raise TablectlError(URL, url=url)
    return Address(known, rest)


def meant(url: str) -> str | None:
    """The URL that a wrong one was probably meant for, if only its kind is wrong."""
    kind, _, rest = url.partition(":")
    if url.startswith("/dev/"):
        return f"serial:{url}"
    near = nearest(kind, KINDS)
    if near is None or near == kind or not rest:
        return None
    try:
        return read_address(f"{near}:{rest}").url
    except TablectlError:
        return None


def _tcp(rest: str) -> bool:
    host, _, port = rest.rpartition(":")
    return bool(host) and port.isdecimal() and port.isascii() and 0 < int(port) < 1 << 16


def _named(rest: str) -> bool:
    return rest.isprintable() and rest == rest.strip() and "/" not in rest


def _sim(rest: str) -> bool:
    model, colon, name = rest.partition(":")
    return _named(model) and bool(model) and (not colon or (bool(name) and _named(name)))


_FORMS: Final = {
    "serial": lambda rest: rest.isprintable() and "\0" not in rest,
    "tcp": _tcp,
    "sim": _sim,
    "manual": _named,
}
