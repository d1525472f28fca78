"""All that both faces make of an update without a terminal: lines, rows and sentences.

Knows the pure functions of the faces. What it returns is of no matter: that nothing is raised is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from net.client.seat import Now, Update
from net.lobby import Lobby
from net.table_view import Heard
from sabtui.plain.hearing import hear
from sabtui.plain.reading import read
from sabtui.plain.sitting import Sitting
from sabtui.screen.glyphs import ASCII, BOX
from sabtui.screen.lobby.chairs import place_row, places, waiting_for
from sabtui.screen.lobby.telling import status, talk_so_far, told
from sabtui.screen.table import drawing
from sabtui.screen.table.hint import hint
from sabtui.screen.table.log import Log
from sabtui.screen.table.seen import Pane, Seen
from sabtui.words.news import cast_of
from sabtui.words.terms import Terms

TYPED: Final = ("", "help", "mine", "hand", "players", "table", "history", "known", "1", "hint")
SIZES: Final = ((60, 18), (80, 24), (140, 44))


def show(before: Now, update: Update) -> None:
    """Show an update on both faces to somebody who was shown `before` until then."""
    in_lines(before, update)
    now, lobby = update.now, update.now.lobby
    if lobby is None:
        return
    for line in in_the_lobby(lobby, before, update):
        assert "\x1b" not in line
    if now.view is not None:
        at_the_table(lobby, before, update)


def in_lines(before: Now, update: Update) -> None:
    """Show it in lines, and look at all there is to look at."""
    shown = Sitting(now=before)
    if before.held is not None:
        shown = hear(Sitting(), Update(before, Heard(renewed=True))).sitting
    heard = hear(shown, update)
    lines = [*heard.lines, heard.sitting.prompt()]
    if heard.sitting.now.held is not None:
        lines += heard.sitting.where()
        for line in TYPED:
            lines += read(heard.sitting, line).lines
    assert not any("\x1b" in line for line in lines)


def in_the_lobby(lobby: Lobby, before: Now, update: Update) -> Iterator[str]:
    """Show it in the lobby's screen."""
    now = update.now
    for place in places(lobby):
        yield place_row(place, lobby, now).plain
    yield waiting_for(lobby, now)
    terms = Terms.of(lobby.settings, cast_of(lobby, now.member))
    yield from (terms.edition, terms.rounds, terms.absent, terms.turn)
    yield from talk_so_far(now)
    yield status(update, before) or ""
    if before.lobby is not None and update.heard is not None and not update.heard.renewed:
        yield from told(update.heard, before.lobby, now.member)


def at_the_table(lobby: Lobby, before: Now, update: Update) -> None:
    """Show it at the table, on terminals of several sizes."""
    now, view = update.now, update.now.view
    assert view is not None
    log = Log()
    log.begin(before)
    log.hear(update, before)
    log.begin(now)
    cast = cast_of(lobby, now.member)
    for (columns, rows), glyphs in zip(SIZES, (ASCII, BOX, BOX), strict=True):
        seen = Seen(glyphs).resized(columns, rows).followed(before.view, view)
        unveiled = None if view.table.end is None else view.table.players
        for one in (seen, replace(seen, pane=Pane.KNOWN, unveiled=unveiled)):
            drawing.head(view, lobby, cast, one)
            drawing.mine(view, cast, one)
            drawing.players(view, lobby, cast, one, 8)
            drawing.pane(view, cast, one, log, 8)
            drawing.bottom(view, cast, one)
            hint(now, one.desk, cast, columns)
