"""From one rule to another at one table: one command, at any moment, and nothing stays behind."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.asking import HOSTS, TOKEN, WIDE, asking, in_loop
from support.clockwork import run
from support.desk import MemoryDesk, MemoryTable
from support.parlour import config_of, parlour, ready

from tablectl.api.app import interface
from tablectl.api.messages import CommandBody
from tablectl.api.reading import read
from tablectl.app.actor import Actor
from tablectl.app.config_file import read_config
from tablectl.app.counting import Counting
from tablectl.app.service import Tap, Wish
from tablectl.app.table import Table
from tablectl.cli import shown
from tablectl.cli.client import Refused
from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.facts import AnyFact
from tablectl.core.fold import fold, fold_all
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset
from tablectl.core.state import Game, Hand, Question, State
from tablectl.errors import TablectlError
from tablectl.link.simulated import Sims
from tablesim.serve import Served

RULES = {
    name: find_preset(name) for name in ("ramen-jiro", "vivace-4p", "fuzhou-144", "goto-sanma")
}


class Evening:
    """People at one simulated table. Seconds are the loop's."""

    def __init__(self, table: Table, served: Served | None = None) -> None:
        self.table, self.served = table, served

    @property
    def state(self) -> State:
        return self.table.known.state

    async def say(self, fact: AnyFact) -> None:
        tapped = await self.table.tap(Tap(str(uuid.uuid4()), fact, self.table.seq))
        assert tapped.verdict.kind != "odd", tapped.verdict

    async def select(self, preset: str, **about: Any) -> dict[str, Any]:
        found: dict[str, Any] = await self.table.command(Wish("select", preset=preset, **about))
        return found

    async def until(self, done: Any) -> None:
        for _ in range(2000):
            if done():
                return
            await asyncio.sleep(0.1)
        raise AssertionError(self.state)

    # ── the machine ──

    async def press(self) -> None:
        assert self.served is not None
        await self.served.obey({"do": "press", "button": "start"})

    async def next_walls(self, tiles: Preset | None = None) -> None:
        """Open the hatch, push in what lies on the table, or the tiles of a rule in its place, and
        close it: the other set's walls come up."""
        assert self.served is not None
        machine = self.served.table.machine
        if machine.up is not None:
            below = machine.other(machine.up)
            await self.until(lambda: below.phase.name == "READY")
            await self.press()
        top = machine.on_top
        assert top is not None
        await self.until(lambda: top.phase.name == "DROPPING")
        if tiles is not None:
            codes = tuple(tile.code for tile in tiles.tiles.elements())
            self.served.table.hands.exchange(top.id, codes)
        else:
            self.served.table.hands.push_in()
        before = self.state.deal
        await self.press()
        await self.until(lambda: self.state.deal is not None and self.state.deal is not before)
        await self.table.settled()

    # ── a hand ──

    async def begin_hand(self) -> None:
        assert self.state.hand is not None
        assert self.state.hand.life == "raised"
        await self.say(facts.Dice(pips=(3, 4)))
        await self.say(facts.Dealt())

    async def end_hand(self) -> None:
        await self.say(facts.Void(why="enough"))
        await self.say(facts.Settled())
        await self.table.settled()

    def question(self, kind: str) -> str:
        """The one open question of a kind; empty if there is none."""
        found = [one.text for one in self.state.questions if one.id.startswith(f"{kind}:")]
        assert len(found) < 2
        return found[0] if found else ""

    def of_kind(self, *kinds: type) -> list[Any]:
        return [one.fact for one in self.table.known.history.entries if isinstance(one.fact, kinds)]


def said(answer: dict[str, Any], part: str) -> str:
    """The one sentence of an answer that has this in it."""
    [found] = [line for line in answer["say"] if part in line]
    return str(found)


async def one_table(folder: Path, preset: str, sims: Sims, work: Any, model: str = "stock") -> Any:
    async with parlour(folder, config_of(f"sim:{model}:east", preset=preset), sims) as daemon:
        [table] = await ready(daemon)
        evening = Evening(table, sims.served[f"{model}:east"])
        await evening.until(lambda: evening.state.game is not None)
        return await work(evening)


# ── a whole evening ─────────────────────────────────────────────────────────────────────────────


