"""One program's part in an election, message by message: whom it votes for, and when it stands."""

from __future__ import annotations

import pytest
from msgspec import structs
from msgspec.structs import replace

from net.client.pledge import Pledge
from net.protocol.election import (
    Elector,
    GivenUp,
    VoteWanted,
)
from net.protocol.messages import LogPart, LogWanted
from net.takeover.election import Election
from net.takeover.election_acts import (
    CALLED_S,
    GRACE_S,
    HEAD_START_S,
    OPENING_S,
    STAND_BACK_S,
    VOTING_S,
    Act,
    Follow,
    KeepPledge,
    Say,
    TakeOver,
)
from tests.net.takeover.electors import (
    ANN,
    BEN,
    CLEO,
    ELECTORS,
    FOUNDING,
    copy_of,
    election,
    mandate_of,
    messages_to,
    rally,
    standing,
    vote_of,
)

# Standing.


def test_with_more_than_half_the_first_in_order_asks_for_votes_and_takes_over() -> None:
    part, wanted = standing()
    assert wanted == VoteWanted(1, (ANN, BEN, CLEO), 0, 0, 0, 5)
    acts = part.receive(CLEO, vote_of(CLEO, wanted), 1.0)
    assert [type(act) for act in acts] == [KeepPledge, TakeOver]
    assert part.pledge.opening == 1
    follow = part.announce_table(mandate_of(1, BEN, BEN, CLEO), 7341, ())
    assert isinstance(follow[-1], Follow)
    assert not follow[-1].was_ours
    assert part.term == 1


def test_alone_nobody_stands() -> None:
    part = election(BEN)
    for second in range(60):
        assert not part.tick(float(second), alarmed=True)
    assert not part.has_majority


def test_those_who_do_not_miss_the_host_or_are_at_another_are_no_backers() -> None:
    part = election(BEN)
    part.tick(0.0, alarmed=True)
    part.receive(CLEO, structs.replace(rally(), alarmed=False), 0.0)
    assert not part.tick(5.0, alarmed=True)
    part.receive(CLEO, rally(term=1), 5.0)
    assert not part.tick(10.0, alarmed=True)


def test_the_second_in_order_stands_back_for_the_first_while_it_is_heard_of() -> None:
    part = election(CLEO)
    part.note_link(BEN)
    part.tick(0.0, alarmed=True)
    part.receive(ANN, rally(), 0.0)
    assert not messages_to(part.tick(GRACE_S, alarmed=True), ANN)
    assert messages_to(part.tick(GRACE_S + STAND_BACK_S, alarmed=True), ANN)


def test_it_does_not_stand_back_for_one_who_could_not_be_elected() -> None:
    part, more = election(CLEO), election(CLEO)
    for one, rallied in ((part, 0), (more, 1)):
        one.tick(0.0, alarmed=True)
        one.receive(BEN, structs.replace(rally(), rallied=rallied), 0.0)
    assert messages_to(part.tick(GRACE_S, alarmed=True), BEN)
    assert not messages_to(more.tick(GRACE_S, alarmed=True), BEN)


def test_whoever_has_no_copy_or_does_not_listen_or_is_the_host_never_stands() -> None:
    blank, deaf, host = election(BEN, 0), election(BEN), election(ANN)
    deaf.electors = tuple(replace_port(one) if one.member == BEN else one for one in ELECTORS)
    for part in (blank, deaf, host):
        part.tick(0.0, alarmed=True)
        part.receive(CLEO, rally(), 0.0)
        assert not messages_to(part.tick(30.0, alarmed=True), CLEO)


def replace_port(elector: Elector) -> Elector:
    """The same elector, whose program does not listen."""
    return structs.replace(elector, port=0)


def test_two_people_elect_nobody() -> None:
    part = election(BEN)
    part.electors = ELECTORS[:2]
    part.tick(0.0, alarmed=True)
    part.receive(ANN, rally(), 0.0)
    assert not part.tick(30.0, alarmed=True)


