"""All that is said in lines, in every language: whole, as wide as the terminal, and translated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from sabtui.app.terminal import Colours, Streams, find_terminal
from sabtui.cli.doctor import (
    Firewall,
    encoding_findings,
    firewall_findings,
    network_findings,
    terminal_findings,
)
from sabtui.text.i18n import Locale, load_locale
from sabtui.text.layout import TerminalSize, width
from tests.sabtui.cli.test_doctor import GOOD, HOME
from tests.sabtui.plain.plain_script import course
from tests.sabtui.text.made_up_languages import Pseudo, latin
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui.tour import speak
from tests.samples import english_first

SMALLEST: Final = TerminalSize(60, 18)
USUAL: Final = TerminalSize(80, 24)
ENDLESS: Final = 10_000
"""Columns in which nothing is broken into lines."""

TYPED: Final = (
    "help hand mine draw role log pile more back hint who talk claim table ready unready sit stand "
    "auto since claims unseen replay quit leave start bot bots empty remove give "
    "edition rounds seats youngest absent wait turn hints yes no gold anew new off digger "
    "pause go next again unsaved close code lock unlock sabtui join host games resume bogus "
    "hello international argentina italia france mars edition linked clockwise counter adjacent "
    "played out ends round each miner one all players path card "
    "rules aim turn tunnels laying tools actions gold editions notation places tips "
    "Ana Bruno Chiara Dede Eva Fay Zoe Borin Dagna Norri Gold Rush"
    " deck goals nudge game settings"
)
"""Words that are names, or typed in any language."""

SHELL: Final = (
    "sabtui games join ADDRESS sudo ufw allow tcp udp firewall cmd add port nft rule inet "
    "filter input dport accept linux xterm color ascii ANSI Linux macOS Windows wlan firewalld "
    "nftables dumb Sabtui Python"
)
"""Words of systems, or typed into a shell."""


@pytest.mark.parametrize("language", english_first(FINISHED))
def test_no_line_is_wider_than_the_smallest_terminal_and_nothing_is_lost(language: str) -> None:
    with speak(load_locale(language)):
        narrow = [*course(SMALLEST)]
        whole = [*course(TerminalSize(ENDLESS, SMALLEST.rows), drawings=False)]
    assert not [said for said in narrow for line in said[1] if width(line) > SMALLEST.columns]
    undrawn = {name for name, _lines in whole}
    broken = [(name, lines) for name, lines in narrow if name in undrawn]
    assert [name for name, _lines in broken] == [name for name, _lines in whole]
    for (name, lines), (_name, unbroken) in zip(broken, whole, strict=True):
        words, all_words = " ".join(lines).split(), " ".join(unbroken).split()
        if "rules" in name.split():  # captions in two lines, side by side, share their lines
            assert sorted(words) == sorted(all_words)
        elif not name.endswith(" l"):  # the log has as many lines as there are rows
            assert words == all_words
        assert not [line for line in lines if line.strip()[:1] in (":", ";", "!", "»")]


def test_all_that_is_said_goes_through_gettext() -> None:
    with speak(Locale("xx", Pseudo())):
        english = {
            word: name
            for name, lines in course(USUAL)
            for line in lines
            for word in latin(line)
            if word not in TYPED.split()
        }
    assert english == {}


def test_so_does_what_the_doctor_says() -> None:
    with speak(Locale("xx", Pseudo())):
        english = {
            word for line in diagnoses() for word in latin(line) if word not in SHELL.split()
        }
    assert english == set()


def diagnoses() -> Iterator[str]:
    """All that the doctor can find."""
    terminals = (
        replace(GOOD, size=(50, 24)),
        find_terminal({"TERM": "dumb"}, streams=Streams()),
        find_terminal({"TERM": "xterm"}, streams=Streams(has_keys=False)),
        *(replace(GOOD, colours=colours) for colours in Colours),
        GOOD,
    )
    deaf = replace(HOME, multicast=False)
    findings = [
        *(finding for terminal in terminals for finding in terminal_findings(terminal)),
        *(finding for network in ([HOME], [], [deaf]) for finding in network_findings(network)),
        *encoding_findings("ANSI_X3.4-1968", "ascii"),
        *(finding for wall in Firewall for finding in firewall_findings(wall)),
    ]
    return (finding.line for finding in findings)
