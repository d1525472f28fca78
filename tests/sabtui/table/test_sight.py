"""What a person sees of a table: from a session's status, and at each frame of a replay."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from engine.cards import Role
from engine.notation.record import Replay
from net.client.session import ConnectionState, Status
from net.protocol.lobby import Lobby, Presence
from sabtui.after.replays import ALL_OPEN, PointOfView, WatchedGame
from sabtui.table.sight import Disconnected, Playing, Sight, Waiting, stage_of
from tests.sabtui.games import game_record
from tests.sabtui.tui import scenes


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


@pytest.mark.parametrize(
    ("status", "stage"),
    [
        (Status(), Waiting),
        (scenes.in_lobby(scenes.lobby()), Lobby),
        (scenes.now(), Playing),
        (replace(scenes.now(), connection=ConnectionState.LOST), Waiting),
        (replace(scenes.now(), connection=ConnectionState.ENDED), Disconnected),
    ],
)
def test_a_connection_is_at_one_stage(status: Status, stage: type) -> None:
    assert type(stage_of(status)) is stage


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
