"""Two face-down tiles change places: nothing that leaves the house differs by one byte.

The same hand is played twice on the `reader` profile, under a clock and with keys of the test's
own. The second time two tiles of the wall are exchanged between the stacker and the readers.
"""

from __future__ import annotations

import asyncio
import io
import json
import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support.asking import HOSTS, TOKEN, WIDE, asking
from support.clockwork import run
from support.parlour import Events, config_of, opened, ready

from tablectl.api.app import interface
from tablectl.api.methods import METHODS
from tablectl.app.actor import Actor
from tablectl.app.scribe import Scribe
from tablectl.app.service import Wish
from tablectl.cli import journal as journal_command
from tablectl.cli.players import Room, Screen
from tablectl.journal.writer import InlineWriter
from tablectl.link.simulated import Sims
from tablectl.people.play import HandPlayed, Players
from tablesim.lay import Spot
from tablesim.tileset import TileSet

SEED = 8
ADDRESS = re.compile(" at 0x[0-9a-f]+")
BODY = "\n\n"
LOOK_EVERY = 10.0
"""Seconds between two looks at everything that can be asked for."""


@dataclass
class Told:
    """All that left the house in one run, by the way it took; and what must not."""

    out: dict[str, list[str]] = field(default_factory=dict)
    sealed: list[bytes] = field(default_factory=list)
    """The file of sealed faces at each look."""
    hand: HandPlayed | None = None
    lying: dict[Spot, str] = field(default_factory=dict)
    """Tiles that lay face down on the walls to the hand's end."""
    shown: set[Spot] = field(default_factory=set)

    def add(self, way: str, *said: str) -> None:
        self.out.setdefault(way, []).extend(said)

    def everything(self) -> Iterator[str]:
        for said in self.out.values():
            yield from said


def exchanging(served: Any, two: tuple[Spot, Spot] | None) -> dict[str, Any]:
    """When walls of the rule come up, two tiles of them have changed places; no die is thrown for
    it. What lies on the walls is noted whenever they go."""
    seen: dict[str, Any] = {"lying": {}, "shown": set()}
    for tiles in served.table.machine.sets:

        def rise(model: Any, tiles: TileSet = tiles) -> None:
            TileSet.rise(tiles, model)
            if two is not None and tiles.active == 5:
                one, other = two
                tiles.walls[one], tiles.walls[other] = tiles.walls[other], tiles.walls[one]

        def drop(keep: int, rng: random.Random, tiles: TileSet = tiles) -> None:
            if tiles.out:
                seen["lying"], seen["shown"] = dict(tiles.walls), set(tiles.shown)
            TileSet.drop(tiles, keep, rng)

        tiles.rise, tiles.drop = rise, drop
    return seen


async def one_evening(folder: Path, two: tuple[Spot, Spot] | None, told: Told) -> None:
    """One hand of 華8 from the board's first word to the next walls."""
    log, sims = Events(), Sims(seed=SEED)
    daemon = opened(folder, config_of("sim:reader:east"), sims, log)
    daemon._scribe = Scribe(folder / "captures", most_waiting=10**9)
    rules = daemon.rulebook.named("ramen-jiro")
    patch = pytest.MonkeyPatch()
    # No thread may come between: it would end now a little sooner, now a little later. What the
    # interface reads in one is read before; the rule's text is not needed here.
    patch.setattr(asyncio, "to_thread", at_once)
    patch.setattr(daemon.rulebook, "keep", lambda rules: None)
    await daemon.start(daemon.kept)
    try:
        [table] = await ready(daemon)
        assert table.known.state.game.preset == rules.name
        served = sims.served["reader:east"]
        seen = exchanging(served, two)
        loop = asyncio.get_running_loop()
        here = interface(daemon, HOSTS, TOKEN, bounds=WIDE, clock=loop.time)
        stream = table.subscribe(None)
        tasks = [
            loop.create_task(follow(stream, told)),
            loop.create_task(look(here, table.id, folder, told)),
            loop.create_task(socket(here, table.id, told)),
        ]
        await table.command(Wish("select", preset="ramen-jiro"))
        players = Players(
            rules,
            Room(served, table),
            Screen(table, random.Random(SEED)),
            random.Random(SEED),
            abilities=frozenset(served.table.model.abilities),
        )
        told.hand = await players.play_hand()
        told.lying, told.shown = seen["lying"], seen["shown"]
        await asyncio.sleep(LOOK_EVERY)
        tasks[1].cancel()
        here.stop(0)
        await asyncio.gather(tasks[1], tasks[2], return_exceptions=True)
        told.add("frames", *(frame.line() for frame in table.keeper.frames))
        told.add("frames", *(repr(frame) for frame in table.keeper.frames))
    finally:
        patch.undo()
        await daemon.stop()
    await tasks[0]
    told.add("log", *(json.dumps(line, default=repr) for line in log))
    whole = (daemon, table, table.keeper, table.keeper.driver, table.known, table.known.state)
    told.add("log", *(ADDRESS.sub("", repr(one)) for one in whole))


