"""One table as it is served: the actor, the commands that it takes, and what it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from protocols.codes import AUTO_DEAL, TURNS_INDICATOR, VERIFIED
from tablectl.app import service
from tablectl.app.actor import Actor
from tablectl.app.config import TableConfig
from tablectl.app.items import Settings
from tablectl.app.service import Wish
from tablectl.app.shown import note_shown, number_shown
from tablectl.app.wishes import Wishes
from tablectl.core.profile import GameNumber, number_told, numbers_of
from tablectl.core.profile_file import find_profile, named_profile
from tablectl.errors import TablectlError
from tablectl.link.identity import Identity
from tablectl.link.supervisor import Keeper, LineState

Log = Callable[..., None]
"""`log(event, **values)`: what happened, for whoever reads the daemon's own lines."""


class Table(Actor):
    """An actor with the commands that it takes: one table as it is served."""

    wishes: Wishes
    log: Log

    def line(self, keeper: Keeper, state: LineState) -> None:
        """Say once that it is lost and once that it is back."""
        was = self.line_state.stage if self.line_state is not None else None
        mine = keeper is self.keeper
        super().line(keeper, state)
        if mine and state.stage == "ready":
            self.log("ready", table=self.id, name=self.settings.name, url=keeper.url)
        elif mine and was == "ready":
            self.log("lost", table=self.id, name=self.settings.name, why=state.why)

    @property
    def name(self) -> str:
        """What people call it; its id where nobody has named it."""
        return self.settings.name

    def disk_is_well(self) -> None:
        """The journal takes everything; unless something of this table waits and is tried again,
        nothing that was refused is wrong any more."""
        if self.failing is not None and self._idle.is_set():
            self.failing = None
            self.live_changed()

    def take_model(self, model: str, told: tuple[GameNumber, ...] = ()) -> None:
        """Know the table model: the one that the configuration names, else that of the board; and
        its numbers, those that it tells of itself first."""
        named = self.settings.profile
        self.profile = named_profile(named) if named is not None else find_profile(model)
        self.numbers = numbers_of(self.profile, told)

    async def command(self, wish: Wish) -> dict[str, Any]:
        """As in `service.TableDesk.command`."""
        if self.stopping:
            raise TablectlError(service.STOPPING)
        return await self.wishes.grant(wish)

    def view(self) -> dict[str, Any]:
        """As in `service.TableDesk.view`, with the numbers and notes that are known."""
        return super().view() | {
            "numbers": msgspec.to_builtins([number_shown(one) for one in self.numbers]),
            "notes": msgspec.to_builtins([note_shown(one) for one in self.wishes.notes]),
        }

    @property
    def stage(self) -> str:
        """How its line stands; `manual` for a table that people work."""
        if self.settings.manual:
            return "manual"
        return self.line_state.stage if self.line_state is not None else "absent"


def settings_of(config: TableConfig) -> Settings:
    """What the configuration says of a table, as the actor knows it."""
    return Settings(
        name=config.name,
        preset=config.preset,
        seats=config.seats,
        motions=config.motions,
        profile=config.profile,
        notes=config.notes,
        boxes=config.boxes,
    )


def numbers_told(identity: Identity) -> tuple[GameNumber, ...]:
    """The game numbers that a board tells of itself."""
    return tuple(
        number_told(
            one.number,
            one.tiles,
            one.sides,
            one.players,
            deals=bool(one.flags & AUTO_DEAL),
            turns_indicator=bool(one.flags & TURNS_INDICATOR),
            verified=bool(one.flags & VERIFIED),
            name=one.name,
        )
        for one in identity.numbers
    )
