"""Seats to which nobody has come as a table moved, and that newcomers of that name ask for."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace

from engine.state import Phase
from net.client.trail import is_possible_lobby
from net.protocol import lobby_events as events
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import MAX_PEOPLE, Deserted, Free, Lobby, Presence, Settings, TablePhase
from net.protocol.messages import NOTHING_SEEN, CloseReason, CommitShare, EnterTable, Refusal
from net.protocol.requests import HandOver, Kick, Leave, Sit, StandUp
from net.room.handlers import decide_entry
from net.room.steps import Step
from tests.net.room.moved_table import go_on_at, lose_host, move_to
from tests.net.room.room_fixture import (
    Guest,
    Table,
    key_of,
    play_on,
    three_after_moves,
    three_in_lobby,
)

ANN, BEN, CLEO, WIM, PHONE = 1, 2, 3, 4, 5
LONG = Settings(seats=3, rounds=3)
GIVE = HandOver(0, PHONE)


def at_ben() -> Table:
    """A table that goes on at Ben's computer; Ann's is gone, and her cards were drawn again."""
    there = go_on_at(three_after_moves(4, LONG), "Ben", "Cleo")
    there.come("Wim", watch=True)
    assert there.lobby.relocations[-1].anew == (0,)
    return there


def comes_as(table: Table, name: str, device: str = "Ann 2", *, watch: bool = False) -> Guest:
    """Somebody comes with this name, from a device with a key of its own; or comes back."""
    known = table.people.pop(name, None)
    if device in table.people:
        table.people[name] = table.people[device]
    guest = table.come(name, key=key_of(device), watch=watch)
    del table.people[name]
    table.people[device] = guest
    if known is not None:
        table.people[name] = known
    return guest


def lend_seat() -> tuple[Table, Guest]:
    """The same once Ben has given Ann's seat to a newcomer, who is there."""
    there = at_ben()
    phone = comes_as(there, "Ann")
    assert there.wants("Ben", GIVE) is None
    return there, phone


def between_rounds() -> Table:
    """The same after the round in which the table moved."""
    there, _phone = lend_seat()
    play_on(there)
    return there


def drop_and_wait(table: Table, name: str) -> None:
    """Somebody's connection is cut, and they are missed after a while."""
    table.drop(name)
    table.wait(11, name)


def test_a_newcomer_with_the_name_of_somebody_gone_has_the_seat_once_the_host_says_yes() -> None:
    there = at_ben()
    drawn = there.game.view(0)
    phone = comes_as(there, "Ann")
    assert events.SeatAsked(0, PHONE) in there.people["Ben"].news
    assert there.lobby.find_person(PHONE).name == "Ann 2"
    assert there.wants("Ben", GIVE) is None
    assert phone.view == drawn
    assert there.lobby.name_at(0) == there.lobby.find_person(PHONE).name == "Ann"
    play_on(there, 3, "random")
    assert there.people["Cleo"].view.table == phone.view.table


def test_somebody_who_is_given_their_seat_has_its_name_also_in_the_table_of_the_evening() -> None:
    there = between_rounds()
    while there.room.state.phase is not Phase.OVER:
        there.ready("Ben", "Cleo", "Ann 2")
        play_on(there)
    assert sorted(row.name for row in there.lobby.evening.rows) == ["Ann", "Ben", "Cleo"]
    ann = there.come("Ann")
    assert there.lobby.find_person(ann.member).name == "Ann"
    assert there.lobby.find_person(PHONE).name == "Ann 2"


def test_in_the_lobby_of_a_new_host_a_newcomer_with_the_name_of_somebody_gone_asks_too() -> None:
    there = go_on_at(three_in_lobby(LONG), "Ben", "Cleo")
    assert there.lobby.deserted == (Deserted(0, ANN),)
    phone = there.come("Ann", key=key_of("phone"))
    assert there.lobby.asking_for(0) == (PHONE,)
    assert there.lobby.players == 3
    assert there.wants("Cleo", GIVE) is Refusal.HOST_ONLY
    assert there.wants("Ben", GIVE) is None
    assert phone.client.status.seat == 0
    assert there.lobby.name_at(0) == "Ann"


def test_before_a_game_the_host_gives_a_seat_to_who_came_back_and_sits_elsewhere() -> None:
    table = three_in_lobby(LONG)
    drop_and_wait(table, "Cleo")
    phone = comes_as(table, "Cleo 2", "phone")
    assert phone.client.status.seat == 3
    assert table.wants("Ann", HandOver(2, phone.member)) is None
    assert table.lobby.name_at(2) == "Cleo"
    assert table.lobby.free_seats == (3,)


