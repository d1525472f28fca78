"""Screens forked from one loaded process are what screens of their own programs are."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from sabtui.doors.guest_program import MAX_DATA_BYTES, MAX_OPEN_FILES, MAX_WRITTEN_BYTES
from sabtui.doors.guest_screen import (
    NO_SERVER,
    ForkServer,
    GuestRequest,
    GuestScreen,
    GuestTerminal,
)
from tests.net.server.served_table import SMALL, Hosted, hosting, until
from tests.sabtui.doors.open_doors import processes_in
from tests.sabtui.doors.test_guest_screen import order
from tests.sabtui.doors.watched import Watched

assert sys.platform != "win32"  # so that types know, too

import resource  # noqa: E402 - POSIX

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="screens are forked on Linux")

READY = "You are in"


@dataclass
class Forks:
    """A fork server beside a table, and a folder for guests' homes."""

    hosted: Hosted
    server: ForkServer
    folder: Path

    @property
    def pid(self) -> int:
        """The process of the server."""
        assert self.server._process is not None
        return self.server._process.pid

    @asynccontextmanager
    async def guest(self, name: str, lang: str = "") -> AsyncIterator[tuple[GuestScreen, Watched]]:
        """Fork a screen for a guest, and watch it."""
        terminal = GuestTerminal(lang=lang or "en_GB.UTF-8")
        request = GuestRequest(order(self.hosted, name), terminal, str(self.folder / name))
        screen = await GuestScreen.start(request, fork_server=self.server)
        try:
            async with Watched(screen.read, screen.write) as watched:
                yield screen, watched
        finally:
            await screen.close()


@pytest.fixture(name="forks")
async def open_forks(where: Path, tmp_path: Path) -> AsyncIterator[Forks]:
    """Serve a table, and close a fork server at the end."""
    server = ForkServer()
    async with hosting(where, replace(SMALL, seats=4)) as hosted:
        await hosted.come("Ann")
        yield Forks(hosted, server, tmp_path)
        await server.close()


def limits_of(process: int) -> list[tuple[int, int]]:
    if sys.platform == "linux":  # so that types know, too
        kinds = (
            resource.RLIMIT_DATA,
            resource.RLIMIT_FSIZE,
            resource.RLIMIT_NOFILE,
            resource.RLIMIT_CORE,
        )
        return [resource.prlimit(process, kind) for kind in kinds]
    raise AssertionError


def open_in(process: int) -> dict[int, str]:
    """What a process has open, by the number of the file."""
    found = dict[int, str]()
    for link in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # it has been closed since
            found[int(link.name)] = str(link.readlink())
    return found


def variables_of(process: int) -> list[str]:
    return Path(f"/proc/{process}/environ").read_text().strip("\0").split("\0")


def status_of(process: int) -> str:
    return Path(f"/proc/{process}/status").read_text()


async def test_screens_are_confined_in_their_guests_language_and_end_alone_by_themselves_or_closed(
    forks: Forks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOST_SECRET", "gold")
    async with forks.guest("Dede") as (_, dede):
        async with (
            forks.guest("Eva", "it_IT.UTF-8") as (evas, eva),
            forks.guest("Fay", "pt_BR.UTF-8") as (fays, fay),
        ):
            await dede.sees(READY)
            await eva.sees("Sei al tavolo")
            await fay.sees("Você está na mesa")
            if os.geteuid() == 0:  # only root finds a screen's process
                check_screens(forks, "Dede", "Eva")
                check_server(forks.pid)
            eva.type("w")
            await eva.end()
            assert await evas.close() == 0
            there = len(forks.hosted.host._connections)
            await fays.close()
            assert await fays.read() == b""
            await until(lambda: len(forks.hosted.host._connections) == there - 1)
        dede.type("r")
        await until(lambda: not all(one.ready for one, _ in forks.hosted.state.lobby.sitting))


def check_screens(forks: Forks, *names: str) -> None:
    """Check that screens are confined, and have nothing of each other or of the server."""
    most = (MAX_DATA_BYTES, MAX_WRITTEN_BYTES, MAX_OPEN_FILES, 0)
    the_servers = {one for one in open_in(forks.pid).values() if one != "/dev/null"}
    terminals = set[str]()
    for name in names:
        (process,) = processes_in(forks.folder / name)
        assert limits_of(process) == [(one, one) for one in most]
        assert "NoNewPrivs:\t1" in status_of(process)
        assert os.getsid(process) == process
        files = open_in(process)
        assert files[0] == files[1] == files[2]
        terminals.add(files[0])
        own = {one for one in files.values() if not one.startswith("anon_inode:[event")}
        assert not own & the_servers, "the way to the door is the server's alone"
        assert not any("pidfd" in one for one in own)
    assert len(terminals) == len(names)


def check_server(process: int) -> None:
    """Check that a fork server has one thread, no terminal, and no variable of the host."""
    assert "Threads:\t1" in status_of(process)
    told = open_in(process).values()
    assert not any("pts" in one or one.startswith("pipe") for one in told)
    names = {one.partition("=")[0] for one in variables_of(process)}
    assert names == {"PYTHONPATH", "PYTHONUSERBASE", "PYTHONUTF8", "MALLOC_ARENA_MAX"}


@pytest.mark.level("thorough")  # a rare fault, which nobody can bring about
async def test_a_server_that_has_died_is_started_again_for_the_next_guest_and_ends_with_its_door(
    forks: Forks,
) -> None:
    async with forks.guest("Dede") as (screen, dede):
        await dede.sees(READY)
        process = forks.server._process
        assert process is not None
        process.kill()
        assert await screen._process.wait() == NO_SERVER
        async with forks.guest("Eva") as (_, eva):
            await eva.sees(READY)
            again = forks.server._process
    assert again is not None
    assert again is not process
    await until(lambda: process.poll() is not None)
    assert again.poll() is None
    await forks.server.close()
    assert again.returncode == 0
