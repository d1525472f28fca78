"""What happens at a table, told from the reader's side."""

from __future__ import annotations

from typing import get_args

import pytest

from net.codec import events
from net.lobby import Absence, Claim, Lobby, News, Presence, Settings, Stage, Topic, clean_text
from net.lobby.news import (
    Again,
    BotClaimed,
    BotSat,
    Claimed,
    Closed,
    CodeRenewed,
    Entered,
    Exit,
    Exited,
    GameBegins,
    LinkIs,
    Locked,
    MovesMissing,
    Paused,
    ReadySaid,
    RecordTold,
    Reopened,
    RoundBegins,
    Ruled,
    Said,
    SatDown,
    StoodIn,
    StoodUp,
    Why,
)
from sabtui.words.news import cast_of, happened_here
from sabtui.words.terms import Terms
from tests.sabtui.tables import ANA, BOT, BRUNO, DEDE, EVA, FREE, lobby, sits

HERE = lobby()
PLAYING = lobby(stage=Stage.PLAYING, settings=Settings(absent=Absence.WAIT))
BOTS_WAIT = lobby(stage=Stage.PLAYING, settings=Settings(absent=Absence.BOT))
ROUND = Settings(rounds=1, turn_seconds=60, youngest=0)

TOLD: list[tuple[News, str | None]] = [
    (Entered(5, "Fay", is_host=False), "Fay comes in."),
    (Exited(EVA, Exit.LEFT), "Eva, who watched, leaves."),
    (Exited(BRUNO, Exit.LEFT), "Bruno leaves."),
    (Exited(EVA, Exit.KICKED), "The host sends Eva away."),
    (Exited(EVA, Exit.FORGOTTEN), "Eva, who watched and is long gone, gave way to somebody new."),
    (SatDown(4, EVA), "Eva sits down as seat 5."),
    (SatDown(4, BRUNO), "Bruno moves to seat 5."),
    (SatDown(3, EVA), "Eva takes seat 4 from Borin."),
    (SatDown(0, EVA), "Eva takes your seat 1: you watch now."),
    (SatDown(4, ANA), "You move to seat 5."),
    (StoodUp(1), "Bruno leaves seat 2 and watches."),
    (StoodUp(0), "Your seat 1 is free now: you watch."),
    (StoodUp(3), "Borin, a bot, leaves seat 4."),
    (StoodUp(4), None),
    (BotSat(4, "Dagna", "greedy"), "Dagna, a greedy bot, sits down as seat 5."),
    (BotSat(1, "Dagna", "greedy"), "Dagna, a greedy bot, plays on for Bruno in seat 2."),
    (Locked(locked=True), "The host locks the table: nobody new comes in."),
    (Locked(locked=False), "The host unlocks the table."),
    (CodeRenewed(), "The room code is another now. The host knows it."),
    (ReadySaid(1, ready=True), "Bruno is ready."),
    (ReadySaid(0, ready=True), "You are ready."),
    (ReadySaid(1, ready=False), "Bruno is not ready yet."),
    (ReadySaid(0, ready=False), "You are not ready yet."),
    (LinkIs(DEDE, Presence.SHAKY), "Dede's connection is shaky."),
    (LinkIs(DEDE, Presence.GONE), "Dede is gone; the seat is kept."),
    (LinkIs(EVA, Presence.GONE), "Eva is gone."),
    (LinkIs(DEDE, Presence.THERE), "Dede is back."),
    (LinkIs(ANA, Presence.GONE), None),
    (Ruled(ROUND), "Agreed: 1 round, you begin and a turn lasts 60 seconds at most."),
    (Ruled(Settings()), None),
    (Paused(paused=True), "The host pauses the game."),
    (Paused(paused=False), "The game goes on."),
    (Said(BRUNO, "hello"), None),
    (Claimed(BRUNO, Claim(Topic.WHO_ME)), None),
    (BotClaimed(3, Claim(Topic.WHO_ME)), None),
    (GameBegins(), "The game begins."),
    (RoundBegins(), None),
    (Again(), "The game is put away. All keep their seats for another one."),
    (StoodIn(1, Why.ABSENT), "A bot makes this move for Bruno."),
    (StoodIn(1, Why.ASLEEP), "Bruno's time is up: a bot makes this move."),
    (StoodIn(0, Why.ABSENT), "You were gone: a bot made this move for you."),
    (StoodIn(0, Why.ASLEEP), "Your time was up: a bot made this move for you."),
    (StoodIn(4, Why.ABSENT), None),
    (
        Reopened(),
        "The host is back, and all seats are kept. The others still have to return.",
    ),
    (
        MovesMissing(BRUNO, 2, "Dede", (events.Passed(2),), 0),
        "Bruno saw moves that this table has lost: Dede passed.",
    ),
    (Closed(), None),
    (RecordTold("..."), None),
]


