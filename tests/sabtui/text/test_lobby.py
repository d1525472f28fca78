"""What happens at a table, told from the reader's side."""

from __future__ import annotations

from typing import get_args

import pytest

from net.protocol.hall import HallEvent
from net.protocol.lobby import (
    Absence,
    Lobby,
    Presence,
    Settings,
    Stage,
    TableClaim,
    Topic,
    clean_text,
)
from net.protocol.lobby_events import (
    BotClaimed,
    BotRetired,
    BotSaid,
    BotSat,
    BroughtBack,
    Claimed,
    Closed,
    CodeRenewed,
    DrawBegan,
    DrawnAnew,
    Entered,
    Exited,
    GameBegins,
    HandingOver,
    HostChanged,
    HostOffered,
    HostSharesShown,
    LeaveReason,
    LobbyEvent,
    Locked,
    Nudged,
    Paused,
    PresenceChanged,
    ReadyChanged,
    RecordPublished,
    Rematch,
    Reopened,
    RoundBegins,
    Said,
    SatDown,
    SeatAsked,
    SettingsChanged,
    SharesCommitted,
    SharesShown,
    StandInReason,
    StepShown,
    StoodIn,
    StoodUp,
    WentOn,
    apply,
)
from sabtui.text.lobby import cast_of, lobby_sentence
from sabtui.text.settings import tell_settings
from tests.sabtui.tables import ANA, BOT, BRUNO, DEDE, EVA, FREE, lobby, sits

HERE = lobby()
PLAYING = lobby(stage=Stage.PLAYING, settings=Settings(absent=Absence.WAIT))
BOTS_WAIT = lobby(stage=Stage.PLAYING, settings=Settings(absent=Absence.BOT))
ROUND = Settings(rounds=1, turn_seconds=60, youngest=0)


def second_draw(*members: int, absent: tuple[int, ...] = ()) -> DrawBegan:
    """The draw of the second round."""
    return DrawBegan(bytes(16), bytes(16), 2, bytes(32), members, absent)


TOLD: list[tuple[LobbyEvent, str | None]] = [
    (HostOffered(BRUNO), "The host asks Bruno to run the table."),
    (HandingOver(begins=False), "The table stays with its host: too few have gone over."),
    (BroughtBack(1), None),
    (WentOn(1), None),
    (Nudged(BRUNO), "Bruno knocks on the table."),
    (StepShown(0), None),
    (DrawnAnew((1,)), "The cards and role of Bruno were drawn anew."),
    (Entered(5, "Fay", is_host=False), "Fay has joined."),
    (Exited(EVA, LeaveReason.LEFT), "Eva has left."),
    (Exited(BRUNO, LeaveReason.LEFT), "Bruno has left."),
    (Exited(EVA, LeaveReason.KICKED), "The host has removed Eva."),
    (
        Exited(EVA, LeaveReason.FORGOTTEN),
        "Eva has left.",
    ),
    (SeatAsked(1, EVA), None),
    (SatDown(4, EVA), "Eva took seat 5."),
    (SatDown(4, BRUNO), "Bruno took seat 5."),
    (SatDown(3, EVA), "Eva took seat 4 from Borin."),
    (SatDown(0, EVA), "You no longer have a seat: you are watching now."),
    (SatDown(4, ANA), "You are in seat 5 now."),
    (StoodUp(1), "Bruno left seat 2 and is watching."),
    (StoodUp(0), "You no longer have a seat: you are watching now."),
    (StoodUp(3), "Borin has left."),
    (StoodUp(4), None),
    (BotSat(4, "Dagna", "easy"), "Dagna (easy bot) took seat 5."),
    (BotSat(1, "Dagna", "easy"), "Dagna (easy bot) took seat 2 from Bruno."),
    (BotSat(3, "Borin", "easy"), "Borin's level is easy now."),
    (
        BotRetired("digger", "hard"),
        "The bot digger cannot play on: Sabtui's hard bot plays instead.",
    ),
    (Locked(locked=True), "The table is locked."),
    (Locked(locked=False), "The table is unlocked."),
    (CodeRenewed(), None),
    (HostChanged(BRUNO, 1), None),
    (ReadyChanged(1, ready=True), "Bruno: ready."),
    (ReadyChanged(0, ready=True), "Ana (you): ready."),
    (ReadyChanged(1, ready=False), "Bruno: not ready."),
    (ReadyChanged(0, ready=False), "Ana (you): not ready."),
    (PresenceChanged(DEDE, Presence.SHAKY), None),
    (PresenceChanged(DEDE, Presence.GONE), "Dede lost connection. The seat is kept."),
    (PresenceChanged(EVA, Presence.GONE), "Eva lost connection."),
    (PresenceChanged(DEDE, Presence.AWAY), "Dede left for now. The seat is kept."),
    (PresenceChanged(EVA, Presence.AWAY), "Eva left for now."),
    (PresenceChanged(DEDE, Presence.THERE), "Dede is back."),
    (PresenceChanged(ANA, Presence.GONE), None),
    (
        SettingsChanged(ROUND),
        "Table settings: 1 round, you begin, turn time: 60 seconds.",
    ),
    (SettingsChanged(Settings()), None),
    (Paused(paused=True), "The game is paused."),
    (Paused(paused=False), "The game goes on."),
    (Said(BRUNO, "hello"), None),
    (Claimed(BRUNO, TableClaim(Topic.WHO_ME)), None),
    (BotClaimed(3, TableClaim(Topic.WHO_ME)), None),
    (BotSaid(3, "I dig."), None),
    (GameBegins(), "The game begins."),
    (RoundBegins(), None),
    (Rematch(), "New game: everybody is ready."),
    (StoodIn(1, StandInReason.ABSENT), "A bot made this move for Bruno."),
    (StoodIn(1, StandInReason.ASLEEP), "A bot made this move for Bruno."),
    (StoodIn(0, StandInReason.ABSENT), "A bot made this move for you."),
    (StoodIn(0, StandInReason.ASLEEP), "A bot made this move for you."),
    (StoodIn(4, StandInReason.ABSENT), None),
    (
        Reopened(),
        "The host is back, and all seats are kept. The others have yet to return.",
    ),
    (second_draw(BRUNO, DEDE), None),
    (second_draw(absent=(DEDE,)), "Round 2 was dealt without Dede."),
    (second_draw(absent=(BRUNO, DEDE)), "Round 2 was dealt without Bruno and Dede."),
    (SharesCommitted(()), None),
    (SharesShown(()), None),
    (Closed(), None),
    (RecordPublished("..."), None),
    (HostSharesShown((b"",)), None),
]


