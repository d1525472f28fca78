"""The ways into a table, as each person there can pass them on, for screens and for lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from net.client.session import Status
from net.discovery.networks import LOOPBACK_HOSTS
from net.protocol.doors import DoorKind
from sabtui.text.door_words import (
    door_name,
    host_of,
    in_browser,
    in_terminal,
    key_named,
    likely_hosts,
    qr_rows,
)
from sabtui.text.i18n import _, put_title
from sabtui.text.network import (
    anybody_joins,
    join_network_first,
    room_code,
    ssh_guest_line,
    web_address,
)

WORDS: Final = "invite join ssh address browser link qr"
"""Further words that people type in lines to see how friends can join."""


@dataclass(frozen=True, slots=True)
class WaysIn:
    """The ways into a table: what friends type, scan or are told."""

    code: str  # the room code, or a sentence that none is needed, or who knows it
    is_code: bool = False
    ssh: tuple[str, ...] = ()  # lines for a terminal, the likeliest first; none if it is closed
    links: tuple[str, ...] = ()  # the browser door's addresses, likewise
    scanned: str = ""  # the link with the code in it, for a QR code
    addresses: tuple[str, ...] = ()
    fingerprint: str = ""  # of the SSH door's key, about which ssh asks the first time
    advice: str = ""  # why friends may be unable to join

    def qr_rows(self) -> list[str]:
        """Return the QR code of the link, [] without a browser door or the library for it."""
        return qr_rows(self.scanned) if self.scanned else []

    def lines(self) -> list[str]:
        rows = [(room_code(), self.code.upper() if self.is_code else self.code)]
        rows += [(title, line) for title, lines in self.doors() for line in lines]
        rows += [(_("With Sabtui"), ", ".join(("sabtui join", *self.addresses)))]
        rows += [(key_named(), self.fingerprint)] if self.fingerprint else []
        return [*(put_title(title, line) for title, line in rows), *filter(None, [self.advice])]

    def doors(self, closed: str = "") -> list[tuple[str, Sequence[str]]]:
        """Return what each door is for, and the way to it; `closed` says how to open it."""
        doors = [
            (in_terminal(), self.ssh, DoorKind.SSH),
            (in_browser(), self.links, DoorKind.WEB),
        ]
        rows: list[tuple[str, Sequence[str]]] = []
        for title, lines, kind in doors:
            if lines or closed:
                rows.append((title, lines or [closed.format(door=door_name(kind).lower())]))
        return rows


def find_ways(status: Status) -> WaysIn | None:
    """Return the ways into a table, `None` in practice and in a club."""
    lobby = status.lobby
    if lobby is None or not lobby.name or status.in_club or lobby.is_hall:
        return None
    addresses = tuple(map(str, status.outside))
    is_alone = bool(addresses) and all(host_of(each) in LOOPBACK_HOSTS for each in addresses)
    code = "" if lobby.settings.is_open else status.code
    unknown = (
        anybody_joins() if lobby.settings.is_open else _("ask a player: watchers do not know it")
    )
    known = WaysIn(code or unknown, bool(code))
    if is_alone and status.is_host:
        return replace(known, advice=join_network_first())
    addresses = () if is_alone else addresses
    ports = {door.kind: door.port for door in status.doors}
    keys = [door.fingerprint for door in status.doors if door.port and door.fingerprint]
    if not addresses:
        return known
    hosts, ssh, web = likely_hosts(addresses), ports.get(DoorKind.SSH), ports.get(DoorKind.WEB)
    return replace(
        known,
        ssh=tuple(ssh_guest_line(ssh, host) for host in hosts) if ssh else (),
        links=tuple(web_address(web, host) for host in hosts) if web else (),
        scanned=web_address(web, hosts[0], code) if web else "",
        addresses=addresses,
        fingerprint=keys[0] if keys else "",
    )
