"""Which mandates of an election a program follows, and to whom it shows them; watchers."""

from __future__ import annotations

import pytest
from msgspec import structs

from net.client.log_copy import LogCopy
from net.client.pledge import Pledge, are_alike, is_elected, vote_statement
from net.protocol.election import (
    Ballot,
    Elected,
    Elector,
    GivenUp,
    Mandate,
    Rally,
    VoteWanted,
    Watcher,
)
from net.takeover.election import Election
from net.takeover.election_acts import Follow
from tests.net.takeover.electors import (
    ANN,
    BEN,
    CLEO,
    ELECTORS,
    TABLE,
    elect_host,
    election,
    key_of,
    mandate_of,
    messages_to,
    print_of,
    rally,
)


def test_a_mandate_of_more_than_half_is_followed_told_and_shown_to_who_lags() -> None:
    part = election(ANN)
    part.note_link(CLEO)
    acts = part.receive(BEN, elect_host(2, BEN, BEN, CLEO), 0.0)
    assert messages_to(acts, CLEO) == [elect_host(2, BEN, BEN, CLEO)]
    assert acts[-1] == Follow(elect_host(2, BEN, BEN, CLEO), was_ours=True)
    assert messages_to(part.receive(CLEO, rally(), 0.0), CLEO)[0] == elect_host(2, BEN, BEN, CLEO)
    assert not part.receive(BEN, elect_host(1, BEN, BEN, CLEO), 0.0), "a lower term"


@pytest.mark.parametrize(
    "mandate",
    [
        mandate_of(1, BEN, BEN),
        structs.replace(mandate_of(1, BEN, BEN, CLEO), fingerprint=bytes(32)),
        structs.replace(mandate_of(1, BEN, BEN, CLEO), electors=(BEN, CLEO)),
        structs.replace(mandate_of(1, BEN, BEN, CLEO), electors=(BEN, CLEO, 4, 5)),
        mandate_of(1, BEN, BEN, 9),
    ],
    ids=["one vote", "another certificate", "two electors", "other electors", "a stranger"],
)
def test_a_mandate_that_is_none_is_not_followed(mandate: Mandate) -> None:
    assert not is_elected(TABLE, mandate, ELECTORS)
    assert not election(CLEO).receive(BEN, Elected(mandate, 7341, ()), 0.0)


def test_who_has_voted_in_a_higher_term_does_not_follow_a_lower_one() -> None:
    part = election(CLEO)
    part.pledge = Pledge(3, BEN, bound=3)
    assert not part.receive(BEN, elect_host(2, BEN, BEN, ANN), 0.0)
    assert part.receive(BEN, elect_host(3, BEN, BEN, ANN), 0.0)


def test_electors_differ_by_one_at_most() -> None:
    assert are_alike((1, 2, 3), (1, 2, 3, 4))
    assert not are_alike((1, 2, 3), (1, 2, 4))
    assert not are_alike((1, 2), (1, 2, 3))


# Watchers.


WIM, STRANGER = 7, 8


def test_a_watcher_is_shown_who_was_elected_and_has_no_vote() -> None:
    part = election(CLEO)
    part.set_electors(ELECTORS, (Watcher(WIM, key_of(WIM).public),))
    assert part.member_with(key_of(WIM).public) == WIM
    assert part.member_with(key_of(STRANGER).public) is None
    assert not part.receive(WIM, rally(), 0.0)
    assert not part.rallies
    assert messages_to(part.receive(BEN, elect_host(1, BEN, BEN, CLEO), 1.0), WIM) == [
        elect_host(1, BEN, BEN, CLEO)
    ]
    assert messages_to(part.receive(WIM, rally(), 2.0), WIM) == [elect_host(1, BEN, BEN, CLEO)]
    part.note_departure(WIM)
    assert not messages_to(part.receive(BEN, elect_host(2, BEN, BEN, CLEO), 3.0), WIM)
    assert not part.receive(WIM, GivenUp(2), 4.0)


