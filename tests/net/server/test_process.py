"""What a process of ours asks of the system for itself, and what others can see of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.net.server.journal_tools import HOUSE

LOADED = """
import gc
from net.server.process import collect_rarely
before = gc.get_threshold()
collect_rarely()
print(gc.get_freeze_count() > 1000, gc.get_threshold()[0] >= 10 * before[0])
"""


def test_a_server_looks_for_garbage_more_rarely_and_never_at_what_was_loaded() -> None:
    run = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", LOADED], capture_output=True, check=True, text=True
    )
    assert run.stdout == "True True\n"


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


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
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
