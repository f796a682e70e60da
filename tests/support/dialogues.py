"""Conversations with a board that the vectors keep: what the host sends, what happens, when."""

from __future__ import annotations

from typing import Final

from protocols import catalog, v0, v1
from protocols.codes import ANY_PHASE, Lamp, LampMode, Motion, Phase, What, place_code
from protocols.frame import encode
from support.boards import FIRST_BOOT
from support.vectors import Step, edge

ANY: Final = (ANY_PHASE, ANY_PHASE)
TAKEN: Final = edge(v1.TakenEdge(0, 0, place_code(0, 1, "upper"), 0))
DICE: Final = edge(v1.DiceEdge(0, 0, 2, (3, 4, None, None)))
PENDING: Final = edge(v1.NumberEdge(0, 0, 1, 0, 5))


def say(message: object) -> Step:
    return {"message": message}


def hello(conversation: int = 100) -> Step:
    return say(v0.Hello(b"TCT1", conversation, 1, 1))


def ack(upto: int, credit: int = 8, boot: int = FIRST_BOOT) -> Step:
    return say(v1.Ack(boot, upto, credit))


def select(command: int, number: int = 5, phases: tuple[int, int] = ANY, which: int = 1) -> Step:
    return say(v1.Select(100, command, phases, which, number))


def move(command: int, what: int, phases: tuple[int, int] = ANY) -> Step:
    return say(v1.Move(100, command, phases, what))


def asked(command: int, conversation: int = 100) -> Step:
    return say(v1.AskOutcome(conversation, command))


def at(ms: int) -> Step:
    return {"at": ms}


PING: Final = say(v1.Ping(0x1234))
SNAPSHOT: Final = say(v1.Get(What.SNAPSHOT, 0))
RESET: Final = {"reset": True}
A_UP: Final = edge(v1.PhaseEdge(0, 0, 1, None, Phase.UP))

ON_THE_PAGE: Final = [
    DICE, at(1000), hello(), say(v1.Get(What.ABILITIES, 0)), say(v1.Get(What.NUMBERS, 0)), PING,
    ack(0), at(1050), ack(1), SNAPSHOT, at(2000), select(1), at(2200), PENDING, ack(2), at(2300),
    at(3000), TAKEN, at(3100), at(3400), ack(3),
]  # fmt: skip

