"""Version 1: commands, levels, edges. Sizes and meanings: PROTOCOL.md, sections 3 and 4.

`set` 0 both, 1 a, 2 b · `side` 0-3 of the machine · places as codes.place_code · counts in tiles ·
times in milliseconds of the board's uptime · every code number in protocols.codes.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from protocols.fields import (
    U8,
    U16,
    U32,
    Bits48,
    MaybeI16,
    MaybeU8,
    MaybeU8x2,
    MaybeU8x4,
    MaybeU16,
    MaybeU16x2,
    MaybeU32,
    Opaque,
    Text24,
    U8x2,
    nested,
)
from protocols.rows import HOST, TABLE, Row

VERSION: Final = 1
FIRST_EDGE: Final = 0xA0
FIRST_VENDOR: Final = 0xC0

# ── host → table ────────────────────────────────────────────────────────────────────────────────


class Ping(NamedTuple):
    """A sign of life is asked for; the answer has the same nonce."""

    nonce: U16


class Ack(NamedTuple):
    """Of this boot, edges up to `upto` are durable; the board may send `credit` more (at most 8;
    0: it pauses)."""

    boot: U32
    upto: U32
    credit: U8


class Get(NamedTuple):
    """Asks for codes.What; `which`: from which number on, counted from 0, or of which side."""

    what: U8
    which: U8


class Select(NamedTuple):
    """Choose a game number for a set (0: for both), meant in these phases."""

    conversation: U32
    command: U16
    phases: U8x2
    set: U8
    number: U16


class Move(NamedTuple):
    """A motion (codes.Motion), meant in these phases."""

    conversation: U32
    command: U16
    phases: U8x2
    what: U8


class Lamp(NamedTuple):
    """Light a lamp (codes.Lamp) in a mode (codes.LampMode)."""

    conversation: U32
    command: U16
    lamp: U8
    mode: U8


class AskOutcome(NamedTuple):
    """What became of a command? Never sends it again."""

    conversation: U32
    command: U16


# ── answers and levels ──────────────────────────────────────────────────────────────────────────


class Pong(NamedTuple):
    """Alive. `first_kept`: the oldest edge still in the ring; `next`: the number that the next
    edge will have. An empty ring has first_kept = next."""

    nonce: U16
    boot: U32
    uptime: U32
    first_kept: U32
    next: U32


class Abilities(NamedTuple):
    """What the board can do: codes.Ability, how many sides, sets, dice and seats; the shortest
    press it makes; seconds without motion after somebody pressed at the table (`guard`)."""

    bits: U32
    sides: U8
    sets: U8
    dice: U8
    seats: U8
    press_ms: U16
    guard: U8


class Number(NamedTuple):
    """One game number, the `nth` of `of`, counted from 0. `sides`: tiles on each side; `odd_ends`:
    two bits a side from the lowest (codes.OddEnd, 3 unknown); `players`: bit n for n players;
    `flags`: AUTO_DEAL, TURNS_INDICATOR, VERIFIED. A board without numbers sends one with of = 0."""

    nth: U8
    of: U8
    number: U16
    tiles: MaybeU16
    sides: MaybeU8x4
    odd_ends: U8
    players: U8
    flags: U8
    name: Text24


class Outcome(NamedTuple):
    """What became of a command: codes.Result and codes.Why; `edge`: the last edge at that time
    (0 none yet; unknown: the board cannot say), for `done` the one that shows it where one does."""

    conversation: U32
    command: U16
    result: U8
    why: U8
    edge: MaybeU32


class Levels(NamedTuple):
    """Values where the newest wins. `phase`, `active`, `pending` of set a and b; `counts`: tiles
    on each side of the walls that are up; `progress`: tiles stacked so far for each side; `lamps`:
    bits by codes.Lamp."""

    uptime: U32
    phase: MaybeU8x2
    active: MaybeU16x2
    pending: MaybeU16x2
    counts: MaybeU8x4
    progress: MaybeU8x4
    lamps: U16


class Snapshot(NamedTuple):
    """Everything at once, true after edge `upto`. `riichi`: bit s for a stick before side s; `up`:
    the set whose walls are up (0 none)."""

    upto: U32
    boot: U32
    levels: Annotated[Levels, nested(Levels)]
    dice: U8
    pips: MaybeU8x4
    troubles: U32
    riichi: MaybeU8
    up: MaybeU8


class Presence(NamedTuple):
    """Which places of a side have a tile, true after edge `upto`: bit 2·(column − 1) + row (0
    upper, 1 lower), lowest bit of the first byte first."""

    upto: U32
    side: U8
    odd_end: MaybeU8
    bits: Bits48


class Points(NamedTuple):
    """Points of a seat in hundreds, the difference to another as its display shows it, and sticks
    laid down."""

    seat: U8
    hundreds: MaybeI16
    difference: MaybeI16
    sticks: MaybeU8


class Counters(NamedTuple):
    """What the board counted since its boot: frames taken (this GET's too), runs with a bad
    checksum, other runs dropped, edges that fell out of the ring; and boots in all, where it counts
    them, 0 where not."""

    frames: U32
    bad_crc: U32
    dropped: U32
    ring_drops: U32
    resets: U16


# ── edges ───────────────────────────────────────────────────────────────────────────────────────


class NumberEdge(NamedTuple):
    """A set has another number; `state` 0 pending, 1 active."""

    number: U32
    at: U32
    set: U8
    state: U8
    game: U16


class PhaseEdge(NamedTuple):
    """A set went from one phase to another."""

    number: U32
    at: U32
    set: U8
    was: MaybeU8
    now: MaybeU8


class RaisedEdge(NamedTuple):
    """Walls have come up: the number they were stacked with and the tiles on each side."""

    number: U32
    at: U32
    set: U8
    game: MaybeU16
    sides: MaybeU8x4


class DiceEdge(NamedTuple):
    """Dice came to rest: how many, and their pips (unknown: unread)."""

    number: U32
    at: U32
    dice: U8
    pips: MaybeU8x4


class ButtonEdge(NamedTuple):
    """Somebody pressed codes.Button at a side (unknown: the machine has only one)."""

    number: U32
    at: U32
    button: U8
    seat: MaybeU8
    press: U8


class TakenEdge(NamedTuple):
    """A tile left its place (`back` 0), or came back (1)."""

    number: U32
    at: U32
    place: U16
    back: U8


class ShownEdge(NamedTuple):
    """A face was turned up."""

    number: U32
    at: U32
    place: U16
    tile: MaybeU8
    mark: MaybeU8


class SealedEdge(NamedTuple):
    """The face of a tile that lies face down: a secret, which nobody may show or keep openly."""

    number: U32
    at: U32
    place: U16
    tile: MaybeU8
    mark: MaybeU8

    def __repr__(self) -> str:
        return f"SealedEdge(number={self.number}, at={self.at}, place={self.place})"


class TroubleEdge(NamedTuple):
    """A trouble (codes.Trouble) begins (`on` 1) or is over (0)."""

    number: U32
    at: U32
    code: U8
    set: MaybeU8
    side: MaybeU8
    on: U8
    expected: MaybeU8
    found: MaybeU8


class RiichiEdge(NamedTuple):
    """A stick was laid into a seat's riichi tray (`laid` 1) or taken out (0)."""

    number: U32
    at: U32
    seat: U8
    laid: U8


class VendorEdge(NamedTuple):
    """The maker's own, passed on without being read. Its type is C0 + `kind`."""

    number: U32
    at: U32
    opaque: Opaque
    kind: int = 0


Edge = (
    NumberEdge
    | PhaseEdge
    | RaisedEdge
    | DiceEdge
    | ButtonEdge
    | TakenEdge
    | ShownEdge
    | SealedEdge
    | TroubleEdge
    | RiichiEdge
    | VendorEdge
)
Command = Select | Move | Lamp

_FOR = "command {command} of {conversation:08X}"
_EDGE = "edge {number} at {at:s}"
_LEVELS = (
    "at {uptime:s}: a {phase.0:phase}, b {phase.1:phase}; numbers {active:each}, pending"
    " {pending:each}; left {counts:each}; stacked {progress:each}; lamps {lamps:04X}"
)

ROWS: Final = (
    Row(0x10, "PING", TABLE, Ping, "are you there? ({nonce})"),
    Row(0x11, "ACK", TABLE, Ack, "boot {boot}: edges up to {upto} are kept, send {credit} more"),
    Row(0x12, "GET", TABLE, Get, "tell me {what:what}, {which}"),
    Row(0x18, "SELECT", TABLE, Select, _FOR + ": number {number} for {set:set}, meant in"
        " {phases:masks}"),
    Row(0x19, "MOVE", TABLE, Move, _FOR + ": {what:motion}, meant in {phases:masks}"),
    Row(0x1A, "LAMP", TABLE, Lamp, _FOR + ": lamp {lamp:lamp} {mode:mode}"),
    Row(0x1B, "ASK_OUTCOME", TABLE, AskOutcome, "what became of " + _FOR + "?"),
    Row(0x80, "PONG", HOST, Pong, "here ({nonce}): boot {boot}, up {uptime:s}, edges"
        " {first_kept} to before {next} kept"),
    Row(0x81, "ABILITIES", HOST, Abilities, "{sides} sides, {sets} sets, {dice} dice, {seats}"
        " seats, presses of {press_ms} ms, guard {guard} s; {bits:abilities}"),
    Row(0x82, "NUMBER", HOST, Number, 'number {number} ({nth} of {of}) "{name}": {tiles:known}'
        " tiles, {sides:each}, odd ends {odd_ends:02X}, players {players:02X}, flags {flags:02X}"),
    Row(0x83, "OUTCOME", HOST, Outcome, _FOR + ": {result:result}, {why:why}, edge {edge:known}"),
    Row(0x84, "LEVELS", HOST, Levels, _LEVELS),
    Row(0x85, "SNAPSHOT", HOST, Snapshot, "after edge {upto} of boot {boot}, {levels:levels}; dice"
        " {pips:pips}; troubles {troubles:08X}; riichi {riichi:known}; up: {up:up}"),
    Row(0x86, "PRESENCE", HOST, Presence, "after edge {upto}: side {side} has {bits:places},"
        " odd end {odd_end:odd}"),
    Row(0x87, "POINTS", HOST, Points, "seat {seat}: {hundreds:known} hundreds, difference"
        " {difference:known}, sticks {sticks:known}"),
    Row(0x88, "COUNTERS", HOST, Counters, "{frames} frames, {bad_crc} bad checksums, {dropped}"
        " dropped runs, {ring_drops} edges out of the ring, {resets} boots"),
    Row(0xA0, "E_NUMBER", HOST, NumberEdge, _EDGE + ": {set:set} has number {game} {state:state}"),
    Row(0xA1, "E_PHASE", HOST, PhaseEdge, _EDGE + ": {set:set} from {was:phase} to {now:phase}"),
    Row(0xA2, "E_RAISED", HOST, RaisedEdge, _EDGE + ": {set:set} is up with number {game:known},"
        " tiles {sides:each}"),
    Row(0xA3, "E_DICE", HOST, DiceEdge, _EDGE + ": dice {pips:pips}"),
    Row(0xA4, "E_BUTTON", HOST, ButtonEdge, _EDGE + ": button {button:button} at seat {seat:known},"
        " {press:press}"),
    Row(0xA5, "E_TAKEN", HOST, TakenEdge, _EDGE + ": {place:place} {back:back}"),
    Row(0xA6, "E_SHOWN", HOST, ShownEdge, _EDGE + ": {place:place} shows {face}"),
    Row(0xA7, "E_SEALED", HOST, SealedEdge, _EDGE + ": {place:place} was read face down"),
    Row(0xA8, "E_TROUBLE", HOST, TroubleEdge, _EDGE + ": {code:trouble} {on:on}, {set:set}, side"
        " {side:known}, expected {expected:known}, found {found:known}"),
    Row(0xA9, "E_RIICHI", HOST, RiichiEdge, _EDGE + ": riichi stick at seat {seat} {laid:laid}"),
    Row(0xC0, "VENDOR", HOST, VendorEdge, _EDGE + ": the maker's own {opaque:hex}", ids=16),
)  # fmt: skip
