"""Doors beside a table: opened and closed by its host, and told of; who they admit, enters."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_field

from net.discovery.advert import OURS
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.messages import CloseReason
from net.protocol.requests import ChangeSettings, Kick, NewCode, SwitchDoor
from net.secure.connection import ConnectionFailed, authenticate, connect
from net.secure.handshake import AuthenticationFailed, ClientHandshake, Rejection, TableTrust
from net.secure.keys import SeatKey
from net.server.tables import resume
from sabtui.doors import table_side
from sabtui.doors.messages import Admit, TryCode
from sabtui.doors.table_side import answer, serve_by
from tests.net.server.served_table import (
    CODE,
    HERE,
    QUICK,
    SMALL,
    Guest,
    hosting,
    new_table,
    run,
    until,
)

FAR, NEAR = "192.0.2.7", "127.0.0.1"

ASKS = """
import json, socket, sys
table = socket.socket(fileno=0).makefile("rw")
order = json.loads(table.readline())
def say(**what):
    table.write(json.dumps(what) + "\\n")
    table.flush()
say(type="opened", port=7351, fingerprint=order["title"])
for line in table:
    pass
"""
"""A door that is open, and ends with its table."""

BREAKS = ASKS.replace("for line in table", "print('{', flush=True)\nfor line in table")
ENDS = ASKS.replace("for line in table:\n    pass", "")
FAILS = 'import sys; input(); print(\'{"type": "failed", "trouble": "no port"}\')'


async def test_an_admitted_key_enters_once_from_the_guests_address_and_no_other_key_does(
    where: Path,
) -> None:
    async with hosting(where, SMALL) as hosted:
        (ann,) = await hosted.come("Ann")
        host, dede = hosted.host, hosted.guest("Dede")
        with pytest.raises(AuthenticationFailed) as refused:
            await dede.come_back()
        assert refused.value.why is Rejection.NOT_SEATED
        host.entrance.guest_keys.admit(dede.key.public, FAR, 0, is_new=False)
        host.entrance.guest_keys._until[dede.key.public] = float("inf")
        await dede.come_back()
        sessions = hosted.table.room.sessions
        assert {session.address for session in sessions.connected.values()} == {NEAR, FAR}
        assert await ann.wants(Kick(dede.state.status.member)) is None
        again = Guest("Dede", hosted.port, dede.key)
        again.pin = dede.pin
        await asyncio.sleep(0)
        host.entrance.guest_keys.note_entry(dede.key.public)
        coming = asyncio.create_task(again.come_back())
        await until(lambda: again.farewell is CloseReason.KICKED)
        coming.cancel()
        assert not host.is_known(dede.key.public), "no door opens to it"


async def test_a_door_is_switched_by_the_host_told_of_kept_in_the_journal_and_closed(
    where: Path,
) -> None:
    options = replace(QUICK, doors={DoorKind.SSH: serve_by(("-c", ASKS), where)})
    key = SeatKey.new()
    async with run(new_table(where, key, SMALL), key, options) as hosted:
        (ann,) = await hosted.come("Ann")
        assert await ann.wants(SwitchDoor(DoorKind.SSH, open=True)) is None
        await until(lambda: ann.state.status.doors == (DoorNow(DoorKind.SSH, 7351, "Gold Rush"),))
        assert await ann.wants(SwitchDoor(DoorKind.WEB, open=True)) is None
        missing = DoorNow(DoorKind.WEB, trouble=DoorTrouble.MISSING)
        await until(lambda: missing in ann.state.status.doors)
        path = hosted.table.journal.path
    async with run(resume(path), key, options) as hosted:
        assert hosted.table.doors == (DoorKind.SSH, DoorKind.WEB), "both are tried again"
        ann = await hosted.guest("Ann").come_back()
        await until(lambda: DoorNow(DoorKind.SSH, 7351, "Gold Rush") in ann.state.status.doors)
        assert await ann.wants(SwitchDoor(DoorKind.SSH, open=False)) is None
        await until(lambda: DoorNow(DoorKind.SSH) in ann.state.status.doors)
    table = resume(path)
    assert table.doors == ()
    table.journal.close()


@pytest.mark.parametrize(
    ("program", "trouble"),
    [(BREAKS, DoorTrouble.ENDED), (ENDS, DoorTrouble.ENDED), (FAILS, DoorTrouble.NO_PORT)],
)
async def test_a_door_that_breaks_is_told_of_and_hurts_nobody(
    program: str, trouble: DoorTrouble, where: Path
) -> None:
    key = SeatKey.new()
    table = replace(new_table(where, key, SMALL), doors=(DoorKind.SSH,))
    options = replace(QUICK, doors={DoorKind.SSH: serve_by(("-c", program), where)})
    async with run(table, key, options) as hosted:
        (ann,) = await hosted.come("Ann")
        await until(lambda: ann.state.status.doors == (DoorNow(DoorKind.SSH, trouble=trouble),))
        assert await ann.wants(SwitchDoor(DoorKind.SSH, open=True)) is None


async def test_a_door_for_which_there_are_no_processes_left_is_told_of_and_opens_later(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_words: object, **_options: object) -> object:
        raise BlockingIOError

    options = replace(QUICK, doors={DoorKind.SSH: serve_by(("-c", ASKS), where)})
    key = SeatKey.new()
    async with run(new_table(where, key, SMALL), key, options) as hosted:
        (ann,) = await hosted.come("Ann")
        with monkeypatch.context() as crowded:
            crowded.setattr("subprocess.Popen", refuse)
            assert await ann.wants(SwitchDoor(DoorKind.SSH, open=True)) is None
            ended = DoorNow(DoorKind.SSH, trouble=DoorTrouble.ENDED)
            await until(lambda: ann.state.status.doors == (ended,), 20)
        assert await ann.wants(SwitchDoor(DoorKind.SSH, open=True)) is None
        await until(lambda: ann.state.status.doors == (DoorNow(DoorKind.SSH, 7351, "Gold Rush"),))


async def test_a_new_code_takes_back_what_a_door_has_admitted(where: Path) -> None:
    async with hosting(where, SMALL) as hosted:
        (ann,) = await hosted.come("Ann")
        keys = hosted.host.entrance.guest_keys
        keys.admit(b"x", FAR, 0, is_new=True)
        keys._until[b"x"] = float("inf")
        assert await ann.wants(NewCode()) is None
        await until(lambda: not keys.may_enter(b"x", 0))


async def test_who_came_to_a_door_while_the_table_was_open_has_to_prove_the_code_once_it_is_not(
    where: Path,
) -> None:
    async with hosting(where, SMALL) as hosted:
        (ann,) = await hosted.come("Ann")
        table = hosted.host.entrance.door_table()
        proven = answer(table, TryCode(1, FAR, str(CODE)), 0)
        assert await ann.wants(ChangeSettings(replace_field(SMALL, is_open=True))) is None
        assert answer(table, Admit(2, b"a", FAR, is_new=True, renewed=proven.renewed), 0).yes
        unproven = answer(table, TryCode(3, FAR, ""), 0)
        assert unproven.yes
        assert await ann.wants(ChangeSettings(replace_field(SMALL, is_open=False))) is None
        assert not table.keys.may_enter(b"a", 0)
        assert not answer(table, Admit(4, b"b", FAR, is_new=True, renewed=unproven.renewed), 0).yes


async def test_who_began_to_prove_the_code_before_it_was_renewed_is_not_let_in(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosting(where, SMALL) as hosted:
        (ann,) = await hosted.come("Ann")
        entrance, trusts = hosted.host.entrance, list[TableTrust]()
        make = entrance._trust

        def remember() -> TableTrust:
            trusts.append(make())
            return trusts[-1]

        monkeypatch.setattr(entrance, "_trust", remember)
        mallory = hosted.guest("Mallory")
        connection = await connect(HERE, hosted.port)
        await until(lambda: bool(trusts))
        assert await ann.wants(NewCode()) is None
        old = ClientHandshake.join(connection.fingerprint, OURS, mallory.key, CODE)
        await authenticate(connection, old)
        with pytest.raises(ConnectionFailed):
            await connection.recv()
        assert [person.name for person in ann.lobby.people] == ["Ann"]


@pytest.mark.skipif(sys.platform != "linux", reason="not every system has waitid")
def test_a_door_that_has_ended_is_reaped_when_the_next_one_opens() -> None:
    table_side._start(("-c", "pass")).close()
    ended = table_side._started[-1]
    if sys.platform == "linux":  # so that types know, too
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)  # it is left to be reaped
    table_side._start(("-c", "pass")).close()
    assert ended.returncode == 0
    assert ended not in table_side._started
