"""The doctor: what is said of what was found, and that looking finds what is there."""

from __future__ import annotations

import io
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from net.discovery.address import PORTS
from sabtui.doctor import doctor
from sabtui.doctor.findings import Finding, Grade
from sabtui.doctor.firewall import Wall, firewall_finding, linux_wall
from sabtui.doctor.network import Interface, Network, is_free, network_findings
from sabtui.doctor.system import System, look_at_system, system_findings
from sabtui.doctor.terminal import GLYPHS, Terminal, terminal_findings
from sabtui.finding import look_harder
from sabtui.terminal import NoScreen

GOOD = Terminal(
    no_screen=None,
    columns=80,
    rows=24,
    term="xterm-256color",
    colour_term="truecolor",
    no_colour=False,
    glyph_columns=len(GLYPHS),
)
HOME = Interface("wlan0", "192.168.1.20", multicast=True)
NET = Network((HOME,), has_route=True, taken=())


def grades(findings: list[Finding]) -> set[Grade]:
    return {finding.grade for finding in findings}


def told(findings: list[Finding]) -> str:
    return "\n".join(finding.line for finding in findings)


def test_a_good_terminal_network_and_system_are_all_fine() -> None:
    system = System("Linux", (3, 12, 1), "UTF-8", "utf-8")
    for findings in (terminal_findings(GOOD), network_findings(NET), system_findings(system)):
        assert grades(findings) == {Grade.FINE}, told(findings)


@pytest.mark.parametrize(
    ("seen", "grade", "words"),
    [
        (replace(GOOD, columns=50), Grade.STOP, "60x18"),
        (replace(GOOD, rows=17), Grade.STOP, "--plain"),
        (replace(GOOD, columns=70), Grade.NOTE, "80x24"),
        (replace(GOOD, no_screen=NoScreen.INPUT), Grade.NOTE, "in lines there, as with --plain"),
        (replace(GOOD, term="dumb", no_screen=NoScreen.UNABLE), Grade.NOTE, "TERM is dumb"),
        (replace(GOOD, term="linux", colour_term=""), Grade.NOTE, "Sixteen"),
        (replace(GOOD, no_colour=True), Grade.FINE, "NO_COLOR"),
        (replace(GOOD, glyph_columns=2 * len(GLYPHS)), Grade.NOTE, "--ascii"),
        (replace(GOOD, glyph_columns=None), Grade.NOTE, "--ascii"),
    ],
)
def test_of_a_terminal_it_says_what_to_do(seen: Terminal, grade: Grade, words: str) -> None:
    findings = terminal_findings(seen)
    assert grade in grades(findings)
    assert words in told(findings)


@pytest.mark.parametrize(
    ("seen", "grade", "words"),
    [
        (replace(NET, interfaces=()), Grade.STOP, "wireless"),
        (replace(NET, interfaces=(replace(HOME, multicast=False),)), Grade.NOTE, look_harder()),
        (replace(NET, has_route=False), Grade.FINE, "none is needed"),
        (replace(NET, taken=(7341,)), Grade.FINE, "7341"),
        (replace(NET, taken=tuple(PORTS)), Grade.STOP, "--port"),
    ],
)
def test_of_a_network_it_says_what_to_do(seen: Network, grade: Grade, words: str) -> None:
    findings = network_findings(seen)
    assert grade in grades(findings)
    assert words in told(findings)


def test_an_old_python_stops_and_another_encoding_is_noted() -> None:
    findings = system_findings(System("Linux", (3, 10, 0), "ANSI_X3.4-1968", "ascii"))
    assert grades(findings) == {Grade.STOP, Grade.NOTE}
    assert look_at_system().python >= (3, 11)


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_port_that_somebody_has_is_not_free(kind: socket.SocketKind) -> None:
    with socket.socket(socket.AF_INET, kind) as door:
        door.bind(("", 0))
        if kind is socket.SOCK_STREAM:
            door.listen()
        port = door.getsockname()[1]
        assert not is_free(port)
    assert is_free(port)


def test_a_firewall_is_found_by_what_it_leaves_in_files(tmp_path: Path) -> None:
    assert linux_wall(tmp_path) is None
    (tmp_path / "etc/systemd/system/sysinit.target.wants").mkdir(parents=True)
    (tmp_path / "etc/systemd/system/sysinit.target.wants/nftables.service").touch()
    assert linux_wall(tmp_path) is Wall.NFTABLES
    (tmp_path / "run/firewalld").mkdir(parents=True)
    assert linux_wall(tmp_path) is Wall.FIREWALLD
    (tmp_path / "etc/ufw").mkdir()
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=no\n")
    assert linux_wall(tmp_path) is Wall.FIREWALLD
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=yes\n")
    assert linux_wall(tmp_path) is Wall.UFW


@pytest.mark.parametrize("wall", Wall)
def test_every_firewall_has_its_advice(wall: Wall) -> None:
    finding = firewall_finding(wall)
    assert finding.grade is Grade.NOTE
    assert finding.advice
    assert str(PORTS[0]) in finding.line


def test_a_line_steers_no_terminal() -> None:
    assert Finding(Grade.FINE, "eth\x1b[31m0").line == "fine  eth?[31m0"


def test_all_of_it_is_said_and_the_exit_code_tells_whether_something_stops() -> None:
    out = io.StringIO()
    code = doctor(out)
    lines = out.getvalue().splitlines()
    assert len(lines) > 6
    assert code == (1 if any(line.startswith("STOP") for line in lines) else 0)
