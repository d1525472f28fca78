"""Files for this user alone are whole or not there, and a look at a lock does not take it."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import pytest

from net import files

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")

WRITES: Final = 100  # of each of two programs

WRITER: Final = f"""
import sys
from pathlib import Path
from net.files import replace
input()
for _ in range({WRITES}):
    replace(Path(sys.argv[1]), sys.argv[2].encode() * 5000, lasting=False)
"""

LOOKER: Final = """
import sys
from pathlib import Path
from net.files import is_held
print(flush=True)
while not Path(sys.argv[2]).exists():
    is_held(Path(sys.argv[1]))
"""

HOLDER: Final = """
import sys
from pathlib import Path
from net.files import file_lock
with file_lock(Path(sys.argv[1])) as got:
    print(got.name, flush=True)
    input()
"""


LOCKLESS: Final = """
import errno, os, sys
from net import files
bare, lock, look = sys.argv[2].split(os.pathsep), files._lock, files._look
def on_disk(do):
    def fail_or_do(file):
        if any(str(file.name).startswith(folder) for folder in bare):
            raise OSError(getattr(errno, sys.argv[3]), "no locks")
        do(file)
    return fail_or_do
files._lock, files._look = on_disk(lock), on_disk(look)
"""
"""What makes a program find no locks in some folders, as on a network drive."""


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)  # noqa: S603 - ourselves


@contextmanager
def holding(path: Path) -> Iterator[subprocess.Popen[str]]:
    with start(HOLDER, path) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "OURS\n"
        yield other
        other.kill()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_every_folder_that_is_created_is_for_its_user_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    files.private_folder(tmp_path / "state" / "sabtui" / "seats")
    assert mode(tmp_path) == 0o755, "it was there before"
    made = [tmp_path / "state", tmp_path / "state/sabtui", tmp_path / "state/sabtui/seats"]
    assert list(map(mode, made)) == [0o700] * 3
    made[0].chmod(0o750)
    files.private_folder(made[2])
    assert mode(made[0]) == 0o750


def test_a_folder_that_cannot_be_is_told_by_what_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError):
        files.private_folder(tmp_path / "file")
    with pytest.raises(NotADirectoryError):
        files.private_folder(tmp_path / "file" / "seats")


@posix
def test_a_link_to_a_disk_that_is_not_there_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "state").symlink_to(tmp_path / "unplugged")
    with pytest.raises(FileNotFoundError):
        files.private_folder(tmp_path / "state" / "sabtui")


@posix
def test_a_file_is_for_its_user_alone_unless_the_user_has_named_it(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        files.create(tmp_path / "secret", b"a")
        files.replace(tmp_path / "settings", b"b")
        files.create(tmp_path / "export", b"c", mode=files.BY_UMASK)
        with files.open_to_append(tmp_path / "log") as log:
            log.write(b"d")
    finally:
        os.umask(before)
    modes = {path.name: mode(path) for path in tmp_path.iterdir()}
    assert modes == {"secret": 0o600, "settings": 0o600, "export": 0o644, "log": 0o600}


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    files.create(tmp_path / "secret", b"first")
    with pytest.raises(FileExistsError):
        files.create(tmp_path / "secret", b"second")
    assert (tmp_path / "secret").read_bytes() == b"first"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_disk_without_second_names_takes_files_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(_fresh: Path, _path: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("net.files.os.link", link)
    files.create(tmp_path / "export", b"first")
    with pytest.raises(FileExistsError):
        files.create(tmp_path / "export", b"second")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"export": b"first"}


@pytest.mark.parametrize("write", [files.create, files.replace])
def test_nothing_stays_of_a_file_that_the_disk_does_not_take(
    write: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("net.files.os.fsync", fsync)
    assert callable(write)
    with pytest.raises(OSError, match="No space left"):
        write(tmp_path / "seat", b"key")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_program_has_left_is_removed_after_an_hour(tmp_path: Path) -> None:
    old, young = files.new_file(tmp_path), files.new_file(tmp_path)
    long_ago = time.time() - files.LEFT_OVER_S - 1
    os.utime(old, (long_ago, long_ago))
    files.replace(tmp_path / "a.seat", b"key")
    assert not old.exists()
    assert young.exists()


def test_two_programs_that_write_one_file_fail_never_and_are_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.seat"
    files.replace(path, b"a" * 5000)
    with start(WRITER, path, "a") as one, start(WRITER, path, "b") as two:
        for writer in (one, two):
            assert writer.stdin is not None
            writer.stdin.write("\n")
            writer.stdin.flush()
        seen = {path.read_bytes()}
        while one.poll() is None or two.poll() is None:
            seen.add(path.read_bytes())
    assert (one.returncode, two.returncode) == (0, 0)
    assert seen <= {b"a" * 5000, b"b" * 5000}
    assert list(tmp_path.iterdir()) == [path]


def test_a_program_that_looks_whether_a_lock_is_held_keeps_nobody_from_it(tmp_path: Path) -> None:
    path, end = tmp_path / "a.held", tmp_path / "end"
    path.touch()
    with start(LOOKER, path, end) as looker:
        assert looker.stdout is not None
        assert looker.stdout.readline() == "\n"
        refused = 0
        for _ in range(2000):
            with files.file_lock(path) as got:
                refused += got is not files.LockState.OURS
        end.touch()
    assert refused == 0


def test_a_lock_is_held_until_its_program_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "seats" / "a.held"
    assert not files.is_held(path)
    with holding(path):
        assert files.is_held(path)
        with files.file_lock(path) as got:
            assert got is files.LockState.TAKEN
    assert not files.is_held(path)
    with files.file_lock(path) as got:
        assert got is files.LockState.OURS
        assert files.is_held(path), "by another part of this program, too"


class Lockless:
    """A folder on a disk without locks, beside a runtime folder and one for temporary files."""

    def __init__(self, root: Path, error: str = "ENOLCK") -> None:
        self.error = error
        self.home, self.runtime, self.temporary = (
            root / name for name in ("home", "runtime", "temporary")
        )
        for folder in (self.home, self.runtime, self.temporary):
            folder.mkdir()
        self.path = self.home / "a.lock"

    def lock(self, *, has_runtime: bool = True, bare: str = "home") -> subprocess.Popen[str]:
        """Start a program that locks the file and says what came of it."""
        environ = {**os.environ, "TMPDIR": str(self.temporary)}
        environ.pop("XDG_RUNTIME_DIR", None)
        if has_runtime:
            environ["XDG_RUNTIME_DIR"] = str(self.runtime)
        without = os.pathsep.join(str(self.home.parent / name) for name in bare.split())
        command = [sys.executable, "-c", LOCKLESS + HOLDER, str(self.path), without, self.error]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environ)  # noqa: S603 - ourselves


def read_answer(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    return program.stdout.readline().strip()


@posix
@pytest.mark.parametrize("error", ["ENOLCK", "ENOSYS", "EOPNOTSUPP", "EBADF", "EINVAL", "EIO"])
def test_where_a_disk_has_no_locks_those_of_this_computer_serve(tmp_path: Path, error: str) -> None:
    disk = Lockless(tmp_path, error)
    with disk.lock() as one:
        assert read_answer(one) == "OURS"
        with disk.lock() as two, disk.lock(has_runtime=False) as three:
            assert (read_answer(two), read_answer(three)) == ("TAKEN", "TAKEN")
        one.kill()
    with disk.lock(has_runtime=False) as four:
        assert read_answer(four) == "OURS"
        with disk.lock() as five:
            assert read_answer(five) == "TAKEN"
        four.kill()


@posix
@pytest.mark.parametrize("error", ["EAGAIN", "EACCES"])
def test_a_lock_that_is_held_has_no_stand_in(tmp_path: Path, error: str) -> None:
    disk = Lockless(tmp_path, error)
    with disk.lock() as one:
        assert read_answer(one) == "TAKEN"
    assert list(disk.temporary.iterdir()) == list(disk.runtime.iterdir()) == []


@posix
def test_where_no_disk_has_locks_that_is_told(tmp_path: Path) -> None:
    disk = Lockless(tmp_path)
    with disk.lock(bare="home runtime temporary") as one:
        assert read_answer(one) == "MISSING"


@posix
def test_a_folder_that_somebody_else_has_put_in_the_way_is_not_used(tmp_path: Path) -> None:
    disk = Lockless(tmp_path)
    with disk.lock(has_runtime=False) as one:
        assert read_answer(one) == "OURS"
    shutil.rmtree(made := next(disk.temporary.iterdir()))
    made.symlink_to(tmp_path)
    with disk.lock(has_runtime=False) as one:
        assert read_answer(one) == "MISSING"
    assert list(tmp_path.glob("*.lock")) == []


@posix
def test_to_look_whether_a_lock_is_held_looks_at_what_stands_in_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Lockless(tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(disk.runtime))
    monkeypatch.setattr(tempfile, "tempdir", str(disk.temporary))
    with disk.lock() as one:
        assert read_answer(one) == "OURS"
        look = files._look

        def find_no_locks_at_home(file: IO[bytes]) -> None:
            if str(file.name) == str(disk.path):
                raise OSError(errno.ENOLCK, "no locks")
            look(file)

        monkeypatch.setattr(files, "_look", find_no_locks_at_home)
        assert files.is_held(disk.path)
        one.kill()
    assert not files.is_held(disk.path)


@posix
def test_a_lock_that_cannot_be_written_is_not_said_to_be_held(tmp_path: Path) -> None:
    (tmp_path / "a.lock").mkdir()
    with pytest.raises(IsADirectoryError), files.file_lock(tmp_path / "a.lock"):
        pass
