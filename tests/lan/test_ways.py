"""Lines that a host passes on, in a home network, beside the other networks that a laptop has.

Each line that the lobby shows is followed from another computer.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.lan.lan import Lan, NewLan
from tests.lan.players import CODE, Player, homes, person, sabtui
from tests.sabtui.doors.watched import OWN_TERMINAL
from tests.terminal import Terminal

HOME, OWN_CABLE = "192.168.1.20", "10.77.9.1"

SSH_LINE = re.compile(r"ssh -p (\d+) NAME@([\d.]+)")
LINK = re.compile(r"(http://[\d.]+:\d+/)")
JOIN_LINE = re.compile(r"sabtui join ([\d.]+:\d+)")

READ_PAGE = "import urllib.request, sys; print(urllib.request.urlopen(sys.argv[1]).status)"
READ_GREETING = (
    "import socket, sys; link = socket.create_connection((sys.argv[1], int(sys.argv[2]))); "
    "print(link.recv(100).decode())"
)

pytestmark = pytest.mark.skipif(
    find_spec("asyncssh") is None or find_spec("websockets") is None or find_spec("segno") is None,
    reason="the doors need asyncssh, websockets and segno",
)


async def furnish(lan: Lan) -> None:
    """Ann's h1 and h2 in one home, h3 at a second cable of hers; h1 with what laptops have."""
    await lan.run("address", "h1", f"{HOME}/24")
    await lan.run("address", "h2", "192.168.1.21/24")
    await lan.run("cable", "h3", "out")
    await lan.run("wire", "h1", "h3", f"{OWN_CABLE}/24", "10.77.9.2/24")
    await lan.run("clutter", "h1")


async def follow(lan: Lan, laptop: str, home: Path, text: str) -> None:
    """Follow each line that leads to one of a computer's two cards, as this laptop can."""
    for port, host in SSH_LINE.findall(text):
        greeting = await lan.start(laptop, sys.executable, "-c", READ_GREETING, host, port)
        assert "SSH-2.0-Sabtui" in await greeting.rest(), host
    for link in LINK.findall(text):
        page = await lan.start(laptop, sys.executable, "-c", READ_PAGE, link)
        assert await page.rest() == "200\n", link
    for number, at in enumerate(JOIN_LINE.findall(text)):
        name = f"{laptop} {number}"
        line = ("join", at, "--code", CODE, "--plain", "--watch", "--name", name)
        guest = await person(name, lan, laptop, home / name, *line)
        await guest.reads("^Table: Rush")
        await guest.program.kill()


def hosts_in(text: str) -> list[str]:
    """Return the hosts of all lines in the order of each kind."""
    return [
        *(host for _port, host in SSH_LINE.findall(text)),
        *(re.split("[/:]", link)[3] for link in LINK.findall(text)),
        *(at.partition(":")[0] for at in JOIN_LINE.findall(text)),
    ]


def lines_to(host: str, text: str) -> str:
    return "\n".join(line for line in text.splitlines() if host in line)


async def test_every_line_of_the_lobby_is_followed_from_another_computer(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        await furnish(lan)
        line = (sys.executable, "-m", "sabtui", "host", "Rush", "--code", CODE, "--ssh", "--web")
        command = lan.command("on", "h1", "env", *homes(tmp_path / "ann"), *line)
        env = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        ann = await Terminal.start(sys.executable, "-c", OWN_TERMINAL, *command, env=env)
        async with ann:
            ann.resize(120, 50)
            await ann.sees(f"(?s:{SSH_LINE.pattern}.*{LINK.pattern})")  # whole, not half drawn
            at = await ann.sees(r"Address: ([\d.]+:\d+)\s")
            lobby = f"{ann.text}\nsabtui join {at[1]}"
            assert hosts_in(lobby) == [HOME] * 3
            await follow(lan, "h2", tmp_path, lobby)
            ann.type("a")
            await ann.sees("(?s:Ways in.*http://.*http://.*SSH key fingerprint)")
            box = ann.text[ann.text.index("Ways in") :]
            every_way = re.sub(r"│ +([\d.]+:\d+)", r"sabtui join \1", box)
            assert hosts_in(every_way) == [
                *([HOME, OWN_CABLE, "10.8.0.2"] * 2),
                *(HOME, OWN_CABLE, "10.8.0.2"),
            ]
            await follow(lan, "h2", tmp_path, lines_to(HOME, every_way))
            await follow(lan, "h3", tmp_path, lines_to(OWN_CABLE, every_way))


async def test_a_table_without_a_screen_that_is_brought_back_prints_the_same_lines(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        await furnish(lan)
        for words in (("Rush", "--code", CODE, "--ssh", "--web"), ("--resume", "Rush")):
            program = await sabtui(lan, "h1", tmp_path / "ann", "host", *words, "--headless")
            table = Player("table", program)
            for _way in (HOME, OWN_CABLE, "10.8.0.2"):
                await table.reads(LINK.pattern)
            while len(SSH_LINE.findall(table.said)) < 3:
                await table.reads(SSH_LINE.pattern)
            assert sorted(set(hosts_in(table.said))) == sorted((HOME, OWN_CABLE, "10.8.0.2"))
            assert "ADDRESS" not in table.said
            assert SSH_LINE.findall(table.said)[0][1] == HOME
            await follow(lan, "h2", tmp_path, lines_to(HOME, table.said))
            games = await person("list", lan, "h1", tmp_path / "list", "games")
            await games.reads(
                rf"^Rush  {re.escape(HOME)}:\d+ .* NAME@{re.escape(HOME)}  http://{HOME}"
            )
            table.program.signal("TERM")
            await table.program.rest()
