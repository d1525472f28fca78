"""What happens at a table, also as it moves or is left, told from the reader's side."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from msgspec import structs

from net.client.session import ConnectionState, Status
from net.protocol import lobby_events as events
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.hall import HallEvent
from net.protocol.lobby import (
    Absence,
    Deserted,
    Dwarf,
    Lobby,
    Presence,
    Relocation,
    Settings,
    TableClaim,
    TablePhase,
    Topic,
)
from net.protocol.requests import HandOver, TakeOverHere
from sabtui.table.commands import GO_ON, Target
from sabtui.text.connection import own_news, state_words
from sabtui.text.lobby import (
    KEYS,
    TYPED,
    MovingKeys,
    lobby_sentence,
    moving_lines,
    moving_now,
    player_names,
)
from sabtui.text.seats import leave_question
from tests.sabtui.cases import DIG
from tests.sabtui.plain_sessions import WIDE, at, describe_update, now_at, type_lines
from tests.sabtui.tables import ANA, BOT, BRUNO, DEDE, EVA, FREE, lobby, sits

HERE = lobby()
PLAYING = lobby(stage=TablePhase.PLAYING, settings=Settings(absent=Absence.WAIT))
BOTS_WAIT = lobby(stage=TablePhase.PLAYING, settings=Settings(absent=Absence.BOT))
ROUND = Settings(rounds=1, turn_seconds=60, youngest=0)


def second_draw(*members: int, absent: tuple[int, ...] = ()) -> events.DrawBegan:
    """The draw of the second round."""
    return events.DrawBegan(bytes(16), bytes(16), 2, bytes(32), members, absent)


TOLD: list[tuple[events.LobbyEvent, str | None]] = [
    (events.HostOffered(BRUNO), "The host asks Bruno to run the table."),
    (
        events.HandingOver(begins=False),
        "Too few players switched, so the table stays with its host.",
    ),
    (events.BroughtBack(1), None),
    (events.WentOn(1), None),
    (events.Nudged(BRUNO), "Bruno knocks on the table."),
    (events.StepShown(0), None),
    (events.DwarfPicked(BRUNO, Dwarf(4, 6)), None),
    (events.DwarfPicked(ANA, Dwarf(4, 6)), "Your dwarf: red, headscarf, stubble."),
    (events.DrawnAnew((1,)), "New hands and roles: Bruno."),
    (events.Entered(5, "Fay", is_host=False), "Fay has joined."),
    (events.Exited(EVA, events.LeaveReason.LEFT), "Eva has left."),
    (events.Exited(BRUNO, events.LeaveReason.LEFT), "Bruno has left."),
    (events.Exited(EVA, events.LeaveReason.KICKED), "The host has removed Eva."),
    (events.SeatAsked(1, EVA), None),
    (events.SatDown(4, EVA), "Eva took seat 5."),
    (events.SatDown(4, BRUNO), "Bruno took seat 5."),
    (events.SatDown(3, EVA), "Eva took seat 4 from Borin."),
    (events.SatDown(0, EVA), "You are watching."),
    (events.SatDown(4, ANA), "You are in seat 5 now."),
    (events.StoodUp(1), "Bruno left seat 2 and is watching."),
    (events.StoodUp(0), "You are watching."),
    (events.StoodUp(3), "Borin has left."),
    (events.StoodUp(4), None),
    (events.BotSat(4, "Dagna", "easy"), "Dagna (easy bot) took seat 5."),
    (events.BotSat(1, "Dagna", "easy"), "Dagna (easy bot) took seat 2 from Bruno."),
    (events.BotSat(3, "Borin", "easy"), "Borin's level is easy now."),
    (
        events.BotRetired("digger", "hard"),
        "The bot digger cannot continue, so Sabtui's hard bot takes over.",
    ),
    (events.Locked(locked=True), "The table is locked."),
    (events.Locked(locked=False), "The table is unlocked."),
    (events.CodeRenewed(), None),
    (events.HostChanged(BRUNO, 1), None),
    (events.ReadyChanged(1, ready=True), "Bruno: ready."),
    (events.ReadyChanged(0, ready=False), "Ana (you): not ready."),
    (events.PresenceChanged(DEDE, Presence.SHAKY), None),
    (events.PresenceChanged(DEDE, Presence.GONE), "Dede lost connection. The seat is kept."),
    (events.PresenceChanged(EVA, Presence.GONE), "Eva lost connection."),
    (events.PresenceChanged(DEDE, Presence.AWAY), "Dede left for now. The seat is kept."),
    (events.PresenceChanged(EVA, Presence.AWAY), "Eva left for now."),
    (events.PresenceChanged(DEDE, Presence.THERE), "Dede is back."),
    (events.PresenceChanged(ANA, Presence.GONE), None),
    (
        events.SettingsChanged(ROUND),
        "Table settings: 1 round, you go first, turn time: 60 seconds.",
    ),
    (events.SettingsChanged(Settings()), None),
    (events.Paused(paused=True), "The game is paused."),
    (events.Paused(paused=False), "The game goes on."),
    (events.Said(BRUNO, "hello"), None),
    (events.Claimed(BRUNO, TableClaim(Topic.WHO_ME)), None),
    (events.BotClaimed(3, TableClaim(Topic.WHO_ME)), None),
    (events.BotSaid(3, "I dig."), None),
    (events.GameBegins(), "The game begins."),
    (events.RoundBegins(), None),
    (events.Rematch(), "New game: everybody is ready."),
    (events.StoodIn(1, events.StandInReason.ABSENT), "A bot made this move for Bruno."),
    (events.StoodIn(0, events.StandInReason.ASLEEP), "A bot made this move for you."),
    (events.StoodIn(4, events.StandInReason.ABSENT), None),
    (events.Reopened(), "The host is back, and all seats are kept. The others have yet to return."),
    (second_draw(BRUNO, DEDE), None),
    (second_draw(absent=(DEDE,)), "Round 2 was dealt without Dede."),
    (second_draw(absent=(BRUNO, DEDE)), "Round 2 was dealt without Bruno and Dede."),
    (events.SharesCommitted(()), None),
    (events.SharesShown(()), None),
    (events.Closed(), None),
    (events.RecordPublished("..."), None),
    (events.HostSharesShown((b"",)), None),
]


@pytest.mark.parametrize(("event", "text"), TOLD, ids=repr)
def test_news_is_told_from_the_readers_side(event: events.LobbyEvent, text: str | None) -> None:
    assert lobby_sentence(event, HERE, ANA) == text


def test_somebody_who_was_left_out_of_a_draw_is_not_named_again_when_it_begins_again() -> None:
    once = second_draw(DEDE, absent=(BRUNO,))
    both = second_draw(absent=(BRUNO, DEDE))
    assert lobby_sentence(both, once.change(HERE), ANA) == "Round 2 was dealt without Dede."
    assert lobby_sentence(once, once.change(HERE), ANA) is None


def test_all_kinds_of_news_are_told_here() -> None:
    in_halls = set(get_args(HallEvent))
    assert {type(event) for event, _text in TOLD} == set(get_args(events.LobbyEvent)) - in_halls


GAPS = lobby(FREE, sits(BRUNO), sits(DEDE), BOT, FREE)
SHAKY = lobby(presence=Presence.SHAKY)
GONE = events.PresenceChanged(DEDE, Presence.GONE)
BRUNO_GONE = events.PresenceChanged(BRUNO, Presence.GONE)
LEFT = events.PresenceChanged(DEDE, Presence.AWAY)


@pytest.mark.parametrize(
    ("event", "before", "me", "text"),
    [
        (events.SeatAsked(1, EVA), HERE, DEDE, "Eva asks for Bruno's seat from another device."),
        (events.StepShown(0), HERE, DEDE, "Ana is replaying the game, step by step."),
        (events.StepShown(1), HERE, DEDE, None),
        (events.Entered(EVA, "Eva", is_host=False), HERE, EVA, None),
        (events.SatDown(4, EVA), HERE, EVA, "You are in seat 5 now."),
        (GONE, PLAYING, ANA, "Dede lost connection. Everybody waits for them."),
        (GONE, BOTS_WAIT, ANA, "Dede lost connection. A bot plays for them."),
        (GONE, BRUNO_GONE.change(BOTS_WAIT), ANA, "Dede lost connection."),
        (LEFT, PLAYING, ANA, "Dede left for now. Everybody waits for them."),
        (LEFT, BOTS_WAIT, ANA, "Dede left for now. A bot plays for them."),
        (events.PresenceChanged(DEDE, Presence.THERE), SHAKY, ANA, None),
        (events.GameBegins(), GAPS, DEDE, "The game begins. You are in seat 2 now."),
        (events.GameBegins(), GAPS, EVA, "The game begins."),
    ],
    ids=repr,
)
def test_what_news_says_depends_on_the_table_and_on_who_reads_it(
    event: events.LobbyEvent, before: Lobby, me: int, text: str | None
) -> None:
    assert lobby_sentence(event, before, me) == text


def test_the_cast_has_people_bots_and_free_chairs_by_seat() -> None:
    names = player_names(HERE, BRUNO)
    assert names.names == ("Ana", "Bruno", "Dede", "Borin", "Player 5")
    assert names.me == 1
    assert player_names(HERE, EVA).me is None


SSH = DoorNow(DoorKind.SSH, 7351)
WEB = DoorNow(DoorKind.WEB, 7361)
SILENT = "The host is not answering. If their computer is gone, {} moves the table to yours."
DOORS = "Guests have to rejoin through that computer's doors: Dede."


def silent_host(*doors: DoorNow, guests: tuple[int, ...] = (DEDE, EVA)) -> Status:
    """What Bruno holds of a table whose host is silent."""
    here = lobby()
    people = [structs.replace(person, at_door=person.member in guests) for person in here.people]
    now = now_at(structs.replace(here, people=tuple(people), host=ANA), member=BRUNO)
    return replace(now, silent=True, can_host=True, doors=doors)


@pytest.mark.parametrize(("keys", "key"), [(KEYS, "G"), (TYPED, "go-on")])
def test_guests_for_whom_doors_open_here_are_named(keys: MovingKeys, key: str) -> None:
    told = SILENT.format(key)
    assert moving_now(silent_host(SSH), keys) == f"{told} {DOORS}", "Eva only watches"
    assert moving_now(silent_host(), keys) == told
    assert moving_now(silent_host(DoorNow(DoorKind.SSH)), keys) == told
    assert moving_now(silent_host(SSH, guests=(EVA,)), keys) == told


def test_somebody_who_is_asked_to_run_a_table_of_which_they_just_heard_again_reads_it() -> None:
    asked = replace(now_at(structs.replace(HERE, offered=BRUNO), member=BRUNO), can_host=True)
    told = "The host asks you to run the table: G moves it to your computer."
    assert moving_lines(asked, replace(asked, silent=True), KEYS) == [told]
    assert moving_lines(asked, asked, KEYS) == []


def test_the_question_says_for_whom_doors_open() -> None:
    question = "Move the table to your computer and host it?"
    assert GO_ON.ask(Target(silent_host(SSH, WEB))) == f"{question} {DOORS}"
    assert GO_ON.ask(Target(silent_host())) == question
    assert type_lines(at(silent_host(SSH)), "go-on").requests == (TakeOverHere(),)


def test_a_guest_whose_door_was_the_lost_hosts_reads_one_sentence() -> None:
    lost = replace(silent_host(SSH), can_host=False, connection=ConnectionState.LOST)
    told = "The host is not answering. If the game has moved, ask a player there how to join."
    assert state_words(replace(lost, member=DEDE)) == told
    assert state_words(lost).startswith("Lost connection to the host"), "Bruno came without a door"


def seen_by(member: int, *asks: int) -> Status:
    """What somebody holds of a table that has moved to Ana's; some ask for Bruno's seat."""
    here = structs.replace(lobby(), host=ANA, deserted=(Deserted(1, BRUNO, asks),))
    return now_at(here, member=member)


def test_somebody_who_goes_over_to_a_table_of_an_earlier_term_reads_who_hosts_it() -> None:
    moved = (Relocation(28, 1),)
    ours = now_at(structs.replace(lobby(), host=BRUNO, term=28, relocations=moved), member=BRUNO)
    here = structs.replace(lobby(), host=ANA, term=19, relocations=(Relocation(19, 1, (1,)),))
    assert here.seat_of(BRUNO) == 1
    there = now_at(here, member=BRUNO)
    dealt = "You were dealt a new hand and role when the table moved."
    assert own_news(there, ours) == [dealt, "Ana is the host now."]
    assert own_news(ours, there) == ["You are the host now: your computer runs the table."]
    back = now_at(structs.replace(here, term=28), member=BRUNO)
    assert dealt not in own_news(there, back), "it is known already"


def test_somebody_who_gets_a_seat_that_was_dealt_new_cards_reads_it_too_once() -> None:
    moved = structs.replace(lobby(), host=ANA, relocations=(Relocation(1, 1, (1,)),))
    view = DIG._replace(seat=1)
    there, watching = now_at(moved, view, BRUNO), now_at(moved, view._replace(seat=None), EVA)
    told = ["You were dealt a new hand and role when the table moved."]
    assert own_news(there, watching) == told
    assert own_news(there, Status()) == told
    assert own_news(there, there) == []


def test_the_host_reads_in_a_line_who_asks_for_a_seat_and_how_it_is_given() -> None:
    told = "Eva asks for Bruno's seat from another device. give 2 Eva gives it."
    assert describe_update(at(seen_by(ANA), WIDE), seen_by(ANA, EVA)) == [told]
    assert moving_lines(seen_by(ANA, EVA), seen_by(ANA, EVA), TYPED) == []
    assert moving_lines(seen_by(ANA, EVA), seen_by(ANA), KEYS) == [], "a screen asks"
    assert type_lines(at(seen_by(ANA, EVA)), "give 2 Eva").requests == (HandOver(1, EVA),)


def test_somebody_who_asks_for_a_seat_reads_for_what_they_wait() -> None:
    told = ["You are watching until the host gives you Bruno's seat."]
    for keys in (KEYS, TYPED):
        assert moving_lines(seen_by(EVA, EVA), Status(), keys) == told
        assert moving_lines(seen_by(EVA, EVA), seen_by(EVA, EVA), keys) == []
        assert moving_lines(seen_by(DEDE, EVA), seen_by(DEDE), keys) == []


GUESTS = lobby()
ALONE = structs.replace(GUESTS, name="")


@pytest.mark.parametrize(
    ("table", "member", "question"),
    [
        (
            GUESTS,
            ANA,
            "Leave for now? The table stays open for the others. To close it for good: C.",
        ),
        (GUESTS, BRUNO, ""),
        (GUESTS, EVA, ""),
        (ALONE, ANA, "Leave this game? Unfinished games are not saved."),
    ],
)
def test_members_are_asked_if_something_is_lost(table: Lobby, member: int, question: str) -> None:
    assert leave_question(now_at(table, member=member)) == question
