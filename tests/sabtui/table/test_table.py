"""A table as a person sees it, and the catalogue of commands: each once for every face."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import get_args

import pytest
from msgspec import structs

from engine.cards import Role
from engine.notation.record import Replay
from net.client.session import ConnectionState, Status
from net.protocol import requests
from net.protocol.lobby import Presence, Settings, TablePhase
from net.protocol.messages import DiskStatus, Refusal
from sabtui.after.replays import ALL_OPEN, PointOfView, WatchedGame
from sabtui.plain.commands import COMMANDS
from sabtui.table import commands as table_commands
from sabtui.table.commands import (
    CLOSE,
    HAND_OVER,
    LOCK,
    PAUSE,
    READY,
    REMOVE,
    SIT,
    TABLE_COMMANDS,
    UNSAVED,
    TableCommand,
    Target,
    target_seat,
)
from sabtui.table.sight import Sight
from sabtui.text.reasons import refusal_sentence, why_unavailable
from tests.net.server.journal_tools import HOUSE
from tests.sabtui.cases import DIG, OVER
from tests.sabtui.games import game_record
from tests.sabtui.plain_sessions import now_at
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, lobby, sits
from tests.sabtui.tui import scenes

HOST = now_at(lobby())
GUEST = now_at(lobby(), member=BRUNO)
OPEN_TO_ALL = now_at(structs.replace(lobby(), settings=Settings(is_open=True)))


def test_each_deed_is_in_the_catalogue() -> None:
    defined = [value for value in vars(table_commands).values() if isinstance(value, TableCommand)]
    assert len(defined) > 20
    assert [command.name for command in defined if command not in TABLE_COMMANDS] == []
    assert len({command.name for command in TABLE_COMMANDS}) == len(TABLE_COMMANDS)


@pytest.mark.parametrize("request_", [requests.Chat("x" * 161), requests.Sit(10), requests.Kick(0)])
def test_what_the_table_could_not_read_is_refused_before_it_is_sent(
    request_: requests.Request,
) -> None:
    told = why_unavailable(HOST, request_)
    assert told == "That text is too long, or that number too large. Try another."


def test_everything_that_may_be_asked_of_a_table_can_be_asked_for_by_a_person() -> None:
    made_by_net = {requests.MakeMove, requests.TakeHost}
    wanted = {kind.__name__ for kind in set(get_args(requests.Request)) - made_by_net}
    sources = (path.read_text("utf-8") for path in (HOUSE / "sabtui").rglob("*.py"))
    made = {
        node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        for source in sources
        if any(f"{name}(" in source for name in wanted)  # others need not be parsed
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)
    }
    assert wanted <= made


def test_no_word_means_a_deed_and_something_else() -> None:
    words = [word for command in COMMANDS for word in command.spellings]
    assert len(words) == len({*words})
    assert {word for command in TABLE_COMMANDS for word in command.typed} <= {*words}


@pytest.mark.parametrize("command", TABLE_COMMANDS, ids=lambda command: command.name)
def test_every_deed_is_offered_somewhere_and_told_where_it_cannot_be_done(
    command: TableCommand,
) -> None:
    assert command.purpose()
    assert command.lobby is not None or command.table is not None or command.typed
    shown = [
        keys for keys in (command.lobby, command.table) if keys is not None and not keys.is_hidden
    ]
    assert command.label is not None or not shown, "the footer needs a label"
    assert command.why_not(Target(Status())) == "You are not at the table yet."
    host_alone = (refusal_sentence(Refusal.HOST_ONLY), "The host starts the game.")
    assert not command.is_for_host or command.why_not(Target(GUEST)) in host_alone


def test_a_key_toggles_and_a_word_means_what_it_says() -> None:
    playing = now_at(lobby(*lobby().chairs[:3], stage=TablePhase.PLAYING), DIG)
    assert PAUSE.request(Target(playing)) == PAUSE.request(Target(playing, word="pause"))
    assert PAUSE.request(Target(playing, word="go")) == requests.Pause(paused=False)
    assert LOCK.request(Target(HOST)) == requests.Lock(locked=True)
    assert LOCK.why_not(Target(HOST, word="unlock")) == refusal_sentence(Refusal.NOT_NOW)


def test_before_a_game_a_seat_goes_to_who_came_back_under_a_number_and_sits_elsewhere() -> None:
    table = lobby(sits(ANA), sits(BRUNO), sits(DEDE))
    people = [
        structs.replace(person, name="Bruno 2") if person.member == DEDE else person
        for person in table.people
    ]
    back = now_at(structs.replace(table, people=tuple(people)))
    assert [name for name, _target in HAND_OVER.others(target_seat(back, 1))] == ["Bruno 2", "Eva"]
    assert [name for name, _target in HAND_OVER.others(target_seat(back, 0))] == ["Eva"]


def test_the_host_counts_as_ready_before_a_game() -> None:
    assert READY.request(Target(HOST)) is None
    assert READY.request(Target(GUEST)) is not None


CLOSING = "Close the table for everybody?"
STAGED = lobby(*lobby().chairs[:3], stage=TablePhase.PLAYING)


@pytest.mark.parametrize(
    ("command", "target", "question"),
    [
        (REMOVE, target_seat(HOST, 1), "Remove Bruno for good?"),
        (REMOVE, target_seat(HOST, 3), ""),
        (
            REMOVE,
            target_seat(OPEN_TO_ALL, 1),
            "Remove Bruno? The table is open: only a code keeps people out (new code).",
        ),
        (HAND_OVER, target_seat(HOST, 1), "Give Bruno's seat 2 to Eva?"),
        (CLOSE, Target(HOST), CLOSING),
        (CLOSE, Target(now_at(lobby(), DIG)), f"{CLOSING} Unfinished games are not saved."),
        (CLOSE, Target(now_at(lobby(), OVER)), CLOSING),
    ],
)
def test_a_screen_asks_first_where_something_is_lost(
    command: TableCommand, target: Target, question: str
) -> None:
    assert command.ask(target) == question


@pytest.mark.parametrize(
    ("command", "target", "reason"),
    [
        (REMOVE, target_seat(HOST, 4), "Nobody sits there."),
        (REMOVE, target_seat(HOST, 0), refusal_sentence(Refusal.HOST_STAYS)),
        (HAND_OVER, target_seat(HOST, 4), "Nobody sits there."),
        (HAND_OVER, Target(HOST, how="Choose one."), "Choose one."),
        (SIT, target_seat(HOST, 1), "That seat is not free: choose another."),
        (SIT, target_seat(HOST, 0), "You already have a seat."),
        (
            SIT,
            Target(now_at(STAGED, DIG, EVA), how="Choose one."),
            "You can only do that between rounds.",
        ),
        (UNSAVED, Target(HOST), "Nothing has changed."),
        (UNSAVED, Target(replace(HOST, disk=DiskStatus.FULL)), None),
    ],
)
def test_a_reason_names_what_a_deed_lacks(
    command: TableCommand, target: Target, reason: str | None
) -> None:
    assert command.why_not(target) == reason


def test_what_is_pointed_at_is_what_is_asked_for() -> None:
    assert REMOVE.request(target_seat(HOST, 1)) == requests.Kick(BRUNO)
    assert HAND_OVER.request(target_seat(HOST, 1)) == requests.HandOver(1, EVA)
    assert SIT.request(target_seat(HOST, 4)) == requests.Sit(4)


# What a person sees: from a session's status, and at each frame of a replay.


def watched_game() -> WatchedGame:
    return WatchedGame(Replay.of(game_record(4, rounds=3)), "the record", "Gold Rush")


def test_a_sight_has_the_people_as_they_are_and_nobody_for_a_bot() -> None:
    here, shaky, gone = Presence.THERE, Presence.SHAKY, Presence.GONE
    sight = scenes.sight()
    assert sight.presences == (here, here, shaky, gone, None)
    assert (sight.title, sight.names.me, sight.names.names[3]) == ("Gold Rush", 0, "Dede")
    assert not sight.is_paused
    paused = structs.replace(scenes.lobby(), paused=True)
    assert scenes.sight(scenes.now(at=paused)).is_paused


def test_only_ones_own_cards_and_dwarf_are_seen_until_the_round_is_over() -> None:
    sight = scenes.sight()
    assert sight.hand(0) == sight.view.hand
    assert [sight.hand(seat) for seat in range(1, 5)] == [None] * 4
    assert [sight.role(seat) for seat in sight.seats] == [Role.MINER, *[None] * 4]
    over = scenes.sight(scenes.now(scenes.between()))
    assert over.role(1) is Role.SABOTEUR
    assert over.nuggets(1) is None, "gold is told at the end of the game"
    assert scenes.sight(scenes.finished_status()).nuggets(3) == 5


def test_a_table_stays_in_sight_when_its_connection_is_lost() -> None:
    assert Sight.of(scenes.in_lobby(scenes.lobby())) is None
    lost = scenes.sight(replace(scenes.now(), connection=ConnectionState.LOST))
    assert lost == scenes.sight()


def test_a_replay_shows_a_seat_what_it_saw_and_with_all_cards_open_the_rest() -> None:
    begun = watched_game().begin()
    seat = begun.at_step(9).look_from(PointOfView(1)).sight
    assert (seat.names.me, seat.view.seat) == (1, 1)
    assert seat.hand(1) == seat.view.hand
    assert [seat.role(other) for other in (0, 2)] == [None, None]
    assert [seat.hand(other) for other in (0, 2)] == [None, None]
    every = begun.at_step(9).look_from(ALL_OPEN).sight
    assert every.hand(1) == seat.hand(1)
    assert None not in [every.role(seat) for seat in every.seats]
    assert None not in [every.nuggets(seat) for seat in every.seats]
    assert every.names.me is None


def test_a_replay_has_the_record_and_the_rounds_before_once_they_are_counted() -> None:
    begun = watched_game().begin()
    assert (begun.sight.record, begun.sight.past) == ("", ())
    last = begun.last.sight
    assert last.record == "the record"
    assert last.past
    assert [round_.number for round_ in last.tally.rounds] == [1, 2, 3]
