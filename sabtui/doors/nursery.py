"""Forks the processes of guests' screens from one that has loaded everything they need.

A Python that loads the screens takes half a second and 45 MB. The nursery does that once for each
door; a screen forked from it is ready in a few milliseconds, and shares most of that memory.

    door                                            nursery
                                               <-   a byte, once it has loaded
    a byte, with files [link, input, output]   ->   forks
                                                    a screen, which closes the nursery's own files
                                               <-   its process id and a file that stands for it
    `Birth` over the link, then its end        ->   runs it
                                               <-   its exit code; nothing if it was killed

The nursery holds no secret: it never reads from a link, and inherits no environment. It has one
thread and no event loop, so it can be forked safely. Screens outlive it; if it ends, the next guest
gets a new one.

Where processes cannot be forked safely (macOS: its libraries may have threads), each guest gets a
nursery of their own, which becomes the screen.

This is the door's side; the nursery's is in `forking`. POSIX only, as doors are.
"""

from __future__ import annotations

import asyncio
import os
import signal
import site
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec

from net.server.process import environment, python
from net.tasks import cancel_and_wait, finish

IS_FORKING: Final = sys.platform == "linux"

BIRTH_S: Final = 20.0
"""Seconds that a nursery may take to start a screen once it has loaded; usually milliseconds.
After that it counts as hung, and the next attempt gets a new one. Loading has no limit: a new one
would have to load as long, and a busy computer would start one after another."""

_KILLED: Final = -9  # exit code of a screen that reported none
_MAX_LINE_BYTES: Final = 16  # a process id or an exit code


class Birth(msgspec.Struct, frozen=True):
    """Everything that a screen starts with: an order, its home, and its whole environment."""

    order: bytes
    home: str
    environment: Mapping[str, str]


class ScreenProcess:
    """The process of a screen, as its door sees it; made by `Nursery.start`."""

    def __init__(
        self, pid: int, handle: int | None, reader: asyncio.StreamReader, link: asyncio.StreamWriter
    ) -> None:
        self.pid: Final = pid
        self._handle = handle  # a file that stands for the process, `None` without such files
        self._link = link
        self._ending: Final = asyncio.create_task(self._watch(reader))

    async def wait(self) -> int:
        """Wait until the process has ended, and return its exit code."""
        return await asyncio.shield(self._ending)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        with suppress(ProcessLookupError, PermissionError):
            if self._ending.done():
                return
            if sys.platform == "linux" and self._handle is not None:
                signal.pidfd_send_signal(self._handle, number)
            else:
                os.kill(self.pid, number)

    async def _watch(self, reader: asyncio.StreamReader) -> int:
        code = _KILLED
        try:
            with suppress(OSError, ValueError):  # it ended without a report
                code = int((await reader.read(_MAX_LINE_BYTES)).decode() or _KILLED)
            if self._handle is None:
                await reader.read(1)  # the link ends with the process
            else:  # a screen can close its link, but not fake the end of this file
                await _wait_until_readable(self._handle)
        finally:
            self._link.close()
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None
        return code


async def _wait_until_readable(file: int) -> None:
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(file, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(file)


async def _wait_until_loaded(control: socket.socket) -> None:
    """Wait until a nursery has loaded, or has ended; meanwhile its socket stays open."""
    await _wait_until_readable(control.fileno())


class Nursery:
    """Starts the processes of a door's screens, each from one nursery that it starts when needed.

    `arguments` are those of Python that start the nursery; the number of its socket follows them.
    """

    def __init__(self, *arguments: str) -> None:
        self._arguments = arguments
        self._process: Process | None = None
        self._control: socket.socket | None = None
        self._loading: asyncio.Task[None] | None = None  # done once it has loaded, or has ended
        self._starting: Final = asyncio.Lock()

    async def prepare(self) -> None:
        """Start the nursery unless it runs, without waiting until it has loaded.

        Call this as soon as somebody begins to log in. Raises OSError: no processes are left.
        """
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                await self._end()
                await self._begin()

    async def start(self, birth: Birth, typed: int, drawn: int) -> ScreenProcess:
        """Start a screen whose standard streams are these files.

        Raises OSError: no processes or files are left.
        """
        try:
            return await self._start(birth, typed, drawn)
        except OSError:  # the nursery was killed, or hangs: the second try uses a new one
            return await self._start(birth, typed, drawn)

    async def close(self) -> None:
        """Let the nursery end, and wait until it has, even if cancelled; its screens continue."""
        async with self._starting:
            await finish(self._end())

    async def _start(self, birth: Birth, typed: int, drawn: int) -> ScreenProcess:
        await self.prepare()
        control, process, loading = self._control, self._process, self._loading
        assert control is not None
        assert process is not None
        assert loading is not None
        if not IS_FORKING:
            self._process = self._control = self._loading = None  # it becomes this screen
        ours, theirs = socket.socketpair()
        ours.settimeout(0)
        try:
            with theirs:
                _send_request(control, theirs.fileno(), typed, drawn)
            await asyncio.wait((loading,))
            async with asyncio.timeout(BIRTH_S):
                pid, handle = await _receive_birth(ours)
        except BaseException as error:
            ours.close()
            if isinstance(error, OSError):  # it is dead, hangs, or cannot fork
                with suppress(ProcessLookupError):  # it was dead already
                    process.kill()
                await process.wait()
            raise
        reader, writer = await asyncio.open_connection(sock=ours)
        writer.write(msgspec.json.encode(birth))
        writer.write_eof()
        return ScreenProcess(pid, handle, reader, writer)

    async def _begin(self) -> None:
        control, theirs = socket.socketpair()
        control.settimeout(0)  # a nursery that hangs must not stop its door
        self._control = control
        self._loading = asyncio.create_task(_wait_until_loaded(control))
        with theirs:
            # A guest who hangs up meanwhile must not leave an unknown process.
            await finish(self._launch(theirs))

    async def _launch(self, theirs: socket.socket) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *python(*self._arguments, str(theirs.fileno())),
            env=_make_environment(),
            pass_fds=(theirs.fileno(),),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,
        )

    async def _end(self) -> None:
        if self._loading is not None:
            await cancel_and_wait(self._loading)
            self._loading = None
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            await self._process.wait()
            self._process = None


def _send_request(control: socket.socket, *files: int) -> None:
    if sys.platform != "win32":
        socket.send_fds(control, [b"+"], files)


async def _receive_birth(link: socket.socket) -> tuple[int, int | None]:
    """Return the id of a new screen, and its file, `None` where the system has no such files.

    Raises OSError: the link has ended, as no process could be forked.
    """
    await _wait_until_readable(link.fileno())
    if sys.platform != "win32":
        line, files, *_ = socket.recv_fds(link, _MAX_LINE_BYTES, 1)
        if line:
            return int(line), files[0] if files else None
    raise OSError("no screen was started")


def _make_environment() -> dict[str, str]:
    """Return all environment variables of a nursery: none of the host's."""
    return {
        "PYTHONPATH": environment()["PYTHONPATH"],
        "PYTHONUSERBASE": site.getuserbase(),  # Python would look for it in HOME
        "PYTHONUTF8": "1",
        "HOME": "/",
        "LANG": "C.UTF-8",
    }
