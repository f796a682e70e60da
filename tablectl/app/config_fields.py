"""The one table of all values of the configuration: what each means and what is allowed in it."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from typing import Any, Final

from tablectl.core.boxes import CLASSES, class_of
from tablectl.core.preset_fields import Field, whole
from tablectl.core.profile_file import builtin_profiles
from tablectl.core.tiles import is_code, parse_tile

_HOST: Final = re.compile(
    r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*", re.I
)
_NAME: Final = re.compile(r"[^\s/]([^/]{0,38}[^\s/])?")


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_address(value: Any) -> bool:
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return isinstance(value, str)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _is_name(value: Any) -> bool:
    return _is_text(value) and _NAME.fullmatch(value) is not None


def _are_hosts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) and _HOST.fullmatch(v) for v in value)


def _is_uid(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9A-Fa-f]{16}", value) is not None


def _are_sides(value: Any) -> bool:
    _, side = whole(0, 3)
    return isinstance(value, list) and all(map(side, value))


def _box_field(name: str) -> Field:
    """One class of tiles that the box of a set can have."""
    _, count = whole(0, 16)

    def fits(value: Any) -> bool:
        return isinstance(value, dict) and all(
            is_code(code) and (tile := parse_tile(code)) and class_of(tile) == name and count(n)
            for code, n in value.items()
        )

    words = name.replace("_", " ") + ("" if name.endswith("s") else " tiles")
    shown = "{ 1f = 2 }" if name == "flowers" else f"{{ 5s{CLASSES[name]} = 2 }}"
    return Field(
        "table.sets",
        name,
        f"a table of {words} and how many there are, as {shown}; {{}} for none",
        fits,
        f"{words} in the box of this set",
        None,
    )


_BOOL: Final[tuple[str, Callable[[Any], bool]]] = ("true or false", _is_bool)

FIELDS: Final = (
    Field(
        "daemon",
        "address",
        "an IP address of this machine, such as 127.0.0.1",
        _is_address,
        "the address that people's browsers reach; others than 127.0.0.1 only when written here",
        "127.0.0.1",
    ),
    Field("daemon", "port", *whole(0, 65_535), "its port; 0 for any free one", 8136),
    Field(
        "daemon",
        "names",
        'a list of host names such as ["parlour.local"], without port',
        _are_hosts,
        "further names by which this machine is called",
        (),
    ),
    Field("daemon", "state", "the path of a folder", _is_text, "where everything is kept", None),
    Field("daemon", "capture", *_BOOL, "keep what goes over the lines, in the state folder", False),
    Field("daemon", "motions", *_BOOL, "start, raise, throw … from the staff panel", False),
    Field("table", "url", "the address of a table in quotes", _is_text, "where the table is"),
    Field(
        "table",
        "name",
        "1 to 40 characters without /",
        _is_name,
        "what people call it; without one, what its address ends with",
        None,
    ),
    Field("table", "preset", "a rule by name, or a TOML file", _is_text, "what is played there"),
    Field(
        "table",
        "seats",
        "a list of sides from 0 to 3, one for each player",
        _are_sides,
        "the side of each seat; without it 0, 1, 2, …",
        None,
    ),
    Field(
        "table",
        "uid",
        "the 16 hexadecimal digits that the board says of itself",
        _is_uid,
        "this board and no other belongs to the name",
        None,
    ),
    Field("table", "motions", *_BOOL, "as for the daemon, for this table alone", None),
    Field(
        "table",
        "profile",
        f"one of {', '.join(builtin_profiles())}",
        lambda value: value in builtin_profiles(),
        "the table model, where no board says it: its numbers and how they are chosen",
        None,
        tuple(builtin_profiles()),
    ),
    Field("table.notes", "preset", "a rule by name, or a TOML file", _is_text, "a rule"),
    Field("table.notes", "number", *whole(0, 65_535), "the table's own number of it"),
    Field("table.notes", "verified", *_BOOL, "whether somebody saw it come up so", False),
    *map(_box_field, CLASSES),
)

SECTIONS: Final = ("daemon", "table", "table.notes", "table.sets")


def fields_of(section: str) -> tuple[Field, ...]:
    """The values of one section."""
    return tuple(field for field in FIELDS if field.section == section)