def test_whoever_the_host_names_stands_at_once_and_the_others_leave_them_a_head_start() -> None:
    named, first = election(CLEO), election(BEN)
    for part in (named, first):
        part.call(CLEO, 0.0)
        part.tick(0.0, alarmed=False)
    assert isinstance(messages_to(named.receive(BEN, rally(), 0.0), BEN)[-1], VoteWanted)
    first.receive(CLEO, rally(), 0.0)
    assert not first.tick(HEAD_START_S - 0.1, alarmed=False)
    assert messages_to(first.tick(HEAD_START_S, alarmed=False), CLEO)


def test_a_table_that_is_handed_over_in_vain_goes_on_with_its_host() -> None:
    part = election(BEN)
    part.call(CLEO, 0.0)
    part.tick(1.0, alarmed=False)
    part.tick(CALLED_S, alarmed=False)
    assert part.called is None
    assert not part.pledge.bound


def test_a_candidate_without_a_majority_gives_up_and_its_voters_are_free() -> None:
    part, wanted = standing()
    voter = election(CLEO)
    voter.tick(0.0, alarmed=True)
    voter.receive(BEN, wanted, 0.5)
    assert voter.is_bound
    acts = part.tick(GRACE_S + VOTING_S, alarmed=True)
    assert GivenUp(1) in messages_to(acts, CLEO)
    assert not part.pledge.bound
    assert voter.receive(BEN, GivenUp(1), 3.0) == [KeepPledge(Pledge(1, BEN))]
    assert not voter.pledge.bound
    assert not voter.receive(BEN, GivenUp(1), 3.0), "once"
    assert not part.receive(CLEO, vote_of(CLEO, wanted), 3.0), "a late vote counts no longer"


def test_two_who_split_the_votes_do_not_stand_at_the_same_moments_again_and_again() -> None:
    first, second = candidacies(BEN), candidacies(CLEO)
    assert len(first) > 10
    assert len(second) > 10
    together = [one for one in first[1:] if min(abs(one - other) for other in second[1:]) < 0.2]
    assert len(together) < len(first) / 2


def candidacies(member: int) -> list[float]:
    """When a program stands that has backers, knows of nobody before it, and gets no votes."""
    part, other, times = election(member), CLEO if member == BEN else BEN, list[float]()
    part.electors = tuple(structs.replace(one, reachable=one.member == member) for one in ELECTORS)
    for tick in range(240):
        now = tick / 4
        told = messages_to(part.receive(other, rally(), now), other)
        told += messages_to(part.tick(now, alarmed=True), other)
        times += [now for one in told if isinstance(one, VoteWanted)]
    return times


def test_a_voter_who_did_not_hear_of_it_is_told_when_it_rallies() -> None:
    part, _ = standing()
    part.tick(GRACE_S + VOTING_S, alarmed=True)
    assert GivenUp(1) in messages_to(part.receive(CLEO, rally(bound=1), 3.0), CLEO)


def test_a_candidate_whose_host_is_back_gives_up() -> None:
    part, _ = standing()
    part.follow(0, CLEO)  # an earlier one of the same term
    assert not part.is_bound or GivenUp(1) in messages_to(part.tick(0.6, alarmed=True), CLEO)


def test_a_table_that_does_not_open_here_sets_all_free() -> None:
    part, wanted = standing()
    part.receive(CLEO, vote_of(CLEO, wanted), 1.0)
    assert GivenUp(1) in messages_to(part.give_up(), CLEO)
    assert part.pledge == Pledge(1, BEN)
    assert not part.give_up()


def test_a_table_that_was_given_up_while_it_opened_is_not_announced() -> None:
    part, wanted = standing()
    part.receive(CLEO, vote_of(CLEO, wanted), 1.0)
    hers = VoteWanted(2, (ANN, BEN, CLEO), 0, 0, 0, 5)
    acts = part.receive(CLEO, hers, 1.0 + OPENING_S)
    assert GivenUp(1) in messages_to(acts, CLEO), "who is free again may go back to the old host"
    part.receive(CLEO, GivenUp(2), 2.0 + OPENING_S)
    assert not part.is_bound
    assert not part.announce_table(mandate_of(1, BEN, BEN, CLEO), 7341, ())
    assert part.term == 0