def test_a_watchers_program_stands_nowhere_and_follows_whom_more_than_half_elected() -> None:
    part = Election(key_of(WIM), LogCopy(), WIM, TABLE, 0, host=ANN)
    part.set_electors(ELECTORS)
    part.note_link(BEN)
    for second in range(30):
        told = messages_to(part.tick(float(second), alarmed=True), BEN)
        assert not any(isinstance(one, Rally) and one.alarmed for one in told)
    assert not part.receive(BEN, VoteWanted(1, (ANN, BEN, CLEO), 0, 0, 0, 5), 30.0)
    assert not part.receive(BEN, elect_host(1, BEN, BEN), 30.0)
    assert isinstance(part.receive(BEN, elect_host(1, BEN, BEN, CLEO), 30.0)[-1], Follow)


def test_who_was_away_when_somebody_sat_down_follows_those_whom_they_know() -> None:
    everybody = (ANN, BEN, CLEO, WIM)
    about = 1, BEN, print_of(BEN), everybody

    def show_mandate(*voters: int) -> Elected:
        statement = vote_statement(TABLE, *about)
        ballots = tuple(Ballot(one, key_of(one).sign(statement)) for one in voters)
        return Elected(Mandate(*about, ballots), 7341, (bytes(4),))

    part = election(ANN)
    assert not part.receive(BEN, show_mandate(BEN, CLEO), 0.0), "two of four"
    assert not part.receive(BEN, show_mandate(BEN, WIM, STRANGER), 0.0), (
        "one of the three who are known"
    )
    assert isinstance(part.receive(BEN, show_mandate(BEN, CLEO, WIM), 0.0)[-1], Follow)


def test_who_has_voted_for_a_host_counts_that_vote_although_the_mandate_has_others() -> None:
    everybody, about = (ANN, BEN, CLEO, WIM, STRANGER), (1, BEN, print_of(BEN))
    statement = vote_statement(TABLE, *about, everybody)
    voters = (BEN, CLEO, STRANGER)
    ballots = tuple(Ballot(one, key_of(one).sign(statement)) for one in voters)
    shown = Elected(Mandate(*about, everybody, ballots), 7341, (bytes(4),))
    known = (*ELECTORS, Elector(WIM, key_of(WIM).public, print_of(WIM), 7350, (bytes(4),)))
    voted, other, away = election(ANN), election(ANN), election(ANN)
    voted.pledge, other.pledge = Pledge(1, BEN, bound=1), Pledge(1, CLEO, bound=1)
    for part in (voted, other, away):
        part.electors = known
    assert not other.receive(BEN, shown, 0.0), "two of the four who are known"
    assert not away.receive(BEN, shown, 0.0)
    assert isinstance(voted.receive(BEN, shown, 0.0)[-1], Follow)


def test_no_vote_is_claimed_that_was_never_given() -> None:
    pledge = Pledge().add_vote(1, CLEO, own=ANN).add_vote(2, BEN, own=ANN)
    assert pledge.has_voted(mandate_of(1, CLEO, BEN, CLEO))
    assert pledge.has_voted(mandate_of(2, BEN, BEN, CLEO))
    freed = pledge.without(2, BEN)
    assert freed.has_voted(mandate_of(1, CLEO, BEN, CLEO))
    assert not freed.has_voted(mandate_of(2, CLEO, BEN, CLEO))
    assert not freed.without(1, CLEO).has_voted(mandate_of(2, CLEO, BEN, CLEO))


def test_whom_we_dial_is_shown_who_was_elected_if_they_may_not_know_it() -> None:
    part, now = election(BEN), elect_host(1, CLEO, BEN, CLEO)
    assert not any(isinstance(one, Elected) for one in messages_to(part.note_link(CLEO), CLEO))
    part.receive(CLEO, now, 0.0)
    assert now in messages_to(part.note_link(ANN), ANN)
    part.receive(ANN, rally(term=1), 1.0)
    assert now not in messages_to(part.note_link(ANN), ANN)
