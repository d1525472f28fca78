"""A table that goes on at another computer, for tests in sentences."""

from __future__ import annotations

from dataclasses import replace

from net.client.state import public_states
from net.protocol.copies import next_term
from net.protocol.lobby import Lobby
from net.room import inputs
from net.room.room import Room
from net.room.steps import TableCreated, Takeover, write
from net.secure.handshake import HostClaim
from tests.net.room.room_fixture import Guest, Table, key_of


def lose_host(table: Table, *without: str) -> None:
    """The host's program is gone; some have not heard its last step."""
    for connected in table.people.values():
        connected.ended = True
        connected.client.end_connection()
        if connected.name in without:
            miss_last_step(connected)


def miss_last_step(guest: Guest) -> None:
    """Somebody's program has not heard of the last step."""
    kept = guest.client.kept
    kept.pop()
    guest.client.status = replace(guest.client.status, game_state=kept[-1])


def move_to(table: Table, name: str, *, is_handed_over: bool = False) -> Table:
    """Go on with a table at somebody's computer: a table to which nobody has come yet."""
    client = table.people[name].client
    states = public_states(client.kept)
    lobby = states[-1].lobby
    seat = lobby.seat_of(client.status.member)
    assert seat is not None
    claim = HostClaim(next_term(lobby.term, seat), key_of(name), bytes(64))
    moved = Takeover(claim, states, table.people[name].held.talk, is_handed_over)
    created = TableCreated(lobby.name, key_of(name), lobby.settings, moved=moved)
    there = Table(lobby.settings, table.seed)
    there.kept = write(created)
    there.now = table.now
    there.room = Room(created, claim.term << 16, lambda: there.seed, there.now)
    there.people = dict(table.people)
    for guest in there.people.values():
        guest.client.is_elsewhere = True
    return there


def go_on_at(table: Table, host: str, *others: str) -> Table:
    """The host's program is gone; the table goes on at somebody's computer, where people come."""
    lose_host(table)
    there = move_to(table, host)
    there.come_all(host, *others)
    return there


def seat_of(lobby: Lobby, name: str) -> int:
    """The seat of somebody."""
    return [lobby.name_at(seat) for seat in range(len(lobby.chairs))].index(name)


def tick(table: Table, seconds: float) -> None:
    """Let time pass, with the heartbeats of all who are connected."""
    until = table.now + seconds
    while table.now < until:
        table.now += 0.5
        for connected in [*table.connected.values()]:
            if not connected.ended:
                table.say(connected, connected.client.ping())
        table.apply(inputs.tick(table.room, table.now))


def gathers(table: Table) -> bool:
    """Whether a table waits until it can go on."""
    return table.room.gathering is not None


def can_play(table: Table) -> bool:
    """Whether a table may play now."""
    return table.room.may_play
