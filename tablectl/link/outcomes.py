"""One command under way: its answer is waited for, asked for, and at last honestly unknown.

A command is never sent again blindly. Only the board's own word that it has never seen the number
lets the same bytes go out once more; the board acts on a number at most once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from protocols import v1
from protocols.codes import Result, Why
from tablectl.link.said import Ended

FIRST_ASK: Final = 400
LONGEST_ASK: Final = 3200
GIVE_UP: Final = 20_000
"""ms after which nobody waits any longer; boards give up after 10 s themselves."""


@dataclass
class Pending:
    """A command and when to ask for its outcome."""

    message: v1.Command
    boot: int
    gives_up: int
    ask_at: int
    wait: int = FIRST_ASK
    accepted: bool = False


class Outcomes:
    """At most one command is under way. Times are the host's, in ms."""

    def __init__(self) -> None:
        self.pending: Pending | None = None

    @property
    def due(self) -> int | None:
        """When `asks` has something to do."""
        if self.pending is None:
            return None
        return min(self.pending.ask_at, self.pending.gives_up)

    def begin(self, message: v1.Command, boot: int, now: int) -> None:
        """A command goes out."""
        self.pending = Pending(message, boot, now + GIVE_UP, now + FIRST_ASK)

    def over(self, now: int) -> Ended | None:
        """The end of a command that nobody has answered for too long."""
        if self.pending is None or now < self.pending.gives_up:
            return None
        return self._end("unknown", "no_answer")

    def asks(self, now: int) -> v1.AskOutcome | None:
        """The question that is due."""
        pending = self.pending
        if pending is None or now < pending.ask_at:
            return None
        pending.ask_at = now + pending.wait
        pending.wait = min(2 * pending.wait, LONGEST_ASK)
        return v1.AskOutcome(pending.message.conversation, pending.message.command)

    def another_board(self, boot: int, now: int) -> Ended | None:
        """A conversation was begun anew. A board that was reset knows nothing of the command; the
        same one is asked at once."""
        pending = self.pending
        if pending is None:
            return None
        if pending.boot != boot:
            return self._end("unknown", "reset")
        pending.ask_at, pending.wait = now, FIRST_ASK
        return None

    def answered(
        self, message: v1.Outcome, conversation: int, now: int
    ) -> tuple[list[Ended], v1.Command | None]:
        """What an outcome says, and the command to send again if the board has never seen it."""
        pending = self.pending
        if pending is None or not _about(message, pending.message):
            return [], None
        match message.result:
            case Result.ACCEPTED:
                pending.ask_at, pending.wait = now + LONGEST_ASK, LONGEST_ASK
                if pending.accepted:
                    return [], None
                pending.accepted = True
                told = pending.message
                return [Ended(told.conversation, told.command, "accepted")], None
            case Result.DONE:
                return [self._end("done", None)], None
            case Result.REFUSED:
                return [self._end("refused", _why(message.why))], None
            case _:
                unseen = message.result == Result.UNKNOWN and message.why == Why.NONE
                if unseen and pending.message.conversation == conversation:
                    return [], None if pending.accepted else pending.message
                return [self._end("unknown", _why(message.why))], None

    def _end(self, result: str, why: str | None) -> Ended:
        assert self.pending is not None
        message = self.pending.message
        self.pending = None
        return Ended(message.conversation, message.command, result, why)  # type: ignore[arg-type]


def _about(outcome: v1.Outcome, message: v1.Command) -> bool:
    return (outcome.conversation, outcome.command) == (message.conversation, message.command)


def _why(code: int) -> str:
    return Why(code).name.lower() if code in Why._value2member_map_ else "none"
