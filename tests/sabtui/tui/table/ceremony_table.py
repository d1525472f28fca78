"""A table at which ceremonies are shown, and all that can be read there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.cards import Goal, Path
from engine.events import Event, Laid, Revealed
from engine.view import View
from net.client.session import Received
from sabtui.tui.table import render
from sabtui.tui.table.animation import Frame
from sabtui.tui.table.model import ScreenEffect, SetTitle, SidePanel
from sabtui.tui.table.side import Side
from sabtui.tui.theme import BOX, Glyphs
from sabtui.tui.widgets.panel import Row, plain
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable

NAMES = ("Ana", "Bruno", "Chiara", "Dede", "Norri")
SHORT_FRAME_S = 0.01
"""Seconds of a frame where a test waits for one after the other."""

GOAL = (8, 0)
DUG = scenes.view("EW@1/EW@2/NESW@3/NESW@4/NESW@5/NESW@6 ?/?/?", "EW/NES/ew/-L/+PC/R", turn=1)
LAID = Laid(1, Path.read("NESW"), (7, 0))
TREASURE = Revealed(GOAL, Path.read("NESW"))
STONE = Revealed(GOAL, Path.read("NW"))
ENDED = replace(scenes.ENDED, goals=(Goal.STONE_NE, Goal.TREASURE, Goal.STONE_NW))


def table(view: View = DUG, glyphs: Glyphs = BOX) -> PureTable:
    """A table at which everybody has played."""
    at = PureTable(scenes.now(view))
    at.open(glyphs)
    return at


def tell(at: PureTable, *events: Event) -> None:
    """A step with these events comes."""
    status = at.model.held[-1].update.status if at.model.held else at.status
    held, view = status.game_state, status.view
    assert held is not None
    assert view is not None
    for event in events:
        view = view.after(event)
    at.hear(replace(status, game_state=replace(held, view=view)), Received(events=events))


def show_frames(at: PureTable) -> Iterator[Frame]:
    """The frames of the ceremonies, each while it is shown."""
    while at.model.animation is not None:
        yield at.model.frame
        at.tick()


def text_beside(at: PureTable) -> str:
    """All that is written beside the mine, on each page, in the log, below and in the title."""
    sight, lines = scenes.sight(at.status), [plain(row) for row in at.model.whole_log(80)]
    for pane in SidePanel:
        model = replace(at.model, pane=pane)
        side = Side.above(at.said, sight, model)
        rows = [*render.head(sight, model), *side.players, *side.pane]
        lines += [plain(row) for row in (*rows, *render.bottom(sight, model))]
    titles = [effect.title for effect in at.effects if isinstance(effect, SetTitle)]
    rings = ["ring" for effect in at.effects if effect is ScreenEffect.RING]
    return "\n".join([*lines, "" if at.model.frame.text else at.said, *titles, *rings])


def drawn_mine(at: PureTable) -> list[Row]:
    """The mine as it is drawn now."""
    return render.mine(scenes.sight(at.status), at.model)


def mine(at: PureTable) -> list[str]:
    """The mine as text."""
    return [plain(row) for row in drawn_mine(at)]
