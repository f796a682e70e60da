"""The token: made once, its owner's alone; pairing: one browser, five tries, two minutes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.asking import (
    ADDRESS,
    DICE,
    FACTS,
    HOSTS,
    LEAVE,
    TOKEN,
    Clock,
    asking,
    in_loop,
    refused,
    tap,
)
from support.desk import MemoryDesk

from tablectl.api.app import Interface, interface
from tablectl.api.pairing import (
    CODE_SECONDS,
    COOKIE,
    MOST_SESSIONS,
    TRIES,
    Pairing,
    Sessions,
    six_digits,
)
from tablectl.api.token import ensure_token, read_token
from tablectl.errors import TablectlError

ORIGIN = {"Origin": ADDRESS}


def code_of(call: object, *values: object) -> str:
    with pytest.raises(TablectlError) as raised:
        call(*values)  # type: ignore[operator]
    return raised.value.code


def test_the_token_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "token"
    assert code_of(read_token, path) == "token.missing"
    made, told = ensure_token(path)
    assert told is None
    assert len(made) == 43
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0
    assert ensure_token(path) == (made, None)
    assert read_token(path) == made
    assert [one.name for one in path.parent.iterdir()] == ["token"]


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604, 0o620])
def test_a_token_that_others_could_read_is_replaced(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "token"
    made, _ = ensure_token(path)
    path.chmod(mode)
    assert code_of(read_token, path) == "token.loose"
    new, told = ensure_token(path)
    assert new != made
    assert told is not None
    assert f"{mode:04o}" in told
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_token(path) == new


def test_a_spoilt_token_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_bytes(b"")
    path.chmod(0o600)
    assert code_of(read_token, path) == "token.unreadable"
    new, told = ensure_token(path)
    assert told is not None
    assert read_token(path) == new


def test_a_token_that_is_no_file_of_its_own_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    ensure_token(other)
    link = tmp_path / "token"
    link.symlink_to(other)
    folder = tmp_path / "folder"
    folder.mkdir()
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo, 0o600)
    for path in (link, folder, fifo):
        assert code_of(read_token, path) == "token.foreign"
        assert code_of(ensure_token, path) == "token.foreign"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "token"
    assert code_of(ensure_token, path) in ("token.unwritable", "token.unreadable")


def test_a_code_pairs_one_browser(clock: Clock) -> None:
    pairing = Pairing(clock)
    assert code_of(pairing.redeem, "000000") == "api.pair"
    code = pairing.begin()
    pairing.redeem(code)
    assert code_of(pairing.redeem, code) == "api.pair"


def test_a_code_is_good_for_two_minutes(clock: Clock) -> None:
    pairing = Pairing(clock)
    code = pairing.begin()
    clock.now += CODE_SECONDS - 0.1
    pairing.redeem(code)
    code = pairing.begin()
    clock.now += CODE_SECONDS
    assert code_of(pairing.redeem, code) == "api.pair"


def test_a_code_is_good_for_five_tries(clock: Clock) -> None:
    pairing = Pairing(clock, lambda: "123456")
    code = pairing.begin()
    for _ in range(TRIES - 1):
        assert code_of(pairing.redeem, "123457") == "api.pair"
    pairing.redeem(code)
    pairing.begin()
    for _ in range(TRIES):
        assert code_of(pairing.redeem, "123457") == "api.pair"
    assert code_of(pairing.redeem, code) == "api.pair"


def test_a_new_code_voids_the_one_before(clock: Clock) -> None:
    codes = iter(("111111", "222222"))
    pairing = Pairing(clock, lambda: next(codes))
    first, second = pairing.begin(), pairing.begin()
    assert code_of(pairing.redeem, first) == "api.pair"
    pairing.redeem(second)


def test_codes_have_six_digits() -> None:
    codes = {six_digits() for _ in range(50)}
    assert len(codes) > 40
    assert all(len(code) == 6 and code.isdigit() for code in codes)


def test_paired_browsers_outlive_a_restart_and_only_digests_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "sessions"
    before = Sessions(file)
    secrets = [before.new() for _ in range(MOST_SESSIONS + 1)]
    after = Sessions(file)
    assert not after.knows(secrets[-1])
    after.load()
    assert after.knows(secrets[-1])
    assert not after.knows(secrets[0])  # the oldest went
    assert not after.knows(secrets[1] + "x")
    assert file.stat().st_mode & 0o777 == 0o600
    assert not any(secret in file.read_text() for secret in secrets)


@in_loop
async def test_a_browser_is_paired_and_writes_from_our_page_alone(
    here: Interface, desk: MemoryDesk
) -> None:
    async with asking(here) as ask:
        given = (await ask.post("/api/v1/pairing", headers=LEAVE, json={})).json()
        assert given["seconds"] == CODE_SECONDS
        answer = await ask.post("/api/v1/pair", headers=ORIGIN, json={"code": given["code"]})
        assert answer.json() == {"paired": True}
        cookie = answer.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=Strict", "Path=/api/"} <= set(cookie.split("; "))
        assert TOKEN not in cookie

        # The client has the cookie now.
        assert COOKIE in ask.cookies
        assert (await ask.post(FACTS, headers=ORIGIN, json=tap(DICE))).status_code == 200
        refused(await ask.post(FACTS, json=tap(DICE)), "api.no_origin")
        foreign = {"Origin": "http://evil.example"}
        refused(await ask.post(FACTS, headers=foreign, json=tap(DICE)), "api.origin")
        # Only the owner lets others in.
        refused(await ask.post("/api/v1/pairing", headers=ORIGIN, json={}), "api.token")
        wrong = {"Authorization": "Bearer " + "x" * 43, **ORIGIN}
        refused(await ask.post(FACTS, headers=wrong, json=tap(DICE)), "api.token")
    assert len(desk.table("east").taps) == 1


@in_loop
async def test_a_wrong_code_pairs_nobody(desk: MemoryDesk, clock: Clock) -> None:
    pairing = Pairing(clock, lambda: "123456")
    here = interface(desk, HOSTS, TOKEN, pairing=pairing, clock=clock)
    async with asking(here) as ask:
        refused(await ask.post("/api/v1/pair", json={"code": "123456"}), "api.pair")
        await ask.post("/api/v1/pairing", headers=LEAVE, json={})
        answer = await ask.post("/api/v1/pair", json={"code": "654321"})
        assert "4 tries" in refused(answer, "api.pair").error.message
        refused(await ask.post("/api/v1/pair", json={"code": "12345"}), "api.body")
        assert not ask.cookies
