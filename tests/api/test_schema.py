"""The schemas in the repository are those of the classes, and the OpenAPI is of one piece."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tablectl.api.methods import METHODS
from tablectl.api.openapi import document, schemas

ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools" / "schema"


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_files_are_as_the_classes_say(seed: str) -> None:
    done = subprocess.run(
        [sys.executable, TOOL, "--check"],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nRun .venv/bin/python tools/schema."


@pytest.mark.parametrize("name", schemas())
def test_every_reference_leads_somewhere(name: str) -> None:
    whole = schemas()[name]

    def references(part: Any) -> list[str]:
        if isinstance(part, list):
            return [one for item in part for one in references(item)]
        if isinstance(part, dict):
            mapped = list(part["mapping"].values()) if "mapping" in part else []
            own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
            return own + mapped + [one for item in part.values() for one in references(item)]
        return []

    found = references(whole)
    assert found
    for reference in found:
        part = whole
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]
    if name != "openapi.json":
        jsonschema_rs.meta.validate(whole)


def test_the_document_has_each_method_once() -> None:
    paths = document()["paths"]
    listed = [(path, verb) for path, verbs in paths.items() for verb in verbs]
    assert sorted(listed) == sorted((one.path, one.verb.lower()) for one in METHODS)
    for method in METHODS:
        operation = paths[method.path][method.verb.lower()]
        assert ("security" in operation) == (method.leave in ("writer", "owner"))
        assert ("requestBody" in operation) == method.writes
