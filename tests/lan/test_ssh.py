"""A guest at a slow line's other end: the app on the host's computer, through a real sshd.

The line has a round trip of 200 ms and loses 1% of what it carries. All accounts of this sshd are
one guest's, whose home is a test's folder.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from tests.lan.lan import Lan, NewLan, Program
from tests.lan.players import Player, host_sits_down, person
from tests.lan.tools import find
from tests.terminal import Terminal

DELAY, LOSS = "100", "1"
"""Milliseconds each way, and percent."""

ROUND_TRIP = 0.2

CODE = "amber-tulip"

CONFIG = """\
Port 2222
HostKey "{home}/hostkey"
AuthorizedKeysFile "{home}/guest.pub"
PidFile none
UsePAM no
StrictModes no
SetEnv LANG=C.UTF-8 "PATH={scripts}:/usr/bin:/bin"
"""

START = """
mount --bind "$2/passwd" /etc/passwd
mount --bind "$2/group" /etc/group
exec unshare --user --map-user=1000 --map-group=1000 --pid --fork --kill-child \
  "$1" -D -f "$2/config"
"""
"""An sshd that is nobody's but the guest's: it needs no rights, and has none."""


@dataclass
class Line:
    """The guest's line to the host: `h2` is far from `h1`, where the sshd is."""

    lan: Lan
    home: Path
    carrier: Program

    async def ssh(self, *command: str) -> Terminal:
        """Log in, and run something on a terminal of 80x24 there."""
        trust = ("-oStrictHostKeyChecking=no", f'-oUserKnownHostsFile="{self.home}/known"')
        options = (
            "-F",
            "none",
            "-p",
            "2222",
            "-i",
            f"{self.home}/guest",
            "-oLogLevel=ERROR",
            *trust,
        )
        ssh = ("ssh", *options, "-oConnectionAttempts=5", "-C", "-t", "guest@10.77.0.1", *command)
        env = {**os.environ, "TERM": "xterm-256color"}
        return await Terminal.start(*self.lan.command("on", "h2", *ssh), env=env)

    async def cut(self) -> None:
        """Cut the line, without a word to either end."""
        await self.carrier.kill()

    async def mend(self) -> None:
        """Have it back."""
        self.carrier = await carrier(self.lan)


async def carrier(lan: Lan) -> Program:
    """Put the guest far away."""
    far = await lan.start("bridge", sys.executable, "-m", "tests.lan.far", "h2", DELAY, LOSS)
    assert await far.line() == "far"
    return far


async def line(lan: Lan, home: Path) -> Line:
    """Start the sshd, and the line to it."""
    await sshd(lan, "h1", home)
    return Line(lan, home, await carrier(lan))


async def sshd(lan: Lan, laptop: str, home: Path, *settings: str) -> None:
    """Start an sshd at a laptop, with further settings; its guest's home is that folder."""
    prepare(home)
    with (home / "config").open("a") as config:
        config.writelines(f"{setting}\n" for setting in settings)
    start = ("sh", "-ec", START, "sh", str(find("sshd")), str(home))
    await lan.start(laptop, "unshare", "--mount", *start)


def prepare(home: Path) -> None:
    """Put what the sshd needs into a folder, which is the guest's home too."""
    home.mkdir()
    for name in ("hostkey", "guest"):
        made = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(home / name))
        subprocess.run(made, check=True)  # noqa: S603 - ours
    (home / "passwd").write_text(f"guest:x:1000:1000::{home}:/bin/sh\n")
    (home / "group").write_text("guest:x:1000:\n")
    scripts = sysconfig.get_path("scripts")
    (home / "config").write_text(CONFIG.format(home=home, scripts=scripts))


async def host(lan: Lan, home: Path) -> Player:
    """Open a table, at which an autopilot plays for its host."""
    game = ("--players", "3", "--bots", "1", "--absent", "wait", "--port", "7341")
    opened = ("host", "Rush", "--headless", "--code", CODE, "--name", "Ann", *game)
    table = await person("table", lan, "h1", home, *opened)
    await table.reads("Ctrl.C stops it")
    return await host_sits_down(lan, home)


def table(terminal: Terminal) -> list[str]:
    """What a screen of 80x24 shows of the table itself: all but talk, news and the footer."""
    lines = terminal.screen.lines
    return [*lines[:5], *(line[:48] for line in lines[5:17]), *lines[17:21]]


async def at_the_start(guest: Terminal) -> None:
    """Wait for the guest's turn and put the cursor on the start, wherever it was.

    The header alone says whose turn it is, whatever bots have done: the line under the hand names
    broken tools first.
    """
    await guest.sees("YOUR TURN")
    guest.type("\x1b[H")
    await guest.until(lambda: has_cursor_at_start(guest.screen.lines))
    await guest.quiet(0.5)


def has_cursor_at_start(lines: list[str]) -> bool:
    """Whether the corners of the cursor are around the start, in the column that is headed 0.

    They are above it in a tile of 5x3, and beside it in one of 4x2, as in a mine of many columns.
    """
    column = re.search(r"(?<![-\d])0(?!\d)", lines[1])
    for above, line in pairwise(lines):
        if line.startswith("0 ") and column is not None:
            corners = [*re.finditer("┌.{1,3}┐", above), *re.finditer("┌.{1,3}┐", line)]
            return any(found.start() < column.start() < found.end() for found in corners)
    return False


