"""What the process of a guest's screen has given up: it cannot have it back, whatever it runs."""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

import pytest

from sabtui.doors.guest_program import MAX_DATA_BYTES, MAX_OPEN_FILES, MAX_WRITTEN_BYTES, readable
from sabtui.doors.guest_screen import GuestOrder, GuestRequest, GuestScreen, GuestTerminal
from tests.net.server.served_table import SMALL, hosting
from tests.sabtui.doors.open_doors import needs_root, processes_in
from tests.sabtui.doors.test_guest_screen import looking, order

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
def tried(what):
    try:
        what()
    except OSError as error:
        return error.errno
    return 0
own, link = Path.home() / "own", Path.home() / "link"
said = dict(
    own=tried(lambda: own.write_text("x")),
    own_folder=tried(lambda: (Path.home() / "folder").mkdir()),
    read=tried(secret.read_text),
    list=tried(lambda: list(secret.parent.iterdir())),
    write=tried(lambda: secret.write_text("x")),
    make=tried(lambda: outside.write_text("x")),
    make_folder=tried(outside.mkdir),
    remove=tried(secret.unlink),
    link=tried(lambda: link.symlink_to(secret) or link.read_text()),
    move=tried(lambda: own.rename(outside)),
    shorten=tried(lambda: os.truncate(secret, 0)),
    ours=tried(lambda: ours.write_text("x")),
    run=tried(lambda: os.execv(sys.executable, ["python", "-c", "0"])),
    kernel=tried(lambda: Path("/proc/self/environ").read_text()),
    packages=tried(lambda: __import__("wave") and Path(json.__file__).read_text()),
    address=tried(lambda: socket.getaddrinfo("127.0.0.1", 7341)),
)
print(json.dumps(said), flush=True)
"""
ALLOWED = {"own", "own_folder", "packages", "address"}


async def run_in_screen(home: Path, code: str) -> str:
    """What a program prints in the place of a guest's screen."""
    request = GuestRequest(GuestOrder("Dede", 1, bytes(32)), GuestTerminal(), str(home))
    screen = await GuestScreen.start(request, ("-c", code))
    told = b""
    try:
        while data := await screen.read():
            told += data
    finally:
        await screen.close()
    return told.decode().replace("\r\n", "")


@has_landlock
async def test_a_screen_reaches_no_file_but_its_own_and_what_it_consists_of(
    tmp_path: Path,
) -> None:
    secret, outside = tmp_path / "host" / "wallet", tmp_path / "outside"
    secret.parent.mkdir()
    secret.write_text("gold")
    ours = tmp_path.parent / "not-ours"
    places = [str(secret), str(outside), str(ours)]
    told = json.loads(await run_in_screen(tmp_path / "dede", TRIES.format(places=places)))
    assert {what for what, error in told.items() if not error} == ALLOWED
    assert secret.read_text() == "gold"
    assert not outside.exists()


def test_of_a_guests_folder_and_the_hosts_only_the_first_is_readable(tmp_path: Path) -> None:
    home, host = tmp_path / "dede", tmp_path / "host"
    for folder in (home, host):
        folder.mkdir()
    allowed = readable(home)
    assert home in allowed
    assert not any(host.is_relative_to(path) for path in allowed)
    assert not any(Path.home().is_relative_to(path) for path in allowed)


if sys.platform == "linux":
    import resource

    @needs_root
    async def test_the_game_itself_is_confined_before_it_draws(where: Path, tmp_path: Path) -> None:
        home = tmp_path / "dede"
        async with hosting(where, SMALL) as hosted:
            await hosted.come("Ann")
            wanted = GuestRequest(order(hosted), GuestTerminal(lang="en_GB.UTF-8"), str(home))
            async with looking(wanted) as (_screen, dede):
                await dede.sees("Dede(?s:.*)You are in")
                (process,) = processes_in(home)
                limits = {
                    kind: resource.prlimit(process, kind)
                    for kind in (
                        resource.RLIMIT_DATA,
                        resource.RLIMIT_FSIZE,
                        resource.RLIMIT_NOFILE,
                        resource.RLIMIT_CORE,
                    )
                }
                status = Path(f"/proc/{process}/status").read_text()  # noqa: ASYNC240 - no disk is behind it
        most = (MAX_DATA_BYTES, MAX_WRITTEN_BYTES, MAX_OPEN_FILES, 0)
        assert list(limits.values()) == [(one, one) for one in most]
        assert "NoNewPrivs:\t1" in status
