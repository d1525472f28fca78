"""A seat at a table that goes on at another computer: what its program tells, keeps and refuses."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import pytest
from msgspec import structs

from engine.events import HandDealt, Passed
from engine.facts import secrets_of
from engine.state import Phase
from net.client.draws import GatheringShare
from net.client.session import ConnectionState, Opening, Update
from net.client.state import StatusPublisher
from net.protocol.events import write_event
from net.protocol.framing import BadFrame
from net.protocol.lobby import Drawer, Settings
from net.protocol.lobby_events import LobbyEvent, Rematch, RoundBegins
from net.protocol.messages import (
    KNOWLEDGE_BYTES,
    ClientMessage,
    CloseReason,
    Gathering,
    Knowledge,
    KnowledgeWanted,
    Resync,
    StepFrame,
    read_told,
    write_told,
)
from net.room.effects import Effects
from tests.net.room.moved_table import lose_host, move_to
from tests.net.room.room_fixture import Guest, Table, dig, play_on, playing

THREE = Settings(seats=3, rounds=3)


def told_of(body: bytes) -> bytes:
    """A body of what is told, as `write_told` frames it."""
    return (len(body).to_bytes(2, "big") + body).ljust(KNOWLEDGE_BYTES, b"\0")


UNREADABLE = {
    "no message": told_of(b"\xc1"),
    "cut off": write_told([HandDealt(1, ())])[:3].ljust(KNOWLEDGE_BYTES, b"\0"),
    "of another kind": told_of(msgspec.msgpack.encode([["no such event", 1]])),
    "what everybody knows": told_of(msgspec.msgpack.encode([write_event(Passed(1))])),
}


def ask_ben(table: Table) -> KnowledgeWanted:
    """The question what Ben's seat knows, which another host would ask."""
    held = table.people["Ben"].client.status.game_state
    assert held is not None
    return KnowledgeWanted(2, held.mark, 18, bytes(16), bytes(32))


# What a seat tells.


def test_a_program_puts_in_no_share_among_people_whose_names_are_others() -> None:
    table = playing()
    held = table.people["Ben"].client.status.game_state
    assert held is not None
    wanted = ask_ben(table)
    member = wanted.member
    name = held.lobby.find_person(member).name
    for drawer, asked in ((Drawer(member, name), True), (Drawer(member, "Zed"), False)):
        among = structs.replace(wanted, drawers=(drawer,))
        assert bool(GatheringShare().commit(among, held.lobby)) == asked


def test_a_seat_tells_its_secrets_or_that_it_knows_none() -> None:
    table = playing()
    play_on(table, 5, "random")
    view = table.people["Ben"].client.status.view
    assert view is not None
    secrets = secrets_of(view)
    assert secrets
    assert read_told(write_told(secrets)) == secrets
    assert read_told(write_told(())) == ()
    assert read_told(write_told(None)) is None


@pytest.mark.parametrize("told", UNREADABLE.values(), ids=UNREADABLE)
def test_what_no_honest_program_tells_is_refused(told: bytes) -> None:
    with pytest.raises(BadFrame):
        read_told(told)


class Babble(Table):
    """A table that hears what cannot be read in place of what Cleo's program tells."""

    def say(self, connected: Guest, message: ClientMessage) -> Effects:
        """Somebody says something."""
        if connected.name == "Cleo" and isinstance(message, Knowledge):
            message = Knowledge(UNREADABLE["no message"])
        return super().say(connected, message)


def test_a_program_that_does_not_hold_the_step_tells_that_it_knows_nothing() -> None:
    table = playing()
    client = table.people["Ben"].client
    wanted = ask_ben(table)
    client.end_connection()
    told, *_ = client.receive(wanted).send
    assert isinstance(told, Knowledge)
    assert read_told(told.told) is not None
    client.kept.clear()
    told, *_ = client.receive(wanted).send
    assert isinstance(told, Knowledge)
    assert read_told(told.told) is None


def test_a_host_that_has_let_a_seat_in_may_not_ask_it_for_its_secrets() -> None:
    table = playing()
    with pytest.raises(BadFrame):
        table.people["Ben"].client.receive(ask_ben(table))


# What a program shows of a table that gathers.


def test_a_table_that_waits_for_names_that_are_no_names_is_refused() -> None:
    table = playing()
    client = table.people["Ben"].client
    client.end_connection()
    client.receive(Gathering(("Cleo",), 1))
    assert client.status.gathering == Gathering(("Cleo",), 1)
    with pytest.raises(BadFrame):
        client.receive(Gathering(("Cleo", "\x1b[2J"), 1))
    assert client.status.gathering == Gathering(("Cleo",), 1)


def test_going_on_here_is_under_way_until_the_table_lets_its_host_in() -> None:
    table = playing()
    lose_host(table)
    client = table.people["Ben"].client
    client.status = replace(client.status, opening=Opening.UNDER_WAY)
    there = move_to(table, "Ben")
    seen = []
    for name in ("Ben", "Cleo"):
        there.come(name)
        seen.append((client.status.opening, client.status.gathering))
    assert seen == [(Opening.UNDER_WAY, Gathering(("Cleo",), 1)), (Opening.NOT_ASKED, None)]


def test_a_connection_that_has_ended_stays_so() -> None:
    table = playing()
    updates: list[Update] = []
    publisher = StatusPublisher(table.people["Ben"].client, updates.append)
    publisher.set_connection(ConnectionState.ENDED, CloseReason.MOVED)
    publisher.set_connection(ConnectionState.LOST)
    assert publisher.status.connection is ConnectionState.ENDED
    assert publisher.status.ending is CloseReason.MOVED
    assert len(updates) == 1


# What a program keeps, and what it does not take in.


def play_to_the_gold(table: Table) -> None:
    """All dig, until somebody is to take gold."""
    rng = Random(0)
    while (game := table.room.state.game) is not None and game.phase is Phase.PLAY:
        assert game.to_act is not None
        assert table.plays(table.name_to_act(), dig(game.view(game.to_act), rng)) is None
    assert table.room.state.phase is Phase.GOLD


@pytest.mark.parametrize("news", [RoundBegins(), Rematch()], ids=["a round", "the end"])
def test_news_that_is_not_due_is_not_taken_in(news: LobbyEvent) -> None:
    table = playing(THREE)
    play_on(table, 3, "random")
    client = table.people["Ben"].client
    held = client.status.game_state
    assert held is not None
    assert held.phase is Phase.PLAY
    received = client.receive(
        StepFrame(held.step + 1, held.incarnation, 0, (news,), (), bytes(8)),
    )
    assert received.send == (Resync(),)
    assert received.disagreed
    assert client.status.game_state is held
