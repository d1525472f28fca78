"""The whole log on a screen of its own: it goes on while it is read, and is searched."""

from __future__ import annotations

import asyncio

from net.client.session import Received
from net.protocol.lobby_events import Said
from sabtui.tui.table.log import LogScreen
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import Evening, evening

BRUNO = 2

LOWEST_ROW = -3
"""Row of the newest line that is shown, above the two of the footer."""


async def sees(at: Evening, text: str, row: int | None = None) -> None:
    """Wait until a text is on the screen, or in one row: a slow machine lays out in passes."""
    async with asyncio.timeout(60):
        while text not in (at.shown if row is None else at.shown.splitlines()[row]):
            await at.pilot.pause(0.01)


def footer(at: Evening) -> str:
    """Return the status line of the log."""
    assert isinstance(at.app.screen, LogScreen)
    return at.app.screen.footer.text


async def open_log(at: Evening) -> None:
    """Open the log, and wait until it is there: keys go to the screen that is on top."""
    await at.press("L")
    await sees(at, " log ")


async def search(at: Evening, text: str) -> None:
    """Search the open log for a text."""
    await at.press("slash")
    await sees(at, "search")
    await at.press(*text, "enter")


async def say(at: Evening, *texts: str) -> None:
    """Let Bruno say something while the log is open or not."""
    for text in texts:
        await at.hear(scenes.now(), Received(news=(Said(BRUNO, text),)))


async def test_it_has_every_line_and_escape_goes_back_to_the_table() -> None:
    async with evening(size=(60, 18)) as at:
        await open_log(at)
        assert isinstance(at.app.screen, LogScreen)
        await sees(at, "Dede laid ╦ at 2 east, 1 north")
        await sees(at, "Zoe: good luck to all of you!")
        await at.press("escape")
        assert isinstance(at.app.screen, TableScreen)


async def test_what_is_said_meanwhile_is_added() -> None:
    async with evening() as at:
        await open_log(at)
        await say(at, "are you still there?")
        await sees(at, "Bruno: are you still there?")


async def test_it_scrolls_by_lines_and_pages_up_to_its_ends() -> None:
    async with evening(size=(60, 18)) as at:
        await say(at, *(f"line {number}" for number in range(25)))
        await open_log(at)
        await sees(at, "line 24")
        await at.press("up")
        assert "line 24" not in at.shown
        await sees(at, "line 23")
        await at.press("pageup", "pageup", "pageup", "pageup", "pageup", "home")
        await sees(at, "Dede laid")
        await at.press("end")
        await sees(at, "line 24")


async def test_a_text_is_searched_from_the_newest_line_on() -> None:
    async with evening(size=(60, 18)) as at:
        await say(at, *(f"needle {n}" if n % 8 == 0 else f"hay {n}" for n in range(24)))
        await open_log(at)
        await search(at, "NEEDLE")
        await sees(at, "log: NEEDLE (3)")
        await sees(at, "needle 16", LOWEST_ROW)
        await at.press("n")
        await sees(at, "needle 8", LOWEST_ROW)
        await at.press("n", "n")
        assert footer(at) == "No more lines match."
        await at.press("N")
        await sees(at, "needle 8", LOWEST_ROW)


async def test_a_search_without_result_says_so_and_escape_ends_it_first() -> None:
    async with evening() as at:
        await at.press("slash")
        await sees(at, " log ")
        await at.press("n")
        assert footer(at) == "Search first: press / and type a text."
        await search(at, "zzz")
        assert footer(at) == "No line matches: zzz."
        await at.press("escape")
        assert isinstance(at.app.screen, LogScreen)
        assert "zzz" not in at.shown.splitlines()[0]
        await at.press("slash", "escape", "escape")
        assert isinstance(at.app.screen, TableScreen)


async def test_the_role_is_hidden_there_too() -> None:
    async with evening() as at:
        await at.press("v")
        await open_log(at)
        assert "iner" not in at.shown
