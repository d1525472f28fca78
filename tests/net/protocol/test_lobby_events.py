"""Lobby events that name a person, a seat or a bot that is not at the table."""

import pytest
from msgspec.structs import replace

from net.protocol.chat import chat_line_of
from net.protocol.lobby import BotChair, Free, Settings, TableClaim, Topic
from net.protocol.lobby_events import (
    BotClaimed,
    BotRetired,
    BotSaid,
    HostChanged,
    LobbyEvent,
    ReadyChanged,
    Said,
    SatDown,
    SharesCommitted,
    SharesShown,
    apply,
)
from tests.net.room.room_fixture import Table

NOBODY = 99


def lobby_of_one() -> Table:
    """Return a table at which Ann sits alone."""
    table = Table(Settings(seats=4))
    table.come("Ann")
    return table


@pytest.mark.parametrize(
    "event", [SatDown(1, NOBODY), ReadyChanged(3, ready=True), HostChanged(NOBODY, 1)]
)
def test_an_event_of_somebody_who_is_not_there_changes_nothing(event: LobbyEvent) -> None:
    with pytest.raises(LookupError):
        apply(lobby_of_one().lobby, event)


def test_a_bot_that_is_retired_plays_nowhere_any_more_and_the_names_stay() -> None:
    settings = Settings(seats=4, stand_in="digger")
    chairs = (Free(), BotChair("Bo", "digger"), BotChair("Cy", "wary"), BotChair("Di", "digger"))
    lobby = replace(lobby_of_one().lobby, chairs=chairs, settings=settings)
    retired = apply(lobby, BotRetired("digger", "medium"))
    bots = (BotChair("Bo", "medium"), BotChair("Cy", "wary"), BotChair("Di", "medium"))
    assert retired.chairs == (Free(), *bots)
    assert retired.settings == replace(settings, stand_in="medium")
    one = apply(replace(lobby, settings=Settings(seats=4)), BotRetired("digger", "hard"))
    assert one.settings.stand_in == "medium"


@pytest.mark.parametrize("event", [SharesCommitted(()), SharesShown(())])
def test_nobody_commits_to_a_share_or_shows_one_where_no_seed_is_drawn(event: LobbyEvent) -> None:
    with pytest.raises(LookupError):
        apply(lobby_of_one().lobby, event)


@pytest.mark.parametrize(
    "event",
    [
        Said(NOBODY, "hello"),
        BotClaimed(1, TableClaim(Topic.GOLD_AT, 0)),
        BotSaid(1, "hello"),
    ],
)
def test_nothing_is_said_by_somebody_who_is_not_there(event: LobbyEvent) -> None:
    with pytest.raises(LookupError):
        chat_line_of(event, lobby_of_one().lobby)
