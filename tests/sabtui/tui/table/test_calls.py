"""How little is done where nothing has changed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

from tests.sabtui.tui.lobby_fixture import evening

MAX_CALLS_TO_REDRAW = 300


def count_calls(work: Callable[[], object]) -> int:
    """Count the calls of functions in Python until work is done."""
    counted = 0

    def count(_frame: FrameType, event: str, _of: object) -> None:
        nonlocal counted
        counted += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


async def test_a_redraw_in_which_nothing_changed_costs_next_to_nothing() -> None:
    async with evening() as at:
        await at.press("2")
        rows = at.table.mine.rows
        assert count_calls(at.table.redraw) < MAX_CALLS_TO_REDRAW
        assert at.table.mine.rows is rows
        at.table.model = replace(at.table.model)
        assert count_calls(at.table.redraw) < MAX_CALLS_TO_REDRAW, "an equal model is no change"
        at.table.model = at.table.model.pan(1, 0)
        assert count_calls(at.table.redraw) > MAX_CALLS_TO_REDRAW
        assert at.table.mine.rows != rows
