"""The work that is not done where nothing has changed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

from tests.sabtui.tui.lobby_fixture import evening

MAX_CALLS_TO_REDRAW = 300
MAX_CALLS_TO_ENTER = 150


def count_calls(work: Callable[[], object], until: str = "") -> int:
    """Count the calls of functions in Python until work is done, or one of this name is called."""
    counted = 0

    def count(frame: FrameType, event: str, _of: object) -> None:
        nonlocal counted
        if event == "call":
            counted += 1
            if frame.f_code.co_name == until:
                sys.setprofile(None)

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


async def test_a_redraw_in_which_nothing_changed_costs_next_to_nothing() -> None:
    async with evening() as at:
        await at.press("2")
        at.table.redraw()
        rows = at.table.mine.rows
        assert count_calls(at.table.redraw) < MAX_CALLS_TO_REDRAW
        assert at.table.mine.rows is rows
        at.table.model = replace(at.table.model)
        assert count_calls(at.table.redraw) < MAX_CALLS_TO_REDRAW, "an equal model is no change"
        at.table.model = at.table.model.pan(1, 0)
        assert count_calls(at.table.redraw) > MAX_CALLS_TO_REDRAW
        assert at.table.mine.rows != rows


async def test_enter_does_what_the_footer_has_asked_already() -> None:
    async with evening() as at:
        await at.press("2")
        at.table.look_again()
        took = count_calls(lambda: at.table.action_command("do"), until="request")
        assert took < MAX_CALLS_TO_ENTER
        assert len(at.seat.moves) == 1
