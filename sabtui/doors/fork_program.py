"""The fork server of a door: `python -m sabtui.doors.fork_program FILE`, on Linux.

FILE is the number of a socket, on which the door asks for screens (`sabtui.doors.guest_screen`).
This process has one thread and no event loop, and reads no secret: an order is in a pipe that only
the forked process reads, which then does all that `sabtui.doors.guest_program` does by itself.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Final

import msgspec

from net.server.process import hide_memory
from sabtui.app.rooms import rooms
from sabtui.app.terminal import prepare_streams
from sabtui.doors import guest_program
from sabtui.doors.guest_screen import MAX_MESSAGE_BYTES, End, Fork, ScreenEnded

assert sys.platform != "win32"  # so that types know, too

PRELOADED: Final = (
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "sabtui.tui.lobby.screen",
    "sabtui.tui.screens.join",
    "sabtui.tui.table.screen",
    "spake2",
    "textual.drivers.linux_driver",
    "textual.layouts.horizontal",
    "textual.layouts.stream",
    "textual.pilot",
    "textual.scrollbar",
)
"""Modules that a screen loads once it runs, beside those that `guest_program` imports."""

_FIRST_FILE: Final = 3  # after stdin, stdout and stderr


@dataclass(frozen=True, slots=True)
class Running:
    """A forked screen that nobody has waited for yet. `watch` is a file that tells of its end."""

    number: int
    pid: int
    watch: int


@dataclass(frozen=True, slots=True)
class Forked:
    """A forked process as it is to be: environment, home, terminal, and its order in a pipe."""

    asked: Fork
    terminal: int
    order: int


class Screens:
    """The screens that run."""

    def __init__(self, control: socket.socket, selector: selectors.BaseSelector) -> None:
        self._control = control
        self._selector = selector
        self._running: dict[int, Running] = {}
        selector.register(control, selectors.EVENT_READ)

    def serve(self) -> Forked | None:
        """Serve until the door is gone, and return `None`; in each forked process what it is."""
        while True:
            for key, _ in self._selector.select():
                if isinstance(key.data, Running):
                    self._bury(key.data)
                    continue
                data, files, _, _ = socket.recv_fds(self._control, MAX_MESSAGE_BYTES, 2)
                if not data:
                    return None
                message = msgspec.json.decode(data, type=Fork | End)
                if isinstance(message, End):
                    self._end(message)
                elif self._fork(message, files):
                    return Forked(message, *files)

    def _fork(self, asked: Fork, files: list[int]) -> bool:
        """Fork a screen; return True in the new process."""
        try:
            pid = os.fork()
        except OSError:
            self._tell(ScreenEnded(asked.number, 1))
            pid = -1
        if pid == 0:
            for one in self._running.values():
                os.close(one.watch)
            return True
        for file in files:  # one may be needed to watch the screen
            os.close(file)
        if pid > 0 and sys.platform == "linux":
            running = Running(asked.number, pid, os.pidfd_open(pid))
            self._running[asked.number] = running
            self._selector.register(running.watch, selectors.EVENT_READ, running)
        return False

    def _end(self, asked: End) -> None:
        """End a screen; its number is nobody else's as long as nobody has waited for it."""
        running = self._running.get(asked.number)
        if running is None:
            return
        sent = signal.SIGKILL if asked.at_once else signal.SIGTERM
        try:
            os.killpg(running.pid, sent)
        except ProcessLookupError:  # it leads no group yet
            os.kill(running.pid, sent)

    def _bury(self, running: Running) -> None:
        """Take note of the end of a screen."""
        _, status = os.waitpid(running.pid, 0)
        del self._running[running.number]
        self._selector.unregister(running.watch)
        os.close(running.watch)
        self._tell(ScreenEnded(running.number, os.waitstatus_to_exitcode(status)))

    def _tell(self, ended: ScreenEnded) -> None:
        with suppress(OSError):  # the door is gone, which is heard next
            self._control.send(msgspec.json.encode(ended))


def main() -> int:
    """Serve until the door is gone; in a forked process, run the screen. Return the exit code."""
    hide_memory()
    prepare_streams()
    for module in (*PRELOADED, *(name for room in rooms() for name in room.screens)):
        import_module(module)
    gc.collect()
    gc.freeze()  # what is shared is not written to by collecting garbage
    with (
        socket.socket(fileno=int(sys.argv[1])) as control,
        selectors.DefaultSelector() as selector,
    ):
        forked = Screens(control, selector).serve()
    if forked is None:
        return 0
    _become(forked)
    return guest_program.main(forked.order)


def _become(forked: Forked) -> None:
    """Leave the fork server's session, files and environment."""
    os.setsid()
    for file in range(_FIRST_FILE):
        os.dup2(forked.terminal, file)
    most = os.sysconf("SC_OPEN_MAX")
    os.closerange(_FIRST_FILE, forked.order)
    os.closerange(forked.order + 1, most)
    os.environ.clear()
    os.environ.update(forked.asked.environment)
    os.chdir(forked.asked.home)


if __name__ == "__main__":
    sys.exit(main())
