"""What several tables must not share, and what one address or rule says; of the file and of the
command line alike."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablectl.app.config import Config, TableConfig
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset, split_name
from tablectl.core.preset_text import did_you_mean, in_toml
from tablectl.errors import TablectlError, declare
from tablectl.link.address import FORMS, Address, meant, read_address

declare("config.url", "url is {found}, which is no address of a table{nearest}", "Write {allowed}.")
declare(
    "config.model",
    "there is no simulated table '{found}'{nearest}",
    "Allowed is {allowed}.",
)
declare(
    "config.preset", "the rule of '{found}' has mistakes of its own: {number}", "Correct that file."
)
declare(
    "config.twice",
    "{what} {found} is that of the table {other} too",
    "Each table has {what} of its own{extra}.",
)
declare(
    "config.same_port",
    "the port {found} is the one that table {other} calls {theirs}",
    "Two tables cannot be at one port; write each port once, by the name that it has in"
    " /dev/serial/by-id.",
)


class Called:
    """Tables of a configuration, with those of a command line added."""

    def __init__(self, config: Config) -> None:
        self.tables = list(config.tables)
        self.problems: list[TablectlError] = []
        self._motions = config.daemon.motions
        self._known = Tables()
        for table in config.tables:
            self._known.add(table.address, table.name, table.uid)
        self._said: set[str] = set()

    def add(self, url: str, preset: str, where: str) -> None:
        """One more table, or the command line's rule for one that is there."""
        try:
            address = address_of(url)
        except TablectlError as error:
            self.problems.append(again(error, where))
            address = None
        preset, said = rule_of(preset, Path.cwd()), preset
        try:
            rules = rules_of(preset, said)
        except TablectlError as error:
            self.problems.append(again(error, where))
            rules = None
        if address is None or rules is None:
            return
        index = next((i for i, one in enumerate(self.tables) if one.url == address.url), None)
        if index is not None and address.url not in self._said:
            before = self.tables[index]
            # Seats that were said for another number of players say nothing here.
            fit = before.seats is None or len(before.seats) == rules.players
            seats = before.seats if fit else None
            self.tables[index] = replace(before, preset=preset, seats=seats)
        else:
            for _, code, about in self._known.clashes(address, None, None):
                self.problems.append(TablectlError(code, where=where, **about))
            name = self._known.free_name(address)
            self._known.add(address, name, None)
            self.tables.append(TableConfig(address.url, name, preset, motions=self._motions))
        self._said.add(address.url)


class Tables:
    """What has been said of the tables so far: nothing of it may be said twice."""

    def __init__(self) -> None:
        self._known: list[tuple[Address | None, str | None, str | None]] = []

    def add(self, address: Address | None, name: str | None, uid: str | None) -> None:
        self._known.append((address, name, uid))

    def clashes(
        self, address: Address | None, name: str | None, uid: str | None
    ) -> list[tuple[str, str, dict[str, Any]]]:
        """What of a table is another's too: key, code and values of the error."""
        found: list[tuple[str, str, dict[str, Any]]] = []
        for number, (their, called, board) in enumerate(self._known, start=1):
            other = called or (their.name if their else f"number {number}")
            if address is not None and their is not None and address == their:
                extra = f", such as sim:{address.rest}:NAME" if address.kind == "sim" else ""
                about = {"what": "a url", "found": address.url, "other": other, "extra": extra}
                found.append(("url", "config.twice", about))
            elif address is not None and their is not None and _same_port(address, their):
                about = {"found": address.rest, "other": other, "theirs": their.rest}
                found.append(("url", "config.same_port", about))
            for key, what, mine, theirs in (
                ("name", "a name", name, called),
                ("uid", "a uid", uid, board),
            ):
                if mine is not None and theirs is not None and mine.lower() == theirs.lower():
                    about = {"what": what, "found": mine, "other": other, "extra": ""}
                    found.append((key, "config.twice", about))
        return list({key: (key, code, about) for key, code, about in reversed(found)}.values())

    def name_the_unnamed(self) -> None:
        """Give every table without a name one that no other has."""
        for index, (address, name, uid) in enumerate(self._known):
            if address is not None and name is None:
                self._known[index] = (address, self.free_name(address), uid)

    def named(self, index: int, table: TableConfig) -> TableConfig:
        """The table that was added as that one, from 0, with its name."""
        return replace(table, name=self._known[index][1] or table.name)

    def free_name(self, address: Address) -> str:
        """A name from an address, with a number behind it if another table is called so."""
        taken = {name.lower() for _, name, _ in self._known if name}
        name, number = address.name, 2
        while name.lower() in taken:
            name, number = f"{address.name}-{number}", number + 1
        return name


def address_of(url: str) -> Address:
    """The address that a URL says. Raises `config.url`, `config.model`, with the nearest."""
    try:
        address = read_address(url)
    except TablectlError:
        near = meant(url)
        raise TablectlError(
            "config.url",
            found=in_toml(url),
            nearest=f"; did you mean '{near}'?" if near else "",
            allowed=FORMS,
        ) from None
    if address.kind == "sim":
        from tablesim.model import MODELS

        model = address.rest.partition(":")[0]
        if model not in MODELS:
            raise TablectlError(
                "config.model",
                found=model,
                nearest=did_you_mean(model, MODELS),
                allowed=", ".join(MODELS),
            )
    return address


def rule_of(name: str, folder: Path) -> str:
    """A rule as it is kept: its name, or the whole path of its file, from `folder` on; with its
    toppings."""
    bare, _ = split_name(name)
    is_path = bare.endswith(".toml") or "/" in bare
    return str(folder / Path(name).expanduser()) if is_path else name


def rules_of(name: str, said: str) -> Preset:
    """The rule of that name or file. Raises `preset.unknown`, `preset.file`, `config.preset`."""
    try:
        return find_preset(name)
    except TablectlError as error:
        if not error.problems:
            raise
        number = len(error.problems)
        raise TablectlError(
            "config.preset", problems=error.problems, found=said, number=number
        ) from None


def again(error: TablectlError, where: str) -> TablectlError:
    """The same error at that place."""
    return TablectlError(
        error.code, where=where, problems=error.problems, drawing=error.drawing, **error.values
    )


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _same_port(one: Address, other: Address) -> bool:
    """Whether two serial addresses that are both there are one port under two names."""
    if one.kind != "serial" or other.kind != "serial":
        return False
    return (
        os.path.exists(one.rest)
        and os.path.exists(other.rest)
        and os.path.realpath(one.rest) == os.path.realpath(other.rest)
    )
