"""What comes with a rule at a table: its toppings, boxes and abilities, a census of its tiles."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.asking import HOSTS, TOKEN, WIDE, asking, in_loop
from support.clockwork import run
from support.desk import MemoryDesk, MemoryTable
from support.parlour import config_of, parlour, ready
from support.switching import RULES, Evening, by_hand, one_table, said

from tablectl.api.app import interface
from tablectl.api.messages import CommandBody
from tablectl.api.reading import read
from tablectl.app.config_file import read_config
from tablectl.app.counting import Counting
from tablectl.app.service import Wish
from tablectl.cli.client import Refused
from tablectl.core import facts
from tablectl.core.preset_file import find_preset
from tablectl.core.state import Deal, State
from tablectl.errors import TablectlError
from tablectl.link.simulated import Sims
from tablesim.serve import Served

# ── toppings ────────────────────────────────────────────────────────────────────────────────────


def test_toppings_are_part_of_the_name_everywhere(tmp_path):
    async def work() -> None:
        config = by_hand(preset="ramen-jiro+tsurame")
        async with parlour(tmp_path, config) as daemon:
            at = Evening(daemon.table("p"))
            await at.until(lambda: at.state.game is not None)
            game = at.state.game
            assert (game.preset, game.variant) == ("ramen-jiro", "tsurame")
            assert (game.name, game.points) == ("ramen-jiro+tsurame", (25_000,) * 3)
            # The owner's note of a rule holds for its toppings, which change no tile count.
            await at.table.command(Wish("note", preset="ramen-jiro", number=7))
            answer = await at.select("ramen-jiro+wareme-2+tsurame")
            assert (answer["number"], answer["source"]) == (7, "note")
            assert answer["preset"] == "ramen-jiro+wareme-2+tsurame"
            same = await at.select("ramen-jiro+tsurame+wareme-2")
            assert same["say"][-1] == answer["say"][-2] or at.state.game.name == same["preset"]
            await at.table.command(Wish("note", preset="ramen-jiro+wareme-2", number=None))
            assert not at.table.view()["notes"]
            for name, code in (
                ("ramen-jiro+wareme-2+wareme-3", "preset.toppings_clash"),
                ("ramen-jiro+warem-2", "preset.topping_unknown"),
                ("ramen-jiro+tsurame+tsurame", "preset.topping_twice"),
                ("ramen+tsurame", "preset.unknown"),
            ):
                with pytest.raises(TablectlError) as refused:
                    await at.select(name)
                assert refused.value.code == code
            [_, started] = at.of_kind(facts.GameStarted)
            assert (started.preset, started.variant) == ("ramen-jiro", "wareme-2+tsurame")
        # The rule is kept with its toppings, and found by its digest.
        kept = sorted(path.name.partition("@")[0] for path in (tmp_path / "rules").iterdir())
        assert kept == ["ramen-jiro+tsurame", "ramen-jiro+wareme-2+tsurame"]
        async with parlour(tmp_path, by_hand()) as daemon:
            at = Evening(daemon.table("p"))
            assert at.state.game.name == "ramen-jiro+wareme-2+tsurame"
            rules = at.table.known.rules
            assert rules is not None
            assert (rules.wareme.factor, rules.play.points) == (2, 25_000)
            assert daemon.rule("ramen-jiro+ginga-37").variant == "ginga-37"
            assert "ramen-jiro+tsurame" not in [one.name for one in daemon.rules()]

    run(work())


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("ramen-jiro", True),
        ("ramen-jiro+wareme-2+tsurame", True),
        ("ramen-jiro+", False),
        ("+tsurame", False),
        ("ramen-jiro++tsurame", False),
        ("ramen-jiro+../x", False),
        ("ramen-jiro.toml", False),
    ],
)
def test_a_name_with_toppings_is_read_over_http(name, right):
    body = msgspec.json.encode({"what": "select", "preset": name})
    if right:
        assert read(body, CommandBody).wish().preset == name
    else:
        with pytest.raises(TablectlError) as refused:
            read(body, CommandBody)
        assert refused.value.code == "api.body"


def test_what_the_daemon_refuses_is_told_whole_on_the_command_line():
    error = TablectlError("preset.topping_twice", name="a+b+b", topping="b", drawing=["  ▯▯"])
    told = Refused(error.as_json(), 409)
    assert told.lines() == error.lines()
    assert "▯▯" in "".join(told.lines())


@in_loop
async def test_a_rule_with_toppings_is_shown_over_http():
    desk = MemoryDesk(MemoryTable("east"))
    async with asking(interface(desk, HOSTS, TOKEN, bounds=WIDE)) as ask:
        found = (await ask.get("/api/v1/presets/ramen-jiro+tsurame+wareme-2")).json()
        assert found["name"] == "ramen-jiro+wareme-2+tsurame"
        for name, code in (("ramen-jiro+x", "topping_unknown"), ("nothing+x", "unknown")):
            answer = (await ask.get(f"/api/v1/presets/{name}")).json()
            assert answer["error"]["code"] == f"preset.{code}"


def test_a_house_rule_beside_the_configuration_may_have_toppings(tmp_path):
    text = (Path(__file__).parents[2] / "tablectl/presets/ramen-jiro.toml").read_text("utf-8")
    (tmp_path / "house.toml").write_text(text.replace('"ramen-jiro"', '"house"', 1), "utf-8")
    found = read_config(
        '[[table]]\nurl = "manual:p"\npreset = "house.toml+tsurame"\n'
        '[[table.notes]]\npreset = "house.toml+tsurame"\nnumber = 6\n',
        str(tmp_path / "config.toml"),
    )
    [table] = found.tables
    assert table.preset == f"{tmp_path / 'house.toml'}+tsurame"
    assert [note.preset for note in table.notes] == ["house"]

    async def work() -> None:
        async with parlour(tmp_path / "state", found) as daemon:
            at = Evening(daemon.table("p"))
            await at.until(lambda: at.state.game is not None)
            assert at.state.game.name == "house+tsurame"
            assert (await at.select("house+wareme-2"))["number"] == 6

    run(work())


# ── boxes and abilities ─────────────────────────────────────────────────────────────────────────

BOXES = """
[[table]]
url = "manual:p"
preset = "ramen-jiro"
profile = "stock"

