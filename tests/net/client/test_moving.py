"""A table that goes on at another computer, or lost steps: what a program tells, keeps, refuses."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import msgspec
import pytest
from msgspec import structs

from engine.events import HandDealt, Passed, visible_to
from engine.facts import secrets_of
from engine.state import Phase
from net.client.audit import Audit
from net.client.session import ConnectionState, Opening, Received, Update
from net.client.state import KEPT_STATES, ClientState, StatusPublisher
from net.client.trail import is_shared
from net.protocol import messages
from net.protocol.framing import BadFrame
from net.protocol.game_wire import write_event
from net.protocol.lobby import Lobby, Relocation, Settings
from net.protocol.lobby_events import HostChanged, LobbyEvent, Rematch, RoundBegins
from net.protocol.requests import Chat, NextRound, SetReady
from tests.net.client.unfair_table import UnfairTable, honest
from tests.net.room.moved_table import go_on_at, lose_host, miss_last_step, move_to, tick
from tests.net.room.room_fixture import (
    Guest,
    Table,
    awaiting,
    play_on,
    set_hash,
    three_in_game,
    three_in_lobby,
)

THREE = Settings(seats=3, rounds=3)


def told_of(body: bytes) -> bytes:
    return (len(body).to_bytes(2, "big") + body).ljust(messages.KNOWLEDGE_BYTES, b"\0")


UNREADABLE = {
    "no message": told_of(b"\xc1"),
    "cut off": messages.encode_knowledge([HandDealt(1, ())])[:3].ljust(
        messages.KNOWLEDGE_BYTES, b"\0"
    ),
    "of another kind": told_of(msgspec.msgpack.encode([["no such event", 1]])),
    "what everybody knows": told_of(msgspec.msgpack.encode([write_event(Passed(1))])),
}


def ask_ben(table: Table) -> messages.KnowledgeWanted:
    held = table.people["Ben"].held
    return messages.KnowledgeWanted(held.mark)


# What a seat tells.


def test_a_seat_tells_its_secrets_or_that_it_knows_none() -> None:
    table = three_in_game()
    play_on(table, 5, "random")
    secrets = secrets_of(table.people["Ben"].view)
    assert secrets
    assert messages.decode_knowledge(messages.encode_knowledge(secrets)) == secrets
    assert messages.decode_knowledge(messages.encode_knowledge(())) == ()
    assert messages.decode_knowledge(messages.encode_knowledge(None)) is None


@pytest.mark.parametrize("told", UNREADABLE.values(), ids=UNREADABLE)
def test_what_no_honest_program_tells_is_refused(told: bytes) -> None:
    with pytest.raises(BadFrame):
        messages.decode_knowledge(told)


def test_a_program_that_does_not_hold_the_step_tells_that_it_knows_nothing() -> None:
    table = three_in_game()
    client = table.people["Ben"].client
    wanted = ask_ben(table)
    client.end_connection()
    told, *_ = client.receive(wanted).send
    assert isinstance(told, messages.Knowledge)
    assert messages.decode_knowledge(told.told) is not None
    client.kept.clear()
    told, *_ = client.receive(wanted).send
    assert isinstance(told, messages.Knowledge)
    assert messages.decode_knowledge(told.told) is None


def test_a_host_that_has_let_a_seat_in_may_not_ask_it_for_its_secrets() -> None:
    table = three_in_game()
    with pytest.raises(BadFrame):
        table.people["Ben"].client.receive(ask_ben(table))


# What a program shows of a table that gathers.


def test_a_table_that_waits_for_names_that_are_no_names_is_refused() -> None:
    table = three_in_game()
    client = table.people["Ben"].client
    client.end_connection()
    client.receive(messages.Gathering(("Cleo",), 1))
    assert client.status.gathering == messages.Gathering(("Cleo",), 1)
    with pytest.raises(BadFrame):
        client.receive(messages.Gathering(("Cleo", "\x1b[2J"), 1))
    assert client.status.gathering == messages.Gathering(("Cleo",), 1)


def test_going_on_here_is_under_way_until_the_table_lets_its_host_in() -> None:
    table = three_in_game()
    lose_host(table)
    client = table.people["Ben"].client
    client.status = replace(client.status, opening=Opening.UNDER_WAY)
    there = move_to(table, "Ben")
    seen = []
    for name in ("Ben", "Cleo"):
        there.come(name)
        seen.append((client.status.opening, client.status.gathering))
    assert seen == [
        (Opening.UNDER_WAY, messages.Gathering(("Cleo",), 1)),
        (Opening.NOT_ASKED, None),
    ]


def test_a_connection_that_has_ended_stays_so() -> None:
    table = three_in_game()
    updates: list[Update] = []
    publisher = StatusPublisher(table.people["Ben"].client, updates.append)
    publisher.set_connection(ConnectionState.ENDED, messages.CloseReason.MOVED)
    publisher.set_connection(ConnectionState.LOST)
    assert publisher.state.status.connection is ConnectionState.ENDED
    assert publisher.state.status.ending is messages.CloseReason.MOVED
    assert len(updates) == 1


# What a program keeps, and what it does not take in.


@pytest.mark.parametrize("news", [RoundBegins(), Rematch()], ids=["a round", "the end"])
def test_news_that_is_not_due_is_not_taken_in(news: LobbyEvent) -> None:
    table = three_in_game(THREE)
    play_on(table, 3, "random")
    client, held = table.people["Ben"].client, table.people["Ben"].held
    assert held.phase is Phase.PLAY
    received = client.receive(
        messages.StepFrame(held.step + 1, held.incarnation, 0, (news,), (), bytes(8))
    )
    assert received.send == (messages.Resync(),)
    assert received.disagreed
    assert client.status.game_state is held


# A host that says that the table has moved, and so that nobody can check what it dealt.


def with_lobby(snapshot: messages.Snapshot, lobby: Lobby) -> messages.Snapshot:
    return set_hash(structs.replace(snapshot, lobby=lobby))


def receive_snapshot(table: Table, snapshot: messages.Snapshot) -> Received:
    return awaiting(table.people["Ben"].client).receive(snapshot)


def test_a_table_that_has_a_new_host_without_a_new_connection_is_not_believed() -> None:
    table = UnfairTable(THREE)
    table.begin()
    play_on(table, 3, "random")
    table.lie = lambda guest, event: HostChanged(1, 9, 1) if guest.name == "Ben" else event
    play_on(table, 1, "random")
    ben = table.people["Ben"]
    assert messages.Resync() not in ben.received[-1].send
    step = [message for message in ben.numbered if hasattr(message, "lobby_events")][-1]
    told = structs.replace(step, step=step.step + 1, lobby_events=(HostChanged(1, 9, 1),))
    assert ben.client.receive(told).send == (messages.Resync(),)
    assert ben.client.status.lobby is not None
    assert ben.client.status.lobby.term == 0


@pytest.mark.parametrize("term", [0, 9])
def test_a_snapshot_of_a_table_that_moved_is_taken_of_a_host_alone_that_was_followed(
    term: int,
) -> None:
    table = three_in_game(THREE)
    play_on(table, 3, "random")
    moved = honest(table, "Ben")
    lobby = structs.replace(moved.lobby, term=term, relocations=(Relocation(term, 1),))
    with pytest.raises(BadFrame):
        receive_snapshot(table, with_lobby(moved, lobby))
    table.people["Ben"].client.is_elsewhere = True
    assert receive_snapshot(table, with_lobby(moved, lobby)).renewed
    assert not table.people["Ben"].client.is_elsewhere


def test_a_new_host_of_a_table_does_not_say_that_it_moved_once_more() -> None:
    table = three_in_game(THREE)
    play_on(table, 3, "random")
    there = go_on_at(table, "Cleo", "Ben")
    told = honest(there, "Ben")
    assert receive_snapshot(there, told).renewed
    moves = (*told.lobby.relocations, Relocation(told.lobby.term, 2))
    with pytest.raises(BadFrame):
        receive_snapshot(there, with_lobby(told, structs.replace(told.lobby, relocations=moves)))


@pytest.mark.parametrize("moves", [0, 2])
def test_somebody_who_went_on_alone_believes_the_others_that_they_went_on_elsewhere_meanwhile(
    moves: int,
) -> None:
    table = three_in_game(THREE)
    play_on(table, 3, "random")
    alone = go_on_at(table, "Ben")
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
    assert not there.people["Ben"].disagreed


def test_somebody_who_missed_a_move_that_took_steps_back_is_told_so_and_accuses_nobody() -> None:
    table = three_in_game(THREE)
    play_on(table, 5, "random")
    lose_host(table, "Ben", "Ann")
    cleo = table.people.pop("Cleo")
    there = move_to(table, "Ben")
    there.come_all("Ben", "Ann")
    tick(there, 21)
    play_on(there, 6, "random", 1)
    again = go_on_at(there, "Ann", "Ben")
    tick(again, 21)
    again.people["Cleo"] = cleo
    cleo.client.is_elsewhere = True
    guest = again.come("Cleo")
    assert guest.client.entered
    assert not guest.disagreed
    assert guest.lost_steps


def test_a_host_who_never_heard_of_the_steps_that_another_lost_is_not_accused() -> None:
    table = three_in_game(THREE)
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
    there = go_on_at(table, "Ben", "Ann")
    tick(there, 21)
    there.people["Cleo"] = cleo
    cleo.client.is_elsewhere = True
    guest = there.come("Cleo")
    assert guest.client.entered
    assert not guest.disagreed
    assert guest.lost_steps


def test_a_new_host_who_takes_back_what_all_saw_does_not_do_so_unsaid() -> None:
    table = three_in_game(THREE)
    play_on(table, 6, "random")
    other = three_in_game(THREE)
    play_on(other, 7, "random", 1)
    lose_host(table)
    there = move_to(table, "Cleo")
    ben = there.people["Ben"].client
    told = honest(other, "Ben")
    lobby = structs.replace(told.lobby, term=17, relocations=(Relocation(17, 1, (1,)),))
    ben.begin_connection()
    lost_steps = ben.receive(with_lobby(told, lobby)).lost_steps
    assert lost_steps
    assert ben.status.game_state is not None
    assert ben.status.game_state.deals.lost_steps == lost_steps


def test_a_term_that_comes_again_where_a_known_move_is_missing_is_another_move() -> None:
    table = three_in_game(THREE)
    play_on(table, 6, "random")
    other = three_in_game(THREE)
    play_on(other, 7, "random", 1)
    ben, held = table.people["Ben"].client, table.people["Ben"].held
    before = structs.replace(
        held.lobby, term=27, relocations=(Relocation(19, 1), Relocation(27, 1))
    )
    ben.status = replace(ben.status, game_state=replace(held, lobby=before))
    ben.is_elsewhere = True
    told = honest(other, "Ben")
    lobby = structs.replace(told.lobby, term=19, relocations=(Relocation(19, 1, (1,)),))
    received = receive_snapshot(table, with_lobby(told, lobby))
    assert received.disagreed is False
    assert received.lost_steps


def test_of_two_tables_that_go_on_at_once_either_is_believed_that_it_moved() -> None:
    table = three_in_game(THREE)
    play_on(table, 3, "random")
    alone = go_on_at(table, "Ben")
    tick(alone, 21)
    ben = alone.people["Ben"].client
    assert ben.status.lobby is not None
    assert ben.status.lobby.term == 18
    ben.end_connection()
    there = move_to(table, "Cleo")
    there.come_all("Cleo", "Ben")
    assert ben.status.lobby.term == 17
    assert [relocation.term for relocation in ben.status.lobby.relocations] == [17]


def chat(table: Table, text: str) -> None:
    for _ in range(6):
        table.wait(2)
        assert table.wants("Ann", Chat(text)) is None


def leave_and_come_back(table: Table, *, lost: int) -> tuple[int, Guest]:
    """Ben goes on alone, and comes back to a table that has lost so many of the steps he saw there.

    Return the number of the steps that he saw and that are not in it.
    """
    ben = table.people["Ben"].client
    table.drop("Ben")
    left = ben.last_seen.step
    alone = move_to(table, "Ben")
    alone.come("Ben")
    tick(alone, 21)
    assert not alone.room.gathering
    for name in ("Ann", "Cleo"):
        table.people[name].client.is_elsewhere = False
    if lost:
        del table.disk[left - lost :]
        table.crash()
        table.come_all("Ann", "Cleo")
    chat(table, "Where is Ben?")
    ben.end_connection()
    ben.is_elsewhere = True
    unknown = ben.last_seen.step - left + lost
    return unknown, table.come("Ben")


@pytest.mark.parametrize("lost", [0, 2])
@pytest.mark.parametrize("is_in_game", [True, False])
def test_somebody_who_comes_back_from_a_copy_of_their_own_has_lost_no_more_than_that(
    *, is_in_game: bool, lost: int
) -> None:
    table = three_in_game(THREE) if is_in_game else three_in_lobby()
    table.crash()  # brought back once, long ago
    table.come_all("Ann", "Ben", "Cleo")
    chat(table, "Who digs?")
    if is_in_game:
        play_on(table, 9, "random")
    unknown, ben = leave_and_come_back(table, lost=lost)
    assert ben.lost_steps == [unknown]
    assert not ben.disagreed
    table.disk.pop()
    table.crash()
    table.come_all("Ann", "Ben", "Cleo")
    assert table.people["Ben"].lost_steps == [1], "what that table loses later is its own loss"


# Steps that a table has lost: who saw them, and comes later, accuses nobody.


def go_back(table: Table, count: int) -> ClientState:
    ben = table.people["Ben"].client
    held = deepcopy(ben)
    del table.disk[count:]
    table.seed = bytes(32)  # what is drawn again is drawn otherwise
    table.crash()
    table.come_all("Ann", "Ben", "Cleo")
    return held


def come_later(table: Table, held: ClientState) -> Audit:
    held.end_connection()
    table.people["Ben"].client = held
    ben = table.come("Ben")
    assert not ben.disagreed
    assert ben.lost_steps
    play_on(table)
    (audit,) = ben.audits
    assert audit.lost_steps
    return audit


def begin_next_round(table: Table) -> None:
    play_on(table)
    assert table.wants("Ann", NextRound()) is None


@pytest.mark.parametrize("lost", [4, KEPT_STATES + 4])
def test_moves_of_an_earlier_round_that_were_lost_accuse_nobody(lost: int) -> None:
    table = three_in_game(Settings(seats=3, rounds=2))
    play_on(table, 2, "random")
    count = len(table.disk)
    play_on(table, lost, "random", 1)
    held = go_back(table, count)
    begin_next_round(table)
    assert come_later(table, held).mismatches == ()


def test_a_round_that_was_dealt_in_steps_that_were_lost_accuses_nobody() -> None:
    table = three_in_game(Settings(seats=3, rounds=2))
    play_on(table)
    count = len(table.disk)
    begin_next_round(table)
    play_on(table, 2, "random")
    held = go_back(table, count)
    begin_next_round(table)
    audit = come_later(table, held)
    assert audit.mismatches == ()
    assert audit.unseen == (2,)


def test_a_round_dealt_at_each_of_two_computers_accuses_nobody() -> None:
    table = three_in_game(Settings(seats=3, rounds=2))
    play_on(table, 2, "random")
    others = {name: deepcopy(table.people[name].client) for name in ("Ann", "Ben", "Cleo")}
    begin_next_round(table)
    play_on(table, 30, "random")
    held = table.people["Cleo"].client
    held.end_connection()
    for name, client in others.items():
        table.people[name].client = client
    lose_host(table)
    there = move_to(table, "Ben")
    there.seed = bytes([3]) * 32
    there.come_all("Ben", "Ann", "Cleo")
    play_on(there)
    there.ready("Ann", "Ben", "Cleo")
    assert there.room.state.round == 2
    play_on(there, 2, "random", 1)
    there.crash()
    assert held.kept[0].step < there.room.state.number < held.kept[-1].step
    there.people["Cleo"].client = held
    held.is_elsewhere = True
    there.come_all("Ben", "Ann", "Cleo")
    play_on(there)
    (audit,) = there.people["Cleo"].audits
    assert audit.lost_steps
    assert (audit.unseen, audit.mismatches) == ((2,), ())


def test_cards_drawn_again_once_more_at_a_host_that_saved_nothing_accuse_nobody() -> None:
    table = three_in_game(Settings(seats=3, rounds=2))
    play_on(table, 4, "random")
    lose_host(table)
    there = move_to(table, "Ben")
    table.people["Cleo"].client = ClientState("Cleo")
    drawn = []
    for seed in range(2):
        there.seed = bytes([seed] * 32)
        there.come_all("Ben", "Cleo")
        assert there.lobby.relocations[-1].anew == (0, 2)
        cleo = there.people["Cleo"]
        assert not cleo.disagreed
        assert bool(cleo.lost_steps) == bool(seed)
        drawn.append(there.people["Cleo"].view)
        assert visible_to(drawn[0].history, None) == visible_to(drawn[-1].history, None)
        there.disk.clear()
        there.crash()
    assert drawn[0].history != drawn[1].history


def test_a_second_move_that_draws_a_seats_cards_again_later_in_the_game_accuses_nobody() -> None:
    table = three_in_game(Settings(seats=3, rounds=2))
    play_on(table, 8, "random")
    lose_host(table)
    for _ in range(6):
        miss_last_step(table.people["Cleo"])
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    cleo = there.people["Cleo"]
    held = deepcopy(cleo.client)
    assert 2 not in there.lobby.relocations[-1].anew, "Cleo's seat brought its own cards"
    # Ben's computer loses all that was written since the move, and starts again without Cleo.
    there.disk.clear()
    there.crash()
    there.come("Ben")
    tick(there, 18)
    assert 2 in there.lobby.relocations[-1].anew
    assert held.last_seen.step < there.room.resumed_from.step
    held.end_connection()
    cleo.client = held
    cleo = there.come("Cleo")
    assert not cleo.disagreed
    assert cleo.lost_steps


def test_a_state_after_a_move_is_no_past_of_a_table_that_has_not_moved() -> None:
    table = three_in_game(Settings(seats=3, rounds=2))
    play_on(table, 3, "random")
    now = table.people["Ann"].held
    there = go_on_at(table, "Ben", "Cleo")
    play_on(there, 2, "random")
    kept = there.people["Cleo"].client.kept
    has_moved = [bool(held.lobby.relocations) for held in kept]
    assert {True, False} == set(has_moved)
    assert [is_shared(held, kept[-1], now) for held in kept] == [not after for after in has_moved]


class Hasty(Table):
    """A table whose people talk as soon as they are welcome, and what their programs sent then."""

    sent: tuple[messages.ClientMessage, ...] = ()

    def receive(self, connected: Guest, message: messages.HostMessage) -> None:
        super().receive(connected, message)
        if isinstance(message, messages.Welcome) and message.gone:
            self.sent += connected.client.request(Chat("wait"))


def test_nothing_is_asked_of_a_table_that_lost_steps_before_it_tells_what_stands() -> None:
    table = Hasty(Settings(seats=3, rounds=1))
    table.come_all("Ann", "Ben", "Cleo")
    count = len(table.disk)
    assert table.wants("Ben", SetReady(ready=False)) is None
    go_back(table, count)
    assert table.sent == ()
    said = [line.text for line in table.room.state.talk]
    assert said.count("wait") == len(table.people)


@pytest.mark.parametrize("knows", [True, False])
def test_a_program_that_was_killed_tells_what_it_can_recall_of_its_seat(*, knows: bool) -> None:
    table = three_in_game()
    play_on(table, 5, "random")
    ben = table.people["Ben"]
    secrets, mark = secrets_of(ben.view), ben.held.mark
    fresh = ClientState("Ben", mark=mark, recall={mark: secrets if knows else None}.get)
    (told,) = fresh.receive(messages.KnowledgeWanted(mark)).send
    assert isinstance(told, messages.Knowledge)
    assert messages.decode_knowledge(told.told) == (secrets if knows else None)
