"""What no game leads to and no lobby allows, told to a client, and what a table then refuses."""

from __future__ import annotations

from dataclasses import replace as replace_fields

import pytest
from msgspec.structs import replace

from engine.cards import GOALS, Card
from engine.events import HandDealt
from net.client.plausibility import follows_from_history, is_possible_lobby, is_settled
from net.protocol.lobby import THE_TABLE, Lobby, Presence, Relocation, Settings
from net.protocol.lobby_events import BroughtBack, HandingOver, PresenceChanged, apply, apply_all
from net.protocol.messages import Refusal
from net.protocol.requests import GiveHost, GoOnWithout
from net.room.requests import why_not
from net.room.waiting import who_decides
from tests.net.room.room_fixture import Table, play_on, playing, three_at_a_table

ANN, BEN, CLEO, WIM, STRANGER = 1, 2, 3, 4, 99


def midway() -> Table:
    """A game of three under way, in which some tunnels lie."""
    table = playing(Settings(seats=3, rounds=2))
    play_on(table, 20, "greedy")
    return table


def fewer_there(lobby: Lobby, *gone: int) -> Lobby:
    """The lobby after some have lost their connections."""
    return apply_all(lobby, [PresenceChanged(member, Presence.GONE) for member in gone])


# The game.


def test_nobody_knows_more_copies_of_a_card_than_the_deck_has() -> None:
    table = midway()
    for name in ("Ann", "Ben", "Cleo"):
        view = table.people[name].view
        assert is_settled(view)
        assert len(view.hand) > 1
        assert not is_settled(view._replace(hand=(Card.DEAD_N,) * len(view.hand)))


def test_who_is_to_move_has_cards_and_the_goals_of_an_ended_round_are_those_of_the_box() -> None:
    table = midway()
    view = table.people["Ann"].view
    hands = tuple(
        0 if seat == view.table.turn else held for seat, held in enumerate(view.table.hands)
    )
    assert not is_settled(view._replace(table=view.table._replace(hands=hands)))
    play_on(table, 200, "greedy")
    over = table.people["Ann"].view
    assert over.table.end is not None
    assert is_settled(over)
    forged = replace_fields(over.table.end, goals=(GOALS[0], GOALS[0], GOALS[0]))
    assert not is_settled(over._replace(table=over.table._replace(end=forged)))


def test_a_history_of_events_that_no_game_has_is_not_where_a_view_comes_from() -> None:
    view = midway().people["Ann"].view
    assert follows_from_history(view)
    assert not follows_from_history(view._replace(history=(*view.history, HandDealt(99, ()))))


# The lobby.


def test_a_lobby_is_of_an_edition_that_there_is() -> None:
    lobby = three_at_a_table().lobby
    assert is_possible_lobby(lobby)
    for edition in ("atlantis", "\x1b[2J", "?"):
        strange = replace(lobby, settings=replace(lobby.settings, edition=edition))
        assert not is_possible_lobby(strange), edition


def test_nobody_is_brought_back_at_a_table_that_never_moved() -> None:
    lobby = three_at_a_table().lobby
    with pytest.raises(LookupError):
        apply(lobby, BroughtBack(1))
    moved = replace(lobby, relocations=(Relocation(10, 1, anew=(0, 1)),))
    assert apply(moved, BroughtBack(1)).relocations == (Relocation(10, 1, anew=(0,)),)


# What may be asked at a table that lacks its people, or is handed over.


def test_the_host_decides_while_they_are_there_else_the_first_who_sits() -> None:
    lobby = three_at_a_table().lobby
    assert who_decides(lobby) == ANN
    assert who_decides(fewer_there(lobby, BEN, CLEO)) == ANN
    assert who_decides(fewer_there(lobby, ANN)) == BEN
    assert who_decides(fewer_there(lobby, ANN, BEN)) == CLEO
    assert who_decides(fewer_there(lobby, ANN, BEN, CLEO)) == THE_TABLE, "a watcher does not"


def test_only_who_decides_goes_on_without_the_others_and_only_if_they_lack() -> None:
    lobby = three_at_a_table().lobby
    asked = GoOnWithout()
    assert why_not(lobby, None, ANN, asked) is Refusal.NOT_NOW, "all are there"
    assert why_not(lobby, None, BEN, asked) is Refusal.HOST_ONLY
    alone = fewer_there(lobby, BEN, CLEO)
    assert why_not(alone, None, ANN, asked) is None
    hostless = fewer_there(lobby, ANN, CLEO)
    assert why_not(hostless, None, BEN, asked) is None
    assert why_not(hostless, None, WIM, asked) is Refusal.HOST_ONLY


def test_the_table_is_offered_to_nobody_who_is_not_there_and_not_to_its_host() -> None:
    table = three_at_a_table()
    for member in (STRANGER, ANN):
        assert table.wants("Ann", GiveHost(member)) is Refusal.NO_SUCH_PERSON
        assert table.lobby.offered == THE_TABLE
    assert table.wants("Ann", GiveHost(BEN)) is None
    assert table.lobby.offered == BEN


def test_a_table_that_is_being_handed_over_is_offered_to_nobody_else() -> None:
    lobby = three_at_a_table().lobby
    handed = apply(lobby, HandingOver(begins=True))
    assert why_not(lobby, None, ANN, GiveHost(CLEO)) is None
    assert why_not(handed, None, ANN, GiveHost(CLEO)) is Refusal.NOT_NOW
