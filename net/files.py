"""Files for this user alone: written whole or not at all, and locks that end with the program.

A file is written under a name of its own and then takes its place, so that neither a reader nor a
second writer ever meets half of it. A lock is an advisory one on a file (POSIX and Windows). The
system releases it when the program dies, however it dies. Where the file's disk has no locks, as
some network drives, files on this computer's own disk stand in for it.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum, auto
from pathlib import Path
from typing import IO, Final

PRIVATE: Final = 0o600  # mode of a file that only this user may read and write

BY_UMASK: Final = 0o666
"""Mode of a file that the user has named, to give to others; the umask restricts it."""

LEFT_OVER_S: Final = 3600.0  # seconds after which an unfinished file was left by a killed program

LOCK_PATIENCE_S: Final = 0.25
"""Seconds to try for a lock: longer than a program that only checks the lock holds it."""

_PAUSE_S: Final = 0.002  # seconds between two tries


def private_folder(path: Path) -> None:
    """Create a folder, and those above it, for this user only, where missing. Raises OSError."""
    try:
        path.mkdir(mode=0o700)
    except FileNotFoundError:
        if path.parent == path:
            raise
        private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        if path.is_dir():
            return
        path.stat()  # raises FileNotFoundError for a link that leads nowhere
        raise


def new_file(folder: Path, mode: int = PRIVATE) -> Path:
    """Create an empty file under a name that no other program uses, and return its path.

    Such files of programs that were killed are removed after `LEFT_OVER_S`.

    Raises OSError: the folder cannot be written.
    """
    for old in folder.glob(".sabtui-*.new*"):
        with suppress(OSError):  # another program may be removing it, too
            if time.time() - old.stat().st_mtime > LEFT_OVER_S:
                old.unlink()
    path = folder / f".sabtui-{os.urandom(8).hex()}.new"
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    return path


def create(path: Path, data: bytes, *, mode: int = PRIVATE) -> None:
    """Write a file that does not exist yet, all of it or none; it survives a loss of power.

    Raises FileExistsError, or OSError: the disk is full, or the folder cannot be written.
    """
    with _write(path.parent, data, mode, lasting=True) as fresh:
        try:
            os.link(fresh, path)
        except FileExistsError:
            raise
        except OSError:  # the disk allows no second name for a file, as on a memory stick
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
            try:
                _put(fresh, path)
            except OSError:
                path.unlink()
                raise
    _sync_folder(path.parent)


def replace(path: Path, data: bytes, *, lasting: bool = True) -> None:
    """Write a file in the place of another, if there is one, all of it or none.

    If it is `lasting`, it survives a loss of power.

    Raises OSError: the disk is full, or the folder cannot be written.
    """
    with _write(path.parent, data, PRIVATE, lasting=lasting) as fresh:
        _put(fresh, path)
    if lasting:
        _sync_folder(path.parent)


def open_to_append(path: Path) -> IO[bytes]:
    """Open a file that others append to, too; a new one is this user's alone. Raises OSError."""
    return open(path, "ab", opener=lambda file, flags: os.open(file, flags, PRIVATE))


def sync(file: IO[bytes]) -> None:
    """Wait until the disk has all that was written to a file. Raises `OSError`."""
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _write(folder: Path, data: bytes, mode: int, *, lasting: bool) -> Iterator[Path]:
    """Write a file under a name of its own; delete it at the end, unless it was renamed."""
    fresh = new_file(folder, mode)
    try:
        with fresh.open("r+b") as file:
            file.write(data)
            if lasting:
                sync(file)
        yield fresh
    finally:
        with suppress(OSError):  # a later `new_file` removes it
            fresh.unlink(missing_ok=True)


def _put(fresh: Path, path: Path) -> None:
    """Put a file in the place of another; on Windows, wait while another program reads that."""
    until = time.monotonic() + (LOCK_PATIENCE_S if os.name == "nt" else 0.0)
    while True:
        try:
            fresh.replace(path)
        except PermissionError:
            if time.monotonic() >= until:
                raise
            time.sleep(_PAUSE_S)
        else:
            return


