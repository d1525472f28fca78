"""Actions that change what is visible, talk, and notes; and why they are unavailable."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.board import START
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from net.lobby.model import clean_text
from net.protocol.messages import Chat, MakeClaim
from sabtui.text.i18n import _
from sabtui.tui.table import claims, render
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
from sabtui.tui.table.status import names_at, not_begun, sentence


def why_not_view(model: TableModel, status: Status, action: AnyViewAction) -> str | None:
    """Return why an action on the view is unavailable now, or `None`."""
    view = status.view
    match action:
        case ViewAction.TO_PLAYERS:
            choice = None if view is None else model.selection.choice(view)
            if model.selection.seat is not None and choice is not None and choice.on_seats:
                return _("Up and Down go from player to player; Esc puts the card back.")
        case ViewAction.CHANGE_PANE:
            if view is not None and view.phase is not Phase.OVER:
                tall = render.seats_part(view, model).is_tall
                return _("Both are in view already: what you know, and the talk.") if tall else None
        case ViewAction.MARK:
            return without_player(model)
        case ViewAction.BACK:
            if can_go_back(model):
                return None
            return _("Nothing to cancel. q leaves the table.")
        case ViewAction.FIT:
            if view is not None and model.fitted() == model:
                return _("All of the mine that fits is in sight already.")
        case ViewAction.TOGGLE_VEIL | Scroll():
            return None
        case ViewAction.TO_NEWEST | ViewAction.TO_START | ViewAction.TO_GOALS:
            pass
        case MoveCursor() | Pan() | Zoom():
            pass
        case _:
            assert_never(action)
    return without_game(status)


def why_not_talk(status: Status, action: AnyTalkAction) -> str | None:
    """Return why talk of this kind is unavailable now, or `None`."""
    match action:
        case TalkAction.CLAIMS | ChangeSubject() | PressClaim():
            return without_game(status)
        case TalkAction.TALK | SubmitTalk():
            return None
        case _:
            assert_never(action)


def without_game(status: Status) -> str | None:
    """Return why there is no mine to look at, or `None`."""
    return not_begun() if status.view is None else None


def without_player(model: TableModel) -> str | None:
    """Return why no player is meant (none is under the cursor), or `None`."""
    if model.selection.seat is None:
        return _("Go to a player first: p, then Up or Down; or click on one.")
    return None


def can_go_back(model: TableModel) -> bool:
    """Return True if Escape has something to go back from."""
    selection = model.selection
    return (
        model.is_talking
        or model.about is not None
        or model.back > 0
        or selection != Selection(cell=selection.cell)
    )


def update_view(
    model: TableModel, status: Status, action: AnyViewAction
) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Return the model after an available action on the view, and the effects."""
    view = status.view
    if action is ViewAction.TOGGLE_VEIL:
        return replace(model, veiled=not model.veiled), ()
    if action is ViewAction.BACK:
        return _back(model)
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
            other = SidePanel.LOG if model.pane is SidePanel.KNOWN else SidePanel.KNOWN
            model = replace(model, pane=other, back=0)
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
            model = _scrolled(model, status, view, pages)
        case _:
            assert_never(action)
    return model, ()


def _back(model: TableModel) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Go back one step: chat line, list of claims, scrolled log, then the selection."""
    if model.is_talking:
        return model, (ScreenEffect.CLOSE_TALK,)
    if model.about is not None:
        return replace(model, about=None), ()
    if model.back:
        return replace(model, back=0), ()
    return model.with_selection(model.selection.back()), ()


def _scrolled(model: TableModel, status: Status, view: View, pages: int) -> TableModel:
    """Return the model with the open list, the known facts or the log scrolled by a page."""
    rows, columns = render.pane_rows(view, model, sentence(model, status)), model.layout.text
    if model.about is not None:
        room = render.seats_part(view, model).rows + rows
        listed = render.claim_list(view, names_at(status), model, room)
        return replace(model, claims_page=listed.page(max(model.claims_page - pages, 0)))
    if model.pane is SidePanel.KNOWN:
        height = len(render.known(view, columns, veiled=model.veiled))
        back = model.back - pages * max(rows - 1, 1)
        return replace(model, back=min(max(back, 0), max(height - rows, 0)))
    room = render.log_rows(view, model, rows)
    return replace(model, back=model.log.turned(columns, room, model.back, pages))


def update_talk(
    model: TableModel, status: Status, action: AnyTalkAction
) -> tuple[TableModel, tuple[TableEffect, ...]]:
    """Return the model after an available action of talk, and the effects."""
    view = status.view
    match action:
        case TalkAction.TALK:
            text = _("Type a message, then press Enter; Esc goes back to the table.")
            return replace(model, about=None).told(text), (ScreenEffect.OPEN_TALK,)
        case SubmitTalk(typed):
            text = clean_text(typed)
            close = (ScreenEffect.CLOSE_TALK,)
            return model, (SendRequest(Chat(text)), *close) if text else close
        case TalkAction.CLAIMS if model.about is not None:
            return replace(model, about=None, claims_page=0), ()
        case TalkAction.CLAIMS:
            if view is None:
                return model, ()
            about = claims.first_about(view, model.selection.seat)
            text = _("Press a claim's key; Up and Down choose another player.")
            return replace(model, about=about, claims_page=0).told(text), ()
        case ChangeSubject(step):
            if view is None or model.about is None:
                return model, ()
            return replace(model, about=claims.next_about(view, model.about, step)), ()
        case PressClaim(at):
            listed = () if view is None else claims.claims(view, model.about)
            if model.about is None or not 0 <= at < len(listed):
                return model, ()
            return replace(model, about=None), (SendRequest(MakeClaim(listed[at])),)
        case _:
            assert_never(action)
