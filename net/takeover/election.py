"""One program's part in the election of a new host, without socket or clock.

Programs that miss their host dial all successors, and tell each what they have seen (`Rally`). A
successor to whom more than half of the electors have rallied, itself included, asks for their
votes. A program votes once a term, for nobody whose copy of the log is behind its own, and only if
it misses the host too. So the new host has all that more than half had seen, and a candidate that
cannot be elected disturbs nobody. If somebody has seen more, the successor takes over their copy
first. Successors stand back for those before them in order, as long as these are heard of.

A program that has voted is *bound*: until the candidate is elected or gives up, it follows no table
of a lower term. A candidate that has given up never counts a vote of that term again.

The votes, signed, are the new host's mandate. It is shown to everybody who asks, so that a program
that was away, the old host's among them, follows too. `net.takeover.standby` has the connections.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from msgspec.structs import replace

from net.client.log_copy import LogCopy
from net.client.pledge import Pledge, Standing, are_alike, is_elected, is_vouched, vote_statement
from net.protocol.election import (
    Elected,
    GivenUp,
    Mandate,
    PackedAddress,
    Rally,
    Vote,
    VoteWanted,
)
from net.protocol.fields import MAX_SEATS
from net.protocol.messages import LogPart, LogWanted
from net.room.succession import is_majority
from net.secure.keys import SeatKey
from net.takeover.election_acts import (
    AGAIN_S,
    CALLED_S,
    GRACE_S,
    HEAD_START_S,
    OPENING_S,
    STAND_BACK_S,
    VOTING_S,
    Act,
    Candidacy,
    ElectionMessage,
    Failures,
    Follow,
    KeepPledge,
    Say,
    TakeOver,
    highest_after,
    next_term,
    retry_delay,
)
from net.takeover.known_electors import KnownElectors


@dataclass(slots=True)
class Election(KnownElectors):
    """One program's part.

    `member` and `key` are its player's. The `table` is the one that it follows, in `term`; `copy`
    is its copy of the log. `fingerprint` is of its own certificate, empty if it cannot become the
    host. `elected` is the newest mandate it knows of. `rallies` are those of others, by member;
    `dialled` are the members to whom it is connected. `called` is the member to whom the host hands
    over. The programs of `watchers` have no vote, but are shown who was elected; `observers` are
    those that have asked.
    """

    key: SeatKey
    copy: LogCopy
    member: int = 0
    table: str = ""
    term: int = 0
    fingerprint: bytes = b""
    pledge: Pledge = field(default_factory=Pledge)
    elected: Elected | None = None
    called: int | None = None
    rallies: dict[int, Rally] = field(default_factory=dict)
    dialled: set[int] = field(default_factory=set)
    observers: set[int] = field(default_factory=set)
    _sent_rallies: dict[int, Rally] = field(default_factory=dict)
    _candidacy: Candidacy | None = None
    _alarmed_at: float | None = None
    _not_before: float = 0.0
    _fetched: tuple[int, LogCopy] | None = None
    _called_until: float = 0.0
    _waits: bool = False
    _silent: set[int] = field(default_factory=set)  # gave no vote when we were a candidate last
    _failures: Failures = field(default_factory=Failures)
    _has_given_way: bool = False

    @property
    def standing(self) -> Standing:
        """All that is to be written down."""
        return Standing(
            self.table,
            self.member,
            self.term,
            self.host,
            self.electors,
            self.pledge,
            self.elected,
            self.list_number,
        )

    def restore(self, standing: Standing, *, has_opened: bool) -> None:
        """Begin again with what an earlier run of the program has written down."""
        self.table, self.member = standing.table, standing.member
        self.term, self.host = standing.term, standing.host
        self.set_electors(standing.electors)
        self.elected = standing.elected
        self.list_number = standing.list_number
        self.pledge = standing.pledge.after_restart(self.member, has_opened=has_opened)

    # News of the table that the program is at.

    def follow(self, term: int, host: int) -> None:
        """Note the term and the host of the table that this program is at."""
        if term >= self.term and (term, host) != (self.term, self.host):
            self.term, self.host = term, host
            self._calm_down()

    def call(self, member: int, now: float) -> None:
        """Note that the host hands the table over to this member."""
        self.called, self._called_until = member, now + CALLED_S

    @property
    def is_bound(self) -> bool:
        """True if this program has voted, and so follows no table of a lower term."""
        return self.pledge.bound > self.term

    # Connections. A program dials successors; `rallies` come from those who have dialled it.

    def note_link(self, member: int) -> list[Act]:
        """Note a connection to a successor, and show who was elected, if somebody was.

        They need not have dialled us: for them, we may be the host that they miss.
        """
        self.dialled.add(member)
        self._sent_rallies.pop(member, None)
        known = self.rallies.get(member)
        return [*self._rally(), *self._show(member, -1 if known is None else known.term)]

    def note_unlink(self, member: int) -> None:
        """Note that the connection to a successor is gone."""
        self.dialled.discard(member)

    def note_departure(self, member: int) -> None:
        """Note that the connection from another program is gone."""
        self.rallies.pop(member, None)
        self.observers.discard(member)

    # Time.

    def tick(self, now: float, *, alarmed: bool, sealed: bool = False) -> list[Act]:
        """Let time pass: `alarmed` says that the host is gone, or hears too few of us.

        The table that we are at is `sealed` if it waits for people who have not come. That alone is
        no reason to go on elsewhere, where it would be sealed, too. But it may wait in vain: for
        somebody who is bound to a candidate, and will not come before another one is elected.
        """
        if now >= self._called_until:
            self.called = None
        self._waits = sealed and not alarmed
        if not (alarmed or sealed or self.is_bound or self.called is not None):
            self._calm_down()
        elif self._alarmed_at is None:
            self._alarmed_at = now
        return [*self._rally(), *self._stand(now)]

    @property
    def has_majority(self) -> bool:
        """True if more than half of the electors have told us that they miss the host."""
        return is_majority(self._backers(), self.members)

    def _calm_down(self) -> None:
        self._alarmed_at = self._candidacy = self._fetched = self.called = None
        self._silent, self._failures, self._has_given_way = set(), Failures(), False

    def _rally(self) -> list[Act]:
        """Tell each successor to whom there is a connection what is new."""
        log_term, steps = self._log.position
        is_alarmed = self._alarmed_at is not None and steps > 0
        pledge, rallied = self.pledge, min(len(self.rallies), MAX_SEATS)
        rally = Rally(
            self.term, pledge.promised, pledge.bound, log_term, steps, is_alarmed, rallied
        )
        due = [member for member in sorted(self.dialled) if self._sent_rallies.get(member) != rally]
        self._sent_rallies.update(dict.fromkeys(due, rally))
        return [Say(member, rally) for member in due]

    @property
    def _log(self) -> LogCopy:
        """The copy that has seen most: our own, or the one that was fetched."""
        if self._fetched is None:
            return self.copy
        return max(self._fetched[1], self.copy, key=lambda log: log.position)

    # Standing for election.

    def _stand(self, now: float) -> list[Act]:
        """Ask for votes, if this is due."""
        running, pledge = self._candidacy, self.pledge
        if running is not None and now >= running.until:
            self._silent = set(self.rallies) - set(running.votes)
            self._not_before = now + self._stand_back() + retry_delay(self.key, running.term)
            return self.give_up()
        is_ours = pledge.voted_for == self.member and not pledge.opening
        if running is None and is_ours and self.is_bound:
            return self.give_up()  # the host was back while votes were counted
        if running is not None or not self._may_stand(now):
            return []
        backers = self._backers()
        reached = {one: self.rallies[one].position for one in backers if one != self.member}
        behind = [one for one in reached if reached[one] > self._log.position]
        if not is_majority(backers, self.members):
            return []
        voters = set(backers) - set(behind)
        missing: list[Act] = []
        if behind and not is_majority(voters - self._silent, self.members):
            missing = self._fetch(max(behind, key=reached.__getitem__))
        if not is_majority(voters, self.members):
            return missing
        own = max(self.pledge.promised, self.term)
        told = [one.promised for member, one in self.rallies.items() if member in voters]
        term = next_term(own, (own, *told), len(self.members))
        if term is None:
            return []
        self.pledge = self.pledge.add_vote(term, self.member, own=self.member)
        vote = self.key.sign(
            vote_statement(self.table, term, self.member, self.fingerprint, self.members)
        )
        log = self._log
        self._candidacy = Candidacy(
            term, now + VOTING_S, self.members, {self.member: vote}, log, log.position
        )
        wanted = VoteWanted(term, self.members, *self.list_number, *log.position)
        asked = [Say(one, wanted) for one in backers if one != self.member]
        return [*missing, KeepPledge(self.pledge), *asked]

    def give_up(self) -> list[Act]:
        """Give up the candidacy, or the table that cannot be opened here: all are free again."""
        term, self._candidacy = self.pledge.promised, None
        if self.pledge.voted_for != self.member or self.pledge.bound != term:
            return []
        self.pledge = self.pledge.without(term, self.member)
        return [KeepPledge(self.pledge), *(Say(one, GivenUp(term)) for one in self.rallies)]

    def _may_stand(self, now: float) -> bool:
        if self._alarmed_at is None or not self.is_possible() or not self._log.position[1]:
            return False
        if self.member not in {one.member for one in self.successors}:
            return False
        bound = (self.pledge.bound, *(one.bound for one in self.rallies.values()))
        if self._waits and max(bound) <= self.term:
            return False
        due = self._alarmed_at
        if self.called is not None:
            due += 0.0 if self.called == self.member else HEAD_START_S
        else:
            due += GRACE_S + self._stand_back()
        return now >= due and now >= self._not_before

    def _stand_back(self) -> float:
        """Return the seconds to leave to those before us in order who could be elected, too."""
        order = [one.member for one in self.successors]
        before = set(order[: order.index(self.member)]) if self.member in order else set(order)
        silent = before & self.dialled - set(self.rallies)
        rallies = [self.rallies[one] for one in before & set(self.rallies)]
        backed = [one for one in rallies if 2 * (one.rallied + 1) > len(self.members)]
        return STAND_BACK_S * (len(silent) + len(backed))

    def _backers(self) -> list[int]:
        """Return the electors who miss the host of this term too, ourselves first."""
        others = [
            member
            for member, rally in self.rallies.items()
            if rally.alarmed and rally.term == self.term and member in self.members
        ]
        return [self.member, *others]

    def _fetch(self, member: int) -> list[Act]:
        """Ask for the copy of one who has seen more, part by part."""
        if self._fetched is None or self._fetched[0] != member:
            self._fetched = member, LogCopy()
        after = self._fetched[1].lacks_after
        return [] if after is None else [Say(member, LogWanted(after))]

    # Messages.

    def receive(self, member: int, message: ElectionMessage, now: float) -> list[Act]:
        """Handle a message of another program."""
        if member not in self.members:
            return self._answer_observer(member, message)
        match message:
            case Rally():
                self.rallies[member] = message
                shown = [*self._show(member, message.term), *self._free(member, message.bound)]
                return [*shown, *self._rally(), *self._stand(now)]
            case VoteWanted():
                return [*self._show(member, message.term - 1), *self._vote(member, message, now)]
            case GivenUp(term):
                return self._release_vote(member, term, now)
            case Vote():
                return self._count(member, message, now)
            case LogWanted(after):
                return [Say(member, self._log.part(after))] if self._log.last else []
            case LogPart():
                return self._take(member, message, now)
            case Elected():
                return self._learn(message)
            case _:
                assert_never(message)

    def _answer_observer(self, member: int, message: ElectionMessage) -> list[Act]:
        """Show a watcher, who has asked, who was elected."""
        if not isinstance(message, Rally):
            return []
        self.observers.add(member)
        return [*self._show(member, message.term)]

    def _show(self, member: int, term: int) -> Iterator[Act]:
        """Show the newest mandate to one who knows of none later than `term`."""
        if self.elected is not None and self.elected.mandate.term > term:
            yield Say(member, self.elected)

    def _free(self, member: int, bound: int) -> Iterator[Act]:
        """Tell one who is bound, maybe to a candidacy of ours, that there is none in that term."""
        stands = (self.pledge.bound, self.pledge.voted_for) == (bound, self.member)
        if bound > self.term and not stands:
            yield Say(member, GivenUp(bound))

    def _release_vote(self, member: int, term: int, now: float) -> list[Act]:
        """Be free again, if the candidate that we voted for has given up."""
        before, self.pledge = self.pledge, self.pledge.without(term, member)
        if self.pledge == before:
            return []
        self._failures.note(member, now)
        if self.pledge.bound != before.bound:
            self._not_before = now + self._stand_back()
        return [KeepPledge(self.pledge)]

    def _waits_for_another(self, member: int, now: float) -> bool:
        """Return True if a vote for this candidate would spoil a candidacy that may succeed.

        A candidate gives way to another once. Who has voted waits for the table to open, as long as
        that program is heard of, and for it to give up before it gets another vote.
        """
        if self._candidacy is not None:
            has_given_way, self._has_given_way = self._has_given_way, True
            return has_given_way
        if self.pledge.opening and now < self._not_before:
            return True
        voted_for = self.pledge.voted_for
        is_heard = voted_for in self.rallies or voted_for in self.dialled
        is_early = now - self._failures.voted_at < OPENING_S - AGAIN_S
        return self.is_bound and (voted_for == member or (is_heard and is_early))

    def _vote(self, member: int, wanted: VoteWanted, now: float) -> list[Act]:
        """Vote, if this program misses the host, and the candidate has seen as much as it has."""
        candidate = next((one for one in self.successors if one.member == member), None)
        again = (wanted.term, member) == (self.pledge.bound, self.pledge.voted_for)
        own = max(self.pledge.promised, self.term)
        is_new = own < wanted.term <= highest_after(own)
        if candidate is None or self._alarmed_at is None or not (is_new or again):
            return []
        if (wanted.list_term, wanted.changes) < self.list_number:
            return []
        if self.member not in wanted.electors or not are_alike(wanted.electors, self.members):
            return []
        if (wanted.log_term, wanted.steps) < self._log.position or not self._log.position[1]:
            return []
        if is_new and (self._failures.bars(member, now) or self._waits_for_another(member, now)):
            return []
        if is_new and self.is_bound:
            self._failures.note(self.pledge.voted_for, now)
        given_up = self.give_up()
        if is_new:
            self.pledge = self.pledge.add_vote(wanted.term, member, own=self.member)
        self._not_before = now + OPENING_S
        self._failures.voted_at = now
        statement = vote_statement(
            self.table, wanted.term, member, candidate.fingerprint, wanted.electors
        )
        vote = Vote(wanted.term, self.key.sign(statement))
        return [*given_up, KeepPledge(self.pledge), Say(member, vote)]

    def _count(self, member: int, vote: Vote, now: float) -> list[Act]:
        """Count a vote for us; with more than half of them, this program is elected."""
        running = self._candidacy
        if running is None or vote.term != running.term:
            return []
        if running.log.position < running.position:  # it was no past of the table
            return self.give_up()
        running.votes[member] = vote.signature
        mandate = running.make_mandate(self.member, self.fingerprint)
        if not is_elected(self.table, mandate, self.electors):
            return []
        self._candidacy, self._not_before = None, now + OPENING_S
        self.pledge = replace(self.pledge, opening=running.term)
        log = running.log
        return [
            KeepPledge(self.pledge),
            TakeOver(self.table, mandate, log.founding, tuple(log.steps)),
        ]

    def _take(self, member: int, part: LogPart, now: float) -> list[Act]:
        """Take in a part of another's copy, and ask for the next.

        After one that adds nothing only the next tick asks again, or messages would never end.
        """
        if self._fetched is None or self._fetched[0] != member or member not in self.rallies:
            return []
        fetched, whole = self._fetched[1], self.rallies[member].steps
        lacked = fetched.lacks_after
        fetched.take(part, whole)
        if fetched.lacks_after is None:
            return self._stand(now)
        return self._fetch(member) if fetched.lacks_after != lacked else []

    def announce_table(
        self, mandate: Mandate, port: int, addresses: tuple[PackedAddress, ...]
    ) -> list[Act]:
        """Tell everybody that the table is open here, unless it was given up meanwhile."""
        if self.pledge.opening != mandate.term:  # those told may have gone on without it
            return []
        return self._learn(Elected(mandate, port, addresses))

    def _learn(self, elected: Elected) -> list[Act]:
        """Follow a new host, if it was elected indeed, and tell all others."""
        mandate = elected.mandate
        if mandate.term <= self.term or mandate.term < self.pledge.bound:
            return []
        own = frozenset({self.member} if self.pledge.has_voted(mandate) else ())
        if self.electors and not is_vouched(self.table, mandate, self.electors, own):
            return []
        was_ours = self.host == self.member
        self.elected = elected
        self.pledge = self.pledge.after_election(mandate.term)
        self.follow(mandate.term, mandate.member)
        others = sorted({*self.rallies, *self.dialled, *self.observers})
        told = [Say(one, elected) for one in others if one != mandate.member]
        return [KeepPledge(self.pledge), *told, Follow(elected, was_ours)]
