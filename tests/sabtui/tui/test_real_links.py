"""Real apps at a real host's table over real links: what each shows, through all that happens."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

import pytest
from msgspec import structs

from engine.events import Event, Played
from net.client.credentials import Credentials
from net.client.session import HEARTBEAT_POLICY, HeartbeatPolicy
from net.protocol.lobby import Absence, Settings
from net.secure.authenticate import AuthenticationFailed
from net.server import output
from net.server.tables import resume
from sabtui.art import Art
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.screen import TableScreen
from tests.net.cable import Cable, cable
from tests.net.server.journal_tools import HOUSE, POSIX, no_file_beyond
from tests.net.server.served_table import CODE, HERE, OTHER_CODE, SMALL, Hosted, hosting, run
from tests.sabtui.tui.player_app import PlayerApp, all_of, credentials_for, player_app

NAMES = ("Ann", "Ben", "Cleo", "Dede", "Eva", "Fritz", "Gina", "Hugo", "Ida", "Jo")
FAST = HeartbeatPolicy(beat=0.05, shaky=0.4, lost=0.8)
CALM = replace(FAST, shaky=60, lost=120)
"""For who makes moves: on a link that a busy machine makes shaky, Enter plays no card."""

USUAL = (80, 24)
LOST = "Lost connection to the host; trying again. The seat is kept."


@dataclass(frozen=True, slots=True)
class Party:
    """Ann, the host, and Ben at a table with a bot; Ben's link goes by the cable."""

    hosted: Hosted
    line: Cable
    ann: PlayerApp
    ben: PlayerApp
    bens: Credentials

    async def begin(self) -> None:
        """Begin the game."""
        await self.ben.get_ready()
        self.ann.press("end", "b")
        await self.ann.sees("Enter starts the game.")
        self.ann.press("enter")
        await all_of([one.is_on(TableScreen) for one in (self.ann, self.ben)])

    async def agree(self) -> None:
        """Wait until both see what is true."""
        for one in (self.ann, self.ben):
            await one.agrees(self.hosted)


@asynccontextmanager
async def party(
    where: Path,
    folder: Path,
    heartbeat: HeartbeatPolicy = FAST,
    settings: Settings = SMALL,
    anns_heartbeat: HeartbeatPolicy = FAST,
) -> AsyncIterator[Party]:
    """A table, and who is at it, in the lobby."""
    async with AsyncExitStack() as stack:
        hosted = await stack.enter_async_context(hosting(where, settings))
        line = await stack.enter_async_context(cable(hosted.port))
        ann = await stack.enter_async_context(
            player_app(folder, credentials_for(hosted, "Ann"), USUAL, heartbeat=anns_heartbeat)
        )
        await ann.sees("Ann")
        bens = credentials_for(hosted, "Ben", line.port)
        ben = await stack.enter_async_context(player_app(folder, bens, USUAL, heartbeat=heartbeat))
        await ben.is_on(LobbyScreen)
        await ben.sees("You are in")
        yield Party(hosted, line, ann, ben, bens)


@pytest.mark.level("soak")
@pytest.mark.usefixtures("every_update_drawn")
@pytest.mark.parametrize("count", [4, 10])
async def test_apps_in_one_loop_play_a_whole_game_by_keys(
    count: int, where: Path, tmp_path: Path
) -> None:
    settings = Settings(seats=count, rounds=1)
    async with hosting(where, settings) as hosted, AsyncExitStack() as stack:
        people: list[PlayerApp] = []
        for name in NAMES[:count]:
            one = player_app(
                tmp_path,
                credentials_for(hosted, name),
                art=Art.ASCII if name == "Ben" else Art.LINES,
            )
            people.append(await stack.enter_async_context(one))
            await people[-1].sees(name)
        await all_of([one.get_ready() for one in people[1:]])
        await people[0].sees("Enter starts the game.")
        people[0].press("enter")
        await all_of([one.play_on() for one in people])
        for person in people:
            person.press(".")
            await person.sees("game over")
            await person.agrees(hosted)
        assert people[1].text.isascii()


