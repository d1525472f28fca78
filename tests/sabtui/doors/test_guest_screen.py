"""A guest's screen as a process: it joins, is confined to its table, and ends with its guest."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import accumulate
from pathlib import Path

import pytest

from net.client.credentials import CredentialStore
from net.client.remote import RemoteSession
from net.secure.keys import SeatKey
from net.server.process import environment
from sabtui.doors import guest_screen
from sabtui.doors.guest_program import (
    MAX_DATA_BYTES,
    MAX_OPEN_FILES,
    MAX_WRITTEN_BYTES,
    find_credentials,
)
from sabtui.doors.guest_screen import (
    FILLER,
    MAX_COLUMNS,
    MAX_ROWS,
    MAX_TYPED_BYTES,
    PIECES_BYTES,
    GuestOrder,
    GuestScreen,
    GuestTerminal,
    ReadOutput,
    drop_cut_end,
    fill_up,
    make_environment,
    pad_output,
)
from sabtui.doors.nursery import Nursery
from tests.net.server.served_table import HERE, SMALL, Hosted, hosting, until
from tests.sabtui.doors.open_doors import processes_in
from tests.sabtui.doors.watched import WatchedGuest

SIGKILL = 9  # in POSIX

COLOURS = GuestTerminal("xterm-256color", "en_GB.UTF-8", "truecolor")

ECHO = """
import os, sys, tty
tty.setraw(0)
os.write(1, b"ready\\r\\n")
while data := os.read(0, 1024):
    os.write(1, data)
"""
SIZE = """
import os, signal, sys, tty
def report(*_):
    size = os.get_terminal_size()
    os.write(1, b"%dx%d;" % (size.columns, size.lines))
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGWINCH, report)
report()
while True:
    signal.pause()
"""
DEAF = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.write(1, b"up")
time.sleep(600)
"""

NOBODY = GuestOrder("Dede", 1, bytes(32), bytes(32), "", "")


def nursery_of(program: str) -> Nursery:
    """A nursery whose screens run another program in the place of the game."""
    source = (
        "import sys\n"
        "from sabtui.doors.forking import serve_births\n"
        f"sys.exit(serve_births(lambda order: exec({program!r}, {{}}) or 0, int(sys.argv[-1])))"
    )
    return Nursery("-c", source)


@asynccontextmanager
async def running(home: Path, program: str) -> AsyncIterator[GuestScreen]:
    """Another program in the place of the game."""
    nursery = nursery_of(program)
    screen = await GuestScreen.start(NOBODY, home, COLOURS, nursery)
    try:
        yield screen
    finally:
        await screen.close()
        await nursery.close()


@asynccontextmanager
async def looking(hosted: Hosted, home: Path) -> AsyncIterator[WatchedGuest]:
    """Dede, who has just come to a table."""
    key, table = SeatKey.new(), hosted.host.entrance.door_table()
    table.keys.admit(key.public, HERE, time.monotonic(), is_new=True)
    order = GuestOrder("Dede", table.port, key.secret, table.pin, table.id, table.name)
    nursery = Nursery("-m", "sabtui.doors.guest_program", "screens")
    screen = await GuestScreen.start(order, home, COLOURS, nursery)
    try:
        async with WatchedGuest(screen.read, screen.write) as watched:
            yield watched
    finally:
        await screen.close()
        await nursery.close()


if sys.platform == "linux":
    import resource

    LIMITS = {
        resource.RLIMIT_DATA: MAX_DATA_BYTES,
        resource.RLIMIT_FSIZE: MAX_WRITTEN_BYTES,
        resource.RLIMIT_NOFILE: MAX_OPEN_FILES,
        resource.RLIMIT_CORE: 0,
    }

    def is_confined(process: int) -> bool:
        status = Path(f"/proc/{process}/status").read_text()
        limits = {kind: resource.prlimit(process, kind) for kind in LIMITS}
        assert limits == {kind: (most, most) for kind, most in LIMITS.items()}
        return "NoNewPrivs:\t1" in status


