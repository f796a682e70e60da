"""Commands wanted of a table: choose a rule's number, note one, move the machine, begin a game.

    asked (durable) ──▶ sent ──▶ accepted, done, refused or unknown (durable) ──▶ whoever waits

A command is written down before it goes out, and never sent a second time: where nobody knows what
became of it, it is asked for or people are asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from protocols import v1
from protocols.codes import Motion, Phase
from tablectl.app import advice, first, sentences
from tablectl.app.actor import Actor
from tablectl.app.notes import Notes
from tablectl.app.rulebook import Rulebook
from tablectl.app.service import Tapped, Wish
from tablectl.core import facts
from tablectl.core.choosing import Found, chosen, noted
from tablectl.core.exchange import exchanges_said
from tablectl.core.preset import Preset
from tablectl.core.profile import Note, by_hand, kept_as
from tablectl.core.react import hand_open, void_unpaid
from tablectl.core.state import State, full_name
from tablectl.errors import TablectlError
from tablectl.link.said import Ended
from tablectl.link.sentences import NOT_DONE

PATIENCE: Final = 25.0
"""Seconds until the caller is told that the outcome is not known yet; boards say it after 10."""
LARGEST: Final = 0xFFFE
"""The largest number of a table; the one above it means an unknown one."""
ANY: Final = (0xFF, 0xFF)


class Wishes:
    """What may be wanted of one table."""

    def __init__(self, actor: Actor, rulebook: Rulebook, notes: Notes) -> None:
        self._actor = actor
        self._rulebook = rulebook
        self._notes = notes
        self._waiting: dict[tuple[int, int], asyncio.Future[Ended]] = {}
        self._beginning = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        actor.ended, actor.due = self._ended, self._due

    async def grant(self, wish: Wish) -> dict[str, Any]:
        """Do it and say what came of it. Raises as `service.TableDesk.command`."""
        await self._actor.settled()
        return await _GRANTS[wish.what](self, wish)

    # ── a number ────────────────────────────────────────────────────────────────────────────────

    async def select(self, wish: Wish) -> dict[str, Any]:
        """The number of a rule, sent or told to people; the tiles to be exchanged; and the rule's
        game, which begins at once or as soon as the open hand is closed. What people have to do is
        said first."""
        actor, rules = self._actor, self._rules(wish)
        self._sides(rules, wish.seats)  # before anything is sent
        dealer = first.first_of(rules, wish)
        taps = advice.taps(actor, rules)
        found = chosen(rules, actor.numbers, self.notes, wish.number, table=actor.settings.name)
        number = _on_wire(found.number.number)
        name = f" ({found.number.name})" if found.number.name else ""
        sure = "" if found.verified else " Nobody has verified it at this machine."
        say = [f"{rules.title}: number {number}{name}.{sure}"]
        others = advice.players_change(actor, rules)
        result: str | None = None
        if actor.settings.manual:
            say.append(by_hand(actor.profile, number))
            await self._pressed(rules, number)
            result = "done"
        elif not self._can("select_number"):
            say.append(by_hand(actor.profile, number))
        else:
            arguments = {
                "preset": rules.name, "digest": rules.digest, "set": 0, "number": number,
            }  # fmt: skip
            result = await self._send(
                "select", arguments, ANY, lambda c, n: v1.Select(c, n, ANY, 0, number)
            )
        # Walls that are up may be those of the game that begins, and are not to be changed then.
        begins = await self._play(rules, wish.seats, dealer)
        tiles = advice.tiles(actor, self._rulebook, rules, number)
        say += [*exchanges_said(tiles), *begins, *others, *advice.lacking(actor, rules), *taps]
        say.append(f"Why number {number}: {found.why}.")
        return {
            "what": "select",
            "preset": rules.name,
            "number": number,
            "source": found.source,
            "verified": found.verified,
            "result": result,
            "tiles": [one.as_json() for one in tiles],
            "say": say,
        }

    async def note(self, wish: Wish) -> dict[str, Any]:
        """Keep what the owner knows, or take it back; what the table tells otherwise is said."""
        rules, actor = self._rules(wish), self._actor
        number, before = wish.number if wish.number is None else _on_wire(wish.number), self.notes
        if number is None:
            made = self._notes.without(actor.id, kept_as(rules))
        else:
            made = self._notes.with_note(actor.id, Note(kept_as(rules), number, wish.verified))
        await asyncio.to_thread(self._notes.keep, made)
        name = actor.settings.name
        say = noted(rules, number, actor.numbers, self.notes, name, before, self._known)
        return {"what": "note", "preset": rules.name, "number": number, "say": say}

    @property
    def notes(self) -> tuple[Note, ...]:
        """The owner's notes of this table, those made later last."""
        return self._notes.of(self._actor.id, self._actor.settings.notes)

    def number_of(self, rules: Preset) -> Found | None:
        """The number of a rule here, None if it cannot be said."""
        try:
            return chosen(rules, self._actor.numbers, self.notes)
        except TablectlError:
            return None

    def _known(self, name: str) -> Preset | None:
        try:
            return self._rulebook.named(name)
        except TablectlError:
            return None

    async def _pressed(self, rules: Preset, number: int) -> None:
        """People were told what to press at their table, which nobody else can see."""
        say, drafting = self._actor.say, self._actor.drafting
        arguments = {"preset": rules.name, "digest": rules.digest, "number": number}
        asked = facts.Asked(command="select", arguments=arguments)
        cause = (await say(asked, drafting.own_key(), "daemon")).seq
        for name in ("a", "b"):
            pending = facts.Number(set=name, number=number, state="pending")
            await say(pending, drafting.own_key(), "daemon", cause=cause)
        done = facts.Answered(command="select", result="done")
        await say(done, drafting.own_key(), "daemon", cause=cause)

    # ── a game ──────────────────────────────────────────────────────────────────────────────────

    async def game(self, wish: Wish) -> dict[str, Any]:
        """Begin a game of a rule: at once between two hands, else as soon as the open hand is
        closed. Another one of the running rule begins between hands only."""
        rules = self._rules(wish)
        advice.taps(self._actor, rules)
        dealer = first.first_of(rules, wish)
        state = self._actor.known.state
        if state.wanted is None and _runs(state, rules):
            async with self._beginning:
                if hand_open(self._actor.known.state):
                    raise TablectlError(sentences.HAND_OPEN, preset=rules.name)
                await self._begin(rules, wish.seats, dealer)
            say = [f"A game of {rules.title} begins.", *self._said(rules, dealer)]
        else:
            say = await self._play(rules, wish.seats, dealer)
        return {"what": "game", "preset": rules.name, "say": say}

    async def begin_first(self, rules: Preset) -> None:
        """Begin a game of a rule where none has ever been played."""
        async with self._beginning:
            if self._actor.known.state.game is None:
                await self._begin(rules, None)

    async def _play(
        self, rules: Preset, seats: tuple[int, ...] | None, dealer: int | None
    ) -> list[str]:
        """The game that a chosen rule means is wanted, durably: it begins by itself as soon as no
        hand is open. In sentences, what happens when."""
        async with self._beginning:
            state = self._actor.known.state
            runs, wanted = _runs(state, rules), state.wanted
            if runs and wanted is None:
                return await self._first(rules, dealer)
            told = seats is not None or dealer is not None
            if wanted is None or wanted.digest != rules.digest or told:
                await self._want(rules, seats, dealer)
            if runs and wanted is not None:
                name = full_name(wanted.preset, wanted.variant)
                return [f"{name} is not wanted any more: the game of {rules.title} goes on."]
            await self._actor.settled()
            return [*self._begins(rules), *self._said(rules, dealer)]

    async def _first(self, rules: Preset, dealer: int | None) -> list[str]:
        """Who deals first in the game of this rule that runs, as long as no hand was opened."""
        game = self._actor.known.state.game
        if dealer is None or game is None:
            return []
        if first.begun(self._actor.known.state):
            return [
                f"The game of {rules.title} goes on; its first dealer was seat {game.first_dealer}."
            ]
        await self._begin(rules, game.seats, dealer)
        return self._said(rules, dealer)

    def _said(self, rules: Preset, dealer: int | None) -> list[str]:
        return first.said(rules, dealer, self._actor.settings.name)

    def _begins(self, rules: Preset) -> list[str]:
        state = self._actor.known.state
        if state.wanted is None or not hand_open(state):
            if _runs(state, rules) and state.hand is not None:
                return [f"The game of {rules.title} begins at once with the walls that are up."]
            return [f"A game of {rules.title} begins with the next walls."]
        open_one = state.game.name if state.game is not None else "the game before"
        played, due = f"The hand of {open_one} that is open is played to its end.", "settled"
        if state.hand is not None and state.hand.end == "void":
            played = f"The hand of {open_one} is void and not paid yet."
        elif state.hand is not None and state.hand.life != "settling":
            due = "settled, or declared void by nobody's fault"
        return [
            f"{played} As soon as it is {due}, the game of {rules.title} begins by itself. Choose"
            f" another rule to change that, or {open_one} to take it back."
        ]

    async def _want(self, rules: Preset, seats: tuple[int, ...] | None, dealer: int | None) -> None:
        """Write down which game is wanted, and the rule itself before."""
        actor, sides = self._actor, self._sides(rules, seats)
        await asyncio.to_thread(self._rulebook.keep, rules)
        wanted = facts.GameWanted(**_game_of(rules, sides, dealer))
        self._fits(rules, await actor.say(wanted, actor.drafting.own_key(), "daemon"))

    async def _begin(
        self, rules: Preset, seats: tuple[int, ...] | None, dealer: int | None = None
    ) -> None:
        actor, sides = self._actor, self._sides(rules, seats)
        await asyncio.to_thread(self._rulebook.keep, rules)
        if void_unpaid(actor.known.state):
            paid = facts.Settled()
            self._fits(rules, await actor.say(paid, actor.drafting.own_key(), "daemon"))
        state = actor.known.state
        if state.game is not None and not state.game.over:
            ended = facts.GameEnded(why=f"another game of {rules.name} begins")
            self._fits(rules, await actor.say(ended, actor.drafting.own_key(), "daemon"))
        started = facts.GameStarted(**_game_of(rules, sides, dealer))
        self._fits(rules, await actor.say(started, actor.drafting.own_key(), "daemon"))

    def _due(self, wanted: facts.GameWanted) -> None:
        """People play on with walls as they are: the game of their rule begins, with everybody at
        the sides that are configured. If it cannot, it stays wanted."""

        async def begin() -> None:
            async with self._beginning:
                if self._actor.known.state.wanted == wanted:
                    with suppress(TablectlError):
                        await self._begin(self._rulebook[wanted.digest], None)

        task = asyncio.get_running_loop().create_task(begin())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _sides(self, rules: Preset, seats: tuple[int, ...] | None) -> tuple[int, ...]:
        """The side of each seat, as wanted or configured. Raises `app.seats`."""
        default = self._actor.settings.seats
        sides = seats or (default if default and len(default) == rules.players else None)
        sides = sides or tuple(range(rules.players))
        if len(sides) != rules.players or len(set(sides)) != len(sides) or max(sides) > 3:
            raise TablectlError(
                sentences.SEATS, seats=", ".join(map(str, sides)), players=rules.players
            )
        return sides

    def _fits(self, rules: Preset, said: Tapped) -> None:
        """A hand may have begun since it was looked whether one is open."""
        if said.verdict.kind == "odd":
            raise TablectlError(sentences.NO_GAME, preset=rules.name, why=said.verdict.text)

    # ── a motion ────────────────────────────────────────────────────────────────────────────────

    async def motion(self, wish: Wish) -> dict[str, Any]:
        """Move the machine, meant in the phases that it is in now."""
        names = {motion.name.lower(): motion for motion in Motion}
        if wish.motion not in names:
            raise TablectlError(
                sentences.NO_MOTION, motion=wish.motion, motions=", ".join(sorted(names))
            )
        if not self._actor.settings.motions:
            raise TablectlError(sentences.MOTIONS_OFF)
        if not self._can("press_buttons"):
            raise TablectlError(sentences.UNABLE, what=wish.motion, hint="Press it at the table.")
        what, phases = names[wish.motion], _phases(self._actor.known.state)
        result = await self._send(
            wish.motion, {"motion": wish.motion}, phases, lambda c, n: v1.Move(c, n, phases, what)
        )
        return {
            "what": "motion",
            "motion": wish.motion,
            "result": result,
            "say": [f"{wish.motion}: {result}."],
        }

    # ── how ─────────────────────────────────────────────────────────────────────────────────────

    async def _send(
        self,
        word: str,
        arguments: dict[str, Any],
        phases: tuple[int, int],
        make: Callable[[int, int], v1.Command],
    ) -> str:
        """Write a command down, send it, and wait for what becomes of it: `done`, or `asked` where
        nobody has said yet. Raises `link.not_done.*`."""
        actor = self._actor
        if actor.keeper is None:
            stage = actor.line_state.stage if actor.line_state is not None else "absent"
            raise TablectlError("link.not_ready", stage=stage)
        keeper = actor.keeper
        pair = keeper.driver.next_command()
        if actor.asked:
            raise TablectlError("link.command_runs")
        actor.asked[pair] = (word, 0)
        asked = facts.Asked(command=word, arguments=arguments, phases=_words(phases))
        key = f"c:{pair[0]}:{pair[1]}"
        try:
            seq = (await actor.say(asked, f"{key}:asked", "daemon")).seq
        except BaseException:
            actor.asked.pop(pair, None)
            raise
        actor.asked[pair] = (word, seq)
        future = self._waiting[pair] = asyncio.get_running_loop().create_future()
        try:
            try:
                keeper.command(make, pair)
            except TablectlError:
                actor.asked.pop(pair, None)
                never = facts.Answered(command=word, result="refused", why="not_sent")
                await actor.say(never, f"{key}:refused", "daemon", cause=seq)
                raise
            async with asyncio.timeout(PATIENCE):
                ended = await future
        except TimeoutError:
            return "asked"
        finally:
            self._waiting.pop(pair, None)
        if ended.result != "done":
            raise TablectlError(NOT_DONE[ended.why or "none"])
        return "done"

    def _ended(self, pair: tuple[int, int], ended: Ended) -> None:
        future = self._waiting.get(pair)
        if ended.result != "accepted" and future is not None and not future.done():
            future.set_result(ended)

    def _can(self, ability: str) -> bool:
        board = self._actor.known.state.machine.board
        return board is not None and ability in board.abilities

    def _rules(self, wish: Wish) -> Preset:
        if wish.preset is None:
            raise TablectlError(sentences.NO_PRESET, what=wish.what)
        return self._rulebook.named(wish.preset)


