"""Frames of animations: what each shows, how they follow each other, and when there are none."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import inf

import pytest

from engine.actions import Broke, Collapsed
from engine.cards import Path, Tool
from engine.events import Event, Laid, Passed
from net.client.session import Received
from sabtui.tui.table import render, screen
from sabtui.tui.table.animation import Animation, flash
from sabtui.tui.table.model import ShowFrameLater, TableStep, show_frame
from sabtui.tui.table.side import Side
from sabtui.tui.theme import BOX, DRAWN, Glyphs
from sabtui.tui.widgets.panel import Row
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import evening
from tests.sabtui.tui.table.ceremony_table import SHORT_FRAME_S
from tests.sabtui.tui.table.pure_table import PureTable

BEND = Path.read("SW")
FELL = Collapsed(2, (4, -1), BEND)


def hear_events(at: PureTable, *events: Event) -> None:
    at.hear(at.status, Received(events=events))


def pictures(at: PureTable) -> tuple[list[Row], list[Row]]:
    """Return the mine and the players as they are drawn now."""
    sight = scenes.sight(at.status)
    return render.mine(sight, at.model), Side(sight, at.model, 10).players


def test_what_moves_nothing_has_no_animation() -> None:
    view = scenes.view()
    assert Animation.of([Laid(1, BEND, (5, 5)), Passed(1)], view, view) is None
    assert Animation.of([FELL], None, view) is None
    assert Animation.of([FELL], view, None) is None


@pytest.mark.parametrize("glyphs", [BOX, DRAWN], ids=["box", "drawn"])
@pytest.mark.parametrize("event", [FELL, Broke(0, Tool.CART, 3)], ids=["rockfall", "break"])
def test_the_first_and_the_last_frame_differ_from_the_picture_that_remains(
    event: Event, glyphs: Glyphs
) -> None:
    view = scenes.view()
    board = view.table.board.without_card(FELL.cell)
    at = PureTable()
    at.open(glyphs)
    now = scenes.now(view._replace(table=view.table._replace(board=board)))
    at.hear(now, Received(events=(event,)))
    shown = []
    while (animation := at.model.animation) is not None:
        shown.append(pictures(at))
        at.act(partial(show_frame, animation=animation))
    resting = pictures(at)
    assert len(shown) >= 3
    assert shown[0] != resting
    assert shown[-1] != resting


def test_input_works_at_once_and_frames_go_on() -> None:
    at = PureTable()
    hear_events(at, FELL)
    animation = at.model.animation
    at.press("2", "enter")
    assert len(at.moves) == 1
    assert at.model.animation == animation


def test_a_late_frame_ends_the_animation_and_one_of_another_does_nothing() -> None:
    at = PureTable()
    hear_events(at, FELL)
    first = at.model.animation
    assert first is not None
    assert at.effects[-1] == ShowFrameLater(first)
    hear_events(at, Broke(0, Tool.CART, 3))
    second = at.model.animation
    assert second is not None
    at.act(partial(show_frame, animation=first))
    assert at.model.animation is second
    at.act(partial(show_frame, animation=second, is_late=True))
    assert at.model.animation is None


@pytest.mark.parametrize(
    ("is_behind", "longest_delay", "frames_shown"),
    [(False, inf, 3), (True, inf, 1), (False, 0.0, 1)],
)
async def test_frames_are_skipped_while_the_terminal_is_behind_or_a_frame_is_late(
    monkeypatch: pytest.MonkeyPatch, *, is_behind: bool, longest_delay: float, frames_shown: int
) -> None:
    monkeypatch.setattr(screen, "MAX_FRAME_DELAY", longest_delay)
    monkeypatch.setattr(screen, "FRAME_INTERVAL_S", SHORT_FRAME_S)
    async with evening() as at:
        at.app.is_terminal_behind = is_behind
        animation = Animation((flash(0),))
        at.table.model = replace(at.table.model, animation=animation)
        act, acted = at.table.act, list[TableStep]()

        def record_step(step: TableStep) -> None:
            acted.append(step)
            act(step)

        monkeypatch.setattr(at.table, "act", record_step)
        at.table._carry_out(ShowFrameLater(animation))
        while at.table.model.animation is not None:
            await at.pilot.pause(SHORT_FRAME_S)
        assert len(acted) == frames_shown
