"""Steps that a table has lost: who saw them, and comes later, accuses nobody."""

from __future__ import annotations

from copy import deepcopy

import pytest

from engine.events import visible_to
from net.client.audit import Audit
from net.client.snapshots import is_shared
from net.client.state import KEPT_STATES, ClientState
from net.protocol.lobby import Settings
from net.protocol.messages import ClientMessage, HostMessage, Welcome
from net.protocol.requests import Chat, NextRound, SetReady
from tests.net.room.moved_table import fall_behind, lose_host, move_to, tick
from tests.net.room.room_fixture import Guest, Table, play_on, playing


def go_back(table: Table, count: int) -> ClientState:
    """The host comes back from a copy that lacks all but so many steps; what Ben held before."""
    ben = table.people["Ben"].client
    held = deepcopy(ben)
    del table.disk[count:]
    table.seed = bytes(32)  # what is drawn again is drawn otherwise
    table.crash()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    return held


def come_later(table: Table, held: ClientState) -> Audit:
    """Ben's program comes back with what it held before steps were lost; its audit in the end."""
    held.end_connection()
    table.people["Ben"].client = held
    ben = table.come("Ben")
    assert [one.disagreed for one in ben.received if one.disagreed] == []
    assert any(one.gone for one in ben.received)
    play_on(table)
    (audit,) = ben.audits
    assert audit.gone
    return audit


def begin_next_round(table: Table) -> None:
    """Play the round out, and deal the next."""
    play_on(table)
    assert table.wants("Ann", NextRound()) is None


@pytest.mark.parametrize("lost", [4, KEPT_STATES + 4])
def test_moves_of_an_earlier_round_that_were_lost_accuse_nobody(lost: int) -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table, 2, "random")
    count = len(table.disk)
    play_on(table, lost, "random", 1)
    held = go_back(table, count)
    begin_next_round(table)
    assert come_later(table, held).mismatches == ()


def test_a_round_that_was_dealt_in_steps_that_were_lost_accuses_nobody() -> None:
    table = playing(Settings(seats=3, rounds=2))
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
    table = playing(Settings(seats=3, rounds=2))
    play_on(table, 2, "random")
    others = {name: deepcopy(table.people[name].client) for name in ("Ann", "Ben", "Cleo")}
    begin_next_round(table)
    play_on(table, 24, "random")
    held = table.people["Cleo"].client
    held.end_connection()
    for name, client in others.items():
        table.people[name].client = client
    lose_host(table)
    there = move_to(table, "Ben")
    there.seed = bytes(32)
    there.come_all("Ben", "Ann", "Cleo")
    play_on(there)
    for name in ("Ann", "Ben", "Cleo"):
        assert there.wants(name, SetReady(ready=True)) is None
    assert there.room.state.round == 2
    play_on(there, 2, "random", 1)
    there.crash()
    assert held.kept[0].step < there.room.state.number < held.kept[-1].step
    there.people["Cleo"].client = held
    held.is_elsewhere = True
    there.come_all("Ben", "Ann", "Cleo")
    play_on(there)
    (audit,) = there.people["Cleo"].audits
    assert audit.gone
    assert (audit.unseen, audit.mismatches) == ((2,), ())


def test_cards_drawn_anew_once_more_at_a_host_that_saved_nothing_accuse_nobody() -> None:
    table = playing(Settings(seats=3, rounds=2))
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
        assert [one.disagreed for one in cleo.received if one.disagreed] == []
        assert any(one.gone for one in cleo.received) == bool(seed)
        drawn.append(there.people["Cleo"].view)
        assert visible_to(drawn[0].history, None) == visible_to(drawn[-1].history, None)
        there.disk.clear()
        there.crash()
    assert drawn[0].history != drawn[1].history


def test_cards_drawn_once_more_after_a_later_step_than_before_accuse_nobody() -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table, 8, "random")
    lose_host(table)
    for _ in range(6):
        fall_behind(table.people["Cleo"])
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    cleo = there.people["Cleo"]
    held = deepcopy(cleo.client)
    assert 2 not in there.lobby.relocations[-1].anew
    there.disk.clear()
    there.crash()
    there.come("Ben")
    tick(there, 18)
    assert 2 in there.lobby.relocations[-1].anew
    assert held.last_seen.step < there.room.gone_on_from.step
    held.end_connection()
    cleo.client = held
    cleo = there.come("Cleo")
    assert [one.disagreed for one in cleo.received if one.disagreed] == []
    assert any(one.gone for one in cleo.received)


def test_a_state_after_a_move_is_no_past_of_a_table_that_has_not_moved() -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table, 3, "random")
    now = table.people["Ann"].client.status.game_state
    assert now is not None
    lose_host(table)
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    play_on(there, 2, "random")
    kept = there.people["Cleo"].client.kept
    has_moved = [bool(held.lobby.relocations) for held in kept]
    assert {True, False} == set(has_moved)
    assert [is_shared(held, kept[-1], now) for held in kept] == [not after for after in has_moved]


class Hasty(Table):
    """A table whose people talk as soon as they are welcome, and what their programs sent then."""

    sent: tuple[ClientMessage, ...] = ()

    def hear(self, connected: Guest, message: HostMessage) -> None:
        super().hear(connected, message)
        if isinstance(message, Welcome) and message.gone:
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
