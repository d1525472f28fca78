"""Actions that change what is visible, talk, and notes; and why they are unavailable."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.board import START
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from net.lobby.model import clean_text
from net.protocol.requests import Chat, MakeClaim
from sabtui.table.sight import Sight
from sabtui.text.audit import words_sentence
from sabtui.text.connection import standing
from sabtui.text.i18n import _
from sabtui.text.moves import game_over
from sabtui.tui.table import claims
from sabtui.tui.table.actions import (
    AnyTalkAction,
    AnyViewAction,
    ChangeSubject,
    MoveCursor,
    Pan,
    PressClaim,
    ScreenEffect,
    Scroll,
    SendRequest,
    SubmitTalk,
    TableEffect,
    TalkAction,
    ViewAction,
    Zoom,
)
from sabtui.tui.table.header import last_card
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.side import Side
from sabtui.tui.table.status import names_at, not_begun, sentence


def why_not_view(model: TableModel, status: Status, action: AnyViewAction) -> str | None:
    """Return why an action on the view is unavailable now, or `None`."""
    view = status.view
    match action:
        case ViewAction.TO_PLAYERS:
            choice = None if view is None else model.selection.choice(view)
            if model.selection.seat is not None and choice is not None and choice.on_seats:
                return _("Up and Down go from player to player; Esc puts the card back.")
        case ViewAction.MARK:
            return why_no_player(model)
        case ViewAction.BACK:
            if can_go_back(model):
                return None
            return _("Nothing to cancel. q leaves the table.")
        case ViewAction.FIT:
            if view is not None and model.fitted() == model:
                return _("All of the mine that fits is in sight already.")
        case ViewAction.TELL_WORDS if status.compared is None:
            return words_sentence(None)
        case ViewAction.TOGGLE_VEIL | ViewAction.READ_LOG | ViewAction.TELL_WORDS | Scroll():
            return None
        case ViewAction.CHANGE_PANE | ViewAction.SHOW_ROLE:
            pass
        case ViewAction.TO_NEWEST | ViewAction.TO_START | ViewAction.TO_GOALS:
            pass
        case MoveCursor() | Pan() | Zoom():
            pass
        case _:
            assert_never(action)
    return why_no_game(status)


def why_not_talk(status: Status, action: AnyTalkAction) -> str | None:
    """Return why talk of this kind is unavailable now, or `None`."""
    if status.connection is ConnectionState.ENDED:
        return standing(status)
    match action:
        case TalkAction.CLAIMS | ChangeSubject() | PressClaim():
            if status.view is not None and status.view.phase is Phase.OVER:
                return game_over()
            return why_no_game(status)
        case TalkAction.TALK | SubmitTalk():
            return None
        case _:
            assert_never(action)


def why_no_game(status: Status) -> str | None:
    """Return why there is no mine to look at, or `None`."""
    return not_begun() if status.view is None else None


def why_no_player(model: TableModel) -> str | None:
    """Return why no player is meant (none is under the cursor), or `None`."""
    if model.selection.seat is None:
        return _("Go to a player first: p, then Up or Down; or click on one.")
    return None


def can_go_back(model: TableModel) -> bool:
    """Return True if Escape has something to go back from."""
    return (
        model.is_talking
        or model.about is not None
        or model.back > 0
        or _has_selection(model)
        or model.pane is not SidePanel.RECENT
    )


def _has_selection(model: TableModel) -> bool:
    """Return True if a card is chosen, or the cursor is on a player."""
    return model.selection != Selection(cell=model.selection.cell)


def update_view(
    model: TableModel, status: Status, action: AnyViewAction
) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Return the model after an available action on the view, and the effects."""
    view = status.view
    if action is ViewAction.TOGGLE_VEIL:
        return replace(model, veiled=not model.veiled), ()
    if action is ViewAction.BACK:
        return _back(model, view)
    if action is ViewAction.READ_LOG:
        return model, (ScreenEffect.OPEN_LOG,)
    if action is ViewAction.TELL_WORDS:
        return model.with_message(words_sentence(status.compared)), ()
    if view is None:
        return model, ()
    match action:
        case ViewAction.TO_PLAYERS:
            selection = model.selection
            model = model.at(view.seat or 0 if selection.seat is None else selection.cell)
        case ViewAction.TO_NEWEST:
            last = last_card(view)
            model = model.at(START if last is None or last.cell is None else last.cell)
        case ViewAction.TO_START:
            model = model.at(START).settled()
        case ViewAction.TO_GOALS:
            model = model.at(model.next_goal())
        case ViewAction.FIT:
            model = model.fitted()
        case ViewAction.CHANGE_PANE:
            model = _other_pane(model, status, view)
        case ViewAction.SHOW_ROLE:
            shown = model.pane is SidePanel.ROLE
            model = model.turned_to(SidePanel.RECENT if shown else SidePanel.ROLE)
        case ViewAction.MARK:
            if model.selection.seat is not None:
                model = model.marked(names_at(status).names[model.selection.seat])
        case MoveCursor(east, south):
            model = model.with_selection(model.selection.moved(east, south, view.table.players))
        case Pan(east, south):
            model = model.panned(east, south)
        case Zoom(steps):
            model = model.zoomed(steps)
        case Scroll(pages):
            before, model = model, _scrolled(model, status, pages)
            if model == before:
                model = model.with_message(_("There is no more to see here."))
        case _:
            assert_never(action)
    return model, ()


