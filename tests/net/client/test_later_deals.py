"""Rounds that are dealt after a table has moved, and checked at the end as any others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest
from msgspec import structs

from engine.actions import Looked
from engine.board import GOAL_CELLS
from engine.cards import DECK, Role
from engine.dealing import deal
from engine.events import Dealt, DwarfDealt, Event, HandDealt, RoundEnded
from engine.game import Game
from engine.state import Phase
from net.client.audit import MismatchKind, audit
from net.client.draws import SeenDraw, find_other, read_draw
from net.protocol.lobby import SeedDraw, Settings
from net.protocol.lobby_events import HostSharesShown, LobbyEvent
from net.protocol.messages import HostMessage, StepFrame
from net.protocol.requests import SetReady
from tests.net.client.unfair_table import kinds
from tests.net.room.moved_table import all_come, lose_host, move_to
from tests.net.room.room_fixture import Guest, Table, play_on, playing

ALL = ("Ann", "Ben", "Cleo")
Lie = Callable[[str], LobbyEvent | None]


class Lying(Table):
    """A table whose host shows other shares than its own at the end."""

    lie: Lie | None = None

    def tells(self, connected: Guest, message: HostMessage) -> HostMessage:
        """What the host tells somebody; the hash of a step says nothing of shares."""
        if self.lie is None or not isinstance(message, StepFrame):
            return message
        told = [
            self.lie(connected.name) if isinstance(one, HostSharesShown) else one
            for one in message.lobby_events
        ]
        return structs.replace(
            message, lobby_events=tuple(event for event in told if event is not None)
        )


def game_moved(rounds: int = 2) -> Lying:
    """A game that moved in its first round to Ben's computer, and is in its last one there."""
    table = playing(Settings(seats=3, rounds=rounds))
    play_on(table, 3, "random")
    lose_host(table)
    there = move_to(table, "Ben", Lying)
    assert isinstance(there, Lying)
    fresh = iter(range(1000))
    there.room.seeds = lambda: sha256(b"%d" % next(fresh)).digest()
    all_come(there, "Ben", "Cleo", "Ann")
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
    assert [(one.kind, one.number) for one in audit.mismatches] == [(MismatchKind.OTHER_EVENTS, 2)]
    assert kinds(there.people["Ann"]) == []


def test_what_was_seen_to_be_wrong_with_a_later_draw_is_told_at_the_end() -> None:
    there = game_moved(rounds=3)
    play_on(there)
    held = there.people["Ann"].client.status.game_state
    assert held is not None
    first, second, last = held.deals.draws
    assert second is not None
    alone = replace(second, draw=None, is_due=True)
    missed = replace(held.deals, rounds=(None, None))
    wrong = replace(missed, false=(3,), draws=(first, alone, last))
    found = audit(replace(held, deals=wrong))
    assert found is not None
    assert [(one.kind, one.number) for one in found.mismatches] == [
        (MismatchKind.NOT_DRAWN, 2),
        (MismatchKind.FALSE_DRAW, 3),
    ]
    fits = audit(replace(held, deals=missed))
    assert fits is not None
    assert fits.mismatches == (), "a round that was missed fits what was seen of it"


def play_alone(seed: bytes) -> Game:
    """A round of three that is dealt from a seed, and played by chance."""
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
    """The event with another role, hand, card or goals."""
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