def read_files(folder: Path, told: Told) -> None:
    """What lies in the daemon's files when it has stopped."""
    for path in sorted((folder / "captures").iterdir()):
        told.add("captures", *path.read_text().splitlines())
    journal = folder / "journal.sqlite"
    with sqlite3.connect(journal) as rows:
        told.add("journal", *rows.iterdump())
    rows.close()
    with redirect_stdout(io.StringIO()) as printed:
        journal_command.export(journal_command.Where(journal), None, None)
    told.add("export", *printed.getvalue().splitlines())


async def at_once(work: Any, *values: Any) -> Any:
    """In place of `asyncio.to_thread`."""
    return work(*values)


async def follow(stream: Any, told: Told) -> None:
    async for message in stream:
        told.add("stream", json.dumps(message))


async def socket(here: Any, table: str, told: Told) -> None:
    """The same over the interface's own stream."""
    said = [{"type": "websocket.connect"}]
    said.append({"type": "websocket.receive", "text": json.dumps({"table": table})})

    async def receive() -> Any:
        return said.pop(0) if said else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        told.add("socket", repr(message))

    headers = [(b"host", b"127.0.0.1:8136")]
    scope = {"type": "websocket", "path": "/api/v1/stream", "headers": headers}
    scope |= {"query_string": b"", "client": ("127.0.0.1", 1), "subprotocols": []}
    await here.asgi(scope, receive, send)


async def look(here: Any, table: str, folder: Path, told: Told) -> None:
    """Everything that can be asked for, and the file of sealed faces, now and then."""
    paths = [one.path for one in METHODS if one.verb == "GET"]
    async with asking(here) as client:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            for path in paths:
                answer = await client.get(path.format(id=table, name="ramen-jiro"))
                assert answer.status_code == 200, answer.text
                told.add("api", f"{path}: {answer.headers.multi_items()}{BODY}{answer.text}")
            faces = folder / "faces" / f"{table}.jsonl"
            told.sealed.append(faces.read_bytes() if faces.exists() else b"")


@pytest.fixture(scope="module")
def watched() -> Iterator[list[str]]:
    """What the parts of the daemon hand to each other, as a log would print it."""
    noted: list[str] = []
    said, submit = Actor.said, InlineWriter.submit

    def listening(actor: Any, keeper: Any, told: Any) -> Any:
        noted.append(repr(told))
        return said(actor, keeper, told)

    def writing(writer: Any, batch: Any) -> Any:
        noted.append(repr(batch))
        return submit(writer, batch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Actor, "said", listening)
        patch.setattr(InlineWriter, "submit", writing)
        yield noted


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory, watched: list[str]) -> Any:
    """Plays the hand with two tiles exchanged, each way once."""
    known: dict[Any, Told] = {}

    def play(two: tuple[Spot, Spot] | None = None) -> Told:
        if two not in known:
            watched.clear()
            folder = tmp_path_factory.mktemp("evening")
            known[two] = told = Told()
            run(one_evening(folder, two, told))
            read_files(folder, told)
            told.add("parts", *watched)
        return known[two]

    return play


