"""`tablectl presets`: the rules, one of them whole on one screen or with every source, or the
mistakes of a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import to_builtins

from tablectl.core.preset import Preset
from tablectl.core.preset_fields import BY_PATH
from tablectl.core.preset_file import builtin_presets, find_preset, load_preset
from tablectl.core.preset_shown import in_a_list, whole
from tablectl.core.rule_told import (
    Group,
    Language,
    statements_told,
    toppings_told,
    values_told,
)
from tablectl.core.rule_words import CHOSEN, KEPT
from tablectl.core.wall import sides_text, whole_sides
from tablectl.errors import DONE, TablectlError, declare

if TYPE_CHECKING:  # it loads rich
    from tablectl.cli.sheet import Paragraph

declare(
    "cli.japanese",
    "--ja has no part in {what}",
    "Give --ja with the name of a rule and nothing else; sources are told in their own words.",
)
_CHOSEN = "°"
_SAID = {"seed": "the rule text", "convention": "convention", "chosen": "chosen"}


def run(
    name: str | None,
    check: str | None,
    *,
    as_json: bool,
    sources: bool = False,
    japanese: bool = False,
) -> int:
    """Print what was asked. Raises TablectlError `preset.*`, `cli.japanese`."""
    _check_options(name, sources=sources, japanese=japanese, as_json=as_json)
    if check is not None:
        return _check(check, as_json=as_json)
    if name is not None:
        rules = find_preset(name)
        if as_json:
            print(json.dumps(to_builtins(whole(rules)), ensure_ascii=False))
        elif sources:
            _sources(rules)
        else:
            _whole(rules, "ja" if japanese else "en")
        return DONE
    found = [find_preset(one) for one in builtin_presets()]
    if as_json:
        print(json.dumps({"presets": to_builtins(list(map(in_a_list, found)))}, ensure_ascii=False))
        return DONE
    from rich.table import Table

    from tablectl.cli.console import PeopleConsole

    table = Table(box=None, pad_edge=False)
    for title in ("name", "title", "players", "tiles", "walls"):
        table.add_column(title, justify="right" if title in ("players", "tiles") else "left")
    for rules in found:
        walls = sides_text(whole_sides(rules.walls.default))
        table.add_row(rules.name, rules.title, str(rules.players), str(rules.tile_count), walls)
        for topping in rules.toppings:
            table.add_row(f"  +{topping.name}", f"  {topping.title}")
    PeopleConsole().print(table)
    return DONE


def _check_options(name: str | None, *, sources: bool, japanese: bool, as_json: bool) -> None:
    """Raises TablectlError `cli.japanese` where nothing is told in one language or another."""
    if not japanese:
        return
    parts = {"--sources": sources, "--json": as_json, "the list of all rules": name is None}
    if what := [word for word, asked in parts.items() if asked]:
        raise TablectlError("cli.japanese", what=what[0])


def _whole(rules: Preset, language: Language) -> None:
    """The whole rule, for one screen."""
    from tablectl.cli.console import PeopleConsole
    from tablectl.cli.sheet import sheet

    console = PeopleConsole()
    for line in sheet(*paragraphs(rules, language), console.width):
        console.print(line, no_wrap=True, crop=False, overflow="ignore")


def paragraphs(rules: Preset, language: Language) -> tuple[Paragraph, list[Paragraph]]:
    """What the screen says of a rule: its title; values, what their mark means, toppings,
    statements."""
    from tablectl.cli.sheet import Paragraph

    def of(group: Group) -> Paragraph:
        said = (one.text + _CHOSEN * one.chosen for one in group.told)
        return Paragraph(group.heading, " · ".join(said))

    values = values_told(rules, language)
    about = f"{rules.name}: {rules.about}" if language == "en" else rules.name
    toppings = toppings_told(rules, language)
    statements = statements_told(rules, language)
    whole_rule = [*map(of, values)]
    if any(one.chosen for group in values for one in group.told):
        whole_rule.append(Paragraph("", getattr(CHOSEN, language)))
    if toppings is not None:
        whole_rule.append(of(toppings))
    if statements:
        whole_rule += [Paragraph(f"── {getattr(KEPT, language)} ──", ""), *map(of, statements)]
    return Paragraph(rules.title, about), whole_rule


def _sources(rules: Preset) -> None:
    """Every value with its source, a line each."""
    from rich.text import Text

    from tablectl.cli.console import PeopleConsole

    console = PeopleConsole()
    console.print(Text.assemble((rules.title, "bold"), f"  {rules.name}\n{rules.about}\n"))
    section = ""
    for source in rules.sources:
        here, name = source.path.split(".")
        if here != section:
            section = here
            console.print(Text(f"\n{section}", style="bold"))
        text = Text.assemble(
            f"  {BY_PATH[source.path].meaning}: ",
            (_plain(source.value), "bold"),
            f"  ({name}; {_SAID[source.kind]}: {' · '.join(source.text.splitlines())})",
        )
        others = [_plain(option) for option in source.options if option != source.value]
        if others:
            text.append(f"  or {' or '.join(others)}", style="dim")
        console.print(text)
    if rules.statements:
        console.print(Text("\nstatements", style="bold"))
    for one in rules.statements:
        said = " · ".join(one.source.splitlines())
        console.print(Text(f"  {one.topic}: {one.text}  ({_SAID[one.kind]}: {said})"))


def _check(file: str, *, as_json: bool) -> int:
    try:
        rules = load_preset(file)
    except TablectlError as error:
        if as_json:
            errors = [problem.as_json() for problem in error.problems or (error,)]
            print(json.dumps({"ok": False, "errors": errors}, ensure_ascii=False))
        raise
    if as_json:
        about = to_builtins(in_a_list(rules))
        print(json.dumps({"ok": True, "errors": [], **about}, ensure_ascii=False))
    else:
        print(
            f"{file} is a good preset: {rules.title}, {rules.players} players, "
            f"{rules.tile_count} tiles"
        )
    return DONE


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{code} ×{n}" for code, n in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
