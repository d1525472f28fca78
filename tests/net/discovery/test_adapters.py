"""The order of a computer's addresses for friends, by the kind of adapter that has each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import ifaddr
import pytest

from net.discovery import adapters, networks
from net.discovery.networks import FAR, Network, find_distance, own_addresses, own_networks

OWN_NETWORKS = own_networks  # before a fixture hides them

ETHERNET, NO_FRAMES, PPP = 1, 65534, 512
UP, POINT_TO_POINT = 0x1003, 0x1091


@dataclass
class Computer:
    """A computer with the adapters that a test gives it, as Linux shows them in /sys and /proc."""

    root: Path
    adapters: list[ifaddr.Adapter]

    def add(  # noqa: PLR0913 - each is something else that an adapter has
        self,
        name: str,
        *addresses: str,
        parts: str = "",
        type_: int = ETHERNET,
        flags: int = UP,
        kind: str = "",
        link: int = 1,
        on: str = "",
    ) -> None:
        """Add an adapter: its addresses with a prefix, its entries, what it is built on."""
        folder, index = self.root / name, len(self.adapters) + 1
        folder.mkdir(parents=True)
        for part in parts.split():
            (folder / part).mkdir()
        for lower in on.split():
            (folder / f"lower_{lower}").mkdir()
        (folder / "uevent").write_text(f"DEVTYPE={kind}\nINTERFACE={name}\n" if kind else "\n")
        facts = {"ifindex": index, "type": type_, "flags": hex(flags), "carrier": link}
        for fact, value in facts.items():
            (folder / fact).write_text(f"{value}\n")
        self.adapters.append(adapter(name, index, *addresses))

    def route(self, *lines: str) -> None:
        """Set the routes, of `default` and `to_server`."""
        (self.root / "route").write_text("\n".join(["Iface Destination Gateway", *lines]))


def adapter(name: str, index: int, *addresses: str) -> ifaddr.Adapter:
    ips = list[ifaddr.IP]()
    for address in addresses:
        host, _, prefix = address.partition("/")
        ips.append(ifaddr.IP((host, 0, 0) if ":" in host else host, int(prefix), name))
    return ifaddr.Adapter(name, name, ips, index=index)


def default(name: str, *, metric: int = 0, has_gateway: bool = True) -> str:
    gateway, flags = ("0101A8C0", "0003") if has_gateway else ("00000000", "0001")
    return f"{name} 00000000 {gateway} {flags} 0 0 {metric} 00000000 0 0 0"


def to_server(name: str) -> str:
    return f"{name} 01020304 0101A8C0 0007 0 0 0 FFFFFFFF 0 0 0"


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    own = [adapter("lo", 0, "127.0.0.1/8", "::1/128")]
    monkeypatch.setattr(networks, "own_networks", OWN_NETWORKS)
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: own)
    monkeypatch.setattr(adapters, "SYS", tmp_path / "net")
    monkeypatch.setattr(adapters, "ROUTES", (tmp_path / "net/route", tmp_path / "net/ipv6_route"))
    made = Computer(tmp_path / "net", own)
    made.root.mkdir()
    made.route()
    return made


def add_docker(computer: Computer) -> None:
    computer.add("docker0", "172.17.0.1/16", parts="bridge", kind="bridge", link=0)


def test_hardware_with_a_gateway_comes_before_a_vpn_that_has_the_default_route(
    computer: Computer,
) -> None:
    add_docker(computer)
    computer.add("br-0a1b2c3d4e5f", "10.5.0.1/16", parts="bridge", kind="bridge", on="veth12ab")
    computer.add("veth12ab", "169.254.7.7/16")
    computer.add("virbr0", "10.1.0.1/24", parts="bridge", kind="bridge")
    computer.add("eth0", "10.0.0.5/24", parts="device")
    computer.add("wlan0", "192.168.1.20/24", "2001:db8::5/64", "fe80::5/64", parts="device")
    computer.add("tun0", "10.8.0.2/24", parts="tun_flags", type_=NO_FRAMES, flags=POINT_TO_POINT)
    computer.add("wg0", "10.7.0.2/32", kind="wireguard", type_=NO_FRAMES)
    computer.add("tailscale0", "100.100.1.2/32", parts="tun_flags", type_=NO_FRAMES)
    computer.route(default("tun0", has_gateway=False), default("wlan0", metric=600))
    assert own_addresses() == [
        *("192.168.1.20", "2001:db8::5", "10.0.0.5"),
        *("10.8.0.2", "10.7.0.2", "100.100.1.2"),
    ]
    computer.route(default("tun0"), to_server("wlan0"))
    assert own_addresses()[0] == "192.168.1.20", "by which the VPN itself goes"
    computer.route()
    assert own_addresses()[:2] == ["10.0.0.5", "192.168.1.20"], "an evening without internet"


@pytest.mark.parametrize(
    ("name", "kind", "parts"),
    [
        ("bond0", "bond", "bonding"),
        ("eth0.5", "vlan", ""),
        ("br0", "bridge", "bridge"),
        ("macvlan0", "", ""),
        ("team0", "", ""),
    ],
)
def test_what_is_built_on_hardware_is_hardware(
    name: str, kind: str, parts: str, computer: Computer
) -> None:
    add_docker(computer)
    computer.add("eth0", parts="device")
    computer.add("flannel.1", "10.42.0.0/32", kind="vxlan", on="eth0")
    computer.add(name, "192.168.1.20/24", kind=kind, parts=parts, on="eth0")
    assert own_addresses() == ["192.168.1.20", "10.42.0.0"]


def test_tethering_by_usb_and_an_own_hotspot_are_hardware_and_a_modem_is_a_tunnel(
    computer: Computer,
) -> None:
    computer.add("wwan0", "100.64.3.4/30", parts="device", type_=NO_FRAMES, flags=POINT_TO_POINT)
    computer.add("ppp0", "10.64.64.64/32", type_=PPP, flags=POINT_TO_POINT)
    computer.add("wlan0", "10.42.0.1/24", parts="device phy80211")
    computer.add("usb0", "192.168.42.129/24", parts="device")
    computer.route(default("wwan0"), default("usb0", metric=100))
    assert own_addresses() == ["192.168.42.129", "10.42.0.1", "100.64.3.4", "10.64.64.64"]


def test_an_unplugged_card_and_bridges_count_where_nothing_else_does(computer: Computer) -> None:
    computer.add("virbr0", "192.168.122.1/24", parts="bridge", kind="bridge")
    computer.add("eth0", "192.168.1.20/24", parts="device", link=0)
    assert own_addresses() == ["192.168.1.20", "192.168.122.1"]
    computer.add("wg0", "10.7.0.2/32", kind="wireguard", type_=NO_FRAMES)
    assert own_addresses() == ["10.7.0.2"]


def test_link_local_addresses_are_for_a_cable_between_two_laptops(computer: Computer) -> None:
    add_docker(computer)
    computer.add("eth0", "169.254.3.4/16", "fe80::9/64", parts="device")
    assert own_addresses() == ["169.254.3.4", "fe80::9"]
    computer.add("wlan0", "fd77::1/64", "fe80::5/64", parts="device")
    assert own_addresses() == ["fd77::1"]


def test_an_address_of_464xlat_is_shown_where_there_is_no_other(computer: Computer) -> None:
    computer.add("wlan0", "192.0.0.2/24", parts="device")
    assert own_addresses() == ["192.0.0.2"]
    computer.add("usb0", "192.0.0.2/24", "2001:db8::5/128", parts="device")
    assert own_addresses() == ["2001:db8::5"], "each friend on that hotspot has the other, too"


def test_in_a_container_the_end_of_a_cable_stands_in_for_hardware(computer: Computer) -> None:
    add_docker(computer)
    computer.add("vmnet8", "10.1.0.1/24")
    computer.add("tun0", "10.8.0.2/24", parts="tun_flags", type_=NO_FRAMES)
    computer.add("eth0", "192.168.1.20/24")
    computer.add("br-0a1b2c", "10.5.0.1/16", parts="bridge", kind="bridge", on="eth0")
    computer.route(default("tun0", has_gateway=False))
    assert own_addresses() == ["192.168.1.20", "10.8.0.2"]
    computer.add("wlan0", "192.168.7.7/24", parts="device")
    assert own_addresses() == ["192.168.7.7", "10.8.0.2"], "beside hardware it is a container's"


@pytest.mark.parametrize(
    ("likely", "tunnel", "virtual"),
    [
        ("en0", "utun4", "bridge100"),
        ("Intel(R) Wi-Fi 6 AX201", "WireGuard Tunnel", "Hyper-V Virtual Ethernet Adapter"),
        ("Realtek PCIe GbE", "Tailscale Tunnel", "VMware Virtual Ethernet Adapter for VMnet8"),
        (
            "Microsoft Wi-Fi Direct Virtual Adapter",
            "TAP-Windows Adapter V9",
            "VirtualBox Host-Only",
        ),
        ("wlp2s0", "ppp0", "virbr0"),
    ],
)
def test_where_the_system_says_no_more_the_name_decides(
    likely: str,
    tunnel: str,
    virtual: str,
    computer: Computer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    computer.adapters += [
        adapter(virtual, 7, "10.1.0.1/24"),
        adapter(tunnel, 8, "10.2.0.1/24"),
        adapter(likely, 9, "192.168.1.20/24"),
    ]
    assert [network.host for network in own_networks()][:3] == [
        *("192.168.1.20", "10.2.0.1", "10.1.0.1")
    ]
    (computer.root / "route").unlink()
    monkeypatch.setattr(networks, "routed_hosts", lambda: ["10.1.0.1"])
    assert own_addresses()[0] == "10.1.0.1", "a switch that shares the adapter"


def test_what_the_system_would_send_from_is_an_own_address() -> None:
    own = {network.host for network in OWN_NETWORKS()}
    assert set(adapters.routed_hosts()) <= own


def test_an_address_is_as_near_as_the_place_of_its_network_among_ours() -> None:
    ours = [Network("192.168.1.20", 24), Network("10.8.0.2", 24)]
    hosts = ("192.168.1.9", "10.8.0.1", "fe80::1%3", "8.8.8.8")
    assert [find_distance(host, ours) for host in hosts] == [0, 1, FAR - 1, FAR]
