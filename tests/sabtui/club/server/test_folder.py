"""What a club keeps on its disk, and what it does with tables that fail or stand idle."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace as with_changes

from net.protocol.lobby import Absence
from net.protocol.messages import CloseReason
from net.protocol.requests import Close, SetReady, Start
from net.server import live_table
from net.server.journal import path_of
from net.server.journal_format import JournalUnwritable, Obstacle
from net.server.tables import HostedTable, resume
from sabtui.club.folder import KEPT_S, count_bytes, open_club
from sabtui.club.hall import close
from tests.net.server.served_table import OTHER_CODE, QUICK, SMALL, until
from tests.sabtui.club.server.served_club import ServedClub, Sitter, serve_folder

IS_LOCKED = """
import sys
from pathlib import Path
from net.files import is_held
print(is_held(Path(sys.argv[1]).with_suffix(".lock")))
"""


async def begin(served: ServedClub, *names: str) -> tuple[str, list[Sitter]]:
    """Three people begin a game that no bot plays to its end; return its table, and their seats."""
    people = await served.come(*names)
    table = await people[0].open_table("Gold Rush", with_changes(SMALL, absent=Absence.WAIT))
    seats = [await person.go_to(table) for person in people]
    for seat in seats:
        assert await seat.wants(SetReady(ready=True)) is None
    assert await seats[0].wants(Start()) is None
    await until(lambda: served.state(table).game is not None)
    return table, seats


async def test_a_table_that_has_failed_ends_alone_and_comes_back_with_the_club(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        ann, ben = await served.come("Ann", "Ben")
        broken, sound = await ann.open_table("Broken"), await ben.open_table("Sound")
        monkeypatch.setattr(served.server.tables[broken]._bots, "look", lambda: 1 / 0)
        await until(lambda: list(served.server.tables) == [sound])
        await until(lambda: [table.id for table in ann.hall.tables] == [sound])
        seat = await ben.go_to(sound)
        assert await seat.wants(SetReady(ready=True)) is None
    async with serve_folder(tmp_path) as served:
        await until(lambda: list(served.server.tables) == [broken, sound])


async def test_a_journal_that_fails_in_an_unknown_way_keeps_no_club_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        bad, _seats = await begin(served, "Ann", "Ben", "Cleo")
        good, _seats = await begin(served, "Dan", "Eva", "Fay")

    def fail_at_one(path: Path) -> HostedTable:
        if bad in path.name:
            raise ZeroDivisionError
        return resume(path)

    monkeypatch.setattr("sabtui.club.server.resume", fail_at_one)
    asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
    async with serve_folder(tmp_path) as served:
        (gus,) = await served.come("Gus")
        assert [table.id for table in gus.hall.tables] == [good]


async def test_a_code_that_a_full_disk_did_not_take_is_kept_once_it_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.server.journal.WRITE_RETRY_S", 0.01)
    tries = list[object]()

    def fail(writes: object) -> None:
        tries.append(writes)
        raise JournalUnwritable(tmp_path, Obstacle.FULL)

    async with serve_folder(tmp_path) as served:
        await served.come("Ann")
        with monkeypatch.context() as full:
            full.setattr(served.server.club.journal, "commit", fail)
            served.server._rows.keep_code(OTHER_CODE)
            await until(lambda: len(tries) > 2)
    club = open_club(tmp_path / "clubs", "The Nugget")
    club.journal.close()
    assert club.code == OTHER_CODE


async def test_closed_tables_make_room_on_the_disk_and_open_ones_keep_their_journals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben = await served.come("Ann", "Ben")
        closed, kept = await ann.open_table("Closed"), await ben.open_table("Kept")
        folder = served.server.club.tables
        host = await ann.go_to(closed)
        host.say(*host.state.request(Close()))
        await until(lambda: host.farewell is CloseReason.CLOSED)
        await until(lambda: closed not in served.server.tables)
        assert path_of(closed, folder).exists()
        monkeypatch.setattr("sabtui.club.folder.MAX_TABLES_BYTES", count_bytes(folder) - 1)
        await ben.open_table("Another")
        assert not list(folder.glob(f"{closed}*"))
        asked = [sys.executable, "-c", IS_LOCKED, str(path_of(kept, folder))]
        told = await asyncio.to_thread(subprocess.run, asked, capture_output=True, check=True)
        assert told.stdout.strip() == b"True", "looking at it has not let go of it"
        seat = await ben.go_to(kept)
        assert await seat.wants(SetReady(ready=True)) is None


def test_a_file_that_goes_while_files_are_counted_takes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.table", "b.table"):
        (tmp_path / name).write_bytes(bytes(100))
    listed = [*tmp_path.glob("*"), tmp_path / "gone.table-wal"]
    monkeypatch.setattr(Path, "glob", lambda _folder, _pattern: iter(listed))
    assert count_bytes(tmp_path) == 200


async def test_a_closed_tables_journal_goes_as_the_club_opens_a_month_later(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        (ann,) = await served.come("Ann")
        old, new = [await ann.open_table(name) for name in ("Old", "New")]
        folder = served.server.club.tables
        for live in tuple(served.server.tables.values()):
            live.happen(close)
        await until(lambda: not served.server.tables)
    past = time.time() - KEPT_S - 1
    os.utime(path_of(old, folder), (past, past))
    async with serve_folder(tmp_path):
        await until(lambda: not path_of(old, folder).exists())
        assert path_of(new, folder).exists()


async def test_a_table_is_closed_after_its_time_without_anybody_and_not_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = [0.0]

    def clock() -> float:
        return time.monotonic() + ahead[0]

    monkeypatch.setattr(live_table, "time", SimpleNamespace(monotonic=clock))
    async with serve_folder(tmp_path, replace(QUICK, idle_seconds=600)) as served:
        ann, ben = await served.come("Ann", "Ben")
        table = await ann.open_table("Gold Rush")
        game, players = await begin(served, "Cleo", "Dan", "Eva")
        seat, tables = await ann.go_to(table), dict(served.server.tables)
        for player in players:
            await player.leave()
        ahead[0] = 1200
        passed = clock()
        await until(lambda: tables[table]._linked_at >= passed)
        assert table in served.server.tables, "somebody is there"
        await seat.leave()
        ahead[0] = 1500
        passed = tables[table].room.sessions.now
        await until(lambda: tables[table].room.sessions.now > passed)
        assert table in served.server.tables, "the one who stayed left just now"
        ahead[0] = 2500
        await until(lambda: [table.id for table in ben.hall.tables] == [game])
        await until(lambda: not path_of(table, served.server.club.tables).exists())
        ahead[0] = 2 * KEPT_S
        await until(lambda: not path_of(game, served.server.club.tables).exists())