async def four_rules(at: Evening) -> None:
    """ramen-jiro, vivace-4p, fuzhou-144, goto-sanma: mid-hand and between hands, with walls of the
    old number still to come up once. Ends with walls of the last rule."""
    ramen, vivace, fuzhou, goto = RULES.values()
    answer = await at.select("ramen-jiro")
    assert answer["number"] == 5
    assert said(answer, "nobody knows what lies in it").startswith("Either set: nobody knows")
    assert "Set b lies open in the hatch: change its tiles now" in said(answer, "in the hatch:")
    assert said(answer, "Push start again").startswith(
        "Set a waits below with its tiles stacked for the rule before: it comes up once more"
    )
    # What was stacked before comes up once: people hear whose walls these are, and what to do.
    await at.next_walls(ramen)
    assert at.question("deal").startswith(
        "136 tiles came up; ramen-jiro needs 116. These are the walls of number 1 once more; number"
        " 5 comes after them: they were stacked before the change. Push start again"
    )
    assert at.state.hand is None
    await at.next_walls(ramen)
    assert at.question("deal") == ""
    await at.begin_hand()

    # Mid-hand, the other set stacked already: the number at once, the game as soon as this hand is
    # closed.
    await at.until(lambda: at.state.machine.set_named("a").word == "ready")
    answer = await at.select("vivace-4p")
    assert (answer["number"], answer["result"]) == (1, "done")
    assert [one.pending for one in at.state.machine.sets] == [1, 1]
    assert "begins by itself" in said(answer, "is played to its end")
    assert said(answer, "4 players instead of 3").startswith("4 players instead of 3: the number")
    assert said(answer, "Set b: take out").endswith("136 tiles then.")
    assert "Set b is on the table: change its tiles when they are pushed in" in said(
        answer, "Set b is on the table: change"
    )
    told = {one["set"]: one for one in answer["tiles"]}
    assert (told["a"]["known"], told["b"]["known"]) == (False, True)
    assert told["b"]["out"] == {
        **{f"5{suit}r": 1 for suit in "mps"}, **{f"5{suit}g": 2 for suit in "mps"},
        **{f"{rank}{suit}x": 1 for suit in "mps" for rank in (7, 8)}, "4zx": 1, "7zx": 1,
    }  # fmt: skip
    assert told["b"]["in"]["1z"] == 4
    assert told["b"]["stay"]["1m"] == 4
    view = at.table.view()["state"]
    assert view["wanted"]["preset"] == "vivace-4p"
    told_people = shown.facts(at.table.view(), ramen)
    assert shown.Told("then", "a game of vivace-4p, as soon as this hand is settled or void") in (
        told_people
    )
    assert view["game"]["preset"] == "ramen-jiro"

    # Another wish takes its place; the running rule takes it back.
    await at.select("fuzhou-144")
    assert at.state.wanted is not None
    assert at.state.wanted.preset == "fuzhou-144"
    answer = await at.select("ramen-jiro")
    assert at.state.wanted is None
    assert said(answer, "not wanted any more").startswith("fuzhou-144 is not wanted any more")
    await at.select("vivace-4p")
    await at.end_hand()
    assert at.state.wanted is None
    assert at.state.game is not None
    assert (at.state.game.preset, at.state.game.hands) == ("vivace-4p", 0)
    assert at.of_kind(facts.GameEnded) == [facts.GameEnded(why="vivace-4p is played from here on")]

    # The set below was stacked with 116 meanwhile, and comes up once more.
    await at.next_walls(vivace)
    assert "These are the walls of number 5 once more; number 1 comes after" in at.question("deal")
    await at.next_walls(vivace)
    assert at.state.hand is not None
    assert at.state.hand.number == 1

    # Between hands, with walls up that nobody has played on: at once.
    await at.until(lambda: "ready" in [one.word for one in at.state.machine.sets])
    answer = await at.select("fuzhou-144")
    assert answer["number"] == 2
    assert said(answer, "begins with the next walls").startswith("A game of")
    assert said(answer, "Set b: take out red 5m 5p 5s, put in 5m, 5p, 5s, 8 flowers").endswith(
        "144 tiles then."
    )
    assert at.state.game.preset == "fuzhou-144"
    assert at.state.hand is None
    assert at.question("deal").startswith(
        "136 tiles came up; fuzhou-144 needs 144. These are the walls of vivace-4p once more: they"
        " were stacked before the change."
    )
    await at.next_walls(fuzhou)
    await at.next_walls(fuzhou)
    await at.begin_hand()
    await at.until(lambda: "ready" in [one.word for one in at.state.machine.sets])
    answer = await at.select("goto-sanma")
    assert answer["number"] == 9
    assert "the 4 flowers (春夏秋冬) stay; 112 tiles then" in said(answer, "Set b: take out")
    await at.end_hand()
    assert at.state.game.preset == "goto-sanma"
    await at.next_walls(goto)
    assert "goto-sanma needs 112" in at.question("deal")
    await at.next_walls(goto)
    assert at.state.hand is not None


async def one_rule(at: Evening) -> None:
    """The same walls at a table at which nothing else was ever chosen."""
    goto = RULES["goto-sanma"]
    await at.select("goto-sanma")
    for _ in range(2):
        await at.next_walls(goto)
    assert at.state.hand is not None


