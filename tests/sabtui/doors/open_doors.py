"""Doors beside a table that is served in this process, the doors' own processes included.

POSIX only, as doors are.
"""

from __future__ import annotations

import asyncio
import mmap
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import pytest

from net.protocol.doors import DoorKind, DoorNow
from net.protocol.lobby import Settings
from net.secure.keys import SeatKey
from net.server.tables import HostedTable, ServerOptions
from net.tasks import cancel_and_wait
from sabtui.app.launcher import find_doors
from sabtui.doors import program, serve_by, table_side
from sabtui.doors.nursery import Nursery
from sabtui.doors.table_link import TableLink
from tests.net.server.served_table import (
    CODE,
    HERE,
    QUICK,
    SMALL,
    Guest,
    Hosted,
    new_table,
    run,
    until,
)

links: list[asyncio.Transport] = []
"""The links of pages to doors, to be ended before their loop is."""


async def hang_up() -> None:
    """End the links of all pages."""
    while links:
        links.pop().abort()
    await asyncio.sleep(0)


@dataclass(frozen=True, slots=True)
class Door:
    """A door that is open beside its table."""

    kind: ClassVar[DoorKind]
    hosted: Hosted
    folder: Path

    @classmethod
    @asynccontextmanager
    async def open(
        cls, where: Path, folder: Path, settings: Settings = SMALL, options: ServerOptions = QUICK
    ) -> AsyncIterator[Self]:
        """Open the door of a new table, to which its host Ann has come."""
        key = SeatKey.new()
        async with cls.beside(new_table(where, key, settings), key, folder, options) as opened:
            await opened.host.join(None if settings.is_open else CODE)
            yield opened

    @classmethod
    @asynccontextmanager
    async def beside(
        cls, table: HostedTable, key: SeatKey, folder: Path, options: ServerOptions = QUICK
    ) -> AsyncIterator[Self]:
        """Serve a table until its door is open, at any port; its host has not come yet."""
        serve = {cls.kind: serve_by((*find_doors()[cls.kind].arguments, "0"), folder)}
        opening, options = replace(table, doors=(cls.kind,)), replace(options, doors=serve)
        async with run(opening, key, options) as hosted:
            hosted.guest("Ann")
            opened = cls(hosted, folder)
            await until(lambda: cls.kind in hosted.host.entrance.doors.now)
            assert opened.port, opened.now
            try:
                yield opened
            finally:
                await hang_up()

    @property
    def now(self) -> DoorNow:
        return self.hosted.host.entrance.doors.now[self.kind]

    @property
    def port(self) -> int:
        return self.now.port

    @property
    def host(self) -> Guest:
        """Ann, the host of the table."""
        return self.hosted.guests[0]

    def names(self) -> list[str]:
        """Who is at the table; a projector watches."""
        return [person.name for person in self.hosted.state.lobby.people]


@asynccontextmanager
async def in_this_process() -> AsyncIterator[None]:
    """Run the doors that tables open as tasks, without a process for each.

    In the end no door waits for pages that may come back, and after a failure none for anybody.
    """
    running = dict[DoorKind, list[asyncio.Task[None]]]()

    def start(arguments: Sequence[str]) -> socket.socket:
        ours, theirs = socket.socketpair()
        _option, _module, kind, *ports = arguments
        task = asyncio.create_task(serve(DoorKind(kind), [*map(int, ports)], theirs))
        running.setdefault(DoorKind(kind), []).append(task)
        return ours

    async def serve(kind: DoorKind, ports: list[int], theirs: socket.socket) -> None:
        table = await TableLink.connect(theirs)
        try:
            await program._open(kind, table, ports)
        finally:
            await table.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_side, "_start", start)
        try:
            yield
            await cancel_and_wait(*running.pop(DoorKind.WEB, ()))
            await asyncio.gather(*(task for tasks in running.values() for task in tasks))
        finally:
            await cancel_and_wait(*(task for tasks in running.values() for task in tasks))


async def prepare_nothing(_nursery: object = None) -> None:
    """Stand in for `Nursery.prepare`: to load all screens takes half a second."""


@contextmanager
def without_nurseries() -> Iterator[None]:
    """Start no nursery as somebody logs in to a door: they get no screen, or an echo."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Nursery, "prepare", prepare_nothing)
        yield


@asynccontextmanager
async def idle_links(port: int, count: int) -> AsyncIterator[list[asyncio.Task[bytes]]]:
    """Links that say nothing; a task for each is done once the door has ended it."""
    links = []
    for _ in range(count):
        with suppress(OSError):
            links.append(await asyncio.open_connection(HERE, port))
    ended = [asyncio.create_task(reader.read()) for reader, _writer in links]
    try:
        yield ended
    finally:
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)
        for _reader, writer in links:
            writer.close()


def memory_of_door() -> int:
    """The bytes of memory of the door that was opened last, 0 where the system does not tell."""
    try:
        pages = Path(f"/proc/{table_side._started[-1].pid}/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * mmap.PAGESIZE


def processes_in(folder: Path) -> list[int]:
    """The processes that were started for a guest: their own folder is where they are."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if link.readlink() == folder:
                found.append(int(link.parent.name))
        except OSError:
            continue
    return found
