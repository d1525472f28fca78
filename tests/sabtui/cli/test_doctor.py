"""The doctor: what is said of what was found, and that looking finds what is there."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import sabtui
import sabtui.cli.doctor as checks
from net.discovery.networks import NoPortFree
from net.secure.address import PORTS
from sabtui.app.terminal import Colours, Terminal
from sabtui.cli.doctor import (
    MIN_SIZE,
    Finding,
    Firewall,
    Interface,
    Severity,
    doctor,
    encoding_findings,
    firewall_findings,
    linux_firewall,
    network_findings,
    port_findings,
    terminal_findings,
)
from sabtui.text.network import ask_for_address
from sabtui.tui.table.layout import MIN_COLUMNS, MIN_ROWS

GOOD = Terminal("xterm-256color", (80, 24), Colours.ALL, is_unicode=True, no_screen="")
HOME = Interface("wlan0", "192.168.1.20")


def check(findings: list[Finding], severity: Severity, words: str) -> None:
    """Check that these words are in a finding as severe as this."""
    assert words in " ".join(one.line for one in findings if one.severity is severity)


def test_of_what_is_fine_only_size_and_addresses_are_told() -> None:
    fine = [*terminal_findings(GOOD), *encoding_findings("UTF-8", "utf-8")]
    fine += [*network_findings([HOME]), *firewall_findings(None)]
    assert [one.line for one in fine] == ["fine  80x24", "fine  192.168.1.20 (wlan0)"]
    assert terminal_findings(replace(GOOD, colours=Colours.NONE)) == terminal_findings(GOOD)


def test_it_asks_for_the_size_that_the_table_needs() -> None:
    assert MIN_SIZE == (MIN_COLUMNS, MIN_ROWS)


@pytest.mark.parametrize(
    ("terminal", "severity", "words"),
    [
        (replace(GOOD, size=(50, 24)), Severity.ERROR, "60x18"),
        (replace(GOOD, size=(80, 17)), Severity.ERROR, "--plain"),
        (replace(GOOD, no_screen="No."), Severity.WARNING, "No. Playing in lines of text"),
        (replace(GOOD, colours=Colours.FEW), Severity.WARNING, "sixteen"),
    ],
)
def test_of_a_terminal_it_says_what_to_do(
    terminal: Terminal, severity: Severity, words: str
) -> None:
    check(terminal_findings(terminal), severity, words)


def test_of_a_network_an_encoding_and_ports_it_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check(network_findings([]), Severity.ERROR, "join the Wi-Fi")
    deaf = network_findings([HOME, replace(HOME, name="eth0", multicast=False)])
    check(deaf, Severity.WARNING, f"on eth0. {ask_for_address()}")
    check(encoding_findings("ANSI_X3.4-1968", "ascii"), Severity.WARNING, "LANG")
    assert port_findings() == []

    def claim() -> None:
        raise NoPortFree([7341])

    monkeypatch.setattr(checks, "claim_port", claim)
    check(port_findings(), Severity.ERROR, "--port")


def test_a_firewall_is_found_by_what_it_leaves_in_files(tmp_path: Path) -> None:
    assert linux_firewall(tmp_path) is None
    (tmp_path / "etc/systemd/system/sysinit.target.wants").mkdir(parents=True)
    (tmp_path / "etc/systemd/system/sysinit.target.wants/nftables.service").touch()
    assert linux_firewall(tmp_path) is Firewall.NFTABLES
    (tmp_path / "run/firewalld").mkdir(parents=True)
    assert linux_firewall(tmp_path) is Firewall.FIREWALLD
    (tmp_path / "etc/ufw").mkdir()
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=no\n")
    assert linux_firewall(tmp_path) is Firewall.FIREWALLD
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=yes\n")
    assert linux_firewall(tmp_path) is Firewall.UFW


def test_what_a_tool_says_in_another_encoding_is_read_as_far_as_it_can_be() -> None:
    says = "import sys; sys.stdout.buffer.write(b'Zust\\x84nde ON')"
    assert "nde ON" in checks._output_of(sys.executable, "-c", says)


@pytest.mark.parametrize("wall", Firewall)
def test_every_firewall_has_its_advice(wall: Firewall) -> None:
    check(firewall_findings(wall), Severity.WARNING, f"{PORTS[0]} to {PORTS[-1]}, TCP and UDP. ")


def test_a_line_steers_no_terminal() -> None:
    assert Finding(Severity.OK, "eth\x1b[31m0").line == "fine  eth?[31m0"


def test_all_of_it_is_said_and_the_exit_code_tells_whether_something_stops() -> None:
    out = io.StringIO()
    code = doctor(out)
    lines = out.getvalue().splitlines()
    [fine] = [line for line in lines if line.startswith("fine")]
    assert sabtui.__version__ in fine
    assert code == (1 if any(line.startswith("STOP") for line in lines) else 0)
