"""`sabtui doctor`: what this terminal, this network and this installation can do, with advice.

What is fine is one line of facts that people ask each other for: version, size, addresses.

Each check first collects facts and then words them, so that the wording can be tested without the
machine concerned. Nothing on the machine is changed.

Opens sockets for a moment; the only packets sent are random multicast probes to a port of our own.
A firewall is found as far as it is visible without root. Only hosts need an open port: players who
join make outgoing connections, which firewalls allow.
"""

from __future__ import annotations

import contextlib
import ipaddress
import locale
import os
import pathlib
import platform
import re
import secrets
import select
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TextIO, assert_never

import sabtui
from engine.bots.installed import refused_bots
from net.discovery.networks import claim_port
from net.protocol.text import sanitise
from net.secure.address import PORTS
from sabtui.app.preferences import Theme
from sabtui.app.terminal import Colours, Terminal, find_terminal, no_screen
from sabtui.art import Art
from sabtui.art.store import Size
from sabtui.art.terminal import SILENT, TerminalAnswers, questions_for
from sabtui.text.i18n import _, join_words, pgettext
from sabtui.text.names import pad_to
from sabtui.text.network import ask_for_address, no_port
from sabtui.tui.theme import ASCII, Glyphs, glyphs_for, theme_for


class Severity(StrEnum):
    """Severity of a finding."""

    OK = "fine"
    WARNING = "note"  # works, but with a drawback
    ERROR = "stop"  # prevents playing


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; what is fine is a bare fact. `advice` is empty if there is nothing to do."""

    severity: Severity
    text: str
    advice: str = ""

    @property
    def line(self) -> str:
        """The finding as one printable line."""
        grades = {
            Severity.OK: pgettext("doctor", "fine"),
            Severity.WARNING: pgettext("doctor", "note"),
            Severity.ERROR: pgettext("doctor", "STOP"),
        }
        line = f"{pad_to(grades[self.severity], 5)} {self.text} {self.advice}".rstrip()
        return sanitise(line, "?")


def bot_findings() -> Iterator[Finding]:
    """Yield a finding for each bot of another package that is not offered here, for its author."""
    for reason in refused_bots().values():
        yield Finding(Severity.WARNING, f"{reason}.")


def cards_finding(answers: TerminalAnswers, environ: Mapping[str, str]) -> Finding:
    """Return the finding on how cards are drawn unless something else is wished."""
    version = ".".join(map(str, answers.version))
    terminal = f"{answers.name} {version}".strip() or environ.get("TERM", "")
    theme = theme_for(Theme.AUTO, environ, answers)
    way = _name_way(glyphs_for(Art.AUTO, theme, environ, answers))
    return Finding(Severity.OK, f"--art {way} ({terminal})")


def _name_way(glyphs: Glyphs) -> Art:
    """Return the way to draw cards that these glyphs are for."""
    if glyphs.has_pictures:
        return Art.PICTURES
    if glyphs.cards is not None:
        return Art.BLOCKS
    if glyphs.is_painted:
        return Art.PAINTED
    return Art.ASCII if glyphs is ASCII else Art.LINES


MDNS_GROUP: Final = "224.0.0.251"  # IPv4 multicast group of mDNS (RFC 6762)
MDNS_GROUP_6: Final = "ff02::fb"
"""IPv6 multicast group of mDNS. Probes go to both groups at a port of our own, not mDNS's 5353."""

ECHO_TIMEOUT_S: Final = 0.5  # seconds to wait for our own multicast probe to come back

