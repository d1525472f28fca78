"""Who elects a new host, who may become it, and how many are more than half."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from net.protocol.lobby import THE_TABLE, Presence, Settings, Stage
from net.protocol.lobby_events import (
    HostChanged,
    PresenceChanged,
)
from net.room.fold import apply
from net.room.succession import (
    electors,
    has_successors,
    is_majority,
    is_outnumbered,
    patience_for,
    successors,
)
from tests.net.room.room_fixture import Table

ANN, BEN, CLEO = 1, 2, 3


def table_of(*names: str) -> Table:
    """Return a table at which these people sit, the first of them its host."""
    table = Table(Settings(seats=5))
    for name in names:
        table.come(name)
    return table


def test_those_with_seats_elect_and_all_but_the_host_succeed_by_seat() -> None:
    table = table_of("Ann", "Ben", "Cleo")
    table.come("Wim", watch=True)
    assert electors(table.lobby) == (ANN, BEN, CLEO)
    assert successors(table.lobby) == (BEN, CLEO)
    assert successors(apply(table.lobby, HostChanged(BEN, 1))) == (ANN, CLEO)


def test_a_table_of_two_has_no_successors_as_nobody_is_more_than_half() -> None:
    assert not has_successors(table_of("Ann", "Ben").lobby)
    assert has_successors(table_of("Ann", "Ben", "Cleo").lobby)


@pytest.mark.parametrize(
    ("some", "all_of_them"), [((1, 2), (1, 2, 3, 4)), ((1, 9), (1, 2, 3)), ((), ())]
)
def test_half_of_the_electors_are_no_majority(
    some: tuple[int, ...], all_of_them: tuple[int, ...]
) -> None:
    assert not is_majority(some, all_of_them)
    assert is_majority((1, 2), (1, 2, 3))


def test_a_host_who_hears_from_no_more_than_half_is_outnumbered() -> None:
    lobby = table_of("Ann", "Ben", "Cleo").lobby
    one_shaky = apply(lobby, PresenceChanged(BEN, Presence.SHAKY))
    assert not is_outnumbered(lobby)
    assert not is_outnumbered(one_shaky)
    assert is_outnumbered(apply(one_shaky, PresenceChanged(CLEO, Presence.GONE)))


def test_a_nights_game_which_has_no_host_in_person_waits_a_minute_longer_for_its_club() -> None:
    lobby = table_of("Ann", "Ben", "Cleo").lobby
    playing = replace(lobby, stage=Stage.PLAYING)
    assert patience_for(lobby) == patience_for(playing) == 0
    assert patience_for(replace(lobby, host=THE_TABLE)) == 0, "a table before its host has come"
    assert patience_for(replace(playing, host=THE_TABLE)) == 60


def test_at_a_table_of_two_nobody_is_outnumbered() -> None:
    lobby = table_of("Ann", "Ben").lobby
    assert not is_outnumbered(apply(lobby, PresenceChanged(BEN, Presence.GONE)))


def test_a_new_host_waits_for_all_and_gives_up_the_draw_under_way() -> None:
    lobby = apply(table_of("Ann", "Ben", "Cleo").lobby, HostChanged(BEN, 4))
    assert (lobby.host, lobby.term) == (BEN, 4)
    assert {person.presence for person in lobby.people} == {Presence.GONE}
