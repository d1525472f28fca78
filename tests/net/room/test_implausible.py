"""What no game leads to and no lobby allows, told to a client, and what a table then refuses.

Each lie stands beside the truth that it differs from, which the same check lets through.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import View, events
from engine.board import GOAL_CELLS
from engine.cards import Card, Goal, Path, Role
from net.client.plausibility import can_follow, is_clean_lobby, is_settled
from net.protocol.events import write_event
from net.protocol.lobby import THE_TABLE, Lobby, Presence, Relocation, Settings
from net.protocol.lobby_events import BroughtBack, HandingOver, PresenceChanged, apply, apply_all
from net.protocol.messages import Refusal, StepFrame, hash_of_all
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


def seen_by(table: Table, name: str) -> View:
    """What somebody's client holds of the game."""
    view = table.people[name].client.status.view
    assert view is not None
    return view


def another(path: Path) -> Path:
    """A path that is not this one."""
    return next(one for one in (Path.read("n"), Path.read("s")) if one != path)


def ending(
    *roles: Role,
    spare: Role = Role.MINER,
    goals: tuple[Goal, ...] = (Goal.TREASURE, Goal.STONE_NE, Goal.STONE_NW),
) -> events.RoundEnded:
    """An end of a round in which the miners won."""
    north, middle, south = goals
    return events.RoundEnded(Role.MINER, roles, spare, (north, middle, south))


def fewer_there(lobby: Lobby, *gone: int) -> Lobby:
    """The lobby after some have lost their connections."""
    return apply_all(lobby, [PresenceChanged(member, Presence.GONE) for member in gone])


# The game.


def test_only_a_seat_of_the_table_is_passed_over() -> None:
    view = seen_by(midway(), "Wim")
    assert can_follow(view, events.Skipped(2))
    assert not can_follow(view, events.Skipped(3))


def test_nobody_discards_from_an_empty_hand() -> None:
    view = seen_by(midway(), "Wim")
    turn = view.table.turn
    assert turn is not None
    assert can_follow(view, events.Passed(turn))
    bare = view._replace(table=view.table._replace(hands=(0, 0, 0)))
    assert not can_follow(bare, events.Passed(turn))


def test_a_rockfall_takes_away_the_card_that_lies_there() -> None:
    view = seen_by(midway(), "Wim")
    turn, board = view.table.turn, view.table.board
    assert turn is not None
    assert len(board.tunnels()) > 1
    for cell in board.tunnels():
        path = board.cards[cell]
        assert can_follow(view, events.Collapsed(turn, cell, path))
        assert not can_follow(view, events.Collapsed(turn, cell, another(path)))


def test_a_client_asks_anew_when_told_of_a_rockfall_on_another_card() -> None:
    """The hash fits, so that only the card tells the lie from the truth."""
    for lies in (False, True):
        client = midway().people["Wim"].client
        held = client.status.game_state
        assert held is not None
        assert held.view is not None
        assert held.view.table.turn is not None
        board = held.view.table.board
        cell = board.tunnels()[0]
        path = another(board.cards[cell]) if lies else board.cards[cell]
        event = events.Collapsed(held.view.table.turn, cell, path)
        fits = hash_of_all(held.lobby, held.view.after(event))
        told = StepFrame(held.step + 1, 1, 0, (), (write_event(event),), fits)
        assert bool(client.receive(told).disagreed) is lies
        assert (client.status.game_state is held) is lies, "nothing of a lie is believed"


def test_a_round_of_three_ends_with_the_dwarves_of_three_on_their_seats() -> None:
    view = seen_by(midway(), "Wim")
    miner, saboteur = Role.MINER, Role.SABOTEUR
    assert can_follow(view, ending(saboteur, miner, miner))
    assert can_follow(view, ending(miner, miner, miner, spare=saboteur))
    for lie in (
        ending(saboteur, saboteur, miner),
        ending(saboteur, miner),
        ending(saboteur, miner, miner, miner),
        ending(saboteur, miner, miner, goals=(Goal.TREASURE,) * 3),
        ending(saboteur, miner, miner, goals=(Goal.STONE_NE, Goal.STONE_NW, Goal.STONE_NW)),
    ):
        assert not can_follow(view, lie), lie


def test_a_seat_believes_no_end_in_which_it_was_another_dwarf() -> None:
    view = seen_by(midway(), "Ben")._replace(seat=1, peeks=(None, None, None))
    end = ending(Role.MINER, Role.SABOTEUR, Role.MINER)
    assert can_follow(view._replace(role=Role.SABOTEUR), end)
    assert not can_follow(view._replace(role=Role.MINER), end)


def test_a_goal_that_a_seat_has_seen_is_not_another_at_the_end() -> None:
    watching = seen_by(midway(), "Wim")
    assert not any(cell in watching.table.board.cards for cell in GOAL_CELLS)
    goals = (Goal.STONE_NE, Goal.TREASURE, Goal.STONE_NW)
    end = ending(Role.SABOTEUR, Role.MINER, Role.MINER, goals=goals)
    view = watching._replace(seat=1, role=Role.MINER)
    for middle in Goal:
        seen = view._replace(peeks=(None, middle, None))
        assert can_follow(seen, end) is (middle is Goal.TREASURE)


def test_nobody_knows_more_copies_of_a_card_than_the_deck_has() -> None:
    table = midway()
    for name in ("Ann", "Ben", "Cleo"):
        view = seen_by(table, name)
        assert is_settled(view)
        assert len(view.hand) > 1
        assert not is_settled(view._replace(hand=(Card.DEAD_N,) * len(view.hand)))


# The lobby.


def test_a_lobby_is_of_an_edition_that_there_is() -> None:
    lobby = three_at_a_table().lobby
    assert is_clean_lobby(lobby)
    for edition in ("atlantis", "\x1b[2J", "?"):
        strange = replace(lobby, settings=replace(lobby.settings, edition=edition))
        assert not is_clean_lobby(strange), edition


def test_nobody_is_brought_back_at_a_table_that_never_moved() -> None:
    lobby = three_at_a_table().lobby
    assert not BroughtBack(1).fits(lobby)
    with pytest.raises(LookupError):
        apply(lobby, BroughtBack(1))
    moved = replace(lobby, relocations=(Relocation(10, 1, anew=(0, 1)),))
    assert BroughtBack(1).fits(moved)
    assert apply(moved, BroughtBack(1)).relocations == (Relocation(10, 1, anew=(0,)),)


def test_a_client_asks_anew_when_told_of_somebody_brought_back_from_nowhere() -> None:
    client = three_at_a_table().people["Ben"].client
    held = client.status.game_state
    assert held is not None
    as_before = hash_of_all(held.lobby, None)
    told = StepFrame(held.step + 1, 1, 0, (BroughtBack(1),), (), as_before)
    assert client.receive(told).disagreed
    assert client.status.game_state is held


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


def test_a_guest_who_asks_to_go_on_without_others_is_told_that_the_host_decides() -> None:
    table = three_at_a_table()
    before = table.lobby
    assert table.wants("Ben", GoOnWithout()) is Refusal.HOST_ONLY
    assert table.lobby == before


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
