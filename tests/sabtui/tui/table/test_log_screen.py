"""The whole log on a page of its own, which goes on while it is read."""

from __future__ import annotations

from net.client.session import Received
from net.protocol.lobby_events import Said
from sabtui.tui.table.log import LogScreen
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import Evening, evening

BRUNO = 2


async def see(at: Evening, text: str) -> None:
    """Wait until a text is on the screen: a slow machine lays out in passes."""
    while text not in at.shown:
        await at.pilot.pause(0.01)


async def open_log(at: Evening) -> None:
    """Open the log, and wait until it is there: keys go to the screen that is on top."""
    await at.press("L")
    await see(at, " Log ")


async def say(at: Evening, *texts: str) -> None:
    """Let Bruno say something while the log is open or not."""
    for text in texts:
        await at.hear(scenes.now(), Received(news=(Said(BRUNO, text),)))


async def test_it_has_every_line_and_escape_goes_back_to_the_table() -> None:
    async with evening(size=(60, 18)) as at:
        await open_log(at)
        assert isinstance(at.app.screen, LogScreen)
        await see(at, "Dede laid ╦ at 2 east, 1 north")
        await see(at, "Zoe: good luck to all of you!")
        await at.press("escape")
        assert isinstance(at.app.screen, TableScreen)


async def test_what_is_said_meanwhile_is_added() -> None:
    async with evening() as at:
        await open_log(at)
        await say(at, "are you still there?")
        await see(at, "Bruno: are you still there?")


async def test_it_begins_at_its_newest_line_and_scrolls_up_to_its_first() -> None:
    async with evening(size=(60, 18)) as at:
        await say(at, *(f"line {number}" for number in range(25)))
        await open_log(at)
        await see(at, "line 24")
        await at.press("up")
        await see(at, "line 23 ")
        while "line 24" in at.shown:
            await at.pilot.pause(0.01)
        await at.press("home")
        await see(at, "Dede laid")
        await at.press("end")
        await see(at, "line 24")


async def test_the_role_is_hidden_there_too() -> None:
    async with evening() as at:
        await at.press("v")
        await open_log(at)
        assert "iner" not in at.shown
