"""Questions that a table asks by itself: to go on without people, and to give a seat away."""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from net.client.session import Status
from net.protocol.lobby import Deserted, Lobby, Presence
from net.protocol.requests import GiveHost, GoOnWithout, HandOver
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import Evening, evening

BRUNO, DEDE, ZOE = 2, 4, 9
ALONE = "Go on without Bruno, Chiara and Dede? y: yes, n: no"
ASKED = "Zoe asks for Dede's seat from another device. y: yes, n: no"


def few() -> Lobby:
    """A table with too few of its people to play."""
    at = scenes.lobby()
    gone = tuple(
        structs.replace(one, presence=Presence.GONE) if one.member == BRUNO else one
        for one in at.people
    )
    return structs.replace(at, people=gone)


def short() -> Status:
    """A table that has waited for its people for long."""
    return replace(scenes.now(at=few()), short=True)


def asking(*asks: int) -> Status:
    """A table that has moved, to which Dede has not come, and newcomers ask for the seat."""
    return scenes.now(at=structs.replace(scenes.lobby(), deserted=(Deserted(3, DEDE, asks),)))


def requests(here: Evening) -> list[object]:
    """What was wanted so far."""
    return [*here.seat.requests]


async def test_who_may_go_on_without_others_is_asked_and_enter_does() -> None:
    async with evening() as here:
        await here.hear(short())
        assert here.said == ALONE
        await here.press("enter")
        assert requests(here) == [GoOnWithout()]
        await here.hear(short())
        assert here.said != ALONE, "it was answered"


async def test_who_waits_by_escape_is_asked_again_only_after_the_table_has_played() -> None:
    async with evening(short()) as here:
        assert here.said == ALONE
        await here.press("escape")
        assert here.said.startswith("Go on without Bruno, Chiara and Dede? E goes on")
        await here.hear(short())
        assert "y: yes" not in here.said
        await here.hear(scenes.now())
        await here.hear(short())
        assert here.said == ALONE
        assert requests(here) == []


async def test_a_question_is_taken_back_once_there_is_nothing_to_answer() -> None:
    async with evening(short()) as here:
        await here.hear(scenes.now())
        assert "without" not in here.said
        await here.press("y")
        assert requests(here) == []


async def test_the_host_gives_a_seat_by_y_alone() -> None:
    async with evening() as here:
        await here.hear(asking(ZOE))
        assert here.said == ASKED
        await here.press("enter", "1", "ctrl+c")
        assert here.said == ASKED
        assert requests(here) == []
        await here.press("y")
        assert requests(here) == [HandOver(3, ZOE)]


async def test_whom_the_host_refuses_a_seat_is_not_asked_about_again() -> None:
    async with evening(asking(ZOE)) as here:
        assert here.said == ASKED
        await here.press("n")
        await here.hear(asking(ZOE))
        assert "y: yes" not in here.said
        assert requests(here) == []


async def test_no_question_takes_the_keys_of_who_is_typing() -> None:
    async with evening() as here:
        await here.press("t", "h")
        await here.hear(asking(ZOE))
        await here.press("e", "y", "enter")
        assert HandOver(3, ZOE) not in requests(here)
        assert here.said == ASKED


async def test_another_question_that_is_opened_meanwhile_comes_first() -> None:
    async with evening(asking(ZOE)) as here:
        here.table.action_command("close")
        assert here.said.startswith("Close the table for everybody?")
        await here.press("n")
        assert here.said == ASKED


async def test_nobody_but_the_host_is_asked_for_a_seat() -> None:
    guest = asking(ZOE)
    assert guest.lobby is not None
    async with evening(scenes.now(at=structs.replace(guest.lobby, host=BRUNO))) as here:
        assert ASKED not in here.said


async def test_the_host_hands_the_table_over_by_the_key_by_which_guests_go_on() -> None:
    async with evening() as here:
        assert isinstance(here.table, TableScreen)
        await here.press("p", "down", "G")
        assert here.said.startswith("Ask Bruno to run the table?")
        await here.press("y")
        assert requests(here) == [GiveHost(BRUNO)]
