"""The line to the terminal: cards are flat on a slow one, and drawn again once it keeps up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from sabtui.tui import output
from sabtui.tui.app import SabtuiApp
from sabtui.tui.output import (
    FAST_LOOKS,
    LOOK_S,
    MAX_FAST_LOOKS,
    SLOW_LOOKS,
    LineSpeed,
    LineWatch,
)
from sabtui.tui.table.actions import zoom
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import DRAWN, PAINTED
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.test_navigation import sit_at_a_table


def look(speed: LineSpeed, told: Iterable[bool]) -> list[LineSpeed]:
    """What is known after each look."""
    found = list[LineSpeed]()
    for is_behind in told:
        speed = speed.look(is_behind=is_behind)
        found.append(speed)
    return found


def test_a_line_is_slow_after_a_while_behind_and_not_after_bursts() -> None:
    bursts = look(LineSpeed(), ([True] * (SLOW_LOOKS - 1) + [False]) * 10)
    assert not any(speed.is_slow for speed in bursts)
    behind = look(LineSpeed(), [True] * SLOW_LOOKS)
    assert [speed.is_slow for speed in behind] == [False] * (SLOW_LOOKS - 1) + [True]


def test_a_slow_line_has_to_keep_up_for_long_without_a_break() -> None:
    slow = look(LineSpeed(), [True] * SLOW_LOOKS)[-1]
    broken = look(slow, ([False] * (FAST_LOOKS - 1) + [True]) * 3)
    assert all(speed.is_slow for speed in broken)
    kept = look(broken[-1], [False] * FAST_LOOKS)
    assert [speed.is_slow for speed in kept] == [True] * (FAST_LOOKS - 1) + [False]


def test_a_line_that_is_slow_again_and_again_is_flat_for_longer_each_time() -> None:
    speed, waits = LineSpeed(), list[int]()
    for _time in range(7):
        speed = look(speed, [True] * SLOW_LOOKS)[-1]
        waits.append(0)
        while speed.is_slow:
            speed = speed.look(is_behind=False)
            waits[-1] += 1
    assert waits[:3] == [FAST_LOOKS, 2 * FAST_LOOKS, 4 * FAST_LOOKS]
    assert waits[-2:] == [MAX_FAST_LOOKS] * 2


class Clock:
    """A clock that stands until it is moved on; what is to be called waits for that."""

    def __init__(self) -> None:
        self.waiting = list[Callable[[], None]]()

    def call_later(self, delay: float, do: Callable[[], None]) -> None:
        assert delay == LOOK_S
        self.waiting.append(do)

    def move_on(self) -> None:
        """Move on by one look."""
        waiting, self.waiting = self.waiting, []
        for do in waiting:
            do()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(output, "asyncio", SimpleNamespace(get_running_loop=lambda: clock))
    return clock


def test_a_line_that_keeps_up_is_looked_at_once_for_each_burst(clock: Clock) -> None:
    told = list[bool]()
    watch = LineWatch(lambda: False, lambda: told.append(watch.speed.is_slow))
    for _time in range(3):
        watch.look_later()
        watch.look_later()
        assert len(clock.waiting) == 1
        clock.move_on()
        assert not clock.waiting, "nobody wakes up while nothing is written"
    assert not told


def test_a_change_of_speed_is_told_once_and_nobody_looks_after_the_line_keeps_up(
    clock: Clock,
) -> None:
    is_behind, told = True, list[bool]()
    watch = LineWatch(lambda: is_behind, lambda: told.append(watch.speed.is_slow))
    watch.look_later()
    for _look in range(SLOW_LOOKS + 5):
        clock.move_on()
    assert told == [True]
    is_behind = False
    for _look in range(FAST_LOOKS - 1):
        clock.move_on()
    assert told == [True]
    clock.move_on()
    assert told == [True, False]
    assert not clock.waiting


async def test_an_open_table_is_flat_on_a_slow_line_and_drawn_again_once_it_keeps_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"LC_ALL": "C.UTF-8", "TERM": "x", "COLORTERM": "truecolor"}.items():
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    is_behind = False
    monkeypatch.setattr(SabtuiApp, "is_terminal_behind", property(lambda _app: is_behind))
    monkeypatch.setattr(output, "LOOK_S", 0.0)
    (tmp_path / "settings").write_text("name = Ana\ntheme = dark\n", encoding="utf-8")
    async with open_app(tmp_path, (120, 40)) as front:
        sit_at_a_table(front)
        await front.is_on(TableScreen)
        table = front.screen
        assert isinstance(table, TableScreen)
        await front.until(lambda: table.model.glyphs is DRAWN and table.model.layout.columns == 120)
        await front.pilot.pause()
        table.dispatch(zoom(-1))
        zoomed, drawn = table.model.size, table.model.layout
        assert zoomed is not None
        is_behind = True
        table.refresh()
        await front.until(lambda: table.model.glyphs is PAINTED)
        assert table.model.size is zoomed
        assert table.model.layout.hand < drawn.hand
        is_behind = False
        await front.until(lambda: table.model.glyphs is DRAWN)
        assert (table.model.size, table.model.layout) == (zoomed, drawn)
