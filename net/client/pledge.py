"""Votes for a new host: what binds the voter, what a vote signs, and when they are enough."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from net.protocol.election import Elected, Elector, Electorate, Mandate
from net.protocol.fields import Wire
from net.protocol.lobby import Changes, Member, Term
from net.room.succession import MIN_OTHERS, is_majority
from net.secure.keys import is_signed

MAX_EARLIER: Final = 8  # most votes that stand beside the last one


class Pledge(Wire, frozen=True):
    """Promises of a program: it has `promised` a term, by voting in it for `voted_for`.

    It is `bound` to the term of a vote that still stands, 0 if to none. `earlier` are the terms and
    candidates of votes before it that stand, too. If it was elected itself, it is `opening` the
    table of that term.
    """

    promised: Term = 0
    voted_for: int = 0
    bound: Term = 0
    opening: Term = 0
    earlier: Annotated[tuple[tuple[Term, Member], ...], Meta(max_length=MAX_EARLIER)] = ()

    def add_vote(self, term: int, member: int, *, own: int) -> Pledge:
        """Return the pledge after a vote for a member in a higher term; `own` is our number."""
        stands = bool(self.bound) and self.voted_for != own
        earlier = (*self.earlier, (self.bound, self.voted_for)) if stands else self.earlier
        return Pledge(term, member, bound=term, earlier=earlier[-MAX_EARLIER:])

    def without(self, term: int, member: int) -> Pledge:
        """Return the pledge after a candidate has given up: it is bound by earlier votes alone."""
        if (term, member) != (self.bound, self.voted_for):
            return replace(
                self, earlier=tuple(one for one in self.earlier if one != (term, member))
            )
        if not self.earlier:
            return replace(self, bound=0, opening=0)
        bound, voted_for = self.earlier[-1]
        return Pledge(self.promised, voted_for, bound, earlier=self.earlier[:-1])

    def has_voted(self, mandate: Mandate) -> bool:
        """Return True if one of the votes that stand was for this candidate in this term."""
        votes = ((self.bound, self.voted_for), *self.earlier)
        return (mandate.term, mandate.member) in votes

    def after_election(self, term: int) -> Pledge:
        """Return the pledge after somebody was elected in a term: no vote stands any more."""
        promised = max(self.promised, term)
        return replace(self, promised=promised, bound=0, opening=0, earlier=())

    def after_restart(self, member: int, *, has_opened: bool) -> Pledge:
        """Return the pledge after a restart: a candidacy does not outlive its program.

        `has_opened` says that there is a table of ours of that term.
        """
        own = self.voted_for == member and not (has_opened and self.opening == self.bound)
        return self.without(self.bound, member) if own else self


class Standing(Wire, frozen=True):
    """All of an election that outlives its program: the table as it was followed, and the pledge.

    `member`, `term` and `host` are our number, and the last election and its host. `elected` is the
    newest mandate that is known. The `electors` have the number `list_number`.
    """

    table: str
    member: int
    term: Term
    host: int
    electors: Electorate
    pledge: Pledge
    elected: Elected | None = None
    list_number: tuple[Term, Changes] = (0, 0)


def vote_statement(
    table: str, term: int, member: int, fingerprint: bytes, electors: tuple[int, ...]
) -> bytes:
    """Return the statement that a vote signs: table, term, new host, certificate, electors."""
    number = str.encode(" ".join(map(str, (term, member, *electors))))
    parts = (b"sabtui vote", table.encode(), number, fingerprint)
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


def is_elected(table: str, mandate: Mandate, electors: tuple[Elector, ...]) -> bool:
    """Return True if more than half of the electors have signed a mandate."""
    if not are_alike(mandate.electors, tuple(one.member for one in electors)):
        return False
    return is_majority(_find_signers(table, mandate, electors), mandate.electors)


def is_vouched(
    table: str, mandate: Mandate, electors: tuple[Elector, ...], own: frozenset[int] = frozenset()
) -> bool:
    """Return True if a mandate is to be followed by one who knew these electors.

    Somebody may have come since: their key is not known here, so their vote cannot be checked. More
    than half of those who are known have to have voted, too. `own` is ourselves, if we have voted
    for this host: the mandate may have been complete before our vote came.
    """
    known, voted = [one.member for one in electors], [one.member for one in mandate.ballots]
    has_enough = is_majority(voted, mandate.electors)
    is_known = is_majority(_find_signers(table, mandate, electors) | own, known) and has_enough
    return is_known or is_elected(table, mandate, electors)


def _find_signers(table: str, mandate: Mandate, electors: tuple[Elector, ...]) -> set[int]:
    """Return the electors whose votes in a mandate are their own."""
    statement = vote_statement(
        table, mandate.term, mandate.member, mandate.fingerprint, mandate.electors
    )
    keys = {elector.member: elector.key for elector in electors}
    return {
        ballot.member
        for ballot in mandate.ballots
        if ballot.member in keys and is_signed(keys[ballot.member], ballot.signature, statement)
    }


def are_alike(some: tuple[int, ...], others: tuple[int, ...]) -> bool:
    """Return True if two lists of electors differ by one at most, who has just come or gone.

    Then more than half of the ones and more than half of the others have somebody in common.
    """
    return len(set(some) ^ set(others)) <= 1 and len(set(some)) > MIN_OTHERS