[table.sets.a]
gold = { 5pg = 2, 5sg = 2 }
flowers = { 1f = 1, 2f = 1, 3f = 1, 4f = 1 }

[table.sets.b]
gold = {}
red = { 5sr = 2 }
"""


def test_what_a_box_lacks_is_said_and_nothing_refused(tmp_path):
    found = read_config(BOXES)

    async def work() -> None:
        async with parlour(tmp_path, found) as daemon:
            at = Evening(daemon.table("p"))
            await at.until(lambda: at.state.game is not None)
            answer = await at.select("goto-sanma")
            assert [line for line in answer["say"] if " lacks " in line] == [
                "Set b lacks gold 5p ×2, gold 5s ×2 for goto-sanma: agree that plain 5p ×2 stand in"
                " for gold 5p ×2, red 5s ×2 stand in for gold 5s ×2.",
            ]

    run(work())


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("gold = {}", "gold = { 5sr = 1 }", "config.value", 12),
        ("gold = {}", "gold = { 5sg = -1 }", "config.value", 12),
        ("gold = {}", "glod = {}", "config.key", 12),
        ("[table.sets.b]", "[table.sets.c]", "config.key", 11),
        ("flowers = {", "flowers = { 1z = 1,", "config.value", 9),
        ("[table.sets.b]\ngold = {}\nred = { 5sr = 2 }", "[[table.sets.b]]", "config.shape", 11),
    ],
)
def test_mistakes_in_what_a_box_has_are_told(old, new, code, line):
    with pytest.raises(TablectlError) as caught:
        read_config(BOXES.replace(old, new), "house.toml")
    [problem] = caught.value.problems
    assert (problem.code, problem.where) == (code, f"house.toml:{line}")


def test_an_ability_that_the_rule_asks_for_is_tapped_or_refused(tmp_path):
    text = (Path(__file__).parents[2] / "tablectl/presets/riichi-4p.toml").read_text("utf-8")
    for name, needs in (("dicey", '["dice"]'), ("seeing", '["faces_when_stacked"]')):
        table = f'\n[table]\nneeds = {{ value = {needs}, convention = "a house" }}\n'
        (tmp_path / f"{name}.toml").write_text(
            text.replace('"riichi-4p"', f'"{name}"', 1) + table, "utf-8"
        )

    async def work() -> None:
        async with parlour(tmp_path / "state", by_hand()) as daemon:
            for name in ("dicey", "seeing"):
                await asyncio.to_thread(daemon.rulebook.add, str(tmp_path / f"{name}.toml"))
            at = Evening(daemon.table("p"))
            await at.until(lambda: at.state.game is not None)
            answer = await at.select("dicey")
            assert said(answer, "asks for a table that can read its dice").endswith(
                "which p cannot: tap the dice as they lie, or the column after which the wall was"
                " opened."
            )
            before = at.table.seq
            for what in ("select", "game"):
                with pytest.raises(TablectlError) as refused:
                    await at.table.command(Wish(what, preset="seeing"))
                assert refused.value.code == "number.ability"
            assert at.table.seq == before, "nothing was sent or said"

    run(work())


# ── a census ────────────────────────────────────────────────────────────────────────────────────


def test_a_side_with_a_tile_too_few_is_named(tmp_path):
    async def work() -> None:
        async with parlour(tmp_path, by_hand()) as daemon:
            at = Evening(daemon.table("p"))
            await at.until(lambda: at.state.game is not None)
            await at.say(facts.Raised(set="a", sides=(30, 28, 30, 27)))
            assert at.question("deal").startswith(
                "115 tiles came up; ramen-jiro needs 116. Side 3: 27 of 28, one is missing. Look"
                " under the table"
            )

    run(work())


def lying(served: Served) -> dict[Any, str]:
    up = served.table.machine.up
    assert up is not None
    return up.walls


@pytest.mark.parametrize("swap", [False, True])
def test_where_faces_are_read_the_tiles_that_are_wrong_are_named(tmp_path, swap):
    """A 9s lies in a gold 5p's place. Which place that is changes nothing that is said."""

    async def here(at: Evening) -> Any:
        served, rules = at.served, RULES["ramen-jiro"]
        assert served is not None
        await at.select("ramen-jiro")
        await at.next_walls(rules)
        codes = [tile.code for tile in rules.tiles.elements()]
        codes[codes.index("5pg")] = "9s"
        top = served.table.machine.up
        assert top is not None
        below = served.table.machine.other(top)
        await at.until(lambda: below.phase.name == "READY")
        await at.press()
        await at.until(lambda: top.phase.name == "DROPPING")
        served.table.hands.exchange(top.id, tuple(codes))
        before = at.state.deal
        await at.press()
        await at.until(lambda: at.state.deal is not None and at.state.deal is not before)
        await asyncio.sleep(30)
        assert at.of_kind(facts.Census) == [], "all of its tiles are the rule's"
        assert at.question("tiles") == ""
        if swap:
            stacks = served.table.machine.other(served.table.machine.up).stacks
            stacks[0][0], stacks[2][3] = stacks[2][3], stacks[0][0]
        await at.begin_hand()
        await at.end_hand()
        await at.next_walls(rules)
        await asyncio.sleep(30)
        assert at.of_kind(facts.Census) == [
            facts.Census(set=top.name, missing={"5pg": 1}, too_many={"9s": 1})
        ]
        return at.question("tiles")

    found = run(one_table(tmp_path, "ramen-jiro", Sims(seed=3), here, "reader"))
    assert found.startswith(
        "in the walls of set a gold 5p is missing, one 9s too many. Look under the table"
    )


