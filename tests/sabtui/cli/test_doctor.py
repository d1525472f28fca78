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
from sabtui.app.terminal import Colours, NoScreen, Terminal
from sabtui.art.terminal import (
    GRAPHICS_QUESTION,
    QUESTIONS,
    SILENT,
    Protocol,
    TerminalAnswers,
)
from sabtui.cli.doctor import (
    GLYPHS,
    MIN_SIZE,
    Finding,
    Firewall,
    Interface,
    NetworkFacts,
    Severity,
    SystemFacts,
    TerminalFacts,
    ask_terminal,
    cards_finding,
    doctor,
    firewall_findings,
    has_free_port,
    linux_firewall,
    look_at_system,
    network_findings,
    system_findings,
    terminal_findings,
)
from sabtui.text.network import ask_for_address
from sabtui.tui.table.layout import MIN_COLUMNS, MIN_ROWS

USUAL = Terminal("xterm-256color", (80, 24), Colours.ALL, is_unicode=True, no_screen=None)
GOOD = TerminalFacts(USUAL, glyph_columns=len(GLYPHS))
HOME = Interface("wlan0", "192.168.1.20", multicast=True)
NET = NetworkFacts((HOME,), has_port=True)


def grades(findings: list[Finding]) -> set[Severity]:
    return {finding.severity for finding in findings}


def join_lines(findings: list[Finding]) -> str:
    return "\n".join(finding.line for finding in findings)


def test_a_good_terminal_network_and_system_are_all_fine() -> None:
    system = SystemFacts("Linux", (3, 12, 1), "UTF-8", "utf-8")
    for findings in (terminal_findings(GOOD), network_findings(NET), system_findings(system)):
        assert grades(findings) == {Severity.OK}, join_lines(findings)
        assert len(findings) == 1, "what is fine is silent, but for size, addresses and version"


def test_it_asks_for_the_size_that_the_table_needs() -> None:
    assert MIN_SIZE == (MIN_COLUMNS, MIN_ROWS)


@pytest.mark.parametrize(
    ("facts", "severity", "words"),
    [
        (TerminalFacts(replace(USUAL, size=(50, 24))), Severity.ERROR, "60x18"),
        (TerminalFacts(replace(USUAL, size=(80, 17))), Severity.ERROR, "--plain"),
        (
            TerminalFacts(replace(USUAL, no_screen=NoScreen.INPUT)),
            Severity.WARNING,
            "Without a screen, Sabtui plays in lines of text",
        ),
        (
            TerminalFacts(replace(USUAL, term="dumb", no_screen=NoScreen.UNABLE)),
            Severity.WARNING,
            "TERM is dumb",
        ),
        (TerminalFacts(replace(USUAL, colours=Colours.FEW)), Severity.WARNING, "sixteen"),
        (replace(GOOD, glyph_columns=2 * len(GLYPHS)), Severity.WARNING, "--ascii"),
        (replace(GOOD, glyph_columns=None), Severity.WARNING, "--ascii"),
    ],
)
def test_of_a_terminal_it_says_what_to_do(
    facts: TerminalFacts, severity: Severity, words: str
) -> None:
    findings = terminal_findings(facts)
    assert severity in grades(findings)
    assert words in join_lines(findings)


@pytest.mark.parametrize(
    ("facts", "severity", "words"),
    [
        (replace(NET, interfaces=()), Severity.ERROR, "wireless"),
        (
            replace(NET, interfaces=(replace(HOME, multicast=False),)),
            Severity.WARNING,
            ask_for_address(),
        ),
        (replace(NET, has_port=False), Severity.ERROR, "--port"),
    ],
)
def test_of_a_network_it_says_what_to_do(
    facts: NetworkFacts, severity: Severity, words: str
) -> None:
    findings = network_findings(facts)
    assert severity in grades(findings)
    assert words in join_lines(findings)


def test_a_wish_for_no_colours_is_nothing_to_mend() -> None:
    plain = replace(GOOD, terminal=replace(USUAL, colours=Colours.NONE))
    assert terminal_findings(plain) == terminal_findings(GOOD)


def test_another_encoding_is_noted() -> None:
    findings = system_findings(SystemFacts("Linux", (3, 12, 1), "ANSI_X3.4-1968", "ascii"))
    assert grades(findings) == {Severity.OK, Severity.WARNING}
    assert look_at_system().python >= (3, 11)


def test_a_free_port_is_looked_for_as_a_table_does(monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_free_port()

    def claim() -> None:
        raise NoPortFree([7341])

    monkeypatch.setattr(checks, "claim_port", claim)
    assert not has_free_port()


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
    [finding] = firewall_findings(wall)
    assert finding.severity is Severity.WARNING
    assert finding.advice
    assert str(PORTS[0]) in finding.line


def test_where_no_firewall_is_found_nothing_is_said() -> None:
    assert firewall_findings(None) == []


def test_a_line_steers_no_terminal() -> None:
    assert Finding(Severity.OK, "eth\x1b[31m0").line == "fine  eth?[31m0"


def test_all_of_it_is_said_and_the_exit_code_tells_whether_something_stops() -> None:
    out = io.StringIO()
    code = doctor(out)
    lines = out.getvalue().splitlines()
    [fine] = [line for line in lines if line.startswith("fine")]
    assert sabtui.__version__ in fine
    assert code == (1 if any(line.startswith("STOP") for line in lines) else 0)


TRUE = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
KITTY = SILENT.read("\x1bP>|kitty(0.41.1)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;c")


FOOT = SILENT.read("\x1bP>|foot(1.13.1)\x1b\\\x1b[6;20;10t\x1b[?62;4c")


@pytest.mark.parametrize(
    ("answers", "environ", "words"),
    [
        (KITTY, {}, "--art pictures (kitty 0.41.1)"),
        (FOOT, {}, "--art pictures (foot 1.13.1)"),
        (SILENT, {}, "--art blocks (xterm-256color)"),
        (SILENT, {"COLORTERM": ""}, "--art painted"),
        (SILENT, {"NO_COLOR": "1"}, "--art lines"),
        (SILENT, {"LANG": "C", "TERM": "linux", "COLORTERM": ""}, "--art ascii"),
    ],
)
def test_the_way_in_which_cards_are_drawn_is_named(
    answers: TerminalAnswers, environ: dict[str, str], words: str
) -> None:
    assert words in cards_finding(answers, TRUE | environ).line


def test_a_terminal_is_asked_and_one_that_has_pictures_is_asked_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {
        QUESTIONS: "\x1bP>|kitty(0.41.1)\x1b\\\x1b[?62;c",
        GRAPHICS_QUESTION: "\x1b_Gi=31;OK\x1b\\\x1b[?62;c",
    }
    monkeypatch.setattr(checks, "converse", lambda asked, _is_done: told[asked])
    assert ask_terminal(TRUE).find_protocol(TRUE) is Protocol.KITTY
    told[QUESTIONS] = "\x1bP>|Konsole 24.02.1\x1b\\\x1b[?62;c"
    del told[GRAPHICS_QUESTION]
    assert ask_terminal(TRUE).name == "konsole"
    told.clear()
    assert ask_terminal({"TERM": "linux"}).name == ""
