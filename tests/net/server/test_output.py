"""What a room puts out, on its way to those who are there."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from net.protocol.messages import DiskStatus, Pong
from net.room.effects import CloseConnection, Effects, JournalStep, SendFrame
from net.secure.connection import Connection
from net.server import journal
from net.server.journal import Journal
from net.server.journal_format import JournalUnwritable, Obstacle, Write
from net.server.live_table import ClientConnections, WriteAhead
from tests.net.server.journal_tools import create, payload
from tests.net.server.served_table import until


class Ear:
    """A connection that only notes how often it was sent something, and whether it was closed."""

    def __init__(self) -> None:
        self.frames = 0
        self.is_closed = False

    def send_packed(self, _frame: bytes) -> None:
        self.frames += 1

    def close(self) -> None:
        self.is_closed = True


def test_nothing_is_sent_to_a_connection_that_is_gone() -> None:
    connections, stays, goes = ClientConnections(), Ear(), Ear()
    first, second = (connections.add(cast("Connection", one)) for one in (stays, goes))
    connections.remove(second)
    connections.remove(second)
    pong = Pong(4)
    connections.deliver([SendFrame((first, second), pong), SendFrame((second,), pong)])
    connections.deliver([CloseConnection(second), CloseConnection(first)])
    assert (stays.frames, stays.is_closed) == (1, True)
    assert (goes.frames, goes.is_closed) == (0, False)


class Disk:
    """A disk that is full or not, and how often it was written to."""

    def __init__(self) -> None:
        self.is_full = True
        self.tries = 0


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """The disk of all journals."""
    disk, commit = Disk(), Journal.commit

    def write(journal: Journal, writes: Sequence[Write]) -> None:
        disk.tries += 1
        if disk.is_full:
            raise JournalUnwritable(journal.path, Obstacle.FULL)
        commit(journal, writes)

    monkeypatch.setattr(Journal, "commit", write)
    monkeypatch.setattr(journal, "WRITE_RETRY_S", 0.01)
    return disk


async def test_a_table_goes_on_after_a_disk_that_was_full_as_a_door_was_switched(
    tmp_path: Path, disk: Disk
) -> None:
    told, released, path = list[DiskStatus](), list[object](), tmp_path / "mine.table"
    ahead = WriteAhead(create(path), released.extend, told.append)
    ahead.put_meta("doors", b"ssh")
    await until(lambda: disk.tries >= 3)
    assert told == [DiskStatus.FULL]
    ahead.put_meta("doors", b"web")
    pong = SendFrame((1,), Pong(1))
    ahead.submit(Effects((JournalStep(1, payload(1)),), (pong,), 1))
    disk.is_full = False
    await until(lambda: told == [DiskStatus.FULL, DiskStatus.OK])
    assert released == [pong]
    ahead.submit(Effects((JournalStep(2, payload(2)),), (pong,), 2))
    await until(lambda: released == [pong, pong])
    await ahead.close()
    with Journal.open(path) as journal:
        assert (journal.last, journal.kept["doors"]) == (2, b"web")
