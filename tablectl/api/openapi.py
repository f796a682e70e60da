"""OpenAPI 3.1 and JSON Schemas, made from `METHODS` and the classes of messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, get_args

import msgspec

import tablectl
from tablectl.api import stream
from tablectl.api.messages import (
    MOST_LETTERS,
    MOST_NUMBER,
    SAYABLE,
    Again,
    Changes,
    CommandBody,
    Live,
    Snapshot,
    Subscribe,
    TapBody,
)
from tablectl.api.methods import METHODS, Method, codes_by_status
from tablectl.api.problems import ErrorBody, status_of
from tablectl.core.entry import Entry
from tablectl.core.facts import AnyFact
from tablectl.core.view import View
from tablectl.errors import CATALOGUE

Json = dict[str, Any]

STREAM: Final = (Snapshot, Changes, Live, Again)
_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: Final = {dict[str, Any]: {"type": "object"}}
_NAME: Final = re.compile(r"\{(\w+)\}")


@cache
def document_bytes() -> bytes:
    """The document as it is served."""
    return msgspec.json.encode(document())


def document() -> Json:
    """The OpenAPI document, in a fixed order."""
    kinds: list[Any] = [ErrorBody, Subscribe, *STREAM]
    for method in METHODS:
        kinds += [kind for kind in (method.gives, method.reads) if kind not in (None, *_PLAIN)]
    _, components = _components(kinds, "#/components/schemas/{name}")
    _bound(components, [kind.__name__ for method in METHODS for kind in _read_by(method)])
    paths: Json = {}
    for method in METHODS:
        paths.setdefault(method.path, {})[method.verb.lower()] = _operation(method)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tablectl",
            "version": tablectl.__version__,
            "summary": "Automatic mahjong tables: what they say, what people say, what follows.",
            "description": (
                "Reading needs nothing; writing needs the token, or a paired browser and its"
                f" Origin. `{stream.PATH}` is a WebSocket: send Subscribe, get Snapshot, then"
                " Changes (JSON Merge Patch) and Live; Again is the last message."
            ),
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def schemas() -> dict[str, Json]:
    """Every file of `protocols/schema/`, by its name."""
    return {
        "state.json": _schema([View], "A table's State, as everybody may see it."),
        "facts.json": {
            **_schema([AnyFact], "A fact, by its `type`."),
            "x-said-by-people": sorted(SAYABLE),
        },
        "entry.json": _schema([Entry], "One entry of the journal; an export has one a line."),
        "tap.json": _schema([TapBody], "What a person says: POST …/facts.", strict=True),
        "commands.json": _schema(
            [CommandBody], "What is asked of a table: POST …/commands.", strict=True
        ),
        "stream.json": _schema(list(STREAM), f"Messages of {stream.PATH}."),
        "subscribe.json": _schema([Subscribe], f"What a client of {stream.PATH} says."),
        "errors.json": {
            **_schema([ErrorBody], "The answer to everything that went wrong."),
            "x-catalogue": {
                code: {
                    "message": entry.message,
                    "hint": entry.hint,
                    "exit": entry.status,
                    "http": status_of(code),
                }
                for code, entry in sorted(CATALOGUE.items())
            },
        },
        "openapi.json": document(),
    }


def text(schema: Json) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


# ── the document's parts ────────────────────────────────────────────────────────────────────────


def _operation(method: Method) -> Json:
    found: Json = {"operationId": method.name, "summary": method.about}
    parameters = [*_in_path(method), *_in_query(method)]
    if parameters:
        found["parameters"] = parameters
    if method.reads is not None:
        schema = _referring(method.reads)
        found["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
    found["responses"] = {
        "200": {
            "description": method.about,
            "content": {"application/json": {"schema": _referring(method.gives)}},
        }
    }
    for status, codes in codes_by_status(method.all_errors).items():
        found["responses"][str(status)] = {
            "description": "\n\n".join(_told(code) for code in codes),
            "content": {"application/json": {"schema": _referring(ErrorBody)}},
        }
    if method.leave in ("writer", "owner"):
        found["security"] = [{"token": []}]
    return found


def _told(code: str) -> str:
    entry = CATALOGUE.get(code)
    return f"`{code}`: {entry.message}" if entry else f"`{code}…`"


def _in_path(method: Method) -> list[Json]:
    schema = {"type": "string", "minLength": 1, "maxLength": 64}
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": method.named,
            "schema": schema,
        }
        for name in _NAME.findall(method.path)
    ]


def _in_query(method: Method) -> list[Json]:
    _, components = _components([method.query], "{name}")
    [shape] = components.values()
    return [
        {"name": name, "in": "query", "schema": schema}
        for name, schema in shape["properties"].items()
    ]


def _read_by(method: Method) -> tuple[Any, ...]:
    return get_args(method.reads) or ((method.reads,) if method.reads else ())


def _referring(kind: Any) -> Json:
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    [schema], _ = _components([kind], "#/components/schemas/{name}")
    return schema


# ── schemas ─────────────────────────────────────────────────────────────────────────────────────


def _schema(kinds: list[Any], about: str, *, strict: bool = False) -> Json:
    found, components = _components(kinds, "#/$defs/{name}")
    if strict:
        _bound(components, components)
    whole = found[0] if len(found) == 1 else {"anyOf": found}
    return {"$schema": _DRAFT, "description": about, **whole, "$defs": components}


def _components(kinds: Iterable[Any], template: str) -> tuple[list[Json], dict[str, Json]]:
    found, components = msgspec.json.schema_components(list(kinds), ref_template=template)
    # Two classes of one name are named with their module, which is nobody's business.
    names = {name: _plain_name(name) for name in components}
    written = {template.format(name=name): template.format(name=new) for name, new in names.items()}
    parts = {names[name]: _renamed(schema, written) for name, schema in components.items()}
    return [_renamed(one, written) for one in found], dict(sorted(parts.items()))


def _plain_name(name: str) -> str:
    *module, plain = name.split(".")
    return plain if not module or module[-1] == "facts" else module[-1].capitalize() + plain


def _renamed(schema: Any, names: dict[str, str]) -> Any:
    if isinstance(schema, list):
        return [_renamed(one, names) for one in schema]
    if isinstance(schema, dict):
        return {key: _renamed(one, names) for key, one in schema.items()}
    return names.get(schema, schema) if isinstance(schema, str) else schema


def _bound(components: dict[str, Json], roots: Iterable[str]) -> None:
    """Write into what is read from people the bounds that `reading` keeps."""
    names = {kind.__name__ for kind in SAYABLE.values()}
    waiting, seen = list(roots), set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        waiting += [one.rpartition("/")[2] for one in _references(components[name])]
        _tighten(components[name])
        if name in names:
            components[name]["additionalProperties"] = False


def _references(schema: Any) -> Iterable[str]:
    if isinstance(schema, list):
        for one in schema:
            yield from _references(one)
    elif isinstance(schema, dict):
        for key, one in schema.items():
            if key == "$ref":
                yield one
            elif key != "discriminator":
                yield from _references(one)


def _tighten(schema: Any) -> None:
    if isinstance(schema, list):
        for one in schema:
            _tighten(one)
    elif isinstance(schema, dict):
        if schema.get("type") == "integer":
            if "minimum" not in schema:
                schema["minimum"] = -MOST_NUMBER
            if not {"maximum", "exclusiveMaximum"} & set(schema):
                schema["maximum"] = MOST_NUMBER
        if schema.get("type") == "string" and not {"pattern", "format", "maxLength"} & set(schema):
            schema["maxLength"] = MOST_LETTERS
        for one in schema.values():
            _tighten(one)
