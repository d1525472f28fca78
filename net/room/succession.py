"""The succession at a table whose host is gone: the rules, which everybody can apply alike.

A table at three computers or more goes on without its host. The first who has a seat at each of
them is an *elector*; at the host's computer that is the host, as guests at its doors would be gone
together with it. More than half of the electors have to agree on a new host, so that there are
never two, and so that nothing is lost that more than half have seen: any two majorities have
somebody in common. Each election has a *term*, a number higher than all before it (as in Raft); a
program gives one vote a term, follows no table of a lower term than it has voted in, and votes for
nobody who has seen less than itself.

For the same reason a host who hears from no more than half of the electors makes no move: the
others may be going on without it.

People come and go, and a program that was cut off knows other electors than the rest. Yet no term
elects two hosts. Their lists are numbered, by term and changes. (1) A list and the next differ by
one elector, so majorities of both have somebody in common. (2) The host makes the next list only
once more than half of a list have acknowledged it (`net.room.electors`). (3) Nobody votes for a
candidate with an older list than their own, and who has voted acknowledges nothing of an older
host. Let lists A and B elect in one term, A the older. If they are the same or B is the next after
A, somebody voted twice. Else more than half of A's next list had acknowledged it, somebody who
voted by list A among them (1). If that was before the vote, they refused it, and after it they
acknowledged nothing (3). A new host begins a new list, of the same electors (2).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from net.protocol.lobby import THE_HOSTS_COMPUTER, THE_TABLE, Lobby, Presence, Stage

MIN_OTHERS: Final = 2
"""Least number of electors beside the host: with one, there is no majority without the host."""

ALARM_AFTER_S: Final = 5.0
"""Seconds of silence after which a host counts as gone, and another is elected."""

WARN_AFTER_S: Final = 3.0
"""Seconds of silence after which players are warned: one heartbeat was lost."""

NIGHT_PATIENCE_S: Final = 60.0
"""Seconds more for a club's night: its program may be run again by hand, and has the standings."""


_TERM_BITS: Final = 16  # bits of an incarnation below the term that it begins with


def incarnation_in(term: int, opened: int) -> int:
    """Return the incarnation of a table that its host of this term has `opened` that many times."""
    return (term << _TERM_BITS) + opened


def term_of(incarnation: int) -> int:
    """Return the term that an incarnation belongs to."""
    return incarnation >> _TERM_BITS


def find_entitled(lobby: Lobby) -> tuple[int, ...]:
    """Return the members who are to be electors, by seat: one at each computer with players.

    At the host's it is the host, at others whoever came first.
    """
    first = {THE_HOSTS_COMPUTER: lobby.host}
    seats = lobby.seats
    for person in lobby.people:
        if person.member in seats:
            first.setdefault(person.computer, person.member)
    entitled = {*first.values()}
    return tuple(member for member in seats if member in entitled)


def electors(lobby: Lobby) -> tuple[int, ...]:
    """Return the members who elect a new host, by seat: those entitled, but for late changes."""
    seats = lobby.seats
    return tuple(sorted(lobby.electors, key=lambda one: seats.get(one, len(lobby.chairs))))


def successors(lobby: Lobby) -> tuple[int, ...]:
    """Return the members who may become the host, by seat: they hold the shares of its key."""
    return tuple(member for member in find_entitled(lobby) if member != lobby.host)


def has_successors(lobby: Lobby) -> bool:
    """Return True if the table can go on without its host."""
    return len(successors(lobby)) >= MIN_OTHERS


def is_majority(some: Collection[int], all_of_them: Collection[int]) -> bool:
    """Return True if some of these electors are more than half of them."""
    return 2 * len(set(some) & set(all_of_them)) > len(all_of_them)


def patience_for(lobby: Lobby) -> float:
    """Return the seconds that a table waits for a silent host beyond the usual ones.

    Nobody is the host of a night's table, whose game begins all the same.
    """
    is_nights = lobby.host == THE_TABLE and lobby.stage is Stage.PLAYING
    return NIGHT_PATIENCE_S if is_nights else 0.0


def is_outnumbered(lobby: Lobby) -> bool:
    """Return True if the host hears from so few electors that the others may have gone on.

    The host's own program is told so too, as it has a seat like all others.
    """
    # Whoever has no seat any more was sent away, or has left: the players decided to go on.
    still = set(find_entitled(lobby)) & set(lobby.electors)
    there = [one.member for _, one in lobby.sitting if one.presence is Presence.THERE]
    return has_successors(lobby) and bool(still) and not is_majority(there, still)
