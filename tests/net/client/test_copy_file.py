"""The file of a copy of the log: written beside the session, for its owner alone, and removed."""

from __future__ import annotations

import asyncio
import stat
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from net.client.copy_file import CopyFile, CopyKeeper
from net.client.copy_format import MAX_FILE_BYTES, CopyWrite
from net.client.log_copy import LogCopy
from net.client.session import Status
from net.client.trail import Rollback
from net.lobby.evening import Evening, EveningPlan, TargetUnit
from net.protocol.requests import Chat
from tests.net.client.electors import TABLE
from tests.net.room.room_fixture import play_on
from tests.net.room.sealed_table import SealedTable, seated
from tests.net.room.test_copies import BEAT, ONE_ROUND, copy_of, dealt


class SlowFile(CopyFile):
    """A file whose disk takes its time, or is full."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.may_write = threading.Event()
        self.may_write.set()
        self.is_full = False
        self.writes: list[CopyWrite] = []

    def write(self, due: CopyWrite) -> None:
        """Write, or fail."""
        assert self.may_write.wait(60)
        self.writes.append(due)
        if self.is_full:
            raise OSError(28, "no space left on device")
        super().write(due)


class Kept:
    """Ben's program at a table, and the file of its copy."""

    def __init__(self, folder: Path, table: SealedTable) -> None:
        self.table = table
        self.file = SlowFile(folder / "ben.copy")
        self.keeper = CopyKeeper(self.file, self.copy)

    @property
    def copy(self) -> LogCopy:
        """The copy in memory."""
        return copy_of(self.table, "Ben")

    @property
    def status(self) -> Status:
        """What the session shows."""
        return self.table.people["Ben"].client.status

    async def note(self, change: Callable[[Status], Status] = lambda status: status) -> None:
        """Bring the file up to date."""
        self.keeper.note(TABLE, change(self.status))
        await self.keeper.close()

    def steps(self) -> list[bytes]:
        """The steps on disk."""
        saved = self.file.read()
        return [] if saved is None else list(saved.steps)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path, dealt("Ann", "Ben", "Cleo"))


async def test_the_file_follows_the_copy_and_only_what_is_new_is_written(kept: Kept) -> None:
    await kept.note()
    assert kept.steps() == kept.copy.steps
    play_on(kept.table, 1)
    await kept.note()
    assert kept.steps() == kept.copy.steps == kept.table.disk
    assert [write.is_whole for write in kept.file.writes] == [True, False]
    assert len(kept.file.writes[1].data) < 500
    saved = await kept.keeper.read()
    assert saved is not None
    assert (saved.table, saved.mark.hash) == (TABLE, kept.table.room.state.running)


@pytest.mark.skipif(sys.platform == "win32", reason="has no modes")
async def test_the_file_is_its_owners_alone_and_nothing_else_is_left(kept: Kept) -> None:
    await kept.note()
    assert stat.S_IMODE(kept.file.path.stat().st_mode) == 0o600
    assert list(kept.file.path.parent.iterdir()) == [kept.file.path]


async def test_while_the_disk_is_slow_the_session_goes_on_and_the_rest_is_written_at_once(
    kept: Kept,
) -> None:
    kept.file.may_write.clear()
    for _ in range(5):
        kept.keeper.note(TABLE, kept.status)
        await asyncio.sleep(0)
        play_on(kept.table, 1)
    kept.keeper.note(TABLE, kept.status)
    assert not kept.file.path.exists()
    kept.file.may_write.set()
    await kept.keeper.close()
    assert kept.steps() == kept.table.disk
    assert len(kept.file.writes) == 2


async def test_after_a_write_that_failed_all_of_it_is_written_with_the_next_step(
    kept: Kept,
) -> None:
    await kept.note()
    kept.file.is_full = True
    play_on(kept.table, 1)
    await kept.note()
    kept.file.is_full = False
    play_on(kept.table, 1)
    await kept.note()
    assert [write.is_whole for write in kept.file.writes] == [True, False, True]
    assert kept.steps() == kept.table.disk


async def test_a_folder_that_is_gone_ends_nothing(kept: Kept) -> None:
    await kept.note()
    kept.file.path.unlink()
    play_on(kept.table, 1)
    await kept.note()
    assert await kept.keeper.read() is None
    play_on(kept.table, 1)
    await kept.note()
    assert kept.steps() == kept.table.disk


async def test_a_file_that_is_longer_than_any_copy_is_not_read(kept: Kept) -> None:
    await kept.note()
    with kept.file.path.open("r+b") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    assert kept.file.read() is None


# When there is one.


async def test_once_a_game_is_over_the_file_is_removed(kept: Kept) -> None:
    await kept.note()
    play_on(kept.table)
    await kept.note()
    assert not kept.file.path.exists()


def with_plan(status: Status, games: int) -> Status:
    """The same at the table of an evening of two games, after so many."""
    held = status.game_state
    assert held is not None
    settings = structs.replace(held.lobby.settings, evening=EveningPlan(TargetUnit.GAMES, 2))
    lobby = structs.replace(held.lobby, settings=settings, evening=Evening(games))
    return replace(status, game_state=replace(held, lobby=lobby))


async def test_between_the_games_of_an_evening_there_is_one(kept: Kept) -> None:
    play_on(kept.table)
    kept.table.wait(BEAT)
    await kept.note(lambda status: with_plan(status, 1))
    assert kept.file.path.exists()
    await kept.note(lambda status: with_plan(status, 2))
    assert not kept.file.path.exists()


async def test_two_people_and_watchers_have_none(tmp_path: Path) -> None:
    kept = Kept(tmp_path, seated("Ann", "Ben", settings=ONE_ROUND))
    kept.copy.restore(b"", copy_of(dealt("Ann", "Ben", "Cleo"), "Ben").steps)
    kept.file.path.write_bytes(b"what an earlier run has left")
    await kept.note()
    assert not kept.file.path.exists()


async def test_before_anything_is_known_of_the_table_the_file_stays(kept: Kept) -> None:
    await kept.note()
    await kept.note(lambda _status: Status())
    assert kept.file.path.exists()


async def test_while_a_copy_lacks_the_newest_steps_the_file_stays_as_it_is(kept: Kept) -> None:
    await kept.note()
    before = kept.steps()
    kept.table.room.lost(kept.table.people["Ben"].connection, kept.table.now)
    kept.table.people["Ben"].client.disconnected()
    kept.table.people["Ben"].forget()
    assert kept.table.wants("Ann", Chat("Ben?")) is None
    held = kept.table.people["Ann"].client.status
    await kept.note(lambda status: replace(held, member=status.member))
    assert kept.steps() == before


async def test_of_a_past_that_was_undone_there_is_none(kept: Kept) -> None:
    await kept.note()
    undone = Rollback(1, 2, (), is_whole=True, held=None)
    await kept.note(lambda status: replace(status, undone=undone))
    assert not kept.file.path.exists()
    kept.copy.forget()
    await kept.note()
    assert not kept.file.path.exists()


async def test_a_game_that_ends_while_the_disk_is_slow_leaves_no_file(kept: Kept) -> None:
    kept.file.may_write.clear()
    kept.keeper.note(TABLE, kept.status)
    await asyncio.sleep(0)
    play_on(kept.table)
    kept.keeper.note(TABLE, kept.status)
    kept.file.may_write.set()
    await kept.keeper.close()
    assert not kept.file.path.exists()