async def test_a_guests_game_is_confined_has_no_other_screen_keeps_no_record_and_is_left_for_good(
    where: Path, tmp_path: Path
) -> None:
    async with hosting(where, SMALL) as hosted:
        await hosted.come("Ann")
        home = tmp_path / "dede"
        async with looking(hosted, home) as dede:
            dede.type("hhjjhj")  # keys of the welcome screen, which do nothing in a lobby
            await dede.sees("Dede +you")
            if sys.platform == "linux" and os.geteuid() == 0:  # only root finds the process
                assert [is_confined(process) for process in processes_in(home)] == [True]
            assert len(hosted.state.lobby.sitting) == 2
            dede.type("\x1b")
            await dede.sees("Leave this table for good")
            dede.type("y")
            await dede.end()
        assert b"You have left the table." in dede.raw
        assert "Practise" not in dede.screen.text
        suffixes = {path.suffix for path in home.rglob("*") if path.is_file()}
        assert suffixes <= {".seat", ".held", ".new", ".secret"}, "no records"
        await until(lambda: len(hosted.state.lobby.people) == 1)


def test_a_guest_at_a_door_says_that_their_program_runs_at_the_hosts_computer(
    tmp_path: Path,
) -> None:
    store = CredentialStore(tmp_path)
    mine = find_credentials(NOBODY, store)
    store.store(mine)
    for credentials in (mine, find_credentials(NOBODY, store)):
        session = RemoteSession(credentials, lambda _update: None, store)
        assert session.publisher.state.at_door


async def test_a_screen_that_ignores_the_request_to_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest_screen, "GOODBYE_S", 0.05)
    async with running(tmp_path, DEAF) as screen:
        assert await screen.read() == b"up"
        async with asyncio.timeout(60):
            assert await screen.close() == -SIGKILL


async def test_a_screen_whose_door_is_killed_ends_with_its_terminal(tmp_path: Path) -> None:
    waits = (
        "import fcntl, os, signal, termios, time; signal.signal(signal.SIGHUP, signal.SIG_DFL);"
        "fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
        "os.write(1, b'up'); time.sleep(600)"
    )
    nursery = nursery_of(waits)
    screen = await GuestScreen.start(NOBODY, tmp_path, COLOURS, nursery)
    assert await screen.read() == b"up"
    for end in (vars(screen._drawn)["_transport"], screen._typed):
        end.close()  # as the system does for a process that is gone
    async with asyncio.timeout(60):
        assert await screen._process.wait() == -SIGKILL, "ended without an exit code"
    await nursery.close()


