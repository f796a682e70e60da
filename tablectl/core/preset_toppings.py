"""Statements and toppings of a preset file, beside its values.

    [[statements]]                        # what people keep and the program tells them
    topic = "riichi"
    text = "No riichi in furiten"
    seed = "フリテンリーチNG"

    [toppings.wareme-2]                   # a named variant, off unless asked for: NAME+wareme-2
    title = "割れ目 ×2"
    about = "The seat at the opened wall pays and receives twice."
    "wareme.factor" = { value = 2, seed = "打点の収支が倍" }

A topping puts values in the place of the rule's own. It contradicts its base where it changes
nothing, or where the rule does not load with it; two toppings where they say the same value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tablectl.core.preset import Sourced, Statement, Topping
from tablectl.core.preset_clash import Clash, Values, clashes
from tablectl.core.preset_fields import BY_PATH, SOURCES, TOPICS, Field
from tablectl.core.preset_text import did_you_mean, in_toml
from tablectl.errors import TablectlError, declare

declare("preset.statement", "statement {number} {why}", "{remedy}")
declare("preset.topping", "the topping '{name}' {why}", "{remedy}")
declare(
    "preset.topping_unknown",
    "{base} has no topping '{name}'",
    "{nearest}It has {names}.",
)
declare(
    "preset.topping_twice",
    "{name} names the topping '{topping}' twice",
    "Name it once.",
)
declare(
    "preset.toppings_clash",
    "the toppings '{one}' and '{other}' of {base} both say {path}",
    "Take one of them: {base}+{one} or {base}+{other}.",
)

NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
_STATEMENT: Final = ("topic", "text", *SOURCES)

Problem = Callable[..., None]
"""Told a code, a line and the values of the case."""
Reads = Callable[[Field, Any, int], Sourced | None]
"""Reads a value with its source; None where it cannot be read, which it has told."""


def statements_of(
    found: object, lines: Mapping[str, int], problem: Problem
) -> tuple[Statement, ...]:
    """The statements of a file; what is wrong with them is told."""
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        problem(
            "preset.table", lines.get("statements", lines.get(".statements", 1)), found="statements"
        )
        return ()
    read = []
    for number, one in enumerate(found):
        line = lines.get(f"statements.{number}", 1)
        wrong = list(_statement_wrong(one))
        for why, remedy in wrong:
            problem("preset.statement", line, number=number + 1, why=why, remedy=remedy)
        if not wrong:
            kind = next(source for source in SOURCES if source in one)
            read.append(Statement(one["topic"], one["text"], kind, one[kind], line))
    return tuple(read)


def toppings_of(
    found: object, lines: Mapping[str, int], problem: Problem, reads: Reads
) -> tuple[Topping, ...]:
    """The toppings of a file; what is wrong with them by themselves is told."""
    if not isinstance(found, dict):
        problem("preset.table", lines.get(".toppings", 1), found="toppings")
        return ()
    read = []
    for name, given in found.items():
        line = lines.get(f"toppings.{name}", 1)
        if not NAME.fullmatch(name) or not isinstance(given, dict):
            why = "is not a name with its own values"
            remedy = "Write [toppings.NAME] in small letters, digits and -, its values under it."
            problem("preset.topping", line, name=name, why=why, remedy=remedy)
            continue
        topping = _topping(name, given, line, lines, problem, reads)
        if topping is not None:
            read.append(topping)
    return tuple(read)


def contradictions(values: Values, toppings: Sequence[Topping]) -> Iterator[tuple[Topping, Clash]]:
    """What each topping, put on by itself, contradicts in these values, which do not clash."""
    for topping in toppings:
        same = [one for one in topping.changes if values.get(one.path) == one.value]
        for one in same:
            yield (
                topping,
                Clash(
                    one.path,
                    f"sets {one.path} to {in_toml(one.value)}, which the rule has already",
                    "Leave it out, or give another value.",
                ),
            )
        for clash in clashes(with_toppings(values, (topping,))):
            yield topping, clash


def with_toppings(values: Values, toppings: Sequence[Topping]) -> Values:
    """The values with those of the toppings in their place."""
    return values | {one.path: one.value for topping in toppings for one in topping.changes}


def toppings_named(
    base: str, there: Sequence[Topping], names: Sequence[str]
) -> tuple[Topping, ...]:
    """The toppings of these names, in the order of the file. Raises `preset.topping_unknown`,
    `preset.topping_twice`, `preset.toppings_clash`."""
    known = {topping.name: topping for topping in there}
    for name in names:
        if name not in known:
            raise TablectlError(
                "preset.topping_unknown",
                base=base,
                name=name,
                names=", ".join(known) or "none",
                nearest=_meant(name, list(known)),
            )
        if list(names).count(name) > 1:
            full = "+".join((base, *names))
            raise TablectlError("preset.topping_twice", name=full, topping=name)
    chosen = tuple(topping for topping in there if topping.name in names)
    by_path: dict[str, str] = {}
    for topping in chosen:
        for one in topping.changes:
            if one.path in by_path:
                raise TablectlError(
                    "preset.toppings_clash",
                    base=base,
                    one=by_path[one.path],
                    other=topping.name,
                    path=one.path,
                )
            by_path[one.path] = topping.name
    return chosen


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _statement_wrong(one: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in one:
        if key not in _STATEMENT:
            yield f"has '{key}'{did_you_mean(key, _STATEMENT)}", f"It has {', '.join(_STATEMENT)}."
    if one.get("topic") not in TOPICS:
        said = in_toml(one["topic"]) if "topic" in one else "nothing"
        near = did_you_mean(one.get("topic"), TOPICS)
        yield f"is about {said}{near}", f"A topic is one of {', '.join(TOPICS)}."
    kinds = [source for source in SOURCES if source in one]
    if len(kinds) != 1:
        yield (
            f"has {len(kinds) or 'no'} source{'s' * (len(kinds) > 1)}",
            (
                'Give one: seed = "phrase of the rule text", convention = "where from" or chosen ='
                ' "why".'
            ),
        )
    for key in ("text", *kinds):
        if not isinstance(one.get(key), str) or not one[key].strip():
            yield f"says nothing as its {key}", f'Write {key} = "…".'


def _topping(
    name: str,
    given: Mapping[str, Any],
    line: int,
    lines: Mapping[str, int],
    problem: Problem,
    reads: Reads,
) -> Topping | None:
    def wrong(why: str, remedy: str, at: int = line) -> None:
        problem("preset.topping", at, name=name, why=why, remedy=remedy)

    title, about = given.get("title"), given.get("about", "")
    if not isinstance(title, str) or not title.strip() or not isinstance(about, str):
        wrong("has no title", 'Give it: title = "…", and about = "…" in words.')
        return None
    changes = []
    for path, value in given.items():
        if path in ("title", "about"):
            continue
        at = lines.get(f"toppings.{name}.{path}", line)
        if path not in BY_PATH:
            near = did_you_mean(path, BY_PATH)
            wrong(
                f"changes '{path}', which no rule has{near}",
                'Write the value with its section, in quotes: "play.points" = { value = … }.',
                at,
            )
            continue
        one = reads(BY_PATH[path], value, at)
        if one is not None:
            changes.append(one)
    if not changes:
        wrong("changes nothing", 'Give the values it changes: "play.points" = { value = … }.')
        return None
    return Topping(name, title, about, tuple(changes), line)


def _meant(name: str, names: list[str]) -> str:
    near = did_you_mean(name, names).removeprefix("; d").removesuffix("?")
    return f"D{near}? " if near else ""
