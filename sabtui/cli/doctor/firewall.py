"""Detection of an active firewall, as far as it is visible without root, and advice for it.

Only hosts need an open port: players who join make outgoing connections, which firewalls allow.
"""

from __future__ import annotations

import platform
import subprocess
from enum import StrEnum
from pathlib import Path
from typing import Final, assert_never

from net.discovery.address import PORTS
from sabtui.cli.doctor.finding import Finding, Severity
from sabtui.text.i18n import _

COMMAND_TIMEOUT_S: Final = 5.0
"""Seconds that a system tool may take to report the firewall's state."""


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


def firewall_finding(firewall: Firewall | None) -> Finding:
    """Return the finding, with advice on how to let other players in."""
    if firewall is None:
        text = _("No firewall found; as root you may see more.")
        return Finding(Severity.OK, text)
    text = _("The firewall {name} is on: to host, open ports {first} to {last}, TCP and UDP.")
    text = text.format(name=firewall.value, first=PORTS[0], last=PORTS[-1])
    return Finding(Severity.WARNING, text, _advice(firewall))


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
        case Firewall.MACOS:
            return _("When macOS asks whether Python may accept connections, answer Allow.")
        case Firewall.WINDOWS:
            return _(
                "When Windows asks whether Python may accept connections, allow private networks."
            )
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
            command, capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout
