"""What a door may ask its table: codes are counted by the guest's address, and keys admitted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from net.lobby.model import Settings
from net.protocol.messages import DoorNow, DoorTrouble, GuessAlarm
from net.protocol.requests import ChangeSettings, DoorKind, Kick, NewCode, SwitchDoor
from net.security.client import Rejection
from net.security.code import RoomCode
from net.security.guess_limiter import ALARM, GOES, GuessLimiter, WrongCodes
from net.security.keys import SeatKey
from net.security.pake import CodeExchange, PakeSide
from net.server.doors import (
    ADMISSION_S,
    MAX_GUEST_KEYS,
    Admit,
    DoorAnswer,
    DoorOrder,
    DoorTable,
    GuestKeys,
    Settle,
    TryCode,
    TryExchange,
    answer,
    settle,
)
from net.server.tables import resume
from net.transport.authenticate import AuthenticationFailed
from tests.net.server.served_table import (
    CODE,
    OTHER_CODE,
    QUICK,
    SMALL,
    Guest,
    hosting,
    new_table,
    run,
    until,
)

ORDER = DoorOrder("0123456789abcdef", "Gold Rush", 7341, bytes(32), "/nowhere")
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


def desk(
    code: Callable[[], RoomCode | None] = lambda: CODE, seats: tuple[bytes, ...] = ()
) -> tuple[DoorTable, list[WrongCodes]]:
    alarms: list[WrongCodes] = []
    table = DoorTable(
        ORDER,
        code,
        GuessLimiter(),
        GuestKeys(),
        lambda key: key in seats,
        alarms.append,
        lambda _now: None,
    )
    return table, alarms


def test_a_code_typed_at_a_door_is_a_guess_of_the_guests_own_address() -> None:
    table, alarms = desk()
    for number in range(GOES):
        assert answer(table, TryCode(number, FAR, str(OTHER_CODE)), 100) == DoorAnswer(number)
    for number in range(3):  # the queue's free ones
        assert answer(table, TryCode(number, FAR, str(OTHER_CODE)), 100) == DoorAnswer(number)
    assert alarms == [WrongCodes(ALARM)]
    assert answer(table, TryCode(9, FAR, str(CODE)), 100).wait > 0
    assert answer(table, TryCode(9, NEAR, "Lantern tiger"), 100) == DoorAnswer(9, yes=True)
    assert table.guesses.wrong_codes == ALARM


@pytest.mark.parametrize("typed", ["", "lantern", "no such-code", "x" * 1000, "\x1b[2J"])
def test_what_is_no_code_at_all_is_wrong_and_no_guess(typed: str) -> None:
    table, _alarms = desk()
    for number in range(100):
        assert answer(table, TryCode(number, FAR, typed), 100) == DoorAnswer(number)
    assert table.guesses.wrong_codes == 0
    assert answer(table, TryCode(1, FAR, str(CODE)), 100).yes


def test_an_open_table_asks_nobody_for_a_code() -> None:
    table, _alarms = desk(lambda: None)
    assert answer(table, TryCode(1, FAR, ""), 100).yes


def test_a_key_without_a_seat_is_admitted_only_for_who_has_proven_the_code() -> None:
    table, _alarms = desk(seats=(b"seated",))
    assert not answer(table, Admit(1, b"other", FAR, is_new=False), 100).yes
    assert not table.keys.may_enter(b"other", 100)
    assert answer(table, Admit(2, b"seated", FAR, is_new=False), 100).yes
    assert answer(table, Admit(3, b"new", FAR, is_new=True), 100).yes
    assert table.keys.may_enter(b"new", 100 + ADMISSION_S)
    assert not table.keys.may_enter(b"new", 101 + ADMISSION_S)


def test_an_admission_is_used_up_by_entering_and_taken_back_with_the_code() -> None:
    keys = GuestKeys()
    for key in (b"a", b"b"):
        keys.admit(key, FAR, 0, is_new=True)
    keys.has_entered(b"a")
    assert not keys.may_enter(b"a", 1)
    assert keys.may_enter(b"b", 1)
    keys.revoke()
    assert not keys.may_enter(b"b", 1)


def test_only_so_many_keys_are_remembered() -> None:
    keys = GuestKeys()
    for number in range(MAX_GUEST_KEYS + 1):
        keys.admit(b"%d" % number, FAR, 0, is_new=True)
    assert keys.address_of(b"0", NEAR) == NEAR
    assert not keys.may_enter(b"0", 0)
    assert keys.address_of(b"1", NEAR) == FAR


async def test_an_admitted_key_enters_once_from_the_guests_address_and_no_other_key_does(
    where: Path,
) -> None:
    async with hosting(where, SMALL) as hosted:
        (ann,) = await hosted.come("Ann")
        host, dede = hosted.host, hosted.guest("Dede")
        with pytest.raises(AuthenticationFailed) as refused:
            await dede.come_back()
        assert refused.value.rejected.why is Rejection.NOT_SEATED
        host._guest_keys.admit(dede.key.public, FAR, 0, is_new=False)
        host._guest_keys._until[dede.key.public] = float("inf")
        await dede.come_back()
        sessions = hosted.table.room._table.sessions
        assert {one.address for one in sessions.connected.values()} == {NEAR, FAR}
        assert await ann.wants(Kick(dede.state.member)) is None
        again = Guest("Dede", hosted.port, dede.key)
        again.pin = dede.pin
        await asyncio.sleep(0)
        host._guest_keys.has_entered(dede.key.public)
        with pytest.raises(AuthenticationFailed):
            await again.come_back()


async def test_a_door_is_switched_by_the_host_told_of_kept_in_the_journal_and_closed(
    where: Path,
) -> None:
    options = replace(QUICK, doors={DoorKind.SSH: ("-c", ASKS)})
    key = SeatKey.new()
    async with run(new_table(where, key, SMALL), key, options) as hosted:
        (ann,) = await hosted.come("Ann")
        assert await ann.wants(SwitchDoor(DoorKind.SSH, open=True)) is None
        await until(lambda: ann.state.doors == (DoorNow(DoorKind.SSH, 7351, "Gold Rush"),))
        assert await ann.wants(SwitchDoor(DoorKind.WEB, open=True)) is None
        missing = DoorNow(DoorKind.WEB, trouble=DoorTrouble.MISSING)
        await until(lambda: missing in ann.state.doors)
        path = hosted.table.journal.path
    async with run(resume(path), key, options) as hosted:
        assert hosted.table.doors == (DoorKind.SSH, DoorKind.WEB), "both are tried again"
        ann = await hosted.guest("Ann").come_back()
        await until(lambda: DoorNow(DoorKind.SSH, 7351, "Gold Rush") in ann.state.doors)
        assert await ann.wants(SwitchDoor(DoorKind.SSH, open=False)) is None
        await until(lambda: DoorNow(DoorKind.SSH) in ann.state.doors)
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
    options = replace(QUICK, doors={DoorKind.SSH: ("-c", program)})
    async with run(table, key, options) as hosted:
        (ann,) = await hosted.come("Ann")
        await until(lambda: ann.state.doors == (DoorNow(DoorKind.SSH, trouble=trouble),))
        assert await ann.wants(SwitchDoor(DoorKind.SSH, open=True)) is None


async def test_a_new_code_takes_back_what_a_door_has_admitted(where: Path) -> None:
    async with hosting(where, SMALL) as hosted:
        (ann,) = await hosted.come("Ann")
        keys = hosted.host._guest_keys
        keys.admit(b"x", FAR, 0, is_new=True)
        keys._until[b"x"] = float("inf")
        assert await ann.wants(NewCode()) is None
        await until(lambda: not keys.may_enter(b"x", 0))


async def test_the_hosts_alarm_counts_the_guesses_at_doors(where: Path) -> None:
    async with hosting(where, SMALL) as hosted:
        (ann,) = await hosted.come("Ann")
        table = hosted.host._door_table()
        for number in range(ALARM):
            answer(table, TryCode(number, f"192.0.2.{number}", str(OTHER_CODE)), 0)
        await until(lambda: GuessAlarm(ALARM) in ann.got)
        assert await ann.wants(ChangeSettings(Settings(seats=3, rounds=1, is_open=True))) is None
        assert answer(table, TryCode(1, FAR, ""), 0).yes


def exchanged(table: DoorTable, words: str, address: str, now: float) -> tuple[DoorAnswer, bytes]:
    """Run an exchange at a door with these words; the answer, and the guest's secret."""
    run = CodeExchange(PakeSide.CLIENT, words.encode(), b"page")
    said = answer(table, TryExchange(1, address, run.share(), b"page"), now)
    return said, run.key(said.share) if said.share else b""


