"""The list of electors: it changes by one, and only once more than half have heard of the last."""

from __future__ import annotations

from itertools import product

import pytest

from net.client.log_copy import LogCopy
from net.protocol.election import Electors, Standby
from net.protocol.lobby import Lobby, Settings
from net.protocol.lobby_events import ElectorChanged, HostChanged
from net.protocol.messages import HostMessage, Ping, StepFrame
from net.protocol.requests import Kick, Leave
from net.room.fold import apply
from net.room.succession import electors, find_entitled, is_majority, is_outnumbered
from net.room.validation import can_be_told
from net.secure.keys import SeatKey
from net.takeover.election import Election
from tests.net.room.room_fixture import Guest, Table

ANN, BEN, CLEO, DAN, EVE = 1, 2, 3, 4, 5


class Cut(Table):
    """A table from which the frames to some people, and theirs, are lost."""

    def __init__(self, seats: int = 8) -> None:
        super().__init__(Settings(seats=seats))
        self.cut: set[str] = set()

    def hear(self, connected: Guest, message: HostMessage) -> None:
        if connected.name not in self.cut:
            super().hear(connected, message)

    def known_electors(self, name: str) -> tuple[int, ...]:
        """The electors that somebody's program knows."""
        lobby = self.people[name].client.status.lobby
        assert lobby is not None
        return electors(lobby)


def table_of(*names: str) -> Cut:
    """A table at which these people sit."""
    table = Cut()
    for name in names:
        table.come(name)
    return table


def test_who_sits_down_becomes_an_elector_once_more_than_half_have_heard_of_the_last_one() -> None:
    table = table_of("Ann", "Ben", "Cleo")
    assert electors(table.lobby) == (ANN, BEN, CLEO)
    table.cut = {"Ben", "Cleo"}
    table.come("Dan")
    table.come("Eve")
    assert electors(table.lobby) == (ANN, BEN, CLEO, DAN)
    assert find_entitled(table.lobby) == (ANN, BEN, CLEO, DAN, EVE)
    table.cut = set()
    table.say(table.people["Ben"], Ping(table.room.state.number))
    assert electors(table.lobby) == (ANN, BEN, CLEO, DAN, EVE)


def test_no_two_majorities_without_anybody_in_common_go_on_at_the_same_time() -> None:
    table = table_of("Ann", "Ben", "Cleo")
    table.cut = {"Ben", "Cleo"}
    for name in ("Dan", "Eve"):
        table.come(name)
    table.wait(11, "Ben", "Cleo")
    assert is_majority({BEN, CLEO}, table.known_electors("Ben")), "they may elect one of them"
    assert is_outnumbered(table.lobby), "so the host makes no move, though three of five are there"


@pytest.mark.parametrize("cut", [*product((False, True), repeat=3)])
def test_two_lists_by_which_two_hosts_could_be_elected_are_never_known_at_once(
    cut: tuple[bool, ...],
) -> None:
    table = table_of("Ann", "Ben", "Cleo", "Dan")
    others = ["Ben", "Cleo", "Dan"]
    table.cut = {name for name, is_cut in zip(others, cut, strict=True) if is_cut}
    for name in ("Eve", "Fay", "Gus"):
        table.come(name)
    lobbies = [one.client.status.lobby for one in table.people.values()]
    for one, other in product(lobbies, repeat=2):
        assert one is not None
        assert other is not None
        those = voters_for(lobbies, one), voters_for(lobbies, other)
        if not those[0] & those[1]:
            assert not (
                is_majority(those[0], one.electors) and is_majority(those[1], other.electors)
            )


def voters_for(lobbies: list[Lobby | None], listed: Lobby) -> set[int]:
    """The members who would vote for a candidate with this list: those who know of no newer one."""
    number = (listed.term, listed.changes)
    return {
        member
        for member, lobby in enumerate(lobbies, 1)
        if lobby is not None and (lobby.term, lobby.changes) <= number
    }


