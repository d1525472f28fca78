"""A seat's updates reach the screen that shows it: all, once, in order, as screens change."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from engine import Move
from net.client.seat import Hear, Now, Update
from net.messages import Want
from sabtui.screen.doors import Way
from sabtui.screen.lobby import Lobby
from sabtui.screen.seated import Seated
from sabtui.screen.table import TableScreen
from sabtui.screen.welcome import Welcome
from tests.sabtui.screen import scenes
from tests.sabtui.screen.front import opened

COUNT = 60


class Teller:
    """A seat that tells of one thing after the other, as fast as it can."""

    def __init__(self, told: list[Now], hear: Hear) -> None:
        self.now = Now()
        self.told = told
        self.hear = hear
        self.left = asyncio.Event()

    def want(self, want: Want) -> None:
        """Nobody hears it."""

    def play(self, move: Move) -> None:
        """Nobody hears it."""

    def go_on(self) -> None:
        """Nobody hears it."""

    def leave(self) -> None:
        self.left.set()

    async def run(self) -> None:
        for now in self.told:
            self.now = now
            self.hear(Update(now))
        await self.left.wait()


class Breaker(Teller):
    """A seat with a bug."""

    async def run(self) -> None:
        raise ZeroDivisionError


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the updates that screens were given."""
    numbers: list[int] = []
    hear = Seated.hear

    def listen(screen: Seated, update: Update) -> None:
        numbers.append(update.now.unanswered)
        hear(screen, update)

    monkeypatch.setattr(Seated, "hear", listen)
    return numbers


async def test_none_is_lost_or_twice_while_lobby_and_table_change_places(
    tmp_path: Path, heard: list[int]
) -> None:
    table = scenes.now()
    assert table.held is not None
    lobby = replace(table, held=replace(table.held, view=None))
    stages = [table if number // 7 % 2 else lobby for number in range(COUNT)]
    told = [replace(now, unanswered=number) for number, now in enumerate(stages)]
    async with opened(tmp_path) as front:
        front.app.sit(Way(lambda hear: Teller(told, hear)))
        await front.until(lambda: bool(heard) and heard[-1] == COUNT - 1)
        assert heard == list(range(heard[0], COUNT))
        await front.is_on(TableScreen if told[-1].view is not None else Lobby)
        screen = front.screen
        assert isinstance(screen, Seated)
        assert screen.now == told[-1]
        assert sum(isinstance(one, Seated) for one in front.app.screen_stack) == 1


async def test_a_seat_that_breaks_says_so_and_the_app_goes_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as front:
        front.app.sit(Way(lambda hear: Breaker([], hear)))
        await front.is_on(Welcome)
        await front.until(lambda: "ZeroDivisionError" in front.said)
