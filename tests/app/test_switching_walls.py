"""What people hear when walls, tiles and hands are not as the next rule wants them."""

from __future__ import annotations

from typing import Any

import pytest
from support.clockwork import run
from support.parlour import parlour
from support.switching import RULES, Evening, by_hand, one_table, said

from tablectl.app.service import Wish
from tablectl.core import facts
from tablectl.errors import TablectlError
from tablectl.link.simulated import Sims

RAMEN, VIVACE, FUZHOU, GOTO = RULES.values()
WALLS = {"ramen-jiro": (30, 28, 30, 28), "vivace-4p": (34, 34, 34, 34), "fuzhou-144": (36,) * 4}


def at_a_manual_table(tmp_path, work: Any, **about: Any) -> None:
    async def go() -> None:
        async with parlour(tmp_path, by_hand(**about)) as daemon:
            at = Evening(daemon.table("p"))
            await at.until(lambda: at.state.game is not None)
            await work(at)

    run(go())


async def answer(at: Evening, kind: str, choice: str) -> None:
    """Give the answer that begins so to the one question of a kind."""
    [asked] = [one for one in at.state.questions if one.id.startswith(f"{kind}:")]
    [found] = [one for one in asked.choices if one.startswith(choice)]
    await at.say(facts.Agreed(question=asked.id, choice=found))
    await at.until(lambda: at.state.wanted is None)
    await at.table.settled()


# ── a void hand with a wish ─────────────────────────────────────────────────────────────────────


async def raise_and_begin(at: Evening, set_: Any = "a") -> None:
    await at.say(facts.Raised(set=set_))
    await at.begin_hand()


def test_a_void_hand_lets_the_wanted_game_begin(tmp_path):
    async def work(at: Evening) -> None:
        await raise_and_begin(at)
        promise = said(await at.select("vivace-4p"), "begins by itself")
        assert "settled, or declared void by nobody's fault" in promise
        await at.say(facts.Void(why="a wall fell"))
        await at.until(lambda: at.state.game.preset == "vivace-4p")
        assert (at.state.wanted, at.state.hand) == (None, None)
        assert at.state.questions == ()
        assert [type(one) for one in at.of_kind(facts.Settled, facts.GameEnded)] == [
            facts.Settled,
            facts.GameEnded,
        ]

    at_a_manual_table(tmp_path, work)


def test_a_wish_for_a_hand_that_is_void_already_begins_at_once(tmp_path):
    async def work(at: Evening) -> None:
        await raise_and_begin(at)
        await at.say(facts.Void(why="a wall fell"))
        assert at.state.hand.life == "settling"
        await at.select("vivace-4p")
        assert at.state.game.preset == "vivace-4p"

    at_a_manual_table(tmp_path, work)


def test_another_game_of_the_same_rule_begins_after_a_void_hand(tmp_path):
    async def work(at: Evening) -> None:
        await raise_and_begin(at)
        await at.say(facts.Void(why="a wall fell"))
        await at.table.command(Wish("game", preset="ramen-jiro"))
        assert at.state.game.hands == 0
        assert len(at.of_kind(facts.GameStarted)) == 2

    at_a_manual_table(tmp_path, work)


@pytest.mark.parametrize("told", [True, False])
def test_who_is_at_fault_pays_before_another_game_begins(tmp_path, told):
    """In a rule that asks who is at fault: a fine is still to be settled in the game it is of."""

    async def work(at: Evening) -> None:
        await raise_and_begin(at)
        await at.select("vivace-4p")
        await at.say(facts.Void(why="chombo", by=1 if told else None))
        await at.table.settled()
        assert at.state.game.preset == "goto-sanma", "nobody has said yet who is at fault"
        if not told:
            asked = at.question("fault")
            assert asked
            [question] = [one for one in at.state.questions if one.text == asked]
            await at.say(facts.Agreed(question=question.id, choice="seat 1"))
        again = said(await at.select("fuzhou-144"), "begins by itself")
        assert "is void and not paid yet. As soon as it is settled, the game of" in again
        await at.say(facts.Settled(points=(5000, -10000, 5000)))
        await at.until(lambda: at.state.game.preset == "fuzhou-144")

    at_a_manual_table(tmp_path, work, preset="goto-sanma")


def test_nobody_at_fault_lets_the_wanted_game_begin(tmp_path):
    async def work(at: Evening) -> None:
        await raise_and_begin(at)
        await at.select("vivace-4p")
        await at.say(facts.Void(why="a wall fell"))
        await answer(at, "fault", "nobody")
        assert at.state.game.preset == "vivace-4p"

    at_a_manual_table(tmp_path, work, preset="goto-sanma")