@pytest.mark.level("thorough")  # two whole games are played in `test_whole_games`, one at doors
async def test_two_apps_and_one_in_lines_play_a_whole_game_by_keys(
    where: Path, tmp_path: Path
) -> None:
    async with hosting(where, SMALL) as hosted, AsyncExitStack() as stack:
        ann = await stack.enter_async_context(
            player_app(tmp_path, credentials_for(hosted, "Ann"), USUAL)
        )
        ben = await stack.enter_async_context(
            player_app(tmp_path, credentials_for(hosted, "Ben"), art=Art.ASCII)
        )
        folders = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("STATE", "CONFIG", "DATA")}
        arguments = ("join", f"{HERE}:{hosted.port}", "--plain", "--autopilot", "--name", "Cleo")
        cleo = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "sabtui", *arguments, "--code", str(CODE)),
            cwd=HOUSE,
            env={**os.environ, **folders, "LANG": "C.UTF-8"},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            await ben.get_ready()
            await ann.sees("Enter starts the game.")
            ann.press("enter")
            await all_of([ann.play_on(), ben.play_on()])
            for one in (ann, ben):
                one.press(".")
                await one.sees("game over")
                await one.sees("Cleo")
                await one.agrees(hosted)
            assert ben.text.isascii()
        finally:
            cleo.terminate()
            told, _ = await cleo.communicate()
        assert "The game is over." in told.decode()
        assert "Traceback" not in told.decode()


async def test_a_link_that_breaks_is_told_and_nothing_is_lost_meanwhile(
    where: Path, tmp_path: Path
) -> None:
    async with party(where, tmp_path) as at:
        await at.begin()
        await at.line.refuse()
        await at.ben.until(lambda: at.ben.said == LOST)
        at.ben.press("1", "t", *"hello", "enter")
        await at.ben.until(lambda: at.ben.seated.status.unanswered)
        await at.line.open()
        for one in (at.ann, at.ben):
            await one.sees("Ben: hello")
        await at.ben.knows_the_host()
        assert at.ben.table.model.selection.card == 0
        await at.agree()


@pytest.mark.level("thorough")  # `test_remote` has a silent link, `test_update` what is told
async def test_a_silent_host_is_shaky_before_it_is_lost(where: Path, tmp_path: Path) -> None:
    async with party(where, tmp_path, replace(FAST, lost=60)) as at:
        at.line.freeze()
        await at.ben.sees("the connection is shaky")
        at.line.thaw()
        await at.ben.until(lambda: "shaky" not in at.ben.said)


# `test_remote` has sessions with such a host, the test above such screens
@pytest.mark.level("thorough")
async def test_a_host_that_comes_back_finds_all_at_the_same_table(
    where: Path, tmp_path: Path
) -> None:
    waits = structs.replace(SMALL, absent=Absence.WAIT)  # or a bot could move for the later one
    async with party(where, tmp_path, CALM, waits, CALM) as at:
        await at.begin()
        people = (at.ann, at.ben)
        hands = [one.view.hand for one in people]
        await at.hosted.stop()
        await at.ben.until(lambda: at.ben.said == LOST)
        await at.ann.until(lambda: "sabtui host --resume" in at.ann.said)
        table = resume(at.hosted.table.journal.path)
        async with run(table, at.hosted.host_key) as again:
            await replace(at, hosted=again).agree()
            for one in people:
                await one.knows_the_host()
            assert [one.view.hand for one in people] == hands
            await all_of([one.play_on(turns=2) for one in people])
            await replace(at, hosted=again).agree()


def _moves_of(one: PlayerApp, seat: int | None) -> list[Event]:
    """What was seen of a player's moves."""
    return [event for event in one.view.history if isinstance(event, Played) and event.seat == seat]


@pytest.mark.level("thorough")  # `test_remote` has the end of such a session
async def test_a_second_terminal_goes_on_and_the_first_says_so(where: Path, tmp_path: Path) -> None:
    async with party(
        where, tmp_path, HEARTBEAT_POLICY
    ) as at:  # or the first might take a breath for a loss
        await at.begin()
        again = replace(at.bens, pin=at.hosted.table.certificate.fingerprint)
        async with player_app(tmp_path, again, USUAL) as second:
            await second.is_on(TableScreen)
            await at.ben.sees("You continued in another terminal, so this one")
            seen = [*at.ben.view.history]  # others may have moved since
            assert [*second.view.history][: len(seen)] == seen
            assert second.view.hand == at.ben.view.hand
            at.ben.press("enter")
            await at.ben.is_on(WelcomeScreen)
            await at.ben.sees("another terminal")


