"""The network: interfaces, a route, whether multicast comes back, and whether our ports are free.

Opens sockets of its own for a moment, and tells nobody anything.
"""

from __future__ import annotations

import contextlib
import ipaddress
import secrets
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from net.discovery.address import PORTS
from sabtui.doctor.findings import Finding, Grade
from sabtui.words.tongue import _, listed

GROUP: Final = "224.0.0.251"
"""Where mDNS speaks; we speak there at a port of our own."""

PATIENCE: Final = 0.5
"""Seconds to wait for our own voice."""

SOMEWHERE: Final = "192.0.2.1"
"""An address that is nobody's (RFC 5737). Nothing is sent to it."""


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface with an IPv4 address, and whether multicast on it comes back."""

    name: str
    address: str
    multicast: bool


@dataclass(frozen=True, slots=True)
class Network:
    """What was found; `taken` are those of our ports that something else has."""

    interfaces: tuple[Interface, ...]
    has_route: bool
    taken: tuple[int, ...]


def look_at_network() -> Network:
    """Look at it; takes half a second for each interface on which multicast does not work."""
    found = [(name, address) for name, address in _addresses() if not _is_loopback(address)]
    interfaces = tuple(Interface(name, address, _echoes(address)) for name, address in found)
    return Network(interfaces, _has_route(), tuple(port for port in PORTS if not is_free(port)))


def network_findings(seen: Network) -> list[Finding]:
    """Say what was found."""
    return [*_interfaces(seen.interfaces), _route(seen), _ports(seen.taken)]


def _interfaces(found: Sequence[Interface]) -> list[Finding]:
    if not found:
        advice = _("Join a wireless network, plug in a cable, or play on this machine alone.")
        return [Finding(Grade.STOP, _("No network: only this machine itself."), advice)]
    addresses = listed([f"{one.address} ({one.name})" for one in found])
    findings = [
        Finding(Grade.FINE, _("Others reach you at {addresses}.").format(addresses=addresses))
    ]
    deaf = [one.name for one in found if not one.multicast]
    if not deaf:
        findings.append(Finding(Grade.FINE, _("Multicast works: games are found by themselves.")))
        return findings
    told = _("Multicast does not come back on {names}.").format(names=listed(deaf))
    advice = _("Games may not show up by themselves there; join by address.")
    return [*findings, Finding(Grade.NOTE, told, advice)]


def _route(seen: Network) -> Finding:
    if seen.has_route:
        return Finding(Grade.FINE, _("There is a way to other networks."))
    told = _("No way to other networks, such as the internet; none is needed to play here.")
    return Finding(Grade.FINE, told)


def _ports(taken: Sequence[int]) -> Finding:
    first, last = PORTS[0], PORTS[-1]
    told = _("Ports {first} to {last} are free for tables.").format(first=first, last=last)
    if not taken:
        return Finding(Grade.FINE, told)
    which = ", ".join(map(str, taken))
    told = _("Of ports {first} to {last} these are taken: {taken}.").format(
        first=first, last=last, taken=which
    )
    if len(taken) == len(PORTS):
        return Finding(Grade.STOP, told, _("Close what has them, or host with --port."))
    return Finding(Grade.FINE, told + " " + _("A table takes the next free one."))


def _addresses() -> list[tuple[str, str]]:
    """The name and address of each interface with IPv4."""
    import ifaddr  # noqa: PLC0415 - comes with zeroconf, and only the doctor wants it

    return [
        (adapter.nice_name, str(ip.ip))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4
    ]


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address).is_loopback


def _has_route() -> bool:
    """Whether the system knows a way to somewhere else. Connecting UDP sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((SOMEWHERE, 9))
        except OSError:
            return False
    return True


def _echoes(address: str) -> bool:
    """Whether what is said to the group on an interface comes back to this machine."""
    word = secrets.token_bytes(16)
    member = socket.inet_aton(GROUP) + socket.inet_aton(address)
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as voice:
        voice.settimeout(PATIENCE)
        voice.bind(("", 0))
        voice.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        voice.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
        voice.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        voice.sendto(word, (GROUP, voice.getsockname()[1]))
        return voice.recv(64) == word
    return False


def is_free(port: int) -> bool:
    """Whether a table could take a port, for TCP and for UDP."""
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_INET, kind) as door:
            if kind is socket.SOCK_STREAM and sys.platform != "win32":
                door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                door.bind(("", port))
            except OSError:
                return False
    return True