def test_somebody_who_asks_for_a_seat_sees_what_a_watcher_sees_and_cannot_take_it() -> None:
    there = at_ben()
    phone = comes_as(there, "Ann")
    for _ in range(2):
        assert phone.view == there.people["Wim"].view
        assert there.wants("Ann 2", GIVE) is Refusal.HOST_ONLY
        assert there.wants("Cleo", GIVE) is Refusal.HOST_ONLY
        assert there.wants("Ann 2", Sit(0)) is Refusal.NOT_NOW
        play_on(there, 1, "random")
    assert there.lobby.find_person(ANN).presence is Presence.GONE
    assert there.lobby.name_at(0) == "Ann"
    for seat, member, why in (
        (0, WIM, Refusal.HOLDS_CARDS),
        (2, PHONE, Refusal.HOLDS_CARDS),
        (0, 99, Refusal.NO_SUCH_PERSON),
        (0, CLEO, Refusal.SEATED),
    ):
        assert there.wants("Ben", HandOver(seat, member)) is why, "they have not asked for it"


@pytest.mark.parametrize("moves", [0, 3])
def test_somebody_who_has_the_seats_own_key_has_it_again_and_the_other_watches(moves: int) -> None:
    there, phone = lend_seat()
    if moves:
        play_on(there, moves, "random")
    held = phone.view
    ann = there.come("Ann")
    assert there.lobby.name_at(0) == "Ann"
    assert ann.view == held, "as the other has seen it"
    assert phone.view == there.people["Wim"].view
    assert there.lobby.deserted == ()
    assert not phone.ended
    assert there.wants("Ben", GIVE) is Refusal.HOLDS_CARDS


def test_nobody_asks_for_a_seat_whose_player_is_there_or_has_seen_its_cards() -> None:
    there = at_ben()
    assert comes_as(there, "Cleo", "tablet").refusals == [Refusal.NAME_TAKEN]
    comes_as(there, "Ann")
    there.come("Ann")
    assert there.lobby.deserted == ()
    drop_and_wait(there, "Ann")
    assert there.wants("Ben", GIVE) is Refusal.HOLDS_CARDS, "that question is over"
    assert comes_as(there, "Ann", "tablet").refusals == [Refusal.NAME_TAKEN]


def test_several_newcomers_may_ask_and_each_asks_once() -> None:
    there = at_ben()
    for device in ("Ann 2", "tablet", "watch", "fridge"):
        comes_as(there, "Ann", device)
    assert there.lobby.asking_for(0) == (5, 6, 7, 8)
    drop_and_wait(there, "Ann 2")
    comes_as(there, "Ann", "Ann 2")
    assert there.lobby.asking_for(0) == (5, 6, 7, 8), "coming back asks nothing"
    assert there.wants("Ben", HandOver(0, 6)) is None
    assert there.lobby.asking_for(0) == ()
    assert there.wants("Ben", HandOver(0, 7)) is Refusal.HOLDS_CARDS, "an old answer"


@pytest.mark.parametrize(
    ("name", "request_", "why"),
    [("Ben", Kick(PHONE), CloseReason.KICKED), ("Ann 2", Leave(), CloseReason.LEFT)],
)
def test_a_seat_that_was_lent_is_its_players_again_when_the_other_goes(
    name: str, request_: Kick | Leave, why: CloseReason
) -> None:
    there, phone = lend_seat()
    assert there.wants(name, request_) is None
    assert there.lobby.name_at(0) == "Ann"
    assert phone.farewell is why
    assert comes_as(there, "Ann", "tablet").refusals == [Refusal.NAME_TAKEN], "it has been seen"
    assert there.come("Ann").view.seat == 0


def test_somebody_who_stands_up_from_a_seat_that_was_lent_leaves_it_to_its_player() -> None:
    there = between_rounds()
    assert there.wants("Ann 2", StandUp()) is None
    assert there.lobby.name_at(0) == "Ann"


def test_somebody_who_comes_back_while_a_round_is_drawn_has_the_seat_after_the_deal() -> None:
    there = between_rounds()
    there.holds["Cleo"] = (CommitShare,)
    there.ready("Ben", "Cleo", "Ann 2")
    ann = there.come("Ann")
    assert there.lobby.is_drawing
    assert there.lobby.seat_of(PHONE) == 0
    there.wait(4)
    lobby = there.room.lobby
    assert not lobby.is_drawing
    assert lobby.seat_of(ANN) == 0
    assert lobby.name_at(0) == "Ann"
    assert ann.view == there.game.view(0)


def test_a_seat_that_was_lent_stays_so_when_the_table_moves_on_or_is_brought_back() -> None:
    there, _phone = lend_seat()
    there.crash()
    there.come_all("Ben", "Cleo")
    comes_as(there, "Ann")
    seen = there.people["Ann 2"].view
    lose_host(there)
    third = move_to(there, "Cleo")
    third.come("Cleo")
    comes_as(third, "Ann")
    third.come("Ben")
    assert third.room.gathering is None
    assert third.lobby.seat_of(PHONE) == 0
    ann = third.come("Ann")
    assert third.lobby.seat_of(ANN) == 0
    assert third.lobby.name_at(0) == "Ann"
    assert ann.view.hand == seen.hand


