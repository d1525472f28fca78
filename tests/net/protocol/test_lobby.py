"""Lobby events that name whoever is not at the table, and the table of an evening."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from net.protocol.chat import chat_line_of
from net.protocol.lobby import (
    MAX_GAMES,
    MAX_PEOPLE,
    BotChair,
    Evening,
    EveningRow,
    Free,
    Lobby,
    Settings,
    TableClaim,
    Topic,
)
from net.protocol.lobby_events import (
    BotClaimed,
    BotRetired,
    BotSaid,
    BroughtBack,
    HostChanged,
    LobbyEvent,
    ReadyChanged,
    Said,
    SatDown,
    SharesCommitted,
    SharesShown,
)
from tests.net.room.room_fixture import Table

NOBODY = 99


def lobby_of_one() -> Lobby:
    table = Table(Settings(seats=4))
    table.come("Ann")
    return table.lobby


@pytest.mark.parametrize(
    "event",
    [
        SatDown(1, NOBODY),
        ReadyChanged(3, ready=True),
        HostChanged(NOBODY, 1),
        BroughtBack(1),  # where no table moved
        SharesCommitted(()),  # where no seed is drawn
        SharesShown(()),
    ],
)
def test_an_event_of_what_is_not_there_changes_nothing(event: LobbyEvent) -> None:
    with pytest.raises(LookupError):
        event.change(lobby_of_one())


@pytest.mark.parametrize(
    "event",
    [Said(NOBODY, "hello"), BotClaimed(1, TableClaim(Topic.GOLD_AT, 0)), BotSaid(1, "hello")],
)
def test_nothing_is_said_by_somebody_who_is_not_there(event: LobbyEvent) -> None:
    with pytest.raises(LookupError):
        chat_line_of(event, lobby_of_one())


def test_a_bot_that_is_retired_plays_nowhere_any_more_and_the_names_stay() -> None:
    settings = Settings(seats=4, stand_in="digger")
    chairs = (Free(), BotChair("Bo", "digger"), BotChair("Cy", "wary"), BotChair("Di", "digger"))
    lobby = replace(lobby_of_one(), chairs=chairs, settings=settings)
    retired = BotRetired("digger", "medium").change(lobby)
    bots = (BotChair("Bo", "medium"), BotChair("Cy", "wary"), BotChair("Di", "medium"))
    assert retired.chairs == (Free(), *bots)
    assert retired.settings == replace(settings, stand_in="medium")
    one = BotRetired("digger", "hard").change(replace(lobby, settings=Settings(seats=4)))
    assert one.settings.stand_in == "medium"


THREE = ("Ann", "Ben", "Cleo")


def test_a_game_adds_to_everybody_and_who_has_most_gold_has_won() -> None:
    evening = Evening().after(THREE, (2, 5, 5)).after(("ben", "Dede", "Ann"), (1, 0, 4))
    assert evening.games == 2
    assert evening.rows == (
        EveningRow("Ann", games=2, won=1, gold=6),
        EveningRow("Ben", games=2, won=1, gold=6),
        EveningRow("Cleo", games=1, won=1, gold=5),
        EveningRow("Dede", games=1, won=0, gold=0),
    )
    assert [row.name for row in evening.first] == ["Ann", "Ben"]
    assert Evening().first == ()


def test_of_too_many_rows_those_go_who_have_least_and_have_left() -> None:
    evening = Evening()
    for game in range(MAX_PEOPLE // 2):
        evening = evening.after((f"A{game}", f"B{game}", "Ann"), (game + 1, game + 1, 0))
    assert len(evening.rows) == MAX_PEOPLE
    names = {row.name for row in evening.rows}
    assert "Ann" in names, "she has no gold, but plays on"
    assert len({"A0", "B0"} & names) == 1


def test_counts_stop_where_a_message_can_carry_no_more() -> None:
    evening = Evening()
    for _ in range(MAX_GAMES + 2):
        evening = evening.after(THREE, (1, 0, 0))
    assert (evening.games, evening.rows[0].games, evening.rows[0].won) == (MAX_GAMES,) * 3
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(evening), type=Evening) == evening