def two_that_lie(told: Told) -> tuple[Spot, Spot]:
    """Two tiles of different faces that nobody draws or shows."""
    hidden = [spot for spot in sorted(told.lying) if spot not in told.shown]
    first = hidden[0]
    return first, next(spot for spot in hidden if told.lying[spot] != told.lying[first])


def test_tiles_that_lie_face_down_to_the_end_change_no_byte(evenings):
    plain = evenings()
    two = two_that_lie(plain)
    other = evenings(two)
    assert [other.lying[spot] for spot in two] == [plain.lying[spot] for spot in two[::-1]]
    assert other.hand.events == plain.hand.events
    assert set(plain.out) == {
        "api", "stream", "socket", "frames", "log", "captures", "journal", "export", "parts",
    }  # fmt: skip
    for way, said in plain.out.items():
        assert len(said) > 0, way
        assert said == other.out[way], way
    # The test can fail: what is kept apart does differ.
    assert plain.sealed != other.sealed
    assert sum(map(bool, plain.sealed)) > 5


def test_one_that_is_shown_makes_a_difference_from_then_on(evenings):
    """The first indicator and a tile that stays face down."""
    plain = evenings()
    hidden, _ = two_that_lie(plain)
    entries = [json.loads(line) for line in plain.out["export"]]
    first = next(one for one in entries if one["fact"]["type"] == "shown")
    place = first["fact"]["place"]
    shown = Spot(place["side"], place["column"], place["row"])
    assert plain.lying[shown] == first["fact"]["tile"] != plain.lying[hidden]
    other = evenings((hidden, shown))
    assert plain.sealed != other.sealed
    seq = first["seq"]
    before = [line for line in plain.out["export"] if json.loads(line)["seq"] < seq]
    assert other.out["export"][: len(before)] == before
    now = json.loads(other.out["export"][len(before)])
    assert now["fact"] == {**first["fact"], "tile": plain.lying[hidden]}
    for way in ("stream", "socket", "captures", "api", "parts"):
        differs = [a != b for a, b in zip(plain.out[way], other.out[way], strict=False)]
        assert any(differs), way
    # As soon as it is shown, and not before.
    streams = zip(plain.out["stream"], other.out["stream"], strict=False)
    assert next(json.loads(one).get("seq") for one, two in streams if one != two) == seq


def test_no_place_is_named_with_its_face_before_it_lies_open(evenings):
    """Whatever has a place and a face beside each other is of a tile that lies open."""
    plain = evenings()
    lying_open = {(spot.side, spot.column, spot.row) for spot in plain.shown}
    found = 0
    for way in ("api", "stream", "export"):
        for text in plain.out[way]:
            for place, tile in named(json.loads(text.rpartition(BODY)[2])):
                found += 1
                assert (place["side"], place["column"], place["row"]) in lying_open, (way, tile)
    assert found > 10


def named(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Places with the face that is said of them, at any depth."""
    if isinstance(value, list):
        for one in value:
            yield from named(one)
    elif isinstance(value, dict):
        place, tile = value.get("place"), value.get("tile")
        if isinstance(tile, str) and isinstance(place, dict) and "side" in place:
            yield place, tile
        for one in value.values():
            yield from named(one)


def test_the_journal_says_of_a_sealed_tile_only_that_it_was_read(evenings):
    entries = [json.loads(line)["fact"] for line in evenings().out["export"]]
    sealed = [fact for fact in entries if fact["type"] == "sealed"]
    assert len(sealed) > 116
    assert {tuple(fact) for fact in sealed} == {("type", "place")}
