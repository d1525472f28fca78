"""Parts of an election: its times, what programs say in it and ask of their own, a candidacy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, TypeAlias, get_args

from net.client.log_copy import LogCopy
from net.client.pledge import Pledge
from net.protocol.election import (
    Ballot,
    Compare,
    Elected,
    GivenUp,
    Mandate,
    Rally,
    Vote,
    VoteWanted,
)
from net.protocol.lobby import MAX_TERM
from net.protocol.messages import LogPart, LogWanted
from net.secure.keys import SeatKey

GRACE_S: Final = 0.2
"""Seconds from the alarm to the first candidacy: programs notice within a tick of each other."""

STAND_BACK_S: Final = 1.0  # seconds that a successor leaves to each one before it in order

HEAD_START_S: Final = 4.0
"""Seconds that all others leave to the one to whom the host hands the table over."""

VOTING_S: Final = 2.0  # seconds in which votes have to come

RETRY_SPREAD_S: Final = 2.0
"""Seconds over which the next candidacies of those are spread who stood in vain."""

CALLED_S: Final = 10.0
"""Seconds in which a table that is handed over has to open elsewhere, before its host goes on."""

OPENING_S: Final = 6.0
"""Seconds that an elected host has to open the table, before others stand again."""

TERM_WINDOW: Final = 1024
"""Most terms by which a program goes beyond its own at once: whoever tells high ones leads nobody
to the highest."""

AGAIN_S: Final = 1.0  # seconds after which a candidate who has given up in time is voted for again

MAX_BARRED_S: Final = 60.0
"""Most seconds for which a candidate who has failed again and again gets no vote."""

ElectionMessage: TypeAlias = Rally | VoteWanted | Vote | GivenUp | LogWanted | LogPart | Elected
LinkMessage: TypeAlias = ElectionMessage | Compare
LINK_KINDS: Final[tuple[type[LinkMessage], ...]] = get_args(LinkMessage)


@dataclass(frozen=True, slots=True)
class Say:
    """Send this to a member's program, on the connection that there is to it."""

    member: int
    message: LinkMessage


@dataclass(frozen=True, slots=True)
class KeepPledge:
    """Write down what this program has promised, before anything else is sent."""

    pledge: Pledge


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Open the table here: this program was elected to go on with this log."""

    table: str
    mandate: Mandate
    founding: bytes
    steps: tuple[bytes, ...]


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

    def make_mandate(self, member: int, fingerprint: bytes) -> Mandate:
        """Return the mandate of this candidate by the votes that have come."""
        ballots = tuple(Ballot(one, signed) for one, signed in self.votes.items())
        return Mandate(self.term, member, fingerprint, self.electors, ballots)


@dataclass(slots=True)
class Failures:
    """Candidates who had our vote in vain, and until when they do not get another.

    `voted_at` is the time of our last vote. Who gives up as soon as a vote has failed may stand
    again soon; whoever kept us bound for longer leaves some time to others. Each failure doubles
    that time: a program that stands only to be in the way of others soon stands no more.
    """

    voted_at: float = 0.0
    counts: Counter[int] = field(default_factory=Counter)
    barred: dict[int, float] = field(default_factory=dict)

    def note(self, member: int, now: float) -> None:
        """Note that a candidate was not elected."""
        in_time = now - self.voted_at <= VOTING_S + AGAIN_S
        first = AGAIN_S if in_time else OPENING_S
        self.barred[member] = now + min(first * 2 ** self.counts[member], MAX_BARRED_S)
        self.counts[member] += 1

    def bars(self, member: int, now: float) -> bool:
        """Return True if a candidate is not to get a vote now."""
        return now < self.barred.get(member, 0.0)


def highest_after(term: int) -> int:
    """Return the highest term that a program goes to from its own."""
    return min(term + TERM_WINDOW, MAX_TERM)


def next_term(own: int, promised: Iterable[int], electors: int) -> int | None:
    """Return the term to stand in after our `own`, `None` if there is no higher one.

    It is above what so many voters have promised as are a majority, so that the others, whatever
    they tell, do not count. It is not far above our own: nobody else would follow us there.
    """
    enough = sorted(promised)[electors // 2]
    term = min(1 + max(own, enough), highest_after(own))
    return term if term > own else None


def retry_delay(key: SeatKey, term: int) -> float:
    """Return the seconds to wait after a candidacy in vain, other ones for each program.

    Two who do not know the same of each other may both think that they are the first in order.
    Without this they would split the votes again and again.
    """
    drawn = sha256(key.public + term.to_bytes(8, "big")).digest()
    return AGAIN_S + RETRY_SPREAD_S * drawn[0] / 256
