"""Doors beside a table: opened, closed and told of; what they may ask; who they admit, enters."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace as replace_field

from net.discovery.advert import OURS
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.messages import CloseReason
from net.protocol.requests import ChangeSettings, Kick, NewCode, SwitchDoor
from net.secure.code import RoomCode
from net.secure.connection import ConnectionFailed, authenticate, connect
from net.secure.handshake import (
    AuthenticationFailed,
    ClientHandshake,
    CodeExchange,
    PakeSide,
    Rejection,
    TableTrust,
)
from net.secure.keys import SeatKey
from net.secure.limits import ADDRESS_TRIES, ALARM_WRONG_CODES, GuessLimiter
from net.server.doors import ADMISSION_S, MAX_GUEST_KEYS, DoorTable, GuestKeys
from net.server.tables import resume
from net.tasks import cancel_and_wait
from sabtui.doors import serve_by, table_side
from sabtui.doors.table_link import (
    Admit,
    DoorAnswer,
    DoorOrder,
    IsSeated,
    Settle,
    TableLink,
    TryCode,
    TryExchange,
)
from sabtui.doors.table_side import answer, settle
from tests.net.server.served_table import (
    CODE,
    HERE,
    OTHER_CODE,
    QUICK,
    SMALL,
    Guest,
    hosting,
    new_table,
    run,
    until,
)

FAR, NEAR = "192.0.2.7", "127.0.0.1"
TRIES = int(ADDRESS_TRIES.burst)


def desk(
    code: Callable[[], RoomCode | None] = lambda: CODE, seats: tuple[bytes, ...] = ()
) -> tuple[DoorTable, list[int]]:
    alarms: list[int] = []
    table = DoorTable(
        "0123456789abcdef",
        "Gold Rush",
        7341,
        bytes(32),
        code,
        GuessLimiter(),
        GuestKeys(),
        lambda key: key in seats,
        alarms.append,
    )
    return table, alarms


async def test_a_link_to_the_table_ends_even_where_its_closing_is_cancelled() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        order = DoorOrder("0123456789abcdef", "Gold Rush", 7341, bytes(32), "", "en")
        ours.sendall(msgspec.json.encode(order) + b"\n")
        link = await TableLink.connect(theirs)
        closing = asyncio.create_task(link.close())
        await asyncio.sleep(0)
        await cancel_and_wait(closing)
        ours.setblocking(False)  # noqa: FBT003 - the library's own way
        async with asyncio.timeout(10):
            assert await asyncio.get_running_loop().sock_recv(ours, 1) == b""


def test_a_code_typed_at_a_door_is_a_guess_of_the_guests_own_address() -> None:
    table, alarms = desk()
    for _ in range(TRIES + 3):
        assert answer(table, TryCode(FAR, str(OTHER_CODE)), 100) == DoorAnswer()
    assert alarms == [ALARM_WRONG_CODES]
    assert answer(table, TryCode(FAR, str(CODE)), 100).wait > 0
    assert answer(table, TryCode(NEAR, "Lantern tiger"), 100) == DoorAnswer(yes=True)
    assert table.guesses.wrong_codes == ALARM_WRONG_CODES


def test_what_is_no_code_at_all_is_wrong_and_no_guess() -> None:
    table, _alarms = desk()
    for typed in ("", "lantern", "no such-code", "x" * 1000, "\x1b[2J") * 20:
        assert answer(table, TryCode(FAR, typed), 100) == DoorAnswer()
    assert table.guesses.wrong_codes == 0
    assert answer(table, TryCode(FAR, str(CODE)), 100).yes


def test_a_key_is_admitted_by_its_seat_or_until_it_enters_by_a_code_that_was_proven() -> None:
    table, _alarms = desk(seats=(b"seated",))
    assert answer(table, IsSeated(b"seated"), 100) == DoorAnswer(yes=True)
    assert answer(table, IsSeated(b"other"), 100) == DoorAnswer()
    assert table.keys.address_of(b"seated", NEAR) == NEAR, "nothing follows from the question"
    assert not answer(table, Admit(b"other", FAR, is_new=False), 100).yes
    assert answer(table, Admit(b"seated", FAR, is_new=False), 100).yes
    for key in (b"other", b"seated"):
        assert not table.keys.may_enter(key, 100)
    for key in (b"a", b"b"):
        assert answer(table, Admit(key, FAR, is_new=True), 100).yes
        assert table.keys.may_enter(key, 100 + ADMISSION_S)
        assert not table.keys.may_enter(key, 101 + ADMISSION_S)
    table.keys.note_entry(b"a")
    assert not table.keys.may_enter(b"a", 101)
    assert table.keys.may_enter(b"b", 101)
    table.keys.revoke()
    assert not table.keys.may_enter(b"b", 101)


def test_only_so_many_keys_are_remembered() -> None:
    keys = GuestKeys()
    for number in range(MAX_GUEST_KEYS + 1):
        keys.admit(b"%d" % number, FAR, 0, is_new=True)
    assert keys.address_of(b"0", NEAR) == NEAR
    assert not keys.may_enter(b"0", 0)
    assert keys.address_of(b"1", NEAR) == FAR


def run_exchange(
    table: DoorTable, words: str, address: str, now: float
) -> tuple[DoorAnswer, bytes]:
    """Run an exchange at a door with these words; the answer, and the guest's secret."""
    run = CodeExchange(PakeSide.CLIENT, words.encode(), b"page")
    said = answer(table, TryExchange(address, run.share(), b"page"), now)
    return said, run.key(said.share) if said.share else b""


