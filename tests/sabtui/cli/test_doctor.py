"""The doctor: what is said of what was found, and that looking finds what is there."""

from __future__ import annotations

import errno
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
from sabtui.text.network import ask_for_address
from sabtui.tui.table.layout import MIN_COLUMNS, MIN_ROWS

GOOD = Terminal("xterm-256color", (80, 24), Colours.ALL, no_screen="")
HOME = checks.Interface("wlan0", "192.168.1.20")


def check(findings: list[checks.Finding], severity: checks.Severity, words: str) -> None:
    """Check that these words are in a finding as severe as this."""
    assert words in " ".join(finding.line for finding in findings if finding.severity is severity)


def test_of_what_is_fine_only_size_and_addresses_are_told() -> None:
    fine = [*checks.terminal_findings(GOOD), *checks.encoding_findings("UTF-8", "utf-8")]
    fine += [*checks.network_findings([HOME]), *checks.firewall_findings(None)]
    assert [finding.line for finding in fine] == ["fine  80x24", "fine  192.168.1.20 (wlan0)"]
    assert checks.terminal_findings(
        replace(GOOD, colours=Colours.NONE)
    ) == checks.terminal_findings(GOOD)


def test_it_asks_for_the_size_that_the_table_needs() -> None:
    assert checks.MIN_SIZE == (MIN_COLUMNS, MIN_ROWS)


@pytest.mark.parametrize(
    ("terminal", "severity", "words"),
    [
        (replace(GOOD, size=(50, 24)), checks.Severity.ERROR, "60x18"),
        (replace(GOOD, size=(80, 17)), checks.Severity.ERROR, "--plain"),
        (replace(GOOD, no_screen="No."), checks.Severity.WARNING, "No. Playing in lines of text"),
        (replace(GOOD, colours=Colours.FEW), checks.Severity.WARNING, "16 colours"),
    ],
)
def test_it_says_what_to_do_about_a_terminal(
    terminal: Terminal, severity: checks.Severity, words: str
) -> None:
    check(checks.terminal_findings(terminal), severity, words)


def test_it_says_what_to_do_about_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    check(checks.network_findings([]), checks.Severity.ERROR, "Join the Wi-Fi")
    deaf = checks.network_findings([HOME, replace(HOME, name="eth0", multicast=False)])
    check(deaf, checks.Severity.WARNING, f"on eth0. {ask_for_address()}")
    check(checks.encoding_findings("ANSI_X3.4-1968", "ascii"), checks.Severity.WARNING, "LANG")
    assert checks.port_findings() == []

    def claim() -> None:
        raise NoPortFree([7341])

    monkeypatch.setattr(checks, "claim_port", claim)
    check(checks.port_findings(), checks.Severity.ERROR, "--port")


@pytest.mark.skipif(sys.platform == "win32", reason="a limit of POSIX")
def test_it_says_what_to_do_about_a_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "state" / "sabtui"
    assert checks.disk_findings([folder, tmp_path]) == []
    assert list(tmp_path.iterdir()) == []
    for error, words in (
        (errno.ENOSPC, f"Cannot write {tmp_path} (No space left on device). Make room there."),
        (errno.EDQUOT, "(Disk quota used up). Make room there."),
        (errno.EROFS, "(Read-only file system)."),
        (errno.EIO, "(The disk reports a fault). Check the disk."),
    ):

        def fail(_file: object, error: int = error) -> None:
            raise OSError(error, "never shown")

        monkeypatch.setattr(checks, "sync", fail)
        check(checks.disk_findings([folder, tmp_path]), checks.Severity.ERROR, words)
        assert list(tmp_path.iterdir()) == []


def test_a_firewall_is_found_by_what_it_leaves_in_files(tmp_path: Path) -> None:
    assert checks.linux_firewall(tmp_path) is None
    (tmp_path / "etc/systemd/system/sysinit.target.wants").mkdir(parents=True)
    (tmp_path / "etc/systemd/system/sysinit.target.wants/nftables.service").touch()
    assert checks.linux_firewall(tmp_path) is checks.Firewall.NFTABLES
    (tmp_path / "run/firewalld").mkdir(parents=True)
    assert checks.linux_firewall(tmp_path) is checks.Firewall.FIREWALLD
    (tmp_path / "etc/ufw").mkdir()
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=no\n")
    assert checks.linux_firewall(tmp_path) is checks.Firewall.FIREWALLD
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=yes\n")
    assert checks.linux_firewall(tmp_path) is checks.Firewall.UFW


@pytest.mark.parametrize("wall", checks.Firewall)
def test_every_firewall_has_its_advice(wall: checks.Firewall) -> None:
    check(
        checks.firewall_findings(wall),
        checks.Severity.WARNING,
        f"{PORTS[0]} to {PORTS[-1]}, TCP and UDP. ",
    )


def test_a_line_steers_no_terminal() -> None:
    assert checks.Finding(checks.Severity.OK, "eth\x1b[31m0").line == "fine  eth?[31m0"


def test_all_of_it_is_said_and_the_exit_code_tells_whether_something_stops() -> None:
    out = io.StringIO()
    code = checks.doctor(out)
    lines = out.getvalue().splitlines()
    [fine] = [line for line in lines if line.startswith("fine")]
    assert sabtui.__version__ in fine
    assert code == (1 if any(line.startswith("STOP") for line in lines) else 0)
