"""What a table answers its doors: codes are counted by the guest's address, and keys admitted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from net.secure.code import RoomCode
from net.secure.handshake import CodeExchange, PakeSide
from net.secure.limits import (
    ADDRESS_TRIES,
    ALARM_WRONG_CODES,
    GuessLimiter,
)
from net.server.doors import ADMISSION_S, MAX_GUEST_KEYS, DoorTable, GuestKeys
from sabtui.doors.messages import (
    Admit,
    DoorAnswer,
    IsSeated,
    Settle,
    TryCode,
    TryExchange,
)
from sabtui.doors.table_side import answer, settle
from tests.net.server.served_table import CODE, OTHER_CODE

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


def test_a_code_typed_at_a_door_is_a_guess_of_the_guests_own_address() -> None:
    table, alarms = desk()
    for number in range(TRIES):
        assert answer(table, TryCode(number, FAR, str(OTHER_CODE)), 100) == DoorAnswer(number)
    for number in range(3):  # later ones
        assert answer(table, TryCode(number, FAR, str(OTHER_CODE)), 100) == DoorAnswer(number)
    assert alarms == [ALARM_WRONG_CODES]
    assert answer(table, TryCode(9, FAR, str(CODE)), 100).wait > 0
    assert answer(table, TryCode(9, NEAR, "Lantern tiger"), 100) == DoorAnswer(9, yes=True)
    assert table.guesses.wrong_codes == ALARM_WRONG_CODES


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


def test_a_door_may_ask_who_has_a_seat_and_nothing_follows_from_it() -> None:
    table, _alarms = desk(seats=(b"seated",))
    assert answer(table, IsSeated(1, b"seated"), 100) == DoorAnswer(1, yes=True)
    assert answer(table, IsSeated(2, b"other"), 100) == DoorAnswer(2)
    assert not table.keys.may_enter(b"seated", 100)
    assert table.keys.address_of(b"seated", NEAR) == NEAR


def test_an_admission_is_used_up_by_entering_and_taken_back_with_the_code() -> None:
    keys = GuestKeys()
    for key in (b"a", b"b"):
        keys.admit(key, FAR, 0, is_new=True)
    keys.note_entry(b"a")
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


def run_exchange(
    table: DoorTable, words: str, address: str, now: float
) -> tuple[DoorAnswer, bytes]:
    """Run an exchange at a door with these words; the answer, and the guest's secret."""
    run = CodeExchange(PakeSide.CLIENT, words.encode(), b"page")
    said = answer(table, TryExchange(1, address, run.share(), b"page"), now)
    return said, run.key(said.share) if said.share else b""


def test_an_exchange_at_a_door_makes_a_secret_with_those_alone_who_know_the_code() -> None:
    table, _alarms = desk()
    right, secret = run_exchange(table, str(CODE), FAR, 0.0)
    assert right.yes
    assert secret == right.secret
    wrong, secret = run_exchange(table, str(OTHER_CODE), FAR, 0.0)
    assert wrong.yes
    assert secret != wrong.secret


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


def test_an_open_table_leaves_the_exchange_to_its_door_and_counts_nothing() -> None:
    table, _alarms = desk(lambda: None)
    for _ in range(10 * TRIES):
        assert run_exchange(table, "", FAR, 0.0) == (DoorAnswer(1, yes=True), b"")
    settle(table, Settle(FAR, is_right=False), 0.0)
    assert table.guesses.wrong_codes == 0


def test_a_share_that_is_none_is_answered_with_nothing() -> None:
    table, _alarms = desk()
    assert answer(table, TryExchange(1, FAR, b"A" + bytes(32), b""), 0.0) == DoorAnswer(1)


def test_a_code_that_was_proven_before_it_was_renewed_admits_nobody() -> None:
    table, _alarms = desk(seats=(b"seated",))
    earlier = answer(table, TryCode(1, FAR, str(CODE)), 100)
    shared, _secret = run_exchange(table, str(CODE), NEAR, 100)
    table.keys.revoke()
    for renewed in (earlier.renewed, shared.renewed):
        assert not answer(table, Admit(2, b"new", FAR, is_new=True, renewed=renewed), 101).yes
        assert not table.keys.may_enter(b"new", 101)
    known = Admit(3, b"seated", FAR, is_new=True, renewed=earlier.renewed)
    assert answer(table, known, 101).yes, "their seat is theirs, whatever the code is"
    again = answer(table, TryCode(4, FAR, str(CODE)), 102)
    assert answer(table, Admit(5, b"new", FAR, is_new=True, renewed=again.renewed), 102).yes
