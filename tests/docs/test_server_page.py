"""The page about a server for friends: its unit starts a club, and its ports are the program's."""

from __future__ import annotations

import shlex
from configparser import ConfigParser

from net.secure.address import PORTS, SSH_PORTS, WEB_PORTS
from sabtui.cli.args import read
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")


def test_the_unit_of_systemd_starts_a_club_with_its_ssh_door_and_does_so_again() -> None:
    unit = ConfigParser(interpolation=None)
    unit.read_string(PAGE.split("```ini\n")[1].split("```")[0])
    program, *words = shlex.split(unit["Service"]["ExecStart"])
    assert program.endswith("/sabtui")
    asked = read(words)
    assert (asked.command, asked.title, asked.ssh) == ("club", "The Nugget", True)
    assert unit["Service"]["Restart"] == "always"
    assert unit["Install"]["WantedBy"] == "default.target"


def test_the_ports_to_open_are_the_first_of_each() -> None:
    rows = [line for line in PAGE.splitlines() if line.endswith("|") and "TCP" in line]
    told = [int(row.split("|")[1]) for row in rows]
    assert told == [SSH_PORTS[0], WEB_PORTS[0], PORTS[0]]