def test_a_candidate_whose_copy_was_no_past_of_the_table_opens_nothing() -> None:
    part, wanted = standing()
    part.copy.forget()
    acts = part.receive(CLEO, vote_of(CLEO, wanted), 1.0)
    assert not any(isinstance(act, TakeOver) for act in acts)
    assert GivenUp(1) in messages_to(acts, CLEO)
    assert not part.is_bound


def at_sealed_table(*, bound: int = 0, cleo_bound: int = 0) -> Election:
    """A program at a table that waits for people, after a rally of another."""
    part = election(BEN)
    part.pledge = Pledge(bound, ANN, bound=bound)
    part.tick(0.0, alarmed=False, sealed=True)
    part.receive(CLEO, rally(bound=cleo_bound), 0.1)
    return part


def test_a_table_that_is_sealed_is_no_reason_to_stand_unless_somebody_there_is_bound() -> None:
    assert not messages_to(at_sealed_table().tick(60.0, alarmed=False, sealed=True), CLEO)
    for part in (at_sealed_table(cleo_bound=4), at_sealed_table(bound=4)):
        told = messages_to(part.tick(60.0, alarmed=False, sealed=True), CLEO)
        assert [one.term for one in told if isinstance(one, VoteWanted)] == [5]
    gone = at_sealed_table()
    assert messages_to(gone.tick(60.0, alarmed=True, sealed=True), CLEO), "its host is gone, too"


def test_whoever_is_at_a_sealed_table_votes_for_a_host_who_frees_those_who_are_bound() -> None:
    part = election(CLEO)
    part.tick(0.0, alarmed=False, sealed=True)
    wanted = VoteWanted(5, (ANN, BEN, CLEO), 0, 0, 0, 5)
    assert messages_to(part.receive(BEN, wanted, 1.0), BEN) == [vote_of(CLEO, wanted)]


# Voting.


def test_a_vote_is_written_down_before_it_is_sent() -> None:
    part = election(CLEO)
    part.tick(0.0, alarmed=True)
    acts = part.receive(BEN, VoteWanted(1, (ANN, BEN, CLEO), 0, 0, 0, 5), 1.0)
    assert [type(act) for act in acts] == [KeepPledge, Say]
    assert part.pledge == Pledge(1, BEN, bound=1)


@pytest.mark.parametrize(
    "wanted",
    [
        VoteWanted(1, (ANN, BEN, CLEO), 0, 0, 0, 4),
        VoteWanted(0, (ANN, BEN, CLEO), 0, 0, 0, 5),
        VoteWanted(1, (BEN, CLEO), 0, 0, 0, 5),
        VoteWanted(1, (ANN, BEN, 4), 0, 0, 0, 5),
    ],
    ids=["behind", "no new term", "too few", "others"],
)
def test_nobody_votes_for_one_who_has_seen_less_or_counts_other_electors(
    wanted: VoteWanted,
) -> None:
    part = election(CLEO)
    part.tick(0.0, alarmed=True)
    assert not part.receive(BEN, wanted, 1.0)


def test_nobody_votes_who_has_a_host_or_no_copy_or_for_one_who_does_not_listen() -> None:
    wanted = VoteWanted(1, (ANN, BEN, CLEO), 0, 0, 0, 5)
    calm, blank, other = election(CLEO), election(CLEO, 0), election(CLEO)
    for part in (blank, other):
        part.tick(0.0, alarmed=True)
    assert not calm.receive(BEN, wanted, 1.0)
    assert not blank.receive(BEN, wanted, 1.0)
    assert not other.receive(ANN, wanted, 1.0), "the host that is gone"