_GRANTS: Final = {
    "select": Wishes.select,
    "note": Wishes.note,
    "game": Wishes.game,
    "motion": Wishes.motion,
}


def unanswered(actor: Actor) -> tuple[tuple[int, int], str, int, v1.Command, int] | None:
    """The command of which the journal has no end: its conversation and number, its word, the seq
    of `asked`, itself again, and the boot that it was given to. None if there is none."""
    ended: set[str] = set()
    boot = 0
    found = None
    for entry in actor.known.history.entries:
        if isinstance(entry.fact, facts.Board):
            boot = entry.fact.boot
        if isinstance(entry.fact, facts.Answered) and entry.fact.result != "accepted":
            ended.add(entry.key.rpartition(":")[0])
        if isinstance(entry.fact, facts.Asked) and entry.key.startswith("c:"):
            found = entry, boot
    if found is None or found[0].key.rpartition(":")[0] in ended:
        return None
    entry, boot = found
    asked = entry.fact
    assert isinstance(asked, facts.Asked)
    conversation, n = (int(part) for part in entry.key.split(":")[1:3])
    message: v1.Command
    if asked.command == "select":
        arguments = asked.arguments
        message = v1.Select(conversation, n, ANY, arguments["set"], arguments["number"])
    else:
        message = v1.Move(conversation, n, ANY, Motion[asked.command.upper()])
    return (conversation, n), asked.command, entry.seq, message, boot


