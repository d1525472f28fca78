"""The computers at which people play: whoever has two seats at one has one vote and one share.

The shell says from where a connection comes. Two are of one computer if their addresses are the
same, or if their programs have told the same *mark*, a hash that is each account's own: so one that
is reached by IPv4 and by IPv6 is one computer. Whoever connects from the host's own address plays
at the host's computer: its own screens, guests at its doors, tunnels that end there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from net.protocol.lobby import THE_HOSTS_COMPUTER, Lobby


@dataclass(frozen=True, slots=True)
class Origin:
    """The place that a connection comes from: an IP address, empty if it is not known.

    It `is_here` if that is the host's own. `account` is the mark that the program has told.
    """

    address: str = ""
    is_here: bool = False
    account: bytes = b""

    def is_same(self, other: Origin) -> bool:
        """Return True if both are at one computer."""
        if self.account and self.account == other.account:
            return True
        return bool(self.address) and (self.address, self.is_here) == (other.address, other.is_here)


UNKNOWN: Final = Origin()


def computer_of(
    origin: Origin, lobby: Lobby, known: Mapping[int, Origin], member: int | None = None
) -> int:
    """Return the number of the computer that a newcomer, or this member, plays at.

    `known` are the origins of the members. A member keeps the number that they have, unless it
    proves to be that of another computer.
    """
    if origin.is_here:
        return THE_HOSTS_COMPUTER
    others = [person for person in lobby.people if person.member != member]
    same = [one.computer for one in others if origin.is_same(known.get(one.member, UNKNOWN))]
    if same:
        return min(same)
    person = None if member is None else lobby.person(member)
    if person is not None and person.computer != THE_HOSTS_COMPUTER:
        return person.computer
    used = {THE_HOSTS_COMPUTER, *(one.computer for one in lobby.people)}
    return min(set(range(len(used) + 1)) - used)
