"""Serial ports of this machine, looked at from outside: none is opened.

A port is known by its device (`/dev/ttyUSB0`, which changes with every plugging in) and by stable
names: by-id, what its adapter says of itself, and by-path, where it is plugged in.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SERIAL: Final = Path("/dev/serial")
DRIVERS: Final = "tablectl.drivers"
"""Entry points: drivers of others. One that has `adapters`, pairs of a USB vendor's and product's
number, claims the ports of these. Our own claims none: adapters say nothing of what is behind."""

RULES: Final = "/etc/udev/rules.d/60-tablectl.rules"
"""Where a rule for devices is written; hardware/udev has the same for every USB adapter."""
LOCKS: Final = Path("/proc/locks")
PSEUDO: Final = "/dev/pts/"
_GROUP: Final = stat.S_IRGRP | stat.S_IWGRP


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that has a file open."""

    pid: int
    name: str

    def __str__(self) -> str:
        return f"{self.name} (process {self.pid})"


@dataclass(frozen=True, slots=True)
class PortSeen:
    """One port. `adapter`: VID:PID[:SERIAL] in hexadecimal digits; `group`: who may open it besides
    its owner; `may_open`: whether this user may; `holder`: who has it open, as far as this user may
    see; `table`: what the configuration calls the table there; `driver`: who claims its adapter."""

    path: str
    by_id: tuple[str, ...] = ()
    by_path: tuple[str, ...] = ()
    description: str | None = None
    adapter: str | None = None
    group: str | None = None
    may_open: bool = False
    holder: Holder | None = None
    table: str | None = None
    driver: str | None = None

    @property
    def name(self) -> str:
        """The name to write into a configuration: the most stable one."""
        return next(iter((*self.by_id, *self.by_path)), self.path)


def list_ports(named: Mapping[str, str] | None = None, folder: Path = SERIAL) -> list[PortSeen]:
    """Every serial port, in the order of its device. `named`: tables by the path that their
    configuration writes; a port that is named is listed even where nothing else tells of it."""
    from serial.tools import list_ports as finder

    found: dict[str, Any] = {os.path.realpath(one.device): one for one in finder.comports()}
    tables = {os.path.realpath(path): name for path, name in (named or {}).items()}
    claims = claimed()
    ports = []
    for path in sorted({*found, *(path for path in tables if is_port(path))}, key=_in_order):
        about = found.get(path)
        vid, pid = getattr(about, "vid", None), getattr(about, "pid", None)
        ports.append(
            PortSeen(
                path=path,
                by_id=_names(folder / "by-id", path),
                by_path=_names(folder / "by-path", path),
                description=_said(getattr(about, "description", None)),
                adapter=_adapter(vid, pid, getattr(about, "serial_number", None)),
                group=group_of(path),
                may_open=may_open(path),
                holder=holder(path),
                table=tables.get(path),
                driver=claims.get((vid, pid)),
            )
        )
    return ports


def is_port(path: str) -> bool:
    """Whether that is a character device."""
    try:
        return stat.S_ISCHR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def may_open(path: str) -> bool:
    """Whether this user may read and write there."""
    return os.access(path, os.R_OK | os.W_OK)


def holder(path: str) -> Holder | None:
    """The program other than this one that has a file to itself, as the kernel's table of locks
    says; if none has, one that has it open, as far as this user may see. A program that serves a
    pseudo-terminal has both its ends, and holds neither against anybody."""
    return locker(path) or holder_of(os.path.realpath(path))


def locker(path: str, locks: Path = LOCKS) -> Holder | None:
    """The program other than this one that has locked a file for itself alone."""
    try:
        about = os.stat(path)
        lines = locks.read_text().splitlines()
    except (OSError, ValueError):
        return None
    major, minor = os.major(about.st_dev), os.minor(about.st_dev)
    inode = f"{major:02x}:{minor:02x}:{about.st_ino}"
    for line in lines:
        words = line.split()
        if words[1:2] == ["FLOCK"] and words[3:4] == ["WRITE"] and words[5:6] == [inode]:
            pid = int(words[4])
            if pid != os.getpid() and (name := _name(pid)) is not None:
                return Holder(pid, name)
    return None


