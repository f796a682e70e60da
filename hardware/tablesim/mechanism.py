"""The machine: hatch, mixing, outlets, two tile sets, dice, buttons. Time is an argument.

    up ─START─▶ dropping ─START─▶ mixing ─▶ stacking ─▶ ready ─rises─▶ raising ─▶ up
                             │                  └─ a side stays short: blocked
                             └─ the other set, ready until then, rises

It tells what physically happens as edges of the wire without number and time (`tell(kind,
*values)`), as a machine with every sensor would; `tablesim.table` leaves out what a model does
not see. Times are ms from any moment. Sources: `tables.md`, section 3; charts, section 1.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from protocols import v1
from protocols.codes import Button, Motion, Phase, Press, Trouble, place_code
from tablesim.lay import Spot
from tablesim.model import GameNumber, Model
from tablesim.tiles import standard
from tablesim.tileset import SimError, TileSet

Tell = Callable[..., Any]

ON_TOP: Final = (Phase.DROPPING, Phase.RAISING, Phase.UP)
INDICATOR_COLUMN: Final = 3


class Machine:
    """One machine, switched on with set a stacked inside and set b lying in the open hatch."""

    def __init__(
        self,
        model: Model,
        rng: random.Random,
        tell: Tell,
        tiles: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
    ) -> None:
        first = model.numbers[model.first]
        a, b = tiles or (standard(first.tiles),) * 2
        self.model = model
        self.rng = rng
        self.now = 0
        self.done: list[tuple[Any, ...]] = []
        """What was physically done: (ms, what, …), in order."""
        self.sets = (
            TileSet(1, a, Phase.READY, first.number, inside=list(a)),
            TileSet(2, b, Phase.DROPPING, first.number, inside=list(b)),
        )
        self.troubles: dict[Trouble, TileSet | None] = {}
        self.pips: tuple[int | None, ...] = ()
        self.next_pips: tuple[int | None, ...] | None = None
        self.sticks = 0
        self.points = [250, 250, 250, 250]
        self.slow = 1.0
        self.hatch_stuck = self.jammed = False
        self.tell = tell
        self._timers: dict[str, tuple[int, Callable[[], None]]] = {}
        ready = self.sets[0]
        ready.begin(first, model, rng)
        while ready.stack_one():
            pass

    # ── time ────────────────────────────────────────────────────────────────────────────────────

    def due(self) -> int | None:
        """When something happens by itself next, None for never."""
        return min((at for at, _ in self._timers.values()), default=None)

    def advance(self, now: int) -> None:
        """Let time go on to `now`; what happens on the way happens at its time and in order."""
        while (due := self.due()) is not None and due <= now:
            self.now = max(self.now, due)
            name = min(self._timers, key=lambda one: self._timers[one][0])
            self._timers.pop(name)[1]()
        self.now = max(self.now, now)

    def _after(self, ms: float, name: str, what: Callable[[], None]) -> None:
        self._timers[name] = (self.now + max(1, round(ms)), what)

    def _stop(self, tiles: TileSet) -> None:
        self._timers.pop(f"set {tiles.id}", None)
        self._timers.pop(f"overdue {tiles.id}", None)

    # ── who is where ────────────────────────────────────────────────────────────────────────────

    @property
    def on_top(self) -> TileSet | None:
        """The set that is on the table or on its way, blocked or not."""
        return next((one for one in self.sets if _place(one) in ON_TOP), None)

    @property
    def up(self) -> TileSet | None:
        """The set whose walls are up."""
        return next((one for one in self.sets if one.phase is Phase.UP), None)

    def other(self, tiles: TileSet) -> TileSet:
        """The other set."""
        return self.sets[2 - tiles.id]

    def counts(self) -> tuple[int, ...] | None:
        """Tiles on each side of the walls that are up, None if none are."""
        up = self.up
        return None if up is None else up.counts()

    def progress(self) -> tuple[int, ...]:
        """Tiles stacked on each side of the set that is being stacked or waits below."""
        for tiles in self.sets:
            if Phase.STACKING in (tiles.phase, _place(tiles)):
                return tiles.progress
        return next((s.progress for s in self.sets if s.phase is Phase.READY), (0, 0, 0, 0))

    # ── buttons and motions ─────────────────────────────────────────────────────────────────────

    def press(self, button: int, side: int | None = 0, long: bool = False) -> None:
        """A hand presses a button at a side."""
        self.log("press", Button(button).name.lower(), side, "long" if long else "short")
        self.tell(v1.ButtonEdge, button, side, Press.LONG if long else Press.SHORT)
        self._obey(button, long)

    def move(self, motion: int) -> None:
        """The board presses what makes this motion."""
        self.log("move", Motion(motion).name.lower())
        match motion:
            case Motion.START:
                self._start()
            case Motion.RAISE:
                self._raise()
            case Motion.LOWER:
                self._lower()
            case Motion.THROW:
                self._throw()
            case Motion.PAUSE:
                self._pause()
            case Motion.RESUME:
                self._resume()

    def select(self, number: int, which: int = 0) -> None:
        """A number is chosen for set a (1), b (2) or both (0): it holds from their next stacking.
        Raises SimError `sim.number`."""
        if self.model.number(number) is None:
            raise SimError(
                "sim.number",
                f"the machine has no number {number}",
                "It has " + ", ".join(str(one.number) for one in self.model.numbers) + ".",
            )
        self.log("select", number, which)
        for tiles in self.sets:
            if which in (0, tiles.id):
                tiles.pending = number
                self.tell(v1.NumberEdge, tiles.id, 0, number)

    def _obey(self, button: int, long: bool) -> None:
        match button:
            case Button.START if long:
                self._pause()
            case Button.START:
                self._start()
            case Button.RAISE if long:
                self._lower()
            case Button.RAISE:
                self._raise()
            case Button.DICE:
                self._throw()
            case Button.NUMBER_UP | Button.NUMBER_DOWN:
                numbers = [one.number for one in self.model.numbers]
                now = self.sets[0].pending or self.sets[0].active
                step = 1 if button == Button.NUMBER_UP else -1
                self.select(numbers[(numbers.index(now) + step) % len(numbers)])
            case _:
                pass  # dealer, repeat and call light lamps of their own

    def _start(self) -> None:
        """One press: tries again after a trouble, resumes, closes or opens the hatch, or raises
        what is ready."""
        blocked = any(one.phase is Phase.BLOCKED for one in self.sets)
        self._clear()
        top = self.on_top
        if blocked:
            return
        if any(one.phase is Phase.PAUSED for one in self.sets):
            self._resume()
        elif top is None:
            self._raise()
        elif top.phase is Phase.DROPPING:
            self._close(top)
        elif top.phase is Phase.UP and self.other(top).phase is Phase.READY:
            self._open(top)

    def _open(self, top: TileSet) -> None:
        if self.hatch_stuck:
            self.trouble(Trouble.HATCH)
            return
        self._phase(top, Phase.DROPPING)

    def _close(self, top: TileSet) -> None:
        if self.hatch_stuck:
            self.trouble(Trouble.HATCH)
            return
        self._phase(top, Phase.MIXING)
        self._after(self.model.mix * self.slow, f"set {top.id}", lambda: self._stack(top))
        self._overdue(top)
        if self.other(top).phase is Phase.READY:
            self._rise(self.other(top))

    def _raise(self) -> None:
        ready = next((one for one in self.sets if one.phase is Phase.READY), None)
        if ready is not None and self.on_top is None:
            self._rise(ready)

    def _lower(self) -> None:
        """Walls of which nothing was taken sink again."""
        top = self.up
        if top is not None and not top.out:
            top.lower()
            self._phase(top, Phase.READY)

    def _pause(self) -> None:
        for tiles in self.sets:
            if tiles.phase in (Phase.MIXING, Phase.STACKING):
                self._stop(tiles)
                tiles.before = tiles.phase
                self._phase(tiles, Phase.PAUSED)

    def _resume(self) -> None:
        for tiles in self.sets:
            if tiles.phase is Phase.PAUSED:
                self._go_on(tiles)

    def _go_on(self, tiles: TileSet) -> None:
        """From paused or blocked back to what it was; mixing and outlets run again."""
        before = tiles.before
        self._phase(tiles, before)
        if before is Phase.MIXING:
            self._after(self.model.mix * self.slow, f"set {tiles.id}", lambda: self._stack(tiles))
        elif before is Phase.STACKING:
            self._next_tile(tiles)
        elif before is Phase.RAISING:
            self._rise_on(tiles)
        if before in (Phase.MIXING, Phase.STACKING):
            self._overdue(tiles)

    # ── stacking and rising ─────────────────────────────────────────────────────────────────────

    def _stack(self, tiles: TileSet) -> None:
        if tiles.pending is not None:
            tiles.active, tiles.pending = tiles.pending, None
            self.tell(v1.NumberEdge, tiles.id, 1, tiles.active)
        self._phase(tiles, Phase.STACKING)
        tiles.begin(self._number(tiles), self.model, self.rng)
        self._next_tile(tiles)

    def _next_tile(self, tiles: TileSet) -> None:
        """Time until the next tile leaves the drum; a jam or an empty drum stops that."""
        total = self._number(tiles).tiles
        self._after(
            self.model.stack * self.slow / max(1, total),
            f"set {tiles.id}",
            lambda: self._tile(tiles),
        )

    def _tile(self, tiles: TileSet) -> None:
        if self.jammed:
            self.trouble(Trouble.JAM, tiles)
            return
        if tiles.stack_one():
            self._next_tile(tiles)
            return
        if tiles.feed:
            return  # the outlets wait; `overdue` will say so
        self._timers.pop(f"overdue {tiles.id}", None)
        if tiles.inside:
            total = self._number(tiles).tiles
            self.trouble(Trouble.TOO_MANY, tiles, None, total, total + len(tiles.inside))
        else:
            self._phase(tiles, Phase.READY)

    def _overdue(self, tiles: TileSet) -> None:
        def late() -> None:
            self._stop(tiles)
            short = tiles.short() if tiles.phase is Phase.STACKING else None
            if short is None or self.jammed:
                self.trouble(Trouble.OVERDUE, tiles)
            else:
                self.trouble(Trouble.SHORT, tiles, *short)

        self._after(self.model.overdue, f"overdue {tiles.id}", late)

    def _rise(self, tiles: TileSet) -> None:
        self._phase(tiles, Phase.RAISING)
        self._rise_on(tiles)

    def _rise_on(self, tiles: TileSet) -> None:
        def up() -> None:
            tiles.rise(self.model)
            self._phase(tiles, Phase.UP)
            number = self._number(tiles)
            sides = tiles.counts()
            self.tell(v1.RaisedEdge, tiles.id, number.number, sides)
            for spot, tile in tiles.walls.items():
                self.tell(v1.SealedEdge, place_code(*spot), tile)
            if number.dealt:
                self._turn_indicator(tiles)

        self._after(self.model.rise, f"set {tiles.id}", up)

    def _turn_indicator(self, tiles: TileSet) -> None:
        """The upper tile of the third column from the end, which is side 0's right end."""
        columns = sorted({(-spot.side % 4, spot.column) for spot in tiles.walls})
        side, column = columns[-INDICATOR_COLUMN]
        spot = Spot(-side % 4, column, "upper")
        tiles.shown.add(spot)
        self.log("show", *spot, tiles.walls[spot], "machine")
        self.tell(v1.ShownEdge, place_code(*spot), tiles.walls[spot])

    def _number(self, tiles: TileSet) -> GameNumber:
        number = self.model.number(tiles.active)
        assert number is not None
        return number

    # ── dice ────────────────────────────────────────────────────────────────────────────────────

    def _throw(self) -> None:
        if not self.model.dice:
            return
        pips, self.next_pips = self.next_pips, None
        if pips is None:
            pips = tuple(self.rng.randint(1, 6) for _ in range(self.model.dice))

        def rest() -> None:
            self.pips = pips
            self.log("dice", *pips)
            padded = (*pips, None, None, None, None)[:4]
            self.tell(v1.DiceEdge, len(pips), padded)

        self._after(self.model.spin, "dice", rest)

    # ── troubles ────────────────────────────────────────────────────────────────────────────────

    def trouble(
        self,
        code: Trouble,
        tiles: TileSet | None = None,
        side: int | None = None,
        expected: int | None = None,
        found: int | None = None,
    ) -> None:
        """Something is wrong; a set that it concerns is blocked until `clear`."""
        if code in self.troubles:
            return
        self.troubles[code] = tiles
        self.log("trouble", code.name.lower())
        which = None if tiles is None else tiles.id
        self.tell(v1.TroubleEdge, code, which, side, 1, expected, found)
        if tiles is not None and tiles.phase is not Phase.BLOCKED:
            self._stop(tiles)
            # Resuming would do what the trouble stopped, so that is what it goes back to.
            tiles.before = tiles.before if tiles.phase is Phase.PAUSED else tiles.phase
            self._phase(tiles, Phase.BLOCKED)

    def jam(self) -> None:
        """The outlets jam; the machine notices at once if it is stacking."""
        self.jammed = True
        for tiles in self.sets:
            if tiles.phase is Phase.STACKING:
                self.trouble(Trouble.JAM, tiles)

    def mend(self) -> None:
        """People free what was jammed; the next start shows whether all is well."""
        self.log("mend")
        self.jammed = self.hatch_stuck = False
        self.slow = 1.0

    def _clear(self) -> None:
        """The machine tries again; what is still wrong comes again by itself."""
        troubles, self.troubles = self.troubles, {}
        for code, tiles in troubles.items():
            self.log("clear", code.name.lower())
            self.tell(v1.TroubleEdge, code, tiles.id if tiles else None, None, 0, None, None)
        for tiles in self.sets:
            if tiles.phase is Phase.BLOCKED:
                self._go_on(tiles)

    # ── how ─────────────────────────────────────────────────────────────────────────────────────

    def _phase(self, tiles: TileSet, to: Phase) -> None:
        frm, tiles.phase = tiles.phase, to
        self.log("phase", tiles.name, to.name.lower())
        self.tell(v1.PhaseEdge, tiles.id, frm, to)

    def log(self, *what: Any) -> None:
        self.done.append((self.now, *what))


def _place(tiles: TileSet) -> Phase:
    """Where a set is, seen through a trouble or a pause."""
    return tiles.before if tiles.phase in (Phase.BLOCKED, Phase.PAUSED) else tiles.phase
