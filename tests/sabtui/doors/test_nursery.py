"""A nursery forks screens that share nothing of each other's, and may be killed at any time."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from sabtui.doors import guest_screen, nursery
from sabtui.doors.guest_screen import GuestOrder, GuestScreen
from sabtui.doors.nursery import Nursery
from tests.net.server.served_table import until
from tests.sabtui.doors.test_guest_screen import COLOURS, ECHO, NOBODY, SIGKILL, nursery_of

assert sys.platform != "win32"  # so that types know, too

SERVE = """
import os, sys
from sabtui.doors.forking import serve_births
{before}
sys.exit(serve_births({run}, int(sys.argv[-1])))
"""


@asynccontextmanager
async def screens_of(home: Path, nursery: Nursery, count: int) -> AsyncIterator[list[GuestScreen]]:
    starting = (
        GuestScreen.start(NOBODY, home / str(number), COLOURS, nursery) for number in range(count)
    )
    screens = await asyncio.gather(*starting)
    try:
        yield screens
    finally:
        await asyncio.gather(*(screen.close() for screen in screens))
        await nursery.close()


def count_threads(process: int) -> int:
    return len(list(Path(f"/proc/{process}/task").iterdir()))


def read_environment(process: int) -> str:
    return Path(f"/proc/{process}/environ").read_text()


async def read_line(screen: GuestScreen) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        line += await screen.read()
    return line.strip()


async def test_screens_outlive_their_nursery_and_the_next_guest_gets_a_new_one(
    tmp_path: Path,
) -> None:
    shared = nursery_of(ECHO)
    async with screens_of(tmp_path, shared, 2) as screens:
        process = shared._process
        assert process is not None
        process.kill()  # the next start may find it dead, dying, or still noted as alive
        screens.append(await GuestScreen.start(NOBODY, tmp_path / "new", COLOURS, shared))
        for number, screen in enumerate(screens):
            assert await screen.read() == b"ready\r\n"
            screen.write(b"%d" % number)
            assert await screen.read() == b"%d" % number


async def test_a_nursery_that_hangs_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = nursery_of(ECHO)
    async with screens_of(tmp_path, shared, 1):
        process = shared._process
        assert process is not None
        process.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(nursery, "BIRTH_S", 0.1)
        with suppress(TimeoutError):  # the new one may take longer than this to load
            screen = await GuestScreen.start(NOBODY, tmp_path / "new", COLOURS, shared)
            await screen.close()
        assert process.returncode == -SIGKILL
        monkeypatch.undo()
        screen = await GuestScreen.start(NOBODY, tmp_path / "new", COLOURS, shared)
        assert await screen.read() == b"ready\r\n"
        await screen.close()


async def test_a_nursery_that_takes_long_to_load_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = tmp_path / "go on"
    slow = f"import time\nwhile not os.path.exists({str(go_on)!r}): time.sleep(0.01)"
    source = SERVE.format(before=slow, run="lambda order: os.write(1, b'up') and 3")
    shared = Nursery("-c", source)
    monkeypatch.setattr(nursery, "BIRTH_S", 0.0)
    starting = asyncio.create_task(GuestScreen.start(NOBODY, tmp_path / "a", COLOURS, shared))
    await until(lambda: shared._loading is not None)
    await asyncio.sleep(0.05)
    monkeypatch.undo()
    first = shared._process
    go_on.touch()
    screen = await starting
    assert await screen.read() == b"up"
    assert shared._process is first
    await screen.close()
    await shared.close()


async def test_somebody_who_hangs_up_while_a_nursery_is_launched_leaves_it_to_the_next_guest(
    tmp_path: Path,
) -> None:
    shared = nursery_of(ECHO)
    coming = asyncio.create_task(shared.prepare())
    await asyncio.sleep(0)
    coming.cancel()
    with pytest.raises(asyncio.CancelledError):
        await coming
    async with screens_of(tmp_path, shared, 1) as (screen,):
        assert await screen.read() == b"ready\r\n"


async def test_a_screen_that_fails_ends_with_its_own_error(tmp_path: Path) -> None:
    source = SERVE.format(before="def run(_order): raise OSError('of its own')", run="run")
    async with screens_of(tmp_path, Nursery("-c", source), 1) as (screen,):
        drawn = b""
        while part := await screen.read():
            drawn += part
        assert b"of its own" in drawn
        assert await screen.close() == 1


async def test_without_processes_left_a_guest_is_refused_and_the_next_one_is_not(
    tmp_path: Path,
) -> None:
    (tmp_path / "full").touch()
    scarce = (
        "fork = os.fork\n"
        "def scarce_fork():\n"
        f"    if os.path.exists({str(tmp_path / 'full')!r}): raise BlockingIOError\n"
        "    return fork()\n"
        "os.fork = scarce_fork"
    )
    source = SERVE.format(before=scarce, run="lambda order: os.write(1, b'up') and 3")
    shared = Nursery("-c", source)
    with pytest.raises(OSError, match="no screen was started"):
        await GuestScreen.start(NOBODY, tmp_path / "a", COLOURS, shared)
    (tmp_path / "full").unlink()
    screen = await GuestScreen.start(NOBODY, tmp_path / "b", COLOURS, shared)
    assert await screen.read() == b"up"
    assert await screen._process.wait() == 3
    await screen.close()
    await shared.close()


async def test_a_screen_that_closes_its_link_is_still_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(os, "pidfd_open"):
        pytest.skip("this system has no files that stand for processes")
    monkeypatch.setattr(guest_screen, "GOODBYE_S", 0.05)
    deaf = (
        "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "os.close(3); os.write(1, b'%d\\n' % os.getpid()); time.sleep(600)"
    )
    async with screens_of(tmp_path, nursery_of(deaf), 1) as (screen,):
        pid = int(await read_line(screen))
        assert await screen.close() == -SIGKILL
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


TELL = """
import json, os, random, secrets, ssl, sys, threading, uuid
order = {order}
print(json.dumps({
    "open": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],
    "environ": dict(os.environ), "cwd": os.getcwd(), "session": os.getsid(0) == os.getpid(),
    "threads": len(os.listdir("/proc/self/task")),
    "chance": [random.random(), secrets.token_hex(8), str(uuid.uuid4()), ssl.RAND_bytes(8).hex()],
}), flush=True)
sys.stdin.readline()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists a process's files")
async def test_a_screen_has_its_own_files_environment_session_and_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "the host's")
    run = "lambda order: exec(TELL, {'order': order}) or 0"
    source = SERVE.format(before=f"TELL = {TELL.replace('{order}', 'order')!r}", run=run)
    lines = GuestOrder("Dede", 1, bytes(32), bytes(32), "", "", lines=True)
    shared = Nursery("-c", source)
    told = []
    for number in range(3):
        home = tmp_path / str(number)
        screen = await GuestScreen.start(lines, home, COLOURS, shared)
        told.append(json.loads(await read_line(screen)))
        assert told[-1]["open"] == [0, 1, 2, 3]
        assert (told[-1]["cwd"], told[-1]["environ"]["HOME"]) == (str(home), str(home))
        assert told[-1]["session"]
        assert told[-1]["threads"] == 1
        assert "SECRET" not in told[-1]["environ"]
        screen.write(b"\n")
        assert await screen.close() in (0, -SIGKILL)
    await shared.close()
    draws = [draw for chance in told for draw in chance["chance"]]
    assert len(set(draws)) == len(draws)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists a process's threads")
async def test_the_nurseries_of_both_doors_have_one_thread_and_nothing_of_the_hosts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "the host's")
    for kind in ("screens", "lines"):
        shared = Nursery("-m", "sabtui.doors.guest_program", kind)
        screen = await GuestScreen.start(NOBODY, tmp_path / kind, COLOURS, shared)
        process = shared._process
        assert process is not None
        assert count_threads(process.pid) == 1
        if os.geteuid() == 0:  # only root can look into a process that hides its memory
            assert "the host's" not in read_environment(process.pid)
        await screen.close()
        await shared.close()
