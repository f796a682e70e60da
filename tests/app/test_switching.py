"""From one rule to another at one table: one command, at any moment, and nothing stays behind."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from typing import Any

import pytest
from support.clockwork import run
from support.parlour import parlour
from support.switching import RULES, Evening, by_hand, one_table, said

from tablectl.app.actor import Actor
from tablectl.app.service import Wish
from tablectl.cli import shown
from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.fold import fold, fold_all
from tablectl.core.state import Game, Hand, Question, State
from tablectl.errors import TablectlError
from tablectl.link.simulated import Sims

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
        "Set a waits below with its tiles stacked for number 1: it comes up once more"
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
    # Both were stacked with the number that was chosen for this rule.
    assert said(answer, "Both sets: take out").endswith("136 tiles then.")
    assert "Set b is on the table: change its tiles when they are pushed in" in said(
        answer, "Set b is on the table: change"
    )
    told = {one["set"]: one for one in answer["tiles"]}
    assert (told["a"]["known"], told["b"]["known"]) == (True, True)
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
    assert "These are the walls of ramen-jiro once more: they were" in at.question("deal")
    await at.next_walls(vivace)
    assert at.state.hand is not None
    assert at.state.hand.number == 1

    # Between hands, with walls up that nobody has played on: at once.
    await at.until(lambda: "ready" in [one.word for one in at.state.machine.sets])
    answer = await at.select("fuzhou-144")
    assert answer["number"] == 2
    assert said(answer, "begins with the next walls").startswith("A game of")
    assert said(answer, "sets: take out red 5m 5p 5s, put in 5m, 5p, 5s, 8 flowers").endswith(
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
    assert "the 4 flowers (春夏秋冬) stay; 112 tiles then" in said(answer, ": take out")
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


@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_daemon_that_is_killed_between_two_games_begins_the_second(tmp_path, monkeypatch, done):
    """Killed before anything of the switch is durable, with the void hand closed, and with the
    first game's end too."""

    def half(self: Actor, wanted: facts.GameWanted) -> None:
        for fact in (facts.Settled(), facts.GameEnded(why="half"))[:done]:
            self.note(fact)

    async def work() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(Actor, "_begin", half)
            async with parlour(tmp_path, by_hand()) as daemon:
                at = Evening(daemon.table("p"))
                await open_hand(at)
                await at.select("fuzhou-144")
                await at.end_hand()
                assert at.state.game.preset == "ramen-jiro"
                assert at.state.hand is None or (at.state.hand.life == "closed") == bool(done)
                assert at.state.game.over == (done == 2)
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
