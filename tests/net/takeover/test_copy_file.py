"""The file of a copy of the log: a journal, written beside the session, that holds no secret."""

from __future__ import annotations

import asyncio
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from net.client.log_copy import LogCopy, SavedCopy
from net.client.session import Status
from net.client.state import ClientState
from net.client.trail import Rollback
from net.protocol.evening import Evening, EveningPlan, TargetUnit
from net.protocol.messages import Mark
from net.protocol.requests import Chat
from net.room import inputs
from net.room.sealing import SealedLog
from net.room.state import Step, write
from net.secure.sealing import open_share
from net.server.journal import Journal
from net.server.journal_errors import JournalUnwritable, Obstacle
from net.takeover.copy_file import MAX_FILE_BYTES, CopyFile, CopyKeeper
from tests.net.room.room_fixture import play_on
from tests.net.room.sealed_table import SealedTable, member, seat_key, seat_people
from tests.net.room.test_copies import BEAT, ONE_ROUND, deal_with_copies, open_copy
from tests.net.room.test_copies import copy_of as copy_at
from tests.net.takeover.electors import FOUNDING, TABLE, copy_of

RUNNING = bytes(range(16))
LATER = bytes(range(16, 32))


class SlowFile(CopyFile):
    """A file whose disk takes its time, or is full."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.may_write = threading.Event()
        self.may_write.set()
        self.is_full = False
        self.wholes: list[bool] = []

    def write(self, copy: SavedCopy | None) -> None:
        """Write, or fail."""
        assert self.may_write.wait(60)
        before = self._journal
        with pytest.MonkeyPatch.context() as patch:
            if self.is_full:
                patch.setattr(Journal, "commit", no_space)
            try:
                super().write(copy)
            finally:
                self.wholes.append(self._journal is not before)


def no_space(journal: Journal, _writes: object) -> None:
    """Fail as on a full disk."""
    raise JournalUnwritable(journal.path, Obstacle.FULL)


def kill_writer(file: CopyFile, cut: int | None = None) -> CopyFile:
    """The file as a kill leaves it now, of its log no more than up to `cut`."""
    left = CopyFile(file.path.parent / "killed" / file.path.name)
    left.path.parent.mkdir(exist_ok=True)
    for suffix in ("", "-wal"):
        here, there = (one.path.with_name(f"{one.path.name}{suffix}") for one in (file, left))
        there.unlink(missing_ok=True)
        if here.exists():
            there.write_bytes(here.read_bytes()[: cut if suffix else None])
    return left


class Kept:
    """Ben's program at a table, and the file of its copy."""

    def __init__(self, folder: Path, table: SealedTable) -> None:
        self.table = table
        self.file = SlowFile(folder / "ben.copy")
        self.keeper = CopyKeeper(self.file, self.copy)

    @property
    def copy(self) -> LogCopy:
        """The copy in memory."""
        return copy_at(self.table, "Ben")

    @property
    def status(self) -> Status:
        """What the session shows."""
        return self.table.people["Ben"].client.status

    async def note(self, change: Callable[[Status], Status] = lambda status: status) -> None:
        """Bring the file up to date."""
        self.keeper.note(TABLE, change(self.status))
        if self.keeper._writing is not None:
            await self.keeper._writing

    def read_saved(self) -> SavedCopy | None:
        """The copy on disk, as a later run of the program reads it."""
        return kill_writer(self.file).read()

    def steps(self) -> list[bytes]:
        """The steps on disk."""
        saved = self.read_saved()
        return [] if saved is None else list(saved.steps)


@pytest.fixture
def kept_copy(tmp_path: Path) -> Iterator[Kept]:
    made = Kept(tmp_path, deal_with_copies("Ann", "Ben", "Cleo"))
    yield made
    made.file.close()


async def test_the_file_follows_the_copy_and_only_what_is_new_is_written(kept_copy: Kept) -> None:
    await kept_copy.note()
    assert kept_copy.steps() == kept_copy.copy.steps
    play_on(kept_copy.table, 1)
    await kept_copy.note()
    assert kept_copy.steps() == kept_copy.copy.steps == kept_copy.table.disk
    assert kept_copy.file.wholes == [True, False]
    saved = kept_copy.read_saved()
    assert saved is not None
    assert (saved.table, saved.mark.hash) == (TABLE, kept_copy.table.room.state.running)


