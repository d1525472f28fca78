"""A copy of the log on disk, as bytes: it is read as far as it was written, and holds no secret."""

from __future__ import annotations

import zlib

import msgspec
import pytest

from net.client.copy_format import SavedCopy, SavedUpTo, due_write, read_copy
from net.client.log_copy import LogCopy
from net.client.state import ClientState
from net.protocol.messages import Mark
from net.room.sealing import SealedLog
from net.room.state import Step, write
from net.security.sealing import open_share
from tests.net.client.electors import FOUNDING, TABLE, copy_of
from tests.net.room.sealed_table import SealedTable, member, seat_key
from tests.net.room.test_copies import copy_of as copy_at
from tests.net.room.test_copies import dealt, opened

RUNNING = bytes(range(16))
LATER = bytes(range(16, 32))


def grown(copy: LogCopy, steps: int) -> LogCopy:
    """A copy after so many more steps."""
    longer = LogCopy()
    longer.restore(copy.founding, [*copy.steps, *(write(Step(id=n)) for n in range(steps))])
    longer.revision = copy.revision
    return longer


def written(copy: LogCopy, running: bytes = RUNNING) -> tuple[bytes, SavedUpTo]:
    """A whole file, and what it has."""
    due = due_write(None, copy, TABLE, running)
    assert due is not None
    assert due.is_whole
    return due.data, due.saved


def in_two_writes() -> tuple[bytes, bytes]:
    """A file of five steps, and what is appended for two more."""
    copy = copy_of(5)
    data, saved = written(copy)
    more = due_write(saved, grown(copy, 2), TABLE, LATER)
    assert more is not None
    assert not more.is_whole
    return data, more.data


def test_a_copy_is_read_as_it_was_written_and_appended_to() -> None:
    data, more = in_two_writes()
    steps = tuple(grown(copy_of(5), 2).steps)
    assert read_copy(data) == SavedCopy(TABLE, FOUNDING, steps[:5], Mark(5, RUNNING))
    assert read_copy(data + more) == SavedCopy(TABLE, FOUNDING, steps, Mark(7, LATER))


def test_a_file_that_is_up_to_date_is_not_written_nor_is_an_empty_copy() -> None:
    copy = copy_of(5)
    _, saved = written(copy)
    assert due_write(saved, copy, TABLE, RUNNING) is None
    assert due_write(None, LogCopy(), TABLE, RUNNING) is None


def test_a_copy_that_is_renewed_is_written_anew() -> None:
    copy = copy_of(5)
    _, saved = written(copy)
    copy.restore(FOUNDING, copy.steps[:3])
    due = due_write(saved, copy, TABLE, LATER)
    assert due is not None
    assert due.is_whole
    assert read_copy(due.data) == SavedCopy(TABLE, FOUNDING, tuple(copy.steps), Mark(3, LATER))


def test_a_copy_that_is_too_long_for_any_evening_is_written_no_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copy = copy_of(5)
    monkeypatch.setattr("net.client.log_copy.MAX_COPY_BYTES", 10)
    assert due_write(None, copy, TABLE, RUNNING) is None


def test_wherever_a_write_was_cut_off_all_before_it_is_read() -> None:
    data, more = in_two_writes()
    for cut in range(len(more)):
        saved = read_copy(data + more[:cut])
        assert saved is not None
        assert saved.mark == Mark(5, RUNNING)
    for cut in range(len(data)):
        assert read_copy(data[:cut]) is None


def test_a_bit_that_the_disk_has_turned_ends_what_is_read() -> None:
    data, more = in_two_writes()
    for at in range(0, len(more), 7):
        spoilt = bytearray(more)
        spoilt[at] ^= 4
        saved = read_copy(data + bytes(spoilt) + more)
        assert saved is not None
        assert saved.mark == Mark(5, RUNNING)


def test_steps_of_another_program_at_the_same_seat_that_do_not_follow_are_left_out() -> None:
    data, more = in_two_writes()
    saved = read_copy(data + more + more)
    assert saved is not None
    assert saved.mark == Mark(7, LATER)


def record(content: object) -> bytes:
    """A whole record, whatever is in it."""
    payload = msgspec.msgpack.encode(content)
    return len(payload).to_bytes(4, "big") + zlib.crc32(payload).to_bytes(4, "big") + payload


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"no copy at all",
        record("no head") + record([1, copy_of(1).steps, RUNNING]),
        record([1, TABLE, b"no founding"]) + record([1, copy_of(1).steps, RUNNING]),
        record([9, TABLE, FOUNDING]) + record([1, copy_of(1).steps, RUNNING]),
        record([1, TABLE, FOUNDING]),
        record([1, TABLE, FOUNDING]) + record("no steps"),
        record([1, TABLE, FOUNDING]) + record([1, [b"\xc1"], RUNNING]),
        record([1, TABLE, FOUNDING]) + record([1, [], RUNNING]),
    ],
)
def test_what_is_no_copy_of_this_format_is_not_read(spoilt: bytes) -> None:
    assert read_copy(spoilt) is None


# What a program has of it after a restart.


def restarted(table: SealedTable, name: str, mark: Mark) -> ClientState:
    """Somebody's program, begun again with what is on disk."""
    copy = copy_at(table, name)
    saved = read_copy(written(copy, table.room.state.running)[0])
    assert saved is not None
    state = ClientState(name, key=seat_key(name), mark=mark)
    state.restore(saved)
    return state


def test_a_program_that_is_restarted_has_its_copy_and_two_can_open_it() -> None:
    table = dealt("Ann", "Ben", "Cleo")
    state = restarted(table, "Ben", Mark(3, RUNNING))
    assert state.copy.position == copy_at(table, "Ben").position
    assert opened(state.copy, "Ben", "Cleo") == table.room.state
    assert state.mark == Mark(table.room.state.number, table.room.state.running)


def test_a_copy_of_another_past_than_was_seen_last_is_not_used() -> None:
    table = dealt("Ann", "Ben", "Cleo")
    state = restarted(table, "Ben", Mark(table.room.state.number, RUNNING))
    assert not state.copy.last
    later = Mark(table.room.state.number + 1, RUNNING)
    behind = restarted(table, "Ben", later)
    assert behind.mark == later
    assert behind.copy.last == later.step - 1


def test_the_file_shows_no_act_no_seed_and_no_key_of_a_game() -> None:
    table = dealt("Ann", "Ben", "Cleo", moves=20)
    state = table.room.state
    assert state.record is not None
    shares = [open_own(name, table) for name in ("Ben", "Cleo")]
    sealer = table.room._table.sealer
    assert sealer is not None
    secrets = [state.share, *state.record.seeds, sealer._key, *shares]
    for name in ("Ann", "Ben", "Cleo"):
        data, _ = written(copy_at(table, name), state.running)
        assert all(len(secret) >= 16 and secret not in data for secret in secrets)
        assert seat_key(name).secret not in data
        steps = read_copy(data)
        assert steps is not None
        sealed = [step for step in table.steps if step.sealed]
        assert len(sealed) > 20
        assert not any(step.act or step.share for step in sealed)


def open_own(name: str, table: SealedTable) -> bytes:
    """Somebody's share of the key, opened with their seat key."""
    return open_share(seat_key(name), SealedLog(table.steps).share_of(member(name)))
