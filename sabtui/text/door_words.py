"""Doors of a table in sentences: how guests join, with a QR code of the link."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, assert_never

from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.secure.address import SSH_PORTS, WEB_PORTS
from sabtui.text.i18n import _, lazy, put_title
from sabtui.text.network import ssh_guest_line, web_address

wrong_code: Final = lazy("That is not this table's code: check the two words with the host.")
table_full: Final = lazy("The table is full, even for watchers. Try again later.")
door_full: Final = lazy("This door is full. Join in another way, or try again later.")
log_in_again: Final = lazy("The host no longer knows your seat: join again with the code.")
in_terminal: Final = lazy("In any terminal")
in_browser: Final = lazy("In a browser or on a phone")
key_named: Final = lazy("SSH key fingerprint")
no_doors_here: Final = lazy("Windows has no terminals for guests: doors need Linux or macOS.")

QUIET_MODULES: Final = 2  # light modules around a QR code, enough for phones if on a screen

HALVES: Final = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""Two modules, one above the other, as one character."""


def qr_rows(text: str) -> list[str]:
    """Return a QR code in half blocks, for dark on light; [] without the library for it."""
    try:
        import segno  # noqa: PLC0415 - an extra
    except ImportError:
        return []
    code = segno.make(text, error="l", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=QUIET_MODULES)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [
        "".join(HALVES[bool(above), bool(below)] for above, below in zip(*pair, strict=True))
        for pair in pairs
    ]


PLAY_COMMAND: Final = "make play"
INSTALL_COMMAND: Final = "pipx install --force '.[ssh,web]'"
"""Commands in a clone that bring along what doors need. The second one replaces an installation,
and names both doors, so that neither loses what it needs."""


def host_of(address: str) -> str:
    """Return the host of an address with its port, such as `[fe80::1]:7341`."""
    return address.rpartition(":")[0].strip("[]")


def likely_hosts(addresses: Sequence[str]) -> list[str]:
    """Return the hosts of the first address and of the other IPv4 ones: one per network card."""
    others = [address for address in addresses[1:] if not address.startswith("[")]
    return [host_of(address) for address in (*addresses[:1], *others)]


def door_lines(
    doors: Sequence[DoorNow], addresses: Sequence[str], *, is_short: bool = False
) -> list[tuple[str, str]]:
    """Return the invitations to the open doors: titles, and lines.

    `addresses` are those of the table, the likeliest first. If `is_short`, as in the lobby, only
    the first is used, and no fingerprint is shown.
    """
    hosts = likely_hosts(addresses[:1] if is_short else addresses)
    rows: list[tuple[str, str]] = []
    for door in doors:
        if door.kind is DoorKind.SSH and door.port:
            rows += [(in_terminal(), ssh_guest_line(door.port, host)) for host in hosts]
            if not is_short:
                rows.append((key_named(), door.fingerprint))
        if door.kind is DoorKind.WEB and door.port:
            rows += [(in_browser(), web_address(door.port, host)) for host in hosts]
    return rows


def door_news(door: DoorNow, addresses: Sequence[str]) -> list[str]:
    """Return the news of a door for the host: lines to pass on if it is open, and its trouble."""
    lines = [put_title(title, line) for title, line in door_lines([door], addresses)]
    if door.port and not door.trouble:
        return lines
    return [*lines, door_sentence(door, *likely_hosts(addresses[:1]))]


def door_sentence(door: DoorNow, host: str = "localhost") -> str:
    """Tell the host about a closed door, or about a door's trouble."""
    name = door_name(door.kind)
    match door.trouble:
        case DoorTrouble.NONE:
            return _("{door}: closed. Guests who are already in may stay.").format(door=name)
        case DoorTrouble.MISSING:
            return extra_missing(door.kind)
        case DoorTrouble.NO_PORT:
            text = _("{door}: closed, because ports {first} to {last} are all in use.")
            ports = {DoorKind.SSH: SSH_PORTS, DoorKind.WEB: WEB_PORTS}[door.kind]
            return text.format(door=name, first=ports[0], last=ports[-1])
        case DoorTrouble.NEW_KEY:
            text = _(
                "{door}: the key was damaged and has been replaced. If ssh complains, run {line} "
                "first."
            )
            return text.format(door=name, line=f"ssh-keygen -R '[{host}]:{door.port}'")
        case DoorTrouble.ENDED:
            return _("{door}: closed unexpectedly. Open it again.").format(door=name)
        case _:
            assert_never(door.trouble)


def door_reopens(kind: DoorKind) -> str:
    """Report that a club's door has ended; the club reopens it automatically."""
    text = _("{door}: closed unexpectedly; reopening in 30 seconds.")
    return text.format(door=door_name(kind))


def door_name(kind: DoorKind) -> str:
    return {DoorKind.SSH: _("SSH door"), DoorKind.WEB: _("Browser door")}[kind]


def door_purpose(kind: DoorKind) -> str:
    """Describe the use of an open door, for help texts."""
    ssh, web = _("friends join with nothing but ssh"), _("friends join with a phone or any browser")
    facts = ssh if kind is DoorKind.SSH else web
    return put_title(door_name(kind), facts)


def closed_purpose() -> str:
    return _("Friends cannot join this way. You can also open this door in the lobby.")


def extra_missing(kind: DoorKind) -> str:
    """Explain how to install the packages that a door needs."""
    text = _(
        "{door}: needs {packages}. In the folder that you cloned, start with {play}, or run "
        "{install}."
    )
    packages = {DoorKind.SSH: "asyncssh", DoorKind.WEB: "websockets, segno"}[kind]
    return text.format(
        door=door_name(kind), packages=packages, play=PLAY_COMMAND, install=INSTALL_COMMAND
    )


class SshMistake(Enum):
    """A guest's request at the SSH door for anything but a game."""

    NO_TERMINAL = auto()
    NO_GAME = auto()  # a command, files, or only forwarding


def ssh_mistake_sentence(mistake: SshMistake, port: int, host: str, name: str) -> str:
    """Tell an ssh guest who cannot play that way which line to type."""
    text = {
        SshMistake.NO_TERMINAL: _("Sabtui needs a terminal: {line}"),
        SshMistake.NO_GAME: _("This door has only the game. Type just this: {line}"),
    }[mistake]
    return text.format(line=f"ssh -t -p {port} {shlex.quote(name)}@{host}")