def left(state: State) -> dict[str, Any]:
    """A state without what is the machine's own, and without seqs."""
    found = asdict(state)
    del found["machine"]
    del found["deal"]["seq"]
    del found["deal"]["set"]
    found["verdicts"] = len(found["verdicts"])
    return found


def test_an_evening_of_four_rules_leaves_nothing_of_the_first_three(tmp_path):
    async def work(folder: str, preset: str, evening: Any) -> tuple[Any, Any]:
        async def here(at: Evening) -> tuple[Any, Any]:
            await evening(at)
            view = at.table.view()["state"]
            entries = await at.table.facts(0, 1000)
            again = fold_all(at.table.known._rulebook, entries)
            assert again == at.state, "nothing is known that the journal does not say"
            del view["machine"], view["deal"]["seq"], view["deal"]["set"]
            return left(at.state), view

        return await one_table(tmp_path / folder, preset, Sims(seed=3), here)

    changed = run(work("changed", "ramen-jiro", four_rules))
    fresh = run(work("fresh", "goto-sanma", one_rule))
    assert changed[0].keys() == fresh[0].keys()
    for name in changed[0]:
        assert changed[0][name] == fresh[0][name], name
    assert changed[1] == fresh[1]


def test_what_is_pushed_in_too_early_is_said_before_the_machine_stops(tmp_path):
    async def here(at: Evening) -> None:
        await at.select("ramen-jiro")
        await at.next_walls(RULES["ramen-jiro"])
        await at.next_walls(RULES["ramen-jiro"])
        await at.begin_hand()
        await at.end_hand()
        await at.next_walls()
        assert at.state.hand is not None
        # Set b has just gone in with its 116 tiles and is being mixed.
        assert at.state.machine.set_named("b").word == "mixing"
        answer = await at.select("vivace-4p")
        assert "Set b is being mixed with 116 tiles, but number 1 stacks 136: it would stop." in (
            said(answer, "would stop")
        )

    run(one_table(tmp_path, "ramen-jiro", Sims(seed=3), here))


# ── a daemon that is stopped on the way ─────────────────────────────────────────────────────────


def by_hand(**about: Any) -> Any:
    return config_of("manual:p", profile="stock", **about)


async def open_hand(at: Evening) -> None:
    await at.until(lambda: at.state.game is not None)
    await at.say(facts.Raised(set="a"))
    await at.begin_hand()


def test_a_wish_outlives_the_daemon_and_is_granted_once(tmp_path):
    async def work() -> None:
        async with parlour(tmp_path, by_hand()) as daemon:
            at = Evening(daemon.table("p"))
            await open_hand(at)
            answer = await at.select("vivace-4p")
            assert "until the panel shows 1" in said(answer, "panel")
        async with parlour(tmp_path, by_hand()) as daemon:
            at = Evening(daemon.table("p"))
            assert at.state.wanted is not None
            await at.end_hand()
            assert at.state.game.preset == "vivace-4p"
            assert at.state.game.seats == (0, 1, 2, 3)
        async with parlour(tmp_path, by_hand()) as daemon:
            at = Evening(daemon.table("p"))
            await at.table.settled()
            entries = await at.table.facts(0, 1000)
            begun = [e.fact.preset for e in entries if isinstance(e.fact, facts.GameStarted)]
            assert begun == ["ramen-jiro", "vivace-4p"]
            assert at.state.wanted is None

    run(work())


@pytest.mark.parametrize("done", [0, 1])
def test_a_daemon_that_is_killed_between_two_games_begins_the_second(tmp_path, monkeypatch, done):
    """Killed before anything of the switch is durable, and with only the first game's end."""

    def half(self: Actor, wanted: facts.GameWanted) -> None:
        if done:
            self.note(facts.GameEnded(why="half"))

    async def work() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(Actor, "_begin", half)
            async with parlour(tmp_path, by_hand()) as daemon:
                at = Evening(daemon.table("p"))
                await open_hand(at)
                await at.select("fuzhou-144")
                await at.end_hand()
                assert at.state.game.preset == "ramen-jiro"
                assert at.state.game.over == bool(done)
        async with parlour(tmp_path, by_hand()) as daemon:
            at = Evening(daemon.table("p"))
            await at.until(lambda: at.state.wanted is None)
            assert at.state.game.preset == "fuzhou-144"
            assert len(at.of_kind(facts.GameEnded)) == 1
            assert not [q for q in at.state.questions if q.id.startswith("odd")]

    run(work())


