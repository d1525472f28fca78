"""Rounds dealt after a table has moved are checked, and steps that it lost accuse nobody."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest
from msgspec import structs

from engine.actions import Looked
from engine.board import GOAL_CELLS
from engine.cards import DECK, Role
from engine.dealing import deal
from engine.events import Dealt, DwarfDealt, Event, HandDealt, RoundEnded, visible_to
from engine.game import Game
from engine.state import Phase
from net.client.audit import Audit, MismatchKind, audit
from net.client.draws import SeenDraw, find_other, read_draw
from net.client.state import KEPT_STATES, ClientState
from net.client.trail import is_shared
from net.protocol.lobby import SeedDraw, Settings
from net.protocol.lobby_events import HostSharesShown, LobbyEvent
from net.protocol.messages import ClientMessage, HostMessage, StepFrame, Welcome
from net.protocol.requests import Chat, NextRound, SetReady
from tests.net.client.unfair_table import kinds
from tests.net.room.moved_table import (
    fall_behind,
    go_on_at,
    lose_host,
    move_to,
    tick,
)
from tests.net.room.room_fixture import Guest, Table, play_on, playing

ALL = ("Ann", "Ben", "Cleo")
Lie = Callable[[str], LobbyEvent | None]


class Lying(Table):
    """A table whose host shows other shares than its own at the end."""

    lie: Lie | None = None

    def tells(self, connected: Guest, message: HostMessage) -> HostMessage:
        if self.lie is None or not isinstance(message, StepFrame):
            return message
        told = [
            self.lie(connected.name) if isinstance(event, HostSharesShown) else event
            for event in message.lobby_events
        ]
        return structs.replace(
            message, lobby_events=tuple(event for event in told if event is not None)
        )


def game_moved(rounds: int = 2) -> Lying:
    table = playing(Settings(seats=3, rounds=rounds))
    play_on(table, 3, "random")
    lose_host(table)
    there = move_to(table, "Ben", Lying)
    assert isinstance(there, Lying)
    fresh = iter(range(1000))
    there.room.seeds = lambda: sha256(b"%d" % next(fresh)).digest()
    there.come_all("Ben", "Cleo", "Ann")
    play_on(there)
    for _ in range(rounds - 1):
        for name in ALL:
            assert there.wants(name, SetReady(ready=True)) is None
        if there.room.state.round < rounds:
            play_on(there)
    return there


def test_rounds_dealt_after_a_move_are_checked_and_those_before_are_not() -> None:
    there = game_moved(rounds=3)
    play_on(there)
    for name in ALL:
        (audit,) = there.people[name].audits
        assert (audit.moved, audit.mismatches, audit.unseen) == ((1,), (), ())
        assert audit.dealers == ("Ben", "Ann", "Cleo")


def test_a_game_that_moved_in_its_last_round_has_no_dealers_but_its_host() -> None:
    there = game_moved(rounds=1)
    for name in ALL:
        (audit,) = there.people[name].audits
        assert (audit.moved, audit.mismatches, audit.dealers) == ((1,), (), ("Ben",))


def test_a_host_that_shows_no_share_to_which_it_had_committed_is_found_out() -> None:
    there = game_moved()
    shown: dict[str, LobbyEvent | None] = {
        "Ann": HostSharesShown((b"", bytes(32))),
        "Ben": HostSharesShown((b"", b"short")),
        "Cleo": None,
    }
    there.lie = shown.get
    play_on(there)
    for name in ALL:
        assert kinds(there.people[name]) == [MismatchKind.OTHER_SHARES]


def test_a_host_that_deals_other_cards_than_were_drawn_is_found_out() -> None:
    there = game_moved()
    cleo = there.people["Cleo"].client
    held = cleo.status.game_state
    assert held is not None
    assert held.view is not None
    drawn = held.deals.draws[-1]
    assert drawn is not None
    history = tuple(
        replace(event, cards=event.cards[::-1]) if isinstance(event, HandDealt) else event
        for event in held.view.history
    )
    other = held.view._replace(history=history)
    cleo.status = replace(cleo.status, game_state=replace(held, view=other))
    play_on(there)
    (audit,) = there.people["Cleo"].audits
    assert [(mismatch.kind, mismatch.number) for mismatch in audit.mismatches] == [
        (MismatchKind.OTHER_EVENTS, 2)
    ]
    assert kinds(there.people["Ann"]) == []


def test_what_was_seen_to_be_wrong_with_a_later_draw_is_told_at_the_end() -> None:
    there = game_moved(rounds=3)
    play_on(there)
    held = there.people["Ann"].held
    first, second, last = held.deals.draws
    assert second is not None
    alone = replace(second, draw=None, is_due=True)
    missed = replace(held.deals, rounds=(None, None))
    wrong = replace(missed, false=(3,), draws=(first, alone, last))
    found = audit(replace(held, deals=wrong))
    assert found is not None
    assert [(mismatch.kind, mismatch.number) for mismatch in found.mismatches] == [
        (MismatchKind.NOT_DRAWN, 2),
        (MismatchKind.FALSE_DRAW, 3),
    ]
    fits = audit(replace(held, deals=missed))
    assert fits is not None
    assert fits.mismatches == (), "a round that was missed fits what was seen of it"


def play_alone(seed: bytes) -> Game:
    game, _events = Game.begin(deal(seed, 1, 3), rounds=1)
    rng = Random(0)
    while game.phase is Phase.PLAY:
        game, _events = game.apply(rng.choice(game.legal_moves()))
    return game


@pytest.mark.parametrize("seat", [0, 2, None])
def test_all_that_a_seat_sees_of_a_round_follows_from_its_deal_alone(seat: int | None) -> None:
    events = play_alone(bytes(32)).view(seat).history
    assert find_other(deal(bytes(32), 1, 3), events) is None
    assert find_other(deal(b"1" * 32, 1, 3), events) is not None


def change(event: Event) -> Event:
    match event:
        case DwarfDealt(to, role):
            return DwarfDealt(to, Role.MINER if role is Role.SABOTEUR else Role.SABOTEUR)
        case HandDealt(to, cards):
            return HandDealt(to, cards[1:])
        case Dealt(to, card):
            return Dealt(to, next(one for one in DECK if one != card))
        case RoundEnded(goals=(north, middle, south)):
            return replace(event, goals=(south, north, middle))
        case _:
            raise AssertionError(event)


@pytest.mark.parametrize("kind", [DwarfDealt, HandDealt, Dealt, RoundEnded])
def test_each_event_has_to_follow_from_the_deal(kind: type[Event]) -> None:
    events = list(play_alone(bytes(32)).view(1).history)
    at = next(at for at, event in enumerate(events) if isinstance(event, kind))
    events[at] = change(events[at])
    assert find_other(deal(bytes(32), 1, 3), events) == events[at]


def test_a_card_that_its_seat_was_not_dealt_is_found_out() -> None:
    assert find_other(deal(bytes(32), 1, 3), (Looked(0, GOAL_CELLS[0]),) * 7) is not None


def test_a_draw_that_was_not_seen_or_lacks_our_share_proves_nothing() -> None:
    draw = SeedDraw(bytes(16), bytes(16), 1, bytes(32), ())
    assert read_draw(SeenDraw(None, "Ann"), bytes(32)) is None
    assert read_draw(SeenDraw(draw, "Ann", own=b"1" * 32), bytes(32)) is None


# Steps that a table has lost: who saw them, and comes later, accuses nobody.


def go_back(table: Table, count: int) -> ClientState:
    ben = table.people["Ben"].client
    held = deepcopy(ben)
    del table.disk[count:]
    table.seed = bytes(32)  # what is drawn again is drawn otherwise
    table.crash()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    return held


def come_later(table: Table, held: ClientState) -> Audit:
    held.end_connection()
    table.people["Ben"].client = held
    ben = table.come("Ben")
    assert not ben.disagreed
    assert ben.gone
    play_on(table)
    (audit,) = ben.audits
    assert audit.gone
    return audit


def begin_next_round(table: Table) -> None:
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
        assert not cleo.disagreed
        assert bool(cleo.gone) == bool(seed)
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
    assert not cleo.disagreed
    assert cleo.gone


def test_a_state_after_a_move_is_no_past_of_a_table_that_has_not_moved() -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table, 3, "random")
    now = table.people["Ann"].client.status.game_state
    assert now is not None
    there = go_on_at(table, "Ben", "Cleo")
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