@pytest.mark.parametrize(("news", "told"), TOLD, ids=repr)
def test_news_is_told_in_a_sentence_from_the_readers_side(news: News, told: str | None) -> None:
    assert happened_here(news, HERE, ANA) == told


def test_all_kinds_of_news_are_told_here() -> None:
    assert {type(news) for news, _told in TOLD} == set(get_args(News))


def test_who_sits_down_reads_it_of_themselves() -> None:
    assert happened_here(Entered(EVA, "Eva", is_host=False), HERE, EVA) is None
    assert happened_here(SatDown(4, EVA), HERE, EVA) == "You sit down as seat 5."
    assert happened_here(SatDown(3, EVA), HERE, EVA) == "You take seat 4 from Borin."


@pytest.mark.parametrize(
    ("before", "told"),
    [
        (PLAYING, "Dede is gone; when it is their turn, the game waits for them."),
        (BOTS_WAIT, "Dede is gone; until they are back, a bot plays for them."),
    ],
)
def test_who_is_gone_from_a_game_is_told_with_what_that_means(before: Lobby, told: str) -> None:
    assert happened_here(LinkIs(DEDE, Presence.GONE), before, ANA) == told


def test_a_shaky_connection_that_holds_is_no_return() -> None:
    shaky = lobby(presence=Presence.SHAKY)
    told = happened_here(LinkIs(DEDE, Presence.THERE), shaky, ANA)
    assert told == "Dede's connection is fine again."


def test_in_a_game_the_seats_that_are_left_are_told_of() -> None:
    left = happened_here(Exited(BRUNO, Exit.LEFT), PLAYING, ANA)
    assert left == "Bruno leaves."
    ready = happened_here(ReadySaid(1, ready=True), PLAYING, ANA)
    assert ready == "Bruno is ready for the next round."


def test_who_is_counted_anew_as_a_game_begins_is_told_the_number() -> None:
    gaps = lobby(FREE, sits(BRUNO), sits(DEDE), BOT, FREE)
    told = "The game begins without the free seats: you are seat 2 now."
    assert happened_here(GameBegins(), gaps, DEDE) == told
    assert happened_here(GameBegins(), gaps, EVA) == "The game begins."


def test_the_cast_has_people_bots_and_free_chairs_by_seat() -> None:
    cast = cast_of(HERE, BRUNO)
    assert cast.names == ("Ana", "Bruno", "Dede", "Borin", "Player 5")
    assert cast.me == 1
    assert cast_of(HERE, EVA).me is None


def test_all_that_is_agreed_upon_is_told() -> None:
    told = [*Terms.of(Settings(is_open=True, absent=Absence.BOT), cast_of(HERE, ANA))]
    assert told == [
        "edition international",
        "3 rounds",
        "5 seats",
        "who begins is drawn",
        "anybody may join",
        "a bot plays for whoever is gone",
        "turns have no time limit",
        "bots that stand in are fair",
        "hints are allowed",
    ]
    assert Terms.of(Settings(youngest=1), cast_of(HERE, ANA)).youngest == "Bruno begins"


def test_names_stay_names_in_news() -> None:
    hostile = clean_text("{name}[/]%s")
    told = happened_here(Entered(9, hostile, is_host=False), HERE, ANA)
    assert told == "{name}[/]%s comes in."