def test_walls_that_wait_for_the_next_hand_are_the_new_game_s(tmp_path):
    """The next walls of the new rule are up before the old hand is settled."""

    async def work() -> None:
        async with parlour(tmp_path, by_hand()) as daemon:
            at = Evening(daemon.table("p"))
            await open_hand(at)
            await at.select("vivace-4p")
            await at.say(facts.Raised(set="b", sides=(34, 34, 34, 34)))
            await at.end_hand()
            assert at.state.game.preset == "vivace-4p"
            assert at.state.hand is not None
            assert (at.state.hand.number, at.state.hand.life) == (1, "raised")
            assert at.state.hand.sides is not None
            assert at.question("deal_down") == ""

    run(work())


def test_a_game_of_the_running_rule_begins_between_hands_only(tmp_path):
    async def work() -> None:
        async with parlour(tmp_path, by_hand()) as daemon:
            at = Evening(daemon.table("p"))
            await open_hand(at)
            with pytest.raises(TablectlError) as refused:
                await at.table.command(Wish("game", preset="ramen-jiro"))
            assert refused.value.code == "app.hand_open"
            answer = await at.table.command(Wish("game", preset="riichi-4p"))
            assert "begins by itself" in said(answer, "to its end")
            await at.end_hand()
            assert at.state.game.preset == "riichi-4p"
            await at.table.command(Wish("game", preset="riichi-4p"))
            entries = await at.table.facts(0, 1000)
            begun = [e.fact.preset for e in entries if isinstance(e.fact, facts.GameStarted)]
            assert begun == ["ramen-jiro", "riichi-4p", "riichi-4p"]

    run(work())


def test_what_is_heard_with_the_wish_is_of_the_new_game(tmp_path):
    """A deal that waits in the queue behind it is none of the rule that has just ended."""

    async def work() -> None:
        async with parlour(tmp_path, by_hand()) as daemon:
            at = Evening(daemon.table("p"))
            await at.until(lambda: at.state.game is not None)
            await at.say(facts.Raised(set="a"))
            rules = await asyncio.to_thread(daemon.rulebook.add, "fuzhou-128")
            wanted = facts.GameWanted(
                preset=rules.name, digest=rules.digest, seats=(0, 1, 2, 3), points=1
            )
            wish = asyncio.create_task(at.table.say(wanted, "d:wish", "daemon"))
            await asyncio.sleep(0)
            at.table.note(facts.Dice(pips=(3, 4)))
            at.table.note(facts.Dealt())
            await wish
            await at.table.settled()
            assert at.state.game.preset == "fuzhou-128"
            assert at.state.hand is not None
            assert (at.state.hand.life, at.state.hand.head) == ("dealt", 65)
            assert at.state.questions == ()

    run(work())


def test_nothing_of_a_game_that_was_over_is_left_when_another_begins():
    old, new = RULES["ramen-jiro"], RULES["vivace-4p"]
    game = Game("ramen-jiro", old.digest, (0, 1, 2), (1, 2, 3), (4, 5, 6), 2, 7, over=True)
    hand = Hand(number=7, seats=(0, 1, 2), dealer=2, sides=None, life="closed")
    kinds = ("odd", "deal_down", "counts", "dealer", "tiles", "overdue", "command")
    asked = tuple(Question(f"{kind}:5", "?", 5, ("so",)) for kind in kinds)
    before = State(game=game, hand=hand, questions=asked)
    started = facts.GameStarted(
        preset="vivace-4p", digest=new.digest, seats=(3, 2, 1, 0), points=100
    )
    entry = Entry(table="t", seq=9, key="k", fact=started)
    after, verdict = fold({one.digest: one for one in RULES.values()}, before, entry)
    assert verdict.kind == "fits"
    fresh, _ = fold({new.digest: new}, State(), entry)
    assert replace(after, questions=()) == fresh
    # What the machine asks is asked on.
    assert [one.id for one in after.questions] == ["overdue:5", "command:5"]


def test_a_wish_for_a_rule_that_is_not_at_hand_is_odd():
    wanted = facts.GameWanted(preset="gone", digest="00", seats=(0, 1, 2))
    state, verdict = fold({}, State(), Entry(table="t", seq=1, key="k", fact=wanted))
    assert (verdict.kind, state.wanted) == ("odd", None)
    rules = RULES["vivace-4p"]
    wanted = facts.GameWanted(preset=rules.name, digest=rules.digest, seats=(0, 1, 2))
    entry = Entry(table="t", seq=1, key="k", fact=wanted)
    state, verdict = fold({rules.digest: rules}, State(), entry)
    assert (verdict.kind, state.wanted) == ("odd", None)
    assert "not the sides of 4 players" in verdict.text


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
            assert [line for line in answer["say"] if "where goto-sanma wants" in line] == [
                "Set b has no gold 5p where goto-sanma wants 2: agree that a plain 5p stands in for"
                " it.",
                "Set b has no gold 5s where goto-sanma wants 2: agree that a red 5s stands in for"
                " it.",
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
