"""Guests who come by ssh: at a door of the host, with nothing else, or with Sabtui by a login."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import subprocess
import sys
import sysconfig
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.lan.lan import Lan, NewLan, Program, within
from tests.lan.ordinary import HOME, USER, OrdinaryLaptop
from tests.lan.players import (
    CODE,
    Player,
    host_sits_down,
    person,
    sabtui,
)
from tests.lan.tools import find
from tests.sabtui.doors.watched import OWN_TERMINAL
from tests.terminal import Terminal

SEATED = 5.0
"""Seconds from typing the line to sitting at the table, the room code typed in between."""

CABLE_OUT = 15.0
WITHOUT_SETTINGS = ("-F", "none")
TRY_AGAIN = (*WITHOUT_SETTINGS, "-oConnectionAttempts=5")
"""A laptop may find no route for a second after its cable is in: then a guest tries again."""

MINE = "YOUR TURN"
"""In the header on a guest's turn; the line under the hand may begin with what a bot has broken."""

HAND = re.compile(r"(?!.*10) *1.*2.*3")
"""The numbers above a guest's cards; their scale of the mine goes to 10."""

HIDDEN = {"host": 1, "sabtui.doors.program": 1, "sabtui.doors.guest_program": 3}
"""How many processes there are that nobody may look into.

A table, a door, two screens, and the nursery that has forked them.
"""

PARTS = (*HIDDEN, "join")
"""Words of command lines that tell what a process is."""

is_root = sys.platform != "win32" and os.geteuid() == 0

pytestmark = pytest.mark.skipif(
    find_spec("asyncssh") is None, reason="the SSH door needs asyncssh, which is not here"
)


async def host(lan: Lan, home: Path) -> None:
    """Open a table with a door, and read the door's line."""
    game = ("--players", "3", "--bots", "1", "--absent", "wait", "--code", CODE, "--name", "Ann")
    program = await sabtui(lan, "h1", home, "host", "Rush", *game, "--headless", "--ssh")
    table = Player("table", program)
    await table.reads(r"ssh -p 7351 NAME@10\.77\.0\.1$")
    await table.reads("SHA256:")


async def ssh(
    lan: Lan,
    home: Path,
    name: str = "eva",
    at: str = "10.77.0.1",
    options: tuple[str, ...] = WITHOUT_SETTINGS,
) -> Terminal:
    """Type the line at a laptop where no door was met before."""
    await asyncio.to_thread(home.mkdir, exist_ok=True)
    known = ("-oStrictHostKeyChecking=no", f"-oUserKnownHostsFile={home}/known")
    line = ("ssh", *options, *known, "-oLogLevel=ERROR", "-p", "7351", f"{name}@{at}")
    env = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(home)}
    env.pop("SSH_AUTH_SOCK", None)
    command = (sys.executable, "-c", OWN_TERMINAL, *lan.command("on", "h2", *line))
    terminal = await Terminal.start(*command, env=env)
    try:
        await terminal.sees("Room code of Rush, two words:")
    except AssertionError:
        await terminal.kill()
        raise
    terminal.type(f"{CODE}\r")
    return terminal


async def look_around(look: Program, *texts: bytes) -> tuple[list[str], dict[str, list[list[str]]]]:
    """Let a spy look for texts: where it found them, and what is open of each kind of process."""
    look.say(json.dumps([text.hex() for text in texts]))
    told = json.loads(await look.line())
    opened: dict[str, list[list[str]]] = {}
    for process in told["processes"]:
        words = next((word for word in process["command"] if word in PARTS), "another")
        opened.setdefault(words, []).append(process["open"])
    return told["found"], opened


async def hand(guest: Terminal) -> str:
    """Wait for the cards of a guest, and return the row of their screen in which they stand."""
    rows: list[str] = []

    def is_dealt() -> bool:
        rows[:] = [row for row in guest.screen.lines if HAND.match(row)]
        return bool(rows)

    await guest.until(is_dealt)
    return rows[0]


async def seat_keys(laptop: OrdinaryLaptop) -> list[bytes]:
    """The keys of the guests' seats, which a door keeps for when they come back."""
    books = await laptop.start(
        "sh", "-c", f"cat {HOME}/.local/state/sabtui/doors/guests/*/*/guest.json"
    )
    keys = re.findall('"key":"([^"]+)"', await books.rest())
    assert len(keys) == 2
    return [base64.b64decode(key) for key in keys]


def is_seat_of_guest(path: str) -> bool:
    """Whether it is where a guest's program has the key of its seat, as docs/security.md says."""
    return path.endswith(".seat") and "/doors/guests/" in path


async def plays(eva: Terminal, ann: Player) -> None:
    """A guest takes it back to be ready, and is again; the host starts, and the guest sees it."""
    await eva.sees("eva(?s:.*)You have joined")
    for said in ("not ready", "ready"):
        eva.type("r")
        await ann.reads(rf"^eva: {said}\.$")
        await eva.quiet(0.5)  # its screen has it, too: the same key says the opposite then
    ann.says("start")
    await eva.sees(MINE)