DIALOGUES: Final[dict[str, list[Step]]] = {
    "the conversation of the page": ON_THE_PAGE,
    "a board that nobody speaks with says nothing": [at(5000), TAKEN, DICE, at(9000)],
    "edges before the first ACK wait for it": [
        TAKEN, DICE, hello(), at(2000), TAKEN, at(4000), ack(0), at(4100), ack(3), at(9000),
    ],
    "edges are sent again after 400, 800, 1600, 3200 and 3200 ms": [
        hello(), ack(0), at(100), TAKEN, at(499), at(500), at(1299), at(1300), at(2899),
        at(2900), at(6100), at(9300),
    ],
    "an advance begins the waiting anew": [
        hello(), ack(0), TAKEN, at(100), TAKEN, at(300), ack(1), at(699), at(700), at(1500), ack(2),
        at(9000),
    ],
    "credit: only so many, then a pause": [
        hello(), TAKEN, TAKEN, TAKEN, ack(0, 2), at(100), ack(2, 0), at(3000), ack(2, 1), at(3050),
        ack(3, 200),
    ],
    "an ACK of less changes nothing": [
        hello(), TAKEN, TAKEN, TAKEN, ack(2), ack(1, 0), at(500), ack(3), PING,
    ],
    "the ring overflows by one": [hello(), TAKEN, TAKEN, TAKEN, TAKEN, DICE, PING, ack(1), ack(5)],
    "the ring overflows twice over": [
        hello(), *([TAKEN] * 12), PING, ack(0), at(100), ack(8), at(200), ack(12), PING,
        say(v1.Get(What.COUNTERS, 0)),
    ],
    "edges that were sent fall out before they are acknowledged": [
        hello(), ack(0), *([TAKEN] * 6), at(400), PING, ack(2), at(500), ack(6),
    ],
    "a new conversation: everything not acknowledged comes again": [
        hello(), ack(0), TAKEN, TAKEN, ack(1), hello(101), at(1000), ack(1), at(1100), ack(2),
    ],
    "an old HELLO changes nothing": [hello(), ack(0), hello(99), hello(100), TAKEN, hello(0)],
    "a conversation that goes round": [
        say(v0.Hello(b"TCT1", 0xFFFFFFFE, 1, 1)), say(v0.Hello(b"TCT1", 3, 1, 2)),
        say(v0.Hello(b"TCT1", 0xFFFFFFFF, 0, 9)),
    ],
    "a number is chosen": [
        hello(), ack(0), select(1), at(150), PENDING, ack(1), asked(1), at(300), asked(2),
    ],
    "a number is chosen and nothing shows it": [
        hello(), ack(0), select(1), at(9999), at(10000), asked(1), at(12000), PENDING,
    ],
    "a number for both sets is done when both have it": [
        hello(), ack(0), select(1, which=0), PENDING,
        edge(v1.NumberEdge(0, 0, 2, 1, 5)),
    ],
    "a number that is chosen already": [
        hello(), ack(0), edge(v1.NumberEdge(0, 0, 1, 1, 5)), ack(1), select(1), asked(1),
        edge(v1.NumberEdge(0, 0, 1, 0, 1)), ack(2), select(2), PENDING, ack(3), at(300),
    ],
    "a pending number becomes active": [
        hello(), ack(0), PENDING, ack(1), SNAPSHOT, edge(v1.NumberEdge(0, 0, 1, 1, 5)), ack(2),
        SNAPSHOT, at(300),
    ],
    "two messages in one piece are answered one after the other": [
        hello(), ack(0),
        {"to_table": (encode(catalog.encode(v1.Lamp(100, 1, Lamp.CALL, LampMode.ON)))
                      + encode(catalog.encode(v1.Ping(1)))).hex()},
        at(200),
    ],
    "the dice are thrown": [hello(), ack(0), move(1, Motion.THROW), at(200), A_UP, at(400), DICE],
    "a MOVE arrives twice": [
        hello(), ack(0), move(1, Motion.THROW), move(1, Motion.THROW), DICE,
        move(1, Motion.THROW), at(500), DICE,
    ],
    "one command at a time": [
        hello(), ack(0), move(1, Motion.THROW), move(2, Motion.START), asked(1), asked(2), DICE,
        move(2, Motion.START), move(3, Motion.PAUSE),
    ],
    "an old command": [hello(), ack(0), move(5, Motion.THROW), DICE, move(4, Motion.THROW)],
    "refused: value": [
        hello(), ack(0), select(1, which=3), move(2, 6), say(v1.Lamp(100, 3, 16, 0)),
        say(v1.Lamp(100, 4, 0, 4)), asked(4), asked(3),
    ],
    "refused: number": [hello(), ack(0), select(1, number=9), asked(1)],
    "refused: unable": [hello(), ack(0), say(v1.Lamp(100, 1, 12, LampMode.ON))],
    "refused: phase": [
        hello(), ack(0), A_UP, select(1, phases=(1 << Phase.STACKING, ANY_PHASE)),
        select(2, phases=(1 << Phase.UP, 1 << Phase.READY)), select(3, phases=(1 << 5, ANY_PHASE)),
    ],
    "refused: trouble": [
        hello(), ack(0), edge(v1.TroubleEdge(0, 0, 1, None, 2, 1, None, None)),
        move(1, Motion.START), select(2), edge(v1.TroubleEdge(0, 0, 1, None, 2, 0, None, None)),
        PENDING, move(3, Motion.START), edge(v1.PhaseEdge(0, 0, 1, Phase.UP, Phase.DROPPING)),
    ],
    "refused: the first reason counts": [
        hello(), ack(0), edge(v1.TroubleEdge(0, 0, 1, None, None, 1, None, None)), A_UP, ack(2),
        say(v1.Select(100, 1, (0, 0), 3, 9)), say(v1.Select(100, 2, (0, 0), 1, 9)),
        say(v1.Select(100, 3, (0, 0), 1, 5)), move(4, 9, (0, 0)), move(5, Motion.THROW, (0, 0)),
        move(6, Motion.THROW), say(v1.Lamp(100, 7, 16, 9)),
    ],
    "a lamp while a motion is under way": [
        hello(), ack(0), move(1, Motion.THROW), say(v1.Lamp(100, 2, 0, 1)), DICE, ack(1),
        say(v1.Lamp(100, 3, 0, 1)), at(200),
    ],
    "the same number in a newer conversation is another command": [
        hello(), ack(0), move(1, Motion.THROW), DICE, hello(101), asked(1),
        say(v1.Move(101, 1, ANY, Motion.THROW)), asked(1), asked(1, 101), DICE, asked(1),
    ],
    "a motion under way when a newer conversation begins": [
        hello(), ack(0), move(1, Motion.THROW), hello(101), say(v1.Move(101, 1, ANY, 0)), DICE,
        say(v1.Move(101, 2, ANY, Motion.THROW)), asked(1), at(100), ack(1),
    ],
    "no sign, in the same millisecond as an edge is sent again": [
        hello(), ack(0), move(1, Motion.START), at(9600), TAKEN, at(10000), ack(1),
    ],
    "a HELLO that has no version in common": [
        say(v0.Hello(b"TCT1", 100, 2, 3)), PING, say(v0.Hello(b"TCT1", 101, 1, 1)),
    ],
    "half way round is not newer": [
        hello(100), say(v0.Hello(b"TCT1", 100 + 2**31, 1, 1)),
        say(v0.Hello(b"TCT1", 99 + 2**31, 1, 1)),
    ],
    "time runs out while nothing may be sent": [
        hello(), ack(0), TAKEN, at(100), ack(0, 0), at(500), at(2000), ack(0), at(2799), at(2800),
        at(4400),
    ],
    "walls, buttons, troubles of two sides, a tile on top": [
        hello(), ack(0), edge(v1.RaisedEdge(0, 0, 2, 5, (30, 28, 30, 28))),
        edge(v1.ButtonEdge(0, 0, 2, 3, 1)), at(150), ack(2),
        edge(v1.TroubleEdge(0, 0, 2, 1, 0, 1, 34, 33)),
        edge(v1.TroubleEdge(0, 0, 2, 1, 1, 1, 34, 33)),
        edge(v1.TroubleEdge(0, 0, 2, 1, 0, 0, None, None)), ack(5),
        edge(v1.TakenEdge(0, 0, place_code(2, 9, "on"), 1)), at(400), ack(6), SNAPSHOT,
    ],
    "faces and the maker's own": [
        hello(), ack(0), edge(v1.ShownEdge(0, 0, place_code(2, 9, "upper"), 13, 1)),
        edge(v1.VendorEdge(0, 0, b"")), edge(v1.VendorEdge(0, 0, bytes(range(8)))), ack(3),
    ],
    "a lamp": [hello(), ack(0), say(v1.Lamp(100, 1, Lamp.CALL, LampMode.SLOW)), asked(1)],
    "every motion and what shows it": [
        hello(), ack(0), move(1, Motion.START), A_UP, at(50),
        edge(v1.PhaseEdge(0, 0, 1, Phase.UP, Phase.DROPPING)), ack(2), move(2, Motion.RAISE),
        edge(v1.PhaseEdge(0, 0, 2, Phase.READY, Phase.RAISING)), ack(3), move(3, Motion.LOWER),
        edge(v1.PhaseEdge(0, 0, 2, Phase.UP, Phase.READY)), ack(4), move(4, Motion.PAUSE),
        edge(v1.PhaseEdge(0, 0, 1, Phase.STACKING, Phase.PAUSED)), ack(5), move(5, Motion.RESUME),
        edge(v1.PhaseEdge(0, 0, 1, Phase.PAUSED, Phase.STACKING)), ack(6), at(400),
    ],
    "start resumes; lowering is not dropping": [
        hello(), ack(0), move(1, Motion.START),
        edge(v1.PhaseEdge(0, 0, 1, Phase.PAUSED, Phase.STACKING)), ack(1), move(2, Motion.LOWER),
        edge(v1.PhaseEdge(0, 0, 2, Phase.UP, Phase.DROPPING)), ack(2),
        edge(v1.PhaseEdge(0, 0, 2, Phase.UP, None)), ack(3), at(200),
    ],
    "a reboot within SELECT": [
        hello(), ack(0), select(1), at(100), RESET, PING, select(1), hello(101), asked(1),
        ack(0, boot=FIRST_BOOT + 1), PENDING, ack(1, boot=FIRST_BOOT + 1), at(600),
    ],
    "replug: the outcome is asked for in the next conversation": [
        hello(), ack(0), select(1), at(100), PENDING, hello(101), asked(1), ack(0), at(200), ack(1),
        asked(2), asked(1, 101), select(2),
    ],
    "levels: at most every 100 ms": [
        hello(), ack(0), edge(v1.NumberEdge(0, 0, 1, 1, 1)), at(10),
        edge(v1.NumberEdge(0, 0, 1, 1, 5)), at(99), at(100),
        edge(v1.NumberEdge(0, 0, 1, 1, 1)), at(150), at(199), at(200), at(1000), ack(3),
    ],
    "presence of a side": [
        hello(), ack(0), say(v1.Get(What.PRESENCE, 0)),
        edge(v1.TakenEdge(0, 0, place_code(0, 3, "lower"), 1)), at(100),
        edge(v1.TakenEdge(0, 0, place_code(0, 3, "lower"), 0)),
        edge(v1.TakenEdge(0, 0, place_code(3, 24, "upper"), 1)), at(300), ack(3),
        say(v1.Get(What.PRESENCE, 3)), SNAPSHOT,
    ],
    "numbers from the second on, and from beyond the last": [
        hello(), say(v1.Get(What.NUMBERS, 1)), say(v1.Get(What.NUMBERS, 2)),
    ],
    "a snapshot after all kinds of edges": [
        hello(), DICE, A_UP, edge(v1.PhaseEdge(0, 0, 2, None, Phase.STACKING)),
        edge(v1.RiichiEdge(0, 0, 2, 1)), edge(v1.TroubleEdge(0, 0, 7, 2, None, 1, None, None)),
        edge(v1.NumberEdge(0, 0, 0, 0, 5)), SNAPSHOT,
    ],
}  # fmt: skip
