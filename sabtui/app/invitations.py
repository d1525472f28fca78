"""Invitations to a table: what its host passes on to friends, wherever the table is now."""

from __future__ import annotations

from dataclasses import dataclass

from net.client.session import Status
from net.discovery.address import Address
from sabtui.app.preferences import login_name
from sabtui.text.connection import code_sentence
from sabtui.text.i18n import _


@dataclass(frozen=True, slots=True)
class Invitation:
    """Text parts with which a host invites players to the table of this `title`.

    `code` is empty if the table is open.

    `addresses` are those that can be typed, the likeliest first. `ssh` is a command line for a
    friend far away, "" if there is none.
    """

    title: str
    code: str
    addresses: tuple[str, ...] = ()
    ssh: str = ""


def invitation_to(title: str, code: str, hosts: tuple[str, ...], port: int) -> Invitation:
    """Return the invitation to a table that is open on this computer, with or without a code."""
    addresses = reachable(hosts, port)
    line = ssh_line(login_name(), addresses[0].host, port) if addresses else ""
    return Invitation(title, code, tuple(map(str, addresses)), line)


def current_invitation(status: Status, given: Invitation | None) -> Invitation | None:
    """Return the invitation that a player can pass on now; `given` is that of their own table.

    It is good as long as they are its host. Who has become the host of a table that has gone on
    here invites others to this computer.
    """
    lobby, here = status.lobby, status.opened_here
    if lobby is None or not lobby.term:
        return given
    if not status.is_host:
        return None
    if here is None:
        return given
    return invitation_to(lobby.name, here.code, here.hosts, here.port)


def reachable(hosts: tuple[str, ...], port: int) -> list[Address]:
    """Return the addresses that others can type: without link-local IPv6, unless all are."""
    kept = [at for at in hosts if not at.startswith("fe80:")] or hosts
    return [Address(at, port) for at in kept]


def ssh_line(user: str, host: str, port: int) -> str:
    """Return the command line for a friend far away who may log in here.

    It does not contain the room code, which `sabtui join` asks for: other users of the computer can
    see command lines.
    """
    return f"ssh -C -t {user}@{host} sabtui join localhost:{port}"


def invitation_lines(invitation: Invitation) -> list[str]:
    """Return the lines that tell other players how to join."""
    lines = [_("{table} is open.").format(table=invitation.title)]
    if invitation.code:
        lines.append(code_sentence(invitation.code))
    else:
        lines.append(_("It needs no code: anybody on the network may join."))
    near = "sabtui join" + (f" --code {invitation.code}" if invitation.code else "")
    lines.append(_("On this network: {command}").format(command=near))
    by_address = _("By address: sabtui join {address}")
    return lines + [by_address.format(address=address) for address in invitation.addresses]
