"""The choice among copies of a table: which one counts, and who looks for another.

A table has several copies once its network was cut, or a host came back. The rule is on the page on
the protocol (*A table that moves*); all who choose between copies ask here: programs that look for
their table, a host's table that was left alone, `host --resume`, and the list of tables.

A copy plays while its people are there: more than half of those who have seats, or half of them
with the person in the lowest of these seats. Bots do not count, nor do people who left. So at most
one of two copies plays, however the network was cut, unless somebody chose to continue without the
others, or newcomers sat down after the cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from net.protocol import NO_TABLE, TERMS_OF_A_MOVE, CopyRank
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import Lobby, Presence

assert TERMS_OF_A_MOVE >= MAX_SEATS


def next_term(term: int, seat: int) -> int:
    """Return the term that follows this one if the table moves to the computer of a seat.

    If two people take over at once, the one in the lower seat has the higher term.
    """
    return (term // TERMS_OF_A_MOVE + 2) * TERMS_OF_A_MOVE - 1 - seat


def rank_of(lobby: Lobby) -> CopyRank:
    there = [chair for chair, person in lobby.sitting if person.presence is Presence.THERE]
    return CopyRank(lobby.has_its_people, len(there), lobby.term)


class CopyAnswer(Enum):
    """Decision of a program about a copy that it has found."""

    STAY = auto()
    GO = auto()
    ASK = auto()  # the player chooses: our own copy still runs
    WARN = auto()  # both play: each player stays, and learns of the other copy


@dataclass(frozen=True, slots=True)
class OwnCopy:
    """The copy at which a player is, as their program knows it."""

    lobby: Lobby | None = None  # `None` before the program was admitted
    term: int = 0  # later than the lobby's while it gathers at our own computer
    is_ours: bool = False  # it runs here, and our player is its host
    is_silent: bool = False
    here: int | None = None  # how many people are back, while the copy gathers
    is_left: bool = False  # it gathers, and its own host has left it
    has_slept: bool = False  # our computer has slept since the copy last played

    @property
    def rank(self) -> CopyRank:
        """The rank that another copy has to exceed to be wanted."""
        if self.lobby is None:
            return NO_TABLE
        if self.here is not None:
            return CopyRank(people=0 if self.is_left else self.here, term=self.term)
        if self.is_silent or self.lobby.handing:
            return CopyRank(people=1, term=self.lobby.term)  # we know only of ourselves
        return rank_of(self.lobby)

    @property
    def keys(self) -> tuple[bytes, ...] | None:
        """The only keys whose holders are followed as a host, `None` for all with a seat.

        A table that is handed over goes to the person to whom it was offered, whatever others say.
        """
        if self.lobby is None or not self.lobby.handing:
            return None
        taker = self.lobby.person(self.lobby.offered)
        return () if taker is None else (taker.key,)

    @property
    def should_search(self) -> bool:
        """True if the program looks for another copy.

        A host's own program also does so while somebody is lost, to report a second copy that
        plays.
        """
        lobby = self.lobby
        if lobby is None:
            return self.is_silent
        if self.here is not None:
            return self.is_ours or self.is_left
        if self.is_silent or lobby.handing:
            return True
        lost = any(person.presence is Presence.GONE for _chair, person in lobby.sitting)
        return bool(lobby.sitting) and (not lobby.has_its_people or (self.is_ours and lost))

    def answer(self, there: CopyRank) -> CopyAnswer:
        """Decide about another copy of this rank, which its host has proven."""
        own = self.rank
        if own.plays and there.plays:
            return CopyAnswer.WARN
        if not there > own:
            return CopyAnswer.STAY
        lobby = self.lobby
        if lobby is None or self.here is not None or self.is_silent or self.has_slept:
            return CopyAnswer.GO
        host = lobby.person(lobby.host)
        has_left = not self.is_ours and host is not None and host.presence is Presence.GONE
        return CopyAnswer.GO if lobby.handing or has_left else CopyAnswer.ASK