def test_a_program_votes_once_a_term_and_again_for_the_same() -> None:
    part = election(BEN)
    part.tick(0.0, alarmed=True)
    wanted = VoteWanted(1, (ANN, BEN, CLEO), 0, 0, 0, 5)
    assert messages_to(part.receive(CLEO, wanted, 1.0), CLEO)
    assert messages_to(part.receive(CLEO, wanted, 1.0), CLEO), "it may have been lost"
    part.electors = (*ELECTORS, structs.replace(ELECTORS[0], member=4))
    assert not part.receive(4, structs.replace(wanted, electors=(1, 2, 3, 4)), 1.0)


def test_after_a_vote_it_does_not_stand_itself_for_a_while() -> None:
    part = election(BEN)
    part.tick(0.0, alarmed=True)
    part.receive(CLEO, VoteWanted(1, (ANN, BEN, CLEO), 0, 0, 0, 5), 1.0)
    part.receive(CLEO, rally(), 1.0)
    assert not part.tick(OPENING_S, alarmed=True)
    assert part.tick(1.0 + OPENING_S, alarmed=True)


# Copies.


def test_the_copy_of_one_who_has_seen_more_is_taken_over_first() -> None:
    part, more = election(BEN), copy_of(7)
    part.tick(0.0, alarmed=True)
    part.receive(CLEO, rally(7), 0.1)
    acts = part.tick(GRACE_S, alarmed=True)
    assert messages_to(acts, CLEO) == [LogWanted(0)]
    payloads = tuple(more.steps)
    acts = part.receive(CLEO, LogPart(1, FOUNDING, payloads[:3]), 0.4)
    assert messages_to(acts, CLEO) == [LogWanted(3)]
    acts = part.receive(CLEO, LogPart(4, b"", payloads[3:]), 0.4)
    (wanted,) = [one for one in messages_to(acts, CLEO) if isinstance(one, VoteWanted)]
    assert wanted.steps == 7
    (taken,) = [
        act for act in part.receive(CLEO, vote_of(CLEO, wanted), 0.5) if isinstance(act, TakeOver)
    ]
    assert list(taken.steps) == more.steps


def test_a_copy_that_was_fetched_is_given_on_by_who_says_to_have_it() -> None:
    part, more = election(BEN), copy_of(7)
    part.tick(0.0, alarmed=True)
    part.receive(CLEO, rally(7), 0.1)
    part.tick(GRACE_S, alarmed=True)
    part.receive(CLEO, LogPart(1, FOUNDING, tuple(more.steps)), 0.4)
    assert messages_to(part.receive(CLEO, LogWanted(5), 0.5), CLEO) == [more.part(5)]


def test_after_a_vote_in_vain_the_copy_of_one_who_has_seen_more_is_asked_for() -> None:
    part, told = election(CLEO, 5), list[Act]()
    part.tick(0.0, alarmed=True)
    part.receive(BEN, rally(5), 0.1)  # and then its laptop is off, which nobody notices
    part.receive(ANN, rally(7), 0.1)
    for tenths in range(200):
        acts = part.tick(tenths / 10, alarmed=True)
        told += acts
        if GivenUp in map(type, messages_to(acts, ANN)):
            break
    assert LogWanted(0) not in messages_to(told, ANN)
    for again in range(tenths, tenths + 200):
        told += part.tick(again / 10, alarmed=True)
    assert LogWanted(0) in messages_to(told, ANN)


def test_who_gives_less_than_they_say_to_have_is_asked_again_by_the_clock_alone() -> None:
    part, given = election(BEN), LogPart(1, FOUNDING, tuple(copy_of(7).steps[:3]))
    part.tick(0.0, alarmed=True)
    part.receive(CLEO, rally(7), 0.1)
    asked = messages_to(part.tick(GRACE_S, alarmed=True), CLEO)
    assert messages_to(part.receive(CLEO, given, 0.4), CLEO) == [LogWanted(3)]
    for nothing in (given, LogPart(4, b"", ())):
        assert not part.receive(CLEO, nothing, 0.5)
    assert asked == [LogWanted(0)]
    assert messages_to(part.tick(GRACE_S + 1.0, alarmed=True), CLEO) == [LogWanted(3)]


