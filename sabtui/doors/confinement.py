"""The confinement of a guest's screen, by what a plain process may do to itself.

Everywhere on POSIX: limits on memory, files and their size. On Linux also: no new rights by any
program, and, by Landlock, no file but those that Python and Sabtui consist of, none of which can be
written or run, and those of the guest's own folder. Without Landlock (before Linux 5.13, or where
it is turned off) files are out of reach only as far as the screens do not ask for them; before 6.2
a file that the account may write could still be emptied.

Not limited are processes, since that limit counts all processes of the user, and connections.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from net.server.process import hide_memory

MAX_DATA_BYTES: Final = 1 << 29
"""Memory that a guest's screen may use (512 MiB); it needs about a sixth of that."""

MAX_WRITTEN_BYTES: Final = 1 << 20  # size in bytes (1 MiB) beyond which it can write no file
MAX_OPEN_FILES: Final = 128
NICENESS: Final = 5  # how far it gives way to the table's process, whatever a guest types or pastes

SYSTEM_FOLDERS: Final = ("/usr", "/lib", "/lib64", "/etc", "/nix/store", "/gnu/store")
"""Folders of the system in which Python may look for what it has not loaded yet."""

_PR_SET_NO_NEW_PRIVS: Final = 38  # from `<linux/prctl.h>`

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""Landlock's system calls, of one number on all processors that Python knows."""

_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
_EXECUTE: Final = 1 << 0
_RIGHTS: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
"""All rights to files that Landlock knows, by its version; later ones are not about files."""


def confine(home: Path) -> None:
    """Give up what the screen of a guest with this folder does not need."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - POSIX

        for limit, most in (
            (resource.RLIMIT_DATA, MAX_DATA_BYTES),
            (resource.RLIMIT_FSIZE, MAX_WRITTEN_BYTES),
            (resource.RLIMIT_NOFILE, MAX_OPEN_FILES),
        ):
            with suppress(OSError, ValueError):  # the system's own limit is lower
                resource.setrlimit(limit, (most, most))
        os.nice(NICENESS)
        hide_memory()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library or system without it
            _landlock(home)


def readable(home: Path) -> list[Path]:
    """Return the files and folders that a guest's screen may read."""
    ours = (Path(part) for part in (*sys.path, sys.prefix, sys.base_prefix) if part)
    system = (Path(folder) for folder in SYSTEM_FOLDERS)
    return [path for path in (*ours, *system, Path("/dev/urandom"), home) if path.exists()]


def _landlock(home: Path) -> None:
    """Give up all files but those that may be read, and the guest's own folder.

    Raises OSError: the system has no Landlock; nothing was given up then but new rights.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    version = _call(libc, _CREATE_RULESET, None, 0, 1)
    rights = _RIGHTS[min(version, max(_RIGHTS))]
    ruleset = _call(libc, _CREATE_RULESET, struct.pack("=Q", rights), 8, 0)
    try:
        _allow(libc, ruleset, readable(home), _READ_FILE | _READ_FOLDER)
        _allow(libc, ruleset, [home], rights & ~_EXECUTE)
        _allow(libc, ruleset, [Path(os.devnull)], _READ_FILE | _WRITE_FILE)
        _call(libc, _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, paths: Iterable[Path], rights: int) -> None:
    for path in paths:
        known = rights if path.is_dir() else rights & (_READ_FILE | _WRITE_FILE)
        with suppress(OSError):  # gone, or not ours to open
            opened = os.open(path, getattr(os, "O_PATH", 0))
            try:
                _call(libc, _ADD_RULE, ruleset, 1, struct.pack("=Qi", known, opened), 0)
            finally:
                os.close(opened)


def _call(libc: ctypes.CDLL, number: int, *arguments: int | bytes | None) -> int:
    """Make a system call; raise OSError if it fails."""
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