def _other_pane(model: TableModel, status: Status, view: View) -> TableModel:
    """Return the model with the next page of the side; after the game, gold or the mine."""
    if view.phase is Phase.OVER:
        final = model.pane is SidePanel.RECENT
        return model.turned_to(SidePanel.ROLE if final else SidePanel.RECENT)
    laid = _side(model, status)
    return model if laid is None else model.turned_to(laid.next_page)


def _side(model: TableModel, status: Status) -> Side | None:
    """Return the side of the table, `None` without a game."""
    sight = Sight.of(status)
    return None if sight is None else Side.above(sentence(model, status), sight, model)


def _back(model: TableModel, view: View | None) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Go back one step: chat line, list of claims, scrolled log, the selection, then the page."""
    if model.is_talking:
        return model, (ScreenEffect.CLOSE_TALK,)
    if model.about is not None:
        return replace(model, about=None), ()
    if model.back:
        return replace(model, back=0), ()
    if _has_selection(model) or view is None:
        return model.with_selection(model.selection.back()), ()
    return model.turned_to(SidePanel.RECENT), ()


def _scrolled(model: TableModel, status: Status, pages: int) -> TableModel:
    """Return the model with the open list, the page or the log scrolled."""
    laid = _side(model, status)
    if laid is None:
        return model
    if laid.claims is not None:
        page = laid.claims.page(max(model.claims_page - pages, 0))
        return replace(model, claims_page=page)
    room, rows, columns = laid.log_rows, laid.rows, model.layout.text
    if not room:
        back = model.back - pages * max(rows - 1, 1)
        return replace(model, back=min(max(back, 0), max(laid.page_height - rows, 0)))
    return replace(model, back=model.log.turned(columns, room, model.glyphs, model.back, pages))


def update_talk(
    model: TableModel, status: Status, action: AnyTalkAction
) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Return the model after an available action of talk, and the effects."""
    view = status.view
    match action:
        case TalkAction.TALK:
            text = _("Type a message, then press Enter; Esc goes back to the table.")
            return replace(model, about=None).with_message(text), (ScreenEffect.OPEN_TALK,)
        case SubmitTalk(typed):
            text = clean_text(typed)
            close = (ScreenEffect.CLOSE_TALK,)
            return model, (SendRequest(Chat(text)), *close) if text else close
        case TalkAction.CLAIMS if model.about is not None:
            return replace(model, about=None, claims_page=0), ()
        case TalkAction.CLAIMS:
            if view is None:
                return model, ()
            about = claims.first_about(view, model.aimed_at)
            text = _("Press a claim's key; Up and Down choose another player.")
            return replace(model, about=about, claims_page=0).with_message(text), ()
        case ChangeSubject(step):
            if view is None or model.about is None:
                return model, ()
            about = claims.next_about(view, model.about, step)
            return replace(model, about=about, aimed_at=about), ()
        case PressClaim(at):
            listed = () if view is None else claims.claims(view, model.about)
            if model.about is None or not 0 <= at < len(listed):
                return model, ()
            return replace(model, about=None), (SendRequest(MakeClaim(listed[at])),)
        case _:
            assert_never(action)