def test_an_exchange_at_a_door_makes_a_secret_with_those_alone_who_know_the_code() -> None:
    table, _alarms = desk()
    right, secret = exchanged(table, str(CODE), FAR, 0.0)
    assert right.yes
    assert secret == right.secret
    wrong, secret = exchanged(table, str(OTHER_CODE), FAR, 0.0)
    assert wrong.yes
    assert secret != wrong.secret


def test_an_exchange_is_a_guess_of_the_guests_own_address_until_it_was_right() -> None:
    table, alarms = desk()
    for _ in range(GOES):
        assert exchanged(table, str(OTHER_CODE), FAR, 0.0)[0].yes
        settle(table, Settle(FAR, is_right=False), 0.0)
    for _ in range(10):
        said, _secret = exchanged(table, str(CODE), NEAR, 0.0)
        assert said.share
        settle(table, Settle(NEAR, is_right=True), 0.0)
    assert table.guesses.wrong_codes == GOES
    waits = [exchanged(table, str(CODE), FAR, 0.0)[0] for _ in range(10)]
    assert any(said.wait and not said.share for said in waits)
    for _ in range(ALARM - GOES):
        settle(table, Settle(FAR, is_right=False), 0.0)
    assert alarms == [WrongCodes(ALARM)]


def test_an_open_table_leaves_the_exchange_to_its_door_and_counts_nothing() -> None:
    table, _alarms = desk(lambda: None)
    for _ in range(10 * GOES):
        assert exchanged(table, "", FAR, 0.0) == (DoorAnswer(1, yes=True), b"")
    settle(table, Settle(FAR, is_right=False), 0.0)
    assert table.guesses.wrong_codes == 0


def test_a_share_that_is_none_is_answered_with_nothing() -> None:
    table, _alarms = desk()
    assert answer(table, TryExchange(1, FAR, b"A" + bytes(32), b""), 0.0) == DoorAnswer(1)