COMMAND_TIMEOUT_S: Final = 5.0  # seconds that a system tool may take to report the firewall's state


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface, an address by which others reach it, and its index.

    `multicast` is True if what is sent so on it comes back.
    """

    name: str
    address: str
    number: int = 0
    multicast: bool = False


@dataclass(frozen=True, slots=True)
class NetworkFacts:
    """Facts about the network; `has_port` is True if one of our ports is free for a table."""

    interfaces: tuple[Interface, ...]
    has_port: bool


def look_at_network() -> NetworkFacts:
    """Collect the facts; takes half a second per interface on which multicast does not work."""
    every = _interface_addresses()
    found = [one for one in every if not ipaddress.ip_address(one.address).is_loopback]
    wide = [one for one in found if not ipaddress.ip_address(one.address).is_link_local]
    interfaces = tuple(replace(one, multicast=_echoes(one)) for one in wide or found)
    return NetworkFacts(interfaces, has_free_port())


def network_findings(facts: NetworkFacts) -> list[Finding]:
    """Return the findings for these facts."""
    ports = [] if facts.has_port else [Finding(Severity.ERROR, no_port(PORTS[0], PORTS[-1]))]
    return [*_interfaces(facts.interfaces), *ports]


def _interfaces(found: Sequence[Interface]) -> list[Finding]:
    if not found:
        advice = _("Join a wireless network, plug in a cable, or play on this computer only.")
        return [Finding(Severity.ERROR, _("No network: only this computer."), advice)]
    findings = [Finding(Severity.OK, ", ".join(f"{one.address} ({one.name})" for one in found))]
    without = [one.name for one in found if not one.multicast]
    if not without:
        return findings
    text = _("Multicast does not get through on {names}.").format(names=join_words(without))
    advice = _("Games may not show up automatically on such a network.")
    return [*findings, Finding(Severity.WARNING, text, f"{advice} {ask_for_address()}")]


def _interface_addresses() -> Iterator[Interface]:
    """Yield each interface with its IPv4 addresses or, if it has none, one IPv6 address."""
    import ifaddr  # noqa: PLC0415 - comes with zeroconf, and only the doctor wants it

    for adapter in ifaddr.get_adapters():
        found = [str(ip.ip) if ip.is_IPv4 else ip.ip[0] for ip in adapter.ips]
        fours = [address for address in found if ":" not in address]
        sixes = sorted(found, key=lambda address: ipaddress.ip_address(address).is_link_local)
        for address in fours or sixes[:1]:
            yield Interface(adapter.nice_name, address, adapter.index or 0)


def _echoes(interface: Interface) -> bool:
    """Return True if a multicast probe sent on an interface comes back to this machine."""
    is_ipv6 = ":" in interface.address
    payload = secrets.token_bytes(16)
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_INET6 if is_ipv6 else socket.AF_INET, socket.SOCK_DGRAM) as probe,
    ):
        probe.settimeout(ECHO_TIMEOUT_S)
        probe.bind(("", 0))
        port = probe.getsockname()[1]
        if is_ipv6:
            _join_ipv6(probe, interface.number)
            probe.sendto(payload, (MDNS_GROUP_6, port, 0, interface.number))
        else:
            _join_ipv4(probe, interface.address)
            probe.sendto(payload, (MDNS_GROUP, port))
        return probe.recv(64) == payload
    return False


def _join_ipv4(probe: socket.socket, address: str) -> None:
    here = socket.inet_aton(address)
    probe.setsockopt(
        socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(MDNS_GROUP) + here
    )
    probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
    probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)


def _join_ipv6(probe: socket.socket, number: int) -> None:
    group = socket.inet_pton(socket.AF_INET6, MDNS_GROUP_6) + struct.pack("@I", number)
    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, number)
    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)


def has_free_port() -> bool:
    """Return True if a table could be opened on one of our ports, for TCP and for UDP."""
    try:
        claim_port().close()
    except OSError:
        return False
    return True


class Firewall(StrEnum):
    """A kind of firewall, known to be active."""

    UFW = "ufw"
    FIREWALLD = "firewalld"
    NFTABLES = "nftables"
    MACOS = "macOS"
    WINDOWS = "Windows"


def look_at_firewall() -> Firewall | None:
    """Return the active firewall, `None` if none is detected (there may still be one)."""
    match platform.system():
        case "Windows":
            state = _output_of("netsh", "advfirewall", "show", "currentprofile")
            return Firewall.WINDOWS if "ON" in state else None
        case "Darwin":
            state = _output_of(
                "/usr/libexec/ApplicationFirewall/socketfilterfw", "--getglobalstate"
            )
            return Firewall.MACOS if "enabled" in state else None
        case _:
            return linux_firewall(pathlib.Path("/"))


def linux_firewall(root: pathlib.Path) -> Firewall | None:
    """Return the firewall that is enabled according to files below a root folder, else `None`."""
    if "ENABLED=yes" in _read(root / "etc/ufw/ufw.conf"):
        return Firewall.UFW
    if (root / "run/firewalld.pid").exists() or (root / "run/firewalld").exists():
        return Firewall.FIREWALLD
    enabled = root / "etc/systemd/system/sysinit.target.wants/nftables.service"
    if enabled.is_symlink() or enabled.exists():
        return Firewall.NFTABLES
    return None


def firewall_findings(firewall: Firewall | None) -> list[Finding]:
    """Return the finding on a firewall, with advice on how to let other players in."""
    if firewall is None:
        return []
    text = _("The firewall {name} is on: to host, open ports {first} to {last}, TCP and UDP.")
    text = text.format(name=firewall.value, first=PORTS[0], last=PORTS[-1])
    return [Finding(Severity.WARNING, text, _advice(firewall))]


def _advice(firewall: Firewall) -> str:
    first, last = PORTS[0], PORTS[-1]
    match firewall:
        case Firewall.UFW:
            line = f"sudo ufw allow {first}:{last}/tcp && sudo ufw allow {first}:{last}/udp"
            return _("Run: {line}").format(line=line)
        case Firewall.FIREWALLD:
            ports = f"--add-port={first}-{last}/tcp --add-port={first}-{last}/udp"
            return _("Run: {line}").format(line=f"sudo firewall-cmd {ports}")
        case Firewall.NFTABLES:
            rules = " && ".join(
                f"sudo nft add rule inet filter input {kind} dport {first}-{last} accept"
                for kind in ("tcp", "udp")
            )
            return _("Run: {line}").format(line=rules)
        case Firewall.MACOS | Firewall.WINDOWS:
            return _("When the system asks whether Python may accept connections, allow it.")
        case _:
            assert_never(firewall)


def _read(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _output_of(*command: str) -> str:
    """Return the output of a system tool, "" if it cannot be run."""
    try:
        done = subprocess.run(  # noqa: S603 - the system's own tools
            command, capture_output=True, timeout=COMMAND_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode(errors="replace")  # netsh has an encoding of its own


if TYPE_CHECKING:
    from sabtui.art.store import Size

MIN_SIZE: Final = (60, 18)
"""Smallest supported size of the full-screen interface, in columns and rows."""
GLYPHS: Final = "═║╔╗╚╝╠╣╦╩╬─│┌┐└┘·█▀▄"
"""Samples of the box-drawing and block characters that the screens use."""

REPLY_TIMEOUT_S: Final = 0.6  # seconds that a terminal may take to report its cursor position

_POSITION: Final = re.compile(r"\x1b\[\d+;(\d+)R")
"""Cursor position report of a terminal, with its column, from 1."""


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    """Facts about the terminal, its answers, and the width of our glyphs on it."""

    terminal: Terminal
    answers: TerminalAnswers = SILENT
    glyph_columns: int | None = None
    """Width of GLYPHS in columns, `None` if the terminal does not report it."""


def look_at_terminal(environ: Mapping[str, str]) -> TerminalFacts:
    """Collect facts about the terminal, and measure our glyphs on it."""
    silent = find_terminal(environ)
    if silent.no_screen is not None:
        return TerminalFacts(silent)
    columns, answers = _measure(GLYPHS), ask_terminal(environ)
    return TerminalFacts(find_terminal(environ, answers), answers, columns)


def terminal_findings(facts: TerminalFacts) -> list[Finding]:
    """Return the findings for these facts."""
    if (why := facts.terminal.no_screen) is not None:
        text = no_screen(why, facts.terminal.term)
        return [
            Finding(
                Severity.WARNING,
                text,
                _("Without a screen, Sabtui plays in lines of text, as with --plain."),
            )
        ]
    return [_size(facts.terminal), *_colours(facts.terminal), *_glyphs(facts)]


def _size(terminal: Terminal) -> Finding:
    columns, rows = terminal.size
    size = f"{columns}x{rows}"
    if columns < MIN_SIZE[0] or rows < MIN_SIZE[1]:
        text = _("The terminal has {size}: make it at least 60x18, or play with --plain.")
        return Finding(Severity.ERROR, text.format(size=size))
    return Finding(Severity.OK, size)


def _colours(terminal: Terminal) -> list[Finding]:
    if terminal.colours is not Colours.FEW:
        return []
    text = _("TERM={term} means sixteen colours. If yours has more, set TERM=xterm-256color.")
    return [Finding(Severity.WARNING, text.format(term=terminal.term))]


def _glyphs(facts: TerminalFacts) -> list[Finding]:
    if facts.glyph_columns == len(GLYPHS):
        return []
    text = _("Do these join up: ╔═╦═╗ ? If not, play with --ascii, or set Cards to ASCII.")
    return [Finding(Severity.WARNING, text)]


def _measure(text: str) -> int | None:
    """Return a text's width in columns: write it, ask for the cursor's position, erase it."""
    found = _POSITION.search(
        converse(f"\r{text}\x1b[6n", lambda heard: bool(_POSITION.search(heard)))
    )
    sys.stdout.write("\r\x1b[K")
    sys.stdout.flush()
    return None if found is None else int(found[1]) - 1


def ask_terminal(environ: Mapping[str, str]) -> TerminalAnswers:
    """Return what the terminal answers about pictures, as far as it does so in time."""
    answers = TerminalAnswers(cell=_divide_window())
    if questions := questions_for(environ):
        answers = answers.read(converse(questions, lambda heard: SILENT.read(heard).is_done))
    if further := answers.ask_further():
        answers = answers.read(converse(further, lambda heard: SILENT.read(heard).is_done))
    return answers


if sys.platform == "win32":

    def converse(_questions: str, _is_done: Callable[[str], bool]) -> str:
        """Return nothing: a Windows console is not asked."""
        return ""

    def _divide_window() -> Size | None:
        """Return `None`: a Windows console tells no pixels."""
        return None

else:
    import termios
    import tty

    from sabtui.tui.driver import read_cell

    def converse(questions: str, is_done: Callable[[str], bool]) -> str:
        """Write questions to the terminal; return its answers, as far as they come in time."""
        stdin = sys.stdin.fileno()
        before = termios.tcgetattr(stdin)
        heard, until = "", time.monotonic() + REPLY_TIMEOUT_S
        try:
            tty.setcbreak(stdin)
            sys.stdout.write(questions)
            sys.stdout.flush()
            while (left := until - time.monotonic()) > 0 and not is_done(heard):
                ready, _write, _error = select.select([stdin], [], [], left)
                heard += os.read(stdin, 4096).decode(errors="replace") if ready else ""
        except (UnicodeEncodeError, OSError):
            return ""
        finally:
            termios.tcsetattr(stdin, termios.TCSADRAIN, before)
        return heard

    def _divide_window() -> Size | None:
        """Return a cell's size in pixels, where the kernel knows that of the window."""
        return read_cell(sys.stdout.fileno())


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """Facts about the system: its name, Python's version, and encodings of locale and output."""

    name: str
    python: tuple[int, ...]
    encoding: str
    output: str