@pytest.mark.skipif(sys.platform == "win32", reason="has no modes")
async def test_the_file_is_its_owners_alone_and_nothing_else_is_left(kept_copy: Kept) -> None:
    await kept_copy.note()
    for part in kept_copy.file.path.parent.iterdir():
        assert stat.S_IMODE(part.stat().st_mode) == 0o600
    await kept_copy.keeper.close()
    assert stat.S_IMODE(kept_copy.file.path.stat().st_mode) == 0o600
    assert list(kept_copy.file.path.parent.iterdir()) == [kept_copy.file.path]


async def test_while_the_disk_is_slow_the_session_goes_on_and_the_rest_is_written_at_once(
    kept_copy: Kept,
) -> None:
    kept_copy.file.may_write.clear()
    for _ in range(5):
        kept_copy.keeper.note(TABLE, kept_copy.status)
        await asyncio.sleep(0)
        play_on(kept_copy.table, 1)
    kept_copy.keeper.note(TABLE, kept_copy.status)
    assert not kept_copy.file.path.exists()
    kept_copy.file.may_write.set()
    await kept_copy.keeper.close()
    assert kept_copy.steps() == kept_copy.table.disk
    assert kept_copy.file.wholes == [True, False]


async def test_after_a_write_that_failed_all_of_it_is_written_with_the_next_step(
    kept_copy: Kept,
) -> None:
    await kept_copy.note()
    kept_copy.file.is_full = True
    play_on(kept_copy.table, 1)
    await kept_copy.note()
    kept_copy.file.is_full = False
    play_on(kept_copy.table, 1)
    await kept_copy.note()
    assert kept_copy.file.wholes == [True, False, True]
    assert kept_copy.steps() == kept_copy.table.disk


async def test_a_folder_that_is_gone_ends_nothing(kept_copy: Kept) -> None:
    await kept_copy.note()
    kept_copy.file.path.unlink()
    play_on(kept_copy.table, 1)
    await kept_copy.note()
    assert kept_copy.read_saved() is None
    play_on(kept_copy.table, 1)
    await kept_copy.note()
    assert kept_copy.steps() == kept_copy.table.disk


async def test_a_file_that_is_longer_than_any_copy_is_not_read(kept_copy: Kept) -> None:
    await kept_copy.note()
    kept_copy.file.close()
    with kept_copy.file.path.open("r+b") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    assert kept_copy.file.read() is None


# When there is one.


async def test_once_a_game_is_over_the_file_is_removed(kept_copy: Kept) -> None:
    await kept_copy.note()
    play_on(kept_copy.table)
    await kept_copy.note()
    assert not kept_copy.file.path.exists()


def with_plan(status: Status, games: int) -> Status:
    """The same at the table of an evening of two games, after so many."""
    held = status.game_state
    assert held is not None
    settings = structs.replace(held.lobby.settings, evening=EveningPlan(TargetUnit.GAMES, 2))
    lobby = structs.replace(held.lobby, settings=settings, evening=Evening(games))
    return replace(status, game_state=replace(held, lobby=lobby))


async def test_between_the_games_of_an_evening_there_is_one(kept_copy: Kept) -> None:
    play_on(kept_copy.table)
    kept_copy.table.wait(BEAT)
    await kept_copy.note(lambda status: with_plan(status, 1))
    assert kept_copy.file.path.exists()
    await kept_copy.note(lambda status: with_plan(status, 2))
    assert not kept_copy.file.path.exists()


async def test_two_people_and_watchers_have_none(tmp_path: Path) -> None:
    kept = Kept(tmp_path, seat_people("Ann", "Ben", settings=ONE_ROUND))
    kept.copy.restore(b"", copy_at(deal_with_copies("Ann", "Ben", "Cleo"), "Ben").steps)
    kept.file.path.write_bytes(b"what an earlier run has left")
    await kept.note()
    assert not kept.file.path.exists()


async def test_before_anything_is_known_of_the_table_the_file_stays(kept_copy: Kept) -> None:
    await kept_copy.note()
    await kept_copy.note(lambda _status: Status())
    assert kept_copy.file.path.exists()


