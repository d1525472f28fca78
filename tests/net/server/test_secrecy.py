"""What the host's player could look into while a game lasts holds nothing of it that is secret."""

from __future__ import annotations

import mmap
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import get_args

import pytest
from msgspec.msgpack import encode

from engine.events import Played, Private
from net.protocol.events import read_event
from net.protocol.messages import HostMessage, StepFrame
from tests.net.server.journal_tools import HOUSE
from tests.net.server.served_table import Guest

pytest.importorskip("fcntl", reason="looks into /proc")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def memory_of(pid: int) -> bytes:
    """All memory that a process can write to, but for pages of zeros, which are most of it."""
    maps = Path(f"/proc/{pid}/maps").read_text()
    found: list[bytes] = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for begin, end in re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw", maps, re.MULTILINE):
            with suppress(OSError):  # the system's own pages
                memory.seek(int(begin, 16))
                area = memory.read(int(end, 16) - int(begin, 16))
                pages = (area[at : at + mmap.PAGESIZE] for at in range(0, len(area), mmap.PAGESIZE))
                found += [page for page in pages if page.strip(b"\0")]
    return b"".join(found)


def facts_of(pid: int) -> bytes:
    """What we can read of a process: its command line and, if it lets its user, its environment."""
    folder = Path("/proc", str(pid))
    facts = (folder / "cmdline").read_bytes()
    with suppress(PermissionError):  # the process of a table hides it, but from root
        facts += (folder / "environ").read_bytes()
    return facts


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, such as that of its bots."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def files_in(folder: Path) -> bytes:
    """All that lies in a folder: journal, its log, spare file, log of the program."""
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def moves_seen(guest: Guest) -> list[Played]:
    """The moves that somebody has seen; the bot's are those of seat 3."""
    view = guest.state.status.view
    return [] if view is None else [one for one in view.history if isinstance(one, Played)]


def moves_of_bot(guest: Guest) -> int:
    """Count the moves of the bot that somebody has seen."""
    return sum(one.seat == 3 for one in moves_seen(guest))


def private_words(got: list[HostMessage]) -> Iterator[bytes]:
    """What one seat alone was told: dwarf, hand, cards, goals."""
    for step in got:
        for event in step.events if isinstance(step, StepFrame) else ():
            if isinstance(read_event(event), get_args(Private)):
                yield encode(event)


@contextmanager
def hold_still(pid: int) -> Iterator[None]:
    """Stop a process for as long as one looks."""
    if sys.platform != "win32":
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)
    else:
        yield


PEEK = """
import sys
from pathlib import Path
try:
    with Path(f"/proc/{sys.argv[1]}/mem").open("rb"):
        print("read")
except PermissionError:
    print("refused")
"""

SECRETIVE = """
import ctypes, os, resource, sys
from net.server.process import hide_memory
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # which a change of the user takes away
hide_memory()
peek = sys.stdin.read()
pid = os.fork()
if pid == 0:
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    sys.argv = ["-", str(os.getppid())]
    exec(peek)
    sys.stdout.flush()
    os._exit(0)
os.waitpid(pid, 0)
print(*resource.getrlimit(resource.RLIMIT_CORE))
"""


def test_another_process_of_the_same_user_cannot_read_the_memory_of_one_that_hides_it() -> None:
    run = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", SECRETIVE],
        input=PEEK,
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["refused", "0", "0"]
