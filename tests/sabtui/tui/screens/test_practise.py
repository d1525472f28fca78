"""The form for a game against bots: what it asks for is what is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from net.client.local import LocalSession
from net.client.session import OnUpdate
from sabtui.app import Speed
from sabtui.app.requests import HASTY_BUDGET, PACES_S, PracticeRequest, TableHandle, practise
from sabtui.tui.screens.host import PractiseScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui.app_fixture import Front, PreparedTables, open_app


class Dealer(PreparedTables):
    """Keeps the practice games that were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.practised: list[PracticeRequest] = []

    def practise(self, request: PracticeRequest) -> TableHandle:
        """The real way, unless the door is shut."""
        self._may_be_shut()
        self.practised.append(request)
        return super().practise(request)


async def choose_and_begin(front: Front, *keys: str) -> None:
    """Go to the form, press keys, and begin."""
    await front.press("p")
    await front.is_on(PractiseScreen)
    await front.press(*keys, "enter")


async def test_bots_level_rounds_speed_and_rules_are_as_chosen(tmp_path: Path) -> None:
    dealer = Dealer()
    async with open_app(tmp_path, service=dealer) as front:
        await choose_and_begin(
            front,
            *("right", "right", "down", "right", "down", "right", "down", "space"),
            *("down", "left", "left", "down", "right"),
        )
        await front.is_on(TableScreen)
        (asked,) = dealer.practised
        assert (asked.name, asked.bots, asked.level, asked.rounds) == ("Ana", 6, "hard", 1)
        assert asked.speed is Speed.FAST
        assert asked.edition != PracticeRequest("").edition
        table = await front.is_on(TableScreen)
        assert table.status.view is not None
        assert table.status.view.table.players == 7
        assert table.status.view.table.edition == asked.edition
        assert table.status.view.score.rounds == 1


async def test_where_no_game_can_begin_the_form_says_why_and_stays(tmp_path: Path) -> None:
    dealer = Dealer()
    dealer.trouble = "no bots today"
    async with open_app(tmp_path, service=dealer) as front:
        await choose_and_begin(front)
        assert front.said == "no bots today"
        await front.press("escape")
        await front.is_on(WelcomeScreen)


@pytest.mark.parametrize("speed", Speed)
async def test_bots_pause_as_long_as_the_speed_says(speed: Speed) -> None:
    asked = PracticeRequest("Ana", 2, speed=speed)
    session = practise(asked).make(lambda _update: None)
    assert isinstance(session, LocalSession)
    assert session._opponents.pace == PACES_S[speed]
    thinks_little = session._opponents.thought == HASTY_BUDGET
    assert thinks_little is (speed in {Speed.FAST, Speed.INSTANT})


def test_without_a_speed_bots_are_as_fast_as_the_interface_has_them() -> None:
    def pace(handle: TableHandle) -> tuple[float, float]:
        on_update: OnUpdate = lambda _update: None  # noqa: E731 - one line
        session = handle.make(on_update)
        assert isinstance(session, LocalSession)
        return session._opponents.pace

    asked = PracticeRequest("Ana", 2)
    assert pace(practise(asked)) == PACES_S[Speed.NORMAL]
    assert pace(practise(asked, usual=Speed.INSTANT)) == PACES_S[Speed.INSTANT]
    assert list(PACES_S.values()) == sorted(PACES_S.values(), reverse=True)