def test_an_exchange_at_a_door_makes_a_secret_with_those_alone_who_know_the_code() -> None:
    table, _alarms = desk()
    for words in (CODE, OTHER_CODE):
        said, secret = run_exchange(table, str(words), FAR, 0.0)
        assert said.yes
        assert (secret == said.secret) is (words is CODE)
    assert answer(table, TryExchange(NEAR, b"A" + bytes(32), b""), 0.0) == DoorAnswer()


def test_an_exchange_is_a_guess_of_the_guests_own_address_until_it_was_right() -> None:
    table, alarms = desk()
    for _ in range(TRIES):
        assert run_exchange(table, str(OTHER_CODE), FAR, 0.0)[0].yes
        settle(table, Settle(FAR, is_right=False), 0.0)
    for _ in range(10):
        said, _secret = run_exchange(table, str(CODE), NEAR, 0.0)
        assert said.share
        settle(table, Settle(NEAR, is_right=True), 0.0)
    assert table.guesses.wrong_codes == TRIES
    waits = [run_exchange(table, str(CODE), FAR, 0.0)[0] for _ in range(10)]
    assert any(said.wait and not said.share for said in waits)
    for _ in range(ALARM_WRONG_CODES - TRIES):
        settle(table, Settle(FAR, is_right=False), 0.0)
    assert alarms == [ALARM_WRONG_CODES]


def test_an_open_table_asks_for_no_code_and_leaves_the_exchange_to_its_door() -> None:
    table, _alarms = desk(lambda: None)
    assert answer(table, TryCode(FAR, ""), 100).yes
    for _ in range(10 * TRIES):
        assert run_exchange(table, "", FAR, 0.0) == (DoorAnswer(yes=True), b"")
    settle(table, Settle(FAR, is_right=False), 0.0)
    assert table.guesses.wrong_codes == 0


def test_a_code_that_was_proven_before_it_was_renewed_admits_nobody() -> None:
    table, _alarms = desk(seats=(b"seated",))
    earlier = answer(table, TryCode(FAR, str(CODE)), 100)
    shared, _secret = run_exchange(table, str(CODE), NEAR, 100)
    table.keys.revoke()
    for renewed in (earlier.renewed, shared.renewed):
        assert not answer(table, Admit(b"new", FAR, is_new=True, renewed=renewed), 101).yes
        assert not table.keys.may_enter(b"new", 101)
    known = Admit(b"seated", FAR, is_new=True, renewed=earlier.renewed)
    assert answer(table, known, 101).yes, "their seat is theirs, whatever the code is"
    again = answer(table, TryCode(FAR, str(CODE)), 102)
    assert answer(table, Admit(b"new", FAR, is_new=True, renewed=again.renewed), 102).yes


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


async def test_what_a_door_has_admitted_is_taken_back_by_a_new_code_and_as_an_open_table_gets_one(
    where: Path,
) -> None:
    async with hosting(where, SMALL) as hosted:
        (ann,) = await hosted.come("Ann")
        table = hosted.host.entrance.door_table()
        assert answer(table, Admit(b"x", FAR, is_new=True), 0).yes
        assert await ann.wants(NewCode()) is None
        await until(lambda: not table.keys.may_enter(b"x", 0))
        proven = answer(table, TryCode(FAR, str(table.code())), 0)
        assert await ann.wants(ChangeSettings(replace_field(SMALL, is_open=True))) is None
        assert answer(table, Admit(b"a", FAR, is_new=True, renewed=proven.renewed), 0).yes
        unproven = answer(table, TryCode(FAR, ""), 0)
        assert unproven.yes
        assert await ann.wants(ChangeSettings(replace_field(SMALL, is_open=False))) is None
        assert not table.keys.may_enter(b"a", 0)
        assert not answer(table, Admit(b"b", FAR, is_new=True, renewed=unproven.renewed), 0).yes


async def test_somebody_who_began_to_prove_the_code_before_it_was_renewed_is_not_let_in(
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