async def test_while_a_copy_lacks_the_newest_steps_the_file_stays_as_it_is(kept_copy: Kept) -> None:
    await kept_copy.note()
    before = kept_copy.steps()
    inputs.drop_connection(
        kept_copy.table.room, kept_copy.table.now, kept_copy.table.people["Ben"].connection
    )
    kept_copy.table.people["Ben"].client.end_connection()
    kept_copy.table.people["Ben"].forget()
    assert kept_copy.table.wants("Ann", Chat("Ben?")) is None
    held = kept_copy.table.people["Ann"].client.status
    await kept_copy.note(lambda status: replace(held, member=status.member))
    assert kept_copy.steps() == before


async def test_of_a_past_that_was_undone_there_is_none(kept_copy: Kept) -> None:
    await kept_copy.note()
    undone = Rollback(1, 2, (), is_whole=True, held=None)
    await kept_copy.note(lambda status: replace(status, undone=undone))
    assert not kept_copy.file.path.exists()
    kept_copy.copy.forget()
    await kept_copy.note()
    assert not kept_copy.file.path.exists()


async def test_a_game_that_ends_while_the_disk_is_slow_leaves_no_file(kept_copy: Kept) -> None:
    kept_copy.file.may_write.clear()
    kept_copy.keeper.note(TABLE, kept_copy.status)
    await asyncio.sleep(0)
    play_on(kept_copy.table)
    kept_copy.keeper.note(TABLE, kept_copy.status)
    kept_copy.file.may_write.set()
    await kept_copy.keeper.close()
    assert not kept_copy.file.path.exists()


# What is in it.


def longer(copy: LogCopy, steps: int) -> LogCopy:
    """A copy after so many more steps."""
    grown = LogCopy()
    grown.restore(copy.founding, [*copy.steps, *(write(Step(id=n)) for n in range(steps))])
    grown.revision = copy.revision
    return grown


def write_copy(file: CopyFile, copy: LogCopy, running: bytes = RUNNING) -> None:
    """Write all of a copy."""
    file.write(copy.to_save(TABLE, Mark(copy.last, running), None))


async def test_a_file_that_is_up_to_date_is_not_written(kept_copy: Kept) -> None:
    await kept_copy.note()
    await kept_copy.note()
    assert kept_copy.file.wholes == [True]


async def test_a_copy_that_is_renewed_is_written_anew(kept_copy: Kept) -> None:
    await kept_copy.note()
    kept_copy.copy.restore(kept_copy.copy.founding, list(kept_copy.copy.steps))
    await kept_copy.note()
    assert kept_copy.file.wholes == [True, True]
    assert kept_copy.steps() == kept_copy.copy.steps


