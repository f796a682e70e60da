"""What each method reads and gives, the same in people's words and in the schemas."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from support.asking import DICE, FACTS, LEAVE, asking, in_loop, refused, tap
from support.desk import MemoryDesk, MemoryTable
from support.histories import told

from tablectl.api.app import Interface
from tablectl.api.messages import HOW_WRITTEN, SAYABLE
from tablectl.api.openapi import schemas
from tablectl.api.problems import STATUS, ErrorBody, status_of
from tablectl.app import service
from tablectl.app.shown import ConfiguredLine
from tablectl.core.facts import FACTS as ALL_FACTS
from tablectl.core.fold import fold
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.state import State
from tablectl.core.view import View, plain, view_of
from tablectl.errors import CATALOGUE, TablectlError

COMMANDS = "/api/v1/tables/east/commands"


def as_json(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@in_loop
async def test_tables_by_id_and_by_name(here: Interface, desk: MemoryDesk) -> None:
    async with asking(here) as ask:
        tables = (await ask.get("/api/v1/tables")).json()["tables"]
        assert [one["table"] for one in tables] == ["0102aa", "0102bb"]
        for name in ("0102aa", "east"):
            answer = await ask.get(f"/api/v1/tables/{name}")
            assert answer.json() == desk.table("east").view()
        refused(await ask.get("/api/v1/tables/north"), "app.table")


@in_loop
async def test_tables_are_in_the_order_of_the_lines_and_others_by_name(
    here: Interface, desk: MemoryDesk
) -> None:
    desk.tables |= {id: MemoryTable(id, name) for id, name in (("03", "zoo"), ("04", "attic"))}
    silent = ConfiguredLine("tcp:h:1", "silent", None, "calling", "nobody answers", 7, None)
    west = ConfiguredLine("sim:x", "west", "0102bb", "ready", None, 9, None)
    desk.lines = [silent, west]
    async with asking(here) as ask:
        found = (await ask.get("/api/v1/tables")).json()
    assert [one["name"] for one in found["tables"]] == ["west", "attic", "east", "zoo"]
    assert found["lines"] == as_json(desk.lines)


@in_loop
async def test_a_line_on_which_no_table_answered_says_how_it_stands(
    here: Interface, desk: MemoryDesk
) -> None:
    complaint = {"code": "link.silent", "message": "nobody answers", "hint": "Look at its plug."}
    desk.lines = [
        ConfiguredLine("tcp:h:1", "silent", None, "calling", "nobody answers", 7, complaint),
        ConfiguredLine("tcp:h:2", "young", None, "calling", None, 7, None),
    ]
    async with asking(here) as ask:
        error = refused(await ask.get("/api/v1/tables/silent"), service.NO_ANSWER).error
        assert "nobody answers" in error.message
        assert error.hint == "Look at its plug."
        select = {"what": "select", "preset": "ramen-jiro"}
        answer = await ask.post("/api/v1/tables/young/commands", headers=LEAVE, json=select)
        assert "the line is calling" in refused(answer, service.NO_ANSWER).error.message
        error = refused(await ask.get("/api/v1/tables/north"), service.NO_TABLE).error
        assert error.hint == "The tables are: east (0102aa), west (0102bb)."


@in_loop
async def test_facts_come_in_pages(here: Interface, desk: MemoryDesk) -> None:
    async with asking(here) as ask:
        for _ in range(5):
            await ask.post(FACTS, headers=LEAVE, json=tap(DICE))
        first = (await ask.get(f"{FACTS}?limit=3")).json()
        assert [one["seq"] for one in first["facts"]] == [1, 2, 3]
        assert (first["next"], first["more"]) == (3, True)
        rest = (await ask.get(f"{FACTS}?since={first['next']}&limit=3")).json()
        assert [one["seq"] for one in rest["facts"]] == [4, 5]
        assert (rest["next"], rest["more"]) == (5, False)
        none = (await ask.get(f"{FACTS}?since=5")).json()
        assert (none["facts"], none["next"], none["more"]) == ([], 5, False)


@pytest.mark.parametrize(
    "query",
    ["since=-1", "since=x", "limit=0", "limit=1001", "sinse=1", "since=1&since=2", "since="],
)
@in_loop
async def test_a_query_that_is_not_understood_is_told(here: Interface, query: str) -> None:
    async with asking(here) as ask:
        refused(await ask.get(f"{FACTS}?{query}"), "api.query")


@pytest.mark.parametrize("number", ["9" * 23, "-" + "9" * 23, "9" * 5000, str(2**53)])
@in_loop
async def test_a_number_out_of_range_is_told_its_range(here: Interface, number: str) -> None:
    async with asking(here) as ask:
        answer = await ask.get(f"{FACTS}?since={number}")
    said = refused(answer, "api.query").error.message
    assert ">= 0" in said if number.startswith("-") else f"<= {2**53 - 1}" in said


@in_loop
async def test_the_same_tap_twice_is_one_fact(here: Interface, desk: MemoryDesk) -> None:
    key = uuid.uuid4()
    who = {"role": "player", "name": "東家"}
    async with asking(here) as ask:
        answers = [
            await ask.post(FACTS, headers=LEAVE, json=tap(DICE, key=str(one), who=who))
            for one in (key, key, str(key).upper(), key.hex)
        ]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert answers[0].json() == {
        "seq": 1,
        "verdict": {"kind": "fits", "text": ""},
        "questions": [{"id": "q1", "text": "Who drew?", "seq": 1, "choices": ["0", "1"]}],
    }
    [kept] = desk.table("east").taps
    assert kept.key == str(key)
    assert (kept.who.role, kept.who.name) == ("player", "東家")


@in_loop
async def test_whole_numbers_may_be_written_with_a_point(here: Interface, desk: MemoryDesk) -> None:
    fact = {"type": "opened", "side": 2.0, "after": 7.0}
    async with asking(here) as ask:
        await ask.post(FACTS, headers=LEAVE, json=tap(DICE))
        answer = await ask.post(FACTS, headers=LEAVE, json=tap(fact, seen=1.0, after=0.0))
        assert answer.status_code == 200, answer.text
        refused(await ask.post(FACTS, headers=LEAVE, json=tap({**fact, "side": 2.5})), "api.body")
    kept = desk.table("east").taps[1]
    assert (kept.fact.side, kept.fact.after, kept.seen, kept.after) == (2, 7, 1, 0)
    assert isinstance(kept.fact.side, int)


@pytest.mark.parametrize("error", [
    TablectlError(service.STALE, seen=3, what="the hand has ended"),
    TablectlError(service.SEEN_AHEAD, seq=1, seen=3),
    TablectlError(service.FULL),
    TablectlError(service.STOPPING),
])  # fmt: skip
@in_loop
async def test_what_the_desk_refuses_is_told(
    here: Interface, desk: MemoryDesk, error: TablectlError
) -> None:
    desk.table("east").refuses = error
    async with asking(here) as ask:
        answer = await ask.post(FACTS, headers=LEAVE, json=tap(DICE))
    found = refused(answer, error.code)
    assert found.error.values == error.values
    expected = {service.STALE: 409, service.SEEN_AHEAD: 409, service.FULL: 503}
    assert answer.status_code == expected.get(error.code, 503)


@pytest.mark.parametrize("kind", sorted(set(ALL_FACTS) - set(SAYABLE)))
@in_loop
async def test_people_do_not_say_what_lines_and_boards_do(
    here: Interface, desk: MemoryDesk, kind: str
) -> None:
    async with asking(here) as ask:
        answer = await ask.post(FACTS, headers=LEAVE, json=tap({"type": kind}))
    refused(answer, "api.unsayable")
    assert not desk.table("east").taps


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (tap({"type": "drawn", "seat": 4}), "fact.seat"),
        (tap({"type": "nothing"}), "fact.type"),
        (tap({"type": "drawn", "seat": 1, "tyle": "5m"}), "fact"),
        (tap({"type": "drawn", "seat": 1, "tile": "9z"}), "fact.tile"),
        (tap({"type": "void", "why": "x" * 501}), "fact.why"),
        (tap(DICE, key="none"), "key"),
        (tap(DICE, seen=-1), "seen"),
        (tap(DICE, more=1), None),
        (tap(DICE, who={"role": "king"}), "who.role"),
        (tap(DICE, who={"name": "\x1b[2J"}), "who.name"),
    ],
)
@in_loop
async def test_a_wrong_field_is_named(
    here: Interface, desk: MemoryDesk, body: dict[str, Any], where: str | None
) -> None:
    async with asking(here) as ask:
        found = refused(await ask.post(FACTS, headers=LEAVE, json=body), "api.body")
    assert found.error.where == where
    assert not desk.table("east").taps


@in_loop
async def test_commands(here: Interface, desk: MemoryDesk) -> None:
    wishes = [
        {"what": "select", "preset": "ramen-jiro"},
        {"what": "note", "preset": "riichi-4p", "number": 7, "verified": True},
        {"what": "note", "preset": "riichi-4p", "number": None},
        {"what": "motion", "motion": "raise"},
        {"what": "game", "preset": "riichi-4p", "seats": [0, 1, 2, 3]},
    ]
    async with asking(here) as ask:
        for wish in wishes:
            answer = await ask.post(COMMANDS, headers=LEAVE, json=wish)
            assert answer.json() == {"say": [f"{wish['what']} is done"]}
        unknown = {"what": "select", "preset": "ramen-ziro"}
        refused(await ask.post(COMMANDS, headers=LEAVE, json=unknown), "preset.unknown")
        for preset in ("../secret", "house.toml", "/etc/passwd", ""):
            path = {"what": "select", "preset": preset}
            refused(await ask.post(COMMANDS, headers=LEAVE, json=path), "api.body")
    seen = desk.table("east").wishes
    assert [wish.what for wish in seen] == ["select", "note", "note", "motion", "game"]
    assert (seen[1].number, seen[1].verified, seen[2].number) == (7, True, None)
    assert (seen[3].motion, seen[4].seats) == ("raise", (0, 1, 2, 3))


def test_presets_are_as_their_files_say(here: Interface) -> None:
    listed, whole = presets_given(here)
    assert [one["name"] for one in listed] == builtin_presets()
    for given in whole:
        rules = find_preset(given["name"])
        assert (given["digest"], given["tiles"]) == (rules.digest, rules.tile_count)
        assert [one["path"] for one in given["values"]] == [one.path for one in rules.sources]


def presets_given(here: Interface) -> tuple[list[Any], list[Any]]:
    async def ask_all() -> tuple[list[Any], list[Any]]:
        async with asking(here) as ask:
            listed = (await ask.get("/api/v1/presets")).json()["presets"]
            names = [one["name"] for one in listed]
            return listed, [(await ask.get(f"/api/v1/presets/{name}")).json() for name in names]

    return asyncio.run(ask_all())


@in_loop
async def test_presets_are_named_never_read_from_a_path(here: Interface) -> None:
    async with asking(here) as ask:
        refused(await ask.get("/api/v1/presets/ramen-jiro.toml"), "preset.unknown")
        refused(await ask.get("/api/v1/presets/..%2Framen-jiro"), "api.path")
        refused(await ask.get("/api/v1/presets/"), "api.path")


@pytest.mark.parametrize("seed", range(4))
def test_states_of_real_hands_are_as_the_schema_says(seed: int) -> None:
    rules, entries = told(seed)
    validator = jsonschema_rs.validator_for(schemas()["state.json"])
    one = jsonschema_rs.validator_for(schemas()["entry.json"])
    state = State()
    for number, entry in enumerate(entries):
        state, _ = fold({rules.digest: rules}, state, entry)
        one.validate(as_json(entry))
        if number % 10 == 0 or state.hand is None:
            shown = as_json(plain(view_of(rules, state)))
            validator.validate(shown)
            assert as_json(msgspec.convert(shown, View)) == shown


def test_every_error_of_the_catalogue_has_a_status() -> None:
    for code in CATALOGUE:
        assert 400 <= status_of(code) <= 503
    known = {code for code in STATUS if not code.endswith(".")}
    assert known <= set(CATALOGUE)


def test_an_error_with_single_errors_is_as_the_schema_says() -> None:
    single = TablectlError("api.body", where="fact.seat", why="it is 9")
    error = TablectlError(service.FULL, problems=(single,))
    body = {"error": error.as_json()}
    jsonschema_rs.validator_for(schemas()["errors.json"]).validate(body)
    assert as_json(msgspec.convert(body, ErrorBody)) == body


def patterns(schema: Any) -> set[str]:
    """Every pattern of a schema."""
    if isinstance(schema, list):
        return set().union(*map(patterns, schema))
    if not isinstance(schema, dict):
        return set()
    own = {schema["pattern"]} if isinstance(schema.get("pattern"), str) else set()
    return own.union(*map(patterns, schema.values()))


def test_every_pattern_has_words() -> None:
    read = ("tap.json", "commands.json", "subscribe.json", "openapi.json", "facts.json")
    found = set().union(*(patterns(schemas()[name]) for name in read))
    assert len(found) >= 4
    assert found == set(HOW_WRITTEN)


WRITTEN_BADLY = {
    "a tile is written as 5m": (FACTS, tap({"type": "drawn", "seat": 0, "tile": "5x"})),
    "as in 5pr; an unknown one is ?": (FACTS, tap({"type": "drawn", "seat": 0, "tile": "5pq"})),
    "rules by name only": (COMMANDS, {"what": "select", "preset": "../rules.toml"}),
    "toppings behind a + each": (COMMANDS, {"what": "game", "preset": "A B"}),
    "no control characters": (FACTS, tap(DICE) | {"who": {"role": None, "name": "a\nb"}}),
    "six digits": ("/api/v1/pair", {"code": "12345"}),
}


@pytest.mark.parametrize("words", WRITTEN_BADLY)
@in_loop
async def test_how_something_is_written_is_told_in_words(here: Interface, words: str) -> None:
    path, body = WRITTEN_BADLY[words]
    async with asking(here) as ask:
        error = refused(await ask.post(path, headers=LEAVE, json=body), "api.body").error
    assert words in error.message
    assert error.where is not None
    assert not set("^$[]{}\\") & set(error.message)