def test_new_walls_after_a_void_hand_ask_only_for_its_payment(tmp_path):
    async def work(at: Evening) -> None:
        await raise_and_begin(at)
        await at.say(facts.Void(why="a wall fell"))
        await at.say(facts.Raised(set="b"))
        assert at.question("deal_down") == (
            "the walls are gone; the hand is void, and only what is paid for it was not confirmed."
        )
        await answer(at, "deal_down", "nothing is paid")
        assert (at.state.hand.number, at.state.hand.life) == (2, "raised")
        assert at.state.questions == ()
        # One that is still played is asked as ever.
        await at.begin_hand()
        await at.say(facts.Raised(set="a"))
        assert "Is it void, or was it forgotten" in at.question("deal_down")

    at_a_manual_table(tmp_path, work)


# ── what lies in a set ──────────────────────────────────────────────────────────────────────────


def test_tiles_that_people_changed_as_they_were_told_are_right(tmp_path):
    """Both sets are changed for another rule; walls of the one are not played on."""

    async def here(at: Evening) -> None:
        await at.select("ramen-jiro")
        await at.next_walls(RAMEN)
        await at.next_walls(RAMEN)
        await at.begin_hand()
        await at.end_hand()
        await at.until(lambda: "ready" in [one.word for one in at.state.machine.sets])
        before = await at.select("vivace-4p")
        assert "take out" in said(before, "Both sets")
        await at.next_walls(VIVACE)  # those of ramen-jiro, once more
        await at.next_walls(VIVACE)
        await at.until(lambda: "ready" in [one.word for one in at.state.machine.sets])
        after = await at.select("vivace-4p")
        assert said(after, "Both sets") == "Both sets: their 136 tiles stay as they are."
        assert not [line for line in after["say"] if "once more" in line or "take out" in line]
        # One set is stacked with a number that nobody chose a rule for: nobody knows any more.
        name = next(n for n in "ab" if at.state.machine.set_named(n).word == "ready")
        at.table.note(facts.Number(set=name, number=2, state="active"))
        await at.table.settled()
        last = await at.select("vivace-4p")
        assert said(last, "nobody knows what lies in it").startswith(f"Set {name}: nobody")

    run(one_table(tmp_path, "ramen-jiro", Sims(seed=3), here))


def test_walls_of_another_count_say_that_the_tiles_are_others(tmp_path):
    async def work(at: Evening) -> None:
        await at.select("ramen-jiro")
        await raise_and_begin(at)
        await at.end_hand()
        assert at.state.machine.filled[0] == RAMEN.digest
        await at.say(facts.Raised(set="a", sides=(30, 28, 30, 27)))
        assert at.state.machine.filled[0] == RAMEN.digest, "one tile is missing, no more"
        await at.say(facts.Raised(set="a", sides=(32, 32, 32, 32)))
        assert at.state.machine.filled[0] is None

    at_a_manual_table(tmp_path, work)


def test_at_a_table_that_people_work_the_next_walls_say_that_a_set_was_changed(tmp_path):
    async def work(at: Evening) -> None:
        await at.select("ramen-jiro")
        await raise_and_begin(at)
        await at.select("vivace-4p")
        await at.say(facts.Void(why="enough"))
        await at.until(lambda: at.state.wanted is None)
        await at.say(facts.Raised(set="a", sides=WALLS["vivace-4p"]))
        found = await at.select("vivace-4p")
        assert "Set a: its 136 tiles stay as they are." in found["say"]
        assert "Set a has number 1 already and is on the table." in found["say"]
        assert (at.state.machine.sets[0].active, at.state.machine.sets[0].pending) == (1, 1)

    at_a_manual_table(tmp_path, work)


def test_a_set_that_is_stacked_anew_has_other_tiles(tmp_path):
    async def work(at: Evening) -> None:
        await at.select("ramen-jiro")
        await raise_and_begin(at)
        await at.end_hand()
        at.table.note(facts.Number(set="a", number=3, state="pending"))
        found = []
        for phase in ("dropping", "mixing", "stacking", "ready"):
            at.table.note(facts.Phase(set="a", phase=phase))
            await at.table.settled()
            found.append(at.state.machine.filled[0])
        # Nobody chose a rule for number 3.
        assert found == [RAMEN.digest, RAMEN.digest, None, None]

    at_a_manual_table(tmp_path, work)


