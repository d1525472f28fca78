"""Actions that change what is visible, talk, and notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.board import START
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from net.protocol.lobby import TableClaim, Topic, clean_text
from net.protocol.requests import Chat, MakeClaim
from sabtui.table.sight import Sight
from sabtui.text.audit import words_sentence
from sabtui.text.connection import standing
from sabtui.text.i18n import _
from sabtui.text.moves import game_over
from sabtui.text.reasons import why_unavailable
from sabtui.tui.table import claims
from sabtui.tui.table.actions import (
    Action,
    ScreenEffect,
    SendRequest,
    StepResult,
    how_to_aim,
)
from sabtui.tui.table.header import newest_cell
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.side import Side
from sabtui.tui.table.status import names_at, sentence


def _changes(do: Callable[[TableModel], TableModel]) -> Action:
    """Return an action that is always available, and changes what is visible."""
    return Action(lambda model, _status, _view: (do(model), ()))


def _why_no_player(model: TableModel, _status: Status, _view: View) -> str | None:
    """Return why no player is meant (none is under the cursor), or `None`."""
    return how_to_aim() if model.selection.seat is None else None


# The cursor and the mine.


def move_cursor(east: int, south: int) -> Action:
    """Return the action that moves the cursor by a number of cells; among players, by rows."""

    def move(model: TableModel, _status: Status, view: View) -> StepResult:
        moved = model.selection.move_cursor(east, south, view.table.players)
        return model.with_selection(moved), ()

    return Action(move)


def pan(east: int, south: int) -> Action:
    """Return the action that moves the mine but not the cursor, by a number of cells."""
    return _changes(lambda model: model.pan(east, south))


def zoom(steps: int) -> Action:
    """Return the action that draws larger tiles if `steps` is positive, else smaller ones."""
    return _changes(lambda model: model.zoom(steps))


def _go_to_players(model: TableModel, _status: Status, view: View) -> StepResult:
    selection = model.selection
    return model.at(view.seat or 0 if selection.seat is None else selection.cell), ()


def _why_not_players(model: TableModel, _status: Status, view: View) -> str | None:
    choice = model.selection.choice(view)
    if model.selection.seat is not None and choice is not None and choice.on_seats:
        return _("Up and Down go from player to player; Esc puts the card back.")
    return None


def _why_not_fit(model: TableModel, _status: Status, _view: View) -> str | None:
    return _("The mine already fills the screen.") if model.fit() == model else None


TO_PLAYERS: Final = Action(_go_to_players, _why_not_players)
TO_NEWEST: Final = Action(
    lambda model, _status, view: (model.at(newest_cell(view) or START), ()),
)
TO_START: Final = _changes(lambda model: model.at(START).settle())
TO_GOALS: Final = _changes(lambda model: model.at(model.next_goal()))
FIT: Final = replace(_changes(TableModel.fit), refuse=_why_not_fit)


# The side, and what opens over the table.


def _turn_page(model: TableModel, status: Status, view: View) -> StepResult:
    """Turn to the next page of the side; after the game, to the gold or the mine."""
    if view.phase is Phase.OVER:
        final = model.pane is SidePanel.RECENT
        return model.turn_to(SidePanel.ROLE if final else SidePanel.RECENT), ()
    return model.turn_to(_side(model, status).next_page), ()


def _side(model: TableModel, status: Status) -> Side:
    """Return the side of a table with a game."""
    sight = Sight.of(status)
    assert sight is not None
    return Side.above(sentence(model, status), sight, model)


def _turn_role(model: TableModel) -> TableModel:
    shown = model.pane is SidePanel.ROLE
    return model.turn_to(SidePanel.RECENT if shown else SidePanel.ROLE)


def _mark(model: TableModel, status: Status, _view: View) -> StepResult:
    seat = model.selection.seat
    return (model if seat is None else model.mark(names_at(status).names[seat])), ()


def scroll(pages: int) -> Action:
    """Return the action that scrolls the open list, the known facts or the log by pages.

    A positive number scrolls back.
    """

    def turn(model: TableModel, status: Status, _view: View) -> StepResult:
        scrolled = _scroll(model, _side(model, status), pages)
        if scrolled == model:
            return model.with_message(_("There is no more to see here.")), ()
        return scrolled, ()

    return Action(turn)


def _scroll(model: TableModel, laid: Side, pages: int) -> TableModel:
    """Return the model with the open list, the page or the log scrolled."""
    if laid.claims is not None:
        page = laid.claims.page(max(model.claims_page - pages, 0))
        return replace(model, claims_page=page)
    room, rows, columns = laid.log_rows, laid.rows, model.layout.text
    if not room:
        back = model.back - pages * max(rows - 1, 1)
        return replace(model, back=min(max(back, 0), max(laid.page_height - rows, 0)))
    return replace(model, back=model.log.turn_page(columns, room, model.glyphs, model.back, pages))


def _go_back(model: TableModel, _status: Status, _view: View) -> StepResult:
    """Go back one step: chat line, list of claims, scrolled log, the selection, then the page."""
    if model.is_talking:
        return model, (ScreenEffect.CLOSE_TALK,)
    if model.about is not None:
        return replace(model, about=None), ()
    if model.back:
        return replace(model, back=0), ()
    if _has_selection(model):
        return model.with_selection(model.selection.back()), ()
    return model.turn_to(SidePanel.RECENT), ()


def _why_not_back(model: TableModel, _status: Status, _view: View) -> str | None:
    opened = model.is_talking or model.about is not None or model.back > 0
    if opened or _has_selection(model) or model.pane is not SidePanel.RECENT:
        return None
    return _("Nothing to cancel. q leaves the table.")


def _has_selection(model: TableModel) -> bool:
    """Return True if a card is chosen, or the cursor is on a player."""
    return model.selection != Selection(cell=model.selection.cell)


CHANGE_PANE: Final = Action(_turn_page)
SHOW_ROLE: Final = _changes(_turn_role)
MARK: Final = Action(_mark, _why_no_player)
BACK: Final = Action(_go_back, _why_not_back, keeps_discard=True)
READ_LOG: Final = Action(lambda model, _status, _view: (model, (ScreenEffect.OPEN_LOG,)))
TOGGLE_VEIL: Final = _changes(lambda model: replace(model, veiled=not model.veiled))
TELL_WORDS: Final = Action(
    lambda model, status, _view: (model.with_message(words_sentence(status.words)), ()),
    lambda _model, status, _view: None if status.words else words_sentence(None),
)


# Talk and claims.


def _why_not_talk(_model: TableModel, status: Status, _view: View) -> str | None:
    return _why_not_say(status, Chat("?"))


def _why_not_claim(_model: TableModel, status: Status, view: View) -> str | None:
    if view.phase is Phase.OVER:
        return game_over()
    return _why_not_say(status, MakeClaim(TableClaim(Topic.WHO_ME)))


def _why_not_say(status: Status, said: Chat | MakeClaim) -> str | None:
    if status.connection is ConnectionState.ENDED:
        return standing(status)
    return why_unavailable(status, said)


def _open_talk(model: TableModel, _status: Status, _view: View) -> StepResult:
    text = _("Type a message, then press Enter; Esc goes back to the table.")
    return replace(model, about=None).with_message(text), (ScreenEffect.OPEN_TALK,)


def submit_talk(typed: str) -> Action:
    """Return the action that sends the text of the chat line to all, and leaves the line."""
    text, close = clean_text(typed), (ScreenEffect.CLOSE_TALK,)
    effects = (SendRequest(Chat(text)), *close) if text else close
    return Action(lambda model, _status, _view: (model, effects), _why_not_talk)


def _toggle_claims(model: TableModel, _status: Status, view: View) -> StepResult:
    """Open or close the list of quick claims."""
    if model.about is not None:
        return replace(model, about=None, claims_page=0), ()
    about = claims.first_about(view, model.aimed_at)
    text = _("Press a claim's key; Up and Down choose another player.")
    return replace(model, about=about, claims_page=0).with_message(text), ()


def change_subject(step: int) -> Action:
    """Return the action that lets the open list of claims concern the next player."""

    def change(model: TableModel, _status: Status, view: View) -> StepResult:
        if model.about is None:
            return model, ()
        about = claims.next_about(view, model.about, step)
        return replace(model, about=about, aimed_at=about), ()

    return Action(change, _why_not_claim, keeps_message=True)


def press_claim(at: int) -> Action:
    """Return the action that makes the claim at an index of the open list."""

    def claim(model: TableModel, _status: Status, view: View) -> StepResult:
        listed = claims.claims(view, model.about)
        if model.about is None or not 0 <= at < len(listed):
            return model, ()
        return replace(model, about=None), (SendRequest(MakeClaim(listed[at])),)

    return Action(claim, _why_not_claim)


TALK: Final = Action(_open_talk, _why_not_talk)
CLAIMS: Final = Action(_toggle_claims, _why_not_claim)
