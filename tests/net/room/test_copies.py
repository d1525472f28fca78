"""Copies of the log: who keeps one, that two open it, and that one alone learns nothing by it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import Phase
from net.client.log_copy import LogCopy
from net.client.state import ClientState
from net.protocol.framing import BadFrame
from net.protocol.lobby import Settings
from net.protocol.messages import (
    CommandRefused,
    LogPart,
    LogWanted,
    Past,
    Refusal,
    Snapshot,
    StepFrame,
    Welcome,
)
from net.protocol.requests import Chat, Leave, PlayAgain, SetReady, Sit, Start
from net.room import copies, inputs
from net.room.sealing import SealedLog
from net.room.state import RoomState, read_step, write
from net.room.steps import load
from net.secure.sealing import SealBroken, open_share, unseal
from tests.net.room.room_fixture import play_on
from tests.net.room.sealed_table import SealedTable, member, seat_key, seat_people

ONE_ROUND = Settings(seats=3, rounds=1)
BEAT = 2.5
"""Seconds in which everybody sends a heartbeat."""


def copy_of(table: SealedTable, name: str) -> LogCopy:
    """The copy that somebody's program keeps."""
    return table.people[name].client.copy


def open_copy(copy: LogCopy, *names: str) -> RoomState:
    """The table that a copy opens to with the shares of these people."""
    log = SealedLog([read_step(payload) for payload in copy.steps])
    room = inputs.resume(copy.founding, copy.steps, 9, lambda: bytes(32), 0.0, seals=True)
    for name in names:
        share = open_share(seat_key(name), log.share_of(member(name)))
        assert log.give(member(name), share)
    load(room, log)
    return room.state


def deal_with_copies(*names: str, settings: Settings = ONE_ROUND, moves: int = 5) -> SealedTable:
    """A game whose people's programs have their copies before it begins, some moves on."""
    table = SealedTable(settings)
    for name in names:
        table.come(name)
    table.wait(BEAT)
    for name in names:
        assert table.wants(name, SetReady(ready=True)) is None
    assert table.wants("Ann", Start()) is None
    play_on(table, moves)
    return table


def test_the_programs_of_all_who_play_keep_the_log_and_any_two_but_the_host_open_it() -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo")
    for name in ("Ann", "Ben", "Cleo"):
        assert copy_of(table, name).steps == table.disk
        assert copy_of(table, name).founding == table.kept
        assert open_copy(copy_of(table, name), "Ben", "Cleo") == table.room.state


def test_a_watcher_keeps_none_and_is_given_none() -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo")
    wim = table.come("Wim", watch=True)
    play_on(table, 3)
    table.wait(BEAT)
    table.say(wim, LogWanted(0))
    assert not copy_of(table, "Wim").last
    assert not any(isinstance(one, LogPart) for one in wim.got)
    assert not any(one.sealed for one in wim.got if isinstance(one, StepFrame))


def test_at_a_table_of_two_people_there_are_none_as_the_guests_share_is_the_whole_key() -> None:
    table = seat_people("Ann", "Ben", settings=ONE_ROUND)
    table.wait(BEAT)
    for name in ("Ann", "Ben"):
        table.say(table.people[name], LogWanted(0))
        got = table.people[name].got
        assert not copy_of(table, name).last
        assert not any(isinstance(one, LogPart) for one in got)
        assert not any(one.sealed for one in got if isinstance(one, StepFrame))


def test_what_everybody_is_sent_shows_no_seed_and_no_share_of_the_host() -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo", moves=20)
    table.wait(BEAT)
    record = table.room.state.record
    assert record is not None
    secrets = [table.room.state.share, *record.seeds]
    for guest in table.people.values():
        told = b"".join(one.sealed for one in guest.got if isinstance(one, StepFrame))
        told += b"".join(b"".join(one.steps) for one in guest.got if isinstance(one, LogPart))
        assert told
        assert not any(secret in told for secret in secrets)


def test_all_steps_of_a_move_are_of_one_length_and_fit_the_smallest_frame() -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo", moves=30)
    frames = [one for one in table.people["Ben"].got if isinstance(one, StepFrame) and one.events]
    assert len({len(one.sealed) for one in frames[1:] if not one.yours}) == 1


def test_a_copy_that_is_asked_for_late_opens_alike() -> None:
    table = seat_people("Ann", "Ben", "Cleo", settings=ONE_ROUND)
    table.wait(BEAT)
    play_on(table, 4)
    assert copy_of(table, "Ben").last == table.room.state.number
    assert open_copy(copy_of(table, "Ben"), "Ben", "Cleo") == table.room.state


def test_a_program_that_missed_steps_has_them_from_the_replayed_frames() -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo")
    inputs.drop_connection(table.room, table.now, table.people["Ben"].connection)
    table.people["Ben"].client.end_connection()
    assert table.wants("Ann", Chat("Ben?")) is None
    table.come("Ben")
    assert copy_of(table, "Ben").steps == table.disk


