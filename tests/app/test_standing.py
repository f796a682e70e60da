"""How every configured line stands: told with its remedy, logged once, and once when it is over."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from support.clockwork import run
from support.parlour import Events, config_of, parlour, ready

from tablectl.app import daemon as daemon_module
from tablectl.app import service
from tablectl.app.config import Config, DaemonConfig, TableConfig
from tablectl.app.service import Tap, Wish
from tablectl.core import facts
from tablectl.errors import TablectlError
from tablectl.link.simulated import Sims

KINDS = {
    "silent": ("link.silent", "not one byte came"),
    "rubbish": ("link.rubbish", "bytes came that are no frames"),
    "echo": ("link.no_iam", "frames came, and none says whose they are"),
    "closing": ("link.closed", "closes this line as soon as it is open"),
    "absent": ("link.tcp_refused", "nobody answers there: nobody is at home"),
}
"""What is at the other end of a line, and what is said of it."""


class Peer:
    """The other end of a line, of a kind; `kind` may change, and then the line is cut."""

    def __init__(self, kind: str, sims: Sims) -> None:
        self.kind, self._sims = kind, sims
        self._timer: asyncio.TimerHandle | None = None
        self._heard: Any = None
        self.gone: Any = None

    async def open(self, heard: Any, gone: Any) -> Any:
        loop = asyncio.get_running_loop()
        self._heard, self.gone = heard, gone
        if self.kind == "board":
            return await self._sims.connect("presence:late", heard, gone)
        if self.kind == "absent":
            raise TablectlError("link.tcp_refused", where="there", why="nobody is at home")
        if self.kind == "closing":
            loop.call_later(0.1, gone, "it was closed at the other side")
        if self.kind == "rubbish":
            self._timer = loop.call_later(0.3, self._chatter)
        return self

    def _chatter(self) -> None:
        self._heard(b"hello, I am a printer\r\n\0")
        self._timer = asyncio.get_running_loop().call_later(0.3, self._chatter)

    def write(self, data: bytes) -> None:
        if self.kind == "echo":
            asyncio.get_running_loop().call_soon(self._heard, data)

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Peer]:
    """Lines `tcp:KIND:1` lead to peers of that kind."""
    found: dict[str, Peer] = {}
    real = daemon_module.opener_of

    def opener(url: str, sims: Sims) -> Any:
        kind = url.split(":")[1]
        if kind not in KINDS:
            return real(url, sims)
        found[kind] = Peer(kind, sims)
        return found[kind].open

    monkeypatch.setattr(daemon_module, "opener_of", opener)
    return found


def lines_of(*kinds: str) -> Config:
    tables = [TableConfig(f"tcp:{kind}:1", kind, "ramen-jiro") for kind in kinds]
    tables.append(TableConfig("sim:presence:east", "east", "ramen-jiro"))
    tables.append(TableConfig("manual:corner", "corner", "ramen-jiro"))
    return Config(DaemonConfig(), tuple(tables))


def of(log: Events, event: str) -> list[dict[str, Any]]:
    return [values for name, values in log if name == event]


def test_lines_on_which_no_table_answers_are_told_and_logged_once(tmp_path, peers):
    async def work() -> None:
        log = Events()
        async with parlour(tmp_path, lines_of(*KINDS), Sims(seed=1), log) as daemon:
            await asyncio.sleep(2)
            early = {one.name: one for one in daemon.standing()}
            assert list(early) == [*KINDS, "east", "corner"], "in the configuration's order"
            assert early["silent"].complaint is None, "a board may take a while"
            assert early["absent"].complaint is not None
            await asyncio.sleep(60)
            for name, (code, words) in KINDS.items():
                line = next(one for one in daemon.standing() if one.name == name)
                assert line.table is None
                assert line.complaint is not None
                assert line.complaint["code"] == code
                assert words in (line.why or "")
                [logged] = [one for one in of(log, "line") if one["name"] == name]
                assert words in logged["why"]
                assert logged["remedy"] == line.complaint["hint"]
                # Whoever asks for the table by its name hears how its line stands.
                with pytest.raises(TablectlError) as refused:
                    daemon.table(name)
                assert refused.value.code == service.NO_ANSWER
                assert words in refused.value.message
                assert refused.value.hint == line.complaint["hint"]
            *_, east, corner = daemon.standing()
            assert (east.stage, east.complaint, corner.stage) == ("ready", None, "manual")
            assert east.table == daemon.table("east").id
            assert corner.table == "manual-corner"

    run(work())


def test_a_line_that_mends_is_ready_and_may_be_told_anew(tmp_path, peers):
    async def work() -> None:
        log, sims = Events(), Sims(seed=1)
        async with parlour(tmp_path, lines_of("silent"), sims, log) as daemon:
            await asyncio.sleep(10)
            peer = peers["silent"]
            peer.kind = "board"
            peer.gone("it is pulled")
            await ready(daemon)
            [back] = [one for one in of(log, "ready") if one["name"] == "silent"]
            assert back["url"] == "tcp:silent:1"
            await asyncio.sleep(2)
            line = daemon.standing()[0]
            assert (line.stage, line.why, line.complaint) == ("ready", None, None)
            table = daemon.table("silent")
            peer.kind = "absent"
            peer.gone("it is pulled")
            await asyncio.sleep(20)
            assert [one["stage"] for one in of(log, "line")] == ["calling", "absent"]
            line = daemon.standing()[0]
            assert (line.stage, line.table) == ("absent", table.id), "the table that was on it"
            assert daemon.table("silent") is table

    run(work())


def test_a_name_that_nobody_has_is_answered_with_all_names(tmp_path):
    async def work() -> None:
        async with parlour(tmp_path, config_of("sim:presence:east", "manual:p")) as daemon:
            await asyncio.sleep(5)
            with pytest.raises(TablectlError) as refused:
                daemon.table("west")
            assert f"east ({daemon.table('east').id})" in refused.value.hint
            assert "p (manual-p)" in refused.value.hint

    run(work())


def test_a_full_disk_is_logged_once_and_is_over_by_itself(tmp_path, monkeypatch):
    async def work() -> None:
        log = Events()
        async with parlour(tmp_path, config_of("manual:p", "manual:q"), log=log) as daemon:
            await asyncio.sleep(2)
            table, other = daemon.table("p"), daemon.table("q")
            full = [True]
            journal = daemon._writer._journal
            commit = type(journal).commit

            def refuse(self: Any, drafts: Any) -> Any:
                if full[0]:
                    raise TablectlError("journal.full", where="the disk")
                return commit(self, drafts)

            monkeypatch.setattr(type(journal), "commit", refuse)
            before = table.seq
            for n in range(3):
                with pytest.raises(TablectlError):
                    await table.tap(Tap(f"k{n}", facts.Raised(set="a"), table.seq))
                await asyncio.sleep(5)
            assert daemon.health()["journal"]["failing"] == "journal.full"
            assert table.live()["complaint"]["code"] == "journal.full"
            [said] = of(log, "unwritable")
            assert "the disk is full" in said["why"]
            assert "people" in said["remedy"]
            full[0] = False
            await asyncio.sleep(3)
            # Nobody has said anything meanwhile, and nothing was written by the trial.
            assert daemon.health()["ok"]
            assert table.live()["complaint"] is None
            assert (table.seq, len(of(log, "writable"))) == (before, 1)
            assert (await table.tap(Tap("k9", facts.Raised(set="a"), table.seq))).seq == before + 1
            assert (await other.tap(Tap("k9", facts.Raised(set="a"), other.seq))).seq

    run(work())


def test_a_note_that_the_table_speaks_against_is_kept_and_told(tmp_path):
    async def work() -> None:
        async with parlour(tmp_path, config_of("sim:presence:east", "manual:p")) as daemon:
            await ready(daemon)
            east, people = daemon.table("east"), daemon.table("p")

            async def note(table: Any, number: int | None) -> list[str]:
                wish = Wish("note", preset="ramen-jiro", number=number)
                said: list[str] = (await table.command(wish))["say"]
                return said

            fits = next(one.number for one in east.numbers if one.tiles == 116)
            wrong = next(one.number for one in east.numbers if one.tiles == 136)
            assert await note(east, fits) == [f"Noted: ramen-jiro is number {fits} at east."]
            _, was, against = await note(east, wrong)
            assert f"It was number {fits} there before, not verified" in was
            assert "136 tiles, 20 more than 116" in against
            _, _, none = await note(east, 99)
            assert "has no number 99" in none
            [kept] = east.view()["notes"]
            assert kept["number"] == 99, "the owner's word wins"
            # Where nobody knows the numbers, nothing speaks against any.
            assert len(await note(people, 99)) == 1
            assert await note(east, None) == ["Nothing is noted of ramen-jiro at east any more."]
            assert east.view()["notes"] == []
            assert people.view()["notes"] != []

    run(work())
