"""Messages between the programs of a table's people: they elect a host, and compare what they saw.

    client                                       host
    Standby (certificate, addresses)        ->   from everybody who has a seat
                                            <-   Electors, whenever one of them changes
                                            <-   HandingOver (member), for the host wants to go
    Superseded (term)                       ->   of the host alone, who has found the newer table

    a watcher's program                          successor, whom it dials, and who knows its key
    Rally                                   ->
                                            <-   Elected, once there is a new host

    anybody else's program                       successor, whom it dials
                                            <-   Elected, if there is a new host, and the end

    program                                      successor, whom it dials, and who knows its key
    Rally (what it has seen)                ->
                                            <-   VoteWanted (term)
    Vote (term, signature)                  ->
                                            <-   GivenUp (term), if that was in vain
                                            <-   LogWanted, from one who has seen more
    LogPart                                 ->
    Elected (mandate, where)               <->   from anybody who knows

    program                                      program with a seat, which it dials
    Compare (incarnation, step, hash)       ->   at the end of a round
                                            <-   Compare, once the round has ended there too

`net.takeover.election` says who sends which of them, and when; the rules are in
`net.room.succession`. `net.takeover.comparing` says when programs compare.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from net.protocol.fields import MAX_SEATS, Incarnation, RunningHash, StepNumber, Wire
from net.protocol.framing import Message
from net.protocol.lobby import MAX_PEOPLE, Changes, Member, Members, Term

MAX_STANDBY_ADDRESSES: Final = 6
"""Most addresses of one program: with them its message still fits the smallest frame."""

Fingerprint: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
PublicKey: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Signature: TypeAlias = Annotated[bytes, Meta(min_length=64, max_length=64)]
Port: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
PackedAddress: TypeAlias = Annotated[bytes, Meta(min_length=4, max_length=16)]
"""An IPv4 address, 4 bytes, or an IPv6 address, 16 bytes."""

PackedAddresses: TypeAlias = Annotated[
    tuple[PackedAddress, ...], Meta(max_length=MAX_STANDBY_ADDRESSES)
]


class Standby(Message, frozen=True, tag="standby"):
    """This program could go on with the table: where it listens, and its certificate."""

    fingerprint: Fingerprint
    port: Port
    addresses: PackedAddresses


class Elector(Wire, frozen=True):
    """A member who has a seat, and where their program listens; port 0 if it does not.

    It is not `reachable` if the host has tried to connect there in vain, or was told of no place.
    """

    member: Member
    key: PublicKey
    fingerprint: Annotated[bytes, Meta(max_length=32)] = b""
    port: Annotated[int, Meta(ge=0, le=65535)] = 0
    addresses: PackedAddresses = ()
    reachable: bool = True


Electorate: TypeAlias = Annotated[tuple[Elector, ...], Meta(max_length=MAX_SEATS)]


class Watcher(Wire, frozen=True):
    """A member without a seat: they may ask the electors' programs where the table has gone."""

    member: Member
    key: PublicKey


class Electors(Message, frozen=True, tag="electors"):
    """To everybody: who has seats, by seat, who watches, and the id of the table."""

    table: Annotated[str, Meta(pattern=r"\A[0-9a-z]{0,16}\Z")]  # files are named by it
    electors: Electorate
    watchers: Annotated[tuple[Watcher, ...], Meta(max_length=MAX_PEOPLE)] = ()


class HandingOver(Message, frozen=True, tag="handing-over"):
    """To those who have seats: the host asks this member's program to go on, now."""

    member: Member


class Superseded(Message, frozen=True, tag="superseded"):
    """From the program of the host's player: the table has gone on elsewhere, in this term."""

    term: Term


class Rally(Message, frozen=True, tag="rally"):
    """Progress of a program, told to all that may become the host whenever it changes.

    `term` is that of the table it follows, `promised` the last in which it has voted, and `bound`
    that of a vote that still stands. Its copy of the log has `steps` steps, the last under a host
    of term `log_term`. It is `alarmed` if it has no host any more, and `rallied` others have told
    it the same.
    """

    term: Term
    promised: Term
    bound: Term
    log_term: Term
    steps: StepNumber
    alarmed: bool
    rallied: Annotated[int, Meta(ge=0, le=MAX_SEATS)]

    @property
    def position(self) -> tuple[int, int]:
        """The position of its copy of the log: further on is greater."""
        return self.log_term, self.steps


class VoteWanted(Message, frozen=True, tag="vote-wanted"):
    """A candidate asks for a vote in this term, of more than half of these electors.

    The number of their list is the term and the changes. Its copy of the log goes as far as this.
    """

    term: Term
    electors: Members
    list_term: Term
    changes: Changes
    log_term: Term
    steps: StepNumber


class Vote(Message, frozen=True, tag="vote"):
    """The vote that was asked for, signed by the voter's seat key."""

    term: Term
    signature: Signature


class GivenUp(Message, frozen=True, tag="given-up"):
    """The candidate in this term was not elected, and never will be: its voters are free again."""

    term: Term


class Ballot(Wire, frozen=True):
    """A vote, and who gave it."""

    member: Member
    signature: Signature


class Mandate(Wire, frozen=True):
    """The proof that more than half of these electors want this member as the host."""

    term: Term
    member: Member
    fingerprint: Fingerprint
    electors: Members
    ballots: Annotated[tuple[Ballot, ...], Meta(max_length=MAX_SEATS)]


class Compare(Message, frozen=True, tag="compare"):
    """The running hash that this program had after a step, the last at which a round has ended."""

    incarnation: Incarnation
    step: StepNumber
    running: RunningHash


class Elected(Message, frozen=True, tag="elected"):
    """The table has gone on: its new host, and where it is."""

    mandate: Mandate
    port: Port
    addresses: PackedAddresses
