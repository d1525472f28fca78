"""A guest at the SSH door of a host on the LAN, with a laptop that has nothing but ssh."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.lan.finding import within
from tests.lan.lan import Lan, NewLan, Program
from tests.lan.ordinary import HOME, USER, OrdinaryLaptop
from tests.lan.players import Player, host_sits_down, person, sabtui
from tests.lan.test_ssh import Box, lend, sshd
from tests.sabtui.doors.watched import OWN_TERMINAL
from tests.terminal import Terminal

CODE = "amber-tulip"
SEATED = 5.0
"""Seconds from typing the line to sitting at the table, the room code typed in between."""

CABLE_OUT = 15.0
WITHOUT_SETTINGS = ("-F", "none")
TRY_AGAIN = (*WITHOUT_SETTINGS, "-oConnectionAttempts=5")
"""A laptop may find no route for a second after its cable is in: whoever reads so tries again."""

MINE = "YOUR TURN"
"""In the header on a guest's turn; the line under the hand may begin with what a bot has broken."""

HAND = re.compile(r"(?!.*10) *1.*2.*3")
"""The numbers above a guest's cards; their scale of the mine goes to 10."""

HIDDEN = {"host": 1, "sabtui.doors.program": 1, "sabtui.doors.guest_program": 2}
"""How many processes there are that nobody may look into.

A table, a door and two screens.
"""

PARTS = (*HIDDEN, "join")
"""Words of command lines that tell what a process is."""

is_root = sys.platform != "win32" and os.geteuid() == 0

pytestmark = pytest.mark.skipif(
    find_spec("asyncssh") is None, reason="the SSH door needs asyncssh, which is not here"
)


async def host(lan: Lan, home: Path, *more: str) -> Program:
    """Open a table with a door; return its program, the door's line having been read."""
    game = ("--players", "3", "--bots", "1", "--absent", "wait", "--code", CODE, "--name", "Ann")
    opened = ("host", *more) if more else ("host", "Rush", *game)
    program = await sabtui(lan, "h1", home, *opened, "--headless", "--ssh")
    table = Player("table", program)
    await table.reads(r"ssh -p 7351 NAME@10\.77\.0\.1$")
    await table.reads("SHA256:")
    return program


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
    await eva.sees("eva(?s:.*)You are in")
    for said in ("not ready", "ready"):
        eva.type("r")
        await ann.reads(rf"^eva: {said}\.$")
        await eva.quiet(0.5)  # its screen has it, too: the same key says the opposite then
    ann.says("start")
    await eva.sees(MINE)


@pytest.mark.needs("ssh")
async def test_who_has_but_ssh_finds_the_line_sits_in_5_s_and_again_after_15_s_without_a_cable(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(2) as lan:
        await host(lan, tmp_path / "ann")
        games = await person("list", lan, "h2", tmp_path / "list", "games")
        await games.reads(r"^Rush .* ssh -p 7351 NAME@10\.77\.0\.1$")
        typed = time.monotonic()
        async with await ssh(lan, tmp_path / "eva") as eva:
            await eva.sees("eva(?s:.*)You are in")
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


@pytest.mark.level("thorough")  # `test_secrecy` and `test_guest_screen` see each kind of process
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
                await guest.sees(f"{name}(?s:.*)You are in")
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


# `test_ssh` jumps over one, too, and the test before this lends a port
@pytest.mark.level("thorough")
@pytest.mark.needs("ssh", "ssh-keygen", "sshd")
async def test_friends_with_a_login_jump_over_a_server_that_lends_no_port_to_all(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        await host(lan, tmp_path / "ann")
        await sshd(lan, "h3", tmp_path / "server")
        await lend(lan, tmp_path, 7351)  # the server opens it to itself alone
        server = Box("server", tmp_path / "server", "10.77.0.3")
        settings = tmp_path / "settings"
        settings.write_text(f"{server.settings}  UserKnownHostsFile {tmp_path / 'jumps'}\n")
        jump = ("-F", str(settings), "-J", "server")
        async with await type_until_lent(lan, tmp_path / "eva", "localhost", jump) as eva:
            await eva.sees("eva(?s:.*)You are in")


async def type_until_lent(
    lan: Lan, home: Path, at: str, options: tuple[str, ...] = WITHOUT_SETTINGS
) -> Terminal:
    """Type the line until the server's port is lent."""
    while True:
        try:
            return await ssh(lan, home, at=at, options=options)
        except AssertionError:  # not yet
            await asyncio.sleep(0.2)
