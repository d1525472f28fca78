"""A bot plays in a player's seat at the table, until they take over again."""

from __future__ import annotations

import asyncio

import pytest

from engine.bots import Playouts
from net.client.session import Session, Status
from sabtui.app import autopilot
from sabtui.tui.table import screen
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import evening


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    def pilot(session: Session) -> autopilot.Autopilot:
        return autopilot.Autopilot(session, thought=Playouts(0))

    monkeypatch.setattr(screen, "Autopilot", pilot)


async def test_a_bot_plays_until_one_takes_over() -> None:
    async with evening(scenes.now(scenes.view(turn=2))) as at:
        await at.press("A")
        assert at.said.startswith("A bot plays for you from now on")
        assert at.seat.moves == []
        await at.hear(scenes.now(scenes.possible()))
        async with asyncio.timeout(10):
            while not at.seat.moves:
                await at.pilot.pause(0.01)
        await at.press("1", "enter")
        assert at.said == "A bot plays for you: A takes over."
        assert len(at.seat.moves) == 1
        await at.press("A")
        assert at.said == "You play again."
        await at.press("escape", "2", "enter")
        assert len(at.seat.moves) == 2


async def test_who_watches_has_no_seat_for_a_bot() -> None:
    watching = scenes.now(scenes.view()._replace(seat=None, role=None, hand=()))
    async with evening(Status(watching.connection, 9, watching.game_state)) as at:
        await at.press("A")
        assert at.said == "You watch: there is no seat to play in."
