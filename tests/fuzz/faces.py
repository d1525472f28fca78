"""All that both faces make of an update without a terminal: lines, rows and sentences.

Knows the pure functions of the faces. What it returns is of no matter: that nothing is raised is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from net.client.session import Received, Status, Update
from net.protocol.lobby import Lobby
from sabtui.table.sight import Sight
from sabtui.text.lobby import cast_of
from sabtui.text.settings import tell_settings
from sabtui.tui.lobby.rows import (
    lobby_rows,
    log_lines,
    status,
    talk_so_far,
    text_of_row,
    waiting_for,
)
from sabtui.tui.table import render
from sabtui.tui.table.animation import Animation, hold_updates
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.side import Side
from sabtui.tui.table.status import hint
from sabtui.tui.theme import ASCII, BOX, DRAWN
from tests.sabtui.plain_sessions import JsonPaper, Place, json_table, type_lines

TYPED: Final = ("", "help", "mine", "hand", "players", "table", "history", "known", "1", "hint")
SIZES: Final = ((60, 18), (80, 24), (140, 44))


def show(before: Status, update: Update) -> None:
    """Show an update on both faces to somebody who was shown `before` until then."""
    in_lines(before, update)
    status, lobby = update.status, update.status.lobby
    if lobby is None:
        return
    for line in in_the_lobby(lobby, before, update):
        assert "\x1b" not in line
    if status.view is not None:
        at_the_table(before, update)


def in_lines(before: Status, update: Update) -> None:
    """Show it in lines, and look at all there is to look at."""
    first = Update(before, Received(renewed=before.game_state is not None))
    heard = Place((first,)).after(update)
    lines = [*heard.lines, heard.place.prompt()]
    if heard.place.status.game_state is not None:
        lines += heard.place.where()
        for line in TYPED:
            lines += type_lines(heard.place, line).lines
    paper = JsonPaper()
    told = json_table(paper)
    for news in (first, update):
        told.learn(news)
    assert not any("\x1b" in line for line in (*lines, *paper.raw))


def in_the_lobby(lobby: Lobby, before: Status, update: Update) -> Iterator[str]:
    """Show it in the lobby's screen."""
    current = update.status
    for place in lobby_rows(lobby):
        yield text_of_row(place, lobby, current).plain
    yield waiting_for(lobby, current)
    yield from tell_settings(lobby.settings, cast_of(lobby, current.member))
    yield from talk_so_far(current)
    yield status(update, before) or ""
    if before.lobby is not None and update.received is not None and not update.received.renewed:
        yield from log_lines(update.received, before.lobby, current.member)


def at_the_table(before: Status, update: Update) -> None:
    """Show it at the table, on terminals of several sizes."""
    status, sight = update.status, Sight.of(update.status)
    assert sight is not None
    view = sight.view
    TableLog.of(before).after(update, before)
    parts = tuple(hold_updates(update, before))
    log = TableLog.of(status)
    for (columns, rows), glyphs in zip(SIZES, (ASCII, BOX, DRAWN), strict=True):
        model = TableModel(glyphs, log=log).resize(columns, rows).follow(before.view, view)
        played = [Animation((part.scene,)) for part in parts if part.scene]
        shown = [replace(model, animation=animation) for animation in played]
        for drawn in (model, replace(model, pane=SidePanel.CLAIMS), *shown):
            render.head(sight, drawn)
            render.mine(sight, drawn)
            laid = Side(sight, drawn, 8)
            assert [*laid.players, *laid.pane]
            render.bottom(sight, drawn)
            hint(status, drawn.selection, columns)