def look_at_system() -> SystemFacts:
    """Collect facts about the system."""
    return SystemFacts(
        platform.system() or sys.platform,
        tuple(sys.version_info[:3]),
        locale.getpreferredencoding(do_setlocale=False),
        sys.stdout.encoding,
    )


def system_findings(facts: SystemFacts) -> list[Finding]:
    """Return the findings for these facts."""
    python = ".".join(map(str, facts.python))
    versions = f"Sabtui {sabtui.__version__}, Python {python}, {facts.name}"
    return [Finding(Severity.OK, versions), *_encoding(facts)]


def _encoding(facts: SystemFacts) -> list[Finding]:
    if facts.encoding.lower().replace("-", "") == facts.output.lower().replace("-", "") == "utf8":
        return []
    text = _("Locale {locale}, output {output}: names may show as ?. Set LANG to a UTF-8 locale.")
    return [Finding(Severity.WARNING, text.format(locale=facts.encoding, output=facts.output))]


def doctor(out: TextIO) -> int:
    """Print the findings, a line each; return 1 if one of them prevents playing, else 0."""
    stops, facts, fine = 0, look_at_terminal(os.environ), list[str]()
    for finding in findings(facts):
        if finding.severity is Severity.OK:
            fine.append(finding.text)
        else:
            _print(finding, out)
        stops += finding.severity is Severity.ERROR
    _print(Finding(Severity.OK, "; ".join(fine)), out)
    print(_("Something has to be fixed first.") if stops else _("You can play."), file=out)
    return 1 if stops else 0


def _print(finding: Finding, out: TextIO) -> None:
    line = finding.line
    if out.encoding:  # findings quote box drawing, which it may lack
        line = line.encode(out.encoding, "replace").decode(out.encoding)
    print(line, file=out, flush=True)


def findings(facts: TerminalFacts) -> Iterator[Finding]:
    """Yield each finding as soon as its check is done."""
    yield from system_findings(look_at_system())
    yield from terminal_findings(facts)
    if facts.terminal.no_screen is None:
        yield cards_finding(facts.answers, os.environ)
    yield from network_findings(look_at_network())
    yield from firewall_findings(look_at_firewall())
    yield from bot_findings()
