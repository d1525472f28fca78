"""Checks of the network: interfaces, multicast loopback, free ports, firewall.

Opens sockets for a moment; the only packets sent are random multicast probes to a port of our own.
A firewall is found as far as it is visible without root. Only hosts need an open port: players who
join make outgoing connections, which firewalls allow.
"""

from __future__ import annotations

import contextlib
import ipaddress
import platform
import secrets
import socket
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final, assert_never

from net.discovery.sockets import claim_port
from net.secure.address import PORTS
from sabtui.cli.doctor.finding import Finding, Severity
from sabtui.text.i18n import _, join_words
from sabtui.text.network import look_harder, no_port

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
    return [*findings, Finding(Severity.WARNING, text, f"{advice} {look_harder()}")]


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
            return linux_firewall(Path("/"))


def linux_firewall(root: Path) -> Firewall | None:
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


def _read(path: Path) -> str:
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
