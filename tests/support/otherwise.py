"""A rule with single values changed, as an owner would change them in its file."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core.preset import Preset


def otherwise(rules: Preset, **values: object) -> Preset:
    """The rule with other values, named `section__value`; another rule to every program."""
    sections: dict[str, dict[str, object]] = {}
    for name, value in values.items():
        section, _, field = name.partition("__")
        sections.setdefault(section, {})[field] = value
    changed = {name: replace(getattr(rules, name), **about) for name, about in sections.items()}
    digest = f"{rules.digest}-{sorted(values.items())}"
    return replace(rules, digest=digest, **changed)  # type: ignore[arg-type]
