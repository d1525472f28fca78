"""The lobby in lines: who sits where, what Enter does, and what the host can do."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec import structs
from msgspec.structs import replace

from engine.cards import Tool
from engine.edition import EDITIONS
from net.client.session import ConnectionState, Status
from net.client.trail import GameState
from net.protocol import requests
from net.protocol.chat import ChatLine
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.lobby import (
    BotChair,
    Evening,
    Lobby,
    Presence,
    Settings,
    TableClaim,
    TablePhase,
    Topic,
)
from net.protocol.messages import DiskStatus, Refusal
from net.secure.address import Address
from sabtui.text.reasons import refusal_sentence
from sabtui.text.seats import between_rounds
from sabtui.text.settings import nothing_changed, row_words
from tests.sabtui.cases import BETWEEN, DIG
from tests.sabtui.plain_sessions import SMALL, WIDE, Place, at, now_at, type_lines
from tests.sabtui.tables import ANA, BOT, BRUNO, DEDE, EVA, FREE, lobby, sits


def here(table: Lobby | None = None, member: int = ANA) -> Place:
    return at(now_at(table or lobby(), member=member), WIDE)


def requests_of(session: Place, *lines: str) -> tuple[requests.Request, ...]:
    answer = type_lines(session, *lines)
    assert answer.requests, answer.lines
    return answer.requests


def type_and_join(session: Place, *lines: str) -> str:
    answer = type_lines(session, *lines)
    assert answer.is_told_only
    return " / ".join(answer.lines)


def test_of_a_practice_table_no_line_says_how_others_would_come_in() -> None:
    shown = type_and_join(here(replace(lobby(), name="")), "table")
    assert shown.startswith("Table: Practice.")
    assert "join" not in shown
    assert "code" not in shown
    agreed = " ".join(type_and_join(here(), "table").replace("/", " ").split())
    assert "access: room code" in agreed


def test_the_table_is_told_seat_by_seat_with_all_that_was_agreed() -> None:
    table = lobby(sits(ANA), sits(BRUNO, ready=False), sits(DEDE), BOT, FREE)
    ana, bruno, dede, eva = table.people
    table = replace(table, people=(ana, bruno, replace(dede, presence=Presence.GONE), eva))
    assert type_lines(here(table, BRUNO), "table").lines[:7] == (
        "Table: Gold Rush.",
        " 1 Ana: host",
        " 2 Bruno (you): not ready",
        " 3 Dede: ready, connection lost",
        " 4 Borin: easy bot",
        " 5 free",
        "Watching: Eva.",
    )
    assert type_lines(here(table, EVA), "who").lines[-1] == "Watching: Eva (you)."
    counted = replace(table, evening=Evening().after(("Ana", "Bruno"), (7, 3)))
    assert "Bruno  3     0    1" in type_and_join(here(counted), "table")
    assert "won" not in type_and_join(here(table), "table")
    left = replace(table, people=(ana, bruno, replace(dede, presence=Presence.AWAY), eva))
    assert " 3 Dede: ready, left for now" in type_lines(here(left, BRUNO), "table").lines


START, READY = requests.Start(), requests.SetReady(ready=True)
FEW = "2 more players needed: wait, or add bots (bots 2)."
UNREADY = sits(BRUNO, ready=False)
LAST = lobby(sits(ANA), sits(BRUNO), sits(DEDE, ready=False))
FULL = lobby(sits(ANA), sits(BRUNO), BOT)


@pytest.mark.parametrize(
    ("table", "member", "offer", "wanted"),
    [
        (lobby(), ANA, "Enter starts the game.", START),
        (lobby(sits(ANA, ready=False), BOT, BOT), ANA, "Enter starts the game.", START),
        (lobby(sits(ANA), UNREADY, BOT), ANA, "Waiting for Bruno to be ready.", None),
        (lobby(sits(ANA), FREE, FREE), ANA, FEW, None),
        (lobby(sits(ANA), UNREADY, FREE), BRUNO, "Press Enter when you are ready.", READY),
        (LAST, BRUNO, "Waiting for Dede to be ready.", None),
        (FULL, BRUNO, "Waiting for the game to start.", None),
        (structs.replace(FULL, host=0), BRUNO, "Waiting for the game to start.", None),
        (lobby(sits(ANA), BOT, FREE), EVA, "You are watching: sit 3 takes a seat.", None),
        (lobby(sits(ANA), BOT, BOT), EVA, "You are watching.", None),
    ],
    ids=range(10),
)
def test_enter_does_what_comes_next_or_tells_what_is_waited_for(
    table: Lobby, member: int, offer: str, wanted: requests.Request | None
) -> None:
    session = here(table, member)
    assert session.where() == [offer]
    if wanted is None:
        assert type_and_join(session, "") == offer
    else:
        assert requests_of(session, "") == (wanted,)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["unready"], requests.SetReady(ready=False)),
        (["sit"], requests.Sit(4)),
        (["sit 5"], requests.Sit(4)),
        (["stand"], requests.StandUp()),
        (["t hello there"], requests.Chat("hello there")),
        (['"hello there"'], requests.Chat("hello there")),
        (["c 1"], requests.MakeClaim(TableClaim(Topic.GOLD_AT, 0))),
        (["c7"], requests.MakeClaim(TableClaim(Topic.HELP_ME, list(Tool).index(Tool.PICK)))),
        (["leave", "yes"], requests.Leave()),
    ],
    ids=str,
)
def test_anybody_can_want_these(lines: list[str], wanted: requests.Request) -> None:
    assert requests_of(here(member=BRUNO), *lines) == (wanted,)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("start", requests.Start()),
        ("lock", requests.Lock(locked=True)),
        ("empty 4", requests.FreeSeat(3)),
        ("remove bor", requests.FreeSeat(3)),
        ("give 3 Eva", requests.HandOver(2, EVA)),
        ("bot", requests.PutBot(4, "Dagna", "medium")),
        ("bot Hard", requests.PutBot(4, "Dagna", "hard")),
        ("bot Gimli", requests.PutBot(4, "Gimli", "medium")),
        ("bot Old Gimli hard", requests.PutBot(4, "Old Gimli", "hard")),
        ("bots 1", requests.PutBot(4, "Dagna", "medium")),
        ("edition +adjacent", requests.ChangeSettings(Settings(edition="international+adjacent"))),
    ],
)
def test_the_host_can_want_these(line: str, wanted: requests.Request) -> None:
    assert requests_of(here(), line) == (wanted,)


def test_a_new_code_asks_first_and_tells_the_present_one() -> None:
    session = at(dataclasses.replace(now_at(lobby()), code="amber-tulip"), WIDE)
    (asked,) = type_lines(session, "code").lines
    assert asked == "Replace the room code AMBER-TULIP? The old one lets nobody in then."
    assert type_lines(session, "code", "no").requests == ()
    assert requests_of(session, "code", "yes") == (requests.NewCode(),)


@pytest.mark.parametrize("word", ["ways", "invite", "join", "SSH", "address", "link", "qr"])
def test_everybody_is_told_the_ways_in_by_all_words_that_people_try(word: str) -> None:
    doors = (DoorNow(DoorKind.SSH, 7351, "SHA256:16x"),)
    status = dataclasses.replace(now_at(lobby(), member=BRUNO), code="amber-tulip", doors=doors)
    session = at(dataclasses.replace(status, outside=(Address("192.0.2.2", 7341),)), WIDE)
    told = type_lines(session, word).lines
    assert told[0] == "Room code: AMBER-TULIP"
    assert "ssh -p 7351 NAME@192.0.2.2" in told[1]
    assert told[-2] == "With Sabtui: sabtui join, 192.0.2.2:7341"
    assert told[-1].endswith("SHA256:16x")
    alone = type_lines(here(replace(lobby(), name="")), word)
    assert alone.lines[0].startswith("Nobody can join a practice game.")


GAME = lobby(*lobby().chairs[:3], stage=TablePhase.PLAYING)


@pytest.mark.parametrize(
    ("status", "line", "wanted"),
    [
        (now_at(GAME, DIG), "pause", requests.Pause(paused=True)),
        (now_at(replace(GAME, paused=True), DIG), "go", requests.Pause(paused=False)),
        (now_at(GAME, BETWEEN), "next", requests.NextRound()),
        (now_at(replace(lobby(), locked=True)), "unlock", requests.Lock(locked=False)),
        (
            dataclasses.replace(now_at(lobby()), disk=DiskStatus.FULL),
            "unsaved",
            requests.GoUnsaved(),
        ),
    ],
    ids=["pause", "go", "next", "unlock", "unsaved"],
)
def test_some_requests_the_host_can_make_at_their_time_alone(
    status: Status, line: str, wanted: requests.Request
) -> None:
    assert requests_of(at(status, WIDE), line) == (wanted,)
    assert type_and_join(here(), line) in (
        refusal_sentence(Refusal.NOT_NOW),
        between_rounds(),
        nothing_changed(),
    )


@pytest.mark.parametrize(
    ("table", "member", "line", "reason"),
    [
        (lobby(sits(ANA), FREE, FREE), ANA, "start", Refusal.TOO_FEW),
        (lobby(), ANA, "bot bruno", Refusal.NAME_TAKEN),
        (GAME, ANA, "give 2 Dede", Refusal.SEATED),
        (GAME, BRUNO, "stand", Refusal.NOT_NOW),
        (lobby(), BRUNO, "start", Refusal.HOST_ONLY),
    ],
    ids=str,
)
def test_what_would_be_refused_is_not_sent(
    table: Lobby, member: int, line: str, reason: Refusal
) -> None:
    assert type_and_join(here(table, member), line) == refusal_sentence(reason)


def test_while_the_host_has_not_answered_it_decides_itself() -> None:
    waiting = type_lines(here(lobby(sits(ANA), BOT, FREE)), "bot").place
    assert requests_of(waiting, "start") == (requests.Start(),)


def test_several_bots_get_names_that_nobody_has() -> None:
    table = lobby(sits(ANA), FREE, BotChair("dagna", "easy"), FREE)
    bots = (requests.PutBot(1, "Borin", "medium"), requests.PutBot(3, "Eitri", "medium"))
    assert requests_of(here(table), "bots 2") == bots


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("bot Nori hrad", "hrad is not a bot level: end the line with easy, medium or hard."),
        ("bot search", "search is not a bot level: end the line with easy, medium or hard."),
        ("give-host Borin", "Nobody sits there."),
        ("bots 2", "Free seats: 1. Type seats 6 to add one, or empty N to free seat N."),
        ("empty 6", "empty needs a number from 1 to 5."),
        ("remove", "Type remove NAME."),
        ("remove Zoe", "Nobody by that name is at the table now. Check the names."),
        ("give Eva", "give needs a number from 1 to 5."),
        ("give 2", "Type give 2 NAME."),
        ("sit 2", "That seat is not free: choose another."),
        ("sit 6", "sit needs a number from 1 to 5."),
        ("leave", "The host cannot leave while the table is open: close it, or stay."),
        ("hand", "The game has not begun yet. / Enter starts the game."),
        ("1", "Unknown command: 1. Type ? for help, or t 1 to say it."),
        ("t", "t TEXT: tell everybody; t: show the chat"),
        ("edition +linked", "Table settings: edition: international."),
        ("rounds 3", "Table settings: 3 rounds."),
        ("empty 5", "Nothing has changed."),
    ],
)
def test_what_is_typed_wrong_or_is_so_already_gets_a_sentence(line: str, sentence: str) -> None:
    assert type_and_join(here(), line) == sentence


def test_somebody_who_plays_on_unsaved_is_told_so_again() -> None:
    unsaved = at(dataclasses.replace(now_at(lobby()), disk=DiskStatus.UNSAVED), WIDE)
    assert type_and_join(unsaved, "unsaved").startswith("Not saving:")


def test_an_edition_that_nobody_knows_gets_the_list_and_edition_alone_every_rule() -> None:
    assert type_and_join(here(), "edition klingon").startswith("Type edition international, ")
    assert type_and_join(here(), "edition +fast").endswith("or edition +linked.")
    shown = type_and_join(here(), "edition")
    for edition in EDITIONS.values():
        assert f"{edition.book}: " in shown
        assert all(f"+{row}: {row_words(row)}" in shown for row in edition.rows)


@pytest.mark.parametrize(
    ("line", "question", "wanted"),
    [
        ("close", "Close the table for everybody?", requests.Close()),
        ("remove br", "Remove Bruno for good?", requests.Kick(BRUNO)),
    ],
)
def test_closing_and_removing_ask_first_and_name_whom_a_few_letters_meant(
    line: str, question: str, wanted: requests.Request
) -> None:
    assert type_and_join(here(), line) == question
    assert type_lines(here(), line).place.prompt() == "yes or no"
    assert requests_of(here(), line, "yes") == (wanted,)
    assert type_and_join(here(), line, "") == "Nothing has changed."


def test_the_quick_claims_are_listed_by_number() -> None:
    lines = " ".join(type_lines(here(), "claim").lines)
    assert "1 north goal is gold  2 north goal is stone " in lines
    assert "22 who, me?" in lines
    assert type_and_join(here(), "claim 23") == "c needs a number from 1 to 22."


def test_what_was_said_is_kept_as_far_as_it_fits() -> None:
    talk = tuple(ChatLine("Eva", -1, f"line {number}") for number in range(50))
    status = Status(ConnectionState.CONNECTED, ANA, GameState(1, 5, lobby(), None, talk))
    shown = type_lines(at(status, SMALL), "t").lines
    assert shown == tuple(f'Eva says: "line {number}"' for number in range(34, 50))


def test_between_rounds_a_watcher_may_take_a_bots_seat() -> None:
    view = BETWEEN._replace(seat=None)
    table = lobby(sits(ANA), sits(BRUNO), BOT, stage=TablePhase.PLAYING)
    told = "You are watching: sit 3 takes a seat."
    assert at(now_at(table, view, EVA), WIDE).where() == [told]