def holder_of(link: str) -> Holder | None:
    """The program other than this one that has open what its descriptor calls so: a real path, or
    `socket:[INODE]`."""
    for process in sorted(Path("/proc").glob("[0-9]*"), key=lambda one: int(one.name)):
        pid = int(process.name)
        if pid == os.getpid():
            continue
        try:
            open_files = {fd: _link(fd) for fd in (process / "fd").iterdir()}
        except OSError:
            continue
        if link not in open_files.values() or _serves(process, open_files, link):
            continue
        if (name := _name(pid)) is not None:
            return Holder(pid, name)
    return None


def group_of(path: str) -> str:
    """The group that may open a port."""
    import grp

    try:
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    except (OSError, KeyError):
        return "dialout"


def mend(path: str) -> str:
    """The one command after which this user may open the port."""
    import grp

    try:
        about = os.stat(path)
        group = grp.getgrgid(about.st_gid)
    except (OSError, KeyError):
        return "sudo usermod -aG dialout $USER, then log in again"
    if os.path.realpath(path).startswith(PSEUDO):
        return f"sudo chown $USER {os.path.realpath(path)}"
    if group.gr_gid == 0 or about.st_mode & _GROUP != _GROUP:
        # To be in that group would help nobody, or with far too much.
        rule = f'SUBSYSTEM=="tty", KERNEL=="{_kernels(path)}", GROUP="dialout", MODE="0660"'
        return (
            f"sudo usermod -aG dialout $USER && echo '{rule}' | sudo tee -a {RULES}"
            " && sudo udevadm control --reload && sudo udevadm trigger, then log in again"
        )
    if _user() in group.gr_mem and about.st_gid not in os.getgroups():
        return f"log out and in again: you are in the group {group.gr_name} since you logged in"
    return f"sudo usermod -aG {group.gr_name} $USER, then log in again"


def claimed(points: tuple[EntryPoint, ...] | None = None) -> dict[tuple[Any, Any], str]:
    """The driver's name for each adapter that one claims; a driver that cannot be loaded claims
    none."""
    from importlib.metadata import entry_points

    claims: dict[tuple[Any, Any], str] = {}
    for point in points if points is not None else tuple(entry_points(group=DRIVERS)):
        try:
            adapters = getattr(point.load(), "adapters", ())
        except (ImportError, AttributeError):
            continue
        for vid, pid in adapters:
            claims.setdefault((vid, pid), point.name)
    return claims


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _serves(process: Path, open_files: Mapping[Path, str], link: str) -> bool:
    """Whether a program has the master of that pseudo-terminal, as the kernel says of it."""
    if not link.startswith(PSEUDO):
        return False
    for fd, name in open_files.items():
        if name.rpartition("/")[2] != "ptmx":
            continue
        try:
            said = (process / "fdinfo" / fd.name).read_text()
        except OSError:
            continue
        numbers = [line.split()[1] for line in said.splitlines() if line.startswith("tty-index:")]
        if not numbers or numbers[0] == link.removeprefix(PSEUDO):
            return True  # an older kernel does not say which one it is
    return False


def _name(pid: int) -> str | None:
    """What a process is called, None if there is none."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return None


def _kernels(path: str) -> str:
    """What the kernel calls ports of that kind: of USB adapters all, of others the one."""
    name = os.path.basename(os.path.realpath(path))
    kind = name.rstrip("0123456789")
    return f"{kind}[0-9]*" if kind in ("ttyUSB", "ttyACM") else name


def _names(folder: Path, real: str) -> tuple[str, ...]:
    try:
        return tuple(sorted(str(one) for one in folder.iterdir() if os.path.realpath(one) == real))
    except OSError:
        return ()


def _link(path: Path) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _said(text: str | None) -> str | None:
    return None if text in (None, "", "n/a") else text


def _adapter(vid: int | None, pid: int | None, serial: str | None) -> str | None:
    if vid is None or pid is None:
        return None
    return f"{vid:04x}:{pid:04x}" + (f":{serial}" if serial else "")


def _in_order(path: str) -> tuple[str, int, str]:
    """ttyUSB2 before ttyUSB10."""
    letters = path.rstrip("0123456789")
    return letters, int(path[len(letters) :] or 0), path


def _user() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return ""
