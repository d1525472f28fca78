"""Real apps at a real host's table over real links: what each shows, through all that happens."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from msgspec import structs

from net.client.credentials import Credentials
from net.client.session import HeartbeatPolicy
from net.protocol.lobby import Absence, Settings
from net.server.tables import resume
from sabtui.art import Art
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.table.screen import TableScreen
from tests.net.cable import Cable, cable
from tests.net.server.served_table import SMALL, Hosted, hosting, run
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
        await all_of([person.is_on(TableScreen) for person in (self.ann, self.ben)])

    async def agree(self) -> None:
        """Wait until both see what is true."""
        for person in (self.ann, self.ben):
            await person.agrees(self.hosted)


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
        await all_of([person.get_ready() for person in people[1:]])
        await people[0].sees("Enter starts the game.")
        people[0].press("enter")
        await all_of([person.play_on() for person in people])
        for person in people:
            person.press(".")
            await person.sees("game over")
            await person.agrees(hosted)
        assert people[1].text.isascii()


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
        for person in (at.ann, at.ben):
            await person.sees("Ben: hello")
        await at.ben.knows_the_host()
        assert at.ben.table.model.selection.card == 0
        await at.agree()


# `test_remote` has sessions with such a host, the test above a lost link
@pytest.mark.level("thorough")
async def test_a_host_that_comes_back_finds_all_at_the_same_table(
    where: Path, tmp_path: Path
) -> None:
    waits = structs.replace(SMALL, absent=Absence.WAIT)  # or a bot could move for the later one
    async with party(where, tmp_path, CALM, waits, CALM) as at:
        await at.begin()
        people = (at.ann, at.ben)
        hands = [person.view.hand for person in people]
        await at.hosted.stop()
        await at.ben.until(lambda: at.ben.said == LOST)
        await at.ann.until(lambda: "sabtui host --resume" in at.ann.said)
        table = resume(at.hosted.table.journal.path)
        async with run(table, at.hosted.host_key) as again:
            await replace(at, hosted=again).agree()
            for person in people:
                await person.knows_the_host()
            assert [person.view.hand for person in people] == hands
            await all_of([person.play_on(turns=2) for person in people])
            await replace(at, hosted=again).agree()
