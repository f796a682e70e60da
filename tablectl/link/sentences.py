"""Entries of the catalogue for what can go wrong between host and board."""

from __future__ import annotations

from typing import Final

from protocols.codes import Reason, Why
from tablectl.errors import NO, declare

VERSION: Final = declare(
    "link.version",
    "the board speaks version {least} to {most} of the wire, this program version {ours}",
    "Bring the older of the two up to date; protocols/PROTOCOL.md, section 10, says what changes.",
    status=NO,
)
BOOT_REPEATS: Final = declare(
    "link.boot_repeats",
    "the board says boot {boot} again, but has had only {next} edges where {upto} are known",
    "Its boot number must never repeat: let it count up in memory that survives a power cut, or"
    " draw a random number at each start.",
    status=NO,
)
NUMBERS_MISSING: Final = declare(
    "link.numbers_missing",
    "the board tells {have} of its {of} game numbers",
    "Choosing a rule works for those that it tells; a newer firmware may tell all.",
)
UNKNOWN_EDGE: Final = declare(
    "link.unknown_edge",
    "edge {number} of the board has type {type}, which is not known here; it was passed over",
    "A newer version of this program may know it.",
)
NOT_READY: Final = declare(
    "link.not_ready",
    "the table cannot take a command now: the line is {stage}",
    "Wait until the table is ready, or do it at the table by hand.",
    status=NO,
)
COMMAND_RUNS: Final = declare(
    "link.command_runs",
    "the table is still at the command before",
    "Wait for its outcome; a table takes one command at a time.",
    status=NO,
)

_REFUSED: Final = {
    Why.PHASE: (
        "the machine is in another phase than the command was meant for",
        "Look at what the machine does now and give the command again when it fits.",
    ),
    Why.UNABLE: (
        "the board cannot do that on this machine",
        "Do it at the table by hand; the program sees or asks what was done.",
    ),
    Why.NUMBER: (
        "the machine does not have this game number",
        "`tablectl tables` shows the numbers that it has.",
    ),
    Why.TROUBLE: (
        "a trouble is on, so nothing is moved",
        "Clear the trouble at the machine, then give the command again.",
    ),
    Why.BUSY: (
        "the board is still at another command",
        "Wait for its outcome, then give the command again.",
    ),
    Why.GUARD: (
        "somebody has just pressed a button at the table, so nothing is moved near their hands",
        "Wait some seconds, then give the command again.",
    ),
    Why.VALUE: (
        "the board does not know such a set, motion, lamp or mode",
        "Look into the board's description; its firmware may be older than the command.",
    ),
    Why.NO_SIGN: (
        "the button was pressed, but nothing shows that the machine followed",
        "Look at the machine: was it done or not? Then say so.",
    ),
    Why.FORGOTTEN: (
        "the board no longer knows what became of the command",
        "Look at the machine: was it done or not? Then say so.",
    ),
    Why.NONE: (
        "the board gives no reason",
        "Look at the machine: was it done or not? Then say so.",
    ),
}
NOT_DONE: Final = {
    why.name.lower(): declare(f"link.not_done.{why.name.lower()}", what, hint, status=NO)
    for why, (what, hint) in _REFUSED.items()
} | {
    word: declare(f"link.not_done.{word}", what, hint, status=NO)
    for word, what, hint in (
        (
            "no_answer",
            "the board did not say what became of the command",
            "Look at the machine: was it done or not? Then say so.",
        ),
        (
            "reset",
            "the board was reset before it said what became of the command",
            "Look at the machine: was it done or not? Then say so.",
        ),
    )
}
"""Codes by the word of an outcome's reason."""

_HUH: Final = {
    Reason.TYPE: ("it does not know this type of message", "The board's firmware may be older."),
    Reason.VERSION: (
        "it does not speak this version; its newest is {detail}",
        "Bring the older of the two up to date.",
    ),
    Reason.LENGTH: (
        "the body is too short for it; {detail} bytes are the least",
        "The board may speak another edition of the protocol; look at its firmware.",
    ),
    Reason.FIELD: (
        "it cannot take the field at byte {detail}",
        "If it happens again, look at the board's firmware; nothing was done.",
    ),
    Reason.BUSY: (
        "it has no conversation; it was probably reset",
        "The conversation is begun anew by itself.",
    ),
}
HUH: Final = {
    reason: declare(
        f"link.huh.{reason.name.lower()}",
        f"the board did not take a message of type {{type}}: {what}",
        hint,
    )
    for reason, (what, hint) in _HUH.items()
}
"""Codes by the reason of a HUH."""
HUH_OTHER: Final = declare(
    "link.huh.other",
    "the board did not take a message of type {type}: reason {reason}, detail {detail}",
    "This reason is not known here; a newer version of this program may know it.",
)
