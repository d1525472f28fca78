"""`sabtui doctor`: what this terminal, this network and this firewall prevent, with advice.

Each check first collects facts and then puts them into words. Nothing on the machine is changed:
sockets and files exist for a moment, and the only packets are random multicast probes to a port of
our own. A Linux firewall is found if it is visible without root; only hosts need an open port.
"""

from __future__ import annotations

import contextlib
import ipaddress
import locale
import os
import pathlib
import platform
import secrets
import socket
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from typing import Final, TextIO, assert_never

import ifaddr  # which comes with zeroconf

import sabtui
from net.discovery.networks import claim_port
from net.files import new_file, sync
from net.protocol.cleaning import sanitise
from net.secure.address import PORTS
from sabtui.app.launcher import state_folder
from sabtui.app.preferences import records_folder, usual_path
from sabtui.app.terminal import Colours, Terminal, find_terminal, plays_in_lines
from sabtui.text.errors import not_written
from sabtui.text.i18n import _, join_words, pgettext
from sabtui.text.layout import pad_to
from sabtui.text.network import ask_for_address, join_network_first, no_port


class Severity(Enum):
    """Severity of a finding."""

    OK = auto()
    WARNING = auto()  # works, but with a drawback
    ERROR = auto()  # prevents playing


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: only a fact if all is fine, else a problem and what to do about it."""

    severity: Severity
    text: str

    @property
    def line(self) -> str:
        grades = {
            Severity.OK: pgettext("doctor", "fine"),
            Severity.WARNING: pgettext("doctor", "note"),
            Severity.ERROR: pgettext("doctor", "STOP"),
        }
        return sanitise(f"{pad_to(grades[self.severity], 5)} {self.text}", "?")


MIN_SIZE: Final = (60, 18)
"""Smallest supported size of the full-screen interface, in columns and rows."""


def terminal_findings(terminal: Terminal) -> list[Finding]:
    if why := terminal.no_screen:
        return [Finding(Severity.WARNING, f"{why} {plays_in_lines()}")]
    columns, rows = terminal.size
    size = f"{columns}x{rows}"
    findings = [Finding(Severity.OK, size)]
    if columns < MIN_SIZE[0] or rows < MIN_SIZE[1]:
        text = _("The terminal has {size}: make it at least 60x18, or play with --plain.")
        findings = [Finding(Severity.ERROR, text.format(size=size))]
    if terminal.colours is Colours.FEW:
        text = _(
            "TERM={term} allows only 16 colours. If your terminal has more, set "
            "TERM=xterm-256color."
        )
        findings.append(Finding(Severity.WARNING, text.format(term=terminal.term)))
    return findings


def encoding_findings(encoding: str, output: str) -> list[Finding]:
    if encoding.lower().replace("-", "") == output.lower().replace("-", "") == "utf8":
        return []
    text = _("Locale {locale}, output {output}: names may show as ?. Set LANG to a UTF-8 locale.")
    return [Finding(Severity.WARNING, text.format(locale=encoding, output=output))]


MDNS_GROUP: Final = "224.0.0.251"
"""IPv4 multicast group of mDNS (RFC 6762). Probes go to it at a port of our own, not at 5353."""

ECHO_TIMEOUT_S: Final = 0.5  # seconds to wait for our own multicast probe to come back


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface, and an address at which others reach it."""

    name: str
    address: str
    multicast: bool = True  # False if our own multicast does not come back on it


def look_at_interfaces() -> list[Interface]:
    """Find the interfaces, each with its IPv4 addresses or, if it has none, one IPv6 address.

    Takes half a second for each interface on which multicast does not work.
    """
    every = list[Interface]()
    for adapter in ifaddr.get_adapters():
        addresses = [str(ip.ip) if ip.is_IPv4 else ip.ip[0] for ip in adapter.ips]
        fours = [address for address in addresses if ":" not in address]
        sixes = sorted(addresses, key=lambda address: ipaddress.ip_address(address).is_link_local)
        every += (Interface(adapter.nice_name, address) for address in fours or sixes[:1])
    found = [
        interface for interface in every if not ipaddress.ip_address(interface.address).is_loopback
    ]
    wide = [
        interface
        for interface in found
        if not ipaddress.ip_address(interface.address).is_link_local
    ]
    return [replace(interface, multicast=_echoes(interface.address)) for interface in wide or found]