async def test_what_is_typed_arrives_however_much_it_is_and_what_is_too_much_is_dropped(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, ECHO) as screen:
        async with WatchedGuest(screen.read, screen.write) as watched:
            await watched.until(lambda: b"ready" in watched.raw)
            much = b"0123456789abcdef" * 2048
            screen.write(much)
            await watched.until(lambda: watched.raw.endswith(much))
        for _ in range(10 * MAX_TYPED_BYTES // len(much)):
            screen.write(much)  # nobody reads: the screen stops reading, too
        assert 0 < screen._typed.get_write_buffer_size() <= MAX_TYPED_BYTES


async def test_a_screen_is_told_the_size_of_the_window_within_bounds(tmp_path: Path) -> None:
    async with running(tmp_path, SIZE) as screen:
        assert await screen.read() == b"80x24;"
        most = b"%dx%d;" % (MAX_COLUMNS, MAX_ROWS)
        for columns, rows, told in (
            (132, 50, b"132x50;"),
            (0, -1, b"1x1;"),
            (1 << 30, 1 << 30, most),
        ):
            screen.resize(columns, rows)
            assert await screen.read() == told


def test_the_environment_is_the_guests_own_and_nothing_of_the_hosts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("SECRET", "XDG_STATE_HOME", "PATH", "SSH_AUTH_SOCK", "LC_ALL", "PYTHONSTARTUP"):
        monkeypatch.setenv(name, "the host's")
    got = make_environment("Dede", tmp_path, COLOURS)
    assert got.pop("PYTHONPATH") == environment()["PYTHONPATH"]
    assert got.pop("PYTHONUSERBASE")
    assert got == {
        "HOME": str(tmp_path),
        "LOGNAME": "Dede",
        "TERM": "xterm-256color",
        "LANG": "en_GB.UTF-8",
        "COLORTERM": "truecolor",
        "PYTHONUTF8": "1",
    }


@pytest.mark.parametrize(
    "bad", ["", "../../etc/x", "a b", "x\0y", "$(id)", "\x1b[2J", "x" * 65, "-xterm", "é"]
)
def test_what_a_guest_says_of_their_terminal_is_checked(bad: str, tmp_path: Path) -> None:
    terminal = GuestTerminal(term=bad, lang=bad, colorterm=bad, no_color=True)
    got = make_environment("Dede", tmp_path, terminal)
    assert (got["TERM"], got["LANG"], got["NO_COLOR"]) == ("xterm-256color", "C.UTF-8", "1")
    assert "COLORTERM" not in got


LEAST, MIDDLE, LARGE = PIECES_BYTES
WORDS = ["a", "\x1b[1;31m", "é", "\x1b]0;title\x07", "界", "\x1b[?25l", "\x1b(B", "\x1bP1$r\x1b\\"]


class Drawn:
    """Parts that a screen draws at once, one read after the other."""

    def __init__(self, *parts: bytes) -> None:
        self._parts: asyncio.Queue[bytes] = asyncio.Queue()
        self.draw(*parts)

    def draw(self, *parts: bytes) -> None:
        for part in parts:
            self._parts.put_nowait(part)

    async def read(self) -> bytes:
        return await self._parts.get()


async def pieces_of(read: ReadOutput) -> list[bytes]:
    """All pieces, until the screen has ended."""
    return [piece async for piece in pad_output(read)]


@pytest.mark.rule("K")
@pytest.mark.parametrize(
    ("length", "whole"),
    [(1, LEAST), (LEAST, LEAST), (LEAST + 1, MIDDLE), (MIDDLE + 1, LARGE), (LARGE, LARGE)],
)
def test_a_piece_has_one_of_a_few_lengths(length: int, whole: int) -> None:
    assert fill_up(b"x" * length) == b"x" * length + FILLER * (whole - length)


@pytest.mark.rule("K")
async def test_what_is_drawn_at_once_is_one_piece_however_the_system_cuts_it() -> None:
    first = await pieces_of(Drawn(b"x" * 4095, b"x" * 4095, b"x" * 200, b"").read)
    other = await pieces_of(Drawn(b"x" * 2048, b"x" * 4095, b"x" * 700, b"").read)
    assert list(map(len, first)) == list(map(len, other)) == [MIDDLE]


async def test_a_screen_that_draws_without_end_is_read_piece_by_piece() -> None:
    pieces = await pieces_of(Drawn(*[b"x" * 5000] * 30, b"").read)
    assert list(map(len, pieces)) == [LARGE, LARGE, LARGE]
    assert b"".join(pieces).replace(FILLER, b"") == b"x" * 150_000


async def test_what_is_drawn_later_is_a_piece_of_its_own() -> None:
    drawn = Drawn(b"first")
    output = pad_output(drawn.read)
    assert (await anext(output)).rstrip(FILLER) == b"first"
    drawn.draw(b"second")
    assert (await anext(output)).rstrip(FILLER) == b"second"
    drawn.draw(b"x" * (LARGE + 1))
    assert [len(await anext(output)) for _ in range(2)] == [LARGE, LEAST], "nothing is kept back"


def test_no_filler_comes_between_the_bytes_of_a_character_or_a_sequence() -> None:
    words = [word.encode() for word in (*WORDS, "🪨", "z")]
    ends = list(accumulate(map(len, words), initial=0))
    drawn = b"".join(words)
    for cut in range(len(drawn) + 1):
        assert drop_cut_end(drawn[:cut]) == drawn[: max(end for end in ends if end <= cut)]
    endless = b"\x1b]0;" + b"x" * 1000
    assert drop_cut_end(endless) == endless, "what never ends is not waited for"


async def test_the_beginning_of_a_character_waits_for_its_end() -> None:
    parts = iter([b"caf\xc3", None, b"\xa9", b"\xc3", b""])

    async def read() -> bytes:
        part = next(parts)
        return part if part is not None else await asyncio.Future[bytes]()  # nothing comes in time

    pieces = await pieces_of(read)
    assert [piece.rstrip(FILLER) for piece in pieces] == [b"caf", "é".encode() + b"\xc3"]


if sys.platform == "linux":

    async def test_a_process_holds_no_file_of_the_doors_but_its_terminal(tmp_path: Path) -> None:
        lists = "import os; os.write(1, ' '.join(sorted(os.listdir('/proc/self/fd'))).encode())"
        async with running(tmp_path, lists) as screen:
            held = (await screen.read()).decode().split()
        assert len(held) == 5  # three of its terminal, the order, and the folder it lists


assert sys.platform != "win32"  # so that types know, too

FULL_LANDLOCK = 3
"""The version that knows all rights to files: Linux 6.2."""

has_landlock = pytest.mark.skipif(
    sys.platform != "linux" or ctypes.CDLL(None).syscall(444, None, 0, 1) < FULL_LANDLOCK,
    reason="this system has no Landlock, or an old one",
)

TRIES = """
import json, os, socket, sys
from pathlib import Path
from sabtui.doors.guest_program import confine
secret, outside, ours = map(Path, {places!r})
confine(Path.home())
def attempt(what):
    try:
        what()
    except OSError as error:
        return error.errno
    return 0
own, link = Path.home() / "own", Path.home() / "link"
said = dict(
    own=attempt(lambda: own.write_text("x")),
    own_folder=attempt(lambda: (Path.home() / "folder").mkdir()),
    read=attempt(secret.read_text),
    list=attempt(lambda: list(secret.parent.iterdir())),
    write=attempt(lambda: secret.write_text("x")),
    make=attempt(lambda: outside.write_text("x")),
    make_folder=attempt(outside.mkdir),
    remove=attempt(secret.unlink),
    link=attempt(lambda: link.symlink_to(secret) or link.read_text()),
    move=attempt(lambda: own.rename(outside)),
    shorten=attempt(lambda: os.truncate(secret, 0)),
    ours=attempt(lambda: ours.write_text("x")),
    run=attempt(lambda: os.execv(sys.executable, ["python", "-c", "0"])),
    kernel=attempt(lambda: Path("/proc/self/environ").read_text()),
    packages=attempt(lambda: __import__("wave") and Path(json.__file__).read_text()),
    address=attempt(lambda: socket.getaddrinfo("127.0.0.1", 7341)),
)
print(json.dumps(said), flush=True)
"""
ALLOWED = {"own", "own_folder", "packages", "address"}


@has_landlock
async def test_a_screen_reaches_no_file_but_its_own_and_what_it_consists_of(
    tmp_path: Path,
) -> None:
    secret, outside = tmp_path / "host" / "wallet", tmp_path / "outside"
    secret.parent.mkdir()
    secret.write_text("gold")
    ours = tmp_path.parent / "not-ours"
    places = [str(secret), str(outside), str(ours)]
    said = b""
    async with running(tmp_path / "dede", TRIES.format(places=places)) as screen:
        while data := await screen.read():
            said += data
    told = json.loads(said)
    assert {what for what, error in told.items() if not error} == ALLOWED
    assert secret.read_text() == "gold"
    assert not outside.exists()
