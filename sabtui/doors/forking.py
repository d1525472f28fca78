"""The nursery's side of `sabtui.doors.nursery`: how screens are forked, and begin."""

from __future__ import annotations

import gc
import io
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from net.server.process import hide_memory
from sabtui.doors.nursery import IS_FORKING, Birth

assert sys.platform != "win32"  # imported only on POSIX; tells the type checker

_LINK: Final = 3  # file number of the link in a screen


def serve_births(run: Callable[[bytes], int], control: int) -> int:
    """Fork a process for each request on the socket with this number, until the door closes it.

    `run` is called in the new process with the order. Return the exit code of the process in which
    this call returns: the nursery or a screen.
    """
    door = socket.socket(fileno=control)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that the system removes ended screens
    hide_memory()
    gc.collect()
    gc.freeze()  # else each screen's first collection would copy all shared memory
    door.send(b"+")
    while True:
        asked, files, *_ = socket.recv_fds(door, 1, 3)
        if not asked:
            return 0
        is_screen = not IS_FORKING
        with suppress(OSError):  # no processes left: the door sees that the link has ended
            is_screen = is_screen or os.fork() == 0
        if is_screen:
            door.close()
            return _live(files, run)
        for file in files:
            os.close(file)


def _live(files: Sequence[int], run: Callable[[bytes], int]) -> int:
    """Run a screen in this process, with only these files open; return its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with suppress(PermissionError):  # if it was not forked, it leads a session already
        os.setsid()
    _take_files(*files)
    with socket.socket(fileno=_LINK) as door:
        _report_birth(door)
        with door.makefile("rb") as sent:
            birth = msgspec.json.decode(sent.read(), type=Birth)
        os.environ.clear()
        os.environ.update(birth.environment)
        os.chdir(birth.home)
        code = 1
        try:
            code = run(birth.order)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        finally:
            with suppress(OSError):  # the door is gone
                door.sendall(b"%d\n" % (code & 0xFF))
    return code


def _take_files(link: int, typed: int, drawn: int) -> None:
    """Use these files as the link and the standard streams; close all others."""
    # Copy them to high numbers first: otherwise the first `dup2` could close the next file.
    copies = [os.dup2(file, 64 + at) for at, file in enumerate((typed, drawn, link))]
    for number, copy in zip((0, 1, _LINK), copies, strict=True):
        os.dup2(copy, number)
    if os.isatty(1):  # in lines of JSON, errors still go to the null device
        os.dup2(1, 2)
    os.closerange(_LINK + 1, os.sysconf("SC_OPEN_MAX"))
    if isinstance(sys.stdout, io.TextIOWrapper):  # it was made for the null device
        sys.stdout.reconfigure(line_buffering=os.isatty(1))


def _report_birth(door: socket.socket) -> None:
    """Tell the door this process's id, and on Linux send a file that stands for the process.

    Signals to the file can never reach another process, unlike signals to an id, which may be
    reused.
    """
    files = list[int]()
    if sys.platform == "linux":
        with suppress(OSError):  # before Linux 5.3
            files.append(os.pidfd_open(os.getpid()))
    socket.send_fds(door, [b"%d\n" % os.getpid()], files)
    for file in files:
        os.close(file)
