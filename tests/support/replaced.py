"""A function of the program replaced everywhere that it is called, by one that gives another
result."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

ROWS: Final = "ledger_rows_"
"""With this the names of the modules begin that hold the ledger's tests."""
Function = Callable[..., Any]


def _skipped(function: Function) -> Function:
    return lambda *a, **k: None


def _first(function: Function) -> Function:
    return lambda *a, **k: a[0]


def _result(change: Callable[[Any], Any]) -> Callable[[Function], Function]:
    return lambda function: lambda *a, **k: change(function(*a, **k))


def _changed(result: Any) -> Any:
    """Another value of the same sort, as far as there is one."""
    if isinstance(result, bool):
        return not result
    if isinstance(result, int):
        return result + 1
    if isinstance(result, str):
        return "" if result else "something"
    if isinstance(result, tuple) and type(result) is tuple:
        return tuple(reversed(result)) if len(set(map(repr, result))) > 1 else ()
    return None


REPLACERS: Final[dict[str, Callable[[Function], Function]]] = {
    "changed": _result(_changed),
    "skipped": _skipped,
    "first": _first,
    "not": _result(lambda result: not result),
    "more": _result(lambda result: result + 1),
    "empty": _result(lambda result: type(result)()),
    "reversed": _result(lambda result: result[::-1]),
    "shorter": _result(lambda result: result[:-1]),
}
"""What a function is replaced by, in one word: not called at all (`skipped`), its first
argument in the place of its result, or the result altered."""


@contextmanager
def replaced(name: str, word: str) -> Iterator[None]:
    """The function of that dotted name, replaced. What was computed with it before is forgotten;
    afterwards it must have been called."""
    function = named(name)
    called: list[str] = []
    other = REPLACERS[word](function)

    def instead(*arguments: Any, **about: Any) -> Any:
        called.append(name)
        return other(*arguments, **about)

    places = list(_places(function))
    assert places, f"nothing calls {name}"
    _forget()
    for holder, key in places:
        _put(holder, key, instead)
    try:
        yield
        assert called, f"{name} is not called by this test"
    finally:
        for holder, key in places:
            _put(holder, key, function)
        _forget()


def named(name: str) -> Function:
    """The function with that dotted name; a method by its class."""
    module, *rest = _split(name)
    found: Any = module
    for part in rest:
        found = vars(found)[part] if isinstance(found, type) else getattr(found, part)
    assert callable(found), name
    return found  # type: ignore[no-any-return]


def _split(name: str) -> tuple[Any, ...]:
    parts = name.split(".")
    for n in range(len(parts) - 1, 0, -1):
        try:
            return (importlib.import_module(".".join(parts[:n])), *parts[n:])
        except ModuleNotFoundError:
            continue
    raise KeyError(name)


def _places(function: Function) -> Iterator[tuple[Any, Any]]:
    """Where program and tests hold the function: names of modules and of their classes, tables."""
    for module in (*_modules("tablectl"), *_modules("support"), *_modules(ROWS)):
        for key, value in list(vars(module).items()):
            if value is function:
                yield module, key
            elif isinstance(value, dict):
                yield from ((value, k) for k, one in value.items() if one is function)
            elif isinstance(value, type) and value.__module__ == module.__name__:
                yield from ((value, k) for k, one in vars(value).items() if one is function)


def _put(holder: Any, key: Any, value: Any) -> None:
    if isinstance(holder, dict):
        holder[key] = value
    else:
        setattr(holder, key, value)


def _forget() -> None:
    """Forget what the program has computed and kept."""
    for module in _modules("tablectl"):
        for value in list(vars(module).values()):
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def _modules(begin: str) -> list[Any]:
    """Modules whose names begin so."""
    return [one for name, one in list(sys.modules.items()) if name.startswith(begin)]
