"""A whole game at a real table of bots, at 80x24, by keys alone."""

from __future__ import annotations

import time
from random import Random

import pytest

from engine.bots import BOTS, Playouts
from engine.state import Phase
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.player_app import keys_for
from tests.sabtui.tui.run_app import Practice

PATIENCE_S = 60.0


def is_wanted(app: Practice) -> bool:
    """Return True while somebody waits for the player, or the game is over."""
    if not isinstance(app.screen, TableScreen) or (view := app.screen.status.view) is None:
        return False
    is_asked = view.seat == view.to_act and not app.table.model.is_sent(app.table.status)
    return view.phase is Phase.OVER or app.table.model.is_in_ceremony or is_asked


@pytest.mark.usefixtures("every_update_drawn")
async def test_a_whole_game_is_played_through_keys_alone() -> None:
    app, chance, late = Practice(), Random(7), time.monotonic() + PATIENCE_S
    app.is_calm = False
    async with app.run_test(size=(80, 24)) as pilot:
        while True:
            while not is_wanted(app):
                assert time.monotonic() < late, text_of(app)
                await pilot.pause(0.01)
            view, model = app.table.status.view, app.table.model
            assert view is not None
            if model.is_in_ceremony:
                await pilot.press("space")
            elif view.phase is Phase.OVER:
                break
            else:
                move = BOTS["greedy"](view, chance, Playouts(0))
                await pilot.press(*keys_for(move, view, model.selection))
        await pilot.press("enter")
        await pilot.pause()
        assert "game over" in text_of(app)
        assert app.rung > 3
        assert app.titles[-1] != ""
