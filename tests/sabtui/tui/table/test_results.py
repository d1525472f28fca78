"""The end of a round: dwarves are unveiled one by one, and nothing tells before who they were."""

from __future__ import annotations

import pytest

from engine.events import GameEnded
from net.client.session import Status
from net.client.state import Received
from sabtui.tui.table import screen as showing
from sabtui.tui.table.actions import Unveil
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import Evening, evening

UNVEILING = "Revealing the roles. Enter shows them all at once."
SPOILERS = ("SABOTEUR!", "Saboteurs: Bruno", "saboteurs 1 ", " saboteur ")


async def end(at: Evening, now: Status | None = None) -> None:
    """The round ends, as it is heard."""
    await at.hear(now or scenes.now(scenes.between()), Received(events=(scenes.ENDED,)))


async def test_nothing_tells_who_is_who_before_it_is_unveiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(showing, "UNVEIL_INTERVAL_S", 60)
    async with evening() as at:
        await end(at)
        assert at.said == UNVEILING
        assert "The treasure is reached" in at.shown
        assert not any(spoiler in at.shown for spoiler in SPOILERS)
        assert " 3?" not in at.shown, "gold tells who was a miner"
        for dwarves in (1, 2):
            at.table.dispatch(Unveil(dwarves))
        await at.pilot.pause()
        assert "You were a miner. Bruno was a SABOTEUR!" in at.shown
        assert "Chiara was" not in at.shown
        assert "Saboteurs: Bruno" not in at.shown


async def test_they_are_unveiled_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "UNVEIL_INTERVAL_S", 0.01)
    async with evening() as at:
        await end(at)
        while at.table.model.unveiled is not None:
            await at.pilot.pause(0.01)
        assert at.said.startswith("Enter: ready for the next round.")
        assert all(spoiler in at.shown for spoiler in SPOILERS[1:])


@pytest.mark.parametrize("key", ["enter", "space", "escape"])
async def test_a_key_shows_all_at_once_and_does_no_more(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "UNVEIL_INTERVAL_S", 60)
    async with evening() as at:
        await end(at)
        await at.press(key)
        assert "Saboteurs: Bruno." in at.shown
        assert at.seat.requests == []


async def test_the_end_of_the_game_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "UNVEIL_INTERVAL_S", 60)
    over = scenes.now(scenes.over())
    async with evening() as at:
        await end(at, over)
        await at.hear(over, Received(events=(GameEnded(scenes.over().score.gold or ()),)))
        assert "share the win" not in at.shown
        await at.press("v")
        assert "share the win" in at.shown
        assert "hidden" in at.shown, "any other key does what it always does"


async def test_the_next_round_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "UNVEIL_INTERVAL_S", 60)
    async with evening() as at:
        await end(at)
        await at.hear(scenes.now())
        assert not at.table.model.unveiled is not None
        assert at.said.startswith("Your turn")


async def test_who_comes_back_after_a_round_sees_all_at_once() -> None:
    async with evening(scenes.now(scenes.between())) as at:
        assert "Saboteurs: Bruno." in at.shown
