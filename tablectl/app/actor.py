"""One table: everything that is said of it goes through here, in one order, one after another.

    line ──Heard──┐
    people ──Say──┤──▶ queue (bounded) ──▶ drafts ──▶ journal ──▶ fold ──▶ streams
    timers ──Say──┘                                      │          └──▶ timers
                                       acknowledgement ◀─┘

Nothing is acknowledged to a board before the journal has it. While the journal cannot be written,
what sensors say waits and the line is not read; what people say is refused, and nothing is lost.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import msgspec

from tablectl.app import service
from tablectl.app.counting import Counting
from tablectl.app.drafts import Drafting, seat_told
from tablectl.app.items import ENOUGH, MOST_WAITING, Heard, Say, Settings, checked, group_of
from tablectl.app.known import Known
from tablectl.app.late import place_of_answer
from tablectl.app.shown import LineShown, LiveShown
from tablectl.app.stale import changed
from tablectl.app.streams import Streams, Subscription
from tablectl.app.timers import Timers
from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.facts import AnyFact, GameWanted
from tablectl.core.profile import GameNumber, Profile
from tablectl.core.react import (
    Effect,
    GameDue,
    HandOver,
    StartTimer,
    StopTimer,
    resumed,
    switch,
)
from tablectl.core.state import Verdict
from tablectl.errors import TablectlError
from tablectl.journal import faces, marks, problems
from tablectl.journal.store import Draft, Kept
from tablectl.journal.writing import Batch, Writing
from tablectl.link.said import Ended, Progress, Said, Told
from tablectl.link.supervisor import Keeper, LineState

RETRY: Final = 1.0
"""Seconds until the journal is tried again."""
ANSWERS: Final = 1024
"""Answers to taps that are remembered by their key."""
DOWN: Final = ("absent", "calling", "refused")


class Actor:
    """One table. Times are ms of the daemon's clock."""

    def __init__(
        self,
        id: str,
        settings: Settings,
        known: Known,
        writer: Writing,
        drafting: Drafting,
    ) -> None:
        self.id = id
        self.settings = settings
        self.known = known
        self.drafting = drafting
        self.keeper: Keeper | None = None
        self.profile: Profile | None = None
        self.numbers: tuple[GameNumber, ...] = ()
        self.line_state: LineState | None = None
        self.failing: TablectlError | None = None
        self.stopping = False
        self.asked: dict[tuple[int, int], tuple[str, int]] = {}
        """Commands under way: their word and the seq of `asked`, by conversation and number."""
        self.ended: Callable[[tuple[int, int], Ended], None] = lambda pair, ended: None
        self.due: Callable[[GameWanted], None] = lambda wanted: None
        """Begins a game that the walls have brought: somebody has yet to say who sits where."""
        self._writer = writer
        self._streams = Streams(id, known)
        self._items: deque[Heard | Say] = deque()
        self._news = asyncio.Event()
        self._idle = asyncio.Event()
        self._slow: set[Keeper] = set()
        self._timers = Timers(self.note)
        self._counting = Counting()
        self._answers: OrderedDict[str, service.Tapped] = OrderedDict()
        self._opens: int | None = None
        self._opens_at = known.opens
        self._progress: Progress | None = None
        self._live_soon: asyncio.Handle | None = None

    # ── as it is served ─────────────────────────────────────────────────────────────────────────

    @property
    def seq(self) -> int:
        return self.known.seq

    def view(self) -> dict[str, Any]:
        """As in `service.TableDesk.view`."""
        return {
            "table": self.id,
            "name": self.settings.name,
            "seq": self.seq,
            "state": self.known.shown(self.known.state),
            "live": self.live(),
        }

    def live(self) -> dict[str, Any]:
        """What is not durable: how the line stands, how far stacking is, taps on their way."""
        line, keeper, progress = self.line_state, self.keeper, self._progress
        complaint = self.failing or (keeper.complaint if keeper is not None else None)
        taps = [one.key for one in self._items if isinstance(one, Say) and one.seen is not None]
        shown = LiveShown(
            line=None if line is None else LineShown(line.stage, line.why, line.since),
            manual=self.settings.manual,
            complaint=None if complaint is None else complaint.as_json(),
            progress=None if progress is None else progress.stacked,
            lamps=None if progress is None else progress.lamps,
            waiting=tuple(taps),
        )
        plain: dict[str, Any] = msgspec.to_builtins(shown)
        return plain

    async def facts(self, since: int, limit: int) -> Sequence[Entry]:
        """Entries behind `since`. Raises TablectlError `journal.damaged`."""
        return await self._writer.entries(self.id, since, limit)

    async def tap(self, tap: service.Tap) -> service.Tapped:
        """As in `service.TableDesk.tap`."""
        if (known := self._answers.get(tap.key)) is not None:
            return known
        if tap.seen > self.seq:
            raise TablectlError(service.SEEN_AHEAD, seq=self.seq, seen=tap.seen)
        after = tap.after
        if after is None:
            after = place_of_answer(tap.fact, self.known.state)
        elif after > self.seq:
            raise TablectlError(service.SEEN_AHEAD, seq=self.seq, seen=after)
        elif self.known.base and after <= self.known.base:
            raise TablectlError(service.STALE, seen=after, what="the game")
        return await self.say(
            tap.fact, f"p:{tap.key}", "person", who=tap.who, after=after, seen=tap.seen
        )

    async def say(
        self, fact: AnyFact, key: str, origin: Literal["person", "daemon"], **about: Any
    ) -> service.Tapped:
        """Keep a fact and give what became of it, durable. Raises as `tap`."""
        if self.stopping:
            raise TablectlError(service.STOPPING)
        if len(self._items) >= MOST_WAITING:
            raise TablectlError(service.FULL)
        answer = asyncio.get_running_loop().create_future()
        self._offer(Say(fact, key, origin, answer=answer, **about))
        self.live_changed()
        tapped: service.Tapped = await answer
        return tapped

    def subscribe(self, since: int | None) -> Subscription:
        """As in `service.TableDesk.subscribe`."""
        return self._streams.subscribe(since, self.live())

    @property
    def waiting(self) -> int:
        """Items in the queue."""
        return len(self._items)

    @property
    def subscribers(self) -> int:
        return len(self._streams)

    # ── as a sink of its line ───────────────────────────────────────────────────────────────────

    def recall(self) -> tuple[int, int] | None:
        """The board's last boot and its last durable edge."""
        return self._writer.recall(self.id)

    def said(self, keeper: Keeper, said: Sequence[Said]) -> bool:
        """Queue what a line has said; False from so many on that the line has to wait."""
        now, clock = self.drafting.now(), keeper.driver.clock
        more = self._offer(Heard(keeper, now, tuple(said), clock))
        if not more:
            self._slow.add(keeper)
        return more

    def line(self, keeper: Keeper, state: LineState) -> None:
        """The line stands otherwise; that it is up or down is a fact."""
        if keeper is not self.keeper:
            return
        self.line_state = state
        if state.stage == "ready":
            self.note(facts.Link(up=True))
        elif state.stage in DOWN:
            self.keeper, self._progress = None, None
            if self.known.state.machine.link is not False:
                self.note(facts.Link(up=False, why=state.why or state.stage))
        self.live_changed()

    def resume(self) -> None:
        """Take up what an earlier run has left: nobody has heard of the board in this one, and what
        the last facts asked for may not have been done."""
        self._counting.resume(self.known.history.entries, self.known.state)
        for effect in resumed(self.known.state):
            self._carry_out(effect)
        if self.known.state.machine.link:
            self.note(facts.Link(up=False, why="the daemon was started again"))

    def note(self, fact: AnyFact) -> None:
        """The daemon itself notes something."""
        self._offer(Say(fact, self.drafting.own_key(), "daemon"))

    def live_changed(self) -> None:
        """Tell subscribers what is not durable, once for all that happens now."""
        if self._live_soon is None:
            self._live_soon = asyncio.get_running_loop().call_soon(self._tell_live)

    def _tell_live(self) -> None:
        self._live_soon = None
        self._streams.live(self.live())

    # ── work ────────────────────────────────────────────────────────────────────────────────────

    async def run(self) -> None:
        """Work off what is said, until cancelled or the journal is closed."""
        group: list[Heard | Say] = []
        try:
            while True:
                if not self._items:
                    self._idle.set()
                    self._news.clear()
                    await self._news.wait()
                group = group_of(self._items)
                await self._work(group)
                if self._slow and len(self._items) < ENOUGH // 2:
                    slow, self._slow = self._slow, set()
                    for keeper in slow:
                        keeper.resume()
        finally:
            # Whoever still waits would wait for ever: nobody works any more.
            self.stopping = True
            self._refuse([*group, *self._items], TablectlError(problems.CLOSED))
            self._timers.stop_all()
            if self._live_soon is not None:
                self._live_soon.cancel()

    async def settled(self, within: float = 1.0) -> None:
        """Until everything that was said so far is folded, or so many seconds."""
        try:
            async with asyncio.timeout(within):
                await self._idle.wait()
        except TimeoutError:
            return

    async def stop(self, within: float) -> None:
        """Take nothing more, work off what waits, send subscribers away."""
        self.stopping = True
        # What is left of a board's edges comes again; taps get their error.
        await self.settled(within)
        self._refuse_taps(TablectlError(service.STOPPING))
        self._streams.end("stopping")

    def _offer(self, item: Heard | Say) -> bool:
        self._items.append(item)
        self._idle.clear()
        self._news.set()
        return len(self._items) < ENOUGH

    async def _work(self, group: list[Heard | Say]) -> None:
        first = group[0]
        if isinstance(first, Say) and checked(first) and not self._may(first):
            return
        over: set[tuple[int, int]] = set()
        drafts: list[tuple[Draft, Heard | Say, Told | Ended | None]] = []
        sealed = []
        for item in group:
            if isinstance(item, Say):
                drafts.append((self.drafting.said(self.id, item), item, None))
                continue
            for one in item.said:
                if isinstance(one, Told):
                    draft = self._told(item, one)
                    drafts.append((draft, item, one))
                    if one.face is not None and isinstance(one.fact, facts.Sealed):
                        sealed.append((one.fact.place, one.face))
                elif isinstance(one, Ended) and (pair := _pair(one)) not in over:
                    if pair not in self.asked:
                        continue
                    word, seq = self.asked[pair]
                    drafts.append((self.drafting.ended(self.id, one, word, seq), item, one))
                    if one.result != "accepted":
                        over.add(pair)
                elif isinstance(one, Progress):
                    self._progress = one
                    self.live_changed()
        if not drafts:
            return
        if self._opens is not None:
            drafts[0] = (replace(drafts[0][0], opens=self._opens), *drafts[0][1:])
        batch = Batch(self.id, tuple(draft for draft, _, _ in drafts), tuple(sealed))
        kept = await self._keep(batch, group)
        if kept is None:
            return
        self._opens = None
        for one_kept, (_, item, told) in zip(kept, drafts, strict=True):
            verdict = self._fold(one_kept)
            if isinstance(item, Say):
                self._answer(item, one_kept.entry, verdict)
            elif isinstance(told, Ended):
                self._command_ended(told)
        self._acknowledge(drafts)
        self._count_tiles()

    def _told(self, heard: Heard, told: Told) -> Draft:
        time = None if told.at is None else heard.clock.host_time(told.at)
        fact = seat_told(told, self.known.state.game)
        return self.drafting.told(self.id, told, fact, heard.now, time, self.known.history.entries)

    async def _keep(self, batch: Batch, group: list[Heard | Say]) -> list[Kept] | None:
        """Have a batch kept, however often the disk has to be tried. None: it was a tap, which has
        its error."""
        while True:
            try:
                kept = await self._writer.submit(batch)
            except TablectlError as error:
                if error.code == problems.CLOSED:
                    self._refuse(group, error)
                    raise
                if error.code not in (*problems.OF_THE_DISK, faces.SEALED):
                    self._refuse(group, error)
                    if not all(isinstance(item, Say) for item in group):
                        raise
                    return None
                self.failing = error
                self._refuse_taps(error)
                self.live_changed()
                if all(isinstance(item, Say) and item.answer is not None for item in group):
                    self._refuse(group, error)
                    return None
                await asyncio.sleep(RETRY)
            else:
                if self.failing is not None:
                    self.failing = None
                    self.live_changed()
                return kept

    def _fold(self, kept: Kept) -> Verdict:
        if kept.repeated or kept.entry.seq <= self.known.seq:
            return self.known.verdict(kept.entry.seq)
        stacking = self.profile.stacking if self.profile is not None else None
        verdict, effects = self.known.append(kept.entry, stacking)
        self._counting.folded(kept.entry)
        self._note_opening(kept.entry, verdict)
        for effect in effects:
            self._carry_out(effect)
        self._streams.changed()
        return verdict

    def _note_opening(self, entry: Entry, verdict: Verdict) -> None:
        """Where the open game begins, so that the next start need not read years of entries: said
        with the next fact."""
        target = None
        if isinstance(entry.fact, facts.Retract | facts.Replace):
            target = self.known.entry(entry.fact.target)
        fits = verdict.kind != "odd"
        behind = marks.opens_behind(entry, fits, self.known.state, self._opens_at, target)
        if behind is not None:
            self._opens = self._opens_at = behind
            self.known.opened(behind)

    def _acknowledge(
        self, drafts: Sequence[tuple[Draft, Heard | Say, Told | Ended | None]]
    ) -> None:
        last: dict[tuple[Keeper, int], int] = {}
        for _, item, told in drafts:
            if isinstance(item, Heard) and isinstance(told, Told) and told.edge is not None:
                last[item.keeper, told.boot] = told.edge
        for (keeper, boot), edge in last.items():
            keeper.committed(boot, edge)

    def _command_ended(self, ended: Ended) -> None:
        if ended.result != "accepted":
            # The line may have been lost and found while this was written down.
            self.asked.pop(_pair(ended), None)
        self.ended(_pair(ended), ended)

    # ── taps ────────────────────────────────────────────────────────────────────────────────────

    def _may(self, say: Say) -> bool:
        """Whether a tap is about things as they are, and a timer has not been stopped or started
        anew since it ran out; if not, a tap's answer is what changed."""
        if isinstance(say.fact, facts.Elapsed):
            return self._timers.stands(say.fact)
        if say.key in self.known.history.keys:
            return True
        assert say.seen is not None
        known = self.known
        what = changed(say.fact, say.after, known.state_at(say.seen), known.state)
        if not what:
            return True
        since = [entry for entry in known.history.entries if entry.seq > say.seen]
        error = TablectlError(
            service.STALE,
            seen=say.seen,
            what=", ".join(what),
            seq=known.seq,
            facts=[{"seq": e.seq, "type": facts.tag_of(e.fact)} for e in since[-16:]],
        )
        self._refuse([say], error)
        return False

    def _answer(self, say: Say, entry: Entry, verdict: Verdict) -> None:
        if say.answer is None or say.answer.done():
            return
        tapped = service.Tapped(entry.seq, verdict, self.known.state.questions)
        if say.seen is not None:
            self._answers[say.key.removeprefix("p:")] = tapped
            while len(self._answers) > ANSWERS:
                self._answers.popitem(last=False)
            self.live_changed()
        say.answer.set_result(tapped)

    def _refuse(self, items: Sequence[Heard | Say], error: TablectlError) -> None:
        for item in items:
            if isinstance(item, Say):
                item.refuse(error)

    def _refuse_taps(self, error: TablectlError) -> None:
        """Whoever waits for an answer gets this one; what sensors said stays."""
        waiting = [one for one in self._items if isinstance(one, Say) and one.answer is not None]
        for one in waiting:
            self._items.remove(one)
        self._refuse(waiting, error)

    # ── effects ─────────────────────────────────────────────────────────────────────────────────

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case StartTimer():
                self._timers.start(effect)
            case StopTimer():
                self._timers.stop(effect)
            case GameDue(wanted, seated):
                (self._begin if seated else self.due)(wanted)
            case HandOver():
                # A failure is the journal's, which its health tells.
                self._writer.forget(self.id).add_done_callback(_looked_at)

    def _begin(self, wanted: GameWanted) -> None:
        """The game that was wanted begins now, before anything that waits: no hand is open."""
        for fact in reversed(switch(self.known.state, wanted)):
            self._items.appendleft(Say(fact, self.drafting.own_key(), "daemon"))
        self._idle.clear()
        self._news.set()

    def _count_tiles(self) -> None:
        """Where every tile of the walls was read: whether they are those of the rule."""
        rules, state = self.known.rules, self.known.state
        if rules is None or not self._counting.due(rules, state):
            return
        found = self._counting.count(rules, state, self._writer.sealed(self.id))
        if found is not None:
            self.note(found)


def _pair(ended: Ended) -> tuple[int, int]:
    return ended.conversation, ended.command


def _looked_at(future: asyncio.Future[None]) -> None:
    if not future.cancelled():
        future.exception()
