"""What the host alone can do during a game, and what watchers can: found in the palette."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from net.client.session import Status
from net.lobby import Free, Person, Presence
from net.protocol.messages import (
    Close,
    DiskStatus,
    GoUnsaved,
    HandOver,
    Kick,
    Leave,
    NextRound,
    Pause,
    Sit,
)
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import Evening, evening


async def obey(at: Evening, name: str, *keys: str) -> None:
    at.table.action_command(name)
    await at.pilot.pause()
    await at.press(*keys)


async def test_the_host_pauses_deals_on_and_closes() -> None:
    async with evening(scenes.now(scenes.between())) as at:
        await obey(at, "pause")
        await obey(at, "next round")
        await obey(at, "close", "y")
        assert at.seat.requests == [Pause(paused=True), NextRound(), Close()]
        await obey(at, "leave for good")
        assert at.said == "The host closes the table, or stays."


async def test_the_player_under_the_cursor_is_sent_away_once_that_is_sure() -> None:
    async with evening() as at:
        await obey(at, "kick")
        assert at.said.startswith("Go to a player first")
        await at.press("p", "down")
        await obey(at, "kick", "n")
        assert at.seat.requests == []
        await obey(at, "kick", "y")
        assert at.seat.requests == [Kick(2)]
        await at.press("up")
        await obey(at, "kick")
        assert at.said.startswith("Go to a player first"), "nobody sends oneself away"
        await at.press("up")
        await obey(at, "kick")
        assert at.said.startswith("Go to a player first"), "nor a bot"


async def test_a_seat_is_given_to_who_watches_between_rounds() -> None:
    async with evening() as at:
        await at.press("p", "down")
        await obey(at, "hand over")
        assert at.said.startswith("That seat holds cards that nobody new may see")
    async with evening(scenes.now(scenes.between())) as at:
        await obey(at, "hand over")
        assert at.said.startswith("Go to a player first")
        await at.press("p", "down", "down", "down")
        await obey(at, "hand over")
        assert at.said.startswith("Give seat 4, with all it holds, to Zoe?")
        await at.press("y")
        assert at.seat.requests == [HandOver(3, 9)]


@pytest.mark.parametrize("name", ["pause", "kick", "hand over", "close"])
async def test_guests_have_none_of_these(name: str) -> None:
    guest = scenes.now(at=structs.replace(scenes.lobby(), host=2))
    async with evening(guest) as at:
        await obey(at, name)
        assert at.said == "Only the host of the table can do that."
        assert at.seat.requests == []


async def test_a_guest_may_leave_for_good() -> None:
    guest = scenes.now(at=structs.replace(scenes.lobby(), host=2))
    async with evening(guest) as at:
        await obey(at, "leave for good", "y")
        assert at.seat.requests == [Leave()]


async def test_who_watches_takes_a_free_seat_between_rounds() -> None:
    lobby = scenes.lobby()
    lobby = structs.replace(lobby, chairs=(*lobby.chairs[:4], Free()), host=2)
    held = scenes.now(scenes.between()._replace(seat=None, role=None), lobby).game_state
    async with evening(Status(scenes.now().connection, 9, held)) as at:
        assert "watching" in at.shown
        await at.press("p", "up")
        await obey(at, "sit")
        assert at.seat.requests == [Sit(4)]


async def test_of_several_who_watch_one_is_picked() -> None:
    lobby = scenes.lobby()
    yan = Person(10, "Yan [/]", Presence.THERE)
    lobby = structs.replace(lobby, people=(*lobby.people, yan))
    async with evening(scenes.now(scenes.between(), lobby)) as at:
        await at.press("p", "down")
        await obey(at, "hand over")
        assert "Who gets seat 2, with all it holds?" in at.shown
        await at.press("down", "enter")
        assert at.said == "Give seat 2, with all it holds, to Yan [/]? y: yes, n: no"
        await at.press("y")
        assert at.seat.requests == [HandOver(1, 10)]


async def test_a_host_goes_on_unsaved_once_that_is_sure() -> None:
    full = replace(scenes.now(), disk=DiskStatus.FULL)
    async with evening() as at:
        await at.press("f")
        assert at.said == "All is saved as it should be."
        await at.hear(full)
        assert at.said.startswith("Nothing can be saved, so the game stands still")
        await at.press("1", "enter")
        assert at.seat.moves == []
        await at.press("f", "y")
        assert at.seat.requests == [GoUnsaved()]
        await at.hear(replace(full, disk=DiskStatus.UNSAVED))
        assert "The game goes on unsaved" in at.said
        assert "goes on unsaved" in at.shown


async def test_guests_are_offered_nothing_that_is_the_hosts() -> None:
    guest = scenes.now(at=structs.replace(scenes.lobby(), host=2))
    async with evening(guest) as at:
        offered = {command.name for command in at.table.offered}
        assert not offered & {"pause", "kick", "close", "next round", "hand over", "unsaved", "sit"}
        assert {"leave for good", "card 1", "hint"} <= offered
    async with evening() as at:
        offered = {command.name for command in at.table.offered}
        assert {"pause", "kick", "close", "next round", "hand over", "unsaved"} <= offered
        assert "leave for good" not in offered


async def test_who_watches_is_offered_no_cards() -> None:
    watching = replace(scenes.now(), member=9)
    async with evening(watching) as at:
        offered = {command.name for command in at.table.offered}
        assert not offered & {"card 1", "turn", "next", "discard", "hint", "autopilot"}
        assert {"sit", "talk", "leave"} <= offered


@pytest.mark.parametrize(("keys", "want"), [(("C", "y"), Close()), (("K", "y"), Kick(2))])
async def test_the_host_has_keys_for_what_may_be_urgent(
    keys: tuple[str, ...], want: object
) -> None:
    async with evening() as at:
        await at.press("p", "down", *keys)
        assert at.seat.requests == [want]
