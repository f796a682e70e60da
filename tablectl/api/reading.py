"""Reading what strangers send: bounded in nesting, letters and digits, and told where it is wrong.

To JSON 1.0 is an integer, so it is one here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

import msgspec

from tablectl.api import problems
from tablectl.api.messages import HOW_WRITTEN, MOST_LETTERS, MOST_NUMBER, SAYABLE
from tablectl.core.facts import FACTS
from tablectl.errors import TablectlError

S = TypeVar("S", bound=msgspec.Struct)

MOST_NESTING: Final = 16

_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKETS: Final = re.compile(rb"[\[\]{}]")
_INTEGER: Final = re.compile(r"(-?)([0-9]+)(\.0{1,16})?", re.ASCII)
_DIGITS: Final = 17
"""More than any number here has."""
_PATTERNS: Final = {
    f"Expected `str` matching regex {pattern!r}": words for pattern, words in HOW_WRITTEN.items()
}
"""What is said of a text that is not as its pattern: nobody can read a pattern."""
_WHERE: Final = re.compile(r"^(.*) - at `\$\.?([^`]*)`$", re.DOTALL)


def read(body: bytes, kind: Any) -> Any:
    """A body as a value of `kind`. Raises `api.nesting`, `api.json`, `api.body`,
    `api.unsayable`."""
    if not shallow(body):
        raise TablectlError(problems.NESTING, most=MOST_NESTING)
    try:
        raw = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TablectlError(problems.JSON, why=_sentence(str(error))) from None
    raw = _numbers(raw)
    if isinstance(raw, dict):
        _check_sayable(raw.get("fact"))
    try:
        found = msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        why, where = _mistake(error)
        raise TablectlError(problems.BODY, where=where, why=why) from None
    if isinstance(raw, dict):
        _check_fields(raw.get("fact"))
    return found


def read_query(query: bytes, kind: type[S]) -> S:
    """What stands behind the `?`. Raises `api.query`."""
    allowed = [field.encode_name for field in msgspec.structs.fields(kind)]
    raw: dict[str, Any] = {}
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError:
        raise _query_error("what stands behind the `?` cannot be read", allowed) from None
    for name, text in pairs:
        if name not in allowed:
            raise _query_error(f"'{_short(name)}' is not asked here", allowed)
        if name in raw:
            raise _query_error(f"'{name}' is there twice", allowed)
        raw[name] = _number(text)
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        why, where = _mistake(error)
        raise _query_error(f"{where}: {why}" if where else why, allowed) from None


def shallow(body: bytes) -> bool:
    """Whether no more than `MOST_NESTING` brackets are open at once."""
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", body)):
        depth += 1 if bracket in b"[{" else -1
        if depth > MOST_NESTING:
            return False
    return True


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _mistake(error: msgspec.ValidationError) -> tuple[str, str | None]:
    """What is wrong and where, as a sentence and a path."""
    found = _WHERE.match(str(error))
    why, where = (found[1], found[2] or None) if found else (str(error), None)
    return _PATTERNS.get(why) or _sentence(why), where


def _number(text: str) -> int | str:
    """A whole number as one; with too many digits one that is beyond every range too."""
    found = _INTEGER.fullmatch(text)
    if found is None:
        return text
    digits = found[2].lstrip("0") or "0"
    return int(found[1] + (digits if len(digits) <= _DIGITS else "9" * _DIGITS))


def _numbers(value: Any, where: str = "") -> Any:
    """Integral floats as integers, and integers that browsers cannot keep as floats; refuses a
    text that is too long."""
    match value:
        case float() if value.is_integer() and abs(value) <= MOST_NUMBER:
            return int(value)
        case bool():
            return value
        case int() if abs(value) > MOST_NUMBER:
            return _float(value, where)
        case str() if len(value) > MOST_LETTERS:
            why = f"a text has at most {MOST_LETTERS} letters"
            raise TablectlError(problems.BODY, where=where or None, why=why)
        case list():
            return [_numbers(one, f"{where}[{n}]") for n, one in enumerate(value)]
        case dict():
            return {
                key: _numbers(one, f"{where}.{key}"[-80:].strip(".")) for key, one in value.items()
            }
    return value


def _float(value: int, where: str) -> float:
    try:
        return float(value)
    except OverflowError:
        why = "a number has too many digits"
        raise TablectlError(problems.BODY, where=where or None, why=why) from None


def _check_sayable(fact: Any) -> None:
    kind = fact.get("type") if isinstance(fact, dict) else None
    if isinstance(kind, str) and kind in FACTS and kind not in SAYABLE:
        raise TablectlError(
            problems.UNSAYABLE, where="fact.type", type=kind, sayable=", ".join(SAYABLE)
        )


def _check_fields(fact: Any) -> None:
    """A field with a slip of the pen must not be left out in silence."""
    if not isinstance(fact, dict) or fact.get("type") not in SAYABLE:
        return
    known = {"type"}
    known |= {field.encode_name for field in msgspec.structs.fields(SAYABLE[fact["type"]])}
    for name in fact:
        if name not in known:
            why = f"'{fact['type']}' has no field '{_short(name)}'; it has {_listed(sorted(known))}"
            raise TablectlError(problems.BODY, where="fact", why=why)


def _query_error(why: str, allowed: Iterable[str]) -> TablectlError:
    return TablectlError(problems.QUERY, why=why, allowed=_listed(allowed))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"


def _sentence(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
