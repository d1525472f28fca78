"""What the host alone can do during a game, and what watchers can: found in the palette."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from net.client.session import Status
from net.protocol.lobby import Free, Person, Presence
from net.protocol.messages import DiskStatus, Refusal
from net.protocol.requests import (
    Close,
    GoUnsaved,
    HandOver,
    Kick,
    Leave,
    Lock,
    NewCode,
    NextRound,
    Pause,
    Request,
    Sit,
)
from sabtui.text.reasons import refusal_sentence
from sabtui.text.seats import between_rounds
from sabtui.tui.table.model import SendRequest
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import evening
from tests.sabtui.tui.table.pure_table import PureTable


def test_the_host_pauses_deals_on_and_closes() -> None:
    at = PureTable(scenes.now(scenes.between()))
    at.command("pause")
    at.command("next round")
    at.command("close", "y")
    assert at.requests == [Pause(paused=True), NextRound(), Close()]
    at.command("leave for good")
    assert at.said == refusal_sentence(Refusal.HOST_STAYS)


def test_the_player_under_the_cursor_is_sent_away_once_that_is_sure() -> None:
    at = PureTable()
    at.command("remove")
    assert at.said.startswith("Go to a player first")
    at.press("p", "down")
    at.command("remove", "n")
    assert at.requests == []
    at.command("remove", "y")
    assert at.requests == [Kick(2)]
    at.press("up")
    at.command("remove")
    assert at.said == refusal_sentence(Refusal.HOST_STAYS), "nobody sends oneself away"
    at.press("up")
    at.command("remove")
    assert at.said == between_rounds(), "nor a bot, within a round"


def test_a_seat_is_given_to_who_watches_between_rounds() -> None:
    at = PureTable()
    at.press("p", "down")
    at.command("hand over")
    assert at.said.startswith("That seat holds cards that nobody new may see")
    at = PureTable(scenes.now(scenes.between()))
    at.command("hand over")
    assert at.said.startswith("Go to a player first")
    at.press("p", "down", "down", "down")
    at.command("hand over")
    assert at.said.startswith("Give Dede's seat 4 to Zoe?")
    at.press("y")
    assert at.requests == [HandOver(3, 9)]


def test_a_guest_may_leave_for_good() -> None:
    guest = scenes.now(at=structs.replace(scenes.lobby(), host=2))
    at = PureTable(guest)
    at.command("leave for good", "y")
    assert at.requests == [Leave()]


def test_who_watches_takes_a_free_seat_between_rounds() -> None:
    lobby = scenes.lobby()
    lobby = structs.replace(lobby, chairs=(*lobby.chairs[:4], Free()), host=2)
    held = scenes.now(scenes.between()._replace(seat=None, role=None), lobby).game_state
    at = PureTable(Status(scenes.now().connection, 9, held))
    at.press("p", "up")
    at.command("sit")
    assert at.requests == [Sit(4)]


def test_a_host_goes_on_unsaved_once_that_is_sure() -> None:
    full = replace(scenes.now(), disk=DiskStatus.FULL)
    at = PureTable()
    at.press("f")
    assert at.said == "Nothing has changed."
    at.hear(full)
    assert at.said.startswith("The game cannot be saved, so it is on hold")
    at.press("1", "enter")
    assert at.moves == []
    at.press("f", "y")
    assert at.requests == [GoUnsaved()]
    at.hear(replace(full, disk=DiskStatus.UNSAVED))
    assert "The game goes on unsaved" in at.said
    assert "goes on unsaved" in at.model.log.lines[-1].text


def test_guests_are_offered_nothing_that_is_the_hosts() -> None:
    guest = scenes.now(at=structs.replace(scenes.lobby(), host=2))
    at = PureTable(guest)
    offered = at.offered
    assert not offered & {"pause", "remove", "close", "next round", "hand over", "unsaved", "sit"}
    assert {"leave for good", "card 1", "hint"} <= offered
    at = PureTable()
    offered = at.offered
    assert {"pause", "remove", "close", "next round", "hand over", "unsaved"} <= offered
    assert "leave for good" not in offered


def test_who_watches_is_offered_no_cards() -> None:
    watching = replace(scenes.now(), member=9)
    at = PureTable(watching)
    offered = at.offered
    assert not offered & {"card 1", "turn", "next", "discard", "hint", "autopilot"}
    assert {"sit", "talk", "leave"} <= offered


@pytest.mark.parametrize(("keys", "want"), [(("C", "y"), Close()), (("K", "y"), Kick(2))])
def test_the_host_has_keys_for_what_may_be_urgent(keys: tuple[str, ...], want: object) -> None:
    at = PureTable()
    at.press("p", "down", *keys)
    assert at.requests == [want]


@pytest.mark.parametrize(
    ("name", "request_sent"),
    [
        ("pause", Pause(paused=True)),
        ("lock", Lock(locked=True)),
        ("new code", NewCode()),
        ("next round", NextRound()),
    ],
)
def test_what_can_be_taken_back_is_not_asked_about(name: str, request_sent: Request) -> None:
    at = PureTable(scenes.now(scenes.between()))
    at.command(name)
    assert at.effects[-1:] == [SendRequest(request_sent)]


async def test_of_several_who_watch_one_is_picked() -> None:
    lobby = scenes.lobby()
    yan = Person(10, "Yan [/]", Presence.THERE)
    lobby = structs.replace(lobby, people=(*lobby.people, yan))
    async with evening(scenes.now(scenes.between(), lobby)) as at:
        await at.press("p", "down")
        at.table.action_command("hand over")
        await at.pilot.pause()
        assert "Who gets seat 2, with its cards and gold?" in at.shown
        await at.press("down", "enter")
        assert at.said == "Give Bruno's seat 2 to Yan [/]? y: yes, n: no"
        await at.press("y")
        assert at.seat.requests == [HandOver(1, 10)]


def test_no_seat_is_given_to_a_watcher_who_is_away() -> None:
    lobby = scenes.lobby()
    away = structs.replace(lobby.people[-1], presence=Presence.GONE)
    lobby = structs.replace(lobby, people=(*lobby.people[:-1], away))
    at = PureTable(scenes.now(scenes.between(), lobby))
    at.press("p", "down", "down", "down")
    at.command("hand over")
    assert at.said == ("Only a watcher can be given a seat: seated players have to stand up first.")
