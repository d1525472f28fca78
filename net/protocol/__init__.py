"""Wire protocol: frames, typed messages, and the values that all at a table share.

    board         the board of a club's hall: tables, organisers, nights
    chat          the last lines of chat
    cleaning      text from others, cleaned
    copies        which copy of a table counts, and who looks for another
    doors         kinds of doors of a table, and their states
    fields        bounded fields, codecs, and rows of them
    framing       packs and unpacks frames
    game_wire     events, moves and a seat's view on the wire
    hall          news of that board, what is asked of a club, and the way to its tables
    lobby         people, chairs, settings, claims, and the games of an evening
    lobby_events  the events of the lobby, what each changes, and how they are folded
    messages      the messages of both sides, and the hash of a state
    requests      what players may ask

The package does no I/O. The sizes of what it writes follow only from public facts (RULES K); see
`net.protocol.fields`.

The package itself has the versions of the protocol: those that a side speaks, and the one that two
sides agree on; and the rank of a table's copies, which orders them. Lists of games need nothing
else of the protocol, and start without the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions that a side speaks: all from `low` to `high`, both included."""

    low: int
    high: int


def agree(client: Versions, host: Versions) -> int | None:
    """Return the newest version that both sides speak, `None` if there is none.

    The proofs show later that both saw the same two ranges: they are part of the transcript.
    """
    newest = min(client.high, host.high)
    return newest if newest >= max(client.low, host.low) else None


TERMS_OF_A_MOVE: Final = 10
"""Terms in which a table may continue once it has lost its host: one for each seat."""


@dataclass(frozen=True, slots=True)
class CopyRank:
    """Facts that a copy states about itself. Copies compare by them, the greatest first."""

    plays: bool = False
    """True if enough of its people are there, whatever was chosen without the others."""
    people: int = 0  # number of people with seats whose connections answer
    term: int = 0
    """The term of its host. Two hosts who continue the same table have different ones."""

    @property
    def moves(self) -> int:
        """The number of times that the table has moved to get there."""
        return self.term // TERMS_OF_A_MOVE

    def __lt__(self, other: CopyRank) -> bool:
        return self._rank < other._rank

    @property
    def _rank(self) -> tuple[bool, int, int, int]:
        # A copy that waits for its own host, and counts nobody, is of no use to anybody.
        return self.plays, self.moves if self.people else 0, self.people, self.term

    def replaces(self, term: int) -> bool:
        """Return True if a deserted copy of this term may close in favour of this one."""
        return self.plays or self.moves > term // TERMS_OF_A_MOVE


NO_TABLE: Final = CopyRank(term=-1)
"""The rank of a table that is not known yet: every copy comes before it."""
