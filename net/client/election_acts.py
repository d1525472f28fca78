"""Parts of an election: what programs say in it, what it asks of its own, and a candidacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, get_args

from net.client.log_copy import LogCopy
from net.client.pledge import Pledge
from net.protocol.election import Elected, GivenUp, Mandate, Rally, Vote, VoteWanted
from net.protocol.messages import LogPart, LogWanted

ElectionMessage: TypeAlias = Rally | VoteWanted | Vote | GivenUp | LogWanted | LogPart | Elected
ELECTION_KINDS: Final[tuple[type[ElectionMessage], ...]] = get_args(ElectionMessage)


@dataclass(frozen=True, slots=True)
class Say:
    """Send this to a member's program, on the connection that there is to it."""

    member: int
    message: ElectionMessage


@dataclass(frozen=True, slots=True)
class KeepPledge:
    """Write down what this program has promised, before anything else is sent."""

    pledge: Pledge


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Open the table here: this program was elected, and this is the log."""

    mandate: Mandate
    log: LogCopy


@dataclass(frozen=True, slots=True)
class Follow:
    """Go to the table of a new host; the one before `was_ours`, if we were its host."""

    elected: Elected
    was_ours: bool


Act: TypeAlias = Say | KeepPledge | TakeOver | Follow


@dataclass(slots=True)
class Candidacy:
    """Votes of these electors for this program, by member, and until when they have to come.

    The votes are given for the copy `log`, which went as far as `position`.
    """

    term: int
    until: float
    electors: tuple[int, ...]
    votes: dict[int, bytes]
    log: LogCopy
    position: tuple[int, int]