def test_nobody_votes_for_a_candidate_whose_list_is_older_than_their_own() -> None:
    table = table_of("Ann", "Ben", "Cleo")
    part = Election(SeatKey(bytes(32)), LogCopy(), CLEO)
    lobby = table.lobby
    assert part.note_list(lobby)
    assert not part.note_list(lobby)
    assert list(part.members) == [ANN, BEN, CLEO]
    assert part.list_number == (0, 3)
    assert part.note_list(apply(lobby, ElectorChanged(BEN, elects=False)))
    assert list(part.members) == [ANN, CLEO]
    assert not part.note_list(lobby), "it is older"
    assert list(part.members) == [ANN, CLEO]


def test_who_leaves_for_good_is_an_elector_no_more_and_holds_up_nobody() -> None:
    table = table_of("Ann", "Ben", "Cleo", "Dan", "Eve")
    for name in ("Ben", "Cleo", "Dan"):
        assert table.wants(name, Leave()) is None
    table.wait(3)
    assert electors(table.lobby) == (ANN, EVE)


def test_whoever_is_sent_away_while_cut_off_may_still_vote_with_the_others() -> None:
    table = table_of("Ann", "Ben", "Cleo", "Dan", "Eve")
    table.cut = {"Cleo", "Dan", "Eve"}
    for member in (CLEO, DAN):
        assert table.wants("Ann", Kick(member)) is None
    table.wait(3, "Cleo", "Dan", "Eve")
    assert find_entitled(table.lobby) == (ANN, BEN, EVE)
    assert electors(table.lobby) == (ANN, BEN, EVE, DAN), "one after the other"
    told = [one for one in table.people["Ben"].got if isinstance(one, Electors)][-1]
    assert [one.key for one in told.electors if one.member == DAN] == [bytes(32)]
    assert not is_outnumbered(table.lobby), "those who are left decided to go on"


def test_a_new_host_is_heard_of_before_the_electors_change() -> None:
    table = table_of("Ann", "Ben", "Cleo")
    acknowledged = table.room.acknowledged
    acknowledged.follow(99, (HostChanged(BEN, 1),))
    lobby = apply(table.lobby, ElectorChanged(CLEO, elects=False))
    assert acknowledged.next_change(lobby) is None
    for member in (ANN, BEN):
        acknowledged.note(member, 99)
    assert acknowledged.next_change(lobby) == ElectorChanged(CLEO, elects=True)


def test_a_list_has_nobody_twice_and_no_more_than_there_are_seats() -> None:
    lobby = table_of("Ann", "Ben").lobby
    assert not can_be_told(lobby, ElectorChanged(BEN, elects=True))
    assert not can_be_told(lobby, ElectorChanged(CLEO, elects=False))
    assert can_be_told(lobby, ElectorChanged(CLEO, elects=True))
    for event in (ElectorChanged(BEN, elects=True), ElectorChanged(CLEO, elects=False)):
        with pytest.raises(LookupError):
            apply(lobby, event)
    for member in range(3, 11):
        lobby = apply(lobby, ElectorChanged(member, elects=True))
    with pytest.raises(LookupError):
        apply(lobby, ElectorChanged(11, elects=True))


def test_a_program_acknowledges_a_change_at_once() -> None:
    table = table_of("Ann", "Ben")
    ben = table.people["Ben"]
    before = len(ben.got)
    table.come("Cleo")
    changed = [
        received
        for told, received in zip(ben.got[before:], ben.received[before:], strict=True)
        if isinstance(told, StepFrame)
        and any(isinstance(one, ElectorChanged) for one in told.lobby_events)
    ]
    assert changed
    assert all(any(isinstance(one, Ping) for one in received.send) for received in changed)


def test_who_says_another_address_without_end_is_passed_on_a_few_times_a_minute() -> None:
    table = table_of("Ann", "Ben", "Cleo", "Dan")
    ben, cleo = table.people["Ben"], table.people["Cleo"]
    before = len(cleo.got)
    for number in range(1200):
        table.now += 0.05
        table.say(ben, Standby(bytes(32), 2000 + number, (bytes(4),)))
    told = [one for one in cleo.got[before:] if isinstance(one, Electors)]
    assert len(told) <= 8 + 60 / 5
    (last,) = [one for one in told[-1].electors if one.member == BEN]
    before = len(cleo.got)
    table.say(ben, Standby(bytes(32), last.port, (bytes(4),)))
    assert len(cleo.got) == before, "that is no news"
