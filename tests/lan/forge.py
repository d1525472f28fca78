"""mDNS records that a guest forges.

Each claims an id of a table, a name that would steer a terminal, and addresses that nobody of this
network has.
"""

from __future__ import annotations

import ipaddress
import struct

from net.discovery import advert

SERVICE = advert.SERVICE
GROUP = ("224.0.0.251", 5353)
FOR_EVER = 0x7FFF_FFFF
A, PTR, TXT, SRV = 1, 12, 16, 33
FLUSH = 0x8001

PUBLIC = "203.0.113.{}"
ODD = ("10.77.0.255", "0.0.0.0", "224.0.0.9", "255.255.255.255", "127.0.0.1", "10.77.0.77")  # noqa: S104 - forged
NAMES = ("\x1b[31m red", "\u202eevil", "a.b.c", "\u6f22" * 20, "[bold]x[/]", "", "\x00\x07\xff")


def spell_name(name: str) -> bytes:
    """Spell a name of labels."""
    labels = [label.encode()[:63] for label in name.rstrip(".").split(".")]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def instance(label: str) -> bytes:
    """Spell the name of a table, whose label may have dots."""
    text = label.encode()[:63]
    return bytes([len(text)]) + text + spell_name(SERVICE)


def record(name: bytes, kind: int, data: bytes, cls: int = FLUSH) -> bytes:
    """Spell a record that is to be kept for ever."""
    return name + struct.pack(">HHIH", kind, cls, FOR_EVER, len(data)) + data


def packet(*records: bytes) -> bytes:
    """An answer that nobody asked for."""
    return struct.pack(">HHHHHH", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


def forge_packet(number: int, guest: int) -> bytes:
    """The packet that tells of a table."""
    table = f"{guest:08x}{number:08x}"
    name = instance(f"{NAMES[number % len(NAMES)]} {number}")
    server = spell_name(f"forged-{table}.local.")
    facts = (b"txtvers=1", b"pv=1", f"id={table}".encode(), b"st=\xff", b"pl=999", b"mx")
    txt = b"".join(bytes([len(fact)]) + fact for fact in facts)
    hosts = (PUBLIC.format(number % 250 + 1), ODD[number % len(ODD)])
    return packet(
        record(spell_name(SERVICE), PTR, name, 1),
        record(name, SRV, struct.pack(">HHH", 0, 0, 2000 + number % 60000) + server),
        record(name, TXT, txt),
        *(record(server, A, ipaddress.IPv4Address(host).packed) for host in hosts),
        record(spell_name(SERVICE), PTR, spell_name(f"stray-{number}.elsewhere."), 1),
    )