def _sync_folder(folder: Path) -> None:
    """Wait until the disk has the names of a folder's files, where the system can do that."""
    if sys.platform != "win32":  # where a folder cannot be opened
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.ENOTSUP}:  # some disks cannot sync folders
                raise
        finally:
            os.close(opened)


# Locks.

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        """Lock the first byte, or raise `OSError`; Windows lets nobody else read it then."""
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _look(file: IO[bytes]) -> None:
        """Raise `OSError` if the first byte is locked; this locks nothing."""
        file.read(1)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        """Lock the file, or raise `OSError` at once."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _look(file: IO[bytes]) -> None:
        """Raise `OSError` if the file is locked; the shared lock that this takes blocks nobody."""
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


class LockState(Enum):
    """Outcome of an attempt to lock a file."""

    OURS = auto()
    TAKEN = auto()  # another program holds it
    MISSING = auto()  # no disk here has locks, so nobody can know


_TAKEN: Final = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK, 36})
"""Errors of a lock that is held: POSIX and Windows, where 36 is EDEADLOCK. Others mean no locks."""


@contextmanager
def file_lock(path: Path) -> Iterator[LockState]:
    """Lock a file, or a stand-in for it, and release that on exit.

    Waits up to `LOCK_PATIENCE_S` if another program holds it.

    Raises OSError: the file cannot be written.
    """
    private_folder(path.parent)
    path.touch(mode=PRIVATE)
    with ExitStack() as held:
        lock = _try_lock(held.enter_context(path.open("r+b", buffering=0)))
        if lock is LockState.MISSING:
            lock = _lock_stand_ins(path, held)
        yield lock


def _try_lock(file: IO[bytes]) -> LockState:
    until = time.monotonic() + LOCK_PATIENCE_S
    while True:
        try:
            _lock(file)
        except OSError as error:
            if error.errno not in _TAKEN:
                return LockState.MISSING
            if time.monotonic() >= until:
                return LockState.TAKEN
            time.sleep(_PAUSE_S)
        else:
            return LockState.OURS


def is_held(path: Path) -> bool:
    """Return True if a program has locked this file for itself; checking does not lock it."""
    try:
        return _is_locked(path)
    except FileNotFoundError:
        return False
    except OSError:
        return any(map(_is_stand_in_locked, _stand_ins(path)))


def _is_locked(path: Path) -> bool:
    """Return True if a file is locked. Raises `OSError`: no file, or a disk without locks."""
    with path.open("rb", buffering=0) as file:
        try:
            _look(file)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
            return True
    return False


# Stand-ins: locks on this computer only, for files on a disk without locks.


def _stand_ins(path: Path) -> list[Path]:
    """Return the files that can stand in for one, on this computer's own disks.

    There are several, as a user's programs may have different environments: a desktop session has a
    runtime folder, one of cron or ssh may have none.
    """
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL, and few need such a lock

    user = 0
    if sys.platform != "win32":
        user = os.getuid()
    folders = [Path(tempfile.gettempdir()) / f"sabtui-{user}"]
    if runtime := os.environ.get("XDG_RUNTIME_DIR"):
        folders.append(Path(runtime) / "sabtui")
    name = blake2b(os.fsencode(path.resolve()), digest_size=16).hexdigest()
    return [folder / f"{name}.lock" for folder in folders]


def _lock_stand_ins(path: Path, held: ExitStack) -> LockState:
    """Lock what stands in for a file, for as long as `held` is open."""
    locks = list[LockState]()
    for stand_in in _stand_ins(path):
        with suppress(OSError):  # cannot be written, or is not ours: another may work
            private_folder(stand_in.parent)
            _check_private(stand_in.parent)
            stand_in.touch(mode=PRIVATE)
            locks.append(_try_lock(held.enter_context(stand_in.open("r+b", buffering=0))))
    return next(
        (lock for lock in (LockState.TAKEN, LockState.OURS) if lock in locks), LockState.MISSING
    )


def _is_stand_in_locked(stand_in: Path) -> bool:
    with suppress(OSError):  # no such file, or not in one of our folders
        _check_private(stand_in.parent)
        return _is_locked(stand_in)
    return False


def _check_private(folder: Path) -> None:
    """Raise `PermissionError` if somebody else made this folder, as anybody can in /tmp."""
    if sys.platform != "win32":
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
