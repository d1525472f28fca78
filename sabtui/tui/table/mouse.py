"""Places on the parts of the table: what clicks on them do, and where the terminal's cursor stands.

The keys of the open list of claims are here, too, as they act like clicks on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, assert_never

from engine.state import Phase
from engine.view import View
from net.client.session import Status
from sabtui.table.sight import Sight
from sabtui.tui.table import claims, hand, narrow
from sabtui.tui.table.actions import Action
from sabtui.tui.table.card_actions import CONFIRM, TURN, choose_card, press_place
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.render import above_sentence
from sabtui.tui.table.side import Side, seats_part
from sabtui.tui.table.status import sentence
from sabtui.tui.table.view_actions import change_subject, press_claim

PRIMARY_BUTTON: Final = 1
"""Mouse button that acts; any other turns the chosen card."""


class TablePart(Enum):
    """Part of the table that can be clicked."""

    MINE = auto()
    PLAYERS = auto()
    PANE = auto()
    HAND = auto()


@dataclass(frozen=True, slots=True)
class PanelClick:
    """Click at a column and row of a part."""

    part: TablePart
    column: int
    row: int
    button: int = PRIMARY_BUTTON


def click_action(model: TableModel, status: Status, click: PanelClick) -> Action | None:
    """Return the action that a click stands for, or `None`."""
    sight, (column, row) = Sight.of(status), (click.column, click.row)
    if sight is None:
        return None
    laid = Side.above(sentence(model, status), sight, model)
    match click.part:
        case TablePart.PLAYERS | TablePart.PANE if laid.claims is not None:
            above = laid.room.rows if click.part is TablePart.PANE else 0
            at = laid.claims.at(row + above, model.claims_page)
            return None if at is None else press_claim(at)
        case TablePart.MINE if click.button != PRIMARY_BUTTON:
            return TURN
        case TablePart.MINE:
            cell = above_sentence(model, status, sentence(model, status)).window.at(column, row)
            return None if cell is None else press_place(cell)
        case TablePart.PLAYERS:
            seat = laid.room.at(column, row)
            return None if seat is None else press_place(seat)
        case TablePart.HAND:
            return _hand_action(model, sight.view, column, row - 1) if row else None
        case TablePart.PANE:
            return None
        case _:
            assert_never(click.part)


def _hand_action(model: TableModel, view: View, column: int, row: int) -> Action | None:
    """Return the action of a click on the cards, or on the gold on offer."""
    columns, is_narrow = model.layout.columns, model.layout.is_narrow
    if view.phase is Phase.PLAY:
        at = (
            narrow.card_at(column, row, columns, len(view.hand))
            if is_narrow
            else hand.card_at(column, columns, len(view.hand), model.layout.hand - 1)
        )
        return None if at is None else choose_card(at + 1)
    if view.phase is not Phase.GOLD or not view.offer:
        return None
    kinds = tuple(dict.fromkeys(view.offer))
    columns = narrow.OFFER_COLUMNS if is_narrow else columns
    at = hand.card_at(column, columns, len(kinds), model.layout.hand - 1)
    if at is None:
        return None
    chosen = kinds[at] == model.selection.nuggets
    return CONFIRM if chosen else choose_card(kinds[at])


def claims_key_action(
    model: TableModel, status: Status, key: str, character: str | None
) -> Action | None:
    """Return the action of a key in the open list of claims, `None` for any other key."""
    view, about = status.view, model.about
    if view is None or about is None:
        return None
    if key in {"up", "down"}:
        return change_subject(1 if key == "down" else -1)
    at = claims.CLAIM_KEYS.find(character) if character else -1
    return press_claim(at) if 0 <= at < len(claims.claims(view, about)) else None


def cursor_place(
    model: TableModel, status: Status, text: str
) -> tuple[TablePart, tuple[int, int]] | None:
    """Return the part, column and row of the chosen player or tile above a status sentence.

    There the terminal's own cursor stands. It is `None` if neither is in view: something else is
    drawn there, or in the whole terminal.
    """
    shown, selection = above_sentence(model, status, text), model.selection
    sight = Sight.of(status)
    if sight is None or model.layout.is_too_small:
        return None
    if selection.seat is not None:
        if model.about is not None:
            return None
        column, row = seats_part(sight, shown).corner_of(selection.seat)
        return TablePart.PLAYERS, (column + 1, row)
    corner = shown.window.corner_of(selection.cell)
    if corner is None or model.shows_result(sight.view):
        return None
    size = shown.window.size
    if shown.glyphs.has_pictures:  # a terminal's cursor would leave a hole in a picture
        return TablePart.MINE, corner
    return TablePart.MINE, (corner[0] + size.columns // 2, corner[1] + size.rows // 2)