def test_a_full_table_forgets_nobody_whose_seat_was_lent() -> None:
    there, _phone = lend_seat()
    state = there.room.state
    for number in range(MAX_PEOPLE - len(there.lobby.people)):
        watcher = EnterTable(f"W{number}", watch=True, incarnation=0, seen=NOTHING_SEEN)
        step = decide_entry(state, key_of(f"W{number}"), watcher)
        assert isinstance(step, Step)
        lobby = step.news[0].change(state.lobby)
        state = replace(state, lobby=lobby, members=state.members + 1)
    late = EnterTable("Zoe", watch=True, incarnation=0, seen=NOTHING_SEEN)
    assert decide_entry(state, key_of("Zoe"), late) is Refusal.TABLE_FULL


# The fold, and what a host may tell.


@cache
def moved_lobby() -> Lobby:
    """The lobby at Ben's computer."""
    return at_ben().lobby


def lobby_of(*asks: int) -> Lobby:
    """A lobby in which Ann's seat is deserted, and these ask for it."""
    return replace(moved_lobby(), deserted=(Deserted(0, ANN, asks),))


STILL = (Deserted(0, ANN, (WIM,)),)


@pytest.mark.parametrize(
    ("event", "deserted"),
    [
        (events.StoodUp(0), ()),
        (events.BotSat(0, "Bo", "easy"), ()),
        (events.SatDown(0, CLEO), ()),
        (events.SatDown(0, ANN), ()),
        (events.BroughtBack(0), ()),
        (events.PresenceChanged(ANN, Presence.THERE), ()),
        (events.Exited(ANN, events.LeaveReason.KICKED), ()),
        (events.Rematch(), ()),
        (events.StoodUp(1), STILL),
        (events.BotSat(1, "Bo", "easy"), STILL),
        (events.PresenceChanged(ANN, Presence.AWAY), STILL),
        (events.Exited(WIM, events.LeaveReason.LEFT), (Deserted(0, ANN),)),
        (events.SatDown(1, WIM), (Deserted(0, ANN),)),
    ],
)
def test_a_seat_is_deserted_until_somebody_has_it_or_it_is_over(
    event: events.LobbyEvent, deserted: tuple[Deserted, ...]
) -> None:
    assert event.change(lobby_of(WIM)).deserted == deserted


def test_a_seat_is_deserted_still_once_free_ones_are_removed_before_it() -> None:
    chairs = (Free(), *moved_lobby().chairs)
    lobby = replace(
        moved_lobby(), stage=TablePhase.LOBBY, chairs=chairs, deserted=(Deserted(1, ANN),)
    )
    assert events.GameBegins().change(lobby).deserted == (Deserted(0, ANN),)


def test_the_name_goes_with_a_seat_to_a_namesake_alone() -> None:
    lobby = moved_lobby()
    for name, after in (("ANN 3", "Ann"), ("Ann two", "Ann two"), ("Anna 2", "Anna 2")):
        people = tuple(
            replace(person, name=name) if person.member == WIM else person
            for person in lobby.people
        )
        given = events.SatDown(0, WIM).change(replace(lobby, people=people))
        assert given.find_person(WIM).name == after
        assert len({person.name for person in given.people}) == len(people)


def test_all_seats_are_deserted_until_somebody_comes_if_programs_were_at_odds() -> None:
    lobby = events.HostChanged(CLEO, 99, 1, at_odds=(1, 2)).change(moved_lobby())
    assert lobby.deserted == (Deserted(0, ANN), Deserted(1, BEN), Deserted(2, CLEO))
    lobby = events.PresenceChanged(BEN, Presence.THERE).change(lobby)
    assert lobby.deserted == (Deserted(0, ANN), Deserted(2, CLEO))


def test_no_host_tells_of_a_seat_that_nobody_can_ask_for() -> None:
    full = lobby_of(*(WIM,) * MAX_SEATS)
    assert events.SeatAsked(0, WIM).change(lobby_of()).asking_for(0) == (WIM,)
    for lobby, seat, member in ((lobby_of(), 1, WIM), (lobby_of(), 0, 99), (full, 0, WIM)):
        with pytest.raises(LookupError):
            events.SeatAsked(seat, member).change(lobby)
    assert is_possible_lobby(lobby_of())
    for wrong in (Deserted(3, ANN), Deserted(0, 99), Deserted(0, ANN, (99,))):
        assert not is_possible_lobby(replace(lobby_of(), deserted=(wrong,)))