async def test_a_copy_that_is_too_long_for_any_evening_is_written_no_further(
    kept_copy: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kept_copy.note()
    before = kept_copy.steps()
    monkeypatch.setattr("net.client.log_copy.MAX_COPY_BYTES", 10)
    play_on(kept_copy.table, 1)
    await kept_copy.note()
    assert kept_copy.steps() == before


def leave_by_kill(folder: Path, cut: int | None = None) -> CopyFile:
    """A file of five steps and two more, of whose log no more is on disk than up to `cut`."""
    file, copy = CopyFile(folder / "copy"), copy_of(5)
    write_copy(file, copy)
    write_copy(file, longer(copy, 2), LATER)
    left = kill_writer(file, cut)
    file.close()
    return left


def test_of_a_program_that_was_killed_all_that_it_has_written_is_read(tmp_path: Path) -> None:
    saved = leave_by_kill(tmp_path).read()
    assert saved is not None
    assert (len(saved.steps), saved.mark) == (7, Mark(7, LATER))


def test_a_write_that_was_cut_off_leaves_what_was_written_before(tmp_path: Path) -> None:
    saved = leave_by_kill(tmp_path, -10).read()
    assert saved == SavedCopy(TABLE, FOUNDING, tuple(copy_of(5).steps), Mark(5, RUNNING))


def test_a_copy_takes_the_place_of_one_that_a_kill_has_left_with_its_log(tmp_path: Path) -> None:
    file = leave_by_kill(tmp_path)
    write_copy(file, copy_of(2))
    file.close()
    assert file.read() == SavedCopy(TABLE, FOUNDING, tuple(copy_of(2).steps), Mark(2, RUNNING))


def test_a_copy_in_which_the_disk_has_turned_a_bit_is_not_read(tmp_path: Path) -> None:
    file = CopyFile(tmp_path / "copy")
    write_copy(file, copy_of(5))
    file.close()
    data = bytearray(file.path.read_bytes())
    data[data.index(RUNNING)] ^= 4
    file.path.write_bytes(data)
    assert file.read() is None


@pytest.mark.parametrize("spoilt", [b"", b"no copy at all", b"\0\0\0\x20older version" * 400])
def test_what_is_no_journal_is_not_read_and_gives_way_to_a_copy(
    tmp_path: Path, spoilt: bytes
) -> None:
    file = CopyFile(tmp_path / "copy")
    file.path.write_bytes(spoilt)
    assert file.read() is None
    assert file.path.read_bytes() == spoilt
    write_copy(file, copy_of(5))
    file.close()
    assert file.read() is not None


@pytest.mark.parametrize(
    ("meta", "steps"),
    [
        ({"founding": FOUNDING}, copy_of(2).steps),
        ({"founding": b"none", "running": RUNNING}, copy_of(2).steps),
        ({"founding": FOUNDING, "running": RUNNING}, [b"\xc1"]),
        ({"founding": FOUNDING, "running": RUNNING}, []),
    ],
    ids=["a table's own journal", "no founding", "no step", "no steps"],
)
def test_a_journal_of_something_else_is_not_read(
    tmp_path: Path, meta: dict[str, bytes], steps: list[bytes]
) -> None:
    path = tmp_path / "copy"
    Journal.create(path, table=TABLE, name="", created=0.0, meta=meta, steps=steps).close()
    assert CopyFile(path).read() is None


# What a program has of it after a restart.


def restart_program(folder: Path, table: SealedTable, name: str, mark: Mark) -> ClientState:
    """Somebody's program, begun again with what is on disk."""
    file = CopyFile(folder / f"{mark.step}.copy")
    write_copy(file, copy_at(table, name), table.room.state.running)
    file.close()
    saved = file.read()
    assert saved is not None
    state = ClientState(name, key=seat_key(name), mark=mark)
    state.restore(saved)
    return state


def test_a_program_that_is_restarted_has_its_copy_and_two_can_open_it(tmp_path: Path) -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo")
    state = restart_program(tmp_path, table, "Ben", Mark(3, RUNNING))
    assert state.copy.position == copy_at(table, "Ben").position
    assert open_copy(state.copy, "Ben", "Cleo") == table.room.state
    assert state.mark == Mark(table.room.state.number, table.room.state.running)


def test_a_copy_of_another_past_than_was_seen_last_is_not_used(tmp_path: Path) -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo")
    state = restart_program(tmp_path, table, "Ben", Mark(table.room.state.number, RUNNING))
    assert not state.copy.last
    later = Mark(table.room.state.number + 1, RUNNING)
    behind = restart_program(tmp_path, table, "Ben", later)
    assert behind.mark == later
    assert behind.copy.last == later.step - 1


def test_the_file_shows_no_act_no_seed_and_no_key_of_a_game(tmp_path: Path) -> None:
    table = deal_with_copies("Ann", "Ben", "Cleo", moves=20)
    state = table.room.state
    assert state.record is not None
    shares = [open_own(name, table) for name in ("Ben", "Cleo")]
    sealer = table.room.sealer
    assert sealer is not None
    keys = [seat_key(name).secret for name in ("Ann", "Ben", "Cleo")]
    secrets = [state.share, *state.record.seeds, sealer._key, *shares, *keys]
    sealed = [step for step in table.steps if step.sealed]
    assert len(sealed) > 20
    assert not any(step.act or step.share for step in sealed)
    for name in ("Ann", "Ben", "Cleo"):
        file = CopyFile(tmp_path / name)
        write_copy(file, copy_at(table, name), state.running)
        for part in tmp_path.glob(f"{name}*"):
            data = part.read_bytes()
            assert all(len(secret) >= 16 and secret not in data for secret in secrets)
        file.close()
        assert sealed[-1].sealed in file.path.read_bytes(), "it is not compressed or encoded"


def open_own(name: str, table: SealedTable) -> bytes:
    """Somebody's share of the key, opened with their seat key."""
    return open_share(seat_key(name), SealedLog(table.steps).share_of(member(name)))
