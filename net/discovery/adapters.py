"""Kinds of network adapters: hardware that friends in the room reach, tunnels, bridges.

Linux lists them in /sys; in network namespaces, which have no hardware, a container's end of a
cable counts as hardware. Other systems list them nowhere that we could read without another
program: there the name or description of the adapter decides, and an adapter with an address counts
as connected.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import Final

SYS: Final = Path("/sys/class/net")
ROUTES: Final = Path("/proc/net/route"), Path("/proc/net/ipv6_route")


class AdapterKind(IntEnum):
    """A kind of adapter, the likeliest to reach friends in the room first."""

    CABLE = 0  # hardware with a link, by cable or radio, or a bond, VLAN or bridge built on it
    TUNNEL = 1  # a VPN, a modem, or any other line with one computer at its end
    UNPLUGGED = 2  # hardware without a link
    VIRTUAL = 3  # a bridge to containers or virtual machines on this computer
    LOOPBACK = 4


_VIRTUAL_NAME: Final = re.compile(
    r"docker|br-[0-9a-f]{6}|virbr|lxc|lxd|incus|podman|cni|veth|ve-|vb-|vnet|vmnet|vboxnet|vmenet"
    r"|vnic|bridge[1-9]|flannel|cali|kube|dummy|waydroid|awdl|llw|anpi"
    r"|.*(hyper-v|vethernet|virtualbox|vmware|wsl|docker|loopback)",
    re.IGNORECASE,
)
_TUNNEL_NAME: Final = re.compile(
    r"u?tun|tap|wg|ppp|tailscale|ts\d|zt|feth|ipsec|gif|stf|sit|gre|ip6?tnl|clat|v4-|rmnet|wwan"
    r"|nordlynx|proton|mullvad|wt\d|gpd|cscotun"
    r"|.*(vpn|wireguard|tailscale|wintun|tunnel|tap-|zerotier|wan miniport)",
    re.IGNORECASE,
)
_TUNNEL_KINDS: Final = ("vxlan", "geneve", "wireguard", "ppp", "wwan")  # as DEVTYPE in uevent
_FRAMED_TYPES: Final = ("1", "32")  # Ethernet and Wi-Fi, InfiniBand: the rest is point-to-point
_IFF_POINTOPOINT: Final = 0x10
_RTF_GATEWAY: Final = 0x2


def find_kinds(names: dict[str, int]) -> dict[str, AdapterKind]:
    """Return the kinds of adapters, given by name with the system's index.

    Where /sys has no adapter of this name and index, as in a network namespace, the name decides.
    """
    known = {name: SYS / name for name, index in names.items() if _read(name, "ifindex") == index}
    has_hardware = any(map(_is_hardware, known.values()))
    return {
        name: _kind(known[name], has_hardware=has_hardware) if name in known else _kind_named(name)
        for name in names
    }


def _kind_named(name: str) -> AdapterKind:
    if _VIRTUAL_NAME.match(name):
        return AdapterKind.VIRTUAL
    return AdapterKind.TUNNEL if _TUNNEL_NAME.match(name) else AdapterKind.CABLE


def _kind(adapter: Path, *, has_hardware: bool) -> AdapterKind:
    if _is_tunnel(adapter):
        return AdapterKind.TUNNEL
    if not (_is_hardware(adapter) if has_hardware else _is_namespace_cable(adapter)):
        is_tunnel = not has_hardware and _kind_named(adapter.name) is AdapterKind.TUNNEL
        return AdapterKind.TUNNEL if is_tunnel else AdapterKind.VIRTUAL
    return AdapterKind.CABLE if _read(adapter.name, "carrier") == 1 else AdapterKind.UNPLUGGED


def _is_tunnel(adapter: Path) -> bool:
    about = _read_text(adapter / "uevent")
    is_built_as = any(f"DEVTYPE={kind}\n" in about for kind in _TUNNEL_KINDS)
    is_framed = _read_text(adapter / "type").strip() in _FRAMED_TYPES
    is_line = (_read(adapter.name, "flags") or 0) & _IFF_POINTOPOINT
    return is_built_as or not is_framed or bool(is_line) or (adapter / "tun_flags").exists()


def _is_hardware(adapter: Path) -> bool:
    """Return True for hardware, and for adapters built on it."""
    return (adapter / "device").exists() or any(map(_is_hardware, _below(adapter)))


def _is_namespace_cable(adapter: Path) -> bool:
    """Return True for a virtual adapter that looks like a cable inside a network namespace.

    The same holds for adapters built on one.
    """
    if _kind_named(adapter.name) is not AdapterKind.CABLE or _is_tunnel(adapter):
        return False
    below = _below(adapter)
    return any(map(_is_namespace_cable, below)) or not (below or (adapter / "bridge").exists())


def _below(adapter: Path) -> list[Path]:
    """Return the adapters that a bond, VLAN, macvlan or bridge is built on."""
    return [SYS / path.name.removeprefix("lower_") for path in adapter.glob("lower_*")]


def _read(name: str, what: str) -> int | None:
    """Read a number of an adapter, `None` if it has none now."""
    with suppress(ValueError):  # an adapter that is down has no carrier, and another may be gone
        return int(_read_text(SYS / name / what), 0)
    return None


def _read_text(path: Path) -> str:
    with suppress(OSError, ValueError):
        return path.read_text(encoding="utf-8")
    return ""


def adapters_with_gateway() -> list[str] | None:
    """Return the names of adapters with a gateway, those of the default routes first.

    If a VPN has taken the default route, its own server is still reached through the gateway of the
    adapter below, so other routes count, too. `None` on systems that do not say.
    """
    four, six = (_read_text(path).splitlines() for path in ROUTES)
    if not (four or six):
        return None
    routes = list[tuple[bool, int, str]]()
    for name, to, _via, flags, _, _, metric, mask, *_rest in map(str.split, four[1:]):
        if int(flags, 16) & _RTF_GATEWAY:
            routes.append((int(to, 16) | int(mask, 16) != 0, int(metric), name))
    for to, _length, *_from, metric, _, _, flags, name in map(str.split, six):
        if int(flags, 16) & _RTF_GATEWAY:
            routes.append((int(to, 16) != 0, int(metric, 16), name))
    return [name for _is_other, _metric, name in sorted(routes)]


_ANYWHERE: Final = ("192.0.2.1", 9), ("2001:db8::1", 9)  # for documentation: nobody's


def routed_hosts() -> Iterable[str]:
    """Yield our addresses that the system would use to reach other networks. Sends nothing."""
    for family, to in zip((socket.AF_INET, socket.AF_INET6), _ANYWHERE, strict=True):
        # A machine may lack this family, or a route for it.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(to)
            yield str(probe.getsockname()[0])
