"""A host that says that the table has moved, and so that nobody can check what it dealt."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from net.client.audit import MismatchKind
from net.client.session import Received
from net.protocol.events import read_view
from net.protocol.framing import BadFrame
from net.protocol.lobby import Lobby, Relocation, Settings
from net.protocol.lobby_events import HostChanged
from net.protocol.messages import Resync, Snapshot, hash_of_all
from tests.net.client.unfair_table import UnfairTable, honest
from tests.net.room.moved_table import lose_host, move_to, tick
from tests.net.room.room_fixture import Guest, Table, awaiting, play_on, playing

LONG = Settings(seats=3, rounds=3)


def with_lobby(snapshot: Snapshot, lobby: Lobby) -> Snapshot:
    """The snapshot of another lobby; its hash fits."""
    assert snapshot.public is not None
    assert snapshot.own is not None
    view = read_view(snapshot.public, snapshot.own, snapshot.history)
    return structs.replace(snapshot, lobby=lobby, hash=hash_of_all(lobby, view))


def hear(table: Table, snapshot: Snapshot) -> Received:
    """Ben's program is told this, as it asks for all that it may know."""
    return awaiting(table.people["Ben"].client).receive(snapshot)


def test_a_table_that_has_a_new_host_without_a_new_connection_is_not_believed() -> None:
    table = UnfairTable(LONG)
    table.begin()
    play_on(table, 3, "random")
    table.lie = lambda guest, event: HostChanged(1, 9, 1) if guest.name == "Ben" else event
    play_on(table, 1, "random")
    ben = table.people["Ben"]
    assert Resync() not in ben.received[-1].send
    step = [one for one in ben.numbered if hasattr(one, "lobby_events")][-1]
    told = structs.replace(step, step=step.step + 1, lobby_events=(HostChanged(1, 9, 1),))
    assert ben.client.receive(told).send == (Resync(),)
    assert ben.client.status.lobby is not None
    assert ben.client.status.lobby.term == 0


@pytest.mark.parametrize("term", [0, 9])
def test_a_snapshot_of_a_table_that_moved_is_taken_of_a_host_alone_that_was_followed(
    term: int,
) -> None:
    table = playing(LONG)
    play_on(table, 3, "random")
    moved = honest(table, "Ben")
    lobby = structs.replace(moved.lobby, term=term, relocations=(Relocation(term, 1),))
    with pytest.raises(BadFrame):
        hear(table, with_lobby(moved, lobby))
    table.people["Ben"].client.is_elsewhere = True
    assert hear(table, with_lobby(moved, lobby)).renewed
    assert not table.people["Ben"].client.is_elsewhere


def test_a_host_to_whom_a_table_moved_does_not_say_that_it_moved_once_more() -> None:
    table = playing(LONG)
    play_on(table, 3, "random")
    lose_host(table)
    there = move_to(table, "Cleo")
    there.come_all("Cleo", "Ben")
    told = honest(there, "Ben")
    assert hear(there, told).renewed
    moves = (*told.lobby.relocations, Relocation(told.lobby.term, 2))
    with pytest.raises(BadFrame):
        hear(there, with_lobby(told, structs.replace(told.lobby, relocations=moves)))


@pytest.mark.parametrize("moves", [0, 2])
def test_who_went_on_alone_believes_the_others_that_they_went_on_elsewhere_meanwhile(
    moves: int,
) -> None:
    table = playing(LONG)
    play_on(table, 3, "random")
    lose_host(table)
    alone = move_to(table, "Ben")
    alone.come("Ben")
    tick(alone, 21)
    ben = alone.people["Ben"]
    assert ben.client.entered
    lose_host(alone)
    there = move_to(table, "Cleo")
    there.come_all("Cleo", "Ann")
    tick(there, 21)
    assert alone.lobby.term > there.lobby.term
    if moves:
        play_on(there, moves, "random")
    there.people["Ben"] = ben
    there.come("Ben")
    assert there.people["Ben"].client.entered
    assert ben.client.status.lobby == there.lobby
    assert [one.disagreed for one in there.people["Ben"].received if one.disagreed] == []


