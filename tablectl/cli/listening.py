"""Who listens at a TCP port of this machine, from the kernel's own tables: nothing is opened."""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablectl.link.ports import holder_of

NET: Final = Path("/proc/net")
_LISTENING: Final = "0A"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def listener(address: str, port: int, net: Path = NET) -> str | None:
    """The program at whose side a server at this address and port would not find room: its name,
    or "another program" where this user may not see it; None if the port is free."""
    ours = ipaddress.ip_address(address)
    for theirs, at, inode in _listeners(net):
        if at == port and _meet(ours, theirs):
            return str(holder_of(f"socket:[{inode}]") or "another program")
    return None


def _meet(ours: Address, theirs: Address) -> bool:
    """Whether two servers at one port are in each other's way. The one at every address of IPv6 is
    at every one of IPv4 too."""
    if ours == theirs:
        return True
    for one, other in ((ours, theirs), (theirs, ours)):
        if one.is_unspecified and one.version in (other.version, 6):
            return True
    return False


def _listeners(net: Path) -> Iterator[tuple[Address, int, str]]:
    for name in ("tcp", "tcp6"):
        try:
            lines = (net / name).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            words = line.split()
            if len(words) > 9 and words[3] == _LISTENING:
                address, _, port = words[1].partition(":")
                yield _address(address), int(port, 16), words[9]


def _address(text: str) -> Address:
    """The kernel writes addresses as words of 32 bits in the machine's own order."""
    data = bytes.fromhex(text)
    if sys.byteorder == "little":
        data = b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4))
    found = ipaddress.ip_address(data)
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
