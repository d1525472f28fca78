"""Help by bots at the table: hints, laid ready but never played, and the autopilot, which plays."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from random import Random

import pytest
from msgspec import structs

from engine.bots import Budget, Playouts
from engine.bots.hints import Hint, Sheds
from engine.bots.talk import Talk
from engine.cards import Card
from engine.moves import Discard
from engine.view import View
from net.client.session import Session, Status
from net.protocol.lobby import Settings
from sabtui.app import autopilot
from sabtui.text.moves import MAX_HINTS
from sabtui.tui.table import screen
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import Evening, evening

TURN = scenes.possible()

THINKING = "Looking for a hint..."


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "HINT_BUDGET", Playouts(60))


@pytest.fixture
def stalled_thought(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A thought that takes until it is let go."""
    go_on = threading.Event()

    def think(_view: View, _talk: Talk, _budget: Budget) -> list[Hint]:
        go_on.wait(10)
        return [Hint(Discard(Card.NE), Sheds(Card.NE), None)]

    monkeypatch.setattr(screen, "hints_for", think)
    yield go_on
    go_on.set()


async def ask_hint(at: Evening) -> str:
    """Ask for a hint, and wait for it."""
    await at.press("i")
    while at.said == THINKING:
        await at.pilot.pause(0.01)
    return at.said


async def test_asking_again_tells_the_next_best_and_begins_anew_after_the_last() -> None:
    async with evening(scenes.now(TURN), (120, 40)) as at:
        lines = [await ask_hint(at) for _ in range(MAX_HINTS + 1)]
        assert len(set(lines)) == MAX_HINTS
        assert lines[-1] == lines[0]
        assert lines[0].endswith(" Hint 1 of 4; i: next. Enter does it.")
        assert lines[3].endswith(" Hint 4 of 4; i: next. Enter does it.")
        assert at.seat.moves == []


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (scenes.now(scenes.view(turn=2)), "It is Bruno's turn."),
        (scenes.now(scenes.over()), "The game is over."),
        (
            scenes.now(at=structs.replace(scenes.lobby(), settings=Settings(hints=False))),
            "Hints: none.",
        ),
    ],
    ids=["another's turn", "game over", "agreed"],
)
async def test_where_there_is_no_hint_it_says_why(status: Status, reason: str) -> None:
    async with evening(status) as at:
        assert "i hint" not in at.shown
        await at.press("i")
        assert at.said == reason


async def test_keys_are_heard_while_a_hint_is_thought_of(stalled_thought: threading.Event) -> None:
    async with evening(scenes.now(TURN)) as at:
        await at.press("i")
        assert at.said == THINKING
        await at.press("2")
        assert at.table.model.selection.card == 1
        stalled_thought.set()
        while not at.said.startswith("Pass: "):
            await at.pilot.pause(0.01)
        assert at.table.model.selection.discarding


async def test_where_thinking_fails_there_is_no_hint_and_nothing_breaks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_view: View, _rng: Random, _budget: Budget, _talk: Talk) -> list[Hint]:
        raise LookupError("a history that fits no table")

    monkeypatch.setattr(autopilot, "hints", fail)
    async with evening() as at:
        assert await ask_hint(at) == "No hint for this position."
        assert await ask_hint(at) == "No hint for this position."


async def test_a_bot_plays_until_one_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def pilot(session: Session) -> autopilot.Autopilot:
        return autopilot.Autopilot(session, thought=Playouts(0))

    monkeypatch.setattr(screen, "Autopilot", pilot)
    async with evening(scenes.now(scenes.view(turn=2))) as at:
        await at.press("A")
        assert at.said == "A bot plays for you: A takes over again."
        assert at.seat.moves == []
        await at.hear(scenes.now(scenes.possible()))
        async with asyncio.timeout(60):
            while not at.seat.moves:
                await at.pilot.pause(0.01)
        await at.press("1", "enter")
        assert at.said == "A bot plays for you: A takes over again."
        assert len(at.seat.moves) == 1
        await at.press("A")
        assert at.said == "You have taken over again."
        await at.press("escape", "2", "enter")
        assert len(at.seat.moves) == 2
