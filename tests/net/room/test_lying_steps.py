"""Steps in which a host tells what cannot have happened, event by event and news by news."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias, get_args

import pytest
from msgspec.structs import replace

from engine import Event, View, events
from engine.board import GOAL_CELLS
from engine.cards import Card, Goal, Path, Role
from engine.events import visible_to
from net.protocol.lobby import Person, Presence, Settings, Stage, TableClaim, Topic
from net.protocol.lobby_events import (
    BotClaimed,
    BotRetired,
    BotSat,
    Claimed,
    Closed,
    Entered,
    EveningBegins,
    Exited,
    GameBegins,
    HostChanged,
    LeaveReason,
    LobbyEvent,
    Paused,
    PresenceChanged,
    ReadyChanged,
    RecordPublished,
    Rematch,
    Reopened,
    RoundBegins,
    Said,
    SatDown,
    SeatsDrawn,
    SettingsChanged,
    StandInReason,
    StoodIn,
    StoodUp,
)
from net.protocol.plausibility import can_follow, follows_from_history, is_settled
from net.protocol.requests import NextRound, PutBot
from net.room.state import RoomState, TableCreated, apply_step, read_founding, read_step
from net.room.validation import can_be_told, is_clean_lobby
from tests.net.room.room_fixture import Table, play_on, playing, three_at_a_table
from tests.net.room.test_lying_host import midway

# Event by event: what happened can happen, and nothing near it can.


@cache
def events_heard() -> tuple[tuple[View, Event], ...]:
    """All that each seat and a watcher heard in a game of two rounds, with what they knew then."""
    found: list[tuple[View, Event]] = []
    table = playing(Settings(seats=3, rounds=2))
    play_on(table, level="greedy")
    table.wants("Ann", NextRound())
    play_on(table, level="greedy", seed=11)
    state = RoomState.create(read_founding_of(table))
    views: dict[int | None, View] = {}
    for number, payload in enumerate(table.disk):
        step = read_step(payload)
        state, happened = apply_step(state, step)
        if state.game is None:
            continue
        for seat in (0, 1, 2, None):
            view = views.get(seat) or before(state, seat)
            for event in visible_to(happened, seat):
                found.append((view, event))
                view = view.after(event)
            views[seat] = view
            if number % 4 == (seat or 0):
                assert is_settled(view)
                assert follows_from_history(view)
    return tuple(found)


def read_founding_of(table: Table) -> TableCreated:
    """How a table was founded."""
    return read_founding(table.kept)


def before(state: RoomState, seat: int | None) -> View:
    """What a seat knew before the first deal."""
    assert state.game is not None
    view = state.game.view(seat)
    return View.before(view.table.edition, 3, view.score.rounds, seat)


STRANGER: Final = 9
NOWHERE: Final = (50, 50)

Fields: TypeAlias = dict[str, Any]  # type: ignore[explicit-any] # Any - each event has its own fields
Lie: TypeAlias = Callable[[Any], Fields]  # type: ignore[explicit-any] # Any - the same
LIES: Final[dict[str, tuple[type, Fields | Lie]]] = {
    "another's dwarf": (events.DwarfDealt, {"to": STRANGER}),
    "a hand that is too large": (events.HandDealt, lambda e: {"cards": (*e.cards, Card.MAP)}),
    "a hand of cards that there are not": (
        events.HandDealt,
        lambda e: {"cards": (Card.DEAD_N,) * len(e.cards)},
    ),
    "another's card": (events.Dealt, {"to": STRANGER}),
    "another's discard": (events.DiscardedCard, {"to": STRANGER}),
    "a goal that was not looked at": (events.GoalPeeked, {"cell": NOWHERE}),
    "gold that is not on offer": (events.GoldShown, lambda e: {"nuggets": (*e.nuggets, 1)}),
    "gold that was not won": (events.GoldReceived, lambda e: {"nuggets": (*e.nuggets, 3)}),
    "a round of another number": (events.RoundBegan, lambda e: {"number": e.number + 1}),
    "a round begun by nobody": (events.RoundBegan, {"starter": STRANGER}),
    "hands for fewer": (events.RoundBegan, lambda e: {"hands": e.hands[:2]}),
    "a pile that is too high": (events.RoundBegan, lambda e: {"pile": e.pile + 1}),
    "a card that floats": (events.Laid, {"cell": NOWHERE}),
    "a turn of a stranger": (events.Laid, {"seat": STRANGER}),
    "a goal where none is": (events.Revealed, {"cell": NOWHERE}),
    "a goal that is none": (events.Revealed, {"path": Path.read("nesw")}),
    "a stranger's broken tool": (events.Broke, {"target": STRANGER}),
    "a tool mended by a map": (events.Repaired, {"card": Card.MAP}),
    "a rockfall on another card": (events.Collapsed, {"path": Path.read("n")}),
    "a rockfall on nothing": (events.Collapsed, {"cell": NOWHERE}),
    "a look at no goal": (events.Looked, {"cell": NOWHERE}),
    "a stranger's pass": (events.Passed, {"seat": STRANGER}),
    "a stranger passed over": (events.Skipped, {"seat": STRANGER}),
    "a stranger's draw": (events.Drew, {"seat": STRANGER}),
    "a stranger's turn": (events.TurnBegan, {"seat": STRANGER}),
    "too few dwarves": (events.RoundEnded, lambda e: {"roles": e.roles[:2]}),
    "too many dwarves": (events.RoundEnded, lambda e: {"roles": (*e.roles, Role.MINER)}),
    "dwarves that there are not": (
        events.RoundEnded,
        lambda e: {"roles": (Role.SABOTEUR,) * len(e.roles)},
    ),
    "three times the treasure": (events.RoundEnded, {"goals": (Goal.TREASURE,) * 3}),
    "more gold than there is": (events.GoldDrawn, {"cards": 29}),
    "a stranger's choice": (events.ChoiceBegan, {"seat": STRANGER}),
    "a stranger's gold": (events.GoldTaken, {"seat": STRANGER}),
    "pay for fewer": (events.SaboteursPaid, lambda e: {"cards": e.cards[:2]}),
    "pay that is not due": (events.SaboteursPaid, {"due": 100}),
    "gold of fewer": (events.GameEnded, lambda e: {"gold": e.gold[:2]}),
}


def test_all_that_ever_happens_can_follow_on_what_each_seat_knew() -> None:
    kinds = {type(event) for _, event in events_heard()}
    assert kinds | {events.Skipped} == {*get_args(Event)}
    for view, event in events_heard():
        assert can_follow(view, event), (view, event)


@pytest.mark.parametrize("lie", LIES)
def test_nothing_can_follow_that_is_a_lie(lie: str) -> None:
    kind, fields = LIES[lie]
    told = [(view, event) for view, event in events_heard() if isinstance(event, kind)]
    if kind is events.Skipped:
        told = [(events_heard()[-1][0], events.Skipped(0))]
    assert told, "nothing to lie about"
    for view, event in told:
        other = dataclasses.replace(event, **(fields(event) if callable(fields) else fields))
        assert other == event or not can_follow(view, other), (view, other)


def test_a_hand_pile_or_turn_that_is_used_up_is_used_no_more() -> None:
    view = midway().people["Ben"].client.status.view
    assert view is not None
    turn = view.table.turn
    assert turn is not None
    other = next(seat for seat in range(3) if seat != turn)
    bare = view._replace(table=view.table._replace(hands=(0, 0, 0), pile=0))
    ended = view._replace(table=view.table._replace(turn=None))
    ending = events.RoundEnded(
        Role.MINER,
        (Role.MINER, Role.MINER, Role.MINER),
        Role.SABOTEUR,
        (Goal.TREASURE, Goal.STONE_NE, Goal.STONE_NW),
    )
    for now, event in (
        (bare, events.Passed(turn)),
        (bare, events.Drew(turn)),
        (bare, events.TurnBegan(turn)),
        (ended, ending),
        (view, events.Passed(other)),
    ):
        assert not can_follow(now, event), event
    assert not is_settled(bare)
    assert not is_settled(view._replace(hand=(Card.DEAD_N,) * len(view.hand)))
    watching = view._replace(seat=None)
    assert not is_settled(watching)


def test_what_a_seat_was_shown_is_not_told_otherwise_later() -> None:
    for view, event in events_heard():
        if isinstance(event, events.RoundEnded) and view.seat is not None:
            mine = view.role
            assert mine is not None
            swapped = event.goals[1:] + event.goals[:1]
            knows = any(view.peeks) or any(cell in view.table.board.cards for cell in GOAL_CELLS)
            other = dataclasses.replace(event, goals=swapped)
            assert can_follow(view, other) != knows
            return
    raise AssertionError("no round ended")


# News by news.


LOBBY_LIES: Final[tuple[LobbyEvent, ...]] = (
    Entered(1, "Ann", is_host=False),
    Exited(99, LeaveReason.LEFT),
    PresenceChanged(99, Presence.GONE),
    Said(99, "hello"),
    Claimed(99, TableClaim(Topic.WHO_ME)),
    Claimed(1, TableClaim(Topic.DIGS_FOR_US, 8)),
    SatDown(8, 1),
    SatDown(0, 99),
    StoodUp(8),
    BotSat(8, "Bo", "random"),
    StoodIn(8, StandInReason.ABSENT),
    BotRetired("digger", "medium"),
    ReadyChanged(8, ready=True),
    ReadyChanged(3, ready=True),
    BotClaimed(8, TableClaim(Topic.WHO_ME)),
    BotClaimed(0, TableClaim(Topic.WHO_ME)),
    HostChanged(9, 1),
    HostChanged(2, 0),
    SettingsChanged(Settings(seats=3)),
    SeatsDrawn((0, 1, 2, 3)),
    SeatsDrawn((0, 1, 2, 3, 3)),
)
LOBBY_TRUTHS: Final[tuple[LobbyEvent, ...]] = (
    Entered(9, "Zoe", is_host=False),
    Exited(2, LeaveReason.LEFT),
    PresenceChanged(2, Presence.GONE),
    Said(2, "hello"),
    Claimed(2, TableClaim(Topic.DIGS_FOR_US, 3)),
    SatDown(4, 1),
    StoodUp(0),
    BotSat(4, "Bo", "random"),
    StoodIn(0, StandInReason.ABSENT),
    ReadyChanged(0, ready=True),
    BotClaimed(3, TableClaim(Topic.WHO_ME)),
    BotRetired("random", "medium"),
    BotRetired("medium", "hard"),
    SettingsChanged(Settings(seats=4)),
    GameBegins(),
    Paused(paused=True),
    SeatsDrawn((2, 0, 1, 4, 3)),
    EveningBegins(),
    Reopened(),
    HostChanged(2, 1),
    Closed(),
    RecordPublished("a record"),
)


def test_news_is_of_somebody_and_something_that_is_at_the_table() -> None:
    table = three_at_a_table(Settings(seats=5))
    assert table.wants("Ann", PutBot(3, "Bo", "random")) is None
    for news in LOBBY_LIES:
        assert not can_be_told(table.lobby, news), news
    for news in LOBBY_TRUTHS:
        assert can_be_told(table.lobby, news), news
    assert not can_be_told(Table().lobby, GameBegins())
    for news in (RoundBegins(), Rematch()):
        assert can_be_told(replace(table.lobby, stage=Stage.PLAYING), news), news


def test_a_lobby_of_strange_terms_or_too_many_people_cannot_be() -> None:
    lobby = three_at_a_table().lobby
    crowd = tuple(Person(member, f"p{member}", Presence.THERE) for member in range(1, 42))
    assert is_clean_lobby(lobby)
    for strange in (
        replace(lobby, settings=replace(lobby.settings, edition="no such")),
        replace(lobby, settings=replace(lobby.settings, stand_in="\x1b[2J")),
        replace(lobby, settings=replace(lobby.settings, youngest=3)),
        replace(lobby, people=crowd),
        replace(lobby, host=99),
    ):
        assert not is_clean_lobby(strange)