def network_findings(found: Sequence[Interface]) -> list[Finding]:
    if not found:
        return [Finding(Severity.ERROR, join_network_first())]
    addresses = ", ".join(f"{interface.address} ({interface.name})" for interface in found)
    findings = [Finding(Severity.OK, addresses)]
    if without := [interface.name for interface in found if not interface.multicast]:
        text = _("Games may not show up here: multicast does not get through on {names}.")
        text = f"{text.format(names=join_words(without))} {ask_for_address()}"
        findings.append(Finding(Severity.WARNING, text))
    return findings


def _echoes(address: str) -> bool:
    """Return False if a multicast probe from an IPv4 address does not come back here."""
    if ":" in address:
        return True
    payload, here = secrets.token_bytes(16), socket.inet_aton(address)
    group = socket.inet_aton(MDNS_GROUP)
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.settimeout(ECHO_TIMEOUT_S)
        probe.bind(("", 0))
        probe.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group + here)
        probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
        probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        probe.sendto(payload, (MDNS_GROUP, probe.getsockname()[1]))
        return probe.recv(64) == payload
    return False


def port_findings() -> list[Finding]:
    """Report if none of our ports is free, for TCP and for UDP."""
    try:
        claim_port().close()
    except OSError:
        return [Finding(Severity.ERROR, no_port(PORTS[0], PORTS[-1]))]
    return []


PROBE_BYTES: Final = 1 << 16
"""Bytes that are written to test a disk: more than one game needs."""


def disk_findings(folders: Sequence[pathlib.Path]) -> list[Finding]:
    """Return the findings on folders to write in, or on the nearest folders above them."""
    findings = list[Finding]()
    for folder in folders:
        at = next(parent for parent in (folder, *folder.parents) if parent.exists())
        try:
            probe = new_file(at)
            try:
                with probe.open("r+b") as file:
                    file.write(secrets.token_bytes(PROBE_BYTES))
                    sync(file)
            finally:
                probe.unlink()
        except OSError as error:
            findings.append(Finding(Severity.ERROR, not_written(at, error)))
    return list(dict.fromkeys(findings))


class Firewall(StrEnum):
    """A kind of Linux firewall. Other systems ask the user whether to admit Python."""

    UFW = "ufw"
    FIREWALLD = "firewalld"
    NFTABLES = "nftables"


def linux_firewall(root: pathlib.Path) -> Firewall | None:
    """Return the firewall that is enabled according to files below a root folder, else `None`."""
    with contextlib.suppress(OSError):  # no ufw here
        if "ENABLED=yes" in (root / "etc/ufw/ufw.conf").read_text("utf-8", "replace"):
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
    first, last = PORTS[0], PORTS[-1]
    match firewall:
        case Firewall.UFW:
            line = f"sudo ufw allow {first}:{last}/tcp && sudo ufw allow {first}:{last}/udp"
        case Firewall.FIREWALLD:
            ports = f"--add-port={first}-{last}/tcp --add-port={first}-{last}/udp"
            line = f"sudo firewall-cmd {ports}"
        case Firewall.NFTABLES:
            line = " && ".join(
                f"sudo nft add rule inet filter input {kind} dport {first}-{last} accept"
                for kind in ("tcp", "udp")
            )
        case _:
            assert_never(firewall)
    text = _("The firewall {name} is on: to host, open ports {first} to {last}, TCP and UDP.")
    advice = _("Run: {line}").format(line=line)
    text = text.format(name=firewall.value, first=first, last=last)
    return [Finding(Severity.WARNING, f"{text} {advice}")]


def doctor(out: TextIO) -> int:
    """Print the findings, a line each; return 1 if one of them prevents playing, else 0."""
    stops, fine = 0, list[str]()
    for finding in findings():
        if finding.severity is Severity.OK:
            fine.append(finding.text)
        else:
            print(finding.line, file=out, flush=True)
        stops += finding.severity is Severity.ERROR
    print(Finding(Severity.OK, "; ".join(fine)).line, file=out)
    if not stops:
        print(_("You can play."), file=out)
        text = _("No answer from a host? Guest Wi-Fi keeps computers apart: use a phone's hotspot.")
        print(text, file=out)
    return 1 if stops else 0


def findings() -> Iterator[Finding]:
    """Yield each finding as soon as its check is done."""
    python, system = platform.python_version(), platform.system() or sys.platform
    yield Finding(Severity.OK, f"Sabtui {sabtui.__version__}, Python {python}, {system}")
    yield from encoding_findings(
        locale.getpreferredencoding(do_setlocale=False), sys.stdout.encoding
    )
    yield from terminal_findings(find_terminal(os.environ))
    yield from network_findings(look_at_interfaces())
    yield from disk_findings((state_folder(), records_folder(), usual_path().parent))
    yield from port_findings()
    yield from firewall_findings(linux_firewall(pathlib.Path("/")))
