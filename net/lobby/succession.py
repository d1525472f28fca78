"""The succession at a table whose host is gone: the rules, which everybody can apply alike.

With three people or more a table goes on without its host. The people who have seats are its
*electors*, the host included. More than half of them have to agree on a new host, so that there are
never two, and so that nothing is lost that more than half have seen: any two majorities have
somebody in common. Each election has a *term*, a number higher than all before it (as in Raft); a
program gives one vote a term, follows no table of a lower term than it has voted in, and votes for
nobody who has seen less than itself.

For the same reason a host who hears from no more than half of the electors makes no move: the
others may be going on without it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from net.lobby.model import Lobby, Presence

MIN_OTHERS: Final = 2
"""Least number of electors beside the host: the shares of two open the log."""

ALARM_AFTER_S: Final = 5.0
"""Seconds of silence after which a host counts as gone, and another is elected."""

WARN_AFTER_S: Final = 3.0
"""Seconds of silence after which players are warned: one heartbeat was lost."""


_TERM_BITS: Final = 16
"""Bits of an incarnation below the term that it begins with."""


def incarnation_in(term: int, opened: int) -> int:
    """Return the incarnation of a table that its host of this term has `opened` that many times."""
    return (term << _TERM_BITS) + opened


def term_of(incarnation: int) -> int:
    """Return the term that an incarnation belongs to."""
    return incarnation >> _TERM_BITS


def electors(lobby: Lobby) -> tuple[int, ...]:
    """Return the members who have seats, by seat: they elect a new host."""
    return tuple(lobby.seats())


def has_successors(lobby: Lobby) -> bool:
    """Return True if the table can go on without its host."""
    return len(lobby.drawers) >= MIN_OTHERS


def is_majority(some: Collection[int], all_of_them: Collection[int]) -> bool:
    """Return True if some of these electors are more than half of them."""
    return 2 * len(set(some) & set(all_of_them)) > len(all_of_them)


def is_outnumbered(lobby: Lobby) -> bool:
    """Return True if the host hears from so few electors that the others may have gone on.

    The host's own program is told so too, as it has a seat like all others.
    """
    there = [one.member for _, one in lobby.sitting() if one.presence is Presence.THERE]
    return has_successors(lobby) and not is_majority(there, electors(lobby))


def successors(lobby: Lobby) -> tuple[int, ...]:
    """Return the members who may become the host, in the order in which they do: by seat."""
    return tuple(person.member for person in lobby.drawers)