@pytest.mark.parametrize(("event", "text"), TOLD, ids=repr)
def test_news_is_told_in_a_sentence_from_the_readers_side(
    event: LobbyEvent, text: str | None
) -> None:
    assert lobby_sentence(event, HERE, ANA) == text


def test_who_was_left_out_of_a_draw_is_not_named_again_when_it_begins_anew() -> None:
    once = second_draw(DEDE, absent=(BRUNO,))
    both = second_draw(absent=(BRUNO, DEDE))
    assert lobby_sentence(both, apply(HERE, once), ANA) == ("Round 2 was dealt without Dede.")
    assert lobby_sentence(once, apply(HERE, once), ANA) is None


def test_all_kinds_of_news_are_told_here() -> None:
    in_halls = set(get_args(HallEvent))
    assert {type(event) for event, _text in TOLD} == set(get_args(LobbyEvent)) - in_halls


def test_all_but_the_host_who_is_asked_read_that_somebody_asks_for_a_seat() -> None:
    told = lobby_sentence(SeatAsked(1, EVA), HERE, DEDE)
    assert told == "Eva asks for Bruno's seat from another device."


def test_others_read_once_that_the_host_shows_the_game_again() -> None:
    told = lobby_sentence(StepShown(0), HERE, DEDE)
    assert told == "Ana shows the game again, step by step."
    assert lobby_sentence(StepShown(1), HERE, DEDE) is None


def test_who_sits_down_reads_it_of_themselves() -> None:
    assert lobby_sentence(Entered(EVA, "Eva", is_host=False), HERE, EVA) is None
    assert lobby_sentence(SatDown(4, EVA), HERE, EVA) == "You are in seat 5 now."


@pytest.mark.parametrize(
    ("before", "means"),
    [
        (PLAYING, "Everybody waits for them."),
        (BOTS_WAIT, "A bot plays for them."),
    ],
)
def test_who_is_gone_from_a_game_is_told_with_what_that_means(before: Lobby, means: str) -> None:
    lost = lobby_sentence(PresenceChanged(DEDE, Presence.GONE), before, ANA)
    assert lost == f"Dede lost connection. {means}"
    left = lobby_sentence(PresenceChanged(DEDE, Presence.AWAY), before, ANA)
    assert left == f"Dede left for now. {means}"


def test_a_shaky_connection_that_holds_is_no_return() -> None:
    shaky = lobby(presence=Presence.SHAKY)
    text = lobby_sentence(PresenceChanged(DEDE, Presence.THERE), shaky, ANA)
    assert text is None


def test_in_a_game_the_seats_that_are_left_are_told_of() -> None:
    left = lobby_sentence(Exited(BRUNO, LeaveReason.LEFT), PLAYING, ANA)
    assert left == "Bruno has left."
    ready = lobby_sentence(ReadyChanged(1, ready=True), PLAYING, ANA)
    assert ready == "Bruno: ready."


def test_who_is_counted_anew_as_a_game_begins_is_told_the_number() -> None:
    gaps = lobby(FREE, sits(BRUNO), sits(DEDE), BOT, FREE)
    told = "The game begins. You are in seat 2 now."
    assert lobby_sentence(GameBegins(), gaps, DEDE) == told
    assert lobby_sentence(GameBegins(), gaps, EVA) == "The game begins."


def test_the_cast_has_people_bots_and_free_chairs_by_seat() -> None:
    names = cast_of(HERE, BRUNO)
    assert names.names == ("Ana", "Bruno", "Dede", "Borin", "Player 5")
    assert names.me == 1
    assert cast_of(HERE, EVA).me is None


def test_all_that_is_agreed_upon_is_told() -> None:
    lines = [*tell_settings(Settings(is_open=True, absent=Absence.BOT), cast_of(HERE, ANA))]
    assert lines == [
        "edition: international",
        "3 rounds",
        "5 seats",
        "the first player is drawn at random",
        "access: open",
        "if cut off: a bot plays for them",
        "turn time: no limit",
        "stand-in bots: medium",
        "hints: allowed",
        "watchers wait for the round's end",
    ]
    waits = Settings(absent=Absence.WAIT)
    told = tell_settings(waits, cast_of(HERE, ANA), ["absent"])
    assert told == ("if cut off: everybody waits for them",)
    assert tell_settings(Settings(youngest=1), cast_of(HERE, ANA), ["youngest"]) == (
        "Bruno begins",
    )


def test_names_stay_names_in_news() -> None:
    hostile = clean_text("{name}[/]%s")
    text = lobby_sentence(Entered(9, hostile, is_host=False), HERE, ANA)
    assert text == "{name}[/]%s has joined."