def test_a_census_is_not_said_again_after_a_restart(tmp_path):
    async def work() -> None:
        sims = Sims(seed=3)
        config = config_of("sim:reader:east", preset="ramen-jiro")
        async with parlour(tmp_path, config, sims) as daemon:
            [table] = await ready(daemon)
            at = Evening(table, sims.served["reader:east"])
            await at.until(lambda: at.state.game is not None)
            await at.select("ramen-jiro")
            wrong = find_preset("ramen-jiro+ginga-37")
            await at.next_walls(wrong)
            await at.next_walls(wrong)
            await asyncio.sleep(30)
            [told] = at.of_kind(facts.Census)
            assert told.missing == {f"8{suit}x": 1 for suit in "mps"} | {
                f"3{suit}": 1 for suit in "mps"
            }
            # Another run reads the same entries, and has nothing to say again.
            known, rules = at.table.known, at.table.known.rules
            assert rules is not None
            again = Counting()
            again.resume(known.history.entries, known.state)
            assert not again.due(rules, known.state)
            without = [e for e in known.history.entries if not isinstance(e.fact, facts.Census)]
            again = Counting()
            again.resume(without, known.state)
            assert again.due(rules, known.state)
            assert "galaxy 8m" in at.question("tiles")
            # Who does not want to play on with them restacks: the walls are nobody's then.
            [question] = [q for q in at.state.questions if q.id.startswith("tiles:")]
            await at.say(facts.Agreed(question=question.id, choice="restack"))
            assert at.state.hand is None
            assert at.state.deal is not None
            assert at.state.deal.refused

    run(work())


def test_with_one_tile_unread_nothing_is_said_to_be_missing() -> None:
    rules = find_preset("ramen-jiro")
    tiles = [tile.code for tile in rules.tiles.elements()]
    state = State(deal=Deal("a", 1, used=True))
    assert Counting().count(rules, state, tiles) is None
    wrong = Counting().count(rules, state, ["1m", *tiles[1:-1], "9s"])
    unread = Counting().count(rules, state, [*tiles[:-1], "?"])
    assert wrong is not None
    assert unread is None