def test_after_a_snapshot_what_was_missed_is_asked_for_at_once() -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo")
    inputs.drop_connection(table.room, table.now, table.people["Ben"].connection)
    client = table.people["Ben"].client
    client.end_connection()
    table.people["Ben"].forget()
    assert table.wants("Ann", Chat("Ben?")) is None
    assert client.copy.last < table.room.state.number
    table.come("Ben")
    told = [type(one) for one in table.people["Ben"].got]
    assert told[:3] == [Welcome, Past, Snapshot]
    assert LogPart in told
    assert client.copy.steps == table.disk


def test_when_a_game_is_over_its_copies_are_in_the_clear_and_the_next_is_sealed() -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo", moves=1000)
    assert table.room.state.phase is Phase.OVER
    table.wait(BEAT)
    assert copy_of(table, "Cleo").steps == table.disk
    assert open_copy(copy_of(table, "Cleo")) == table.room.state
    assert table.wants("Ann", PlayAgain()) is None
    assert table.wants("Ann", Start()) is None
    play_on(table, 4)
    assert copy_of(table, "Cleo").steps == table.disk
    assert open_copy(copy_of(table, "Cleo"), "Ben", "Cleo") == table.room.state


def test_a_draw_that_is_void_leaves_no_sealed_step_in_a_copy() -> None:
    table = SealedTable(Settings(seats=4, rounds=1))
    for name in ("Ann", "Ben", "Cleo", "Dede"):
        table.come(name)
    table.wait(BEAT)
    for name in ("Ann", "Ben", "Cleo", "Dede"):
        assert table.wants(name, SetReady(ready=True)) is None
    inputs.drop_connection(
        table.room, table.now, table.people["Cleo"].connection
    )  # so that the draw waits
    assert table.wants("Ann", Start()) is None
    assert copy_of(table, "Ben").last == table.room.state.number
    assert table.lobby.is_drawing
    assert table.wants("Dede", Leave()) is None
    assert table.lobby.draw is None
    table.wait(BEAT, "Cleo")
    assert copy_of(table, "Ben").steps == table.disk


def test_who_comes_and_goes_changes_whose_shares_open_the_copies() -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo", "Dede", settings=Settings(seats=4, rounds=1))
    before = [one for one in copy_of(table, "Ben").steps if read_step(one).epoch]
    assert table.wants("Dede", Leave()) is None
    after = [one for one in copy_of(table, "Ben").steps if read_step(one).epoch]
    assert len(after) == len(before) + 1
    assert open_copy(copy_of(table, "Ben"), "Ben", "Cleo") == table.room.state


def test_whoever_was_the_only_guest_cannot_read_what_was_sealed_then() -> None:
    table = seat_people("Ann", "Ben", settings=Settings(seats=3, rounds=2), moves=1000)
    assert table.room.state.phase is Phase.DEAL
    table.kill()
    table.come("Ann")
    table.come("Ben")  # and gives the share, which is the key
    old = [step.epoch for step in table.steps if step.epoch]
    keys = [open_share(seat_key("Ben"), epoch.shares[0].sealed) for epoch in old]
    table.come("Cleo", watch=True)
    assert table.wants("Cleo", Sit(2)) is None
    table.wait(BEAT)
    copy = [read_step(payload) for payload in copy_of(table, "Ben").steps]
    assert open_copy(copy_of(table, "Ben"), "Ben", "Cleo") == table.room.state
    sealed = [(number, step) for number, step in enumerate(copy, 1) if step.sealed]
    assert len(sealed) > 10
    for key in keys:
        for number, step in sealed:
            clear = replace(step, sealed=b"", epoch=None)
            with pytest.raises(SealBroken):
                unseal(key, number, step.sealed, write(clear))
    (epoch,) = [step.epoch for step in copy if step.epoch]
    assert [share.member for share in epoch.shares] == [member("Ben"), member("Cleo")]
    assert not epoch.previous
    assert not epoch.key


def test_a_copy_that_lags_is_begun_anew_with_a_new_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MAX_PART_BYTES", 1)
    table = seat_people("Ann", "Ben", "Cleo", "Dede", settings=Settings(seats=4, rounds=1))
    ben, newest = table.people["Ben"], table.room.state.number
    copy = ben.client.copy
    copy.forget()
    while (after := copy.find_gap(newest)) is not None and after < newest - 3:
        table.now += 1  # for one step, as a host sends no more at once
        table.say(ben, LogWanted(after))
    assert table.wants("Dede", Leave()) is None
    again = copy.find_gap(newest)
    assert again is not None
    assert after is not None
    assert again < after - 3, "all that is sealed is asked for again"
    table.wait(40)
    assert open_copy(copy, "Ben", "Cleo") == table.room.state


def test_a_game_that_ends_while_its_copy_is_asked_for_leaves_nothing_sealed_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(copies, "MAX_PART_BYTES", 1)
    table = seat_people("Ann", "Ben", "Cleo", settings=ONE_ROUND, moves=20)
    copy_of(table, "Ben").forget()
    table.wait(15)
    assert copy_of(table, "Ben").find_gap(table.room.state.number), "some of it has come"
    play_on(table)
    table.wait(200)
    assert copy_of(table, "Ben").steps == table.disk