@pytest.mark.level("thorough")  # `test_commands` of the room sends away, `test_driver` tells
async def test_who_is_sent_away_reads_it_and_a_bot_plays_on(where: Path, tmp_path: Path) -> None:
    async with party(where, tmp_path) as at:
        await at.begin()
        at.ann.press("p", "down", "ctrl+p", *"remove a bot or a person", "enter")
        await at.ann.until(lambda: at.ann.said.startswith("Remove Ben for good?"))
        at.ann.press("y")
        await at.ben.sees("The host removed you: ask whether you may")
        await at.ann.sees("The host has removed Ben.")
        await at.ann.sees(" 2 Borin bot")
        at.ben.press("enter")
        await at.ben.is_on(WelcomeScreen)


@pytest.mark.level("thorough")  # `test_navigation` has its end
async def test_a_closed_table_lets_its_last_screen_stay_until_it_is_left(
    where: Path, tmp_path: Path
) -> None:
    async with party(where, tmp_path) as at:
        await at.begin()
        at.ann.press("ctrl+p", *"close the table", "enter")
        await at.ann.until(lambda: at.ann.said.startswith("Close the table for everybody?"))
        at.ann.press("y")
        for one, told in (
            (at.ann, "You have closed the table."),
            (at.ben, "The host has closed the"),
        ):
            await one.sees(told)
            assert isinstance(one.app.screen, TableScreen)
            one.press("q")
            await one.is_on(WelcomeScreen)


def texts(one: PlayerApp) -> list[str]:
    """The lines of the log at the table."""
    return [line.text for line in one.table.model.log.lines]


@pytest.mark.level("thorough")  # `test_joining` has what the table tells
async def test_wrong_codes_are_told_to_the_host_wherever_they_are(
    where: Path, tmp_path: Path
) -> None:
    async with party(where, tmp_path) as at:
        await at.begin()
        for _ in range(5):
            with pytest.raises(AuthenticationFailed):
                await at.hosted.guest("Mallory").join(OTHER_CODE)
        tried = "5 wrong codes were tried at your table: give the two words only to friends."
        await at.ann.until(lambda: tried in texts(at.ann))  # the status line goes on with the game
        await at.agree()
        assert tried not in texts(at.ben)


@pytest.mark.level("thorough")  # `test_disk` of the server, and the sentences
@POSIX
async def test_a_full_disk_is_told_and_the_host_goes_on_unsaved(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "WRITE_RETRY_S", 60)
    async with party(where, tmp_path) as at:
        await at.begin()
        # A bot that moves first would find the disk full, and Ben's words would be refused.
        await at.ben.until(lambda: at.ben.view.to_act in {0, 1})
        with no_file_beyond(0):
            at.ben.press("t", *"saved", "enter")
            await at.ann.sees("The game cannot be saved, so it is on hold: free some")
            await at.ben.sees("The host's disk is full, so")
            await at.ann.sees("f unsaved")
            assert "unsaved" not in at.ben.text
            at.ann.press("f", "y")
            for one in (at.ann, at.ben):
                await one.sees("The game goes on unsaved")
                one.press("L")  # a line of three rows leaves no room beside one's role
                await one.sees("Ben: saved")


@pytest.mark.level("thorough")  # a table in another size is in `test_table_widths`
@pytest.mark.usefixtures("every_update_drawn")
async def test_another_size_at_any_moment_loses_nothing(where: Path, tmp_path: Path) -> None:
    # To lay out a large screen may take longer than the heartbeats of the other tests allow.
    async with party(
        where, tmp_path, heartbeat=HEARTBEAT_POLICY, anns_heartbeat=HEARTBEAT_POLICY
    ) as at:
        ann = at.ann

        async def turn_about() -> None:
            """Change the size with every third update, often while the keys of a move come in."""
            for size in cycle(((60, 18), (200, 60), (40, 10), (80, 24))):
                await ann.resize(*size)
                for _ in range(3):
                    shown = ann.status
                    while ann.status is shown:  # noqa: ASYNC110 - a mere fact is waited for
                        await asyncio.sleep(0.01)

        turning = asyncio.create_task(turn_about())
        await at.begin()
        await all_of([ann.play_on(turns=6), at.ben.play_on(turns=6)])
        assert not turning.done()
        turning.cancel()
        await ann.resize(80, 24)
        await at.agree()