@pytest.mark.needs("ssh")
async def test_a_guest_with_ssh_alone_finds_the_line_sits_in_5_s_and_again_15_s_after_a_cut(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(2) as lan:
        await host(lan, tmp_path / "ann")
        games = await person("list", lan, "h2", tmp_path / "list", "games")
        await games.reads(r"^Rush .* ssh -p 7351 NAME@10\.77\.0\.1$")
        typed = time.monotonic()
        async with await ssh(lan, tmp_path / "eva") as eva:
            await eva.sees("eva(?s:.*)You have joined")
            within(SEATED, "seated", typed, time.monotonic())
            ann = await host_sits_down(lan, tmp_path / "ann")
            await plays(eva, ann)
            await lan.run("cable", "h2", "out")
            await asyncio.sleep(CABLE_OUT)  # what is tested is this very time
        await lan.run("cable", "h2", "in")
        async with await ssh(lan, tmp_path / "eva", options=TRY_AGAIN) as eva:
            await eva.sees(MINE)
            eva.type("  1x\r")
            await ann.reads("^eva passed")


@pytest.mark.level("thorough")  # `test_process` and `test_guest_screen` see each means of it
@pytest.mark.skipif(not is_root, reason="only root can become an ordinary user")
@pytest.mark.needs("ssh")
async def test_the_hosts_player_an_ordinary_user_finds_no_role_or_hand_of_guests_at_the_ssh_door(
    new_lan: NewLan, tmp_path: Path
) -> None:
    spy = (sys.executable, "-m", "tests.lan.spy", str(USER))
    game = ("--players", "6", "--bots", "1", "--absent", "wait", "--code", CODE, "--name", "Ann")
    async with new_lan(4) as lan:
        laptop = await OrdinaryLaptop.prepare(lan, "h1")
        table = Player("table", await laptop.sabtui("host", "Rush", *game, "--headless", "--ssh"))
        await table.reads("SHA256:")
        ann = Player("Ann", await laptop.sabtui("join", "--plain", "--autopilot"))
        await ann.reads("^Table: Rush")
        for at, name in (("h3", "Ben"), ("h4", "Cleo")):
            come = ("join", "10.77.0.1", "--code", CODE, "--plain", "--autopilot", "--name", name)
            await sabtui(lan, at, tmp_path / name, *come)
            await ann.reads(f"^{name} has joined")
        async with await ssh(lan, tmp_path / "eva") as eva, await ssh(lan, tmp_path, "fay") as fay:
            for guest, name in ((eva, "eva"), (fay, "fay")):
                await guest.sees(f"{name}(?s:.*)You have joined")
                if f"{name} has joined" not in ann.said:
                    await ann.reads(f"^{name} has joined")
            ann.says("start")
            for guest in (eva, fay):
                await guest.sees("your hand")
            hands = [await hand(guest) for guest in (eva, fay)]
            secrets = *(row.encode() for row in hands), *await seat_keys(laptop)
            found, opened = await look_around(await laptop.start(*spy), *secrets)
            assert not [item for item in found if not is_seat_of_guest(item)]
            assert {kind: len(opened.get(kind, [])) for kind in HIDDEN} == HIDDEN
            assert not any(file for kind in HIDDEN for file in opened[kind]), opened
            found, opened = await look_around(await lan.as_root(*spy), *secrets)
            assert [item for item in found if item.endswith("/mem")], "what is there, one finds"
            assert all(file for kind in HIDDEN for file in opened[kind])


# A friend with Sabtui, and a login at the host's computer. All accounts of its sshd are a guest's.

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


async def sshd(lan: Lan, laptop: str, home: Path) -> None:
    """Start an sshd at a laptop; its guest's home is that folder."""
    prepare(home)
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


WITH_HOME = """
mount --bind "$1" /etc/passwd
shift
exec "$@"
"""
"""A program whose user's home is the one that a file says: OpenSSH takes no other's word for it."""


def friend(home: Path, login: Path) -> tuple[str, ...]:
    """What somebody types who has Sabtui, and the host's computer in their ssh settings."""
    folder = home / ".ssh"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "config").write_text(
        "Host box\n  HostName 10.77.0.1\n  Port 2222\n  User guest\n"
        f"  IdentityFile {login / 'guest'}\n  StrictHostKeyChecking accept-new\n"
        f"  ConnectionAttempts 10\n  UserKnownHostsFile {home / 'known'}\n"
    )
    (folder / "config").chmod(0o600)
    passwd = home / "passwd"
    passwd.write_text(f"root:x:0:0::{home}:/bin/sh\n")
    return (
        *("unshare", "--mount", "sh", "-ec", WITH_HOME, "sh", str(passwd)),
        *("env", f"HOME={home}", f"XDG_STATE_HOME={home / 'state'}", "PYTHONUNBUFFERED=1"),
        *(sys.executable, "-m", "sabtui", "join", "ssh://box", "--plain", "--name", "Zoe"),
    )


@pytest.mark.level("thorough")  # `test_tunnel` goes by such a line
@pytest.mark.needs("ssh", "ssh-keygen", "sshd")
async def test_a_friend_with_sabtui_joins_by_their_own_ssh_and_comes_back_to_their_seat(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(2) as lan:
        await sshd(lan, "h1", tmp_path / "guest")
        await host(lan, tmp_path / "ann")
        ann = await host_sits_down(lan, tmp_path / "ann")
        command = friend(tmp_path / "friend", tmp_path / "guest")
        zoe = Player("Zoe", await lan.start("h2", *command, "--code", CODE))
        await zoe.reads("^Table: Rush")
        await ann.reads("^Zoe has joined")
        await zoe.program.kill()
        zoe = Player("Zoe", await lan.start("h2", *command))
        await zoe.reads("^Table: Rush")
        await zoe.reads(r"^ 2 Zoe \(you\)")