def test_until_a_copy_is_renewed_the_old_one_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MAX_PART_BYTES", 1)
    table = deal_with_copies("Ann", "Ben", "Cleo", moves=1000)
    assert table.room.state.phase is Phase.OVER
    copy = copy_of(table, "Ben")
    assert copy.find_gap(table.room.state.number) is not None
    assert copy.last == table.room.state.number
    assert open_copy(copy, "Ben", "Cleo") == table.room.state
    table.wait(200)
    assert copy.steps == table.disk


def test_a_copy_after_a_rollback_is_that_of_the_present_table() -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo")
    del table.disk[-2:]
    table.kill()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    assert table.people["Ben"].client.status.undone is not None
    table.wait(BEAT)
    assert open_copy(copy_of(table, "Ben"), "Ben", "Cleo") == table.room.state


def test_a_long_log_comes_in_parts_and_no_faster_than_a_host_can_bear() -> None:
    table = SealedTable(ONE_ROUND)
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    for number in range(400):
        table.now += 1
        assert table.wants("Cleo", Chat(f"{number:>3} " + "x" * 150)) is None
    ben = table.people["Ben"]
    ben.client.copy.forget()
    already = len(ben.got)
    table.wait(BEAT)
    parts = [one for one in ben.got[already:] if isinstance(one, LogPart)]
    assert len(parts) > 2
    assert [one.first for one in parts] == [
        1 + sum(len(one.steps) for one in parts[:count]) for count in range(len(parts))
    ]
    assert all(sum(map(len, one.steps)) < 32 * 1024 for one in parts)
    assert ben.client.copy.steps == table.disk
    for _ in range(20):
        table.say(ben, LogWanted(0))
    assert not ben.ended
    assert len([one for one in ben.got if isinstance(one, LogPart)]) <= len(parts) + 8


def lagging() -> tuple[ClientState, StepFrame]:
    """A client whose copy is as far as the table, and the frame of the last step, to come again."""
    table = deal_with_copies("Ann", "Ben", "Cleo")
    frame = [one for one in table.people["Ben"].got if isinstance(one, StepFrame)][-1]
    return table.people["Ben"].client, replace(frame, step=frame.step + 1)


@pytest.mark.parametrize("sealed", [b"\xc1", b"\x91\xc0", b"\x80"])
def test_what_is_no_step_ends_the_connection(sealed: bytes) -> None:
    client, frame = lagging()
    assert client.status.lobby is not None
    copy, last = client.copy, client.copy.last
    with pytest.raises(BadFrame):
        copy.follow(replace(frame, sealed=sealed), client.status.lobby, Phase.PLAY)
    with pytest.raises(BadFrame):
        client.receive(LogPart(last + 1, b"", (sealed,)))
    assert copy.last == last
    with pytest.raises(BadFrame):
        LogCopy().take(LogPart(1, b"\xc1", ()), 0)


def test_a_part_that_does_not_follow_or_is_of_the_future_is_left_out() -> None:
    client, frame = lagging()
    assert client.status.lobby is not None
    copy, step, last = client.copy, frame.sealed, client.copy.last
    copy.take(LogPart(last + 1, b"", (step,)), last + 1)
    assert copy.last == last, "nothing was asked for"
    steps = copy.steps
    copy.renew()
    begun = copy.find_gap(last)
    assert begun is not None
    rest = tuple(steps[begun:])
    copy.take(LogPart(begun + 2, b"", rest[1:]), last)
    copy.take(LogPart(begun + 1, b"", (*rest, step)), last)
    assert copy.find_gap(last) == begun
    copy.take(LogPart(begun + 1, b"", rest), last)
    assert copy.find_gap(last) is None
    assert copy.steps == steps
    newcomer = ClientState("Eva")
    assert newcomer.receive(LogPart(1, b"", (step,))).send == ()
    assert not newcomer.copy.last


def test_a_copy_that_is_too_long_for_any_evening_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo", moves=20)
    copy = copy_of(table, "Ben")
    monkeypatch.setattr("net.client.log_copy.MAX_COPY_BYTES", 1000)
    play_on(table, 2)
    table.wait(BEAT)
    begun = copy.find_gap(table.room.state.number)
    assert begun is None
    founding = copy.founding
    copy.take(LogPart(1, b"", ()), table.room.state.number)
    assert copy.founding == founding


def test_nobody_new_comes_once_the_log_is_so_long_that_its_copies_could_become_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo")
    monkeypatch.setattr("net.room.copies.LONG_LOG_BYTES", sum(map(len, table.disk)) + 100)
    table.come("Wim", watch=True)
    assert table.wants("Ann", Chat("a word, and another one, and so on")) is None
    table.come("Xan", watch=True)
    assert table.people["Xan"].got[-1] == CommandRefused(0, Refusal.TABLE_FULL)
    assert table.wants("Ann", Chat("those who are here go on")) is None
    table.come("Ben")
    table.kill()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    table.come("Xan", watch=True)
    assert table.people["Xan"].got[-1] == CommandRefused(0, Refusal.TABLE_FULL)
