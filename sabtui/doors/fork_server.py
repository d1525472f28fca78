"""Guests' screens on Linux: processes forked from one that has loaded everything, the fork server.

So a guest costs what is its own, and its screen is there at once. The fork server is a program
(`sabtui.doors.fork_program`) that the door starts with its first guest. It is told of each guest
what every process of this account may know, the environment and the home; what is secret goes
through a pipe, which the guest's own process alone reads. It ends when the door does.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec

from net.server.process import python

SERVER_ARGUMENTS: Final = ("-m", "sabtui.doors.fork_program")
"""Arguments of Python that start the fork server; the number of its socket follows."""

MAX_MESSAGE_BYTES: Final = 32 * 1024
NO_SERVER: Final = 1  # exit code of a screen whose fork server is gone


class Fork(msgspec.Struct, frozen=True, tag="fork"):
    """Fork a screen; with it come its terminal, and the end of a pipe with its `GuestOrder`."""

    number: int
    environment: dict[str, str]
    home: str


class End(msgspec.Struct, frozen=True, tag="end"):
    """Ask a screen to end, or kill it `at_once`, with all that it has started."""

    number: int
    at_once: bool


class ScreenEnded(msgspec.Struct, frozen=True):
    """A screen has ended, with this exit code."""

    number: int
    code: int


class ForkedScreen:
    """The process of a screen, as the door knows it."""

    def __init__(self, server: ForkServer, number: int) -> None:
        self._server = server
        self._number = number
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def wait(self) -> int:
        """Wait until it has ended, and return its exit code."""
        return await asyncio.shield(self._ended)

    def end(self, *, at_once: bool) -> None:
        """Ask it to end, or kill it `at_once`, with whatever it may have started."""
        if not self._ended.done():
            with suppress(OSError):
                self._server.send(End(self._number, at_once))

    def note_end(self, code: int) -> None:
        """Note that it has ended."""
        if not self._ended.done():
            self._ended.set_result(code)


class ForkServer:
    """The fork server of a door, which is started when it is first needed, and again if it dies.

    Use it in one event loop.
    """

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._screens: dict[int, ForkedScreen] = {}
        self._last = 0

    @staticmethod
    def where_possible() -> ForkServer | None:
        """Return a fork server, where this system lets screens be forked."""
        return ForkServer() if sys.platform == "linux" else None

    def fork(
        self, environment: Mapping[str, str], home: str, terminal: int, order: int
    ) -> ForkedScreen:
        """Fork a screen on a terminal, which reads its order from a pipe; both may be closed then.

        Raises OSError: there are no processes or files left.
        """
        if self._socket is None:
            self._start(environment)
        self._last += 1
        self.send(Fork(self._last, dict(environment), home), terminal, order)
        screen = self._screens[self._last] = ForkedScreen(self, self._last)
        return screen

    def send(self, message: Fork | End, *files: int) -> None:
        """Send a message, with open files. Raises OSError: the fork server is gone."""
        if self._socket is None:
            raise BrokenPipeError
        if sys.platform == "linux":
            socket.send_fds(self._socket, [msgspec.json.encode(message)], files)

    async def close(self) -> None:
        """Let the fork server end, and wait until it has; screens end with their terminals."""
        self._let_go()
        if self._process is not None:
            await asyncio.to_thread(self._process.wait)

    def _let_go(self) -> None:
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None
        screens, self._screens = self._screens, {}
        for screen in screens.values():
            screen.note_end(NO_SERVER)

    def _start(self, environment: Mapping[str, str]) -> None:
        """Start the program with that part of a guest's environment which is the same for all."""
        if self._process is not None:
            self._process.poll()
        ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                python(*SERVER_ARGUMENTS, str(theirs.fileno())),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={
                    **{
                        name: environment[name] for name in environment if name.startswith("PYTHON")
                    },
                    "MALLOC_ARENA_MAX": "1",  # threads have no memory of their own to spare
                },
                cwd="/",
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        ours.settimeout(0)
        self._socket = ours
        asyncio.get_running_loop().add_reader(ours, self._receive)

    def _receive(self) -> None:
        """Hear of screens that have ended, or of the end of the fork server."""
        assert self._socket is not None
        try:
            data = self._socket.recv(MAX_MESSAGE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._let_go()
            return
        ended = msgspec.json.decode(data, type=ScreenEnded)
        screen = self._screens.pop(ended.number, None)
        if screen is not None:
            screen.note_end(ended.code)
