"""Three programs that elect a new host: their keys and copies, and what they say to each other."""

from __future__ import annotations

from net.client.log_copy import LogCopy
from net.client.pledge import vote_statement
from net.protocol.election import (
    Ballot,
    Elected,
    Elector,
    Mandate,
    Rally,
    Vote,
    VoteWanted,
)
from net.protocol.lobby import Settings
from net.protocol.lobby_events import HostChanged, Said
from net.protocol.messages import LogPart
from net.room.state import Step, TableCreated, write
from net.secure.keys import SeatKey
from net.takeover.election import Election
from net.takeover.election_acts import GRACE_S, Act, Say

TABLE = "0123456789abcdef"
ANN, BEN, CLEO = 1, 2, 3  # Ann is the host
FOUNDING = write(TableCreated("Gold Rush", bytes(32), Settings(seats=3)))


def key_of(member: int) -> SeatKey:
    """The seat key of a member."""
    return SeatKey(bytes([member]) * 32)


def print_of(member: int) -> bytes:
    """The fingerprint of a member's program."""
    return bytes([member]) * 32


ELECTORS = tuple(
    Elector(member, key_of(member).public, print_of(member), 7350, (bytes(4),))
    for member in (ANN, BEN, CLEO)
)


def copy_of(steps: int, term: int = 0) -> LogCopy:
    """A copy of so many steps, the last under a host of that term."""
    copy = LogCopy()
    news = [Step(news=(Said(1, f"{number}"),)) for number in range(steps - (term > 0))]
    news += [Step(news=(HostChanged(ANN, term),))] if term else []
    copy.take(LogPart(1, FOUNDING, tuple(map(write, news))), steps)
    return copy


def election(member: int, steps: int = 5, term: int = 0) -> Election:
    """The part of a member's program."""
    part = Election(key_of(member), copy_of(steps, term), member, TABLE, term, host=ANN)
    part.set_electors(ELECTORS)
    part.fingerprint = print_of(member)
    return part


def rally(steps: int = 5, *, term: int = 0, log_term: int = 0, bound: int = 0) -> Rally:
    """What a program that misses its host tells."""
    return Rally(term, bound, bound, log_term, steps, alarmed=True, rallied=0)


def messages_to(acts: list[Act], to: int) -> list[object]:
    """What is said to a member."""
    return [act.message for act in acts if isinstance(act, Say) and act.member == to]


def standing(member: int = BEN) -> tuple[Election, VoteWanted]:
    """A program that stands, and what it asks of Cleo's or Ben's."""
    part, other = election(member), CLEO if member == BEN else BEN
    part.tick(0.0, alarmed=True)
    part.receive(other, rally(), 0.1)
    acts = part.tick(GRACE_S, alarmed=True)
    (wanted,) = [one for one in messages_to(acts, other) if isinstance(one, VoteWanted)]
    return part, wanted


def vote_of(member: int, wanted: VoteWanted, candidate: int = BEN) -> Vote:
    """A member's vote."""
    about = wanted.term, candidate, print_of(candidate), wanted.electors
    return Vote(wanted.term, key_of(member).sign(vote_statement(TABLE, *about)))


def mandate_of(term: int, member: int, *voters: int) -> Mandate:
    """A mandate that these have signed."""
    electors = (ANN, BEN, CLEO)
    statement = vote_statement(TABLE, term, member, print_of(member), electors)
    ballots = tuple(Ballot(one, key_of(one).sign(statement)) for one in voters)
    return Mandate(term, member, print_of(member), electors, ballots)


def elect_host(term: int, member: int, *voters: int) -> Elected:
    """A new host that these have elected."""
    return Elected(mandate_of(term, member, *voters), 7341, (bytes(4),))