def test_who_missed_a_move_that_took_steps_back_is_told_so_and_accuses_nobody() -> None:
    table = playing(LONG)
    play_on(table, 5, "random")
    lose_host(table, "Ben", "Ann")
    cleo = table.people.pop("Cleo")
    there = move_to(table, "Ben")
    there.come_all("Ben", "Ann")
    tick(there, 21)
    play_on(there, 6, "random", 1)
    lose_host(there)
    again = move_to(there, "Ann")
    again.come_all("Ann", "Ben")
    tick(again, 21)
    again.people["Cleo"] = cleo
    cleo.client.is_elsewhere = True
    received = again.come("Cleo").received
    assert again.people["Cleo"].client.entered
    assert [one.disagreed for one in received if one.disagreed] == []
    assert [one.gone for one in received if one.gone] != []


def test_a_host_who_never_heard_of_the_steps_that_another_lost_is_not_accused() -> None:
    table = playing(LONG)
    play_on(table, 2, "random")
    count = len(table.disk)
    play_on(table, 3, "random", 1)
    cleo = table.people.pop("Cleo")
    del table.disk[count:]
    table.crash()
    table.come_all("Ann", "Ben")
    table.people["Cleo"] = Guest("Cleo", 0, watch=False)
    table.come("Cleo")
    play_on(table, 9, "random", 2)
    lose_host(table)
    there = move_to(table, "Ben")
    there.come_all("Ben", "Ann")
    tick(there, 21)
    there.people["Cleo"] = cleo
    cleo.client.is_elsewhere = True
    received = there.come("Cleo").received
    assert there.people["Cleo"].client.entered
    assert [one.disagreed for one in received if one.disagreed] == []
    assert [one.gone for one in received if one.gone] != []


def test_a_new_host_who_takes_back_what_all_saw_does_not_do_so_unsaid() -> None:
    table = playing(LONG)
    play_on(table, 6, "random")
    other = playing(LONG)
    play_on(other, 7, "random", 1)
    lose_host(table)
    there = move_to(table, "Cleo")
    ben = there.people["Ben"].client
    told = honest(other, "Ben")
    lobby = structs.replace(told.lobby, term=17, relocations=(Relocation(17, 1, (1,)),))
    ben.begin_connection()
    gone = ben.receive(with_lobby(told, lobby)).gone
    assert gone
    assert ben.status.game_state is not None
    assert ben.status.game_state.deals.gone == gone


def test_a_term_that_comes_again_where_a_known_move_is_missing_is_another_move() -> None:
    table = playing(LONG)
    play_on(table, 6, "random")
    other = playing(LONG)
    play_on(other, 7, "random", 1)
    ben = table.people["Ben"].client
    held = ben.status.game_state
    assert held is not None
    before = structs.replace(
        held.lobby, term=27, relocations=(Relocation(19, 1), Relocation(27, 1))
    )
    ben.status = replace(ben.status, game_state=replace(held, lobby=before))
    ben.is_elsewhere = True
    told = honest(other, "Ben")
    lobby = structs.replace(told.lobby, term=19, relocations=(Relocation(19, 1, (1,)),))
    received = hear(table, with_lobby(told, lobby))
    assert received.disagreed is False
    assert received.gone


def test_the_line_after_a_game_that_moved_says_what_did_not_fit_all_the_same() -> None:
    table = playing()
    play_on(table, 3, "random")
    lose_host(table)
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo", "Ann")
    cleo = there.people["Cleo"].client
    held = cleo.status.game_state
    assert held is not None
    deals = replace(held.deals, rewritten=True)
    cleo.status = replace(cleo.status, game_state=replace(held, deals=deals))
    play_on(there)
    (audit,) = there.people["Cleo"].audits
    assert [one.kind for one in audit.mismatches] == [MismatchKind.REWRITTEN]


def test_of_two_tables_that_go_on_at_once_either_is_believed_that_it_moved() -> None:
    table = playing(LONG)
    play_on(table, 3, "random")
    lose_host(table)
    alone = move_to(table, "Ben")
    alone.come("Ben")
    tick(alone, 21)
    ben = alone.people["Ben"].client
    assert ben.status.lobby is not None
    assert ben.status.lobby.term == 18
    ben.end_connection()
    there = move_to(table, "Cleo")
    there.come_all("Cleo", "Ben")
    assert ben.status.lobby.term == 17
    assert [one.term for one in ben.status.lobby.relocations] == [17]