def _on_wire(number: int) -> int:
    """A number that a table can be told. Raises `app.number_range`."""
    if not 0 <= number <= LARGEST:
        raise TablectlError(sentences.NUMBER_RANGE, number=number, largest=LARGEST)
    return number


def _runs(state: State, rules: Preset) -> bool:
    """Whether a game of this very rule is running."""
    game = state.game
    return game is not None and not game.over and game.digest == rules.digest


def _game_of(rules: Preset, sides: tuple[int, ...], dealer: int | None) -> dict[str, Any]:
    """A game of a rule as facts tell it, with the side of each seat and the first dealer."""
    return {
        "preset": rules.base,
        "variant": rules.variant or None,
        "digest": rules.digest,
        "seats": sides,
        "points": rules.play.points,
        "first_dealer": dealer or 0,
    }


def _phases(state: State) -> tuple[int, int]:
    """The phases that both sets are in now, as masks; what nobody knows is meant in any."""
    a, b = (
        1 << Phase[one.word.upper()] if one.word.upper() in Phase.__members__ else 0xFF
        for one in state.machine.sets
    )
    return a, b


def _words(phases: tuple[int, int]) -> tuple[str, ...]:
    """Masks as words: `any`, or a phase of set a and one of set b."""
    return tuple(
        "any" if mask == 0xFF else "|".join(p.name.lower() for p in Phase if mask >> p & 1)
        for mask in phases
    )