def test_a_copy_that_nobody_asked_for_is_left_alone() -> None:
    part = election(BEN)
    assert not part.receive(CLEO, LogPart(1, FOUNDING, ()), 0.0)


def test_a_copy_is_given_in_parts_and_only_if_there_is_one() -> None:
    part = election(CLEO, 400)
    (told,) = messages_to(part.receive(BEN, LogWanted(0), 0.0), BEN)
    assert isinstance(told, LogPart)
    assert 0 < len(told.steps) < 400
    assert not election(CLEO, 0).receive(BEN, LogWanted(0), 0.0)


# What is told and kept.


def test_each_successor_is_told_once_and_again_when_something_is_new() -> None:
    part = election(CLEO)
    assert messages_to(part.note_link(BEN), BEN)
    assert not part.tick(0.0, alarmed=False)
    assert messages_to(part.tick(0.0, alarmed=True), BEN)
    part.note_unlink(BEN)
    assert not part.tick(1.0, alarmed=False)


def test_a_host_that_was_restarted_does_not_make_us_forget_where_others_listen() -> None:
    part = election(CLEO)
    part.set_electors(tuple(map(replace_port, ELECTORS)))
    assert part.electors == tuple(
        structs.replace(one, fingerprint=one.fingerprint) for one in ELECTORS
    )
    part.note_departure(BEN)


def test_what_is_promised_outlives_the_program_but_not_a_candidacy() -> None:
    part, _ = standing()
    again = election(BEN)
    again.restore(part.standing, has_opened=False)
    assert again.pledge == replace(part.pledge, bound=0)
    opened = replace(part.pledge, opening=1)
    assert opened.after_restart(BEN, has_opened=True) == opened
    assert opened.after_restart(BEN, has_opened=False).bound == 0
    assert Pledge(1, CLEO, bound=1).after_restart(BEN, has_opened=False).bound == 1


def test_who_cannot_be_reached_is_the_last_in_order_and_named() -> None:
    part = election(ANN)
    part.set_electors(tuple(structs.replace(one, reachable=one.member != BEN) for one in ELECTORS))
    assert [one.member for one in part.successors] == [CLEO, BEN]
    assert part.cannot_host == {BEN}
    part.set_electors(tuple(structs.replace(one, port=0, reachable=False) for one in ELECTORS))
    assert [one.port for one in part.electors] == [7350] * 3, "a host that was restarted forgot it"
    assert part.cannot_host == {BEN, CLEO}
    part.set_electors(ELECTORS[:2])
    assert not part.cannot_host, "the table cannot go on anyway"


def test_a_guest_at_a_door_whose_program_listens_nowhere_is_no_news() -> None:
    part = election(ANN)
    at_door = structs.replace(ELECTORS[2], fingerprint=b"", port=0, reachable=False)
    part.peers.clear()
    part.set_electors((*ELECTORS[:2], at_door))
    assert part.is_possible()
    assert not part.cannot_host


def test_nobody_votes_for_a_candidate_with_an_older_list_of_electors() -> None:
    part = election(CLEO)
    part.list_number = (0, 3)
    part.tick(0.0, alarmed=True)
    assert not part.receive(BEN, VoteWanted(1, (ANN, BEN, CLEO), 0, 2, 0, 5), 1.0)
    assert part.receive(BEN, VoteWanted(1, (ANN, BEN, CLEO), 0, 3, 0, 5), 1.0)


def test_an_earlier_candidate_that_gives_up_binds_no_more() -> None:
    part = election(CLEO)
    part.pledge = Pledge(3, ANN, 3, earlier=((1, BEN),))
    assert part.receive(BEN, GivenUp(1), 1.0) == [KeepPledge(Pledge(3, ANN, 3))]
    assert not part.receive(BEN, GivenUp(1), 1.0)