def test_walls_that_come_up_before_the_hand_is_closed_say_it_too(tmp_path):
    async def work(at: Evening) -> None:
        await at.select("ramen-jiro")
        await raise_and_begin(at)
        await at.select("vivace-4p")
        await at.say(facts.Raised(set="b", sides=WALLS["vivace-4p"]))
        assert at.state.machine.filled == (RAMEN.digest, VIVACE.digest)
        assert (at.state.machine.sets[1].active, at.state.machine.sets[1].pending) == (1, None)

    at_a_manual_table(tmp_path, work)


# ── walls that are up ───────────────────────────────────────────────────────────────────────────


def test_walls_that_fit_one_other_rule_are_played_by_an_answer(tmp_path):
    async def work(at: Evening) -> None:
        await at.say(facts.Raised(set="a", sides=WALLS["fuzhou-144"]))
        assert at.question("deal").endswith("or play fuzhou-144 with them.")
        await answer(at, "deal", "play fuzhou-144 with these walls")
        assert (at.state.game.preset, at.state.hand.life) == ("fuzhou-144", "raised")
        assert at.state.game.points == (FUZHOU.play.points,) * 4
        assert list((at.table.wishes._rulebook._folder).glob("fuzhou-144@*")), "kept for later"
        assert at.state.questions == ()

    at_a_manual_table(tmp_path, work)


def test_who_sits_where_is_as_configured_when_walls_bring_their_game(tmp_path):
    async def work(at: Evening) -> None:
        await at.say(facts.Raised(set="a", sides=(28, 28, 28, 28)))
        await answer(at, "deal", "play goto-sanma with these walls")
        assert at.state.game.seats == (3, 1, 0)

    at_a_manual_table(tmp_path, work, preset="fuzhou-144", seats=(3, 1, 0))


def test_walls_that_fit_several_rules_name_the_command(tmp_path):
    async def work(at: Evening) -> None:
        await at.say(facts.Raised(set="a", sides=WALLS["vivace-4p"]))
        asked = at.question("deal")
        assert f"`tablectl select {at.table.id} RULE` begins its game at once (" in asked
        assert "vivace-4p, vivace-a-league)" in asked
        found = await at.select("vivace-4p")
        assert said(found, "at once") == (
            f"The game of {VIVACE.title} begins at once with the walls that are up."
        )
        assert "Set a: its 136 tiles stay as they are." in found["say"]
        assert at.state.hand.life == "raised"

    at_a_manual_table(tmp_path, work)


def test_the_rule_that_was_chosen_here_is_the_one_that_walls_are_of(tmp_path):
    async def work(at: Evening) -> None:
        await at.select("vivace-a-league")
        await at.select("ramen-jiro")
        await at.say(facts.Raised(set="a", sides=WALLS["vivace-4p"]))
        await answer(at, "deal", "play vivace-a-league with these walls")
        assert at.state.game.preset == "vivace-a-league"

    at_a_manual_table(tmp_path, work)


# ── what is said first ──────────────────────────────────────────────────────────────────────────


def test_what_people_have_to_do_is_said_first_and_once(tmp_path):
    async def work(at: Evening) -> None:
        await at.select("ramen-jiro")
        await raise_and_begin(at)
        say = (await at.select("vivace-4p"))["say"]
        assert (
            say[0]
            == f"{VIVACE.title}: number 1 (四人 136). Nobody has verified it at this machine."
        )
        assert "until the panel shows 1" in say[1]
        assert say[2].startswith("Set a: take out")
        begins = next(n for n, line in enumerate(say) if "begins by itself" in line)
        rest = [n for n, line in enumerate(say) if "players instead" in line or "Why" in line]
        assert begins < min(rest)
        assert len(set(say)) == len(say)
        assert sum("erified" in line for line in say) == 1

    at_a_manual_table(tmp_path, work)


def test_hints_name_the_table_and_the_rule(tmp_path):
    async def work(at: Evening) -> None:
        with pytest.raises(TablectlError) as refused:
            await at.select("ramen-jiro", number=77)
        assert "`tablectl note p ramen-jiro=77`" in refused.value.hint
        hints = [refused.value.hint]
        found = await at.select("fuzhou-144")
        hints += [line for line in found["say"] if "--first-dice" in line]
        assert any("tablectl select p fuzhou-144 --first-dice 3,4" in one for one in hints)
        assert not any("TABLE" in one for one in hints)

    at_a_manual_table(tmp_path, work)
