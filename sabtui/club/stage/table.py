"""A table on the stage: the mine, and in large letters the last move, or who is thinking."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from rich.cells import cell_len

from engine.events import Laid, PlayedTurn
from engine.state import Phase
from net.client.session import ConnectionState, Session, Status
from sabtui.app.requests import Invitation, address_line
from sabtui.club.stage.director import Director
from sabtui.table.sight import Sight
from sabtui.text.cards import shape_words
from sabtui.text.connection import code_sentence, standing
from sabtui.text.events import log_lines
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.names import PlayerNames
from sabtui.tui.command import LEAVE, Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.table import render
from sabtui.tui.table.layout import panels_css
from sabtui.tui.table.log import LogKind, TableLog
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import Glyphs, drawable, large
from sabtui.tui.widgets.panel import Panel
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, centre_text, plain

_HEADLINES: Final = frozenset(
    {
        *(LogKind.GAME, LogKind.HARM, LogKind.PASS),
        *(LogKind.EVENT, LogKind.ROUND, LogKind.TURNING_POINT),
    }
)
"""Kinds of lines of the log that are headlines: what happens in the game, and no talk."""


def stage_commands(director: Director, screen: CommandScreen) -> Iterable[Command]:
    """Yield the commands of a stage's screen, which goes on by itself without any of them."""
    label, purpose = pgettext("replay", "next"), _("the next table")
    yield Command("next", ("n",), label, purpose, lambda: director.turn(1))
    label, purpose = pgettext("replay", "previous"), _("the previous table")
    yield Command("previous", ("p",), label, purpose, lambda: director.turn(-1))
    purpose = _("show the room code, or hide it")
    yield Command("code", ("c",), _("code"), purpose, director.switch_code)
    yield Command(
        LEAVE,
        ("q",),
        _("leave"),
        _("leave Sabtui"),
        lambda: screen.ask(_("Quit Sabtui?"), screen.app.exit),
    )


class StageTableScreen(TableScreen, inherit_bindings=False):
    """Table that a room full of people sees. What it shows, every watcher sees."""

    DEFAULT_CSS = panels_css("StageTableScreen") + "StageTableScreen #talk { height: 0; }"

    def __init__(self, session: Session, status: Status, director: Director) -> None:
        self.director = director
        super().__init__(session, status)
        assert self.status.seat is None, "a stage has no seat"
        self.model = replace(self.model, has_hand=False)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of a stage."""
        yield from stage_commands(self.director, self)

    def on_panel_pressed(self, pressed: Panel.Pressed) -> None:
        """Do nothing: there is no cursor that a click could move."""
        pressed.prevent_default()

    def sentence(self) -> str:
        """Return the trouble with the connection if there is any, else how to join."""
        if self.model.is_asked or self.model.message:
            return super().sentence()
        if self.status.connection is not ConnectionState.CONNECTED:
            return standing(self.status)
        return join_sentence(self.director.invitation)

    def bottom(self, sight: Sight, model: TableModel) -> list[Row]:
        """Return the last move as a headline, after a while who thinks, and since when.

        Between rounds it is the result of the round or game.
        """
        if sight.view.phase not in {Phase.PLAY, Phase.GOLD}:
            return render.bottom(sight, model)
        layout, brief = model.layout, ""
        text = model.frame.text
        if not text and model.waited >= render.CLOCK_AFTER_S:
            text = " ".join(plain(render.turn(sight, model.waited)).split())
        elif not text:
            text, brief = find_headline(model.log, sight)
        drawn = draw_headline(text, layout.columns, layout.hand - 1, model.glyphs, brief)
        return [render.rule_below_mine("", sight.view, model), *drawn]


def join_sentence(invitation: Invitation) -> str:
    """Return how to join in one line: the first address, and the code if it is known."""
    parts = [address_line(address) for address in invitation.addresses[:1]]
    parts += [code_sentence(invitation.code)] if invitation.code else []
    return "   ".join(parts)


def find_headline(log: TableLog, sight: Sight) -> tuple[str, str]:
    """Return what happened last in the game, in words, and in a few; "" for neither."""
    for entry in reversed(log.lines):
        if entry.turn is not None:
            told = log_lines([entry.turn], sight.view, sight.names)
            return next(iter(told), entry.text), _tell_briefly(entry.turn, sight.names)
        if entry.kind in _HEADLINES:
            return entry.text, ""
    return "", ""


def _tell_briefly(turn: PlayedTurn, names: PlayerNames) -> str:
    """Return who laid what, without the place, "" for another turn."""
    if not isinstance(turn, Laid):
        return ""
    return _("{title}: {facts}").format(title=names.names[turn.seat], facts=shape_words(turn.path))


def draw_headline(text: str, columns: int, rows: int, glyphs: Glyphs, brief: str = "") -> list[Row]:
    """Return a headline in the middle of so many columns, in large letters if they fit.

    If only its `brief` form fits, that is above the whole, which is written.
    """
    if drawn := _draw_large(text.removesuffix("."), columns, rows, glyphs):
        return drawn
    drawn = _draw_large(brief, columns, rows - 1, glyphs) if cell_len(text) <= columns - 2 else []
    room = rows - len(drawn)
    parts = confine_lines([text], columns - 2, 0)[:room]
    written: list[Row] = [(StyledSpan(centre_text(part, columns), Look.STRONG),) for part in parts]
    above: list[Row] = drawn or [()] * ((room - len(parts)) // 2)
    return [*above, *written]


def _draw_large(text: str, columns: int, rows: int, glyphs: Glyphs) -> list[Row]:
    """Return a text in large letters, no rows if it has other letters or does not fit."""
    spelt = drawable(text)
    lines = large(spelt, glyphs) if spelt else []
    wide = max(map(len, lines), default=0)
    if len(lines) > rows or wide > columns - 2:
        return []
    left = " " * ((columns - wide) // 2)
    return [(StyledSpan(left + line, Look.TURN),) for line in lines]
