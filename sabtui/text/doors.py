"""Doors beside a table in sentences: how guests come in, and what keeps a door closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from net.protocol.messages import DoorNow, DoorTrouble
from net.protocol.requests import DoorKind
from sabtui.text.i18n import _
from sabtui.text.network import ssh_guest_line, web_address

PLAY_COMMAND: Final = "make play"
INSTALL_COMMAND: Final = "pipx install --force '.[ssh,web]'"
"""Commands in a clone that bring along what doors need. The second one replaces an installation,
and names both doors, so that neither loses what it needs."""


def host_of(address: str) -> str:
    """Return the host of an address with its port, such as `[fe80::1]:7341`."""
    return address.rpartition(":")[0].strip("[]")


def door_lines(
    doors: Sequence[DoorNow], addresses: Sequence[str], *, is_short: bool = False
) -> list[tuple[str, str]]:
    """Return what to pass on to guests of the open doors: sentences with a field {line}, and lines.

    `addresses` are those of the table, the likeliest first. What `is_short`, in the lobby, names
    the key for the QR code, and has no fingerprint.
    """
    host = host_of(addresses[0]) if addresses else _("ADDRESS")
    told: list[tuple[str, str]] = []
    for door in doors:
        if door.kind is DoorKind.SSH and door.port:
            told.append((_("Friends without Sabtui: {line}"), ssh_guest_line(door.port, host)))
            if not is_short:
                told.append((_("SSH key fingerprint: {line}"), door.fingerprint))
        if door.kind is DoorKind.WEB and door.port:
            text = _("In a browser (p: QR code): {line}") if is_short else _("In a browser: {line}")
            told.append((text, web_address(door.port, host)))
    return told


def door_news(door: DoorNow, addresses: Sequence[str]) -> list[str]:
    """Return the news of a door for the host: lines to pass on if it is open, else a sentence.

    Without the table's `addresses` it is always a sentence.
    """
    open_doors = [door] if addresses else []
    lines = [text.format(line=line) for text, line in door_lines(open_doors, addresses)]
    return lines or [door_sentence(door)]


def door_sentence(door: DoorNow) -> str:
    """Return the sentence that tells the host of a door's state."""
    match door.trouble:
        case DoorTrouble.NONE if door.port:
            text, line = {
                DoorKind.SSH: (
                    _("The SSH door is open: friends need nothing but {line}"),
                    ssh_guest_line(door.port, _("ADDRESS")),
                ),
                DoorKind.WEB: (
                    _("The browser door is open: friends need nothing but a browser, at {line}"),
                    web_address(door.port, _("ADDRESS")),
                ),
            }[door.kind]
            return text.format(line=line)
        case DoorTrouble.NONE:
            return {
                DoorKind.SSH: _("The SSH door is closed; guests who are already in may stay."),
                DoorKind.WEB: _("The browser door is closed; guests who are already in may stay."),
            }[door.kind]
        case DoorTrouble.MISSING:
            return extra_missing(door.kind)
        case DoorTrouble.NO_PORT:
            return {
                DoorKind.SSH: _(
                    "The SSH door stays closed: ports 7351 to 7360 are all in use here. Free "
                    "one, then try again."
                ),
                DoorKind.WEB: _(
                    "The browser door stays closed: ports 7361 to 7370 are all in use here. "
                    "Free one, then try again."
                ),
            }[door.kind]
        case DoorTrouble.ENDED:
            return {
                DoorKind.SSH: _("The SSH door closed unexpectedly: open it again."),
                DoorKind.WEB: _("The browser door closed unexpectedly: open it again."),
            }[door.kind]
        case _:
            assert_never(door.trouble)


def extra_missing(kind: DoorKind) -> str:
    """Return how to install what a door needs."""
    text = {
        DoorKind.SSH: _(
            "The SSH door needs asyncssh: in the folder that you cloned, start with {play}, "
            "or run {install}."
        ),
        DoorKind.WEB: _(
            "The browser door needs websockets and segno: in the folder that you cloned, start "
            "with {play}, or run {install}."
        ),
    }[kind]
    return text.format(play=PLAY_COMMAND, install=INSTALL_COMMAND)


def web_privacy() -> str:
    """Return the line that says who could read along with a browser, for page and lobby."""
    return _(
        "Somebody who only listens on this network learns nothing, not even the code. "
        "Somebody who can change its traffic could spy on players in a browser."
    )


def wrong_code() -> str:
    """Return what a guest is told who typed a wrong code."""
    return _("That is not this table's code.")


def door_full() -> str:
    """Return what a guest is told for whom a door has no screen left."""
    return _("This door has no room for more guests: come back later, or join with Sabtui.")


def log_in_again() -> str:
    """Return what a guest is told whose key is known, but who has no seat any more."""
    return _("The host no longer knows your seat: log in again with the room code.")


def no_doors_here() -> str:
    """Return that this system has no terminals to give to guests."""
    return _("Windows has no terminals for guests: doors need Linux or macOS.")
