"""The screen of a study is the table: moves are tried by its keys, taken back, and explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.edition import INTERNATIONAL
from engine.moves import parse_own_move
from net.protocol.events import write_move
from net.protocol.requests import MakeMove
from sabtui.after.screens.study import StudyScreen, StudySession
from sabtui.after.study import line_of, study
from sabtui.app.preferences import PreferencesStore
from sabtui.table.deeds import DEEDS, is_host
from sabtui.tui.app import SabtuiApp
from sabtui.tui.screens.welcome import WelcomeScreen
from tests.engine.cases import WON, last_step_position
from tests.sabtui.tui.app_fixture import Front, PreparedTables
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import TableApp
from tests.samples import first

SEEN = "EW@1/NEW@2 ?/(NE)/? 1 -,P,- NE/-L/M,3,2 0 m??+?"


def screen_of(line: str) -> StudyScreen:
    """Return the screen of a position."""
    session = StudySession(study(line, INTERNATIONAL))
    return StudyScreen(session, session.status)


def tried_moves(screen: StudyScreen) -> int:
    """Return how many moves were tried."""
    return len(screen._study.views) - 1


async def test_nothing_that_a_host_may_do_is_said_of_a_study() -> None:
    app = TableApp()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(SEEN)
        await app.push_screen(screen)
        await pilot.pause()
        hosts = [deed for deed in DEEDS if deed.concerns is is_host and deed.table is not None]
        assert not {deed.name for deed in hosts} & screen.by_name.keys()
        await pilot.press("K")
        assert "K does nothing here" in text_of(app)


async def test_a_move_is_tried_and_taken_back_and_an_impossible_one_is_explained() -> None:
    app = TableApp()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(SEEN)
        await app.push_screen(screen)
        await pilot.pause()
        assert "Player 1 you" in text_of(app)
        await pilot.press("9")
        assert "You hold 3 cards." in text_of(app)
        await pilot.press("1", "x")
        assert tried_moves(screen) == 0
        await pilot.press("enter")
        await pilot.pause()
        assert tried_moves(screen) == 1
        assert screen.status.view is not None
        assert screen.status.view.seat == 1
        assert " you no pick " in text_of(app)
        assert "unknown cards are made up" in text_of(app)
        await pilot.press("b")
        await pilot.pause()
        assert line_of(screen._study) == SEEN
        assert "Player 1 you" in text_of(app)
        await pilot.press("b")
        assert "This is the position that you began with." in text_of(app)
        await pilot.press("o")
        assert SEEN[:40] in text_of(app)


async def test_a_round_that_is_won_can_be_taken_back() -> None:
    app = TableApp()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(last_step_position("mmms", 1))
        await app.push_screen(screen)
        await pilot.pause()
        screen.session.request(MakeMove(0, write_move(parse_own_move(WON))))
        await pilot.pause()
        assert "The treasure is reached: the miners win the round." in text_of(app)
        await pilot.press("b")
        await pilot.pause()
        assert screen.status.view is not None
        assert screen.status.view.table.end is None


async def test_hints_are_given_and_nothing_that_needs_others() -> None:
    app = TableApp()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(SEEN)
        await app.push_screen(screen)
        await pilot.pause()
        assert {"hint", "undo", "line", "do", "turn"} <= screen.by_name.keys()
        assert not {"talk", "claim", "pause", "close", "autopilot"} & screen.by_name.keys()


async def test_the_app_opens_on_the_position_and_goes_back_to_the_welcome_screen(
    tmp_path: Path,
) -> None:
    service = PreparedTables()
    app = SabtuiApp(
        lambda: service, PreferencesStore(tmp_path / "settings"), first=lambda: screen_of(SEEN)
    )
    async with app.run_test(size=(80, 24)) as pilot:
        front = Front(app, pilot, service)
        await front.is_on(StudyScreen)
        await front.press("q")
        await front.is_on(WelcomeScreen)


@pytest.mark.parametrize("columns", first(1, [45, 60, 120], thorough=3))
async def test_it_fits_terminals_of_every_size(columns: int) -> None:
    app = TableApp()
    async with app.run_test(size=(columns, 28)) as pilot:
        await app.push_screen(screen_of(SEEN))
        await pilot.pause()
        assert max(map(len, text_of(app).splitlines())) <= columns
