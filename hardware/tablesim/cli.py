"""The command `tablesim`: a simulated table on a line, until Ctrl-C."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from tablesim import faults, records
from tablesim.model import MODELS
from tablesim.port import Port, PtyPort, TcpPort
from tablesim.serve import ControlSocket, Served, as_json
from tablesim.table import Table, find_model
from tablesim.tileset import SimError

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)

EXAMPLE = """A simulated mahjong table, to build and try things with.

\b
Example:
    tablesim --serial /tmp/table --model presence --control /tmp/table.control
    tablesim --tcp 7000 --model reader --speed 10 --records hands.jsonl
"""


@dataclass(frozen=True)
class Wanted:
    """The call, read and checked."""

    serial: Path | None
    tcp: int | None
    model: str
    name: str
    seed: int
    speed: float
    planned: tuple[faults.Fault, ...]
    hands: tuple[records.Hand, ...]
    tables: int
    control: Path | None
    boot: int
    as_json: bool


@app.command(help=EXAMPLE)
def tablesim(
    serial: Annotated[Path | None, typer.Option(help="Stable name of a pseudo-terminal.")] = None,
    tcp: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port on loopback; 0: a free one.")
    ] = None,
    model: Annotated[str, typer.Option(help=f"Table model: {', '.join(MODELS)}.")] = "stock",
    name: Annotated[str, typer.Option(help="The table's name; makes its identity.")] = "table",
    seed: Annotated[int, typer.Option(help="Seed of dice and mixing.")] = 0,
    speed: Annotated[float, typer.Option(help="How much faster; 0: only `step`.")] = 1.0,
    faults_file: Annotated[
        Path | None, typer.Option("--faults", help="TOML of [[fault]]s.")
    ] = None,
    records_file: Annotated[
        Path | None, typer.Option("--records", help="Recorded hands to be played.")
    ] = None,
    tables: Annotated[int, typer.Option(min=1, max=1000, help="How many, with -1, -2 …")] = 1,
    control: Annotated[Path | None, typer.Option(help="Control socket: truth and hands.")] = None,
    boot: Annotated[
        int | None, typer.Option(min=0, max=2**32 - 1, help="The board's boot number.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Lines of JSON.")] = False,
) -> None:
    """One command; its help is EXAMPLE."""
    try:
        if (serial is None) == (tcp is None):
            raise SimError("sim.call", "say --serial PATH or --tcp PORT", "One of the two.")
        if not 0 <= speed < 1e6:
            raise SimError("sim.call", f"--speed {speed}", "A number from 0 to a million.")
        find_model(model)
        wanted = Wanted(
            serial,
            tcp,
            model,
            name,
            seed,
            speed,
            tuple(faults.read_faults(faults_file)) if faults_file else (),
            tuple(records.read(records_file)) if records_file else (),
            tables,
            control,
            # Tenths of a second: never the same again, also after many starts a minute.
            boot if boot is not None else time.time_ns() // 10**8 % 2**32,
            json_,
        )
        status = asyncio.run(_serve(wanted))
    except SimError as error:
        status = _fail(error, json_)
    raise typer.Exit(status)


async def _serve(wanted: Wanted) -> int:
    served = [_table(wanted, n) for n in range(wanted.tables)]
    socket = ControlSocket(wanted.control, served) if wanted.control else None
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    try:
        for one in served:
            await one.start()
        if socket is not None:
            await socket.start()
        for one in served:
            _say(wanted, table=one.table.name, model=wanted.model, address=one.port.address)
        await _until(over, served, wanted)
    finally:
        for one in served:
            one.stop()
        if socket is not None:
            socket.stop()
    failed = next((one.failed for one in served if one.failed is not None), None)
    return 0 if failed is None else _fail(failed, wanted.as_json)


async def _until(over: asyncio.Event, served: list[Served], wanted: Wanted) -> None:
    """Wait for Ctrl-C, telling which recorded hands have been played."""
    told = [0] * len(served)
    while not over.is_set():
        for n, one in enumerate(served):
            if one.player is not None and one.player.played > told[n]:
                told[n] = one.player.played
                _say(wanted, table=one.table.name, played=told[n], of=len(wanted.hands))
        if any(one.failed is not None for one in served):
            return
        try:
            async with asyncio.timeout(0.2 if wanted.hands else None):
                await over.wait()
        except TimeoutError:
            pass


def _table(wanted: Wanted, n: int) -> Served:
    last = f"-{n + 1}" if wanted.tables > 1 else ""
    table = Table(find_model(wanted.model), wanted.name + last, wanted.seed + n, wanted.boot)

    def port(heard: Any) -> Port:
        if wanted.serial is not None:
            return PtyPort(Path(f"{wanted.serial}{last}"), heard)
        assert wanted.tcp is not None
        return TcpPort(wanted.tcp + n if wanted.tcp else 0, heard)

    return Served(table, port, wanted.speed, wanted.planned, wanted.hands, wanted.seed + n)


def _say(wanted: Wanted, **values: Any) -> None:
    if wanted.as_json:
        line = json.dumps(values, ensure_ascii=False)
    elif "played" in values:
        line = "{table}: hand {played} of {of} played".format(**values)
    else:
        line = "{table} ({model}) at {address}".format(**values)
    print(line, flush=True)


def _fail(error: SimError, as_json_: bool) -> int:
    if as_json_:
        print(json.dumps({"error": as_json(error)}, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"{error} [{error.code}]\n  {error.hint}", file=sys.stderr)
    return 2 if error.code in ("sim.call", "sim.fault", "sim.record", "sim.model") else 1


def main() -> None:
    """The console script."""
    app()


if __name__ == "__main__":
    main()