@pytest.mark.level("thorough")  # the next test comes by ssh, `test_ssh_door` is cut off
@pytest.mark.needs("ssh", "ssh-keygen", "sshd")
async def test_a_guest_on_a_bad_line_plays_by_keys_is_cut_off_twice_and_has_the_same_table_again(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(2) as lan:
        far = await line(lan, tmp_path / "guest")
        ann = await host(lan, tmp_path / "ann")
        join = ("sabtui", "join", "localhost:7341", "--code", CODE)

        async with await far.ssh(*join) as guest:
            await guest.sees("You are in")
            await ann.reads("^guest has joined")
            ann.says("start")
            await guest.sees("YOUR TURN")
            guest.type("  1x\r")
            await ann.reads("^guest passed")
            typed = time.monotonic()
            guest.type("t")
            await guest.sees("Type a message, then press Enter; Esc goes")
            assert time.monotonic() - typed >= ROUND_TRIP
            guest.type("hello, all\r")
            await ann.reads("^guest: hello, all")
            guest.type("\x1b")
            await at_the_start(guest)
            before = table(guest)

        # Its ssh was killed. The same line again is the same seat.
        async with await far.ssh(*join) as guest:
            await at_the_start(guest)
            await guest.until(lambda: table(guest) == before)

            # Now nothing tells the host that the guest's laptop is gone, and comes back elsewhere.
            await far.cut()
            await guest.kill()
            await lan.run("address", "h2", "10.77.0.22/24")
            await far.mend()
        async with await far.ssh(*join, "--name", "guest") as guest:
            await at_the_start(guest)
            await guest.until(lambda: table(guest) == before)
            guest.type("1x\r")
            await ann.reads("^guest passed")


WITH_HOME = """
mount --bind "$1" /etc/passwd
shift
exec "$@"
"""
"""A program whose user's home is the one that a file says: OpenSSH takes no other's word for it."""


@pytest.mark.level("thorough")  # `test_tunnel` goes by such a line, `test_ssh_door` has an ssh
@pytest.mark.needs("ssh", "ssh-keygen", "sshd")
async def test_a_friend_with_sabtui_joins_by_their_own_ssh_and_comes_back_to_their_seat(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(2) as lan:
        far = await line(lan, tmp_path / "guest")
        ann = await host(lan, tmp_path / "ann")
        command = friend(tmp_path / "friend", Box("box", far.home))
        zoe = Player("Zoe", await lan.start("h2", *command, "--code", CODE))
        await zoe.reads("^Table: Rush")
        await ann.reads("^Zoe has joined")
        await zoe.program.kill()
        zoe = Player("Zoe", await lan.start("h2", *command))
        await zoe.reads("^Table: Rush")
        await zoe.reads(r"^ 2 Zoe \(you\)")


async def lend(lan: Lan, folder: Path, port: int) -> None:
    """Lend a door of the host a port of the server at `h3`, as long as they play."""
    forwarded = f"*:{port}:localhost:{port}"
    known = ("-oStrictHostKeyChecking=no", f"-oUserKnownHostsFile={folder / 'servers'}")
    login = ("-p", "2222", "-i", str(folder / "server" / "guest"), "guest@10.77.0.3")
    patience = ("-oConnectionAttempts=10", "-oLogLevel=ERROR", "-oExitOnForwardFailure=yes")
    await lan.start("h1", "ssh", "-F", "none", "-N", "-R", forwarded, *known, *patience, *login)


@dataclass(frozen=True)
class Box:
    """A computer with an sshd, as somebody's ssh settings have it."""

    name: str
    guest: Path
    address: str = "10.77.0.1"
    jump: str = "none"

    @property
    def settings(self) -> str:
        """The settings for this computer."""
        return (
            f"Host {self.name}\n  HostName {self.address}\n  Port 2222\n  User guest\n"
            f"  IdentityFile {self.guest / 'guest'}\n  StrictHostKeyChecking accept-new\n"
            f"  ProxyJump {self.jump}\n  ConnectionAttempts 10\n"
        )


def friend(home: Path, *boxes: Box) -> tuple[str, ...]:
    """What somebody types who has Sabtui, and these computers in their ssh settings."""
    folder = home / ".ssh"
    folder.mkdir(parents=True, mode=0o700)
    known = f"Host *\n  UserKnownHostsFile {home / 'known'}\n"
    (folder / "config").write_text("".join(box.settings for box in boxes) + known)
    (folder / "config").chmod(0o600)
    passwd = home / "passwd"
    passwd.write_text(f"root:x:0:0::{home}:/bin/sh\n")
    return (
        *("unshare", "--mount", "sh", "-ec", WITH_HOME, "sh", str(passwd)),
        *("env", f"HOME={home}", f"XDG_STATE_HOME={home / 'state'}", "PYTHONUNBUFFERED=1"),
        *(sys.executable, "-m", "sabtui", "join", "ssh://box", "--plain", "--name", "Zoe"),
    )
